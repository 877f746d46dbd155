// Convex hulls of points.
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/mass.h"
#include "shape/ray.h"

#include <math.h>

// Vertices at a pose.
static vs_box3 bounds(const vs_shape *shape, vs_pose pose) {
    const vs_polytope *p = &shape->polytope;
    const vs_mat3 R = vs_quat_matrix(pose.rotation);
    vs_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < p->vertices; k++) {
        const vs_vec3 v = vs_mat3_apply(&R, p->vertex[k]);
        // comparisons, not calls of fmin(): robots have hulls of thousands of vertices, and this runs in every step
        box.low = (vs_vec3){v.x < box.low.x ? v.x : box.low.x, v.y < box.low.y ? v.y : box.low.y,
                            v.z < box.low.z ? v.z : box.low.z};
        box.high = (vs_vec3){v.x > box.high.x ? v.x : box.high.x, v.y > box.high.y ? v.y : box.high.y,
                             v.z > box.high.z ? v.z : box.high.z};
    }
    return (vs_box3){vs_add(box.low, pose.position), vs_add(box.high, pose.position)};
}

static double farthest_from(const vs_polytope *p, vs_vec3 from) {
    double most = 0;
    for (int k = 0; k < p->vertices; k++) {
        const vs_vec3 r = vs_subtract(p->vertex[k], from);
        most = fmax(most, vs_dot(r, r));
    }
    return sqrt(most);
}

// The mean of the vertices is inside; the least distance from it to a face is the radius of a ball inside.
static vs_core find_core(const vs_shape *shape) {
    const vs_polytope *p = &shape->polytope;
    vs_vec3 sum = VS_ZERO3;
    for (int k = 0; k < p->vertices; k++)
        sum = vs_add(sum, p->vertex[k]);
    vs_core c = {.centre = vs_scale(1.0 / p->vertices, sum), .inner = INFINITY, .arm = shape->size};
    for (int k = 0; k < p->faces; k++)
        c.inner = fmin(c.inner, p->offset[k] - vs_dot(p->normal[k], c.centre));
    c.inner = fmax(c.inner, 0);
    c.size = farthest_from(p, c.centre);
    return c;
}

static vs_core core(const vs_shape *shape) {
    return shape->core;
}

vs_error vs_shape_hull(vs_context *context, const vs_vec3 *point, int count, vs_shape **shape) {
    vs_error error = vs_shape_check_call(context, shape);
    if (error)
        return error;
    if (!point || count < 4)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a hull needs at least 4 points (has %d)", point ? count : 0);
    vs_shape *made = vs_shape_begin(context, VS_SHAPE_HULL);
    if (!made)
        return VS_ERROR_MEMORY;
    error = vs_polytope_hull(context, point, count, &made->polytope);
    if (!error) {
        made->bounds = bounds(made, VS_IDENTITY_POSE);
        made->centre = vs_bounds_centre(&made->bounds);
        made->size = farthest_from(&made->polytope, made->centre);
        made->core = find_core(made);
        made->thickness = made->core.inner;
    }
    return vs_shape_finish(error == VS_ERROR_NUMERICAL ? VS_ERROR_DATA : error, made, shape);
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    const vs_polytope *p = &shape->polytope;
    vs_moments m = vs_moments_about(&shape->bounds);
    for (int f = 0; f < p->faces; f++) {
        const int begin = p->face_start[f];
        for (int k = begin + 1; k + 1 < p->face_start[f + 1]; k++)
            vs_moments_add(&m, p->vertex[p->face_vertex[begin]], p->vertex[p->face_vertex[k]],
                           p->vertex[p->face_vertex[k + 1]]);
    }
    *out = vs_mass_of_moments(&m, density);
    return VS_OK;
}

// The lowest of the farthest vertices.
static vs_vec3 support(const vs_shape *shape, vs_vec3 direction) {
    const vs_polytope *p = &shape->polytope;
    const vs_vec3 d = vs_direction(direction);
    int best = 0;
    double most = vs_dot(p->vertex[0], d);
    for (int k = 1; k < p->vertices; k++) {
        const double reach = vs_dot(p->vertex[k], d);
        if (reach > most) {
            most = reach;
            best = k;
        }
    }
    return p->vertex[best];
}

const vs_shape_class vs_class_hull = {.name = "hull",
                                      .polytope = true,
                                      .bounds = bounds,
                                      .mass = mass,
                                      .ray = vs_polytope_ray,
                                      .surface = vs_surface_polytope,
                                      .support = support,
                                      .core = core};
