// Work, dissipation, error of the discretization and change of energy balance: free fall, ideal joints, impacts, belts,
// springs, motors, damped elements, prescribed nodes.
#include "step/elastic/solids.h"

typedef struct sums {
    double work, prescribed, lost, change; // J
    vs_energy_flow flow;                   // of the last report: since the first step
} sums;

static double energy_of(const rig *s) {
    vs_energy e = vs_world_get_energy(s->world);
    return e.kinetic + e.potential;
}

// Sums over some steps; no step has negative dissipation.
static sums follow(rig *s, int steps) {
    sums all = {.change = -energy_of(s)};
    for (int k = 0; k < steps; k++) {
        vs_step_report r = take_step(s);
        if (r.dissipation < -1e-9)
            fail_msg("step %lld dissipates %g J", (long long)r.step, r.dissipation);
        all.work += r.work, all.prescribed += r.flow.prescribed, all.lost += r.dissipation;
        all.flow = r.total;
    }
    all.change += energy_of(s);
    return all;
}

// Gravity acts along h v1, the kinetic energy along h (v0 + v1)/2: each step removes m (g h)^2/2.
static void free_fall_has_the_error_of_the_scheme(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    add_box(&s, (vs_vec3){.1, .1, .1}, 125, (vs_vec3){0, 0, 5}, VS_ZERO3); // 1 kg
    start_rig(&s);
    sums all = follow(&s, 200);
    const double gh = standard_gravity * s.options.step;
    assert_near("error", all.flow.discretization, -200 * .5 * gh * gh, 1e-12); // rounding of 49 J
    assert_near("change", all.change, all.flow.discretization, 1e-12);
    assert_true(all.work == 0 && all.lost == 0);
    close_rig(&s);
}

// A pendulum loses energy by the scheme, about half with half of the step; its joint does no work and dissipates nothing.
static void ideal_joints_do_no_work(void **state) {
    (void)state;
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        rig s;
        open_rig(&s, 0, 0, false);
        s.options.step = fine ? .001 : .002;
        vs_joint_def joint = vs_joint_def_default();
        joint.kind = VS_JOINT_SPHERICAL, joint.frame_b.position.x = -1;
        joint.b = add_ball(&s, .1, 1000, (vs_vec3){1, 0, 0}, VS_ZERO3);
        must(vs_world_add_joint(s.world, &joint, NULL), s.context);
        start_rig(&s);
        sums all = follow(&s, fine ? 500 : 250);
        assert_true(all.work == 0 && all.lost == 0);
        assert_near("balance", all.flow.discretization, all.change, 1e-12 * 40); // 40 J kinetic
        error[fine] = all.flow.discretization;
        close_rig(&s);
    }
    printf("  error %.4f and %.4f J\n", error[0], error[1]);
    assert_near("the scheme is of first order", error[0] / error[1], 2, .1); // next term: h/T = 0.001
}

// The share of the energy that a pendulum loses to steps of 10 ms is told in its reports, and small with shake, which loses none.
static void steps_that_are_too_long_are_told(void **state) {
    (void)state;
    for (int shake = 0; shake < 2; shake++) {
        rig s;
        open_rig(&s, 0, 0, false);
        s.options.step = .01, s.options.scheme = shake ? VS_SCHEME_SHAKE : VS_SCHEME_MOREAU;
        vs_joint_def joint = vs_joint_def_default();
        joint.kind = VS_JOINT_SPHERICAL, joint.frame_b.position.x = -1;
        joint.b = add_ball(&s, .1, 1000, (vs_vec3){1, 0, 0}, VS_ZERO3);
        must(vs_world_add_joint(s.world, &joint, NULL), s.context);
        start_rig(&s);
        vs_step_report r = {0};
        double most = 0;
        int unbalanced = 0;
        for (int k = 0; k < 300; k++) {
            r = take_step(&s);
            most = fmax(most, r.energy.kinetic);
            unbalanced += r.unbalanced;
        }
        printf("  %.3g J of %.3g J: share %.2g\n", r.total.discretization, most, r.discretization_share);
        assert_true(shake ? r.discretization_share < .01 : r.discretization_share > .01);
        if (!shake)
            assert_near("share", r.discretization_share, fabs(r.total.discretization) / most, 1e-9);
        assert_int_equal(unbalanced, 0); // energy that is lost is no error of the balance
        close_rig(&s);
    }
}

