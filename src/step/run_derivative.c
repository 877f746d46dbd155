// The derivative of a run: see run_derivative.h. Snapshots are those of vs_simulation_save(), from which steps have the same bits.
#include "voussoir/run_derivative.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "step/derivative/scope.h"

typedef struct snapshot {
    void *bytes;
    size_t count;
} snapshot;

struct vs_run_derivative {
    vs_simulation *simulation;
    vs_context *context;
    vs_arena arena;
    vs_run_derivative_options options; // with copies of its arrays
    vs_run_derivative_report report;
    vs_body_id *body;     // (bodies)
    vs_body_state *state; // ((steps + 1) bodies)
    snapshot *snapshot;   // (snapshots) before every k-th step, and at the end
};

vs_run_derivative_options vs_run_derivative_options_default(void) {
    return (vs_run_derivative_options){.step = vs_step_derivative_options_default()};
}

// ---- the run ---------------------------------------------------------------------------------------

// (6 bodies) of a step; null: none.
static const double *force_of(const vs_run_derivative *d, int step) {
    return d->options.force ? d->options.force + 6 * (int64_t)d->report.bodies * step : NULL;
}

static vs_error apply_forces(const vs_run_derivative *d, int step) {
    const double *f = force_of(d, step);
    vs_error error = VS_OK;
    for (int k = 0; k < d->report.bodies && f && !error; k++, f += 6) {
        error = vs_world_apply_force(d->simulation->world, d->body[k], (vs_vec3){f[0], f[1], f[2]}, NULL);
        if (!error)
            error = vs_world_apply_torque(d->simulation->world, d->body[k], (vs_vec3){f[3], f[4], f[5]});
    }
    return error;
}

static vs_error take_snapshot(vs_run_derivative *d) {
    snapshot *shot = &d->snapshot[d->report.snapshots];
    vs_error error = vs_simulation_save(d->simulation, NULL, 0, &shot->count);
    shot->bytes = error ? NULL : vs_arena_allocate(&d->arena, (int64_t)shot->count, 1);
    if (!error && !shot->bytes)
        error = VS_ERROR_MEMORY;
    if (!error)
        error = vs_simulation_save(d->simulation, shot->bytes, shot->count, &shot->count);
    d->report.snapshots++;
    d->report.snapshot_bytes += shot->count;
    return error;
}

static vs_error note_state(const vs_run_derivative *d, int step) {
    vs_error error = VS_OK;
    for (int k = 0; k < d->report.bodies && !error; k++)
        error =
            vs_world_get_body_state(d->simulation->world, d->body[k], &d->state[(int64_t)step * d->report.bodies + k]);
    return error;
}

static vs_error take_run(vs_run_derivative *d) {
    const double begin = vs_clock();
    vs_error error = note_state(d, 0);
    for (int k = 0; k < d->report.steps && !error; k++) {
        if (k % d->report.every == 0)
            error = take_snapshot(d);
        const int64_t before = d->simulation->steps;
        if (!error)
            error = apply_forces(d, k);
        if (!error)
            error = vs_simulation_step(d->simulation, NULL);
        if (!error && d->simulation->steps == before)
            error = vs_fail(d->context, VS_ERROR_ARGUMENT, "run derivative: the callback `before` ended the run");
        if (!error)
            error = note_state(d, k + 1);
    }
    d->report.seconds = vs_clock() - begin;
    return error ? error : take_snapshot(d);
}

// ---- life ------------------------------------------------------------------------------------------

static vs_error list_bodies(vs_run_derivative *d) {
    const vs_world *world = d->simulation->world;
    d->body = VS_NEW(&d->arena, vs_body_id, world->bodies);
    if (!d->body)
        return VS_ERROR_MEMORY;
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].alive && world->body[k].motion == VS_MOTION_DYNAMIC)
            d->body[d->report.bodies++] = (vs_body_id){(uint32_t)k, world->body[k].generation};
    return VS_OK;
}

static vs_error prepare(vs_run_derivative *d, const vs_run_derivative_options *options) {
    vs_error error = list_bodies(d);
    if (error)
        return error;
    const int64_t bodies = d->report.bodies, steps = d->report.steps;
    const int segments = (d->report.steps + d->report.every - 1) / d->report.every;
    d->options = *options;
    d->options.step.parameter = VS_COPY(&d->arena, vs_parameter, options->step.parameter, options->step.parameters);
    d->options.force = options->force ? VS_COPY(&d->arena, double, options->force, 6 * bodies * steps) : NULL;
    d->state = VS_NEW(&d->arena, vs_body_state, (steps + 1) * bodies);
    d->snapshot = VS_NEW_ZERO(&d->arena, snapshot, segments + 1);
    if (!d->options.step.parameter || (options->force && !d->options.force) || !d->state || !d->snapshot)
        return VS_ERROR_MEMORY;
    d->report.body = d->body, d->report.state = d->state;
    d->report.state_bytes = (size_t)((steps + 1) * bodies) * sizeof *d->state;
    return take_run(d);
}

