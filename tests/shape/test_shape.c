// Shapes: what is refused, references, and that support and bounds agree with each other and with their definition.
#include "counted.h"

// ---- what is refused -------------------------------------------------------------------------------

static void expect(vs_error error, vs_error expected, vs_shape *const *shape, const char *text) {
    assert_int_equal(error, expected);
    assert_null(*shape); // read only now, after the call
    if (!strstr(vs_context_get_error_text(context), text))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), text);
}

static void test_bad_sizes_are_refused_and_named(void **state) {
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY, 1e300, 1e-300};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const double x = bad[k];
        vs_shape *s = (vs_shape *)(void *)&counted; // must become null
        expect(vs_shape_sphere(context, x, &s), VS_ERROR_ARGUMENT, &s, "radius");
        expect(vs_shape_box(context, (vs_vec3){1, x, 1}, &s), VS_ERROR_ARGUMENT, &s, "half.y");
        expect(vs_shape_capsule(context, x, 1, &s), VS_ERROR_ARGUMENT, &s, "radius");
        expect(vs_shape_capsule(context, 1, x, &s), VS_ERROR_ARGUMENT, &s, "half_length");
        expect(vs_shape_cylinder(context, x, 1, &s), VS_ERROR_ARGUMENT, &s, "radius");
        expect(vs_shape_cylinder(context, 1, x, &s), VS_ERROR_ARGUMENT, &s, "half_length");
        expect(vs_shape_ellipsoid(context, (vs_vec3){1, 1, x}, &s), VS_ERROR_ARGUMENT, &s, "semi_axes.z");
    }
}

static void test_null_arguments_are_refused(void **state) {
    (void)state;
    vs_shape *s = NULL;
    const vs_vec3 ones = {1, 1, 1};
    assert_int_equal(vs_shape_sphere(NULL, 1, &s), VS_ERROR_ARGUMENT);
    expect(vs_shape_sphere(context, 1, NULL), VS_ERROR_ARGUMENT, &s, "null");
    expect(vs_shape_box(context, ones, NULL), VS_ERROR_ARGUMENT, &s, "null");
    expect(vs_shape_capsule(context, 1, 1, NULL), VS_ERROR_ARGUMENT, &s, "null");
    expect(vs_shape_ellipsoid(context, ones, NULL), VS_ERROR_ARGUMENT, &s, "null");
    expect(vs_shape_plane(context, NULL), VS_ERROR_ARGUMENT, &s, "null");
    expect(vs_shape_hull(context, NULL, 4, &s), VS_ERROR_ARGUMENT, &s, "4 points");
    expect(vs_shape_hull(context, &ones, 3, &s), VS_ERROR_ARGUMENT, &s, "4 points");
    expect(vs_shape_mesh(context, NULL, 3, CUBE_TRIANGLES, 1, &s), VS_ERROR_ARGUMENT, &s, "mesh");
    expect(vs_shape_mesh(context, &ones, 1, NULL, 1, &s), VS_ERROR_ARGUMENT, &s, "mesh");
    expect(vs_shape_height_field(context, 2, 2, 1, 1, NULL, &s), VS_ERROR_ARGUMENT, &s, "height field");
    vs_shape_release(NULL);
    vs_shape_retain(NULL);
}

static void test_shape_lives_until_its_last_reference(void **state) {
    (void)state;
    vs_shape *s;
    assert_int_equal(vs_shape_box(context, (vs_vec3){1, 2, 3}, &s), VS_OK);
    vs_shape_retain(s);
    vs_shape_retain(s);
    vs_shape_release(s);
    vs_shape_release(s);
    assert_int_equal(vs_shape_get_kind(s), VS_SHAPE_BOX);
    assert_true(counted.alive > 1);
    vs_shape_release(s); // the teardown sees that nothing is left
}

// ---- support and bounds ----------------------------------------------------------------------------

enum { CONVEX = 6 };

