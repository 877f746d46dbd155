// Static and kinetic friction, friction over speed, and friction with a grain, against closed forms on inclines.
#include "step/worlds.h"

#include "kit/snapshot.h"

static const double L = .1, density = 1000; // m, half edges of a cube; kg/m^3

static vs_body_id open_cube(rig *s, vs_material material, double angle, vs_vec3 velocity, double h) {
    open_rig(s, material.mu, angle, true);
    must(vs_world_set_material_pair(s->world, s->material, s->material, &material), s->context);
    s->options.step = h;
    vs_body_id cube = add_box(s, (vs_vec3){L, L, L}, density, (vs_vec3){0, 0, L}, velocity);
    start_rig(s);
    return cube;
}

static double speed_after(rig *s, vs_body_id cube, double time) {
    for (int k = 0; k < (int)(time / s->options.step + .5); k++) {
        const vs_step_report report = take_step(s);
        assert_true(report.flow.friction >= -1e-12);
    }
    return state_of(s, cube).velocity.x;
}

// Between atan mu_k and atan mu_s a cube stays until it is pushed; then it runs with g (sin - mu_k cos), once it has slid by
// many times the length of weakening.
static void cube_stays_until_it_is_pushed(void **state) {
    (void)state;
    const double angle = 25 * pi / 180, h = .001; // tan: .466
    for (int soft = 0; soft < 2; soft++) {
        vs_material material = vs_material_default();
        material.mu = .3, material.static_mu = .6, material.weakening = soft ? 1e-3 : 0,
        material.healing = soft ? .1 : 0;
        rig s;
        vs_body_id cube = open_cube(&s, material, angle, (vs_vec3){0, 0, 0}, h);
        assert_near("stays", speed_after(&s, cube, .2), 0, 1e-9);
        vs_body_state b = state_of(&s, cube);
        b.velocity.x = .2;
        must(vs_world_set_body_state(s.world, cube, &b), s.context);
        const double first = speed_after(&s, cube, .2), second = speed_after(&s, cube, .1);
        const double expected = standard_gravity * (sin(angle) - .3 * cos(angle));
        printf("  runs with %.9f m/s^2 of %.9f\n", (second - first) / .1, expected);
        assert_near("acceleration", (second - first) / .1, expected, 1e-7);
        close_rig(&s);
    }
}

// A cube that slides to rest on a level floor by weakening alone: mu falls as exp(-s/d) with the way s, so that
//
//     v0^2/2 = g (mu_k s + (mu_s - mu_k) d (1 - exp(-s/d)))
//
// to O(h v/d). Then it heals: (1 - r) falls as exp(-t/T).
static void friction_weakens_with_slip_and_heals_with_time(void **state) {
    (void)state;
    const double d = .05, v0 = 1, h = 2e-4, heals = .5;
    vs_material material = vs_material_default();
    material.mu = .2, material.static_mu = .8, material.weakening = d, material.healing = heals;
    rig s;
    vs_body_id cube = open_cube(&s, material, 0, (vs_vec3){v0, 0, 0}, h);
    double way = 0;
    for (int k = 0; k < 60; k++) { // fixed-point iteration of the equation above
        const double next = (v0 * v0 / 2 / standard_gravity - (.8 - .2) * d * (1 - exp(-way / d))) / .2;
        way += .5 * (next - way);
    }
    while (vs_length(state_of(&s, cube).velocity) > 1e-9)
        take_step(&s);
    const double slid = state_of(&s, cube).pose.position.x;
    printf("  slid %.6f m of %.6f\n", slid, way);
    assert_near("way", slid, way, 2 * h * v0); // of first order
    const double r0 = exp(-slid / d);
    const int steps = 1000;
    for (int k = 0; k < steps; k++)
        take_step(&s);
    vs_contact_view contact;
    must(vs_simulation_get_contact_at(s.simulation, 0, &contact), s.context);
    const double r = 1 - (1 - r0) * exp(-steps * h / heals);
    assert_near("mu", contact.mu, .2 + .6 * r, 2e-3); // the first step at rest, and h v0/d
    close_rig(&s);
}

