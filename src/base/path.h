// Files by their names, which are UTF-8 on every system: on Windows, where the C library takes a code page, they become UTF-16;
// bytes that are no UTF-8 are names in the code page. Implemented with system.h.
#ifndef VS_BASE_PATH_H
#define VS_BASE_PATH_H

#include <stdbool.h>
#include <stdio.h>

FILE *vs_path_stream(const char *path, const char *mode); // fopen()
int vs_path_remove(const char *path);                     // remove(), of a file
bool vs_path_is_open_to_us(const char *path, bool write); // it is there and may be read (and written); false: errno
const char *vs_path_slash(const char *path); // what separates the last name from its folder; null: there is no folder
bool vs_path_is_absolute(const char *path);

#endif
