// Any two convex shapes: closed forms, manifolds of cylinders, the sampled gap, symmetry, continuity.
#include "oracle.h"
#include "collide/narrow/pairs.h"

enum { KINDS = 8 };

typedef struct shapes {
    vs_context *context;
    vs_shape *sphere, *box, *capsule, *cylinder, *coin, *ellipsoid, *pebble, *hull;
    const vs_shape *all[KINDS];
} shapes;

static int make(void **state) {
    static shapes s;
    vs_vec3 point[12];
    uint64_t seed = 7;
    for (int k = 0; k < 12; k++) {
        point[k] = vs_scale(.5, vs_normalize(random_vec(&seed, 1)));
        point[k].y += .15; // the origin is not the centre
    }
    bool good =
        !vs_context_create(NULL, &s.context) && !vs_shape_sphere(s.context, .3, &s.sphere) &&
        !vs_shape_box(s.context, (vs_vec3){.5, .4, .3}, &s.box) && !vs_shape_capsule(s.context, .2, .4, &s.capsule) &&
        !vs_shape_cylinder(s.context, .25, .5, &s.cylinder) && !vs_shape_cylinder(s.context, .5, .05, &s.coin) &&
        !vs_shape_ellipsoid(s.context, (vs_vec3){.5, .4, .2}, &s.ellipsoid) &&
        !vs_shape_ellipsoid(s.context, (vs_vec3){.3, .3, .25}, &s.pebble) &&
        !vs_shape_hull(s.context, point, 12, &s.hull);
    const vs_shape *all[KINDS] = {s.sphere, s.box, s.capsule, s.cylinder, s.coin, s.ellipsoid, s.pebble, s.hull};
    for (int k = 0; k < KINDS; k++)
        s.all[k] = all[k];
    *state = &s;
    return good ? 0 : -1;
}

static int unmake(void **state) {
    shapes *s = *state;
    vs_shape *all[] = {s->sphere, s->box, s->capsule, s->cylinder, s->coin, s->ellipsoid, s->pebble, s->hull};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vs_shape_release(all[k]);
    vs_context_destroy(s->context);
    return 0;
}

static vs_manifold meet(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope) {
    vs_manifold m = {.count = 0};
    vs_narrow_generic(a, pose_a, b, pose_b, envelope, &m);
    check_sound(&m, envelope);
    return m;
}

static const double HALF_PI = 1.57079632679489661923;

// ---- cylinders -------------------------------------------------------------------------------------

static void test_cylinder_standing_on_a_box_has_four_points_of_its_rim(void **state) {
    shapes *s = *state;
    const double gaps[] = {1e-3, 1e-9, 0, -1e-9, -1e-4, -.02};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        vs_manifold m = meet(s->box, at(0, 0, 0), s->cylinder, at(.1, 0, .8 + gaps[k]), .01);
        assert_int_equal(m.count, 4);
        for (int p = 0; p < 4; p++) {
            assert_close(m.at[p].gap, gaps[k], 1e-14); // sums of lengths of about 1
            assert_vec(m.at[p].normal, ((vs_vec3){0, 0, 1}), 1e-15);
            assert_close(hypot(m.at[p].point.x - .1, m.at[p].point.y), .25, 1e-14);
            assert_close(m.at[p].point.z, .3 + .5 * gaps[k], 1e-14);
        }
    }
}

static void test_overhanging_cylinder_ends_at_the_edge_of_the_box(void **state) {
    shapes *s = *state;
    // Its axis 0.1 before the edge x = 0.5: the rim crosses it at y = +- sqrt(.25^2 - .1^2).
    vs_manifold m = meet(s->box, at(0, 0, 0), s->cylinder, at(.4, 0, .8), .01);
    int crossings = 0;
    for (int p = 0; p < m.count; p++) {
        assert_true(m.at[p].point.x <= .5 + 1e-12);
        crossings += fabs(m.at[p].point.x - .5) < 1e-12 && fabs(fabs(m.at[p].point.y) - sqrt(.0525)) < 1e-12;
    }
    assert_int_equal(crossings, 2);
    assert_true(m.count >= 4);
}

static void test_cylinder_lying_on_a_box_has_two_points(void **state) {
    shapes *s = *state;
    const double gaps[] = {1e-3, 1e-9, 0, -1e-9, -1e-4, -.02};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        // Along y it is longer than the box: ends at y = +- .4.
        vs_pose lying = turned(.1, 0, .55 + gaps[k], (vs_vec3){1, 0, 0}, HALF_PI);
        vs_manifold m = meet(s->box, at(0, 0, 0), s->cylinder, lying, .01);
        assert_int_equal(m.count, 2);
        for (int p = 0; p < 2; p++) {
            assert_close(m.at[p].gap, gaps[k], 1e-14);
            assert_vec(m.at[p].normal, ((vs_vec3){0, 0, 1}), 1e-15);
            assert_close(m.at[p].point.x, .1, 1e-14);
            assert_close(fabs(m.at[p].point.y), .4, 1e-14);
        }
        assert_true(m.at[0].point.y * m.at[1].point.y < 0);
    }
}

