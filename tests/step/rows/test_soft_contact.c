// Soft contacts against closed forms: duration of an impact and rebound of a linear and of a Hertzian spring, restitution by a
// damper, the period of a chain of balls, and what is right with any step.
#include "step/worlds.h"

static const double R = .05, density = 1000;

static double ball_mass(void) {
    return 4. / 3 * pi * R * R * R * density;
}

typedef struct impact {
    double duration, speed, depth; // s, from the first to the last step that presses; m/s after it; m
} impact;

// A ball that meets a floor with the speed v, without gravity.
static impact drop(vs_material material, double v, double h, vs_scheme scheme) {
    rig s;
    open_rig(&s, 0, 0, true);
    must(vs_world_set_gravity(s.world, (vs_vec3){0, 0, 0}), s.context);
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    s.options.step = h, s.options.scheme = scheme;
    vs_body_id ball = add_ball(&s, R, density, (vs_vec3){0, 0, R + 1.3 * h * v}, (vs_vec3){0, 0, -v});
    start_rig(&s);
    impact found = {0};
    for (int k = 0, ended = 0; !ended && k < 100000; k++) {
        const bool presses = take_step(&s).active > 0;
        found.duration += presses ? h : 0;
        found.depth = fmax(found.depth, R - state_of(&s, ball).pose.position.z);
        ended = !presses && found.duration > 0;
    }
    found.speed = state_of(&s, ball).velocity.z;
    close_rig(&s);
    return found;
}

// A linear spring presses for pi/w and gives all back; both schemes. Errors of h w = .02.
static void linear_spring_has_its_duration(void **state) {
    (void)state;
    vs_material material = {.stiffness = 1e5};
    const double v = .5, w = sqrt(material.stiffness / ball_mass()), h = .02 / w;
    for (int k = 0; k < 2; k++) {
        const impact i = drop(material, v, h, k == 0 ? VS_SCHEME_MOREAU : VS_SCHEME_SHAKE);
        printf("  duration %.5f of pi/w, speed %.6f, depth %.6f of v/w\n", i.duration * w / pi, i.speed / v,
               i.depth * w / v);
        assert_near("duration", i.duration * w / pi, 1, .01); // two steps of 157
        assert_near("speed", i.speed / v, 1, 1e-4);           // (h w)^2/12
        assert_near("depth", i.depth * w / v, 1, 1e-3);       // (h w)^2
    }
}

// Hertz: depth (5 m v^2/(4 K))^(2/5), duration 2.943275 depth/v.
static void hertzian_spring_has_its_duration(void **state) {
    (void)state;
    const vs_material material = {.hertz = 1e7};
    const double v = .5, depth = pow(5 * ball_mass() * v * v / (4 * material.hertz), .4), T = 2.943275 * depth / v;
    const impact i = drop(material, v, T / 200, VS_SCHEME_MOREAU);
    printf("  duration %.5f, speed %.6f, depth %.6f\n", i.duration / T, i.speed / v, i.depth / depth);
    assert_near("duration", i.duration / T, 1, .01); // two steps of 200
    assert_near("speed", i.speed / v, 1, 1e-4);
    assert_near("depth", i.depth / depth, 1, 1e-3);
}

// With a damper the rebound is that of m x'' + d x' + k x = 0 until the force would pull, here by the Runge-Kutta method.
static void damper_gives_restitution(void **state) {
    (void)state;
    const double v = .5, k = 1e5, m = ball_mass(), w = sqrt(k / m);
    for (int i = 1; i < 4; i++) {
        const double zeta = .1 * i, d = 2 * zeta * m * w;
        const vs_material material = {.stiffness = k, .damping = d};
        double x = 0, u = v, t = 1e-4 / w;
        do {
            const double k1 = -(k * x + d * u) / m, k2 = -(k * (x + .5 * t * u) + d * (u + .5 * t * k1)) / m;
            x += t * (u + .5 * t * k1), u += t * k2; // midpoint rule
        } while (k * x + d * u > 0);
        const impact got = drop(material, v, .01 / w, VS_SCHEME_MOREAU);
        printf("  zeta %.1f: restitution %.5f of %.5f\n", zeta, got.speed / v, -u / v);
        assert_near("restitution", got.speed / v, -u / v, 2e-3); // h w = .01
    }
}

