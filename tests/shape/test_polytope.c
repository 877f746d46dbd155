// Polytopes: every box and hull is closed, convex and oriented; known solids have their known numbers of faces; a
// turned or moved hull is the same hull; flat input is refused with its reason.
#include <stdio.h>
#include <unistd.h>

#include "counted.h"

static vs_vec3 middle_of(const vs_polytope *p) {
    vs_vec3 c = VS_ZERO3;
    for (int k = 0; k < p->vertices; k++)
        c = vs_add_scaled(c, 1. / p->vertices, p->vertex[k]);
    return c;
}

// The edge from i to j in the loop of face f?
static bool runs(const vs_polytope *p, int f, int i, int j) {
    const int b = p->face_start[f], n = p->face_start[f + 1] - b;
    for (int k = 0; k < n; k++)
        if (p->face_vertex[b + k] == i && p->face_vertex[b + (k + 1) % n] == j)
            return true;
    return false;
}

// All that the header promises; tolerance in m, for vertices that are coplanar up to it.
static void check_polytope(const vs_polytope *p, double tolerance) {
    const vs_vec3 inside = middle_of(p);
    assert_int_equal(p->vertices - p->edges + p->faces, 2);
    assert_int_equal(p->face_start[p->faces], 2 * p->edges);
    for (int f = 0; f < p->faces; f++) {
        const int b = p->face_start[f], n = p->face_start[f + 1] - b;
        assert_true(n >= 3);
        assert_close(vs_length(p->normal[f]), 1, 4e-16); // one division
        assert_true(vs_dot(p->normal[f], inside) < p->offset[f]);
        for (int k = 0; k < p->vertices; k++)
            assert_true(vs_dot(p->normal[f], p->vertex[k]) <= p->offset[f] + tolerance);
        for (int k = 0; k < n; k++) {
            const vs_vec3 x = p->vertex[p->face_vertex[b + k]], y = p->vertex[p->face_vertex[b + (k + 1) % n]];
            const vs_vec3 z = p->vertex[p->face_vertex[b + (k + 2) % n]];
            assert_close(vs_dot(p->normal[f], x), p->offset[f], tolerance);
            // Counter-clockwise at every corner.
            assert_true(vs_dot(p->normal[f], vs_cross(vs_subtract(y, x), vs_subtract(z, y))) > 0);
        }
    }
    for (int e = 0; e < p->edges; e++) {
        const int *edge = p->edge + 4 * e;
        assert_true(edge[0] < edge[1]);
        assert_true(runs(p, edge[2], edge[0], edge[1]));
        assert_true(runs(p, edge[3], edge[1], edge[0]));
        if (e > 0) // ascending, hence none twice
            assert_true(edge[-4] < edge[0] || (edge[-4] == edge[0] && edge[-3] < edge[1]));
    }
}

static vs_shape *hull_of(const vs_vec3 *point, int count) {
    vs_shape *shape = NULL;
    if (vs_shape_hull(context, point, count, &shape))
        fail_msg("%s", vs_context_get_error_text(context));
    return shape;
}

static void test_box_is_a_polytope(void **state) {
    (void)state;
    vs_shape *s;
    assert_int_equal(vs_shape_box(context, (vs_vec3){.1, 2, 30}, &s), VS_OK);
    assert_int_equal(s->polytope.vertices, 8);
    assert_int_equal(s->polytope.faces, 6);
    assert_int_equal(s->polytope.edges, 12);
    check_polytope(&s->polytope, 0);
    vs_shape_release(s);
}

static void test_hull_of_a_cube_drops_inner_points_and_merges_triangles(void **state) {
    (void)state;
    enum { MOST = 27 + 200 };
    vs_vec3 point[MOST];
    uint64_t seed = 5;
    // The corners come last, after points on edges, on faces and inside.
    int count = 0;
    for (int k = 0; k < 200; k++)
        point[count++] = vs_scale(.999, random_vec(&seed, 1));
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 27; k++) {
            const vs_vec3 v = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            if ((fabs(v.x * v.y * v.z) == 1) == (pass == 1))
                point[count++] = v;
        }
    for (int round = 0; round < 20; round++) {
        const vs_pose pose = round == 0 ? VS_IDENTITY_POSE : random_pose(&seed, 1);
        vs_vec3 moved[MOST];
        for (int k = 0; k < count; k++)
            moved[k] = vs_pose_apply(pose, point[k]);
        vs_shape *s = hull_of(moved, count);
        assert_int_equal(s->polytope.vertices, 8);
        assert_int_equal(s->polytope.faces, 6);
        assert_int_equal(s->polytope.edges, 12);
        check_polytope(&s->polytope, 2e-15); // rotation of unit vectors
        for (int k = 0; k < 8; k++)          // the points as given, in their order
            assert_vec(s->polytope.vertex[k], moved[count - 8 + k], 0);
        vs_shape_release(s);
    }
}

