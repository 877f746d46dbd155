// Derivatives of steps with joints: every kind, every motor, limits, springs and friction, in chains, loops and on the floor; tangents
// against differences, adjoints against tangents, as in test_step_derivative.c. Directions violate the joints as they like.
// Held out, until all others held: the gear, the cable around a drum, the loop and the leg on the floor.
#include <string.h>

#include "body/world_data.h"
#include "step/derivative/step_checks.h"

// Two boxes: the first one hangs from the world by a universal joint, the second one from the first by the joint of the test.
typedef struct chain_of_two {
    rig s;
    vs_body_id a, b;
    vs_joint_def def; // to be changed before finish()
    vs_vec3 move;     // m and rad of B in A, of what the joint leaves free
    vs_vec3 turn;
} chain_of_two;

static const vs_pose FRAME_A = {{.1, -.05, -.3}, {.8, .2, -.4, .4}}, FRAME_B = {{-.02, .07, .25}, {.7, -.1, .5, .5}};

static vs_pose inverse_of(vs_pose pose) {
    const vs_quat back = vs_quat_conjugate(pose.rotation);
    return (vs_pose){vs_scale(-1, vs_rotate(back, pose.position)), back};
}

static vs_pose normal_pose(vs_pose pose) {
    pose.rotation = vs_quat_normalize(pose.rotation);
    return pose;
}

static void begin(chain_of_two *c, vs_joint_kind kind) {
    *c = (chain_of_two){.def = vs_joint_def_default()};
    open_rig(&c->s, .4, .1, false);
    c->s.options.step = .004;
    c->a = add_box(&c->s, (vs_vec3){.1, .15, .3}, 500, (vs_vec3){0, 0, 2}, (vs_vec3){0});
    c->b = add_box(&c->s, (vs_vec3){.08, .2, .25}, 400, (vs_vec3){0, 0, 1}, (vs_vec3){0});
    c->def.kind = kind, c->def.a = c->a, c->def.b = c->b;
    c->def.frame_a = normal_pose(FRAME_A), c->def.frame_b = normal_pose(FRAME_B);
}

static void move_body(const rig *s, vs_body_id id, vs_pose pose, vs_vec3 velocity, vs_vec3 spin) {
    const vs_body_state state = {.pose = pose, .velocity = velocity, .spin = spin};
    must(vs_world_set_body_state(s->world, id, &state), s->context);
}

// Places A, hung up, and B where the joint is satisfied, with velocities that agree with no joint.
static vs_joint_id finish(chain_of_two *c) {
    const vs_pose a = {{.2, .1, 2}, tilt_by(.3, -.4, .5)};
    move_body(&c->s, c->a, a, (vs_vec3){.2, -.1, .3}, (vs_vec3){1, -2, 1.5});
    vs_joint_def hook = vs_joint_def_default();
    hook.kind = VS_JOINT_UNIVERSAL, hook.b = c->a, hook.frame_b.position = (vs_vec3){0, 0, .3};
    hook.frame_a = vs_pose_multiply(a, hook.frame_b);
    must(vs_world_add_joint(c->s.world, &hook, NULL), c->s.context);
    const vs_pose free = {c->move, vs_quat_exp(c->turn)};
    const vs_pose frame = vs_pose_multiply(vs_pose_multiply(a, c->def.frame_a), free);
    move_body(&c->s, c->b, vs_pose_multiply(frame, inverse_of(c->def.frame_b)), (vs_vec3){-.4, .3, .1},
              (vs_vec3){-1, 3, 2});
    vs_joint_id id;
    must(vs_world_add_joint(c->s.world, &c->def, &id), c->s.context);
    start_rig(&c->s);
    return id;
}

static void check_chain(chain_of_two *c, const char *name) {
    char label[64];
    const vs_parameter p[] = {mass_of(c->a), mass_of(c->b)};
    check_world(name, &c->s, p, 2, 1, BAR);
    snprintf(label, sizeof label, "%s, steps", name);
    check_world(label, &c->s, p, 2, 5, BAR);
    close_rig(&c->s);
}

