// Worlds in which one body is faster, heavier or rougher than all the others by many orders: nothing sinks, no energy comes
// from nowhere, and a step that could not be solved says so.
#include "worlds.h"

static vs_step_report step_freely(rig *s) {
    vs_step_report report;
    must(vs_simulation_step(s->simulation, &report), s->context);
    return report;
}

// A crate rests on the floor; ten metres away another body flies at 1e20 m/s, and falls to the floor later.
static void crate_stands_beside_a_body_at_1e20_m_per_s(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    s.options.solver.tolerance = 1e-8;
    vs_body_id crate = add_box(&s, (vs_vec3){.5, .5, .5}, 2, (vs_vec3){0, 0, .5}, VS_ZERO3);
    vs_body_id far = add_box(&s, (vs_vec3){.5, .5, .5}, 1, (vs_vec3){10, 0, 3}, (vs_vec3){1e20, 0, 0});
    start_rig(&s);
    int silent = 0;
    for (int k = 0; k < 400; k++) {
        vs_step_report report = step_freely(&s);
        // What sinks by more than a hundredth of a step's fall is said to be inaccurate.
        silent += report.penetration > 1e-2 * standard_gravity * s.options.step * s.options.step &&
                  state_of(&s, far).velocity.z < 0 && report.status == VS_STATUS_CONVERGED;
    }
    // The first step, in which the two may meet, is free to be wrong by one step of free fall.
    assert_true(state_of(&s, crate).pose.position.z > .5 - standard_gravity * s.options.step * s.options.step);
    assert_int_equal(silent, 0);
    close_rig(&s);
}

// A box slides at 2 m/s on a floor with mu = 1e6: it tips, and cannot have more energy than it had.
static void friction_of_1e6_makes_no_energy(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 1e6, 0, true);
    s.options.step = 1. / 240;
    s.options.solver.tolerance = 1e-8;
    (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){2, 0, 0});
    start_rig(&s);
    double before = 0;
    for (int k = 0; k < 240; k++) {
        vs_step_report report = step_freely(&s);
        double energy = report.energy.kinetic + report.energy.potential;
        // One step of free fall moves the potential energy ahead of the kinetic one, by at most m g (v h).
        double allowed = fmax(report.energy_error, report.work_error) + 8 * standard_gravity * 2 * s.options.step;
        if (k > 0 && report.status == VS_STATUS_CONVERGED && energy > before + allowed)
            fail_msg("step %d: from %g J to %g J", k + 1, before, energy);
        assert_true(energy < 30); // 23.8 J at the start
        before = energy;
    }
    close_rig(&s);
}

// 1000 t on 1 mg: the remaining error is rounding, and nothing moves.
static void a_milligram_carries_1000_tons(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    s.options.step = 1. / 240;
    s.options.solver.tolerance = 1e-8;
    const double volume = .2 * .2 * .2;
    vs_body_id light = add_box(&s, (vs_vec3){.1, .1, .1}, 1e-6 / volume, (vs_vec3){0, 0, .1}, VS_ZERO3);
    vs_body_id heavy = add_box(&s, (vs_vec3){.1, .1, .1}, 1e6 / volume, (vs_vec3){0, 0, .3}, VS_ZERO3);
    start_rig(&s);
    int iterations = 0;
    for (int k = 0; k < 48; k++)
        iterations += step_freely(&s).iterations;
    // An impulse of 4e4 N s has a last digit of 7e-12 N s, which moves a milligram with 7e-6 m/s: 0.03 um per step.
    assert_near("light", state_of(&s, light).pose.position.z, .1, 1e-7);
    assert_near("heavy", state_of(&s, heavy).pose.position.z, .3, 1e-7);
    assert_true(iterations < 48 * 200); // stages that cannot help took tens of thousands per step
    close_rig(&s);
}

// A light body on one that is 1e16 and 1e18 times heavier stands there: the energies of the heavy one do not hide it.
static void a_body_stands_on_one_that_is_1e18_times_heavier(void **state) {
    (void)state;
    const double volume = .2 * .2 * .2, ratio[] = {1e16, 1e18};
    for (int r = 0; r < 2; r++) {
        rig s;
        open_rig(&s, .5, 0, true);
        s.options.step = 1. / 240;
        double heavy = sqrt(ratio[r]) / volume, light = 1 / sqrt(ratio[r]) / volume;
        (void)add_box(&s, (vs_vec3){.1, .1, .1}, heavy, (vs_vec3){0, 0, .1}, VS_ZERO3);
        vs_body_id top = add_box(&s, (vs_vec3){.1, .1, .1}, light, (vs_vec3){0, 0, .3}, VS_ZERO3);
        start_rig(&s);
        for (int k = 0; k < 24; k++)
            assert_int_equal(step_freely(&s).status, VS_STATUS_CONVERGED);
        // The tolerance, 1e-6, leaves 1e-4 of what gravity does in a step: 4e-6 m/s, 17 nm. It left at 8 m/s.
        vs_vec3 at = state_of(&s, top).pose.position;
        assert_near("across", hypot(at.x, at.y), 0, 1e-7);
        assert_near("up", at.z, .3, 1e-7);
        close_rig(&s);
    }
}

// A tonne on a milligram without friction: the load times the rounding of its direction moves the milligram by more than
// gravity does, and no step is certified as long as it is loaded.
static void a_milligram_under_a_tonne_on_ice_is_not_certified(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, true);
    s.options.step = 1. / 240;
    const double volume = .2 * .2 * .2;
    (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1e-6 / volume, (vs_vec3){0, 0, .1}, VS_ZERO3);
    (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1e3 / volume, (vs_vec3){0, 0, .3}, VS_ZERO3);
    start_rig(&s);
    for (int k = 0; k < 12; k++)
        assert_int_equal(step_freely(&s).status, VS_STATUS_INACCURATE);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crate_stands_beside_a_body_at_1e20_m_per_s),
        cmocka_unit_test(friction_of_1e6_makes_no_energy),
        cmocka_unit_test(a_milligram_carries_1000_tons),
        cmocka_unit_test(a_body_stands_on_one_that_is_1e18_times_heavier),
        cmocka_unit_test(a_milligram_under_a_tonne_on_ice_is_not_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
