// A ray against one shape, and the parts that kinds of shapes compose it of.
#ifndef VS_SHAPE_RAY_H
#define VS_SHAPE_RAY_H

#include "shape/shape_data.h"

// In the axes of the shape.
struct vs_ray {
    vs_vec3 origin, direction; // unit
    double length;             // m
};

struct vs_ray_hit {
    double distance; // m
    vs_vec3 normal;  // unit, out of the shape
};

// False: it does not meet the shape.
bool vs_ray_meets(const vs_ray *ray, const vs_shape *shape, vs_ray_hit *hit);
bool vs_ray_meets_box(const vs_ray *ray, const vs_box3 *box);

// ---- for kinds of shapes ---------------------------------------------------------------------------

// The part of the ray that is inside so far, and the normal where it begins.
typedef struct vs_span {
    double enter, leave; // m
    vs_vec3 normal;
} vs_span;

extern const vs_span VS_SPAN_EVERYTHING;

bool vs_span_is_empty(const vs_span *s);
// Cuts the span by the half space normal . x <= offset.
void vs_span_cut_by_plane(const vs_ray *ray, vs_vec3 normal, double offset, vs_span *s);
// |p + t d| <= radius, p and d scaled or projected; the normal is set by the caller.
vs_span vs_span_in_ball(vs_vec3 p, vs_vec3 d, double radius);
vs_span vs_span_of_ball(const vs_ray *ray, vs_vec3 centre, double radius);
// About z, with flat ends.
vs_span vs_span_of_cylinder(const vs_ray *ray, double radius, double half_length);
// The hit of a convex shape: where its span begins, or at once, against the ray, from inside.
bool vs_span_hit(const vs_ray *ray, const vs_span *s, vs_ray_hit *hit);
bool vs_polytope_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit);
bool vs_triangles_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit);

#endif
