// Vertices, edges and triangles of two meshes that may have a contact: narrow_meshes.c says which do.
#ifndef VS_COLLIDE_MESH_FEATURES_H
#define VS_COLLIDE_MESH_FEATURES_H

#include "collide/mesh/mesh.h"

typedef struct vs_placed_surface {
    const vs_triangles *t;
    const vs_surface *s;
    vs_mat3 rotation; // to the working frame, the axes of the second mesh
    vs_vec3 position;
} vs_placed_surface;

// A triangle in the working frame.
typedef struct vs_placed_triangle {
    int triangle; // -1: none yet
    vs_vec3 corner[3], side[3];
    const vs_vec3 *normal, *across; // of the triangle, of its sides
} vs_placed_triangle;

// One of the first mesh.
typedef struct vs_turned_triangle {
    vs_placed_triangle at;
    vs_vec3 normal, across[3], outward[3]; // the last ones of its corners
} vs_turned_triangle;

enum { VS_TURNED_TRIANGLES = 16 };

typedef struct vs_mesh_meeting {
    vs_placed_surface side[2];
    vs_pose pose; // working frame in the world
    double envelope, depth, tolerance;
    double reach; // of the two gaps, and the tolerance
    vs_mesh_points *points;
    bool failed;
    vs_turned_triangle turned[VS_TURNED_TRIANGLES]; // of the first mesh, by the lowest bits of the triangle
} vs_mesh_meeting;

// Edges that cross have at least this sine of the angle between them.
static const double VS_EDGES_CROSS = 1e-3;

static inline vs_vec3 vs_surface_place(const vs_placed_surface *m, int vertex) {
    return vs_add(m->position, vs_mat3_apply(&m->rotation, m->t->vertex[vertex]));
}

// Does the surface recede from a vertex in a direction, but for this sine?
bool vs_vertex_recedes(const vs_placed_surface *m, int vertex, vs_vec3 direction, double slack);

// They add the contact of the two features, if there is one. A vertex of side i and a triangle or an edge of the other one:
void vs_meet_vertex_face(vs_mesh_meeting *g, int i, int vertex, int triangle);
void vs_meet_vertex_edge(vs_mesh_meeting *g, int i, int vertex, int edge);
void vs_meet_edges(vs_mesh_meeting *g, int a, int b);
void vs_meet_vertices(vs_mesh_meeting *g, int a, int b);

#endif
