// Shapes: creation, references, bounds and the farthest point in a direction.
//
//     support   s(d) = argmax { d . x : x in the shape }
//     bounds    of R S + p along e: e . p + e . R s(R' e), which has a closed form for all round shapes
//
// What kinds have in common; kind/ has one file for each. Sizes are checked here; polytopes and meshes are checked where
// they are made.
#include "shape/build.h"

#include <math.h>
#include <stdbool.h>

// ---- life ------------------------------------------------------------------------------------------

vs_shape *vs_shape_begin(vs_context *context, vs_shape_kind kind) {
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

vs_error vs_shape_finish(vs_error error, vs_shape *made, vs_shape **shape) {
    if (error) {
        destroy(made);
        return error;
    }
    *shape = made;
    return VS_OK;
}

vs_error vs_shape_check_call(vs_context *context, vs_shape **shape) {
    if (shape)
        *shape = NULL;
    if (context && shape)
        return VS_OK;
    (void)vs_fail(context, VS_ERROR_ARGUMENT, "context or shape is null");
    return VS_ERROR_ARGUMENT;
}

// Lengths below and above would leave the range of doubles once squared, cubed and divided.
vs_error vs_shape_check_size(vs_context *context, const char *name, double size) {
    const double least = 1e-30, most = 1e30; // m
    if (!(size > 0 && isfinite(size)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s must be positive and finite (is %g)", name, size);
    if (size < least || size > most)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s must be a length between 1e-30 and 1e30 m (is %g)", name, size);
    return VS_OK;
}

vs_error vs_shape_check_sizes(vs_context *context, const char *const name[3], vs_vec3 size) {
    for (int k = 0; k < 3; k++) {
        vs_error error = vs_shape_check_size(context, name[k], vs_component(size, k));
        if (error)
            return error;
    }
    return VS_OK;
}

vs_error vs_shape_begin_axial(vs_context *context, vs_shape_kind kind, double radius, double half_length,
                              vs_shape **shape) {
    vs_error error = vs_shape_check_call(context, shape);
    if (error || (error = vs_shape_check_size(context, "radius", radius)) ||
        (error = vs_shape_check_size(context, "half_length", half_length)))
        return error;
    vs_shape *made = vs_shape_begin(context, kind);
    if (!made)
        return VS_ERROR_MEMORY;
    made->radius = radius;
    made->half_length = half_length;
    *shape = made;
    return VS_OK;
}

void vs_shape_end_axial(vs_shape *shape, double size, double end) {
    const vs_vec3 half = {shape->radius, shape->radius, end};
    shape->size = size;
    shape->thickness = fmin(shape->radius, end);
    shape->bounds = (vs_box3){vs_scale(-1, half), half};
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

vs_vec3 vs_shape_sizes(const vs_shape *shape) {
    return shape->half.x > 0 ? shape->half : (vs_vec3){shape->radius, shape->half_length, 0};
}

// ---- support ---------------------------------------------------------------------------------------

vs_vec3 vs_direction(vs_vec3 d) {
    const double most = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    if (!(most > 0))
        return (vs_vec3){0, 0, 1};
    // Divided, not multiplied by 1/most, which overflows for the smallest numbers.
    return vs_normalize((vs_vec3){d.x / most, d.y / most, d.z / most});
}

vs_vec3 vs_shape_support(const vs_shape *shape, vs_vec3 direction) {
    const vs_shape_class *c = vs_class_of(shape);
    return c->support ? c->support(shape, direction) : VS_ZERO3;
}

// ---- bounds ----------------------------------------------------------------------------------------

double vs_shape_arm(const vs_shape *shape, vs_pose pose) {
    return vs_length(vs_pose_apply(pose, shape->centre)) + shape->size;
}

vs_vec3 vs_bounds_centre(const vs_box3 *b) {
    const bool inside =
        b->low.x <= 0 && b->low.y <= 0 && b->low.z <= 0 && b->high.x >= 0 && b->high.y >= 0 && b->high.z >= 0;
    return inside ? VS_ZERO3 : vs_scale(.5, vs_add(b->low, b->high));
}

vs_box3 vs_bounds_symmetric(const vs_shape *shape, vs_pose pose) {
    const vs_mat3 R = vs_quat_matrix(pose.rotation);
    const double *a = R.a; // its rows are the world axes in local ones
    double (*reach)(const vs_shape *, vs_vec3) = vs_class_of(shape)->reach;
    const vs_vec3 r = {reach(shape, (vs_vec3){a[0], a[1], a[2]}), reach(shape, (vs_vec3){a[3], a[4], a[5]}),
                       reach(shape, (vs_vec3){a[6], a[7], a[8]})};
    return (vs_box3){vs_subtract(pose.position, r), vs_add(pose.position, r)};
}

vs_box3 vs_bounds_box(vs_box3 local, vs_pose pose) {
    const vs_shape box = {.kind = VS_SHAPE_BOX, .half = vs_scale(.5, vs_subtract(local.high, local.low))};
    pose.position = vs_pose_apply(pose, vs_scale(.5, vs_add(local.low, local.high)));
    return vs_bounds_symmetric(&box, pose);
}

vs_box3 vs_shape_bounds(const vs_shape *shape, vs_pose pose, double margin) {
    return vs_box_grow(vs_class_of(shape)->bounds(shape, pose), margin);
}

bool vs_shape_bounds_loosely(const vs_shape *shape, vs_pose pose, double margin, vs_box3 *box) {
    enum { FEW = 16 }; // vertices, which cost as much as the box about them
    const bool loose = vs_class_of(shape)->polytope && shape->polytope.vertices > FEW;
    *box = loose ? vs_box_grow(vs_bounds_box(shape->bounds, pose), margin) : vs_shape_bounds(shape, pose, margin);
    return loose;
}
