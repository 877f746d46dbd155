// Triangles: queries find exactly what looking at all of them finds; bad meshes are refused by name.
#include "counted.h"

// ---- queries ---------------------------------------------------------------------------------------

typedef struct visits {
    int *times; // (triangles)
    int count, stop_after;
} visits;

static bool visit(void *user, int triangle) {
    visits *v = user;
    v->times[triangle]++;
    return ++v->count != v->stop_after;
}

static bool meets(const vs_triangles *t, int triangle, vs_box3 box) {
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 3; c++) {
            const double x = vs_component(t->vertex[t->index[3 * triangle + c]], axis);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (low > vs_component(box.high, axis) || high < vs_component(box.low, axis))
            return false;
    }
    return true;
}

// A query gives each triangle whose box meets, once, and no other one.
static int compare_with_all(const vs_triangles *t, vs_box3 box) {
    visits v = {.times = calloc((size_t)t->triangles, sizeof(int))};
    assert_non_null(v.times);
    vs_triangles_query(t, box, visit, &v);
    for (int k = 0; k < t->triangles; k++)
        assert_int_equal(v.times[k], meets(t, k, box));
    free(v.times);
    return v.count;
}

static void test_queries_agree_with_looking_at_all(void **state) {
    (void)state;
    enum { MOST = 2000 };
    static vs_vec3 vertex[3 * MOST];
    static int index[3 * MOST];
    uint64_t seed = 1;
    for (int triangles = 1; triangles <= MOST; triangles = triangles * 2 + 1) {
        for (int k = 0; k < triangles; k++) {
            const vs_vec3 at = random_vec(&seed, 1);
            for (int c = 0; c < 3; c++) {
                vertex[3 * k + c] = vs_add_scaled(at, .1, random_vec(&seed, 1));
                index[3 * k + c] = 3 * k + c;
            }
        }
        vs_shape *s;
        assert_int_equal(vs_shape_mesh(context, vertex, 3 * triangles, index, triangles, &s), VS_OK);
        int found = 0;
        for (int round = 0; round < 100; round++) {
            const vs_vec3 at = random_vec(&seed, 1), r = {.5 * random_unit(&seed), .5 * random_unit(&seed), .5};
            found += compare_with_all(&s->triangles, (vs_box3){vs_subtract(at, r), vs_add(at, r)});
        }
        assert_true(triangles < 100 || found > 100);
        assert_int_equal(compare_with_all(&s->triangles, s->bounds), triangles);
        // A box that only touches meets; one that is a hair away does not.
        vs_box3 touching = {{s->bounds.high.x, -9, -9}, {9, 9, 9}};
        assert_true(compare_with_all(&s->triangles, touching) >= 1);
        touching.low.x = nextafter(touching.low.x, 9);
        assert_int_equal(compare_with_all(&s->triangles, touching), 0);
        vs_shape_release(s);
    }
}

static void test_a_visit_can_stop_the_query(void **state) {
    (void)state;
    static const double height[100];
    vs_shape *s;
    assert_int_equal(vs_shape_height_field(context, 10, 10, 1, 1, height, &s), VS_OK);
    int times[162] = {0};
    visits v = {.times = times, .stop_after = 5};
    vs_triangles_query(&s->triangles, s->bounds, visit, &v);
    assert_int_equal(v.count, 5);
    vs_shape_release(s);
}

static void test_equal_and_geometrically_shrinking_triangles_make_a_tree(void **state) {
    (void)state;
    // Neither can be separated in the middle; the depth must nevertheless stay small.
    enum { COUNT = 900 };
    static vs_vec3 vertex[3 * COUNT];
    static int index[3 * COUNT];
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < COUNT; k++) {
            const double s = kind == 0 ? 1 : exp(-.07 * k);
            vertex[3 * k] = (vs_vec3){s, 0, 0};
            vertex[3 * k + 1] = (vs_vec3){2 * s, 0, 0};
            vertex[3 * k + 2] = (vs_vec3){s, s, s};
        }
        for (int k = 0; k < 3 * COUNT; k++)
            index[k] = k;
        vs_shape *s;
        assert_int_equal(vs_shape_mesh(context, vertex, 3 * COUNT, index, COUNT, &s), VS_OK);
        (void)compare_with_all(&s->triangles, (vs_box3){{0, 0, 0}, {1e-9, 1, 1}});
        assert_int_equal(compare_with_all(&s->triangles, s->bounds), COUNT);
        vs_shape_release(s);
    }
}

static void test_the_same_mesh_gives_the_same_order(void **state) {
    (void)state;
    double height[400];
    uint64_t seed = 3;
    for (int k = 0; k < 400; k++)
        height[k] = random_unit(&seed);
    vs_shape *a, *b;
    assert_int_equal(vs_shape_height_field(context, 20, 20, .1, .1, height, &a), VS_OK);
    assert_int_equal(vs_shape_height_field(context, 20, 20, .1, .1, height, &b), VS_OK);
    assert_int_equal(a->triangles.nodes, b->triangles.nodes);
    assert_memory_equal(a->triangles.order, b->triangles.order, (size_t)a->triangles.triangles * sizeof(int));
    vs_shape_release(a);
    vs_shape_release(b);
}

// ---- height fields ---------------------------------------------------------------------------------

