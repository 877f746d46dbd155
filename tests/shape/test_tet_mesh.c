// Meshes of tetrahedra: solids have the right volume, surface and shape; what does not fit together is refused and
// named.
#include <stdio.h>

#include "counted.h"
#include "meshes.h"

static const double PI = 3.14159265358979323846;

static vs_mesh *box(int nx, int ny, int nz, int nodes) {
    const int cells[3] = {nx, ny, nz};
    vs_mesh *mesh = NULL;
    if (vs_mesh_box(context, (vs_vec3){.5, 1, 1.5}, cells, nodes, &mesh))
        fail_msg("%s", vs_context_get_error_text(context));
    return mesh;
}

static vs_mesh *cylinder(int rings, int layers, int nodes) {
    const int cells[2] = {rings, layers};
    vs_mesh *mesh = NULL;
    if (vs_mesh_cylinder(context, 2, 1.5, cells, nodes, &mesh))
        fail_msg("%s", vs_context_get_error_text(context));
    return mesh;
}

static vs_mesh *sphere(int cells, int nodes) {
    vs_mesh *mesh = NULL;
    if (vs_mesh_sphere(context, 2, cells, nodes, &mesh))
        fail_msg("%s", vs_context_get_error_text(context));
    return mesh;
}

static vs_mesh_quality quality(const vs_mesh *mesh) {
    vs_mesh_quality q;
    assert_int_equal(vs_mesh_get_quality(mesh, &q), VS_OK);
    return q;
}

// ---- solids ----------------------------------------------------------------------------------------

static void check_solid(vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    const vs_mesh_quality q = quality(mesh);
    check_conforming(mesh);
    check_surface(mesh);
    check_lists(mesh);
    check_edges(mesh);
    assert_int_equal(q.euler, 2);
    assert_int_equal(q.parts, 1);
    assert_close(q.volume, v.volume, 0);
    for (int k = 0; k < v.faces; k++) // convex, about the origin
        assert_true(vs_dot(face_area(&v, k), face_centre(&v, k)) > 0);
    vs_mesh_destroy(mesh);
}

static void test_solids_are_conforming_with_a_closed_surface_that_faces_out(void **state) {
    (void)state;
    for (int nodes = 4; nodes <= 10; nodes += 6) {
        check_solid(box(1, 1, 1, nodes));
        check_solid(box(3, 2, 4, nodes));
        check_solid(cylinder(1, 1, nodes));
        check_solid(cylinder(2, 3, nodes));
        check_solid(sphere(1, nodes));
        check_solid(sphere(2, nodes));
    }
}

static void test_a_box_has_its_volume_and_bounds(void **state) {
    (void)state;
    for (int nodes = 4; nodes <= 10; nodes += 6) {
        vs_mesh *mesh = box(5, 3, 2, nodes);
        const vs_mesh_view v = vs_mesh_get_view(mesh);
        assert_close(v.volume, 6, 1e-13); // terms are off by 1e-15 each: differences of coordinates
        assert_vec(v.low, ((vs_vec3){-.5, -1, -1.5}), 0);
        assert_vec(v.high, ((vs_vec3){.5, 1, 1.5}), 0);
        assert_int_equal(v.elements, 6 * 30);
        assert_int_equal(v.vertices, nodes == 4 ? 6 * 4 * 3 : 11 * 7 * 5); // Kuhn's middles are the grid's
        assert_int_equal(v.faces, 2 * 2 * (15 + 10 + 6));
        vs_mesh_destroy(mesh);
    }
}

// Order of convergence of a volume from n to 2 n cells.
static double order(double coarse, double fine, double exact) {
    return log2(fabs(coarse - exact) / fabs(fine - exact));
}

static double volume_of(vs_mesh *mesh) {
    const double volume = vs_mesh_get_view(mesh).volume;
    vs_mesh_destroy(mesh);
    return volume;
}

static void test_curved_volumes_converge_with_order_2_and_with_middle_nodes_4(void **state) {
    (void)state;
    const double ball = 4. / 3 * PI * 8, rod = PI * 4 * 3;
    // The measured orders differ from 2 and 4 by the next term of the series, h^2 relative: below 0.05 here.
    assert_close(order(volume_of(sphere(4, 4)), volume_of(sphere(8, 4)), ball), 2, .05);
    assert_close(order(volume_of(sphere(4, 10)), volume_of(sphere(8, 10)), ball), 4, .05);
    assert_close(order(volume_of(cylinder(4, 2, 4)), volume_of(cylinder(8, 2, 4)), rod), 2, .05);
    assert_close(order(volume_of(cylinder(4, 2, 10)), volume_of(cylinder(8, 2, 10)), rod), 4, .05);
    // An inscribed polyhedron is smaller. One of 8 cells: area and volume are off by about h^2 / 4 with h = pi / 16.
    assert_true(volume_of(sphere(8, 4)) < ball);
    assert_close(volume_of(sphere(8, 4)), ball, .01 * ball);
    assert_close(volume_of(sphere(8, 10)), ball, 1e-5 * ball);
}

