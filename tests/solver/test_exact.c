// Exact Coulomb friction against closed forms: one contact, a box on four, inclines, joints, compliance, box rows.
//
//   slides    u_n = 0,  l_T = -mu l_n u_T/|u_T|         (the relaxed model opens at mu |u_T|)
//   sticks    u = 0,    |l_T| <= mu l_n
//   lifts off l = 0,    u_n > 0
//
// Tolerances: solved to 1e-12 (root of energy error over e0), which bounds velocities by 1e-12 of the largest free one
// times a condition of at most 100 (arms, friction, redundant contacts): 1e-10. Impulses the same times the mass.
#include "exact.h"

static const double tolerance = 1e-12, near = 1e-10;
static const double up[3] = {0, 0, 1};

// ---- one contact ---------------------------------------------------------------------------------------------

// Solves a point on a plane and compares v and the impulse H (v - v_free).
static void check_point(vs_context *context, const char *name, const scene *s, const double v_free[3],
                        const double v[3]) {
    outcome o = solve_exactly(context, s, tolerance);
    assert_converged(name, &o);
    double sum[6], mass = s->body[0].H[0], speed = largest(v_free, 3), expected[3];
    sum_on_body(s, 0, o.lambda, sum);
    for (int k = 0; k < 3; k++)
        expected[k] = mass * (v[k] - v_free[k]);
    assert_all_near(name, o.v, v, 3, near * speed);
    assert_all_near(name, sum, expected, 3, near * speed * mass);
    free_outcome(&o);
}

// v_t = v_0 - mu g h along v_0, v_n = 0; friction is mu times the weight, against the motion.
static void sliding_block_stays_on_the_plane(void **state) {
    const double mass = 2, mu = .4;
    for (int k = 0; k < 24; k++) {
        double angle = k * .7, speed = pow(10, k % 5 - 1), fall = gravity * time_step;
        double v_free[3] = {speed * cos(angle), speed * sin(angle), -fall};
        double after = speed - mu * fall, v[3] = {after * cos(angle), after * sin(angle), 0};
        scene s = make_point(mass, up, mu, v_free);
        check_point(context_of(state), "sliding block", &s, v_free, v);

        outcome o = solve_exactly(context_of(state), &s, tolerance);
        assert_near("normal velocity", o.y[0], 0, near * speed);
        assert_near("friction", hypot(o.lambda[1], o.lambda[2]), mu * o.lambda[0], near * mass * speed);
        assert_true(o.lambda[1] * o.y[1] + o.lambda[2] * o.y[2] < 0);
        free_outcome(&o);
        free_scene(&s);
    }
}

// The same block, relaxed: v_t = (v_0 - mu g h)/(1 + mu^2) and v_n = mu v_t, the known lift. Exact has none.
static void exact_differs_from_relaxed_by_the_lift(void **state) {
    const double mass = 2, fall = gravity * time_step;
    for (int k = 1; k <= 8; k++) {
        double mu = .1 * k, v0 = 1.5, v_free[3] = {v0, 0, -fall};
        scene s = make_point(mass, up, mu, v_free);
        vs_solver_options options = exact_options(tolerance);
        outcome exact = solve_scene(context_of(state), &s, &options);
        options.model = VS_MODEL_RELAXED;
        outcome relaxed = solve_scene(context_of(state), &s, &options);
        assert_converged("exact", &exact);
        assert_converged("relaxed", &relaxed);
        double slip = (v0 - mu * fall) / (1 + mu * mu);
        assert_near("relaxed slip", relaxed.v[0], slip, near * v0);
        assert_near("lift", relaxed.y[0] - exact.y[0], mu * slip, near * v0);
        free_outcome(&exact), free_outcome(&relaxed);
        free_scene(&s);
    }
}

// Below mu g h it stops: v = 0. The limit itself is on both branches.
static void pushed_block_sticks_up_to_the_friction_limit(void **state) {
    const double mass = 2, mu = .4, fall = gravity * time_step, v[3] = {0}, share[] = {0, .3, .9, .999999, 1};
    for (int k = 0; k < 5; k++) {
        double v_free[3] = {share[k] * mu * fall * .6, share[k] * mu * fall * -.8, -fall};
        scene s = make_point(mass, up, mu, v_free);
        check_point(context_of(state), "sticking block", &s, v_free, v);
        free_scene(&s);
    }
}

