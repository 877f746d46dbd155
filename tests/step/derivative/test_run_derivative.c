// Derivatives of runs: closed forms of the time stepping itself, to rounding, and of the motion that it approximates; tangents
// against differences of whole runs; adjoints against tangents, whatever the distance of the snapshots.
#include <string.h>

#include "step/derivative/step_differences.h"
#include "voussoir/run_derivative.h"

typedef struct gradient {
    double pose[6], velocity[6], parameter[4];
} gradient;

static vs_run_derivative *take_run(rig *s, int steps, const vs_parameter *parameter, int parameters, int every) {
    vs_run_derivative_options options = vs_run_derivative_options_default();
    options.step.parameter = parameter, options.step.parameters = parameters, options.every = every;
    vs_run_derivative *run;
    must(vs_run_derivative_create(s->simulation, steps, &options, &run), s->context);
    return run;
}

// Of number `index` of the pose (0 … 5) or velocity (6 … 11) of the only body at the end.
static gradient gradient_of(rig *s, vs_run_derivative *run, int index) {
    const int steps = vs_run_derivative_get_report(run).steps;
    double *weights = calloc(6 * (size_t)(steps + 1), sizeof *weights);
    assert_non_null(weights);
    weights[6 * steps + index % 6] = 1;
    gradient g;
    const vs_run_direction out = {.pose = g.pose, .velocity = g.velocity, .parameter = g.parameter};
    const vs_run_states states = {.pose = index < 6 ? weights : NULL, .velocity = index < 6 ? NULL : weights};
    const uint64_t hash = vs_world_get_hash(s->world);
    must(vs_run_derivative_adjoint(run, &states, &out), s->context);
    assert_true(vs_world_get_hash(s->world) == hash); // it stands at the end
    free(weights);
    return g;
}

static void end_run(rig *s, vs_run_derivative *run) {
    vs_run_derivative_destroy(run);
    close_rig(s);
}

// A block slides with v and stops: N steps slide, in the last one it comes to rest. Time stepping has
//
//     x = h sum (v - k mu g h), k = 1 … N        dx/dmu = -g h^2 N (N + 1)/2, dx/dv = h N
//
// and the motion dx/dmu = -v^2/(2 mu^2 g), dx/dv = v/(mu g), from which the former differ by h^2 and h.
static void sliding_block(void **state) {
    (void)state;
    const double mu = .3, v = 2, g = standard_gravity;
    for (int N = 50; N <= 200; N *= 4) {
        rig s;
        open_rig(&s, mu, 0, true);
        s.options.step = v / (mu * g * (N + .5));
        const double h = s.options.step;
        const vs_body_id box = add_box(&s, (vs_vec3){.2, .2, .1}, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){v, 0, 0});
        start_rig(&s);
        const vs_parameter p[] = {pair_of(&s, VS_PARAMETER_MU), mass_of(box)};
        vs_run_derivative *run = take_run(&s, N + 5, p, 2, 0);
        const gradient found = gradient_of(&s, run, 0);
        const double by_mu = -v * v / (2 * mu * mu * g), by_v = v / (mu * g);
        assert_relative(found.parameter[0], -.5 * g * h * h * N * (N + 1), 1e-10);
        assert_relative(found.velocity[0], h * N, 1e-10);
        assert_close(found.parameter[1], 0, 1e-10);
        assert_close(found.pose[0], 1, 1e-10);
        assert_below(fabs(found.parameter[0] - by_mu), 1.001 * fabs(by_mu) * .25 / ((N + .5) * (N + .5)));
        assert_below(fabs(found.velocity[0] - by_v), 1.001 * by_v * .5 / (N + .5));
        end_run(&s, run);
    }
}

// A ball that slides begins to roll: 5/7 of its speed and 2/7 of that of its surface remain, for any friction and step.
static void rolling_ball(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    const double r = .1, v = 1;
    const vs_body_id ball = add_ball(&s, r, 1000, (vs_vec3){0, 0, r}, (vs_vec3){v, 0, 0});
    start_rig(&s);
    const vs_parameter p[] = {pair_of(&s, VS_PARAMETER_MU), mass_of(ball)};
    vs_run_derivative *run = take_run(&s, 60, p, 2, 7);
    const gradient found = gradient_of(&s, run, 6);
    assert_close(state_of(&s, ball).velocity.x, 5. / 7 * v, 1e-10);
    assert_close(found.velocity[0], 5. / 7, 1e-10);
    assert_close(found.velocity[4], 2. / 7 * r, 1e-10);
    assert_close(found.parameter[0], 0, 1e-10);
    assert_close(found.parameter[1], 0, 1e-10);
    end_run(&s, run);
}