// Stribeck: a cube that a slope accelerates against friction which falls with the speed reaches a state without equilibrium: the
// closed form is m v' = m g (sin - cos (mu_k + (mu_s - mu_k) exp(-v/v_s))), here by a fine Euler method.
static void friction_falls_with_speed(void **state) {
    (void)state;
    const double angle = 20 * pi / 180, vs = .3, time = .8;
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        vs_material material = vs_material_default();
        material.mu = .2, material.static_mu = .4, material.stribeck = vs;
        rig s;
        vs_body_id cube = open_cube(&s, material, angle, (vs_vec3){.1, 0, 0}, fine ? 5e-4 : 1e-3);
        const double speed = speed_after(&s, cube, time);
        double v = .1;
        const int steps = 200000;
        for (int k = 0; k < steps; k++)
            v += time / steps * standard_gravity * (sin(angle) - cos(angle) * (.2 + .2 * exp(-v / vs)));
        error[fine] = fabs(speed - v);
        printf("  %.6f m/s of %.6f\n", speed, v);
        assert_true(error[fine] < 2e-3 * v);
        close_rig(&s);
    }
    assert_true(error[1] < .6 * error[0]); // of first order
}

// Friction over the sliding speed, mu = a + b v between the points of a table: v = (v0 + a/b) exp(-g b t) - a/b on a level floor. At
// rest it holds by its first value.
static void friction_is_a_table_over_the_speed(void **state) {
    (void)state;
    const double a = .1, b = .15, v0 = 1.8, time = .5;
    double error[2];
    vs_material material = vs_material_default();
    material.mu_table = (vs_speed_table){2, {0, 2}, {a, a + 2 * b}};
    for (int fine = 0; fine < 2; fine++) {
        rig s;
        vs_body_id cube = open_cube(&s, material, 0, (vs_vec3){v0, 0, 0}, fine ? 5e-4 : 1e-3);
        const double speed = speed_after(&s, cube, time);
        const double expected = (v0 + a / b) * exp(-standard_gravity * b * time) - a / b;
        error[fine] = fabs(speed - expected);
        printf("  %.6f m/s of %.6f\n", speed, expected);
        assert_true(error[fine] < 2e-3 * expected);
        close_rig(&s);
    }
    assert_true(error[1] < .6 * error[0]); // of first order
    for (int more = 0; more < 2; more++) {
        rig s;
        const vs_body_id cube = open_cube(&s, material, atan(more ? 1.001 * a : .999 * a), (vs_vec3){0, 0, 0}, 1e-3);
        const double speed = speed_after(&s, cube, .1);
        assert_true(more ? speed > 5e-5 : fabs(speed) < 1e-9);
        close_rig(&s);
    }
}

