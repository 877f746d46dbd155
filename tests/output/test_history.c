// Histories: quantities of objects by name, forces between bodies as one resultant, and messages that suggest.
#include "moved.h"

enum { FRAMES = 4 };
static const double STEP = .25;

// Four contacts under the box, on the body without a name (row 4, kinematic, so a support): forces of 1, 1, 1 and 5 N
// upwards at the corners of a square of 2 m, and 2 N along x at one of them, on the box.
static void press(fixture *f) {
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    f->simulation.count = 4;
    for (int k = 0; k < 4; k++) {
        const bool flipped = k == 1; // the file may have either order of the bodies
        const double sign = flipped ? -1 : 1;
        f->simulation.contact[k] = (vs_contact_view){
            .a = f->body[flipped ? 0 : 4],
            .b = f->body[flipped ? 4 : 0],
            .point = {corner[k][0], corner[k][1], 0},
            .normal = {0, 0, sign},
            .impulse = {k == 3 ? 2 * STEP : 0, 0, sign * (k == 3 ? 5 : 1) * STEP},
        };
    }
}

static void write_file(fixture *f, const vs_trajectory_writer_options *options) {
    vs_trajectory_writer *writer = NULL;
    vs_step_report report;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, options, &writer));
    for (int64_t frame = 0; frame < FRAMES; frame++) {
        move(f, frame, &report);
        press(f);
        assert_ok(f, vs_trajectory_writer_write(writer, f->world, &f->simulation, &report));
    }
    assert_ok(f, vs_trajectory_writer_close(writer));
}

static vs_trajectory_reader *open_file(fixture *f) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_reader *reader = NULL;
    options.step = STEP;
    write_file(f, &options);
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    return reader;
}

static void assert_history(const fixture *f, vs_trajectory_reader *reader, const char *name, int64_t frame, int columns,
                           const double *expected) {
    vs_history_info info;
    double value[3 * FRAMES];
    assert_ok(f, vs_trajectory_reader_find_history(reader, name, &info));
    assert_int_equal(info.columns, columns);
    assert_ok(f, vs_trajectory_reader_read_history(reader, name, value));
    for (int c = 0; c < columns; c++)
        // Sums of a few numbers that are exact in binary; only magnitudes are rounded.
        assert_true(fabs(value[columns * frame + c] - expected[c]) < 1e-14 * fmax(1, fabs(expected[c])));
}

