// Other programs that the command runs (gnuplot, ffmpeg, ParaView), and folders for their temporary files.
#ifndef VS_APP_CLI_PROCESS_H
#define VS_APP_CLI_PROCESS_H

#include <math.h>
#include <stdbool.h>

// Whether there is such a program on PATH.
bool app_process_is_there(const char *program);
// Runs argv (ends with null) in `folder` (null: here) for a limited number of seconds; its output is appended to the
// file `log` (null: discarded). Returns the exit code; 127: there is no such program; -1: killed or not started.
int app_process_run(const char *folder, const char *const *argv, const char *log, double seconds);

enum { APP_SCRATCH = 256 };
// Makes a new empty folder in TMPDIR, and removes it with its contents. false: complained.
bool app_scratch_make(char folder[APP_SCRATCH]);
void app_scratch_remove(const char *folder);

#endif
