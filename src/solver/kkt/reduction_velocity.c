// The velocity-space reduction: contacts eliminated, joints kept.
//
//     [ H + D'T (M + delta)^-1 T D    C'           ]
//     [ C                            -(E_e+delta)  ]      unknowns (dv, -dg); sparse, pattern = graph of the bodies
//
// Positive definite without joints. It is the exact Schur complement of the augmented matrix, so it preconditions the
// same unreduced system. Distributed, each process adds the part of its own contacts, joints and bodies.
#include <string.h>

#include "base/vec.h"
#include "base/sort.h"
#include "solver/kkt/newton_cg.h"
#include "solver/kkt/newton_operator.h"
#include "solver/kkt/reduction.h"
#include "solver/kkt/sparsified.h"
#include "solver/kkt/velocity_groups.h"

// Cones by column: the groups of D that touch a column, and its position in their column lists.
typedef struct touching {
    int64_t *p; // (n + 1)
    int *group; // cones, ascending
    int *place; // index within the group's columns
} touching;

static vs_error transpose_columns(const vs_rows *D, int n, vs_arena *arena, touching *t) {
    t->p = VS_NEW_ZERO(arena, int64_t, n + 2);
    t->group = VS_NEW(arena, int, D->start[D->groups]);
    t->place = VS_NEW(arena, int, D->start[D->groups]);
    if (!t->p || !t->group || !t->place)
        return VS_ERROR_MEMORY;
    for (int64_t s = 0; s < D->start[D->groups]; s++)
        t->p[D->col[s] + 2]++;
    for (int j = 0; j < n; j++)
        t->p[j + 2] += t->p[j + 1];
    for (int g = 0; g < D->groups; g++)
        for (int64_t s = D->start[g]; s < D->start[g + 1]; s++) {
            int64_t where = t->p[D->col[s] + 1]++;
            t->group[where] = g;
            t->place[where] = (int)(s - D->start[g]);
        }
    return VS_OK;
}

// Rows >= j of column j: from the cones that touch it and from H. mark (n) holds j + 1 for those seen.
static int collect(const vs_scaled *problem, const touching *t, int j, int *mark, int *rows) {
    const vs_rows *D = &problem->D;
    int count = 0;
    rows[count++] = j;
    mark[j] = j + 1;
    for (int64_t s = t->p[j]; s < t->p[j + 1]; s++) {
        int g = t->group[s];
        for (int64_t c = D->start[g] + t->place[s]; c < D->start[g + 1]; c++)
            if (mark[D->col[c]] != j + 1) {
                mark[D->col[c]] = j + 1;
                rows[count++] = D->col[c];
            }
    }
    for (int64_t s = problem->identity ? 0 : problem->H.p[j]; !problem->identity && s < problem->H.p[j + 1]; s++)
        if (problem->H.i[s] > j && mark[problem->H.i[s]] != j + 1) {
            mark[problem->H.i[s]] = j + 1;
            rows[count++] = problem->H.i[s];
        }
    return count;
}

static int64_t pair_start(const vs_rows *D, int g, int k) {
    // entries (k, l >= k) of the upper triangle by rows, of a group of this width
    int64_t width = D->start[g + 1] - D->start[g];
    return (int64_t)k * width - (int64_t)k * (k - 1) / 2;
}

// A column of the pattern: its rows, and where they are in the pattern's values.
typedef struct column {
    int64_t begin;
    int count, *rows; // (count)
    int64_t *where;   // (n) of each row
} column;

// Where the cones' and H's entries of column j go.
static void place_entries(vs_newton *newton, const touching *t, const int64_t *pair, int j, const column *c) {
    const vs_scaled *problem = newton->problem;
    const vs_rows *D = &problem->D;
    int64_t begin = c->begin, *where = c->where;
    for (int k = 0; k < c->count; k++)
        where[c->rows[k]] = begin + k;
    newton->at_diagonal[j] = begin;
    for (int64_t s = t->p[j]; s < t->p[j + 1]; s++) {
        int g = t->group[s], k = t->place[s], width = (int)(D->start[g + 1] - D->start[g]);
        int64_t *at = newton->at_D + pair[g] + pair_start(D, g, k);
        for (int l = k; l < width; l++)
            at[l - k] = where[D->col[D->start[g] + l]];
    }
    for (int64_t s = problem->identity ? 0 : problem->H.p[j]; !problem->identity && s < problem->H.p[j + 1]; s++)
        newton->at_H[s] = problem->H.i[s] >= j ? where[problem->H.i[s]] : -1;
}

