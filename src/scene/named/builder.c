// Builders of named scenes: parameters, shapes, bodies and joints put into a world.
#include "scene/named/builder.h"

#include "base/elementary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"

// ---- parameters ------------------------------------------------------------------------------------

void vs_put_fail(vs_builder *b, vs_error error, const char *format, ...) {
    if (b->error)
        return;
    char text[256];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    b->error = vs_fail(b->context, error, "scene %s: %s", b->info->name, text);
}

static int find_parameter(const vs_scene_info *info, const char *name) {
    for (int k = 0; k < info->parameter_count; k++)
        if (strcmp(info->parameters[k].name, name) == 0)
            return k;
    return -1;
}

void vs_take_parameters(vs_builder *b, const vs_scene_parameter *parameter, int parameters) {
    for (int k = 0; k < b->info->parameter_count; k++)
        b->value[k] = b->info->parameters[k].value;
    for (int k = 0; k < parameters && !b->error; k++) {
        int at = parameter[k].name ? find_parameter(b->info, parameter[k].name) : -1;
        char known[160] = "";
        for (int i = 0; i < b->info->parameter_count; i++) {
            size_t used = strlen(known);
            (void)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", b->info->parameters[i].name);
        }
        if (at < 0)
            vs_put_fail(b, VS_ERROR_ARGUMENT, "no parameter '%.40s'; known are: %s",
                        parameter[k].name ? parameter[k].name : "", known);
        else if (!(fabs(parameter[k].value) <= 1e15))
            vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter %s: %g is too large or not a number", parameter[k].name,
                        parameter[k].value);
        else
            b->value[at] = parameter[k].value;
    }
}

double vs_take(vs_builder *b, const char *name) {
    int at = find_parameter(b->info, name);
    return at < 0 ? 0 : b->value[at];
}

double vs_take_positive(vs_builder *b, const char *name) {
    double x = vs_take(b, name);
    if (!(x > 0))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter %s must be positive, is %g", name, x);
    return x;
}

double vs_take_not_negative(vs_builder *b, const char *name) {
    double x = vs_take(b, name);
    if (!(x >= 0))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter %s must not be negative, is %g", name, x);
    return x;
}

int vs_take_count(vs_builder *b, const char *name, int least, int most) {
    double x = vs_take(b, name);
    if (x >= least && x <= most && x == floor(x))
        return (int)x;
    vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter %s must be an integer from %d to %d, is %g", name, least, most, x);
    return least;
}

// ---- shapes ----------------------------------------------------------------------------------------

static vs_shape *keep(vs_builder *b, vs_error error, vs_shape *shape) {
    if (error) {
        b->error = error;
        return NULL;
    }
    b->shape[b->shapes++] = shape;
    return shape;
}

static bool may_make(vs_builder *b) {
    if (b->shapes == VS_BUILDER_SHAPES)
        vs_put_fail(b, VS_ERROR_UNSUPPORTED, "more than %d shapes", VS_BUILDER_SHAPES);
    return !b->error;
}

vs_shape *vs_make_sphere(vs_builder *b, double radius) {
    vs_shape *shape = NULL;
    vs_error error = may_make(b) ? vs_shape_sphere(b->context, radius, &shape) : b->error;
    return keep(b, error, shape);
}

vs_shape *vs_make_box(vs_builder *b, double half_x, double half_y, double half_z) {
    vs_shape *shape = NULL;
    vs_error error = may_make(b) ? vs_shape_box(b->context, (vs_vec3){half_x, half_y, half_z}, &shape) : b->error;
    return keep(b, error, shape);
}

vs_shape *vs_make_capsule(vs_builder *b, double radius, double half_length) {
    vs_shape *shape = NULL;
    vs_error error = may_make(b) ? vs_shape_capsule(b->context, radius, half_length, &shape) : b->error;
    return keep(b, error, shape);
}