// Moving away, however slowly and however fast along the plane: no impulse, not even a small one.
static void separating_block_is_free(void **state) {
    const double away[] = {1e-6, .01, 5};
    for (int k = 0; k < 3; k++) {
        double v_free[3] = {1, -2, away[k]};
        scene s = make_point(3, up, .7, v_free);
        outcome o = solve_exactly(context_of(state), &s, tolerance);
        assert_converged("lift-off", &o);
        assert_true(o.lambda[0] == 0 && o.lambda[1] == 0 && o.lambda[2] == 0);
        assert_all_near("lift-off", o.v, v_free, 3, 1e-15 * 5); // H v = -c: roundoff
        free_outcome(&o);
        free_scene(&s);
    }
}

// b: restitution in the normal row and a belt in the tangential ones. y = Dv - b, so that v_n = b_n, and friction acts
// against the motion relative to the belt.
static void block_bounces_off_a_moving_belt(void **state) {
    const double mass = 2, mu = .3, bounce = .5, belt = -1, approach = 1;
    double v_free[3] = {.5, 0, -approach}, push = approach + bounce; // of the normal, per mass
    scene s = make_point(mass, up, mu, v_free);
    // u, w of the frame are y and -x for the normal z
    s.link[0].b[0] = bounce;
    for (int i = 1; i < 3; i++)
        s.link[0].b[i] = belt * s.link[0].J[0][3 * i];
    double v[3] = {.5 - mu * push, 0, bounce};
    assert_true(v[0] - belt > 0); // still slides
    check_point(context_of(state), "belt", &s, v_free, v);
    free_scene(&s);
}

// The normal, turned: only the frame changes.
static void sliding_does_not_depend_on_the_frame(void **state) {
    const double mass = 2, mu = .4, fall = .2, speed = 1;
    uint64_t seed = 3;
    for (int k = 0; k < 20; k++) {
        double n[3], t[3], helper[3], length, v_free[3], v[3];
        random_direction(&seed, n);
        do {
            random_direction(&seed, helper);
            cross_product(n, helper, t);
            length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        } while (length < .1);
        for (int j = 0; j < 3; j++) {
            t[j] /= length;
            v_free[j] = speed * t[j] - fall * n[j];
            v[j] = (speed - mu * fall) * t[j];
        }
        scene s = make_point(mass, n, mu, v_free);
        check_point(context_of(state), "turned plane", &s, v_free, v);
        free_scene(&s);
    }
}

// A sphere on the plane: slip u_T = v + w x r at the contact, 1/m + R^2/I = 7/(2m) along it, nothing between normal and
// tangential. Slides: l_T = mu m g h; else l_T = 2/7 m |u_T|, which stops the slip (it rolls).
static void spinning_sphere_slides_or_rolls(void **state) {
    const double mass = 3, radius = .2, mu = .25, fall = gravity * time_step, inertia = .4 * mass * radius * radius;
    const double spins[][3] = {{0, 0, 0}, {0, 40, 0}, {-7, 2, 9}, {.05, .1, 3}, {0, 5, 0}};
    const double speeds[][2] = {{2, 0}, {0, 0}, {1, -.5}, {.02, .01}, {1, 0}}; // the last rolls already
    int slides = 0;
    for (int k = 0; k < 5; k++) {
        const double *w = spins[k];
        double v_free[6] = {speeds[k][0], speeds[k][1], -fall, w[0], w[1], w[2]}, v[6] = {0}, arm[3] = {0, 0, -radius};
        scene s = {0};
        add_rigid(&s, mass, (double[3]){inertia, inertia, inertia}, v_free);
        add_contact_at(&s, FRICTION, -1, 0, up, arm, arm, mu);

        double slip[2] = {v_free[0] - radius * w[1], v_free[1] + radius * w[0]}, size = hypot(slip[0], slip[1]);
        double friction = fmin(mu * mass * fall, 2. / 7 * mass * size);
        double f[2] = {size > 0 ? -friction * slip[0] / size : 0, size > 0 ? -friction * slip[1] / size : 0};
        slides += 3.5 * mu * fall < size;
        v[0] = v_free[0] + f[0] / mass, v[1] = v_free[1] + f[1] / mass;
        // r x f = (R f_y, -R f_x, 0)
        v[3] = w[0] + radius * f[1] / inertia, v[4] = w[1] - radius * f[0] / inertia, v[5] = w[2];

        outcome o = solve_exactly(context_of(state), &s, tolerance);
        assert_converged("sphere", &o);
        assert_all_near("sphere", o.v, v, 3, near * 2);
        assert_all_near("spin", o.v + 3, v + 3, 3, near * 2 / radius);
        assert_near("weight", o.lambda[0], mass * fall, near * mass * 2);
        assert_near("friction", hypot(o.lambda[1], o.lambda[2]), friction, near * mass * 2);
        free_outcome(&o);
        free_scene(&s);
    }
    assert_int_equal(slides, 3);
}

