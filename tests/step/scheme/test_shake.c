// The scheme shake: of second order where the motion is smooth, with joints, springs, dampers, motors, gyroscopic forces
// and sliding friction, and not worse than Moreau's scheme at impacts.
//
// Errors are distances of a body from a reference at the end of a run, rotations counted as 1 m per radian. References are
// closed forms, an ordinary differential equation, or the same scheme with 16 times as many steps, whose own error, 1/256,
// changes an observed order of 2 by 0.02.
#include <string.h>

#include "base/vec.h"
#include "voussoir/scene.h"
#include "step/worlds.h"

static const vs_body_id fixed_frame = {0, 0};
static const vs_quat along_y = {.70710678118654757, -.70710678118654757, 0, 0}; // takes z to y
static const vs_quat along_x = {.70710678118654757, 0, .70710678118654757, 0};  // takes z to x

// ---- mechanisms ------------------------------------------------------------------------------------

// A thin bar of 1 kg/m between two points of the x-z plane, at rest.
static vs_body_id add_bar(rig *s, vs_vec3 from, vs_vec3 to) {
    vs_vec3 along = vs_subtract(to, from);
    double length = vs_length(along), across = length * length * length / 12;
    vs_body_def def = vs_body_def_default();
    def.pose = (vs_pose){vs_scale(.5, vs_add(from, to)), vs_quat_exp((vs_vec3){0, atan2(-along.z, along.x), 0})};
    def.mass = length;
    def.inertia = (vs_mat3){{.1 * across, 0, 0, 0, across, 0, 0, 0, across}};
    vs_body_id id;
    must(vs_world_add_body(s->world, &def, &id), s->context);
    return id;
}

static vs_pose frame_in(const rig *s, vs_body_id body, vs_pose frame) {
    if (body.index == 0)
        return frame;
    vs_pose pose = state_of(s, body).pose;
    return (vs_pose){vs_pose_apply_back(pose, frame.position),
                     vs_quat_multiply(vs_quat_conjugate(pose.rotation), frame.rotation)};
}

// A joint whose frames agree in `frame`, world axes; `def`: all else, or null.
static void join(rig *s, vs_joint_kind kind, vs_body_id a, vs_body_id b, vs_pose frame, const vs_joint_def *def) {
    vs_joint_def full = def ? *def : vs_joint_def_default();
    full.kind = kind, full.a = a, full.b = b, full.frame_a = frame_in(s, a, frame),
    full.frame_b = frame_in(s, b, frame);
    must(vs_world_add_joint(s->world, &full, NULL), s->context);
}

static void hinge(rig *s, vs_body_id a, vs_body_id b, vs_vec3 at) {
    join(s, VS_JOINT_REVOLUTE, a, b, (vs_pose){at, along_y}, NULL);
}

static const vs_vec3 O = {0, 0, 0}, X = {1, 0, 0};

static vs_body_id build_pendulum(rig *s) {
    vs_body_id bar = add_bar(s, O, X);
    hinge(s, fixed_frame, bar, O);
    return bar;
}

static vs_body_id build_double_pendulum(rig *s) {
    vs_body_id first = add_bar(s, O, X), second = add_bar(s, X, (vs_vec3){2, 0, 0});
    hinge(s, fixed_frame, first, O);
    hinge(s, first, second, X);
    return second;
}

static vs_body_id build_four_bar(rig *s) {
    const vs_vec3 B = {0, 0, .5}, C = {1, 0, .9}, D = {1.2, 0, 0};
    vs_body_id crank = add_bar(s, O, B), coupler = add_bar(s, B, C), rocker = add_bar(s, D, C);
    hinge(s, fixed_frame, crank, O);
    hinge(s, crank, coupler, B);
    hinge(s, coupler, rocker, C);
    hinge(s, fixed_frame, rocker, D);
    return coupler;
}

static vs_body_id build_slider_crank(rig *s) {
    const vs_vec3 B = {.3, 0, .4}, C = {1.2, 0, 0};
    vs_body_id crank = add_bar(s, O, B), rod = add_bar(s, B, C), slider = add_bar(s, C, (vs_vec3){1.4, 0, 0});
    hinge(s, fixed_frame, crank, O);
    hinge(s, crank, rod, B);
    hinge(s, rod, slider, C);
    join(s, VS_JOINT_PRISMATIC, fixed_frame, slider, (vs_pose){C, along_x}, NULL);
    return slider;
}

