// A convex shape against one triangle: closed forms, what of the triangle is touched, one-sidedness, the sampled gap.
#include "meeting.h"
#include "collide/mesh/narrow_triangle.h"

enum { KINDS = 6 };

typedef struct shapes {
    vs_context *context;
    vs_shape *sphere, *box, *capsule, *cylinder, *ellipsoid, *hull;
    vs_shape *all[KINDS];
} shapes;

static int make(void **state) {
    static shapes s;
    vs_vec3 point[14];
    uint64_t seed = 7;
    for (int k = 0; k < 14; k++)
        point[k] = vs_scale(.5, vs_normalize(random_vec(&seed, 1)));
    bool good = !vs_context_create(NULL, &s.context) && !vs_shape_sphere(s.context, .3, &s.sphere) &&
                !vs_shape_box(s.context, (vs_vec3){.3, .2, .1}, &s.box) &&
                !vs_shape_capsule(s.context, .1, .3, &s.capsule) &&
                !vs_shape_cylinder(s.context, .2, .3, &s.cylinder) &&
                !vs_shape_ellipsoid(s.context, (vs_vec3){.3, .25, .2}, &s.ellipsoid) &&
                !vs_shape_hull(s.context, point, 14, &s.hull);
    vs_shape *all[KINDS] = {s.sphere, s.box, s.capsule, s.cylinder, s.ellipsoid, s.hull};
    for (int k = 0; k < KINDS; k++)
        s.all[k] = all[k];
    *state = &s;
    return good ? 0 : -1;
}

static int unmake(void **state) {
    shapes *s = *state;
    for (int k = 0; k < KINDS; k++)
        vs_shape_release(s->all[k]);
    vs_context_destroy(s->context);
    return 0;
}

// In the plane z = 0, facing up; the origin is well inside.
static const vs_vec3 WIDE[3] = {{-2, -2, 0}, {2, -2, 0}, {0, 3, 0}};
static const vs_vec3 DOWN = {0, 0, -1};
static const double HALF_PI = 1.57079632679489661923;

static vs_manifold meet(const vs_shape *shape, vs_pose pose, const vs_vec3 triangle[3], double envelope) {
    vs_manifold m = {.count = 0};
    vs_narrow_triangle(shape, pose, triangle, envelope, &m);
    check_sound(&m, envelope);
    return m;
}

static void expect_face(const vs_manifold *m, int count, double gap) {
    assert_int_equal(m->count, count);
    for (int k = 0; k < count; k++) {
        assert_close(m->at[k].gap, gap, 1e-14); // sums of lengths of about 1
        assert_vec(m->at[k].normal, DOWN, 1e-15);
        assert_close(m->at[k].point.z, .5 * gap, 1e-14);
        assert_int_equal(m->at[k].feature & 7, VS_TRIANGLE_FACE);
    }
}

static void test_shapes_rest_on_the_face_with_their_points(void **state) {
    shapes *s = *state;
    const double gaps[] = {1e-3, 1e-10, 0, -1e-10, -1e-3};
    vs_vec3 x = {1, 0, 0};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        double g = gaps[k];
        vs_manifold m = meet(s->box, turned(.1, .2, .1 + g, (vs_vec3){0, 0, 1}, .3), WIDE, .01);
        expect_face(&m, 4, g);
        m = meet(s->sphere, at(.1, .2, .3 + g), WIDE, .01);
        expect_face(&m, 1, g);
        assert_vec(m.at[0].point, ((vs_vec3){.1, .2, .5 * g}), 1e-14);
        m = meet(s->capsule, turned(.1, .2, .1 + g, x, HALF_PI), WIDE, .01);
        expect_face(&m, 2, g);
        m = meet(s->capsule, at(.1, .2, .4 + g), WIDE, .01);
        expect_face(&m, 1, g);
        m = meet(s->cylinder, at(.1, .2, .3 + g), WIDE, .01);
        expect_face(&m, 4, g);
        m = meet(s->cylinder, turned(.1, .2, .2 + g, x, HALF_PI), WIDE, .01);
        expect_face(&m, 2, g);
        m = meet(s->ellipsoid, at(.1, .2, .2 + g), WIDE, .01);
        expect_face(&m, 1, g);
        assert_vec(m.at[0].point, ((vs_vec3){.1, .2, .5 * g}), 1e-9);
    }
}

static void test_face_larger_than_the_triangle_touches_its_corners(void **state) {
    shapes *s = *state;
    const vs_vec3 small[3] = {{-.02, -.02, 0}, {.03, -.01, 0}, {0, .04, 0}};
    vs_manifold m = meet(s->box, at(0, 0, .1 + 1e-4), small, .01);
    expect_face(&m, 3, 1e-4);
    for (int k = 0; k < 3; k++) {
        bool found = false;
        for (int i = 0; i < 3; i++)
            found = found || vs_length(vs_subtract(m.at[i].point, vs_add_scaled(small[k], -5e-5, DOWN))) < 1e-14;
        assert_true(found);
    }
}

