// Impulses found again by their keys, those of contacts in world axes: see impulse_memory.h.
#include "step/impulse_memory.h"

#include <stdlib.h>

void vs_impulse_memory_release(vs_context *context, vs_impulse_memory *memory) {
    VS_ARRAY_RELEASE(context, &memory->impulse);
    VS_ARRAY_RELEASE(context, &memory->start_lambda);
    VS_ARRAY_RELEASE(context, &memory->start_g);
}

static int compare(const void *a, const void *b) {
    uint64_t x = ((const vs_impulse *)a)->key, y = ((const vs_impulse *)b)->key;
    return (x > y) - (x < y);
}

void vs_impulse_memory_sort(vs_impulse_memory *memory) {
    if (memory->impulse.count > 0)
        qsort(memory->impulse.data, (size_t)memory->impulse.count, sizeof *memory->impulse.data, compare);
}

// Null if there is none.
static const vs_impulse *find(const vs_impulse_memory *memory, uint64_t key) {
    const vs_impulse wanted = {.key = key};
    if (memory->impulse.count == 0)
        return NULL;
    return bsearch(&wanted, memory->impulse.data, (size_t)memory->impulse.count, sizeof wanted, compare);
}

// The key of row i of a group that is not a contact.
static uint64_t row_key(const vs_row_group *group, int i) {
    return group->key + (uint64_t)(group->first + i);
}

static void recall_group(const vs_impulse_memory *memory, const vs_row_group *group, const vs_contact_rows *contacts,
                         double *x) {
    if (vs_row_group_is_contact(group)) {
        const vs_vec3 *axis = contacts->frame.data + 3 * (int64_t)group->source;
        const vs_impulse *last = find(memory, group->key);
        for (int i = 0; i < group->rows; i++)
            x[i] = last ? vs_dot(last->impulse, axis[i]) : 0;
        return;
    }
    for (int i = 0; i < group->rows; i++) {
        const vs_impulse *last = find(memory, row_key(group, i));
        x[i] = last ? last->impulse.x : 0;
    }
}

vs_error vs_impulse_memory_recall(vs_impulse_memory *memory, const vs_row_groups *groups,
                                  const vs_contact_rows *contacts, vs_context *context) {
    vs_error error = VS_RESERVE(context, &memory->start_lambda, groups->m);
    if (!error)
        error = VS_RESERVE(context, &memory->start_g, groups->m_e);
    for (int64_t k = 0; k < groups->group.count && !error; k++) {
        const vs_row_group *group = &groups->group.data[k];
        double *x = group->kind == VS_GROUP_JOINT ? memory->start_g.data : memory->start_lambda.data;
        recall_group(memory, group, contacts, x + group->row);
    }
    return error;
}

vs_error vs_impulse_memory_store(vs_impulse_memory *memory, const vs_row_groups *groups,
                                 const vs_contact_rows *contacts, const vs_result *result, vs_context *context) {
    vs_error error = VS_RESERVE(context, &memory->impulse, groups->m + groups->m_e);
    if (error)
        return error;
    vs_impulse *impulse = memory->impulse.data;
    int64_t count = 0;
    for (int64_t k = 0; k < groups->group.count; k++) {
        const vs_row_group *group = &groups->group.data[k];
        const double *x = vs_row_group_impulses(group, result);
        if (vs_row_group_is_contact(group)) {
            const vs_vec3 *axis = contacts->frame.data + 3 * (int64_t)group->source;
            vs_vec3 sum = VS_ZERO3;
            for (int i = 0; i < group->rows; i++)
                sum = vs_add_scaled(sum, x[i], axis[i]);
            impulse[count++] = (vs_impulse){.key = group->key, .impulse = sum};
            continue;
        }
        for (int i = 0; i < group->rows; i++)
            impulse[count++] = (vs_impulse){.key = row_key(group, i), .impulse = {.x = x[i]}};
    }
    memory->impulse.count = count;
    vs_impulse_memory_sort(memory);
    return VS_OK;
}
