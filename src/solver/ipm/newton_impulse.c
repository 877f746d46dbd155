// The impulse-space reduction, and the only one of local problems:
//
//     T N T + M + delta,   N = [C; D] H^-1 [C; D]' or as given      unknowns (dg, T^-1 dl)
//
// Rows of the joints come first, each a group of its own with T = 1, M = E_e; then the cones. N is stored by groups
// (vs_rows): its pattern is completed to whole blocks of cones and made symmetric, its values are kept as they are, so
// an unsymmetric N stays unsymmetric. For a general sparse H the matrix N is dense: few contacts on large bodies.
#include <stdlib.h>
#include <string.h>

#include "solver/ipm/newton_parts.h"

// ---- groups of stacked rows ------------------------------------------------------------------------

static int group_count(const vs_scaled *problem) {
    return problem->m_e + problem->cones;
}

static int group_row(const vs_scaled *problem, int g) {
    return g < problem->m_e ? g : problem->m_e + problem->row[g - problem->m_e];
}

// The Jacobian of a group: columns, and values row by row.
static int group_jacobian(const vs_scaled *problem, int joint, int g, const int **col, const double **x) {
    const vs_rows *A = g < problem->m_e ? &problem->C : &problem->D;
    int k = g < problem->m_e ? joint : g - problem->m_e;
    int width = (int)(A->start[k + 1] - A->start[k]);
    *col = A->col + A->start[k];
    *x = A->x + A->value[k] + (g < problem->m_e ? (int64_t)(g - A->row[k]) * width : 0);
    return width;
}

// The joint of each joint row.
static vs_error find_joints(const vs_scaled *problem, vs_arena *arena, int **joint) {
    *joint = VS_NEW(arena, int, problem->m_e);
    if (!*joint)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < problem->C.groups && problem->m_e > 0; k++)
        for (int row = problem->C.row[k]; row < problem->C.row[k + 1]; row++)
            (*joint)[row] = k;
    return VS_OK;
}

// ---- which groups are coupled ----------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Pairs of groups as keys g * groups + h. Counts only when `key` is null.
static int64_t pairs_of_local(const vs_newton *newton, const int *group_of, int64_t *key) {
    const vs_sparse *N = &newton->problem->N;
    int64_t groups = group_count(newton->problem), count = 0;
    for (int j = 0; j < N->cols; j++)
        for (int64_t t = N->p[j]; t < N->p[j + 1]; t++) {
            int64_t g = group_of[j], h = group_of[N->i[t]];
            if (t > N->p[j] && group_of[N->i[t - 1]] == h)
                continue; // same block as the entry before
            if (key) {
                key[count] = g * groups + h;
                key[count + 1] = h * groups + g;
            }
            count += 2;
        }
    return count;
}

// Groups that share a velocity. begin/next: lists of the groups that touch each velocity.
static int64_t pairs_of_columns(int64_t groups, int n, const int64_t *start, const int *list, int64_t *key) {
    int64_t count = 0;
    for (int j = 0; j < n; j++) {
        int64_t size = start[j + 1] - start[j];
        bool same = j > 0 && size == start[j] - start[j - 1] &&
                    memcmp(list + start[j], list + start[j - 1], sizeof(int) * (size_t)size) == 0;
        for (int64_t a = start[j]; a < start[j + 1] && !same; a++)
            for (int64_t b = start[j]; b < start[j + 1]; b++, count++)
                if (key)
                    key[count] = list[a] * groups + list[b];
    }
    return count;
}

static vs_error lists_of_columns(const vs_scaled *problem, const int *joint, vs_arena *arena, int64_t **start_out,
                                 int **list_out) {
    int n = problem->n, groups = group_count(problem), width;
    const int *col;
    const double *x;
    int64_t *start = VS_NEW_ZERO(arena, int64_t, (int64_t)n + 2);
    if (!start)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++) {
        width = group_jacobian(problem, g < problem->m_e ? joint[g] : 0, g, &col, &x);
        for (int k = 0; k < width; k++)
            start[col[k] + 2]++;
    }
    for (int j = 0; j < n; j++)
        start[j + 2] += start[j + 1];
    int *list = VS_NEW(arena, int, start[n + 1]);
    if (!list)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++) {
        width = group_jacobian(problem, g < problem->m_e ? joint[g] : 0, g, &col, &x);
        for (int k = 0; k < width; k++)
            list[start[col[k] + 1]++] = g;
    }
    *start_out = start;
    *list_out = list;
    return VS_OK;
}

