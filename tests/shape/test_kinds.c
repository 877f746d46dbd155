// The table of kinds of shapes: complete rows, frozen numbers, and surfaces for drawing.
#include <stdlib.h>
#include <string.h>

#include "shape/mass.h"
#include "shapes.h"

static vs_context *context;

static int begin(void **state) {
    (void)state;
    return vs_context_create(NULL, &context) ? -1 : 0;
}

static int end(void **state) {
    (void)state;
    vs_context_destroy(context);
    return 0;
}

// One shape of each kind; meshes are closed.
static void make_all(vs_shape *shape[VS_SHAPE_KINDS]) {
    vs_vec3 corner[8];
    const double height[6] = {0, .1, 0, .2, 0, .1};
    cube_vertices((vs_vec3){.3, .4, .5}, corner);
    assert_int_equal(vs_shape_sphere(context, .3, &shape[VS_SHAPE_SPHERE]), VS_OK);
    assert_int_equal(vs_shape_box(context, (vs_vec3){.3, .4, .5}, &shape[VS_SHAPE_BOX]), VS_OK);
    assert_int_equal(vs_shape_capsule(context, .3, .5, &shape[VS_SHAPE_CAPSULE]), VS_OK);
    assert_int_equal(vs_shape_cylinder(context, .3, .5, &shape[VS_SHAPE_CYLINDER]), VS_OK);
    assert_int_equal(vs_shape_ellipsoid(context, (vs_vec3){.3, .4, .5}, &shape[VS_SHAPE_ELLIPSOID]), VS_OK);
    assert_int_equal(vs_shape_hull(context, corner, 8, &shape[VS_SHAPE_HULL]), VS_OK);
    assert_int_equal(vs_shape_plane(context, &shape[VS_SHAPE_PLANE]), VS_OK);
    assert_int_equal(vs_shape_mesh(context, corner, 8, CUBE_TRIANGLES, 12, &shape[VS_SHAPE_MESH]), VS_OK);
    assert_int_equal(vs_shape_height_field(context, 3, 2, .1, .1, height, &shape[VS_SHAPE_HEIGHT_FIELD]), VS_OK);
    for (int k = 0; k < VS_SHAPE_KINDS; k++)
        assert_int_equal(vs_shape_get_kind(shape[k]), k);
}

static void release_all(vs_shape *shape[VS_SHAPE_KINDS]) {
    for (int k = 0; k < VS_SHAPE_KINDS; k++)
        vs_shape_release(shape[k]);
}

static vs_shape_surface take_surface(const vs_shape *shape) {
    vs_shape_surface s = {0};
    assert_int_equal(vs_shape_get_surface(shape, &s), VS_OK);
    const vs_shape_surface counts = s;
    s.vertex = calloc((size_t)s.vertices + 1, sizeof *s.vertex);
    s.normal = calloc((size_t)s.vertices + 1, sizeof *s.normal);
    s.triangle = calloc(3 * (size_t)s.triangles + 1, sizeof *s.triangle);
    assert_true(s.vertex && s.normal && s.triangle);
    assert_int_equal(vs_shape_get_surface(shape, &s), VS_OK);
    assert_int_equal(s.vertices, counts.vertices);
    assert_int_equal(s.triangles, counts.triangles);
    return s;
}

static void drop_surface(vs_shape_surface *s) {
    free(s->vertex);
    free(s->normal);
    free(s->triangle);
}

// ---- rows ------------------------------------------------------------------------------------------

static void every_kind_has_a_complete_row_with_a_name_of_its_own(void **state) {
    (void)state;
    for (int k = 0; k < VS_SHAPE_KINDS; k++) {
        const vs_shape_class *c = VS_SHAPE_CLASS[k];
        const bool convex = c->family == VS_FAMILY_CONVEX;
        assert_true(c->name && c->bounds && c->mass && c->ray && c->surface);
        assert_true(convex == (c->support && c->core));
        assert_true(!convex || c->polytope == !c->core_support);
        assert_true(c->bounds != vs_bounds_symmetric || c->reach);
        assert_true((c->discs > 0) == (c->disc && c->height));
        for (int i = 0; i < k; i++)
            assert_string_not_equal(c->name, VS_SHAPE_CLASS[i]->name);
    }
}

// Trajectories of earlier versions hold these numbers.
static void numbers_of_kinds_are_those_in_files(void **state) {
    (void)state;
    static const char *const name[] = {"sphere", "box",   "capsule", "cylinder",    "ellipsoid",
                                       "hull",   "plane", "mesh",    "height_field"};
    for (int k = 0; k < 9; k++)
        assert_string_equal(VS_SHAPE_CLASS[k]->name, name[k]);
}

