// Internals of output files, for files that are still being written when they get their name.
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

#endif
