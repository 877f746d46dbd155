// Internals of output files, for files that are still being written when they get their name, and between output_file.c and its
// part for each system, output_file_posix.c and output_file_windows.c, of which a build has one.
#ifndef VS_BASE_OUTPUT_FILE_H
#define VS_BASE_OUTPUT_FILE_H

#include "voussoir/output_file.h"

typedef enum vs_output_kind {
    VS_OUTPUT_REGULAR, // exists or will be created
    VS_OUTPUT_NULL,    // the null device
    VS_OUTPUT_STREAM   // another device, a FIFO, a socket
} vs_output_kind;
vs_output_kind vs_output_file_kind(const char *path);

// The locked descriptor of the file (base/file.h), which the caller closes.
int vs_output_file_take_lock(vs_output_file *file);

// ---- of the parts for each system -----------------------------------------------------------------------

enum {
    VS_OUTPUT_PATH = 4096,     // bytes of a path
    VS_OUTPUT_WRITERS = 32,    // concurrent writers to one name; also the names in which leftovers are looked for
    VS_OUTPUT_LOCK_TRIES = 20, // another writer holds the lock of a small file for one rename
    VS_OUTPUT_LOCK_PAUSE = 10  // ms between them
};
#define VS_OUTPUT_SUFFIX ".voussoir-tmp"

struct vs_output_file {
    vs_context *context;
    char target[VS_OUTPUT_PATH];                             // the regular file that the user's name leads to
    char name[VS_OUTPUT_PATH + sizeof VS_OUTPUT_SUFFIX + 4]; // the temporary file; "": renamed or removed
    int descriptor;                                          // of the temporary file, locked; -1: none
    int stream;                                              // the device or FIFO that receives the bytes; -1: none
};

// Opens the temporary file and sets all but the context.
vs_error vs_output_file_begin(vs_output_file *f, const char *path);
// Ends with the copy to a stream, or with the flushed file under its name.
vs_error vs_output_file_copy(vs_output_file *f);
vs_error vs_output_file_rename(vs_output_file *f);

vs_error vs_output_file_fail_busy(const vs_output_file *file);
// The k-th name beside the target.
void vs_output_file_name(vs_output_file *file, int k);

#endif
