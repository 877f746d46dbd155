// Shapes: creation, references, bounds and the farthest point in a direction.
//
//     support   s(d) = argmax { d . x : x in the shape }
//     bounds    of R S + p along e: e . p + e . R s(R' e), which has a closed form for all round shapes
//
// Sizes are checked here; polytopes and meshes are checked where they are made.
#include "base/elementary.h"
#include "shape/build.h"

#include <math.h>
#include <stdbool.h>

// ---- life ------------------------------------------------------------------------------------------

// Null, and the text of the error set, if there is no memory.
static vs_shape *begin(vs_context *context, vs_shape_kind kind) {
    vs_shape *made = vs_allocate(context, sizeof *made);
    if (!made) {
        (void)vs_fail_memory(context);
        return NULL;
    }
    *made = (vs_shape){.references = 1, .kind = kind};
    vs_arena_init(&made->arena, context);
    return made;
}

static void destroy(vs_shape *shape) {
    vs_context *context = shape->arena.context;
    vs_shape_release(shape->solid);
    vs_polytope_release(context, &shape->polytope);
    vs_arena_release(&shape->arena);
    vs_release(context, shape);
}

// Returns the shape, or destroys it after an error.
static vs_error finish(vs_error error, vs_shape *made, vs_shape **shape) {
    if (error) {
        destroy(made);
        return error;
    }
    *shape = made;
    return VS_OK;
}

// Checks for null pointers; *shape becomes null, so that a failure leaves nothing to release.
static vs_error check_call(vs_context *context, vs_shape **shape) {
    if (shape)
        *shape = NULL;
    if (context && shape)
        return VS_OK;
    (void)vs_fail(context, VS_ERROR_ARGUMENT, "context or shape is null");
    return VS_ERROR_ARGUMENT;
}

