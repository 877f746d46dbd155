// Scenes for engines out of worlds of voussoir, and back; see scene_build.h.
#include "scene_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body/world_data.h"

static bool refuse(const char *name, const char *why) {
    (void)fprintf(stderr, "voussoir-peer-scenes: %s: %s\n", name, why);
    return false;
}

// ---- from a world ------------------------------------------------------------------------------------

static bool is_identity(vs_pose p) {
    return vs_length(p.position) < 1e-12 && fabs(fabs(p.rotation.w) - 1) < 1e-12;
}

static bool take_body(const vs_world *world, int index, engine_body *out) {
    const vs_body *body = &world->body[index];
    const double *a = body->inertia.a;
    int first = body->first_collider;
    if (body->motion != VS_MOTION_DYNAMIC || first < 0 || world->collider[first].next >= 0 ||
        !is_identity(world->collider[first].pose) || fabs(a[1]) + fabs(a[2]) + fabs(a[5]) > 1e-12 * a[0])
        return false;
    const vs_shape *shape = world->collider[first].shape;
    *out = (engine_body){.shape = shape->kind == VS_SHAPE_SPHERE ? ENGINE_SPHERE : ENGINE_BOX,
                         .radius = shape->radius,
                         .half = shape->half,
                         .mass = body->mass,
                         .inertia = {a[0], a[4], a[8]},
                         .state = {body->pose, body->velocity, vs_rotate(body->pose.rotation, body->spin)}};
    return shape->kind == VS_SHAPE_SPHERE || shape->kind == VS_SHAPE_BOX;
}

// guided: its joints are guides along z, which every engine gets as such.
static bool take_world(const vs_world *world, const char *name, bool guided, built_scene *out) {
    engine_scene *scene = &out->scene;
    out->body = calloc((size_t)world->bodies, sizeof *out->body);
    out->plane = calloc((size_t)world->colliders, sizeof *out->plane);
    if (!out->body || !out->plane)
        return refuse(name, "out of memory");
    if (world->joints > 0 && !guided)
        return refuse(name, "scenes with joints are not handed over");
    vs_material material = vs_world_get_material_pair(world, 0, 0);
    if (world->materials > 1 || material.restitution != 0 || material.compliance != 0)
        return refuse(name, "only scenes of one rigid material that does not bounce are handed over");
    scene->gravity = world->gravity;
    scene->mu = material.mu;
    for (int k = 1; k < world->bodies; k++)
        if (!take_body(world, k, &out->body[scene->bodies++]))
            return refuse(name, "only spheres and boxes, one a body, are handed over");
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (c->body == 0 && c->shape->kind != VS_SHAPE_PLANE)
            return refuse(name, "of what is fixed, only planes are handed over");
        if (c->body == 0)
            out->plane[scene->planes++] = c->pose;
    }
    return true;
}

// ---- scenes of our own -------------------------------------------------------------------------------

static bool make_mass_ratio(const vs_scene_parameter *parameter, int parameters, built_scene *out) {
    const double half = .1;
    double ratio = 1000;
    for (int k = 0; k < parameters; k++) {
        if (strcmp(parameter[k].name, "ratio") != 0 || !(parameter[k].value > 0))
            return refuse("mass-ratio", "the only parameter is ratio, which is positive");
        ratio = parameter[k].value;
    }
    out->body = calloc(2, sizeof *out->body);
    out->plane = calloc(1, sizeof *out->plane);
    if (!out->body || !out->plane)
        return refuse("mass-ratio", "out of memory");
    out->plane[0] = VS_IDENTITY_POSE;
    for (int k = 0; k < 2; k++) {
        double mass = k == 0 ? 1 : ratio, inertia = 2. / 3 * mass * half * half;
        out->body[k] = (engine_body){.shape = ENGINE_BOX,
                                     .half = {half, half, half},
                                     .mass = mass,
                                     .inertia = {inertia, inertia, inertia},
                                     .state = {.pose = {{0, 0, (2 * k + 1) * half}, {1, 0, 0, 0}}}};
    }
    out->scene = (engine_scene){.bodies = 2, .planes = 1, .mu = .5, .gravity = {0, 0, -9.81}};
    return true;
}

