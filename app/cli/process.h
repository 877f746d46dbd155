// Other programs that the command runs (gnuplot, ffmpeg, ParaView), and folders for what only they need.
#ifndef VS_APP_CLI_PROCESS_H
#define VS_APP_CLI_PROCESS_H

#include <math.h>
#include <stdbool.h>

// Is there such a program on PATH?
bool app_process_is_there(const char *program);
// Runs argv (ends with null) in `folder` (null: here) for some seconds at most; what it says is added to the file `log`
// (null: thrown away). The exit code; 127: there is no such program; -1: it was killed or could not be started.
int app_process_run(const char *folder, const char *const *argv, const char *log, double seconds);

enum { APP_SCRATCH = 256 };
// A new empty folder in TMPDIR, and its end with all that is in it. false: complained.
bool app_scratch_make(char folder[APP_SCRATCH]);
void app_scratch_remove(const char *folder);

#endif