// A disk of 0.1 m on a tip 0.15 m below it, fast about its axis, which leans.
static vs_body_id build_top(rig *s) {
    vs_body_def def = vs_body_def_default();
    def.pose.rotation = vs_quat_exp((vs_vec3){.4, 0, 0});
    def.pose.position = vs_rotate(def.pose.rotation, (vs_vec3){0, 0, .15});
    def.mass = 1, def.inertia = (vs_mat3){{.0025, 0, 0, 0, .0025, 0, 0, 0, .005}};
    def.spin = vs_rotate(def.pose.rotation, (vs_vec3){0, 0, 60});
    vs_body_id top;
    must(vs_world_add_body(s->world, &def, &top), s->context);
    join(s, VS_JOINT_SPHERICAL, fixed_frame, top, (vs_pose){O, {1, 0, 0, 0}}, NULL);
    return top;
}

// A pendulum with a spring, a damper and friction, driven by a weak motor.
static vs_body_id build_sprung(rig *s) {
    vs_body_id bar = add_bar(s, O, X);
    vs_joint_def def = vs_joint_def_default();
    def.stiffness = 20, def.damping = .1, def.rest = .5, def.friction = .3;
    def.motor = VS_MOTOR_SPEED, def.motor_limit = .5;
    def.target = (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = 100};
    join(s, VS_JOINT_REVOLUTE, fixed_frame, bar, (vs_pose){O, along_y}, &def);
    return bar;
}

// A pendulum on an elastic hinge, moved by a kinematic body.
static vs_body_id build_elastic(rig *s) {
    vs_body_def def = vs_body_def_default();
    def.motion = VS_MOTION_KINEMATIC;
    vs_body_id hand, bar = add_bar(s, O, X);
    must(vs_world_add_body(s->world, &def, &hand), s->context);
    const vs_signal still = {0}, shake = {.kind = VS_SIGNAL_SINE, .amplitude = .5, .frequency = 1};
    must(vs_world_set_drive(s->world, hand, (const vs_signal[3]){shake, still, still}, (const vs_signal[3]){still}),
         s->context);
    vs_joint_def joint = vs_joint_def_default();
    joint.compliance = 1e-3;
    join(s, VS_JOINT_REVOLUTE, hand, bar, (vs_pose){O, along_y}, &joint);
    return bar;
}

// ---- bodies on a floor -----------------------------------------------------------------------------

// A block of 0.2 m that slides to rest from 2 m/s: after 2^2/(2 mu g).
static vs_body_id build_block(rig *s) {
    return add_box(s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){2, 0, 0});
}

static vs_body_id build_ball(rig *s) {
    return add_ball(s, .1, 1000, (vs_vec3){0, 0, 1.1}, VS_ZERO3);
}

static vs_body_id build_thrown_ball(rig *s) {
    return add_ball(s, .1, 1000, (vs_vec3){0, 0, 1.1}, (vs_vec3){.5, 0, 0});
}

// A box in free fall that meets the floor with an edge.
static vs_body_id build_tilted_box(rig *s) {
    vs_body_id box = add_box(s, (vs_vec3){.1, .1, .2}, 1000, (vs_vec3){0, 0, .5}, VS_ZERO3);
    vs_body_state from = state_of(s, box);
    from.pose.rotation = vs_quat_exp((vs_vec3){0, .5, 0});
    must(vs_world_set_body_state(s->world, box, &from), s->context);
    return box;
}

// A slender block on one edge, which falls back to its base and rocks (Housner).
static vs_body_id build_rocking(rig *s) {
    const vs_vec3 half = {.1, .5, .4};
    vs_body_id block = add_box(s, half, 1000, (vs_vec3){0, 0, .4}, VS_ZERO3);
    vs_body_state from = state_of(s, block);
    from.pose.rotation = vs_quat_exp((vs_vec3){0, -.1, 0});
    vs_vec3 corner = vs_rotate(from.pose.rotation, (vs_vec3){-half.x, 0, -half.z});
    from.pose.position = vs_scale(-1, corner);
    must(vs_world_set_body_state(s->world, block, &from), s->context);
    return block;
}

