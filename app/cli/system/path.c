// Names of files, folders and their entries; lines.
#include "cli/system/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/system/system.h"

const char *app_base_name(const char *path) {
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (app_system_is_slash(*at))
            name = at + 1;
    return name;
}

bool app_has_extension(const char *path, const char *extension) {
    const size_t length = strlen(path), end = strlen(extension);
    return length > end && strcmp(path + length - end, extension) == 0;
}

bool app_is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool app_make_directory(const char *path) {
    const bool made = app_system_make_folder(path);
    const int reason = errno;
    if (made || app_is_directory(path))
        return true;
    errno = reason;
    return false;
}

// ---- entries ------------------------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void app_forget_names(char **names, int count) {
    for (int k = 0; k < count; k++)
        free(names[k]);
    free(names);
}

// false: no memory.
static bool add_name(const char *name, char ***names, int *count) {
    const size_t size = strlen(name) + 1;
    char **grown = realloc(*names, sizeof *grown * (size_t)(*count + 1));
    if (!grown)
        return false;
    *names = grown;
    char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, name, size);
    (*names)[(*count)++] = copy;
    return true;
}

int app_list_names(const char *path, bool (*wanted)(const char *name), char ***names) {
    DIR *folder = opendir(path);
    bool good = folder != NULL;
    int count = 0;
    *names = NULL;
    for (const struct dirent *entry; good && (entry = readdir(folder));)
        good = !wanted(entry->d_name) || add_name(entry->d_name, names, &count);
    if (folder)
        (void)closedir(folder);
    if (good && count > 0)
        qsort(*names, (size_t)count, sizeof **names, by_name);
    if (good)
        return count;
    app_forget_names(*names, count);
    *names = NULL;
    if (folder)
        errno = ENOMEM;
    return -1;
}

// ---- lines --------------------------------------------------------------------------------------------------------

size_t app_read_line(FILE *file, char **line, size_t *room) {
    enum { FIRST = 512 };
    size_t length = 0;
    for (int c = 0; c != '\n' && (c = getc(file)) != EOF; (*line)[length++] = (char)c, (*line)[length] = '\0')
        if (length + 2 > *room) {
            const size_t size = *room ? 2 * *room : FIRST;
            char *grown = realloc(*line, size);
            if (!grown)
                return 0;
            *line = grown;
            *room = size;
        }
    return length;
}
