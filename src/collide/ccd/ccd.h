// Continuous collision of two colliders: the first time within a step at which they come together.
//
// A body moves from one pose to another, s from 0 to 1: its centre of mass on a straight line, its axes about one axis,
//
//     x(s) = x + s way,   R(s) = R exp(s turn)
//
// and rests from `stop` on.
#ifndef VS_COLLIDE_CCD_H
#define VS_COLLIDE_CCD_H

#include "shape/shape_data.h"

typedef struct vs_path {
    vs_pose begin;
    vs_vec3 way;  // m, world axes
    vs_vec3 turn; // rad, body axes
    double stop;  // 0 … 1
} vs_path;

// From one pose to another, with as many whole turns as `turn` has, about.
vs_path vs_path_between(vs_pose begin, vs_pose end, vs_vec3 turn);
vs_pose vs_path_at(const vs_path *path, double s);

typedef struct vs_swept_collider {
    const vs_shape *shape;
    vs_pose pose; // in the body's axes
    const vs_path *path;
} vs_swept_collider;

// Gaps below this share of the smaller shape's size count as meeting.
static const double VS_CCD_TARGET = 1e-4;
// Thickness of meshes relative to their size, where nothing else is known.
static const double VS_CCD_MESH = 1e-3;

// The first s >= from at which two colliders meet, at most one of them a plane; > 1: they do not. Where they touch at
// s = 0, the time at which a part of them that is drawn in by a tenth of the thickness meets, then by half; those that
// overlap by more do not meet. soft: by half in any case. Triangles hit from behind do not meet convex shapes, and
// meshes that begin closer to each other than a hundredth of their size, and move by less than half of it, meet if edges cross
// triangles by more than the thickness of meshes at the end of the step.
double vs_ccd_meet(const vs_swept_collider side[2], double from, bool soft);
// Do they come into touch at all, at whatever depth and from whichever side? In doubt they do.
bool vs_ccd_touches(const vs_swept_collider side[2]);

#endif
