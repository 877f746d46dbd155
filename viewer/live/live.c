// See live.h. Reads the geometry from the inside of the library; everything else is its public interface.
#include "live.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "body/world_data.h"
#include "shape/shape_data.h"
#include "voussoir/voussoir.h"

// Emscripten exports what is marked as used.
#define EXPORT __attribute__((used))

enum { PARAMETERS = 64, WORD = 64, TEXT = 512 };
static const double PI = 3.14159265358979323846;

typedef struct pull {
    bool active;
    vs_body_id body;
    vs_vec3 point, target; // body axes; world
    double frequency;
} pull;

struct live {
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    vs_step_report report;
    uint64_t hash;
    char hash_text[24];
    double number[LIVE_NUMBERS];
    pull pull;
    bool failed; // memory, in one of the allocations of a refresh

    int bodies, contacts, joints, colliders, shapes, solids;
    vs_body_id *body;
    int32_t *row; // (slots) row of a body by its index
    int32_t *motion, *contact_body, *joint_kind, *joint_body, *collider_body, *collider_shape, *shape_kind;
    int32_t *vertex_offset, *triangle_offset, *triangle, *node_offset, *face_offset, *face;
    double *mass, *inertia, *pose, *velocity, *joint_frame, *reaction, *collider_pose, *shape_size, *shape_bounds,
        *vertex;
    double *rest, *node, *node_velocity, *stress, *pressure;
    double *point, *normal, *impulse, *relative, *gap, *friction;
    const vs_shape **shape;
    vs_flexible_id *solid;
};

static char error_text[TEXT];

static void fail(const char *text) {
    (void)snprintf(error_text, sizeof error_text, "%s", text);
}

// Room for `count` numbers in place of the old array; at least one, so that null means failure.
static void *renew(live *l, void *old, int64_t count, size_t size) {
    free(old);
    void *made = calloc((size_t)(count > 0 ? count : 1), size);
    l->failed = l->failed || !made;
    return made;
}
#define RENEW(l, array, count) ((array) = renew(l, (void *)(array), count, sizeof *(array)))

static double *put(double *to, vs_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
    return to + 3;
}

static void put_all(double *to, const vs_vec3 *from, int count) {
    for (int k = 0; k < count; k++)
        to = put(to, from[k]);
}

static void put_pose(double *to, vs_pose pose) {
    to = put(to, pose.position);
    to[0] = pose.rotation.w, to[1] = pose.rotation.x, to[2] = pose.rotation.y, to[3] = pose.rotation.z;
}

// ---- named scenes ---------------------------------------------------------------------------------------------

EXPORT int live_scene_count(void) {
    return vs_scene_count();
}

EXPORT const char *live_scene_name(int scene) {
    return vs_scene_at(scene).name;
}

EXPORT const char *live_scene_description(int scene) {
    return vs_scene_at(scene).description;
}

EXPORT int live_scene_parameter_count(int scene) {
    return vs_scene_at(scene).parameter_count;
}

EXPORT const char *live_scene_parameter_name(int scene, int k) {
    return k >= 0 && k < vs_scene_at(scene).parameter_count ? vs_scene_at(scene).parameters[k].name : NULL;
}

EXPORT double live_scene_parameter_default(int scene, int k) {
    return k >= 0 && k < vs_scene_at(scene).parameter_count ? vs_scene_at(scene).parameters[k].value : 0;
}

// ---- geometry, read when the bodies change ----------------------------------------------------------------------

static void put_bounds(double to[6], const vs_shape *shape) {
    if (vs_shape_is_bounded(shape))
        (void)put(put(to, shape->bounds.low), shape->bounds.high);
}

static int32_t find_shape(const live *l, const vs_shape *shape) {
    int32_t k = 0;
    while (k < l->shapes && l->shape[k] != shape)
        k++;
    return k;
}

