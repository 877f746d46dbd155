// Continuous collision of two colliders that move (path.h): the first time within a step at which they come together.
#ifndef VS_COLLIDE_CCD_H
#define VS_COLLIDE_CCD_H

#include "collide/ccd/path.h"
#include "collide/mesh/kept_pairs.h"

// Gaps below this share of the smaller shape's size count as meeting.
static const double VS_CCD_TARGET = 1e-4;
// Thickness of meshes relative to their size, where nothing else is known.
static const double VS_CCD_MESH = 1e-3;

// The first s >= from at which two colliders meet, at most one of them a plane; > 1: they do not. Where they touch at
// s = 0, the time at which a part of them that is drawn in by a tenth of the thickness meets, then by half; those that
// overlap by more do not meet. soft: by half in any case. Triangles hit from behind do not meet convex shapes, and
// meshes that begin closer to each other than a hundredth of their size, and move by less than half of it, meet if edges cross
// triangles by more than the thickness of meshes at the end of the step.
// kept: what searches of two meshes share, may be null.
double vs_ccd_meet(const vs_swept_collider side[2], double from, bool soft, vs_kept_pairs *kept);
// Do they come into touch at all, at whatever depth and from whichever side? In doubt they do.
bool vs_ccd_touches(const vs_swept_collider side[2]);

#endif
