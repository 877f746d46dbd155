// Pattern and values of the thinned matrix (sparsified.c): velocities first, group by group, then the rows of contacts
// that have some. Lower triangle; a velocity's column holds its group's own block, blocks of whole contacts to later
// groups, contacts' rows.
#include <math.h>
#include <string.h>

#include "solver/kkt/sparsified.h"

// ---- pattern ---------------------------------------------------------------------------------------

static bool is_whole(const vs_newton *newton, int k) {
    return newton->thin->kept[k] == 3 || newton->thin->a[k] == newton->thin->b[k];
}

static int size_of(const vs_newton *newton, int g) {
    return newton->pattern.group[g + 1] - newton->pattern.group[g];
}

// The blocks (b, a) of contacts that are whole, by a and then b, each once; block[k] is that of contact k.
static vs_error list_blocks(vs_newton *newton) {
    vs_thin *thin = newton->thin;
    int cones = newton->problem->cones, groups = newton->pattern.groups;
    thin->block_p = VS_NEW_ZERO(&thin->arena, int64_t, (int64_t)groups + 2);
    thin->block_row = VS_NEW(&thin->arena, int, cones);
    thin->block = VS_NEW(&thin->arena, int64_t, cones);
    int *first = VS_NEW(&thin->arena, int, cones), *next = VS_NEW(&thin->arena, int, cones);
    int *head = VS_NEW(&thin->arena, int, groups);
    if (!thin->block_p || !thin->block_row || !thin->block || !first || !next || !head)
        return VS_ERROR_MEMORY;
    for (int pass = 0; pass < 2; pass++) { // by b, then, keeping that order, by a
        for (int g = 0; g < groups; g++)
            head[g] = -1;
        for (int at = cones - 1; at >= 0; at--) {
            int k = pass == 0 ? at : first[at], g = pass == 0 ? thin->b[k] : thin->a[k];
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
        if (thin->a[k] == thin->b[k] || !is_whole(newton, k))
            continue;
        if (last < 0 || thin->a[k] != thin->a[last] || thin->b[k] != thin->b[last]) {
            thin->block_row[count++] = thin->b[k];
            thin->block_p[thin->a[k] + 1]++;
        }
        last = k;
        thin->block[k] = count - 1;
    }
    for (int g = 0; g < groups; g++)
        thin->block_p[g + 1] += thin->block_p[g];
    return VS_OK;
}

// Columns of the velocities: own block, blocks below, then the contacts' rows. below (n) counts these.
static vs_error place_columns(vs_newton *newton, int64_t *below, int64_t *p) {
    vs_thin *thin = newton->thin;
    const vs_linear_pattern *A = &newton->pattern;
    const vs_rows *D = &newton->problem->D;
    thin->block_at = VS_NEW(&thin->arena, int64_t, thin->block_p[A->groups] + 1);
    if (!thin->block_at)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < newton->problem->cones; k++)
        for (int64_t t = D->start[k]; t < D->start[k + 1] && !is_whole(newton, k); t++)
            below[D->col[t]] += thin->kept[k];
    p[0] = 0;
    for (int g = 0; g < A->groups; g++) {
        int64_t blocks = 0;
        for (int64_t q = thin->block_p[g]; q < thin->block_p[g + 1]; q++) {
            thin->block_at[q] = blocks;
            blocks += size_of(newton, thin->block_row[q]);
        }
        for (int j = A->group[g]; j < A->group[g + 1]; j++) {
            p[j + 1] = p[j] + (A->group[g + 1] - j) + blocks + below[j];
            below[j] = p[j + 1] - below[j];
        }
    }
    return VS_OK;
}

static void fill_columns(vs_newton *newton, const int64_t *p, int *i) {
    vs_thin *thin = newton->thin;
    const vs_linear_pattern *A = &newton->pattern;
    for (int g = 0; g < A->groups; g++)
        for (int j = A->group[g]; j < A->group[g + 1]; j++) {
            int64_t at = p[j];
            for (int row = j; row < A->group[g + 1]; row++)
                i[at++] = row;
            for (int64_t q = thin->block_p[g]; q < thin->block_p[g + 1]; q++)
                for (int row = A->group[thin->block_row[q]]; row < A->group[thin->block_row[q] + 1]; row++)
                    i[at++] = row;
        }
}

