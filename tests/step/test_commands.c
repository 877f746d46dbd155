// Joints that are commanded while a simulation runs: targets, speeds, efforts and gains, against closed forms.
#include "worlds.h"

#include <math.h>

// A slider of mass 8 kg along x, or a flywheel about z with the inertia 8/6 0.2^2 kg m^2, without gravity.
static const double MASS = 8, INERTIA = 8. / 6 * .04, STEP = .001;

typedef struct machine {
    rig s;
    vs_body_id body;
    vs_joint_id joint;
} machine;

static void open_machine(machine *m, vs_joint_kind kind, vs_scheme scheme, double limit) {
    open_rig(&m->s, 0, 0, false);
    must(vs_world_set_gravity(m->s.world, (vs_vec3){0, 0, 0}), m->s.context);
    m->body = add_box(&m->s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, 0}, (vs_vec3){0, 0, 0});
    vs_joint_def def = vs_joint_def_default();
    def.kind = kind, def.b = m->body, def.motor_limit = limit;
    if (kind == VS_JOINT_PRISMATIC) // z along x
        def.frame_a.rotation = def.frame_b.rotation = (vs_quat){sqrt(.5), 0, sqrt(.5), 0};
    must(vs_world_add_joint(m->s.world, &def, &m->joint), m->s.context);
    m->s.options.step = STEP;
    m->s.options.scheme = scheme;
    start_rig(&m->s);
}

static void run(machine *m, double time) {
    must(vs_simulation_run(m->s.simulation, time), m->s.context);
}

static double coordinate(const machine *m) {
    double x = 0;
    must(vs_world_get_joint_coordinate(m->s.world, m->joint, &x, NULL), m->s.context);
    return x;
}

static double rate(const machine *m) {
    double v = 0;
    must(vs_world_get_joint_coordinate(m->s.world, m->joint, NULL, &v), m->s.context);
    return v;
}

static const vs_scheme schemes[] = {VS_SCHEME_MOREAU, VS_SCHEME_SHAKE};

static void a_speed_is_kept_and_changed(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        machine m;
        open_machine(&m, VS_JOINT_REVOLUTE, schemes[k], 0);
        must(vs_world_set_joint_speed(m.s.world, m.joint, 2), m.s.context);
        run(&m, .1);
        assert_true(fabs(rate(&m) - 2) < 1e-9); // a constraint: rounding
        must(vs_world_set_joint_speed(m.s.world, m.joint, -1), m.s.context);
        run(&m, .2);
        assert_true(fabs(rate(&m) + 1) < 1e-9);
        assert_true(fabs(coordinate(&m) - .1) < 3 * STEP); // 2 * 0.1 - 0.1, the change takes a step
        close_rig(&m.s);
    }
}

static void a_target_is_reached_and_held(void **state) {
    (void)state;
    machine m;
    open_machine(&m, VS_JOINT_PRISMATIC, VS_SCHEME_MOREAU, 0);
    must(vs_world_set_joint_target(m.s.world, m.joint, .05), m.s.context);
    run(&m, 3 * STEP);
    assert_true(fabs(coordinate(&m) - .05) < 1e-9); // exact after one step
    assert_true(fabs(rate(&m)) < 1e-9);
    close_rig(&m.s);
}

// A constant effort: x' = e t / m, the same for a torque; the energy is the motor's work.
static void an_effort_accelerates_and_its_work_is_the_motors(void **state) {
    (void)state;
    const vs_joint_kind kinds[] = {VS_JOINT_PRISMATIC, VS_JOINT_REVOLUTE};
    for (int k = 0; k < 4; k++) {
        machine m;
        const double inertia = k % 2 ? INERTIA : MASS;
        open_machine(&m, kinds[k % 2], schemes[k / 2], 5);
        must(vs_world_set_joint_effort(m.s.world, m.joint, 3), m.s.context);
        run(&m, .2);
        assert_true(fabs(rate(&m) - 3 * .2 / inertia) < 3e-3 / inertia);        // one step
        must(vs_world_set_joint_effort(m.s.world, m.joint, -100), m.s.context); // the limit is 5
        vs_step_report report;
        const double before = rate(&m);
        must(vs_simulation_step(m.s.simulation, &report), m.s.context);
        must(vs_simulation_step(m.s.simulation, &report), m.s.context);
        // shake gives the velocity at the end by half a kick more
        assert_true(fabs(rate(&m) - (before - 2 * 5 * STEP / inertia)) < 4.1 * STEP / inertia);
        assert_true(fabs(report.total.motors - report.energy.kinetic) < 2e-2 * report.energy.kinetic);
        assert_true(report.total.loads == 0);
        close_rig(&m.s);
    }
}

