// Rolling and spinning friction and adhesion in steps, against closed forms: a ball of radius R that rolls, slides and
// spins to rest, faces that have no rolling friction, a ball that hangs, a ball on an incline that adheres.
#include "step/worlds.h"

static const double R = .05, density = 1000;

static double ball_mass(void) {
    return 4. / 3 * pi * R * R * R * density;
}

static void set_spin(rig *s, vs_body_id ball, vs_vec3 spin) {
    vs_body_state b = state_of(s, ball);
    b.spin = spin;
    must(vs_world_set_body_state(s->world, ball, &b), s->context);
}

// A floor and a ball of the same material, which has these coefficients.
static vs_body_id open_ball(rig *s, vs_material material, double angle, vs_vec3 velocity, vs_vec3 spin, double h) {
    open_rig(s, material.mu, angle, true);
    must(vs_world_set_material_pair(s->world, s->material, s->material, &material), s->context);
    s->options.step = h;
    vs_body_id ball = add_ball(s, R, density, (vs_vec3){0, 0, R}, velocity);
    set_spin(s, ball, spin);
    start_rig(s);
    return ball;
}

// Steps until the ball neither moves nor spins; s. *lost: J, by friction.
static double wait_for_rest(rig *s, vs_body_id ball, double most, double *lost) {
    *lost = 0;
    for (;;) {
        vs_step_report report = take_step(s);
        vs_body_state b = state_of(s, ball);
        *lost += report.flow.friction;
        assert_true(report.flow.friction >= -1e-15);
        assert_near("height", b.pose.position.z, R, 1e-9);
        if (vs_length(b.velocity) < 1e-9 && vs_length(b.spin) < 1e-9 / R)
            return report.time;
        if (report.time > most)
            fail_msg("still moving after %g s: %g m/s, %g 1/s", most, vs_length(b.velocity), vs_length(b.spin));
    }
}

// a = 5 mu_r g / (7 R): with mu_r = 7 R v0 / (5 g T) it rests after T and v0 T / 2, all of 7/10 m v0^2 is lost.
static void ball_rolls_to_rest(void **state) {
    (void)state;
    const double v0 = 1, T = 2;
    for (int k = 0; k < 2; k++) {
        const double h = k == 0 ? .01 : .0025;
        vs_material material = vs_material_default();
        material.mu = .5, material.rolling = 7 * R * v0 / (5 * standard_gravity * T);
        rig s;
        vs_body_id ball = open_ball(&s, material, 0, (vs_vec3){v0, 0, 0}, (vs_vec3){0, v0 / R, 0}, h);
        double lost, time = wait_for_rest(&s, ball, 3, &lost);
        printf("  h = %g s: rests after %.5f s, %.5f m, %.6f J\n", h, time, state_of(&s, ball).pose.position.x, lost);
        assert_near("time", time, T, 1e-9);
        // The scheme moves by the velocity at the end of the step: v0 h / 2 less.
        assert_near("way", state_of(&s, ball).pose.position.x, v0 * T / 2 - v0 * h / 2, 1e-9);
        assert_near("energy", lost, .7 * ball_mass() * v0 * v0, 1e-9);
        close_rig(&s);
    }
}

// Spinning about the vertical: I w' = -mu_s m g, T = .4 R^2 w0 / (mu_s g).
static void ball_spins_to_rest(void **state) {
    (void)state;
    const double w0 = 20, T = 2;
    vs_material material = vs_material_default();
    material.spinning = .4 * R * R * w0 / (standard_gravity * T);
    rig s;
    vs_body_id ball = open_ball(&s, material, 0, (vs_vec3){0, 0, 0}, (vs_vec3){0, 0, w0}, .01);
    double lost, time = wait_for_rest(&s, ball, 3, &lost);
    printf("  rests after %.5f s\n", time);
    assert_near("time", time, T, 1e-9);
    assert_near("energy", lost, .2 * ball_mass() * R * R * w0 * w0, 1e-9);
    close_rig(&s);
}

