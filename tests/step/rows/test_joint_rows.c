// Rows of joints: derivatives against differences, right-hand sides against closed forms, and both in motion.
#include "kit/joint_stepper.h"
#include "kit/random.h"

static const vs_vec3 GRAVITY = {0, 0, -9.81};
static const vs_vec3 INERTIA = {.02, .03, .05};
static const double PI = 3.14159265358979323846;

// ---- a repeatable mess -----------------------------------------------------------------------------

static vs_pose draw_pose(uint64_t *seed, double size, double turn) {
    vs_vec3 position = random_vec(seed, size);
    return (vs_pose){position, vs_quat_exp(random_vec(seed, turn))};
}

static void draw_velocity(uint64_t *seed, vs_body *body) {
    body->velocity = random_vec(seed, 1);
    body->spin = random_vec(seed, 1);
}

// Moves a body for `time` with its velocity.
static void displace(vs_body *body, vs_pose from, double time) {
    body->pose.position = vs_add_scaled(from.position, time, body->velocity);
    body->pose.rotation = vs_quat_multiply(from.rotation, vs_quat_exp(vs_scale(time, body->spin)));
}

static void displace_all(vs_world *world, const vs_pose *from, double time) {
    for (int k = 1; k < world->bodies; k++)
        displace(&world->body[k], from[k], time);
}

// Two bodies and a joint with frames anywhere, B's frame `turn` rad and 0.3 m away from where it belongs.
static vs_joint_id add_messy_joint(vs_world *world, vs_joint_kind kind, uint64_t *seed, double turn) {
    vs_joint_def def = vs_joint_def_default();
    def.kind = kind;
    def.a = add_body(world, VS_MOTION_DYNAMIC, draw_pose(seed, 1, 2), 2, INERTIA);
    def.frame_a = draw_pose(seed, .5, 2);
    def.frame_b = draw_pose(seed, .5, 2);
    def.length = .7;
    vs_pose A = vs_pose_multiply(world->body[def.a.index].pose, def.frame_a);
    vs_pose B = vs_pose_multiply(A, draw_pose(seed, .3, turn)), back;
    back.rotation = vs_quat_conjugate(def.frame_b.rotation);
    back.position = vs_scale(-1, vs_rotate(back.rotation, def.frame_b.position));
    def.b = add_body(world, VS_MOTION_DYNAMIC, vs_pose_multiply(B, back), 3, INERTIA);
    draw_velocity(seed, &world->body[def.a.index]);
    draw_velocity(seed, &world->body[def.b.index]);
    return add_joint(world, &def);
}

static double apply(const vs_world *world, const vs_joint_row *row) {
    double rate = 0;
    for (int k = 0; k < row->bodies; k++) {
        const vs_body *body = &world->body[row->body[k]];
        rate += row->J[k][0] * body->velocity.x + row->J[k][1] * body->velocity.y + row->J[k][2] * body->velocity.z +
                row->J[k][3] * body->spin.x + row->J[k][4] * body->spin.y + row->J[k][5] * body->spin.z;
    }
    return rate;
}

// ---- derivatives -----------------------------------------------------------------------------------

// Central differences with 1e-5 s: truncation 1e-10 times third derivatives (about 10), rounding 1e-16/1e-5.
static void check_derivatives(vs_world *world, vs_joint_id id, int rows) {
    double psi[VS_JOINT_BILATERAL_MOST], ahead[VS_JOINT_BILATERAL_MOST], behind[VS_JOINT_BILATERAL_MOST];
    double x, x_ahead, x_behind, rate, unused, e = 1e-5;
    vs_joint_row row[VS_JOINT_BILATERAL_MOST];
    vs_pose from[STEPPER_BODIES];
    const vs_joint *joint = joint_of(world, id);
    assert_int_equal(vs_joint_violation(world, joint, psi, row), rows);
    vs_joint_coordinate(world, joint, &x, &rate);
    for (int k = 0; k < world->bodies; k++)
        from[k] = world->body[k].pose;
    displace_all(world, from, e);
    vs_joint_violation(world, joint, ahead, NULL);
    vs_joint_coordinate(world, joint, &x_ahead, &unused);
    displace_all(world, from, -e);
    vs_joint_violation(world, joint, behind, NULL);
    vs_joint_coordinate(world, joint, &x_behind, &unused);
    displace_all(world, from, 0);
    for (int k = 0; k < rows; k++)
        assert_close(apply(world, &row[k]), (ahead[k] - behind[k]) / (2 * e), 1e-7);
    assert_close(rate, (x_ahead - x_behind) / (2 * e), 1e-7);
}