static double get_magnitude(vs_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static void quantities_of_bodies_are_those_of_the_file(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = open_file(f);
    const vs_vec3 x = known3(3, 1, 2), v = known3(3, 2, 2), w = known3(3, 3, 2);
    assert_history(f, reader, "position:tetra", 3, 3, (double[]){x.x, x.y, x.z});
    assert_history(f, reader, "position:tetra.y", 3, 1, &x.y);
    assert_history(f, reader, "position:#2.y", 3, 1, &x.y);
    assert_history(f, reader, "displacement:tetra", 3, 3, (double[]){3, 3, 3});
    assert_history(f, reader, "displacement:tetra.magnitude", 3, 1, &(double){sqrt(27)});
    assert_history(f, reader, "velocity:tetra.z", 3, 1, &v.z);
    assert_history(f, reader, "speed:tetra", 3, 1, &(double){get_magnitude(v)});
    assert_history(f, reader, "angular-velocity:tetra", 3, 3, (double[]){w.x, w.y, w.z});
    assert_history(f, reader, "rotation:tetra", 3, 3, (double[]){0, 0, 0});
    assert_history(f, reader, "kinetic", 3, 1, &(double){known(3, 11, 8, 0)});
    assert_history(f, reader, "energy/friction", 3, 1, &(double){known(3, 11, 14, 0)});
    vs_history_info info;
    assert_ok(f, vs_trajectory_reader_find_history(reader, "velocity:tetra", &info));
    assert_string_equal(info.unit, "m/s");
    assert_string_equal(info.label[2], "z");
    assert_ok(f, vs_trajectory_reader_find_history(reader, "kinetic", &info));
    assert_string_equal(info.unit, "J");
    vs_trajectory_reader_close(reader);
}

// f = (2, 0, 8) N at c = (1 (1 + 5) - 1 (1 + 1), ...) / 8 = (.5, .5, 0); m about c: only the force along x has an arm
// in the plane, (.5, .5, 0) x (2, 0, 0) = (0, 0, -1): torsion.
static void contacts_of_two_bodies_are_one_resultant_with_a_point(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = open_file(f);
    assert_history(f, reader, "force:#4/box", 2, 3, (double[]){2, 0, 8});
    assert_history(f, reader, "force:box/#4", 2, 3, (double[]){-2, 0, -8});
    assert_history(f, reader, "force:#4/box.magnitude", 2, 1, &(double){sqrt(68)});
    assert_history(f, reader, "point:#4/box", 2, 3, (double[]){.5, .5, 0});
    assert_history(f, reader, "moment:#4/box", 2, 3, (double[]){0, 0, -1});
    // The support has no other contacts and no joint.
    assert_history(f, reader, "reaction:#4", 2, 3, (double[]){2, 0, 8});
    assert_history(f, reader, "point:#4.x", 2, 1, &(double){.5});
    // Bodies that do not touch: no force, and nowhere a point.
    assert_history(f, reader, "force:ball/tetra", 2, 3, (double[]){0, 0, 0});
    double value[3 * FRAMES];
    assert_ok(f, vs_trajectory_reader_read_history(reader, "point:ball/tetra", value));
    assert_true(isnan(value[3]));
    // Before the first step forces are unknown.
    assert_ok(f, vs_trajectory_reader_read_history(reader, "force:#4/box", value));
    assert_true(isnan(value[0]) && isnan(value[2]) && !isnan(value[3]));
    vs_trajectory_reader_close(reader);
}

// A quarter turn of body A about z takes its x to y; the file has the reaction in A's frame.
static void reactions_of_joints_are_in_world_axes(void **state) {
    fixture *f = *state;
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_reader *reader = NULL;
    vs_step_report report;
    options.step = STEP;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    for (int64_t frame = 0; frame < FRAMES; frame++) {
        move(f, frame, &report);
        const vs_body_state turned = {
            {{0, 0, 0}, {sqrt(.5), 0, 0, frame > 0 ? sqrt(.5) : -sqrt(.5)}}, {0, 0, 0}, {0, 0, 0}};
        assert_ok(f, vs_world_set_body_state(f->world, f->body[0], &turned));
        assert_ok(f, vs_trajectory_writer_write(writer, f->world, &f->simulation, &report));
    }
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    const vs_vec3 force = known3(2, 4, 0), torque = known3(2, 5, 0);
    assert_history(f, reader, "reaction:hinge", 2, 3, (double[]){-force.y, force.x, force.z});
    assert_history(f, reader, "torque:hinge.x", 2, 1, &(double){-torque.y});
    // From a quarter turn one way to one the other way: half a turn about z, either way.
    assert_history(f, reader, "rotation:box.magnitude", 2, 1, &(double){acos(-1)});
    vs_trajectory_reader_close(reader);
}

static void assert_refused(const fixture *f, vs_trajectory_reader *reader, const char *name, vs_error wanted,
                           const char *text) {
    vs_history_info info;
    assert_int_equal(vs_trajectory_reader_find_history(reader, name, &info), wanted);
    const char *said = vs_context_get_error_text(f->context);
    if (!strstr(said, text))
        fail_msg("%s: said \"%s\" instead of \"%s\"", name, said, text);
}

static void wrong_names_are_answered_with_the_nearest(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = open_file(f);
    const vs_error bad = VS_ERROR_ARGUMENT;
    assert_refused(f, reader, "positon:box", bad, "unknown quantity 'positon'; did you mean 'position'?");
    assert_refused(f, reader, "nonsense", bad, "unknown quantity 'nonsense'; there is position, displacement,");
    assert_refused(f, reader, "position", bad, "needs an object; write position:BODY");
    assert_refused(f, reader, "position:tetr.x", bad, "there is no body 'tetr'; did you mean 'tetra'?");
    assert_refused(f, reader, "position:zzzzzz", bad, "there is no body 'zzzzzz'; there is box, ball, tetra, pin");
    assert_refused(f, reader, "position:#5", bad, "there is no body '#5'");
    assert_refused(f, reader, "position:#-1", bad, "there is no body '#-1'");
    assert_refused(f, reader, "position:box.w", bad, "has the components x, y, z and magnitude");
    assert_refused(f, reader, "speed:box.x", bad, "has no components");
    assert_refused(f, reader, "force:box", bad, "needs two bodies, A/B");
    assert_refused(f, reader, "force:box/box", bad, "needs two different bodies");
    assert_refused(f, reader, "force:box/bal", bad, "there is no body 'bal'; did you mean 'ball'?");
    assert_refused(f, reader, "force:wrld/ball", bad, "did you mean 'world'?");
    assert_refused(f, reader, "reaction:box", bad, "is a dynamic body, not a support");
    assert_refused(f, reader, "reaction:hing", bad, "there is no support or joint 'hing'; did you mean 'hinge'?");
    assert_refused(f, reader, "torque:box", bad, "there is no joint 'box'");
    assert_refused(f, reader, "von-mises:box", bad, "there is no flexible solid 'box'; this file has none");
    vs_trajectory_reader_close(reader);
}

static void names_may_contain_dots_and_slashes(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"a.x", "a", "b/c", "b"};
    for (int k = 0; k < 4; k++) {
        vs_body_def def = vs_body_def_default();
        vs_body_id id;
        def.name = names[k], def.mass = 1, def.pose.position.y = k + 1;
        assert_ok(f, vs_world_add_body(f->world, &def, &id));
    }
    vs_trajectory_reader *reader = open_file(f);
    assert_history(f, reader, "position:a.x", 1, 3, (double[]){0, 1, 0});
    assert_history(f, reader, "position:a.x.y", 1, 1, &(double){1});
    assert_history(f, reader, "position:a.y", 1, 1, &(double){2});
    assert_history(f, reader, "force:b/c/box.z", 1, 1, &(double){0});
    assert_history(f, reader, "force:box/b/c", 1, 3, (double[]){0, 0, 0});
    vs_trajectory_reader_close(reader);
}

