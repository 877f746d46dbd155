// The life of a simulation, running, and looking at its contacts.
#include <math.h>
#include <string.h>

#include "step/simulation_data.h"

vs_simulation_options vs_simulation_options_default(void) {
    return (vs_simulation_options){
        .size = sizeof(vs_simulation_options),
        .step = 1.0 / 240,
        .solver = vs_solver_options_default(),
        .restitution_speed = -1,
        .elastic_iterations = 1,
        .project = true,
    };
}

static vs_error validate(const vs_simulation_options *options, vs_context *context) {
    if (options->size != sizeof *options)
        return vs_fail(context, VS_ERROR_ARGUMENT, "options.size: start from vs_simulation_options_default()");
    if (!(options->step > 0) || isinf(options->step))
        return vs_fail(context, VS_ERROR_ARGUMENT, "step: must be positive and finite, is %g s", options->step);
    if (!(options->envelope >= 0) || isinf(options->envelope))
        return vs_fail(context, VS_ERROR_ARGUMENT, "envelope: must not be negative, is %g m", options->envelope);
    if (!(options->recovery_speed >= 0))
        return vs_fail(context, VS_ERROR_ARGUMENT, "recovery_speed: must not be negative, is %g m/s",
                       options->recovery_speed);
    if (isnan(options->restitution_speed))
        return vs_fail(context, VS_ERROR_ARGUMENT, "restitution_speed: is not a number");
    if (options->elastic_iterations < 1)
        return vs_fail(context, VS_ERROR_ARGUMENT, "elastic_iterations: must be 1 or more, is %d",
                       options->elastic_iterations);
    if ((unsigned)options->warm > VS_WARM_START_NONE)
        return vs_fail(context, VS_ERROR_ARGUMENT, "warm: unknown value %d", (int)options->warm);
    if ((unsigned)options->inaccurate > VS_INACCURATE_STOP)
        return vs_fail(context, VS_ERROR_ARGUMENT, "inaccurate: unknown value %d", (int)options->inaccurate);
    return VS_OK;
}

vs_error vs_simulation_create(vs_world *world, const vs_simulation_options *options, vs_simulation **out) {
    if (!out)
        return VS_ERROR_ARGUMENT;
    *out = NULL;
    if (!world)
        return VS_ERROR_ARGUMENT;
    vs_simulation_options defaults = vs_simulation_options_default();
    options = options ? options : &defaults;
    vs_error error = validate(options, world->context);
    if (error)
        return error;
    vs_simulation *s = vs_allocate(world->context, sizeof *s);
    if (!s)
        return vs_fail_memory(world->context);
    *s = (vs_simulation){.context = world->context, .world = world, .options = *options};
    if (options->inaccurate == VS_INACCURATE_RELAXED)
        s->options.solver.fallback = VS_FALLBACK_RELAXED;
    if (options->warm == VS_WARM_START_PARTIAL)
        s->options.solver.warm = VS_WARM_PARTIAL;
    error = vs_collision_create(world, &s->collision);
    if (!error)
        error = vs_node_collision_create(world, &s->node_collision);
    if (error)
        vs_simulation_destroy(s);
    else
        *out = s;
    return error;
}

void vs_simulation_destroy(vs_simulation *s) {
    if (!s)
        return;
    enum { LISTS = 17 };
    vs_list *const lists[LISTS] = {&s->block_of, &s->body_of,      &s->free,  &s->before, &s->group,    &s->gathered,
                                   &s->pool,     &s->shape,        &s->frame, &s->offset, &s->memory,   &s->prepared,
                                   &s->start_g,  &s->start_lambda, &s->c,     &s->around, &s->direction};
    for (int k = 0; k < LISTS; k++)
        vs_list_release(s->context, lists[k]);
    vs_solver_destroy(s->solver);
    vs_problem_destroy(s->problem);
    if (s->division)
        s->division->release(s->division->user);
    vs_coupling_release(s->context, &s->coupling);
    vs_collision_destroy(s->collision);
    vs_node_collision_destroy(s->node_collision);
    vs_release(s->context, s);
}

vs_error vs_simulation_run(vs_simulation *s, double time) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    s->stop = false;
    vs_error error = VS_OK;
    // Half a step: the last one is not taken twice or left out by rounding.
    while (!error && !s->stop && s->world->time < time - .5 * s->options.step)
        error = vs_simulation_step(s, NULL);
    return error;
}

int64_t vs_simulation_get_inaccurate_steps(const vs_simulation *s) {
    return s ? s->inaccurate : 0;
}

const vs_problem *vs_simulation_get_problem(const vs_simulation *s) {
    return s ? s->problem : NULL;
}

// ---- contacts --------------------------------------------------------------------------------------

int vs_simulation_get_contact_count(const vs_simulation *s) {
    if (s && s->division)
        return (int)s->gathered.count;
    return s && s->contacts && s->node_contacts && s->steps > 0 ? vs_step_contacts(s) : 0;
}

static vs_body_id id_of(const vs_world *world, int body) {
    return (vs_body_id){(uint32_t)body, world->body[body].generation};
}

