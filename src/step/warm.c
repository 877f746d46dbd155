// Warm start: impulses of contacts and joint rows carried from step to step by their keys, contacts in world axes.
#include <stdlib.h>
#include <string.h>

#include "step/simulation_data.h"

static int compare(const void *a, const void *b) {
    uint64_t x = ((const vs_memory *)a)->key, y = ((const vs_memory *)b)->key;
    return (x > y) - (x < y);
}

static const vs_memory *recall(const vs_simulation *s, uint64_t key) {
    vs_memory wanted = {.key = key};
    return s->memory.count > 0 ? bsearch(&wanted, s->memory.data, (size_t)s->memory.count, sizeof wanted, compare)
                               : NULL;
}

// The key of row `row` of a group that is not a contact.
static uint64_t row_key(const vs_group *group, int row) {
    return group->key + (uint64_t)(group->first + row);
}

static void recall_group(const vs_simulation *s, const vs_group *group, int contact, double *x) {
    bool frame = group->kind == VS_GROUP_CONTACT || group->kind == VS_GROUP_SMOOTH;
    if (frame) {
        const vs_memory *memory = recall(s, group->key);
        const vs_vec3 *axis = (const vs_vec3 *)s->frame.data + 3 * (int64_t)contact;
        for (int i = 0; i < group->rows; i++)
            x[i] = memory ? vs_dot(memory->impulse, axis[i]) : 0;
        return;
    }
    for (int i = 0; i < group->rows; i++) {
        const vs_memory *memory = recall(s, row_key(group, i));
        x[i] = memory ? memory->impulse.x : 0;
    }
}

vs_error vs_step_warm_start(vs_simulation *s) {
    // Over ranks all do the same, also one that remembers nothing.
    if (s->options.warm == VS_WARM_START_NONE || !vs_ranks_any(vs_division_ranks(s->division), s->memory.count > 0))
        return VS_OK;
    // One more over ranks, where all must give something, also those that have no rows: a null is no start.
    const int more = s->division != NULL;
    vs_error error = vs_list_reserve(s->context, &s->start_lambda, (int64_t)s->problem->m + more, sizeof(double));
    if (!error)
        error = vs_list_reserve(s->context, &s->start_g, (int64_t)s->problem->m_e + more, sizeof(double));
    if (error)
        return error;
    double *lambda = s->start_lambda.data, *g = s->start_g.data;
    const vs_group *group = s->group.data;
    for (int64_t k = 0; k < s->group.count; k++) {
        recall_group(s, &group[k], (int)k, group[k].kind == VS_GROUP_JOINT ? g : lambda);
        *(group[k].kind == VS_GROUP_JOINT ? &g : &lambda) += group[k].rows;
    }
    return vs_solver_warm_start(s->solver, s->before.data, s->start_g.data, s->start_lambda.data);
}

vs_error vs_step_remember(vs_simulation *s) {
    vs_error error = vs_list_reserve(s->context, &s->memory, s->problem->m + s->problem->m_e, sizeof(vs_memory));
    if (error)
        return error;
    vs_memory *memory = s->memory.data;
    const double *lambda = s->result.lambda, *g = s->result.g;
    const vs_group *group = s->group.data;
    int64_t count = 0;
    for (int64_t k = 0; k < s->group.count; k++) {
        bool frame = group[k].kind == VS_GROUP_CONTACT || group[k].kind == VS_GROUP_SMOOTH;
        const double **x = group[k].kind == VS_GROUP_JOINT ? &g : &lambda;
        if (frame) {
            const vs_vec3 *axis = (const vs_vec3 *)s->frame.data + 3 * k;
            vs_vec3 sum = VS_ZERO3;
            for (int i = 0; i < group[k].rows; i++)
                sum = vs_add_scaled(sum, (*x)[i], axis[i]);
            memory[count++] = (vs_memory){.key = group[k].key, .impulse = sum};
        }
        for (int i = 0; i < group[k].rows && !frame; i++)
            memory[count++] = (vs_memory){.key = row_key(&group[k], i), .impulse = {.x = (*x)[i]}};
        *x += group[k].rows;
    }
    s->memory.count = count;
    if (count > 0)
        qsort(memory, (size_t)count, sizeof *memory, compare);
    return VS_OK;
}