static void test_middle_nodes_of_a_curved_surface_lie_on_it(void **state) {
    (void)state;
    vs_mesh *mesh = sphere(3, 10);
    vs_mesh_set set = find_set(mesh, VS_MESH_SET_VERTICES, "surface");
    vs_mesh_view v = vs_mesh_get_view(mesh);
    assert_int_equal(set.count, v.surface_vertices);
    for (int k = 0; k < set.count; k++) {
        assert_int_equal(set.item[k], v.surface_vertex[k]);
        assert_close(vs_length(v.vertex[set.item[k]]), 2, 1e-15);
    }
    vs_mesh_destroy(mesh);
    mesh = cylinder(3, 2, 10);
    set = find_set(mesh, VS_MESH_SET_VERTICES, "side");
    v = vs_mesh_get_view(mesh);
    assert_int_equal(set.count, 48 * 5); // 24 cells round and 2 high, with middles
    for (int k = 0; k < set.count; k++)
        assert_close(hypot(v.vertex[set.item[k]].x, v.vertex[set.item[k]].y), 2, 1e-15);
    vs_mesh_destroy(mesh);
}

static void test_solids_are_well_shaped_at_any_resolution(void **state) {
    (void)state;
    const double degree = PI / 180;
    for (int n = 1; n <= (VS_SHORT ? 8 : 16); n += n) {
        vs_mesh *mesh = sphere(n, 4);
        vs_mesh_quality q = quality(mesh);
        // The worst angles are those where three faces of the cube meet. They tend to 29.05 and 114.5 degrees.
        assert_true(q.dihedral_least > 29 * degree && q.dihedral_most < 115 * degree);
        assert_true(q.radius_ratio > .6 && q.radius_ratio_mean > .77);
        assert_true(q.volume_most < 1.6 * q.volume_least);
        vs_mesh_destroy(mesh);
        const int cells[2] = {n, 2 * n}; // as high as wide
        assert_int_equal(vs_mesh_cylinder(context, 1, 1, cells, 4, &mesh), VS_OK);
        q = quality(mesh); // tend to 31.8 and 121.7 degrees
        assert_true(q.dihedral_least > 31 * degree && q.dihedral_most < 122 * degree);
        assert_true(q.radius_ratio > .62 && q.radius_ratio_mean > .73);
        vs_mesh_destroy(mesh);
    }
    const int cells[3] = {4, 4, 4};
    vs_mesh *mesh;
    assert_int_equal(vs_mesh_box(context, (vs_vec3){1, 1, 1}, cells, 4, &mesh), VS_OK);
    const vs_mesh_quality q = quality(mesh);
    // Kuhn's tetrahedron of a cube: angles 45, 60 and 90 degrees; r = h / (2 + 2 sqrt 2), R = sqrt 3 / 2 h.
    assert_close(q.dihedral_least, 45 * degree, 1e-14);
    assert_close(q.dihedral_most, 90 * degree, 1e-14);
    assert_close(q.radius_ratio, 3 / (2 + 2 * sqrt(2)) / (sqrt(3) / 2), 1e-14);
    assert_close(q.radius_ratio_mean, q.radius_ratio, 1e-14);
    assert_close(q.edge_least, .5, 1e-15);
    assert_close(q.edge_most, .5 * sqrt(3), 1e-15);
    vs_mesh_destroy(mesh);
}

