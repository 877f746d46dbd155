// The default tolerance of a simulation goes by islands: a heap of grains is solved to 1e-3, what stands beside it to 1e-6.
#include "step/worlds.h"

#include <math.h>

enum { SIDE = 8, BLOCKS = 5, STEPS = 4 };
static const double strict = 1e-6, loose = 1e-3;

// A block of 512 balls that falls apart: some 1400 contacts within the envelope, one per pair.
static void add_heap(rig *s) {
    const double r = .05, apart = 2.001 * r;
    for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
        const int x = k % SIDE, y = k / SIDE % SIDE, z = k / (SIDE * SIDE);
        const double jolt = .3 * sin(k); // m/s
        add_ball(s, r, 2500, (vs_vec3){5 + apart * x, apart * y, r + apart * z}, (vs_vec3){jolt, -jolt, -.2 * z});
    }
}

// Blocks on each other, which slide on the floor and on each other.
static vs_body_id add_tower(rig *s) {
    vs_body_id top = {0, 0};
    for (int k = 0; k < BLOCKS; k++)
        top = add_box(s, (vs_vec3){.2, .2, .1}, 2000, (vs_vec3){-5, 0, .1 + .2 * k}, (vs_vec3){.3 * (k + 1), 0, 0});
    return top;
}

static void open(rig *s, double tolerance) {
    open_rig(s, .4, 0, true);
    s->options.solver.tolerance = tolerance;
}

static void the_default_is_strict_beside_a_heap(void **state) {
    (void)state;
    rig both, alone;
    open(&both, 0);
    open(&alone, strict);
    add_heap(&both);
    const vs_body_id top = add_tower(&both), same = add_tower(&alone);
    start_rig(&both);
    start_rig(&alone);
    double worst = 0;
    for (int k = 0; k < STEPS; k++) {
        vs_step_report report;
        must(vs_simulation_step(both.simulation, &report), both.context);
        must(vs_simulation_step(alone.simulation, NULL), alone.context);
        if (report.status != VS_STATUS_CONVERGED)
            fail_msg("step %d: %s", k + 1, report.status_text);
        assert_true(report.loose_tolerance == loose);
        assert_int_equal(report.loose_islands, 1);
        assert_true(report.loose_contacts >= 1000 && report.loose_contacts < report.contacts);
        assert_true(report.strict_error <= strict && report.relative_error <= loose);
        worst = fmax(worst, report.relative_error);
    }
    assert_true(worst > strict); // the heap was not solved to more than it asks for
    vs_body_state with, without;
    must(vs_world_get_body_state(both.world, top, &with), both.context);
    must(vs_world_get_body_state(alone.world, same, &without), alone.context);
    // two solutions to 1e-6 of velocities of 1.5 m/s, over four steps
    assert_true(fabs(with.velocity.x - without.velocity.x) < 1e-5 && with.velocity.x < 1.5);
    close_rig(&both);
    close_rig(&alone);
}

static void a_tolerance_that_is_given_is_that_of_all_islands(void **state) {
    (void)state;
    rig s;
    open(&s, 1e-4);
    add_heap(&s);
    start_rig(&s);
    for (int k = 0; k < 2; k++) {
        vs_step_report report;
        must(vs_simulation_step(s.simulation, &report), s.context);
        assert_int_equal(report.status, VS_STATUS_CONVERGED);
        assert_true(report.relative_error <= 1e-4);
        assert_true(report.loose_tolerance == 0 && report.loose_islands == 0 && report.loose_contacts == 0);
    }
    close_rig(&s);
}

static void a_small_heap_is_solved_to_the_strict_tolerance(void **state) {
    (void)state;
    rig s;
    open(&s, 0);
    for (int k = 0; k < 20; k++)
        add_ball(&s, .05, 2500, (vs_vec3){.1 * k, 0, .05}, (vs_vec3){.1 * k, 0, 0});
    start_rig(&s);
    vs_step_report report;
    must(vs_simulation_step(s.simulation, &report), s.context);
    assert_int_equal(report.status, VS_STATUS_CONVERGED);
    assert_true(report.relative_error <= strict && report.loose_contacts == 0);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_strict_beside_a_heap),
        cmocka_unit_test(a_tolerance_that_is_given_is_that_of_all_islands),
        cmocka_unit_test(a_small_heap_is_solved_to_the_strict_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
