// Pattern and values of the sparsified matrix (sparsified.c): velocities first, group by group, then the rows of
// contacts that have some. Lower triangle; a velocity's column contains its group's own block, blocks of complete
// contacts to later groups, and contacts' rows.
#include "solver/kkt/sparsified_matrix.h"

#include <math.h>
#include <string.h>

#include "solver/kkt/newton_operator.h"
#include "solver/kkt/velocity_groups.h"

// ---- terms -----------------------------------------------------------------------------------------

int vs_sparsified_rows(const vs_newton *newton, int k) {
    return newton->problem->row[k + 1] - newton->problem->row[k];
}

// l (3 x 3, one term per row) of cone k, the largest first.
void vs_sparsified_split(const vs_newton *newton, int k, double l[3][3]) {
    double K[9] = {0};
    int rows = vs_sparsified_rows(newton, k);
    vs_newton_weight(newton, k, K);
    memset(l, 0, 9 * sizeof(double));
    for (int term = 0; term < rows; term++) {
        int pivot = 0;
        for (int i = 1; i < rows; i++)
            pivot = K[4 * i] > K[4 * pivot] ? i : pivot;
        if (!(K[4 * pivot] > 0))
            return;
        double root = sqrt(K[4 * pivot]);
        for (int i = 0; i < rows; i++)
            l[term][i] = K[3 * i + pivot] / root;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                K[3 * i + j] -= l[term][i] * l[term][j];
    }
}

double vs_sparsified_square(const double *l) {
    return l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
}

// ---- pattern ---------------------------------------------------------------------------------------

static bool is_whole(const vs_newton *newton, int k) {
    return newton->sparsified->kept[k] == 3 || newton->sparsified->a[k] == newton->sparsified->b[k];
}

static int size_of(const vs_newton *newton, int g) {
    return newton->pattern.group[g + 1] - newton->pattern.group[g];
}

// The blocks (b, a) of complete contacts, by a and then b, each once; block[k] is that of contact k.
static vs_error list_blocks(vs_newton *newton) {
    vs_sparsified *sparse = newton->sparsified;
    int cones = newton->problem->cones, groups = newton->pattern.groups;
    sparse->block_p = VS_NEW_ZERO(&sparse->arena, int64_t, (int64_t)groups + 2);
    sparse->block_row = VS_NEW(&sparse->arena, int, cones);
    sparse->block = VS_NEW(&sparse->arena, int64_t, cones);
    int *first = VS_NEW(&sparse->arena, int, cones), *next = VS_NEW(&sparse->arena, int, cones);
    int *head = VS_NEW(&sparse->arena, int, groups);
    if (!sparse->block_p || !sparse->block_row || !sparse->block || !first || !next || !head)
        return VS_ERROR_MEMORY;
    for (int pass = 0; pass < 2; pass++) { // by b, then, keeping that order, by a
        for (int g = 0; g < groups; g++)
            head[g] = -1;
        for (int at = cones - 1; at >= 0; at--) {
            int k = pass == 0 ? at : first[at], g = pass == 0 ? sparse->b[k] : sparse->a[k];
            next[k] = head[g];
            head[g] = k;
        }
        for (int g = 0, at = 0; g < groups; g++)
            for (int k = head[g]; k >= 0; k = next[k])
                first[at++] = k;
    }
    int64_t count = 0;
    int last = -1;
    for (int at = 0; at < cones; at++) {
        int k = first[at];
        if (sparse->a[k] == sparse->b[k] || !is_whole(newton, k))
            continue;
        if (last < 0 || sparse->a[k] != sparse->a[last] || sparse->b[k] != sparse->b[last]) {
            sparse->block_row[count++] = sparse->b[k];
            sparse->block_p[sparse->a[k] + 1]++;
        }
        last = k;
        sparse->block[k] = count - 1;
    }
    for (int g = 0; g < groups; g++)
        sparse->block_p[g + 1] += sparse->block_p[g];
    return VS_OK;
}

