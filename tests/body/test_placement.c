// Mechanisms that are placed by a coordinate or by one body: joints stay satisfied, other coordinates and rates are kept.
#include "kit/joint_stepper.h"

static const double ROUND = 1e-12; // of a few products of numbers about 1

// A free trunk, an upper arm that turns about y and a lower one that slides along z of its frame; all of them move.
typedef struct robot {
    memory memory;
    vs_context *context;
    vs_world *world;
    vs_body_id trunk, upper, lower;
    vs_joint_id shoulder, slide;
} robot;

static vs_pose at(double x, double y, double z) {
    return (vs_pose){{x, y, z}, {1, 0, 0, 0}};
}

static vs_joint_def joint_between(vs_joint_kind kind, vs_body_id a, vs_pose frame_a, vs_body_id b, vs_pose frame_b) {
    vs_joint_def def = vs_joint_def_default();
    def.kind = kind, def.a = a, def.b = b, def.frame_a = frame_a, def.frame_b = frame_b;
    return def;
}

static vs_pose about_y(vs_pose pose) {
    pose.rotation = vs_quat_from_z_to((vs_vec3){0, 1, 0});
    return pose;
}

static void open_robot(robot *r) {
    const vs_vec3 inertia = {1, 1.2, 1.4};
    *r = (robot){0};
    r->context = make_context(&r->memory);
    r->world = make_world(r->context, VS_ZERO3);
    r->trunk = add_body(r->world, VS_MOTION_DYNAMIC, at(0, 0, 1), 5, inertia);
    r->upper = add_body(r->world, VS_MOTION_DYNAMIC, at(.5, 0, 1), 1, inertia);
    r->lower = add_body(r->world, VS_MOTION_DYNAMIC, at(1, 0, 1), 1, inertia);
    const vs_joint_def shoulder =
        joint_between(VS_JOINT_REVOLUTE, r->trunk, about_y(at(.2, 0, 0)), r->upper, about_y(at(-.3, 0, 0)));
    const vs_joint_def slide = joint_between(VS_JOINT_PRISMATIC, r->upper, at(.5, 0, 0), r->lower, at(0, 0, 0));
    r->shoulder = add_joint(r->world, &shoulder);
    r->slide = add_joint(r->world, &slide);
    vs_body_state moving = {at(0, 0, 1), {1, 2, 3}, {.3, -.2, .5}};
    must(vs_world_place_mechanism(r->world, r->trunk, &moving), r->context);
}

static void close_robot(robot *r) {
    vs_world_destroy(r->world);
    end_context(r->context, &r->memory);
}

static void check_joint(robot *r, vs_joint_id id, double coordinate, double rate) {
    double psi[VS_JOINT_BILATERAL_MOST];
    vs_joint_row row[VS_JOINT_BILATERAL_MOST];
    assert_close(coordinate_of(r->world, id), coordinate, ROUND);
    assert_close(rate_of(r->world, id), rate, ROUND);
    const int rows = vs_joint_violation(r->world, joint_of(r->world, id), psi, row);
    for (int k = 0; k < rows; k++) {
        assert_close(psi[k], 0, ROUND);
        assert_close(vs_joint_row_rate(r->world, &row[k]), 0, ROUND); // velocities satisfy it, too
    }
}

static void a_coordinate_moves_the_tree_behind_it(void **state) {
    (void)state;
    robot r;
    open_robot(&r);
    check_joint(&r, r.shoulder, 0, 0);
    check_joint(&r, r.slide, 0, 0);
    must(vs_world_set_joint_coordinate(r.world, r.slide, .25, -.4), r.context);
    must(vs_world_set_joint_coordinate(r.world, r.shoulder, 7.5, 2), r.context); // more than a turn
    check_joint(&r, r.shoulder, 7.5, 2);
    check_joint(&r, r.slide, .25, -.4);
    vs_body_state trunk, lower;
    must(vs_world_get_body_state(r.world, r.trunk, &trunk), r.context);
    must(vs_world_get_body_state(r.world, r.lower, &lower), r.context);
    assert_true(trunk.pose.position.x == 0 && trunk.velocity.z == 3);
    // R_y(7.5) (0.8, 0, 0.25) from the shoulder at (0.2, 0, 1)
    assert_close(lower.pose.position.x, .2 + .8 * cos(7.5) + .25 * sin(7.5), ROUND);
    assert_close(lower.pose.position.z, 1 - .8 * sin(7.5) + .25 * cos(7.5), ROUND);
    close_robot(&r);
}

static void a_mechanism_is_placed_by_one_body(void **state) {
    (void)state;
    robot r;
    open_robot(&r);
    must(vs_world_set_joint_coordinate(r.world, r.shoulder, .6, 2), r.context);
    const vs_body_state wanted = {{{3, 4, 5}, vs_quat_exp((vs_vec3){.4, -.3, .9})}, {1, -1, 2}, {.1, .2, .3}};
    must(vs_world_place_mechanism(r.world, r.upper, &wanted), r.context);
    vs_body_state got;
    must(vs_world_get_body_state(r.world, r.upper, &got), r.context);
    assert_memory_equal(&got.pose, &wanted.pose, sizeof got.pose);
    check_joint(&r, r.shoulder, .6, 2);
    check_joint(&r, r.slide, 0, 0);
    close_robot(&r);
}

