// Derivatives of runs with closed forms, to 1e-8: the cases by which Zhong, Han and Brikis (2022, arXiv 2207.05060) judge simulators,
// a ball that hits a wall, two balls of which one strikes the other, both by position, velocity and control; and billiards,
// a frictional impact, a ball that rolls down an incline, an incline at its threshold, a pendulum at its torque limit.
#include <string.h>

#include "step/derivative/step_differences.h"
#include "voussoir/run_derivative.h"

static const double CLOSED = 1e-8;

enum { BODIES = 2, STEPS = 100 };

// By all numbers of the first state, forces and parameters.
typedef struct gradient {
    double pose[6 * BODIES], velocity[6 * BODIES], force[6 * BODIES * STEPS], parameter[4];
    int borders;
} gradient;

static void set_pair(const rig *s, double mu, double restitution) {
    vs_material material = vs_material_default();
    material.mu = mu, material.restitution = restitution;
    must(vs_world_set_material_pair(s->world, s->material, s->material, &material), s->context);
}

static vs_run_derivative *take_run(rig *s, int steps, const double *force) {
    start_rig(s);
    const vs_parameter p[] = {pair_of(s, VS_PARAMETER_MU), pair_of(s, VS_PARAMETER_RESTITUTION),
                              mass_of(vs_world_get_body_at(s->world, 0))};
    vs_run_derivative_options options = vs_run_derivative_options_default();
    options.step.parameter = p, options.step.parameters = 3, options.force = force;
    vs_run_derivative *run;
    must(vs_run_derivative_create(s->simulation, steps, &options, &run), s->context);
    return run;
}

// Of number `index` of the pose (0 … 5) or velocity (6 … 11) of a body at the end.
static gradient gradient_of(const rig *s, vs_run_derivative *run, int body, int index) {
    const vs_run_derivative_report r = vs_run_derivative_get_report(run);
    const int64_t numbers = 6 * (int64_t)r.bodies;
    double *weights = calloc((size_t)(numbers * (r.steps + 1)), sizeof *weights);
    assert_non_null(weights);
    assert_true(r.bodies <= BODIES && r.steps <= STEPS);
    weights[numbers * r.steps + 6 * (int64_t)body + index % 6] = 1;
    gradient g = {0};
    const vs_run_direction out = {g.pose, g.velocity, g.force, g.parameter};
    const vs_run_states states = {.pose = index < 6 ? weights : NULL, .velocity = index < 6 ? NULL : weights};
    must(vs_run_derivative_adjoint(run, &states, &out), s->context);
    g.borders = vs_run_derivative_get_report(run).borders;
    free(weights);
    return g;
}

static void end_run(rig *s, vs_run_derivative *run) {
    vs_run_derivative_destroy(run);
    close_rig(s);
}

// ---- impacts -----------------------------------------------------------------------------------------

// A ball is pushed in its first steps, hits a wall, and flies back: with F_k in step k, x its distance from the wall,
//
//     x(T) = -e (x0 + v T + sum F_k h (T - (k + 1/2) h)/m)
static void ball_and_wall_by_control(void **state) {
    (void)state;
    enum { N = 60, PUSHED = 10 };
    const double e = .6, v = -2, d = .12;
    rig s;
    open_rig(&s, 0, 0, true);
    set_pair(&s, 0, e);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    const vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .1 + d}, (vs_vec3){0, 0, v});
    s.options.accuracy = 1e-6, s.options.step = .002;
    const double m = s.world->body[ball.index].mass, h = s.options.step, T = N * h;
    double force[6 * N] = {0}, way = v * T;
    for (int k = 0; k < PUSHED; k++) {
        force[6 * k + 2] = 3 * k - 10;
        way += force[6 * k + 2] * h / m * (T - (k + .5) * h);
    }
    vs_run_derivative *run = take_run(&s, N, force);
    assert_close(state_of(&s, ball).pose.position.z - .1, -e * (d + way), CLOSED);
    const gradient g = gradient_of(&s, run, 0, 2);
    assert_close(g.pose[2], -e, CLOSED);
    assert_close(g.velocity[2], -e * T, CLOSED);
    assert_close(g.parameter[1], -(d + way), CLOSED);
    for (int k = 0; k < PUSHED; k++)
        assert_close(g.force[6 * k + 2], -e * h / m * (T - (k + .5) * h), CLOSED);
    for (int k = 50; k < N; k++) // after the impact there is no mirror
        assert_close(g.force[6 * k + 2], h / m * (T - (k + .5) * h), CLOSED);
    end_run(&s, run);
}

