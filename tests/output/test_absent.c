// A build without HDF5 has every function of trajectory.h and table.h: those that need it refuse with a text that names
// HDF5, and leave no handle behind; checkpoints are complete.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "voussoir/table.h"
#include "voussoir/trajectory.h"

typedef struct fixture {
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
} fixture;

static int setup(void **state) {
    static fixture f;
    const bool made = !vs_context_create(NULL, &f.context) && !vs_world_create(f.context, NULL, &f.world) &&
                      !vs_simulation_create(f.world, NULL, &f.simulation);
    *state = &f;
    return made ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    vs_simulation_destroy(f->simulation);
    vs_world_destroy(f->world);
    vs_context_destroy(f->context);
    return 0;
}

static void refused(const fixture *f, vs_error error) {
    assert_int_equal(error, VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "HDF5"));
}

static void writing_is_refused_and_leaves_no_writer(void **state) {
    const fixture *f = *state;
    vs_trajectory_writer *writer = (vs_trajectory_writer *)*state;
    refused(f, vs_trajectory_writer_create("x.h5", f->world, NULL, &writer));
    assert_null(writer);
    writer = (vs_trajectory_writer *)*state;
    refused(f, vs_trajectory_writer_resume("x.h5", f->world, 0, NULL, &writer));
    assert_null(writer);
    refused(f, vs_trajectory_writer_write(NULL, f->world, NULL, NULL));
    refused(f, vs_trajectory_writer_write_contacts(NULL, f->world, 0, NULL, NULL));
    refused(f, vs_trajectory_writer_attach(NULL, f->simulation));
    assert_false(vs_trajectory_writer_is_due(NULL, 0));
    assert_int_equal(vs_trajectory_writer_flush(NULL), VS_ERROR_UNSUPPORTED);
    assert_int_equal(vs_trajectory_writer_close(NULL), VS_OK);
    assert_int_equal(vs_trajectory_writer_options_default().flush_frames, 16);
}

static void reading_is_refused_and_leaves_no_reader(void **state) {
    const fixture *f = *state;
    vs_trajectory_reader *reader = (vs_trajectory_reader *)*state;
    vs_history_info history;
    double value;
    refused(f, vs_trajectory_reader_open(f->context, "x.h5", &reader));
    assert_null(reader);
    assert_null(vs_trajectory_reader_get_info(NULL));
    assert_int_equal(vs_trajectory_reader_read_series(NULL, "time", &value), VS_ERROR_UNSUPPORTED);
    assert_int_equal(vs_trajectory_reader_read_state(NULL, 0, NULL, NULL), VS_ERROR_UNSUPPORTED);
    assert_int_equal(vs_trajectory_reader_find_history(NULL, "time", &history), VS_ERROR_UNSUPPORTED);
    assert_int_equal(vs_trajectory_reader_read_history(NULL, "time", &value), VS_ERROR_UNSUPPORTED);
    assert_int_equal(vs_history_kind_count(), 0);
    assert_null(vs_history_kind_at(0));
    vs_trajectory_reader_close(NULL);
}

static void exports_and_tables_are_refused(void **state) {
    const fixture *f = *state;
    const vs_table_column column = {.name = "a", .kind = VS_TABLE_NUMBER};
    vs_table_info table;
    int64_t frames = 7;
    refused(f, vs_trajectory_recover(f->context, "x.h5", &frames));
    assert_int_equal(frames, 0);
    refused(f, vs_trajectory_export_xdmf(f->context, "x.h5", "x"));
    refused(f, vs_trajectory_export_gltf(f->context, "x.h5", "x.glb", 1));
    refused(f, vs_trajectory_export_loads(f->context, "x.h5", "x.csv", 1));
    refused(f, vs_table_write(f->context, "x.h5", "a", "", &column, 1, 0));
    refused(f, vs_table_read_info(f->context, "x.h5", "a", &table));
}

static void checkpoints_are_written_and_read(void **state) {
    const fixture *f = *state;
    const char *path = "test_absent.checkpoint";
    vs_checkpoint_info info;
    assert_int_equal(vs_checkpoint_write(path, f->world, f->simulation), VS_OK);
    assert_int_equal(vs_checkpoint_read_info(f->context, path, &info), VS_OK);
    assert_null(strstr(info.software, "hdf5"));
    assert_int_equal(vs_checkpoint_read(path, f->world, f->simulation), VS_OK);
    (void)remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_is_refused_and_leaves_no_writer),
        cmocka_unit_test(reading_is_refused_and_leaves_no_reader),
        cmocka_unit_test(exports_and_tables_are_refused),
        cmocka_unit_test(checkpoints_are_written_and_read),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