// A disc that slides at v and spins at w about its axis, on one point and kept upright by its inertia: m_S <= 2/3 mu R l_n,
// that of a uniform pressure. Separate limits end sliding after v / (mu g) and spinning after 3/4 R w / (mu g); with one limit
// for both, v' = -mu g v / s and R w' = -2 (2/3)^2 mu g R w / s, s^2 = v^2 + (2/3 R w)^2, they end together, .638 s after
// v = R w = 1 m/s (integrated to 1e-3 s).
static void coupled_sliding_and_spinning_end_together(void **state) {
    (void)state;
    const double mu = .2, h = 1e-3;
    for (int elliptic = 0; elliptic < 2; elliptic++) {
        rig s;
        vs_material material = vs_material_default();
        material.mu = mu, material.spinning = 2. / 3 * mu * R;
        material.coupling = elliptic ? VS_COUPLING_ELLIPTIC : VS_COUPLING_SEPARATE;
        open_rig(&s, mu, 0, true);
        must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
        s.options.step = h;
        vs_body_def def = vs_body_def_default();
        def.mass = 1, def.pose.position = (vs_vec3){0, 0, R}, def.velocity = (vs_vec3){1, 0, 0};
        def.spin = (vs_vec3){0, 0, 1 / R};
        def.inertia = (vs_mat3){{1e9, 0, 0, 0, 1e9, 0, 0, 0, .5 * R * R}};
        vs_body_id disc;
        vs_shape *ball;
        must(vs_world_add_body(s.world, &def, &disc), s.context);
        must(vs_shape_sphere(s.context, R, &ball), s.context);
        vs_collider_def collider = vs_collider_def_default();
        collider.shape = ball, collider.body = disc, collider.material = s.material;
        must(vs_world_add_collider(s.world, &collider, NULL), s.context);
        vs_shape_release(ball);
        start_rig(&s);
        double slides = 0, spins = 0;
        for (int step = 1; step <= 800; step++) {
            take_step(&s);
            vs_body_state b = state_of(&s, disc);
            slides = fabs(b.velocity.x) > 1e-6 ? step * h : slides;
            spins = fabs(b.spin.z) > 1e-6 / R ? step * h : spins;
        }
        printf("  %s: slides until %.3f s, spins until %.3f s\n", elliptic ? "elliptic" : "separate", slides, spins);
        assert_near("slides", slides, elliptic ? .638 : 1 / (mu * standard_gravity), 2 * h);
        assert_near("spins", spins, elliptic ? .638 : .75 / (mu * standard_gravity), 2 * h);
        close_rig(&s);
    }
}

// Sliding ends at v0 / (g (mu + 5/2 (mu - mu_r / R))); it then rolls until it rests. The step after each is the first to
// see it.
static void ball_slides_then_rolls_to_rest(void **state) {
    (void)state;
    const double mu = .2, v0 = 2, h = 5e-4;
    const double rolling[2] = {0, .02 * R}, rolls_at[2] = {.29125, .31365}, rests_at = 10.19368;
    for (int k = 0; k < 2; k++) {
        vs_material material = vs_material_default();
        material.mu = mu, material.rolling = rolling[k];
        rig s;
        vs_body_id ball = open_ball(&s, material, 0, (vs_vec3){v0, 0, 0}, (vs_vec3){0, 0, 0}, h);
        double began = 0;
        while (began == 0) {
            vs_step_report report = take_step(&s);
            vs_body_state b = state_of(&s, ball);
            if (fabs(b.velocity.x - R * b.spin.y) < 1e-9 * v0)
                began = report.time;
            assert_true(report.time < 1);
        }
        assert_near("begins to roll", began, rolls_at[k], h);
        double lost = 0, time = k == 0 ? 0 : wait_for_rest(&s, ball, 11, &lost);
        printf("  rolls after %.5f s, rests after %.5f s\n", began, time);
        if (k == 1)
            assert_near("rests", time, rests_at, h);
        close_rig(&s);
    }
}

// The relaxed model throws a rolling ball up at the speed mu_r |w| = .1 m/s.
static void relaxed_model_lifts_a_rolling_ball(void **state) {
    (void)state;
    vs_material material = vs_material_default();
    material.rolling = .1 * R;
    rig s;
    open_rig(&s, .5, 0, true);
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    s.options.solver.model = VS_MODEL_RELAXED;
    s.options.solver.tolerance = 1e-8;
    vs_body_id ball = add_ball(&s, R, density, (vs_vec3){0, 0, R}, (vs_vec3){1, 0, 0});
    set_spin(&s, ball, (vs_vec3){0, 1 / R, 0});
    start_rig(&s);
    double lift = 0;
    for (int k = 0; k < 10; k++) {
        take_step(&s);
        lift = fmax(lift, state_of(&s, ball).pose.position.z - R);
    }
    const double up = .1, height = up * up / (2 * standard_gravity);
    assert_true(lift > height && lift < height + up * s.options.step);
    close_rig(&s);
}

