// Locks on files, comparison of files, whole files, and errors that name a file.
#ifndef VS_BASE_FILE_H
#define VS_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/context.h"

// Prefixes the error text with the file's name.
vs_error vs_file_blame(vs_context *context, vs_error error, const char *path);

// Whether the name still leads to the open file, which another process may have replaced or removed.
bool vs_file_is_at(int descriptor, const char *path);

// One writer at a time: HDF5 itself releases its lock when SWMR writing starts.
// descriptor -1: the file cannot be opened for writing, see errno. VS_ERROR_IO if another process holds the lock.
vs_error vs_file_lock(vs_context *context, const char *path, int *descriptor);
void vs_file_unlock(int descriptor);    // negative is legal
bool vs_file_is_locked(int descriptor); // by another process, as far as is known

// The lock alone, on a descriptor that is open for writing.
typedef enum vs_lock { VS_LOCK_TAKEN, VS_LOCK_OF_ANOTHER, VS_LOCK_UNSUPPORTED } vs_lock;
vs_lock vs_file_try_lock(int descriptor);

// The whole file, at most 1 GiB, followed by a zero byte; release `bytes` with vs_release(), also after a failure.
vs_error vs_file_load(vs_context *context, const char *path, char **bytes, size_t *length);

#endif