static vs_body_id build_dominoes(rig *s) {
    vs_body_id tile[4] = {0};
    for (int k = 0; k < 4; k++)
        tile[k] = add_box(s, (vs_vec3){.01, .05, .1}, 1000, (vs_vec3){.06 * k, 0, .1}, VS_ZERO3);
    vs_body_state first = state_of(s, tile[0]);
    first.spin.y = 2, first.velocity = (vs_vec3){.2, 0, .02};
    must(vs_world_set_body_state(s->world, tile[0], &first), s->context);
    return tile[2];
}

// A ball that rolls off a fixed one: a curved contact.
static vs_body_id build_ball_on_ball(rig *s) {
    vs_shape *shape;
    must(vs_shape_sphere(s->context, 1, &shape), s->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = shape, collider.material = s->material;
    must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    vs_shape_release(shape);
    return add_ball(s, .2, 1000, (vs_vec3){1.2 * sin(.1), 0, 1.2 * cos(.1)}, VS_ZERO3);
}

// ---- runs ------------------------------------------------------------------------------------------

typedef struct problem {
    const char *name;
    vs_body_id (*build)(rig *s);
    double time;        // s
    int steps;          // the fewest
    double restitution; // with a floor; < 0: there is none
    bool conserves;     // energy
} problem;

typedef struct outcome {
    vs_pose pose;  // of the measured body
    double energy; // J, largest change
} outcome;

static double energy_of(const rig *s) {
    vs_energy e = vs_world_get_energy(s->world);
    return e.kinetic + e.potential;
}

static vs_body_id open_problem(const problem *p, vs_scheme scheme, int steps, rig *s) {
    open_rig(s, .5, 0, p->restitution >= 0);
    if (p->restitution > 0) {
        vs_material material = vs_material_default();
        material.mu = .5, material.restitution = p->restitution;
        must(vs_world_set_material_pair(s->world, s->material, s->material, &material), s->context);
    }
    vs_body_id body = p->build(s);
    s->options.step = p->time / steps, s->options.scheme = scheme;
    s->options.solver.tolerance = 1e-8; // errors of the solver below those of time
    start_rig(s);
    return body;
}

static outcome run(const problem *p, vs_scheme scheme, int steps) {
    rig s;
    vs_body_id body = open_problem(p, scheme, steps, &s);
    double begin = energy_of(&s);
    outcome out = {0};
    for (int k = 0; k < steps; k++) {
        take_step(&s);
        out.energy = fmax(out.energy, fabs(energy_of(&s) - begin));
    }
    out.pose = state_of(&s, body).pose;
    close_rig(&s);
    return out;
}

static double distance(vs_pose p, vs_pose q) {
    vs_quat turn = vs_quat_multiply(vs_quat_conjugate(p.rotation), q.rotation);
    return hypot(vs_length(vs_subtract(p.position, q.position)), 2 * vs_length((vs_vec3){turn.x, turn.y, turn.z}));
}

// ---- smooth motion ---------------------------------------------------------------------------------

// Twice as many steps: a quarter of the error, in the motion and in the largest error of the energy.
static void smooth_motion_is_of_second_order(void **state) {
    (void)state;
    static const problem list[] = {
        {"pendulum", build_pendulum, 2, 240, -1, true},
        {"double pendulum", build_double_pendulum, 1, 240, -1, true},
        {"four-bar", build_four_bar, 1, 240, -1, true},
        {"slider-crank", build_slider_crank, 1, 240, -1, true},
        {"top", build_top, .5, 240, -1, true},
        {"springs, motor", build_sprung, .3, 60, -1, false}, // moves in one direction: friction does not turn
        {"elastic hinge", build_elastic, .5, 240, -1, false},
        {"ball on ball", build_ball_on_ball, 1, 120, -1, false}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const problem *p = &list[k];
        outcome exact = run(p, VS_SCHEME_SHAKE, 16 * p->steps), one = run(p, VS_SCHEME_SHAKE, p->steps);
        outcome two = run(p, VS_SCHEME_SHAKE, 2 * p->steps), moreau = run(p, VS_SCHEME_MOREAU, p->steps);
        double error = distance(one.pose, exact.pose), order = log2(error / distance(two.pose, exact.pose));
        double energy_order = log2(one.energy / two.energy), first = distance(moreau.pose, exact.pose);
        printf("  %-16s %.1e m, order %.2f; energy %.1e J, order %.2f; Moreau %.1e m, %.1e J\n", p->name, error, order,
               one.energy, energy_order, first, moreau.energy);
        assert_true(order >= 1.9);
        assert_true(!p->conserves || energy_order >= 1.9);
        assert_true(error < .1 * first);
    }
}

static void a_pendulum_follows_its_equation(void **state) {
    (void)state;
    const problem p = {"pendulum", build_pendulum, 2, 240, -1, true};
    const double angle = swing_angle(p.time);
    const vs_pose exact = {{.5 * cos(angle), 0, -.5 * sin(angle)}, vs_quat_exp((vs_vec3){0, angle, 0})};
    double one = distance(run(&p, VS_SCHEME_SHAKE, 240).pose, exact);
    double two = distance(run(&p, VS_SCHEME_SHAKE, 480).pose, exact);
    assert_true(log2(one / two) >= 1.9);
    assert_true(one < 1e-3); // 2.5e-4; Moreau's scheme 0.15
}

// A named scene run to its end: the pose of the last body, and the change of energy. All steps must be accurate.
static double end_scene(const char *name, int steps_per_second, vs_pose *end) {
    memory m = {0};
    vs_context *context = make_context(&m);
    vs_scene *scene;
    must(vs_scene_make(context, name, NULL, 0, &scene), context);
    scene->options.scheme = VS_SCHEME_SHAKE, scene->options.step = 1. / steps_per_second;
    vs_energy begin = vs_world_get_energy(scene->world);
    vs_simulation *simulation;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
    must(vs_simulation_run(simulation, scene->duration), context);
    assert_int_equal(vs_simulation_get_inaccurate_steps(simulation), 0);
    vs_energy after = vs_world_get_energy(scene->world);
    vs_body_id last = vs_world_get_body_at(scene->world, vs_world_get_body_count(scene->world) - 1);
    vs_body_state state;
    must(vs_world_get_body_state(scene->world, last, &state), context);
    *end = state.pose;
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    end_context(context, &m);
    return after.kinetic + after.potential - begin.kinetic - begin.potential;
}

// Nothing changes the energy of the chain; Moreau's scheme loses 3.16 J.
static void a_chain_keeps_its_energy(void **state) {
    (void)state;
    vs_pose coarse, one, two, exact;
    double lost = end_scene("chain", 240, &coarse);
    // At 240 steps per second links touch, at more none does: the order is that of the finer ones.
    (void)end_scene("chain", 480, &one), (void)end_scene("chain", 960, &two);
    (void)end_scene("chain", 480 * 16, &exact);
    double order = log2(distance(one, exact) / distance(two, exact));
    printf("  energy %.2e J; last link %.1e m, order %.2f\n", lost, distance(one, exact), order);
    assert_true(fabs(lost) < .1);
    assert_true(order >= 1.9);
}

// Where bodies turn too far within a step, corrections converge slowly, or not at all. The top turns by half a radian per
// step; it gained 3.8 J of 10 J where corrections stopped early. The end of a hanging chain of 20 bars cracks like a whip
// after a second; where the corrections fail, the step is one of Moreau's, which loses energy, else the chain explodes.
static vs_body_id build_whip(rig *s) {
    vs_body_id last = fixed_frame;
    for (int k = 0; k < 20; k++) {
        vs_body_id next = add_bar(s, (vs_vec3){.1 * k, 0, 0}, (vs_vec3){.1 * (k + 1), 0, 0});
        hinge(s, last, next, (vs_vec3){.1 * k, 0, 0});
        last = next;
    }
    return last;
}

static void fast_rotations_do_not_gain_energy(void **state) {
    (void)state;
    const problem top = {"top", build_top, 10, 1200, -1, true};
    double changed = run(&top, VS_SCHEME_SHAKE, top.steps).energy;
    printf("  top %.1e J\n", changed);
    assert_true(changed < .02); // 0.013 J, which oscillates: of second order
    const problem whip = {"whip", build_whip, 5, 600, -1, false};
    rig s;
    (void)open_problem(&whip, VS_SCHEME_SHAKE, whip.steps, &s);
    double begin = energy_of(&s), most = -INFINITY;
    for (int k = 0; k < whip.steps; k++) {
        take_step(&s);
        most = fmax(most, energy_of(&s) - begin);
    }
    printf("  whip at most %.1e J, at the end %.1e J\n", most, energy_of(&s) - begin);
    assert_true(most < 1); // of 20 J that fall
    close_rig(&s);
}

// A body in free flight: a parabola, and angular momentum and kinetic energy of its rotation, to rounding. Placed again
// in the middle of the run, it starts from the velocity that it gets.
static void free_flight_is_exact(void **state) {
    (void)state;
    enum { STEPS = 200 };
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.scheme = VS_SCHEME_SHAKE, s.options.step = .01;
    vs_body_id body = add_box(&s, (vs_vec3){.1, .2, .3}, 1000, VS_ZERO3, VS_ZERO3);
    vs_body_state from = state_of(&s, body);
    from.velocity = (vs_vec3){1, 2, 5}, from.spin = (vs_vec3){3, .1, 2};
    start_rig(&s);
    for (int placed = 0; placed < 2; placed++) {
        must(vs_world_set_body_state(s.world, body, &from), s.context);
        vs_energy begin = vs_world_get_energy(s.world);
        vs_vec3 p = from.pose.position, v = from.velocity;
        for (int k = 1; k <= STEPS; k++) {
            double t = .01 * k, fall = .5 * standard_gravity * t * t;
            take_step(&s);
            vs_body_state now = state_of(&s, body);
            assert_vec(now.velocity, ((vs_vec3){v.x, v.y, v.z - standard_gravity * t}), 1e-12);
            assert_vec(now.pose.position, ((vs_vec3){p.x + t * v.x, p.y + t * v.y, p.z + t * v.z - fall}), 1e-12);
        }
        vs_energy after = vs_world_get_energy(s.world);
        assert_close(after.kinetic + after.potential, begin.kinetic + begin.potential, 1e-10 * begin.kinetic);
        from = state_of(&s, body);
        from.velocity = (vs_vec3){-1, 0, 3};
    }
    close_rig(&s);
}

// A crank that a motor turns with 6 rad/s is where the integral of its target is, also where that changes with time.
static void motors_reach_the_integral_of_their_speed(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.scheme = VS_SCHEME_SHAKE, s.options.step = .01;
    vs_body_id bar = add_bar(&s, O, X);
    vs_joint_def def = vs_joint_def_default();
    def.motor = VS_MOTOR_SPEED;
    def.target = (vs_signal){.kind = VS_SIGNAL_SINE, .value = 6, .amplitude = 4, .frequency = 1};
    join(&s, VS_JOINT_REVOLUTE, fixed_frame, bar, (vs_pose){O, along_y}, &def);
    start_rig(&s);
    for (int k = 1; k <= 100; k++) {
        take_step(&s);
        double t = .01 * k, angle = 6 * t + 4 / (2 * pi) * (1 - cos(2 * pi * t));
        vs_vec3 end = {.5 * cos(angle), 0, -.5 * sin(angle)};
        assert_vec(state_of(&s, bar).pose.position, end, 1e-6); // the tolerance of the solver
    }
    close_rig(&s);
}

// Its rate would change sign in every step by the mean of both ends: here z = h c/I = 300.
static void a_strong_damper_stops_its_joint(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.scheme = VS_SCHEME_SHAKE, s.options.step = .01;
    vs_body_id bar = build_pendulum(&s), other = add_bar(&s, X, (vs_vec3){2, 0, 0});
    vs_joint_def def = vs_joint_def_default();
    def.damping = 1e3;
    join(&s, VS_JOINT_REVOLUTE, bar, other, (vs_pose){X, along_y}, &def);
    start_rig(&s);
    for (int k = 0; k < 50; k++) {
        take_step(&s);
        double rate = state_of(&s, other).spin.y - state_of(&s, bar).spin.y;
        assert_true(fabs(rate) < .05); // gravity turns both by up to 4 rad/s
    }
    close_rig(&s);
}

// ---- contacts --------------------------------------------------------------------------------------

// Errors of impacts depend on where in a step they happen: means over steps of different length. Sliding is of second
// order until it ends, and so are impacts with restitution; the others are of first order with either scheme, and equal up to
// the scatter of the means.
static void contacts_are_not_worse_than_by_moreau(void **state) {
    (void)state;
    static const struct {
        problem p;
        double most; // of Moreau's error
    } list[] = {{{"sliding block", build_block, .7, 84, 0, false}, .01},
                {{"bouncing ball", build_ball, 2, 240, .8, false}, .1},
                {{"tilted box", build_tilted_box, .6, 144, .4, false}, .3},
                {{"rocking block", build_rocking, 1, 240, 0, false}, 1.2},
                {{"dominoes", build_dominoes, .5, 60, 0, false}, 1.}};
    enum { LENGTHS = 16, FINE = 64 };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const problem *p = &list[k].p;
        vs_pose exact = run(p, VS_SCHEME_SHAKE, FINE * p->steps).pose;
        double error[2] = {0};
        for (int i = 0; i < LENGTHS; i++)
            for (int scheme = 0; scheme < 2; scheme++)
                error[scheme] +=
                    distance(run(p, (vs_scheme)scheme, p->steps + p->steps * i / LENGTHS).pose, exact) / LENGTHS;
        printf("  %-16s %.1e m, Moreau %.1e m\n", p->name, error[VS_SCHEME_SHAKE], error[VS_SCHEME_MOREAU]);
        assert_true(error[VS_SCHEME_SHAKE] < list[k].most * error[VS_SCHEME_MOREAU]);
    }
}

