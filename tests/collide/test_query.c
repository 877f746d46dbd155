// Queries: rays meet where sampled points enter a shape, closest points and distances agree with closed forms and with
// all pairs of triangles, and answers do not depend on the order of equal ones.
#include "collide/mesh/mesh.h"
#include "mesh_distance.h"
#include "scene.h"
#include "voussoir/query.h"

static const uint32_t ALL = UINT32_MAX;

// One of each kind, about 1 m large.
enum { KINDS = 8, RAYS = KINDS * VS_SAMPLES(60) };
static vs_shape *make_kind(scene *s, int kind) {
    const vs_vec3 corner[] = {{.9, 0, 0}, {-.4, .8, 0}, {-.4, -.8, 0}, {0, 0, 1}, {0, .2, -1}};
    vs_shape *shape = NULL;
    vs_context *context = s->context;
    vs_error error = VS_OK;
    switch (kind) {
    case 0:
        error = vs_shape_sphere(context, .8, &shape);
        break;
    case 1:
        error = vs_shape_box(context, (vs_vec3){.6, .5, .7}, &shape);
        break;
    case 2:
        error = vs_shape_capsule(context, .4, .55, &shape);
        break;
    case 3:
        error = vs_shape_cylinder(context, .6, .6, &shape);
        break;
    case 4:
        error = vs_shape_ellipsoid(context, (vs_vec3){.9, .6, .7}, &shape);
        break;
    case 5:
        error = vs_shape_hull(context, corner, 5, &shape);
        break;
    case 6:
        shape = angle_mesh(context, .8);
        break;
    default:
        shape = torus_mesh(context, .6, .25, 24, 12);
        break;
    }
    assert_int_equal(error, VS_OK);
    return shape;
}

static vs_query_hit closest(const scene *s, vs_vec3 x, double reach) {
    vs_query_hit hit;
    assert_int_equal(vs_world_find_closest_point(s->world, x, reach, ALL, &hit), VS_OK);
    return hit;
}

static vs_query_hit cast(const scene *s, vs_vec3 from, vs_vec3 along, double length) {
    vs_query_hit hit;
    assert_int_equal(vs_world_cast_ray(s->world, from, along, length, ALL, &hit), VS_OK);
    return hit;
}

// A ray ends on the surface: the signed distance is 0 there, positive before, and its slope is that of the normal.
static void test_ray_ends_where_the_distance_vanishes(void **state) {
    (void)state;
    uint64_t seed = 91;
    int met = 0;
    for (int k = 0; k < RAYS; k++) {
        scene *s = open_scene();
        const vs_body_id body = add_body(s, VS_MOTION_STATIC, random_pose(&seed, .5), VS_ZERO3);
        (void)add_shape(s, body, make_kind(s, k % KINDS), random_pose(&seed, .1), 1, ALL);
        const vs_vec3 from = vs_scale(3, vs_normalize(random_vec(&seed, 1))),
                      along = vs_subtract(random_vec(&seed, .8), from);
        const vs_query_hit hit = cast(s, from, along, 10);
        const vs_vec3 d = vs_normalize(along);
        if (hit.found) {
            met++;
            assert_int_equal(hit.body.index, body.index);
            // the distance to an ellipsoid is found by iterations: 1e-7 of the size
            assert_close(closest(s, hit.point, 10).distance, 0, k % KINDS == 4 ? 1e-6 : 1e-9);
            assert_true(vs_dot(hit.normal, d) < 1e-12);
            assert_vec(hit.point, vs_add_scaled(from, hit.distance, d), 1e-12);
        }
        // Before it, and all along a ray that meets nothing, the shape is ahead.
        for (int i = 1; i < 20; i++) {
            const double t = (hit.found ? hit.distance - 1e-6 : 6) * i / 20;
            assert_true(closest(s, vs_add_scaled(from, t, d), 10).distance > -1e-9);
        }
        close_scene(s);
    }
    assert_in_range(met, RAYS * 2 / 5, RAYS);
}

static void test_origin_inside_meets_at_once(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        scene *s = open_scene();
        (void)add_shape(s, WORLD, make_kind(s, k), VS_IDENTITY_POSE, 1, ALL);
        const vs_vec3 inside = k == 7 ? (vs_vec3){.6, 0, 0} : k == 6 ? (vs_vec3){-.25, -.25, 0} : VS_ZERO3;
        const vs_query_hit hit = cast(s, inside, (vs_vec3){0, 0, 2}, 5);
        assert_true(hit.found && hit.distance == 0);
        assert_vec(hit.normal, ((vs_vec3){0, 0, -1}), 0);
        assert_true(closest(s, inside, 5).distance < 0);
        close_scene(s);
    }
}