// All keys, sorted and unique, the diagonal included.
static vs_error couple(const vs_newton *newton, const int *joint, const int *group_of, vs_arena *arena, int64_t **keys,
                       int64_t *count) {
    const vs_scaled *problem = newton->problem;
    int64_t groups = group_count(problem), total = 0, *start = NULL, *key;
    int *list = NULL;
    bool dense = !problem->local && !problem->identity;
    if (problem->local)
        total = pairs_of_local(newton, group_of, NULL);
    else if (dense)
        total = groups * groups;
    else if (lists_of_columns(problem, joint, arena, &start, &list))
        return VS_ERROR_MEMORY;
    else
        total = pairs_of_columns(groups, problem->n, start, list, NULL);
    key = VS_NEW(arena, int64_t, total + groups);
    if (!key)
        return VS_ERROR_MEMORY;
    if (problem->local)
        pairs_of_local(newton, group_of, key);
    else if (dense)
        for (int64_t k = 0; k < total; k++)
            key[k] = k;
    else
        pairs_of_columns(groups, problem->n, start, list, key);
    for (int64_t g = 0; g < groups; g++)
        key[total + g] = g * groups + g;
    total += groups;
    qsort(key, (size_t)total, sizeof *key, compare);
    int64_t unique = 0;
    for (int64_t k = 0; k < total; k++)
        if (k == 0 || key[k] != key[k - 1])
            key[unique++] = key[k];
    *keys = key;
    *count = unique;
    return VS_OK;
}

// ---- patterns --------------------------------------------------------------------------------------

static vs_error create_rows(vs_newton *newton, const int64_t *key, int64_t count, vs_arena *arena) {
    const vs_scaled *problem = newton->problem;
    int groups = group_count(problem), size = problem->m_e + problem->m;
    vs_rows *N = &newton->N;
    *N = (vs_rows){.groups = groups, .rows = size, .cols = size};
    N->row = VS_NEW(arena, int, groups + 1);
    N->start = VS_NEW_ZERO(arena, int64_t, groups + 1);
    N->value = VS_NEW_ZERO(arena, int64_t, groups + 1);
    if (!N->row || !N->start || !N->value)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++)
        N->row[g] = group_row(problem, g);
    N->row[groups] = size;
    for (int64_t k = 0; k < count; k++) {
        int h = (int)(key[k] % groups);
        N->start[key[k] / groups + 1] += N->row[h + 1] - N->row[h];
    }
    for (int g = 0; g < groups; g++) {
        N->value[g + 1] = N->value[g] + N->start[g + 1] * (N->row[g + 1] - N->row[g]);
        N->start[g + 1] += N->start[g];
    }
    N->col = VS_NEW(arena, int, N->start[groups]);
    N->x = VS_NEW_ZERO(arena, double, N->value[groups]);
    if (!N->col || !N->x)
        return VS_ERROR_MEMORY;
    int64_t next = 0;
    for (int64_t k = 0; k < count; k++)
        for (int h = (int)(key[k] % groups), row = N->row[h]; row < N->row[h + 1]; row++)
            N->col[next++] = row;
    return VS_OK;
}

// Place of column `col` in a group's ascending list.
static int64_t find(const vs_rows *N, int g, int col) {
    int64_t low = N->start[g], high = N->start[g + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (N->col[middle] < col)
            low = middle + 1;
        else
            high = middle;
    }
    return low - N->start[g];
}