static int compare_ints(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

// Is there an element with these corners, in any order?
static bool has_element(const vs_mesh_view *v, int corner[4]) {
    qsort(corner, 4, sizeof *corner, compare_ints);
    for (int e = 0; e < v->elements; e++) {
        int own[4] = {v->element[4 * e], v->element[4 * e + 1], v->element[4 * e + 2], v->element[4 * e + 3]};
        qsort(own, 4, sizeof *own, compare_ints);
        if (memcmp(own, corner, sizeof own) == 0)
            return true;
    }
    return false;
}

// What is pressed straight must not lean, and a load on a corner must not hang on two elements.
static void test_a_box_of_even_cells_is_its_mirror_image_and_has_strong_corners(void **state) {
    (void)state;
    static const int cells[3] = {4, 2, 6};
    vs_mesh *mesh = box(cells[0], cells[1], cells[2], 4);
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    int at_corner[8] = {0};
    for (int e = 0; e < v.elements; e++)
        for (int axis = 0; axis < 3; axis++) {
            int mirrored[4];
            for (int c = 0; c < 4; c++) {
                int rest = v.element[4 * e + c], at[3], corner = 0;
                for (int a = 0; a < 3; a++) {
                    at[a] = rest % (cells[a] + 1);
                    rest /= cells[a] + 1;
                    corner = corner < 0 || at[a] % cells[a] ? -1 : corner | (at[a] > 0) << a;
                }
                if (corner >= 0)
                    at_corner[corner] += axis == 0;
                at[axis] = cells[axis] - at[axis];
                mirrored[c] = at[0] + (cells[0] + 1) * (at[1] + (cells[1] + 1) * at[2]);
            }
            assert_true(has_element(&v, mirrored));
        }
    for (int k = 0; k < 8; k++)
        assert_int_equal(at_corner[k], 6);
    vs_mesh_destroy(mesh);
}

static void test_sides_of_a_box_are_sets(void **state) {
    (void)state;
    static const char *const name[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    const double area[6] = {6, 6, 3, 3, 2, 2}, at[6] = {-.5, .5, -1, 1, -1.5, 1.5};
    static const int grid[6] = {5 * 9, 5 * 9, 7 * 9, 7 * 9, 7 * 5, 7 * 5}; // of the middle nodes, too: 3, 2, 4 cells
    for (int nodes = 4; nodes <= 10; nodes += 6) {
        vs_mesh *mesh = box(3, 2, 4, nodes);
        const vs_mesh_view v = vs_mesh_get_view(mesh);
        assert_int_equal(vs_mesh_get_set_count(mesh), 12);
        for (int s = 0; s < 6; s++) {
            const vs_mesh_set faces = find_set(mesh, VS_MESH_SET_FACES, name[s]);
            const vs_mesh_set vertices = find_set(mesh, VS_MESH_SET_VERTICES, name[s]);
            vs_vec3 sum = VS_ZERO3;
            for (int k = 0; k < faces.count; k++)
                sum = vs_add(sum, face_area(&v, vs_mesh_find_face(mesh, faces.item[k])));
            assert_close(vs_component(sum, s / 2), s % 2 ? area[s] : -area[s], 1e-14);
            for (int k = 0; k < vertices.count; k++)
                assert_close(vs_component(v.vertex[vertices.item[k]], s / 2), at[s], 0);
            if (nodes == 10)
                assert_int_equal(vertices.count, grid[s]);
        }
        vs_mesh_destroy(mesh);
    }
}

static uint64_t hash_ints(const int *x, int64_t count) {
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a over numbers
    for (int64_t k = 0; k < count; k++)
        hash = (hash ^ (uint64_t)x[k]) * 0x100000001b3u;
    return hash;
}

static void test_numbers_are_those_of_the_grid_on_every_machine(void **state) {
    (void)state;
    vs_mesh *mesh = box(3, 2, 4, 4);
    vs_mesh_view v = vs_mesh_get_view(mesh);
    for (int k = 0; k < v.vertices; k++) {
        const vs_vec3 at = {-.5 + 1. / 3 * (k % 4), -1 + (k / 4 % 3), -1.5 + .75 * (k / 12)};
        assert_vec(v.vertex[k], at, 1e-15);
    }
    static const int first[24] = {0, 1, 5, 17, 0, 4, 16, 17, 0, 12, 13, 17, 0, 13, 1, 17, 0, 16, 12, 17, 0, 5, 4, 17};
    assert_memory_equal(v.element, first, sizeof first);
    vs_mesh_destroy(mesh);
    mesh = sphere(3, 10);
    v = vs_mesh_get_view(mesh);
    assert_true(hash_ints(v.element, 10 * v.elements) == 0x9d9b0b2bb2f1b4fbu);
    vs_mesh_destroy(mesh);
    mesh = cylinder(3, 2, 10);
    v = vs_mesh_get_view(mesh);
    assert_true(hash_ints(v.element, 10 * v.elements) == 0x9dfce8e3354a0949u);
    vs_mesh_destroy(mesh);
}

static void test_solids_without_size_or_cells_are_refused(void **state) {
    (void)state;
    vs_mesh *mesh;
    const int none[3] = {1, 0, 1}, many[3] = {100000, 100000, 2}, one[3] = {1, 1, 1};
    const vs_vec3 half = {1, 1, 1};
    assert_int_equal(vs_mesh_box(context, half, none, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_box(context, half, many, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(context), "too many"));
    assert_int_equal(vs_mesh_box(context, half, one, 5, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_box(context, half, NULL, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_box(context, half, one, 4, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_box(NULL, half, one, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_box(context, (vs_vec3){1, NAN, 1}, one, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(context), "half.y"));
    assert_int_equal(vs_mesh_cylinder(context, 1, -1, one, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_sphere(context, 0, 1, 4, &mesh), VS_ERROR_ARGUMENT);
    const int wrong[] = {0, -1, INT32_MIN, INT32_MAX, INT32_MAX / 2};
    for (int k = 0; k < 5; k++)
        assert_int_equal(vs_mesh_sphere(context, 1, wrong[k], 4, &mesh), VS_ERROR_ARGUMENT);
    assert_null(mesh);
}

// ---- from arrays -----------------------------------------------------------------------------------

// Two tetrahedra with a common face (1, 2, 3).
static const vs_vec3 VERTEX[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {2, 0, 0}};
static const int TWO[8] = {0, 1, 2, 3, 1, 2, 3, 4};

static vs_mesh_def two(void) {
    vs_mesh_def def = vs_mesh_def_default();
    def.vertices = 5, def.vertex = VERTEX;
    def.elements = 2, def.element = TWO;
    return def;
}

static void expect(const vs_mesh_def *def, vs_error error, const char *said) {
    vs_mesh *mesh = NULL;
    if (vs_mesh_create(context, def, &mesh) != error || !strstr(vs_context_get_error_text(context), said))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), said);
    assert_null(mesh);
}

static void test_two_elements_have_six_faces_outside(void **state) {
    (void)state;
    const int tag[2] = {7, -3};
    vs_mesh_def def = two();
    vs_mesh *mesh;
    def.tag = tag;
    assert_int_equal(vs_mesh_create(context, &def, &mesh), VS_OK);
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    assert_int_equal(v.faces, 6);
    assert_int_equal(v.edges, 9);
    assert_int_equal(v.surface_vertices, 5);
    assert_int_equal(v.tag[0], 7);
    assert_int_equal(v.tag[1], -3);
    assert_close(v.volume, .5, 1e-16); // 1/6 and 1/3
    int node[6];
    assert_int_equal(vs_mesh_get_side_nodes(mesh, 8, node), 0);
    assert_int_equal(vs_mesh_get_side_nodes(mesh, -1, node), 0);
    assert_int_equal(vs_mesh_find_face(mesh, 0), -1); // between the two
    assert_int_equal(vs_mesh_find_face(mesh, 1), 0);
    vs_mesh_destroy(mesh);
    vs_mesh_destroy(NULL);
    assert_int_equal(vs_mesh_get_view(NULL).vertices, 0);
}

static void test_quality_of_known_tetrahedra(void **state) {
    (void)state;
    static const vs_vec3 regular[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const int four[4] = {0, 1, 2, 3};
    vs_mesh_def def = vs_mesh_def_default();
    vs_mesh *mesh;
    def.vertices = 4, def.vertex = regular, def.elements = 1, def.element = four;
    assert_int_equal(vs_mesh_create(context, &def, &mesh), VS_OK);
    vs_mesh_quality q = quality(mesh);
    assert_close(q.radius_ratio, 1, 1e-15);
    assert_close(q.dihedral_least, acos(1. / 3), 1e-15);
    assert_close(q.dihedral_most, acos(1. / 3), 1e-15);
    assert_close(q.volume, 8. / 3, 1e-15);
    vs_mesh_destroy(mesh);
    def.vertex = VERTEX; // the corner of a cube: r = 1 / (3 + sqrt 3), R = sqrt 3 / 2
    assert_int_equal(vs_mesh_create(context, &def, &mesh), VS_OK);
    q = quality(mesh);
    assert_close(q.radius_ratio, 6 / (3 + sqrt(3)) / sqrt(3), 1e-15);
    assert_close(q.dihedral_least, acos(1 / sqrt(3)), 1e-15);
    assert_close(q.dihedral_most, PI / 2, 1e-15);
    assert_close(q.jacobian, 1, 0);
    vs_mesh_destroy(mesh);
    assert_int_equal(vs_mesh_get_quality(NULL, &q), VS_ERROR_ARGUMENT);
}

static void test_parts_and_holes_are_counted(void **state) {
    (void)state;
    // Nine cells without the one in the middle: a ring, whose surface is a torus.
    vs_mesh *whole = box(3, 3, 1, 4), *ring;
    vs_mesh_view v = vs_mesh_get_view(whole);
    int element[4 * 48];
    memcpy(element, v.element, 4 * 24 * sizeof(int));
    memcpy(element + 4 * 24, v.element + 4 * 30, 4 * 24 * sizeof(int));
    vs_mesh_def def = vs_mesh_def_default();
    def.vertices = v.vertices, def.vertex = v.vertex, def.elements = 48, def.element = element;
    assert_int_equal(vs_mesh_create(context, &def, &ring), VS_OK);
    assert_int_equal(quality(ring).euler, 0);
    assert_int_equal(quality(ring).parts, 1);
    check_surface(ring);
    check_edges(ring);
    vs_mesh_destroy(ring);
    vs_mesh_destroy(whole);
    // Two apart.
    vs_vec3 vertex[8];
    int apart[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int k = 0; k < 8; k++)
        vertex[k] = vs_add(VERTEX[k % 4], (vs_vec3){k < 4 ? 0 : 9, 0, 0});
    def.vertices = 8, def.vertex = vertex, def.elements = 2, def.element = apart;
    assert_int_equal(vs_mesh_create(context, &def, &ring), VS_OK);
    assert_int_equal(quality(ring).parts, 2);
    assert_int_equal(quality(ring).euler, 4);
    vs_mesh_destroy(ring);
}

static void test_negative_elements_are_turned_round(void **state) {
    (void)state;
    for (int nodes = 4; nodes <= 10; nodes += 6) {
        vs_mesh *good = cylinder(1, 2, nodes), *turned;
        const vs_mesh_view v = vs_mesh_get_view(good);
        int *element = malloc((size_t)(nodes * v.elements) * sizeof *element);
        assert_non_null(element);
        memcpy(element, v.element, (size_t)(nodes * v.elements) * sizeof *element);
        // The mirror of every third: corners 0 and 1 change places, and the middles of 12, 20 and 03, 13 with them.
        for (int k = 0; k < v.elements; k += 3) {
            static const int mirror[10] = {1, 0, 2, 3, 4, 6, 5, 8, 7, 9};
            for (int c = 0; c < nodes; c++)
                element[nodes * k + c] = v.element[nodes * k + mirror[c]];
        }
        vs_mesh_def def = vs_mesh_def_default();
        def.vertices = v.vertices, def.vertex = v.vertex, def.elements = v.elements, def.nodes = nodes;
        def.element = element;
        assert_int_equal(vs_mesh_create(context, &def, &turned), VS_OK);
        const vs_mesh_view w = vs_mesh_get_view(turned);
        assert_close(w.volume, v.volume, 1e-13);
        assert_int_equal(w.faces, v.faces);
        check_surface(turned); // asserts positive volumes
        assert_true(quality(turned).jacobian > .5);
        vs_mesh_destroy(turned);
        vs_mesh_destroy(good);
        free(element);
    }
}

static void test_what_does_not_fit_together_is_named(void **state) {
    (void)state;
    vs_mesh_def def = two();
    const int missing[8] = {0, 1, 2, 3, 1, 2, 3, 5}, negative[8] = {0, 1, 2, 3, 1, 2, -1, 4};
    def.element = missing;
    expect(&def, VS_ERROR_DATA, "element 1: there is no vertex 5 (vertices 0 to 4)");
    def.element = negative;
    expect(&def, VS_ERROR_DATA, "element 1: there is no vertex -1");
    def.vertices = 6;
    def.element = TWO;
    expect(&def, VS_ERROR_DATA, "vertex 5 belongs to no element");
    const int flat[12] = {0, 1, 2, 3, 1, 2, 3, 4, 0, 1, 5, 2}, twice[8] = {0, 1, 2, 3, 1, 2, 4, 4};
    def.elements = 3, def.element = flat;
    expect(&def, VS_ERROR_DATA, "element 2 (0, 1, 5, 2) has no volume");
    def = two();
    def.element = twice;
    expect(&def, VS_ERROR_DATA, "element 1 (1, 2, 4, 4) has no volume");
    // Two on the same side of (1, 2, 3), and three at one face.
    vs_vec3 vertex[6];
    memcpy(vertex, VERTEX, sizeof vertex);
    vertex[4] = (vs_vec3){-1, -1, -1};
    def = two();
    def.vertex = vertex;
    expect(&def, VS_ERROR_DATA, "elements 0 and 1 overlap: they lie on the same side of their face (1, 2, 3)");
    vertex[4] = (vs_vec3){1, 1, 1};
    vertex[5] = (vs_vec3){2, 2, 3};
    const int three[12] = {0, 1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 5};
    def.vertices = 6, def.elements = 3, def.element = three;
    expect(&def, VS_ERROR_DATA, "elements 0, 1 and 2 have the same face (1, 2, 3)");
    def = two();
    def.vertex = vertex;
    vertex[2].y = NAN;
    expect(&def, VS_ERROR_DATA, "vertex 2 is not finite");
    vertex[2].y = 1e31;
    expect(&def, VS_ERROR_DATA, "vertex 2 is not finite or too large");
}

static void test_wrong_calls_are_refused(void **state) {
    (void)state;
    vs_mesh_def def = two();
    vs_mesh *mesh;
    assert_int_equal(vs_mesh_create(context, NULL, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_create(context, &def, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_create(NULL, &def, &mesh), VS_ERROR_ARGUMENT);
    def.nodes = 8;
    expect(&def, VS_ERROR_ARGUMENT, "nodes must be 4 or 10 (is 8)");
    def = two();
    def.elements = 0;
    expect(&def, VS_ERROR_ARGUMENT, "1 to");
    def = two();
    def.vertex = NULL;
    expect(&def, VS_ERROR_ARGUMENT, "vertex");
    def = two();
    def.sets = 1;
    expect(&def, VS_ERROR_ARGUMENT, "set");
    def = (vs_mesh_def){.vertices = 5}; // not from vs_mesh_def_default()
    expect(&def, VS_ERROR_ARGUMENT, "nodes");
}

static void test_ten_nodes_must_fit_together_and_be_in_order(void **state) {
    (void)state;
    vs_mesh_def four = two();
    vs_mesh *plain, *good, *mesh;
    assert_int_equal(vs_mesh_create(context, &four, &plain), VS_OK);
    assert_int_equal(vs_mesh_make_quadratic(plain, &good), VS_OK);
    const vs_mesh_view v = vs_mesh_get_view(good);
    assert_int_equal(v.vertices, 5 + 9);
    vs_vec3 vertex[15];
    int element[20];
    memcpy(vertex, v.vertex, 14 * sizeof *vertex);
    memcpy(element, v.element, sizeof element);
    vs_mesh_def def = vs_mesh_def_default();
    def.vertices = 14, def.vertex = vertex, def.elements = 2, def.nodes = 10, def.element = element;
    assert_int_equal(vs_mesh_create(context, &def, &mesh), VS_OK);
    vs_mesh_destroy(mesh);
    // gmsh's order: the last two the other way round.
    element[8] = v.element[9], element[9] = v.element[8];
    expect(&def, VS_ERROR_DATA, "element 0: its middle nodes invert it");
    memcpy(element, v.element, sizeof element);
    // A neighbour with a middle node of its own.
    vertex[14] = vertex[element[5]];
    def.vertices = 15;
    element[5] = 14;
    expect(&def, VS_ERROR_DATA, "elements 0 and 1 have different nodes");
    vs_mesh_destroy(good);
    vs_mesh_destroy(plain);
}

static void test_a_middle_node_is_nothing_else(void **state) {
    (void)state;
    vs_mesh_def one = two();
    one.vertices = 4, one.elements = 1;
    vs_mesh *plain, *good;
    assert_int_equal(vs_mesh_create(context, &one, &plain), VS_OK);
    assert_int_equal(vs_mesh_make_quadratic(plain, &good), VS_OK);
    const vs_mesh_view v = vs_mesh_get_view(good);
    // A second element, the first one mirrored at a point, has the first one's middle node 4 as its node `shared`.
    for (int shared = 0; shared <= 4; shared += 4) {
        vs_vec3 vertex[19];
        int element[20];
        const vs_vec3 at = vs_add(v.vertex[v.element[4]], v.vertex[v.element[shared]]);
        memcpy(vertex, v.vertex, 10 * sizeof *vertex);
        memcpy(element, v.element, 10 * sizeof *element);
        for (int k = 0, next = 10; k < 10; k++) {
            element[10 + k] = k == shared ? v.element[4] : next;
            vertex[element[10 + k]] = vs_subtract(at, v.vertex[v.element[k]]);
            next += k != shared;
        }
        vs_mesh_def def = vs_mesh_def_default();
        def.vertices = 19, def.vertex = vertex, def.elements = 2, def.nodes = 10, def.element = element;
        expect(&def, VS_ERROR_DATA, shared ? "is also in the middle of another one" : "is also a corner");
    }
    vs_mesh_destroy(good);
    vs_mesh_destroy(plain);
}

static void test_sets_are_sorted_and_their_members_must_exist(void **state) {
    (void)state;
    const int vertices[4] = {3, 1, 3, 0}, faces[9] = {3, 2, 1, 0, 2, 1, 2, 1, 3}, elements[1] = {1};
    const vs_mesh_set_def set[3] = {{VS_MESH_SET_VERTICES, "a", 5, 4, vertices},
                                    {VS_MESH_SET_FACES, "a", 6, 3, faces},
                                    {VS_MESH_SET_ELEMENTS, "b", 0, 1, elements}};
    vs_mesh_set_def changed[3];
    vs_mesh_def def = two();
    vs_mesh *mesh;
    def.sets = 3, def.set = set;
    assert_int_equal(vs_mesh_create(context, &def, &mesh), VS_OK);
    vs_mesh_set found = find_set(mesh, VS_MESH_SET_VERTICES, "a");
    const int sorted[3] = {0, 1, 3}, sides[2] = {0, 3}; // the inner face belongs to the lower element
    assert_int_equal(found.count, 3);
    assert_int_equal(found.tag, 5);
    assert_memory_equal(found.item, sorted, sizeof sorted);
    found = find_set(mesh, VS_MESH_SET_FACES, "a");
    assert_int_equal(found.count, 2);
    assert_memory_equal(found.item, sides, sizeof sides);
    assert_int_equal(vs_mesh_find_set(mesh, VS_MESH_SET_ELEMENTS, "a"), -1);
    assert_int_equal(vs_mesh_find_set(mesh, VS_MESH_SET_ELEMENTS, "b"), 2);
    assert_null(vs_mesh_get_set_at(mesh, 3).name);
    vs_mesh_destroy(mesh);

    const int wrong[3] = {0, 1, 4};
    char name[200];
    memset(name, 'x', sizeof name);
    name[128] = 0;
    def.set = changed;
    memcpy(changed, set, sizeof set);
    changed[1].item = wrong, changed[1].count = 1;
    expect(&def, VS_ERROR_DATA, "set 'a': the triangle (0, 1, 4) is not a face of any element");
    memcpy(changed, set, sizeof set);
    changed[2].item = wrong + 2;
    expect(&def, VS_ERROR_DATA, "set 'b': there is no element 4");
    memcpy(changed, set, sizeof set);
    changed[2].kind = VS_MESH_SET_VERTICES, changed[2].name = "a";
    expect(&def, VS_ERROR_DATA, "two sets of one kind have the name 'a'");
    memcpy(changed, set, sizeof set);
    changed[0].name = name;
    expect(&def, VS_ERROR_ARGUMENT, "set[0].name");
    changed[0].name = "";
    expect(&def, VS_ERROR_ARGUMENT, "set[0].name");
    changed[0].name = "c", changed[0].count = -1;
    expect(&def, VS_ERROR_ARGUMENT, "set 'c'");
}

// ---- changing --------------------------------------------------------------------------------------

static void test_middle_nodes_are_halfway_and_shared(void **state) {
    (void)state;
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    vs_mesh *mesh = cylinder(2, 2, 4), *quadratic, *again;
    assert_int_equal(vs_mesh_make_quadratic(mesh, &quadratic), VS_OK);
    const vs_mesh_view v = vs_mesh_get_view(mesh), w = vs_mesh_get_view(quadratic);
    assert_int_equal(w.vertices, v.vertices + v.edges);
    assert_memory_equal(w.vertex, v.vertex, (size_t)v.vertices * sizeof(vs_vec3));
    assert_close(w.volume, v.volume, 1e-13); // edges are straight
    assert_close(quality(quadratic).jacobian, 1, 1e-13);
    for (int k = 0; k < w.elements; k++)
        for (int e = 0; e < 6; e++) {
            const int *element = w.element + 10 * k;
            const vs_vec3 a = w.vertex[element[ends[e][0]]], b = w.vertex[element[ends[e][1]]];
            assert_vec(w.vertex[element[4 + e]], vs_scale(.5, vs_add(a, b)), 0);
        }
    for (int k = 0; k < w.faces; k++)
        for (int c = 0; c < 3; c++) {
            const int *node = w.face + 6 * k;
            const vs_vec3 a = w.vertex[node[c]], b = w.vertex[node[(c + 1) % 3]];
            assert_vec(w.vertex[node[3 + c]], vs_scale(.5, vs_add(a, b)), 0);
        }
    assert_int_equal(vs_mesh_make_quadratic(quadratic, &again), VS_ERROR_ARGUMENT);
    assert_null(again);
    assert_int_equal(vs_mesh_make_quadratic(NULL, &again), VS_ERROR_ARGUMENT);
    vs_mesh_destroy(quadratic);
    vs_mesh_destroy(mesh);
}

static void test_moving_and_scaling(void **state) {
    (void)state;
    uint64_t seed = 1;
    const vs_pose pose = random_pose(&seed, 1);
    vs_mesh *mesh = sphere(2, 10);
    const vs_mesh_quality before = quality(mesh);
    const vs_vec3 x = vs_mesh_get_view(mesh).vertex[3];
    assert_int_equal(vs_mesh_transform(mesh, pose, .25), VS_OK);
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    const vs_mesh_quality after = quality(mesh);
    assert_vec(v.vertex[3], vs_pose_apply(pose, vs_scale(.25, x)), 1e-15);
    assert_close(v.volume, before.volume / 64, 1e-14);
    assert_close(after.radius_ratio, before.radius_ratio, 1e-13);
    assert_close(after.edge_most, before.edge_most / 4, 1e-15);
    assert_vec(vs_scale(.5, vs_add(v.low, v.high)), pose.position, .05); // a sphere's bounds, up to its facets
    assert_int_equal(vs_mesh_transform(mesh, pose, 0), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_transform(mesh, pose, NAN), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_transform(mesh, (vs_pose){pose.position, {0, 0, 0, 0}}, 1), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_transform(mesh, (vs_pose){{0, INFINITY, 0}, pose.rotation}, 1), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_transform(NULL, pose, 1), VS_ERROR_ARGUMENT);
    assert_vec(v.vertex[3], vs_pose_apply(pose, vs_scale(.25, x)), 1e-15);
    vs_mesh_destroy(mesh);
}

// ---- memory and size -------------------------------------------------------------------------------

static vs_error make_sphere(vs_context *c, vs_mesh **mesh) {
    return vs_mesh_sphere(c, 1, 2, 10, mesh);
}

static void test_failed_allocations_leak_nothing(void **state) {
    (void)state;
    refuse_each_of_mesh(make_sphere);
}

static void test_a_large_mesh_is_made_in_linear_time(void **state) {
    (void)state;
    // 324 000 elements; comparing all faces with all would be 10^12 steps.
    vs_mesh *mesh = box(60, 30, 30, 4);
    const vs_mesh_quality q = quality(mesh);
    assert_int_equal(q.euler, 2);
    assert_int_equal(q.parts, 1);
    assert_close(q.volume, 6, 1e-12); // as above, with cells ten times smaller
    check_surface(mesh);
    vs_mesh_destroy(mesh);
}

static void test_a_ring_closes(void **state) {
    (void)state;
    for (int nodes = 4; nodes <= 10; nodes += 6) {
        const int cells[3] = {12, 2, 3};
        vs_mesh *mesh = NULL;
        assert_int_equal(vs_mesh_ring(context, 1, 2, .5, cells, nodes, &mesh), VS_OK);
        vs_mesh_quality q = quality(mesh);
        vs_mesh_view v = vs_mesh_get_view(mesh);
        assert_int_equal(v.elements, 6 * 12 * 2 * 3);
        assert_int_equal(q.euler, 0);
        assert_int_equal(q.parts, 1);
        // a prism over a ring of 12 corners: 12/2 sin(pi/6) (R^2 - r^2)
        assert_true(fabs(q.volume - 6 * sin(PI / 6) * 3) < 1e-12);
        int outside = vs_mesh_find_set(mesh, VS_MESH_SET_VERTICES, "outside");
        assert_true(outside >= 0);
        if (nodes == 4)
            assert_int_equal(vs_mesh_get_set_at(mesh, outside).count, 12 * 4);
        vs_mesh_destroy(mesh);
    }
    vs_mesh *mesh = NULL;
    assert_int_equal(vs_mesh_ring(context, 2, 1, .5, (int[]){8, 1, 1}, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_ring(context, 1, 2, .5, (int[]){2, 1, 1}, 4, &mesh), VS_ERROR_ARGUMENT);
    assert_null(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_solids_are_conforming_with_a_closed_surface_that_faces_out, begin, end),
        cmocka_unit_test_setup_teardown(test_a_box_has_its_volume_and_bounds, begin, end),
        cmocka_unit_test_setup_teardown(test_curved_volumes_converge_with_order_2_and_with_middle_nodes_4, begin, end),
        cmocka_unit_test_setup_teardown(test_middle_nodes_of_a_curved_surface_lie_on_it, begin, end),
        cmocka_unit_test_setup_teardown(test_solids_are_well_shaped_at_any_resolution, begin, end),
        cmocka_unit_test_setup_teardown(test_a_box_of_even_cells_is_its_mirror_image_and_has_strong_corners, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_sides_of_a_box_are_sets, begin, end),
        cmocka_unit_test_setup_teardown(test_numbers_are_those_of_the_grid_on_every_machine, begin, end),
        cmocka_unit_test_setup_teardown(test_solids_without_size_or_cells_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_two_elements_have_six_faces_outside, begin, end),
        cmocka_unit_test_setup_teardown(test_quality_of_known_tetrahedra, begin, end),
        cmocka_unit_test_setup_teardown(test_parts_and_holes_are_counted, begin, end),
        cmocka_unit_test_setup_teardown(test_negative_elements_are_turned_round, begin, end),
        cmocka_unit_test_setup_teardown(test_what_does_not_fit_together_is_named, begin, end),
        cmocka_unit_test_setup_teardown(test_wrong_calls_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_ten_nodes_must_fit_together_and_be_in_order, begin, end),
        cmocka_unit_test_setup_teardown(test_a_middle_node_is_nothing_else, begin, end),
        cmocka_unit_test_setup_teardown(test_sets_are_sorted_and_their_members_must_exist, begin, end),
        cmocka_unit_test_setup_teardown(test_middle_nodes_are_halfway_and_shared, begin, end),
        cmocka_unit_test_setup_teardown(test_moving_and_scaling, begin, end),
        cmocka_unit_test_setup_teardown(test_a_ring_closes, begin, end),
        cmocka_unit_test(test_failed_allocations_leak_nothing),
    };
    const struct CMUnitTest studies[] = {
        cmocka_unit_test_setup_teardown(test_a_large_mesh_is_made_in_linear_time, begin, end),
    };
    return vs_run_tests_and_studies(tests, studies);
}