// Its rows in Moreau's scheme.
static int rows_of(vs_world *world, vs_joint_id id, double h, vs_joint_row *row) {
    const vs_kick kick = vs_kick_over(world, h);
    return vs_joint_rows(world, joint_of(world, id), &kick, row);
}

static void derivatives_of_every_kind_agree_with_differences(void **state) {
    static const struct {
        vs_joint_kind kind;
        int rows;
    } kinds[] = {{VS_JOINT_FIXED, 6},     {VS_JOINT_SPHERICAL, 3},   {VS_JOINT_REVOLUTE, 5},
                 {VS_JOINT_PRISMATIC, 5}, {VS_JOINT_CYLINDRICAL, 4}, {VS_JOINT_UNIVERSAL, 4},
                 {VS_JOINT_PLANAR, 3},    {VS_JOINT_DISTANCE, 1},    {VS_JOINT_SPRING, 0}};
    vs_context *context = context_of(state);
    uint64_t seed = 1;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (int trial = 0; trial < 20; trial++) {
            vs_world *world = make_world(context, GRAVITY);
            vs_joint_id id = add_messy_joint(world, kinds[k].kind, &seed, trial < 10 ? .1 : 1.5);
            check_derivatives(world, id, kinds[k].rows);
            vs_world_destroy(world);
        }
    }
}

// B in A's frame, and its motion there.
typedef struct placed_joint {
    vs_joint_kind kind;
    vs_vec3 d, turn;        // m; rotation vector, rad
    vs_vec3 velocity, spin; // m/s, rad/s
    int count;              // of coordinates
    double coordinate[3], rate[3];
} placed_joint;

static void check_coordinates(vs_context *context, const placed_joint *p, uint64_t *seed) {
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_def def = vs_joint_def_default();
    def.kind = p->kind, def.frame_a = draw_pose(seed, .5, 2);
    const vs_pose B = vs_pose_multiply(def.frame_a, (vs_pose){p->d, vs_quat_exp(p->turn)});
    def.b = add_body(world, VS_MOTION_DYNAMIC, B, 3, INERTIA);
    vs_body *body = &world->body[def.b.index];
    body->velocity = vs_rotate(def.frame_a.rotation, p->velocity);
    body->spin = vs_rotate_back(B.rotation, vs_rotate(def.frame_a.rotation, p->spin));
    double coordinate[VS_JOINT_COORDINATES_MOST], rate[VS_JOINT_COORDINATES_MOST];
    int count = -1;
    const vs_joint_id id = add_joint(world, &def);
    assert_int_equal(vs_world_get_joint_coordinates(world, id, coordinate, rate, &count), VS_OK);
    assert_int_equal(count, p->count);
    for (int k = 0; k < count; k++) {
        assert_near("coordinate", coordinate[k], p->coordinate[k], 1e-12);
        assert_near("rate", rate[k], p->rate[k], 1e-12);
    }
    assert_int_equal(vs_world_get_joint_coordinates(world, id, NULL, NULL, &count), VS_OK);
    vs_world_destroy(world);
}

static void every_free_motion_has_a_coordinate(void **state) {
    // A universal joint turned by 0.5 about z and then by 0.3 about x, at 2 and 3 rad/s.
    const vs_quat first = vs_quat_exp((vs_vec3){0, 0, .5}),
                  both = vs_quat_multiply(first, vs_quat_exp((vs_vec3){.3, 0, 0}));
    const double half = acos(both.w), sine = sin(half);
    const vs_vec3 turned = {2 * half / sine * both.x, 2 * half / sine * both.y, 2 * half / sine * both.z};
    const placed_joint joint[] = {
        {VS_JOINT_FIXED, VS_ZERO3, VS_ZERO3, VS_ZERO3, VS_ZERO3, 0, {0}, {0}},
        {VS_JOINT_REVOLUTE, VS_ZERO3, {0, 0, .7}, VS_ZERO3, {0, 0, -2}, 1, {.7}, {-2}},
        {VS_JOINT_PRISMATIC, {0, 0, .2}, VS_ZERO3, {0, 0, 3}, VS_ZERO3, 1, {.2}, {3}},
        {VS_JOINT_CYLINDRICAL, {0, 0, .2}, {0, 0, .7}, {0, 0, 3}, {0, 0, -2}, 2, {.2, .7}, {3, -2}},
        {VS_JOINT_PLANAR, {.3, -.4, 0}, {0, 0, .7}, {1, 2, 0}, {0, 0, -2}, 3, {.3, -.4, .7}, {1, 2, -2}},
        {VS_JOINT_SPHERICAL, VS_ZERO3, {.1, .2, -.3}, VS_ZERO3, {4, 5, 6}, 3, {.1, .2, -.3}, {4, 5, 6}},
        {VS_JOINT_UNIVERSAL, VS_ZERO3, turned, VS_ZERO3, {3 * cos(.5), 3 * sin(.5), 2}, 2, {.5, .3}, {2, 3}},
    };
    vs_context *context = context_of(state);
    uint64_t seed = 7;
    for (size_t k = 0; k < sizeof joint / sizeof *joint; k++)
        check_coordinates(context, &joint[k], &seed);
}

