// How a cable passes a drum: a sphere, a cylinder or a pulley between two points.
#ifndef VS_BODY_CABLE_WRAP_H
#define VS_BODY_CABLE_WRAP_H

#include <stdbool.h>

#include "voussoir/world.h"

// In the frame of the drum.
typedef struct vs_wrap {
    bool touches;
    vs_vec3 enter, leave; // where the cable meets the surface and leaves it
    double length;        // m, on it
    double angle;         // rad, by which its direction turns there: the integral of its curvature
} vs_wrap;

// The shortest way from `before` to `after`, both in the frame of the drum.
vs_wrap vs_wrap_find(const vs_cable_point *drum, vs_vec3 before, vs_vec3 after);

#endif