// ---- box on four contacts ----------------------------------------------------------------------------------------

static const double half_sides[3] = {.5, .4, .25}, box_mass = 2;

// Six velocities, twelve impulses: these are not unique, their sum is. Nowhere does a corner lift.
static void check_box(vs_context *context, const char *name, double mu, const double v_free[6], const double v[6]) {
    scene s = make_box(box_mass, half_sides, mu, v_free);
    // mu |y_T| is rounded to mu times the rounding of y: at mu = 1000 less can be asked for
    const double asked = mu < 100 ? tolerance : 1e-8, within = 100 * asked;
    outcome o = solve_exactly(context, &s, asked);
    assert_converged(name, &o);
    double sum[6], speed = largest(v_free, 6), slip = hypot(v[0], v[1]);
    sum_on_body(&s, 0, o.lambda, sum);
    assert_all_near(name, o.v, v, 6, within * speed);
    for (int k = 0; k < 6; k++)
        assert_near(name, sum[k], s.body[0].H[7 * k] * (v[k] - v_free[k]), within * box_mass * speed);
    for (int k = 0; k < 4; k++) {
        const double *l = o.lambda + 3 * k;
        assert_near("corner", o.y[3 * k], 0, within * speed);
        assert_true(l[0] >= 0);
        if (slip > 1e-6)
            assert_near("cone", hypot(l[1], l[2]), mu * l[0], within * box_mass * speed);
    }
    free_outcome(&o);
    free_scene(&s);
}

static void pushed_box_slides_without_lift_off(void **state) {
    const double mu = .4, fall = gravity * time_step;
    for (int k = 0; k < 16; k++) { // friction's moment mu c < a: it does not tip
        double angle = .4 * k, v0 = k % 2 ? 2 : .1, after = v0 - mu * fall;
        double v_free[6] = {v0 * cos(angle), v0 * sin(angle), -fall}, v[6] = {after * cos(angle), after * sin(angle)};
        check_box(context_of(state), "sliding box", mu, v_free, v);
    }
}

static void pushed_box_sticks_below_the_friction_limit(void **state) {
    const double mu = .4, fall = gravity * time_step, v[6] = {0}, share[] = {0, .5, .99};
    for (int k = 0; k < 3; k++) {
        double v_free[6] = {share[k] * mu * fall * .8, share[k] * mu * fall * .6, -fall};
        check_box(context_of(state), "sticking box", mu, v_free, v);
    }
}

// Steps of h on an incline (axes of the plane, gravity turned): v <- max(0, v + h g (sin - mu cos)).
static void ride_incline(vs_context *context, double degrees, double mu, double v0, double h, int steps) {
    const double angle = degrees * acos(-1) / 180, acceleration = gravity * (sin(angle) - mu * cos(angle));
    double v[6] = {v0};
    for (int step = 0; step < steps; step++) {
        double v_free[6] = {v[0] + h * gravity * sin(angle), 0, -h * gravity * cos(angle)};
        v[0] = fmax(0, v[0] + h * acceleration);
        check_box(context, "incline", mu, v_free, v);
    }
    assert_true(acceleration < 0 ? v[0] == 0 : v[0] > v0);
}

static void box_on_inclines_accelerates_or_stops(void **state) {
    ride_incline(context_of(state), 65, .2, 0, .0025, 20);
    ride_incline(context_of(state), 25, .6, 0, .0025, 4);
    ride_incline(context_of(state), 25, .6, 2, .05, 40); // stops after 1.68 s
}

// ---- joints ------------------------------------------------------------------------------------------------------

// The joint's rows given twice change nothing.
static void check_slider(vs_context *context, const char *name, scene *s, int body, double v_x, double speed) {
    for (int redundant = 0; redundant < 2; redundant++) {
        outcome o = solve_exactly(context, s, tolerance);
        assert_converged(name, &o);
        assert_near(name, o.v[6 * body], v_x, near * speed);
        assert_near("guided", largest(o.v + 6 * body + 1, 5), 0, near * speed / .1); // arms of .1 m
        free_outcome(&o);
        duplicate_links(s, JOINT);
    }
}

