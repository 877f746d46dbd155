// Work, dissipation and change of energy balance: belts, springs, motors, damped elements, prescribed nodes.
#include "solids.h"

typedef struct sums {
    double work, prescribed, lost, change; // J
} sums;

static double energy_of(const stage *s) {
    vs_energy e = vs_world_get_energy(s->world);
    return e.kinetic + e.potential;
}

// Sums over some steps; no step has negative dissipation.
static sums follow(stage *s, int steps) {
    sums all = {.change = -energy_of(s)};
    for (int k = 0; k < steps; k++) {
        vs_step_report r = take_step(s);
        if (r.dissipation < -1e-9)
            fail_msg("step %lld dissipates %g J", (long long)r.step, r.dissipation);
        all.work += r.work, all.prescribed += r.work_prescribed, all.lost += r.dissipation;
    }
    all.change += energy_of(s);
    return all;
}

// A box is placed on a belt of 1 m/s: the belt does the work m v^2, half of which is dissipated.
static void a_belt_works_twice_what_the_box_gets(void **state) {
    (void)state;
    stage s;
    open_stage(&s, .5, 0, false);
    add_belt(&s);
    add_box(&s, (vs_vec3){.1, .1, .1}, 500, (vs_vec3){0, 0, .1}, VS_ZERO3);
    start_stage(&s);
    sums all = follow(&s, 200);
    // 4 kg; the scheme's mean velocities are exact under a constant force
    assert_near("work of the belt", all.prescribed, 4, 1e-8);
    assert_near("all work is the belt's", all.work, all.prescribed, 1e-12);
    assert_near("heat", all.lost, 2, 1e-8);
    assert_near("balance", all.work - all.lost, all.change, 1e-8);
    close_stage(&s);
}

// A kinematic plate lifts a box, and lowers it again.
static void a_lift_gives_back_what_it_takes(void **state) {
    (void)state;
    stage s;
    open_stage(&s, .5, 0, false);
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
    start_stage(&s);
    sums up = follow(&s, 160);
    double way = .5 * .1 * .2 + .2 * .2 + .5 * .1 * .2; // at 0.4 s
    // displacements follow the velocity at the end of a step, work the mean one: they differ by h g/2 times the change
    // of speed, 0
    assert_near("work to lift", up.prescribed, 4 * standard_gravity * way, 1e-3);
    assert_near("balance", up.work - up.lost, up.change, 1e-3);
    assert_near("nothing is lost", up.lost, 0, 1e-9);
    close_stage(&s);
}

// Half a period of a damped spring: its loss is dissipation, and neither spring nor damper does work.
static void a_damper_dissipates_and_a_spring_does_not(void **state) {
    (void)state;
    double rest[2];
    for (int fine = 0; fine < 2; fine++) {
        stage s;
        open_stage(&s, 0, 0, false);
        must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
        s.options.step = fine ? .0005 : .001;
        vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, 1.2}, VS_ZERO3);
        vs_joint_def joint = vs_joint_def_default();
        joint.kind = VS_JOINT_PRISMATIC, joint.b = ball;
        joint.stiffness = 400, joint.damping = 10, joint.rest = 1;
        must(vs_world_add_joint(s.world, &joint, NULL), s.context);
        start_stage(&s);
        sums all = follow(&s, fine ? 640 : 320);
        assert_near("neither works", all.work, 0, 1e-9);
        rest[fine] = -all.lost - all.change;
        printf("  damper %.3f J of %.3f J; by the scheme %.4f J\n", all.lost, -all.change, rest[fine]);
        assert_true(all.lost > 3 && fabs(rest[fine]) < .1 * all.lost);
        close_stage(&s);
    }
    assert_near("the scheme is of first order", rest[0] / rest[1], 2, .1); // next term: h/T = 0.003
}

// A motor that cannot reach its speed: force times displacement.
static void a_limited_motor_works_and_dissipates_nothing(void **state) {
    (void)state;
    stage s;
    open_stage(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    vs_body_id ball = add_ball(&s, .1, 1000, VS_ZERO3, VS_ZERO3);
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_PRISMATIC, joint.b = ball;
    joint.motor = VS_MOTOR_SPEED, joint.motor_limit = 5; // 4.2 kg: 0.37 J in 0.25 s
    joint.target = (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = 100};
    must(vs_world_add_joint(s.world, &joint, NULL), s.context);
    start_stage(&s);
    sums all = follow(&s, 100);
    assert_near("energy", all.change, .5 * pow(5 * .25, 2) / (4. / 3 * pi), 1e-9);
    assert_near("work", all.work, all.change, 1e-9);
    assert_near("of the motor alone", all.prescribed, 0, 1e-12);
    assert_near("heat", all.lost, 0, 1e-9);
    close_stage(&s);
}

// A bar of 1 m is stretched by 2 cm in 0.2 s at its end, which has prescribed motion or is glued to a kinematic body:
// the work becomes strain energy.
static sums pull(double beta, double step, bool glue) {
    stage s;
    open_stage(&s, 0, 0, false);
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
    start_stage(&s);
    sums all = follow(&s, (int)lround(.2 / step));
    close_stage(&s);
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
        cmocka_unit_test(a_belt_works_twice_what_the_box_gets),
        cmocka_unit_test(a_lift_gives_back_what_it_takes),
        cmocka_unit_test(a_damper_dissipates_and_a_spring_does_not),
        cmocka_unit_test(a_limited_motor_works_and_dissipates_nothing),
        cmocka_unit_test(moved_nodes_do_work),
        cmocka_unit_test(damped_elements_dissipate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
