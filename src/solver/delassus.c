// The Delassus matrix of the stacked rows, see delassus.h. The pattern is completed to whole blocks of cones and made
// symmetric, the values are kept as they are: an unsymmetric N stays unsymmetric. For a general sparse H the matrix is
// dense: few contacts on large bodies.
#include "solver/delassus.h"

#include <stdlib.h>
#include <string.h>

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
static int64_t pairs_of_local(const vs_delassus *d, const int *group_of, int64_t *key) {
    const vs_sparse *N = &d->problem->N;
    int64_t groups = group_count(d->problem), count = 0;
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
static vs_error couple(const vs_delassus *d, const int *joint, const int *group_of, vs_arena *arena, int64_t **keys,
                       int64_t *count) {
    const vs_scaled *problem = d->problem;
    int64_t groups = group_count(problem), total = 0, *start = NULL, *key;
    int *list = NULL;
    bool dense = !problem->local && !problem->identity;
    if (problem->local)
        total = pairs_of_local(d, group_of, NULL);
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
        pairs_of_local(d, group_of, key);
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

static vs_error create_rows(vs_delassus *d, const int64_t *key, int64_t count, vs_arena *arena) {
    const vs_scaled *problem = d->problem;
    int groups = group_count(problem), size = problem->m_e + problem->m;
    vs_rows *N = &d->N;
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
int64_t vs_delassus_find(const vs_rows *N, int g, int col) {
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

vs_error vs_delassus_create(vs_delassus *d, const vs_scaled *problem, vs_measurer *measurer, vs_arena *arena) {
    *d = (vs_delassus){.context = arena->context, .problem = problem, .measurer = measurer};
    int size = problem->m_e + problem->m, groups = group_count(problem);
    bool general = !problem->local && !problem->identity;
    d->group_of = VS_NEW(arena, int, size);
    d->wide_n = VS_NEW(arena, double, general ? problem->n : 0);
    d->wide_m = VS_NEW(arena, double, general ? size : 0);
    if (!d->group_of || !d->wide_n || !d->wide_m || find_joints(problem, arena, &d->joint))
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++)
        for (int row = group_row(problem, g); row < (g + 1 < groups ? group_row(problem, g + 1) : size); row++)
            d->group_of[row] = g;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    int64_t *key, count;
    vs_error error = couple(d, d->joint, d->group_of, &scratch, &key, &count);
    if (!error)
        error = create_rows(d, key, count, arena);
    vs_arena_release(&scratch);
    return error;
}

// ---- values ----------------------------------------------------------------------------------------

static void update_local(vs_delassus *d) {
    const vs_sparse *A = &d->problem->N;
    vs_rows *N = &d->N;
    memset(N->x, 0, sizeof(double) * (size_t)N->value[N->groups]);
    for (int j = 0; j < A->cols; j++)
        for (int64_t t = A->p[j]; t < A->p[j + 1]; t++) {
            int row = A->i[t], g = d->group_of[row];
            int64_t width = N->start[g + 1] - N->start[g];
            N->x[N->value[g] + (row - N->row[g]) * width + vs_delassus_find(N, g, j)] = A->x[t];
        }
}

// A contact's or joint's rows: (rows x width), row-major.
typedef struct jacobian {
    int rows, width;
    const int *col;
    const double *x;
} jacobian;

// out (3 x 3, leading dimension ld) += a b' over `count` columns; wa, wb: leading dimensions.
static inline void multiply_contacts(int count, const double *restrict a, int wa, const double *restrict b, int wb,
                                     double *restrict out, int64_t ld) {
    double s00 = 0, s01 = 0, s02 = 0, s10 = 0, s11 = 0, s12 = 0, s20 = 0, s21 = 0, s22 = 0;
    for (int k = 0; k < count; k++) {
        double b0 = b[k], b1 = b[wb + k], b2 = b[2 * wb + k], a0 = a[k], a1 = a[wa + k], a2 = a[2 * wa + k];
        s00 += a0 * b0, s01 += a0 * b1, s02 += a0 * b2;
        s10 += a1 * b0, s11 += a1 * b1, s12 += a1 * b2;
        s20 += a2 * b0, s21 += a2 * b1, s22 += a2 * b2;
    }
    out[0] += s00, out[1] += s01, out[2] += s02;
    out[ld] += s10, out[ld + 1] += s11, out[ld + 2] += s12;
    out[2 * ld] += s20, out[2 * ld + 1] += s21, out[2 * ld + 2] += s22;
}

// out (rows of A x rows of B, leading dimension ld) = A B' over the columns both have: runs of a body's.
static void multiply_groups(const jacobian *A, const jacobian *B, double *out, int64_t ld) {
    for (int i = 0; i < A->rows; i++)
        for (int j = 0; j < B->rows; j++)
            out[i * ld + j] = 0;
    for (int s = 0, t = 0; s < A->width && t < B->width;) {
        if (A->col[s] != B->col[t]) {
            *(A->col[s] < B->col[t] ? &s : &t) += 1;
            continue;
        }
        int count = 1;
        while (s + count < A->width && t + count < B->width && A->col[s + count] == B->col[t + count])
            count++;
        if (A->rows == 3 && B->rows == 3) {
            multiply_contacts(count, A->x + s, A->width, B->x + t, B->width, out, ld);
        } else {
            for (int i = 0; i < A->rows; i++)
                for (int j = 0; j < B->rows; j++)
                    for (int k = 0; k < count; k++)
                        out[i * ld + j] += A->x[i * A->width + s + k] * B->x[j * B->width + t + k];
        }
        s += count;
        t += count;
    }
}

static jacobian jacobian_of(const vs_delassus *d, int g) {
    jacobian A = {.rows = d->N.row[g + 1] - d->N.row[g]};
    A.width = group_jacobian(d->problem, g < d->problem->m_e ? d->joint[g] : 0, g, &A.col, &A.x);
    return A;
}

// The transpose of a block that is already there: N_gh = N_hg'.
static void mirror(vs_rows *N, int g, int h, double *out, int64_t ld) {
    int64_t width = N->start[h + 1] - N->start[h];
    const double *x = N->x + N->value[h] + vs_delassus_find(N, h, N->row[g]);
    for (int i = 0; i < N->row[g + 1] - N->row[g]; i++)
        for (int j = 0; j < N->row[h + 1] - N->row[h]; j++)
            out[i * ld + j] = x[j * width + i];
}

static void update_identity(vs_delassus *d) {
    vs_rows *N = &d->N;
    for (int g = 0; g < N->groups; g++) {
        jacobian A = jacobian_of(d, g);
        int64_t width = N->start[g + 1] - N->start[g];
        double *out = N->x + N->value[g];
        for (int64_t k = 0; k < width;) {
            int h = d->group_of[N->col[N->start[g] + k]];
            if (h < g) {
                mirror(N, g, h, out + k, width);
            } else {
                jacobian B = jacobian_of(d, h);
                multiply_groups(&A, &B, out + k, width);
            }
            k += N->row[h + 1] - N->row[h];
        }
    }
}

// Column by column: N e_j = J H^-1 J'e_j. The scaled H^-1 is G H^-1 G with the user's H.
static void update_general(vs_delassus *d) {
    const vs_scaled *problem = d->problem;
    vs_rows *N = &d->N;
    vs_mass *mass = vs_measurer_mass(d->measurer);
    double *v = d->wide_n, *column = d->wide_m;
    for (int j = 0; j < N->cols; j++) {
        int g = d->group_of[j];
        const int *col;
        const double *x;
        int width = group_jacobian(problem, g < problem->m_e ? d->joint[g] : 0, g, &col, &x);
        memset(v, 0, sizeof(double) * (size_t)problem->n);
        for (int k = 0; k < width; k++)
            v[col[k]] = x[(j - N->row[g]) * width + k] * problem->G[col[k]];
        if (vs_mass_solve(mass, v))
            memset(v, 0, sizeof(double) * (size_t)problem->n);
        for (int k = 0; k < problem->n; k++)
            v[k] *= problem->G[k];
        vs_rows_multiply(&problem->C, 1, v, 0, column, d->context);
        vs_rows_multiply(&problem->D, 1, v, 0, column + problem->m_e, d->context);
        for (int row = 0; row < N->rows; row++) {
            int h = d->group_of[row];
            N->x[N->value[h] + (int64_t)(row - N->row[h]) * N->cols + j] = column[row];
        }
    }
}

void vs_delassus_update(vs_delassus *d) {
    if (d->problem->local)
        update_local(d);
    else if (d->problem->identity)
        update_identity(d);
    else
        update_general(d);
}
