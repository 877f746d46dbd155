// The impulse-space reduction, and the only one of local problems:
//
//     T N T + M + delta,   N = [C; D] H^-1 [C; D]' or N of a local problem      unknowns (dg, T^-1 dl)
//
// Rows of the joints come first, each a group of its own with T = 1, M = E_e; then the cones. N is stored by groups
// (delassus.h) and kept as it is: an unsymmetric N stays unsymmetric. Distributed, each process has the rows of its own
// contacts; rows of others coupled to these are ghosts, and a symmetric N is factored as an unsymmetric one.
#include <string.h>

#include "solver/kkt/newton_cg.h"
#include "solver/kkt/newton_operator.h"
#include "solver/kkt/reduction.h"

// ---- pattern ---------------------------------------------------------------------------------------

// The factored matrix has column j = the columns of j's group (the pattern is symmetric), from the diagonal on if
// symmetric.
static vs_error create_pattern(vs_newton *newton, const int *group_of, vs_arena *arena) {
    const vs_scaled *problem = newton->problem;
    const vs_rows *N = &newton->delassus.N;
    int size = N->rows;
    int64_t *p = VS_NEW(arena, int64_t, size + 1);
    newton->at_D = VS_NEW(arena, int64_t, N->value[N->groups]);
    if (!p || !newton->at_D)
        return VS_ERROR_MEMORY;
    p[0] = 0;
    for (int j = 0; j < size; j++) {
        int g = group_of[j];
        int64_t first = problem->symmetric ? vs_delassus_find(N, g, j) : 0;
        p[j + 1] = p[j] + (N->start[g + 1] - N->start[g]) - first;
    }
    int *i = VS_NEW(arena, int, p[size]);
    if (!i)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < size; j++) {
        int g = group_of[j];
        int64_t first = problem->symmetric ? vs_delassus_find(N, g, j) : 0;
        memcpy(i + p[j], N->col + N->start[g] + first, sizeof(int) * (size_t)(p[j + 1] - p[j]));
    }
    for (int g = 0; g < N->groups; g++) {
        int64_t width = N->start[g + 1] - N->start[g];
        for (int row = N->row[g]; row < N->row[g + 1]; row++)
            for (int64_t k = 0; k < width; k++) {
                int col = N->col[N->start[g] + k], h = group_of[col];
                int64_t first = problem->symmetric ? vs_delassus_find(N, h, col) : 0;
                bool kept = !problem->symmetric || row >= col;
                newton->at_D[N->value[g] + (row - N->row[g]) * width + k] =
                    kept ? p[col] + vs_delassus_find(N, h, row) - first : -1;
            }
    }
    newton->pattern = (vs_linear_pattern){.n = size,
                                          .p = p,
                                          .i = i,
                                          .symmetric = problem->symmetric,
                                          .definite = !problem->local && problem->symmetric,
                                          .groups = N->groups,
                                          .group = N->row};
    return VS_OK;
}

// Distributed: the local rows of N, by columns; columns of ghosts have an empty diagonal in addition.
static vs_error create_part(vs_newton *newton, vs_arena *arena) {
    const vs_rows *N = &newton->delassus.N;
    int64_t *p = VS_NEW_ZERO(arena, int64_t, (int64_t)N->cols + 2);
    newton->at_D = VS_NEW(arena, int64_t, N->value[N->groups]);
    if (!p || !newton->at_D)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < N->groups; g++)
        for (int64_t t = N->start[g]; t < N->start[g + 1]; t++)
            p[N->col[t] + 2] += N->row[g + 1] - N->row[g];
    for (int j = 0; j < N->cols; j++)
        p[j + 2] += p[j + 1] + (j >= N->rows);
    int *i = VS_NEW(arena, int, p[N->cols + 1]);
    if (!i)
        return VS_ERROR_MEMORY;
    // rows ascend, and so do those of every column; p[j + 1] is where the next entry of column j goes
    for (int g = 0; g < N->groups; g++) {
        int64_t width = N->start[g + 1] - N->start[g];
        for (int row = N->row[g]; row < N->row[g + 1]; row++)
            for (int64_t k = 0; k < width; k++) {
                int64_t at = p[N->col[N->start[g] + k] + 1]++;
                i[at] = row;
                newton->at_D[N->value[g] + (row - N->row[g]) * width + k] = at;
            }
    }
    for (int j = N->rows; j < N->cols; j++)
        i[p[j + 1]++] = j;
    newton->pattern = (vs_linear_pattern){
        .n = N->cols, .p = p, .i = i, .space = vs_scaled_row_space(newton->problem), .velocities = N->cols};
    return VS_OK;
}

