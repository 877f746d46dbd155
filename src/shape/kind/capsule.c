// Capsules: the points within a radius of a segment of the axis z.
#include "base/elementary.h"
#include "shape/build.h"
#include "shape/kind/kinds.h"
#include "shape/mass.h"
#include "shape/ray.h"

#include <math.h>

vs_error vs_shape_capsule(vs_context *context, double radius, double half_length, vs_shape **shape) {
    vs_error error = vs_shape_begin_axial(context, VS_SHAPE_CAPSULE, radius, half_length, shape);
    if (!error)
        vs_shape_end_axial(*shape, radius + half_length, radius + half_length);
    return error;
}

static double reach(const vs_shape *shape, vs_vec3 d) {
    return shape->radius + fabs(d.z) * shape->half_length;
}

// A cylinder and two half balls, whose own centres lie 3/8 r beyond its ends.
static vs_error mass(const vs_shape *shape, double density, vs_mass_properties *out) {
    const double r = shape->radius, h = shape->half_length;
    vs_mass_properties sum = vs_mass_of_cylinder(r, h, density);
    const double ball = density * 4 / 3 * VS_PI * r * r * r, along = ball * 2 / 5 * r * r;
    const double across = along + ball * (h * h + .75 * r * h);
    sum.mass += ball;
    sum.inertia.a[0] += across;
    sum.inertia.a[4] += across;
    sum.inertia.a[8] += along;
    *out = sum;
    return VS_OK;
}

// The earliest of cylinder and end balls: their union is convex.
static bool meet_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit) {
    vs_span best = vs_span_of_cylinder(ray, shape->radius, shape->half_length);
    for (int k = -1; k <= 1; k += 2) {
        const vs_span ball = vs_span_of_ball(ray, (vs_vec3){0, 0, k * shape->half_length}, shape->radius);
        if (vs_span_is_empty(&ball))
            continue;
        const double leave = vs_span_is_empty(&best) ? ball.leave : fmax(best.leave, ball.leave);
        if (vs_span_is_empty(&best) || ball.enter < best.enter)
            best = ball;
        best.leave = leave;
    }
    return vs_span_hit(ray, &best, hit);
}

static void surface(const vs_shape *shape, vs_shape_surface *out) {
    enum { ROWS = 6, COUNT = 2 * ROWS + 2 };
    vs_profile profile[COUNT];
    bool joined[COUNT];
    for (int r = 0; r < COUNT; r++) {
        const int above = r > ROWS, row = above ? r - ROWS - 1 : r - ROWS;
        const double angle = .5 * VS_PI * row / ROWS, c = vs_cos(angle), s = vs_sin(angle);
        const double z = shape->radius * s + (above ? shape->half_length : -shape->half_length);
        profile[r] = (vs_profile){shape->radius * c, z, c, s};
        joined[r] = true;
    }
    vs_surface_turn(profile, COUNT, joined, out);
}

static vs_vec3 support(const vs_shape *shape, vs_vec3 direction) {
    const vs_vec3 d = vs_direction(direction);
    return vs_add_scaled((vs_vec3){0, 0, copysign(shape->half_length, d.z)}, shape->radius, d);
}

static vs_core core(const vs_shape *shape) {
    return (vs_core){.radius = shape->radius, .size = shape->radius + shape->half_length, .arm = shape->half_length};
}

static vs_vec3 core_support(const vs_shape *shape, vs_vec3 d, double shrink) {
    (void)shrink;
    return (vs_vec3){0, 0, d.z > 0 ? shape->half_length : d.z < 0 ? -shape->half_length : 0};
}

static int ends(const vs_shape *shape, vs_vec3 end[2]) {
    end[0] = (vs_vec3){0, 0, shape->half_length};
    end[1] = (vs_vec3){0, 0, -shape->half_length};
    return 2;
}

static vs_side side(const vs_shape *shape) {
    return (vs_side){{shape->half_length, -shape->half_length}, {shape->radius, shape->radius}};
}

const vs_shape_class vs_class_capsule = {.name = "capsule",
                                         .revolved = true,
                                         .sized = true,
                                         .bounds = vs_bounds_symmetric,
                                         .mass = mass,
                                         .ray = meet_ray,
                                         .surface = surface,
                                         .support = support,
                                         .core = core,
                                         .core_support = core_support,
                                         .ends = ends,
                                         .reach = reach,
                                         .side = side};
