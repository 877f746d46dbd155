// Up-looking LDL' of the joint rows (Davis 2005, Algorithm 849): see joint_factor.h.
#include "solver/impulse/joint_factor.h"

#include <math.h>
#include <string.h>

#include "linalg/ordering/ordering.h"

// Pivot, relative to the diagonal before the elimination, below which a row counts as redundant: above the rounding of
// the elimination, 1e-16 times some hundred rows, and far below the pivots of light bodies between heavy ones.
static const double REDUNDANT = 1e-12;

// ---- pattern ---------------------------------------------------------------------------------------

// Joint rows are groups of one row each: where the entries of row k among joints begin and end.
static int64_t first_of(const vs_joint_factor *f, int row) {
    return f->island->N.start[row];
}

static int64_t end_of(const vs_joint_factor *f, int row) {
    const vs_rows *N = &f->island->N;
    int64_t end = N->start[row + 1];
    while (N->col[end - 1] >= f->rows) // the diagonal is there
        end--;
    return end;
}

static void set_order(vs_joint_factor *f) {
    for (int k = 0; k < f->rows; k++)
        f->place[f->order[k]] = k;
}

// The elimination tree and, in f->filled, the entries of the columns of L. Returns their sum.
static int64_t find_tree(vs_joint_factor *f) {
    const int *col = f->island->N.col;
    int64_t sum = 0;
    for (int k = 0; k < f->rows; k++) {
        f->parent[k] = -1;
        f->mark[k] = k;
        f->filled[k] = 0;
        const int64_t end = end_of(f, f->order[k]);
        for (int64_t t = first_of(f, f->order[k]); t < end; t++)
            for (int i = f->place[col[t]]; i < k && f->mark[i] != k; i = f->parent[i]) {
                f->parent[i] = f->parent[i] < 0 ? k : f->parent[i];
                f->filled[i]++;
                f->mark[i] = k;
                sum++;
            }
    }
    return sum;
}

static int64_t count_entries(const vs_joint_factor *f) {
    int64_t count = 0;
    for (int row = 0; row < f->rows; row++)
        count += end_of(f, row) - first_of(f, row) - 1; // without the diagonal
    return count / 2;
}

// By a fill-reducing ordering of the lower triangle.
static vs_error order_by_fill(vs_joint_factor *f, vs_arena *scratch) {
    int64_t count = 0, *p = VS_NEW(scratch, int64_t, f->rows + 1);
    int *i = VS_NEW(scratch, int, count_entries(f) + f->rows);
    if (!p || !i)
        return VS_ERROR_MEMORY;
    for (int row = 0; row < f->rows; row++) {
        const int64_t end = end_of(f, row);
        p[row] = count;
        for (int64_t t = first_of(f, row); t < end; t++)
            if (f->island->N.col[t] >= row)
                i[count++] = f->island->N.col[t];
    }
    p[f->rows] = count;
    const vs_linear_pattern pattern = {.n = f->rows, .p = p, .i = i, .symmetric = true, .definite = true};
    return vs_ordering(f->island->context, &pattern, f->order);
}

// Leaves first, if that leaves no fill; else by a fill-reducing ordering.
static vs_error choose_order(vs_joint_factor *f, int64_t *entries) {
    for (int k = 0; k < f->rows; k++)
        f->order[k] = f->rows - 1 - k;
    set_order(f);
    *entries = find_tree(f);
    if (*entries <= count_entries(f))
        return VS_OK;
    vs_arena scratch;
    vs_arena_init(&scratch, f->island->context);
    vs_error error = order_by_fill(f, &scratch);
    vs_arena_release(&scratch);
    if (error)
        return error;
    set_order(f);
    *entries = find_tree(f);
    return VS_OK;
}

vs_error vs_joint_factor_create(vs_joint_factor *f, const vs_impulse_problem *island, vs_arena *arena) {
    int rows = island->row[island->joints];
    int64_t entries;
    *f = (vs_joint_factor){.island = island, .rows = rows};
    f->order = VS_NEW(arena, int, rows);
    f->place = VS_NEW(arena, int, rows);
    f->parent = VS_NEW(arena, int, rows);
    f->filled = VS_NEW(arena, int, rows);
    f->mark = VS_NEW(arena, int, rows);
    f->path = VS_NEW(arena, int, rows);
    f->p = VS_NEW(arena, int64_t, rows + 1);
    f->d = VS_NEW(arena, double, rows);
    f->y = VS_NEW_ZERO(arena, double, rows);
    if (!f->order || !f->place || !f->parent || !f->filled || !f->mark || !f->path || !f->p || !f->d || !f->y)
        return VS_ERROR_MEMORY;
    vs_error error = choose_order(f, &entries);
    if (error)
        return error;
    f->p[0] = 0;
    for (int k = 0; k < rows; k++)
        f->p[k + 1] = f->p[k] + f->filled[k];
    f->i = VS_NEW(arena, int, entries);
    f->x = VS_NEW(arena, double, entries);
    return f->i && f->x ? VS_OK : VS_ERROR_MEMORY;
}

// ---- values ----------------------------------------------------------------------------------------

// Scatters row k of the lower triangle into y and lists the positions of row k of L, along the paths of the elimination
// tree, in f->path from the returned index on.
static int scatter_row(vs_joint_factor *f, int k) {
    const vs_rows *N = &f->island->N;
    int row = f->order[k], top = f->rows;
    const double *x = N->x + N->value[row] - N->start[row];
    const int64_t end = end_of(f, row);
    f->mark[k] = k;
    for (int64_t t = first_of(f, row); t < end; t++) {
        int i = f->place[N->col[t]], length = 0;
        if (i > k)
            continue;
        f->y[i] += x[t];
        for (; f->mark[i] != k; i = f->parent[i]) {
            f->path[length++] = i;
            f->mark[i] = k;
        }
        while (length > 0)
            f->path[--top] = f->path[--length];
    }
    return top;
}

void vs_joint_factor_update(vs_joint_factor *f) {
    double *y = f->y;
    f->dropped = 0;
    for (int k = 0; k < f->rows; k++) {
        f->filled[k] = 0;
        f->mark[k] = -1;
    }
    for (int k = 0; k < f->rows; k++) {
        int top = scatter_row(f, k);
        double diagonal = y[k], pivot = diagonal;
        y[k] = 0;
        for (; top < f->rows; top++) {
            int i = f->path[top];
            int64_t end = f->p[i] + f->filled[i];
            double value = y[i], l = value / f->d[i];
            y[i] = 0;
            for (int64_t t = f->p[i]; t < end; t++)
                y[f->i[t]] -= f->x[t] * value;
            pivot -= l * value;
            f->i[end] = k;
            f->x[end] = l;
            f->filled[i]++;
        }
        bool redundant = !(pivot > REDUNDANT * diagonal);
        f->d[k] = redundant ? INFINITY : pivot;
        f->dropped += redundant;
    }
}

// ---- solve -----------------------------------------------------------------------------------------

void vs_joint_factor_forward(const vs_joint_factor *f, double *x) {
    for (int k = 0; k < f->rows; k++)
        for (int64_t t = f->p[k]; t < f->p[k + 1]; t++)
            x[f->i[t]] -= f->x[t] * x[k];
}

void vs_joint_factor_backward(const vs_joint_factor *f, double *x) {
    for (int k = f->rows - 1; k >= 0; k--)
        for (int64_t t = f->p[k]; t < f->p[k + 1]; t++)
            x[k] -= f->x[t] * x[f->i[t]];
}