static void gather_colliders(live *l) {
    const vs_world *world = l->scene->world;
    l->colliders = l->shapes = 0;
    RENEW(l, l->collider_body, world->colliders);
    RENEW(l, l->collider_shape, world->colliders);
    RENEW(l, l->collider_pose, 7 * (int64_t)world->colliders);
    RENEW(l, l->shape, world->colliders);
    for (int k = 0; !l->failed && k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (!c->alive)
            continue;
        const int32_t shape = find_shape(l, c->shape);
        if (shape == l->shapes)
            l->shape[l->shapes++] = c->shape;
        l->collider_body[l->colliders] = l->row[c->body];
        l->collider_shape[l->colliders] = shape;
        put_pose(l->collider_pose + 7 * (int64_t)l->colliders++, c->pose);
    }
}

static void gather_shapes(live *l) {
    RENEW(l, l->shape_kind, l->shapes);
    RENEW(l, l->shape_size, 3 * (int64_t)l->shapes);
    RENEW(l, l->shape_bounds, 6 * (int64_t)l->shapes);
    RENEW(l, l->vertex_offset, l->shapes + 1);
    RENEW(l, l->triangle_offset, l->shapes + 1);
    for (int k = 0; !l->failed && k < l->shapes; k++) {
        const vs_shape *shape = l->shape[k];
        vs_shape_surface surface = {0};
        if (!vs_class_of(shape)->sized) // the viewer draws the others by kind and size
            (void)vs_shape_get_surface(shape, &surface);
        l->shape_kind[k] = (int32_t)shape->kind;
        (void)put(l->shape_size + 3 * (int64_t)k, vs_shape_sizes(shape));
        put_bounds(l->shape_bounds + 6 * (int64_t)k, shape);
        l->vertex_offset[k + 1] = l->vertex_offset[k] + surface.vertices;
        l->triangle_offset[k + 1] = l->triangle_offset[k] + surface.triangles;
    }
    if (l->failed)
        return;
    RENEW(l, l->vertex, 3 * (int64_t)l->vertex_offset[l->shapes]);
    RENEW(l, l->triangle, 3 * (int64_t)l->triangle_offset[l->shapes]);
    for (int k = 0; !l->failed && k < l->shapes; k++) {
        vs_shape_surface to = {.vertex = (vs_vec3 *)(void *)(l->vertex + 3 * (int64_t)l->vertex_offset[k]),
                               .triangle = l->triangle + 3 * (int64_t)l->triangle_offset[k]};
        if (l->vertex_offset[k + 1] > l->vertex_offset[k])
            (void)vs_shape_get_surface(l->shape[k], &to);
    }
}

// ---- bodies, joints, solids -------------------------------------------------------------------------------------

static void gather_bodies(live *l) {
    const vs_world *world = l->scene->world;
    l->bodies = vs_world_get_body_count(world);
    RENEW(l, l->body, l->bodies);
    RENEW(l, l->row, world->bodies);
    RENEW(l, l->motion, l->bodies);
    RENEW(l, l->mass, l->bodies);
    RENEW(l, l->inertia, 9 * (int64_t)l->bodies);
    RENEW(l, l->pose, 7 * (int64_t)l->bodies);
    RENEW(l, l->velocity, 6 * (int64_t)l->bodies);
    for (int k = 0; !l->failed && k < world->bodies; k++)
        l->row[k] = -1;
    for (int k = 0; !l->failed && k < l->bodies; k++) {
        const vs_body_id id = vs_world_get_body_at(world, k);
        l->body[k] = id;
        l->row[id.index] = k;
        l->motion[k] = (int32_t)world->body[id.index].motion;
        vs_mat3 inertia;
        if (!vs_world_get_body_mass(world, id, &l->mass[k], &inertia))
            (void)memcpy(l->inertia + 9 * (int64_t)k, inertia.a, sizeof inertia.a);
    }
}

