// Pairs of single rows: see delassus_pairs.h.
#include "solver/impulse/delassus_pairs.h"

// The matrix whose pairs are listed.
typedef struct matrix {
    const vs_scaled *problem;
    const vs_rows *N;
    const int *group_of;
} matrix;

// Rows of a joint behind one that has the columns `col` (width) of N to come: they have the same columns of the Jacobian, one row
// after the other.
static int rows_behind(const matrix *d, int h, const int *col, int64_t width) {
    const vs_scaled *problem = d->problem;
    int count = 1;
    while (count < width && h + count < problem->m_e && col[count] == h + count &&
           problem->joint[h + count] == problem->joint[h])
        count++;
    return count;
}

// The runs of columns that both have; run: null, or where they go. Returns their number.
static int find_runs(const vs_jacobian *A, const vs_jacobian *B, vs_delassus_run *run) {
    int count = 0;
    for (int s = 0, t = 0; s < A->width && t < B->width;) {
        if (A->col[s] != B->col[t]) {
            *(A->col[s] < B->col[t] ? &s : &t) += 1;
            continue;
        }
        int length = 1;
        while (s + length < A->width && t + length < B->width && A->col[s + length] == B->col[t + length])
            length++;
        if (run)
            run[count] = (vs_delassus_run){s, t, length};
        count++;
        s += length, t += length;
    }
    return count;
}

// The pairs of group g of one row, from its own row on. pair, run: null, or where they go.
static void find_pairs(const matrix *d, int g, vs_delassus_pair *pair, vs_delassus_run *run, int64_t *pairs,
                       int64_t *runs) {
    const vs_rows *N = d->N;
    const int *col = N->col + N->start[g];
    const int64_t width = N->start[g + 1] - N->start[g];
    const vs_jacobian A = vs_scaled_jacobian(d->problem, g);
    int64_t k = 0;
    while (k < width && col[k] < N->row[g])
        k++;
    *pairs = *runs = 0;
    while (k < width) {
        const int h = d->group_of[col[k]], joints = h < d->problem->m_e ? rows_behind(d, h, col + k, width - k) : 1;
        const vs_jacobian B = vs_scaled_jacobian(d->problem, h);
        const int rows = joints > 1 ? joints : B.rows, count = find_runs(&A, &B, run ? run + *runs : NULL);
        if (pair)
            pair[*pairs] = (vs_delassus_pair){
                .h = h, .rows = rows, .joints = joints > 1, .runs = count, .run = run ? run + *runs : NULL};
        *pairs += 1;
        *runs += count;
        k += rows;
    }
}

static bool is_one_row(const matrix *d, int g) {
    return d->N->row[g + 1] - d->N->row[g] == 1;
}

vs_error vs_delassus_pairs_create(vs_delassus_pairs *list, const vs_scaled *problem, const vs_rows *N,
                                  const int *group_of, vs_arena *arena) {
    const matrix d = {problem, N, group_of};
    int64_t total = 0, pairs, runs;
    list->of = VS_NEW(arena, int64_t, N->groups + 1);
    if (!list->of)
        return VS_ERROR_MEMORY;
    list->of[0] = 0;
    for (int g = 0; g < N->groups; g++) {
        pairs = runs = 0;
        if (is_one_row(&d, g))
            find_pairs(&d, g, NULL, NULL, &pairs, &runs);
        list->of[g + 1] = list->of[g] + pairs;
        total += runs;
    }
    list->pair = VS_NEW(arena, vs_delassus_pair, list->of[N->groups]);
    vs_delassus_run *run = VS_NEW(arena, vs_delassus_run, total);
    if (!list->pair || !run)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < N->groups; g++)
        if (is_one_row(&d, g)) {
            find_pairs(&d, g, list->pair + list->of[g], run, &pairs, &runs);
            run += runs;
        }
    return VS_OK;
}
