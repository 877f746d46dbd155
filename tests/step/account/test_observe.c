// What a controller reads of a simulation: forces of inverse dynamics give the acceleration that was asked for, and contacts carry
// the weight of bodies.
#include "step/worlds.h"
#include "voussoir/observe.h"

static vs_joint_id add_axis(rig *s, vs_joint_kind kind, vs_body_id a, vs_pose frame_a, vs_body_id b, vs_pose frame_b) {
    vs_joint_def def = vs_joint_def_default();
    vs_joint_id id;
    def.kind = kind, def.a = a, def.b = b, def.frame_a = frame_a, def.frame_b = frame_b;
    def.motor = VS_MOTOR_EFFORT;
    def.stiffness = 3, def.rest = .2, def.damping = .5, def.armature = kind == VS_JOINT_REVOLUTE ? .05 : 0;
    must(vs_world_add_joint(s->world, &def, &id), s->context);
    return id;
}

static vs_pose along(vs_vec3 position, vs_vec3 axis) {
    return (vs_pose){position, vs_quat_from_z_to(axis)};
}

// An arm that turns about z and y and slides along x, from a given state on, with the efforts of inverse dynamics in each step:
// error of the velocities after 50 ms, largest of the three.
static double controlled_error(double step) {
    const double q[3] = {.4, -.6, .1}, v[3] = {.8, -.5, .3}, wanted[3] = {2, -3, 1.5};
    const vs_vec3 y = {0, 1, 0}, z = {0, 0, 1}, x = {1, 0, 0};
    rig s;
    vs_tree *tree = NULL;
    vs_joint_id joint[3];
    vs_body_id body[3];
    const int steps = (int)lround(.05 / step);
    double tau[3], after[3], worst = 0;
    open_rig(&s, .5, .3, false);
    for (int k = 0; k < 3; k++)
        body[k] = add_box(&s, (vs_vec3){.1, .05, .05 + .02 * k}, 1000, VS_ZERO3, VS_ZERO3);
    joint[0] = add_axis(&s, VS_JOINT_REVOLUTE, (vs_body_id){0, 0}, along((vs_vec3){0, 0, 1}, z), body[0],
                        along((vs_vec3){-.2, 0, 0}, z));
    joint[1] = add_axis(&s, VS_JOINT_REVOLUTE, body[0], along((vs_vec3){.2, 0, .1}, y), body[1],
                        along((vs_vec3){-.3, .1, 0}, y));
    joint[2] = add_axis(&s, VS_JOINT_PRISMATIC, body[1], along((vs_vec3){.2, 0, 0}, x), body[2],
                        along((vs_vec3){-.1, 0, .1}, x));
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < k; i++)
            must(vs_world_ignore_pair(s.world, body[i], body[k]), s.context);
    must(vs_tree_create(s.world, &tree), s.context);
    must(vs_tree_set_state(tree, q, v), s.context);
    s.options.step = step;
    start_rig(&s);
    for (int n = 0; n < steps; n++) {
        must(vs_tree_get_inverse_dynamics(tree, wanted, NULL, tau), s.context);
        for (int k = 0; k < 3; k++)
            must(vs_world_set_joint_effort(s.world, joint[k], tau[k]), s.context);
        (void)take_step(&s);
    }
    must(vs_tree_get_state(tree, NULL, after), s.context);
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs(after[k] - v[k] - .05 * wanted[k]));
    vs_tree_destroy(tree);
    close_rig(&s);
    return worst;
}

static void inverse_dynamics_give_the_motion_to_first_order(void **state) {
    (void)state;
    const double coarse = controlled_error(5e-4), fine = controlled_error(1.25e-4);
    assert_below(coarse, 1e-3);      // of 0.15, the change of the fastest
    assert_below(fine, .3 * coarse); // a quarter, up to second order
}

static void contacts_carry_the_weight(void **state) {
    (void)state;
    rig s;
    vs_tree *tree = NULL;
    double wrench[12], tau[12];
    vs_vec3 force, torque;
    open_rig(&s, .5, 0, true);
    const vs_body_id lower = add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, VS_ZERO3);
    const vs_body_id upper = add_box(&s, (vs_vec3){.05, .05, .05}, 1000, (vs_vec3){.03, 0, .25}, VS_ZERO3);
    start_rig(&s);
    must(vs_simulation_get_contact_forces(s.simulation, wrench), s.context); // before the first step: none
    for (int k = 0; k < 12; k++)
        assert_true(wrench[k] == 0);
    for (int k = 0; k < 5; k++)
        (void)take_step(&s);
    const double weight = standard_gravity, near = 1e-6 * 9 * weight; // 8 kg and 1 kg
    must(vs_simulation_get_contact_forces(s.simulation, wrench), s.context);
    assert_close(wrench[2], 8 * weight, near);
    assert_close(wrench[8], weight, near);
    assert_close(wrench[10], 0, near);
    must(vs_simulation_get_pair_force(s.simulation, lower, upper, &force, &torque), s.context);
    assert_vec(force, ((vs_vec3){0, 0, weight}), near);
    assert_vec(torque, VS_ZERO3, near);
    must(vs_simulation_get_pair_force(s.simulation, upper, lower, &force, &torque), s.context);
    assert_vec(force, ((vs_vec3){0, 0, -weight}), near);
    assert_vec(torque, ((vs_vec3){0, .03 * weight, 0}), near);
    must(vs_simulation_get_pair_force(s.simulation, (vs_body_id){0, 0}, lower, &force, &torque), s.context);
    assert_vec(force, ((vs_vec3){0, 0, 9 * weight}), near);
    must(vs_simulation_get_pair_force(s.simulation, (vs_body_id){0, 0}, upper, &force, &torque), s.context);
    assert_vec(force, VS_ZERO3, 0);
    assert_int_equal(vs_simulation_get_pair_force(s.simulation, upper, upper, &force, &torque), VS_ERROR_ARGUMENT);
    // Nothing else holds the bodies at rest.
    must(vs_tree_create(s.world, &tree), s.context);
    must(vs_tree_get_inverse_dynamics(tree, NULL, wrench, tau), s.context);
    for (int k = 0; k < 12; k++)
        assert_close(tau[k], 0, near);
    vs_tree_destroy(tree);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_dynamics_give_the_motion_to_first_order),
        cmocka_unit_test(contacts_carry_the_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