// A box stands on four points: it has no rolling friction, and its contacts three rows.
static void faces_have_no_rolling_friction(void **state) {
    (void)state;
    vs_material material = vs_material_default();
    material.rolling = material.spinning = .01;
    rig s;
    open_rig(&s, .5, 0, true);
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    add_box(&s, (vs_vec3){.1, .1, .1}, density, (vs_vec3){0, 0, .1}, (vs_vec3){1, 0, 0});
    add_ball(&s, R, density, (vs_vec3){1, 0, R}, (vs_vec3){1, 0, 0});
    start_rig(&s);
    take_step(&s);
    assert_int_equal(vs_simulation_get_contact_count(s.simulation), 5);
    int with = 0;
    for (int k = 0; k < 5; k++) {
        vs_contact_view view;
        must(vs_simulation_get_contact_at(s.simulation, k, &view), s.context);
        with += vs_length(view.moment) > 0;
        // |m_R| <= rolling l_n, |m_S| <= spinning l_n
        assert_true(vs_length(view.moment) <= sqrt(2) * .01 * vs_dot(view.impulse, view.normal) * (1 + 1e-9));
    }
    assert_int_equal(with, 1);
    close_rig(&s);
}

// A pyramid of 14 balls, slightly disturbed, one second after its release: mean height of the centres over R, less 1.
static double settle_heap(double rolling) {
    enum { LEVELS = 3 };
    rig s;
    open_rig(&s, .5, 0, true);
    vs_material material = vs_material_default();
    material.rolling = material.spinning = rolling;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    s.options.step = 1. / 240;
    s.options.solver.tolerance = 1e-8;
    vs_body_id ball[LEVELS * LEVELS * LEVELS];
    int count = 0;
    for (int level = 0; level < LEVELS; level++)
        for (int k = 0, side = LEVELS - level; k < side * side; k++, count++) {
            double x = (k % side - .5 * (side - 1)) * 2.02 * R, y = (k / side - .5 * (side - 1)) * 2.02 * R;
            vs_vec3 at = {x + 1e-2 * R * sin(7. * count), y + 1e-2 * R * cos(5. * count), R * (1 + 1.43 * level)};
            ball[count] = add_ball(&s, R, density, at, (vs_vec3){0, 0, 0});
        }
    start_rig(&s);
    double height = 0;
    for (int step = 0; step < 240; step++) {
        double energy = take_step(&s).energy.potential;
        for (int k = 0; k < vs_simulation_get_contact_count(s.simulation); k++) {
            vs_contact_view view;
            must(vs_simulation_get_contact_at(s.simulation, k, &view), s.context);
            vs_vec3 slip = vs_add_scaled(view.velocity, -vs_dot(view.velocity, view.normal), view.normal);
            assert_true(vs_dot(view.impulse, slip) <= 1e-8 * energy); // friction takes energy, to the tolerance
            assert_true(vs_length(view.moment) <= hypot(rolling, rolling) * vs_dot(view.impulse, view.normal) + 1e-12);
        }
    }
    for (int k = 0; k < count; k++)
        height += (state_of(&s, ball[k]).pose.position.z / R - 1) / count;
    close_rig(&s);
    return height;
}

// Solved to 1e-13, no contact gains energy by friction in any step, to 1e-12 of what there is to lose.
static void no_contact_gains_energy(void **state) {
    (void)state;
    double worst = 0, most = 0;
    for (int elliptic = 0; elliptic < 2; elliptic++) {
        rig s;
        vs_material material = vs_material_default();
        material.rolling = .02 * R, material.spinning = .01 * R;
        material.coupling = elliptic ? VS_COUPLING_ELLIPTIC : VS_COUPLING_SEPARATE;
        open_rig(&s, .5, 0, true);
        must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
        s.options.step = 1. / 240;
        s.options.solver.tolerance = 1e-13;
        for (int k = 0; k < 14; k++) {
            double x = (k % 3 - 1) * 2.05 * R, y = (k / 3 % 3 - 1) * 2.05 * R;
            vs_vec3 at = {x + .3 * R * (k / 9), y + .4 * R * (k / 9), R * (1 + 2 * (k / 9))};
            vs_body_id ball = add_ball(&s, R, density, at, (vs_vec3){.3 * sin(7. * k), .3 * cos(5. * k), 0});
            set_spin(&s, ball, (vs_vec3){5 * cos(3. * k), 5 * sin(11. * k), 10});
        }
        start_rig(&s);
        for (int step = 0; step < 60; step++) {
            vs_step_report report = take_step(&s);
            double energy = report.energy.kinetic + report.energy.potential;
            for (int k = 0; k < vs_simulation_get_contact_count(s.simulation); k++) {
                vs_contact_view view;
                must(vs_simulation_get_contact_at(s.simulation, k, &view), s.context);
                worst = fmin(worst, view.dissipation / energy), most = fmax(most, view.dissipation / energy);
            }
        }
        close_rig(&s);
    }
    printf("  dissipation of a contact in a step from %.1e to %.1e of the energy\n", worst, most);
    assert_true(worst >= -1e-12);
    assert_true(most > 1e-4); // they do slide
}