vs_shape *vs_make_cylinder(vs_builder *b, double radius, double half_length) {
    vs_shape *shape = NULL;
    vs_error error = may_make(b) ? vs_shape_cylinder(b->context, radius, half_length, &shape) : b->error;
    return keep(b, error, shape);
}

vs_shape *vs_make_ellipsoid(vs_builder *b, double x, double y, double z) {
    vs_shape *shape = NULL;
    vs_error error = may_make(b) ? vs_shape_ellipsoid(b->context, (vs_vec3){x, y, z}, &shape) : b->error;
    return keep(b, error, shape);
}

vs_shape *vs_make_hull(vs_builder *b, const vs_vec3 *point, int count) {
    vs_shape *shape = NULL;
    vs_error error = may_make(b) ? vs_shape_hull(b->context, point, count, &shape) : b->error;
    return keep(b, error, shape);
}

vs_shape *vs_make_plane(vs_builder *b) {
    vs_shape *shape = NULL;
    vs_error error = may_make(b) ? vs_shape_plane(b->context, &shape) : b->error;
    return keep(b, error, shape);
}

vs_shape *vs_make_wedge(vs_builder *b, double inner, double outer, double depth, double angle) {
    vs_vec3 point[8];
    for (int k = 0; k < 8; k++) {
        double r = k & 1 ? outer : inner, side = k & 2 ? .5 : -.5;
        point[k] = (vs_vec3){r * vs_sin(side * angle), k & 4 ? depth : -depth, r * vs_cos(side * angle)};
    }
    return vs_make_hull(b, point, 8);
}

vs_shape *vs_make_prism(vs_builder *b, double (*corner)[2], int corners, double depth) {
    vs_vec3 point[16];
    for (int k = 0; k < 2 * corners; k++)
        point[k] = (vs_vec3){corner[k / 2][0], k % 2 ? depth : -depth, corner[k / 2][1]};
    return vs_make_hull(b, point, 2 * corners);
}

// ---- bodies ----------------------------------------------------------------------------------------

vs_pose vs_at(double x, double y, double z) {
    return (vs_pose){{x, y, z}, {1, 0, 0, 0}};
}

vs_pose vs_at_turned(double x, double y, double z, vs_vec3 turn) {
    return (vs_pose){{x, y, z}, vs_quat_exp(turn)};
}

// A linear congruential generator with the constants of Knuth's MMIX, its high bits.
double vs_random(vs_builder *b) {
    b->random = b->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(b->random >> 11) * 0x1p-53;
}

void vs_put_material(vs_builder *b, double mu, double restitution) {
    vs_material material = vs_material_default();
    int index;
    material.mu = mu;
    material.restitution = restitution;
    if (!b->error)
        b->error = vs_world_add_material(b->world, &material, "all", &index);
}

void vs_put_collider(vs_builder *b, vs_body_id body, vs_shape *shape, vs_pose pose) {
    if (b->error)
        return;
    vs_collider_def def = vs_collider_def_default();
    vs_collider_id id;
    def.body = body;
    def.shape = shape;
    def.pose = pose;
    def.group = b->group;
    def.mask = b->mask;
    b->error = vs_world_add_collider(b->world, &def, &id);
}

vs_body_id vs_put_moving(vs_builder *b, vs_shape *shape, double density, vs_pose pose, vs_vec3 velocity, vs_vec3 spin) {
    vs_body_id id = {0, 0};
    vs_mass_properties mass;
    if (!b->error)
        b->error = vs_shape_get_mass(shape, density, &mass);
    if (b->error)
        return id;
    // The world stores the centre of mass; the shape is shifted back by it.
    vs_body_def def = vs_body_def_default();
    def.pose = (vs_pose){vs_pose_apply(pose, mass.centre), pose.rotation};
    def.velocity = velocity;
    def.spin = spin;
    def.mass = mass.mass;
    def.inertia = mass.inertia;
    b->error = vs_world_add_body(b->world, &def, &id);
    vs_put_collider(b, id, shape, vs_at(-mass.centre.x, -mass.centre.y, -mass.centre.z));
    return id;
}

