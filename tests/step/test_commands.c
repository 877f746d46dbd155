// Joints that are commanded while a simulation runs: targets, speeds, efforts and gains, against closed forms.
#include "worlds.h"

#include <math.h>

// A slider of mass 8 kg along x, or a flywheel about z with the inertia 8/6 0.2^2 kg m^2, without gravity.
static const double MASS = 8, INERTIA = 8. / 6 * .04, STEP = .001;

typedef struct machine {
    stage s;
    vs_body_id body;
    vs_joint_id joint;
} machine;

static void open_machine(machine *m, vs_joint_kind kind, vs_scheme scheme, double limit) {
    open_stage(&m->s, 0, 0, false);
    must(vs_world_set_gravity(m->s.world, (vs_vec3){0, 0, 0}), m->s.context);
    m->body = add_box(&m->s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, 0}, (vs_vec3){0, 0, 0});
    vs_joint_def def = vs_joint_def_default();
    def.kind = kind, def.b = m->body, def.motor_limit = limit;
    if (kind == VS_JOINT_PRISMATIC) // z along x
        def.frame_a.rotation = def.frame_b.rotation = (vs_quat){sqrt(.5), 0, sqrt(.5), 0};
    must(vs_world_add_joint(m->s.world, &def, &m->joint), m->s.context);
    m->s.options.step = STEP;
    m->s.options.scheme = scheme;
    start_stage(&m->s);
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
        close_stage(&m.s);
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
    close_stage(&m.s);
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
        close_stage(&m.s);
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
        close_stage(&m.s);
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
    close_stage(&m.s);
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
    close_stage(&m.s);
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
    close_stage(&m.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_speed_is_kept_and_changed),
        cmocka_unit_test(a_target_is_reached_and_held),
        cmocka_unit_test(an_effort_accelerates_and_its_work_is_the_motors),
        cmocka_unit_test(gains_make_a_servo),
        cmocka_unit_test(a_servo_keeps_its_limit),
        cmocka_unit_test(a_speed_with_damping_is_approached),
        cmocka_unit_test(definitions_are_read_back_and_mistakes_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
