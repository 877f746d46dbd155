// Spheres.
#include "base/elementary.h"
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/mass.h"
#include "shape/ray.h"

vs_error vs_shape_sphere(vs_context *context, double radius, vs_shape **shape) {
    vs_error error = vs_shape_check_call(context, shape);
    if (error || (error = vs_shape_check_size(context, "radius", radius)))
        return error;
    vs_shape *made = vs_shape_begin(context, VS_SHAPE_SPHERE);
    if (!made)
        return VS_ERROR_MEMORY;
    made->radius = made->size = made->thickness = radius;
    made->bounds = (vs_box3){{-radius, -radius, -radius}, {radius, radius, radius}};
    *shape = made;
    return VS_OK;
}

static vs_box3 bounds(const vs_shape *shape, vs_pose pose) {
    const vs_vec3 r = {shape->radius, shape->radius, shape->radius};
    return (vs_box3){vs_subtract(pose.position, r), vs_add(pose.position, r)};
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    *out = vs_mass_of_ellipsoid((vs_vec3){shape->radius, shape->radius, shape->radius}, density);
    return VS_OK;
}

static bool meet_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit) {
    const vs_span s = vs_span_of_ball(ray, VS_ZERO3, shape->radius);
    return vs_span_hit(ray, &s, hit);
}

static void surface(const vs_shape *shape, vs_shape_surface *out) {
    vs_surface_ball((vs_vec3){shape->radius, shape->radius, shape->radius}, out);
}

static vs_vec3 support(const vs_shape *shape, vs_vec3 direction) {
    return vs_scale(shape->radius, vs_direction(direction));
}

static vs_core core(const vs_shape *shape) {
    return (vs_core){.radius = shape->radius, .size = shape->radius};
}

static vs_vec3 core_support(const vs_shape *shape, vs_vec3 direction, double shrink) {
    (void)shape, (void)direction, (void)shrink;
    return VS_ZERO3;
}

static int ends(const vs_shape *shape, vs_vec3 end[2]) {
    (void)shape;
    end[0] = VS_ZERO3;
    return 1;
}

const vs_shape_class vs_class_sphere = {.name = "sphere",
                                        .sized = true,
                                        .bounds = bounds,
                                        .mass = mass,
                                        .ray = meet_ray,
                                        .surface = surface,
                                        .support = support,
                                        .core = core,
                                        .core_support = core_support,
                                        .ends = ends};
