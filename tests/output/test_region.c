// Means over regions: a column of three bodies of equal weight whose forces are known by hand.
#include "moved.h"

enum { FRAMES = 2, COLUMN = 3 };
static const double STEP = .25, PI = 3.14159265358979323846;

// Bodies 0 to 2 at z = 1, 3, 5, in touch at 0, 2, 4, with forces of 3, 2 and 1 N upwards and some along x: what lies above
// weighs as much. Body 3 is far away and touches nothing, body 4 is kinematic.
static vs_trajectory_reader *write_column(fixture *f) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_reader *reader = NULL;
    options.step = STEP;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    for (int frame = 0; frame < FRAMES; frame++) {
        vs_step_report report;
        move(f, frame, &report);
        for (int k = 0; k < BODIES; k++) {
            const bool far = k >= COLUMN;
            const vs_vec3 at = {far ? 100 + k : 0, 0, far ? 0 : 1 + 2 * k};
            const vs_body_state state = {{at, {1, 0, 0, 0}}, {k, 0, far ? 0 : 2}, {0, 0, 0}};
            assert_ok(f, vs_world_set_body_state(f->world, f->body[k], &state));
        }
        f->simulation.count = COLUMN + 1;
        for (int k = 0; k < COLUMN; k++)
            f->simulation.contact[k] = (vs_contact_view){.a = k == 0 ? (vs_body_id){0, 0} : f->body[k - 1],
                                                         .b = f->body[k],
                                                         .point = {0, 0, 2 * k},
                                                         .normal = {0, 0, 1},
                                                         .impulse = {.5 * STEP, 0, (3 - k) * STEP}};
        // found, but not in touch
        f->simulation.contact[COLUMN] = (vs_contact_view){.a = f->body[2], .b = f->body[3], .normal = {1, 0, 0}};
        assert_ok(f, vs_trajectory_writer_write(writer, f->world, &f->simulation, &report));
    }
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    return reader;
}

static void assert_mean(const fixture *f, vs_trajectory_reader *reader, const char *name, int columns,
                        const double *expected) {
    vs_history_info info;
    double value[3 * FRAMES];
    assert_ok(f, vs_trajectory_reader_find_history(reader, name, &info));
    assert_int_equal(info.columns, columns);
    assert_ok(f, vs_trajectory_reader_read_history(reader, name, value));
    for (int c = 0; c < columns; c++)
        // A few sums and products of numbers of order 1.
        if (!(fabs(value[columns + c] - expected[c]) < 1e-14 * fmax(1, fabs(expected[c]))))
            fail_msg("%s: column %d is %.17g, not %.17g", name, c, value[columns + c], expected[c]);
}

// Of the box around a body, half of the way of each force lies in it: (3 + 2)/2, (2 + 1)/2, 1/2 N over 4 m^2.
static void stress_is_the_weight_above_by_the_area(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = write_column(f);
    assert_mean(f, reader, "normal-stress:-1:1,-1:1,0:2.zz", 1, &(double){2.5 / 4});
    assert_mean(f, reader, "normal-stress:-1:1,-1:1,2:4.zz", 1, &(double){1.5 / 4});
    assert_mean(f, reader, "normal-stress:-1:1,-1:1,4:6", 3, (double[]){0, 0, .5 / 4});
    // Cut anywhere: 3 N from z = .5 to 1, 2 N from there to 2.5
    assert_mean(f, reader, "normal-stress:-1:1,-1:1,.5:2.5.zz", 1, &(double){(3 * .5 + 2 * 1.5) / 8});
    assert_mean(f, reader, "normal-stress:1:2,-1:1,0:2.zz", 1, &(double){0});
    // Symmetric part of (.5, 0, 3) (0, 0, 1)' and (.5, 0, 2) (0, 0, 1)'
    assert_mean(f, reader, "shear-stress:-1:1,-1:1,0:2", 3, (double[]){0, .5 * .5 * 2 / 8, 0});
    assert_mean(f, reader, "shear-stress:-1:1,-1:1,0:2.xz", 1, &(double){.5 * .5 * 2 / 8});
    vs_trajectory_reader_close(reader);
}

