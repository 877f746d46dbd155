// Tables: h5py reads back every value of every kind under its name, the same table gives the same bytes, and what
// cannot be written leaves the old file as it was.
#include "moved.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "voussoir/table.h"

enum { ROWS = 3, COLUMNS = 4 };

static const double number[ROWS] = {0.1, -1e300, (double)NAN};
static const int64_t whole[ROWS] = {0, INT64_MIN, 7};
static const char *const text[ROWS] = {"done", NULL, "zu früh"};

static const vs_table_column columns[COLUMNS] = {
    {.name = "/materials/0/mu", .unit = "", .kind = VS_TABLE_NUMBER, .number = number},
    {.name = "steps", .unit = NULL, .kind = VS_TABLE_INTEGER, .integer = whole},
    {.name = "status", .kind = VS_TABLE_TEXT, .text = text},
    {.name = "height", .unit = "m", .kind = VS_TABLE_NUMBER, .number = number},
};

static vs_error write_columns(fixture *f, const vs_table_column *column, int count, int64_t rows) {
    return vs_table_write(f->context, f->path, "members", "how it came about", column, count, rows);
}

static void values_come_back_under_their_names(void **state) {
    fixture *f = *state;
    assert_ok(f, write_columns(f, columns, COLUMNS, ROWS));
    assert_true(python_agrees(f->path, "d = f['members']\n"
                                       "a = d[:]\n"
                                       "assert d.dtype.names == ('/materials/0/mu', 'steps', 'status', 'height')\n"
                                       "assert a['/materials/0/mu'][:2].tolist() == [.1, -1e300]\n"
                                       "assert np.isnan(a['height'][2])\n"
                                       "assert a['steps'].tolist() == [0, -2**63, 7]\n"
                                       "assert [x.decode() for x in a['status']] == ['done', '', 'zu früh']\n"
                                       "assert [x.decode() for x in d.attrs['unit']] == ['', '', '', 'm']\n"
                                       "assert f['note'][0].decode() == 'how it came about'\n"));
    assert_ok(f, write_columns(f, columns, COLUMNS, 0));
    assert_true(python_agrees(f->path, "assert f['members'].shape == (0,)\n"));
}

static void sizes_and_names_are_read(void **state) {
    fixture *f = *state;
    vs_table_info info;
    assert_ok(f, write_columns(f, columns, COLUMNS, ROWS));
    assert_ok(f, vs_table_read_info(f->context, f->path, "members", &info));
    assert_true(info.rows == ROWS && info.columns == COLUMNS);
    assert_string_equal(info.names, "/materials/0/mu\nsteps\nstatus\nheight\n");
    assert_int_equal(vs_table_read_info(f->context, f->path, "runs", &info), VS_ERROR_DATA);
    assert_int_equal(vs_table_read_info(f->context, f->path, "note", &info), VS_ERROR_DATA); // texts, no compound
    assert_int_equal(vs_table_read_info(f->context, "/nowhere/runs.h5", "runs", &info), VS_ERROR_IO);
}

static size_t load(const char *path, char *bytes, size_t room) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, room, file);
    assert_int_equal(fclose(file), 0);
    return size;
}

static void the_same_table_gives_the_same_bytes(void **state) {
    fixture *f = *state;
    static char first[65536], second[65536];
    assert_ok(f, write_columns(f, columns, COLUMNS, ROWS));
    const size_t size = load(f->path, first, sizeof first);
    sleep(1); // a time in the file would show
    assert_ok(f, write_columns(f, columns, COLUMNS, ROWS));
    assert_int_equal(load(f->path, second, sizeof second), size);
    assert_memory_equal(first, second, size);
}

static void mistakes_are_refused_and_the_old_file_stays(void **state) {
    fixture *f = *state;
    static char first[65536], second[65536];
    assert_ok(f, write_columns(f, columns, COLUMNS, ROWS));
    const size_t size = load(f->path, first, sizeof first);
    const vs_table_column twice[2] = {columns[0], columns[0]};
    const vs_table_column nameless = {.kind = VS_TABLE_NUMBER, .number = number};
    const vs_table_column hollow = {.name = "a", .kind = VS_TABLE_INTEGER, .number = number};
    assert_int_equal(write_columns(f, twice, 2, ROWS), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "two columns have the name '/materials/0/mu'"));
    assert_int_equal(write_columns(f, &nameless, 1, ROWS), VS_ERROR_ARGUMENT);
    assert_int_equal(write_columns(f, &hollow, 1, ROWS), VS_ERROR_ARGUMENT);
    assert_int_equal(write_columns(f, columns, 0, ROWS), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_table_write(f->context, "/nowhere/t.h5", "t", NULL, columns, COLUMNS, ROWS), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "/nowhere/t.h5: cannot be created"));
    // Every allocation may fail.
    for (int k = 0;; k++) {
        refuse_call(&f->m, k);
        const vs_error error = write_columns(f, columns, 2, 1);
        refuse_none(&f->m);
        if (error == VS_OK) {
            assert_true(k > 0);
            break;
        }
        assert_int_equal(error, VS_ERROR_MEMORY);
        assert_int_equal(load(f->path, second, sizeof second), size);
        assert_memory_equal(first, second, size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_come_back_under_their_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_and_names_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_same_table_gives_the_same_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mistakes_are_refused_and_the_old_file_stays, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
