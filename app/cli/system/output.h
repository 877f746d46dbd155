// Files that a command writes: complete or unchanged (voussoir/output_file.h), and never one of its inputs
// (cli/system/files.h).
#ifndef VS_APP_CLI_OUTPUT_H
#define VS_APP_CLI_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "voussoir/output_file.h"

typedef struct app_output {
    FILE *file;          // to write to
    char path[PATH_MAX]; // as named by the user
    vs_context *context;
    vs_output_file *target;
} app_output;

// Every open is followed by a close. Both complain and return false on failure.
bool app_output_open(app_output *output, const char *path);
// `good`: everything was written; otherwise the file is left as it was before.
bool app_output_close(app_output *output, bool good);

// Copies a file that another program has written. Complains and returns false on failure.
bool app_output_copy(const char *from, const char *path);

// Whether two outputs are different files; complains if not. Null is allowed.
bool app_output_differs(const char *path, const char *other);

#endif
