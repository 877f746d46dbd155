// Overlaps of the present state are found, and removed by moving bodies apart.
#include "kit/random.h"
#include "step/worlds.h"

static void test_overlaps_are_listed_the_deepest_first(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    vs_body_id low = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .09}, VS_ZERO3);  // 1 cm below the floor
    vs_body_id high = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .26}, VS_ZERO3); // 3 cm into the other
    (void)add_ball(&s, .1, 1000, (vs_vec3){1, 0, .1}, VS_ZERO3);              // touches
    start_rig(&s);
    vs_overlap found[4];
    int count;
    must(vs_simulation_find_overlaps(s.simulation, 0, found, 4, &count), s.context);
    assert_int_equal(count, 2);
    assert_int_equal(found[0].a.index, low.index);
    assert_int_equal(found[0].b.index, high.index);
    assert_close(found[0].depth, .03, 1e-15);
    assert_vec(found[0].normal, ((vs_vec3){0, 0, 1}), 1e-15);
    assert_int_equal(found[1].a.index, 0);
    assert_close(found[1].depth, .01, 1e-15);
    // the number of all, also of those that do not fit; a least depth
    must(vs_simulation_find_overlaps(s.simulation, 0, found, 1, &count), s.context);
    assert_int_equal(count, 2);
    must(vs_simulation_find_overlaps(s.simulation, .02, NULL, 0, &count), s.context);
    assert_int_equal(count, 1);
    assert_int_equal(vs_simulation_find_overlaps(s.simulation, -1, NULL, 0, &count), VS_ERROR_ARGUMENT);
    close_rig(&s);
}

static void test_bodies_are_moved_apart_and_not_turned(void **state) {
    (void)state;
    rig s;
    uint64_t seed = 5;
    open_rig(&s, .3, 0, true);
    vs_body_id id[40];
    for (int k = 0; k < 40; k++) {
        vs_vec3 at = random_vec(&seed, .2);
        at.z += .3;
        id[k] =
            k % 2 ? add_ball(&s, .06, 1000, at, VS_ZERO3) : add_box(&s, (vs_vec3){.05, .06, .04}, 1000, at, VS_ZERO3);
    }
    start_rig(&s);
    int count, left;
    must(vs_simulation_find_overlaps(s.simulation, 0, NULL, 0, &count), s.context);
    assert_true(count > 30);
    must(vs_simulation_separate(s.simulation, &left), s.context);
    assert_int_equal(left, 0);
    for (int k = 0; k < 40; k++)
        assert_true(state_of(&s, id[k]).pose.rotation.w == 1);
    must(vs_simulation_find_overlaps(s.simulation, 0, NULL, 0, &count), s.context);
    assert_int_equal(count, 0);
    close_rig(&s);
}

// A ball of 1 kg moves 8 times as far as one of 8 kg.
static void test_lighter_bodies_move_farther(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    vs_body_id light = add_ball(&s, .1, 1000, (vs_vec3){0, 0, 0}, VS_ZERO3);
    vs_body_id heavy = add_ball(&s, .2, 1000, (vs_vec3){.21, 0, 0}, VS_ZERO3);
    start_rig(&s);
    int left;
    must(vs_simulation_separate(s.simulation, &left), s.context);
    assert_int_equal(left, 0);
    assert_close(state_of(&s, light).pose.position.x, -.08, 1e-15);
    assert_close(state_of(&s, heavy).pose.position.x, .22, 1e-15);
    close_rig(&s);
}

// A leg of 1 kg on a slider at its stop, its foot 1 cm in the floor: what it carries, 9 kg, rises with it.
static void test_joints_stay_within_their_limits(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    const double radius = cbrt(3 / (4 * pi * 1000)); // of 1 kg
    vs_body_id leg = add_ball(&s, radius, 1000, (vs_vec3){0, 0, radius - .01}, VS_ZERO3);
    vs_body_id trunk = add_ball(&s, radius, 9000, (vs_vec3){0, 0, 1}, VS_ZERO3);
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_PRISMATIC, def.a = trunk, def.b = leg;
    def.frame_b.position = (vs_vec3){0, 0, 1.01 - radius}; // both at the trunk's centre: the coordinate is 0, along z
    def.limited = true, def.low = -1, def.high = 0;
    vs_joint_id slider;
    must(vs_world_add_joint(s.world, &def, &slider), s.context);
    start_rig(&s);
    int left;
    must(vs_simulation_separate(s.simulation, &left), s.context);
    assert_int_equal(left, 0);
    double x, rate;
    must(vs_world_get_joint_coordinate(s.world, slider, &x, &rate), s.context);
    assert_close(x, 0, 1e-12);
    const double depth = 1e-4 * 4 * radius; // more than counts
    assert_true(state_of(&s, leg).pose.position.z >= radius - depth &&
                state_of(&s, trunk).pose.position.z >= 1.01 - depth);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlaps_are_listed_the_deepest_first),
        cmocka_unit_test(test_bodies_are_moved_apart_and_not_turned),
        cmocka_unit_test(test_lighter_bodies_move_farther),
        cmocka_unit_test(test_joints_stay_within_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
