// The world itself, and its bodies: creation, names, lookup.
//
// Body 0 is the world as a body. Slots of removed objects are reused, the lowest first, with a higher generation,
// so that the indices depend only on what was added and removed, and stale ids are recognized.
#include "body/check.h"
#include "body/world_data.h"

#include <math.h>
#include <stdio.h>

// ---- the world -------------------------------------------------------------------------------------

vs_world_def vs_world_def_default(void) {
    return (vs_world_def){.gravity = {0, 0, -9.81}};
}

// A free slot, with memory for it.
static vs_error reserve_body(vs_world *world, int *index) {
    return vs_slots_make_room(world->context, &world->body_slots, &world->body, &world->body_capacity,
                              sizeof *world->body, index);
}

vs_error vs_world_create(vs_context *context, const vs_world_def *def, vs_world **world) {
    if (world)
        *world = NULL;
    if (!context || !world)
        return vs_fail(context, VS_ERROR_ARGUMENT, "world: an argument is null");
    vs_world_def chosen = def ? *def : vs_world_def_default();
    if (!vs_is_finite3(chosen.gravity))
        return vs_fail(context, VS_ERROR_ARGUMENT, "world: gravity is not finite");

    vs_world *made = vs_allocate(context, sizeof *made);
    if (!made)
        return vs_fail_memory(context);
    *made = (vs_world){.context = context, .gravity = chosen.gravity};
    int first;
    if (reserve_body(made, &first)) {
        vs_world_destroy(made);
        return VS_ERROR_MEMORY;
    }
    made->body[0] = (vs_body){
        .alive = true, .motion = VS_MOTION_STATIC, .pose = VS_IDENTITY_POSE, .first_collider = -1, .first_joint = -1};
    made->bodies = 1;
    vs_slots_set(&made->body_slots, 0, true);
    *world = made;
    return VS_OK;
}

vs_error vs_world_set_gravity(vs_world *world, vs_vec3 gravity) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!vs_is_finite3(gravity))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "world: gravity is not finite");
    vs_signals_release(world->context, world->gravity_signal);
    world->gravity_changes = false;
    world->gravity = gravity;
    return VS_OK;
}

vs_error vs_world_set_gravity_signal(vs_world *world, const vs_signal gravity[3]) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    vs_signal_copy made[3];
    vs_error error = vs_signals_copy_from(world->context, gravity, made);
    if (error)
        return error;
    vs_signals_release(world->context, world->gravity_signal);
    world->gravity_changes = gravity != NULL;
    for (int k = 0; k < 3; k++)
        world->gravity_signal[k] = made[k];
    // Before the first step gravity at the present time is visible.
    if (gravity)
        world->gravity = vs_signals_at(made, world->time);
    return VS_OK;
}

vs_vec3 vs_world_get_gravity(const vs_world *world) {
    return world ? world->gravity : VS_ZERO3;
}

double vs_world_get_time(const vs_world *world) {
    return world ? world->time : 0;
}

// ---- bodies ----------------------------------------------------------------------------------------

vs_body_def vs_body_def_default(void) {
    return (vs_body_def){.pose = VS_IDENTITY_POSE, .mass = 1, .inertia = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}};
}

// By the pivots of LDL'. 1e-12 of the diagonal entry is roundoff of rounded input.
static bool is_positive_definite(const vs_mat3 *matrix) {
    const double *a = matrix->a, l = a[7] - a[6] * a[3] / a[0];
    const double d0 = a[0], d1 = a[4] - a[3] * a[3] / d0, d2 = a[8] - a[6] * a[6] / d0 - l * l / d1;
    return d0 > 0 && d1 > 1e-12 * a[4] && d2 > 1e-12 * a[8] && a[4] > 0 && a[8] > 0;
}

// The moments of a mass distribution: with the second moments C = integral of x x' dm, which have no negative
// eigenvalue, the inertia is tr(C) 1 - C, and tr(I) = 2 tr(C). So tr(I)/2 1 - I = C, or: no principal moment exceeds
// the sum of the other two. A thin plate reaches the sum. Files of mechanisms often have three digits, which exceed it
// by rounding: 1 % of the trace are allowed.
// Some files add the inertia of a rotor, multiplied by the square of its gear ratio, to that of the link. That is not
// the inertia of a body (it acts about one axis only), and would be wrong about the others: it is refused, too.
static bool is_possible(const vs_mat3 *inertia) {
    const double half = .5 * (inertia->a[0] + inertia->a[4] + inertia->a[8]);
    vs_mat3 second = *inertia;
    for (int k = 0; k < 9; k++)
        second.a[k] = (k % 4 == 0 ? 1.01 * half : 0) - inertia->a[k];
    return is_positive_definite(&second);
}