static void gather_joints(live *l) {
    const vs_world *world = l->scene->world;
    l->joints = vs_world_get_joint_count(world);
    RENEW(l, l->joint_kind, l->joints);
    RENEW(l, l->joint_body, 2 * (int64_t)l->joints);
    RENEW(l, l->joint_frame, 14 * (int64_t)l->joints);
    RENEW(l, l->reaction, 6 * (int64_t)l->joints);
    for (int k = 0; !l->failed && k < l->joints; k++) {
        const vs_joint *joint = &world->joint[vs_world_get_joint_at(world, k).index];
        l->joint_kind[k] = (int32_t)joint->def.kind;
        l->joint_body[2 * k] = l->row[joint->a];
        l->joint_body[2 * k + 1] = l->row[joint->b];
        put_pose(l->joint_frame + 14 * (int64_t)k, joint->def.frame_a);
        put_pose(l->joint_frame + 14 * (int64_t)k + 7, joint->def.frame_b);
    }
}

// Beams are shown by their bodies.
static void gather_solids(live *l) {
    const vs_world *world = l->scene->world;
    const int count = vs_world_get_flexible_count(world);
    vs_flexible_view view;
    l->solids = 0;
    RENEW(l, l->solid, count);
    RENEW(l, l->node_offset, count + 1);
    RENEW(l, l->face_offset, count + 1);
    for (int k = 0; !l->failed && k < count; k++) {
        const vs_flexible_id id = vs_world_get_flexible_at(world, k);
        if (vs_world_get_flexible_view(world, id, &view) || view.beam)
            continue;
        l->node_offset[l->solids + 1] = l->node_offset[l->solids] + view.nodes;
        l->face_offset[l->solids + 1] = l->face_offset[l->solids] + view.faces;
        l->solid[l->solids++] = id;
    }
    if (l->failed)
        return;
    const int64_t nodes = l->node_offset[l->solids];
    RENEW(l, l->rest, 3 * nodes);
    RENEW(l, l->node, 3 * nodes);
    RENEW(l, l->node_velocity, 3 * nodes);
    RENEW(l, l->stress, nodes);
    RENEW(l, l->pressure, nodes);
    RENEW(l, l->face, 3 * (int64_t)l->face_offset[l->solids]);
    for (int k = 0; !l->failed && k < l->solids; k++)
        if (!vs_world_get_flexible_view(world, l->solid[k], &view)) {
            (void)memcpy(l->face + 3 * (int64_t)l->face_offset[k], view.face, sizeof(int) * 3 * (size_t)view.faces);
            put_all(l->rest + 3 * (int64_t)l->node_offset[k], view.rest, view.nodes);
        }
}

// ---- state, read after each step ----------------------------------------------------------------------------------

static void read_bodies(live *l) {
    vs_body_state state;
    for (int k = 0; k < l->bodies; k++)
        if (!vs_world_get_body_state(l->scene->world, l->body[k], &state)) {
            put_pose(l->pose + 7 * (int64_t)k, state.pose);
            (void)put(put(l->velocity + 6 * (int64_t)k, state.velocity), state.spin);
        }
}

static void read_solids(live *l) {
    vs_flexible_view view;
    for (int k = 0; k < l->solids; k++)
        if (!vs_world_get_flexible_view(l->scene->world, l->solid[k], &view)) {
            const int64_t at = l->node_offset[k];
            put_all(l->node + 3 * at, view.position, view.nodes);
            put_all(l->node_velocity + 3 * at, view.velocity, view.nodes);
            (void)vs_world_get_flexible_stress(l->scene->world, l->solid[k], l->stress + at);
            (void)vs_simulation_get_pressure(l->simulation, l->solid[k], l->pressure + at);
        }
}

static void read_joints(live *l) {
    const vs_world *world = l->scene->world;
    vs_vec3 force, torque;
    for (int k = 0; k < l->joints; k++)
        if (!vs_world_get_joint_reaction(world, vs_world_get_joint_at(world, k), &force, &torque))
            (void)put(put(l->reaction + 6 * (int64_t)k, force), torque);
}

static int32_t row_of(const live *l, vs_body_id body, vs_flexible_id solid) {
    for (int k = 0; solid.generation && k < l->solids; k++)
        if (l->solid[k].index == solid.index)
            return -3 - k;
    return l->row[body.index];
}

