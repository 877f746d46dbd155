// Names of files are UTF-8 on every system, whatever the code page of the program.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "kit/test.h"
#include "voussoir/voussoir.h"

static const char *const names[] = {"path-plain.txt", "path-Br\u00fccke.txt", "path-\u77f3\u6a4b.txt",
                                    "path-\U0001f309.txt"};
enum { NAMES = sizeof names / sizeof *names };

static void write_text(const char *name, const char *text) {
    FILE *to = vs_path_stream(name, "wb");
    assert_non_null(to);
    assert_int_equal(fputs(text, to) >= 0, true);
    assert_int_equal(fclose(to), 0);
}

// What a stream writes, all other ways of opening find.
static void names_are_utf8(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        char *bytes = NULL, text[8] = "";
        size_t length = 0;
        vs_context *context = NULL;
        assert_int_equal(vs_context_create(NULL, &context), VS_OK);
        write_text(names[k], "stone");
        assert_true(vs_path_is_open_to_us(names[k], false));
        assert_int_equal(vs_file_load(context, names[k], &bytes, &length), VS_OK);
        assert_int_equal(length, 5);
        vs_release(context, bytes);
        const int file = vs_file_open(names[k], O_RDWR);
        assert_true(file >= 0);
        assert_true(vs_file_is_at(file, names[k]));
        assert_false(vs_file_is_at(file, names[(k + 1) % NAMES]));
        assert_int_equal(vs_file_read_at(file, text, 5, 0), 5);
        assert_string_equal(text, "stone");
        vs_file_unlock(file);
        assert_int_equal(vs_path_remove(names[k]), 0);
        assert_false(vs_path_is_open_to_us(names[k], false));
        assert_int_equal(errno, ENOENT);
        vs_context_destroy(context);
    }
}

// An output takes the name only when it is complete.
static void outputs_have_such_names(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        vs_context *context = NULL;
        vs_output_file *output = NULL;
        assert_int_equal(vs_context_create(NULL, &context), VS_OK);
        assert_int_equal(vs_output_file_create(context, names[k], &output), VS_OK);
        write_text(vs_output_file_get_path(output), "arch");
        assert_false(vs_path_is_open_to_us(names[k], false));
        assert_int_equal(vs_output_file_commit(output), VS_OK);
        vs_output_file_destroy(output);
        assert_true(vs_path_is_open_to_us(names[k], true));
        assert_int_equal(vs_path_remove(names[k]), 0);
        vs_context_destroy(context);
    }
}

static void check_parts(const char *path, const char *last, bool absolute) {
    const char *slash = vs_path_slash(path);
    assert_string_equal(slash ? slash + 1 : path, last);
    assert_int_equal(vs_path_is_absolute(path), absolute);
}

static void folders_are_told_from_names(void **state) {
    (void)state;
    check_parts("stone.obj", "stone.obj", false);
    check_parts("walls/stone.obj", "stone.obj", false);
    check_parts("/walls/stone.obj", "stone.obj", true);
#ifdef _WIN32
    check_parts("walls\\stone.obj", "stone.obj", false);
    check_parts("C:\\walls/old\\stone.obj", "stone.obj", true);
    check_parts("C:stone.obj", "stone.obj", true);
    check_parts("\\\\server\\walls\\stone.obj", "stone.obj", true);
#else
    check_parts("walls\\stone.obj", "walls\\stone.obj", false);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_utf8), cmocka_unit_test(outputs_have_such_names),
                                       cmocka_unit_test(folders_are_told_from_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