static void kinds(void **state) {
    (void)state;
    static const struct {
        vs_joint_kind kind;
        const char *name;
        vs_vec3 move, turn;
    } all[] = {
        {VS_JOINT_FIXED, "fixed", {0, 0, 0}, {0, 0, 0}},
        {VS_JOINT_SPHERICAL, "spherical", {0, 0, 0}, {.3, -.7, .5}},
        {VS_JOINT_REVOLUTE, "revolute", {0, 0, 0}, {0, 0, 1.2}},
        {VS_JOINT_PRISMATIC, "prismatic", {0, 0, .15}, {0, 0, 0}},
        {VS_JOINT_CYLINDRICAL, "cylindrical", {0, 0, -.1}, {0, 0, -.8}},
        {VS_JOINT_UNIVERSAL, "universal", {0, 0, 0}, {0, 0, .6}},
        {VS_JOINT_PLANAR, "planar", {.1, -.2, 0}, {0, 0, .4}},
        {VS_JOINT_DISTANCE, "distance", {.2, .1, -.4}, {.3, .2, .1}},
        {VS_JOINT_SPRING, "spring", {.2, .1, -.4}, {.3, .2, .1}},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        chain_of_two c;
        begin(&c, all[k].kind);
        c.move = all[k].move, c.turn = all[k].turn;
        if (all[k].kind == VS_JOINT_DISTANCE)
            c.def.length = vs_length(all[k].move);
        if (all[k].kind == VS_JOINT_SPRING)
            c.def.stiffness = 2000, c.def.damping = 30, c.def.rest = .3;
        finish(&c);
        check_chain(&c, all[k].name);
    }
}

static void compliant(void **state) {
    (void)state;
    chain_of_two c;
    begin(&c, VS_JOINT_REVOLUTE);
    c.turn = (vs_vec3){.01, -.02, .5}, c.move = (vs_vec3){.005, .01, -.01};
    c.def.compliance = 1e-4;
    finish(&c);
    check_chain(&c, "compliant");
}

// What a joint does along its coordinate.
typedef struct act {
    const char *name;
    vs_motor_kind motor;
    double target, limit, stiffness, damping;             // of the motor
    double spring, damper, armature, friction, low, high; // low < high: limits
} act;

static void check_acts(vs_joint_kind kind, const char *of, const act *all, int count) {
    for (int k = 0; k < count; k++) {
        chain_of_two c;
        char name[64];
        begin(&c, kind);
        c.turn.z = kind == VS_JOINT_REVOLUTE ? .5 : 0;
        c.move = kind == VS_JOINT_DISTANCE                                    ? (vs_vec3){.2, .1, -.4}
                 : kind == VS_JOINT_PRISMATIC || kind == VS_JOINT_CYLINDRICAL ? (vs_vec3){0, 0, .5}
                                                                              : (vs_vec3){0};
        c.def.length = kind == VS_JOINT_DISTANCE ? vs_length(c.move) : 0;
        c.def.motor = all[k].motor, c.def.target.value = all[k].target, c.def.motor_limit = all[k].limit;
        c.def.motor_stiffness = all[k].stiffness, c.def.motor_damping = all[k].damping;
        c.def.stiffness = all[k].spring, c.def.damping = all[k].damper, c.def.rest = .1;
        c.def.armature = all[k].armature, c.def.friction = all[k].friction;
        c.def.limited = all[k].low < all[k].high, c.def.low = all[k].low, c.def.high = all[k].high;
        finish(&c);
        snprintf(name, sizeof name, "%s, %s", of, all[k].name);
        check_chain(&c, name);
    }
}