// On a slope that is the steepest at an angle to the grain of the floor, a cube slides: the ellipse of friction
//
//     l_u = -mu_u^2 u_u n/q,   l_w = -mu_w^2 u_w n/q,    q = sqrt(mu_u^2 u_u^2 + mu_w^2 u_w^2)
//
// integrated here by small steps. Along and across it holds up to mu and `across`.
static void friction_has_a_grain(void **state) {
    (void)state;
    const double mu = .5, across = .2, h = 1e-3;
    for (int k = 0; k < 3; k++) {
        const double turn = k < 2 ? k * pi / 2 : pi / 5, angle = k < 2 ? (k == 0 ? 26 : 11) * pi / 180 : 40 * pi / 180;
        vs_material material = vs_material_default();
        material.mu = mu, material.across = across;
        rig s;
        open_rig(&s, mu, angle, false);
        must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
        vs_shape *plane;
        must(vs_shape_plane(s.context, &plane), s.context);
        vs_collider_def floor = vs_collider_def_default();
        floor.shape = plane, floor.material = s.material, floor.grain = (vs_vec3){3 * cos(turn), 3 * sin(turn), 0};
        must(vs_world_add_collider(s.world, &floor, NULL), s.context);
        vs_shape_release(plane);
        s.options.step = h;
        vs_body_id cube = add_box(&s, (vs_vec3){L, L, L / 10}, density, (vs_vec3){0, 0, L / 10}, (vs_vec3){0, 0, 0});
        start_rig(&s);
        speed_after(&s, cube, .3);
        const vs_vec3 v = state_of(&s, cube).velocity;
        if (k < 2) { // 26 and 11 degrees are below atan .5 and atan .2
            assert_near("holds", vs_length(v), 0, 1e-9);
            close_rig(&s);
            continue;
        }
        double u = 0, w = 0;
        const int steps = 300000;
        const double gu = standard_gravity * sin(angle) * cos(turn), gw = -standard_gravity * sin(angle) * sin(turn);
        for (int i = 0; i < steps; i++) {
            const double a = i == 0 ? gu : u, b = i == 0 ? gw : w, q = hypot(mu * a, across * b);
            u += .3 / steps * (gu - standard_gravity * cos(angle) * mu * mu * a / q);
            w += .3 / steps * (gw - standard_gravity * cos(angle) * across * across * b / q);
        }
        const double along = v.x * cos(turn) + v.y * sin(turn), over = v.y * cos(turn) - v.x * sin(turn);
        printf("  along the grain %.6f m/s of %.6f, across %.6f of %.6f\n", along, u, over, w);
        assert_near("along", along, u, 1e-5); // of the reference
        assert_near("across", over, w, 1e-5);
        vs_contact_view contact;
        must(vs_simulation_get_contact_at(s.simulation, 0, &contact), s.context);
        assert_near("velocity of a contact", vs_length(vs_subtract(contact.velocity, v)), 0, 1e-6);
        close_rig(&s);
    }
}

static void remembered_friction_continues_with_the_same_bits(void **state) {
    (void)state;
    rig s[2];
    vs_body_id cube[2];
    vs_material material = vs_material_default();
    material.mu = .3, material.static_mu = .6, material.weakening = .01, material.healing = .1;
    for (int k = 0; k < 2; k++)
        cube[k] = open_cube(&s[k], material, .4, (vs_vec3){.3, 0, 0}, 1e-3);
    for (int k = 0; k < 10; k++)
        take_step(&s[0]);
    snapshot saved = take_snapshot(s[0].simulation, s[0].context);
    use_snapshot(s[1].simulation, &saved, s[1].context);
    assert_int_equal(vs_simulation_restore(s[1].simulation, saved.bytes, saved.count - 8), VS_ERROR_DATA);
    for (int k = 0; k < 10; k++)
        take_step(&s[0]), take_step(&s[1]);
    const vs_body_state one = state_of(&s[0], cube[0]), other = state_of(&s[1], cube[1]);
    assert_memory_equal(&one, &other, sizeof one);
    free_snapshot(&saved);
    close_rig(&s[0]);
    close_rig(&s[1]);
}

static void what_has_no_meaning_is_refused(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    const vs_material wrong[] = {{.mu = .5, .static_mu = .4},
                                 {.mu = .5, .static_mu = .6, .stribeck = 1, .weakening = 1},
                                 {.mu = 0, .across = .4},
                                 {.mu = .5, .damping = 1},
                                 {.mu = .5, .stiffness = -1},
                                 {.mu = .5, .stiffness = 1, .compliance = 1},
                                 {.static_mu = .6, .mu_table = {1, {0}, {.5}}},
                                 {.mu_table = {1, {0}, {-.5}}},
                                 {.mu_table = {2, {1, 1}, {.5, .5}}}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(vs_world_add_material(s.world, &wrong[k], NULL, NULL), VS_ERROR_ARGUMENT);
    const vs_material right = {.mu = .5, .static_mu = .6};
    must(vs_world_add_material(s.world, &right, NULL, NULL), s.context);
    s.options.accuracy = 1e-3;
    start_rig(&s);
    assert_int_equal(vs_simulation_step(s.simulation, NULL), VS_ERROR_ARGUMENT);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_stays_until_it_is_pushed),
        cmocka_unit_test(friction_weakens_with_slip_and_heals_with_time),
        cmocka_unit_test(friction_falls_with_speed),
        cmocka_unit_test(friction_is_a_table_over_the_speed),
        cmocka_unit_test(friction_has_a_grain),
        cmocka_unit_test(remembered_friction_continues_with_the_same_bits),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