// m x'' = k (target - x) - c x', critically damped: x = target (1 - (1 + w t) exp(-w t)), w = sqrt(k/m).
static void gains_make_a_servo(void **state) {
    (void)state;
    const double w = 20, k = MASS * w * w, c = 2 * MASS * w, t = .1;
    for (int scheme = 0; scheme < 2; scheme++) {
        machine m;
        open_machine(&m, VS_JOINT_PRISMATIC, schemes[scheme], 0);
        must(vs_world_set_joint_gains(m.s.world, m.joint, k, c), m.s.context);
        must(vs_world_set_joint_target(m.s.world, m.joint, .1), m.s.context);
        run(&m, t);
        const double exact = .1 * (1 - (1 + w * t) * exp(-w * t));
        // first order: w h / 2 = 1 % of the way; the second scheme lags by half a step at most
        assert_true(fabs(coordinate(&m) - exact) < .1 * .5 * w * STEP);
        run(&m, 1);
        assert_true(fabs(coordinate(&m) - .1) < 1e-6); // exp(-20) of the way
        close_rig(&m.s);
    }
}

// Far from its target a servo pushes with its limit.
static void a_servo_keeps_its_limit(void **state) {
    (void)state;
    machine m;
    open_machine(&m, VS_JOINT_PRISMATIC, VS_SCHEME_MOREAU, 4);
    must(vs_world_set_joint_gains(m.s.world, m.joint, 1e4, 10), m.s.context);
    must(vs_world_set_joint_target(m.s.world, m.joint, 1), m.s.context);
    run(&m, .1);
    assert_true(fabs(rate(&m) - 4 * .1 / MASS) < 1e-9); // rounding, tolerance 1e-12 of the step
    vs_vec3 force;
    must(vs_world_get_joint_reaction(m.s.world, m.joint, &force, NULL), m.s.context);
    assert_true(fabs(force.z - 4) < 1e-6);
    close_rig(&m.s);
}

// I x'' = c (speed - x'): x' = speed (1 - exp(-c t / I)).
static void a_speed_with_damping_is_approached(void **state) {
    (void)state;
    machine m;
    const double c = 20 * INERTIA;
    open_machine(&m, VS_JOINT_REVOLUTE, VS_SCHEME_MOREAU, 0);
    must(vs_world_set_joint_gains(m.s.world, m.joint, 0, c), m.s.context);
    must(vs_world_set_joint_speed(m.s.world, m.joint, 2), m.s.context);
    run(&m, .1);
    assert_true(fabs(rate(&m) - 2 * (1 - exp(-2))) < 2 * .5 * 20 * STEP); // first order
    close_rig(&m.s);
}

// A rotor with the inertia a on the shaft: I + a is accelerated, and its energy is the motor's work.
static void an_armature_is_inertia_of_the_coordinate(void **state) {
    (void)state;
    const double a = .3;
    for (int k = 0; k < 2; k++) {
        machine m;
        open_machine(&m, VS_JOINT_REVOLUTE, schemes[k], 0);
        vs_joint_def def;
        must(vs_world_get_joint_def(m.s.world, m.joint, &def), m.s.context);
        must(vs_world_remove_joint(m.s.world, m.joint), m.s.context);
        def.armature = a;
        must(vs_world_add_joint(m.s.world, &def, &m.joint), m.s.context);
        must(vs_world_set_joint_effort(m.s.world, m.joint, 2), m.s.context);
        vs_step_report report;
        for (int i = 0; i < 100; i++)
            must(vs_simulation_step(m.s.simulation, &report), m.s.context);
        const double exact = 2 * .1 / (INERTIA + a);
        assert_true(fabs(rate(&m) - exact) < 1e-9 + k * 2 * STEP / INERTIA); // shake: half a kick at the end
        assert_true(fabs(report.energy.kinetic - .5 * (INERTIA + a) * rate(&m) * rate(&m)) < 1e-12);
        if (k == 0)
            assert_true(fabs(report.total.motors - report.energy.kinetic) < 1e-9);
        assert_true(report.total.dampers == 0);
        close_rig(&m.s);
    }
}

