// Parts of a step of controlled accuracy: see event_chain.h.
#include "step/derivative/event_chain.h"

#include <math.h>
#include <string.h>

#include "body/joint_effort.h"
#include "step/derivative/linear_step.h"
#include "step/derivative/scope.h"
#include "step/rows/point_jacobian.h"

// ---- parts -----------------------------------------------------------------------------------------

// A part that the chain owns; null: no memory.
static vs_step_derivative *add_part(vs_step_derivative *d) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    const vs_error error = VS_RESERVE(d->context, &d->part, d->part.count + 1);
    vs_step_derivative *part = error ? NULL : vs_allocate(d->context, sizeof *part);
    if (!part)
        return NULL;
    *part = (vs_step_derivative){.context = d->context, .parameter = d->parameter, .parameters = d->parameters};
    vs_arena_init(&part->arena, d->context);
    d->part.data[d->part.count++] = part;
    return part;
}

static vs_error list_bodies(vs_step_derivative *d, const vs_simulation *s) {
    d->bodies = (int)s->blocks.body.count;
    d->body = VS_NEW(&d->arena, vs_body_id, d->bodies);
    for (int k = 0; k < d->bodies && d->body; k++) {
        const int index = s->blocks.body.data[k];
        d->body[k] = (vs_body_id){(uint32_t)index, s->world->body[index].generation};
    }
    return d->body ? VS_OK : VS_ERROR_MEMORY;
}

// ---- flight ----------------------------------------------------------------------------------------

// Rows of c = -M v become those of v.
static void solve_for_velocity(vs_motion_derivative *motion, const vs_body *body) {
    for (int c = 0; c < VS_KICK_IN; c++) {
        double *x = motion->kick + c;
        vs_vec3 turn = {x[3 * VS_KICK_IN], x[4 * VS_KICK_IN], x[5 * VS_KICK_IN]};
        turn = vs_mat3_apply(&body->inverse_inertia, turn);
        for (int i = 0; i < 3; i++) {
            x[i * VS_KICK_IN] /= -body->mass;
            x[(3 + i) * VS_KICK_IN] = -vs_component(turn, i);
        }
    }
}

// Half a kick at a time, and a drift of h; moves the bodies of the world.
static vs_error add_half(vs_step_derivative *d, const vs_simulation *s, vs_world *world, double push, double h) {
    vs_step_derivative *part = add_part(d);
    if (!part || list_bodies(part, s))
        return VS_ERROR_MEMORY;
    part->flies = true;
    part->motion = VS_NEW(&part->arena, vs_motion_derivative, part->bodies);
    if (!part->motion)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < part->bodies; k++) {
        const int index = s->blocks.body.data[k];
        vs_body *body = &world->body[index];
        vs_motion_derivative *motion = &part->motion[k];
        vs_vec3 velocity, spin;
        vs_motion_derivative_kick(motion, world, index, push, world->time, false);
        vs_body_free(world, index, push, world->time, &velocity, &spin);
        body->velocity = velocity, body->spin = body->free_spin = spin;
        vs_linear_step_add_mass(motion, body, (double[6]){velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z});
        solve_for_velocity(motion, body);
        vs_motion_derivative_drift(motion, body, h, false);
        vs_body_drift(body, h);
    }
    world->time += h;
    return VS_OK;
}