vs_error vs_thin_make_pattern(vs_newton *newton) {
    vs_thin *thin = newton->thin;
    const vs_linear_pattern *A = &newton->pattern;
    const vs_rows *D = &newton->problem->D;
    int n = A->n, cones = newton->problem->cones, extra = 0, groups = A->groups;
    vs_arena_release(&thin->arena);
    vs_arena_init(&thin->arena, newton->context);
    for (int k = 0; k < cones; k++)
        extra += is_whole(newton, k) ? 0 : thin->kept[k];
    int64_t *p = VS_NEW(&thin->arena, int64_t, (int64_t)n + extra + 1);
    int64_t *next = VS_NEW_ZERO(&thin->arena, int64_t, n);
    int *group = VS_NEW(&thin->arena, int, (int64_t)groups + cones + 1);
    thin->row_at = VS_NEW(&thin->arena, int64_t, D->start[cones]);
    thin->row_of = VS_NEW(&thin->arena, int, cones);
    thin->terms = VS_NEW(&thin->arena, double, 6 * (int64_t)extra);
    thin->wide = VS_NEW(&thin->arena, double, 4 * ((int64_t)n + extra));
    if (!p || !next || !group || !thin->row_at || !thin->row_of || !thin->terms || !thin->wide || list_blocks(newton) ||
        place_columns(newton, next, p))
        return VS_ERROR_MEMORY;
    for (int r = 0; r < extra; r++)
        p[n + r + 1] = p[n + r] + 1;
    int *i = VS_NEW(&thin->arena, int, p[n + extra]);
    thin->x = VS_NEW(&thin->arena, double, p[n + extra]);
    if (!i || !thin->x)
        return VS_ERROR_MEMORY;
    fill_columns(newton, p, i);
    memcpy(group, A->group, sizeof(int) * (size_t)groups);
    for (int k = 0, row = n; k < cones; k++) {
        thin->row_of[k] = -1;
        if (is_whole(newton, k) || thin->kept[k] == 0)
            continue;
        thin->row_of[k] = row;
        group[groups++] = row;
        for (int64_t t = D->start[k]; t < D->start[k + 1]; t++) {
            thin->row_at[t] = next[D->col[t]];
            for (int r = 0; r < thin->kept[k]; r++)
                i[next[D->col[t]]++] = row + r;
        }
        for (int r = 0; r < thin->kept[k]; r++, row++)
            i[p[row]] = row;
    }
    group[groups] = n + extra;
    thin->pattern = (vs_linear_pattern){
        .n = n + extra, .p = p, .i = i, .symmetric = true, .definite = extra == 0, .groups = groups, .group = group};
    return VS_OK;
}

// ---- values ----------------------------------------------------------------------------------------

// What the terms `begin` … `end` - 1 of cone k add to its bodies' own blocks and, if it is `whole`, to their common
// one.
static void add_terms(vs_newton *newton, int k, const double l[3][3], int begin, int end, bool whole) {
    vs_thin *thin = newton->thin;
    const vs_rows *D = &newton->problem->D;
    const int *col = D->col + D->start[k], *group = newton->pattern.group;
    const double *d = D->x + D->value[k];
    int width = (int)(D->start[k + 1] - D->start[k]), rows = vs_thin_rows(newton, k);
    for (int term = begin; term < end; term++) {
        double w[2 * VS_NEWTON_WIDEST];
        for (int t = 0; t < width; t++) {
            w[t] = 0;
            for (int r = 0; r < rows; r++)
                w[t] += l[term][r] * d[r * width + t];
        }
        for (int t = 0; t < width; t++) {
            int g = thin->group_of[col[t]];
            double *x = thin->x + thin->pattern.p[col[t]];
            for (int s = t; s < width && thin->group_of[col[s]] == g; s++)
                x[col[s] - col[t]] += w[t] * w[s];
            if (!whole || g != thin->a[k] || thin->a[k] == thin->b[k])
                continue;
            x += group[g + 1] - col[t] + thin->block_at[thin->block[k]];
            for (int s = t + 1; s < width; s++)
                if (thin->group_of[col[s]] != g)
                    x[col[s] - group[thin->b[k]]] += w[t] * w[s];
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
    vs_thin *thin = newton->thin;
    const vs_rows *D = &newton->problem->D;
    const double *d = D->x + D->value[k];
    int width = (int)(D->start[k + 1] - D->start[k]), rows = vs_thin_rows(newton, k);
    for (int term = 0; term < thin->kept[k]; term++) {
        double scale = 1 / sqrt(1 + vs_thin_square(l[term])), *kept;
        int row = thin->row_of[k] + term;
        kept = thin->terms + 6 * (int64_t)(row - newton->pattern.n);
        memcpy(kept, l[term], sizeof l[term]);
        unscale(newton->T + 9 * k, rows, l[term], kept + 3);
        thin->x[thin->pattern.p[row]] = -scale * scale;
        for (int t = 0; t < width; t++) {
            double sum = 0;
            for (int r = 0; r < rows; r++)
                sum += l[term][r] * d[r * width + t];
            thin->x[thin->row_at[D->start[k] + t] + term] = scale * sum;
        }
    }
}

void vs_thin_set_values(vs_newton *newton) {
    vs_thin *thin = newton->thin;
    const vs_scaled *problem = newton->problem;
    memset(thin->x, 0, sizeof(double) * (size_t)thin->pattern.p[thin->pattern.n]);
    for (int j = 0; j < problem->n; j++)
        thin->x[thin->pattern.p[j]] = 1;
    for (int k = 0; k < problem->cones; k++) {
        double l[3][3];
        const double(*terms)[3] = (const double(*)[3])l;
        bool whole = is_whole(newton, k);
        vs_thin_split(newton, k, l);
        add_terms(newton, k, terms, whole ? 0 : thin->kept[k], 3, whole);
        if (!whole)
            set_rows(newton, k, terms);
    }
}