static vs_error create_pattern(vs_newton *newton, const touching *t, const int64_t *pair, vs_arena *arena,
                               int64_t **p_out, int **i_out) {
    const vs_scaled *problem = newton->problem;
    int n = problem->n, m_e = problem->m_e;
    int64_t *p = VS_NEW(arena, int64_t, n + m_e + 1), *where = VS_NEW(arena, int64_t, n);
    int64_t *below = VS_NEW_ZERO(arena, int64_t, n);
    int *mark = VS_NEW_ZERO(arena, int, n), *rows = VS_NEW(arena, int, n);
    if (!p || !where || !below || !mark || !rows)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < problem->C.groups; g++)
        for (int64_t s = problem->C.start[g]; s < problem->C.start[g + 1]; s++)
            below[problem->C.col[s]] += problem->C.row[g + 1] - problem->C.row[g];
    p[0] = 0;
    for (int j = 0; j < n; j++)
        p[j + 1] = p[j] + collect(problem, t, j, mark, rows) + below[j];
    for (int k = 0; k < m_e; k++)
        p[n + k + 1] = p[n + k] + 1;
    int *i = VS_NEW(arena, int, p[n + m_e]);
    if (!i)
        return VS_ERROR_MEMORY;
    memset(mark, 0, sizeof(int) * (size_t)n);
    for (int j = 0; j < n; j++) {
        int count = collect(problem, t, j, mark, rows);
        vs_sort_ints(rows, count);
        memcpy(i + p[j], rows, sizeof(int) * (size_t)count);
        place_entries(newton, t, pair, j, &(column){p[j], count, rows, where});
        below[j] = p[j] + count;
    }
    for (int g = 0; g < problem->C.groups; g++) {
        int width = (int)(problem->C.start[g + 1] - problem->C.start[g]);
        for (int row = problem->C.row[g]; row < problem->C.row[g + 1]; row++)
            for (int k = 0; k < width; k++) {
                int64_t place = below[problem->C.col[problem->C.start[g] + k]]++;
                i[place] = n + row;
                newton->at_C[problem->C.value[g] + (int64_t)(row - problem->C.row[g]) * width + k] = place;
            }
    }
    for (int k = 0; k < m_e; k++) {
        i[p[n + k]] = n + k;
        newton->at_diagonal[n + k] = p[n + k];
    }
    *p_out = p;
    *i_out = i;
    return VS_OK;
}

// The ordering of the factor of H, if contacts couple no more than H does (each touches one node, or nodes of an
// element): the pattern contains H's, so that an equal number of entries means equal patterns. Else null.
static const int *order_of_masses(const vs_newton *newton, int64_t nonzeros) {
    const vs_mass *mass = newton->problem->identity ? NULL : newton->problem->mass->factor;
    return mass && mass->solver && nonzeros == mass->nonzeros ? mass->order : NULL;
}

