// Mass properties: closed forms, hulls and meshes of the same solid agree, sums of parts are the whole.
#include "counted.h"

static const double PI = 3.14159265358979323846;

static vs_mass_properties mass_of(vs_shape *shape, double density) {
    vs_mass_properties mass;
    if (vs_shape_get_mass(shape, density, &mass))
        fail_msg("%s", vs_context_get_error_text(context));
    vs_shape_release(shape);
    return mass;
}

// Tolerances relative to mass and to mass times length^2.
static void check_equal(const vs_mass_properties *a, const vs_mass_properties *b, double length, double tolerance) {
    assert_close(a->mass, b->mass, tolerance * b->mass);
    assert_vec(a->centre, b->centre, tolerance * length);
    for (int k = 0; k < 9; k++)
        assert_close(a->inertia.a[k], b->inertia.a[k], tolerance * b->mass * length * length);
}

// R I R' about the moved centre.
static vs_mass_properties move(const vs_mass_properties *m, vs_pose pose) {
    const vs_mass_properties nothing = {0};
    return vs_mass_properties_add(&nothing, m, pose);
}

// ---- closed forms ----------------------------------------------------------------------------------

static void test_round_shapes_and_boxes_have_their_textbook_values(void **state) {
    (void)state;
    vs_shape *s;
    const double tolerance = 1e-14; // a dozen roundings

    assert_int_equal(vs_shape_sphere(context, 2, &s), VS_OK);
    vs_mass_properties m = mass_of(s, 3);
    assert_close(m.mass, 32 * PI, tolerance * m.mass);
    assert_close(m.inertia.a[0], m.mass * 8 / 5, tolerance * m.mass);

    assert_int_equal(vs_shape_box(context, (vs_vec3){1, 2, 3}, &s), VS_OK);
    m = mass_of(s, .5);
    assert_close(m.mass, 24, tolerance);
    assert_close(m.inertia.a[0], 24. / 12 * (16 + 36), 1e-13);
    assert_close(m.inertia.a[4], 24. / 12 * (4 + 36), 1e-13);
    assert_close(m.inertia.a[8], 24. / 12 * (4 + 16), 1e-13);

    assert_int_equal(vs_shape_cylinder(context, 2, 3, &s), VS_OK);
    m = mass_of(s, 1);
    assert_close(m.mass, 24 * PI, tolerance * m.mass);
    assert_close(m.inertia.a[8], m.mass * 2, tolerance * m.mass);
    assert_close(m.inertia.a[0], m.mass * (3 * 4 + 36) / 12, 10 * tolerance * m.mass);

    assert_int_equal(vs_shape_ellipsoid(context, (vs_vec3){1, 2, 3}, &s), VS_OK);
    m = mass_of(s, 1);
    assert_close(m.mass, 8 * PI, tolerance * m.mass);
    assert_close(m.inertia.a[0], m.mass / 5 * 13, tolerance * m.mass * 3);
}

static void test_long_thin_capsule_is_a_rod_and_short_one_a_sphere(void **state) {
    (void)state;
    vs_shape *capsule, *ball, *rod;
    assert_int_equal(vs_shape_capsule(context, 1, 1e-9, &capsule), VS_OK);
    assert_int_equal(vs_shape_sphere(context, 1, &ball), VS_OK);
    vs_mass_properties a = mass_of(capsule, 1), b = mass_of(ball, 1);
    check_equal(&a, &b, 1, 1e-8); // first order in the length
    assert_int_equal(vs_shape_capsule(context, 1e-9, 1, &capsule), VS_OK);
    assert_int_equal(vs_shape_cylinder(context, 1e-9, 1, &rod), VS_OK);
    a = mass_of(capsule, 1), b = mass_of(rod, 1);
    check_equal(&a, &b, 1, 1e-8); // first order in the radius
}

