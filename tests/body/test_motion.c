// Motion without contacts: what must stay the same stays the same, and closed forms are met.
#include "worlds.h"

// A dynamic body at the origin with principal inertia and spin (world axes, which are the body's at first). The inertia
// may be one that no body has, which a definition refuses: the integrator must not depend on that.
static int add_spinning(vs_world *world, vs_vec3 inertia, vs_vec3 spin) {
    vs_body_def def = vs_body_def_default();
    def.mass = 2;
    def.spin = spin;
    vs_body_id id;
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    vs_body *body = &world->body[id.index];
    body->inertia = (vs_mat3){{inertia.x, 0, 0, 0, inertia.y, 0, 0, 0, inertia.z}};
    body->inverse_inertia = vs_mat3_inverse(&body->inertia);
    return (int)id.index;
}

// A step without contacts and joints, as the stepper does it; `reaction` (rad/s, body axes) may stand for them.
static void step_world(vs_world *world, double h, vs_vec3 reaction) {
    vs_world_drive(world, h);
    for (int k = 1; k < world->bodies; k++) {
        vs_body *body = &world->body[k];
        if (body->alive && body->motion == VS_MOTION_DYNAMIC) {
            vs_vec3 spin;
            vs_body_free(world, k, h, world->time + .5 * h, &body->velocity, &spin);
            body->spin = vs_add(spin, reaction);
        }
    }
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].alive && world->body[k].motion != VS_MOTION_STATIC)
            vs_body_advance(&world->body[k], h);
    vs_world_finish_step(world, h);
}

typedef struct drift_result {
    double momentum, energy; // largest relative errors
    int flips;               // changes of sign of the spin about the middle axis
} drift_result;

static drift_result spin_freely(vs_vec3 inertia, vs_vec3 spin, double h, double time) {
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    int k = add_spinning(world, inertia, spin);
    vs_energy first = vs_world_get_energy(world);
    drift_result out = {0, 0, 0};
    double last = world->body[k].spin.y;
    for (int n = 0; n < (int)round(time / h); n++) {
        step_world(world, h, VS_ZERO3);
        vs_energy now = vs_world_get_energy(world);
        double size = vs_length(first.angular_momentum);
        out.momentum = fmax(out.momentum, vs_length(vs_subtract(now.angular_momentum, first.angular_momentum)) / size);
        out.energy = fmax(out.energy, fabs(now.kinetic / first.kinetic - 1));
        out.flips += world->body[k].spin.y * last < 0;
        last = world->body[k].spin.y;
    }
    vs_world_destroy(world);
    end_context(context, &m);
    return out;
}

static void free_rotation_about_the_middle_axis_keeps_momentum_and_energy(void **state) {
    (void)state;
    drift_result r = spin_freely((vs_vec3){1, 2, 3}, (vs_vec3){.01, 5, .01}, .01, 100);
    print_message("100 s: momentum %.2g, energy %.2g, %d flips\n", r.momentum, r.energy, r.flips);
    // 10^4 steps of about 30 roundings each, which add up like a random walk (1e-14) or at worst all alike (3e-11)
    assert_true(r.momentum <= 1e-12);
    assert_true(r.energy <= 1e-10);
    assert_true(r.flips > 10); // it does tumble
}

static void fast_and_slender_bodies_keep_momentum_and_energy(void **state) {
    (void)state;
    // 4 rad a step; a needle; an inertia that no real body has (3 > 1 + 1): parts of steps, same promise
    const vs_vec3 inertia[] = {{1, 2, 2.5}, {1, 1, 1e-6}, {3, 1, 1}, {1, 1.5, 40}};
    const vs_vec3 spin[] = {{10, 400, 20}, {3, 1, 200}, {1, 30, 5}, {20, 30, 10}};
    for (int k = 0; k < 4; k++) {
        drift_result r = spin_freely(inertia[k], spin[k], .01, 5);
        // 500 steps of up to 10 parts
        assert_true(r.momentum <= 1e-12);
        assert_true(r.energy <= 1e-11);
    }
}

static void hopeless_spin_stays_finite(void **state) {
    (void)state;
    drift_result r = spin_freely((vs_vec3){1, 2, 3}, (vs_vec3){1e6, 1e7, 1e6}, .01, 1);
    assert_true(isfinite(r.momentum) && r.energy <= 1e-12); // the spin is left as it is
}

// Exact: a symmetric body's axis and spin precess steadily about the momentum, at |L|/I_1.
static void symmetric_body_precesses_at_the_closed_form_rate(void **state) {
    (void)state;
    double error[2];
    for (int k = 0; k < 2; k++) {
        memory m;
        vs_context *context = make_context(&m);
        vs_world *world = make_world(context, VS_ZERO3);
        int b = add_spinning(world, (vs_vec3){2, 2, 1}, (vs_vec3){1, 0, 3});
        vs_vec3 L = vs_world_get_energy(world).angular_momentum, axis = {0, 0, 1};
        double h = k ? .005 : .01;
        for (int n = 0; n < (int)round(2 / h); n++)
            step_world(world, h, VS_ZERO3);
        vs_vec3 turn = vs_scale(2 * vs_length(L) / 2, vs_normalize(L));
        vs_vec3 exact = vs_rotate(vs_quat_exp(turn), axis), got = vs_rotate(world->body[b].pose.rotation, axis);
        error[k] = vs_length(vs_subtract(exact, got));
        vs_world_destroy(world);
        end_context(context, &m);
    }
    // Second order: a quarter of the error for half of the step. (h w)^2/12 over 2 s is 3e-4
    assert_true(error[0] < 1e-3);
    assert_close(error[0] / error[1], 4, .1);
}

