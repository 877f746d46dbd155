// Triangle meshes: solids if they are closed, else shells.
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/mass.h"
#include "shape/ray.h"

#include <math.h>

enum { SOLID_CORNERS = 256 };            // of a convex mesh, at most
static const double SAME_VOLUME = 1e-11; // relative: a hull of this volume is the solid itself

// Queries know the depth of convex solids: a mesh that is one has its hull, too.
static vs_error find_solid(vs_context *context, const vs_vec3 *vertex, int vertices, vs_shape *mesh) {
    vs_mass_properties own, full;
    vs_shape *hull = NULL;
    if (!mesh->triangles.surface.closed || vertices > SOLID_CORNERS)
        return VS_OK;
    vs_error error = vs_shape_hull(context, vertex, vertices, &hull);
    if (error)
        return error == VS_ERROR_MEMORY ? error : VS_OK; // it is flat, or too large: there is none
    if (vs_shape_get_mass(mesh, 1, &own) == VS_OK && vs_shape_get_mass(hull, 1, &full) == VS_OK &&
        fabs(full.mass - own.mass) <= SAME_VOLUME * full.mass)
        mesh->solid = hull;
    else
        vs_shape_release(hull);
    return VS_OK;
}

vs_error vs_shape_mesh(vs_context *context, const vs_vec3 *vertex, int vertices, const int *triangle, int triangles,
                       vs_shape **shape) {
    vs_error error = vs_shape_check_call(context, shape);
    if (error)
        return error;
    if (!vertex || !triangle || vertices < 3 || triangles < 1 || triangles > VS_TRIANGLES_MOST)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a mesh needs vertices and 1 to %d triangles (has %d and %d)",
                       VS_TRIANGLES_MOST, vertex ? vertices : 0, triangle ? triangles : 0);
    vs_shape *made = vs_shape_begin(context, VS_SHAPE_MESH);
    if (!made)
        return VS_ERROR_MEMORY;
    error = vs_triangles_mesh(&made->arena, vertex, vertices, triangle, triangles, &made->triangles);
    if (!error) {
        made->bounds = vs_triangles_bounds(&made->triangles);
        made->centre = vs_bounds_centre(&made->bounds);
        made->size = vs_triangles_size(&made->triangles, made->centre);
        error = find_solid(context, vertex, vertices, made);
    }
    return vs_shape_finish(error, made, shape);
}

static vs_box3 bounds(const vs_shape *shape, vs_pose pose) {
    return vs_bounds_box(shape->bounds, pose);
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    vs_context *context = shape->arena.context;
    const vs_triangles *t = &shape->triangles;
    if (!t->surface.closed)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "an open mesh has no mass; close it, or give mass and inertia");
    vs_moments m = vs_moments_about(&shape->bounds);
    for (int k = 0; k < t->triangles; k++) {
        const int *corner = t->index + 3 * (int64_t)k;
        vs_moments_add(&m, t->vertex[corner[0]], t->vertex[corner[1]], t->vertex[corner[2]]);
    }
    // Rounding of the sum is no volume; a negative one means inward triangles.
    const vs_vec3 extent = vs_subtract(shape->bounds.high, shape->bounds.low);
    if (!(m.volume > 1e-12 * vs_dot(extent, extent) * vs_length(extent)))
        return vs_fail(context, VS_ERROR_DATA,
                       "the mesh encloses a volume of %g m^3: triangles must be counter-clockwise as seen from outside",
                       m.volume / 6);
    *out = vs_mass_of_moments(&m, density);
    return VS_OK;
}

const vs_shape_class vs_class_mesh = {.name = "mesh",
                                      .family = VS_FAMILY_TRIANGLES,
                                      .bounds = bounds,
                                      .mass = mass,
                                      .ray = vs_triangles_ray,
                                      .surface = vs_surface_triangles};
