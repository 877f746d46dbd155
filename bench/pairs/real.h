// Vectors in long double for the references of bench/pairs.
#ifndef PAIRS_REAL_H
#define PAIRS_REAL_H

#include <math.h>
#include <stdbool.h>

#include "voussoir/geometry.h"

typedef long double real;

typedef struct vec {
    real x, y, z;
} vec;

static inline vec vec_of(vs_vec3 v) {
    return (vec){v.x, v.y, v.z};
}
static inline vec add(vec a, vec b) {
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec subtract(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vec scale(real s, vec a) {
    return (vec){s * a.x, s * a.y, s * a.z};
}
static inline vec add_scaled(vec a, real s, vec b) {
    return add(a, scale(s, b));
}
static inline real dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline real length(vec a) {
    return sqrtl(dot(a, a));
}
static inline vec normalize(vec a) {
    return scale(1 / length(a), a);
}

// Rows of the rotation matrix of a quaternion, which is normalized first.
typedef struct frame {
    vec row[3];
    vec origin;
} frame;

static inline frame frame_of(vs_pose p) {
    real w = p.rotation.w, x = p.rotation.x, y = p.rotation.y, z = p.rotation.z;
    const real s = 2 / (w * w + x * x + y * y + z * z);
    return (frame){{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                    {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                    {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}},
                   vec_of(p.position)};
}
static inline vec rotate(const frame *f, vec v) {
    return (vec){dot(f->row[0], v), dot(f->row[1], v), dot(f->row[2], v)};
}
static inline vec rotate_back(const frame *f, vec v) {
    return add(add(scale(v.x, f->row[0]), scale(v.y, f->row[1])), scale(v.z, f->row[2]));
}
static inline vec place(const frame *f, vec v) {
    return add(f->origin, rotate(f, v));
}
static inline vec place_back(const frame *f, vec v) {
    return rotate_back(f, subtract(v, f->origin));
}

#endif