static void test_hull_of_an_icosahedron(void **state) {
    (void)state;
    const double g = (1 + sqrt(5)) / 2; // golden ratio
    vs_vec3 point[12];
    for (int k = 0; k < 4; k++) {
        const double a = k & 1 ? 1 : -1, b = k & 2 ? g : -g;
        point[3 * k] = (vs_vec3){0, a, b};
        point[3 * k + 1] = (vs_vec3){a, b, 0};
        point[3 * k + 2] = (vs_vec3){b, 0, a};
    }
    vs_shape *s = hull_of(point, 12);
    assert_int_equal(s->polytope.vertices, 12);
    assert_int_equal(s->polytope.faces, 20);
    assert_int_equal(s->polytope.edges, 30);
    check_polytope(&s->polytope, 1e-15);
    // Radius of the inner sphere for edges of length 2: g^2 / sqrt(3).
    for (int f = 0; f < 20; f++)
        assert_close(s->polytope.offset[f], g * g / sqrt(3), 1e-15);
    vs_shape_release(s);
}

static void test_hull_of_a_dodecahedron_has_pentagons(void **state) {
    (void)state;
    const double g = (1 + sqrt(5)) / 2;
    vs_vec3 point[20];
    int count = 0;
    for (int k = 0; k < 8; k++)
        point[count++] = (vs_vec3){k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
    for (int k = 0; k < 4; k++) {
        const double a = k & 1 ? g : -g, b = k & 2 ? 1 / g : -1 / g;
        point[count++] = (vs_vec3){0, a, b};
        point[count++] = (vs_vec3){a, b, 0};
        point[count++] = (vs_vec3){b, 0, a};
    }
    vs_shape *s = hull_of(point, 20);
    assert_int_equal(s->polytope.vertices, 20);
    assert_int_equal(s->polytope.faces, 12);
    assert_int_equal(s->polytope.edges, 30);
    check_polytope(&s->polytope, 1e-15);
    vs_shape_release(s);
}

static void test_hull_of_a_capsule_keeps_all_samples(void **state) {
    (void)state;
    enum { RINGS = 6, ROUND = 24 };
    vs_vec3 point[2 * RINGS * ROUND + 2];
    const int count = sample_capsule(.3, .5, RINGS, ROUND, point);
    vs_shape *s = hull_of(point, count);
    assert_int_equal(s->polytope.vertices, count);
    // A cap: ROUND triangles and RINGS - 1 rings of trapezoids; one ring of rectangles between the caps.
    assert_int_equal(s->polytope.faces, 2 * (ROUND + (RINGS - 1) * ROUND) + ROUND);
    check_polytope(&s->polytope, 1e-15);
    vs_shape_release(s);
}

static void test_random_points_give_polytopes_that_contain_them_all(void **state) {
    (void)state;
    enum { MOST = 3000 };
    static vs_vec3 point[MOST];
    uint64_t seed = 7;
    for (int count = 4; count <= MOST; count = count * 3 / 2) {
        // Ball, ball's surface, and a grid on which many points are coplanar.
        for (int kind = 0; kind < 3; kind++) {
            for (int k = 0; k < count; k++) {
                const vs_vec3 v = random_vec(&seed, 1);
                point[k] = kind == 0   ? v
                           : kind == 1 ? vs_normalize(v)
                                       : (vs_vec3){round(3 * v.x), round(3 * v.y), round(3 * v.z)};
            }
            if (kind == 2 && count < 20) // may lie in one plane
                continue;
            vs_shape *s = hull_of(point, count);
            const vs_polytope *p = &s->polytope;
            // Faces are planes to within the merging tolerance, 3e-7 of half the extent.
            check_polytope(p, 1e-6);
            for (int k = 0; k < count; k += 7)
                for (int f = 0; f < p->faces; f++)
                    assert_true(vs_dot(p->normal[f], point[k]) <= p->offset[f] + 1e-6);
            vs_shape_release(s);
        }
    }
}

static void test_rounding_to_float_does_not_split_faces(void **state) {
    (void)state;
    // What an STL file makes of a turned box, also one far from the origin.
    uint64_t seed = 8;
    for (int round = 0; round < 200; round++) {
        vs_vec3 point[8];
        const vs_pose pose = random_pose(&seed, 1);
        cube_vertices((vs_vec3){.5, .3, .4}, point);
        for (int k = 0; k < 8; k++) {
            const vs_vec3 v = vs_pose_apply(pose, point[k]);
            point[k] = (vs_vec3){(double)(float)v.x, (double)(float)v.y, (double)(float)v.z};
        }
        vs_shape *s = hull_of(point, 8);
        assert_int_equal(s->polytope.faces, 6);
        check_polytope(&s->polytope, 5e-7); // float: 6e-8 a coordinate of up to 1.9, three of them, doubled
        vs_shape_release(s);
    }
}

static void test_sizes_from_micrometres_to_megametres_and_far_away(void **state) {
    (void)state;
    vs_vec3 point[400], moved[400];
    const int count = sample_capsule(1, 1, 4, 12, point);
    vs_shape *plain = hull_of(point, count);
    for (int e = -20; e <= 20; e += 4) {
        const double scale = pow(10, e);
        for (int k = 0; k < count; k++)
            moved[k] = vs_scale(scale, vs_add(point[k], (vs_vec3){100, -200, 300}));
        vs_shape *s = hull_of(moved, count);
        assert_int_equal(s->polytope.faces, plain->polytope.faces);
        assert_memory_equal(s->polytope.face_vertex, plain->polytope.face_vertex,
                            (size_t)plain->polytope.edges * 2 * sizeof(int));
        check_polytope(&s->polytope, 2e-13 * scale); // rounding of coordinates of 300
        vs_shape_release(s);
    }
    vs_shape_release(plain);
}

static void test_thin_plates_and_needles_are_solids(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int round = 0; round < 100; round++) {
        vs_vec3 point[8];
        const vs_pose pose = random_pose(&seed, 1);
        cube_vertices(round % 2 ? (vs_vec3){1, 1, 4e-6} : (vs_vec3){1, 4e-6, 4e-6}, point);
        for (int k = 0; k < 8; k++)
            point[k] = vs_pose_apply(pose, point[k]);
        vs_shape *s = hull_of(point, 8);
        assert_int_equal(s->polytope.vertices, 8);
        vs_shape_release(s);
    }
}