// Without gravity: (1 - e^2) m u^2/2 is dissipated, over one step or two, and the scheme makes no error.
static void impacts_dissipate_by_their_restitution(void **state) {
    (void)state;
    for (int bounces = 0; bounces < 2; bounces++) {
        const double e = bounces ? .5 : 0;
        rig s;
        open_rig(&s, .3, 0, true);
        must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
        const vs_material stuff = {.mu = .3, .restitution = e};
        must(vs_world_set_material_pair(s.world, s.material, s.material, &stuff), s.context);
        add_box(&s, (vs_vec3){.1, .1, .1}, 125, (vs_vec3){0, 0, .151}, (vs_vec3){0, 0, -2}); // 1 kg
        start_rig(&s);
        sums all = follow(&s, 30);
        assert_near("impacts", all.flow.impacts, .5 * (1 - e * e) * 4, 1e-9);
        assert_near("friction", all.flow.friction, 0, 1e-9);
        assert_near("error", all.flow.discretization, 0, 1e-9);
        close_rig(&s);
    }
}

// A box that begins inside the floor is lifted: energy from the scheme, not from an impact.
static void removing_a_penetration_is_no_impact(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    add_box(&s, (vs_vec3){.1, .1, .1}, 125, (vs_vec3){0, 0, .099}, VS_ZERO3); // 1 kg, 1 mm deep
    s.options.recovery_speed = .1;                                            // 4 steps
    start_rig(&s);
    sums all = follow(&s, 4);
    assert_true(all.change > standard_gravity * .9e-3);
    assert_near("impacts", all.flow.impacts, 0, 1e-12);
    assert_near("error of the scheme", all.flow.discretization, all.change, 1e-9);
    close_rig(&s);
}

// A box is placed on a belt of 1 m/s: the belt does the work m v^2, half of which is dissipated.
static void a_belt_works_twice_what_the_box_gets(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    add_belt(&s);
    add_box(&s, (vs_vec3){.1, .1, .1}, 500, (vs_vec3){0, 0, .1}, VS_ZERO3);
    start_rig(&s);
    sums all = follow(&s, 200);
    // 4 kg; the scheme's mean velocities are exact under a constant force
    assert_near("work of the belt", all.prescribed, 4, 1e-8);
    assert_near("all work is the belt's", all.work, all.prescribed, 1e-12);
    assert_near("heat", all.lost, 2, 1e-8);
    assert_near("balance", all.work - all.lost, all.change, 1e-8);
    close_rig(&s);
}

// A kinematic plate lifts a box, and lowers it again.
static void a_lift_gives_back_what_it_takes(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    vs_body_def plate = vs_body_def_default();
    plate.motion = VS_MOTION_KINEMATIC, plate.pose.position.z = -.1;
    vs_body_id lift;
    must(vs_world_add_body(s.world, &plate, &lift), s.context);
    vs_shape *shape;
    must(vs_shape_box(s.context, (vs_vec3){1, 1, .1}, &shape), s.context);
    vs_collider_def collider = vs_collider_def_default();
    collider.body = lift, collider.shape = shape, collider.material = s.material;
    must(vs_world_add_collider(s.world, &collider, NULL), s.context);
    vs_shape_release(shape);
    add_box(&s, (vs_vec3){.1, .1, .1}, 500, (vs_vec3){0, 0, .1}, VS_ZERO3);
    // its speed rises and falls slowly, so that the box stays on it
    const double time[] = {0, .1, .3, .5, .6}, speed[] = {0, .2, .2, -.2, -.2};
    const vs_signal velocity[3] = {{0}, {0}, {.kind = VS_SIGNAL_TABLE, .time = time, .sample = speed, .count = 5}};
    must(vs_world_set_drive(s.world, lift, velocity, NULL), s.context);
    start_rig(&s);
    sums up = follow(&s, 160);
    double way = .5 * .1 * .2 + .2 * .2 + .5 * .1 * .2; // at 0.4 s
    // displacements follow the velocity at the end of a step, work the mean one: they differ by h g/2 times the change
    // of speed, 0
    assert_near("work to lift", up.prescribed, 4 * standard_gravity * way, 1e-3);
    assert_near("balance", up.work - up.lost, up.change, 1e-3);
    assert_near("nothing is lost", up.lost, 0, 1e-9);
    close_rig(&s);
}