static const act ACTS[] = {
    {"spring and damper", .spring = 300, .damper = 5},
    {"armature", .armature = 2},
    {"friction that slips", .friction = .5},
    {"friction that holds", .friction = 1e4},
    {"speed", VS_MOTOR_SPEED, .target = 1},
    {"position", VS_MOTOR_POSITION, .target = .52},
    {"speed within a limit", VS_MOTOR_SPEED, .target = 1, .limit = 1e5},
    {"speed at its limit", VS_MOTOR_SPEED, .target = 50, .limit = 20},
    {"gains", VS_MOTOR_POSITION, .target = .8, .stiffness = 200, .damping = 10},
    {"gains at their limit", VS_MOTOR_POSITION, .target = 2, .limit = 5, .stiffness = 200, .damping = 10},
    {"a speed with damping", VS_MOTOR_SPEED, .target = 2, .damping = 30},
    {"effort", VS_MOTOR_EFFORT, .target = 30},
    {"effort at its limit", VS_MOTOR_EFFORT, .target = 30, .limit = 12},
    {"stop", .low = -1, .high = .501},
    {"stop from below", .low = .499, .high = 2},
    {"stops out of reach", .low = -2, .high = 2},
    {"everything", VS_MOTOR_POSITION, .target = .8, .limit = 5, .stiffness = 200, .damping = 10, .spring = 100,
     .damper = 2, .armature = 1, .friction = .3},
};
enum { ACTS_COUNT = sizeof ACTS / sizeof *ACTS };

static void acts_of_a_hinge(void **state) {
    (void)state;
    check_acts(VS_JOINT_REVOLUTE, "hinge", ACTS, ACTS_COUNT);
}

static void acts_of_a_slider(void **state) {
    (void)state;
    check_acts(VS_JOINT_PRISMATIC, "slider", ACTS, ACTS_COUNT);
}

static void acts_of_a_line(void **state) {
    (void)state;
    static const act line[] = {
        {"rope", .low = 0, .high = .459},
        {"actuator", VS_MOTOR_SPEED, .target = .3},
        {"servo", VS_MOTOR_POSITION, .target = .6, .limit = 40, .stiffness = 3000, .damping = 50},
        {"thrust", VS_MOTOR_EFFORT, .target = 60},
    };
    check_acts(VS_JOINT_DISTANCE, "line", line, sizeof line / sizeof *line);
}

// ---- held out --------------------------------------------------------------------------------------

static void gear(void **state) {
    (void)state;
    chain_of_two c;
    begin(&c, VS_JOINT_REVOLUTE);
    c.turn.z = .4;
    const vs_joint_id first = finish(&c);
    const vs_body_id wheel = add_box(&c.s, (vs_vec3){.2, .1, .15}, 600, (vs_vec3){1, 0, 1}, (vs_vec3){.1, 0, .2});
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_PRISMATIC, def.b = wheel, def.frame_a.position = (vs_vec3){1, 0, 1 - .12};
    vs_joint_id second;
    must(vs_world_add_joint(c.s.world, &def, &second), c.s.context);
    vs_joint_def rack = vs_joint_def_default();
    rack.kind = VS_JOINT_GEAR, rack.joint_a = first, rack.joint_b = second, rack.ratio = .3;
    must(vs_world_add_joint(c.s.world, &rack, NULL), c.s.context);
    check_chain(&c, "gear, rack");
}

// A taut elastic rope over a drum of the second body, and its weight.
static void cable(void **state) {
    (void)state;
    for (int elastic = 0; elastic < 2; elastic++) {
        chain_of_two c;
        begin(&c, VS_JOINT_REVOLUTE);
        finish(&c);
        const vs_body_id weight =
            add_box(&c.s, (vs_vec3){.1, .1, .2}, 900, (vs_vec3){.9, .1, .6}, (vs_vec3){0, 0, -.2});
        vs_cable_point point[3];
        for (int k = 0; k < 3; k++)
            point[k] = vs_cable_point_default();
        point[0].pose.position = (vs_vec3){-.8, 0, 1};
        point[1].kind = VS_CABLE_CYLINDER, point[1].body = c.b, point[1].radius = .15;
        point[1].pose.rotation = tilt_by(pi / 2, .1, 0);
        point[1].sided = true, point[1].side = (vs_vec3){0, 1, 0};
        point[2].body = weight, point[2].pose.position = (vs_vec3){0, 0, .2};
        vs_joint_def def = vs_joint_def_default();
        def.kind = VS_JOINT_CABLE, def.point = point, def.points = 3, def.length = 1,
        def.compliance = elastic ? 1e-4 : 0;
        vs_joint_id id;
        must(vs_world_add_joint(c.s.world, &def, &id), c.s.context);
        double length, rate;
        must(vs_world_get_joint_coordinate(c.s.world, id, &length, &rate), c.s.context);
        must(vs_world_remove_joint(c.s.world, id), c.s.context);
        def.length = length - (elastic ? .05 : 0);
        must(vs_world_add_joint(c.s.world, &def, &id), c.s.context);
        check_chain(&c, elastic ? "elastic rope" : "rope");
    }
}

