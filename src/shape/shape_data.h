// Internals of a shape, for collision and output.
#ifndef VS_SHAPE_SHAPE_DATA_H
#define VS_SHAPE_SHAPE_DATA_H

#include "base/arena.h"
#include "base/vec.h"
#include "voussoir/shape.h"

typedef struct vs_box3 {
    vs_vec3 low, high;
} vs_box3; // axis-aligned

// Convex polytope: faces with outward unit normals and vertices counter-clockwise seen from outside; coplanar triangles
// are merged into one face. Boxes have one too.
typedef struct vs_polytope {
    int vertices, faces, edges;
    vs_vec3 *vertex; // (vertices)
    vs_vec3 *normal; // (faces)
    double *offset;  // (faces) normal . x = offset on the face
    int *face_start; // (faces + 1) into face_vertex
    int *face_vertex;
    int *edge;      // (4 edges) vertex, vertex, face, face
    vs_vec3 *inset; // (vertices) way of the vertex when all faces move inwards by 1
} vs_polytope;

// An edge of a surface, counter-clockwise in its first triangle.
typedef struct vs_surface_edge {
    int vertex[2];
    int triangle[2]; // the second is -1 at the border
    double fold;     // sine of the angle by which the second triangle rises over the plane of the first: < 0 convex
} vs_surface_edge;

// Corner k of a triangle, and its side from there: met with this triangle only. Sides that cannot be touched are not.
// Valley: a neighbour rises over it, on one of the sides on which it is touched.
enum { VS_OWN_CORNER = 1, VS_OWN_SIDE = 8, VS_OWN_VALLEY = 64 };

// How triangles hang together. Vertices with equal coordinates count as the lowest of them.
typedef struct vs_surface {
    bool closed; // bounds a solid
    int edges;
    int *corner;           // (3 triangles) vertices of the triangles, as they count
    int *side;             // (3 triangles) edges: side k runs from corner k to k + 1
    vs_surface_edge *edge; // (edges)
    int *owner;            // (vertices) the lowest triangle with the vertex, -1: none
    int *neighbour_start;  // (vertices + 1) into neighbour
    int *neighbour;        // (2 edges) vertices at the other ends of the vertex's edges
    vs_vec3 *normal;       // (triangles) unit
    vs_vec3 *across;       // (3 triangles) unit, in the plane of the triangle, outwards across its sides
    vs_vec3 *outward;      // (vertices) sum of the normals about the vertex, weighted by angles, unit
    uint8_t *own;          // (triangles) features that no other triangle answers for: VS_OWN_CORNER << k, …
} vs_surface;

// Sine of the angle by which a surface may rise about a vertex or beside an edge that others touch; of the fold of an edge inside
// a face.
static const double VS_SURFACE_SLACK = .1, VS_SURFACE_FLAT = 1e-6;

// May an edge be touched? Not if it is inside a face or, of a solid, in a valley.
static inline bool vs_surface_sticks_out(const vs_surface *s, const vs_surface_edge *edge) {
    return edge->triangle[1] < 0 || edge->fold < -VS_SURFACE_FLAT || (!s->closed && edge->fold > VS_SURFACE_FLAT);
}

// Of a closed surface: a box about the places where triangles, their edges and their vertices may have contacts, and one about
// the unit vectors along which these point outwards.
typedef struct vs_exposure {
    vs_box3 place, direction;
} vs_exposure;

// Triangles with a bounding-box tree for queries.
typedef struct vs_triangles {
    int vertices, triangles;
    vs_vec3 *vertex;
    int *index; // (3 triangles)
    vs_surface surface;
    int nodes;
    struct vs_box_node *node; // a binary tree over the triangles' boxes, root 0
    int *order;               // (triangles) leaves point into it
    int *leaf;                // (triangles) the place of each in that order
    vs_box3 *box;             // (triangles) their boxes, in that order
    vs_exposure *branch;      // (nodes) of closed surfaces, else null
    vs_exposure *exposure;    // (triangles) the same, in that order
} vs_triangles;

// A convex shape = a core and a round layer about it: spheres are points, capsules segments, all others their own core.
typedef struct vs_core {
    vs_vec3 centre; // a point inside
    double radius;  // m, of the round layer
    double size;    // m, of the whole about the centre
    double inner;   // m, a ball of this radius about the centre lies in the core; 0: the core is flat
    double arm;     // m, from shape->centre to the farthest point of the core
} vs_core;