// Half a period of a damped spring: its loss is dissipation, and neither spring nor damper does work.
static void a_damper_dissipates_and_a_spring_does_not(void **state) {
    (void)state;
    double rest[2];
    for (int fine = 0; fine < 2; fine++) {
        rig s;
        open_rig(&s, 0, 0, false);
        must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
        s.options.step = fine ? .0005 : .001;
        vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, 1.2}, VS_ZERO3);
        vs_joint_def joint = vs_joint_def_default();
        joint.kind = VS_JOINT_PRISMATIC, joint.b = ball;
        joint.stiffness = 400, joint.damping = 10, joint.rest = 1;
        must(vs_world_add_joint(s.world, &joint, NULL), s.context);
        start_rig(&s);
        sums all = follow(&s, fine ? 640 : 320);
        assert_near("neither works", all.work, 0, 1e-9);
        rest[fine] = -all.lost - all.change;
        printf("  damper %.3f J of %.3f J; by the scheme %.4f J\n", all.lost, -all.change, rest[fine]);
        assert_true(all.lost > 3 && fabs(rest[fine]) < .1 * all.lost);
        close_rig(&s);
    }
    assert_near("the scheme is of first order", rest[0] / rest[1], 2, .1); // next term: h/T = 0.003
}

// A motor that cannot reach its speed: force times displacement.
static void a_limited_motor_works_and_dissipates_nothing(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    vs_body_id ball = add_ball(&s, .1, 1000, VS_ZERO3, VS_ZERO3);
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_PRISMATIC, joint.b = ball;
    joint.motor = VS_MOTOR_SPEED, joint.motor_limit = 5; // 4.2 kg: 0.37 J in 0.25 s
    joint.target = (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = 100};
    must(vs_world_add_joint(s.world, &joint, NULL), s.context);
    start_rig(&s);
    sums all = follow(&s, 100);
    assert_near("energy", all.change, .5 * pow(5 * .25, 2) / (4. / 3 * pi), 1e-9);
    assert_near("work", all.work, all.change, 1e-9);
    assert_near("of the motor alone", all.prescribed, 0, 1e-12);
    assert_near("heat", all.lost, 0, 1e-9);
    close_rig(&s);
}

// A motor that holds its speed lifts a ball: m g times the way, and the kinetic energy of the first step.
static void a_motor_lifts_by_its_work(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_PRISMATIC, joint.motor = VS_MOTOR_SPEED, joint.target.value = .5;
    joint.b = add_ball(&s, .1, 1000, VS_ZERO3, VS_ZERO3);
    must(vs_world_add_joint(s.world, &joint, NULL), s.context);
    start_rig(&s);
    sums all = follow(&s, 100);
    const double mass = 4. / 3 * pi, h = s.options.step, v = .5;
    // in the first step the force of the weight acts along h v/2
    assert_near("motor", all.flow.motors, mass * (standard_gravity * v * h * 99.5 + .5 * v * v), 1e-9);
    assert_near("all work", all.work, all.flow.motors, 1e-12);
    assert_near("error", all.flow.discretization, mass * standard_gravity * v * h / 2, 1e-9);
    assert_true(all.lost == 0);
    close_rig(&s);
}

// A wheel is driven at 3 rad/s against a friction torque of 2 N m: after the start the motor's work is that of friction.
static void a_motor_works_against_joint_friction(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_REVOLUTE, joint.motor = VS_MOTOR_SPEED, joint.target.value = 3, joint.friction = 2;
    joint.b = add_ball(&s, .1, 1000, VS_ZERO3, VS_ZERO3);
    must(vs_world_add_joint(s.world, &joint, NULL), s.context);
    start_rig(&s);
    sums all = follow(&s, 100);
    const double inertia = .4 * 4. / 3 * pi * .01, turned = 3 * s.options.step * 99.5;
    assert_near("friction", all.flow.friction, 2 * turned, 1e-9);
    assert_near("motor", all.flow.motors, 2 * turned + .5 * inertia * 9, 1e-9);
    assert_near("error", all.flow.discretization, 0, 1e-9);
    close_rig(&s);
}

