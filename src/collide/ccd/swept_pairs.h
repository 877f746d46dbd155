// Pairs of colliders that may pass through each other within a step.
//
// A pair whose points move by less than half of the thickness of the thicker one cannot: what overlaps at the end of the
// step is a contact on the right side. Only pairs that move farther are found, by boxes about the whole path.
#ifndef VS_COLLIDE_SWEPT_PAIRS_H
#define VS_COLLIDE_SWEPT_PAIRS_H

#include "base/array.h"
#include "collide/broad/broad.h"
#include "collide/collision.h"
#include "collide/images.h"
#include "collide/ccd/ccd.h"

// A bound on the motion of a body within a step.
typedef struct vs_motion_bound {
    double way;  // m, of the centre of mass
    double turn; // rad
} vs_motion_bound;

typedef struct vs_swept_pair {
    int a, b;      // colliders, the body of a is the lower one
    vs_vec3 shift; // m, of the image of b that a may meet (body/period.h)
} vs_swept_pair;

// Reusable memory; initialize to zero except for broad.context.
typedef struct vs_swept_pairs {
    VS_ARRAY(vs_motion_bound) bound; // (bodies) input
    VS_ARRAY(vs_path) path;          // (bodies) input
    VS_ARRAY(vs_swept_pair) pair;    // found, ascending
    VS_ARRAY(vs_box3) box;           // work
    vs_broad broad;
    vs_images images;
    vs_collision *found_for; // knows what searches of two meshes share
} vs_swept_pairs;

void vs_swept_pairs_release(vs_swept_pairs *pairs);
// May there be any? By the bounds alone; after vs_collision_find().
bool vs_swept_pairs_expected(const vs_swept_pairs *p, const vs_collision *c);
// Finds them for the paths. VS_ERROR_DATA: far too many.
vs_error vs_swept_pairs_find(vs_swept_pairs *p, vs_collision *c);
// The first s >= from at which a pair meets; > 1: never.
double vs_swept_pairs_meet(const vs_swept_pairs *p, const vs_world *world, vs_swept_pair pair, double from, bool soft);

#endif