// n x + u y + w z
static vs_vec3 from_frame(const vs_vec3 *frame, const double *x, int rows) {
    vs_vec3 sum = vs_scale(x[0], frame[0]);
    if (rows == 3)
        sum = vs_add_scaled(vs_add_scaled(sum, x[1], frame[1]), x[2], frame[2]);
    return sum;
}

static void view_rigid(const vs_simulation *s, const vs_contact *contact, vs_contact_view *view) {
    view->a = id_of(s->world, contact->a), view->b = id_of(s->world, contact->b);
    view->key = contact->key;
    view->point = contact->point, view->normal = contact->normal;
    view->gap = contact->gap;
}

static void view_flexible(const vs_simulation *s, const vs_node_contact *contact, vs_contact_view *view) {
    vs_body_id body[2] = {{0, 0}, {0, 0}};
    vs_flexible_id flexible[2] = {{0, 0}, {0, 0}};
    for (int k = 0; k < 2; k++) {
        int index = contact->side[k].flexible;
        if (index < 0)
            body[k] = id_of(s->world, contact->side[k].body);
        else
            flexible[k] = (vs_flexible_id){(uint32_t)index, s->world->flexible[index].generation};
    }
    view->a = body[0], view->b = body[1];
    view->flexible_a = flexible[0], view->flexible_b = flexible[1];
    view->key = contact->key;
    view->point = contact->point, view->normal = contact->normal;
    view->gap = contact->gap;
}

vs_error vs_simulation_get_contact_at(const vs_simulation *s, int k, vs_contact_view *view) {
    if (!s || !view)
        return VS_ERROR_ARGUMENT;
    if (k < 0 || k >= vs_simulation_get_contact_count(s))
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "contact %d: there are %d", k,
                       vs_simulation_get_contact_count(s));
    if (s->division)
        *view = ((const vs_contact_view *)s->gathered.data)[k];
    else
        vs_step_view_contact(s, k, view);
    return VS_OK;
}

void vs_step_view_contact(const vs_simulation *s, int k, vs_contact_view *view) {
    const vs_vec3 *frame = (const vs_vec3 *)s->frame.data + 3 * (int64_t)k;
    int row = s->problem->row[k], rows = s->problem->row[k + 1] - row;
    *view = (vs_contact_view){.mu = s->problem->mu[k], .impulse = from_frame(frame, s->result.lambda + row, rows)};
    if (k < s->contacts->count)
        view_rigid(s, &s->contacts->contact[k], view);
    else
        view_flexible(s, &s->node_contacts->contact[k - s->contacts->count], view);
    // y = u - b_n n: without the stabilization
    double y[3] = {s->result.y[row] + ((const double *)s->offset.data)[k], 0, 0};
    for (int i = 1; i < rows; i++)
        y[i] = s->result.y[row + i];
    view->velocity = from_frame(frame, y, rows);
}

// ---- lists -----------------------------------------------------------------------------------------

vs_error vs_list_reserve(vs_context *context, vs_list *list, int64_t count, size_t size) {
    if (count <= list->capacity)
        return VS_OK;
    int64_t capacity = list->capacity + list->capacity / 2 + 16;
    capacity = capacity > count ? capacity : count;
    char *data = vs_allocate(context, (size_t)capacity * size);
    if (!data)
        return vs_fail_memory(context);
    if (list->capacity > 0)
        memcpy(data, list->data, (size_t)list->capacity * size);
    memset(data + (size_t)list->capacity * size, 0, (size_t)(capacity - list->capacity) * size);
    vs_release(context, list->data);
    list->data = data;
    list->capacity = capacity;
    return VS_OK;
}

void vs_list_release(vs_context *context, vs_list *list) {
    vs_release(context, list->data);
    *list = (vs_list){0};
}

// ---- checkpoints -----------------------------------------------------------------------------------

typedef struct saved {
    int64_t steps, inaccurate, memories;
} saved;

vs_error vs_simulation_save(const vs_simulation *s, vs_arena *arena, void **bytes, size_t *count) {
    saved head = {s->steps, s->inaccurate, s->memory.count};
    *count = sizeof head + (size_t)s->memory.count * sizeof(vs_memory);
    char *out = VS_NEW(arena, char, (int64_t)*count);
    if (!out)
        return VS_ERROR_MEMORY;
    memcpy(out, &head, sizeof head);
    if (s->memory.count > 0)
        memcpy(out + sizeof head, s->memory.data, (size_t)s->memory.count * sizeof(vs_memory));
    *bytes = out;
    return VS_OK;
}

vs_error vs_simulation_load(vs_simulation *s, const void *bytes, size_t count) {
    saved head;
    if (count < sizeof head)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the simulation's part is too short");
    memcpy(&head, bytes, sizeof head);
    if (head.memories < 0 || head.steps < 0 || (uint64_t)head.memories != (count - sizeof head) / sizeof(vs_memory) ||
        (count - sizeof head) % sizeof(vs_memory) != 0)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the simulation's part has the wrong size");
    vs_error error = vs_list_reserve(s->context, &s->memory, head.memories, sizeof(vs_memory));
    if (error)
        return error;
    memcpy(s->memory.data, (const char *)bytes + sizeof head, (size_t)head.memories * sizeof(vs_memory));
    s->memory.count = head.memories;
    s->steps = head.steps;
    s->inaccurate = head.inaccurate;
    return VS_OK;
}
