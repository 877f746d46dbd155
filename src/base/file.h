// Files by their descriptors, locks on them, whole files, and errors that name a file. What differs between systems is
// implemented with system.h.
#ifndef VS_BASE_FILE_H
#define VS_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

// Prefixes the error text with the file's name.
vs_error vs_file_blame(vs_context *context, vs_error error, const char *path);

// Opens a file with flags of open(), which other programs may rename meanwhile and children do not inherit. -1: see errno.
int vs_file_open(const char *path, int flags);
// One transfer at a place, which may be shorter than wanted: the number of bytes, or -1 and errno.
int64_t vs_file_read_at(int descriptor, void *bytes, size_t size, uint64_t at);
int64_t vs_file_write_at(int descriptor, const void *bytes, size_t size, uint64_t at);
int vs_file_sync(int descriptor); // to the disk; 0, or -1 and errno

// Of two open files equal if and only if they are the same file.
typedef struct vs_file_identity {
    uint64_t device, number;
} vs_file_identity;
bool vs_file_get_identity(int descriptor, vs_file_identity *identity);

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

// HDF5's lock, which is apart from ours: shared by readers, of one writer, none. false: another process has it. Where the
// system has no such locks, HDF5 has none either, and it is true.
typedef enum vs_share { VS_SHARE_NONE, VS_SHARE_READ, VS_SHARE_WRITE } vs_share;
bool vs_file_share(int descriptor, vs_share share);

// The whole file, at most 1 GiB, followed by a zero byte; release `bytes` with vs_release(), also after a failure.
vs_error vs_file_load(vs_context *context, const char *path, char **bytes, size_t *length);

#endif
