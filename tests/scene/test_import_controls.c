// Actuators, tendons, couplings and keyframes of MJCF: every law is the one of the file.
#include "imported.h"

static const double ROUND = 1e-12;

#define M(text) "<mujoco><compiler angle='radian'/>" text "</mujoco>"
// Two hinges about z with unit inertia, side by side.
#define TWO                                                                                                            \
    "<worldbody><body name='a'><joint name='p' range='-1 3' armature='3'/><inertial pos='0 0 0' mass='1' "             \
    "diaginertia='1 1 1'/></body><body name='b' pos='9 0 0'><joint name='q'/><inertial pos='0 0 0' mass='1' "          \
    "diaginertia='1 1 1'/></body></worldbody>"

static const vs_joint_def *joint(const vs_scene *scene, const char *name) {
    const vs_joint_id id = vs_world_find_joint(scene->world, name);
    assert_true(id.generation != 0);
    return &scene->world->joint[id.index].def;
}

static double coordinate(fixture *f, const vs_scene *scene, const char *name) {
    double x;
    must(vs_world_get_joint_coordinate(scene->world, vs_world_find_joint(scene->world, name), &x, NULL), f->context);
    return x;
}

// force = 3 u + 5 - 10 l - 2 l', l = 2 q: the effort is 2 (3 u + 5 - 20 q - 4 q') = 40 ((3 u + 5)/20 - q) - 8 q'.
static void an_affine_law_is_a_motor_about_its_rest(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M(TWO "<actuator><general name='g' joint='p' gear='2' gainprm='3' biastype='affine' "
                                    "biasprm='5 -10 -2' forcerange='-6 6'/></actuator>"));
    assert_int_equal(scene->ignored, 0);
    must(vs_world_set_control(scene->world, 0, 7), f->context);
    const vs_joint_def *p = joint(scene, "p");
    assert_int_equal(p->motor, VS_MOTOR_POSITION);
    assert_close(p->motor_stiffness, 40, ROUND);
    assert_close(p->motor_damping, 8, ROUND);
    assert_close(p->target.value, (3. * 7 + 5) / 20, ROUND);
    assert_close(p->motor_limit, 12, ROUND);
    vs_scene_destroy(scene);
}

// damping ratio 1 of the inertia 1 + 3 with the stiffness 9: 2 sqrt(9 4)
static void ranges_and_damping_follow_from_the_joint(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M(TWO "<actuator><position joint='p' kp='9' dampratio='1' inheritrange='.5'/>"
                                    "</actuator>"));
    vs_control_def def;
    assert_int_equal(scene->ignored, 0);
    must(vs_world_get_control_def(scene->world, 0, &def), f->context);
    assert_true(def.limited && def.low == 0 && def.high == 2);
    assert_close(joint(scene, "p")->motor_damping, 12, ROUND);
    vs_scene_destroy(scene);
}

// q = 2 p, L = p/2 + 3 q/4 = 2 p: a force f along the tendon is the effort 2 f of p.
static void a_tendon_of_geared_joints_drives_one_of_them(void **state) {
    fixture *f = *state;
    static const char tendon[] = "<tendon><fixed name='t'><joint joint='p' coef='.5'/><joint joint='q' coef='.75'/>"
                                 "</fixed></tendon><actuator><position tendon='t' kp='7'/></actuator>";
    char text[2000];
    (void)snprintf(text, sizeof text,
                   M(TWO "<equality><joint joint1='q' joint2='p' polycoef='0 2 0 0 0'/></equality>%s"), tendon);
    vs_scene *scene = need(f, text);
    assert_int_equal(scene->ignored, 0);
    must(vs_world_set_control(scene->world, 0, 1.5), f->context);
    assert_close(joint(scene, "p")->motor_stiffness, 28, ROUND);
    assert_close(joint(scene, "p")->target.value, .75, ROUND);
    vs_scene_destroy(scene);
    // Of independent joints it is a coordinate of its own.
    (void)snprintf(text, sizeof text, M(TWO "%s"), tendon);
    scene = need(f, text);
    assert_int_equal(scene->ignored, 0);
    must(vs_world_set_control(scene->world, 0, 1.5), f->context);
    must(vs_world_set_joint_coordinate(scene->world, vs_world_find_joint(scene->world, "p"), .2, 0), f->context);
    must(vs_world_set_joint_coordinate(scene->world, vs_world_find_joint(scene->world, "q"), .4, 0), f->context);
    assert_int_equal(joint(scene, "t")->kind, VS_JOINT_CABLE);
    assert_close(joint(scene, "t")->motor_stiffness, 7, ROUND);
    assert_close(joint(scene, "t")->target.value, 1.5, ROUND);
    assert_close(coordinate(f, scene, "t"), .5 * .2 + .75 * .4, ROUND);
    vs_scene_destroy(scene);
}