static void test_plane_groups_and_equal_answers(void **state) {
    (void)state;
    scene *s = open_scene();
    const vs_collider_id first = add_shape(s, WORLD, brick(s, 1, 1, 1), VS_IDENTITY_POSE, 2, ALL);
    (void)add_shape(s, WORLD, brick(s, 1, 1, 1), VS_IDENTITY_POSE, 4, ALL);
    (void)add_shape(s, WORLD, ground(s), at(0, 0, -3), 1, ALL);
    vs_query_hit hit;
    assert_int_equal(cast(s, (vs_vec3){0, 0, 5}, (vs_vec3){0, 0, -1}, 20).collider.index, first.index);
    assert_int_equal(vs_world_cast_ray(s->world, (vs_vec3){0, 0, 5}, (vs_vec3){0, 0, -1}, 20, 1, &hit), VS_OK);
    assert_close(hit.distance, 8, 1e-15);
    assert_false(cast(s, (vs_vec3){0, 0, 5}, (vs_vec3){0, 0, -1}, 3.9).found);
    assert_false(cast(s, (vs_vec3){0, 0, 5}, (vs_vec3){0, 0, 1}, 20).found);
    assert_int_equal(vs_world_find_closest_point(s->world, (vs_vec3){4, 0, -1}, 9, 1, &hit), VS_OK);
    assert_close(hit.distance, 2, 1e-12);
    assert_vec(hit.point, ((vs_vec3){4, 0, -3}), 1e-12);
    assert_false(closest(s, (vs_vec3){0, 0, 5}, 3.9).found);
    close_scene(s);
}

// Overlap of a shape with all others is a distance below 0, by the two functions; ascending colliders.
static void test_overlaps_and_distances_agree(void **state) {
    (void)state;
    uint64_t seed = 92;
    int overlaps = 0, apart = 0;
    for (int k = 0; k < VS_SAMPLES(3) * KINDS * KINDS; k++) {
        scene *s = open_scene();
        vs_shape *shape = make_kind(s, k % KINDS);
        const vs_pose pose = random_pose(&seed, 1.2), other = random_pose(&seed, .3);
        const vs_body_id a = add_body(s, VS_MOTION_STATIC, other, VS_ZERO3),
                         b = add_body(s, VS_MOTION_STATIC, pose, VS_ZERO3);
        (void)add_shape(s, a, make_kind(s, k / KINDS % KINDS), VS_IDENTITY_POSE, 2, ALL);
        vs_shape_retain(shape);
        (void)add_shape(s, b, shape, VS_IDENTITY_POSE, 4, ALL);
        vs_collider_id found[2];
        int count;
        vs_body_distance distance, back;
        assert_int_equal(vs_world_find_overlapping(s->world, shape, pose, 2, found, 2, &count), VS_OK);
        assert_int_equal(vs_world_get_body_distance(s->world, a, b, 10, &distance), VS_OK);
        assert_int_equal(vs_world_get_body_distance(s->world, b, a, 10, &back), VS_OK);
        const bool meshes = k % KINDS >= 6 || k / KINDS % KINDS >= 6;
        if (count == 0) {
            apart++;
            if (!isfinite(distance.distance))
                fail_msg("kinds %d %d: %g", k / KINDS % KINDS, k % KINDS, distance.distance);
            assert_true(distance.distance > 0);
            assert_close(distance.distance, back.distance, 1e-6); // iterations of round shapes
            assert_vec(vs_subtract(distance.on_b, distance.on_a), vs_scale(distance.distance, distance.normal), 1e-9);
            if (k % KINDS >= 6 && k / KINDS % KINDS >= 6)
                assert_close(distance.distance,
                             mesh_distance(s->world->collider[0].shape, other, s->world->collider[1].shape, pose),
                             1e-9);
        } else {
            overlaps++;
            assert_int_equal(found[0].index, 0);
            assert_true(meshes || distance.distance <= 0);
        }
        vs_shape_release(shape);
        close_scene(s);
    }
    assert_true(overlaps > VS_SAMPLES(60) && apart > VS_SAMPLES(60));
}

