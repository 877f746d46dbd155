// Solid meshes for finite elements: tetrahedra with 4 or 10 nodes, their surface, and named sets of vertices, faces and
// elements. Created from arrays, from gmsh files, or as a box, cylinder, sphere or ring.
//
// Nodes of an element:
//
//     0 to 3   corners; (x1 - x0) x (x2 - x0) . (x3 - x0) > 0
//     4 to 9   in the middle of the edges 01, 12, 20, 03, 13, 23: the order of VTK, XDMF and Abaqus
//              (gmsh has the last two the other way round; its files are read accordingly)
//
// Side s of an element is the face opposite to its corner s. A face is named 4 element + s.
#ifndef VOUSSOIR_MESH_H
#define VOUSSOIR_MESH_H

#include "voussoir/context.h"
#include "voussoir/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_mesh vs_mesh;

// ---- from arrays -----------------------------------------------------------------------------------

typedef enum vs_mesh_set_kind { VS_MESH_SET_VERTICES, VS_MESH_SET_FACES, VS_MESH_SET_ELEMENTS } vs_mesh_set_kind;

typedef struct vs_mesh_set_def {
    vs_mesh_set_kind kind;
    const char *name; // 1 to 127 characters; unique among the sets of its kind
    int tag;          // user-defined number; 0: none
    int count;        //
    const int *item;  // vertices (count), corners of faces in any order (3 count), or elements (count)
} vs_mesh_set_def;

typedef struct vs_mesh_def {
    int vertices;               //
    const vs_vec3 *vertex;      // (vertices) m; each one is a node of an element
    int elements;               //
    int nodes;                  // per element: 4 (default) or 10
    const int *element;         // (nodes elements) vertices
    const int *tag;             // (elements) user-defined number, e.g. of a material; null: all 0
    int sets;                   //
    const vs_mesh_set_def *set; // (sets)
} vs_mesh_def;

VS_API vs_mesh_def vs_mesh_def_default(void);

// Creates a mesh from copies of the arrays; destroy it with vs_mesh_destroy(). The orientation of elements with
// negative volume is corrected (nodes 1 and 2 are swapped). VS_ERROR_DATA, with a text that says which and why:
// vertices that are not finite or not used, elements without volume or with nodes that do not exist, 10-node elements
// that their middle nodes turn inside out, more than two elements at a face or two on the same side of it, neighbours
// with different nodes in the middle of an edge, sets with members that do not exist. Not detected: elements that
// overlap without a common face, and corners in the middle of a neighbour's edge or face.
VS_API vs_error vs_mesh_create(vs_context *context, const vs_mesh_def *def, vs_mesh **mesh);
VS_API void vs_mesh_destroy(vs_mesh *mesh); // null is allowed

// ---- from files and as solids ----------------------------------------------------------------------

// Reads a gmsh file (.msh 2.2 or 4.1, text or binary), scaled by `scale`. Physical groups become sets: points and
// curves of vertices, surfaces of vertices and of faces, volumes of elements; groups of one name are one set. An
// element's tag is its first physical volume, 0 if none. Groups without a name are named "surface 7" and so on. Nodes
// without a tetrahedron are dropped; the others keep the order of the file, and so do the elements. VS_ERROR_DATA: the
// text has file, line (byte of a binary file) and cause.
VS_API vs_error vs_mesh_from_file(vs_context *context, const char *path, double scale, vs_mesh **mesh);

// Solids centred at the origin, like vs_shape_box(). nodes: 4 or 10 per element. Vertices are numbered by x, then y,
// then z of the grid, identically on every machine; middle nodes follow, those of a curved surface lie on it. Sizes in
// m.
//
// 6 tetrahedra per cell; cells (3) along x, y, z. Sets "-x", "+x", "-y", … of vertices and faces.
VS_API vs_error vs_mesh_box(vs_context *context, vs_vec3 half, const int *cells, int nodes, vs_mesh **mesh);
// cells (2): rings from axis to surface, and layers along z: 24 cells[0]^2 cells[1] elements. Sets "side", "-z", "+z".
VS_API vs_error vs_mesh_cylinder(vs_context *context, double radius, double half_length, const int *cells, int nodes,
                                 vs_mesh **mesh);
