// Bodies to throw at walls, for the tests of impacts (tosses.h) and of crossings (throws.h).
#ifndef VS_TESTS_KIT_THROWN_H
#define VS_TESTS_KIT_THROWN_H

#include "body/world_data.h"
#include "kit/random.h"
#include "voussoir/simulation.h"

enum { THROWN_SPHERE, THROWN_BOX, THROWN_CAPSULE, THROWN_CYLINDER, THROWN_ELLIPSOID, THROWN_HULL, THROWN_CONVEX };

// Of these kinds, within a sphere of radius `a`; `axes` of an ellipsoid in units of it.
static inline vs_error thrown_make_convex(vs_context *context, int kind, double a, vs_vec3 axes, vs_shape **shape) {
    const vs_vec3 corner[] = {{.9 * a, 0, 0}, {-.4 * a, .8 * a, 0}, {-.4 * a, -.8 * a, 0}, {0, 0, a}, {0, .2 * a, -a}};
    switch (kind) {
    case THROWN_SPHERE:
        return vs_shape_sphere(context, .9 * a, shape);
    case THROWN_BOX:
        return vs_shape_box(context, (vs_vec3){.6 * a, .5 * a, .55 * a}, shape);
    case THROWN_CAPSULE:
        return vs_shape_capsule(context, .3 * a, .6 * a, shape);
    case THROWN_CYLINDER:
        return vs_shape_cylinder(context, .6 * a, .6 * a, shape);
    case THROWN_ELLIPSOID:
        return vs_shape_ellipsoid(context, vs_scale(a, axes), shape);
    default:
        return vs_shape_hull(context, corner, 5, shape);
    }
}

// A body of this shape, which is released, with the motion of `at`; density in kg/m3, 0: it has no mass.
static inline vs_error thrown_add(vs_world *world, vs_shape *shape, double density, const vs_body_def *at, int material,
                                  vs_body_id *id) {
    vs_body_def def = *at;
    vs_collider_def collider = vs_collider_def_default();
    vs_mass_properties mass = {0};
    vs_error error = density > 0 ? vs_shape_get_mass(shape, density, &mass) : VS_OK;
    collider.shape = shape, collider.material = material;
    if (density > 0) {
        def.mass = mass.mass, def.inertia = mass.inertia;
        collider.pose.position = vs_scale(-1, mass.centre);
    }
    if (!error)
        error = vs_world_add_body(world, &def, &collider.body);
    if (!error)
        error = vs_world_add_collider(world, &collider, NULL);
    *id = collider.body;
    vs_shape_release(shape);
    return error;
}

#endif