// A box slides along x on a carriage that moves along z only and is pressed down by F: l_n = h (F + g (m + M)) on the
// plane under the box, v_x = v_0 - mu l_n/m.
static void box_guided_by_a_carriage_is_slowed_by_friction(void **state) {
    const double m = 2, M = 5, F = 300, mu = .2, v0 = 4, h = time_step;
    scene s = {0};
    add_rigid(&s, m, (double[3]){.02, .03, .04}, (double[6]){v0, 0, -gravity * h});
    add_rigid(&s, M, (double[3]){.2, .3, .4}, (double[6]){0, 0, -h * (gravity + F / M)});
    hold(&s, 1, (const int[]){0, 1, 3, 4, 5}, 5);
    scene_link *guide = hold(&s, 0, (const int[]){1, 2, 3, 4, 5}, 5);
    guide->blocks = 2, guide->block[1] = 1; // relative to the carriage
    for (int i = 0; i < 5; i++)
        guide->J[1][6 * i + i + 1] = -1;
    for (int corner = 0; corner < 4; corner++) {
        double r[3] = {corner & 1 ? .1 : -.1, corner & 2 ? .1 : -.1, -.05};
        add_contact_at(&s, FRICTION, -1, 0, up, r, r, mu);
    }
    double normal = h * (F + gravity * (m + M));
    check_slider(context_of(state), "carriage", &s, 0, v0 - mu * normal / m, v0);
    free_scene(&s);
}

// The box cannot move along z either; a spring (compliance E, preload b_n) presses it on the plane: E l_n = b_n.
static void box_on_a_prismatic_joint_is_slowed_by_a_spring_loaded_contact(void **state) {
    const double m = 2, F = 300, E = .05, mu = .2, v0 = 2, h = time_step, r[3] = {.1, 0, -.05};
    scene s = {0};
    add_rigid(&s, m, (double[3]){.02, .03, .04}, (double[6]){v0, 0, -gravity * h});
    hold(&s, 0, (const int[]){1, 2, 3, 4, 5}, 5);
    scene_link *contact = add_contact_at(&s, FRICTION, -1, 0, up, r, r, mu);
    contact->compliance[0] = E;
    contact->b[0] = E * h * F;
    check_slider(context_of(state), "prismatic joint", &s, 0, v0 - mu * h * F / m, v0);
    contact = &s.link[1];
    contact->b[0] *= 100; // more than enough to stop it
    check_slider(context_of(state), "prismatic joint", &s, 0, 0, v0);
    free_scene(&s);
}

// ---- compliance, walls, motors -------------------------------------------------------------------------------------

// y_n = v_n + E l_n = 0: l_n = g h/(1/m + E), it sinks by E l_n a step, and friction is mu times this l_n.
static void compliant_contact_carries_less(void **state) {
    const double mass = 2, mu = .4, v0 = 1, fall = gravity * time_step, compliance[] = {1e-6, .01, .5, 30};
    for (int k = 0; k < 4; k++) {
        double normal = fall / (1 / mass + compliance[k]), v_free[3] = {v0, 0, -fall};
        double v[3] = {v0 - mu * normal / mass, 0, -compliance[k] * normal};
        scene s = make_point(mass, up, mu, v_free);
        s.link[0].compliance[0] = compliance[k];
        check_point(context_of(state), "compliant contact", &s, v_free, v);
        free_scene(&s);
    }
}

// A motor of at most L (N s) drives a block along x to 1 m/s, along a frictionless wall that stops it in y:
// v_x = max(0, L - mu m g h)/m while that is below 1.
static void motor_overcomes_friction_beside_a_smooth_wall(void **state) {
    const double mass = 2, mu = .3, fall = gravity * time_step, limit[] = {.01, .05, .2, 1, 3};
    for (int k = 0; k < 5; k++) {
        double v_free[3] = {0, -1, -fall}, v[3] = {fmin(1, fmax(0, limit[k] - mu * mass * fall) / mass)};
        scene s = make_point(mass, up, mu, v_free);
        scene_link *motor = add_link(&s, BOUNDS, 1);
        motor->blocks = 1, motor->J[0][0] = 1, motor->b[0] = 1, motor->lo[0] = -limit[k], motor->hi[0] = limit[k];
        add_contact_at(&s, SMOOTH, -1, 0, (double[3]){0, 1, 0}, up, up, 0);
        check_point(context_of(state), "motor", &s, v_free, v);
        free_scene(&s);
    }
}

