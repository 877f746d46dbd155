// Continuous collision: nothing passes through anything within a step. bench/throws repeats the throws in large numbers.
#include <stdio.h>

#include "kit/throws.h"
#include "step/worlds.h"

enum { THROWS = VS_SHORT ? 60 : 240 }; // four of each body at each wall; one of each under a sanitizer

// All shapes of 1 mm to 1 m at all walls of 1 mm, 0.1 to 10 000 m and up to 100 radians per step, with all schemes.
static void test_thrown_bodies_do_not_pass_thin_walls(void **state) {
    (void)state;
    memory m = {0};
    vs_context *context = make_context(&m);
    int tunnelled = 0, swept = 0, held = 0;
    for (int k = 0; k < THROWS; k++) {
        uint64_t seed;
        const throw_case t = throw_number(k, &seed);
        const throw_result r = throw_run(context, &t, seed);
        must(r.error, context);
        if (r.tunnelled)
            printf("  throw %d: %s passed %s\n", k, throw_body_name[t.body], throw_wall_name[t.wall]);
        tunnelled += r.tunnelled;
        swept += r.swept > 0;
        held += r.held > 0;
    }
    printf("  of %d throws %d passed, %d needed contacts within a step, in %d a body was held\n", THROWS, tunnelled,
           swept, held);
    assert_int_equal(tunnelled, 0);
    assert_true(swept > 0); // the search was used
    end_context(context, &m);
}

// When a ball meets a plate of 20 m by 20 m by 1 mm, 2 cm from its rim, on a way of 100 m.
static double meet_rim(vs_context *context, bool hull) {
    const double half = throw_half, thick = throw_thick;
    vs_vec3 corner[8];
    for (int k = 0; k < 8; k++)
        corner[k] = (vs_vec3){k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? thick : -thick};
    vs_shape *plate, *ball;
    must(hull ? vs_shape_hull(context, corner, 8, &plate) : vs_shape_box(context, corner[7], &plate), context);
    must(vs_shape_sphere(context, .01, &ball), context);
    const vs_path rest = {.begin = VS_IDENTITY_POSE, .stop = 1};
    const vs_path way = {.begin = {{half - .02, 0, 50}, {1, 0, 0, 0}}, .way = {0, 0, -100}, .stop = 1};
    const vs_swept_collider side[2] = {{plate, VS_IDENTITY_POSE, &rest}, {ball, VS_IDENTITY_POSE, &way}};
    const double time = vs_ccd_meet(side, 0, false, NULL);
    vs_shape_release(plate);
    vs_shape_release(ball);
    return time;
}

// Shapes are drawn in by a part of their thickness, not of their width: a throw passed a wall at 6 cm from its rim.
static void test_nothing_passes_the_rim_of_a_wide_plate(void **state) {
    (void)state;
    memory m = {0};
    vs_context *context = make_context(&m);
    for (int hull = 0; hull < 2; hull++)
        assert_near("time", meet_rim(context, hull), .5 - .0001 - .01 * throw_thick, 1e-6);
    uint64_t seed;
    const throw_case t = throw_number(3007054, &seed);
    const throw_result r = throw_run(context, &t, seed);
    must(r.error, context);
    assert_false(r.tunnelled);
    end_context(context, &m);
}

// ---- controlled steps ------------------------------------------------------------------------------

enum { PLATE_SHAPES = 6, PLATE_SPEEDS = 5 };

static vs_shape *make_small(vs_context *context, int kind) {
    vs_shape *shape = NULL;
    const double r = .01;
    static const vs_vec3 corner[] = {{.01, 0, 0}, {-.005, .009, 0}, {-.005, -.009, 0}, {0, 0, .01}, {0, 0, -.01}};
    vs_error error = kind == 0   ? vs_shape_sphere(context, r, &shape)
                     : kind == 1 ? vs_shape_box(context, (vs_vec3){r, r, r}, &shape)
                     : kind == 2 ? vs_shape_capsule(context, .5 * r, r, &shape)
                     : kind == 3 ? vs_shape_cylinder(context, r, r, &shape)
                     : kind == 4 ? vs_shape_ellipsoid(context, (vs_vec3){r, .5 * r, .7 * r}, &shape)
                                 : vs_shape_hull(context, corner, 5, &shape);
    must(error, context);
    return shape;
}