// cells: from centre to surface: 48 cells^3 elements. Set "surface".
VS_API vs_error vs_mesh_sphere(vs_context *context, double radius, int cells, int nodes, vs_mesh **mesh);
// A tube about z; cells (3) around (at least 3), from inside to outside, and along z. Edges are straight, also with 10
// nodes. Sets of vertices "inside", "outside", "-z", "+z".
VS_API vs_error vs_mesh_ring(vs_context *context, double inner, double outer, double half_length, const int *cells,
                             int nodes, vs_mesh **mesh);

// ---- changing --------------------------------------------------------------------------------------

// A copy with 10 nodes per element, the new ones at the midpoints of straight edges and after the old ones, in the
// order of the edges. A new node is in a set of vertices if both ends of its edge are, and, where faces have a set of
// the same name, if the edge belongs to one of those. VS_ERROR_ARGUMENT if it has 10 already.
VS_API vs_error vs_mesh_make_quadratic(const vs_mesh *mesh, vs_mesh **quadratic);
// x becomes position + rotation (scale x); scale > 0. On failure nothing is changed.
VS_API vs_error vs_mesh_transform(vs_mesh *mesh, vs_pose pose, double scale);

// ---- properties ------------------------------------------------------------------------------------

// View of a mesh: valid until it is destroyed; coordinates change with vs_mesh_transform().
typedef struct vs_mesh_view {
    int vertices;
    const vs_vec3 *vertex; // (vertices) m
    int elements;
    int nodes;          // per element: 4 or 10
    const int *element; // (nodes elements)
    const int *tag;     // (elements)

    // The surface: faces that belong to one element only.
    int faces;
    int face_nodes;       // 3 or 6
    const int *face;      // (face_nodes faces) corners counter-clockwise seen from outside, then middles of 01, 12, 20
    const int *face_side; // (faces) 4 element + side; ascending
    int surface_vertices;
    const int *surface_vertex;    // (surface_vertices) nodes of faces; ascending
    const int *vertex_face_start; // (vertices + 1) vertex k is a node of the faces
    const int *vertex_face; // (face_nodes faces) vertex_face[start[k]] to vertex_face[start[k + 1] - 1], ascending

    // Edges between corners, the lower vertex first; in ascending order.
    int edges;
    const int *edge; // (2 edges) of all elements
    int surface_edges;
    const int *surface_edge; // (2 surface_edges) of faces

    double volume;     // m^3
    vs_vec3 low, high; // of all vertices, m
} vs_mesh_view;

VS_API vs_mesh_view vs_mesh_get_view(const vs_mesh *mesh);

// Nodes of a face, in or on the mesh, as in vs_mesh_view.face: returns 3 or 6; 0 if there is no such element.
VS_API int vs_mesh_get_side_nodes(const vs_mesh *mesh, int side, int node[6]);
// The index of a face (4 element + side) in vs_mesh_view.face, -1 if it is not on the surface.
VS_API int vs_mesh_find_face(const vs_mesh *mesh, int side);

typedef struct vs_mesh_set {
    vs_mesh_set_kind kind;
    const char *name;
    int tag; // 0 = none; from gmsh: number of the physical group
    int count;
    const int *item; // (count) vertices, faces as 4 element + side, or elements; ascending, each once. Of a face
                     // inside the mesh the lower element counts
} vs_mesh_set;

VS_API int vs_mesh_get_set_count(const vs_mesh *mesh);
VS_API vs_mesh_set vs_mesh_get_set_at(const vs_mesh *mesh, int index);                     // zeros if out of range
VS_API int vs_mesh_find_set(const vs_mesh *mesh, vs_mesh_set_kind kind, const char *name); // -1: there is none

// Quality of the elements, from their corners except for volume and jacobian.
typedef struct vs_mesh_quality {
    double volume;       // m^3
    double volume_least; // m^3, of an element
    double volume_most;  // m^3
    double edge_least;   // m
    double edge_most;    // m
    double radius_ratio; // least of 3 inradius / circumradius: 1 regular, 0 flat
    double radius_ratio_mean;
    double dihedral_least; // rad, between two sides of an element
    double dihedral_most;  // rad
    double jacobian;       // least det J / (6 volume by corners) at a node: 1 if edges are straight, <= 0 folded
    int radius_ratio_at;   // the element
    int dihedral_least_at; // the element
    int dihedral_most_at;  // the element
    int jacobian_at;       // the element
    int euler;             // corners - edges + faces of the surface: 2 for a ball, 0 for a ring
    int parts;             // parts without a common vertex
} vs_mesh_quality;

VS_API vs_error vs_mesh_get_quality(const vs_mesh *mesh, vs_mesh_quality *quality);

#ifdef __cplusplus
}
#endif

#endif
