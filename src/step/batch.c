// Batches: one function applied to every world, in parallel where it is worth waking threads.
//
// A world has a context of its own, so that its steps share nothing with others: which thread takes it, and when, changes no
// bits. Errors are collected per world and reported after all worlds are done: the context of the batch is not touched
// inside of a parallel loop (base/context.h).
#include "voussoir/batch.h"

#include <math.h>
#include <string.h>

#include "step/data/simulation_data.h"

// The state to which a reset returns.
typedef struct start {
    void *bytes;            // of the batch's context
    size_t count, capacity; // of bytes
    size_t needed;          // by the present state
} start;

struct vs_batch {
    vs_context *context;
    vs_simulation **simulation;   // (worlds) borrowed
    start *start;                 // (worlds)
    vs_error *error;              // (worlds) of the present call
    int worlds;                   //
    int bodies, joints, controls; // of each world
};

// ---- all worlds ------------------------------------------------------------------------------------

// A function of one world, and its arguments; each uses those that it needs.
typedef struct task {
    const vs_batch *batch;
    vs_error (*apply)(const struct task *task, int k);
    const bool *which;       // (worlds) null: all
    int steps;               //
    vs_batch_report *report; // (worlds)
    vs_motor_kind motor;     //
    const void *bytes;       //
    size_t count;            // of bytes
    const double *in;        //
    double *out;             //
    vs_body_state *state;    // (worlds x bodies)
} task;

static void apply_task(void *user, int64_t begin, int64_t end) {
    const task *t = user;
    for (int64_t k = begin; k < end; k++)
        t->batch->error[k] = t->which && !t->which[k] ? VS_OK : t->apply(t, (int)k);
}

static vs_error report_first(const vs_batch *b) {
    for (int k = 0; k < b->worlds; k++) {
        if (b->error[k])
            return vs_fail(b->context, b->error[k], "world %d: %s", k,
                           vs_context_get_error_text(b->simulation[k]->context));
    }
    return VS_OK;
}

static vs_error apply_parallel(const task *t) {
    vs_parallel_for(t->batch->context, t->batch->worlds, 1, apply_task, (void *)t);
    return report_first(t->batch);
}

// Copying some numbers is done before a thread wakes.
static vs_error apply_serial(const task *t) {
    apply_task((void *)t, 0, t->batch->worlds);
    return report_first(t->batch);
}

// The sizes of arrays are those of the beginning.
static vs_error check_counts(const vs_batch *b, int k) {
    const vs_world *world = b->simulation[k]->world;
    if (vs_world_get_body_count(world) == b->bodies && vs_world_get_joint_count(world) == b->joints &&
        vs_world_get_control_count(world) == b->controls)
        return VS_OK;
    return vs_fail(
        b->simulation[k]->context, VS_ERROR_ARGUMENT,
        "has %d bodies, %d joints and %d controls; all worlds of a batch need the %d, %d and %d that the first one "
        "had when the batch was created",
        vs_world_get_body_count(world), vs_world_get_joint_count(world), vs_world_get_control_count(world), b->bodies,
        b->joints, b->controls);
}

// ---- stepping --------------------------------------------------------------------------------------

static void add_to_report(vs_batch_report *sum, const vs_step_report *step) {
    sum->steps++;
    sum->contacts = step->contacts;
    if (step->status != VS_STATUS_CONVERGED)
        sum->inaccurate++, sum->status = step->status;
    if (!(step->relative_error <= sum->relative_error)) // NaN counts as the largest
        sum->relative_error = step->relative_error;
    sum->penetration = fmax(sum->penetration, step->penetration);
}

