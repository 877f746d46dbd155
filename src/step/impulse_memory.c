// Impulses found again by their keys, those of contacts in world axes: see impulse_memory.h.
#include "step/impulse_memory.h"

#include <stdlib.h>

void vs_impulse_memory_release(vs_context *context, vs_impulse_memory *memory) {
    VS_ARRAY_RELEASE(context, &memory->impulse);
    VS_ARRAY_RELEASE(context, &memory->start_lambda);
    VS_ARRAY_RELEASE(context, &memory->start_g);
}

int vs_impulse_compare(const vs_impulse *a, const vs_impulse *b) {
    if (a->mark.pair != b->mark.pair)
        return a->mark.pair < b->mark.pair ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

static int compare(const void *a, const void *b) {
    return vs_impulse_compare(a, b);
}

void vs_impulse_memory_sort(vs_impulse_memory *memory) {
    if (memory->impulse.count > 0)
        qsort(memory->impulse.data, (size_t)memory->impulse.count, sizeof *memory->impulse.data, compare);
}

vs_error vs_impulse_memory_list_contacts(const vs_impulse_memory *memory, vs_step_contacts *contacts,
                                         vs_context *context) {
    vs_error error = VS_RESERVE(context, &contacts->former, memory->impulse.count);
    contacts->former.count = 0;
    for (int64_t k = 0; k < memory->impulse.count && !error; k++) {
        const vs_contact_mark *mark = &memory->impulse.data[k].mark;
        if (mark->bodies != 0 && mark->feature != VS_FEATURE_NONE)
            contacts->former.data[contacts->former.count++] = (vs_former_contact){mark->pair, mark->feature};
    }
    return error;
}

// Null if there is none.
static const vs_impulse *find(const vs_impulse_memory *memory, uint64_t pair, uint64_t key) {
    const vs_impulse wanted = {.key = key, .mark.pair = pair};
    if (memory->impulse.count == 0)
        return NULL;
    return bsearch(&wanted, memory->impulse.data, (size_t)memory->impulse.count, sizeof wanted, compare);
}

// The key of row i of a group that is not a contact.
static uint64_t row_key(const vs_row_group *group, int i) {
    return group->key + (uint64_t)(group->first + i);
}

static void recall_rows(const vs_impulse_memory *memory, const vs_row_group *group, double *x) {
    for (int i = 0; i < group->rows; i++) {
        const vs_impulse *last = find(memory, 0, row_key(group, i));
        x[i] = last ? last->impulse.x : 0;
    }
}

static void recall_contact(const vs_impulse_memory *memory, const vs_row_group *group, const vs_contact_rows *contacts,
                           double *x) {
    const vs_vec3 *axis = contacts->frame.data + 3 * (int64_t)group->source;
    const vs_impulse *last = find(memory, contacts->mark.data[group->source].pair, group->key);
    if (!last)
        last = find(memory, 0, group->key); // of a checkpoint of the first release: without a pair
    for (int i = 0; i < group->rows; i++)
        x[i] = last ? vs_dot(last->impulse, axis[i]) : 0;
}

vs_error vs_impulse_memory_recall(vs_impulse_memory *memory, const vs_row_groups *groups,
                                  const vs_contact_rows *contacts, vs_context *context) {
    vs_error error = VS_RESERVE(context, &memory->start_lambda, groups->m);
    if (!error)
        error = VS_RESERVE(context, &memory->start_g, groups->m_e);
    for (int64_t k = 0; k < groups->group.count && !error; k++) {
        const vs_row_group *group = &groups->group.data[k];
        double *x = group->kind == VS_GROUP_JOINT ? memory->start_g.data : memory->start_lambda.data;
        if (vs_row_group_is_contact(group))
            recall_contact(memory, group, contacts, x + group->row);
        else
            recall_rows(memory, group, x + group->row);
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
            impulse[count++] =
                (vs_impulse){.key = group->key, .impulse = sum, .mark = contacts->mark.data[group->source]};
            continue;
        }
        for (int i = 0; i < group->rows; i++)
            impulse[count++] = (vs_impulse){.key = row_key(group, i), .impulse = {.x = x[i]}};
    }
    memory->impulse.count = count;
    vs_impulse_memory_sort(memory);
    return VS_OK;
}