// Does a body end below a plate of 2 cm after 2 m and two steps more?
static bool passes_plate(int kind, double speed, double gravity, double accuracy) {
    rig s;
    open_rig(&s, .3, 0, false);
    vs_world_set_gravity(s.world, (vs_vec3){0, 0, -gravity});
    vs_material bouncing = vs_material_default();
    bouncing.mu = .3, bouncing.restitution = .5;
    must(vs_world_add_material(s.world, &bouncing, "bouncing", &s.material), s.context);
    s.options.step = 1. / 240, s.options.solver.tolerance = 1e-6, s.options.accuracy = accuracy;
    vs_shape *plate;
    must(vs_shape_box(s.context, (vs_vec3){.5, .5, .01}, &plate), s.context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = plate, collider.material = s.material, collider.pose.position.z = -.01;
    must(vs_world_add_collider(s.world, &collider, NULL), s.context);
    vs_shape_release(plate);
    const vs_pose at = {{0, 0, 2}, vs_quat_normalize((vs_quat){1, .3, -.2, .1})};
    const vs_body_id id = add_solid(&s, make_small(s.context, kind), 7800, at, (vs_vec3){0, 0, -speed});
    start_rig(&s);
    const int steps = (int)(2 / (speed * s.options.step)) + 3;
    bool passed = false;
    for (int k = 0; k < steps && !passed; k++) {
        must(vs_simulation_step(s.simulation, NULL), s.context);
        passed = state_of(&s, id).pose.position.z < -1e-3;
    }
    close_rig(&s);
    return passed;
}

// Fast bodies are apart from a plate at both ends of a trial, and the time of their impact is found all the same.
static void test_controlled_steps_let_nothing_pass(void **state) {
    (void)state;
    static const double speed[PLATE_SPEEDS] = {5, 9.8, 40, 200, 1000};
    int passed = 0;
    for (int kind = 0; kind < PLATE_SHAPES; kind++)
        for (int k = 0; k < PLATE_SPEEDS; k += VS_SHORT ? 3 : 1)
            for (int g = 0; g < 2; g++)
                if (passes_plate(kind, speed[k], g ? standard_gravity : 0, g ? 1e-5 : 1e-3)) {
                    printf("  shape %d passed at %g m/s\n", kind, speed[k]);
                    passed++;
                }
    assert_int_equal(passed, 0);
}

// ---- what is no contact ----------------------------------------------------------------------------

// A rod that flies past a plate does not touch it: it is not stopped, and no contact is added on its way.
static void test_near_misses_are_no_contacts(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    vs_shape *shape;
    must(vs_shape_box(s.context, (vs_vec3){.01, .01, .5}, &shape), s.context);
    (void)add_solid(&s, shape, 1000, (vs_pose){{-3, 0, 0}, {1, 0, 0, 0}}, (vs_vec3){2000, 0, 0});
    must(vs_shape_box(s.context, (vs_vec3){.5, .5, .001}, &shape), s.context);
    (void)add_solid(&s, shape, 1000, (vs_pose){{0, 0, 2}, {1, 0, 0, 0}}, VS_ZERO3);
    start_rig(&s);
    vs_step_report report;
    must(vs_simulation_step(s.simulation, &report), s.context);
    assert_int_equal(report.swept, 0);
    assert_int_equal(report.held, 0);
    close_rig(&s);
}

// Slow bodies cost nothing and get no contacts of this kind.
static void test_slow_bodies_are_not_searched(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){.5, 0, 0});
    start_rig(&s);
    for (int k = 0; k < 20; k++) {
        vs_step_report report;
        must(vs_simulation_step(s.simulation, &report), s.context);
        assert_int_equal(report.swept + report.held, 0);
    }
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thrown_bodies_do_not_pass_thin_walls),
        cmocka_unit_test(test_nothing_passes_the_rim_of_a_wide_plate),
        cmocka_unit_test(test_controlled_steps_let_nothing_pass),
        cmocka_unit_test(test_near_misses_are_no_contacts),
        cmocka_unit_test(test_slow_bodies_are_not_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
