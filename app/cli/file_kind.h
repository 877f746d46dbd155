// The kinds of files that voussoir writes and reads.
#ifndef VS_APP_CLI_FILE_KIND_H
#define VS_APP_CLI_FILE_KIND_H

#include <stdbool.h>

#define APP_SWEEP_TABLE "runs" // dataset of the table of a sweep

typedef enum app_file_kind {
    APP_FILE_UNKNOWN,
    APP_FILE_SCENE, // JSON, URDF, MJCF
    APP_FILE_TRAJECTORY,
    APP_FILE_CHECKPOINT,
    APP_FILE_TABLE, // of a sweep
    APP_FILE_PROBLEM
} app_file_kind;

// Scenes by their extension, the others by their contents.
app_file_kind app_file_find_kind(const char *path);
// For a command that needs a trajectory: complains about a file that is known to be another one, and says what to do.
bool app_file_is_other(const char *path);

#endif
