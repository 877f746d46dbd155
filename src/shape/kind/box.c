// Boxes: polytopes whose sizes are known.
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/mass.h"
#include "shape/ray.h"

#include <math.h>

vs_error vs_shape_box(vs_context *context, vs_vec3 half, vs_shape **shape) {
    static const char *const name[3] = {"half.x", "half.y", "half.z"};
    vs_error error = vs_shape_check_call(context, shape);
    if (error || (error = vs_shape_check_sizes(context, name, half)))
        return error;
    vs_shape *made = vs_shape_begin(context, VS_SHAPE_BOX);
    if (!made)
        return VS_ERROR_MEMORY;
    made->half = half;
    made->size = vs_length(half);
    made->thickness = fmin(half.x, fmin(half.y, half.z));
    made->bounds = (vs_box3){vs_scale(-1, half), half};
    return vs_shape_finish(vs_polytope_box(context, half, &made->polytope), made, shape);
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    *out = vs_mass_of_box(shape->half, density);
    return VS_OK;
}

static vs_vec3 corner(vs_vec3 half, vs_vec3 d) {
    return (vs_vec3){copysign(half.x, d.x), copysign(half.y, d.y), copysign(half.z, d.z)};
}

static vs_vec3 support(const vs_shape *shape, vs_vec3 direction) {
    // Only the signs count, and a length changes none of them.
    return corner(shape->half, vs_dot(direction, direction) > 0 ? direction : vs_direction(direction));
}

static vs_core core(const vs_shape *shape) {
    const vs_vec3 half = shape->half;
    return (vs_core){.size = vs_length(half), .inner = fmin(fmin(half.x, half.y), half.z), .arm = shape->size};
}

static double reach(const vs_shape *shape, vs_vec3 d) {
    return fabs(d.x) * shape->half.x + fabs(d.y) * shape->half.y + fabs(d.z) * shape->half.z;
}

const vs_shape_class vs_class_box = {.name = "box",
                                     .polytope = true,
                                     .sized = true,
                                     .bounds = vs_bounds_symmetric,
                                     .mass = mass,
                                     .ray = vs_polytope_ray,
                                     .surface = vs_surface_polytope,
                                     .support = support,
                                     .core = core,
                                     .reach = reach};
