// Convex shapes on a plane: how many points, where, and how far.
#include "meeting.h"
#include "collide/narrow/pairs.h"

typedef struct shapes {
    vs_context *context;
    vs_shape *box, *capsule, *cylinder, *ellipsoid, *hull, *prism, *plane;
} shapes;

enum { SIDES = 30 };

static int make(void **state) {
    static shapes s;
    vs_vec3 corner[8], ring[2 * SIDES];
    for (int k = 0; k < 8; k++)
        corner[k] = (vs_vec3){k & 1 ? .5 : -.5, k & 2 ? .4 : -.4, k & 4 ? .3 : -.3};
    for (int k = 0; k < 2 * SIDES; k++) { // a prism with more corners than a manifold has places
        double angle = 2 * 3.14159265358979323846 * (k / 2) / SIDES;
        ring[k] = (vs_vec3){cos(angle), sin(angle), k % 2 ? .5 : -.5};
    }
    bool good = !vs_context_create(NULL, &s.context) && !vs_shape_box(s.context, (vs_vec3){.5, .4, .3}, &s.box) &&
                !vs_shape_capsule(s.context, .2, .5, &s.capsule) &&
                !vs_shape_cylinder(s.context, .4, .5, &s.cylinder) &&
                !vs_shape_ellipsoid(s.context, (vs_vec3){.5, .3, .2}, &s.ellipsoid) &&
                !vs_shape_hull(s.context, corner, 8, &s.hull) && !vs_shape_hull(s.context, ring, 2 * SIDES, &s.prism) &&
                !vs_shape_plane(s.context, &s.plane);
    *state = &s;
    return good ? 0 : -1;
}

static int unmake(void **state) {
    shapes *s = *state;
    vs_shape *all[] = {s->box, s->capsule, s->cylinder, s->ellipsoid, s->hull, s->prism, s->plane};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vs_shape_release(all[k]);
    vs_context_destroy(s->context);
    return 0;
}

static vs_manifold drop(const vs_shape *shape, vs_pose pose, const vs_shape *plane, double envelope) {
    vs_manifold m;
    vs_narrow(shape, pose, plane, VS_IDENTITY_POSE, envelope, &m);
    check_sound(&m, envelope);
    for (int k = 0; k < m.count; k++) {
        assert_vec(m.at[k].normal, ((vs_vec3){0, 0, -1}), 0);
        assert_close(m.at[k].point.z, .5 * m.at[k].gap, 1e-15); // midway
    }
    return m;
}

static void test_box_stands_on_four_two_or_one_corner(void **state) {
    shapes *s = *state;
    vs_manifold m = drop(s->box, at(1, 2, .3005), s->plane, 1e-3);
    assert_int_equal(m.count, 4);
    for (int k = 0; k < 4; k++) {
        assert_close(m.at[k].gap, .0005, 1e-15);
        assert_close(fabs(m.at[k].point.x - 1), .5, 1e-15);
        assert_close(fabs(m.at[k].point.y - 2), .4, 1e-15);
    }
    // tilted by 0.1 about y: an edge
    double low = .3 * cos(.1) + .5 * sin(.1);
    m = drop(s->box, turned(0, 0, low, (vs_vec3){0, 1, 0}, .1), s->plane, 1e-3);
    assert_int_equal(m.count, 2);
    assert_close(m.at[0].gap, 0, 1e-15);
    assert_close(m.at[1].gap, 0, 1e-15);
    m = drop(s->box, turned(0, 0, .7, (vs_vec3){1, -1, 0}, .7), s->plane, .1);
    assert_int_equal(m.count, 1);
    // with room for all: the four lowest
    m = drop(s->box, at(0, 0, .3), s->plane, 10);
    assert_int_equal(m.count, 4);
    for (int k = 0; k < 4; k++)
        assert_close(m.at[k].gap, 0, 1e-15);
}

static void test_hull_with_few_corners_gives_all_within_the_envelope(void **state) {
    shapes *s = *state;
    uint64_t seed = 4;
    for (int i = 0; i < 1000; i++) {
        vs_pose pose = random_pose(&seed, .5);
        vs_manifold m = drop(s->hull, pose, s->plane, .1);
        int expected = 0;
        double least = INFINITY;
        for (int k = 0; k < s->hull->polytope.vertices; k++) {
            double z = vs_pose_apply(pose, s->hull->polytope.vertex[k]).z;
            expected += z <= .1;
            least = fmin(least, z);
        }
        assert_int_equal(m.count, expected);
        if (expected > 0)
            assert_close(least_gap(&m), least, 1e-15);
    }
}

