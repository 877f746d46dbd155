// The augmented reduction: the whole symmetric quasi-definite matrix is factored.
//
//     [ H    C'           D'T          ]
//     [ C   -(E_e+delta)  0            ]      unknowns (dv, -dg, -T^-1 dl)
//     [ TD   0           -(M + delta)  ]
#include <string.h>

#include "solver/kkt/newton_cg.h"
#include "solver/kkt/newton_operator.h"
#include "solver/kkt/reduction.h"
#include "solver/kkt/velocity_groups.h"

// Entries below the diagonal that rows of A add to each column, with the positions of their values.
static void place_rows(const vs_rows *A, int first_row, int64_t *next, int *i, int64_t *at) {
    for (int g = 0; g < A->groups; g++) {
        int width = (int)(A->start[g + 1] - A->start[g]);
        for (int row = A->row[g]; row < A->row[g + 1]; row++)
            for (int k = 0; k < width; k++) {
                int64_t where = next[A->col[A->start[g] + k]]++;
                i[where] = first_row + row;
                at[A->value[g] + (int64_t)(row - A->row[g]) * width + k] = where;
            }
    }
}

static void count_rows(const vs_rows *A, int64_t *count) {
    for (int g = 0; g < A->groups; g++)
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++)
            count[A->col[t]] += A->row[g + 1] - A->row[g];
}

// Entries of each column, diagonal included.
static void count_columns(const vs_scaled *problem, int64_t *count) {
    int n = problem->n, m_e = problem->m_e;
    for (int j = 0; j < n + m_e; j++)
        count[j] = 1;
    for (int j = 0; j < n && !problem->identity; j++)
        for (int64_t t = problem->H.p[j]; t < problem->H.p[j + 1]; t++)
            count[j] += problem->H.i[t] > j;
    count_rows(&problem->C, count);
    count_rows(&problem->D, count);
    for (int k = 0; k < problem->cones; k++)
        for (int row = problem->row[k]; row < problem->row[k + 1]; row++)
            count[n + m_e + row] = problem->row[k + 1] - row;
}

static void place(vs_newton *newton, int64_t *next, int *i) {
    const vs_scaled *problem = newton->problem;
    int n = problem->n, m_e = problem->m_e;
    for (int j = 0; j < n + m_e; j++) {
        newton->at_diagonal[j] = next[j];
        i[next[j]++] = j;
    }
    for (int j = 0; j < n && !problem->identity; j++)
        for (int64_t t = problem->H.p[j]; t < problem->H.p[j + 1]; t++) {
            newton->at_H[t] = problem->H.i[t] == j ? newton->at_diagonal[j] : -1;
            if (problem->H.i[t] > j) {
                newton->at_H[t] = next[j];
                i[next[j]++] = problem->H.i[t];
            }
        }
    place_rows(&problem->C, n, next, i, newton->at_C);
    place_rows(&problem->D, n + m_e, next, i, newton->at_D);
    for (int k = 0; k < problem->cones; k++)
        for (int col = problem->row[k], t = 0; col < problem->row[k + 1]; col++)
            for (int row = col; row < problem->row[k + 1]; row++, t++) {
                int64_t *corner = vs_newton_lifted(newton, k) ? newton->at_lifted + 21 * (int64_t)newton->lifted_of[k]
                                                              : newton->at_corner + 6 * (int64_t)k;
                corner[t] = next[n + m_e + col];
                i[next[n + m_e + col]++] = n + m_e + row;
            }
}