// ---- nothing, and extremes -----------------------------------------------------------------------------------------

static void without_contacts_bodies_move_freely_or_with_their_joints(void **state) {
    double v_free[6] = {1, 2, -3, 4, 5, 6}, held[6] = {1, 0, -3, 4, 0, 6};
    scene s = {0};
    add_rigid(&s, 2, (double[3]){1, 2, 3}, v_free);
    for (int joints = 0; joints < 2; joints++) {
        outcome o = solve_exactly(context_of(state), &s, tolerance);
        assert_converged("no contacts", &o);
        assert_all_near("no contacts", o.v, joints ? held : v_free, 6, 1e-14 * 6); // one linear solve
        free_outcome(&o);
        hold(&s, 0, (const int[]){1, 4}, 2);
    }
    free_scene(&s);
}

static void contacts_that_only_separate_carry_nothing(void **state) {
    double v_free[6] = {1, 0, .5, 0, .1, 0};
    scene s = make_box(box_mass, half_sides, .5, v_free);
    outcome o = solve_exactly(context_of(state), &s, tolerance);
    assert_converged("separating box", &o);
    assert_true(largest(o.lambda, o.m) == 0);
    assert_all_near("separating box", o.v, v_free, 6, 1e-14);
    free_outcome(&o);
    free_scene(&s);
}

// mu = 0: no tangential impulse. mu = 1000: no slip, at any push that does not tip the box; a sphere rolls.
static void friction_coefficients_of_zero_and_of_a_thousand(void **state) {
    const double fall = gravity * time_step;
    double v_free[6] = {1, -1, -fall}, smooth[6] = {1, -1, 0}, rest[6] = {0};
    scene s = make_box(box_mass, half_sides, 0, v_free);
    outcome o = solve_exactly(context_of(state), &s, tolerance);
    assert_converged("mu = 0", &o);
    assert_all_near("mu = 0", o.v, smooth, 6, near);
    for (int k = 0; k < 4; k++)
        assert_true(o.lambda[3 * k + 1] == 0 && o.lambda[3 * k + 2] == 0);
    free_outcome(&o);
    free_scene(&s);

    v_free[0] = 1.5 * fall, v_free[1] = 0; // tips above a/c g h = 2 g h
    check_box(context_of(state), "mu = 1000", 1000, v_free, rest);
    // e0 falls with 1/mu^2 (rest is almost a solution: ybar lies almost in K*) while the rounding of mu|y_T| rises with
    // mu^2: together mu^2 1e-14 of the root of e0 is as good as doubles allow.
    double start[3] = {5, 3, -fall};
    s = make_point(1, up, 1000, start);
    outcome p = solve_exactly(context_of(state), &s, 1e-12);
    assert_true(relative_error(&p.measures) < 1000. * 1000 * 1e-13);
    assert_all_near("mu = 1000, point", p.v, rest, 3, near);
    free_outcome(&p);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_block_stays_on_the_plane),
        cmocka_unit_test(exact_differs_from_relaxed_by_the_lift),
        cmocka_unit_test(pushed_block_sticks_up_to_the_friction_limit),
        cmocka_unit_test(separating_block_is_free),
        cmocka_unit_test(block_bounces_off_a_moving_belt),
        cmocka_unit_test(sliding_does_not_depend_on_the_frame),
        cmocka_unit_test(spinning_sphere_slides_or_rolls),
        cmocka_unit_test(pushed_box_slides_without_lift_off),
        cmocka_unit_test(pushed_box_sticks_below_the_friction_limit),
        cmocka_unit_test(box_on_inclines_accelerates_or_stops),
        cmocka_unit_test(box_guided_by_a_carriage_is_slowed_by_friction),
        cmocka_unit_test(box_on_a_prismatic_joint_is_slowed_by_a_spring_loaded_contact),
        cmocka_unit_test(compliant_contact_carries_less),
        cmocka_unit_test(motor_overcomes_friction_beside_a_smooth_wall),
        cmocka_unit_test(without_contacts_bodies_move_freely_or_with_their_joints),
        cmocka_unit_test(contacts_that_only_separate_carry_nothing),
        cmocka_unit_test(friction_coefficients_of_zero_and_of_a_thousand),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