static vs_error step_world(const task *t, int k) {
    vs_simulation *s = t->batch->simulation[k];
    vs_batch_report sum = {.status = VS_STATUS_CONVERGED, .end = VS_RUN_CONTINUES};
    while (sum.steps < t->steps && sum.end == VS_RUN_CONTINUES) {
        vs_step_report step;
        const int64_t before = s->steps;
        s->end = VS_RUN_CONTINUES;
        sum.error = vs_simulation_step(s, &step);
        sum.end = sum.error ? VS_RUN_FAILED : s->end;
        if (s->steps > before) // a callback may have refused the step
            add_to_report(&sum, &step);
    }
    sum.time = s->world->time;
    if (t->report)
        t->report[k] = sum;
    return sum.error;
}

vs_error vs_batch_step(vs_batch *b, const bool *which, int steps, vs_batch_report *report) {
    if (!b)
        return VS_ERROR_ARGUMENT;
    if (steps < 1)
        return vs_fail(b->context, VS_ERROR_ARGUMENT, "vs_batch_step: the number of steps must be positive, is %d",
                       steps);
    return apply_parallel(&(task){.batch = b, .apply = step_world, .which = which, .steps = steps, .report = report});
}

// ---- going back ------------------------------------------------------------------------------------

static vs_error measure_start(const task *t, int k) {
    return vs_simulation_save(t->batch->simulation[k], NULL, 0, &t->batch->start[k].needed);
}

static vs_error save_start(const task *t, int k) {
    start *at = &t->batch->start[k];
    return vs_simulation_save(t->batch->simulation[k], at->bytes, at->capacity, &at->count);
}

static vs_error restore_start(const task *t, int k) {
    const start *at = &t->batch->start[k];
    return vs_simulation_restore(t->batch->simulation[k], at->bytes, at->count);
}

static vs_error restore_bytes(const task *t, int k) {
    return vs_simulation_restore(t->batch->simulation[k], t->bytes, t->count);
}

static vs_error reserve_start(vs_batch *b, start *at) {
    if (at->needed <= at->capacity)
        return VS_OK;
    void *bytes = vs_allocate(b->context, at->needed);
    if (!bytes)
        return vs_fail_memory(b->context);
    if (at->count > 0)
        memcpy(bytes, at->bytes, at->count); // the start until the present state is saved
    vs_release(b->context, at->bytes);
    at->bytes = bytes;
    at->capacity = at->needed;
    return VS_OK;
}

vs_error vs_batch_mark_start(vs_batch *b, const bool *which) {
    if (!b)
        return VS_ERROR_ARGUMENT;
    task t = {.batch = b, .apply = measure_start, .which = which};
    vs_error error = apply_serial(&t);
    for (int k = 0; k < b->worlds && !error; k++)
        error = reserve_start(b, &b->start[k]);
    t.apply = save_start;
    return error ? error : apply_serial(&t);
}

vs_error vs_batch_reset(vs_batch *b, const bool *which) {
    return b ? apply_parallel(&(task){.batch = b, .apply = restore_start, .which = which}) : VS_ERROR_ARGUMENT;
}

vs_error vs_batch_restore(vs_batch *b, const bool *which, const void *bytes, size_t count) {
    if (!b)
        return VS_ERROR_ARGUMENT;
    if (!bytes)
        return vs_fail(b->context, VS_ERROR_ARGUMENT, "vs_batch_restore: the bytes are null");
    return apply_parallel(&(task){.batch = b, .apply = restore_bytes, .which = which, .bytes = bytes, .count = count});
}

// ---- arrays ----------------------------------------------------------------------------------------

static vs_error set_controls(const task *t, int k) {
    const vs_batch *b = t->batch;
    vs_world *world = b->simulation[k]->world;
    vs_error error = check_counts(b, k);
    for (int i = 0; i < b->controls && !error; i++)
        error = vs_world_set_control(world, i, t->in[(int64_t)k * b->controls + i]);
    return error;
}

static vs_error get_controls(const task *t, int k) {
    const vs_batch *b = t->batch;
    vs_error error = check_counts(b, k);
    for (int i = 0; i < b->controls && !error; i++)
        error = vs_world_get_control(b->simulation[k]->world, i, &t->out[(int64_t)k * b->controls + i]);
    return error;
}