// The capsule by slices perpendicular to its axis: disc of radius r(z), m = pi r^2, I_x = r^2/4 + z^2.
static void test_capsule_agrees_with_integration_over_slices(void **state) {
    (void)state;
    const double r = .4, h = .7;
    enum { SLICES = 100000 };
    double mass = 0, across = 0, along = 0;
    for (int k = 0; k < SLICES; k++) {
        const double z = (k + .5) / SLICES * (h + r), beyond = fmax(0, z - h), r2 = r * r - beyond * beyond;
        const double slice = 2 * PI * r2 * (h + r) / SLICES;
        mass += slice;
        across += slice * (r2 / 4 + z * z);
        along += slice * r2 / 2;
    }
    vs_shape *s;
    assert_int_equal(vs_shape_capsule(context, r, h, &s), VS_OK);
    const vs_mass_properties m = mass_of(s, 1);
    // Midpoint rule: (width of a slice)^2, 1e-10.
    assert_close(m.mass, mass, 1e-9 * mass);
    assert_close(m.inertia.a[0], across, 1e-9 * mass);
    assert_close(m.inertia.a[4], across, 1e-9 * mass);
    assert_close(m.inertia.a[8], along, 1e-9 * mass);
}

// ---- hulls and meshes ------------------------------------------------------------------------------

static void test_box_as_hull_and_as_mesh_is_the_box_at_any_pose(void **state) {
    (void)state;
    const vs_vec3 half = {.5, .2, .8};
    uint64_t seed = 1;
    vs_shape *s;
    assert_int_equal(vs_shape_box(context, half, &s), VS_OK);
    const vs_mass_properties box = mass_of(s, 7);
    for (int round = 0; round < 50; round++) {
        const vs_pose pose = round == 0 ? VS_IDENTITY_POSE : random_pose(&seed, 1);
        vs_vec3 vertex[8];
        cube_vertices(half, vertex);
        for (int k = 0; k < 8; k++)
            vertex[k] = vs_pose_apply(pose, vertex[k]);
        const vs_mass_properties expected = move(&box, pose);
        assert_int_equal(vs_shape_hull(context, vertex, 8, &s), VS_OK);
        const vs_mass_properties hull = mass_of(s, 7);
        check_equal(&hull, &expected, 1, 1e-14); // sums of 12 products of numbers near 1
        assert_int_equal(vs_shape_mesh(context, vertex, 8, CUBE_TRIANGLES, 12, &s), VS_OK);
        const vs_mass_properties mesh = mass_of(s, 7);
        check_equal(&mesh, &expected, 1, 1e-14);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < i; j++)
                assert_true(hull.inertia.a[3 * i + j] == hull.inertia.a[3 * j + i]);
    }
}

