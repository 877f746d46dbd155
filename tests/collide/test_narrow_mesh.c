// Convex shapes on meshes and height fields: what neighbouring triangles say must be one surface.
#include "meeting.h"
#include "collide/mesh/mesh.h"
#include "kit/throws.h"

enum { N = 9 }; // grid lines

typedef struct shapes {
    vs_context *context;
    vs_shape *flat, *roof, *valley, *sphere, *box, *plane;
    vs_mesh_points points;
} shapes;

// Heights over a grid of 0.25 m about the middle, which is at (1, 1).
static vs_shape *field(vs_context *context, double slope) {
    double height[N * N];
    vs_shape *shape = NULL;
    for (int k = 0; k < N * N; k++)
        height[k] = slope * abs(k % N - N / 2) * .25;
    return vs_shape_height_field(context, N, N, .25, .25, height, &shape) ? NULL : shape;
}

static int make(void **state) {
    static shapes s;
    bool good = !vs_context_create(NULL, &s.context) && (s.flat = field(s.context, 0)) &&
                (s.roof = field(s.context, -.75)) && (s.valley = field(s.context, .75)) &&
                !vs_shape_sphere(s.context, .3, &s.sphere) && !vs_shape_box(s.context, (vs_vec3){.5, .4, .3}, &s.box) &&
                !vs_shape_plane(s.context, &s.plane);
    s.points = (vs_mesh_points){.context = s.context};
    *state = &s;
    return good ? 0 : -1;
}

static int unmake(void **state) {
    shapes *s = *state;
    vs_shape *all[] = {s->flat, s->roof, s->valley, s->sphere, s->box, s->plane};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vs_shape_release(all[k]);
    vs_release(s->context, s->points.at);
    vs_context_destroy(s->context);
    return 0;
}

static double lowest(const vs_mesh_points *p) {
    double least = INFINITY;
    for (int k = 0; k < p->count; k++)
        least = fmin(least, p->at[k].gap);
    return least;
}

static void test_sphere_rolls_over_inner_edges_as_over_a_plane(void **state) {
    shapes *s = *state;
    for (int k = 0; k <= 400; k++) {
        vs_pose pose = at(.5 + k * .0025, .5 + k * .001, .3 + 1e-4 * sin(k));
        assert_int_equal(vs_narrow_mesh(s->sphere, pose, s->flat, VS_IDENTITY_POSE, 1e-2, &s->points), VS_OK);
        assert_int_equal(s->points.count, 1);
        assert_close(s->points.at[0].gap, 1e-4 * sin(k), 1e-14);
        assert_vec(s->points.at[0].normal, ((vs_vec3){0, 0, -1}), 1e-12);
    }
}

static void test_box_on_a_flat_mesh_stands_on_its_outline(void **state) {
    shapes *s = *state;
    uint64_t seed = 19;
    for (int k = 0; k < VS_SAMPLES(2000); k++) {
        double gap = random_in(&seed, -1e-3, 1e-3), x0 = random_in(&seed, .8, 1.2), y0 = random_in(&seed, .8, 1.2);
        vs_pose pose = turned(x0, y0, .3 + gap, (vs_vec3){0, 0, 1}, random_in(&seed, -3, 3));
        assert_int_equal(vs_narrow_mesh(s->box, pose, s->flat, VS_IDENTITY_POSE, 1e-2, &s->points), VS_OK);
        assert_in_range(s->points.count, 4, VS_MANIFOLD_MOST);
        bool corner[4] = {false};
        for (int i = 0; i < s->points.count; i++) {
            // the triangles are treated by clipping: sizes of 1 m, 1e-9 beyond its tolerances
            assert_close(s->points.at[i].gap, gap, 1e-9);
            assert_vec(s->points.at[i].normal, ((vs_vec3){0, 0, -1}), 1e-6);
            vs_vec3 x = vs_pose_apply_back(pose, s->points.at[i].point);
            // points within 1e-4 of the size are merged
            if (fabs(fabs(x.x) - .5) < 1e-4 && fabs(fabs(x.y) - .4) < 1e-4)
                corner[(x.x > 0) + 2 * (x.y > 0)] = true;
        }
        assert_true(corner[0] && corner[1] && corner[2] && corner[3]);
    }
}