static vs_error check(const vs_simulation *s, int steps, const vs_run_derivative_options *options) {
    if (steps < 1 || options->every < 0 || options->step.parameters < 0 ||
        (options->step.parameters > 0 && !options->step.parameter))
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "run derivative: `steps` must be positive, `every` not negative");
    if (s->observers.first)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "run derivative: a trajectory is recorded, and its time cannot go back; close it first");
    const char *reason = vs_derivative_scope_simulation(s);
    return reason ? vs_fail(s->context, VS_ERROR_UNSUPPORTED, "run derivative: not of %s", reason) : VS_OK;
}

vs_error vs_run_derivative_create(vs_simulation *s, int steps, const vs_run_derivative_options *options,
                                  vs_run_derivative **out) {
    if (!out)
        return VS_ERROR_ARGUMENT;
    *out = NULL;
    if (!s)
        return VS_ERROR_ARGUMENT;
    const vs_run_derivative_options defaults = vs_run_derivative_options_default();
    options = options ? options : &defaults;
    vs_error error = check(s, steps, options);
    if (error)
        return error;
    vs_run_derivative *d = vs_allocate(s->context, sizeof *d);
    if (!d)
        return vs_fail_memory(s->context);
    *d = (vs_run_derivative){.simulation = s, .context = s->context};
    vs_arena_init(&d->arena, s->context);
    d->report.steps = steps;
    d->report.every = options->every > 0 ? options->every : (int)ceil(sqrt((double)steps));
    error = prepare(d, options);
    if (error)
        vs_run_derivative_destroy(d);
    else
        *out = d;
    return error;
}

void vs_run_derivative_destroy(vs_run_derivative *d) {
    if (!d)
        return;
    vs_context *context = d->context;
    vs_arena_release(&d->arena);
    vs_release(context, d);
}

vs_run_derivative_report vs_run_derivative_get_report(const vs_run_derivative *d) {
    return d ? d->report : (vs_run_derivative_report){0};
}

// ---- steps taken again -----------------------------------------------------------------------------

static vs_error restore(const vs_run_derivative *d, int index) {
    return vs_simulation_restore(d->simulation, d->snapshot[index].bytes, d->snapshot[index].count);
}

static vs_error repeat_step(vs_run_derivative *d, int step, vs_step_derivative **out) {
    vs_error error = apply_forces(d, step);
    if (!error)
        error = vs_step_derivative_create(d->simulation, &d->options.step, NULL, out);
    const vs_step_derivative_report found = vs_step_derivative_get_report(*out);
    if (!error && found.bodies != d->report.bodies)
        error = vs_fail(d->context, VS_ERROR_DATA, "run derivative: bodies have changed since the run was taken");
    d->report.borders += found.borders, d->report.kinks += found.kinks;
    d->report.relative_error = fmax(d->report.relative_error, found.relative_error);
    return error;
}

static double begin(vs_run_derivative *d) {
    d->report.borders = d->report.kinks = 0;
    d->report.residual = d->report.relative_error = 0;
    d->report.derivative_bytes = 0;
    return vs_clock();
}

// The simulation stands at the end of the run, whatever the error.
static vs_error end(vs_run_derivative *d, vs_error error, double begun) {
    const vs_error last = restore(d, d->report.snapshots - 1);
    d->report.derivative_seconds = vs_clock() - begun;
    return error ? error : last;
}

// Part `step` of an array of one part of `size` numbers per step or state; null: none.
static double *part_of(double *all, int64_t step, int size) {
    return all ? all + step * size : NULL;
}

// ---- tangent ---------------------------------------------------------------------------------------

// A state's direction in the memory of the caller.
static void put_state(const vs_run_states *states, int step, int n, const vs_state_direction *from) {
    double *pose = part_of(states->pose, step, n), *velocity = part_of(states->velocity, step, n);
    for (int i = 0; i < n; i++) {
        if (pose)
            pose[i] = from->pose[i];
        if (velocity)
            velocity[i] = from->velocity[i];
    }
}

static void add_part(int n, const double *from, double *to) {
    for (int i = 0; i < n && from; i++)
        to[i] += from[i];
}

static bool make_state(vs_arena *arena, int bodies, vs_state_direction *state) {
    *state = (vs_state_direction){VS_NEW_ZERO(arena, double, 6 * bodies), VS_NEW_ZERO(arena, double, 6 * bodies),
                                  VS_NEW_ZERO(arena, double, 3 * bodies)};
    return state->pose && state->velocity && state->forecast;
}

