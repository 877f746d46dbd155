// Groups of rows and the pool of their values.
#include "step/rows/row_groups.h"

#include <string.h>

#include "base/disjoint_sets.h"

void vs_row_groups_clear(vs_row_groups *groups) {
    groups->group.count = groups->last.count = groups->pool.count = 0;
    groups->m = groups->m_e = 0;
}

void vs_row_groups_release(vs_context *context, vs_row_groups *groups) {
    VS_ARRAY_RELEASE(context, &groups->group);
    VS_ARRAY_RELEASE(context, &groups->last);
    VS_ARRAY_RELEASE(context, &groups->pool);
}

// Values of a group, zero.
static vs_error add_values(vs_row_groups *groups, vs_context *context, vs_row_group *group) {
    int64_t values = (int64_t)group->rows * (6 * group->blocks + VS_GROUP_VALUES);
    vs_error error = VS_RESERVE(context, &groups->pool, groups->pool.count + values);
    if (error)
        return error;
    group->values = groups->pool.count;
    memset(groups->pool.data + groups->pool.count, 0, sizeof(double) * (size_t)values);
    groups->pool.count += values;
    return VS_OK;
}

// The group's place among the rows of its kind.
static void number_rows(vs_row_groups *groups, vs_row_group *group) {
    int *rows = group->kind == VS_GROUP_JOINT ? &groups->m_e : &groups->m;
    group->row = *rows;
    *rows += group->rows;
}

vs_error vs_row_groups_add(vs_row_groups *groups, vs_context *context, vs_row_group group, vs_row_group **added) {
    vs_error error = VS_RESERVE(context, &groups->group, groups->group.count + 1);
    if (!error)
        error = add_values(groups, context, &group);
    if (error)
        return error;
    number_rows(groups, &group);
    *added = &groups->group.data[groups->group.count++];
    **added = group;
    return VS_OK;
}

vs_error vs_row_groups_add_last(vs_row_groups *groups, vs_context *context, vs_row_group group, vs_row_group **added) {
    vs_error error = VS_RESERVE(context, &groups->last, groups->last.count + 1);
    if (!error)
        error = add_values(groups, context, &group);
    if (error)
        return error;
    *added = &groups->last.data[groups->last.count++];
    **added = group;
    return VS_OK;
}

vs_error vs_row_groups_append_last(vs_row_groups *groups, vs_context *context) {
    vs_error error = VS_RESERVE(context, &groups->group, groups->group.count + groups->last.count);
    for (int64_t k = 0; k < groups->last.count && !error; k++) {
        vs_row_group *group = &groups->last.data[k];
        number_rows(groups, group);
        groups->group.data[groups->group.count++] = *group;
    }
    groups->last.count = 0;
    return error;
}

void vs_row_groups_join(const vs_row_groups *groups, int *parent, int count) {
    for (int k = 0; k < count; k++)
        parent[k] = k;
    for (int64_t k = 0; k < groups->group.count; k++) {
        const vs_row_group *group = &groups->group.data[k];
        for (int i = 1; i < group->blocks; i++)
            (void)vs_sets_join(parent, group->block[0], group->block[i]);
    }
}