static vs_error create(vs_newton *newton, vs_arena *arena) {
    vs_error error = vs_delassus_create(&newton->delassus, newton->problem, arena);
    if (error)
        return error;
    return newton->space ? create_part(newton, arena) : create_pattern(newton, newton->delassus.group_of, arena);
}

static void update(vs_newton *newton) {
    vs_delassus_update(&newton->delassus);
}

// ---- assembly and products -------------------------------------------------------------------------

// out (rows x cols) = T_g N_gh T_h; N_gh with leading dimension ld
static void scale_block(int rows, int cols, const double *T_g, const double *T_h, const double *N, int64_t ld,
                        double *out) {
    double product[9];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double sum = 0;
            for (int k = 0; k < rows; k++)
                sum += T_g[3 * i + k] * N[k * ld + j];
            product[3 * i + j] = sum;
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double sum = 0;
            for (int k = 0; k < cols; k++)
                sum += product[3 * i + k] * T_h[3 * k + j];
            out[3 * i + j] = sum;
        }
}

// T of a group as a matrix with leading dimension VS_DISCS_ROWS.
static void expand_scaling(const vs_newton *newton, int g, int rows, double *T) {
    int k = g - newton->problem->m_e;
    const vs_lifted_block *lifted = k < 0 ? NULL : vs_newton_lifted(newton, k);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            T[VS_DISCS_ROWS * i + j] = k < 0     ? i == j
                                       : !lifted ? newton->T[9 * k + 3 * i + j]
                                                 : lifted->T[rows * i + j];
}

static bool is_lifted(const vs_newton *newton, int g) {
    int k = g - newton->problem->m_e;
    return k >= 0 && vs_newton_lifted(newton, k);
}

// A block of the matrix of which either group is lifted, with the corner if it is on the diagonal.
static void assemble_lifted(vs_newton *newton, int g, int h, const double *N, const int64_t *at, int64_t width) {
    const vs_rows *rows_of = &newton->delassus.N;
    int rows = rows_of->row[g + 1] - rows_of->row[g], cols = rows_of->row[h + 1] - rows_of->row[h];
    double T_g[VS_DISCS_ROWS * VS_DISCS_ROWS], T_h[VS_DISCS_ROWS * VS_DISCS_ROWS];
    expand_scaling(newton, g, rows, T_g);
    expand_scaling(newton, h, cols, T_h);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double sum = g == h ? newton->lifted[newton->lifted_of[g - newton->problem->m_e]].M[i * rows + j] : 0;
            sum += g == h && i == j ? newton->delta : 0;
            for (int a = 0; a < rows; a++)
                for (int b = 0; b < cols; b++)
                    sum += T_g[VS_DISCS_ROWS * a + i] * N[a * width + b] * T_h[VS_DISCS_ROWS * b + j];
            if (at[i * width + j] >= 0)
                newton->x[at[i * width + j]] = sum;
        }
}

