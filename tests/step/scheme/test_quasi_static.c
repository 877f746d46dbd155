// The scheme quasi-static: steps begin at rest, what falls falls by g h^2 per step, and a block that is pushed over has the
// force of its equilibria, also beyond the largest.
#include "step/elastic/solids.h"

static void test_free_body_falls_the_same_in_each_step(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.scheme = VS_SCHEME_QUASI_STATIC;
    s.options.step = .01;
    const vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, 1}, (vs_vec3){3, 2, 1});
    start_rig(&s);
    double mass;
    must(vs_world_get_body_mass(s.world, ball, &mass, NULL), s.context);
    const double h = s.options.step, speed = standard_gravity * h;
    vs_step_report report = take_step(&s);
    assert_relative(report.flow.dampers, .5 * mass * 14, 1e-12); // what it was thrown with
    for (int k = 0; k < 10; k++) {
        report = take_step(&s);
        assert_relative(report.flow.dampers, .5 * mass * speed * speed, 1e-12);
        assert_vec(state_of(&s, ball).velocity, ((vs_vec3){0, 0, -speed}), 1e-15);
    }
    assert_vec(state_of(&s, ball).pose.position, ((vs_vec3){0, 0, 1 - 11 * h * speed}), 1e-14);
    close_rig(&s);
}

// The nodes of a beam are bodies, and stopped as these.
static void test_beam_falls_the_same_in_each_step(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.scheme = VS_SCHEME_QUASI_STATIC;
    s.options.step = .01;
    const vs_vec3 point[3] = {{0, 0, 1}, {.1, 0, 1}, {.2, 0, 1}};
    vs_beam_def def = vs_beam_def_default();
    def.nodes = 3, def.point = point, def.along_y = .01;
    vs_flexible_id beam;
    must(vs_world_add_beam(s.world, &def, &beam), s.context);
    start_rig(&s);
    const double h = s.options.step, speed = standard_gravity * h;
    for (int k = 0; k < 10; k++)
        (void)take_step(&s);
    vs_body_state end = state_of(&s, view_of(&s, beam).body[2]);
    assert_vec(end.velocity, ((vs_vec3){0, 0, -speed}), 1e-9);
    assert_vec(end.pose.position, ((vs_vec3){.2, 0, 1 - 10 * h * speed}), 1e-9);
    close_rig(&s);
}

// A pier, 2 x 0.25 m wide and 2 x 1 m high, tips about its edge; a frictionless ball pushes its back at a height of 1.6 m
// until it would fall by itself. Moments about the edge: N s = W (b cos - h sin), s: height of the ball along the back.
// Each step has to move the pier from rest, which takes I omega/(h s) more, a thousandth of the weight here.
static void test_push_over_follows_equilibria_past_the_peak(void **state) {
    (void)state;
    const double b = .25, height = 1, radius = .1, at = 1.6, speed = .002;
    rig s;
    open_rig(&s, .7, 0, true);
    s.options.scheme = VS_SCHEME_QUASI_STATIC;
    s.options.step = .1;
    const vs_body_id pier = add_box(&s, (vs_vec3){b, b, height}, 2000, (vs_vec3){0, 0, height}, VS_ZERO3);
    vs_material smooth = vs_material_default();
    smooth.mu = 0;
    int material;
    must(vs_world_add_material(s.world, &smooth, "smooth", &material), s.context);
    vs_body_def def = vs_body_def_default();
    def.motion = VS_MOTION_KINEMATIC, def.velocity.x = speed;
    def.pose.position = (vs_vec3){-b - radius, 0, at};
    vs_body_id press;
    must(vs_world_add_body(s.world, &def, &press), s.context);
    vs_collider_def collider = vs_collider_def_default();
    collider.body = press, collider.material = material;
    must(vs_shape_sphere(s.context, radius, &collider.shape), s.context);
    must(vs_world_add_collider(s.world, &collider, NULL), s.context);
    vs_shape_release(collider.shape);
    start_rig(&s);
    const double weight = 8 * b * b * height * 2000 * standard_gravity;
    double peak = 0, worst = 0, last = 0;
    for (int k = 0; k < 1900; k++) { // 0.38 m
        (void)take_step(&s);
        double force = 0;
        for (int c = 0; c < vs_simulation_get_event_count(s.simulation); c++) {
            vs_contact_event event;
            must(vs_simulation_get_event_at(s.simulation, c, &event), s.context);
            if (event.a.index == press.index || event.b.index == press.index)
                force = hypot(event.impulse.x, event.impulse.z) / s.options.step;
        }
        const vs_quat q = state_of(&s, pier).pose.rotation;
        const double turn = 2 * atan2(q.y, q.w), x = state_of(&s, press).pose.position.x - b;
        const double arm = at * cos(turn) + x * sin(turn);
        const double exact = weight * (b * cos(turn) - height * sin(turn)) / arm;
        if (k > 5)
            worst = fmax(worst, fabs(force - exact));
        peak = fmax(peak, force), last = force;
    }
    printf("  largest force %.1f N, at the end %.1f N; error at most %.2e of the weight\n", peak, last, worst / weight);
    const double inertia = weight / standard_gravity * 4 / 3 * (b * b + height * height); // about the edge
    const double from_rest = inertia * speed / at / (s.options.step * at);
    assert_true(worst < 1.5 * from_rest);
    assert_relative(peak, weight * b / at + from_rest, 1e-3);
    assert_true(last < .1 * peak);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_body_falls_the_same_in_each_step),
        cmocka_unit_test(test_beam_falls_the_same_in_each_step),
        cmocka_unit_test(test_push_over_follows_equilibria_past_the_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