static vs_error follow(vs_run_derivative *d, const vs_run_direction *data, const vs_run_states *states,
                       const vs_state_direction *state) {
    const int n = 6 * d->report.bodies;
    vs_error error = restore(d, 0);
    put_state(states, 0, n, state);
    for (int k = 0; k < d->report.steps && !error; k++) {
        vs_step_derivative *step = NULL;
        const vs_input_direction input = {part_of(data->force, k, n), data->parameter};
        double residual = 0;
        error = repeat_step(d, k, &step);
        if (!error)
            error = vs_step_derivative_tangent(step, state, &input, state, &residual);
        if (!error)
            put_state(states, k + 1, n, state);
        const size_t bytes = vs_step_derivative_get_report(step).bytes;
        d->report.derivative_bytes = bytes > d->report.derivative_bytes ? bytes : d->report.derivative_bytes;
        d->report.residual = fmax(d->report.residual, residual);
        vs_step_derivative_destroy(step);
    }
    return error;
}

vs_error vs_run_derivative_tangent(vs_run_derivative *d, const vs_run_direction *data, const vs_run_states *states) {
    if (!d || !data || !states)
        return VS_ERROR_ARGUMENT;
    const double begun = begin(d);
    vs_arena scratch;
    vs_arena_init(&scratch, d->context);
    vs_state_direction state;
    vs_error error = make_state(&scratch, d->report.bodies, &state) ? VS_OK : VS_ERROR_MEMORY;
    if (!error) {
        add_part(6 * d->report.bodies, data->pose, state.pose);
        add_part(6 * d->report.bodies, data->velocity, state.velocity);
        error = follow(d, data, states, &state);
    }
    vs_arena_release(&scratch);
    return end(d, error, begun);
}

// ---- adjoint ---------------------------------------------------------------------------------------

static void add_weights(const vs_run_states *weights, int step, int n, const vs_state_direction *state) {
    add_part(n, part_of(weights->pose, step, n), state->pose);
    add_part(n, part_of(weights->velocity, step, n), state->velocity);
}

// Back over the steps of a segment, first … first + count - 1, whose derivatives are taken into `chain`.
static vs_error go_back(vs_run_derivative *d, int first, int count, const vs_run_states *weights,
                        const vs_run_direction *gradient, const vs_state_direction *state, vs_step_derivative **chain) {
    const int n = 6 * d->report.bodies;
    size_t bytes = 0;
    vs_error error = restore(d, first / d->report.every);
    for (int k = 0; k < count && !error; k++) {
        error = repeat_step(d, first + k, &chain[k]);
        bytes += vs_step_derivative_get_report(chain[k]).bytes;
    }
    d->report.derivative_bytes = bytes > d->report.derivative_bytes ? bytes : d->report.derivative_bytes;
    for (int k = count - 1; k >= 0 && !error; k--) {
        const vs_input_direction input = {part_of(gradient->force, first + k, n), gradient->parameter};
        double residual = 0;
        error = vs_step_derivative_adjoint(chain[k], state, state, &input, &residual);
        d->report.residual = fmax(d->report.residual, residual);
        add_weights(weights, first + k, n, state);
    }
    for (int k = 0; k < count; k++) {
        vs_step_derivative_destroy(chain[k]);
        chain[k] = NULL;
    }
    return error;
}

static void clear(int64_t n, double *x) {
    for (int64_t i = 0; i < n && x; i++)
        x[i] = 0;
}

static vs_error sum_up(vs_run_derivative *d, const vs_run_states *weights, const vs_run_direction *gradient,
                       vs_arena *scratch) {
    const int every = d->report.every, n = 6 * d->report.bodies;
    vs_state_direction state;
    vs_step_derivative **chain = VS_NEW_ZERO(scratch, vs_step_derivative *, every);
    if (!chain || !make_state(scratch, d->report.bodies, &state))
        return VS_ERROR_MEMORY;
    clear((int64_t)n * d->report.steps, gradient->force);
    clear(d->options.step.parameters, gradient->parameter);
    add_weights(weights, d->report.steps, n, &state);
    vs_error error = VS_OK;
    for (int segment = d->report.snapshots - 2; segment >= 0 && !error; segment--) {
        const int first = segment * every, left = d->report.steps - first;
        error = go_back(d, first, left < every ? left : every, weights, gradient, &state, chain);
    }
    if (gradient->pose && !error)
        memcpy(gradient->pose, state.pose, (size_t)n * sizeof(double));
    if (gradient->velocity && !error)
        memcpy(gradient->velocity, state.velocity, (size_t)n * sizeof(double));
    return error;
}

vs_error vs_run_derivative_adjoint(vs_run_derivative *d, const vs_run_states *weights,
                                   const vs_run_direction *gradient) {
    if (!d || !weights || !gradient)
        return VS_ERROR_ARGUMENT;
    const double begun = begin(d);
    vs_arena scratch;
    vs_arena_init(&scratch, d->context);
    const vs_error error = sum_up(d, weights, gradient, &scratch);
    vs_arena_release(&scratch);
    return end(d, error, begun);
}