// A ball and a wall, without gravity. The speed after the impact is -e v. Of the position after it, x = -e (x0 + v t), time stepping
// has another derivative, as the impact is in the same step for all starts close by: dx/dx0 = 1, not -e.
static void ball_and_wall(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, true);
    vs_material material = vs_material_default();
    material.mu = 0, material.restitution = .7;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .2}, (vs_vec3){0, 0, -2});
    start_rig(&s);
    const vs_parameter p[] = {pair_of(&s, VS_PARAMETER_RESTITUTION)};
    vs_run_derivative *run = take_run(&s, 40, p, 1, 0);
    const gradient speed = gradient_of(&s, run, 8), place = gradient_of(&s, run, 2);
    assert_close(speed.velocity[2], -.7, 1e-10);
    assert_close(speed.parameter[0], 2, 1e-10);
    assert_close(place.pose[2], 1, 1e-10);
    end_run(&s, run);
}

// The same with located impacts: x = -e (x0 + v t) has the derivatives -e, -e t, and -(x0 + v t) by e.
static void ball_and_wall_located(void **state) {
    (void)state;
    const double e = .7, v = -2, h = .0025;
    rig s;
    open_rig(&s, 0, 0, true);
    vs_material material = vs_material_default();
    material.mu = 0, material.restitution = e;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .2}, (vs_vec3){0, 0, v});
    s.options.accuracy = 1e-6, s.options.step = h;
    start_rig(&s);
    const vs_parameter p[] = {pair_of(&s, VS_PARAMETER_RESTITUTION)};
    vs_run_derivative *run = take_run(&s, 40, p, 1, 0);
    const gradient speed = gradient_of(&s, run, 8), place = gradient_of(&s, run, 2);
    assert_close(speed.velocity[2], -e, 1e-10);
    assert_close(speed.pose[2], 0, 1e-10);
    assert_close(speed.parameter[0], -v, 1e-10);
    assert_close(place.pose[2], -e, 1e-10);
    assert_close(place.velocity[2], -e * 40 * h, 1e-10);
    assert_close(place.parameter[0], -(.1 + v * 40 * h), 1e-10);
    end_run(&s, run);
}

// Under gravity, with spin and without friction: with the speed w = sqrt(v^2 + 2 g d) at the floor after t = (v + w)/g, a ball that falls
// by d is at the end, after s = T - t, at e w s - g s^2/2. Steps are exact, so that the derivative is, too.
static void bouncing_ball_located(void **state) {
    (void)state;
    const double e = .8, v = .3, d = .12, g = standard_gravity;
    enum { N = 90 };
    rig s;
    open_rig(&s, 0, 0, true);
    vs_material material = vs_material_default();
    material.mu = 0, material.restitution = e;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .1 + d}, (vs_vec3){1, 0, v});
    s.options.accuracy = 1e-6;
    start_rig(&s);
    const double T = N * s.options.step, w = sqrt(v * v + 2 * g * d), t = (v + w) / g, left = T - t;
    vs_run_derivative *run = take_run(&s, N, NULL, 0, 0);
    const gradient place = gradient_of(&s, run, 2), speed = gradient_of(&s, run, 8);
    const double w_d = g / w, w_v = v / w, t_d = w_d / g, t_v = (1 + w_v) / g;
    assert_close(state_of(&s, vs_world_get_body_at(s.world, 0)).velocity.z, e * w - g * left, 1e-8);
    assert_close(place.pose[2], e * w_d * left - (e * w - g * left) * t_d, 1e-8);
    assert_close(place.velocity[2], e * w_v * left - (e * w - g * left) * t_v, 1e-8);
    assert_close(speed.pose[2], e * w_d + g * t_d, 1e-8);
    assert_close(speed.velocity[2], e * w_v + g * t_v, 1e-8);
    end_run(&s, run);
}