// q = .25 + 2 p in the first position, too; a joint alone is held.
static void couplings_have_a_constant_and_hold_single_joints(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M(TWO "<equality><joint joint1='q' joint2='p' polycoef='.25 2 0 0 0'/></equality>"
                                    "<keyframe><key name='k' qpos='.1 .45'/></keyframe>"));
    double p = coordinate(f, scene, "p"), q = coordinate(f, scene, "q");
    assert_int_equal(scene->ignored, 0);
    assert_close(q, 2 * p, 1e-9); // counts from .25
    assert_true(fabs(p) < .25);
    vs_body_state b;
    must(vs_scene_set_keyframe(scene, "k"), f->context);
    assert_close(coordinate(f, scene, "p"), .1, 1e-9);
    must(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "b"), &b), f->context);
    assert_close(2 * atan2(b.pose.rotation.z, b.pose.rotation.w), .45, 1e-9);
    vs_scene_destroy(scene);
    scene = need(f, M(TWO "<equality><joint joint1='q' polycoef='.5'/><joint joint1='p' joint2='q' "
                          "polycoef='0 1 .1'/></equality>"));
    assert_true(joint(scene, "q")->limited && joint(scene, "q")->low == .5 && joint(scene, "q")->high == .5);
    assert_non_null(strstr(f->log, "polycoef: only its constant and linear part are used\n"));
    vs_scene_destroy(scene);
}

// A four-bar linkage: coordinates cannot be set one by one, the keyframe is projected onto the loop.
static void keyframes_of_closed_loops_are_projected(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f, M("<worldbody><body name='l'><joint name='l' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 1' "
             "size='.05'/><body name='top' pos='0 0 1'><joint name='t' axis='0 1 0'/><geom type='capsule' "
             "fromto='0 0 0 1 0 0' size='.05'/></body></body><body name='r' pos='1 0 0'><joint name='r' axis='0 1 0'/>"
             "<geom type='capsule' fromto='0 0 0 0 0 1' size='.05'/></body></worldbody><equality><connect body1='top' "
             "body2='r' anchor='1 0 0'/></equality><keyframe><key name='k' qpos='.3 -.3 .3001'/></keyframe>"));
    assert_int_equal(scene->keyframes, 1);
    assert_close(coordinate(f, scene, "l"), 0, 1e-9);
    must(vs_scene_set_keyframe(scene, "k"), f->context);
    assert_close(coordinate(f, scene, "l"), .3, 1e-3);
    assert_close(coordinate(f, scene, "l"), coordinate(f, scene, "r"), 1e-8);
    vs_scene_destroy(scene);
}

// Actuators on hinges and slides that could be one joint keep their coordinates; so do keyframes.
static void coordinates_in_use_are_kept(void **state) {
    fixture *f = *state;
    static const char body[] = "<worldbody><body name='a'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' "
                               "type='slide' axis='0 1 0'/><joint name='z'/><geom size='1'/></body></worldbody>";
    char text[1000];
    (void)snprintf(text, sizeof text, M("%s<actuator><motor joint='y'/></actuator>"), body);
    vs_scene *scene = need(f, text);
    assert_int_equal(vs_world_get_joint_count(scene->world), 3);
    assert_int_equal(vs_world_get_control_count(scene->world), 1);
    vs_scene_destroy(scene);
    (void)snprintf(text, sizeof text, M("%s<keyframe><key qpos='1 2 3'/></keyframe>"), body);
    scene = need(f, text);
    assert_int_equal(scene->keyframes, 1);
    must(vs_scene_set_keyframe(scene, "0"), f->context);
    assert_close(coordinate(f, scene, "y"), 2, ROUND);
    vs_scene_destroy(scene);
    (void)snprintf(text, sizeof text, M("%s"), body);
    scene = need(f, text);
    assert_int_equal(vs_world_get_joint_count(scene->world), 1); // planar
    vs_scene_destroy(scene);
}

// A body without weight stays, beside one that falls; joints may stand in frames.
static void gravity_is_compensated(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f, M("<worldbody><body name='up' gravcomp='1'><frame pos='0 0 1'><joint name='j' pos='0 0 1' axis='0 1 0'/>"
             "</frame><geom size='.1' pos='1 0 0'/><body pos='0 0 1' gravcomp='1'><geom size='.2'/></body></body>"
             "<body name='down' pos='5 0 0'><freejoint/><geom size='.1'/></body></worldbody>"));
    assert_int_equal(scene->ignored, 0);
    vs_simulation *simulation;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), f->context);
    must(vs_simulation_run(simulation, .2), f->context);
    vs_simulation_destroy(simulation);
    vs_body_state down;
    must(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "down"), &down), f->context);
    assert_close(coordinate(f, scene, "j"), 0, 1e-9);
    assert_true(down.pose.position.z < -.1);
    vs_scene_destroy(scene);
}