static void derivatives_of_gears_agree_with_differences(void **state) {
    static const vs_joint_kind kinds[] = {VS_JOINT_REVOLUTE, VS_JOINT_PRISMATIC};
    vs_context *context = context_of(state);
    uint64_t seed = 2;
    for (int trial = 0; trial < 16; trial++) {
        vs_world *world = make_world(context, GRAVITY);
        vs_joint_def def = vs_joint_def_default();
        def.kind = VS_JOINT_GEAR;
        def.joint_a = add_messy_joint(world, kinds[trial & 1], &seed, .5);
        def.joint_b = add_messy_joint(world, kinds[trial >> 1 & 1], &seed, .5);
        def.ratio = -2.5;
        check_derivatives(world, add_joint(world, &def), 1);
        vs_world_destroy(world);
    }
}

// The power of a row's direction, as a force on B at B's origin and its opposite on A, is the row's rate: so reactions
// are what the impulses mean.
static void directions_are_the_forces_on_b_in_frame_a(void **state) {
    vs_context *context = context_of(state);
    uint64_t seed = 3;
    for (int kind = VS_JOINT_FIXED; kind <= VS_JOINT_DISTANCE; kind++) {
        vs_world *world = make_world(context, GRAVITY);
        vs_joint_id id = add_messy_joint(world, (vs_joint_kind)kind, &seed, .5);
        const vs_joint *joint = joint_of(world, id);
        double psi[VS_JOINT_BILATERAL_MOST];
        vs_joint_row row[VS_JOINT_BILATERAL_MOST];
        const vs_body *a = &world->body[joint->a], *b = &world->body[joint->b];
        vs_quat A = vs_quat_multiply(a->pose.rotation, joint->def.frame_a.rotation);
        vs_vec3 point = vs_pose_apply(b->pose, joint->def.frame_b.position);
        vs_vec3 w_a = vs_rotate(a->pose.rotation, a->spin), w_b = vs_rotate(b->pose.rotation, b->spin);
        vs_vec3 u_a = vs_add(a->velocity, vs_cross(w_a, vs_subtract(point, a->pose.position)));
        vs_vec3 u_b = vs_add(b->velocity, vs_cross(w_b, vs_subtract(point, b->pose.position)));
        int rows = vs_joint_violation(world, joint, psi, row);
        for (int k = 0; k < rows; k++) {
            const double *d = row[k].direction;
            vs_vec3 F = vs_rotate(A, (vs_vec3){d[0], d[1], d[2]}), T = vs_rotate(A, (vs_vec3){d[3], d[4], d[5]});
            double power = vs_dot(F, vs_subtract(u_b, u_a)) + vs_dot(T, vs_subtract(w_b, w_a));
            assert_close(apply(world, &row[k]), power, 1e-13); // rounding of sums of order 1
        }
        vs_world_destroy(world);
    }
}

// ---- right-hand sides ------------------------------------------------------------------------------