static void read_contacts(live *l) {
    l->contacts = vs_simulation_get_contact_count(l->simulation);
    RENEW(l, l->contact_body, 2 * (int64_t)l->contacts);
    RENEW(l, l->point, 3 * (int64_t)l->contacts);
    RENEW(l, l->normal, 3 * (int64_t)l->contacts);
    RENEW(l, l->impulse, 3 * (int64_t)l->contacts);
    RENEW(l, l->relative, 3 * (int64_t)l->contacts);
    RENEW(l, l->gap, l->contacts);
    RENEW(l, l->friction, l->contacts);
    for (int k = 0; !l->failed && k < l->contacts; k++) {
        vs_contact_view c;
        if (vs_simulation_get_contact_at(l->simulation, k, &c))
            continue;
        l->contact_body[2 * k] = row_of(l, c.a, c.flexible_a);
        l->contact_body[2 * k + 1] = row_of(l, c.b, c.flexible_b);
        (void)put(l->point + 3 * (int64_t)k, c.point);
        (void)put(l->normal + 3 * (int64_t)k, c.normal);
        (void)put(l->impulse + 3 * (int64_t)k, c.impulse);
        (void)put(l->relative + 3 * (int64_t)k, c.velocity);
        l->gap[k] = c.gap;
        l->friction[k] = c.mu;
    }
}

static void read_numbers(live *l) {
    const vs_step_report *r = &l->report;
    const vs_world *world = l->scene->world;
    const vs_energy energy = vs_world_get_energy(world);
    const vs_vec3 gravity = vs_world_get_gravity(world);
    double *to = l->number;
    to[LIVE_STEP] = (double)r->step;
    to[LIVE_TIME] = vs_world_get_time(world);
    to[LIVE_STEP_SIZE] = l->scene->options.step;
    to[LIVE_CONTACTS] = r->contacts;
    to[LIVE_ACTIVE] = r->active;
    to[LIVE_ISLANDS] = r->islands;
    to[LIVE_STATUS] = (double)r->status;
    to[LIVE_ITERATIONS] = r->iterations;
    to[LIVE_RELATIVE_ERROR] = r->relative_error;
    to[LIVE_ENERGY_ERROR] = r->energy_error;
    to[LIVE_WORK_ERROR] = r->work_error;
    to[LIVE_NATURAL_MAP] = r->natural_map;
    to[LIVE_PENETRATION] = r->penetration;
    to[LIVE_JOINT_DRIFT] = r->joint_drift;
    to[LIVE_KINETIC] = energy.kinetic;
    to[LIVE_POTENTIAL] = energy.potential;
    to[LIVE_DISSIPATION] = r->dissipation;
    to[LIVE_SECONDS] = r->seconds_total;
    to[LIVE_INACCURATE] = (double)vs_simulation_get_inaccurate_steps(l->simulation);
    to[LIVE_DURATION] = l->scene->duration;
    (void)put(to + LIVE_GRAVITY_X, gravity);
    to[LIVE_FACTORIZATIONS] = r->factorizations;
    to[LIVE_ENERGY_SCALE] = r->energy_scale;
    to[LIVE_WORK] = r->work;
    for (int k = 0; k < vs_energy_term_count(); k++)
        to[LIVE_TERMS + k] = vs_energy_term_value(k, &r->total);
}

static void read_state(live *l) {
    read_bodies(l);
    read_joints(l);
    read_solids(l);
    read_contacts(l);
    read_numbers(l);
}

static vs_error refresh(live *l) {
    gather_bodies(l);
    if (!l->failed)
        gather_joints(l);
    if (!l->failed)
        gather_colliders(l);
    if (!l->failed)
        gather_shapes(l);
    if (!l->failed)
        gather_solids(l);
    if (!l->failed)
        read_state(l);
    if (l->failed)
        fail("out of memory");
    return l->failed ? VS_ERROR_MEMORY : VS_OK;
}