// The site is turned: its z is the x of the body, 1 m above the centre of mass.
static void motors_on_sites_push_the_body(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f,
        M("<option gravity='0 0 0'/><worldbody><body name='a' pos='0 0 3'><freejoint/><inertial pos='0 0 0' mass='2' "
          "diaginertia='1 1 1'/><site name='s' pos='0 0 1' zaxis='1 0 0'/></body></worldbody><actuator>"
          "<motor name='t' site='s' gear='0 0 3 0 0 .5' ctrlrange='0 5' forcerange='-4 4'/></actuator>"
          "<keyframe><key name='k' qpos='0 0 0 1 0 0 0' ctrl='2'/></keyframe>"));
    vs_control_def def;
    assert_int_equal(scene->ignored, 0);
    must(vs_world_get_control_def(scene->world, 0, &def), f->context);
    assert_true(def.limited && def.low == 0 && def.high == 4);
    must(vs_scene_set_keyframe(scene, "k"), f->context);
    vs_simulation *simulation;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), f->context);
    must(vs_simulation_step(simulation, NULL), f->context);
    vs_simulation_destroy(simulation);
    vs_body_state a;
    must(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "a"), &a), f->context);
    const double h = scene->options.step; // force 6 along x, torque 1 about x and 6 about y
    assert_close(a.velocity.x, 3 * h, 1e-9);
    assert_close(a.spin.x, h, 1e-6);
    assert_close(a.spin.y, 6 * h, 1e-6);
    vs_scene_destroy(scene);
}

// A servo, a damper and a motor: 9 (u_1 - q) - 2 q', 5 (u_2 - q') and 3 u_3; the limits of the forces add up.
static void actuators_of_one_joint_add_up(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, M(TWO "<actuator><position name='s' joint='p' kp='9' kv='2' forcerange='-4 4'/><velocity name='v' "
                      "joint='p' kv='5' forcerange='-1 1'/><motor name='m' joint='p' gear='3' forcerange='-1 1'/>"
                      "</actuator><keyframe><key qpos='0 0' ctrl='.5 .2 .1'/></keyframe>"));
    assert_int_equal(scene->ignored, 0);
    must(vs_scene_set_keyframe(scene, "0"), f->context);
    const vs_joint_def *p = joint(scene, "p");
    assert_int_equal(p->motor, VS_MOTOR_POSITION);
    assert_close(p->motor_stiffness, 9, ROUND);
    assert_close(p->motor_damping, 7, ROUND);
    assert_close(9 * p->target.value, 9 * .5 + 5 * .2 + 3 * .1, ROUND);
    assert_close(p->motor_limit, 4 + 1 + 3, ROUND);
    vs_scene_destroy(scene);
}

// qpos of a ball is the rotation of the body in its parent, qvel its spin in its own axes.
static void keyframes_turn_ball_joints(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f, M("<worldbody><body name='a' pos='0 0 1'><joint axis='0 0 1'/><geom size='.1'/><body name='b' pos='1 0 0' "
             "quat='0 1 0 0'><joint type='ball' pos='0 0 .2'/><geom size='.1'/></body></body></worldbody><keyframe>"
             "<key name='k' qpos='0 .8 0 .6 0' qvel='0 1 2 3'/></keyframe>"));
    assert_int_equal(scene->ignored, 0);
    must(vs_scene_set_keyframe(scene, "k"), f->context);
    vs_body_state b;
    must(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "b"), &b), f->context);
    const vs_quat turn = vs_quat_multiply((vs_quat){0, 1, 0, 0}, (vs_quat){.8, 0, .6, 0});
    const vs_vec3 spin = vs_rotate(turn, (vs_vec3){1, 2, 3}), arm = vs_rotate(turn, (vs_vec3){0, 0, .2});
    const vs_vec3 place = vs_subtract((vs_vec3){1, 0, .8}, arm); // the anchor stays
    assert_close(vs_length(vs_subtract(b.spin, spin)), 0, 1e-12);
    assert_close(vs_length(vs_subtract(b.pose.position, place)), 0, 1e-12);
    assert_close(vs_length(vs_quat_log(vs_quat_multiply(vs_quat_conjugate(turn), b.pose.rotation))), 0, 1e-12);
    vs_scene_destroy(scene);
}

// A weld where the file says it is.
static void a_weld_has_its_own_pose(void **state) {
    fixture *f = *state;
    vs_body_state b;
    vs_scene *scene = need(f, M("<worldbody><body name='a'><joint/><geom size='.1'/></body><body name='b' pos='.9 0 0'>"
                                "<freejoint/><geom size='.1'/></body></worldbody><equality><weld body1='a' body2='b' "
                                "relpose='1 0 0 1 0 0 0'/></equality>"));
    vs_body_state a;
    must(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "a"), &a), f->context);
    must(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "b"), &b), f->context);
    assert_close(vs_length(vs_subtract(b.pose.position, a.pose.position)), 1, 1e-8);
    vs_scene_destroy(scene);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(an_affine_law_is_a_motor_about_its_rest),
        test(ranges_and_damping_follow_from_the_joint),
        test(a_tendon_of_geared_joints_drives_one_of_them),
        test(couplings_have_a_constant_and_hold_single_joints),
        test(keyframes_of_closed_loops_are_projected),
        test(coordinates_in_use_are_kept),
        test(gravity_is_compensated),
        test(motors_on_sites_push_the_body),
        test(actuators_of_one_joint_add_up),
        test(keyframes_turn_ball_joints),
        test(a_weld_has_its_own_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