static vs_error command_joints(const task *t, int k) {
    vs_error (*const command)(vs_world *, vs_joint_id, double) =
        t->motor == VS_MOTOR_POSITION ? vs_world_set_joint_target
        : t->motor == VS_MOTOR_SPEED  ? vs_world_set_joint_speed
                                      : vs_world_set_joint_effort;
    const vs_batch *b = t->batch;
    vs_world *world = b->simulation[k]->world;
    vs_error error = check_counts(b, k);
    for (int i = 0; i < b->joints && !error; i++) {
        const double value = t->in[(int64_t)k * b->joints + i];
        if (!isnan(value))
            error = command(world, vs_world_get_joint_at(world, i), value);
    }
    return error;
}

static vs_error get_bodies(const task *t, int k) {
    const vs_batch *b = t->batch;
    const vs_world *world = b->simulation[k]->world;
    vs_error error = check_counts(b, k);
    for (int i = 0; i < b->bodies && !error; i++)
        error = vs_world_get_body_state(world, vs_world_get_body_at(world, i), &t->state[(int64_t)k * b->bodies + i]);
    return error;
}

static vs_error get_sensors(const task *t, int k) {
    const vs_batch *b = t->batch;
    const vs_world *world = b->simulation[k]->world;
    const int size = vs_world_get_sensor_size(b->simulation[0]->world);
    const vs_error error = check_counts(b, k);
    if (!error && vs_world_get_sensor_size(world) != size)
        return vs_fail(b->simulation[k]->context, VS_ERROR_ARGUMENT, "has %d numbers of sensors, the first world %d",
                       vs_world_get_sensor_size(world), size);
    return error ? error : vs_world_get_sensors(world, t->out + (int64_t)k * size);
}

static vs_error get_joints(const task *t, int k) {
    const vs_batch *b = t->batch;
    const vs_world *world = b->simulation[k]->world;
    vs_error error = check_counts(b, k);
    for (int i = 0; i < b->joints && !error; i++) {
        double *motion = t->out + 2 * ((int64_t)k * b->joints + i);
        error = vs_world_get_joint_coordinate(world, vs_world_get_joint_at(world, i), motion, motion + 1);
    }
    return error;
}

static vs_error get_efforts(const task *t, int k) {
    const vs_batch *b = t->batch;
    const vs_world *world = b->simulation[k]->world;
    vs_error error = check_counts(b, k);
    for (int i = 0; i < b->joints && !error; i++)
        error = vs_world_get_joint_effort(world, vs_world_get_joint_at(world, i), &t->out[(int64_t)k * b->joints + i]);
    return error;
}

static vs_error transfer(const vs_batch *b, const char *name, const task *t) {
    if (!b)
        return VS_ERROR_ARGUMENT;
    if (!t->in && !t->out && !t->state)
        return vs_fail(b->context, VS_ERROR_ARGUMENT, "%s: the array is null", name);
    return apply_serial(t);
}

vs_error vs_batch_set_controls(vs_batch *b, const double *value) {
    return transfer(b, "vs_batch_set_controls", &(task){.batch = b, .apply = set_controls, .in = value});
}

vs_error vs_batch_get_controls(const vs_batch *b, double *value) {
    return transfer(b, "vs_batch_get_controls", &(task){.batch = b, .apply = get_controls, .out = value});
}

vs_error vs_batch_command_joints(vs_batch *b, vs_motor_kind motor, const double *value) {
    if (b && motor != VS_MOTOR_POSITION && motor != VS_MOTOR_SPEED && motor != VS_MOTOR_EFFORT)
        return vs_fail(b->context, VS_ERROR_ARGUMENT,
                       "vs_batch_command_joints: the motor must be of position, speed or effort");
    return transfer(b, "vs_batch_command_joints",
                    &(task){.batch = b, .apply = command_joints, .motor = motor, .in = value});
}