// Forces of each step, masses, and snapshots at any distance. A body that is pushed by f in step k has at the end
// dv/df_k = h/m, and dx/df_k = h^2 (N - k)/m.
static void forces(void **state) {
    (void)state;
    enum { N = 12 };
    rig s;
    open_rig(&s, .3, 0, false);
    const vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .2}, (vs_vec3){0, 0, -2});
    const double m = s.world->body[ball.index].mass, h = s.options.step;
    start_rig(&s);
    const vs_parameter p[] = {mass_of(ball)};
    double force[6 * N] = {0}, weights[6 * (N + 1)] = {0}, by_force[6 * N], by_mass;
    for (int k = 0; k < N; k++)
        force[6 * k] = 1 + k;
    weights[6 * N] = 1;
    vs_run_derivative_options options = vs_run_derivative_options_default();
    options.step.parameter = p, options.step.parameters = 1, options.force = force, options.every = 5;
    vs_run_derivative *run;
    must(vs_run_derivative_create(s.simulation, N, &options, &run), s.context);
    const vs_run_states states = {.pose = weights};
    const vs_run_direction out = {.force = by_force, .parameter = &by_mass};
    must(vs_run_derivative_adjoint(run, &states, &out), s.context);
    double expected = 0;
    for (int k = 0; k < N; k++) {
        assert_relative(by_force[6 * k], h * h * (N - k) / m, 1e-12);
        expected -= h * h * (N - k) * force[6 * k] / (m * m);
    }
    assert_relative(by_mass, expected, 1e-12);
    const vs_run_derivative_report report = vs_run_derivative_get_report(run);
    assert_int_equal(report.snapshots, 4);
    assert_vec(report.state[N].pose.position, state_of(&s, ball).pose.position, 0);
    end_run(&s, run);
}

// A box that lands on a corner: differences of runs of this length, the transposition, and snapshots.
static void check_tumbling_box(const char *name, double accuracy, double length, double bar) {
    enum { N = 40 };
    rig s;
    open_rig(&s, .3, .1, true);
    vs_material material = vs_material_default();
    material.mu = .3, material.restitution = .4;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    const vs_body_id box = add_box(&s, (vs_vec3){.1, .15, .2}, 800, (vs_vec3){0, 0, .27}, (vs_vec3){0});
    vs_body_state at = state_of(&s, box);
    at.pose.rotation = vs_quat_exp((vs_vec3){.5, .4, .2});
    at.velocity = (vs_vec3){1.5, .5, -1}, at.spin = (vs_vec3){1, 2, -1};
    must(vs_world_set_body_state(s.world, box, &at), s.context);
    s.options.accuracy = accuracy;
    start_rig(&s);
    const vs_parameter p[] = {mass_of(box), pair_of(&s, VS_PARAMETER_MU), pair_of(&s, VS_PARAMETER_RESTITUTION)};
    trial t;
    start_trial(&t, &s, N);
    t.parameter = p, t.parameters = 3;
    static const push none;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        push direction = random_push(&t, seed);
        memset(direction.force, 0, sizeof direction.force);
        double exact[STATE], pose[6 * (N + 1)], velocity[6 * (N + 1)], error = 0, size = 0;
        differences(&t, &direction, length, exact);
        set_state(&t, &none, 0);
        vs_run_derivative *run = take_run(&s, N, p, 3, 0);
        const vs_run_direction data = {direction.pose, direction.velocity, NULL, direction.parameter};
        must(vs_run_derivative_tangent(run, &data, &(vs_run_states){pose, velocity}), s.context);
        double weights[2][6 * (N + 1)], sum = 0, norms[2] = {0};
        uint64_t next = seed + 10;
        for (int i = 0; i < 6 * (N + 1); i++) {
            weights[0][i] = random_in(&next, -1, 1), weights[1][i] = random_in(&next, -1, 1);
            sum += weights[0][i] * pose[i] + weights[1][i] * velocity[i];
            norms[0] += weights[0][i] * weights[0][i] + weights[1][i] * weights[1][i];
            norms[1] += pose[i] * pose[i] + velocity[i] * velocity[i];
        }
        for (int i = 0; i < STATE; i++) {
            const double found = i < 6 ? pose[6 * N + i] : velocity[6 * N + i - 6];
            error += (found - exact[i]) * (found - exact[i]), size += exact[i] * exact[i];
        }
        gradient first = {0};
        for (int every = 0; every <= N + 1; every += N / 2 + 1) {
            vs_run_derivative_destroy(run);
            set_state(&t, &none, 0);
            run = take_run(&s, N, p, 3, every);
            gradient g;
            const vs_run_direction out = {g.pose, g.velocity, NULL, g.parameter};
            must(vs_run_derivative_adjoint(run, &(vs_run_states){weights[0], weights[1]}, &out), s.context);
            double product = 0;
            for (int i = 0; i < 6; i++)
                product += g.pose[i] * direction.pose[i] + g.velocity[i] * direction.velocity[i];
            for (int i = 0; i < 3; i++)
                product += g.parameter[i] * direction.parameter[i];
            assert_below(fabs(product - sum), 1e-12 * sqrt(norms[0] * norms[1]));
            if (every == 0)
                first = g;
            assert_memory_equal(g.pose, first.pose, sizeof g.pose); // bit for bit
            assert_memory_equal(g.velocity, first.velocity, sizeof g.velocity);
        }
        const vs_run_derivative_report r = vs_run_derivative_get_report(run);
        print_message("  %s: error %.1e, borders %d, kinks %d, residual %.1e\n", name, sqrt(error / size), r.borders,
                      r.kinks, r.residual);
        assert_below(sqrt(error / size), bar);
        vs_run_derivative_destroy(run);
    }
    close_rig(&s);
}

