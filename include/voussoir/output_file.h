// Output files that harm nothing: complete or absent, and written to what the user named.
//
//     vs_output_file *file;
//     vs_error error = vs_output_file_create(context, "table.csv", &file);
//     if (!error && write_all(vs_output_file_get_path(file))) // open that path, write, close
//         error = vs_output_file_commit(file);
//     vs_output_file_destroy(file); // without a commit nothing has changed
//
// All files of the library and of the command are written this way. Error texts do not contain the name of the file.
#ifndef VOUSSOIR_OUTPUT_FILE_H
#define VOUSSOIR_OUTPUT_FILE_H

#include <stdbool.h>

#include "voussoir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_output_file vs_output_file;

// Prepares writing to `path`; destroy the file with vs_output_file_destroy(). Symbolic links are followed. A regular
// file is replaced when the new one is complete and keeps its permissions; a device or a FIFO receives the bytes then.
// VS_ERROR_IO if the file could not be written, or is being written by another process.
VS_API vs_error vs_output_file_create(vs_context *context, const char *path, vs_output_file **file);
// The temporary file to write to. It exists and is empty; do not remove or replace it.
VS_API const char *vs_output_file_get_path(const vs_output_file *file);
// Gives the complete file its name, after its bytes have reached the disk; or copies it to the device or FIFO.
VS_API vs_error vs_output_file_commit(vs_output_file *file);
// Removes the temporary file unless it was committed. Null is allowed.
VS_API void vs_output_file_destroy(vs_output_file *file);

// Whether writing to `path` would replace `other`, also through links; neither needs to exist.
VS_API bool vs_output_file_replaces(const char *path, const char *other);

#ifdef __cplusplus
}
#endif

#endif