static void test_height_field_has_two_triangles_a_cell_that_look_up(void **state) {
    (void)state;
    enum { NX = 7, NY = 4 };
    double height[NX * NY], area = 0;
    uint64_t seed = 4;
    for (int k = 0; k < NX * NY; k++)
        height[k] = random_unit(&seed);
    vs_shape *s;
    assert_int_equal(vs_shape_height_field(context, NX, NY, .5, .25, height, &s), VS_OK);
    const vs_triangles *t = &s->triangles;
    assert_int_equal(t->triangles, 2 * (NX - 1) * (NY - 1));
    assert_int_equal(t->vertices, NX * NY);
    for (int k = 0; k < t->triangles; k++) {
        const vs_vec3 a = t->vertex[t->index[3 * k]], b = t->vertex[t->index[3 * k + 1]];
        const vs_vec3 c = t->vertex[t->index[3 * k + 2]], n = vs_cross(vs_subtract(b, a), vs_subtract(c, a));
        assert_true(n.z > 0);
        area += .5 * n.z;
    }
    // They cover the ground once: sums of exact numbers.
    assert_close(area, (NX - 1) * .5 * (NY - 1) * .25, 0);
    assert_vec(t->vertex[2 * NX + 3], ((vs_vec3){1.5, .5, height[2 * NX + 3]}), 0);
    assert_close(s->bounds.high.x, 3, 0);
    assert_close(s->bounds.high.y, .75, 0);
    vs_shape_release(s);
}

// ---- what is refused -------------------------------------------------------------------------------

static void expect_text(const char *text) {
    if (!strstr(vs_context_get_error_text(context), text))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), text);
}

static void test_bad_meshes_are_refused_by_name(void **state) {
    (void)state;
    vs_vec3 vertex[8];
    int index[36];
    vs_shape *s = NULL;
    cube_vertices((vs_vec3){1, 1, 1}, vertex);
    memcpy(index, CUBE_TRIANGLES, sizeof index);
    index[7] = 8;
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, 12, &s), VS_ERROR_DATA);
    expect_text("triangle 2: there is no vertex 8");
    index[7] = -1;
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, 12, &s), VS_ERROR_DATA);
    index[7] = index[6];
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, 12, &s), VS_ERROR_DATA);
    expect_text("triangle 2 (1, 1, 7) has no area");
    index[7] = CUBE_TRIANGLES[7];
    vertex[5].z = NAN;
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, 12, &s), VS_ERROR_DATA);
    expect_text("vertex[5]");
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, 0, &s), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_shape_mesh(context, vertex, 8, index, -1, &s), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_shape_mesh(context, vertex, 2, index, 1, &s), VS_ERROR_ARGUMENT);
    assert_null(s);
}

static void test_bad_height_fields_are_refused_by_name(void **state) {
    (void)state;
    double height[6] = {0, 0, 0, 0, INFINITY, 0};
    vs_shape *s = NULL;
    assert_int_equal(vs_shape_height_field(context, 3, 2, 1, 1, height, &s), VS_ERROR_DATA);
    expect_text("height[4] (i = 1, j = 1)");
    assert_int_equal(vs_shape_height_field(context, 3, 1, 1, 1, height, &s), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_shape_height_field(context, 3, 2, 1, -1, height, &s), VS_ERROR_ARGUMENT);
    expect_text("dy");
    // Refused before anything is read or counted: the product overflows an int.
    assert_int_equal(vs_shape_height_field(context, 100000, 100000, 1, 1, height, &s), VS_ERROR_ARGUMENT);
    expect_text("too large");
    assert_null(s);
}

static void test_bounds_do_not_count_unused_vertices(void **state) {
    (void)state;
    const vs_vec3 vertex[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {50, 50, 50}};
    const int index[3] = {0, 1, 2};
    vs_shape *s;
    assert_int_equal(vs_shape_mesh(context, vertex, 4, index, 1, &s), VS_OK);
    assert_vec(s->bounds.high, ((vs_vec3){1, 1, 0}), 0);
    assert_close(s->size, 1, 0);
    // At a pose, the turned box: quarter turn about z.
    const vs_pose pose = {{0, 0, 5}, vs_quat_exp((vs_vec3){0, 0, 1.5707963267948966})};
    const vs_box3 box = vs_shape_bounds(s, pose, 0);
    assert_vec(box.low, ((vs_vec3){-1, 0, 5}), 1e-15); // rounding of the turn
    assert_vec(box.high, ((vs_vec3){0, 1, 5}), 1e-15);
    vs_shape_release(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_queries_agree_with_looking_at_all, begin, end),
        cmocka_unit_test_setup_teardown(test_a_visit_can_stop_the_query, begin, end),
        cmocka_unit_test_setup_teardown(test_equal_and_geometrically_shrinking_triangles_make_a_tree, begin, end),
        cmocka_unit_test_setup_teardown(test_the_same_mesh_gives_the_same_order, begin, end),
        cmocka_unit_test_setup_teardown(test_height_field_has_two_triangles_a_cell_that_look_up, begin, end),
        cmocka_unit_test_setup_teardown(test_bad_meshes_are_refused_by_name, begin, end),
        cmocka_unit_test_setup_teardown(test_bad_height_fields_are_refused_by_name, begin, end),
        cmocka_unit_test_setup_teardown(test_bounds_do_not_count_unused_vertices, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
