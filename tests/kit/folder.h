// Temporary folders and files in them.
#ifndef VS_TESTS_KIT_FOLDER_H
#define VS_TESTS_KIT_FOLDER_H

#include <unistd.h>

#include "kit/test.h"

#ifdef _WIN32
#include <direct.h>
#include <io.h>
#endif

enum { FOLDER_ROOM = 32, PATH_ROOM = 96 };

// On Windows beside the test: the path of its folder for temporary files has any length.
static inline void make_folder(char folder[FOLDER_ROOM]) {
#ifdef _WIN32
    (void)snprintf(folder, FOLDER_ROOM, "vs_test_XXXXXX");
    assert_true(_mktemp(folder) && _mkdir(folder) == 0);
#else
    (void)snprintf(folder, FOLDER_ROOM, "/tmp/vs_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
#endif
}

static inline void name_in(const char *folder, const char *name, char path[PATH_ROOM]) {
    assert_true(snprintf(path, PATH_ROOM, "%s/%s", folder, name) < PATH_ROOM);
}

// Writes the file folder/name, whose path is stored.
static inline void write_in(const char *folder, const char *name, const void *bytes, size_t length,
                            char path[PATH_ROOM]) {
    name_in(folder, name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

// The folder must be empty.
static inline void remove_folder(const char *folder) {
    assert_int_equal(rmdir(folder), 0);
}

#endif
