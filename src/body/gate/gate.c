// Gates of a world: their definitions, and bodies that become present or absent.
#include "body/gate/gate.h"

#include <math.h>

#include "base/array.h"
#include "base/hash.h"
#include "body/check.h"
#include "body/flexible_data.h"
#include "shape/shape_data.h"

// ---- bodies ----------------------------------------------------------------------------------------

double vs_gate_radius(const vs_world *world, int body) {
    double radius = 0;
    for (int k = world->body[body].first_collider; k >= 0; k = world->collider[k].next)
        radius = fmax(radius, vs_shape_arm(world->collider[k].shape, world->collider[k].pose));
    return radius;
}

// Is it a node of a beam, or glued to a solid?
static bool is_of_flexible(const vs_world *world, int body) {
    bool of = false;
    for (int k = 0; k < world->flexibles && !of; k++) {
        const vs_flexible *f = &world->flexible[k];
        for (int i = 0; f->alive && f->beam && i < f->nodes && !of; i++)
            of = (int)f->body[i].index == body;
        for (int i = 0; f->alive && i < f->glued_count && !of; i++)
            of = f->glued[i] == body;
    }
    return of;
}

bool vs_gate_may_take(const vs_world *world, int body) {
    const vs_body *it = &world->body[body];
    return it->alive && !it->absent && it->motion == VS_MOTION_DYNAMIC && it->joints == 0 && it->cables == 0 &&
           !is_of_flexible(world, body);
}

// What steps keep of a body concerns another life of it.
static void forget(vs_body *body) {
    body->spin = body->free_spin = body->held = body->old_spin = VS_ZERO3;
    body->force = body->torque = VS_ZERO3;
    body->lead = (vs_lead){0};
}

void vs_gate_let_in(vs_world *world, int body, vs_pose pose, vs_vec3 velocity) {
    vs_body *it = &world->body[body];
    forget(it);
    it->pose = pose;
    it->velocity = it->old_velocity = velocity;
    it->absent = false;
    world->topology++;
}

void vs_gate_let_out(vs_world *world, int body) {
    vs_body *it = &world->body[body];
    forget(it);
    it->velocity = it->old_velocity = VS_ZERO3;
    it->absent = true;
    world->topology++;
}

double vs_gate_energy(const vs_world *world, int body) {
    const vs_body *it = &world->body[body];
    const double motion = it->mass * vs_dot(it->velocity, it->velocity),
                 turning = vs_dot(it->spin, vs_mat3_apply(&it->inertia, it->spin));
    return .5 * (motion + turning) - it->mass * vs_dot(world->gravity, it->pose.position);
}

double vs_gate_draw(vs_gate *gate) {
    const uint64_t word = vs_hash_random(gate->factory.seed, ++gate->draws);
    return (double)(word >> 11) * 0x1p-53;
}

bool vs_world_is_body_present(const vs_world *world, vs_body_id id) {
    const int index = world ? vs_world_body_index(world, id) : -1;
    return index >= 0 && !world->body[index].absent;
}

// ---- definitions -----------------------------------------------------------------------------------

vs_factory_def vs_factory_def_default(void) {
    return (vs_factory_def){.end = INFINITY, .turned = true};
}

vs_sink_def vs_sink_def_default(void) {
    return (vs_sink_def){.low = {-INFINITY, -INFINITY, -INFINITY}, .high = {INFINITY, INFINITY, INFINITY}};
}

static vs_error check_box(const vs_world *world, const char *what, vs_vec3 low, vs_vec3 high) {
    for (int k = 0; k < 3; k++)
        if (!(vs_component(low, k) < vs_component(high, k)))
            return vs_fail(world->context, VS_ERROR_ARGUMENT, "%s: the box from %g to %g along %c is empty", what,
                           vs_component(low, k), vs_component(high, k), "xyz"[k]);
    return VS_OK;
}

static vs_error check_name(const vs_world *world, const char *what, const char *name) {
    if (vs_names_find(&world->gate_names, name) >= 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "%s: the name \"%s\" is already in use", what, name);
    return VS_OK;
}

static vs_error check_body(const vs_world *world, const vs_factory_def *def, int k) {
    const int index = vs_world_body_index(world, def->body[k]);
    if (index <= 0 || !vs_gate_may_take(world, index) || world->body[index].first_collider < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "factory: body[%d] must be dynamic and have shapes, no joints and no other factory", k);
    const double size = 2 * vs_gate_radius(world, index);
    const vs_vec3 box = vs_subtract(def->high, def->low);
    if (!(size <= fmin(box.x, fmin(box.y, box.z))))
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "factory: a body of %.3g m does not fit into its box of %.3g x %.3g x %.3g m; enlarge the box",
                       size, box.x, box.y, box.z);
    return VS_OK;
}