static void every_row_has_the_stated_right_hand_side(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_row row[VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST];
    double h = .01;
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_PRISMATIC;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{.25, 0, .5}, {1, 0, 0, 0}}, 2, INERTIA);
    def.limited = true, def.low = .45, def.high = .52;
    def.motor = VS_MOTOR_POSITION, def.target.value = .6, def.motor_limit = 7;
    def.stiffness = 300, def.damping = 2, def.rest = .3;
    def.friction = 4;
    def.compliance = 1e-5;
    vs_joint_id id = add_joint(world, &def);
    assert_int_equal(rows_of(world, id, h, row), 5 + 1 + 4);
    assert_close(row[0].b, -.25 / h, 1e-12);
    assert_close(row[0].compliance, .1, 1e-15);
    // -h (k (x + h v - rest) + c v) = (b - v)/E for v = 0 and v = 1
    assert_int_equal(row[5].kind, VS_ROW_BILATERAL);
    assert_close(row[5].b / row[5].compliance, -h * 300 * .2, 1e-12);
    assert_close((row[5].b - 1) / row[5].compliance, -h * (300 * (.2 + h) + 2), 1e-12);
    assert_int_equal(row[6].kind, VS_ROW_BOX);
    assert_close(row[6].b, .1 / h, 1e-12);
    assert_close(row[6].hi, .07, 1e-15);
    assert_close(row[7].lo, -.04, 1e-15);
    assert_close(row[8].b, -.05 / h, 1e-12);
    assert_close(row[9].b, -.02 / h, 1e-12);
    assert_close(row[9].J[1][2], -1, 0);
    vs_world_destroy(world);
}

static void limits_out_of_reach_have_no_row(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_row row[VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST];
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_PRISMATIC;
    def.b = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, 2, INERTIA);
    def.limited = true, def.low = -1, def.high = 1;
    vs_joint_id id = add_joint(world, &def);
    assert_int_equal(rows_of(world, id, .01, row), 5);
    // 100 m/s for 0.01 s reach both ends, as the direction may still change
    world->body[1].velocity.z = 100;
    assert_int_equal(rows_of(world, id, .01, row), 7);
    vs_world_destroy(world);
}

static void a_limited_or_driven_distance_replaces_the_length(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_row row[VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST];
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_DISTANCE;
    def.length = 1;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{0, 0, -1}, {1, 0, 0, 0}}, 2, INERTIA);
    vs_joint_id id = add_joint(world, &def);
    assert_int_equal(rows_of(world, id, .01, row), 1);
    assert_int_equal(row[0].kind, VS_ROW_BILATERAL);
    def.limited = true, def.low = 0, def.high = 1;
    id = add_joint(world, &def);
    assert_int_equal(rows_of(world, id, .01, row), 1);
    assert_int_equal(row[0].kind, VS_ROW_UNILATERAL);
    vs_world_destroy(world);
}

// ---- in motion -------------------------------------------------------------------------------------

// A wheel or arm on the world's z axis turned to be horizontal (axis along y), its centre of mass `arm` m off the axis.
static vs_joint_def define_arm(vs_world *world, double mass, double arm) {
    vs_joint_def def = vs_joint_def_default();
    vs_quat level = vs_quat_exp((vs_vec3){-PI / 2, 0, 0}); // z of the frames is the world's y
    def.kind = VS_JOINT_REVOLUTE;
    def.frame_a.rotation = def.frame_b.rotation = level;
    def.frame_b.position.x = -arm;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{arm, 0, 0}, {1, 0, 0, 0}}, mass, INERTIA);
    return def;
}

// The solver's joints hold to 1e-12 of velocities of order 1, and these forces are of order 10.
static void the_reaction_of_a_hanging_body_is_its_weight(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_FIXED;
    def.frame_a.rotation = vs_quat_exp((vs_vec3){PI / 2, 0, 0}); // z of the world is y of A
    def.frame_b = def.frame_a;
    def.frame_b.position.x = -.4;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{.4, 0, 0}, {1, 0, 0, 0}}, 2.5, INERTIA);
    vs_joint_id id = add_joint(world, &def);
    stepper s = make_stepper(world, 1. / 240);
    for (int k = 0; k < 10; k++)
        step(&s);
    const vs_joint *joint = joint_of(world, id);
    assert_close(joint->force.x, 0, 1e-9);
    assert_close(joint->force.y, 2.5 * 9.81, 1e-9);
    assert_close(joint->force.z, 0, 1e-9);
    // torque about the support: -r x m g = -.4 e_x x (-m g e_z) = -.4 m g e_y, and y of the world is -z of A
    assert_close(joint->torque.z, .4 * 2.5 * 9.81, 1e-9);
    assert_close(joint->torque.x, 0, 1e-9);
    vs_world_destroy(world);
}

