// Groups of rows and the pool of their values.
#include "step/rows/row_groups.h"

#include <string.h>

#include "base/disjoint_sets.h"

// In the pool, for each group:
//
//     J             blocks one after the other, rows x 6 each
//     b, E, lo, hi, prescribed, prescribed_mean, recovery, damping, drives, sense, curvature      rows each
//     direction     6 rows
enum { VALUES_PER_ROW = 11 + 6 }; // besides J

vs_row_values vs_row_groups_values(const vs_row_groups *groups, const vs_row_group *group) {
    double *J = groups->pool.data + group->values, *b = J + 6 * (int64_t)group->rows * group->blocks;
    int rows = group->rows;
    return (vs_row_values){.J = J,
                           .b = b,
                           .E = b + rows,
                           .lo = b + 2 * rows,
                           .hi = b + 3 * rows,
                           .prescribed = b + 4 * rows,
                           .prescribed_mean = b + 5 * rows,
                           .recovery = b + 6 * rows,
                           .damping = b + 7 * rows,
                           .drives = b + 8 * rows,
                           .sense = b + 9 * rows,
                           .curvature = b + 10 * rows,
                           .direction = b + 11 * rows};
}

void vs_row_groups_clear(vs_row_groups *groups) {
    groups->group.count = groups->pool.count = 0;
    groups->m = groups->m_e = 0;
}

void vs_row_groups_release(vs_context *context, vs_row_groups *groups) {
    VS_ARRAY_RELEASE(context, &groups->group);
    VS_ARRAY_RELEASE(context, &groups->pool);
}

vs_error vs_row_groups_add(vs_row_groups *groups, vs_context *context, vs_row_group group, vs_row_group **added) {
    int64_t values = (int64_t)group.rows * (6 * group.blocks + VALUES_PER_ROW);
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

double vs_row_groups_velocity(const vs_row_groups *groups, const vs_blocks *blocks, const vs_row_group *group, int row,
                              const double *v) {
    double sum = 0;
    for (int k = 0; k < group->blocks; k++) {
        int width = vs_blocks_width(blocks, group->block[k]), first = vs_blocks_column(blocks, group->block[k]);
        const double *J = vs_row_groups_values(groups, group).J + 6 * (int64_t)k * group->rows + (int64_t)width * row;
        for (int j = 0; j < width; j++)
            sum += J[j] * v[first + j];
    }
    return sum;
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