static void test_corner_that_sank_beside_an_inner_edge_is_still_held(void **state) {
    shapes *s = *state;
    // corner down, sunk by 1 mm, at 0.1 mm from a line of the grid
    vs_quat stand = vs_quat_multiply(vs_quat_exp((vs_vec3){.6, 0, 0}), vs_quat_exp((vs_vec3){0, .5, 0}));
    for (int k = -20; k <= 20; k++) {
        vs_pose pose = {{0, 0, 0}, stand};
        vs_vec3 low = vs_pose_apply(pose, vs_shape_support(s->box, vs_rotate_back(stand, (vs_vec3){0, 0, -1})));
        pose.position = vs_subtract((vs_vec3){1 + k * 1e-4, .9, -1e-3}, low);
        assert_int_equal(vs_narrow_mesh(s->box, pose, s->flat, VS_IDENTITY_POSE, 1e-2, &s->points), VS_OK);
        assert_true(s->points.count > 0);
        assert_close(lowest(&s->points), -1e-3, 1e-9);
        for (int i = 0; i < s->points.count; i++)
            assert_vec(s->points.at[i].normal, ((vs_vec3){0, 0, -1}), 1e-6);
    }
}

static void test_ridge_carries_and_valley_touches_on_both_sides(void **state) {
    shapes *s = *state;
    // the ridge of the roof is an edge that sticks out: a contact with the edge itself
    assert_int_equal(vs_narrow_mesh(s->sphere, at(1, .9, .301), s->roof, VS_IDENTITY_POSE, 1e-2, &s->points), VS_OK);
    assert_int_equal(s->points.count, 1);
    assert_close(s->points.at[0].gap, .001, 1e-12);
    assert_vec(s->points.at[0].normal, ((vs_vec3){0, 0, -1}), 1e-9);
    // in the valley of slope 3/4 the sphere touches both sides: height of the centre = r / cos = 0.375
    assert_int_equal(vs_narrow_mesh(s->sphere, at(1, .9, .375), s->valley, VS_IDENTITY_POSE, 1e-2, &s->points), VS_OK);
    assert_int_equal(s->points.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_close(s->points.at[k].gap, 0, 1e-12);
        assert_close(fabs(s->points.at[k].normal.x), .6, 1e-12);
        assert_close(s->points.at[k].normal.z, -.8, 1e-12);
    }
}

// A blunt tip of a mesh slides over the upper edge of a box: beside the edge its faces go down past the box, and rise along the normals
// of both faces of the box. It touches at any depth.
static void test_tip_of_a_mesh_at_an_edge_touches(void **state) {
    enum { RING = 6 };
    shapes *s = *state;
    const vs_vec3 out = {-.6, 0, -.8}, along = {.8, 0, -.6};
    for (int k = 0; k <= 60; k++) {
        const double depth = (k - 10) * 1e-5, way = (k % 7 - 3) * 1e-5;
        const vs_vec3 tip = vs_add_scaled(vs_add_scaled((vs_vec3){.5, .01 * k - .3, .3}, depth, out), way, along);
        vs_vec3 vertex[RING + 1] = {tip};
        int triangle[3 * RING];
        for (int i = 0; i < RING; i++) {
            const double angle = 6.283185307179586 * i / RING;
            vertex[i + 1] = vs_add_scaled(vs_add_scaled(tip, .03 * cos(angle), along), -.003, out);
            vertex[i + 1].y += .03 * sin(angle);
            memcpy(&triangle[3 * i], (const int[]){0, (i + 1) % RING + 1, i + 1}, 3 * sizeof *triangle);
        }
        vs_shape *mesh = NULL;
        assert_int_equal(vs_shape_mesh(s->context, vertex, RING + 1, triangle, RING, &mesh), VS_OK);
        // It is the surface of a solid above it.
        const vs_vec3 face = vs_cross(vs_subtract(vertex[triangle[1]], tip), vs_subtract(vertex[triangle[2]], tip));
        assert_true(vs_dot(face, out) > 0);
        assert_int_equal(vs_narrow_mesh(s->box, VS_IDENTITY_POSE, mesh, VS_IDENTITY_POSE, 1e-2, &s->points), VS_OK);
        assert_true(s->points.count > 0);
        if (depth > 5e-5) // whichever way out of the edge
            assert_true(lowest(&s->points) < -.3 * depth && lowest(&s->points) > -1.5 * depth);
        vs_shape_release(mesh);
    }
}

