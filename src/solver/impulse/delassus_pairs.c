// Pairs of single rows that have columns of the Jacobian in common, as every update of the Delassus matrix multiplies them:
// found once, with the pattern.
#include "solver/impulse/delassus.h"

// Rows of a joint behind one that has the columns `col` (width) of N to come: they have the same columns of the Jacobian, one row
// after the other.
static int rows_behind(const vs_delassus *d, int h, const int *col, int64_t width) {
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
static void find_pairs(const vs_delassus *d, int g, vs_delassus_pair *pair, vs_delassus_run *run, int64_t *pairs,
                       int64_t *runs) {
    const vs_rows *N = &d->N;
    const int *col = N->col + N->start[g];
    const int64_t width = N->start[g + 1] - N->start[g];
    const vs_jacobian A = vs_scaled_jacobian(d->problem, g);
    int64_t k = width > 0 ? vs_delassus_find(N, g, N->row[g]) : 0;
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

static bool is_one_row(const vs_delassus *d, int g) {
    return d->N.row[g + 1] - d->N.row[g] == 1;
}

// What the products of single rows have in every update.
vs_error vs_delassus_list_pairs(vs_delassus *d, vs_arena *arena) {
    const int groups = d->N.groups;
    int64_t total = 0, pairs, runs;
    d->pair_of = VS_NEW(arena, int64_t, groups + 1);
    if (!d->pair_of)
        return VS_ERROR_MEMORY;
    d->pair_of[0] = 0;
    for (int g = 0; g < groups; g++) {
        pairs = runs = 0;
        if (is_one_row(d, g))
            find_pairs(d, g, NULL, NULL, &pairs, &runs);
        d->pair_of[g + 1] = d->pair_of[g] + pairs;
        total += runs;
    }
    d->pair = VS_NEW(arena, vs_delassus_pair, d->pair_of[groups]);
    vs_delassus_run *run = VS_NEW(arena, vs_delassus_run, total);
    if (!d->pair || !run)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++)
        if (is_one_row(d, g)) {
            find_pairs(d, g, d->pair + d->pair_of[g], run, &pairs, &runs);
            run += runs;
        }
    return VS_OK;
}
