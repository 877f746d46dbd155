// The common part of two convex polygons that lie almost in one plane.
#ifndef VS_STATICS_OVERLAP_H
#define VS_STATICS_OVERLAP_H

#include "base/vec.h"

enum { VS_OVERLAP_MOST = 256 }; // corners of the result

// A face in world axes: counter-clockwise corners seen against its normal, which points outward.
typedef struct vs_face {
    const vs_vec3 *corner; // (corners)
    int corners;           // 0: the whole plane
    vs_vec3 normal;        // unit
    double offset;         // m: normal . x = offset
} vs_face;

// Corners midway between the two faces, with their gaps along the normal.
typedef struct vs_overlap_polygon {
    vs_vec3 normal; // from the first face to the second
    vs_vec3 centre;
    double area;
    int corners;
    vs_vec3 corner[VS_OVERLAP_MOST];
    double gap[VS_OVERLAP_MOST]; // m
} vs_overlap_polygon;

double vs_face_area(const vs_face *face); // m^2; infinite: a plane

// Clips face a with face b; at most one of them is a plane. tolerance: m, lengths below it make no difference.
// An overlap narrower than that has no corners.
void vs_overlap_find(const vs_face *a, const vs_face *b, double tolerance, vs_overlap_polygon *overlap);

#endif
