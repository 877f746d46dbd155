// A world with something of everything.
#ifndef VS_TESTS_EVERYTHING_H
#define VS_TESTS_EVERYTHING_H

#include "kit/memory.h"
#include "voussoir/world.h"

enum { BODIES = 5 };

static inline void add_shape(vs_context *context, vs_world *world, vs_body_id body, vs_shape *shape, vs_vec3 at) {
    vs_collider_def def = vs_collider_def_default();
    vs_collider_id id;
    def.body = body, def.shape = shape, def.pose.position = at;
    must(vs_world_add_collider(world, &def, &id), context);
}

// Box, sphere, hull, capsule with two shapes, a body without any; a plane and a mesh on the world; one joint.
static inline void build_world(vs_context *context, vs_world **made, vs_body_id body[BODIES], vs_joint_id *hinge) {
    static const char *const names[BODIES] = {"box", "ball", "tetra", "pin", NULL};
    const vs_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, zero = {0, 0, 0};
    const int index[6] = {0, 1, 2, 0, 2, 3};
    must(vs_world_create(context, NULL, made), context);
    for (int k = 0; k < BODIES; k++) {
        vs_body_def def = vs_body_def_default();
        def.name = names[k];
        def.mass = 1 + k;
        def.motion = k == 4 ? VS_MOTION_KINEMATIC : VS_MOTION_DYNAMIC;
        must(vs_world_add_body(*made, &def, &body[k]), context);
    }
    vs_shape *shape[6] = {NULL};
    must(vs_shape_box(context, (vs_vec3){.5, .25, .125}, &shape[0]), context);
    must(vs_shape_sphere(context, .5, &shape[1]), context);
    must(vs_shape_hull(context, corner, 4, &shape[2]), context);
    must(vs_shape_capsule(context, .125, .5, &shape[3]), context);
    must(vs_shape_plane(context, &shape[4]), context);
    must(vs_shape_mesh(context, corner, 4, index, 2, &shape[5]), context);
    for (int k = 0; k < 4; k++)
        add_shape(context, *made, body[k], shape[k], zero);
    add_shape(context, *made, body[3], shape[1], (vs_vec3){0, 0, 1});
    add_shape(context, *made, (vs_body_id){0, 0}, shape[4], zero);
    add_shape(context, *made, (vs_body_id){0, 0}, shape[5], zero);
    for (int k = 0; k < 6; k++)
        vs_shape_release(shape[k]);
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_SPHERICAL, joint.a = body[0], joint.b = body[1], joint.name = "hinge";
    must(vs_world_add_joint(*made, &joint, hinge), context);
}

#endif