static void steady_spin_turns_exactly(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    int k = add_spinning(world, (vs_vec3){1, 2, 3}, (vs_vec3){0, 0, 7});
    for (int n = 0; n < 100; n++)
        step_world(world, .01, VS_ZERO3);
    vs_vec3 x = vs_rotate(world->body[k].pose.rotation, (vs_vec3){1, 0, 0});
    // 100 products of quaternions: 100 eps
    assert_vec(x, ((vs_vec3){cos(7), sin(7), 0}), 1e-13);
    vs_world_destroy(world);
    end_context(context, &m);
}

// A bearing that lets the body turn only about z, which is no principal axis: removes all other spin, momentum about z
// stays.
static vs_vec3 bear(const vs_body *body, vs_vec3 spin) {
    vs_vec3 L = vs_mat3_apply(&body->inertia, spin);
    return vs_subtract((vs_vec3){0, 0, L.z / body->inertia.a[8]}, spin);
}

static void unbalanced_shaft_in_a_bearing_keeps_its_speed(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_def def = vs_body_def_default();
    // a rod of 1, 1, .1 kg m^2 that leans by .5 rad
    double s = sin(.5), c = cos(.5);
    def.inertia = (vs_mat3){{1, 0, 0, 0, c * c + .1 * s * s, s * c * .9, 0, s * c * .9, s * s + .1 * c * c}};
    def.spin.z = 10;
    vs_body_id id;
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    vs_body *body = &world->body[id.index];
    double h = 1. / 240, settled = 0;
    for (int n = 0; n < 240; n++) {
        vs_vec3 velocity, spin;
        vs_body_free(world, (int)id.index, h, world->time + .5 * h, &velocity, &spin);
        body->spin = vs_add(spin, bear(body, spin));
        vs_body_advance(body, h);
        vs_world_finish_step(world, h);
        settled = n == 20 ? body->spin.z : settled;
    }
    // Without the forecast of the reaction it loses 8 % in this second. Only the first steps, which have none, cost
    // (.13 of 10 rad/s)^2; then the error of the forecast has died away, and what remains is roundoff of 220 steps.
    assert_close(body->spin.z, 10, .01);
    assert_close(body->spin.z, settled, 1e-9);
    // What is seen between the steps is not the wobble of .13 rad/s that the bearing takes away.
    assert_close(hypot(body->spin.x, body->spin.y), 0, 1e-9);
    vs_vec3 z = vs_rotate(body->pose.rotation, (vs_vec3){0, 0, 1});
    // the axis leaves z in the first step only, by h^2/2 of the gyroscopic acceleration: 2.7e-4 at most
    assert_vec(z, ((vs_vec3){0, 0, 1}), 3e-3);
    vs_world_destroy(world);
    end_context(context, &m);
}

