// Cylinders about the axis z.
#include "base/elementary.h"
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/mass.h"
#include "shape/ray.h"

#include <math.h>

vs_error vs_shape_cylinder(vs_context *context, double radius, double half_length, vs_shape **shape) {
    vs_error error = vs_shape_begin_axial(context, VS_SHAPE_CYLINDER, radius, half_length, shape);
    if (!error)
        vs_shape_end_axial(*shape, vs_hypot(radius, half_length), half_length);
    return error;
}

static double reach(const vs_shape *shape, vs_vec3 d) {
    return shape->radius * vs_hypot(d.x, d.y) + fabs(d.z) * shape->half_length;
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    *out = vs_mass_of_cylinder(shape->radius, shape->half_length, density);
    return VS_OK;
}

static bool meet_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit) {
    const vs_span s = vs_span_of_cylinder(ray, shape->radius, shape->half_length);
    return vs_span_hit(ray, &s, hit);
}

// Edges are sharp: the rims are duplicated.
static void surface(const vs_shape *shape, vs_shape_surface *out) {
    const double r = shape->radius, h = shape->half_length;
    const vs_profile profile[6] = {{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, 1, 0},
                                   {r, h, 1, 0},   {r, h, 0, 1},   {0, h, 0, 1}};
    static const bool joined[6] = {true, false, true, false, true, false};
    vs_surface_turn(profile, 6, joined, out);
}

static vs_vec3 support(const vs_shape *shape, vs_vec3 direction) {
    const vs_vec3 d = vs_direction(direction);
    // Along the axis the whole end is farthest: its centre.
    const double across = vs_hypot(d.x, d.y), s = across > 0 ? shape->radius / across : 0;
    return (vs_vec3){s * d.x, s * d.y, copysign(shape->half_length, d.z)};
}

static vs_core core(const vs_shape *shape) {
    return (vs_core){.size = vs_hypot(shape->radius, shape->half_length),
                     .inner = fmin(shape->radius, shape->half_length),
                     .arm = shape->size};
}

static vs_vec3 core_support(const vs_shape *shape, vs_vec3 d, double shrink) {
    const double radius = shape->radius - shrink, half_length = shape->half_length - shrink;
    const double across = sqrt(d.x * d.x + d.y * d.y), s = across > 0 ? radius / across : 0;
    return (vs_vec3){s * d.x, s * d.y, d.z > 0 ? half_length : d.z < 0 ? -half_length : 0};
}

// 0 up, 1 down.
static vs_disc disc(const vs_shape *shape, int k) {
    return (vs_disc){k == 0 ? 1 : -1, shape->half_length, shape->radius};
}

static vs_side side(const vs_shape *shape) {
    return (vs_side){{shape->half_length, -shape->half_length}, {shape->radius, shape->radius}};
}

static double height(const vs_shape *shape, vs_vec3 x) {
    return fmax(vs_hypot(x.x, x.y) - shape->radius, fabs(x.z) - shape->half_length);
}

const vs_shape_class vs_class_cylinder = {.name = "cylinder",
                                          .revolved = true,
                                          .sized = true,
                                          .bounds = vs_bounds_symmetric,
                                          .mass = mass,
                                          .ray = meet_ray,
                                          .surface = surface,
                                          .support = support,
                                          .core = core,
                                          .core_support = core_support,
                                          .reach = reach,
                                          .discs = 2,
                                          .disc = disc,
                                          .side = side,
                                          .height = height};
