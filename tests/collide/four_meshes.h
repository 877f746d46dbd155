// Closed meshes on which searches of pairs of triangles are compared: convex, with an edge that goes in, round, and with valleys,
// saddles, and edges of all angles.
#ifndef TESTS_COLLIDE_FOUR_MESHES_H
#define TESTS_COLLIDE_FOUR_MESHES_H

#include "mesh_distance.h"

enum { MESHES = 4 };

static inline vs_shape *bumpy_torus(vs_context *context) {
    vs_shape *smooth = torus_mesh(context, .4, .15, 11, 7), *bumpy = NULL;
    const vs_triangles *t = &smooth->triangles;
    vs_vec3 vertex[77];
    uint64_t seed = 5;
    assert_int_equal(t->vertices, 77);
    for (int k = 0; k < t->vertices; k++)
        vertex[k] = vs_add(t->vertex[k], random_vec(&seed, .04));
    assert_int_equal(vs_shape_mesh(context, vertex, t->vertices, t->index, t->triangles, &bumpy), VS_OK);
    vs_shape_release(smooth);
    return bumpy;
}

static inline void make_four_meshes(vs_context *context, vs_shape *mesh[MESHES]) {
    mesh[0] = box_mesh(context, .5, .4, .3);
    mesh[1] = angle_mesh(context, .6);
    mesh[2] = torus_mesh(context, .4, .12, 16, 8);
    mesh[3] = bumpy_torus(context);
}

#endif