// The column touches 1 + 2, 2 and 1 others; the far bodies none, and the kinematic one does not count.
static void coordination_counts_neighbours_that_push(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = write_column(f);
    assert_mean(f, reader, "coordination::50,:,:", 1, &(double){5.0 / 3});
    assert_mean(f, reader, "coordination:all", 1, &(double){5.0 / 4});
    assert_mean(f, reader, "coordination::50,:,4:", 1, &(double){1});
    assert_mean(f, reader, "fabric:all", 3, (double[]){0, 0, 1});
    double value[FRAMES];
    assert_ok(f, vs_trajectory_reader_read_history(reader, "coordination:200:,:,:", value));
    assert_true(isnan(value[1]));
    vs_trajectory_reader_close(reader);
}

// Masses 1, 2, 3 and velocities (0, 0, 2), (1, 0, 2), (2, 0, 2): mean 8/6, variance (0 + 2 + 12)/6 - (8/6)^2.
static void flow_and_temperature_are_weighted_by_mass(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = write_column(f);
    assert_mean(f, reader, "flow::50,:,:", 3, (double[]){8.0 / 6, 0, 2});
    assert_mean(f, reader, "flow::50,:,:.magnitude", 1, &(double){sqrt(64.0 / 36 + 4)});
    assert_mean(f, reader, "granular-temperature::50,:,:", 1, &(double){(14.0 / 6 - 64.0 / 36) / 3});
    vs_trajectory_reader_close(reader);
}

// Box 1 x .5 x .25, ball of radius .5, a corner of a cube; and a capsule with a ball.
static void solid_fraction_knows_all_shapes(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = write_column(f);
    const double ball = PI / 6, capsule = PI * .125 * .125 * (1 + 4 * .125 / 3);
    assert_mean(f, reader, "solid-fraction:-1:1,-1:1,0:2", 1, &(double){.125 / 8});
    assert_mean(f, reader, "solid-fraction:-1:1,-1:1,2:4", 1, &(double){ball / 8});
    assert_mean(f, reader, "solid-fraction:-1:1,-1:1,0:6", 1, &(double){(.125 + ball + 1.0 / 6) / 24});
    assert_mean(f, reader, "solid-fraction:102:104,-1:1,-1:1", 1, &(double){(ball + capsule) / 8});
    vs_trajectory_reader_close(reader);
}

static void wrong_regions_are_explained(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = write_column(f);
    static const char *const regions[] = {
        "",        "al",          "0:1",       "0:1,0:1",     "0:1,0:1,0:1,0:1", "1:0,:,:",  "0:0,:,:",
        "0:x,:,:", "0:1,0:1,nan", "0:nan,:,:", "0:1e999,:,:", "0:0x1,:,:",       "0: 1,:,:", "0:1,,:"};
    vs_history_info info;
    char name[64];
    for (size_t k = 0; k < sizeof regions / sizeof *regions; k++) {
        (void)snprintf(name, sizeof name, "coordination:%s", regions[k]);
        assert_int_equal(vs_trajectory_reader_find_history(reader, name, &info), VS_ERROR_ARGUMENT);
        if (!strstr(vs_context_get_error_text(f->context), "needs a region: 'all', or ranges"))
            fail_msg("%s: %s", name, vs_context_get_error_text(f->context));
    }
    assert_int_equal(vs_trajectory_reader_find_history(reader, "solid-fraction::1,:,:", &info), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "needs a box with bounds on all six sides"));
    assert_int_equal(vs_trajectory_reader_find_history(reader, "normal-stress:0:1,0:1,0:1.xy", &info),
                     VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "has the components xx, yy and zz"));
    vs_trajectory_reader_close(reader);
}

static void any_allocation_may_fail(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = write_column(f);
    assert_survives_refused_calls(f, reader, "solid-fraction:-1:1,-1:1,0:2");
    vs_trajectory_reader_close(reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stress_is_the_weight_above_by_the_area, set_up, tear_down),
        cmocka_unit_test_setup_teardown(coordination_counts_neighbours_that_push, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flow_and_temperature_are_weighted_by_mass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(solid_fraction_knows_all_shapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_regions_are_explained, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_allocation_may_fail, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
