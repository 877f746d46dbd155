// The pattern of the velocity form: see velocity_pattern.h.
#include "solver/coulomb/linear_system/velocity_pattern.h"

#include <stdlib.h>
#include <string.h>

vs_jacobian vs_velocity_jacobian(const vs_system *system, int g) {
    const vs_impulse_problem *island = system->island;
    const vs_delassus *d = &system->shared.islands->delassus;
    return vs_delassus_jacobian(d, d->group_of[island->source[island->row[g]]]);
}

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// The distinct velocities of the island, ascending, into list, which has room for all columns of all groups.
static int list_velocities(const vs_system *system, int *list) {
    const vs_impulse_problem *island = system->island;
    int64_t count = 0;
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = vs_velocity_jacobian(system, g);
        memcpy(list + count, J.col, sizeof(int) * (size_t)J.width);
        count += J.width;
    }
    qsort(list, (size_t)count, sizeof *list, compare);
    int distinct = 0;
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || list[k] != list[k - 1])
            list[distinct++] = list[k];
    return distinct;
}

static int64_t count_columns(const vs_system *system) {
    int64_t count = 0;
    for (int g = 0; g < system->island->groups; g++)
        count += vs_velocity_jacobian(system, g).width;
    return count;
}

int vs_velocity_count(const vs_system *system) {
    vs_arena scratch;
    vs_arena_init(&scratch, system->arena.context);
    int *list = VS_NEW(&scratch, int, count_columns(system));
    int count = list ? list_velocities(system, list) : system->island->rows;
    vs_arena_release(&scratch);
    return count;
}

static int find(const int *list, int count, int value) {
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (list[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t vs_velocity_place(const int64_t *p, const int *i, int row, int col) {
    return p[col] + find(i + p[col], (int)(p[col + 1] - p[col]), row);
}

// The groups that touch each velocity: touch[begin[j]] … touch[begin[j+1]-1].
static bool list_groups(const vs_system *system, vs_arena *scratch, int64_t **begin_out, int **touch_out) {
    int n = system->velocity.count, groups = system->island->groups;
    int64_t *begin = VS_NEW_ZERO(scratch, int64_t, (int64_t)n + 2);
    int *touch = VS_NEW(scratch, int, system->velocity.start[groups]);
    if (!begin || !touch)
        return false;
    for (int64_t k = 0; k < system->velocity.start[groups]; k++)
        begin[system->velocity.col[k] + 2]++;
    for (int j = 0; j < n; j++)
        begin[j + 2] += begin[j + 1];
    for (int g = 0; g < groups; g++)
        for (int64_t k = system->velocity.start[g]; k < system->velocity.start[g + 1]; k++)
            touch[begin[system->velocity.col[k] + 1]++] = g;
    *begin_out = begin;
    *touch_out = touch;
    return true;
}

// Column j: all velocities of all groups that touch j. Writes to i if not null; mark (velocities) is work.
static int64_t gather_column(const vs_system *system, int j, const int64_t *begin, const int *touch, int *mark,
                             int *i) {
    int64_t count = 0;
    for (int64_t t = begin[j]; t < begin[j + 1]; t++)
        for (int64_t k = system->velocity.start[touch[t]]; k < system->velocity.start[touch[t] + 1]; k++) {
            int row = system->velocity.col[k];
            if (mark[row] == j)
                continue;
            mark[row] = j;
            if (i)
                i[count] = row;
            count++;
        }
    if (i)
        qsort(i, (size_t)count, sizeof *i, compare);
    return count;
}

// Groups of consecutive columns with the same rows: bodies, usually.
static int find_bodies(const int64_t *p, const int *i, int n, int *body) {
    int count = 0;
    for (int j = 0; j < n; j++) {
        int64_t size = p[j + 1] - p[j];
        bool same = j > 0 && size == p[j] - p[j - 1] && memcmp(i + p[j], i + p[j - 1], sizeof(int) * (size_t)size) == 0;
        if (!same)
            body[count++] = j;
    }
    body[count] = n;
    return count;
}

static vs_error create_columns(vs_system *system, vs_arena *scratch) {
    const vs_impulse_problem *island = system->island;
    int64_t columns = count_columns(system), products = 0;
    int *list = VS_NEW(scratch, int, columns);
    system->velocity.start = VS_NEW(&system->arena, int64_t, island->groups + 1);
    system->velocity.product = VS_NEW(&system->arena, int64_t, island->groups + 1);
    system->velocity.col = VS_NEW(&system->arena, int, columns);
    if (!list || !system->velocity.start || !system->velocity.product || !system->velocity.col)
        return VS_ERROR_MEMORY;
    system->velocity.count = list_velocities(system, list);
    columns = 0;
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = vs_velocity_jacobian(system, g);
        system->velocity.start[g] = columns;
        system->velocity.product[g] = products;
        for (int k = 0; k < J.width; k++)
            system->velocity.col[columns++] = find(list, system->velocity.count, J.col[k]);
        products += (int64_t)J.width * J.width;
    }
    system->velocity.start[island->groups] = columns;
    system->velocity.product[island->groups] = products;
    return VS_OK;
}

static vs_error create_pattern(vs_system *system, vs_arena *scratch) {
    const vs_impulse_problem *island = system->island;
    int n = system->velocity.count;
    int64_t *begin, *p = VS_NEW(&system->arena, int64_t, n + 1);
    int *touch, *mark = VS_NEW(scratch, int, n), *body = VS_NEW(&system->arena, int, n + 1);
    if (!p || !mark || !body || !list_groups(system, scratch, &begin, &touch))
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        mark[j] = -1;
    p[0] = 0;
    for (int j = 0; j < n; j++)
        p[j + 1] = p[j] + gather_column(system, j, begin, touch, mark, NULL);
    int *i = VS_NEW(&system->arena, int, p[n]);
    system->x = VS_NEW(&system->arena, double, p[n]);
    system->at = VS_NEW(&system->arena, int64_t, system->velocity.product[island->groups]);
    if (!i || !system->x || !system->at)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        mark[j] = -1;
    for (int j = 0; j < n; j++)
        (void)gather_column(system, j, begin, touch, mark, i + p[j]);
    for (int g = 0; g < island->groups; g++) {
        int width = (int)(system->velocity.start[g + 1] - system->velocity.start[g]);
        const int *col = system->velocity.col + system->velocity.start[g];
        for (int a = 0; a < width; a++)
            for (int b = 0; b < width; b++)
                system->at[system->velocity.product[g] + (int64_t)a * width + b] =
                    vs_velocity_place(p, i, col[a], col[b]);
    }
    system->pattern = (vs_linear_pattern){.n = n, .p = p, .i = i, .groups = find_bodies(p, i, n, body), .group = body};
    return VS_OK;
}

vs_error vs_velocity_pattern(vs_system *system) {
    vs_arena scratch;
    vs_arena_init(&scratch, system->arena.context);
    vs_error error = create_columns(system, &scratch);
    if (!error)
        error = create_pattern(system, &scratch);
    vs_arena_release(&scratch);
    return error;
}