static void make_convex(vs_shape *shape[CONVEX]) {
    vs_vec3 point[40];
    const int count = sample_capsule(.3, .5, 2, 7, point);
    assert_int_equal(vs_shape_sphere(context, .7, shape), VS_OK);
    assert_int_equal(vs_shape_box(context, (vs_vec3){.3, .5, .2}, shape + 1), VS_OK);
    assert_int_equal(vs_shape_capsule(context, .2, .6, shape + 2), VS_OK);
    assert_int_equal(vs_shape_cylinder(context, .4, .3, shape + 3), VS_OK);
    assert_int_equal(vs_shape_ellipsoid(context, (vs_vec3){.3, .2, .8}, shape + 4), VS_OK);
    assert_int_equal(vs_shape_hull(context, point, count, shape + 5), VS_OK);
}

// Is x in the shape? Directly from the definition of each.
static bool contains(const vs_shape *s, vs_vec3 x, double tolerance) {
    const double across = hypot(x.x, x.y), beyond = fmax(0, fabs(x.z) - s->half_length);
    switch (s->kind) {
    case VS_SHAPE_SPHERE:
        return vs_length(x) <= s->radius + tolerance;
    case VS_SHAPE_BOX:
        return fabs(x.x) <= s->half.x + tolerance && fabs(x.y) <= s->half.y + tolerance &&
               fabs(x.z) <= s->half.z + tolerance;
    case VS_SHAPE_CAPSULE:
        return hypot(across, beyond) <= s->radius + tolerance;
    case VS_SHAPE_CYLINDER:
        return across <= s->radius + tolerance && beyond <= tolerance;
    case VS_SHAPE_ELLIPSOID:
        return vs_length((vs_vec3){x.x / s->half.x, x.y / s->half.y, x.z / s->half.z}) <= 1 + 10 * tolerance;
    default:
        for (int f = 0; f < s->polytope.faces; f++)
            if (vs_dot(s->polytope.normal[f], x) > s->polytope.offset[f] + tolerance)
                return false;
        return true;
    }
}

static void test_support_lies_in_the_shape_and_no_point_of_it_is_farther(void **state) {
    (void)state;
    vs_shape *shape[CONVEX];
    uint64_t seed = 1;
    make_convex(shape);
    for (int k = 0; k < CONVEX; k++) {
        assert_true(vs_shape_is_convex(shape[k]));
        for (int round = 0; round < 200; round++) {
            const vs_vec3 d = random_vec(&seed, 1), s = vs_shape_support(shape[k], d);
            assert_true(contains(shape[k], s, 1e-15)); // a few roundings of numbers below 1
            for (int j = 0; j < 200; j++) {
                const vs_vec3 x = random_vec(&seed, 1);
                if (contains(shape[k], x, 0))
                    assert_true(vs_dot(d, x) <= vs_dot(d, s) + 1e-15);
            }
        }
        vs_shape_release(shape[k]);
    }
}

static void test_support_does_not_depend_on_the_length_of_the_direction(void **state) {
    (void)state;
    vs_shape *shape[CONVEX];
    uint64_t seed = 2;
    make_convex(shape);
    for (int k = 0; k < CONVEX; k++) {
        const vs_vec3 d = random_vec(&seed, 1), s = vs_shape_support(shape[k], d);
        for (int e = -300; e <= 300; e += 60)
            assert_vec(vs_shape_support(shape[k], vs_scale(pow(10, e), d)), s, 1e-15);
        // No direction at all: still a point of the surface, not NaN.
        assert_true(contains(shape[k], vs_shape_support(shape[k], VS_ZERO3), 1e-15));
        vs_shape_release(shape[k]);
    }
}