static void assemble_groups(void *user, int64_t begin, int64_t end) {
    static const double one[9] = {1};
    vs_newton *newton = user;
    const vs_scaled *problem = newton->problem;
    const vs_rows *N = &newton->delassus.N;
    int m_e = problem->m_e;
    for (int g = (int)begin; g < (int)end; g++) {
        const double *T_g = g < m_e ? one : newton->T + 9 * (g - m_e);
        int rows = N->row[g + 1] - N->row[g];
        int64_t width = N->start[g + 1] - N->start[g];
        for (int64_t k = 0; k < width;) {
            int h = newton->delassus.group_of[N->col[N->start[g] + k]], cols = N->row[h + 1] - N->row[h];
            const double *T_h = h < m_e ? one : newton->T + 9 * (h - m_e);
            const int64_t *at = newton->at_D + N->value[g] + k;
            double block[9];
            bool wanted = !newton->pattern.symmetric || h <= g;
            if (is_lifted(newton, g) || is_lifted(newton, h)) {
                if (wanted)
                    assemble_lifted(newton, g, h, N->x + N->value[g] + k, at, width);
            } else if (wanted) {
                scale_block(rows, cols, T_g, T_h, N->x + N->value[g] + k, width, block);
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < cols; j++) {
                        double corner = 0;
                        if (g == h)
                            corner = (g < m_e ? problem->E_e[g] : newton->M[9 * (g - m_e) + 3 * i + j]) +
                                     (i == j ? newton->delta : 0);
                        if (at[i * width + j] >= 0)
                            newton->x[at[i * width + j]] = block[3 * i + j] + corner;
                    }
            }
            k += cols;
        }
    }
}

// T of the ghosts, row by row.
static void share_scaling(vs_newton *newton) {
    const vs_scaled *problem = newton->problem;
    double *w = newton->wide_m;
    for (int column = 0; column < 3; column++) {
        for (int k = 0; k < problem->cones; k++)
            for (int row = problem->row[k]; row < problem->row[k + 1]; row++)
                w[row] = newton->T[9 * k + 3 * (row - problem->row[k]) + column];
        vs_scaled_extend(problem, w);
        for (int k = 0; k < problem->ghost_cones; k++)
            for (int row = problem->ghost_row[k]; row < problem->ghost_row[k + 1]; row++)
                newton->T[9 * (problem->cones + k) + 3 * (row - problem->ghost_row[k]) + column] = w[row];
    }
}

static void assemble(vs_newton *newton) {
    if (newton->space && newton->problem->local)
        share_scaling(newton);
    vs_parallel_for(newton->context, newton->delassus.N.groups, 256, assemble_groups, newton);
}

// y = T N T x + M x
static void apply(void *user, const double *x, double *y) {
    vs_newton *newton = user;
    const vs_scaled *problem = newton->problem;
    int m_e = problem->m_e;
    double *w = newton->wide_m;
    for (int k = 0; k < m_e; k++)
        w[k] = x[k];
    vs_newton_scale_rows(newton, x + m_e, w + m_e);
    vs_scaled_extend(problem, w);
    vs_rows_multiply(&newton->delassus.N, 1, w, 0, y, newton->context);
    for (int k = 0; k < m_e; k++)
        y[k] += problem->E_e[k] * x[k];
    vs_newton_scale_rows_t(newton, y + m_e, y + m_e);
    for (int k = 0; k < problem->cones; k++) {
        const vs_lifted_block *lifted = vs_newton_lifted(newton, k);
        const double *M = lifted ? lifted->M : newton->M + 9 * k;
        int row = m_e + problem->row[k], rows = problem->row[k + 1] - problem->row[k], ld = lifted ? rows : 3;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                y[row + i] += M[ld * i + j] * x[row + j];
    }
}

static vs_error precondition(void *user, double *x) {
    vs_newton *newton = user;
    if (!newton->space)
        return vs_newton_backend_solve(newton, x);
    // the backend's vectors have ghosts after the rows
    double *w = newton->wide_m;
    memcpy(w, x, sizeof(double) * (size_t)newton->unknowns);
    vs_space_assemble_begin(newton->pattern.space, newton->pattern.n, w);
    vs_error error = vs_newton_backend_solve(newton, w);
    memcpy(x, w, sizeof(double) * (size_t)newton->unknowns);
    return error;
}

const vs_reduction vs_reduction_impulse = {
    .name = "impulse",
    .create = create,
    .update = update,
    .assemble = assemble,
    .precondition = precondition,
    .apply = apply,
    .velocities = false,
};
