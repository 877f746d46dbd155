// voussoir run.
#ifndef VS_APP_RUN_RUN_H
#define VS_APP_RUN_RUN_H

#include "run/options.h"
#include "run/summary.h"

int app_run(int argc, char **argv);

// Makes a scene and runs it to its end; `finish` gets the summary, with the scene, before everything is released.
// Returns the exit code.
int app_run_scene(const app_run_options *options, void (*finish)(const app_run_summary *summary, void *user),
                  void *user);

#endif