static void test_motion_as_a_whole_changes_nothing(void **state) {
    shapes *s = *state;
    uint64_t seed = 20;
    const vs_shape *convex[] = {s->sphere, s->box}, *mesh[] = {s->flat, s->roof, s->valley};
    for (int k = 0; k < 120; k++) {
        const vs_shape *a = convex[k % 2], *b = mesh[k / 2 % 3];
        vs_pose pose = random_pose(&seed, .1), move = random_pose(&seed, 3);
        pose.position = vs_add(pose.position, (vs_vec3){1, .9, .4});
        assert_int_equal(vs_narrow_mesh(a, pose, b, VS_IDENTITY_POSE, .05, &s->points), VS_OK);
        int count = s->points.count;
        double least = lowest(&s->points);
        assert_int_equal(vs_narrow_mesh(a, vs_pose_multiply(move, pose), b, move, .05, &s->points), VS_OK);
        assert_int_equal(count == 0, s->points.count == 0);
        if (count > 0)
            assert_close(lowest(&s->points), least, 1e-9); // iterations and clipping beneath
    }
}

// A spike that leans over: its lower faces face away from a plate above that its tip has just entered.
static void test_tip_of_a_spike_is_pushed_back_by_its_depth_only(void **state) {
    (void)state;
    vs_context *context;
    vs_shape *spike, *plate;
    const vs_vec3 vertex[4] = {{0, 0, 0}, {1, .2, -.3}, {1, -.2, -.3}, {1, 0, -.2}};
    const int triangle[4][3] = {{0, 1, 3}, {0, 3, 2}, {0, 2, 1}, {1, 2, 3}};
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    assert_int_equal(vs_shape_mesh(context, vertex, 4, triangle[0], 4, &spike), VS_OK);
    assert_int_equal(vs_shape_box(context, (vs_vec3){.5, .5, .5}, &plate), VS_OK);
    assert_true(spike->triangles.surface.closed);
    vs_mesh_points points = {.context = context};
    for (double depth = 1e-9; depth < 5e-4; depth *= 3) {
        const vs_pose above = {{.01, .02, .5 - depth}, {1, 0, 0, 0}};
        assert_int_equal(vs_narrow_mesh(plate, above, spike, VS_IDENTITY_POSE, 1e-3, &points), VS_OK);
        double least = INFINITY;
        for (int k = 0; k < points.count; k++)
            least = fmin(least, points.at[k].gap);
        assert_close(least, -depth, 1e-6); // what faces are preferred by
    }
    vs_release(context, points.at);
    vs_shape_release(spike);
    vs_shape_release(plate);
    vs_context_destroy(context);
}

// A wall of 1 mm in which a body of 1 m has sunk by more than that: the way out leads back, not through the wall.
static void test_body_deeper_than_a_thin_wall_goes_back(void **state) {
    (void)state;
    vs_context *context;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    vs_shape *wall, *body[2];
    assert_int_equal(throw_make_wall_mesh(context, &wall), VS_OK);
    assert_int_equal(vs_shape_ellipsoid(context, (vs_vec3){.9, .5, .7}, &body[0]), VS_OK);
    assert_int_equal(vs_shape_box(context, (vs_vec3){.6, .5, .7}, &body[1]), VS_OK);
    vs_mesh_points points = {.context = context};
    for (int k = 0; k < 2; k++)
        for (double depth = 1e-4; depth < .05; depth *= 2)
            for (int side = -1; side <= 1; side += 2) {
                const vs_pose pose = {{.3, .2, side * (throw_thick + .7 - depth)}, {1, 0, 0, 0}};
                assert_int_equal(vs_narrow_mesh(body[k], pose, wall, VS_IDENTITY_POSE, 1e-3, &points), VS_OK);
                assert_true(points.count > 0);
                assert_close(lowest(&points), -depth, 1e-6);
                for (int i = 0; i < points.count; i++)
                    assert_close(points.at[i].normal.z, -side, 1e-6); // from the body to the wall
            }
    vs_release(context, points.at);
    vs_shape_release(wall);
    vs_shape_release(body[0]);
    vs_shape_release(body[1]);
    vs_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tip_of_a_spike_is_pushed_back_by_its_depth_only),
        cmocka_unit_test(test_body_deeper_than_a_thin_wall_goes_back),
        cmocka_unit_test(test_sphere_rolls_over_inner_edges_as_over_a_plane),
        cmocka_unit_test(test_box_on_a_flat_mesh_stands_on_its_outline),
        cmocka_unit_test(test_corner_that_sank_beside_an_inner_edge_is_still_held),
        cmocka_unit_test(test_ridge_carries_and_valley_touches_on_both_sides),
        cmocka_unit_test(test_tip_of_a_mesh_at_an_edge_touches),
        cmocka_unit_test(test_motion_as_a_whole_changes_nothing),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
