// Height fields: z over a grid, two triangles per cell.
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/ray.h"

vs_error vs_shape_height_field(vs_context *context, int nx, int ny, double dx, double dy, const double *height,
                               vs_shape **shape) {
    vs_error error = vs_shape_check_call(context, shape);
    if (error)
        return error;
    if (!height || nx < 2 || ny < 2)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a height field needs heights, nx >= 2 and ny >= 2 (has %d, %d)", nx,
                       ny);
    if ((int64_t)(nx - 1) * (ny - 1) > VS_TRIANGLES_MOST / 2)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a height field of %d by %d is too large", nx, ny);
    if ((error = vs_shape_check_size(context, "dx", dx)) || (error = vs_shape_check_size(context, "dy", dy)))
        return error;
    vs_shape *made = vs_shape_begin(context, VS_SHAPE_HEIGHT_FIELD);
    if (!made)
        return VS_ERROR_MEMORY;
    error = vs_triangles_height_field(&made->arena, nx, ny, dx, dy, height, &made->triangles);
    if (!error) {
        made->bounds = vs_triangles_bounds(&made->triangles);
        made->centre = vs_bounds_centre(&made->bounds);
        made->size = vs_triangles_size(&made->triangles, made->centre);
    }
    return vs_shape_finish(error, made, shape);
}

static vs_box3 bounds(const vs_shape *shape, vs_pose pose) {
    return vs_bounds_box(shape->bounds, pose);
}

static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    (void)density, (void)out;
    return vs_fail(shape->arena.context, VS_ERROR_UNSUPPORTED, "a height field has no mass");
}

const vs_shape_class vs_class_height_field = {.name = "height_field",
                                              .family = VS_FAMILY_TRIANGLES,
                                              .fixed = true,
                                              .bounds = bounds,
                                              .mass = mass,
                                              .ray = vs_triangles_ray,
                                              .surface = vs_surface_triangles};
