// Scenes of Rigid IPC become scenes of ours: fixed degrees of freedom stay fixed and the others free, y turns to z, degrees to
// radians, faces get their thickness, prescribed places are reached; what cannot be read is refused by name. Meshes are
// written into the scenes here; tests/system/test_import.sh has those in files.
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "kit/fixture.h"
#include "voussoir/voussoir.h"

#define CUBE                                                                                                           \
    "\"vertices\": [[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0,0,1],[1,0,1],[1,1,1],[0,1,1]], "                                \
    "\"faces\": [[0,2,1],[0,3,2],[4,5,6],[4,6,7],[0,1,5],[0,5,4],[2,3,7],[2,7,6],[0,4,7],[0,7,3],[1,2,6],[1,6,5]]"
#define SQUARE "\"vertices\": [[0,0,0],[1,0,0],[1,0,1],[0,0,1]], \"faces\": [[0,2,1],[0,3,2]]"

typedef struct run {
    vs_scene *scene;
    vs_simulation *simulation;
    vs_cad_report report;
} run;

static vs_error read(vs_context *context, const char *keys, const char *bodies, const vs_cad_options *options,
                     vs_cad **cad) {
    char text[8192];
    const int length = snprintf(
        text, sizeof text, "{\"timestep\": 0.01, \"rigid_body_problem\": {%s\"rigid_bodies\": [%s]}}", keys, bodies);
    assert_true(length > 0 && length < (int)sizeof text);
    return vs_cad_parse(context, text, (size_t)length, "test.json", "json", options, cad);
}

static run begin(void **state, const char *keys, const char *bodies, const vs_cad_options *options) {
    vs_context *context = context_of(state);
    vs_cad *cad = NULL;
    run r = {0};
    size_t length = 0;
    if (read(context, keys, bodies, options, &cad) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(context));
    const char *text = vs_cad_get_scene(cad, &length);
    if (vs_scene_parse(context, text, length, "made.json", NULL, 0, &r.scene) != VS_OK)
        fail_msg("%s\n%s", vs_context_get_error_text(context), text);
    assert_int_equal(vs_simulation_create(r.scene->world, &r.scene->options, &r.simulation), VS_OK);
    r.report = vs_cad_get_report(cad);
    vs_cad_destroy(cad);
    return r;
}

static void end(run *r) {
    vs_simulation_destroy(r->simulation);
    vs_scene_destroy(r->scene);
}

static vs_body_state state_of(const run *r, const char *name) {
    vs_body_state s;
    assert_int_equal(vs_world_get_body_state(r->scene->world, vs_world_find_body(r->scene->world, name), &s), VS_OK);
    return s;
}

static void take_steps(run *r, int count) {
    for (int k = 0; k < count; k++) {
        vs_step_report report;
        assert_int_equal(vs_simulation_step(r->simulation, &report), VS_OK);
        assert_int_equal(report.status, VS_STATUS_CONVERGED);
    }
}

static void assert_near(const char *what, double x, double expected, double tolerance) {
    if (!(fabs(x - expected) <= tolerance))
        fail_msg("%s: %.17g instead of %.17g", what, x, expected);
}

// For every combination that is read, a force along each axis and a torque about each of them accelerate what is free by
// force over mass, and what is fixed not at all. The auxiliary bodies are a millionth each, three of them at most.
static void test_fixed_degrees_of_freedom_are_fixed_and_no_others(void **state) {
    static const int turns[] = {0, 6, 5, 3, 7}; // bits of fixed rotations: none, but one, all
    for (int slides = 0; slides < 8; slides++)
        for (int t = 0; t < 5; t++) {
            char body[2048], what[64];
            const int fixed = slides | turns[t] << 3;
            int used = snprintf(body, sizeof body, "{%s, \"is_dof_fixed\": [", CUBE);
            for (int k = 0; k < 6; k++)
                used += snprintf(body + used, sizeof body - (size_t)used, "%s%s", k > 0 ? ", " : "",
                                 fixed >> k & 1 ? "true" : "false");
            (void)snprintf(body + used, sizeof body - (size_t)used,
                           "], \"density\": 6, \"force\": [12, 24, 36], \"torque\": [180, 360, 540]}");
            run r = begin(state, "", body, NULL);
            take_steps(&r, 1);
            if (fixed != 63) { // a cube of 6 kg and 1 kg m^2; (x, y, z) is (x, -z, y) here
                const vs_body_state s = state_of(&r, "body-0");
                const double v[6] = {s.velocity.x, s.velocity.z, -s.velocity.y, s.spin.x, s.spin.z, -s.spin.y};
                const double pi = 3.14159265358979323846;
                for (int k = 0; k < 6; k++) {
                    const double load = (k < 3 ? 2 : pi) * (k % 3 + 1) * .01;
                    (void)snprintf(what, sizeof what, "fixed %d%d, component %d", slides, turns[t], k);
                    assert_near(what, v[k], fixed >> k & 1 ? 0 : load, 1e-5 * load);
                }
            }
            assert_int_equal(r.report.fixed, fixed == 63);
            end(&r);
        }
}

