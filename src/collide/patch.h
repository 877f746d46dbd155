// The part of a convex shape that touches another one, and the contact points of two such parts.
#ifndef VS_COLLIDE_PATCH_H
#define VS_COLLIDE_PATCH_H

#include "collide/contact.h"
#include "collide/convex.h"

enum { VS_PATCH_POINTS = 64 }; // faces with more vertices are reduced

typedef enum vs_patch_kind { VS_PATCH_POINT, VS_PATCH_SEGMENT, VS_PATCH_POLYGON, VS_PATCH_DISC } vs_patch_kind;

typedef struct vs_patch {
    vs_patch_kind kind;
    int count;                      // points; a disc has its centre
    vs_vec3 point[VS_PATCH_POINTS]; // on the surface; polygons counter-clockwise seen from outside
    int id[VS_PATCH_POINTS];        // vertices of the shape
    int face;
    vs_vec3 normal; // polygons and discs, outward
    vs_vec3 u, w;   // disc: fixed directions in its plane
    double radius;  // m, disc
} vs_patch;

void vs_patch_of_face(const vs_convex *c, int face, vs_patch *patch);
// The farthest part in the direction n (unit), within `tolerance` (m): a segment or a point.
void vs_patch_of_edge(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch);
// The part that touches a plane with normal -n: the flattest face at the farthest point, a line of a round side, …
void vs_patch_toward(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch);

// Contacts are computed in the working frame and returned in the world frame.
typedef struct vs_meeting {
    vs_pose pose;     // working frame in the world
    double envelope;  // m
    double tolerance; // m: lengths below it make no difference
    double share;     // four points suffice if they cover this part of the common outline
} vs_meeting;

// Appends the contacts of two patches along n (unit), from the reference, a polygon or disc, to the other one. lowest:
// the gap of the shapes along n, the least possible. from_b: the reference belongs to the second shape.
// Returns the least gap found, infinite if there is no contact.
double vs_meeting_faces(const vs_meeting *meeting, const vs_patch *reference, const vs_patch *incident, vs_vec3 n,
                        double lowest, bool from_b, vs_manifold *m);
// Two contacts where a and b end in parallel segments along n (from a to b) that overlap; else false.
bool vs_meeting_segments(const vs_meeting *meeting, const vs_patch *a, const vs_patch *b, vs_vec3 n, vs_manifold *m);
void vs_meeting_point(const vs_meeting *meeting, vs_vec3 on_a, vs_vec3 on_b, vs_vec3 n, double gap, uint32_t feature,
                      vs_manifold *m);

// Names of features: edges and vertices that touch, by their vertices (-1: none), whatever their order.
uint32_t vs_feature_of_vertices(const int *vertex_a, const int *vertex_b, int count);

// The contact of two shapes along n: faces if one of them lies across n, else parallel edges, else the closest
// points.
typedef struct vs_touch {
    vs_vec3 normal; // unit, from a to b
    double gap;     // m
    vs_vec3 on_a, on_b;
    uint32_t feature;   // of the single point
    int face_a, face_b; // faces whose normal is equivalent to `normal`; -1: none
} vs_touch;
// Finds face_a and face_b: faces along which the gap is `gap` to within tolerance.
void vs_touch_find_faces(vs_touch *touch, const vs_convex *a, const vs_convex *b, double tolerance);
// The normal of the contacts is that of the face, if there is one.
void vs_touch_contacts(const vs_touch *touch, const vs_convex *a, const vs_convex *b, const vs_meeting *meeting,
                       vs_manifold *m);

// Signed gap of two convex shapes of any kind, with its points (narrow_generic.c), without faces. front (null:
// none): normals with n . front > 0 are excluded while the shapes overlap. False: farther apart than `envelope`.
bool vs_touch_find(const vs_convex *a, const vs_convex *b, const vs_vec3 *front, double envelope, vs_touch *touch);

#endif
