// Decomposition into hulls: the volume error is that reported, hulls cover the solid and do not overlap, the same mesh
// gives the same parts, and errors are named.
#include <string.h>

#include "kit/solids.h"
#include "shapes.h"

enum { PARTS = 32 };

typedef struct parts {
    vs_shape *part[PARTS];
    int count;
    double error;
} parts;

static parts decompose(const vs_shape *mesh, double error, int most) {
    parts p = {.count = 0};
    assert_int_equal(vs_shape_decompose(mesh, &(vs_decompose_options){error, most}, p.part, &p.count, &p.error), VS_OK);
    assert_in_range(p.count, 1, most);
    return p;
}

static void release(parts *p) {
    for (int k = 0; k < p->count; k++)
        vs_shape_release(p->part[k]);
}

static double volume_of(const vs_shape *shape) {
    vs_mass_properties mass;
    assert_int_equal(vs_shape_get_mass(shape, 1, &mass), VS_OK);
    return mass.mass;
}

static double height_over(const vs_shape *hull, vs_vec3 x) {
    double height = -INFINITY;
    for (int k = 0; k < hull->polytope.faces; k++)
        height = fmax(height, vs_dot(hull->polytope.normal[k], x) - hull->polytope.offset[k]);
    return height;
}

// Every vertex and every middle of a triangle is in a hull, no random point is inside two, and volumes add up.
static void check(const vs_shape *mesh, const parts *p) {
    double sum = 0;
    const vs_triangles *t = &mesh->triangles;
    for (int k = 0; k < p->count; k++)
        sum += volume_of(p->part[k]);
    assert_close(sum / volume_of(mesh) - 1, p->error, 1e-9); // points are snapped to cuts to 1e-9 of the size
    for (int k = 0; k < t->triangles; k++) {
        vs_vec3 x = VS_ZERO3;
        for (int i = 0; i < 3; i++)
            x = vs_add_scaled(x, 1. / 3, t->vertex[t->index[3 * k + i]]);
        double least = INFINITY;
        for (int i = 0; i < p->count; i++)
            least = fmin(least, height_over(p->part[i], x));
        assert_below(least, 1e-8);
    }
    uint64_t seed = 5;
    for (int k = 0; k < 2000; k++) {
        const vs_vec3 x = random_vec(&seed, mesh->size);
        int inside = 0;
        for (int i = 0; i < p->count; i++)
            inside += height_over(p->part[i], x) < -1e-8;
        assert_in_range(inside, 0, 1);
    }
}

// An angle, a cross and a U of boxes fall apart into boxes without error.
static void test_solids_of_boxes_fall_apart_exactly(void **state) {
    vs_context *context = *state;
    static const double u[8][2] = {{-3, -2}, {3, -2}, {3, 2}, {2, 2}, {2, -1}, {-2, -1}, {-2, 2}, {-3, 2}};
    static const int cap[6][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}};
    vs_shape *mesh = prism(context, u, 8, cap, 1);
    parts p = decompose(mesh, 1e-6, PARTS);
    assert_int_equal(p.count, 3);
    assert_below(fabs(p.error), 1e-9);
    check(mesh, &p);
    release(&p);
    vs_shape_release(mesh);
}

static void test_torus_is_covered_to_the_error_in_parts(void **state) {
    vs_shape *mesh = torus_mesh(*state, 1, .3, 16, 6);
    double before = INFINITY;
    const int most[] = {1, 4, 8};
    for (int k = 0; k < 3; k++) {
        parts p = decompose(mesh, 1e-3, most[k]);
        assert_int_equal(p.count, most[k]); // 0.1 % is out of reach
        assert_true(p.error < .7 * before);
        before = p.error;
        check(mesh, &p);
        release(&p);
    }
    parts p = decompose(mesh, .2, PARTS);
    assert_true(p.error <= .2 && p.count < PARTS);
    release(&p);
    vs_shape_release(mesh);
}

static void test_same_mesh_gives_the_same_parts(void **state) {
    vs_shape *mesh = torus_mesh(*state, 1, .3, 12, 6);
    parts p = decompose(mesh, .1, 8), q = decompose(mesh, .1, 8);
    assert_int_equal(p.count, q.count);
    for (int k = 0; k < p.count; k++) {
        assert_int_equal(p.part[k]->polytope.vertices, q.part[k]->polytope.vertices);
        assert_memory_equal(p.part[k]->polytope.vertex, q.part[k]->polytope.vertex,
                            sizeof(vs_vec3) * (size_t)p.part[k]->polytope.vertices);
    }
    release(&p);
    release(&q);
    vs_shape_release(mesh);
}

static void test_convex_mesh_is_one_part(void **state) {
    static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const int cap[2][3] = {{0, 1, 2}, {0, 2, 3}};
    vs_shape *mesh = prism(*state, square, 4, cap, 2);
    parts p = decompose(mesh, 0, PARTS);
    assert_int_equal(p.count, 1);
    release(&p);
    vs_shape_release(mesh);
}