// A closed loop: crank and rocker on hinges, the rod between them on two balls.
static void loop(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .4, .1, false);
    const vs_vec3 pin[4] = {{0, 0, 1}, {.1, .1, 1.5}, {.9, .2, 1.7}, {1, 0, 1}};
    vs_body_id body[3];
    for (int k = 0; k < 3; k++) {
        const vs_vec3 middle = vs_scale(.5, vs_add(pin[k], pin[k + 1]));
        body[k] = add_box(&s, (vs_vec3){.1, .05, .2}, 700 + 100 * k, middle, (vs_vec3){0});
        place(&s, body[k], tilt_by(.2 * k, .3, -.1), (vs_vec3){.1, .2, -.1}, (vs_vec3){.5, -1, .3});
    }
    for (int k = 0; k < 4; k++) {
        vs_joint_def def = vs_joint_def_default();
        def.kind = k % 3 ? VS_JOINT_SPHERICAL : VS_JOINT_REVOLUTE;
        def.a = k == 0 ? (vs_body_id){0} : body[k - 1], def.b = k == 3 ? (vs_body_id){0} : body[k];
        const vs_pose at = {pin[k], tilt_by(1.4, .1, 0)};
        const vs_pose a = k == 0 ? (vs_pose){{0, 0, 0}, {1, 0, 0, 0}} : state_of(&s, def.a).pose;
        const vs_pose b = k == 3 ? (vs_pose){{0, 0, 0}, {1, 0, 0, 0}} : state_of(&s, def.b).pose;
        def.frame_a = vs_pose_multiply(inverse_of(a), at), def.frame_b = vs_pose_multiply(inverse_of(b), at);
        must(vs_world_add_joint(s.world, &def, NULL), s.context);
    }
    start_rig(&s);
    const vs_parameter p[] = {mass_of(body[0]), mass_of(body[1])};
    check_world("loop", &s, p, 2, 1, BAR);
    check_world("loop, steps", &s, p, 2, 5, BAR);
    close_rig(&s);
}

// A leg with a servo at its knee, whose foot slides on the floor.
static void leg(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .4, .1, true);
    const vs_body_id shin = add_ball(&s, .1, 2000, (vs_vec3){0, 0, .1001}, (vs_vec3){.8, .1, -.1});
    const vs_body_id thigh =
        add_box(&s, (vs_vec3){.05, .05, .2}, 3000, (vs_vec3){.1, 0, .6001}, (vs_vec3){.8, .1, -.1});
    vs_joint_def knee = vs_joint_def_default();
    knee.kind = VS_JOINT_REVOLUTE, knee.a = thigh, knee.b = shin;
    knee.frame_a = (vs_pose){{-.02, 0, -.25}, tilt_by(-pi / 2, 0, 0)};
    knee.frame_b = (vs_pose){{.08, 0, .25}, tilt_by(-pi / 2, 0, 0)};
    knee.motor = VS_MOTOR_POSITION, knee.target.value = .3, knee.motor_limit = 8;
    knee.motor_stiffness = 50, knee.motor_damping = 2;
    must(vs_world_add_joint(s.world, &knee, NULL), s.context);
    start_rig(&s);
    const vs_parameter p[] = {mass_of(shin), mass_of(thigh), pair_of(&s, VS_PARAMETER_MU)};
    const chain c = check_world("leg", &s, p, 3, 1, BAR);
    assert_int_equal(c.contacts, 1);
    check_world("leg, steps", &s, p, 3, 4, BAR);
    close_rig(&s);
}