static vs_error create(vs_newton *newton, vs_arena *arena) {
    const vs_scaled *problem = newton->problem;
    int n = problem->n, m_e = problem->m_e;
    touching t;
    int64_t *pair = VS_NEW(arena, int64_t, problem->cones + 1);
    if (!pair || transpose_columns(&problem->D, n, arena, &t))
        return VS_ERROR_MEMORY;
    pair[0] = 0;
    for (int g = 0; g < problem->cones; g++) {
        int64_t width = problem->D.start[g + 1] - problem->D.start[g];
        pair[g + 1] = pair[g] + width * (width + 1) / 2;
    }
    newton->pair = pair;
    newton->at_D = VS_NEW(arena, int64_t, pair[problem->cones]);
    newton->at_C = VS_NEW(arena, int64_t, problem->C.value[problem->C.groups]);
    newton->at_diagonal = VS_NEW(arena, int64_t, n + m_e);
    newton->at_H = VS_NEW(arena, int64_t, problem->identity ? 0 : problem->H.p[n]);
    int *group = VS_NEW(arena, int, (int64_t)n + m_e + 1);
    if (!newton->at_D || !newton->at_C || !newton->at_diagonal || !newton->at_H || !group)
        return VS_ERROR_MEMORY;
    int64_t *p;
    int *i, groups;
    vs_error error = create_pattern(newton, &t, pair, arena, &p, &i);
    if (!error)
        error = vs_newton_group_velocities(problem, arena, group, &groups);
    if (error)
        return error;
    for (int k = 0; k < problem->C.groups; k++)
        group[groups++] = n + problem->C.row[k];
    group[groups] = n + m_e;
    newton->pattern = (vs_linear_pattern){.n = n + m_e,
                                          .p = p,
                                          .i = i,
                                          .symmetric = true,
                                          .definite = !newton->joints,
                                          .groups = groups,
                                          .group = group,
                                          .order = order_of_masses(newton, p[n + m_e]),
                                          .space = newton->space,
                                          .velocities = n};
    return VS_OK;
}

static void update(vs_newton *newton) {
    (void)newton; // everything is assembled again: contact entries add to those of H
}

// inverse = (M + delta)^-1 of a symmetric positive definite 3 x 3 block, by its cofactors.
static void invert(const double *M, double delta, double *inverse) {
    const vs_mat3 A = {{M[0] + delta, M[1], M[2], M[1], M[4] + delta, M[5], M[2], M[5], M[8] + delta}};
    const vs_mat3 cofactors = vs_mat3_cofactors(&A);
    const double det = vs_mat3_determinant(&A);
    for (int k = 0; k < 9; k++)
        inverse[k] = cofactors.a[k] / det;
}

// x += D'(weight)D of a lifted cone
static void add_lifted(vs_newton *newton, int k, vs_lifted_block *block) {
    const vs_rows *D = &newton->problem->D;
    const double *d = D->x + D->value[k];
    const int64_t *at = newton->at_D + newton->pair[k];
    int width = (int)(D->start[k + 1] - D->start[k]), rows = block->rows;
    double weight[VS_DISCS_ROWS * VS_DISCS_ROWS];
    vs_lifted_invert(block, newton->delta);
    vs_lifted_weight(block, weight);
    for (int i = 0; i < width; i++) {
        double part[VS_DISCS_ROWS] = {0}, w[VS_DISCS_ROWS];
        for (int r = 0; r < rows; r++)
            part[r] = d[r * width + i];
        vs_lifted_multiply(rows, weight, part, w);
        for (int j = i; j < width; j++, at++)
            for (int r = 0; r < rows; r++)
                newton->x[*at] += w[r] * d[r * width + j];
    }
}

// x += D'(weight)D of cone k
static void add_cone(vs_newton *newton, int k) {
    const vs_rows *D = &newton->problem->D;
    const double *d = D->x + D->value[k], *M = newton->M + 9 * k;
    double *inverse = newton->M_inverse + 9 * k, *x = newton->x;
    const int64_t *at = newton->at_D + newton->pair[k];
    int width = (int)(D->start[k + 1] - D->start[k]);
    if (vs_newton_lifted(newton, k)) {
        add_lifted(newton, k, vs_newton_lifted(newton, k));
        return;
    }
    if (newton->problem->kind[k] != VS_CONE_SECOND_ORDER) {
        inverse[0] = 1 / (M[0] + newton->delta);
        double weight;
        vs_newton_weight(newton, k, &weight);
        for (int i = 0; i < width; i++)
            for (int j = i; j < width; j++)
                x[*at++] += weight * d[i] * d[j];
        return;
    }
    double weight[9];
    invert(M, newton->delta, inverse);
    vs_newton_weight(newton, k, weight);
    for (int i = 0; i < width; i++) {
        double w0 = weight[0] * d[i] + weight[1] * d[width + i] + weight[2] * d[2 * width + i];
        double w1 = weight[3] * d[i] + weight[4] * d[width + i] + weight[5] * d[2 * width + i];
        double w2 = weight[6] * d[i] + weight[7] * d[width + i] + weight[8] * d[2 * width + i];
        for (int j = i; j < width; j++)
            x[*at++] += w0 * d[j] + w1 * d[width + j] + w2 * d[2 * width + j];
    }
}

