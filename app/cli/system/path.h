// Names of files, folders and their entries; lines.
#ifndef VS_APP_CLI_PATH_H
#define VS_APP_CLI_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

const char *app_base_name(const char *path);
bool app_has_extension(const char *path, const char *extension); // ".json"
bool app_is_directory(const char *path);
bool app_make_directory(const char *path); // also true if it is there; false: errno

// Names in a folder that are wanted, sorted by their bytes, for app_forget_names(). -1: the folder cannot be read, errno.
int app_list_names(const char *path, bool (*wanted)(const char *name), char ***names);
void app_forget_names(char **names, int count);
// The next line of a file with its end, in memory that grows. Its length, 0 at the end of the file or without memory.
size_t app_read_line(FILE *file, char **line, size_t *room);

#endif