static void a_speed_motor_keeps_its_speed_and_counts_turns(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_def def = define_arm(world, 2, .3);
    def.motor = VS_MOTOR_SPEED;
    def.target.value = 40;
    vs_joint_id id = add_joint(world, &def);
    stepper s = make_stepper(world, 1. / 240);
    for (int k = 0; k < 240; k++) {
        step(&s);
        assert_close(rate_of(world, id), 40, 40 * 1e-12);
    }
    // 6.4 turns; the angle is a sum of 240 roundings of 40 rad, and projection may move it by its tolerance
    assert_close(coordinate_of(world, id), 40, 1e-9);
    vs_world_destroy(world);
}

static void a_position_motor_is_where_its_target_is(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_def def = define_arm(world, 2, .3);
    def.motor = VS_MOTOR_POSITION;
    def.target.kind = VS_SIGNAL_SINE;
    def.target.amplitude = 5; // beyond half a turn both ways
    def.target.frequency = 1;
    vs_joint_id id = add_joint(world, &def);
    stepper s = make_stepper(world, 1. / 240);
    for (int k = 0; k < 240; k++) {
        step(&s);
        // rate rounding 1e-12 of 30 rad/s times h
        assert_close(coordinate_of(world, id), 5 * sin(2 * PI * world->time), 1e-11);
    }
    vs_world_destroy(world);
}

static void a_weak_motor_gives_its_limit(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_joint_def def = define_arm(world, 2, 0);
    def.motor = VS_MOTOR_SPEED;
    def.target.value = 40;
    def.motor_limit = .5;
    vs_joint_id id = add_joint(world, &def);
    stepper s = make_stepper(world, .01);
    step(&s);
    // The axis is y: .5 N m on .03 kg m^2. Interior points reach a bound to the tolerance of 1e-12 in energy's root.
    assert_close(rate_of(world, id), .01 * .5 / .03, 1e-9);
    assert_close(joint_of(world, id)->torque.z, .5, 1e-8);
    vs_world_destroy(world);
}

static void friction_holds_below_its_limit_and_slips_above(void **state) {
    for (int slips = 0; slips < 2; slips++) {
        vs_context *context = context_of(state);
        vs_world *world = make_world(context, GRAVITY);
        vs_joint_def def = define_arm(world, 2, .3);
        double weight = 2 * 9.81 * .3, inertia = .03 + 2 * .09, h = 1e-3;
        def.friction = slips ? .6 * weight : 1.1 * weight;
        vs_joint_id id = add_joint(world, &def);
        stepper s = make_stepper(world, h);
        step(&s);
        // A horizontal arm along x falls: about y that is a positive turn.
        assert_close(rate_of(world, id), slips ? h * .4 * weight / inertia : 0, 1e-10);
        vs_world_destroy(world);
    }
}

static void limits_hold_a_falling_pendulum(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double most = 0;
    vs_joint_def def = define_arm(world, 2, .3);
    def.limited = true, def.low = -1, def.high = .8;
    vs_joint_id id = add_joint(world, &def);
    stepper s = make_stepper(world, 1. / 240);
    for (int k = 0; k < 240; k++) {
        step(&s);
        most = fmax(most, coordinate_of(world, id));
    }
    // The row holds to the solver's tolerance; it comes to rest there.
    assert_close(most, .8, 1e-9);
    assert_close(rate_of(world, id), 0, 1e-9);
    vs_world_destroy(world);
}

static void a_spring_follows_implicit_euler(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double m = 2, k = 500, c = 3, rest = -.1, h = .01, x = .2, v = 0;
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_PRISMATIC;
    def.stiffness = k, def.damping = c, def.rest = rest;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{0, 0, x}, {1, 0, 0, 0}}, m, INERTIA);
    vs_joint_id id = add_joint(world, &def);
    stepper s = make_stepper(world, h);
    assert_close(vs_world_get_energy(world).elastic, .5 * k * .09, 1e-13);
    for (int n = 0; n < 200; n++) {
        step(&s);
        v = (m * v - h * m * 9.81 - h * k * (x - rest)) / (m + h * c + h * h * k);
        x += h * v;
        assert_close(coordinate_of(world, id), x, 1e-12); // roundings of 200 steps, damped
        assert_close(rate_of(world, id), v, 1e-11);
    }
    vs_world_destroy(world);
}