// ---- life -----------------------------------------------------------------------------------------------------

typedef struct parameters {
    vs_scene_parameter at[PARAMETERS];
    char name[PARAMETERS][WORD];
    int count;
} parameters;

// "mu=0.5 stones=17"
static bool read_parameters(const char *text, parameters *p) {
    p->count = 0;
    for (const char *at = text ? text : ""; *(at += strspn(at, " \n,"));) {
        const size_t length = strcspn(at, "= \n,");
        char *end;
        if (at[length] != '=' || length >= WORD || p->count == PARAMETERS) {
            fail("parameters must have the form NAME=NUMBER, separated by spaces");
            return false;
        }
        (void)memcpy(p->name[p->count], at, length);
        p->name[p->count][length] = '\0';
        p->at[p->count] = (vs_scene_parameter){p->name[p->count], strtod(at + length + 1, &end)};
        if (end == at + length + 1) {
            fail("the value of a parameter must be a number");
            return false;
        }
        p->count++;
        at = end;
    }
    return true;
}

static live *load(const char *name, const char *text, const char *given, double budget) {
    parameters p;
    if (!read_parameters(given, &p))
        return NULL;
    live *l = calloc(1, sizeof *l);
    vs_error error = l ? vs_context_create(NULL, &l->context) : VS_ERROR_MEMORY;
    if (!error)
        error = text ? vs_scene_parse(l->context, text, strlen(text), "scene", p.at, p.count, &l->scene)
                     : vs_scene_make(l->context, name, p.at, p.count, &l->scene);
    if (!error) {
        if (budget > 0)
            l->scene->options.solver.max_time = budget;
        error = vs_simulation_create(l->scene->world, &l->scene->options, &l->simulation);
    }
    if (error)
        fail(l && l->context ? vs_context_get_error_text(l->context) : vs_error_name(error));
    else
        error = refresh(l);
    if (!error)
        return l;
    live_destroy(l);
    return NULL;
}

EXPORT live *live_load(const char *name, const char *given, double budget) {
    return load(name, NULL, given, budget);
}

EXPORT live *live_load_text(const char *text, const char *given, double budget) {
    return load(NULL, text ? text : "", given, budget);
}

EXPORT void live_destroy(live *l) {
    if (!l)
        return;
    vs_simulation_destroy(l->simulation);
    vs_scene_destroy(l->scene);
    vs_context_destroy(l->context);
    void *arrays[] = {l->body,
                      l->row,
                      l->motion,
                      l->contact_body,
                      l->joint_kind,
                      l->joint_body,
                      l->collider_body,
                      l->collider_shape,
                      l->shape_kind,
                      l->vertex_offset,
                      l->triangle_offset,
                      l->triangle,
                      l->node_offset,
                      l->face_offset,
                      l->face,
                      l->mass,
                      l->inertia,
                      l->pose,
                      l->velocity,
                      l->joint_frame,
                      l->reaction,
                      l->collider_pose,
                      l->shape_size,
                      l->shape_bounds,
                      l->vertex,
                      l->rest,
                      l->node,
                      l->node_velocity,
                      l->stress,
                      l->pressure,
                      l->point,
                      l->normal,
                      l->impulse,
                      l->relative,
                      l->gap,
                      l->friction,
                      (void *)l->shape,
                      l->solid};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    free(l);
}

EXPORT const char *live_error(void) {
    return error_text;
}

EXPORT const char *live_version(void) {
    return vs_version();
}

EXPORT const char *live_title(live *l) {
    return l->scene->name;
}

static int finish(live *l, vs_error error) {
    if (error)
        fail(vs_context_get_error_text(l->context));
    return (int)error;
}

