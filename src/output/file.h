// Names, locks and replacement of output files.
#ifndef VS_OUTPUT_FILE_H
#define VS_OUTPUT_FILE_H

#include <stdbool.h>

#include "base/arena.h"

// Prefixes the error text with the file's name.
vs_error vs_file_blame(vs_context *context, vs_error error, const char *path);

// Creates an empty file with an unused name next to `path` ("path.tmp0", …). The name is in the arena.
vs_error vs_file_reserve(vs_arena *arena, const char *path, char **name);
// The bytes reach the disk before `path` refers to them.
vs_error vs_file_replace(vs_context *context, const char *name, const char *path);

// One writer at a time: HDF5 itself releases its lock when SWMR writing starts.
// descriptor -1: the file cannot be opened for writing, see errno. VS_ERROR_IO if another process holds the lock.
vs_error vs_file_lock(vs_context *context, const char *path, int *descriptor);
void vs_file_unlock(int descriptor);    // negative is legal
bool vs_file_is_locked(int descriptor); // by another process, as far as is known

#endif