static vs_error check_factory(const vs_world *world, const vs_factory_def *def) {
    vs_context *context = world->context;
    if (def->bodies < 1 || !def->body)
        return vs_fail(context, VS_ERROR_ARGUMENT, "factory: it needs bodies");
    if (!vs_is_moderate3(def->low) || !vs_is_moderate3(def->high) || !vs_is_moderate3(def->velocity))
        return vs_fail(context, VS_ERROR_ARGUMENT, "factory: box and velocity must be finite");
    if (!(def->rate >= 0) || isinf(def->rate) || !(def->mass_rate >= 0) || isinf(def->mass_rate))
        return vs_fail(context, VS_ERROR_ARGUMENT, "factory: a rate must not be negative, is %g/s, %g kg/s", def->rate,
                       def->mass_rate);
    if (!isfinite(def->begin) || !(def->begin <= def->end))
        return vs_fail(context, VS_ERROR_ARGUMENT, "factory: it must begin before it ends, not from %g to %g s",
                       def->begin, def->end);
    vs_error error = check_box(world, "factory", def->low, def->high);
    return error ? error : check_name(world, "factory", def->name);
}

// Each body is absent from then on, so that none counts twice; after an error as before.
static vs_error hold_bodies(vs_world *world, const vs_factory_def *def) {
    vs_error error = VS_OK;
    int held = 0;
    for (; held < def->bodies && !error; held += !error) {
        error = check_body(world, def, held);
        if (!error)
            world->body[def->body[held].index].absent = true;
    }
    while (error && held > 0)
        world->body[def->body[--held].index].absent = false;
    return error;
}

// The name last, so that a failure changes nothing.
static vs_error add(vs_world *world, vs_gate *made, const char *name, int *index) {
    vs_context *context = world->context;
    vs_error error = world->mortars > 0
                         ? vs_fail(context, VS_ERROR_UNSUPPORTED, "factories and sinks do not know the bonds of mortar")
                         : VS_OK;
    if (!error)
        error = vs_array_reserve(context, &world->gate, &world->gate_capacity, world->gates + 1, sizeof *world->gate);
    if (!error)
        error = vs_copy_text(context, name, &made->name);
    if (!error && made->name)
        error = vs_names_add(context, &world->gate_names, made->name, world->gates);
    if (error) {
        vs_release(context, made->name);
        vs_release(context, made->body);
        return error;
    }
    if (index)
        *index = world->gates;
    world->gate[world->gates++] = *made;
    return VS_OK;
}

vs_error vs_world_add_factory(vs_world *world, const vs_factory_def *def, int *index) {
    if (!world || !def)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "factory: an argument is null");
    vs_error error = check_factory(world, def);
    if (!error)
        error = hold_bodies(world, def);
    if (error)
        return error;
    vs_gate made = {.low = def->low, .high = def->high, .factory = *def, .bodies = def->bodies};
    made.factory.name = NULL, made.factory.body = NULL;
    made.body = vs_allocate(world->context, (size_t)def->bodies * sizeof *made.body);
    for (int k = 0; k < def->bodies && made.body; k++) {
        made.body[k] = def->body[k];
        made.mean_mass += world->body[def->body[k].index].mass / def->bodies;
    }
    error = made.body ? add(world, &made, def->name, index) : vs_fail_memory(world->context);
    for (int k = 0; k < def->bodies; k++)
        if (error)
            world->body[def->body[k].index].absent = false;
        else
            vs_gate_let_out(world, (int)def->body[k].index);
    return error;
}

vs_error vs_world_add_sink(vs_world *world, const vs_sink_def *def, int *index) {
    if (!world || !def)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "sink: an argument is null");
    vs_error error = check_box(world, "sink", def->low, def->high);
    if (!error)
        error = check_name(world, "sink", def->name);
    vs_gate made = {.sink = true, .low = def->low, .high = def->high};
    return error ? error : add(world, &made, def->name, index);
}

// ---- all -------------------------------------------------------------------------------------------

int vs_world_get_gate_count(const vs_world *world) {
    return world ? world->gates : 0;
}

vs_error vs_world_get_gate_at(const vs_world *world, int k, vs_gate_view *view) {
    if (!world || !view || k < 0 || k >= world->gates)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "gate: there is no gate %d", k);
    const vs_gate *gate = &world->gate[k];
    *view = (vs_gate_view){.name = gate->name ? gate->name : "",
                           .sink = gate->sink,
                           .bodies = gate->passed,
                           .mass = gate->mass,
                           .energy = gate->energy,
                           .waiting = gate->waiting};
    return VS_OK;
}

void vs_gates_forget(vs_world *world) {
    for (int k = 0; k < world->gates; k++) {
        vs_gate *gate = &world->gate[k];
        gate->passed = gate->waiting = 0;
        gate->mass = gate->energy = 0, gate->next = 0, gate->draws = 0;
    }
}

void vs_gates_release(vs_world *world) {
    for (int k = 0; k < world->gates; k++) {
        vs_release(world->context, world->gate[k].name);
        vs_release(world->context, world->gate[k].body);
    }
    vs_release(world->context, world->gate);
    vs_names_release(world->context, &world->gate_names);
}