// The world as it was before the flight.
static vs_error copy_saved(const vs_simulation *s, vs_arena *scratch, vs_world *world) {
    *world = *s->world;
    world->body = VS_COPY(scratch, vs_body, s->world->body, s->world->bodies);
    for (int k = 0; k < world->bodies && world->body; k++) {
        const vs_saved_body *from = &s->saved.body.data[k];
        vs_body *body = &world->body[k];
        body->pose = from->pose, body->velocity = from->velocity, body->spin = body->free_spin = from->spin;
        body->held = VS_ZERO3;
    }
    world->time = s->saved.time;
    return world->body ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_event_chain_record_flight(vs_simulation *s, double h, bool presses, void *user) {
    vs_step_recorder *r = user;
    r->recorded = true;
    if (presses && !r->reason)
        r->reason = "contacts that press between impacts in steps of controlled accuracy";
    if (r->reason)
        return VS_OK;
    vs_arena scratch;
    vs_arena_init(&scratch, s->context);
    vs_world world;
    vs_error error = copy_saved(s, &scratch, &world);
    if (!error) {
        vs_world_update_gravity(&world, world.time, 0);
        error = add_half(r->derivative, s, &world, .5 * h, h);
    }
    if (!error) {
        vs_world_update_gravity(&world, world.time, 0);
        error = add_half(r->derivative, s, &world, .5 * h, 0);
    }
    vs_arena_release(&scratch);
    return error;
}

// ---- impact ----------------------------------------------------------------------------------------

static void put_vector(double *x, vs_vec3 v) {
    x[0] = v.x, x[1] = v.y, x[2] = v.z;
}

// Velocities and accelerations of a body with these velocities, world axes.
static void set_rates(const vs_simulation *s, int index, const double v[6], double out[12]) {
    const vs_body *body = &s->world->body[index];
    const vs_quat R = body->pose.rotation;
    const vs_vec3 w = {v[3], v[4], v[5]};
    vs_vec3 force, torque;
    vs_body_push(s->world, index, s->world->time, &force, &torque);
    const vs_vec3 gyroscopic = vs_cross(w, vs_mat3_apply(&body->inertia, w));
    const vs_vec3 turn = vs_mat3_apply(&body->inverse_inertia, vs_subtract(vs_rotate_back(R, torque), gyroscopic));
    put_vector(out, (vs_vec3){v[0], v[1], v[2]});
    put_vector(out + 3, vs_rotate(R, w));
    put_vector(out + 6, vs_add_scaled(s->world->gravity, 1 / body->mass, force));
    put_vector(out + 9, vs_rotate(R, turn));
}

static double rate_of(const vs_body *body, const double gap[6]) {
    const vs_vec3 w = vs_rotate(body->pose.rotation, body->spin);
    return vs_dot(body->velocity, (vs_vec3){gap[0], gap[1], gap[2]}) + vs_dot(w, (vs_vec3){gap[3], gap[4], gap[5]});
}

// Of the contacts that press the one with the least gap; -1: none.
static int find_first(const vs_simulation *s, int *pressing) {
    int first = -1;
    *pressing = 0;
    for (int k = 0; k < s->contacts.rigid->count; k++) {
        if (!(s->problem.result.lambda[s->groups.group.data[k].row] > 0))
            continue;
        ++*pressing;
        if (first < 0 || s->contacts.rigid->contact[k].gap < s->contacts.rigid->contact[first].gap)
            first = k;
    }
    return first;
}

static vs_error set_shift(vs_step_derivative *part, const vs_simulation *s, vs_step_recorder *r) {
    const int contacts = s->contacts.rigid->count;
    int pressing;
    const int first = find_first(s, &pressing);
    if (first < 0)
        return VS_OK;
    vs_event_shift *shift = VS_NEW_ZERO(&part->arena, vs_event_shift, 1);
    vs_contact_geometry *geometry = VS_NEW_ZERO(&part->arena, vs_contact_geometry, contacts);
    bool *wanted = VS_NEW_ZERO(&part->arena, bool, contacts);
    if (!shift || !geometry || !wanted)
        return VS_ERROR_MEMORY;
    wanted[first] = true;
    part->report.kinks += pressing > 1;
    if (!vs_contact_geometry_find(s, wanted, geometry, &r->contact)) {
        r->reason = "contacts whose features change close by";
        return VS_OK;
    }
    shift->before = VS_NEW(&part->arena, double, 12 * part->bodies);
    shift->after = VS_NEW(&part->arena, double, 12 * part->bodies);
    if (!shift->before || !shift->after)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < part->bodies; k++) {
        const int index = s->blocks.body.data[k];
        double now[6];
        vs_body_get_velocities(&s->world->body[index], now);
        set_rates(s, index, now, shift->before + 12 * (int64_t)k);
        set_rates(s, index, s->problem.result.v + 6 * (int64_t)k, shift->after + 12 * (int64_t)k);
    }
    const vs_contact *contact = &s->contacts.rigid->contact[first];
    for (int side = 0; side < 2; side++) {
        const int body = side ? contact->b : contact->a;
        shift->block[side] = vs_blocks_of_body(&s->blocks, body);
        for (int i = 0; i < 6; i++)
            shift->gap[side][i] = geometry[first].by[6 * side + i].gap;
        shift->rate += rate_of(&s->world->body[body], shift->gap[side]);
    }
    if (shift->rate < 0)
        part->shift = shift;
    return VS_OK;
}

vs_error vs_event_chain_record_impact(vs_simulation *s, void *user) {
    vs_step_recorder *r = user;
    r->recorded = true;
    if (s->kick.length > 0 && !r->reason)
        r->reason = "steps of controlled accuracy that had to be fixed ones";
    if (r->reason || !s->problem.solver)
        return VS_OK;
    vs_step_derivative *part = add_part(r->derivative);
    if (!part)
        return VS_ERROR_MEMORY;
    vs_step_recorder own = *r;
    own.derivative = part;
    vs_error error = vs_linear_step_record(s, &own);
    if (!error && !own.reason)
        error = set_shift(part, s, &own);
    r->reason = own.reason, r->contact = own.contact;
    return error;
}

// ---- products --------------------------------------------------------------------------------------