// Lengths below and above would leave the range of doubles once squared, cubed and divided.
static vs_error check_size(vs_context *context, const char *name, double size) {
    const double least = 1e-30, most = 1e30; // m
    if (!(size > 0 && isfinite(size)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s must be positive and finite (is %g)", name, size);
    if (size < least || size > most)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s must be a length between 1e-30 and 1e30 m (is %g)", name, size);
    return VS_OK;
}

static vs_error check_sizes(vs_context *context, const char *const name[3], vs_vec3 size) {
    for (int k = 0; k < 3; k++) {
        vs_error error = check_size(context, name[k], vs_component(size, k));
        if (error)
            return error;
    }
    return VS_OK;
}

static void set_bounds(vs_shape *shape, vs_vec3 half) {
    shape->bounds = (vs_box3){vs_scale(-1, half), half};
}

// CAD programs export parts in the coordinates of the building: tolerances must not grow with these.
static vs_vec3 centre_of(const vs_box3 *b) {
    const bool inside =
        b->low.x <= 0 && b->low.y <= 0 && b->low.z <= 0 && b->high.x >= 0 && b->high.y >= 0 && b->high.z >= 0;
    return inside ? VS_ZERO3 : vs_scale(.5, vs_add(b->low, b->high));
}

static double farthest(const vs_vec3 *vertex, int vertices, vs_vec3 from) {
    double most = 0;
    for (int k = 0; k < vertices; k++) {
        const vs_vec3 r = vs_subtract(vertex[k], from);
        most = fmax(most, vs_dot(r, r));
    }
    return sqrt(most);
}

double vs_shape_arm(const vs_shape *shape, vs_pose pose) {
    return vs_length(vs_pose_apply(pose, shape->centre)) + shape->size;
}

// Of the ball about the mean of the vertices.
static double find_thickness(const vs_polytope *p) {
    vs_vec3 sum = VS_ZERO3;
    for (int k = 0; k < p->vertices; k++)
        sum = vs_add(sum, p->vertex[k]);
    const vs_vec3 centre = vs_scale(1.0 / p->vertices, sum);
    double least = INFINITY;
    for (int k = 0; k < p->faces; k++)
        least = fmin(least, p->offset[k] - vs_dot(p->normal[k], centre));
    return fmax(least, 0);
}

// Vertices at a pose.
static vs_box3 bound_vertices(const vs_polytope *p, vs_pose pose) {
    const vs_mat3 R = vs_quat_matrix(pose.rotation);
    vs_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < p->vertices; k++) {
        const vs_vec3 v = vs_mat3_apply(&R, p->vertex[k]);
        box.low = (vs_vec3){fmin(box.low.x, v.x), fmin(box.low.y, v.y), fmin(box.low.z, v.z)};
        box.high = (vs_vec3){fmax(box.high.x, v.x), fmax(box.high.y, v.y), fmax(box.high.z, v.z)};
    }
    return (vs_box3){vs_add(box.low, pose.position), vs_add(box.high, pose.position)};
}

// ---- creation --------------------------------------------------------------------------------------

vs_error vs_shape_sphere(vs_context *context, double radius, vs_shape **shape) {
    vs_error error = check_call(context, shape);
    if (error || (error = check_size(context, "radius", radius)))
        return error;
    vs_shape *made = begin(context, VS_SHAPE_SPHERE);
    if (!made)
        return VS_ERROR_MEMORY;
    made->radius = made->size = made->thickness = radius;
    set_bounds(made, (vs_vec3){radius, radius, radius});
    *shape = made;
    return VS_OK;
}

vs_error vs_shape_box(vs_context *context, vs_vec3 half, vs_shape **shape) {
    static const char *const name[3] = {"half.x", "half.y", "half.z"};
    vs_error error = check_call(context, shape);
    if (error || (error = check_sizes(context, name, half)))
        return error;
    vs_shape *made = begin(context, VS_SHAPE_BOX);
    if (!made)
        return VS_ERROR_MEMORY;
    made->half = half;
    made->size = vs_length(half);
    made->thickness = fmin(half.x, fmin(half.y, half.z));
    set_bounds(made, half);
    return finish(vs_polytope_box(context, half, &made->polytope), made, shape);
}

// Common part of capsule and cylinder: the axis z, from -half_length to half_length.
// size: radius of the bounding sphere; end: extent along the axis.
static vs_error make_axial(vs_context *context, vs_shape_kind kind, double radius, double half_length, double size,
                           double end, vs_shape **shape) {
    vs_error error = check_call(context, shape);
    if (error || (error = check_size(context, "radius", radius)) ||
        (error = check_size(context, "half_length", half_length)))
        return error;
    vs_shape *made = begin(context, kind);
    if (!made)
        return VS_ERROR_MEMORY;
    made->radius = radius;
    made->half_length = half_length;
    made->size = size;
    made->thickness = fmin(radius, end);
    set_bounds(made, (vs_vec3){radius, radius, end});
    *shape = made;
    return VS_OK;
}

vs_error vs_shape_capsule(vs_context *context, double radius, double half_length, vs_shape **shape) {
    const double end = radius + half_length;
    return make_axial(context, VS_SHAPE_CAPSULE, radius, half_length, end, end, shape);
}

vs_error vs_shape_cylinder(vs_context *context, double radius, double half_length, vs_shape **shape) {
    const double size = vs_hypot(radius, half_length);
    return make_axial(context, VS_SHAPE_CYLINDER, radius, half_length, size, half_length, shape);
}

vs_error vs_shape_ellipsoid(vs_context *context, vs_vec3 semi_axes, vs_shape **shape) {
    static const char *const name[3] = {"semi_axes.x", "semi_axes.y", "semi_axes.z"};
    vs_error error = check_call(context, shape);
    if (error || (error = check_sizes(context, name, semi_axes)))
        return error;
    vs_shape *made = begin(context, VS_SHAPE_ELLIPSOID);
    if (!made)
        return VS_ERROR_MEMORY;
    made->half = semi_axes;
    made->size = fmax(semi_axes.x, fmax(semi_axes.y, semi_axes.z));
    made->thickness = fmin(semi_axes.x, fmin(semi_axes.y, semi_axes.z));
    set_bounds(made, semi_axes);
    *shape = made;
    return VS_OK;
}

vs_error vs_shape_plane(vs_context *context, vs_shape **shape) {
    vs_error error = check_call(context, shape);
    if (error)
        return error;
    vs_shape *made = begin(context, VS_SHAPE_PLANE);
    if (!made)
        return VS_ERROR_MEMORY;
    made->size = made->thickness = INFINITY;
    made->bounds = (vs_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0}};
    *shape = made;
    return VS_OK;
}