// Without rolling friction the balls spread out; with more of it the heap stays higher.
static void heaps_are_higher_with_rolling_friction(void **state) {
    (void)state;
    const double rolling[4] = {0, .01, .02, .05}; // R
    double height[4];
    for (int k = 0; k < 4; k++) {
        height[k] = settle_heap(rolling[k] * R);
        printf("  rolling friction %.2f R: mean height %.3f R\n", rolling[k], height[k]);
        assert_true(k == 0 || height[k] > height[k - 1] + .03);
    }
}

// Under a ceiling a ball hangs if and only if the adhesion is at least its weight.
static void ball_hangs_from_a_ceiling(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        rig s;
        open_rig(&s, .5, 0, false);
        vs_material material = vs_material_default();
        material.adhesion = ball_mass() * standard_gravity * (k == 0 ? .999 : 1.001);
        must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
        vs_shape *plane;
        must(vs_shape_plane(s.context, &plane), s.context);
        vs_collider_def collider = vs_collider_def_default();
        collider.shape = plane, collider.material = s.material;
        collider.pose = (vs_pose){{0, 0, 1}, {0, 1, 0, 0}}; // half a turn about x: it faces down
        must(vs_world_add_collider(s.world, &collider, NULL), s.context);
        vs_shape_release(plane);
        vs_body_id ball = add_ball(&s, R, density, (vs_vec3){0, 0, 1 - R}, (vs_vec3){0, 0, 0});
        start_rig(&s);
        for (int step = 0; step < 400; step++)
            take_step(&s);
        double fall = 1 - R - state_of(&s, ball).pose.position.z;
        if (k == 0) {
            assert_true(fall > 1e-4);
        } else {
            assert_near("hangs", fall, 0, 1e-9);
            vs_contact_view view;
            must(vs_simulation_get_contact_at(s.simulation, 0, &view), s.context);
            double pull = ball_mass() * standard_gravity * s.options.step;
            assert_near("impulse", view.impulse.z, pull, 1e-9 * pull);
        }
        close_rig(&s);
    }
}

// A block on an incline that adheres with p at each of its four corners begins to slide where
// m g sin = mu (m g cos + 4 p).
static void block_that_adheres_slides_later(void **state) {
    (void)state;
    const vs_vec3 half = {.1, .1, .02};
    const double mass = 8 * half.x * half.y * half.z * density, mu = .3, angle = 40 * pi / 180;
    const double needed = mass * standard_gravity * (sin(angle) / mu - cos(angle)) / 4;
    for (int k = 0; k < 2; k++) {
        rig s;
        open_rig(&s, mu, angle, true);
        vs_material material = vs_material_default();
        material.mu = mu, material.adhesion = needed * (k == 0 ? .99 : 1.01);
        must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
        vs_body_id box = add_box(&s, half, density, (vs_vec3){0, 0, half.z}, (vs_vec3){0, 0, 0});
        start_rig(&s);
        for (int step = 0; step < 200; step++)
            take_step(&s);
        double speed = state_of(&s, box).velocity.x, time = 200 * s.options.step;
        double excess = standard_gravity * (sin(angle) - mu * cos(angle)) - 4 * mu * material.adhesion / mass;
        assert_near("speed", speed, k == 0 ? excess * time : 0, 1e-6);
        close_rig(&s);
    }
}

// A ball that comes near does not adhere before it has touched: it flies by.
static void nothing_pulls_through_a_gap(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    vs_material material = vs_material_default();
    material.adhesion = 1000;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    s.options.envelope = .01;
    vs_body_id ball = add_ball(&s, R, density, (vs_vec3){0, 0, R + .005}, (vs_vec3){1, 0, .1});
    start_rig(&s);
    take_step(&s);
    assert_near("vertical", state_of(&s, ball).velocity.z, .1 - standard_gravity * s.options.step, 1e-12);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_rolls_to_rest),
        cmocka_unit_test(ball_spins_to_rest),
        cmocka_unit_test(coupled_sliding_and_spinning_end_together),
        cmocka_unit_test(ball_slides_then_rolls_to_rest),
        cmocka_unit_test(relaxed_model_lifts_a_rolling_ball),
        cmocka_unit_test(faces_have_no_rolling_friction),
        cmocka_unit_test(no_contact_gains_energy),
        cmocka_unit_test(heaps_are_higher_with_rolling_friction),
        cmocka_unit_test(ball_hangs_from_a_ceiling),
        cmocka_unit_test(block_that_adheres_slides_later),
        cmocka_unit_test(nothing_pulls_through_a_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