// The side that is not joined to the world moves, whichever it is.
static void the_world_stays(void **state) {
    (void)state;
    robot r;
    open_robot(&r);
    const vs_body_state rest = {at(0, 0, 1), {0, 0, 0}, {0, 0, 0}};
    must(vs_world_place_mechanism(r.world, r.trunk, &rest), r.context);
    const vs_joint_def hand = joint_between(VS_JOINT_FIXED, r.lower, at(0, 0, 0), (vs_body_id){0, 0}, at(1, 0, 1));
    const vs_joint_id held = add_joint(r.world, &hand);
    must(vs_world_set_joint_coordinate(r.world, r.shoulder, .5, 1), r.context);
    check_joint(&r, r.shoulder, .5, 1);
    check_joint(&r, r.slide, 0, 0);
    check_joint(&r, held, 0, 0);
    assert_int_equal(vs_world_place_mechanism(r.world, r.trunk, &rest), VS_ERROR_ARGUMENT);
    close_robot(&r);
}

static void geared_joints_follow(void **state) {
    (void)state;
    robot r;
    open_robot(&r);
    vs_joint_def gear = vs_joint_def_default();
    gear.kind = VS_JOINT_GEAR, gear.joint_a = r.shoulder, gear.joint_b = r.slide, gear.ratio = .5;
    (void)add_joint(r.world, &gear);
    must(vs_world_set_joint_coordinate(r.world, r.shoulder, .4, 1), r.context);
    check_joint(&r, r.slide, .2, .5);
    must(vs_world_set_joint_coordinate(r.world, r.slide, .3, 2), r.context);
    check_joint(&r, r.shoulder, .6, 4);
    close_robot(&r);
}

static void loops_and_joints_without_a_coordinate_are_refused(void **state) {
    (void)state;
    robot r;
    open_robot(&r);
    vs_joint_def ball = joint_between(VS_JOINT_SPHERICAL, r.trunk, at(1, 0, 0), r.lower, at(0, 0, 0));
    const vs_joint_id loop = add_joint(r.world, &ball);
    const uint64_t hash = vs_world_get_hash(r.world);
    assert_int_equal(vs_world_set_joint_coordinate(r.world, r.shoulder, 1, 0), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(r.context), "closed loop"));
    assert_int_equal(vs_world_set_joint_coordinate(r.world, loop, 1, 0), VS_ERROR_ARGUMENT);
    must(vs_world_remove_joint(r.world, loop), r.context);
    assert_int_equal(vs_world_set_joint_coordinate(r.world, loop, 1, 0), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_set_joint_coordinate(r.world, r.shoulder, NAN, 0), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_place_mechanism(r.world, r.trunk, NULL), VS_ERROR_ARGUMENT);
    assert_true(vs_world_get_hash(r.world) == hash);
    close_robot(&r);
}

// The ball joint at the end of the lower arm, from either side: B moves if it is free, else A.
static void a_rotation_moves_the_tree_behind_it(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        robot r;
        open_robot(&r);
        const vs_body_id hand = add_body(r.world, VS_MOTION_DYNAMIC, at(1.5, 0, 1), 1, (vs_vec3){1, 1, 1});
        const vs_body_id a = side ? hand : r.lower, b = side ? r.lower : hand;
        vs_joint_def def = joint_between(VS_JOINT_SPHERICAL, a, at(side ? 0 : .5, 0, 0), b, at(side ? .5 : 0, 0, 0));
        const vs_joint_id ball = add_joint(r.world, &def);
        const vs_quat q = vs_quat_exp((vs_vec3){.3, -.4, .5});
        const vs_vec3 w = {.1, .2, -.3};
        vs_body_state A, B;
        must(vs_world_set_joint_coordinate(r.world, r.slide, 0, .4), r.context);
        must(vs_world_place_mechanism(r.world, hand, &(vs_body_state){at(0, 0, 2), {1, 0, 2}, {.5, -.4, .3}}),
             r.context);
        must(vs_world_set_joint_rotation(r.world, ball, q, w), r.context);
        must(vs_world_get_body_state(r.world, a, &A), r.context);
        must(vs_world_get_body_state(r.world, b, &B), r.context);
        const vs_quat found = vs_quat_multiply(vs_quat_conjugate(A.pose.rotation), B.pose.rotation);
        const vs_vec3 spin = vs_rotate_back(B.pose.rotation, vs_subtract(B.spin, A.spin));
        assert_close(vs_length(vs_quat_log(vs_quat_multiply(vs_quat_conjugate(q), found))), 0, ROUND);
        assert_close(vs_length(vs_subtract(spin, w)), 0, ROUND);
        check_joint(&r, r.slide, 0, .4);
        double psi[VS_JOINT_BILATERAL_MOST];
        assert_int_equal(vs_joint_violation(r.world, joint_of(r.world, ball), psi, NULL), 3);
        for (int k = 0; k < 3; k++)
            assert_close(psi[k], 0, ROUND);
        assert_int_equal(vs_world_set_joint_rotation(r.world, r.slide, q, w), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_set_joint_rotation(r.world, ball, (vs_quat){0, 0, 0, 0}, w), VS_ERROR_ARGUMENT);
        close_robot(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coordinate_moves_the_tree_behind_it),
        cmocka_unit_test(a_rotation_moves_the_tree_behind_it),
        cmocka_unit_test(a_mechanism_is_placed_by_one_body),
        cmocka_unit_test(the_world_stays),
        cmocka_unit_test(geared_joints_follow),
        cmocka_unit_test(loops_and_joints_without_a_coordinate_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