vs_error vs_shape_hull(vs_context *context, const vs_vec3 *point, int count, vs_shape **shape) {
    vs_error error = check_call(context, shape);
    if (error)
        return error;
    if (!point || count < 4)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a hull needs at least 4 points (has %d)", point ? count : 0);
    vs_shape *made = begin(context, VS_SHAPE_HULL);
    if (!made)
        return VS_ERROR_MEMORY;
    error = vs_polytope_hull(context, point, count, &made->polytope);
    if (!error) {
        made->bounds = bound_vertices(&made->polytope, VS_IDENTITY_POSE);
        made->centre = centre_of(&made->bounds);
        made->size = farthest(made->polytope.vertex, made->polytope.vertices, made->centre);
        made->thickness = find_thickness(&made->polytope);
    }
    return finish(error == VS_ERROR_NUMERICAL ? VS_ERROR_DATA : error, made, shape);
}

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
    vs_error error = check_call(context, shape);
    if (error)
        return error;
    if (!vertex || !triangle || vertices < 3 || triangles < 1 || triangles > VS_TRIANGLES_MOST)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a mesh needs vertices and 1 to %d triangles (has %d and %d)",
                       VS_TRIANGLES_MOST, vertex ? vertices : 0, triangle ? triangles : 0);
    vs_shape *made = begin(context, VS_SHAPE_MESH);
    if (!made)
        return VS_ERROR_MEMORY;
    error = vs_triangles_mesh(&made->arena, vertex, vertices, triangle, triangles, &made->triangles);
    if (!error) {
        made->bounds = vs_triangles_bounds(&made->triangles);
        made->centre = centre_of(&made->bounds);
        made->size = vs_triangles_size(&made->triangles, made->centre);
        error = find_solid(context, vertex, vertices, made);
    }
    return finish(error, made, shape);
}

vs_error vs_shape_height_field(vs_context *context, int nx, int ny, double dx, double dy, const double *height,
                               vs_shape **shape) {
    vs_error error = check_call(context, shape);
    if (error)
        return error;
    if (!height || nx < 2 || ny < 2)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a height field needs heights, nx >= 2 and ny >= 2 (has %d, %d)", nx,
                       ny);
    if ((int64_t)(nx - 1) * (ny - 1) > VS_TRIANGLES_MOST / 2)
        return vs_fail(context, VS_ERROR_ARGUMENT, "a height field of %d by %d is too large", nx, ny);
    if ((error = check_size(context, "dx", dx)) || (error = check_size(context, "dy", dy)))
        return error;
    vs_shape *made = begin(context, VS_SHAPE_HEIGHT_FIELD);
    if (!made)
        return VS_ERROR_MEMORY;
    error = vs_triangles_height_field(&made->arena, nx, ny, dx, dy, height, &made->triangles);
    if (!error) {
        made->bounds = vs_triangles_bounds(&made->triangles);
        made->centre = centre_of(&made->bounds);
        made->size = vs_triangles_size(&made->triangles, made->centre);
    }
    return finish(error, made, shape);
}

void vs_shape_retain(vs_shape *shape) {
    if (shape)
        shape->references++;
}

void vs_shape_release(vs_shape *shape) {
    if (shape && --shape->references == 0)
        destroy(shape);
}

vs_shape_kind vs_shape_get_kind(const vs_shape *shape) {
    return shape ? shape->kind : VS_SHAPE_SPHERE;
}

// ---- support ---------------------------------------------------------------------------------------

bool vs_shape_is_convex(const vs_shape *shape) {
    return shape->kind != VS_SHAPE_PLANE && shape->kind != VS_SHAPE_MESH && shape->kind != VS_SHAPE_HEIGHT_FIELD;
}

// Unit vector of any finite direction, however long or short; z for zero.
static vs_vec3 unit(vs_vec3 d) {
    const double most = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    if (!(most > 0))
        return (vs_vec3){0, 0, 1};
    // Divided, not multiplied by 1/most, which overflows for the smallest numbers.
    return vs_normalize((vs_vec3){d.x / most, d.y / most, d.z / most});
}