static void a_file_without_contacts_says_how_to_record_them(void **state) {
    fixture *f = *state;
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_reader *reader = NULL;
    write_file(f, &options);
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    assert_refused(f, reader, "force:box/ball", VS_ERROR_DATA, "does not have the time step");
    vs_trajectory_reader_close(reader);
    options.step = STEP;
    options.contacts = false;
    write_file(f, &options);
    assert_ok(f, vs_trajectory_reader_open(f->context, f->path, &reader));
    assert_refused(f, reader, "force:box/ball", VS_ERROR_DATA, "has no contacts; record them");
    assert_refused(f, reader, "reaction:world", VS_ERROR_DATA, "has no contacts; record them");
    assert_refused(f, reader, "coordination:all", VS_ERROR_DATA, "has no contacts; record them");
    assert_history(f, reader, "position:box.x", 1, 1, &(double){known(1, 1, 0, 0)});
    assert_history(f, reader, "solid-fraction:100:101,0:1,0:1", 1, 1, &(double){0});
    vs_trajectory_reader_close(reader);
}

// Every allocation may fail: an error, nothing leaks, and with memory it works.
static void any_allocation_may_fail(void **state) {
    fixture *f = *state;
    vs_trajectory_reader *reader = open_file(f);
    assert_survives_refused_calls(f, reader, "moment:#4/box");
    vs_trajectory_reader_close(reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(quantities_of_bodies_are_those_of_the_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contacts_of_two_bodies_are_one_resultant_with_a_point, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reactions_of_joints_are_in_world_axes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_names_are_answered_with_the_nearest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_may_contain_dots_and_slashes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_without_contacts_says_how_to_record_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_allocation_may_fail, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