// A ball that spins after its first impact is of second order. A box hits with one edge, and soon after with the other, in some
// runs within one step, where its impacts have one time, in between: of first order, and all that is left of its error. Means over steps of different length.
static void bounces_are_of_second_order(void **state) {
    (void)state;
    static const struct {
        problem p;
        double order; // at least
        double most;  // m
    } list[] = {{{"thrown ball", build_thrown_ball, 1.5, 360, .8, false}, 1.9, 1e-4},
                {{"tilted box", build_tilted_box, .6, 144, .4, false}, .7, 4e-5}};
    enum { LENGTHS = 16, FINE = 64 };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const problem *p = &list[k].p;
        vs_pose exact = run(p, VS_SCHEME_SHAKE, FINE * p->steps).pose;
        double error[2] = {0};
        for (int i = 0; i < LENGTHS; i++)
            for (int fine = 0; fine < 2; fine++) {
                int steps = (1 + 3 * fine) * (p->steps + p->steps * i / LENGTHS);
                error[fine] += distance(run(p, VS_SCHEME_SHAKE, steps).pose, exact) / LENGTHS;
            }
        const double order = .5 * log2(error[0] / error[1]);
        printf("  %-16s %.1e m, order %.2f\n", p->name, error[0], order);
        assert_true(order >= list[k].order && error[0] < list[k].most);
    }
}

