// Questions about the present state of a world: rays, closest points, overlaps, distances of bodies.
//
// All are answered from the colliders as they are now, without a simulation; sensors take part. Of equal answers the one of
// the collider with the lowest index is given. The cost is one box test per collider, and the shape itself where its box is met.
#ifndef VOUSSOIR_QUERY_H
#define VOUSSOIR_QUERY_H

#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// A place on a collider.
typedef struct vs_query_hit {
    bool found; // false: nothing was met, the rest is zero
    vs_body_id body;
    vs_collider_id collider;
    vs_vec3 point;   // m, world axes, on its surface
    vs_vec3 normal;  // world axes, unit, out of the shape
    double distance; // m, from the origin of the ray, or of the point; negative inside
} vs_query_hit;

// First collider of the groups in `mask` that the ray from `origin` along `direction` (of any length but 0) meets within
// `length` m. An origin inside a solid meets it at distance 0, with the normal against the ray.
VS_API vs_error vs_world_cast_ray(const vs_world *world, vs_vec3 origin, vs_vec3 direction, double length,
                                  uint32_t mask, vs_query_hit *hit);
// Closest point to `point` within `reach` m (finite) on any collider of the groups in `mask`. Inside a solid the distance
// is negative.
VS_API vs_error vs_world_find_closest_point(const vs_world *world, vs_vec3 point, double reach, uint32_t mask,
                                            vs_query_hit *hit);
// Colliders of the groups in `mask` that a shape would touch or overlap at `pose`, ascending. Fills at most `capacity` of
// them; `count` is the number of all.
VS_API vs_error vs_world_find_overlapping(const vs_world *world, const vs_shape *shape, vs_pose pose, uint32_t mask,
                                          vs_collider_id *collider, int capacity, int *count);

// Two bodies where they are closest.
typedef struct vs_body_distance {
    // m, negative: depth of their overlap, of concave meshes that of the deepest contact (0: surfaces cross deeper than contacts
    // reach, or one body is inside the other); infinite without shapes, between planes, or farther than `reach`
    double distance;
    vs_vec3 on_a, on_b; // m, world axes
    vs_vec3 normal;     // world axes, unit, from a to b
} vs_body_distance;

// Distance of two different bodies, up to `reach` m (finite), whether or not they may collide.
VS_API vs_error vs_world_get_body_distance(const vs_world *world, vs_body_id a, vs_body_id b, double reach,
                                           vs_body_distance *distance);

#ifdef __cplusplus
}
#endif

#endif