static void count_warnings(void *user, vs_log_level level, const char *text) {
    *(int *)user += level == VS_LOG_WARNING && strstr(text, "stops at") && strstr(text, "simplify the mesh");
}

// A fine ring that asks for the exact volume in as many hulls as there may be would take minutes; a small part of the bound of
// work does what it can, tells, and still covers the ring. The same every time, and less work never gives a smaller error.
static void test_work_is_bounded(void **state) {
    (void)state;
    enum { MOST = 4096 };
    int told = 0;
    vs_context *context = NULL;
    vs_context_def def = vs_context_def_default();
    def.log = count_warnings;
    def.log_user = &told;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    vs_shape *mesh = torus_mesh(context, 1, .3, 50, 8);
    static vs_shape *part[MOST];
    vs_decomposed result[3];
    const double work[3] = {4e-3, 4e-3, 1e-3};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(vs_decompose(mesh, &(vs_decompose_options){0, MOST}, work[k], part, &result[k]), VS_OK);
        assert_int_equal(told, k + 1);
        double sum = 0;
        for (int i = 0; i < result[k].parts; i++) {
            sum += volume_of(part[i]);
            vs_shape_release(part[i]);
        }
        assert_close(sum / volume_of(mesh) - 1, result[k].error, 1e-9);
    }
    assert_int_equal(result[0].parts, result[1].parts);
    assert_true(result[0].error == result[1].error);
    assert_in_range(result[2].parts, 1, result[0].parts);
    assert_true(result[2].error >= result[0].error);
    vs_shape_release(mesh);
    vs_context_destroy(context);
}

static void test_errors_are_named(void **state) {
    vs_context *context = *state;
    vs_shape *mesh = torus_mesh(context, 1, .3, 12, 6), *part[PARTS], *ball = NULL, *open = NULL;
    const vs_vec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const int one[3] = {0, 1, 2};
    int count;
    assert_int_equal(vs_shape_sphere(context, 1, &ball), VS_OK);
    assert_int_equal(vs_shape_mesh(context, corner, 3, one, 1, &open), VS_OK);
    const struct {
        const vs_shape *shape;
        vs_decompose_options options;
        vs_error error;
        const char *text;
    } wrong[] = {{ball, {.01, 8}, VS_ERROR_UNSUPPORTED, "only meshes"},
                 {open, {.01, 8}, VS_ERROR_UNSUPPORTED, "open mesh"},
                 {mesh, {-1, 8}, VS_ERROR_ARGUMENT, "error must not be negative (is -1)"},
                 {mesh, {NAN, 8}, VS_ERROR_ARGUMENT, "error must not be negative"},
                 {mesh, {.01, 0}, VS_ERROR_ARGUMENT, "parts must be 1 to 4096 (is 0)"},
                 {mesh, {.01, 4097}, VS_ERROR_ARGUMENT, "parts must be 1 to 4096"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(vs_shape_decompose(wrong[k].shape, &wrong[k].options, part, &count, NULL), wrong[k].error);
        assert_non_null(strstr(vs_context_get_error_text(context), wrong[k].text));
        assert_int_equal(count, 0);
    }
    assert_int_equal(vs_shape_decompose(mesh, NULL, part, NULL, NULL), VS_ERROR_ARGUMENT);
    vs_shape_release(mesh);
    vs_shape_release(ball);
    vs_shape_release(open);
}

static vs_error decompose_torus(void *user) {
    vs_shape *part[PARTS];
    int count = 0;
    const vs_error error = vs_shape_decompose(user, &(vs_decompose_options){.05, 2}, part, &count, NULL);
    for (int k = 0; k < count; k++)
        vs_shape_release(part[k]);
    return error;
}

static void test_refused_allocations_are_errors_without_leaks(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_shape *mesh = torus_mesh(context, 1, .3, 3, 3);
    // Every 101st of some thousand.
    int refused = 0;
    for (bool more = true; more; refused++) {
        refuse_call(&m, 101 * refused);
        const vs_error error = decompose_torus(mesh);
        more = was_refused(&m);
        assert_int_equal(error, more ? VS_ERROR_MEMORY : VS_OK);
        refuse_none(&m);
    }
    assert_true(refused > 5);
    vs_shape_release(mesh);
    end_context(context, &m);
}

static int make(void **state) {
    return vs_context_create(NULL, (vs_context **)state) != VS_OK;
}

static int unmake(void **state) {
    vs_context_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solids_of_boxes_fall_apart_exactly),
        cmocka_unit_test(test_torus_is_covered_to_the_error_in_parts),
        cmocka_unit_test(test_same_mesh_gives_the_same_parts),
        cmocka_unit_test(test_convex_mesh_is_one_part),
        cmocka_unit_test(test_work_is_bounded),
        cmocka_unit_test(test_errors_are_named),
        cmocka_unit_test(test_refused_allocations_are_errors_without_leaks),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