static void core_and_layer_give_the_support_of_the_shape(void **state) {
    (void)state;
    vs_shape *shape[VS_SHAPE_KINDS];
    uint64_t seed = 5;
    make_all(shape);
    for (int k = 0; k < VS_SHAPE_KINDS; k++) {
        const vs_shape_class *c = VS_SHAPE_CLASS[k];
        if (c->family != VS_FAMILY_CONVEX || c->polytope)
            continue;
        const vs_core core = c->core(shape[k]);
        for (int round = 0; round < 100; round++) {
            const vs_vec3 d = vs_normalize(random_vec(&seed, 1));
            const double reach = vs_dot(d, c->core_support(shape[k], d, 0)) + core.radius;
            assert_close(reach, vs_dot(d, vs_shape_support(shape[k], d)), 1e-15); // rounding of lengths below 1
            assert_true(vs_length(c->core_support(shape[k], d, 0)) <= core.arm * (1 + 1e-15));
        }
    }
    release_all(shape);
}

// ---- surfaces --------------------------------------------------------------------------------------

// Triangles around a turn are 32: the area of the polygon is sin(2 pi / 32) / (2 pi / 32) = 0.9936 of the circle's, and 16
// rows of a ball take about as much again.
static const double COARSE = .98;

static void surfaces_of_solids_are_closed_and_hold_their_volume(void **state) {
    (void)state;
    vs_shape *shape[VS_SHAPE_KINDS];
    make_all(shape);
    for (int k = 0; k < VS_SHAPE_KINDS; k++) {
        if (VS_SHAPE_CLASS[k]->fixed)
            continue;
        vs_shape_surface s = take_surface(shape[k]);
        vs_moments m = vs_moments_about(&shape[k]->bounds);
        vs_vec3 area = VS_ZERO3;
        for (int t = 0; t < s.triangles; t++) {
            const vs_vec3 a = s.vertex[s.triangle[3 * t]], b = s.vertex[s.triangle[3 * t + 1]],
                          c = s.vertex[s.triangle[3 * t + 2]];
            vs_moments_add(&m, a, b, c);
            area = vs_add(area, vs_cross(vs_subtract(b, a), vs_subtract(c, a)));
        }
        vs_mass_properties whole;
        assert_int_equal(vs_shape_get_mass(shape[k], 1, &whole), VS_OK);
        assert_vec(area, VS_ZERO3, 1e-13); // rounding of a thousand areas below 0.1
        assert_true(m.volume / 6 <= whole.mass * (1 + 1e-14) && m.volume / 6 >= COARSE * whole.mass);
        assert_true(s.smooth || fabs(m.volume / 6 - whole.mass) <= 1e-14);
        drop_surface(&s);
    }
    release_all(shape);
}

static void vertices_lie_on_the_shape_and_their_normals_support_it(void **state) {
    (void)state;
    vs_shape *shape[VS_SHAPE_KINDS];
    make_all(shape);
    for (int k = 0; k < VS_SHAPE_KINDS; k++) {
        vs_shape_surface s = take_surface(shape[k]);
        for (int i = 0; i < s.vertices && s.smooth; i++) {
            assert_close(vs_length(s.normal[i]), 1, 1e-15);
            // the farthest point along the normal is as far as the vertex
            assert_close(vs_dot(s.normal[i], s.vertex[i]), vs_dot(s.normal[i], vs_shape_support(shape[k], s.normal[i])),
                         1e-15);
        }
        drop_surface(&s);
    }
    release_all(shape);
}

static void a_plane_has_no_triangles_and_null_arguments_are_refused(void **state) {
    (void)state;
    vs_shape *plane;
    vs_shape_surface s = {.vertices = 7, .triangles = 7};
    assert_int_equal(vs_shape_plane(context, &plane), VS_OK);
    assert_int_equal(vs_shape_get_surface(plane, &s), VS_OK);
    assert_int_equal(s.vertices, 0);
    assert_int_equal(s.triangles, 0);
    assert_int_equal(vs_shape_get_surface(plane, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_shape_get_surface(NULL, &s), VS_ERROR_ARGUMENT);
    vs_shape_release(plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_complete_row_with_a_name_of_its_own),
        cmocka_unit_test(numbers_of_kinds_are_those_in_files),
        cmocka_unit_test(core_and_layer_give_the_support_of_the_shape),
        cmocka_unit_test(surfaces_of_solids_are_closed_and_hold_their_volume),
        cmocka_unit_test(vertices_lie_on_the_shape_and_their_normals_support_it),
        cmocka_unit_test(a_plane_has_no_triangles_and_null_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