static void test_prism_with_many_corners_stands_on_eight_that_span_it(void **state) {
    shapes *s = *state;
    vs_manifold m = drop(s->prism, at(0, 0, .5), s->plane, 1e-3);
    assert_int_equal(m.count, VS_MANIFOLD_MOST);
    // with eight of thirty corners of a circle no direction is worse supported than by a heptagon's: cos(pi/7) = 0.90
    for (int i = 0; i < 100; i++) {
        double angle = 2 * 3.14159265358979323846 * i / 100, farthest = -1;
        for (int k = 0; k < m.count; k++)
            farthest = fmax(farthest, cos(angle) * m.at[k].point.x + sin(angle) * m.at[k].point.y);
        assert_true(farthest > .9);
    }
}

static void test_prisms_choice_survives_roundoff_and_turns_with_the_body(void **state) {
    shapes *s = *state;
    vs_manifold m = drop(s->prism, at(0, 0, .5), s->plane, 1e-3);
    uint64_t seed = 5;
    for (int i = 0; i < 200; i++) {
        vs_quat yaw = vs_quat_exp((vs_vec3){0, 0, random_in(&seed, -3, 3)});
        vs_quat tilt = vs_quat_exp(random_vec(&seed, 1e-11)); // far below the tolerance of 1e-9
        vs_manifold n = drop(s->prism, (vs_pose){{0, 0, .5}, vs_quat_multiply(yaw, tilt)}, s->plane, 1e-3);
        assert_int_equal(n.count, m.count);
        for (int k = 0; k < m.count; k++)
            assert_int_equal(n.at[k].feature, m.at[k].feature);
    }
}

static void test_cylinder_stands_on_four_lies_on_two_leans_on_one(void **state) {
    shapes *s = *state;
    vs_manifold m = drop(s->cylinder, at(0, 0, .5), s->plane, 1e-3);
    assert_int_equal(m.count, 4);
    for (int k = 0; k < 4; k++) {
        assert_close(m.at[k].gap, 0, 1e-15);
        assert_close(sqrt(m.at[k].point.x * m.at[k].point.x + m.at[k].point.y * m.at[k].point.y), .4, 1e-15);
    }
    m = drop(s->cylinder, turned(0, 0, .4, (vs_vec3){1, 0, 0}, acos(-1) / 2), s->plane, 1e-3);
    assert_int_equal(m.count, 2);
    assert_close(m.at[0].gap, 0, 1e-15);
    assert_close(m.at[1].gap, 0, 1e-15);
    assert_close(fabs(m.at[0].point.y - m.at[1].point.y), 1, 1e-15);
    double angle = .3; // height of the lowest point of the rim: half_length cos + radius sin
    m = drop(s->cylinder, turned(0, 0, .5 * cos(angle) + .4 * sin(angle), (vs_vec3){1, 2, 0}, angle), s->plane, 1e-3);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, 0, 1e-15);
}

// Where it leans, the rim touches between the four points; that point of the body stays when it stands upright again, and gives
// way when it leans elsewhere.
static void test_standing_cylinder_keeps_the_points_on_which_it_leaned(void **state) {
    shapes *s = *state;
    vs_former former = {0};
    vs_manifold m = {.former = &former};
    for (int k = 0; k < 40; k++) {
        const double direction = .2 + .25 * k, angle = k % 2 == 0 ? 1e-5 : 0;
        const vs_pose pose =
            turned(0, 0, .5 * cos(angle) + .4 * sin(angle), (vs_vec3){-sin(direction), cos(direction), 0}, angle);
        vs_narrow_again(s->cylinder, pose, s->plane, at(0, 0, 0), 1e-3, &m);
        assert_true((k > 1 || m.count == 5) && m.count >= 4 && m.count <= VS_MANIFOLD_MOST);
        assert_close(least_gap(&m), 0, 1e-8 * .4);
        int same = 0;
        for (int i = 0; i < former.count; i++)
            for (int j = 0; j < m.count; j++)
                same += former.feature[i] == m.at[j].feature;
        assert_true(angle > 0 || (same == m.count && former.count == m.count));
        former.count = m.count;
        for (int i = 0; i < m.count; i++) {
            former.feature[i] = m.at[i].feature;
            assert_close(vs_length((vs_vec3){m.at[i].point.x, m.at[i].point.y, 0}), .4, 1e-5);
            for (int j = 0; j < i; j++)
                assert_true(m.at[i].feature != m.at[j].feature);
        }
    }
}

static void test_cylinder_that_leans_more_and_more_keeps_its_lowest_gap(void **state) {
    shapes *s = *state;
    for (double angle = 1e-9; angle < 1.5; angle *= 1.5) {
        double height = .5 * cos(angle) + .4 * sin(angle);
        vs_manifold m = drop(s->cylinder, turned(0, 0, height, (vs_vec3){2, -1, 0}, angle), s->plane, .01);
        // points fixed to the body miss the lowest one by up to radius * angle, below 1e-6 rad only
        assert_close(least_gap(&m), 0, angle < 1e-6 ? .4 * angle : 1e-14);
    }
}