// A ball strikes another one that rests. Equal and elastic, they exchange their motions: x2(T) = x1 + v1 T + 2 r + (v2 terms), so that its
// derivatives by x1, x2, v1, v2 are 1, 0, T, 0. With masses m1, m2 and restitution e, and t the time of the impact,
//
//     x2(T) = x2 + v2 t + v2' (T - t),  v2' = v2 + (1 + e) m1/(m1 + m2) u,  t = gap/u,  u = v1 - v2
static void ball_and_ball(void **state) {
    (void)state;
    enum { N = 100 };
    for (int equal = 0; equal < 2; equal++) {
        const double e = equal ? 1 : .5, ratio = equal ? 1 : 2.5, r = .1, x2 = .52, v1 = 1;
        rig s;
        open_rig(&s, 0, 0, false);
        set_pair(&s, 0, e);
        must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
        add_ball(&s, r, 1000, (vs_vec3){0, 0, 0}, (vs_vec3){v1, 0, 0});
        add_ball(&s, r, 1000 * ratio, (vs_vec3){x2, 0, 0}, (vs_vec3){0});
        s.options.accuracy = 1e-6, s.options.step = .01;
        vs_run_derivative *run = take_run(&s, N, NULL);
        const gradient g = gradient_of(&s, run, 1, 0);
        const double T = N * s.options.step, c = (1 + e) / (1 + ratio), t = (x2 - 2 * r) / v1, left = T - t;
        assert_close(state_of(&s, vs_world_get_body_at(s.world, 1)).pose.position.x, x2 + c * v1 * left, CLOSED);
        assert_close(g.pose[0], c, CLOSED);
        assert_close(g.pose[6], 1 - c, CLOSED);
        assert_close(g.velocity[0], c * left + c * t, CLOSED);
        assert_close(g.velocity[6], t + (1 - c) * left - c * t, CLOSED);
        if (equal) {
            assert_close(g.pose[0], 1, CLOSED);
            assert_close(g.velocity[0], T, CLOSED);
            assert_close(g.velocity[6], 0, CLOSED);
        }
        end_run(&s, run);
    }
}

// An elastic billiard between two walls, five impacts: the position is that of the mirrored ball, with the sign of an odd number.
static void billiard(void **state) {
    (void)state;
    enum { N = 90 };
    const double width = .3, r = .1, v = 1.7;
    rig s;
    open_rig(&s, 0, 0, true);
    set_pair(&s, 0, 1);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    vs_shape *plane;
    must(vs_shape_plane(s.context, &plane), s.context);
    vs_collider_def wall = vs_collider_def_default();
    wall.shape = plane, wall.material = s.material;
    wall.pose = (vs_pose){{0, 0, width + 2 * r}, {0, 1, 0, 0}};
    must(vs_world_add_collider(s.world, &wall, NULL), s.context);
    vs_shape_release(plane);
    const vs_body_id ball = add_ball(&s, r, 1000, (vs_vec3){0, 0, r + .1}, (vs_vec3){.4, 0, v});
    s.options.accuracy = 1e-6, s.options.step = .01;
    const double T = N * s.options.step, way = .1 + v * T; // 1.63 = 5 widths and .13
    vs_run_derivative *run = take_run(&s, N, NULL);
    const gradient g = gradient_of(&s, run, 0, 2), along = gradient_of(&s, run, 0, 0);
    assert_close(state_of(&s, ball).pose.position.z - r, width - (way - 5 * width), CLOSED);
    assert_close(g.pose[2], -1, CLOSED);
    assert_close(g.velocity[2], -T, CLOSED);
    assert_close(along.velocity[0], T, CLOSED);
    assert_close(along.velocity[2], 0, CLOSED);
    end_run(&s, run);
}

// A ball hits a wall with friction, sliding, and takes up spin: with v its speed of approach and s that along the wall,
//
//     s' = s - mu (1 + e) v,  r w' = 5/2 mu (1 + e) v,   x(T) = s t + s'(T - t),  t = d/v
static void wall_with_friction(void **state) {
    (void)state;
    enum { N = 80 };
    const double e = .5, mu = .2, v = 2, along = 3, d = .1, r = .1;
    rig s;
    open_rig(&s, mu, 0, true);
    set_pair(&s, mu, e);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    const vs_body_id ball = add_ball(&s, r, 1000, (vs_vec3){0, 0, r + d}, (vs_vec3){along, 0, -v});
    s.options.accuracy = 1e-6, s.options.step = .0025;
    vs_run_derivative *run = take_run(&s, N, NULL);
    const double T = N * s.options.step, t = d / v, left = T - t, lost = mu * (1 + e) * v;
    const gradient x = gradient_of(&s, run, 0, 0), w = gradient_of(&s, run, 0, 10);
    assert_close(state_of(&s, ball).pose.position.x, along * T - lost * left, CLOSED);
    assert_close(x.velocity[0], T, CLOSED);
    assert_close(x.pose[2], lost / v, CLOSED);
    assert_close(x.velocity[2], mu * (1 + e) * (left + t), CLOSED);
    assert_close(x.parameter[0], -(1 + e) * v * left, CLOSED);
    assert_close(x.parameter[1], -mu * v * left, CLOSED);
    assert_close(w.parameter[0], 2.5 * (1 + e) * v / r, CLOSED);
    assert_close(w.velocity[2], -2.5 * mu * (1 + e) / r, CLOSED);
    end_run(&s, run);
}

