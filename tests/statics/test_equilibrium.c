// Verdicts of statics against closed forms, and their certificates checked from the reported forces and velocities alone.
#include "assemblies.h"

static const double g = 9.81;

static vs_statics_result solve(vs_statics *s) {
    vs_statics_result r;
    assert_int_equal(vs_statics_solve(s, &r), VS_OK);
    return r;
}

// A block of 2 b x 2 h on a floor, under gravity tilted by the angle a.
static vs_verdict tilt(vs_context *context, double mu, double b, double h, double a) {
    vs_world *world = make_world(context, mu, (vs_vec3){g * sin(a), 0, -g * cos(a)});
    add_floor(context, world);
    add_box(context, world, (vs_vec3){b, .3, h}, at(0, 0, h), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    const vs_statics_result r = solve(s);
    if (r.verdict == VS_VERDICT_FALLS) {
        assert_true(r.mechanism.exact);
        // It slides or tips towards x.
        assert_true(r.mechanism.velocity[0].x > 0);
    } else {
        // The forces carry the weight.
        vs_vec3 sum = VS_ZERO3;
        for (int k = 0; k < 4; k++) {
            assert_true(r.forces.force[k].z >= 0);
            sum = vs_add(sum, r.forces.force[k]);
        }
        const double weight = 8 * b * .3 * h * 1000 * g;
        assert_vec(sum, ((vs_vec3){-weight * sin(a), 0, weight * cos(a)}), 1e-12 * weight);
    }
    vs_statics_destroy(s);
    vs_world_destroy(world);
    return r.verdict;
}

// It stands while tan a < min(mu, b/h); sharp to 1e-7.
static void block_on_an_incline(void **state) {
    vs_context *context = context_of(state);
    const double mu = .4, wide = 1, narrow = .25, h = 1;
    assert_int_equal(tilt(context, mu, wide, h, atan(mu * (1 - 1e-7))), VS_VERDICT_STANDS);
    assert_int_equal(tilt(context, mu, wide, h, atan(mu * (1 + 1e-7))), VS_VERDICT_FALLS);
    assert_int_equal(tilt(context, mu, narrow, h, atan(narrow / h * (1 - 1e-7))), VS_VERDICT_STANDS);
    assert_int_equal(tilt(context, mu, narrow, h, atan(narrow / h * (1 + 1e-7))), VS_VERDICT_FALLS);
}

// Equal blocks, each shifted by L/(2 k) over the one below (k from the top): the harmonic overhang is the limit.
static vs_verdict lean(vs_context *context, double factor) {
    enum { BLOCKS = 6 };
    vs_world *world = make_world(context, .6, (vs_vec3){0, 0, -g});
    double x = 0;
    for (int k = 0; k < BLOCKS; k++) {
        add_box(context, world, (vs_vec3){.5, .3, .1}, at(x, 0, .1 + .2 * k), k ? VS_MOTION_DYNAMIC : VS_MOTION_STATIC);
        x += factor / (2. * (BLOCKS - 1 - k));
    }
    vs_statics *s = make_statics(world);
    const vs_verdict verdict = solve(s).verdict;
    vs_statics_destroy(s);
    vs_world_destroy(world);
    return verdict;
}

static void leaning_stack(void **state) {
    vs_context *context = context_of(state);
    assert_int_equal(lean(context, 1 - 1e-6), VS_VERDICT_STANDS);
    assert_int_equal(lean(context, 1 + 1e-6), VS_VERDICT_FALLS);
}

// The arch of 11 stones with straight chords needs a thickness of 0.1103604 (0.104589 of the mean radius).
static void arch_at_its_least_thickness(void **state) {
    static const double thickness[] = {.110360, .110361};
    static const vs_verdict expected[] = {VS_VERDICT_FALLS, VS_VERDICT_STANDS};
    for (int k = 0; k < 2; k++) {
        vs_statics *s = make_named(context_of(state), "arch", &(vs_scene_parameter){"thickness", thickness[k]}, 1);
        const vs_statics_result r = solve(s);
        assert_int_equal(r.verdict, expected[k]);
        assert_true((r.margin > 0) == (r.verdict == VS_VERDICT_STANDS));
        vs_statics_destroy(s);
    }
}

// Thrust of a semicircular arch of 100 stones with t/R = 0.15 and much friction: 0.1759 to 0.2270 of its weight for stones
// bounded by arcs; straight chords change the fourth digit.
static void thrust_range_of_an_arch(void **state) {
    const double ratio = .15, inner = 1 - ratio / 2;
    const vs_scene_parameter parameter[] = {{"stones", 100}, {"radius", inner}, {"thickness", ratio}, {"mu", 5}};
    vs_statics *s = make_named(context_of(state), "arch", parameter, 4);
    const vs_interface_report report = vs_statics_get_report(s);
    int crown = -1;
    for (int k = 0; k < report.interfaces; k++) {
        vs_interface i;
        assert_int_equal(vs_statics_get_interface(s, k, &i), VS_OK);
        if (fabs(i.centre.x) < 1e-6)
            crown = k;
    }
    assert_true(crown >= 0);
    vs_interface joint;
    double range[2];
    assert_int_equal(vs_statics_get_interface(s, crown, &joint), VS_OK);
    assert_int_equal(vs_statics_find_range(s, crown, joint.normal, range), VS_OK);
    assert_close(range[0] / vs_statics_get_weight(s), .1759, 1e-4);
    assert_close(range[1] / vs_statics_get_weight(s), .2270, 1e-4);
    assert_int_equal(vs_statics_find_range(s, -1, joint.normal, range), VS_ERROR_ARGUMENT);
    vs_statics_destroy(s);
}

// A block squeezed between two fixed walls: self-stress has no bound, and no motion loosens it. It stands by friction, and
// falls without.
static void block_between_walls(void **state) {
    vs_context *context = context_of(state);
    for (int k = 0; k < 2; k++) {
        vs_world *world = make_world(context, k ? .3 : 0, (vs_vec3){0, 0, -g});
        add_box(context, world, (vs_vec3){.5, .5, .5}, at(-1, 0, 0), VS_MOTION_STATIC);
        add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, 0), VS_MOTION_DYNAMIC);
        add_box(context, world, (vs_vec3){.5, .5, .5}, at(1, 0, 0), VS_MOTION_STATIC);
        vs_statics *s = make_statics(world);
        const vs_statics_result r = solve(s);
        assert_int_equal(r.verdict, k ? VS_VERDICT_STANDS : VS_VERDICT_FALLS);
        if (k) {
            double range[2];
            assert_int_equal(vs_statics_find_range(s, 0, (vs_vec3){1, 0, 0}, range), VS_OK);
            // Both walls carry at most mu N each, half of the weight if they share it; N has no upper bound.
            assert_relative(range[0], .5 * vs_statics_get_weight(s) / .3, 1e-6);
            assert_true(isinf(range[1]));
        } else {
            double range[2];
            assert_int_equal(vs_statics_find_range(s, 0, (vs_vec3){1, 0, 0}, range), VS_ERROR_DATA);
        }
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// Bricks without friction stand on each other, though their end faces cannot carry any force: there is no margin.
static void wall_without_friction_stands(void **state) {
    vs_statics *s = make_named(context_of(state), "brick-wall", &(vs_scene_parameter){"mu", 0}, 1);
    const vs_statics_result r = solve(s);
    assert_int_equal(r.verdict, VS_VERDICT_STANDS);
    assert_close(r.margin, 0, 1e-8);
    vs_statics_destroy(s);
}

// A block in the air falls, one that a load lifts off rises.
static void loads_and_free_blocks(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -g});
    add_floor(context, world);
    const vs_body_id block = add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, .5), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    assert_int_equal(solve(s).verdict, VS_VERDICT_STANDS);
    vs_statics_destroy(s);
    const vs_signal up[3] = {{.value = 0}, {.value = 0}, {.value = 1001 * g}}, none[3] = {{.value = 0}};
    assert_int_equal(vs_world_add_load(world, block, up, none), VS_OK);
    s = make_statics(world);
    const vs_statics_result lifted = solve(s);
    assert_int_equal(lifted.verdict, VS_VERDICT_FALLS);
    assert_true(lifted.mechanism.velocity[0].z > 0);
    vs_statics_destroy(s);
    add_box(context, world, (vs_vec3){.5, .5, .5}, at(5, 0, 3), VS_MOTION_DYNAMIC);
    s = make_statics(world);
    assert_int_equal(vs_statics_get_report(s).isolated, 1);
    assert_int_equal(solve(s).verdict, VS_VERDICT_FALLS);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// A wall in running bond with straight sides, whose associated load factor is 0.6227: at 0.62265 it has an equilibrium that
// only forces can make which no motion creates. Coulomb's law lets it fall; at half of the load it stays.
static void law_without_dilatancy(void **state) {
    static const double factor[] = {.3, .62265};
    vs_context *context = context_of(state);
    for (int k = 0; k < 2; k++) {
        vs_world *world = make_world(context, .65, (vs_vec3){factor[k] * g, 0, -g});
        add_floor(context, world);
        build_wall(context, world, 5, 2);
        vs_statics *s = make_statics(world);
        vs_law_check check;
        assert_int_equal(solve(s).verdict, VS_VERDICT_STANDS);
        assert_int_equal(vs_statics_check_law(s, &check), VS_OK);
        printf("  factor %g: speed %.2e, error %.1e\n", factor[k], check.speed, check.error);
        assert_true(check.decided);
        assert_int_equal(check.moves, k == 1);
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(block_on_an_incline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaning_stack, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arch_at_its_least_thickness, set_up, tear_down),
        cmocka_unit_test_setup_teardown(thrust_range_of_an_arch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(block_between_walls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wall_without_friction_stands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loads_and_free_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(law_without_dilatancy, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
