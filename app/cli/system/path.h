// Names of files.
#ifndef VS_APP_CLI_PATH_H
#define VS_APP_CLI_PATH_H

#include <stdbool.h>

const char *app_base_name(const char *path);
bool app_has_extension(const char *path, const char *extension); // ".json"
bool app_is_directory(const char *path);

#endif
