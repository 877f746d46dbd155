// The software that made a file, on which the last bits of its numbers depend: a line per library, "name version".
#ifndef VS_OUTPUT_SOFTWARE_H
#define VS_OUTPUT_SOFTWARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/context.h"

enum { VS_SOFTWARE_TEXT = 512, VS_SOFTWARE_VERSION = 48 }; // bytes, with the zero at the end

// The version of HDF5; false in a build without it.
bool vs_software_hdf5(char version[VS_SOFTWARE_VERSION]);
// This build: voussoir, the BLAS with its processor kernel, HDF5, the linear solvers.
void vs_software_describe(char text[VS_SOFTWARE_TEXT]);
// A text of a file, which may hold anything: printable characters and ends of lines remain. size: bytes of `from`.
void vs_software_read(const char *from, size_t size, char text[VS_SOFTWARE_TEXT]);
// Logs a warning for each library that is another one here than in the text of the file.
void vs_software_compare(vs_context *context, const char *path, const char *text);

#endif