// A body wholly inside a concave solid: no surfaces meet, but they overlap.
static void test_a_body_inside_another_has_no_distance(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        scene *s = open_scene();
        vs_shape *inner = k == 0   ? brick(s, .05, .05, .05)
                          : k == 1 ? brick(s, .02, .2, .02)
                                   : torus_mesh(s->context, .06, .03, 12, 8);
        const vs_body_id a = add_body(s, VS_MOTION_STATIC, at(1, 2, 3), VS_ZERO3),
                         b = add_body(s, VS_MOTION_STATIC, at(1.6, 2, 3), VS_ZERO3);
        (void)add_shape(s, a, torus_mesh(s->context, .6, .25, 24, 12), VS_IDENTITY_POSE, 1, ALL);
        (void)add_shape(s, b, inner, VS_IDENTITY_POSE, 1, ALL);
        vs_body_distance one, other;
        assert_int_equal(vs_world_get_body_distance(s->world, a, b, 5, &one), VS_OK);
        assert_int_equal(vs_world_get_body_distance(s->world, b, a, 5, &other), VS_OK);
        assert_true(one.distance == 0 && other.distance == 0);
        assert_true(fabs(vs_length(one.normal) - 1) < 1e-12);
        // Beside the tube, inside its box, there is a distance.
        vs_body_state out;
        assert_int_equal(vs_world_get_body_state(s->world, b, &out), VS_OK);
        out.pose.position = (vs_vec3){1, 2, 3};
        assert_int_equal(vs_world_set_body_state(s->world, b, &out), VS_OK);
        assert_int_equal(vs_world_get_body_distance(s->world, a, b, 5, &one), VS_OK);
        assert_true(one.distance > .1 && one.distance < .35);
        close_scene(s);
    }
}

static void test_errors_are_named(void **state) {
    (void)state;
    scene *s = open_scene();
    vs_query_hit hit;
    vs_body_distance distance;
    const vs_vec3 o = VS_ZERO3, x = {1, 0, 0};
    assert_int_equal(vs_world_cast_ray(s->world, o, o, 1, ALL, &hit), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_cast_ray(s->world, o, x, INFINITY, ALL, &hit), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_cast_ray(s->world, o, x, 1, ALL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_cast_ray(NULL, o, x, 1, ALL, &hit), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_find_closest_point(s->world, o, NAN, ALL, &hit), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_body_distance(s->world, WORLD, WORLD, 1, &distance), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_find_overlapping(s->world, NULL, VS_IDENTITY_POSE, ALL, NULL, 0, NULL),
                     VS_ERROR_ARGUMENT);
    close_scene(s);
}

// Two boxes whose edges cross, tilted by 1e-7 rad: contacts are along a face, by as much less; a distance is not.
static void test_distance_prefers_no_face(void **state) {
    (void)state;
    const double h = .5, tilt = 1e-7, reach = h * (cos(tilt) + sin(tilt));
    vs_context *context;
    vs_world *world;
    vs_shape *box;
    vs_body_id id[2];
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    assert_int_equal(vs_shape_box(context, (vs_vec3){h, h, h}, &box), VS_OK);
    for (int k = -2; k <= 2; k++) {
        const double gap = 1e-8 * k;
        // The upper edge of the first one runs along x at y = h, the lower edge of the second one along y at x = 0.
        const vs_pose pose[2] = {{{0, 0, 0}, vs_quat_exp((vs_vec3){tilt, 0, 0})},
                                 {{h, h, 2 * reach + gap}, vs_quat_exp((vs_vec3){0, -tilt, 0})}};
        assert_int_equal(vs_world_create(context, NULL, &world), VS_OK);
        for (int i = 0; i < 2; i++) {
            vs_body_def def = vs_body_def_default();
            vs_collider_def collider = vs_collider_def_default();
            def.pose = pose[i];
            collider.shape = box;
            assert_int_equal(vs_world_add_body(world, &def, &collider.body), VS_OK);
            assert_int_equal(vs_world_add_collider(world, &collider, NULL), VS_OK);
            id[i] = collider.body;
        }
        vs_body_distance found;
        assert_int_equal(vs_world_get_body_distance(world, id[0], id[1], 1, &found), VS_OK);
        assert_close(found.distance, gap, 1e-14);
        vs_world_destroy(world);
    }
    vs_shape_release(box);
    vs_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_prefers_no_face),
        cmocka_unit_test(test_ray_ends_where_the_distance_vanishes),
        cmocka_unit_test(test_origin_inside_meets_at_once),
        cmocka_unit_test(test_plane_groups_and_equal_answers),
        cmocka_unit_test(test_overlaps_and_distances_agree),
        cmocka_unit_test(test_a_body_inside_another_has_no_distance),
        cmocka_unit_test(test_errors_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