// A heavy symmetric top on its tip, as a body that a torque acts on: it nods between .5 and .5257 rad.
static void fast_top_neither_rises_nor_falls(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_def def = vs_body_def_default();
    def.inertia = (vs_mat3){{2, 0, 0, 0, 2, 0, 0, 0, 1}};
    def.pose.rotation = vs_quat_exp((vs_vec3){0, .5, 0});
    def.spin = vs_rotate(def.pose.rotation, (vs_vec3){0, 0, 40});
    vs_body_id id;
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    double h = 1. / 240, low = 9, high = 0;
    for (int n = 0; n < 960; n++) {
        vs_vec3 axis = vs_rotate(world->body[id.index].pose.rotation, (vs_vec3){0, 0, 1});
        double angle = acos(axis.z);
        low = fmin(low, angle);
        high = fmax(high, angle);
        assert_int_equal(vs_world_apply_torque(world, id, vs_scale(20, vs_cross((vs_vec3){0, 0, 1}, axis))), VS_OK);
        step_world(world, h, VS_ZERO3);
    }
    // .52566 with a step 64 times smaller. The error of a step is (h w)^2 of the nodding, 7e-4
    assert_close(low, .5, 2e-4);
    assert_close(high, .52566, 2e-4);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void projectile_follows_the_scheme_and_the_parabola(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, (vs_vec3){0, 0, -10});
    vs_body_def def = vs_body_def_default();
    def.velocity = (vs_vec3){3, 0, 4};
    vs_body_id id;
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    double h = 1e-3;
    for (int n = 0; n < 1000; n++)
        step_world(world, h, VS_ZERO3);
    vs_body_state s;
    assert_int_equal(vs_world_get_body_state(world, id, &s), VS_OK);
    // v is exact, x is the parabola minus h/2 g t by the end-of-step velocity; 1000 roundings of size 1e-16
    assert_vec(s.velocity, ((vs_vec3){3, 0, -6}), 1e-12);
    assert_vec(s.pose.position, ((vs_vec3){3, 0, 4 - 5 - .5 * h * 10}), 1e-12);
    assert_close(vs_world_get_time(world), 1, 1e-12);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void loads_act_at_the_middle_of_steps_and_forces_for_one_step(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    int k = add_spinning(world, (vs_vec3){1, 2, 4}, VS_ZERO3);
    vs_body_id id = {(uint32_t)k, world->body[k].generation};
    const double time[] = {0, 1}, ramp[] = {0, 8};
    const vs_signal force[3] = {{.kind = VS_SIGNAL_TABLE, .time = time, .sample = ramp, .count = 2}, {0}, {0}};
    const vs_signal torque[3] = {{0}, {0}, {.kind = VS_SIGNAL_CONSTANT, .value = 2}};
    assert_int_equal(vs_world_add_load(world, id, force, NULL), VS_OK);
    assert_int_equal(vs_world_add_load(world, id, NULL, torque), VS_OK);
    assert_int_equal(vs_world_apply_force(world, id, (vs_vec3){0, 40, 0}, NULL), VS_OK);
    for (int n = 0; n < 10; n++)
        step_world(world, .1, VS_ZERO3);
    // ramp: integral 4 N s on 2 kg, exact by the midpoint rule; the force only in the first step: 4 N s; torque 2 on 4
    assert_vec(world->body[k].velocity, ((vs_vec3){2, 2, 0}), 1e-14);
    assert_vec(world->body[k].spin, ((vs_vec3){0, 0, .5}), 1e-14);
    // a force at a point makes the torque (p - x) x f
    vs_vec3 point = vs_add(world->body[k].pose.position, (vs_vec3){0, 1, 0}), f, t;
    assert_int_equal(vs_world_apply_force(world, id, (vs_vec3){0, 0, 5}, &point), VS_OK);
    vs_body_push(world, k, world->time + .05, &f, &t);
    assert_vec(t, ((vs_vec3){5, 0, 2}), 1e-13);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void driven_body_is_where_the_integral_of_its_velocity_is(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_def def = vs_body_def_default();
    def.motion = VS_MOTION_KINEMATIC;
    def.pose.rotation = vs_quat_exp((vs_vec3){.3, -.2, .9});
    vs_body_id id;
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    const double time[] = {0, .13, .13, .5}, sample[] = {1, 2, -1, 3};
    const vs_signal velocity[3] = {{.kind = VS_SIGNAL_SINE, .value = .5, .amplitude = 2, .frequency = 3, .phase = .4},
                                   {.kind = VS_SIGNAL_TABLE, .time = time, .sample = sample, .count = 4},
                                   {.value = -1}};
    const vs_signal spin[3] = {{0}, {0}, {.kind = VS_SIGNAL_SINE, .amplitude = 3, .frequency = 1}};
    assert_int_equal(vs_world_set_drive(world, id, velocity, spin), VS_OK);
    for (int n = 0; n < 7; n++)
        step_world(world, .1, (vs_vec3){0, 0, 0});
    double t = .7, pi = acos(-1);
    vs_vec3 exact = {.5 * t + 2 / (6 * pi) * (cos(.4) - cos(6 * pi * t + .4)), .13 * 1.5 + .37 * 1 + .2 * 3, -t};
    vs_body_state s;
    assert_int_equal(vs_world_get_body_state(world, id, &s), VS_OK);
    // 7 steps of roundoff
    assert_vec(s.pose.position, exact, 1e-14);
    // the spin keeps its axis (world z), so the angle is its integral
    double angle = 3 / (2 * pi) * (1 - cos(2 * pi * t));
    vs_quat q = vs_quat_multiply(vs_quat_exp((vs_vec3){0, 0, angle}), def.pose.rotation);
    assert_vec(vs_rotate(s.pose.rotation, (vs_vec3){1, 2, 3}), vs_rotate(q, (vs_vec3){1, 2, 3}), 1e-13);
    vs_world_destroy(world);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_rotation_about_the_middle_axis_keeps_momentum_and_energy),
        cmocka_unit_test(fast_and_slender_bodies_keep_momentum_and_energy),
        cmocka_unit_test(hopeless_spin_stays_finite),
        cmocka_unit_test(symmetric_body_precesses_at_the_closed_form_rate),
        cmocka_unit_test(steady_spin_turns_exactly),
        cmocka_unit_test(unbalanced_shaft_in_a_bearing_keeps_its_speed),
        cmocka_unit_test(fast_top_neither_rises_nor_falls),
        cmocka_unit_test(projectile_follows_the_scheme_and_the_parabola),
        cmocka_unit_test(loads_act_at_the_middle_of_steps_and_forces_for_one_step),
        cmocka_unit_test(driven_body_is_where_the_integral_of_its_velocity_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