static void test_tilted_cylinder_touches_with_the_lowest_point_of_its_rim(void **state) {
    shapes *s = *state;
    for (double tilt = 1e-5; tilt < 1.4; tilt *= 1.7) {
        // about an axis that no fixed point of the rim lies on
        vs_pose pose = turned(0, 0, 0, (vs_vec3){.8, .6, 0}, tilt);
        pose.position.z = .3 + .5 * cos(tilt) + .25 * sin(tilt) + 1e-4;
        vs_manifold m = meet(s->box, at(0, 0, 0), s->cylinder, pose, .01);
        assert_true(m.count >= 1);
        assert_close(least_gap(&m), 1e-4, 1e-7); // a fixed point of the rim stands for one at most 1e-7 lower
        assert_vec(m.at[0].normal, ((vs_vec3){0, 0, 1}), 1e-15);
    }
}

static void test_cylinders_on_top_of_each_other_and_side_by_side(void **state) {
    shapes *s = *state;
    vs_manifold m = meet(s->cylinder, at(0, 0, 0), s->cylinder, at(0, 0, 1), .01);
    assert_int_equal(m.count, 4);
    for (int p = 0; p < 4; p++) {
        assert_close(m.at[p].gap, 0, 1e-14);
        assert_vec(m.at[p].normal, ((vs_vec3){0, 0, 1}), 1e-15);
        assert_close(hypot(m.at[p].point.x, m.at[p].point.y), .25, 1e-14);
    }
    m = meet(s->coin, at(0, 0, 0), s->cylinder, at(.1, .1, .55), .01);
    assert_int_equal(m.count, 4); // the smaller rim lies within the larger
    for (int p = 0; p < 4; p++)
        assert_close(hypot(m.at[p].point.x - .1, m.at[p].point.y - .1), .25, 1e-14);
    // Side by side, one higher by .2: the common part is .8 long.
    const double gaps[] = {1e-3, 0, -1e-3};
    for (int k = 0; k < 3; k++) {
        m = meet(s->cylinder, at(0, 0, 0), s->cylinder, at(.3 * (1 + 2 * gaps[k]), .4 * (1 + 2 * gaps[k]), .2), .01);
        assert_int_equal(m.count, 2);
        for (int p = 0; p < 2; p++) {
            assert_close(m.at[p].gap, gaps[k], 1e-12); // the normal is found by a search
            assert_vec(m.at[p].normal, ((vs_vec3){.6, .8, 0}), 1e-6);
            assert_close(fabs(m.at[p].point.z - .1), .4, 1e-9);
        }
    }
    // Crossed: one point.
    m = meet(s->cylinder, at(0, 0, 0), s->cylinder, turned(.5 - 1e-3, .1, .1, (vs_vec3){1, 0, 0}, HALF_PI), .01);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, -1e-3, 1e-12);
    assert_vec(m.at[0].normal, ((vs_vec3){1, 0, 0}), 1e-6);
    assert_vec(m.at[0].point, ((vs_vec3){.25 - 5e-4, 0, .1}), 1e-4);
}

static void test_capsule_beside_a_cylinder_has_two_points(void **state) {
    shapes *s = *state;
    vs_manifold m = meet(s->capsule, at(0, 0, 0), s->cylinder, at(.45 - 1e-3, 0, .1), .01);
    assert_int_equal(m.count, 2);
    for (int p = 0; p < 2; p++) {
        assert_close(m.at[p].gap, -1e-3, 1e-12);
        assert_vec(m.at[p].normal, ((vs_vec3){1, 0, 0}), 1e-6);
        assert_close(fabs(m.at[p].point.z), .4, 1e-9);
    }
    // Upright on the cap: one point; lying on it: the ends of what the cap holds.
    m = meet(s->capsule, at(.1, 0, 1.1), s->cylinder, at(0, 0, 0), .01);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, 0, 1e-14);
    assert_vec(m.at[0].normal, ((vs_vec3){0, 0, -1}), 1e-15);
    m = meet(s->capsule, turned(0, 0, .7, (vs_vec3){0, 1, 0}, HALF_PI), s->cylinder, at(0, 0, 0), .01);
    assert_int_equal(m.count, 2);
    for (int p = 0; p < 2; p++)
        assert_close(fabs(m.at[p].point.x), .25, 1e-14);
}

// ---- ellipsoids ------------------------------------------------------------------------------------