// It slides and tumbles.
static void tumbling_box(void **state) {
    (void)state;
    check_tumbling_box("tumbling box", 0, 1e-6, 1e-5);
}

// It is struck once and flies on: the time of the impact is part of the derivative.
static void tumbling_box_located(void **state) {
    (void)state;
    check_tumbling_box("located impact", 1e-8, 1e-4, 1e-5); // found: 3e-7, and 9e-6 with an accuracy of 1e-6
}

// Whatever allocation fails, nothing is left, and the simulation can go on.
static void check_failing_memory(rig *s) {
    start_rig(s);
    take_step(s);
    bool done = false;
    for (int k = 0; k < 2000 && !done; k += 1 + k / 20) {
        vs_run_derivative *run = NULL;
        double weights[6 * 4] = {1}, pose[6];
        refuse_call(&s->memory, k);
        vs_error error = vs_run_derivative_create(s->simulation, 3, NULL, &run);
        if (!error)
            error =
                vs_run_derivative_adjoint(run, &(vs_run_states){.pose = weights}, &(vs_run_direction){.pose = pose});
        refuse_none(&s->memory);
        vs_run_derivative_destroy(run);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        done = !error;
        take_step(s);
    }
    assert_true(done);
    close_rig(s);
}

static void memory_fails(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){1, 0, 0});
    check_failing_memory(&s);
}

// A pendulum, whose projection has problems of its own; and a ball that never stops to bounce, with impacts that are located.
static void memory_fails_in_parts(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, false);
    vs_joint_def hinge = vs_joint_def_default();
    hinge.kind = VS_JOINT_REVOLUTE, hinge.frame_a.position.z = 1;
    hinge.b = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .5}, (vs_vec3){0, 1, 0});
    hinge.frame_b.position.z = .5;
    hinge.frame_a.rotation = hinge.frame_b.rotation = (vs_quat){sqrt(.5), 0, sqrt(.5), 0}; // about x
    must(vs_world_add_joint(s.world, &hinge, NULL), s.context);
    check_failing_memory(&s);

    open_rig(&s, 0, 0, true);
    vs_material material = vs_material_default();
    material.mu = 0, material.restitution = 1;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .15}, (vs_vec3){1, 0, 0});
    s.options.accuracy = 1e-6, s.options.step = .05;
    check_failing_memory(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_block),         cmocka_unit_test(rolling_ball),
        cmocka_unit_test(ball_and_wall),         cmocka_unit_test(ball_and_wall_located),
        cmocka_unit_test(bouncing_ball_located), cmocka_unit_test(forces),
        cmocka_unit_test(tumbling_box),          cmocka_unit_test(tumbling_box_located),
        cmocka_unit_test(memory_fails),          cmocka_unit_test(memory_fails_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