// ---- closed forms ----------------------------------------------------------------------------------

// A pendulum at rest at the angle a, whose motor wants more than its limit: with I about the pivot, the rate after a step is
//
//     w = h (limit - m g L sin a)/I,    dw/da = -h m g L cos a/I,    dw/dtorque = h/I,    dw/dm = -h limit/(I m)
//
// and with a limit that suffices the motor's rate, whatever the torque and the mass.
static void pendulum_with_a_torque_limit(void **state) {
    (void)state;
    const double L = .7, a = .6, limit = 4, h = .004;
    for (int saturated = 0; saturated < 2; saturated++) {
        rig s;
        open_rig(&s, .4, 0, false);
        s.options.step = h;
        const vs_vec3 half = {.05, .1, .2};
        const vs_vec3 at = {-L * sin(a), 0, 2 - L * cos(a)};
        const vs_body_id bob = add_box(&s, half, 800, at, (vs_vec3){0});
        place(&s, bob, tilt_by(0, a, 0), (vs_vec3){0}, (vs_vec3){0});
        vs_joint_def hinge = vs_joint_def_default();
        hinge.kind = VS_JOINT_REVOLUTE, hinge.b = bob;
        hinge.frame_a = (vs_pose){{0, 0, 2}, tilt_by(-pi / 2, 0, 0)};
        hinge.frame_b = (vs_pose){{0, 0, L}, tilt_by(-pi / 2, 0, 0)};
        hinge.motor = VS_MOTOR_SPEED, hinge.target.value = .5, hinge.motor_limit = saturated ? limit : 1e5;
        must(vs_world_add_joint(s.world, &hinge, NULL), s.context);
        start_rig(&s);
        const vs_parameter mass = mass_of(bob);
        vs_step_derivative_options options = vs_step_derivative_options_default();
        options.parameter = &mass, options.parameters = 1;
        vs_step_derivative *d = NULL;
        must(vs_step_derivative_create(s.simulation, &options, NULL, &d), s.context);
        const double m = 800 * 8 * half.x * half.y * half.z;
        const double I = m * ((half.x * half.x + half.z * half.z) / 3 + L * L), weight = m * standard_gravity * L;
        const double rate = saturated ? h * (limit - weight * sin(a)) / I : .5;
        assert_close(state_of(&s, bob).spin.y, rate, 1e-12);
        double pose[6], velocity[6] = {0}, force[6] = {0}, parameter[1];
        const vs_state_direction weights = {.velocity = velocity}, before = {.pose = pose};
        const vs_input_direction input = {.force = force, .parameter = parameter};
        parameter[0] = 0, velocity[4] = 1;
        must(vs_step_derivative_adjoint(d, &weights, &before, &input, NULL), s.context);
        // turning about the pivot: the centre moves by y x (centre - pivot)
        const double by_angle = pose[4] + pose[0] * -L * cos(a) + pose[2] * L * sin(a);
        assert_close(by_angle, saturated ? -h * weight * cos(a) / I : 0, 1e-10);
        assert_close(force[4], saturated ? h / I : 0, 1e-10);
        assert_close(parameter[0], saturated ? -h * limit / (I * m) : 0, 1e-10);
        vs_step_derivative_destroy(d);
        close_rig(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(compliant),
        cmocka_unit_test(acts_of_a_hinge),
        cmocka_unit_test(acts_of_a_slider),
        cmocka_unit_test(acts_of_a_line),
        cmocka_unit_test(gear),
        cmocka_unit_test(cable),
        cmocka_unit_test(loop),
        cmocka_unit_test(leg),
        cmocka_unit_test(pendulum_with_a_torque_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
