// The stepper against closed forms of Coulomb friction on a plane (h = 0.0025 s, tolerance 1e-12).
#include "worlds.h"

// A ball thrown without spin slides until v = w r, at t = 2 v0 / (7 mu g), and then rolls with 5/7 v0.
static void sliding_ball_begins_to_roll(void **state) {
    (void)state;
    const double mu = .2, v0 = 2, r = .1, h = .0025;
    rig s;
    open_rig(&s, mu, 0, true);
    vs_body_id ball = add_ball(&s, r, 1000, (vs_vec3){0, 0, r}, (vs_vec3){v0, 0, 0});
    start_rig(&s);
    double rolls = 2 * v0 / (7 * mu * standard_gravity), began = 0;
    for (int k = 0; k < 200; k++) {
        vs_step_report report = take_step(&s);
        vs_body_state b = state_of(&s, ball);
        bool rolling = fabs(b.velocity.x - r * b.spin.y) < 1e-9 * v0;
        if (rolling && began == 0)
            began = report.time;
        assert_near("height", b.pose.position.z, r, 1e-9);
    }
    assert_near("begins to roll", began, rolls, h);
    // friction acts through the contact line, about which momentum is conserved exactly
    assert_near("rolling speed", state_of(&s, ball).velocity.x, 5. / 7 * v0, 1e-6);
    close_rig(&s);
}

static void stop_box(double h, double *time, double *way) {
    const double mu = .3, v0 = 2;
    rig s;
    open_rig(&s, mu, 0, true);
    s.options.step = h;
    vs_body_id box = add_box(&s, (vs_vec3){.2, .2, .05}, 500, (vs_vec3){0, 0, .05}, (vs_vec3){v0, 0, 0});
    start_rig(&s);
    *time = 0;
    for (double t = 0; t < 1 && *time == 0; t += h) {
        vs_step_report report = take_step(&s);
        assert_near("box stays down", state_of(&s, box).pose.position.z, .05, 1e-9);
        if (fabs(state_of(&s, box).velocity.x) < 1e-10)
            *time = report.time;
    }
    *way = state_of(&s, box).pose.position.x;
    close_rig(&s);
}

// v0 / (mu g) and v0^2 / (2 mu g); the scheme is of first order.
static void sliding_box_stops(void **state) {
    (void)state;
    const double mu = .3, v0 = 2, T = v0 / (mu * standard_gravity), L = v0 * T / 2;
    double error[3];
    for (int k = 0; k < 3; k++) {
        double h = .0025 / (1 << k), time, way;
        stop_box(h, &time, &way);
        assert_near("time to stop", time, T, h);
        error[k] = fabs(way - L);
        printf("  h = %g s: stops after %.6f s (%.6f), %.6f m (%.6f)\n", h, time, T, way, L);
    }
    // halving h halves the error, apart from the last, shortened step
    assert_true(error[1] < .65 * error[0] && error[2] < .65 * error[1]);
}

static void box_slides_down_a_steep_plane(void **state) {
    (void)state;
    const double mu = .2, angle = 65 * pi / 180, h = .0025;
    rig s;
    open_rig(&s, mu, angle, true);
    vs_body_id box = add_box(&s, (vs_vec3){.2, .2, .02}, 500, (vs_vec3){0, 0, .02}, (vs_vec3){0, 0, 0});
    start_rig(&s);
    for (int k = 0; k < 200; k++)
        take_step(&s);
    double expected = standard_gravity * (sin(angle) - mu * cos(angle)) * 200 * h;
    assert_near("speed", state_of(&s, box).velocity.x, expected, 1e-6 * expected);
    assert_near("lift", state_of(&s, box).pose.position.z, .02, 1e-9);
    close_rig(&s);
}

