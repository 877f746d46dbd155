// Output files: nothing changes before the commit, one of several writers wins, a lack of memory leaves nothing.
// tests/system/test_outputs.py has the cases that a user meets.
#include <string.h>

#include "base/output_file.h"
#include "kit/folder.h"
#include "kit/memory.h"
#include "voussoir/voussoir.h"

typedef struct fixture {
    memory m;
    vs_context *context;
    char folder[FOLDER_ROOM], path[PATH_ROOM], other[PATH_ROOM];
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    make_folder(f->folder);
    name_in(f->folder, "file", f->path);
    name_in(f->folder, "other", f->other);
    f->context = make_context(&f->m);
    *state = f;
    return 0;
}

// The folder must be empty then: no test leaves a temporary file.
static int tear_down(void **state) {
    fixture *f = *state;
    (void)unlink(f->path);
    (void)unlink(f->other);
    remove_folder(f->folder);
    end_context(f->context, &f->m);
    free(f);
    return 0;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *wanted) {
    char text[32] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    assert_string_equal(text, wanted);
}

static vs_output_file *begin(const fixture *f, const char *text) {
    vs_output_file *file = NULL;
    assert_int_equal(vs_output_file_create(f->context, f->path, &file), VS_OK);
    put(vs_output_file_get_path(file), text);
    return file;
}

static void only_a_commit_changes_the_file(void **state) {
    const fixture *f = *state;
    put(f->path, "old");
    vs_output_file *file = begin(f, "new");
    assert_text(f->path, "old");
    vs_output_file_destroy(file);
    assert_text(f->path, "old");
    file = begin(f, "new");
    assert_int_equal(vs_output_file_commit(file), VS_OK);
    assert_text(f->path, "new");
    assert_int_equal(vs_output_file_commit(file), VS_ERROR_ARGUMENT); // once is enough
    vs_output_file_destroy(file);
    vs_output_file_destroy(NULL);
    assert_text(f->path, "new");
}

// Writers that end their work at once follow each other; the last one stays.
static void complete_files_replace_each_other(void **state) {
    const fixture *f = *state;
    vs_output_file *first = begin(f, "first"), *second = begin(f, "second");
    assert_string_not_equal(vs_output_file_get_path(first), vs_output_file_get_path(second));
    assert_int_equal(vs_output_file_commit(first), VS_OK);
    vs_output_file_destroy(first);
    assert_int_equal(vs_output_file_commit(second), VS_OK);
    vs_output_file_destroy(second);
    assert_text(f->path, "second");
}

// Both began when there was no file: the one that is still writing keeps its name.
static void a_growing_file_keeps_its_name(void **state) {
    const fixture *f = *state;
    vs_output_file *first = begin(f, "first"), *second = begin(f, "second");
    assert_int_equal(vs_output_file_commit(first), VS_OK);
    const int lock = vs_output_file_take_lock(first);
    vs_output_file_destroy(first);
    assert_int_equal(vs_output_file_commit(second), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "another process"));
    vs_output_file_destroy(second);
    assert_text(f->path, "first");
    assert_int_equal(vs_output_file_create(f->context, f->path, &second), VS_ERROR_IO); // early, before any work
    assert_int_equal(close(lock), 0);
    second = begin(f, "third");
    assert_int_equal(vs_output_file_commit(second), VS_OK);
    vs_output_file_destroy(second);
    assert_text(f->path, "third");
}

static void names_that_lead_to_one_file_are_recognized(void **state) {
    const fixture *f = *state;
    char longer[2 * PATH_ROOM];
    (void)snprintf(longer, sizeof longer, "%s/./file", f->folder);
    assert_true(vs_output_file_replaces(f->path, longer)); // neither exists
    assert_false(vs_output_file_replaces(f->path, f->other));
    assert_int_equal(symlink("file", f->other), 0);
    assert_true(vs_output_file_replaces(f->path, f->other)); // a dangling link
    put(f->path, "x");
    assert_true(vs_output_file_replaces(f->other, f->path));
    assert_int_equal(unlink(f->other), 0);
    assert_false(vs_output_file_replaces(f->other, f->path));
    assert_int_equal(link(f->path, f->other), 0);
    assert_true(vs_output_file_replaces(f->other, f->path));
    assert_false(vs_output_file_replaces("/dev/null", "/dev/null")); // a device is not replaced
}

static void arguments_and_memory(void **state) {
    fixture *f = *state;
    vs_output_file *file = NULL;
    assert_int_equal(vs_output_file_create(f->context, NULL, &file), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_output_file_create(f->context, f->folder, &file), VS_ERROR_IO);
    assert_int_equal(vs_output_file_create(f->context, "/no/such/folder/file", &file), VS_ERROR_IO);
    refuse_call(&f->m, 0);
    assert_int_equal(vs_output_file_create(f->context, f->path, &file), VS_ERROR_MEMORY);
    refuse_none(&f->m);
    assert_null(file);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(only_a_commit_changes_the_file), TEST(complete_files_replace_each_other),
        TEST(a_growing_file_keeps_its_name),  TEST(names_that_lead_to_one_file_are_recognized),
        TEST(arguments_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