// Balls between two walls, pressed together: the lowest of their modes has w = 2 sqrt(k/m) sin(pi/(2 (n + 1))), the speed of long
// waves is 2 R sqrt(k/m).
static void chain_has_its_period(void **state) {
    (void)state;
    enum { BALLS = 7 };
    const double k = 1e5, m = ball_mass(), squeeze = 1e-3, w = 2 * sqrt(k / m) * sin(pi / (2 * (BALLS + 1)));
    const vs_material material = {.stiffness = k};
    rig s;
    open_rig(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, (vs_vec3){0, 0, 0}), s.context);
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    const double pitch = 2 * R - squeeze;
    vs_body_id ball[BALLS];
    for (int i = 0; i < BALLS; i++)
        ball[i] = add_ball(&s, R, density, (vs_vec3){i * pitch, 0, 0},
                           (vs_vec3){.01 * sin(pi * (i + 1) / (BALLS + 1)), 0, 0});
    for (int i = 0; i < 2; i++) {
        vs_shape *wall;
        must(vs_shape_box(s.context, (vs_vec3){.1, 1, 1}, &wall), s.context);
        vs_collider_def collider = vs_collider_def_default();
        collider.shape = wall, collider.material = s.material;
        collider.pose.position.x = i == 0 ? -R + squeeze - .1 : (BALLS - 1) * pitch + R - squeeze + .1;
        must(vs_world_add_collider(s.world, &collider, NULL), s.context);
        vs_shape_release(wall);
    }
    s.options.step = .02 / w;
    start_rig(&s);
    // It passes its place again after half a period.
    double before = 0, now = 0, time = 0;
    const double middle = BALLS / 2 * pitch;
    do {
        before = now;
        take_step(&s);
        time += s.options.step;
        now = state_of(&s, ball[BALLS / 2]).pose.position.x - middle;
    } while (now > 0);
    time -= s.options.step * now / (now - before);
    const double speed = 2 * R * w / (pi / (BALLS + 1)); // of waves of this length
    printf("  half a period %.5f of pi/w; waves of %.3f m run with %.3f m/s\n", time * w / pi, 2 * (BALLS + 1) * 2 * R,
           speed);
    assert_near("half a period", time * w / pi, 1, 1e-3);
    close_rig(&s);
}

// A step that is far too long for the spring: no energy is created, and the ball rests at the depth m g/k.
static void long_steps_create_no_energy(void **state) {
    (void)state;
    vs_material material = {.mu = .5, .stiffness = 1e6};
    rig s;
    open_rig(&s, .5, 0, true);
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    s.options.step = .01; // h w = 14
    vs_body_id ball = add_ball(&s, R, density, (vs_vec3){0, 0, 4 * R}, (vs_vec3){0, 0, 0});
    start_rig(&s);
    const double begin = ball_mass() * standard_gravity * 4 * R;
    for (int k = 0; k < 200; k++) {
        const vs_step_report report = take_step(&s);
        assert_true(report.energy.kinetic + report.energy.potential <= begin * (1 + 1e-12));
    }
    assert_near("depth", R - state_of(&s, ball).pose.position.z, ball_mass() * standard_gravity / material.stiffness,
                1e-9);
    close_rig(&s);
}

// Of two materials the springs are in series.
static void springs_of_two_materials_are_in_series(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    const vs_material a = {.mu = .5, .stiffness = 3e5, .hertz = 8e6},
                      b = {.mu = .5, .stiffness = 6e5, .hertz = 8e6, .damping = 2};
    int i, j;
    must(vs_world_add_material(s.world, &a, NULL, &i), s.context);
    must(vs_world_add_material(s.world, &b, NULL, &j), s.context);
    const vs_material pair = vs_world_get_material_pair(s.world, i, j),
                      one = vs_world_get_material_pair(s.world, i, s.material);
    assert_near("stiffness", pair.stiffness, 2e5, 1e-9 * 2e5);
    assert_near("hertz", pair.hertz, 8e6 / pow(2, 1.5), 1e-9 * 8e6);
    assert_near("with a rigid one", one.stiffness, 3e5, 0);
    assert_near("damping", pair.damping, 2, 0);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_spring_has_its_duration), cmocka_unit_test(hertzian_spring_has_its_duration),
        cmocka_unit_test(damper_gives_restitution),       cmocka_unit_test(chain_has_its_period),
        cmocka_unit_test(long_steps_create_no_energy),    cmocka_unit_test(springs_of_two_materials_are_in_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