static void box_comes_to_rest_on_a_gentle_plane_and_stays(void **state) {
    (void)state;
    const double angle = 25 * pi / 180;
    rig s;
    open_rig(&s, .6, angle, true);
    vs_body_id box = add_box(&s, (vs_vec3){.2, .2, .02}, 500, (vs_vec3){0, 0, .02}, (vs_vec3){2, 0, 0});
    start_rig(&s);
    for (int k = 0; k < 1600; k++) // stops within 2 / (g (mu cos - sin)) = 1.7 s
        take_step(&s);
    vs_vec3 rest = state_of(&s, box).pose.position;
    for (int k = 0; k < 4000; k++)
        take_step(&s);
    assert_near("creep over 10 s", vs_length(vs_subtract(state_of(&s, box).pose.position, rest)), 0, 1e-9);
    close_rig(&s);
}

// The relaxed model lifts a sliding body by h mu |v| per step; the exact one does not.
static void relaxed_lifts_a_sliding_box_and_exact_does_not(void **state) {
    (void)state;
    for (int model = 0; model < 2; model++) {
        rig s;
        open_rig(&s, .3, 0, true);
        s.options.solver.model = model ? VS_MODEL_RELAXED : VS_MODEL_EXACT;
        vs_body_id box = add_box(&s, (vs_vec3){.2, .2, .05}, 500, (vs_vec3){0, 0, .05}, (vs_vec3){2, 0, 0});
        start_rig(&s);
        double lift = 0;
        for (int k = 0; k < 40; k++) {
            take_step(&s);
            lift = fmax(lift, state_of(&s, box).pose.position.z - .05);
        }
        if (model)
            assert_true(lift > 1e-3); // about h mu v = 1.5 mm
        else
            assert_near("lift", lift, 0, 1e-9);
        close_rig(&s);
    }
}

// Restitution: the ball leaves with e times the speed it came with; resting contact does not bounce.
static void ball_bounces_with_restitution(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, true);
    vs_material material = vs_material_default();
    material.mu = 0, material.restitution = .5;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .3}, (vs_vec3){0, 0, -2});
    start_rig(&s);
    double before = 0, after = 0;
    for (int k = 0; k < 400 && after <= 0; k++) {
        before = state_of(&s, ball).velocity.z;
        take_step(&s);
        after = state_of(&s, ball).velocity.z;
    }
    assert_near("speed after the bounce", after, -.5 * before, 1e-9);
    for (int k = 0; k < 2000; k++)
        take_step(&s);
    assert_near("at rest", state_of(&s, ball).velocity.z, 0, 1e-9);
    close_rig(&s);
}

// A heavy box on a light one: nothing sinks.
static void heavy_box_on_a_light_one_does_not_sink(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    s.options.step = 1.0 / 240;
    s.options.solver.tolerance = 1e-8; // impulses of 4e4 N s against e0 = 8e-4 J: rounding alone is 1e-9 of its root
    vs_body_id light = add_box(&s, (vs_vec3){.5, .5, .5}, 1, (vs_vec3){0, 0, .5}, VS_ZERO3);
    vs_body_id heavy = add_box(&s, (vs_vec3){.5, .5, .5}, 1e6, (vs_vec3){0, 0, 1.5}, VS_ZERO3);
    start_rig(&s);
    for (int k = 0; k < 2400; k++)
        take_step(&s);
    assert_near("light box", state_of(&s, light).pose.position.z, .5, 1e-8);
    assert_near("heavy box", state_of(&s, heavy).pose.position.z, 1.5, 1e-8);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_ball_begins_to_roll),
        cmocka_unit_test(sliding_box_stops),
        cmocka_unit_test(box_slides_down_a_steep_plane),
        cmocka_unit_test(box_comes_to_rest_on_a_gentle_plane_and_stays),
        cmocka_unit_test(relaxed_lifts_a_sliding_box_and_exact_does_not),
        cmocka_unit_test(ball_bounces_with_restitution),
        cmocka_unit_test(heavy_box_on_a_light_one_does_not_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
