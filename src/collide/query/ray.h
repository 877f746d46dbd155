// A ray against one shape.
#ifndef VS_COLLIDE_RAY_H
#define VS_COLLIDE_RAY_H

#include "shape/shape_data.h"

// In the axes of the shape.
typedef struct vs_ray {
    vs_vec3 origin, direction; // unit
    double length;             // m
} vs_ray;

typedef struct vs_ray_hit {
    double distance; // m
    vs_vec3 normal;  // unit, out of the shape
} vs_ray_hit;

// False: it does not meet the shape.
bool vs_ray_meets(const vs_ray *ray, const vs_shape *shape, vs_ray_hit *hit);
bool vs_ray_meets_box(const vs_ray *ray, const vs_box3 *box);

#endif