vs_body_id vs_put_body(vs_builder *b, vs_shape *shape, double density, vs_pose pose) {
    return vs_put_moving(b, shape, density, pose, VS_ZERO3, VS_ZERO3);
}

// The stone between two angles above the springing; the last one ends at the crown.
static vs_shape *make_arc_stone(vs_builder *b, const vs_half_arch *arch, double from, double to, bool last) {
    double corner[4][2];
    for (int k = 0; k < 4; k++) {
        double r = k == 1 || k == 2 ? arch->outer : arch->inner, at = k >= 2 ? to : from;
        corner[k][0] = r * vs_cos(at) - arch->aside;
        corner[k][1] = r * vs_sin(at);
        if (last && k >= 2) {
            const double across = arch->aside + arch->crown;
            corner[k][0] = arch->crown;
            corner[k][1] = sqrt(r * r - across * across);
        }
    }
    return vs_make_prism(b, corner, 4, arch->depth);
}

void vs_put_half_arch(vs_builder *b, const vs_half_arch *arch, double density, vs_pose pose) {
    const int stones = arch->stones;
    double angle = b->error ? 0 : vs_acos((arch->aside + arch->crown) / arch->inner) / stones; // of a stone
    vs_shape *stone = make_arc_stone(b, arch, 0, angle, false);
    vs_shape *last = make_arc_stone(b, arch, (stones - 1) * angle, stones * angle, true);
    for (int k = 0; k + 1 < stones && !b->error; k++) {
        // The first stone, turned about the centre of the arc.
        vs_pose turned = vs_at_turned(0, 0, 0, (vs_vec3){0, -k * angle, 0});
        vs_vec3 centre = {-arch->aside, 0, 0};
        turned.position = vs_subtract(centre, vs_pose_apply(turned, centre));
        vs_put_body(b, stone, density, vs_pose_multiply(pose, turned));
    }
    vs_put_body(b, last, density, pose);
}

vs_body_id vs_put_kinematic(vs_builder *b, vs_pose pose, vs_vec3 velocity, vs_vec3 spin) {
    vs_body_id id = {0, 0};
    vs_body_def def = vs_body_def_default();
    def.motion = VS_MOTION_KINEMATIC;
    def.pose = pose;
    def.velocity = velocity;
    def.spin = spin;
    if (!b->error)
        b->error = vs_world_add_body(b->world, &def, &id);
    return id;
}

void vs_put_fixed(vs_builder *b, vs_shape *shape, vs_pose pose) {
    vs_put_collider(b, (vs_body_id){0, 0}, shape, pose);
}

void vs_put_floor(vs_builder *b) {
    vs_put_fixed(b, vs_make_plane(b), VS_IDENTITY_POSE);
}

void vs_put_wall(vs_builder *b, vs_vec3 point, vs_vec3 normal) {
    vs_put_fixed(b, vs_make_plane(b), (vs_pose){point, vs_quat_from_z_to(normal)});
}

// ---- joints ----------------------------------------------------------------------------------------

static vs_pose localize(vs_builder *b, vs_body_id body, vs_pose frame) {
    vs_body_state state = {.pose = VS_IDENTITY_POSE};
    if (!b->error && (body.index || body.generation))
        b->error = vs_world_get_body_state(b->world, body, &state);
    return vs_pose_relative(frame, state.pose);
}

vs_joint_id vs_put_joint(vs_builder *b, vs_joint_kind kind, vs_body_id a, vs_body_id body, vs_pose frame,
                         const vs_joint_def *def) {
    vs_joint_id id = {0, 0};
    vs_joint_def made = def ? *def : vs_joint_def_default();
    made.kind = kind;
    made.a = a;
    made.b = body;
    made.frame_a = localize(b, a, frame);
    made.frame_b = localize(b, body, frame);
    if (!b->error)
        b->error = vs_world_add_joint(b->world, &made, &id);
    return id;
}