// Columns of the velocities: own block, blocks below, then the contacts' rows. below (n) counts these.
static vs_error place_columns(vs_newton *newton, int64_t *below, int64_t *p) {
    vs_sparsified *sparse = newton->sparsified;
    const vs_linear_pattern *A = &newton->pattern;
    const vs_rows *D = &newton->problem->D;
    sparse->block_at = VS_NEW(&sparse->arena, int64_t, sparse->block_p[A->groups] + 1);
    if (!sparse->block_at)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < newton->problem->cones; k++)
        for (int64_t t = D->start[k]; t < D->start[k + 1] && !is_whole(newton, k); t++)
            below[D->col[t]] += sparse->kept[k];
    p[0] = 0;
    for (int g = 0; g < A->groups; g++) {
        int64_t blocks = 0;
        for (int64_t q = sparse->block_p[g]; q < sparse->block_p[g + 1]; q++) {
            sparse->block_at[q] = blocks;
            blocks += size_of(newton, sparse->block_row[q]);
        }
        for (int j = A->group[g]; j < A->group[g + 1]; j++) {
            p[j + 1] = p[j] + (A->group[g + 1] - j) + blocks + below[j];
            below[j] = p[j + 1] - below[j];
        }
    }
    return VS_OK;
}

static void fill_columns(vs_newton *newton, const int64_t *p, int *i) {
    vs_sparsified *sparse = newton->sparsified;
    const vs_linear_pattern *A = &newton->pattern;
    for (int g = 0; g < A->groups; g++)
        for (int j = A->group[g]; j < A->group[g + 1]; j++) {
            int64_t at = p[j];
            for (int row = j; row < A->group[g + 1]; row++)
                i[at++] = row;
            for (int64_t q = sparse->block_p[g]; q < sparse->block_p[g + 1]; q++)
                for (int row = A->group[sparse->block_row[q]]; row < A->group[sparse->block_row[q] + 1]; row++)
                    i[at++] = row;
        }
}

vs_error vs_sparsified_make_pattern(vs_newton *newton) {
    vs_sparsified *sparse = newton->sparsified;
    const vs_linear_pattern *A = &newton->pattern;
    const vs_rows *D = &newton->problem->D;
    int n = A->n, cones = newton->problem->cones, extra = 0, groups = A->groups;
    vs_arena_release(&sparse->arena);
    vs_arena_init(&sparse->arena, newton->context);
    for (int k = 0; k < cones; k++)
        extra += is_whole(newton, k) ? 0 : sparse->kept[k];
    int64_t *p = VS_NEW(&sparse->arena, int64_t, (int64_t)n + extra + 1);
    int64_t *next = VS_NEW_ZERO(&sparse->arena, int64_t, n);
    int *group = VS_NEW(&sparse->arena, int, (int64_t)groups + cones + 1);
    sparse->row_at = VS_NEW(&sparse->arena, int64_t, D->start[cones]);
    sparse->row_of = VS_NEW(&sparse->arena, int, cones);
    sparse->terms = VS_NEW(&sparse->arena, double, 6 * (int64_t)extra);
    sparse->wide = VS_NEW(&sparse->arena, double, 4 * ((int64_t)n + extra));
    if (!p || !next || !group || !sparse->row_at || !sparse->row_of || !sparse->terms || !sparse->wide ||
        list_blocks(newton) || place_columns(newton, next, p))
        return VS_ERROR_MEMORY;
    for (int r = 0; r < extra; r++)
        p[n + r + 1] = p[n + r] + 1;
    int *i = VS_NEW(&sparse->arena, int, p[n + extra]);
    sparse->x = VS_NEW(&sparse->arena, double, p[n + extra]);
    if (!i || !sparse->x)
        return VS_ERROR_MEMORY;
    fill_columns(newton, p, i);
    memcpy(group, A->group, sizeof(int) * (size_t)groups);
    for (int k = 0, row = n; k < cones; k++) {
        sparse->row_of[k] = -1;
        if (is_whole(newton, k) || sparse->kept[k] == 0)
            continue;
        sparse->row_of[k] = row;
        group[groups++] = row;
        for (int64_t t = D->start[k]; t < D->start[k + 1]; t++) {
            sparse->row_at[t] = next[D->col[t]];
            for (int r = 0; r < sparse->kept[k]; r++)
                i[next[D->col[t]]++] = row + r;
        }
        for (int r = 0; r < sparse->kept[k]; r++, row++)
            i[p[row]] = row;
    }
    group[groups] = n + extra;
    sparse->pattern = (vs_linear_pattern){
        .n = n + extra, .p = p, .i = i, .symmetric = true, .definite = extra == 0, .groups = groups, .group = group};
    return VS_OK;
}

// ---- values ----------------------------------------------------------------------------------------