static bool make_named(vs_context *context, const char *name, const vs_scene_parameter *parameter, int parameters,
                       built_scene *out) {
    vs_scene *scene = NULL;
    bool guided = strcmp(name, "guided-stack") == 0;
    if (vs_scene_make(context, guided ? "stacked-spheres" : name, parameter, parameters, &scene) != VS_OK)
        return refuse(name, vs_context_get_error_text(context));
    bool good = take_world(scene->world, name, guided, out);
    for (int k = 0; k < out->scene.bodies; k++)
        out->body[k].guided = guided;
    vs_scene_destroy(scene);
    return good;
}

bool built_scene_make(vs_context *context, const char *name, const vs_scene_parameter *parameter, int parameters,
                      double step, built_scene *out) {
    *out = (built_scene){0};
    bool good = strcmp(name, "mass-ratio") == 0 ? make_mass_ratio(parameter, parameters, out)
                                                : make_named(context, name, parameter, parameters, out);
    out->scene.body = out->body;
    out->scene.plane = out->plane;
    out->scene.step = step;
    if (!good)
        built_scene_release(out);
    return good;
}

void built_scene_release(built_scene *built) {
    free(built->body);
    free(built->plane);
    *built = (built_scene){0};
}

// ---- to a world --------------------------------------------------------------------------------------

static vs_error put_collider(vs_world *world, vs_body_id body, vs_shape *shape, vs_pose pose) {
    vs_collider_def def = vs_collider_def_default();
    vs_collider_id id;
    def.body = body;
    def.shape = shape;
    def.pose = pose;
    vs_error error = vs_world_add_collider(world, &def, &id);
    vs_shape_release(shape);
    return error;
}

static vs_error guide(vs_world *world, vs_body_id body, vs_pose pose) {
    vs_joint_def def = vs_joint_def_default();
    vs_joint_id id;
    def.kind = VS_JOINT_PRISMATIC;
    def.b = body;
    def.frame_a = pose;
    def.collide = true; // with the planes, which belong to the world
    return vs_world_add_joint(world, &def, &id);
}

static vs_error put_body(vs_context *context, vs_world *world, const engine_body *from) {
    vs_body_def def = vs_body_def_default();
    vs_body_id id;
    vs_shape *shape;
    def.pose = from->state.pose;
    def.velocity = from->state.velocity;
    def.spin = from->state.spin;
    def.mass = from->mass;
    def.inertia = (vs_mat3){{from->inertia.x, 0, 0, 0, from->inertia.y, 0, 0, 0, from->inertia.z}};
    vs_error error = vs_world_add_body(world, &def, &id);
    if (!error)
        error = from->shape == ENGINE_SPHERE ? vs_shape_sphere(context, from->radius, &shape)
                                             : vs_shape_box(context, from->half, &shape);
    if (!error)
        error = put_collider(world, id, shape, VS_IDENTITY_POSE);
    if (!error && from->guided)
        error = guide(world, id, def.pose);
    return error;
}

vs_error built_scene_world(vs_context *context, const engine_scene *scene, vs_world **world) {
    vs_world_def def = vs_world_def_default();
    vs_material material = vs_material_default();
    int index;
    def.gravity = scene->gravity;
    material.mu = scene->mu;
    vs_error error = vs_world_create(context, &def, world);
    if (!error)
        error = vs_world_add_material(*world, &material, "all", &index);
    for (int k = 0; k < scene->planes && !error; k++) {
        vs_shape *plane;
        error = vs_shape_plane(context, &plane);
        if (!error)
            error = put_collider(*world, (vs_body_id){0, 0}, plane, scene->plane[k]);
    }
    for (int k = 0; k < scene->bodies && !error; k++)
        error = put_body(context, *world, &scene->body[k]);
    return error;
}
