// The part of a convex shape that meets another one.
#ifndef VS_COLLIDE_PATCH_H
#define VS_COLLIDE_PATCH_H

#include "collide/convex/convex.h"

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

#endif
