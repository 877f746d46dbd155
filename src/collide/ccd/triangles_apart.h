// Two triangles of meshes that move: does a plane keep them apart?
//
// A corner of a body that turns by w, at the distance r from its centre of mass, leaves the straight line between its places at the
// beginning and the end of a part of the step by no more than
//
//     |n x w| |w| r / 8      along a unit vector n
//
// On the straight lines the gap of two triangles along n is a concave function of time, least at the beginning or at the end. If it
// is larger than these bounds at both, with n across either triangle or one of its sides, they do not meet. A few products
// instead of a distance: most triangles whose boxes come close are told apart by it.
#ifndef VS_COLLIDE_TRIANGLES_APART_H
#define VS_COLLIDE_TRIANGLES_APART_H

#include "collide/ccd/path.h"

// A triangle in the working frame: the axes of the second mesh at the beginning.
typedef struct vs_apart_triangle {
    int triangle;         // -1: none yet
    vs_vec3 corner[2][3]; // at the beginning and the end
    vs_vec3 normal;       // at the beginning
    double arm;           // m, from the centre of mass, at most
    double size;          // m, its longest side
} vs_apart_triangle;

typedef struct vs_apart_side {
    const vs_triangles *t;
    vs_mat3 rotation[2]; // at the beginning and the end
    vs_vec3 position[2];
    vs_vec3 centre; // of mass, at the beginning
    vs_vec3 turn;   // between them
    vs_apart_triangle last;
} vs_apart_side;

typedef struct vs_apart {
    vs_apart_side side[2];
    bool rests;
    vs_vec3 across; // unit, or 0: what kept the last two apart keeps their neighbours apart, too
} vs_apart;

// Two meshes between two times; neither of them stops in between.
vs_apart vs_apart_between(const vs_swept_collider side[2], double from, double to);
// Do they stay apart by more than the gap and this share of the smaller one's longest side? False: not known.
bool vs_apart_stay(vs_apart *p, const int triangle[2], double gap, double share);

#endif