// Vertices that move by t times their insets are those of the polytope whose faces have moved inwards by t.
static void check_insets(const vs_polytope *p, double tolerance) {
    for (int f = 0; f < p->faces; f++)
        for (int k = p->face_start[f]; k < p->face_start[f + 1]; k++)
            assert_close(vs_dot(p->normal[f], p->inset[p->face_vertex[k]]), -1, tolerance);
}

static void test_insets_move_all_faces_by_the_same(void **state) {
    (void)state;
    uint64_t seed = 11;
    vs_shape *box;
    assert_int_equal(vs_shape_box(context, (vs_vec3){10, 10, 5e-4}, &box), VS_OK);
    check_insets(&box->polytope, 0);
    vs_shape_release(box);
    for (int round = 0; round < 20; round++) {
        vs_vec3 point[8];
        const vs_pose pose = random_pose(&seed, 1);
        cube_vertices((vs_vec3){1, 1, pow(10, -4. * round / 19)}, point);
        for (int k = 0; k < 8; k++)
            point[k] = vs_pose_apply(pose, point[k]);
        vs_shape *s = hull_of(point, 8);
        check_insets(&s->polytope, 1e-9); // normals of plates of 1e-4 are rounded by as much
        vs_shape_release(s);
    }
    vs_vec3 cloud[60];
    for (int k = 0; k < 60; k++)
        cloud[k] = random_vec(&seed, 1);
    vs_shape *s = hull_of(cloud, 60);
    const double t = .5 * s->thickness;
    for (int k = 0; k < s->polytope.vertices; k++)
        for (int f = 0; f < s->polytope.faces; f++)
            assert_true(vs_dot(s->polytope.normal[f], vs_add_scaled(s->polytope.vertex[k], t, s->polytope.inset[k])) <=
                        s->polytope.offset[f]);
    vs_shape_release(s);
}

static void expect_data_error(const vs_vec3 *point, int count, const char *text) {
    vs_shape *s = NULL;
    assert_int_equal(vs_shape_hull(context, point, count, &s), VS_ERROR_DATA);
    assert_null(s);
    if (!strstr(vs_context_get_error_text(context), text))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), text);
}