// Without loss a ball returns to its height for ever: forces before and after the impact within a step act for their part of it.
static void an_elastic_ball_keeps_its_energy(void **state) {
    (void)state;
    enum { STEPS = 20000 };
    rig s;
    open_rig(&s, 0, 0, true);
    vs_material material = vs_material_default();
    material.mu = 0, material.restitution = 1;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    (void)add_ball(&s, .1, 1000, (vs_vec3){0, 0, 1.1}, VS_ZERO3);
    s.options.step = 1. / 240, s.options.scheme = VS_SCHEME_SHAKE;
    start_rig(&s);
    const double begin = energy_of(&s);
    for (int k = 0; k < STEPS; k++)
        take_step(&s);
    printf("  %.2e of its energy in %d steps\n", energy_of(&s) / begin - 1, STEPS);
    assert_true(fabs(energy_of(&s) / begin - 1) < 1e-3); // the velocity after an impact is extrapolated
    close_rig(&s);
}

// A column of balls without loss that fall onto each other: many impacts at different times in one island.
static void impacts_at_different_times_create_no_energy(void **state) {
    (void)state;
    enum { BALLS = 6, STEPS = 480 };
    rig s;
    open_rig(&s, .5, 0, true);
    vs_material material = vs_material_default();
    material.mu = .3, material.restitution = 1;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    for (int k = 0; k < BALLS; k++)
        (void)add_ball(&s, .1, 1000, (vs_vec3){.01 * (k % 3), 0, .12 + .205 * k}, VS_ZERO3);
    s.options.step = 1. / 240, s.options.scheme = VS_SCHEME_SHAKE;
    s.options.solver.tolerance = 1e-8;
    start_rig(&s);
    const double begin = energy_of(&s);
    double highest = begin;
    for (int k = 0; k < STEPS; k++) {
        take_step(&s);
        highest = fmax(highest, energy_of(&s));
    }
    printf("  energy at most %.5f of that at the start, %.5f at the end\n", highest / begin, energy_of(&s) / begin);
    assert_true(highest <
                1.002 * begin); // velocities at the end of a step are extrapolated: an error of h g v per mass
    close_rig(&s);
}