// Symmetric, positive definite and possible; made exactly symmetric.
static vs_error check_inertia(vs_context *context, const char *who, vs_mat3 *inertia) {
    double *a = inertia->a, size = fabs(a[0]) + fabs(a[4]) + fabs(a[8]);
    for (int k = 0; k < 9; k++)
        if (!isfinite(a[k]))
            return vs_fail(context, VS_ERROR_ARGUMENT, "%s: entry %d of the inertia is not finite", who, k);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            if (fabs(a[3 * i + j] - a[3 * j + i]) > 1e-9 * size)
                return vs_fail(context, VS_ERROR_ARGUMENT, "%s: the inertia is not symmetric (%g and %g)", who,
                               a[3 * i + j], a[3 * j + i]);
            a[3 * i + j] = a[3 * j + i] = .5 * (a[3 * i + j] + a[3 * j + i]);
        }
    if (!is_positive_definite(inertia))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: the inertia is not positive definite (%g, %g, %g, ...)", who,
                       a[0], a[4], a[8]);
    if (!is_possible(inertia))
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "%s: the inertia (%g, %g, %g, ...) is that of no body: its largest principal moment exceeds the "
                       "sum of the other two; correct it, and make rotors bodies of their own",
                       who, a[0], a[4], a[8]);
    return VS_OK;
}

static vs_error check_body(const vs_world *world, vs_body_def *def) {
    vs_context *context = world->context;
    char who[80] = "body";
    if (def->name && *def->name)
        (void)snprintf(who, sizeof who, "body \"%.60s\"", def->name);
    if (def->motion != VS_MOTION_DYNAMIC && def->motion != VS_MOTION_KINEMATIC && def->motion != VS_MOTION_STATIC)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: unknown motion %d", who, (int)def->motion);
    vs_error error = vs_check_pose(context, who, &def->pose);
    if (error)
        return error;
    if (!vs_is_finite3(def->velocity) || !vs_is_finite3(def->spin))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: velocity or spin is not finite", who);
    if (def->motion == VS_MOTION_STATIC && (vs_length(def->velocity) > 0 || vs_length(def->spin) > 0))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: a static body cannot have a velocity", who);
    if (def->motion == VS_MOTION_DYNAMIC) {
        if (!(def->mass > 0) || !isfinite(def->mass))
            return vs_fail(context, VS_ERROR_ARGUMENT, "%s: the mass must be positive (is %g)", who, def->mass);
        error = check_inertia(context, who, &def->inertia);
        if (error)
            return error;
    }
    if (vs_names_find(&world->body_names, def->name) >= 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "body: the name \"%s\" is already in use", def->name);
    return VS_OK;
}

static void fill_body(vs_body *body, const vs_body_def *def, char *name) {
    uint32_t generation = body->generation + 1;
    *body = (vs_body){.generation = generation ? generation : 1, // zero is the world, even after 2^32 removals
                      .alive = true,
                      .motion = def->motion,
                      .pose = def->pose,
                      .velocity = def->velocity,
                      .spin = vs_rotate_back(def->pose.rotation, def->spin),
                      .first_collider = -1,
                      .first_joint = -1,
                      .name = name};
    if (def->motion == VS_MOTION_DYNAMIC) {
        body->mass = def->mass;
        body->inertia = def->inertia;
        body->inverse_inertia = vs_mat3_inverse(&def->inertia);
    }
    body->free_spin = body->spin;
}

vs_error vs_world_add_body(vs_world *world, const vs_body_def *def, vs_body_id *id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!def)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "body: def is null");
    vs_body_def checked = *def;
    char *name = NULL;
    int index = 0;
    vs_error error = check_body(world, &checked);
    if (!error)
        error = reserve_body(world, &index);
    if (!error)
        error = vs_copy_text(world->context, def->name, &name);
    if (!error && name)
        error = vs_names_add(world->context, &world->body_names, name, index);
    if (error) {
        vs_release(world->context, name);
        return error;
    }
    fill_body(&world->body[index], &checked, name);
    vs_slots_set(&world->body_slots, index, true);
    world->bodies = index >= world->bodies ? index + 1 : world->bodies;
    world->topology++;
    if (id)
        *id = (vs_body_id){(uint32_t)index, world->body[index].generation};
    return VS_OK;
}

int vs_world_get_body_count(const vs_world *world) {
    return world ? world->body_slots.used - 1 : 0;
}

vs_body_id vs_world_get_body_at(const vs_world *world, int k) {
    if (k < 0 || k >= vs_world_get_body_count(world))
        return (vs_body_id){0, 0};
    int index = vs_slots_find(&world->body_slots, k + 1);
    return (vs_body_id){(uint32_t)index, world->body[index].generation};
}

vs_body_id vs_world_find_body(const vs_world *world, const char *name) {
    int index = world ? vs_names_find(&world->body_names, name) : -1;
    return index < 0 ? (vs_body_id){0, 0} : (vs_body_id){(uint32_t)index, world->body[index].generation};
}

const char *vs_world_get_body_name(const vs_world *world, vs_body_id id) {
    int index = world ? vs_world_body_index(world, id) : -1;
    return index >= 0 && world->body[index].name ? world->body[index].name : "";
}