// ---- contacts that last --------------------------------------------------------------------------------

// A ball on an incline that does not slip: 5/7 of its speed and 2/7 of that of its surface remain in the first step, gravity
// adds 5/7 g sin(a), and N steps of h go N h further by each m/s. Friction and mass do not matter.
static void ball_on_an_incline(void **state) {
    (void)state;
    enum { N = 100 };
    const double r = .1, a = .2, v = .5;
    rig s;
    open_rig(&s, .4, a, true);
    const vs_body_id ball = add_ball(&s, r, 1000, (vs_vec3){0, 0, r}, (vs_vec3){v, 0, 0});
    const double h = s.options.step;
    vs_body_state at = state_of(&s, ball);
    at.spin.y = v / r;
    must(vs_world_set_body_state(s.world, ball, &at), s.context);
    vs_run_derivative *run = take_run(&s, N, NULL);
    const gradient g = gradient_of(&s, run, 0, 0);
    const double gain = 5. / 7 * standard_gravity * sin(a);
    assert_close(state_of(&s, ball).pose.position.x, v * N * h + gain * h * h * N * (N + 1) / 2, CLOSED);
    assert_close(g.velocity[0], 5. / 7 * N * h, CLOSED);
    assert_close(g.velocity[4], 2. / 7 * r * N * h, CLOSED);
    assert_close(g.parameter[0], 0, CLOSED);
    assert_close(g.parameter[2], 0, CLOSED);
    assert_int_equal(g.borders, 0);
    end_run(&s, run);
}

// A block on an incline with tan(a) = mu rests at the edge of the cone. The derivative is that of its side
// that holds, and flagged; with less friction it slides, v = N h g (sin(a) - mu cos(a)).
static void incline_at_its_threshold(void **state) {
    (void)state;
    enum { N = 20 };
    const double a = .3, below[] = {0, 1e-3, -1e-3};
    for (int k = 0; k < 3; k++) {
        const double mu = tan(a) - below[k];
        rig s;
        open_rig(&s, mu, a, true);
        const vs_body_id block = add_box(&s, (vs_vec3){.2, .2, .05}, 1000, (vs_vec3){0, 0, .05}, (vs_vec3){0});
        vs_run_derivative *run = take_run(&s, N, NULL);
        const double h = s.options.step, slope = -standard_gravity * cos(a);
        const gradient g = gradient_of(&s, run, 0, 6);
        assert_close(state_of(&s, block).velocity.x, k == 1 ? -slope * N * h * below[k] : 0, 1e-9);
        assert_close(g.parameter[0], k == 1 ? slope * N * h : 0, CLOSED);
        if (k < 2) // one of four corners of a block at rest may be at its edge
            assert_int_equal(g.borders > 0, k == 0);
        end_run(&s, run);
    }
}

// ---- a pendulum at its torque limit --------------------------------------------------------------------

// In the plane, by its own equations: position of the centre, angle, velocities. The same steps as those of the simulation, whose hinge
// has five rows, its motor one at its limit and its projection six unknowns.
typedef struct pendulum {
    long double mass, own, length, torque; // own: moment of inertia about the centre
    long double x, z, angle, vx, vz, rate;
} pendulum;

// (x, z, angle) moves by least mass until the pivot is at the origin.
static void project_pendulum(pendulum *p) {
    for (int k = 0; k < 3; k++) {
        const long double s = p->length * sinl(p->angle), c = p->length * cosl(p->angle);
        const long double gap[2] = {p->x + s, p->z + c}, u[2] = {c, -s}; // by the angle
        if (fmaxl(fabsl(gap[0]), fabsl(gap[1])) < 1e-13L)
            return;
        // (1/m + u u'/I) l = gap: Sherman and Morrison
        const long double along = (u[0] * gap[0] + u[1] * gap[1]) * p->mass,
                          size = p->own + p->mass * p->length * p->length;
        const long double l[2] = {p->mass * (gap[0] - u[0] * along / size), p->mass * (gap[1] - u[1] * along / size)};
        p->x -= l[0] / p->mass, p->z -= l[1] / p->mass;
        p->angle -= (u[0] * l[0] + u[1] * l[1]) / p->own;
    }
}