vs_error vs_batch_get_bodies(const vs_batch *b, vs_body_state *state) {
    return transfer(b, "vs_batch_get_bodies", &(task){.batch = b, .apply = get_bodies, .state = state});
}

vs_error vs_batch_get_joints(const vs_batch *b, double *motion) {
    return transfer(b, "vs_batch_get_joints", &(task){.batch = b, .apply = get_joints, .out = motion});
}

vs_error vs_batch_get_efforts(const vs_batch *b, double *effort) {
    return transfer(b, "vs_batch_get_efforts", &(task){.batch = b, .apply = get_efforts, .out = effort});
}

vs_error vs_batch_get_sensors(const vs_batch *b, double *value) {
    return transfer(b, "vs_batch_get_sensors", &(task){.batch = b, .apply = get_sensors, .out = value});
}

// ---- creation --------------------------------------------------------------------------------------

static vs_error check_simulations(vs_context *context, vs_simulation *const *simulation, int worlds) {
    for (int k = 0; k < worlds; k++) {
        if (!simulation[k])
            return vs_fail(context, VS_ERROR_ARGUMENT, "vs_batch_create: simulation %d is null", k);
        bool shared = simulation[k]->context == context;
        for (int i = 0; i < k && !shared; i++)
            shared = simulation[i]->context == simulation[k]->context;
        if (shared)
            return vs_fail(context, VS_ERROR_ARGUMENT,
                           "vs_batch_create: world %d shares its context; create each world in a context of its own",
                           k);
    }
    return VS_OK;
}

static vs_error allocate_parts(vs_batch *b) {
    const size_t n = (size_t)b->worlds;
    b->simulation = vs_allocate(b->context, n * sizeof(vs_simulation *));
    b->start = vs_allocate(b->context, n * sizeof *b->start);
    b->error = vs_allocate(b->context, n * sizeof *b->error);
    if (b->start)
        memset(b->start, 0, n * sizeof *b->start);
    return b->simulation && b->start && b->error ? VS_OK : vs_fail_memory(b->context);
}

static vs_error check_world(const task *t, int k) {
    return check_counts(t->batch, k);
}

static vs_error fill_batch(vs_batch *b, vs_simulation *const *simulation) {
    vs_error error = allocate_parts(b);
    if (error)
        return error;
    memcpy(b->simulation, simulation, (size_t)b->worlds * sizeof(vs_simulation *));
    const vs_world *first = simulation[0]->world;
    b->bodies = vs_world_get_body_count(first);
    b->joints = vs_world_get_joint_count(first);
    b->controls = vs_world_get_control_count(first);
    error = apply_serial(&(task){.batch = b, .apply = check_world});
    return error ? error : vs_batch_mark_start(b, NULL);
}

vs_error vs_batch_create(vs_context *context, vs_simulation *const *simulation, int worlds, vs_batch **batch) {
    if (!context || !simulation || !batch)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_batch_create: an argument is null");
    *batch = NULL;
    if (worlds < 1)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_batch_create: the number of worlds must be positive, is %d",
                       worlds);
    vs_error error = check_simulations(context, simulation, worlds);
    if (error)
        return error;
    vs_batch *made = vs_allocate(context, sizeof *made);
    if (!made)
        return vs_fail_memory(context);
    *made = (vs_batch){.context = context, .worlds = worlds};
    error = fill_batch(made, simulation);
    if (error)
        vs_batch_destroy(made);
    else
        *batch = made;
    return error;
}

void vs_batch_destroy(vs_batch *b) {
    if (!b)
        return;
    for (int k = 0; k < b->worlds && b->start; k++)
        vs_release(b->context, b->start[k].bytes);
    vs_release(b->context, b->error);
    vs_release(b->context, b->start);
    vs_release(b->context, b->simulation);
    vs_release(b->context, b);
}
