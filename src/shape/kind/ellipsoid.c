// Ellipsoids.
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/mass.h"
#include "shape/ray.h"

#include <math.h>

static vs_vec3 multiply(vs_vec3 a, vs_vec3 b) {
    return (vs_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static vs_vec3 divide(vs_vec3 a, vs_vec3 b) {
    return (vs_vec3){a.x / b.x, a.y / b.y, a.z / b.z};
}

vs_error vs_shape_ellipsoid(vs_context *context, vs_vec3 semi_axes, vs_shape **shape) {
    static const char *const name[3] = {"semi_axes.x", "semi_axes.y", "semi_axes.z"};
    vs_error error = vs_shape_check_call(context, shape);
    if (error || (error = vs_shape_check_sizes(context, name, semi_axes)))
        return error;
    vs_shape *made = vs_shape_begin(context, VS_SHAPE_ELLIPSOID);
    if (!made)
        return VS_ERROR_MEMORY;
    made->half = semi_axes;
    made->size = fmax(semi_axes.x, fmax(semi_axes.y, semi_axes.z));
    made->thickness = fmin(semi_axes.x, fmin(semi_axes.y, semi_axes.z));
    made->bounds = (vs_box3){vs_scale(-1, semi_axes), semi_axes};
    *shape = made;
    return VS_OK;
}

static double reach(const vs_shape *shape, vs_vec3 d) {
    return vs_length(multiply(shape->half, d));
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    *out = vs_mass_of_ellipsoid(shape->half, density);
    return VS_OK;
}

static bool meet_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit) {
    const vs_vec3 p = divide(ray->origin, shape->half), d = divide(ray->direction, shape->half);
    vs_span s = vs_span_in_ball(p, d, 1);
    s.normal = vs_normalize(divide(vs_add_scaled(p, s.enter, d), shape->half));
    return vs_span_hit(ray, &s, hit);
}

static void surface(const vs_shape *shape, vs_shape_surface *out) {
    vs_surface_ball(shape->half, out);
}

static vs_vec3 support(const vs_shape *shape, vs_vec3 direction) {
    return multiply(shape->half, vs_direction(multiply(shape->half, vs_direction(direction))));
}

static vs_core core(const vs_shape *shape) {
    const vs_vec3 half = shape->half;
    return (vs_core){
        .size = fmax(fmax(half.x, half.y), half.z), .inner = fmin(fmin(half.x, half.y), half.z), .arm = shape->size};
}

// Scaled first, so that directions of any length neither overflow nor vanish.
static vs_vec3 core_support(const vs_shape *shape, vs_vec3 d, double shrink) {
    const vs_vec3 axes = {shape->half.x - shrink, shape->half.y - shrink, shape->half.z - shrink};
    const double largest = fmax(fmax(fabs(d.x), fabs(d.y)), fabs(d.z));
    if (!(largest > 0))
        return (vs_vec3){axes.x, 0, 0};
    const vs_vec3 e = {axes.x * (d.x / largest), axes.y * (d.y / largest), axes.z * (d.z / largest)};
    const double s = 1 / vs_length(e);
    return (vs_vec3){s * axes.x * e.x, s * axes.y * e.y, s * axes.z * e.z};
}

const vs_shape_class vs_class_ellipsoid = {.name = "ellipsoid",
                                           .sized = true,
                                           .bounds = vs_bounds_symmetric,
                                           .mass = mass,
                                           .ray = meet_ray,
                                           .surface = surface,
                                           .support = support,
                                           .core = core,
                                           .core_support = core_support,
                                           .reach = reach};
