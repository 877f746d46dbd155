// Names of files as functions of Windows take them.
#ifndef VS_BASE_PATH_WINDOWS_H
#define VS_BASE_PATH_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>

enum { VS_WIDE_PATH = 4096 }; // characters
typedef wchar_t vs_wide_path[VS_WIDE_PATH];

bool vs_path_widen(const char *path, vs_wide_path wide); // false: no name of a file, errno

#endif
