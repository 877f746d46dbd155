// Capsules against capsules, boxes and hulls: closed forms, lines of contact, compared with an exhaustive search.
#include "meeting.h"

typedef struct shapes {
    vs_context *context;
    vs_shape *capsule, *thin, *box, *hull, *ball;
} shapes;

static int make(void **state) {
    static shapes s;
    vs_vec3 point[40];
    uint64_t seed = 9;
    for (int k = 0; k < 40; k++)
        point[k] = vs_scale(.6, vs_normalize(random_vec(&seed, 1)));
    bool good = !vs_context_create(NULL, &s.context) && !vs_shape_capsule(s.context, .2, .5, &s.capsule) &&
                !vs_shape_capsule(s.context, .05, .3, &s.thin) &&
                !vs_shape_box(s.context, (vs_vec3){.5, .4, .3}, &s.box) &&
                !vs_shape_hull(s.context, point, 40, &s.hull) && !vs_shape_sphere(s.context, .05, &s.ball);
    *state = &s;
    return good ? 0 : -1;
}

static int unmake(void **state) {
    shapes *s = *state;
    vs_shape *all[] = {s->capsule, s->thin, s->box, s->hull, s->ball};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vs_shape_release(all[k]);
    vs_context_destroy(s->context);
    return 0;
}

static const double RIGHT = 1.57079632679489661923;
static const vs_vec3 X = {1, 0, 0}, Y = {0, 1, 0};

static void test_crossed_capsules_touch_in_one_point(void **state) {
    shapes *s = *state;
    vs_manifold m;
    vs_narrow(s->capsule, turned(0, 0, 0, X, RIGHT), s->thin, turned(.1, .2, .3, Y, RIGHT), .1, &m);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, .05, 1e-15);
    assert_vec(m.at[0].normal, ((vs_vec3){0, 0, 1}), 1e-15);
    assert_vec(m.at[0].point, ((vs_vec3){0, .2, .225}), 1e-15);
}

static void test_parallel_capsules_touch_along_the_overlap(void **state) {
    shapes *s = *state;
    vs_manifold m;
    vs_narrow(s->capsule, at(0, 0, 0), s->thin, at(.26, 0, .4), .1, &m); // z from 0.1 to 0.5 is common
    check_sound(&m, .1);
    assert_int_equal(m.count, 2);
    double z[2] = {fmin(m.at[0].point.z, m.at[1].point.z), fmax(m.at[0].point.z, m.at[1].point.z)};
    assert_close(z[0], .1, 1e-15);
    assert_close(z[1], .5, 1e-15);
    for (int k = 0; k < 2; k++) {
        assert_close(m.at[k].gap, .01, 1e-15);
        assert_vec(m.at[k].normal, X, 1e-15);
        assert_close(m.at[k].point.x, .205, 1e-15);
    }
    // beside each other with equal ends: still two points
    vs_narrow(s->capsule, at(0, 0, 0), s->capsule, at(.4, 0, 0), .1, &m);
    assert_int_equal(m.count, 2);
    // end to end: one
    vs_narrow(s->capsule, at(0, 0, 0), s->thin, at(0, 0, 1.1), .1, &m);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, .05, 1e-15);
}

static void test_capsules_with_crossing_axes_are_pushed_across_both(void **state) {
    shapes *s = *state;
    vs_manifold m;
    vs_narrow(s->capsule, at(0, 0, 0), s->thin, turned(0, 0, .1, X, RIGHT), .1, &m);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, -.25, 1e-15);
    assert_close(fabs(m.at[0].normal.x), 1, 1e-15);
    vs_narrow(s->capsule, at(0, 0, 0), s->thin, at(0, 0, .1), .1, &m); // one in the other
    assert_true(m.count >= 1);
    assert_close(least_gap(&m), -.25, 1e-15);
    assert_close(m.at[0].normal.z, 0, 1e-15);
}

static void test_capsule_lies_on_a_box_in_two_points(void **state) {
    shapes *s = *state;
    vs_manifold m;
    // along x, off by 0.2: over the face from -0.3 to 0.5
    vs_narrow(s->capsule, turned(.2, .1, .501, Y, RIGHT), s->box, VS_IDENTITY_POSE, .01, &m);
    check_sound(&m, .01);
    assert_int_equal(m.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_close(m.at[k].gap, .001, 1e-15);
        assert_vec(m.at[k].normal, ((vs_vec3){0, 0, -1}), 1e-15);
        assert_close(m.at[k].point.z, .3005, 1e-15);
    }
    assert_close(fmin(m.at[0].point.x, m.at[1].point.x), -.3, 1e-15);
    assert_close(fmax(m.at[0].point.x, m.at[1].point.x), .5, 1e-15);
    // standing: one
    vs_narrow(s->capsule, at(.1, 0, 1), s->box, VS_IDENTITY_POSE, .01, &m);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, 0, 1e-15);
    // its axis through the box: out by the nearest face, 0.3 + 0.2 + 0.05
    vs_narrow(s->capsule, turned(0, 0, .05, Y, RIGHT), s->box, VS_IDENTITY_POSE, .01, &m);
    assert_close(least_gap(&m), -.45, 1e-15);
    assert_vec(m.at[0].normal, ((vs_vec3){0, 0, -1}), 1e-15);
    // across an edge
    vs_narrow(s->thin, turned(.5 + .3, 0, .3 + .4, X, RIGHT), s->box, VS_IDENTITY_POSE, 1, &m);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, .45, 1e-15);
    assert_vec(m.at[0].normal, ((vs_vec3){-.6, 0, -.8}), 1e-15);
}