// x += dt (rates of all bodies)
static void move_on(const vs_step_derivative *d, const double *rates, double dt, const vs_state_direction *x) {
    for (int k = 0; k < d->bodies; k++)
        for (int i = 0; i < 6; i++) {
            x->pose[6 * k + i] += dt * rates[12 * k + i];
            x->velocity[6 * k + i] += dt * rates[12 * k + 6 + i];
        }
}

static double rates_times(const vs_step_derivative *d, const double *rates, const vs_state_direction *x) {
    double sum = 0;
    for (int k = 0; k < d->bodies; k++)
        for (int i = 0; i < 6; i++)
            sum += rates[12 * k + i] * x->pose[6 * k + i] + rates[12 * k + 6 + i] * x->velocity[6 * k + i];
    return sum;
}

// dt by the state.
static double find_shift(const vs_event_shift *shift, const vs_state_direction *x) {
    double gap = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 6 && shift->block[side] != VS_NO_BLOCK; i++)
            gap += shift->gap[side][i] * x->pose[6 * shift->block[side] + i];
    return -gap / shift->rate;
}

static void add_shift_back(const vs_event_shift *shift, double weight, const vs_state_direction *x) {
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 6 && shift->block[side] != VS_NO_BLOCK; i++)
            x->pose[6 * shift->block[side] + i] -= weight * shift->gap[side][i] / shift->rate;
}

static vs_error part_forward(const vs_step_derivative *part, const vs_input_direction *input,
                             const vs_state_direction *x, double *residual) {
    const double dt = part->shift ? find_shift(part->shift, x) : 0;
    double own = 0;
    if (part->shift)
        move_on(part, part->shift->before, dt, x);
    const vs_error error = vs_linear_step_tangent(part, x, input, x, &own);
    if (!error && part->shift)
        move_on(part, part->shift->after, -dt, x);
    *residual = fmax(*residual, own);
    return error;
}

static vs_error part_back(const vs_step_derivative *part, const vs_input_direction *input, const vs_state_direction *x,
                          double *residual) {
    double weight = part->shift ? -rates_times(part, part->shift->after, x) : 0, own = 0;
    const vs_error error = vs_linear_step_adjoint(part, x, x, input, &own);
    *residual = fmax(*residual, own);
    if (error || !part->shift)
        return error;
    weight += rates_times(part, part->shift->before, x);
    add_shift_back(part->shift, weight, x);
    return VS_OK;
}

static bool make_state(vs_arena *arena, int bodies, const vs_state_direction *from, vs_state_direction *x) {
    const int n = 6 * bodies;
    *x = (vs_state_direction){VS_NEW_ZERO(arena, double, n), VS_NEW_ZERO(arena, double, n),
                              VS_NEW_ZERO(arena, double, 3 * bodies)};
    if (!x->pose || !x->velocity || !x->forecast)
        return false;
    if (from && from->pose)
        memcpy(x->pose, from->pose, sizeof(double) * (size_t)n);
    if (from && from->velocity)
        memcpy(x->velocity, from->velocity, sizeof(double) * (size_t)n);
    return true;
}

// Controlled steps neither use nor make a forecast.
static void put_state(const vs_state_direction *x, int bodies, const vs_state_direction *to) {
    const size_t bytes = sizeof(double) * 6 * (size_t)bodies;
    if (to && to->pose)
        memcpy(to->pose, x->pose, bytes);
    if (to && to->velocity)
        memcpy(to->velocity, x->velocity, bytes);
    if (to && to->forecast)
        memset(to->forecast, 0, bytes / 2);
}

// All parts in their order, or back: from is a direction before the step and to one after it, or weights the other way.
static vs_error run_parts(const vs_step_derivative *d, bool back, const vs_state_direction *from,
                          const vs_input_direction *input, const vs_state_direction *to, double *residual) {
    vs_arena arena;
    vs_arena_init(&arena, d->context);
    vs_state_direction x;
    double largest = 0;
    vs_error error = make_state(&arena, d->bodies, from, &x) ? VS_OK : VS_ERROR_MEMORY;
    for (int64_t k = 0; k < d->part.count && !error; k++)
        error = back ? part_back(d->part.data[d->part.count - 1 - k], input, &x, &largest)
                     : part_forward(d->part.data[k], input, &x, &largest);
    if (!error)
        put_state(&x, d->bodies, to);
    if (residual)
        *residual = largest;
    vs_arena_release(&arena);
    return error;
}

vs_error vs_event_chain_tangent(const vs_step_derivative *d, const vs_state_direction *before,
                                const vs_input_direction *input, const vs_state_direction *after, double *residual) {
    return run_parts(d, false, before, input, after, residual);
}

vs_error vs_event_chain_adjoint(const vs_step_derivative *d, const vs_state_direction *weights,
                                const vs_state_direction *before, const vs_input_direction *input, double *residual) {
    return run_parts(d, true, weights, input, before, residual);
}