struct vs_shape {
    vs_arena arena;
    int references;
    vs_shape_kind kind;
    double radius;          // sphere, capsule, cylinder
    double half_length;     // capsule, cylinder
    vs_vec3 half;           // box: half sides; ellipsoid: semi axes
    vs_polytope polytope;   // box, hull
    vs_triangles triangles; // mesh, height field (two triangles per cell)
    vs_shape *solid;        // mesh: its hull, if it is a convex solid of few corners; else null
    vs_box3 bounds;         // in the shape's axes; infinite for the plane (z <= 0)
    vs_vec3 centre;   // of the bounding sphere: the origin, or for shapes drawn away from it the middle of the bounds
    double size;      // m; radius of the bounding sphere; plane: infinite
    double thickness; // m; radius of a ball inside; mesh, height field: 0; plane: infinite
    vs_core core;     // hull: found once, from all of its vertices and faces
};

// ---- kinds -----------------------------------------------------------------------------------------

// How a kind meets others: as a convex solid, as the half space z <= 0, or triangle by triangle.
typedef enum vs_shape_family { VS_FAMILY_CONVEX, VS_FAMILY_PLANE, VS_FAMILY_TRIANGLES, VS_FAMILIES } vs_shape_family;

// A flat round face across z, about it.
typedef struct vs_disc {
    double side;           // 1 or -1: its outward normal is side z
    double offset, radius; // m; along the normal
} vs_disc;

// The straight line that turned about z gives the side of a solid: from radius[0] at z[0] to radius[1] at z[1].
typedef struct vs_side {
    double z[2], radius[2]; // m
} vs_side;

typedef struct vs_ray vs_ray; // shape/ray.h
typedef struct vs_ray_hit vs_ray_hit;

// All that the library knows of a kind of shapes; kind/kinds.h lists them, kind/ has one file for each. Lengths and
// directions are in the shape's axes.
typedef struct vs_shape_class {
    const char *name; // in scenes and reports
    vs_shape_family family;
    bool unbounded; // no finite bounds
    bool fixed;     // not on dynamic bodies
    bool polytope;  // faces, edges and vertices are those of shape->polytope
    bool revolved;  // a solid of revolution about z
    bool sized; // readers of trajectories know it by its kind and vs_shape_sizes(); all others are stored as triangles
    // Bounds at a pose.
    vs_box3 (*bounds)(const vs_shape *shape, vs_pose pose);
    vs_error (*mass)(const vs_shape *shape, double density, vs_mass_properties *mass);
    bool (*ray)(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit);
    // Sets the numbers of vertices and triangles, and fills those arrays that are not null.
    void (*surface)(const vs_shape *shape, vs_shape_surface *surface);

    // Convex kinds:
    vs_vec3 (*support)(const vs_shape *shape, vs_vec3 direction); // the farthest point in a direction of any length
    vs_core (*core)(const vs_shape *shape);
    // The farthest point of the core, shrunk by about `shrink` < core.inner (m). Null for polytopes.
    vs_vec3 (*core_support)(const vs_shape *shape, vs_vec3 direction, double shrink);
    // Points whose round layers meet the faces of flexible bodies: at most two, their number. Null: the vertices, if any.
    int (*ends)(const vs_shape *shape, vs_vec3 end[2]);
    // Extent along a unit direction of a kind that is symmetric about its origin: for vs_bounds_symmetric().
    double (*reach)(const vs_shape *shape, vs_vec3 direction);
    // Flat and straight parts, besides those of the polytope.
    int discs;
    vs_disc (*disc)(const vs_shape *shape, int k);
    vs_side (*side)(const vs_shape *shape); // null: none
    // Kinds with discs: height of a point over the shape, at most its distance, negative inside.
    double (*height)(const vs_shape *shape, vs_vec3 x);
} vs_shape_class;

extern const vs_shape_class *const VS_SHAPE_CLASS[VS_SHAPE_KINDS]; // by kind

static inline const vs_shape_class *vs_class_of(const vs_shape *shape) {
    return VS_SHAPE_CLASS[shape->kind];
}

static inline bool vs_shape_is_convex(const vs_shape *shape) {
    return vs_class_of(shape)->family == VS_FAMILY_CONVEX;
}

