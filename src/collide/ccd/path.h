// The way of a body within a step.
//
// It moves from one pose to another, s from 0 to 1: its centre of mass on a straight line, its axes about one axis,
//
//     x(s) = x + s way,   R(s) = R exp(s turn)
//
// and rests from `stop` on.
#ifndef VS_COLLIDE_PATH_H
#define VS_COLLIDE_PATH_H

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
// The same way elsewhere.
static inline vs_path vs_path_moved(vs_path path, vs_vec3 shift) {
    path.begin.position = vs_add(path.begin.position, shift);
    return path;
}

typedef struct vs_swept_collider {
    const vs_shape *shape;
    vs_pose pose; // in the body's axes
    const vs_path *path;
} vs_swept_collider;

#endif