static void test_tetrahedron_has_its_textbook_inertia(void **state) {
    (void)state;
    const vs_vec3 point[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vs_shape *s;
    assert_int_equal(vs_shape_hull(context, point, 4, &s), VS_OK);
    const vs_mass_properties m = mass_of(s, 6);
    assert_close(m.mass, 1, 1e-15);
    assert_vec(m.centre, ((vs_vec3){.25, .25, .25}), 1e-15);
    assert_close(m.inertia.a[0], 3. / 40, 1e-15); // 2 (1/10 - 1/16)
    assert_close(m.inertia.a[1], 1. / 80, 1e-15); // -(1/20 - 1/16)
}

static void test_hull_of_samples_tends_to_the_capsule(void **state) {
    (void)state;
    enum { RINGS = 24, ROUND = 96 };
    static vs_vec3 point[2 * RINGS * ROUND + 2];
    vs_shape *s;
    assert_int_equal(vs_shape_capsule(context, .4, .7, &s), VS_OK);
    const vs_mass_properties exact = mass_of(s, 1);
    double error[2];
    for (int k = 0; k < 2; k++) {
        const int count = sample_capsule(.4, .7, RINGS / 2 * (k + 1), ROUND / 2 * (k + 1), point);
        assert_int_equal(vs_shape_hull(context, point, count, &s), VS_OK);
        const vs_mass_properties hull = mass_of(s, 1);
        check_equal(&hull, &exact, 1, 1e-2);
        error[k] = exact.mass - hull.mass;
    }
    // Inscribed, hence smaller; of second order in the spacing.
    assert_true(error[1] > 0);
    assert_close(error[0] / error[1], 4, .1);
}

static void test_mesh_with_a_cavity_is_the_difference(void **state) {
    (void)state;
    vs_vec3 vertex[16];
    int index[72];
    cube_vertices((vs_vec3){1, 1, 1}, vertex);
    cube_vertices((vs_vec3){.5, .5, .5}, vertex + 8);
    for (int k = 0; k < 36; k++) {
        index[k] = CUBE_TRIANGLES[k];
        index[36 + k] = 8 + CUBE_TRIANGLES[35 - k]; // the other way round
    }
    vs_shape *s;
    assert_int_equal(vs_shape_mesh(context, vertex, 16, index, 24, &s), VS_OK);
    const vs_mass_properties m = mass_of(s, 1);
    assert_close(m.mass, 8 - 1, 1e-14);
    assert_close(m.inertia.a[0], 8 * 2. / 3 - 2. / 12, 1e-14);
}

static void test_mesh_with_vertices_of_its_own_for_each_triangle_is_closed(void **state) {
    (void)state;
    vs_vec3 corner[8], vertex[36];
    int index[36];
    cube_vertices((vs_vec3){1, 1, 1}, corner);
    for (int k = 0; k < 36; k++) {
        vertex[k] = corner[CUBE_TRIANGLES[k]];
        index[k] = k;
    }
    vs_shape *s;
    assert_int_equal(vs_shape_mesh(context, vertex, 36, index, 12, &s), VS_OK);
    assert_close(mass_of(s, 1).mass, 8, 1e-14);
}

// ---- what is refused -------------------------------------------------------------------------------

static void expect_refusal(vs_shape *shape, double density, vs_error expected, const char *text) {
    vs_mass_properties m;
    assert_int_equal(vs_shape_get_mass(shape, density, &m), expected);
    if (!strstr(vs_context_get_error_text(context), text))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), text);
    vs_shape_release(shape);
}

static void test_what_has_no_mass_is_refused(void **state) {
    (void)state;
    vs_vec3 vertex[8];
    int index[36];
    vs_shape *s;
    cube_vertices((vs_vec3){1, 1, 1}, vertex);
    assert_int_equal(vs_shape_plane(context, &s), VS_OK);
    expect_refusal(s, 1, VS_ERROR_UNSUPPORTED, "plane");
    const double height[4] = {0};
    assert_int_equal(vs_shape_height_field(context, 2, 2, 1, 1, height, &s), VS_OK);
    expect_refusal(s, 1, VS_ERROR_UNSUPPORTED, "height field");
    assert_int_equal(vs_shape_mesh(context, vertex, 8, CUBE_TRIANGLES, 11, &s), VS_OK);
    expect_refusal(s, 1, VS_ERROR_UNSUPPORTED, "open mesh");
    // One triangle turned round: its edges no longer cancel.
    memcpy(index, CUBE_TRIANGLES, sizeof index);
    index[0] = CUBE_TRIANGLES[1], index[1] = CUBE_TRIANGLES[0];
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, 12, &s), VS_OK);
    expect_refusal(s, 1, VS_ERROR_UNSUPPORTED, "open mesh");
    for (int k = 0; k < 36; k++)
        index[k] = CUBE_TRIANGLES[35 - k];
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, 12, &s), VS_OK);
    expect_refusal(s, 1, VS_ERROR_DATA, "counter-clockwise");
}