// At rest for a second: neither the half kick at the start nor the leads move a stack, and they show no velocities.
static void a_stack_at_rest_stays(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    s.options.scheme = VS_SCHEME_SHAKE;
    vs_body_id box[3];
    for (int k = 0; k < 3; k++)
        box[k] = add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1 + .2 * k}, VS_ZERO3);
    start_rig(&s);
    for (int k = 0; k < 100; k++) {
        take_step(&s);
        for (int i = 0; i < 3; i++) {
            vs_body_state now = state_of(&s, box[i]);
            assert_vec(now.pose.position, ((vs_vec3){0, 0, .1 + .2 * i}), 1e-9);
            assert_true(vs_length(now.velocity) < 1e-9);
        }
    }
    close_rig(&s);
}

// The impulses of the first kick, half as long as the second, start it doubled: else the solver finds another solution, in
// which the pyramid spreads.
static void a_pyramid_of_spheres_stays(void **state) {
    (void)state;
    vs_pose end;
    assert_true(fabs(end_scene("sphere-pile", 240, &end)) < 1e-6); // of 3 J
}

// Beams and solids: the work of loads and hands is stored or dissipated.
static void flexible_bodies_keep_the_balance(void **state) {
    (void)state;
    static const char *const name[] = {"soft-gripper", "rope-on-drum"};
    for (int k = 0; k < 2; k++) {
        memory m = {0};
        vs_context *context = make_context(&m);
        vs_scene *scene;
        vs_simulation *simulation;
        vs_step_report r = {0};
        must(vs_scene_make(context, name[k], NULL, 0, &scene), context);
        scene->options.scheme = VS_SCHEME_SHAKE;
        must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
        for (int i = 0; i < 100; i++)
            must(vs_simulation_step(simulation, &r), context);
        printf("  %s: %.2e J of %.2e J\n", name[k], r.total.discretization, r.total.loads + r.total.prescribed);
        assert_int_equal(vs_simulation_get_inaccurate_steps(simulation), 0);
        assert_true(fabs(r.total.discretization) < .02 * (r.total.loads + r.total.prescribed)); // moreau: 0.06
        vs_simulation_destroy(simulation);
        vs_scene_destroy(scene);
        end_context(context, &m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_follows_its_equation),
        cmocka_unit_test(free_flight_is_exact),
        cmocka_unit_test(motors_reach_the_integral_of_their_speed),
        cmocka_unit_test(a_strong_damper_stops_its_joint),
        cmocka_unit_test(an_elastic_ball_keeps_its_energy),
        cmocka_unit_test(impacts_at_different_times_create_no_energy),
        cmocka_unit_test(a_stack_at_rest_stays),
        cmocka_unit_test(a_pyramid_of_spheres_stays),
        cmocka_unit_test(flexible_bodies_keep_the_balance),
    };
    const struct CMUnitTest studies[] = {
        cmocka_unit_test(smooth_motion_is_of_second_order),  cmocka_unit_test(a_chain_keeps_its_energy),
        cmocka_unit_test(fast_rotations_do_not_gain_energy), cmocka_unit_test(contacts_are_not_worse_than_by_moreau),
        cmocka_unit_test(bounces_are_of_second_order),
    };
    return vs_run_tests_and_studies(tests, studies);
}
