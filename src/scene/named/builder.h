// Builders of named scenes: parameters, shapes, bodies and joints put into a world.
//
// They read as a list of things to put into the world: the first error is kept and the rest then does nothing.
#ifndef VS_SCENE_BUILDER_H
#define VS_SCENE_BUILDER_H

#include "base/vec.h"
#include "voussoir/scene.h"

enum { VS_BUILDER_SHAPES = 512, VS_NAMED_PARAMETERS = 12 };

typedef struct vs_builder {
    vs_context *context;
    vs_scene *scene;
    vs_world *world;
    const vs_scene_info *info;
    double value[VS_NAMED_PARAMETERS]; // of info's parameters
    vs_shape *shape[VS_BUILDER_SHAPES];
    int shapes;
    uint32_t group, mask; // of subsequent colliders
    uint64_t random;
    vs_error error;
} vs_builder;

// ---- parameters ------------------------------------------------------------------------------------

// Default values, and those given in their place.
void vs_take_parameters(vs_builder *b, const vs_scene_parameter *parameter, int parameters);
double vs_take(vs_builder *b, const char *name); // any number
double vs_take_positive(vs_builder *b, const char *name);
double vs_take_not_negative(vs_builder *b, const char *name);
int vs_take_count(vs_builder *b, const char *name, int least, int most);

// ---- things ----------------------------------------------------------------------------------------

void vs_put_fail(vs_builder *b, vs_error error, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The material of everything: call it first.
void vs_put_material(vs_builder *b, double mu, double restitution);
// Shapes belong to the builder. Null after an error, which all functions that take shapes accept.
vs_shape *vs_make_sphere(vs_builder *b, double radius);
vs_shape *vs_make_box(vs_builder *b, double half_x, double half_y, double half_z);
vs_shape *vs_make_capsule(vs_builder *b, double radius, double half_length);
vs_shape *vs_make_cylinder(vs_builder *b, double radius, double half_length);
vs_shape *vs_make_ellipsoid(vs_builder *b, double x, double y, double z);
vs_shape *vs_make_hull(vs_builder *b, const vs_vec3 *point, int count);
vs_shape *vs_make_plane(vs_builder *b);
// The stone at the crown of an arch, in axes at its centre; others are turned about y. depth: half; angle in rad.
vs_shape *vs_make_wedge(vs_builder *b, double inner, double outer, double depth, double angle);

// A prism along y between -depth and depth over a convex polygon of at most 8 corners in the plane of x and z.
vs_shape *vs_make_prism(vs_builder *b, double (*corner)[2], int corners, double depth);

// A dynamic body of one shape at a pose.
vs_body_id vs_put_body(vs_builder *b, vs_shape *shape, double density, vs_pose pose);
// The same with velocities (of the centre of mass).
vs_body_id vs_put_moving(vs_builder *b, vs_shape *shape, double density, vs_pose pose, vs_vec3 velocity, vs_vec3 spin);
// Half an arch along x: stones of an arc about (-aside, 0), from the floor to a vertical joint at x = crown.
typedef struct vs_half_arch {
    double aside, inner, outer, crown; // m
    int stones;
    double depth; // m, half
} vs_half_arch;
void vs_put_half_arch(vs_builder *b, const vs_half_arch *arch, double density, vs_pose pose);
// A kinematic body without shapes.
vs_body_id vs_put_kinematic(vs_builder *b, vs_pose pose, vs_vec3 velocity, vs_vec3 spin);
void vs_put_collider(vs_builder *b, vs_body_id body, vs_shape *shape, vs_pose pose);
void vs_put_fixed(vs_builder *b, vs_shape *shape, vs_pose pose); // on the world
void vs_put_floor(vs_builder *b);                                // z = 0
// A half space whose surface passes through a point, with an outward normal.
void vs_put_wall(vs_builder *b, vs_vec3 point, vs_vec3 normal);
// A joint with one frame in the world for both bodies; def (null: defaults) has the rest.
vs_joint_id vs_put_joint(vs_builder *b, vs_joint_kind kind, vs_body_id a, vs_body_id body, vs_pose frame,
                         const vs_joint_def *def);

vs_pose vs_at(double x, double y, double z);
vs_pose vs_at_turned(double x, double y, double z, vs_vec3 turn); // rotation vector
double vs_random(vs_builder *b);                                  // 0 … 1, reproducible

#endif