static void test_bad_densities_are_refused(void **state) {
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY};
    vs_shape *s;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(vs_shape_sphere(context, 1, &s), VS_OK);
        expect_refusal(s, bad[k], VS_ERROR_ARGUMENT, "density");
    }
    assert_int_equal(vs_shape_sphere(context, 1e25, &s), VS_OK);
    expect_refusal(s, 1e290, VS_ERROR_ARGUMENT, "range");
    vs_mass_properties m;
    assert_int_equal(vs_shape_get_mass(NULL, 1, &m), VS_ERROR_ARGUMENT);
}

// ---- sums ------------------------------------------------------------------------------------------

static void test_two_halves_of_a_box_are_the_box(void **state) {
    (void)state;
    uint64_t seed = 2;
    vs_shape *s;
    assert_int_equal(vs_shape_box(context, (vs_vec3){1, .5, .4}, &s), VS_OK);
    const vs_mass_properties whole = mass_of(s, 2);
    assert_int_equal(vs_shape_box(context, (vs_vec3){.5, .5, .4}, &s), VS_OK);
    const vs_mass_properties part = mass_of(s, 2);
    for (int round = 0; round < 20; round++) {
        // The whole at `pose`, from its two parts at theirs.
        const vs_pose pose = random_pose(&seed, 1);
        const vs_pose left = {{-.5, 0, 0}, {1, 0, 0, 0}}, right = {{.5, 0, 0}, {0, 1, 0, 0}}; // half a turn: the same
        const vs_mass_properties a = move(&part, vs_pose_multiply(pose, left));
        const vs_mass_properties sum = vs_mass_properties_add(&a, &part, vs_pose_multiply(pose, right));
        const vs_mass_properties expected = move(&whole, pose);
        check_equal(&sum, &expected, 1, 1e-14);
    }
}

static void test_sum_of_unequal_parts_follows_the_parallel_axis_theorem(void **state) {
    (void)state;
    const vs_mass_properties a = {.mass = 3, .centre = {0, 0, 1}}, b = {.mass = 1, .centre = {4, 0, 0}};
    const vs_pose pose = {{0, 0, 1}, {1, 0, 0, 0}}; // point masses 4 m apart along x
    const vs_mass_properties sum = vs_mass_properties_add(&a, &b, pose);
    assert_close(sum.mass, 4, 0);
    assert_vec(sum.centre, ((vs_vec3){1, 0, 1}), 1e-15);
    assert_close(sum.inertia.a[0], 0, 1e-15);
    assert_close(sum.inertia.a[4], 3 * 1 + 1 * 9, 1e-14);
    assert_close(sum.inertia.a[8], 3 * 1 + 1 * 9, 1e-14);
    const vs_mass_properties nothing = {0}, zero = vs_mass_properties_add(&nothing, &nothing, pose);
    assert_close(zero.mass, 0, 0);
    assert_true(isfinite(zero.centre.x));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_shapes_and_boxes_have_their_textbook_values, begin, end),
        cmocka_unit_test_setup_teardown(test_long_thin_capsule_is_a_rod_and_short_one_a_sphere, begin, end),
        cmocka_unit_test_setup_teardown(test_capsule_agrees_with_integration_over_slices, begin, end),
        cmocka_unit_test_setup_teardown(test_box_as_hull_and_as_mesh_is_the_box_at_any_pose, begin, end),
        cmocka_unit_test_setup_teardown(test_tetrahedron_has_its_textbook_inertia, begin, end),
        cmocka_unit_test_setup_teardown(test_hull_of_samples_tends_to_the_capsule, begin, end),
        cmocka_unit_test_setup_teardown(test_mesh_with_a_cavity_is_the_difference, begin, end),
        cmocka_unit_test_setup_teardown(test_mesh_with_vertices_of_its_own_for_each_triangle_is_closed, begin, end),
        cmocka_unit_test_setup_teardown(test_what_has_no_mass_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_bad_densities_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_two_halves_of_a_box_are_the_box, begin, end),
        cmocka_unit_test_setup_teardown(test_sum_of_unequal_parts_follows_the_parallel_axis_theorem, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