static void test_bounds_at_a_pose_are_those_of_the_support(void **state) {
    (void)state;
    vs_shape *shape[CONVEX];
    uint64_t seed = 3;
    const double margin = .125;
    make_convex(shape);
    for (int k = 0; k < CONVEX; k++) {
        for (int round = 0; round < 100; round++) {
            const vs_pose pose = round == 0 ? VS_IDENTITY_POSE : random_pose(&seed, 1);
            const vs_box3 box = vs_shape_bounds(shape[k], pose, margin);
            for (int axis = 0; axis < 3; axis++) {
                const vs_vec3 e = {axis == 0, axis == 1, axis == 2};
                const vs_vec3 d = vs_rotate_back(pose.rotation, e);
                const vs_vec3 far = vs_pose_apply(pose, vs_shape_support(shape[k], d));
                const vs_vec3 near = vs_pose_apply(pose, vs_shape_support(shape[k], vs_scale(-1, d)));
                // Two ways through rotations of unit vectors: ten roundings.
                assert_close(vs_component(box.high, axis), vs_component(far, axis) + margin, 2e-15);
                assert_close(vs_component(box.low, axis), vs_component(near, axis) - margin, 2e-15);
            }
            if (round == 0) {
                const vs_vec3 m = {margin, margin, margin};
                assert_vec(vs_add(box.low, m), shape[k]->bounds.low, 1e-15);
                assert_vec(vs_subtract(box.high, m), shape[k]->bounds.high, 1e-15);
            }
            assert_true(vs_length(vs_shape_support(shape[k], random_vec(&seed, 1))) <= shape[k]->size * (1 + 1e-15));
        }
        vs_shape_release(shape[k]);
    }
}

static void test_plane_is_bounded_only_above_and_only_along_an_axis(void **state) {
    (void)state;
    vs_shape *s;
    assert_int_equal(vs_shape_plane(context, &s), VS_OK);
    assert_false(vs_shape_is_convex(s));
    assert_true(isinf(s->size));
    vs_pose pose = {{1, 2, 3}, {1, 0, 0, 0}};
    vs_box3 box = vs_shape_bounds(s, pose, .5);
    assert_true(box.low.x == -INFINITY && box.high.x == INFINITY && box.low.z == -INFINITY);
    assert_close(box.high.z, 3.5, 0);
    pose.rotation = (vs_quat){0, 1, 0, 0}; // upside down
    box = vs_shape_bounds(s, pose, .5);
    assert_close(box.low.z, 2.5, 0);
    assert_true(box.high.z == INFINITY);
    pose.rotation = vs_quat_exp((vs_vec3){.3, 0, 0});
    box = vs_shape_bounds(s, pose, .5);
    assert_true(box.high.z == INFINITY && box.low.z == -INFINITY && box.high.y == INFINITY && box.low.y == -INFINITY);
    vs_shape_release(s);
}

// ---- memory ----------------------------------------------------------------------------------------

static vs_error make_box(vs_context *c, vs_shape **s) {
    return vs_shape_box(c, (vs_vec3){1, 1, 1}, s);
}
static vs_error make_sphere(vs_context *c, vs_shape **s) {
    return vs_shape_sphere(c, 1, s);
}
static vs_error make_hull(vs_context *c, vs_shape **s) {
    vs_vec3 point[400];
    return vs_shape_hull(c, point, sample_capsule(1, 1, 9, 20, point), s);
}
static vs_error make_mesh(vs_context *c, vs_shape **s) {
    vs_vec3 vertex[8];
    cube_vertices((vs_vec3){1, 2, 3}, vertex);
    return vs_shape_mesh(c, vertex, 8, CUBE_TRIANGLES, 12, s);
}
static vs_error make_field(vs_context *c, vs_shape **s) {
    static const double height[1600];
    return vs_shape_height_field(c, 40, 40, 1, 1, height, s);
}

static void test_failed_allocations_leak_nothing(void **state) {
    (void)state;
    refuse_each_of_shape(make_sphere);
    refuse_each_of_shape(make_box);
    refuse_each_of_shape(make_hull);
    refuse_each_of_shape(make_mesh);
    refuse_each_of_shape(make_field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bad_sizes_are_refused_and_named, begin, end),
        cmocka_unit_test_setup_teardown(test_null_arguments_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_shape_lives_until_its_last_reference, begin, end),
        cmocka_unit_test_setup_teardown(test_support_lies_in_the_shape_and_no_point_of_it_is_farther, begin, end),
        cmocka_unit_test_setup_teardown(test_support_does_not_depend_on_the_length_of_the_direction, begin, end),
        cmocka_unit_test_setup_teardown(test_bounds_at_a_pose_are_those_of_the_support, begin, end),
        cmocka_unit_test_setup_teardown(test_plane_is_bounded_only_above_and_only_along_an_axis, begin, end),
        cmocka_unit_test(test_failed_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