// Force of the spring: stiffness and damping by the mass of the body, so that its frequency is the same for all.
static void apply_pull(live *l) {
    const pull *p = &l->pull;
    vs_body_state s;
    double mass;
    vs_mat3 inertia;
    if (!p->active || vs_world_get_body_state(l->scene->world, p->body, &s) ||
        vs_world_get_body_mass(l->scene->world, p->body, &mass, &inertia))
        return;
    const vs_vec3 arm = vs_rotate(s.pose.rotation, p->point), at = vs_add(s.pose.position, arm);
    const vs_vec3 velocity = vs_add(s.velocity, vs_cross(s.spin, arm));
    const double omega = 2 * PI * p->frequency;
    const vs_vec3 force =
        vs_subtract(vs_scale(mass * omega * omega, vs_subtract(p->target, at)), vs_scale(2 * mass * omega, velocity));
    (void)vs_world_apply_force(l->scene->world, p->body, force, &at);
}

static void continue_hash(live *l) {
    uint64_t h = vs_hash_word(l->hash, vs_world_get_hash(l->scene->world));
    for (int64_t k = 0; k < 3 * (int64_t)l->contacts; k++)
        h = vs_hash_double(h, l->impulse[k]);
    l->hash = h;
}

EXPORT int live_step(live *l) {
    apply_pull(l);
    const vs_error error = vs_simulation_step(l->simulation, &l->report);
    if (error)
        return finish(l, error);
    read_state(l);
    if (l->failed) {
        fail("out of memory");
        return VS_ERROR_MEMORY;
    }
    continue_hash(l);
    return VS_OK;
}

EXPORT const double *live_numbers(live *l) {
    return l->number;
}

EXPORT const char *live_hash(live *l) {
    (void)snprintf(l->hash_text, sizeof l->hash_text, "%016" PRIx64, l->hash);
    return l->hash_text;
}

// ---- interaction ------------------------------------------------------------------------------------------------

static bool has_body(const live *l, int body) {
    if (body >= 0 && body < l->bodies)
        return true;
    fail("there is no such body");
    return false;
}

EXPORT int live_set_gravity(live *l, double x, double y, double z) {
    const vs_error error = vs_world_set_gravity(l->scene->world, (vs_vec3){x, y, z});
    read_numbers(l);
    return finish(l, error);
}

static int set_state(live *l, int body, const vs_body_state *state) {
    const vs_error error = vs_world_set_body_state(l->scene->world, l->body[body], state);
    read_bodies(l);
    return finish(l, error);
}

EXPORT int live_set_velocity(live *l, int body, double vx, double vy, double vz, double wx, double wy, double wz) {
    vs_body_state state;
    if (!has_body(l, body))
        return VS_ERROR_ARGUMENT;
    const vs_error error = vs_world_get_body_state(l->scene->world, l->body[body], &state);
    state.velocity = (vs_vec3){vx, vy, vz};
    state.spin = (vs_vec3){wx, wy, wz};
    return error ? finish(l, error) : set_state(l, body, &state);
}

EXPORT int live_set_pose(live *l, int body, double x, double y, double z, double qw, double qx, double qy, double qz) {
    vs_body_state state;
    if (!has_body(l, body))
        return VS_ERROR_ARGUMENT;
    const vs_error error = vs_world_get_body_state(l->scene->world, l->body[body], &state);
    state.pose = (vs_pose){{x, y, z}, {qw, qx, qy, qz}};
    return error ? finish(l, error) : set_state(l, body, &state);
}

EXPORT int live_pull(live *l, int body, double px, double py, double pz, double tx, double ty, double tz,
                     double frequency) {
    if (!has_body(l, body))
        return VS_ERROR_ARGUMENT;
    if (!(frequency > 0) || !isfinite(px + py + pz + tx + ty + tz + frequency)) {
        fail("the frequency must be positive, all numbers finite");
        return VS_ERROR_ARGUMENT;
    }
    l->pull = (pull){true, l->body[body], {px, py, pz}, {tx, ty, tz}, frequency};
    return VS_OK;
}

EXPORT void live_release(live *l) {
    l->pull.active = false;
}