static void test_ellipsoid_touches_in_one_point(void **state) {
    shapes *s = *state;
    uint64_t seed = 2;
    const double gaps[] = {1e-2, 1e-6, 0, -1e-6, -1e-2};
    for (int k = 0; k < 200; k++) {
        vs_pose pose = random_pose(&seed, 0);
        double gap = gaps[k % 5];
        // Height of an ellipsoid over a plane: |diag(a) R' z|.
        vs_vec3 down = vs_rotate_back(pose.rotation, (vs_vec3){0, 0, -1});
        vs_vec3 scaled = {.5 * down.x, .4 * down.y, .2 * down.z};
        double reach = vs_length(scaled);
        pose.position = (vs_vec3){.05, -.03, .3 + reach + gap};
        vs_manifold m = meet(s->box, at(0, 0, 0), s->ellipsoid, pose, .05);
        assert_int_equal(m.count, 1);
        assert_close(m.at[0].gap, gap, 1e-12);
        assert_vec(m.at[0].normal, ((vs_vec3){0, 0, 1}), 1e-12);
        vs_vec3 foot =
            vs_pose_apply(pose, (vs_vec3){.5 * scaled.x / reach, .4 * scaled.y / reach, .2 * scaled.z / reach});
        foot.z -= .5 * gap;
        assert_vec(m.at[0].point, foot, 1e-9);
    }
}

static void test_sphere_meets_an_ellipsoid_along_its_normal(void **state) {
    shapes *s = *state;
    uint64_t seed = 9;
    for (int k = 0; k < 200; k++) {
        // A point of the ellipsoid, the outward normal there, and the sphere's centre out along it.
        vs_vec3 u = vs_normalize(random_vec(&seed, 1));
        vs_vec3 foot = {.5 * u.x, .4 * u.y, .2 * u.z};
        vs_vec3 out = vs_normalize((vs_vec3){u.x / .5, u.y / .4, u.z / .2});
        double gap = random_in(&seed, -.05, .1); // not deeper than the least radius of curvature of the ellipsoid, .08
        vs_pose centre = {vs_add_scaled(foot, .3 + gap, out), {1, 0, 0, 0}};
        vs_manifold m = meet(s->sphere, centre, s->ellipsoid, at(0, 0, 0), .2);
        assert_int_equal(m.count, 1);
        assert_close(m.at[0].gap, gap, 1e-12);
        assert_vec(m.at[0].normal, vs_scale(-1, out), 1e-5); // square root of the roundoff of a distance
        assert_vec(m.at[0].point, vs_add_scaled(foot, .5 * gap, out), 1e-5);
    }
}

// ---- all pairs -------------------------------------------------------------------------------------

// Pairs at a chosen gap: drawn anywhere, then moved along the sampled normal.
static void test_random_pairs_agree_with_the_sampled_gap(void **state) {
    shapes *s = *state;
    uint64_t seed = 11, search = 12;
    int apart = 0, overlapping = 0;
    enum { ROUNDS = VS_SHORT ? 2 : 8 };
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < KINDS; i++)
            for (int j = 0; j < KINDS; j++) {
                pair p = {s->all[i], s->all[j], random_pose(&seed, 1), random_pose(&seed, 1)};
                vs_vec3 way = random_vec(&seed, 1);
                p.pose_b.position = vs_add_scaled(p.pose_a.position, random_in(&seed, .3, 1), way);
                vs_manifold m = meet(p.a, p.pose_a, p.b, p.pose_b, 5);
                assert_true(m.count > 0);
                check_gap(&p, &m, 5, 1e-6, &search);
                // Again from shallow overlap: moved by the gap and a little more.
                double over = random_in(&seed, 0, 1e-3) - (round % 2 ? 1e-3 : 0);
                p.pose_b.position = vs_add_scaled(p.pose_b.position, over - least_gap(&m), m.at[0].normal);
                m = meet(p.a, p.pose_a, p.b, p.pose_b, 5);
                assert_true(m.count > 0);
                check_gap(&p, &m, 5, 1e-6, &search);
                apart += least_gap(&m) > 0;
                overlapping += least_gap(&m) < 0;
            }
    assert_true(8 * apart > 100 * ROUNDS && 8 * overlapping > 100 * ROUNDS);
}

static void test_swapped_order_turns_the_normal(void **state) {
    shapes *s = *state;
    uint64_t seed = 21;
    for (int k = 0; k < VS_SAMPLES(3000); k++) {
        const vs_shape *a = s->all[k % KINDS], *b = s->all[k / KINDS % KINDS];
        vs_pose pose_a = random_pose(&seed, .6), pose_b = random_pose(&seed, .6);
        vs_manifold m = meet(a, pose_a, b, pose_b, .1), n = meet(b, pose_b, a, pose_a, .1);
        assert_int_equal(m.count > 0, n.count > 0);
        if (m.count == 0)
            continue;
        assert_close(least_gap(&m), least_gap(&n), 1e-6);
        if (least_gap(&m) > -.01) // deeper there may be two ways out
            assert_true(vs_dot(m.at[0].normal, n.at[0].normal) < -.999);
    }
}

