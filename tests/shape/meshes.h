// What the tests of tetrahedral meshes share: promises that every mesh keeps, checked without the library's sorting.
#ifndef VS_TESTS_SHAPE_MESHES_H
#define VS_TESTS_SHAPE_MESHES_H

#include "shapes.h"

#include "shape/mesh_data.h"

static inline bool same_corners(const int *a, const int *b) {
    for (int i = 0; i < 3; i++)
        if (a[i] != b[0] && a[i] != b[1] && a[i] != b[2])
            return false;
    return true;
}

// Every face of an element is the face of one other, or of the surface, once: by comparing all with all.
static inline void check_conforming(const vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    int alone = 0;
    for (int p = 0; p < 4 * v.elements; p++) {
        int a[6], b[6], others = 0;
        assert_int_equal(vs_mesh_get_side_nodes(mesh, p, a), v.face_nodes);
        for (int q = 0; q < 4 * v.elements; q++) {
            (void)vs_mesh_get_side_nodes(mesh, q, b);
            others += q != p && same_corners(a, b);
        }
        assert_true(others <= 1);
        alone += others == 0;
        assert_int_equal(vs_mesh_find_face(mesh, p) >= 0, others == 0);
    }
    assert_int_equal(alone, v.faces);
}

static inline vs_vec3 face_area(const vs_mesh_view *v, int face) { // outward, m^2
    const int *at = v->face + v->face_nodes * face;
    const vs_vec3 o = v->vertex[at[0]];
    return vs_scale(.5, vs_cross(vs_subtract(v->vertex[at[1]], o), vs_subtract(v->vertex[at[2]], o)));
}

static inline vs_vec3 face_centre(const vs_mesh_view *v, int face) {
    const int *at = v->face + v->face_nodes * face;
    return vs_scale(1. / 3, vs_add(v->vertex[at[0]], vs_add(v->vertex[at[1]], v->vertex[at[2]])));
}

static inline double straight_volume(const vs_mesh_view *v) {
    double sum = 0;
    for (int k = 0; k < v->elements; k++) {
        const double six = vs_mesh_tet_determinant(v->vertex, v->element + v->nodes * k);
        assert_true(six > 0);
        sum += six / 6;
    }
    return sum;
}

// The surface is closed and its normals point out: its area vectors add up to nothing, and by Gauss's theorem it bounds
// the volume of the elements. Sums are off by their number of terms times 1e-16, at most.
static inline void check_surface(const vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    vs_vec3 sum = VS_ZERO3;
    double volume = 0, area = 0;
    for (int k = 0; k < v.faces; k++) {
        const vs_vec3 a = face_area(&v, k);
        sum = vs_add(sum, a);
        area += vs_length(a);
        volume += vs_dot(face_centre(&v, k), a) / 3;
        // The owner's other corner lies behind the face.
        const int owner = v.face_side[k] / 4, tip = v.element[v.nodes * owner + v.face_side[k] % 4];
        assert_true(vs_dot(a, vs_subtract(v.vertex[tip], v.vertex[v.face[v.face_nodes * k]])) < 0);
        assert_true(k == 0 || v.face_side[k] > v.face_side[k - 1]);
        assert_int_equal(vs_mesh_find_face(mesh, v.face_side[k]), k);
    }
    assert_vec(sum, VS_ZERO3, 1e-16 * (100 + v.faces) * area);
    assert_close(volume, straight_volume(&v), 1e-16 * (100 + v.elements) * volume);
}

// The lists that go with the surface say the same as the faces.
static inline void check_lists(const vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    int listed = 0;
    assert_int_equal(v.vertex_face_start[0], 0);
    assert_int_equal(v.vertex_face_start[v.vertices], v.face_nodes * v.faces);
    for (int k = 0; k < v.vertices; k++) {
        const int begin = v.vertex_face_start[k], end = v.vertex_face_start[k + 1];
        for (int j = begin; j < end; j++) {
            const int *node = v.face + v.face_nodes * v.vertex_face[j];
            bool found = false;
            for (int c = 0; c < v.face_nodes; c++)
                found = found || node[c] == k;
            assert_true(found);
            assert_true(j == begin || v.vertex_face[j] > v.vertex_face[j - 1]);
        }
        if (end > begin)
            assert_int_equal(v.surface_vertex[listed++], k);
    }
    assert_int_equal(listed, v.surface_vertices);
    for (int k = 0; k < v.edges; k++) {
        const int *e = v.edge + 2 * k;
        assert_true(e[0] < e[1]);
        assert_true(k == 0 || e[-2] < e[0] || (e[-2] == e[0] && e[-1] < e[1]));
    }
}

static inline bool has_edge(const int *edge, int edges, int a, int b) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    for (int k = 0; k < edges; k++)
        if (edge[2 * k] == low && edge[2 * k + 1] == high)
            return true;
    return false;
}

// By comparing all with all, for small meshes.
static inline void check_edges(const vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int k = 0; k < 6 * v.elements; k++) {
        const int *element = v.element + v.nodes * (k / 6);
        assert_true(has_edge(v.edge, v.edges, element[ends[k % 6][0]], element[ends[k % 6][1]]));
    }
    for (int k = 0; k < v.surface_edges; k++) {
        const int *e = v.surface_edge + 2 * k;
        int uses = 0;
        for (int f = 0; f < v.faces; f++) {
            const int *node = v.face + v.face_nodes * f;
            for (int c = 0; c < 3; c++) {
                const int a = node[c], b = node[(c + 1) % 3];
                uses += (a == e[0] && b == e[1]) || (a == e[1] && b == e[0]);
            }
        }
        assert_int_equal(uses, 2); // of a closed surface that does not touch itself
    }
    assert_int_equal(2 * v.surface_edges, 3 * v.faces);
}

static inline vs_mesh_set find_set(const vs_mesh *mesh, vs_mesh_set_kind kind, const char *name) {
    const int index = vs_mesh_find_set(mesh, kind, name);
    if (index < 0)
        fail_msg("there is no set '%s'", name);
    return vs_mesh_get_set_at(mesh, index);
}

typedef struct mesh_making {
    vs_context *context;
    vs_error (*make)(vs_context *context, vs_mesh **mesh);
} mesh_making;

static inline vs_error try_mesh(void *user) {
    const mesh_making *m = user;
    vs_mesh *mesh = NULL;
    const vs_error error = m->make(m->context, &mesh);
    assert_int_equal(mesh == NULL, error != VS_OK);
    vs_mesh_destroy(mesh);
    return error;
}

// make() with each of its allocations refused in turn.
static inline void refuse_each_of_mesh(vs_error (*make)(vs_context *context, vs_mesh **mesh)) {
    memory m;
    vs_context *own = make_context(&m);
    assert_true(refuse_each(&m, own, try_mesh, &(mesh_making){own, make}) > 0);
    end_context(own, &m);
}

#endif
