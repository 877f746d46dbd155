// Names, locks and replacement of output files.
#ifndef VS_OUTPUT_FILE_H
#define VS_OUTPUT_FILE_H

#include <stdbool.h>

#include "base/arena.h"

// Puts the file's name before the text of an error.
vs_error vs_file_blame(vs_context *context, vs_error error, const char *path);

// A name beside `path` that is not taken ("path.tmp0", …) and now is: the file is there, empty. In the arena.
vs_error vs_file_reserve(vs_arena *arena, const char *path, char **name);
// The bytes are on the disk before `path` points at them.
vs_error vs_file_replace(vs_context *context, const char *name, const char *path);

// One writer at a time, whoever it is: HDF5 itself gives up its lock when it starts to write for readers.
// descriptor -1: the file cannot be opened for writing, errno tells why. VS_ERROR_IO if another one holds the lock.
vs_error vs_file_lock(vs_context *context, const char *path, int *descriptor);
void vs_file_unlock(int descriptor);    // negative is legal
bool vs_file_is_locked(int descriptor); // by somebody else, as far as can be told

#endif