static void test_sphere_says_which_edge_or_vertex_it_touches(void **state) {
    shapes *s = *state;
    // Before edge 0 (y = -2), outside by .3 and above by .4.
    vs_manifold m = meet(s->sphere, at(.5, -2.3, .4), WIDE, .5);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, .2, 1e-14);
    assert_vec(m.at[0].normal, ((vs_vec3){0, .6, -.8}), 1e-14);
    assert_int_equal(m.at[0].feature & 7, VS_TRIANGLE_EDGE + 0);
    m = meet(s->sphere, at(0, 3.3, .4), WIDE, .5);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, .2, 1e-14);
    assert_vec(m.at[0].normal, ((vs_vec3){0, -.6, -.8}), 1e-14);
    assert_int_equal(m.at[0].feature & 7, VS_TRIANGLE_VERTEX + 2);
    // Edges 1 and 2, from the middles outward.
    vs_vec3 out = vs_normalize((vs_vec3){5, 2, 0});
    for (int k = 1; k <= 2; k++) {
        double side = k == 1 ? 1 : -1;
        m = meet(s->sphere, at(side * (1 + .4 * out.x), .5 + .4 * out.y, .1), WIDE, .5);
        assert_int_equal(m.count, 1);
        assert_int_equal(m.at[0].feature & 7, VS_TRIANGLE_EDGE + k);
    }
}

static void test_only_the_front_bears(void **state) {
    shapes *s = *state;
    // Sunk in beyond its centre, a sphere still comes out to the front.
    vs_manifold m = meet(s->sphere, at(.1, .2, -.2), WIDE, .01);
    expect_face(&m, 1, -.5);
    m = meet(s->box, at(.1, .2, -.05), WIDE, .01);
    expect_face(&m, 4, -.15);
    // Wholly behind: nothing, however close.
    for (int k = 0; k < KINDS; k++)
        assert_int_equal(meet(s->all[k], at(0, 0, -1), WIDE, 2).count, 0);
    assert_int_equal(meet(s->box, at(0, 0, -.1001), WIDE, .01).count, 0);
    assert_int_equal(meet(s->sphere, at(0, 0, -.3001), WIDE, .01).count, 0);
}

static void test_slight_overlap_at_the_border_is_left_sideways(void **state) {
    shapes *s = *state;
    // Beside the edge y = -2 reaches in by 1e-3, while its lower side is .05 below the plane.
    vs_manifold m = meet(s->box, at(0, -2.2 + 1e-3, .05), WIDE, .01);
    assert_true(m.count > 0);
    for (int k = 0; k < m.count; k++) {
        assert_close(m.at[k].gap, -1e-3, 1e-12);
        assert_vec(m.at[k].normal, ((vs_vec3){0, 1, 0}), 1e-12);
        assert_int_equal(m.at[k].feature & 7, VS_TRIANGLE_EDGE + 0);
    }
}

static void test_peak_and_edges_against_a_box(void **state) {
    shapes *s = *state;
    // A steep triangle whose vertex 0 points up into the underside of the box.
    const vs_vec3 peak[3] = {{.05, .02, 0}, {.5, -.3, -1}, {.5, .3, -1}};
    const double gaps[] = {1e-3, -1e-3};
    for (int k = 0; k < 2; k++) {
        vs_manifold m = meet(s->box, at(0, 0, .1 + gaps[k]), peak, .01);
        assert_int_equal(m.count, 1);
        assert_close(m.at[0].gap, gaps[k], 1e-12);
        assert_vec(m.at[0].normal, DOWN, 1e-12);
        assert_int_equal(m.at[0].feature & 7, VS_TRIANGLE_VERTEX + 0);
    }
    // The box stands on its long edge (along x) across the ridge 0-1 (along y), which faces +x: crossed edges.
    const vs_vec3 ridge[3] = {{0, -1, 0}, {0, 1, 0}, {-.5, 0, -1}};
    double half = hypot(.2, .1), lean = atan2(.2, .1);
    for (int k = 0; k < 2; k++) {
        vs_pose pose = turned(.1, .1, half + gaps[k], (vs_vec3){1, 0, 0}, lean);
        vs_manifold m = meet(s->box, pose, ridge, .01);
        assert_int_equal(m.count, 1);
        assert_close(m.at[0].gap, gaps[k], 1e-12);
        assert_vec(m.at[0].normal, DOWN, 1e-9);
        assert_vec(m.at[0].point, ((vs_vec3){0, .1, .5 * gaps[k]}), 1e-9);
        assert_int_equal(m.at[0].feature & 7, VS_TRIANGLE_EDGE + 0);
    }
}

// ---- random ----------------------------------------------------------------------------------------