static void test_ellipsoid_and_capsule_reach_down_as_their_support_says(void **state) {
    shapes *s = *state;
    const vs_shape *round[] = {s->ellipsoid, s->capsule, s->cylinder, s->box, s->hull, s->prism};
    uint64_t seed = 6;
    for (size_t k = 0; k < sizeof round / sizeof *round; k++)
        for (int i = 0; i < 1000; i++) {
            vs_pose pose = random_pose(&seed, 1);
            vs_vec3 lowest =
                vs_pose_apply(pose, vs_shape_support(round[k], vs_rotate_back(pose.rotation, (vs_vec3){0, 0, -1})));
            vs_manifold m = drop(round[k], pose, s->plane, 3);
            assert_true(m.count > 0);
            assert_close(least_gap(&m), lowest.z, 1e-14);
        }
    vs_manifold m = drop(s->capsule, turned(0, 0, .2, (vs_vec3){0, 1, 0}, acos(-1) / 2), s->plane, 1e-3);
    assert_int_equal(m.count, 2);
    m = drop(s->ellipsoid, at(0, 0, .2), s->plane, 1e-3);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, 0, 1e-16);
}

static void test_motion_as_a_whole_and_order_change_nothing(void **state) {
    shapes *s = *state;
    const vs_shape *all[] = {s->ellipsoid, s->capsule, s->cylinder, s->box, s->hull};
    uint64_t seed = 7;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int i = 0; i < 1000; i++) {
            vs_pose a = random_pose(&seed, 1), b = random_pose(&seed, .1);
            check_moved(all[k], a, s->plane, b, .3, random_pose(&seed, 10));
            check_swapped(all[k], a, s->plane, b, .3);
        }
}

static void test_gap_is_continuous_through_touching(void **state) {
    shapes *s = *state;
    const vs_shape *all[] = {s->ellipsoid, s->capsule, s->cylinder, s->box, s->hull, s->prism};
    uint64_t seed = 8;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        check_continuous(s->plane, VS_IDENTITY_POSE, all[k], random_pose(&seed, .1), (vs_vec3){.1, .2, 2}, 10);
}

// Kinds without a function of their own: the part that faces the plane.
static void any_convex_shape_has_the_least_gap_of_its_own_function(void **state) {
    shapes *s = *state;
    const vs_shape *const all[] = {s->box, s->capsule, s->cylinder, s->ellipsoid, s->hull, s->prism};
    uint64_t seed = 3;
    for (int round = 0; round < 300; round++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            const vs_pose pose = turned(1, 2, .4 * random_unit(&seed), random_vec(&seed, 1), 7 * random_unit(&seed));
            vs_manifold own, any = {0};
            vs_narrow(all[k], pose, s->plane, VS_IDENTITY_POSE, 2, &own);
            vs_narrow_convex_plane(all[k], pose, s->plane, VS_IDENTITY_POSE, 2, &any);
            check_sound(&any, 2);
            assert_close(least_gap(&any), least_gap(&own), 2e-9); // points within 1e-9 of the size count as equally low
        }
}

static void any_convex_shape_stands_on_its_face_and_lies_on_its_side(void **state) {
    shapes *s = *state;
    const vs_pose lying = turned(0, 0, .4, (vs_vec3){1, 0, 0}, 1.5707963267948966);
    vs_manifold m = {0};
    vs_narrow_convex_plane(s->box, at(0, 0, .3), s->plane, VS_IDENTITY_POSE, 1e-3, &m);
    assert_int_equal(m.count, 4);
    vs_narrow_convex_plane(s->cylinder, at(0, 0, .5), s->plane, VS_IDENTITY_POSE, 1e-3, &m);
    assert_int_equal(m.count, 4);
    vs_narrow_convex_plane(s->cylinder, lying, s->plane, VS_IDENTITY_POSE, 1e-3, &m);
    assert_int_equal(m.count, 2);
    vs_narrow_convex_plane(s->prism, at(0, 0, .5), s->plane, VS_IDENTITY_POSE, 1e-3, &m);
    assert_int_equal(m.count, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_stands_on_four_two_or_one_corner),
        cmocka_unit_test(test_hull_with_few_corners_gives_all_within_the_envelope),
        cmocka_unit_test(test_prism_with_many_corners_stands_on_eight_that_span_it),
        cmocka_unit_test(test_prisms_choice_survives_roundoff_and_turns_with_the_body),
        cmocka_unit_test(test_cylinder_stands_on_four_lies_on_two_leans_on_one),
        cmocka_unit_test(test_standing_cylinder_keeps_the_points_on_which_it_leaned),
        cmocka_unit_test(test_cylinder_that_leans_more_and_more_keeps_its_lowest_gap),
        cmocka_unit_test(test_ellipsoid_and_capsule_reach_down_as_their_support_says),
        cmocka_unit_test(test_motion_as_a_whole_and_order_change_nothing),
        cmocka_unit_test(test_gap_is_continuous_through_touching),
        cmocka_unit_test(any_convex_shape_has_the_least_gap_of_its_own_function),
        cmocka_unit_test(any_convex_shape_stands_on_its_face_and_lies_on_its_side),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