EXPORT int live_throw(live *l, double radius, double density, double x, double y, double z, double vx, double vy,
                      double vz) {
    vs_shape *ball = NULL;
    vs_mass_properties mass;
    vs_body_def body = vs_body_def_default();
    vs_collider_def collider = vs_collider_def_default();
    vs_collider_id id;
    vs_error error = vs_shape_sphere(l->context, radius, &ball);
    if (!error)
        error = vs_shape_get_mass(ball, density, &mass);
    if (!error) {
        body.mass = mass.mass;
        body.inertia = mass.inertia;
        body.pose.position = (vs_vec3){x, y, z};
        body.velocity = (vs_vec3){vx, vy, vz};
        error = vs_world_add_body(l->scene->world, &body, &collider.body);
    }
    if (!error) {
        collider.shape = ball;
        error = vs_world_add_collider(l->scene->world, &collider, &id);
    }
    vs_shape_release(ball);
    if (error || refresh(l))
        return finish(l, error), -1;
    return l->row[collider.body.index];
}

EXPORT int live_remove(live *l, int body) {
    if (!has_body(l, body))
        return VS_ERROR_ARGUMENT;
    if (l->pull.active && l->pull.body.index == l->body[body].index)
        l->pull.active = false;
    const vs_error error = vs_world_remove_body(l->scene->world, l->body[body]);
    return error ? finish(l, error) : (int)refresh(l);
}

// ---- arrays -----------------------------------------------------------------------------------------------------

EXPORT const char *live_body_name(live *l, int body) {
    return has_body(l, body) ? vs_world_get_body_name(l->scene->world, l->body[body]) : "";
}

EXPORT const char *live_joint_name(live *l, int joint) {
    const vs_world *world = l->scene->world;
    return joint >= 0 && joint < l->joints ? vs_world_get_joint_name(world, vs_world_get_joint_at(world, joint)) : "";
}

#define COUNT(name, field)                                                                                             \
    EXPORT int live_##name(live *l) {                                                                                  \
        return l->field;                                                                                               \
    }
#define INTEGERS(name, field)                                                                                          \
    EXPORT const int32_t *live_##name(live *l) {                                                                       \
        return l->field;                                                                                               \
    }
#define DOUBLES(name, field)                                                                                           \
    EXPORT const double *live_##name(live *l) {                                                                        \
        return l->field;                                                                                               \
    }

COUNT(body_count, bodies)
INTEGERS(body_motion, motion)
DOUBLES(body_mass, mass)
DOUBLES(body_inertia, inertia)
DOUBLES(body_pose, pose)
DOUBLES(body_velocity, velocity)
COUNT(contact_count, contacts)
INTEGERS(contact_body, contact_body)
DOUBLES(contact_point, point)
DOUBLES(contact_normal, normal)
DOUBLES(contact_impulse, impulse)
DOUBLES(contact_velocity, relative)
DOUBLES(contact_gap, gap)
DOUBLES(contact_friction, friction)
COUNT(joint_count, joints)
INTEGERS(joint_kind, joint_kind)
INTEGERS(joint_body, joint_body)
DOUBLES(joint_frame, joint_frame)
DOUBLES(joint_reaction, reaction)
COUNT(collider_count, colliders)
INTEGERS(collider_body, collider_body)
INTEGERS(collider_shape, collider_shape)
DOUBLES(collider_pose, collider_pose)
COUNT(shape_count, shapes)
INTEGERS(shape_kind, shape_kind)
DOUBLES(shape_size, shape_size)
DOUBLES(shape_bounds, shape_bounds)
INTEGERS(shape_vertex_offset, vertex_offset)
DOUBLES(shape_vertex, vertex)
INTEGERS(shape_triangle_offset, triangle_offset)
INTEGERS(shape_triangle, triangle)
COUNT(solid_count, solids)
INTEGERS(solid_node_offset, node_offset)
DOUBLES(solid_rest, rest)
DOUBLES(solid_position, node)
DOUBLES(solid_velocity, node_velocity)
DOUBLES(solid_stress, stress)
DOUBLES(solid_pressure, pressure)
INTEGERS(solid_triangle_offset, face_offset)
INTEGERS(solid_triangle, face)