static double gap_along(const vs_shape *shape, vs_pose pose, const vs_vec3 t[3], vs_vec3 n) {
    vs_vec3 high = vs_pose_apply(pose, vs_shape_support(shape, vs_rotate_back(pose.rotation, n)));
    return fmin(fmin(vs_dot(n, vs_subtract(t[0], high)), vs_dot(n, vs_subtract(t[1], high))),
                vs_dot(n, vs_subtract(t[2], high)));
}

// The largest gap along directions that do not lead to the back, by sampling and a narrowing random walk.
static double sampled_gap(const vs_shape *shape, vs_pose pose, const vs_vec3 t[3], uint64_t *seed) {
    vs_vec3 normal = vs_normalize(vs_cross(vs_subtract(t[1], t[0]), vs_subtract(t[2], t[0])));
    double best = -INFINITY;
    for (int start = 0; start < 6; start++) {
        vs_vec3 n = vs_scale(-1, normal);
        double gap = -INFINITY;
        for (int k = 0; k < 300; k++) {
            vs_vec3 next = vs_normalize(random_vec(seed, 1));
            double g = gap_along(shape, pose, t, next);
            if (vs_dot(next, normal) <= 0 && g > gap) {
                gap = g;
                n = next;
            }
        }
        for (double reach = .1; reach > 1e-8; reach *= .6)
            for (int k = 0; k < 12; k++) {
                vs_vec3 next = vs_normalize(vs_add(n, random_vec(seed, reach)));
                double g = gap_along(shape, pose, t, next);
                if (vs_dot(next, normal) <= 0 && g > gap) {
                    gap = g;
                    n = next;
                }
            }
        best = fmax(best, gap);
    }
    return best;
}

static void test_random_triangles_agree_with_the_sampled_gap(void **state) {
    shapes *s = *state;
    uint64_t seed = 11, search = 12;
    int apart = 0, overlapping = 0;
    for (int k = 0; k < 1200; k++) {
        const vs_shape *shape = s->all[k % KINDS];
        vs_vec3 t[3] = {random_vec(&seed, 1), random_vec(&seed, 1), random_vec(&seed, 1)};
        vs_vec3 normal = vs_normalize(vs_cross(vs_subtract(t[1], t[0]), vs_subtract(t[2], t[0])));
        vs_pose pose = random_pose(&seed, .5);
        vs_manifold m = meet(shape, pose, t, 5);
        if (m.count == 0) // behind: pushed to the back is shorter
            continue;
        double along = gap_along(shape, pose, t, m.at[0].normal);
        assert_close(least_gap(&m), along, 1e-6);
        assert_true(vs_dot(m.at[0].normal, normal) <= 2e-6);
        double sampled = sampled_gap(shape, pose, t, &search);
        if (!(along >= sampled - 1e-6))
            fail_msg("kind %d: gap along the normal %.12g, but %.12g was found", shape->kind, along, sampled);
        apart += along > 0;
        overlapping += along < 0;
    }
    assert_true(apart > 300 && overlapping > 150);
}

static void test_moving_both_changes_nothing(void **state) {
    shapes *s = *state;
    uint64_t seed = 31;
    for (int k = 0; k < 2000; k++) {
        const vs_shape *shape = s->all[k % KINDS];
        vs_vec3 t[3] = {random_vec(&seed, 1), random_vec(&seed, 1), random_vec(&seed, 1)}, moved[3];
        vs_pose pose = random_pose(&seed, .5), move = random_pose(&seed, 10);
        for (int i = 0; i < 3; i++)
            moved[i] = vs_pose_apply(move, t[i]);
        vs_manifold m = meet(shape, pose, t, .1), n = meet(shape, vs_pose_multiply(move, pose), moved, .1);
        assert_int_equal(m.count > 0, n.count > 0);
        if (m.count > 0)
            assert_close(least_gap(&m), least_gap(&n), 1e-9);
    }
}

static void test_triangles_without_area_give_nothing(void **state) {
    shapes *s = *state;
    const vs_vec3 line[3] = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, point[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < KINDS; k++) {
        assert_int_equal(meet(s->all[k], at(0, 0, .1), line, 1).count, 0);
        assert_int_equal(meet(s->all[k], at(0, 0, .1), point, 1).count, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_rest_on_the_face_with_their_points),
        cmocka_unit_test(test_face_larger_than_the_triangle_touches_its_corners),
        cmocka_unit_test(test_sphere_says_which_edge_or_vertex_it_touches),
        cmocka_unit_test(test_only_the_front_bears),
        cmocka_unit_test(test_slight_overlap_at_the_border_is_left_sideways),
        cmocka_unit_test(test_peak_and_edges_against_a_box),
        cmocka_unit_test(test_random_triangles_agree_with_the_sampled_gap),
        cmocka_unit_test(test_moving_both_changes_nothing),
        cmocka_unit_test(test_triangles_without_area_give_nothing),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