static void test_moving_both_changes_nothing(void **state) {
    shapes *s = *state;
    uint64_t seed = 31;
    for (int k = 0; k < VS_SAMPLES(2000); k++) {
        const vs_shape *a = s->all[k % KINDS], *b = s->all[k / KINDS % KINDS];
        vs_pose pose_a = random_pose(&seed, .5), pose_b = random_pose(&seed, .5), move = random_pose(&seed, 10);
        vs_manifold m = meet(a, pose_a, b, pose_b, .1);
        vs_manifold n = meet(a, vs_pose_multiply(move, pose_a), b, vs_pose_multiply(move, pose_b), .1);
        assert_int_equal(m.count > 0, n.count > 0);
        if (m.count > 0)
            assert_close(least_gap(&m), least_gap(&n), 1e-9);
    }
}

static void test_gap_is_continuous_from_apart_to_shallow_overlap(void **state) {
    shapes *s = *state;
    uint64_t seed = 41;
    for (int k = 0; k < KINDS * KINDS; k += VS_SHORT ? KINDS / 2 + 1 : 1) { // each kind in both places
        const vs_shape *a = s->all[k % KINDS], *b = s->all[k / KINDS];
        pair p = {a, b, random_pose(&seed, .1), random_pose(&seed, .1)};
        vs_vec3 way = vs_normalize(random_vec(&seed, 1));
        double before = 0;
        enum { STEPS = 200 };
        for (int step = 0; step <= STEPS; step++) {
            vs_pose moved = p.pose_b;
            moved.position = vs_add_scaled(p.pose_b.position, 1.6 * step / STEPS, way);
            vs_manifold m = meet(a, p.pose_a, b, moved, 5);
            assert_true(m.count > 0);
            if (step > 0)
                assert_true(fabs(least_gap(&m) - before) <= 1.6 / STEPS + 1e-6);
            before = least_gap(&m);
        }
    }
}

static void test_same_place_and_same_shape_is_sound(void **state) {
    shapes *s = *state;
    for (int k = 0; k < KINDS; k++)
        for (int j = 0; j < KINDS; j++) {
            vs_manifold m = meet(s->all[k], at(0, 0, 0), s->all[j], at(0, 0, 0), .01);
            assert_true(m.count > 0);
            for (int i = 0; i < m.count; i++)
                assert_true(isfinite(m.at[i].gap) && m.at[i].gap < 0 && isfinite(vs_length(m.at[i].point)));
        }
}

// A cylinder on another, tilted by some 1e-6 rad: either face may be the reference. The lowest point of a rim has no place
// of its own and comes and goes.
static void test_contacts_of_the_last_step_stay_where_faces_tie(void **state) {
    shapes *s = *state;
    uint64_t seed = 7;
    lost_contacts lost = {0};
    for (int k = 0; k < 50; k++) {
        vs_vec3 place = random_vec(&seed, .1), turn = random_vec(&seed, 3e-6);
        place.z = 1;
        tremble(s->cylinder, s->cylinder, (vs_pose){place, vs_quat_exp(turn)}, &seed, &lost);
    }
    assert_true(lost.unknown > 500); // in 50 x 40 steps: the choice is not trivial
    assert_true(lost.known < lost.unknown / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cylinder_standing_on_a_box_has_four_points_of_its_rim),
        cmocka_unit_test(test_overhanging_cylinder_ends_at_the_edge_of_the_box),
        cmocka_unit_test(test_cylinder_lying_on_a_box_has_two_points),
        cmocka_unit_test(test_tilted_cylinder_touches_with_the_lowest_point_of_its_rim),
        cmocka_unit_test(test_cylinders_on_top_of_each_other_and_side_by_side),
        cmocka_unit_test(test_capsule_beside_a_cylinder_has_two_points),
        cmocka_unit_test(test_ellipsoid_touches_in_one_point),
        cmocka_unit_test(test_sphere_meets_an_ellipsoid_along_its_normal),
        cmocka_unit_test(test_random_pairs_agree_with_the_sampled_gap),
        cmocka_unit_test(test_swapped_order_turns_the_normal),
        cmocka_unit_test(test_moving_both_changes_nothing),
        cmocka_unit_test(test_gap_is_continuous_from_apart_to_shallow_overlap),
        cmocka_unit_test(test_same_place_and_same_shape_is_sound),
        cmocka_unit_test(test_contacts_of_the_last_step_stay_where_faces_tie),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
