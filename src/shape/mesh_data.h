// Internals of a mesh of tetrahedra, and functions shared by the files that make one.
#ifndef VS_SHAPE_MESH_DATA_H
#define VS_SHAPE_MESH_DATA_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "voussoir/mesh.h"

enum {
    VS_MESH_MOST = 1 << 26,  // vertices, elements: 24 elements, the nodes of all faces, fit an int
    VS_MESH_NAME_MOST = 127, // characters
};

struct vs_mesh {
    vs_arena arena;
    int vertices, elements, nodes;
    vs_vec3 *vertex; // (vertices)
    int *element;    // (nodes elements)
    int *tag;        // (elements)
    int faces, face_nodes;
    int *face;      // (face_nodes faces)
    int *face_side; // (faces)
    int surface_vertices;
    int *surface_vertex;    // (surface_vertices)
    int *vertex_face_start; // (vertices + 1)
    int *vertex_face;       // (face_nodes faces)
    int edges, surface_edges;
    int *edge;         // (2 edges)
    int *surface_edge; // (2 surface_edges)
    double volume;
    vs_vec3 low, high;
    int sets;
    vs_mesh_set *set; // (sets)
};

// ---- one element -----------------------------------------------------------------------------------

extern const int VS_MESH_SIDE[4][3];  // corners of side s, counter-clockwise seen from outside
extern const int VS_MESH_EDGE[6][2];  // corners of the edge with node 4 + k
int vs_mesh_tet_middle(int a, int b); // the node between two corners

// 6 times the volume of the straight element; negative if it is inside out.
double vs_mesh_tet_determinant(const vs_vec3 *vertex, const int *corner);
double vs_mesh_tet_volume(const vs_vec3 *vertex, const int *element, int nodes); // also curved ones
// det J of a 10-node element at barycentric coordinates; the mean of it is 6 times the volume.
double vs_mesh_tet_jacobian(const vs_vec3 *vertex, const int *element, const double at[4]);

// ---- topology --------------------------------------------------------------------------------------

// Names of elements and vertices in messages: numbers of a file, or indices if null.
typedef struct vs_mesh_labels {
    const char *begin;      // "file.msh: " or ""
    const int64_t *element; // (elements)
    const int64_t *vertex;  // (vertices)
} vs_mesh_labels;

int64_t vs_label_element(const vs_mesh_labels *labels, int element);
int64_t vs_label_vertex(const vs_mesh_labels *labels, int vertex);

// order: indices of the tuples key (width count) with 0 <= key < limit, ascending; equal ones in the order of indices.
vs_error vs_tuples_sort(vs_arena *scratch, const int *key, int width, int64_t count, int limit, int **order);

// All faces of all elements in order.
typedef struct vs_sides {
    int64_t count; // 4 elements
    int *corner;   // (3 count) of face 4 element + side, ascending
    int *order;    // (count) faces, ascending by their corners
} vs_sides;

vs_error vs_sides_sort(vs_arena *scratch, const vs_mesh *mesh, vs_sides *sides);
int vs_sides_find(const vs_sides *sides, const int corner[3]); // the lowest with these corners; -1: none

// Surface, adjacency and edges; VS_ERROR_DATA if elements do not fit together.
vs_error vs_mesh_connect(vs_mesh *mesh, vs_arena *scratch, const vs_sides *sides, const vs_mesh_labels *labels);

// ---- making ----------------------------------------------------------------------------------------

// vs_mesh_create() with labels for messages; the arguments are not null.
vs_error vs_mesh_build(vs_context *context, const vs_mesh_def *def, const vs_mesh_labels *labels, vs_mesh **mesh);
void vs_mesh_measure(vs_mesh *mesh); // volume and bounds
// Middle nodes at place(user, a, b) for an edge from a to b; null: halfway.
vs_error vs_mesh_refine(const vs_mesh *mesh, vs_vec3 (*place)(void *user, vs_vec3 a, vs_vec3 b), void *user,
                        vs_mesh **quadratic);

// ---- files -----------------------------------------------------------------------------------------

// bytes[length] must be 0; `name` is the file's name in messages.
vs_error vs_mesh_from_bytes(vs_context *context, const char *name, const char *bytes, size_t length, double scale,
                            vs_mesh **mesh);

#endif
