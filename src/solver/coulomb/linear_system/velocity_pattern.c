// The pattern of the velocity form: see velocity_pattern.h.
#include "solver/coulomb/linear_system/velocity_pattern.h"

#include <string.h>

#include "base/sort.h"

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
static bool list_groups(const vs_linear_system *system, vs_arena *scratch, int64_t **begin_out, int **touch_out) {
    int n = system->island->n, groups = system->island->groups;
    int64_t *begin = VS_NEW_ZERO(scratch, int64_t, (int64_t)n + 2);
    int *touch = VS_NEW(scratch, int, system->island->J.start[groups]);
    if (!begin || !touch)
        return false;
    for (int64_t k = 0; k < system->island->J.start[groups]; k++)
        begin[system->island->J.col[k] + 2]++;
    for (int j = 0; j < n; j++)
        begin[j + 2] += begin[j + 1];
    for (int g = 0; g < groups; g++)
        for (int64_t k = system->island->J.start[g]; k < system->island->J.start[g + 1]; k++)
            touch[begin[system->island->J.col[k] + 1]++] = g;
    *begin_out = begin;
    *touch_out = touch;
    return true;
}

// Column j: all velocities of all groups that touch j. Writes to i if not null; mark (velocities) is work.
static int64_t gather_column(const vs_linear_system *system, int j, const int64_t *begin, const int *touch, int *mark,
                             int *i) {
    int64_t count = 0;
    for (int64_t t = begin[j]; t < begin[j + 1]; t++)
        for (int64_t k = system->island->J.start[touch[t]]; k < system->island->J.start[touch[t] + 1]; k++) {
            int row = system->island->J.col[k];
            if (mark[row] == j)
                continue;
            mark[row] = j;
            if (i)
                i[count] = row;
            count++;
        }
    if (i)
        vs_sort_ints(i, count);
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

// The places of a group in the list of products: the first of each.
static vs_error create_products(vs_linear_system *system) {
    const vs_rows *J = &system->island->J;
    int64_t *product = VS_NEW(&system->arena, int64_t, J->groups + 1), products = 0;
    if (!product)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < J->groups; g++) {
        int64_t width = J->start[g + 1] - J->start[g];
        product[g] = products;
        products += width * width;
    }
    product[J->groups] = products;
    system->velocity.product = product;
    return VS_OK;
}

static vs_error create_pattern(vs_linear_system *system, vs_arena *scratch) {
    const vs_impulse_problem *island = system->island;
    int n = system->island->n;
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
        int width = (int)(system->island->J.start[g + 1] - system->island->J.start[g]);
        const int *col = system->island->J.col + system->island->J.start[g];
        for (int a = 0; a < width; a++)
            for (int b = 0; b < width; b++)
                system->at[system->velocity.product[g] + (int64_t)a * width + b] =
                    vs_velocity_place(p, i, col[a], col[b]);
    }
    system->pattern = (vs_linear_pattern){.n = n, .p = p, .i = i, .groups = find_bodies(p, i, n, body), .group = body};
    return VS_OK;
}

vs_error vs_velocity_pattern(vs_linear_system *system) {
    vs_arena scratch;
    vs_arena_init(&scratch, system->arena.context);
    vs_error error = create_products(system);
    if (!error)
        error = create_pattern(system, &scratch);
    vs_arena_release(&scratch);
    return error;
}