// Hung by a spring between two points, and by a joint with compliance: both sag by m g / k.
static void springs_and_compliant_joints_sag_by_their_weight(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_SPRING;
    def.stiffness = 1000, def.damping = 60, def.rest = .5;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{0, 0, -.5}, {1, 0, 0, 0}}, 2, INERTIA);
    add_joint(world, &def);
    def = vs_joint_def_default();
    def.kind = VS_JOINT_FIXED;
    def.compliance = 1e-4;
    def.b = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, 2, INERTIA);
    vs_joint_id compliant = add_joint(world, &def);
    stepper s = make_stepper(world, .01);
    for (int k = 0; k < 400; k++)
        step(&s);
    // 4 s are 60 time constants m/c of the spring; the other one is damped by implicit Euler within 0.2 s
    assert_close(world->body[1].pose.position.z, -.5 - 2 * 9.81 / 1000, 1e-9);
    assert_close(world->body[2].pose.position.z, -2 * 9.81 * 1e-4, 1e-9);
    assert_close(joint_of(world, compliant)->force.z, 2 * 9.81, 1e-6);
    assert_close(vs_world_get_energy(world).elastic, .5 * pow(2 * 9.81, 2) * (1. / 1000 + 1e-4), 1e-7);
    vs_world_destroy(world);
}

// A gear of two wheels, one driven by a motor over many turns; a rack and a screw hang on the same wheel.
static void gear_rack_and_screw_keep_their_ratio(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    static const double ratio[3] = {-2.5, .05, .002 / (2 * 3.14159265358979323846)};
    vs_joint_id follower[3];
    vs_joint_def def = define_arm(world, 2, 0);
    def.motor = VS_MOTOR_SPEED;
    def.target.value = 20;
    vs_joint_id driver = add_joint(world, &def);
    for (int k = 0; k < 3; k++) {
        vs_joint_def gear = vs_joint_def_default();
        def = define_arm(world, 2, 0);
        def.kind = k == 0 ? VS_JOINT_REVOLUTE : VS_JOINT_PRISMATIC;
        follower[k] = add_joint(world, &def);
        gear.kind = VS_JOINT_GEAR;
        gear.joint_a = driver, gear.joint_b = follower[k];
        gear.ratio = ratio[k];
        add_joint(world, &gear);
    }
    stepper s = make_stepper(world, 1. / 240);
    for (int n = 0; n < 240; n++)
        step(&s);
    assert_close(coordinate_of(world, driver), 20, 1e-9);
    for (int k = 0; k < 3; k++) // 1e-12 is the projection's tolerance
        assert_close(coordinate_of(world, follower[k]), ratio[k] * coordinate_of(world, driver), 2e-12);
    vs_world_destroy(world);
}

// A kinematic body carries another one along.
static void a_kinematic_body_moves_what_it_holds(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_FIXED;
    def.a = add_body(world, VS_MOTION_KINEMATIC, VS_IDENTITY_POSE, 0, INERTIA);
    def.b = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, 2, INERTIA);
    add_joint(world, &def);
    world->body[1].velocity = (vs_vec3){1, 2, 3};
    stepper s = make_stepper(world, .01);
    for (int k = 0; k < 100; k++)
        step(&s);
    assert_close(world->body[2].pose.position.x, 1, 1e-11);
    assert_close(world->body[2].pose.position.z, 3, 1e-11);
    vs_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_every_kind_agree_with_differences),
        cmocka_unit_test(derivatives_of_gears_agree_with_differences),
        cmocka_unit_test(every_free_motion_has_a_coordinate),
        cmocka_unit_test(directions_are_the_forces_on_b_in_frame_a),
        cmocka_unit_test(every_row_has_the_stated_right_hand_side),
        cmocka_unit_test(limits_out_of_reach_have_no_row),
        cmocka_unit_test(a_limited_or_driven_distance_replaces_the_length),
        cmocka_unit_test(the_reaction_of_a_hanging_body_is_its_weight),
        cmocka_unit_test(a_speed_motor_keeps_its_speed_and_counts_turns),
        cmocka_unit_test(a_position_motor_is_where_its_target_is),
        cmocka_unit_test(a_weak_motor_gives_its_limit),
        cmocka_unit_test(friction_holds_below_its_limit_and_slips_above),
        cmocka_unit_test(limits_hold_a_falling_pendulum),
        cmocka_unit_test(a_spring_follows_implicit_euler),
        cmocka_unit_test(springs_and_compliant_joints_sag_by_their_weight),
        cmocka_unit_test(gear_rack_and_screw_keep_their_ratio),
        cmocka_unit_test(a_kinematic_body_moves_what_it_holds),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
