// voussoir run.
#ifndef VS_APP_RUN_RUN_H
#define VS_APP_RUN_RUN_H

#include "cli/command.h"
#include "run/options.h"
#include "run/summary.h"

extern const app_command app_run_command, app_run_mpi_command;

int app_run_main(void *options, const app_line *line); // the command

// Makes a scene and runs it to its end; `finish` gets the summary, with the scene, before everything is released.
// Returns the exit code.
int app_run_scene(const app_run_options *options, void (*finish)(const app_run_summary *summary, void *user),
                  void *user);

#endif