static void assemble(vs_newton *newton) {
    const vs_scaled *problem = newton->problem;
    int n = problem->n;
    memset(newton->x, 0, sizeof(double) * (size_t)newton->pattern.p[newton->pattern.n]);
    for (int j = 0; j < vs_space_owned(newton->space, n) && problem->identity; j++)
        newton->x[newton->at_diagonal[j]] = 1;
    // Entries of H between two processes exist on both: half of each.
    for (int64_t t = 0; !problem->identity && t < problem->H.p[n]; t++)
        if (newton->at_H[t] >= 0)
            newton->x[newton->at_H[t]] =
                problem->H.i[t] < vs_space_owned(newton->space, n) ? problem->H.x[t] : .5 * problem->H.x[t];
    for (int64_t t = 0; t < problem->C.value[problem->C.groups]; t++)
        newton->x[newton->at_C[t]] = problem->C.x[t];
    for (int k = 0; k < problem->m_e; k++)
        newton->x[newton->at_diagonal[n + k]] = -(problem->E_e[k] + newton->delta);
    for (int k = 0; k < problem->cones; k++)
        add_cone(newton, k);
}

// u <- (M + delta)^-1 u, then out = T u
static void eliminate(const vs_newton *newton, double *u, double *out) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->cones; k++) {
        const double *inverse = newton->M_inverse + 9 * k, *T = newton->T + 9 * k;
        int row = problem->row[k];
        const vs_lifted_block *lifted = vs_newton_lifted(newton, k);
        if (lifted) {
            double t[VS_DISCS_ROWS] = {0};
            vs_lifted_multiply(lifted->rows, lifted->inverse, u + row, t);
            vs_lifted_multiply(lifted->rows, lifted->T, t, out + row);
            memcpy(u + row, t, sizeof(double) * (size_t)lifted->rows);
            continue;
        }
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            u[row] *= inverse[0];
            out[row] = T[0] * u[row];
            continue;
        }
        double a = u[row], b = u[row + 1], c = u[row + 2];
        for (int i = 0; i < 3; i++)
            u[row + i] = inverse[3 * i] * a + inverse[3 * i + 1] * b + inverse[3 * i + 2] * c;
        for (int i = 0; i < 3; i++)
            out[row + i] = T[3 * i] * u[row] + T[3 * i + 1] * u[row + 1] + T[3 * i + 2] * u[row + 2];
    }
}

// Block elimination with the third row TD dv - (M + delta) u = r3, that is u = (M + delta)^-1 (TD dv - r3).
static vs_error precondition(void *user, double *x) {
    vs_newton *newton = user;
    const vs_scaled *problem = newton->problem;
    int n = problem->n, m_e = problem->m_e;
    double *u = x + n + m_e, *w = newton->wide_m;
    eliminate(newton, u, w);
    vs_space_assemble_begin(newton->space, n, x);
    vs_rows_multiply_t_add(&problem->D, 1, w, x);
    vs_space_assemble_end(newton->space, x);
    vs_error error = vs_newton_backend_solve(newton, x);
    if (error)
        return error;
    w = newton->D_times;
    vs_rows_multiply(&problem->D, 1, x, 0, w, newton->context);
    newton->D_of = x;
    for (int k = 0; k < problem->cones; k++)
        vs_newton_eliminated(newton, k, w + problem->row[k], u + problem->row[k]);
    return VS_OK;
}

const vs_reduction vs_reduction_velocity = {
    .name = "velocity",
    .create = create,
    .update = update,
    .assemble = assemble,
    .precondition = precondition,
    .apply = vs_newton_apply_saddle,
    .velocities = true,
};
