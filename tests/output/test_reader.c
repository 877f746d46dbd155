// Reading: numbers are those that were written; what is no trajectory is refused.
#include "moved.h"

static vs_trajectory_writer *begin(fixture *f, int64_t frames) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_writer *writer = NULL;
    options.step = .25;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, frames);
    return writer;
}

static void numbers_are_those_that_were_written(void **state) {
    fixture *f = *state;
    assert_ok(f, vs_trajectory_writer_close(begin(f, 7)));
    vs_trajectory_reader *reader = NULL;
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    const vs_trajectory_info *info = vs_trajectory_reader_get_info(reader);
    assert_int_equal(info->frames, 7);
    assert_int_equal(info->bodies, BODIES);
    assert_int_equal(info->joints, 1);
    assert_true(info->step == .25 && info->gravity.z == -9.81);
    assert_true(info->mass[2] == 3 && info->mass[4] == 0 && info->motion[4] == 1);
    double value[7], pose[7 * BODIES], velocity[6 * BODIES];
    assert_ok(f, vs_trajectory_reader_read_series(reader, "time", value));
    assert_true(value[6] == 1.5);
    assert_ok(f, vs_trajectory_reader_read_series(reader, "energy_error", value));
    assert_true(value[5] == known(5, 11, 0, 0));
    assert_ok(f, vs_trajectory_reader_read_series(reader, "contacts", value)); // int
    assert_true(value[4] == 40);
    assert_ok(f, vs_trajectory_reader_read_series(reader, "step", value)); // int64
    assert_true(value[6] == 6);
    assert_ok(f, vs_trajectory_reader_read_state(reader, 3, pose, velocity));
    assert_true(pose[7 * 2 + 1] == known(3, 1, 2, 1) && pose[7 * 2 + 3] == 1);
    assert_true(velocity[6 * 4 + 5] == known(3, 3, 4, 2));
    assert_ok(f, vs_trajectory_reader_read_state(reader, 0, NULL, velocity));
    vs_trajectory_reader_close(reader);
}

static void what_is_wrong_is_said(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = NULL;
    double value[3];
    assert_int_equal(vs_trajectory_reader_open(f->context, "/nowhere/run.h5", &reader), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "/nowhere/run.h5: cannot be opened"));
    assert_null(reader);
    assert_int_equal(vs_trajectory_reader_open(f->context, NULL, &reader), VS_ERROR_ARGUMENT);
    assert_ok(f, vs_trajectory_writer_close(begin(f, 3)));
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    assert_int_equal(vs_trajectory_reader_read_series(reader, "nonsense", value), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_reader_read_state(reader, 3, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_reader_read_state(reader, -1, NULL, NULL), VS_ERROR_ARGUMENT);
    vs_trajectory_reader_close(reader);
    vs_trajectory_reader_close(NULL);
}

// h5py opens files with HDF5's defaults; a file has one closing behaviour per process.
static void a_file_that_the_program_has_open_is_read(void **state) {
    fixture *f = *state;
    assert_ok(f, vs_trajectory_writer_close(begin(f, 3)));
    const hid_t own = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    vs_trajectory_reader *reader = NULL;
    assert_true(own >= 0);
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    assert_int_equal(vs_trajectory_reader_get_info(reader)->frames, 3);
    vs_trajectory_reader_close(reader);
    assert_true(H5Fclose(own) >= 0);
}

// Every allocation may fail: an error, nothing leaks, and with memory it works.
static void any_allocation_may_fail(void **state) {
    fixture *f = *state;
    assert_ok(f, vs_trajectory_writer_close(begin(f, 3)));
    const int before = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        vs_trajectory_reader *reader = NULL;
        refuse_call(&f->m, k);
        error = vs_trajectory_reader_open(f->context, f->path, &reader);
        refuse_none(&f->m);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_true((error == VS_OK) == (reader != NULL));
        vs_trajectory_reader_close(reader);
        assert_int_equal(f->m.alive, before);
        assert_true(k < 100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_are_those_that_were_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_the_program_has_open_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_allocation_may_fail, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