// A bar of 1 m is stretched by 2 cm in 0.2 s at its end, which has prescribed motion or is glued to a kinematic body:
// the work becomes strain energy.
static sums pull(double beta, double step, bool glue) {
    rig s;
    open_rig(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    s.options.step = step;
    vs_flexible_def def = soft(1e6, VS_ZERO3);
    def.elastic.poisson = 0, def.elastic.beta = beta, def.collide = false;
    vs_flexible_id bar = add_block(&s, (vs_vec3){.5, .05, .05}, (const int[]){10, 2, 2}, 4, def);
    const double time[] = {0, .1, .2}, speed[] = {0, .2, 0};
    const vs_signal velocity[3] = {{.kind = VS_SIGNAL_TABLE, .time = time, .sample = speed, .count = 3}, {0}, {0}};
    vs_body_def hand = vs_body_def_default();
    hand.motion = VS_MOTION_KINEMATIC, hand.pose.position.x = .5;
    vs_body_id body;
    must(vs_world_add_body(s.world, &hand, &body), s.context);
    must(vs_world_set_drive(s.world, body, velocity, NULL), s.context);
    vs_flexible_view view = view_of(&s, bar);
    for (int k = 0; k < view.nodes; k++) {
        if (view.rest[k].x < -.499)
            must(vs_world_prescribe_nodes(s.world, bar, 1, &k, NULL), s.context);
        else if (view.rest[k].x > .499 && glue)
            must(vs_world_attach_nodes(s.world, bar, 1, &k, body), s.context);
        else if (view.rest[k].x > .499)
            must(vs_world_prescribe_nodes(s.world, bar, 1, &k, velocity), s.context);
    }
    start_rig(&s);
    sums all = follow(&s, (int)lround(.2 / step));
    close_rig(&s);
    return all;
}

static void moved_nodes_do_work(void **state) {
    (void)state;
    sums coarse = pull(0, .002, false), fine = pull(0, .001, false), glued = pull(0, .001, true);
    printf("  work %.4f and %.4f J, stored %.4f and %.4f J\n", coarse.work, fine.work, coarse.change, fine.change);
    // E A/L d^2/2 = 2 J at rest; waves travel along the bar in 32 ms and have not decayed
    assert_near("strain energy", fine.change, 2, .1);
    assert_near("all of it by the hand", fine.prescribed, fine.work, 1e-12);
    assert_near("glued nodes do the same", glued.work, fine.work, 1e-9);
    assert_near("nothing is dissipated", fine.lost, 0, 0);
    double rest[2] = {coarse.work - coarse.change, fine.work - fine.change};
    assert_true(rest[1] > 0 && rest[1] < .02 * fine.work);
    assert_near("the scheme is of first order", rest[0] / rest[1], 2, .2); // waves: h/T = 0.06
}

static void damped_elements_dissipate(void **state) {
    (void)state;
    sums all = pull(.01, .001, false);
    // beta E A/L times the integral of the speed squared, 4/3 10^-3 m^2/s: 0.133 J
    assert_near("heat", all.lost, .01 * 1e4 * .2 * .2 * .2 / 3, .01);
    assert_near("balance", all.work - all.lost, all.change, .03 * all.work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_has_the_error_of_the_scheme),
        cmocka_unit_test(ideal_joints_do_no_work),
        cmocka_unit_test(steps_that_are_too_long_are_told),
        cmocka_unit_test(impacts_dissipate_by_their_restitution),
        cmocka_unit_test(removing_a_penetration_is_no_impact),
        cmocka_unit_test(a_belt_works_twice_what_the_box_gets),
        cmocka_unit_test(a_lift_gives_back_what_it_takes),
        cmocka_unit_test(a_damper_dissipates_and_a_spring_does_not),
        cmocka_unit_test(a_limited_motor_works_and_dissipates_nothing),
        cmocka_unit_test(a_motor_lifts_by_its_work),
        cmocka_unit_test(a_motor_works_against_joint_friction),
        cmocka_unit_test(moved_nodes_do_work),
        cmocka_unit_test(damped_elements_dissipate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