// Least gap of small balls along the axis, refined about the best: a plain search.
static double search(const vs_shape *ball, double half_length, double extra, vs_pose pose, const vs_shape *other,
                     vs_pose pose_b) {
    double low = -half_length, high = half_length, best = INFINITY;
    for (int level = 0; level < 12; level++) {
        double place = 0, width = (high - low) / 20;
        best = INFINITY;
        for (int k = 0; k <= 20; k++) {
            double z = low + k * width;
            vs_manifold m;
            vs_pose p = {vs_pose_apply(pose, (vs_vec3){0, 0, z}), {1, 0, 0, 0}};
            vs_narrow(ball, p, other, pose_b, 100, &m);
            if (m.at[0].gap < best) {
                best = m.at[0].gap;
                place = z;
            }
        }
        low = fmax(-half_length, place - width);
        high = fmin(half_length, place + width);
    }
    return best - extra;
}

static void test_gap_is_that_of_the_closest_ball_along_the_axis(void **state) {
    shapes *s = *state;
    const vs_shape *other[] = {s->capsule, s->thin, s->box, s->hull};
    uint64_t seed = 10;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        int apart = 0;
        for (int i = 0; i < 300; i++) {
            vs_pose a = random_pose(&seed, .6), b = random_pose(&seed, .6);
            vs_manifold m;
            vs_narrow(s->capsule, a, other[k], b, 100, &m);
            double expected = search(s->ball, .5, .15, a, other[k], b);
            if (expected < -.2) // axes that cut the other one leave in another way than a ball does
                continue;
            apart++;
            assert_close(least_gap(&m), expected,
                         1e-12); // the search ends at 1e-12 of a metre, where the distance is flat
        }
        assert_true(apart > 50);
    }
}

// Pushed out along its normal by its depth, the capsule touches.
static void test_axis_through_a_solid_is_free_after_the_push(void **state) {
    shapes *s = *state;
    const vs_shape *other[] = {s->box, s->hull};
    uint64_t seed = 11;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 500; i++) {
            vs_pose a = random_pose(&seed, .3), b = random_pose(&seed, .1);
            vs_manifold m;
            vs_narrow(s->capsule, a, other[k], b, 0, &m);
            assert_true(m.count > 0);
            int deepest = 0;
            for (int j = 1; j < m.count; j++)
                deepest = m.at[j].gap < m.at[deepest].gap ? j : deepest;
            b.position = vs_add_scaled(b.position, -m.at[deepest].gap, m.at[deepest].normal);
            vs_manifold n;
            vs_narrow(s->capsule, a, other[k], b, 1, &n);
            assert_close(least_gap(&n), 0, 1e-13);
        }
}

static void test_motion_as_a_whole_and_order_change_nothing(void **state) {
    shapes *s = *state;
    const vs_shape *other[] = {s->capsule, s->thin, s->box, s->hull};
    uint64_t seed = 12;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 500; i++) {
            vs_pose a = random_pose(&seed, .6), b = random_pose(&seed, .6);
            check_moved(s->capsule, a, other[k], b, .1, random_pose(&seed, 3));
            if (other[k]->kind != VS_SHAPE_CAPSULE)
                check_swapped(s->capsule, a, other[k], b, .1);
        }
    vs_manifold m, n; // two capsules: the closest points swap
    for (int i = 0; i < 500; i++) {
        vs_pose a = random_pose(&seed, .6), b = random_pose(&seed, .6);
        vs_narrow(s->capsule, a, s->thin, b, .1, &m);
        vs_narrow(s->thin, b, s->capsule, a, .1, &n);
        assert_int_equal(m.count, n.count);
        if (m.count == 1) {
            assert_close(m.at[0].gap, n.at[0].gap, 1e-14);
            assert_vec(vs_scale(-1, m.at[0].normal), n.at[0].normal, 1e-12); // crossing lines: a division by sin^2
        }
    }
}

static void test_gap_is_continuous_through_touching(void **state) {
    shapes *s = *state;
    const vs_shape *other[] = {s->capsule, s->box, s->hull};
    uint64_t seed = 13;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 10; i++) {
            vs_vec3 way = vs_scale(2, random_vec(&seed, 1));
            vs_pose b = random_pose(&seed, .1);
            // past the other, not through it: two axes swap sides with a jump of the normal, not of the gap
            b.position = vs_add_scaled(b.position, -.5, way);
            check_continuous(s->thin, VS_IDENTITY_POSE, other[k], b, way, 10);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossed_capsules_touch_in_one_point),
        cmocka_unit_test(test_parallel_capsules_touch_along_the_overlap),
        cmocka_unit_test(test_capsules_with_crossing_axes_are_pushed_across_both),
        cmocka_unit_test(test_capsule_lies_on_a_box_in_two_points),
        cmocka_unit_test(test_gap_is_that_of_the_closest_ball_along_the_axis),
        cmocka_unit_test(test_axis_through_a_solid_is_free_after_the_push),
        cmocka_unit_test(test_motion_as_a_whole_and_order_change_nothing),
        cmocka_unit_test(test_gap_is_continuous_through_touching),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