// Half of the thickness to either side of what moves; floors keep their surface, whichever way their triangles run.
static void test_faces_get_the_thickness_that_is_asked_for(void **state) {
    vs_cad_options options = vs_cad_options_default();
    options.thickness = .02;
    run r = begin(state, "\"gravity\": [0, -10, 0], ",
                  "{" SQUARE ", \"type\": \"static\", \"position\": [0, 1, 0]}, "
                  "{" SQUARE ", \"type\": \"static\", \"position\": [0, 1, 0], \"rotation\": [180, 0, 0]}, "
                  "{" SQUARE ", \"density\": 100, \"position\": [0, 1.01, 0], \"scale\": [0.5, 1, 0.5]}",
                  &options);
    assert_int_equal(r.report.flat, 3);
    assert_near("thickness", r.report.thickness, .02, 0);
    assert_near("floor", state_of(&r, "body-0").pose.position.z, .99, 1e-12);
    assert_near("floor turned over", state_of(&r, "body-1").pose.position.z, .99, 1e-12);
    assert_near("mass", r.report.mass, 100 * .25 * .02, 1e-12);
    take_steps(&r, 20); // the card lies on the floor
    assert_near("card", state_of(&r, "body-2").pose.position.z, 1.01, 1e-9);
    end(&r);
}

// Files have six digits: a finely divided plane of 10 m is flat although its smallest triangles are tilted.
static void test_a_plane_with_rounded_corners_is_flat(void **state) {
    run r = begin(state, "",
                  "{\"type\": \"static\", \"vertices\": [[-5,0.000001,-5],[5,-0.000001,-5],[5,0.000001,5],[-5,0,5],"
                  "[0,0,0],[0.1,0.000001,0],[0.1,-0.000001,0.1]], \"faces\": [[4,5,6],[0,5,1],[0,4,5],[1,5,2],[5,6,2],"
                  "[2,6,3],[6,4,3],[0,3,4]]}, {" CUBE ", \"position\": [0, 1, 0]}",
                  NULL);
    assert_int_equal(r.report.flat, 1);
    end(&r);
}

// Places at the end of the first steps, then the velocity, then rest.
static void test_prescribed_motion_is_followed(void **state) {
    run r = begin(state, "",
                  "{" CUBE ", \"type\": \"kinematic\", \"position\": [0, -0.5, -0.5], \"linear_velocity\": [1, 2, 3], "
                  "\"angular_velocity\": [0, 180, 0], \"kinematic_max_time\": 0.05, "
                  "\"kinematic_poses\": [{\"position\": [0.5, 0.1, 0]}, {\"position\": [0.5, 0.1, 0.2]}]}",
                  NULL);
    take_steps(&r, 1);
    assert_near("first place", state_of(&r, "body-0").pose.position.z, .1, 1e-12);
    take_steps(&r, 1);
    assert_near("second place", state_of(&r, "body-0").pose.position.y, -.2, 1e-12);
    take_steps(&r, 3);
    const vs_body_state at = state_of(&r, "body-0");
    assert_near("x", at.pose.position.x, .53, 1e-12);
    assert_near("y", at.pose.position.y, -.29, 1e-12);
    assert_near("z", at.pose.position.z, .16, 1e-12);
    take_steps(&r, 2);
    assert_near("rests", state_of(&r, "body-0").pose.position.x, .53, 1e-12);
    end(&r);
}

// Two cubes that overlap: of one group they fall through each other.
static void test_bodies_of_one_group_do_not_collide(void **state) {
    run r = begin(state, "",
                  "{" CUBE ", \"group_id\": 7}, {" CUBE ", \"group_id\": 7, \"position\": [1.2, 0, 0], "
                  "\"linear_velocity\": [-10, 0, 0]}",
                  NULL);
    take_steps(&r, 5);
    assert_near("speed", state_of(&r, "body-1").velocity.x, -10, 1e-12);
    end(&r);
}