static inline bool vs_shape_is_plane(const vs_shape *shape) {
    return vs_class_of(shape)->family == VS_FAMILY_PLANE;
}

static inline bool vs_shape_has_triangles(const vs_shape *shape) {
    return vs_class_of(shape)->family == VS_FAMILY_TRIANGLES;
}

static inline bool vs_shape_is_bounded(const vs_shape *shape) {
    return !vs_class_of(shape)->unbounded;
}

static inline bool vs_shape_is_polytope(const vs_shape *shape) {
    return vs_class_of(shape)->polytope;
}

static inline bool vs_shape_has_flat_faces(const vs_shape *shape) {
    const vs_shape_class *c = vs_class_of(shape);
    return c->family != VS_FAMILY_CONVEX || c->polytope || c->discs > 0;
}

// Farthest point of a convex shape in a direction (any length), in the shape's axes. Not for planes and meshes: zero.
vs_vec3 vs_shape_support(const vs_shape *shape, vs_vec3 direction);
// Three sizes, m: radius; half sides or semi axes; radius and half length; 0 for kinds that have none.
vs_vec3 vs_shape_sizes(const vs_shape *shape);
// m, from the origin of the pose to any point of the shape, at most.
double vs_shape_arm(const vs_shape *shape, vs_pose pose);
static inline bool vs_boxes_meet(const vs_box3 *a, const vs_box3 *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}
static inline vs_box3 vs_box_grow(vs_box3 box, double margin) {
    const vs_vec3 m = {margin, margin, margin};
    return (vs_box3){vs_subtract(box.low, m), vs_add(box.high, m)};
}
// Bounds of the shape at a pose, grown by `margin`.
vs_box3 vs_shape_bounds(const vs_shape *shape, vs_pose pose, double margin);
// The same where that costs little; else wider, those of the bounds in the shape's axes, and true.
bool vs_shape_bounds_loosely(const vs_shape *shape, vs_pose pose, double margin, vs_box3 *box);

// Calls visit(user, triangle) for triangles whose box meets `box` (shape's axes), in ascending order of leaves; false
// stops.
void vs_triangles_query(const vs_triangles *triangles, vs_box3 box, bool (*visit)(void *user, int triangle),
                        void *user);
// The same with a box that may shrink from call to call.
void vs_triangles_search(const vs_triangles *triangles, const vs_box3 *box, bool (*visit)(void *user, int triangle),
                         void *user);
// Is x inside the solid that closed triangles bound? In time linear in them.
bool vs_triangles_contain(const vs_triangles *triangles, vs_vec3 x);
// Unit vector in a triangle of an edge (side 0 or 1), across the edge and away from it.
vs_vec3 vs_surface_across(const vs_triangles *t, const vs_surface_edge *edge, int side);
// Calls visit(user, triangle of a, triangle of b) for pairs whose boxes come closer than `reach`, which may shrink from call
// to call, in an order that depends on the two trees only; pose: of a in the axes of b. False stops.
void vs_triangles_pairs(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const double *reach,
                        bool (*visit)(void *user, int triangle_a, int triangle_b), void *user);

// Gaps at which contacts are sought, m.
typedef struct vs_gap_range {
    double envelope, depth; // from -depth to envelope
    double tolerance;       // places that close are one
    double margin;          // m, way of the first surface besides
    double turn;            // change of its unit vectors besides, at most
} vs_gap_range;
// The same for two closed surfaces, only for pairs that may have contacts: those that face each other, and lie in front of each
// other. They come in another order.
void vs_triangles_facing_pairs(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const vs_gap_range *range,
                               bool (*visit)(void *user, int triangle_a, int triangle_b), void *user);
// Two triangles by their places in the trees' order.
typedef struct vs_leaf_pair {
    int a, b;
} vs_leaf_pair;
// Of the given pairs, those with apart <= least that vs_triangles_facing_pairs() would visit.
typedef struct vs_leaf_pairs {
    const vs_leaf_pair *pair; // (count)
    const float *apart;       // (count)
    int64_t count;
    double least;
} vs_leaf_pairs;
void vs_triangles_facing_among(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const vs_gap_range *range,
                               const vs_leaf_pairs *among, bool (*visit)(void *user, int triangle_a, int triangle_b),
                               void *user);

#endif