// The factored matrix has column j = the columns of j's group (the pattern is symmetric), from the diagonal on if
// symmetric.
static vs_error create_pattern(vs_newton *newton, const int *group_of, vs_arena *arena) {
    const vs_scaled *problem = newton->problem;
    const vs_rows *N = &newton->N;
    int size = N->rows;
    int64_t *p = VS_NEW(arena, int64_t, size + 1);
    newton->at_D = VS_NEW(arena, int64_t, N->value[N->groups]);
    if (!p || !newton->at_D)
        return VS_ERROR_MEMORY;
    p[0] = 0;
    for (int j = 0; j < size; j++) {
        int g = group_of[j];
        int64_t first = problem->symmetric ? find(N, g, j) : 0;
        p[j + 1] = p[j] + (N->start[g + 1] - N->start[g]) - first;
    }
    int *i = VS_NEW(arena, int, p[size]);
    if (!i)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < size; j++) {
        int g = group_of[j];
        int64_t first = problem->symmetric ? find(N, g, j) : 0;
        memcpy(i + p[j], N->col + N->start[g] + first, sizeof(int) * (size_t)(p[j + 1] - p[j]));
    }
    for (int g = 0; g < N->groups; g++) {
        int64_t width = N->start[g + 1] - N->start[g];
        for (int row = N->row[g]; row < N->row[g + 1]; row++)
            for (int64_t k = 0; k < width; k++) {
                int col = N->col[N->start[g] + k], h = group_of[col];
                int64_t first = problem->symmetric ? find(N, h, col) : 0;
                bool kept = !problem->symmetric || row >= col;
                newton->at_D[N->value[g] + (row - N->row[g]) * width + k] =
                    kept ? p[col] + find(N, h, row) - first : -1;
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

static vs_error create(vs_newton *newton, vs_arena *arena) {
    const vs_scaled *problem = newton->problem;
    int size = problem->m_e + problem->m, groups = group_count(problem);
    int *group_of = VS_NEW(arena, int, size);
    if (!group_of || find_joints(problem, arena, &newton->joint))
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++)
        for (int row = group_row(problem, g); row < (g + 1 < groups ? group_row(problem, g + 1) : size); row++)
            group_of[row] = g;
    newton->group_of = group_of;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    int64_t *key, count;
    vs_error error = couple(newton, newton->joint, group_of, &scratch, &key, &count);
    if (!error)
        error = create_rows(newton, key, count, arena);
    vs_arena_release(&scratch);
    if (!error)
        error = create_pattern(newton, group_of, arena);
    return error;
}

// ---- values ----------------------------------------------------------------------------------------

static void update_local(vs_newton *newton) {
    const vs_sparse *A = &newton->problem->N;
    vs_rows *N = &newton->N;
    memset(N->x, 0, sizeof(double) * (size_t)N->value[N->groups]);
    for (int j = 0; j < A->cols; j++)
        for (int64_t t = A->p[j]; t < A->p[j + 1]; t++) {
            int row = A->i[t], g = newton->group_of[row];
            int64_t width = N->start[g + 1] - N->start[g];
            N->x[N->value[g] + (row - N->row[g]) * width + find(N, g, j)] = A->x[t];
        }
}

// out (rows_a x rows_b, leading dimension ld) = A B' over the columns both have.
static void multiply_groups(int rows_a, int width_a, const int *col_a, const double *a, int rows_b, int width_b,
                            const int *col_b, const double *b, double *out, int64_t ld) {
    for (int i = 0; i < rows_a; i++)
        for (int j = 0; j < rows_b; j++)
            out[i * ld + j] = 0;
    for (int s = 0, t = 0; s < width_a && t < width_b;) {
        if (col_a[s] < col_b[t]) {
            s++;
        } else if (col_a[s] > col_b[t]) {
            t++;
        } else {
            for (int i = 0; i < rows_a; i++)
                for (int j = 0; j < rows_b; j++)
                    out[i * ld + j] += a[i * width_a + s] * b[j * width_b + t];
            s++, t++;
        }
    }
}

static void update_identity(vs_newton *newton) {
    const vs_scaled *problem = newton->problem;
    vs_rows *N = &newton->N;
    for (int g = 0; g < N->groups; g++) {
        const int *col_g, *col_h;
        const double *x_g, *x_h;
        int width_g = group_jacobian(problem, g < problem->m_e ? newton->joint[g] : 0, g, &col_g, &x_g);
        int64_t width = N->start[g + 1] - N->start[g];
        for (int64_t k = 0; k < width;) {
            int h = newton->group_of[N->col[N->start[g] + k]], rows_h = N->row[h + 1] - N->row[h];
            int width_h = group_jacobian(problem, h < problem->m_e ? newton->joint[h] : 0, h, &col_h, &x_h);
            multiply_groups(N->row[g + 1] - N->row[g], width_g, col_g, x_g, rows_h, width_h, col_h, x_h,
                            N->x + N->value[g] + k, width);
            k += rows_h;
        }
    }
}

// Column by column: N e_j = J H^-1 J'e_j. The scaled H^-1 is G H^-1 G with the user's H.
static void update_general(vs_newton *newton) {
    const vs_scaled *problem = newton->problem;
    vs_rows *N = &newton->N;
    vs_mass *mass = vs_measurer_mass(newton->measurer);
    double *v = newton->wide_n, *column = newton->wide_m;
    for (int j = 0; j < N->cols; j++) {
        int g = newton->group_of[j];
        const int *col;
        const double *x;
        int width = group_jacobian(problem, g < problem->m_e ? newton->joint[g] : 0, g, &col, &x);
        memset(v, 0, sizeof(double) * (size_t)problem->n);
        for (int k = 0; k < width; k++)
            v[col[k]] = x[(j - N->row[g]) * width + k] * problem->G[col[k]];
        if (vs_mass_solve(mass, v))
            memset(v, 0, sizeof(double) * (size_t)problem->n);
        for (int k = 0; k < problem->n; k++)
            v[k] *= problem->G[k];
        vs_rows_multiply(&problem->C, 1, v, 0, column, newton->context);
        vs_rows_multiply(&problem->D, 1, v, 0, column + problem->m_e, newton->context);
        for (int row = 0; row < N->rows; row++) {
            int h = newton->group_of[row];
            N->x[N->value[h] + (int64_t)(row - N->row[h]) * N->cols + j] = column[row];
        }
    }
}

static void update(vs_newton *newton) {
    if (newton->problem->local)
        update_local(newton);
    else if (newton->problem->identity)
        update_identity(newton);
    else
        update_general(newton);
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

static void assemble_groups(void *user, int64_t begin, int64_t end) {
    static const double one[9] = {1};
    vs_newton *newton = user;
    const vs_scaled *problem = newton->problem;
    const vs_rows *N = &newton->N;
    int m_e = problem->m_e;
    for (int g = (int)begin; g < (int)end; g++) {
        const double *T_g = g < m_e ? one : newton->T + 9 * (g - m_e);
        int rows = N->row[g + 1] - N->row[g];
        int64_t width = N->start[g + 1] - N->start[g];
        for (int64_t k = 0; k < width;) {
            int h = newton->group_of[N->col[N->start[g] + k]], cols = N->row[h + 1] - N->row[h];
            const double *T_h = h < m_e ? one : newton->T + 9 * (h - m_e);
            const int64_t *at = newton->at_D + N->value[g] + k;
            double block[9];
            if (!problem->symmetric || h <= g) {
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

static void assemble(vs_newton *newton) {
    vs_parallel_for(newton->context, newton->N.groups, 256, assemble_groups, newton);
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
    vs_rows_multiply(&newton->N, 1, w, 0, y, newton->context);
    for (int k = 0; k < m_e; k++)
        y[k] += problem->E_e[k] * x[k];
    vs_newton_scale_rows(newton, y + m_e, y + m_e);
    for (int k = 0; k < problem->cones; k++) {
        const double *M = newton->M + 9 * k;
        int row = m_e + problem->row[k], rows = problem->row[k + 1] - problem->row[k];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                y[row + i] += M[3 * i + j] * x[row + j];
    }
}

static vs_error precondition(void *newton, double *x) {
    return vs_newton_engine_solve(newton, x);
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