typedef struct wrong_case {
    const char *keys, *bodies, *text;
} wrong_case;

static void test_what_cannot_be_read_is_refused_by_name(void **state) {
    static const wrong_case cases[] = {
        {"", "{\"vertices\": [[0,0,0],[1,0,0]], \"edges\": [[0,1]]}", "rigid_bodies[0] is codimensional"},
        {"", "{" CUBE ", \"enabled\": false}", "expected a body that is enabled"},
        {"", "{" CUBE ", \"position\": [0, 0]}", "rigid_bodies[0].position: expected 3 numbers"},
        {"", "{" CUBE ", \"rotation\": [0, 0, \"x\"]}", "rigid_bodies[0].rotation: expected 3 numbers"},
        {"", "{" CUBE ", \"scale\": 1e300}", "rigid_bodies[0].scale: expected a number"},
        {"", "{" CUBE ", \"scale\": 0}", "has no triangle with an area"},
        {"", "{" CUBE ", \"density\": 0}", "rigid_bodies[0].density: expected a positive number"},
        {"", "{" CUBE ", \"type\": \"soft\"}", "rigid_bodies[0].type: expected dynamic"},
        {"", "{" CUBE ", \"is_dof_fixed\": [true]}", "rigid_bodies[0].is_dof_fixed: expected true, false"},
        {"", "{" CUBE ", \"is_dof_fixed\": [false, false, false, true, false, false]}", "expected 0, 2 or 3 fixed"},
        {"", "{" CUBE ", \"kinematic_poses\": [{\"rotation\": [1, 0, 0]}]}", "expected positions only"},
        {"", "{" CUBE ", \"group_id\": 0.5}", "group_id: expected a whole number"},
        {"", "{\"vertices\": [[0,0,0],[1,0,0],[0,1,0]], \"faces\": [[0,1,3]]}", "is not 3 numbers in range"},
        {"", "{\"mesh\": \"none.obj\"}", "rigid_bodies[0] (none.obj) was found neither"},
        {"", "{\"mesh\": \"/etc/passwd\"}", "must be a file below"},
        {"", "{\"mesh\": \"../secret.obj\"}", "must be a file below"},
        {"", "{}", "rigid_bodies[0].mesh: expected the name of a file"},
        {"", "1", "rigid_bodies[0].: expected an object"},
        {"\"coefficient_friction\": -1, ", "{" CUBE "}", "coefficient_friction: expected"},
        {"\"gravity\": 9, ", "{" CUBE "}", "test.json: gravity: expected 3 numbers"},
    };
    vs_context *context = context_of(state);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        vs_cad *cad = NULL;
        assert_int_equal(read(context, cases[k].keys, cases[k].bodies, NULL, &cad), VS_ERROR_DATA);
        assert_null(cad);
        const char *text = vs_context_get_error_text(context);
        if (strncmp(text, "test.json: ", 11) != 0 || !strstr(text, cases[k].text))
            fail_msg("%s: %s", cases[k].bodies, text);
    }
    vs_cad_options options = vs_cad_options_default();
    vs_cad *cad = NULL;
    options.ground = true;
    assert_int_equal(read(context, "", "{" CUBE "}", &options, &cad), VS_ERROR_ARGUMENT);
    options = vs_cad_options_default();
    options.thickness = 0;
    assert_int_equal(read(context, "", "{" CUBE "}", &options, &cad), VS_ERROR_ARGUMENT);
}

static vs_error attempt(void *user) {
    vs_cad *cad = NULL;
    const vs_error error = read(user, "",
                                "{" CUBE ", \"group_id\": 1}, {" SQUARE ", \"type\": \"static\"}, {" CUBE
                                ", \"type\": \"kinematic\", \"kinematic_poses\": [{\"position\": [0, 0, 0]}]}",
                                NULL, &cad);
    assert_int_equal(error == VS_OK, cad != NULL);
    vs_cad_destroy(cad);
    return error;
}

static void test_failed_allocations_leak_nothing(void **state) {
    fixture *f = *state;
    assert_true(refuse_each(&f->m, f->context, attempt, f->context) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fixed_degrees_of_freedom_are_fixed_and_no_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faces_get_the_thickness_that_is_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_plane_with_rounded_corners_is_flat, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prescribed_motion_is_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bodies_of_one_group_do_not_collide, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_read_is_refused_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failed_allocations_leak_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