// The effort that a motor needs, against gravity: m g of a slider that hangs, of both kinds of motor.
static void the_effort_of_a_motor_is_observed(void **state) {
    (void)state;
    machine m;
    double effort;
    open_machine(&m, VS_JOINT_PRISMATIC, VS_SCHEME_MOREAU, 100);
    must(vs_world_set_gravity(m.s.world, (vs_vec3){-9.81, 0, 0}), m.s.context);
    must(vs_world_set_joint_target(m.s.world, m.joint, 0), m.s.context);
    run(&m, .01);
    must(vs_world_get_joint_effort(m.s.world, m.joint, &effort), m.s.context);
    assert_true(fabs(effort - MASS * 9.81) < 1e-6); // 1e-12 of the energy of a step
    must(vs_world_set_joint_effort(m.s.world, m.joint, 1000), m.s.context);
    must(vs_world_get_joint_effort(m.s.world, m.joint, &effort), m.s.context);
    assert_true(effort == 100); // its limit
    close_rig(&m.s);
}

static void controls_command_through_their_gear_within_their_limits(void **state) {
    (void)state;
    machine m;
    vs_joint_def joint;
    int index = -1;
    double value;
    open_machine(&m, VS_JOINT_REVOLUTE, VS_SCHEME_MOREAU, 0);
    vs_world *world = m.s.world;
    vs_control_def def = vs_control_def_default();
    def.name = "hip", def.joint = m.joint, def.gear = 4, def.offset = .5;
    def.limited = true, def.low = -1, def.high = 2;
    const vs_motor_kind motors[] = {VS_MOTOR_EFFORT, VS_MOTOR_POSITION, VS_MOTOR_SPEED};
    const double expected[] = {4 * 2, 2. / 4 + .5, 2. / 4};
    const char *const names[] = {"hip", "knee", NULL};
    for (int k = 0; k < 3; k++) {
        def.motor = motors[k], def.name = names[k];
        must(vs_world_add_control(world, &def, &index), m.s.context);
        must(vs_world_set_control(world, index, 17), m.s.context);
        must(vs_world_get_control(world, index, &value), m.s.context);
        must(vs_world_get_joint_def(world, m.joint, &joint), m.s.context);
        assert_true(index == k && value == 2 && joint.motor == motors[k] && joint.target.value == expected[k]);
    }
    assert_int_equal(vs_world_find_control(world, "knee"), 1);
    assert_int_equal(vs_world_find_control(world, "toe"), -1);
    assert_int_equal(vs_world_get_control_count(world), 3);
    def.name = "hip";
    assert_int_equal(vs_world_add_control(world, &def, NULL), VS_ERROR_ARGUMENT);
    def.name = "other", def.gear = 0;
    assert_int_equal(vs_world_add_control(world, &def, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_set_control(world, 3, 1), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_set_control(world, 0, NAN), VS_ERROR_ARGUMENT);
    must(vs_world_remove_joint(world, m.joint), m.s.context);
    assert_int_equal(vs_world_set_control(world, 0, 1), VS_ERROR_ARGUMENT);
    close_rig(&m.s);
}

// 3 (u_1 - x) - x', 5 (u_2 - x') and 2 u_3: the motor has the stiffness 3, the damping 6 and the sum of the efforts.
static void controls_that_add_up_are_one_motor(void **state) {
    (void)state;
    machine m;
    vs_joint_def joint;
    open_machine(&m, VS_JOINT_REVOLUTE, VS_SCHEME_MOREAU, 0);
    vs_world *world = m.s.world;
    vs_control_def def = vs_control_def_default();
    def.joint = m.joint, def.adds = true, def.motor = VS_MOTOR_POSITION;
    assert_int_equal(vs_world_add_control(world, &def, NULL), VS_ERROR_ARGUMENT); // a position without stiffness
    def.stiffness = 3, def.damping = 1;
    must(vs_world_add_control(world, &def, NULL), m.s.context);
    def.motor = VS_MOTOR_SPEED, def.stiffness = 0, def.damping = 5;
    must(vs_world_add_control(world, &def, NULL), m.s.context);
    def.motor = VS_MOTOR_EFFORT, def.damping = 0, def.gear = 2;
    must(vs_world_add_control(world, &def, NULL), m.s.context);
    const double u[] = {.7, .3, -.2};
    for (int k = 0; k < 3; k++)
        must(vs_world_set_control(world, k, u[k]), m.s.context);
    must(vs_world_get_joint_def(world, m.joint, &joint), m.s.context);
    assert_true(joint.motor == VS_MOTOR_POSITION && joint.motor_stiffness == 3 && joint.motor_damping == 6);
    assert_close(3 * joint.target.value, 3 * .7 + 5 * .3 - 2 * .2, 1e-15);
    close_rig(&m.s);
}

// A push of (0, 0, 2) u at (1, 0, 0) of a body whose x points along y: force 2 u up, torque 2 u about the world's x.
static void a_control_pushes_a_body_in_its_axes(void **state) {
    (void)state;
    machine m;
    open_machine(&m, VS_JOINT_REVOLUTE, VS_SCHEME_MOREAU, 0);
    vs_world *world = m.s.world;
    must(vs_world_remove_joint(world, m.joint), m.s.context);
    const vs_body_state turned = {.pose = {{0, 0, 1}, vs_quat_exp((vs_vec3){0, 0, acos(0)})}};
    must(vs_world_set_body_state(world, m.body, &turned), m.s.context);
    vs_control_def def = vs_control_def_default();
    assert_int_equal(vs_world_add_control(world, &def, NULL), VS_ERROR_ARGUMENT); // neither joint nor body
    def.body = m.body, def.force.z = 2, def.point.x = 1;
    must(vs_world_add_control(world, &def, NULL), m.s.context);
    must(vs_world_set_control(world, 0, 3), m.s.context);
    vs_step_report report;
    must(vs_simulation_step(m.s.simulation, &report), m.s.context);
    vs_body_state now;
    must(vs_world_get_body_state(world, m.body, &now), m.s.context);
    assert_close(now.velocity.z, 6 * STEP / MASS, 1e-12);
    assert_close(now.spin.x, 6 * STEP / INERTIA, 1e-9);
    assert_close(report.flow.motors, .5 * MASS * pow(now.velocity.z, 2) + .5 * INERTIA * pow(now.spin.x, 2), 1e-9);
    must(vs_world_remove_body(world, m.body), m.s.context);
    assert_int_equal(vs_world_set_control(world, 0, 1), VS_ERROR_ARGUMENT);
    close_rig(&m.s);
}

static void definitions_are_read_back_and_mistakes_refused(void **state) {
    (void)state;
    machine m;
    vs_joint_def def;
    open_machine(&m, VS_JOINT_REVOLUTE, VS_SCHEME_MOREAU, 7);
    vs_world *world = m.s.world;
    must(vs_world_set_joint_gains(world, m.joint, 3, 4), m.s.context);
    must(vs_world_set_joint_target(world, m.joint, .5), m.s.context);
    must(vs_world_get_joint_def(world, m.joint, &def), m.s.context);
    assert_true(def.kind == VS_JOINT_REVOLUTE && def.b.index == m.body.index && def.motor_limit == 7);
    assert_true(def.motor == VS_MOTOR_POSITION && def.target.value == .5 && def.motor_stiffness == 3);
    assert_int_equal(vs_world_set_joint_target(world, m.joint, NAN), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_set_joint_gains(world, m.joint, -1, 0), VS_ERROR_ARGUMENT);
    const vs_joint_id stale = m.joint;
    must(vs_world_remove_joint(world, m.joint), m.s.context);
    assert_int_equal(vs_world_set_joint_speed(world, stale, 1), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_joint_def(world, stale, &def), VS_ERROR_ARGUMENT);
    vs_joint_def ball = vs_joint_def_default();
    ball.kind = VS_JOINT_SPHERICAL, ball.b = m.body;
    must(vs_world_add_joint(world, &ball, &m.joint), m.s.context);
    assert_int_equal(vs_world_set_joint_effort(world, m.joint, 1), VS_ERROR_ARGUMENT);
    close_rig(&m.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_speed_is_kept_and_changed),
        cmocka_unit_test(a_target_is_reached_and_held),
        cmocka_unit_test(an_effort_accelerates_and_its_work_is_the_motors),
        cmocka_unit_test(gains_make_a_servo),
        cmocka_unit_test(a_servo_keeps_its_limit),
        cmocka_unit_test(a_speed_with_damping_is_approached),
        cmocka_unit_test(an_armature_is_inertia_of_the_coordinate),
        cmocka_unit_test(the_effort_of_a_motor_is_observed),
        cmocka_unit_test(controls_command_through_their_gear_within_their_limits),
        cmocka_unit_test(controls_that_add_up_are_one_motor),
        cmocka_unit_test(a_control_pushes_a_body_in_its_axes),
        cmocka_unit_test(definitions_are_read_back_and_mistakes_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