// The lowest of the farthest vertices.
static vs_vec3 support_vertices(const vs_polytope *p, vs_vec3 d) {
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

vs_vec3 vs_shape_support(const vs_shape *shape, vs_vec3 direction) {
    const vs_vec3 half = shape->half;
    // Only the signs count for a box, and a length changes none of them.
    if (shape->kind == VS_SHAPE_BOX && vs_dot(direction, direction) > 0)
        return (vs_vec3){copysign(half.x, direction.x), copysign(half.y, direction.y), copysign(half.z, direction.z)};
    const vs_vec3 d = unit(direction);
    const double radius = shape->radius, end = copysign(shape->half_length, d.z);
    switch (shape->kind) {
    case VS_SHAPE_SPHERE:
        return vs_scale(radius, d);
    case VS_SHAPE_BOX:
        return (vs_vec3){copysign(half.x, d.x), copysign(half.y, d.y), copysign(half.z, d.z)};
    case VS_SHAPE_CAPSULE:
        return vs_add_scaled((vs_vec3){0, 0, end}, radius, d);
    case VS_SHAPE_CYLINDER: {
        // Along the axis the whole end is farthest: its centre.
        const double across = vs_hypot(d.x, d.y), s = across > 0 ? radius / across : 0;
        return (vs_vec3){s * d.x, s * d.y, end};
    }
    case VS_SHAPE_ELLIPSOID: {
        const vs_vec3 n = unit((vs_vec3){half.x * d.x, half.y * d.y, half.z * d.z});
        return (vs_vec3){half.x * n.x, half.y * n.y, half.z * n.z};
    }
    case VS_SHAPE_HULL:
        return support_vertices(&shape->polytope, d);
    case VS_SHAPE_PLANE:
    case VS_SHAPE_MESH:
    case VS_SHAPE_HEIGHT_FIELD:
        break;
    }
    return VS_ZERO3;
}

// ---- bounds ----------------------------------------------------------------------------------------

// Extent of a shape symmetric about its origin along the world axis whose local direction is d (unit).
static double reach(const vs_shape *shape, vs_vec3 d) {
    const vs_vec3 half = shape->half;
    switch (shape->kind) {
    case VS_SHAPE_SPHERE:
        return shape->radius;
    case VS_SHAPE_CAPSULE:
        return shape->radius + fabs(d.z) * shape->half_length;
    case VS_SHAPE_CYLINDER:
        return shape->radius * vs_hypot(d.x, d.y) + fabs(d.z) * shape->half_length;
    case VS_SHAPE_ELLIPSOID:
        return vs_length((vs_vec3){half.x * d.x, half.y * d.y, half.z * d.z});
    default: // box
        return fabs(d.x) * half.x + fabs(d.y) * half.y + fabs(d.z) * half.z;
    }
}

static vs_box3 bound_symmetric(const vs_shape *shape, vs_pose pose) {
    const vs_mat3 R = vs_quat_matrix(pose.rotation);
    const double *a = R.a; // its rows are the world axes in local ones
    const vs_vec3 r = {reach(shape, (vs_vec3){a[0], a[1], a[2]}), reach(shape, (vs_vec3){a[3], a[4], a[5]}),
                       reach(shape, (vs_vec3){a[6], a[7], a[8]})};
    return (vs_box3){vs_subtract(pose.position, r), vs_add(pose.position, r)};
}

// The rotated box of the triangles: exact without rotation, the usual case for ground.
static vs_box3 bound_box(vs_box3 local, vs_pose pose) {
    const vs_shape box = {.kind = VS_SHAPE_BOX, .half = vs_scale(.5, vs_subtract(local.high, local.low))};
    pose.position = vs_pose_apply(pose, vs_scale(.5, vs_add(local.low, local.high)));
    return bound_symmetric(&box, pose);
}

// A half space is bounded only along an axis parallel to its normal.
static vs_box3 bound_plane(vs_pose pose) {
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

vs_box3 vs_shape_bounds(const vs_shape *shape, vs_pose pose, double margin) {
    vs_box3 box;
    if (shape->kind == VS_SHAPE_PLANE)
        box = bound_plane(pose);
    else if (shape->kind == VS_SHAPE_HULL)
        box = bound_vertices(&shape->polytope, pose);
    else if (shape->kind == VS_SHAPE_MESH || shape->kind == VS_SHAPE_HEIGHT_FIELD)
        box = bound_box(shape->bounds, pose);
    else
        box = bound_symmetric(shape, pose);
    const vs_vec3 m = {margin, margin, margin};
    return (vs_box3){vs_subtract(box.low, m), vs_add(box.high, m)};
}