// Adds the terms `begin` … `end` - 1 of cone k to its bodies' own blocks and, if it is `whole`, to their common block.
static void add_terms(vs_newton *newton, int k, const double l[3][3], int begin, int end, bool whole) {
    vs_sparsified *sparse = newton->sparsified;
    const vs_rows *D = &newton->problem->D;
    const int *col = D->col + D->start[k], *group = newton->pattern.group;
    const double *d = D->x + D->value[k];
    int width = (int)(D->start[k + 1] - D->start[k]), rows = vs_sparsified_rows(newton, k);
    for (int term = begin; term < end; term++) {
        double w[2 * VS_NEWTON_WIDEST];
        for (int t = 0; t < width; t++) {
            w[t] = 0;
            for (int r = 0; r < rows; r++)
                w[t] += l[term][r] * d[r * width + t];
        }
        for (int t = 0; t < width; t++) {
            int g = sparse->group_of[col[t]];
            double *x = sparse->x + sparse->pattern.p[col[t]];
            for (int s = t; s < width && sparse->group_of[col[s]] == g; s++)
                x[col[s] - col[t]] += w[t] * w[s];
            if (!whole || g != sparse->a[k] || sparse->a[k] == sparse->b[k])
                continue;
            x += group[g + 1] - col[t] + sparse->block_at[sparse->block[k]];
            for (int s = t + 1; s < width; s++)
                if (sparse->group_of[col[s]] != g)
                    x[col[s] - group[sparse->b[k]]] += w[t] * w[s];
        }
    }
}

// f = T^-1 l; T symmetric positive definite, 3 x 3 or a number.
static void unscale(const double *T, int rows, const double *l, double *f) {
    if (rows == 1) {
        f[0] = l[0] / T[0];
        return;
    }
    double A = T[4] * T[8] - T[5] * T[5], B = T[2] * T[5] - T[1] * T[8], C = T[1] * T[5] - T[2] * T[4];
    double det = T[0] * A + T[1] * B + T[2] * C;
    f[0] = (A * l[0] + B * l[1] + C * l[2]) / det;
    f[1] = (B * l[0] + (T[0] * T[8] - T[2] * T[2]) * l[1] + (T[1] * T[2] - T[0] * T[5]) * l[2]) / det;
    f[2] = (C * l[0] + (T[1] * T[2] - T[0] * T[5]) * l[1] + (T[0] * T[4] - T[1] * T[1]) * l[2]) / det;
}

static void set_rows(vs_newton *newton, int k, const double l[3][3]) {
    vs_sparsified *sparse = newton->sparsified;
    const vs_rows *D = &newton->problem->D;
    const double *d = D->x + D->value[k];
    int width = (int)(D->start[k + 1] - D->start[k]), rows = vs_sparsified_rows(newton, k);
    for (int term = 0; term < sparse->kept[k]; term++) {
        double scale = 1 / sqrt(1 + vs_sparsified_square(l[term])), *kept;
        int row = sparse->row_of[k] + term;
        kept = sparse->terms + 6 * (int64_t)(row - newton->pattern.n);
        memcpy(kept, l[term], sizeof l[term]);
        unscale(newton->T + 9 * k, rows, l[term], kept + 3);
        sparse->x[sparse->pattern.p[row]] = -scale * scale;
        for (int t = 0; t < width; t++) {
            double sum = 0;
            for (int r = 0; r < rows; r++)
                sum += l[term][r] * d[r * width + t];
            sparse->x[sparse->row_at[D->start[k] + t] + term] = scale * sum;
        }
    }
}

void vs_sparsified_set_values(vs_newton *newton) {
    vs_sparsified *sparse = newton->sparsified;
    const vs_scaled *problem = newton->problem;
    memset(sparse->x, 0, sizeof(double) * (size_t)sparse->pattern.p[sparse->pattern.n]);
    for (int j = 0; j < problem->n; j++)
        sparse->x[sparse->pattern.p[j]] = 1;
    for (int k = 0; k < problem->cones; k++) {
        double l[3][3];
        const double(*terms)[3] = (const double(*)[3])l;
        bool whole = is_whole(newton, k);
        vs_sparsified_split(newton, k, l);
        add_terms(newton, k, terms, whole ? 0 : sparse->kept[k], 3, whole);
        if (!whole)
            set_rows(newton, k, terms);
    }
}