static void test_flat_and_wild_points_are_refused_in_silence(void **state) {
    (void)state;
    vs_vec3 point[50];
    uint64_t seed = 10;
    const vs_pose pose = random_pose(&seed, 1);
    // Standard error goes into a file for a while: nothing may arrive there.
    FILE *caught = tmpfile();
    assert_non_null(caught);
    (void)fflush(stderr);
    const int before = dup(STDERR_FILENO);
    assert_true(dup2(fileno(caught), STDERR_FILENO) >= 0);
    for (int k = 0; k < 50; k++)
        point[k] = (vs_vec3){1, 2, 3};
    expect_data_error(point, 50, "the same");
    for (int k = 0; k < 50; k++)
        point[k] = vs_pose_apply(pose, (vs_vec3){random_unit(&seed), 0, 0});
    expect_data_error(point, 50, "on one line");
    for (int k = 0; k < 50; k++)
        point[k] = vs_pose_apply(pose, (vs_vec3){random_unit(&seed), random_unit(&seed), 0});
    expect_data_error(point, 50, "in one plane");
    expect_data_error(point, 4, "in one plane");
    point[17].y = NAN;
    expect_data_error(point, 50, "point[17]");
    point[17].y = INFINITY;
    expect_data_error(point, 50, "point[17]");
    point[17].y = 1e200;
    expect_data_error(point, 50, "point[17]");
    (void)fflush(stderr);
    (void)dup2(before, STDERR_FILENO);
    (void)close(before);
    (void)fseek(caught, 0, SEEK_END);
    assert_int_equal(ftell(caught), 0);
    (void)fclose(caught);
}

static void test_nearly_flat_points_are_refused_or_become_a_polytope(void **state) {
    (void)state;
    // Around the tolerances of merging and of flatness: whatever comes out holds its promises.
    enum { COUNT = 60 };
    uint64_t seed = 11;
    int made = 0;
    for (int round = 0; round < 400; round++) {
        vs_vec3 point[COUNT];
        const vs_pose pose = random_pose(&seed, 1);
        const double thickness = pow(10, -9 + 6 * random_unit(&seed));
        for (int k = 0; k < COUNT; k++) {
            vs_vec3 v = random_vec(&seed, 1);
            v.z *= thickness;
            point[k] = vs_pose_apply(pose, v);
        }
        vs_shape *s = NULL;
        const vs_error error = vs_shape_hull(context, point, COUNT, &s);
        if (error) {
            assert_int_equal(error, VS_ERROR_DATA);
            assert_true(strlen(vs_context_get_error_text(context)) > 0);
            assert_true(thickness < 1e-5);
            continue;
        }
        made++;
        assert_int_equal(s->polytope.vertices - s->polytope.edges + s->polytope.faces, 2);
        vs_shape_release(s);
    }
    assert_true(made > 150); // thickness above 1e-6 in half of the rounds
}

static void test_same_points_give_the_same_bits(void **state) {
    (void)state;
    enum { COUNT = 500 };
    vs_vec3 point[COUNT];
    uint64_t seed = 12;
    for (int k = 0; k < COUNT; k++) {
        const vs_vec3 v = random_vec(&seed, 1);
        point[k] = (vs_vec3){round(8 * v.x), round(8 * v.y), round(8 * v.z)};
    }
    vs_shape *a = hull_of(point, COUNT);
    void *disturbance = malloc(12345); // other addresses
    vs_shape *b = hull_of(point, COUNT);
    free(disturbance);
    const vs_polytope *p = &a->polytope, *q = &b->polytope;
    assert_int_equal(p->faces, q->faces);
    assert_int_equal(p->edges, q->edges);
    assert_memory_equal(p->face_vertex, q->face_vertex, (size_t)p->edges * 2 * sizeof(int));
    assert_memory_equal(p->edge, q->edge, (size_t)p->edges * 4 * sizeof(int));
    assert_memory_equal(p->normal, q->normal, (size_t)p->faces * sizeof(vs_vec3));
    vs_shape_release(a);
    vs_shape_release(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_box_is_a_polytope, begin, end),
        cmocka_unit_test_setup_teardown(test_hull_of_a_cube_drops_inner_points_and_merges_triangles, begin, end),
        cmocka_unit_test_setup_teardown(test_hull_of_an_icosahedron, begin, end),
        cmocka_unit_test_setup_teardown(test_hull_of_a_dodecahedron_has_pentagons, begin, end),
        cmocka_unit_test_setup_teardown(test_hull_of_a_capsule_keeps_all_samples, begin, end),
        cmocka_unit_test_setup_teardown(test_random_points_give_polytopes_that_contain_them_all, begin, end),
        cmocka_unit_test_setup_teardown(test_rounding_to_float_does_not_split_faces, begin, end),
        cmocka_unit_test_setup_teardown(test_sizes_from_micrometres_to_megametres_and_far_away, begin, end),
        cmocka_unit_test_setup_teardown(test_thin_plates_and_needles_are_solids, begin, end),
        cmocka_unit_test_setup_teardown(test_insets_move_all_faces_by_the_same, begin, end),
        cmocka_unit_test_setup_teardown(test_flat_and_wild_points_are_refused_in_silence, begin, end),
        cmocka_unit_test_setup_teardown(test_nearly_flat_points_are_refused_or_become_a_polytope, begin, end),
        cmocka_unit_test_setup_teardown(test_same_points_give_the_same_bits, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
