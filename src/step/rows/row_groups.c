// Groups of rows and the pool of their values.
#include "step/rows/row_groups.h"

#include <string.h>

#include "base/disjoint_sets.h"

void vs_row_groups_clear(vs_row_groups *groups) {
    groups->group.count = groups->pool.count = 0;
    groups->m = groups->m_e = 0;
}

void vs_row_groups_release(vs_context *context, vs_row_groups *groups) {
    VS_ARRAY_RELEASE(context, &groups->group);
    VS_ARRAY_RELEASE(context, &groups->pool);
}

vs_error vs_row_groups_add(vs_row_groups *groups, vs_context *context, vs_row_group group, vs_row_group **added) {
    int64_t values = (int64_t)group.rows * (6 * group.blocks + VS_GROUP_VALUES);
    vs_error error = VS_RESERVE(context, &groups->group, groups->group.count + 1);
    if (!error)
        error = VS_RESERVE(context, &groups->pool, groups->pool.count + values);
    if (error)
        return error;
    int *rows = group.kind == VS_GROUP_JOINT ? &groups->m_e : &groups->m;
    group.row = *rows;
    *rows += group.rows;
    group.values = groups->pool.count;
    memset(groups->pool.data + groups->pool.count, 0, sizeof(double) * (size_t)values);
    groups->pool.count += values;
    *added = &groups->group.data[groups->group.count++];
    **added = group;
    return VS_OK;
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