static void step_pendulum(pendulum *p, long double h) {
    const long double s = p->length * sinl(p->angle), c = p->length * cosl(p->angle);
    const long double gravity = (long double)standard_gravity;
    // Angular momentum about the pivot; the centre moves by (-c, s) per radian.
    const long double size = p->own + p->mass * p->length * p->length;
    p->rate = (p->own * p->rate + h * p->torque + p->mass * (-c * p->vx + s * (p->vz - h * gravity))) / size;
    p->vx = -c * p->rate, p->vz = s * p->rate;
    p->x += h * p->vx, p->z += h * p->vz, p->angle += h * p->rate;
    project_pendulum(p);
}

enum { SWING = 25 };

// The angle after all steps, from an angle, a rate, a torque and a mass.
static long double swing(const long double in[4], long double own_by_mass, double length, double h) {
    pendulum p = {.mass = in[3], .own = own_by_mass * in[3], .length = length, .torque = in[2], .angle = in[0]};
    p.rate = in[1];
    p.x = -p.length * sinl(p.angle), p.z = -p.length * cosl(p.angle);
    p.vx = -p.length * cosl(p.angle) * p.rate, p.vz = p.length * sinl(p.angle) * p.rate;
    for (int k = 0; k < SWING; k++)
        step_pendulum(&p, h);
    return p.angle;
}

static void pendulum_at_its_torque_limit(void **state) {
    (void)state;
    const double L = .7, a = .6, w = 3, limit = 20, h = .01;
    const vs_vec3 half = {.05, .1, .2};
    rig s;
    open_rig(&s, .4, 0, false);
    s.options.step = h;
    const vs_body_id bob = add_box(&s, half, 800, VS_ZERO3, VS_ZERO3);
    const vs_body_state at = {.pose = {{-L * sin(a), 0, 2 - L * cos(a)}, vs_quat_exp((vs_vec3){0, a, 0})},
                              .velocity = {-L * cos(a) * w, 0, L * sin(a) * w},
                              .spin = {0, w, 0}};
    must(vs_world_set_body_state(s.world, bob, &at), s.context);
    vs_joint_def hinge = vs_joint_def_default();
    hinge.kind = VS_JOINT_REVOLUTE, hinge.b = bob;
    hinge.frame_a = (vs_pose){{0, 0, 2}, vs_quat_exp((vs_vec3){-pi / 2, 0, 0})};
    hinge.frame_b = (vs_pose){{0, 0, L}, vs_quat_exp((vs_vec3){-pi / 2, 0, 0})};
    hinge.motor = VS_MOTOR_SPEED, hinge.target.value = 50, hinge.motor_limit = limit;
    must(vs_world_add_joint(s.world, &hinge, NULL), s.context);
    const double mass = s.world->body[bob.index].mass;
    const long double own = ((long double)half.x * half.x + (long double)half.z * half.z) / 3;
    vs_run_derivative *run = take_run(&s, SWING, NULL);
    const gradient g = gradient_of(&s, run, 0, 4);
    double torque = 0;
    for (int k = 0; k < SWING; k++)
        torque += g.force[6 * k + 4];
    const double turn[2] = {-L * cos(a), L * sin(a)};
    // Turned by da about the pivot, the velocity of the centre turns as well.
    const double found[] = {g.pose[4] + g.pose[0] * turn[0] + g.pose[2] * turn[1] + w * L * sin(a) * g.velocity[0] +
                                w * L * cos(a) * g.velocity[2],
                            g.velocity[4] + g.velocity[0] * turn[0] + g.velocity[2] * turn[1], torque, g.parameter[2]};
    const long double in[4] = {a, w, limit, mass}, small = 1e-5L;
    const vs_quat q = state_of(&s, bob).pose.rotation;
    assert_close(2 * atan2(q.y, q.w), (double)swing(in, own, L, h), 1e-10);
    for (int k = 0; k < 4; k++) {
        long double ends[2];
        for (int i = 0; i < 2; i++) {
            long double moved[4];
            memcpy(moved, in, sizeof moved);
            moved[k] += i ? -small : small;
            ends[i] = swing(moved, own, L, h);
        }
        assert_close(found[k], (double)((ends[0] - ends[1]) / (2 * small)), CLOSED);
    }
    end_run(&s, run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_and_wall_by_control),
        cmocka_unit_test(ball_and_ball),
        cmocka_unit_test(billiard),
        cmocka_unit_test(wall_with_friction),
        cmocka_unit_test(ball_on_an_incline),
        cmocka_unit_test(incline_at_its_threshold),
        cmocka_unit_test(pendulum_at_its_torque_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
