// Named scenes: the list, parameters, and functions for the builders.
#include "scene/named.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"

// ---- the list --------------------------------------------------------------------------------------

static const vs_named *named_at(int index) {
    const vs_named *const lists[] = {vs_named_single, vs_named_masonry, vs_named_granular, vs_named_mechanism,
                                     vs_named_flexible};
    for (size_t k = 0; index >= 0 && k < sizeof lists / sizeof lists[0]; k++)
        for (const vs_named *named = lists[k]; named->info.name; named++)
            if (index-- == 0)
                return named;
    return NULL;
}

bool vs_scene_list(int index, vs_scene_info *info) {
    const vs_named *named = named_at(index);
    if (named && info)
        *info = named->info;
    return named != NULL;
}

static const vs_named *find_named(const char *name) {
    const vs_named *named;
    for (int k = 0; (named = named_at(k)); k++)
        if (strcmp(named->info.name, name) == 0)
            return named;
    return NULL;
}

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

static void set_parameters(vs_builder *b, const vs_scene_parameter *parameter, int parameters) {
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

// ---- making ----------------------------------------------------------------------------------------

vs_error vs_scene_make(vs_context *context, const char *name, const vs_scene_parameter *parameter, int parameters,
                       vs_scene **scene) {
    if (!context || !scene)
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: an argument is null");
    *scene = NULL;
    if (!name || parameters < 0 || (parameters > 0 && !parameter))
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: the name or the array of parameters is null");
    const vs_named *named = find_named(name);
    if (!named)
        return vs_fail(context, VS_ERROR_ARGUMENT, "there is no scene '%.60s'; vs_scene_list() lists the names", name);
    vs_builder b = {.context = context, .info = &named->info, .group = 1, .mask = UINT32_MAX, .random = 1};
    b.error = vs_scene_new(context, name, &b.scene);
    if (b.error)
        return b.error;
    b.world = b.scene->world;
    set_parameters(&b, parameter, parameters);
    if (!b.error)
        named->build(&b);
    if (!b.error && vs_world_get_joint_count(b.world) > 0)
        b.error = vs_world_assemble(b.world, VS_SCENE_ASSEMBLED);
    for (int k = 0; k < b.shapes; k++)
        vs_shape_release(b.shape[k]);
    if (b.error)
        vs_scene_destroy(b.scene);
    else
        *scene = b.scene;
    return b.error;
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

// ---- bodies ----------------------------------------------------------------------------------------

vs_pose vs_at(double x, double y, double z) {
    return (vs_pose){{x, y, z}, {1, 0, 0, 0}};
}

vs_pose vs_at_turned(double x, double y, double z, vs_vec3 turn) {
    return (vs_pose){{x, y, z}, vs_quat_exp(turn)};
}

vs_quat vs_turn_to(vs_vec3 axis) {
    vs_vec3 half = vs_add((vs_vec3){0, 0, 1}, vs_normalize(axis));
    // Opposite to z: any half turn about an axis across.
    if (vs_length(half) < 1e-9)
        return (vs_quat){0, 1, 0, 0};
    half = vs_normalize(half);
    return vs_quat_normalize((vs_quat){half.z, -half.y, half.x, 0});
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
    vs_put_fixed(b, vs_make_plane(b), (vs_pose){point, vs_turn_to(normal)});
}

// ---- joints ----------------------------------------------------------------------------------------

static vs_pose localize(vs_builder *b, vs_body_id body, vs_pose frame) {
    vs_body_state state = {.pose = VS_IDENTITY_POSE};
    if (!b->error && (body.index || body.generation))
        b->error = vs_world_get_body_state(b->world, body, &state);
    return (vs_pose){vs_pose_apply_back(state.pose, frame.position),
                     vs_quat_multiply(vs_quat_conjugate(state.pose.rotation), frame.rotation)};
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
