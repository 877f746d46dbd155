// Worlds of blocks for the tests of statics.
#ifndef VS_TESTS_STATICS_ASSEMBLIES_H
#define VS_TESTS_STATICS_ASSEMBLIES_H

#include "kit/compare.h"
#include "kit/fixture.h"
#include "voussoir/scene.h"
#include "voussoir/statics.h"

static inline vs_world *make_world(vs_context *context, double mu, vs_vec3 gravity) {
    vs_world_def def = vs_world_def_default();
    vs_world *world;
    def.gravity = gravity;
    assert_int_equal(vs_world_create(context, &def, &world), VS_OK);
    vs_material material = vs_material_default();
    material.mu = mu;
    assert_int_equal(vs_world_add_material(world, &material, "stone", NULL), VS_OK);
    return world;
}

static inline void add_shape(vs_world *world, vs_body_id body, vs_shape *shape, vs_pose pose) {
    vs_collider_def def = vs_collider_def_default();
    def.body = body;
    def.shape = shape;
    def.pose = pose;
    assert_int_equal(vs_world_add_collider(world, &def, NULL), VS_OK);
    vs_shape_release(shape);
}

static inline void add_floor(vs_context *context, vs_world *world) {
    vs_shape *plane;
    assert_int_equal(vs_shape_plane(context, &plane), VS_OK);
    add_shape(world, (vs_body_id){0, 0}, plane, VS_IDENTITY_POSE);
}

// A body with one box.
static inline vs_body_id add_dense_box(vs_context *context, vs_world *world, vs_vec3 half, vs_pose pose,
                                       vs_motion motion, double density) {
    vs_shape *box;
    vs_mass_properties mass;
    vs_body_id id;
    assert_int_equal(vs_shape_box(context, half, &box), VS_OK);
    assert_int_equal(vs_shape_get_mass(box, density, &mass), VS_OK);
    vs_body_def def = vs_body_def_default();
    def.motion = motion;
    def.pose = pose;
    def.mass = mass.mass;
    def.inertia = mass.inertia;
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    add_shape(world, id, box, VS_IDENTITY_POSE);
    return id;
}

// The same, of density 1000.
static inline vs_body_id add_box(vs_context *context, vs_world *world, vs_vec3 half, vs_pose pose, vs_motion motion) {
    return add_dense_box(context, world, half, pose, motion, 1000);
}

static inline vs_pose at(double x, double y, double z) {
    return (vs_pose){{x, y, z}, {1, 0, 0, 0}};
}

static inline vs_statics *make_statics(const vs_world *world) {
    vs_statics *s;
    assert_int_equal(vs_statics_create(world, NULL, &s), VS_OK);
    return s;
}

// The statics of a named scene with up to two parameters.
static inline vs_statics *make_named(vs_context *context, const char *name, const vs_scene_parameter *parameter,
                                     int count) {
    vs_scene *scene;
    assert_int_equal(vs_scene_make(context, name, parameter, count, &scene), VS_OK);
    vs_statics *s = make_statics(scene->world);
    vs_scene_destroy(scene);
    return s;
}

// A wall in running bond with straight sides: blocks of 0.4 x 0.175, half ones at the ends of every other course.
static inline void build_wall(vs_context *context, vs_world *world, int courses, int columns) {
    for (int row = 0; row < courses; row++) {
        double x = 0;
        for (int k = 0; k < columns + (row % 2 == 0); k++) {
            const bool half = row % 2 == 0 && (k == 0 || k == columns);
            const double length = half ? .2 : .4;
            add_box(context, world, (vs_vec3){length / 2, .5, .0875}, at(x + length / 2, 0, .175 * row + .0875),
                    VS_MOTION_DYNAMIC);
            x += length;
        }
    }
}

#endif
