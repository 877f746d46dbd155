// The half space z <= 0.
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/ray.h"

#include <math.h>

vs_error vs_shape_plane(vs_context *context, vs_shape **shape) {
    vs_error error = vs_shape_check_call(context, shape);
    if (error)
        return error;
    vs_shape *made = vs_shape_begin(context, VS_SHAPE_PLANE);
    if (!made)
        return VS_ERROR_MEMORY;
    made->size = made->thickness = INFINITY;
    made->bounds = (vs_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0}};
    *shape = made;
    return VS_OK;
}

// Bounded only along an axis parallel to its normal.
static vs_box3 bounds(const vs_shape *shape, vs_pose pose) {
    (void)shape;
    const vs_vec3 n = vs_rotate(pose.rotation, (vs_vec3){0, 0, 1}), p = pose.position;
    vs_box3 box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    if (n.y == 0 && n.z == 0)
        *(n.x > 0 ? &box.high.x : &box.low.x) = p.x;
    if (n.x == 0 && n.z == 0)
        *(n.y > 0 ? &box.high.y : &box.low.y) = p.y;
    if (n.x == 0 && n.y == 0)
        *(n.z > 0 ? &box.high.z : &box.low.z) = p.z;
    return box;
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    (void)density, (void)out;
    return vs_fail(shape->arena.context, VS_ERROR_UNSUPPORTED, "a plane has no mass");
}

static bool meet_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit) {
    (void)shape;
    vs_span s = VS_SPAN_EVERYTHING;
    vs_span_cut_by_plane(ray, (vs_vec3){0, 0, 1}, 0, &s);
    return vs_span_hit(ray, &s, hit);
}

static void surface(const vs_shape *shape, vs_shape_surface *out) {
    (void)shape;
    out->vertices = out->triangles = 0;
    out->smooth = false;
}

const vs_shape_class vs_class_plane = {.name = "plane",
                                       .family = VS_FAMILY_PLANE,
                                       .unbounded = true,
                                       .fixed = true,
                                       .sized = true,
                                       .bounds = bounds,
                                       .mass = mass,
                                       .ray = meet_ray,
                                       .surface = surface};