static vs_error create(vs_newton *newton, vs_arena *arena) {
    const vs_scaled *problem = newton->problem;
    int n = problem->n, m_e = problem->m_e, size = n + m_e + problem->m;
    int64_t *p = VS_NEW(arena, int64_t, size + 1), *next = VS_NEW_ZERO(arena, int64_t, size);
    int *group = VS_NEW(arena, int, (int64_t)n + m_e + problem->cones + 1);
    newton->at_C = VS_NEW(arena, int64_t, problem->C.value[problem->C.groups]);
    newton->at_D = VS_NEW(arena, int64_t, problem->D.value[problem->D.groups]);
    newton->at_corner = VS_NEW(arena, int64_t, 6 * (int64_t)problem->cones);
    newton->at_lifted = VS_NEW(arena, int64_t, newton->lifted ? 21 * (int64_t)problem->cones : 0);
    newton->at_diagonal = VS_NEW(arena, int64_t, n + m_e);
    newton->at_H = VS_NEW(arena, int64_t, problem->identity ? 0 : problem->H.p[n]);
    if (!p || !next || !group || !newton->at_C || !newton->at_D || !newton->at_corner || !newton->at_diagonal ||
        !newton->at_lifted || !newton->at_H)
        return VS_ERROR_MEMORY;

    count_columns(problem, next);
    p[0] = 0;
    for (int j = 0; j < size; j++) {
        p[j + 1] = p[j] + next[j];
        next[j] = p[j];
    }
    int *i = VS_NEW(arena, int, p[size]);
    if (!i)
        return VS_ERROR_MEMORY;
    place(newton, next, i);

    int groups;
    if (vs_newton_group_velocities(problem, arena, group, &groups))
        return VS_ERROR_MEMORY;
    for (int k = 0; k < problem->C.groups; k++)
        group[groups++] = n + problem->C.row[k];
    for (int k = 0; k < problem->cones; k++)
        group[groups++] = n + m_e + problem->row[k];
    group[groups] = size;
    newton->pattern =
        (vs_linear_pattern){.n = size, .p = p, .i = i, .symmetric = true, .groups = groups, .group = group};
    return VS_OK;
}

// The velocities' part never changes while iterating.
static void update(vs_newton *newton) {
    const vs_scaled *problem = newton->problem;
    int n = problem->n;
    for (int j = 0; j < n && problem->identity; j++)
        newton->x[newton->at_diagonal[j]] = 1;
    for (int64_t t = 0; !problem->identity && t < problem->H.p[n]; t++)
        if (newton->at_H[t] >= 0)
            newton->x[newton->at_H[t]] = problem->H.x[t];
    for (int64_t t = 0; t < problem->C.value[problem->C.groups]; t++)
        newton->x[newton->at_C[t]] = problem->C.x[t];
}

static void assemble_lifted(vs_newton *newton, int k, const vs_lifted_block *block) {
    const vs_rows *D = &newton->problem->D;
    const int64_t *at = newton->at_D + D->value[k], *corner = newton->at_lifted + 21 * (int64_t)newton->lifted_of[k];
    int width = (int)(D->start[k + 1] - D->start[k]), rows = block->rows;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++) {
            double sum = 0;
            for (int r = 0; r < rows; r++)
                sum += block->T[r * rows + i] * D->x[D->value[k] + r * width + j];
            newton->x[at[i * width + j]] = sum;
        }
    for (int j = 0; j < rows; j++)
        for (int i = j; i < rows; i++)
            newton->x[*corner++] = -(block->M[i * rows + j] + (i == j ? newton->delta : 0));
}

static void assemble_cones(void *user, int64_t begin, int64_t end) {
    vs_newton *newton = user;
    const vs_scaled *problem = newton->problem;
    double *x = newton->x;
    for (int64_t k = begin; k < end; k++) {
        const double *T = newton->T + 9 * k, *M = newton->M + 9 * k, *D = problem->D.x + problem->D.value[k];
        const int64_t *at = newton->at_D + problem->D.value[k], *corner = newton->at_corner + 6 * k;
        int width = (int)(problem->D.start[k + 1] - problem->D.start[k]);
        const vs_lifted_block *lifted = vs_newton_lifted(newton, (int)k);
        if (lifted) {
            assemble_lifted(newton, (int)k, lifted);
            continue;
        }
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            for (int j = 0; j < width; j++)
                x[at[j]] = T[0] * D[j];
            x[corner[0]] = -(M[0] + newton->delta);
            continue;
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < width; j++)
                x[at[i * width + j]] = T[3 * i] * D[j] + T[3 * i + 1] * D[width + j] + T[3 * i + 2] * D[2 * width + j];
        x[corner[0]] = -(M[0] + newton->delta);
        x[corner[1]] = -M[3];
        x[corner[2]] = -M[6];
        x[corner[3]] = -(M[4] + newton->delta);
        x[corner[4]] = -M[7];
        x[corner[5]] = -(M[8] + newton->delta);
    }
}

static void assemble(vs_newton *newton) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->m_e; k++)
        newton->x[newton->at_diagonal[problem->n + k]] = -(problem->E_e[k] + newton->delta);
    vs_parallel_for(newton->context, problem->cones, 1024, assemble_cones, newton);
}

static vs_error precondition(void *newton, double *x) {
    return vs_newton_backend_solve(newton, x);
}

const vs_reduction vs_reduction_augmented = {
    .name = "augmented",
    .create = create,
    .update = update,
    .assemble = assemble,
    .precondition = precondition,
    .apply = vs_newton_apply_saddle,
    .velocities = true,
};
