// The Delassus matrix of the stacked rows, see delassus.h. The pattern is completed to whole blocks of cones and made
// symmetric, the values are kept as they are: an unsymmetric N stays unsymmetric. For a general sparse H the matrix is
// dense: few contacts on large bodies.
#include "solver/impulse/delassus.h"

#include <assert.h>
#include <string.h>

#include "base/sort.h"

// ---- groups of stacked rows ------------------------------------------------------------------------

static int group_count(const vs_scaled *problem) {
    return problem->m_e + problem->cones;
}

// First row of a group, including ghosts; one more is the end.
static int first_row(const vs_scaled *problem, int g) {
    int groups = group_count(problem);
    if (g < groups)
        return vs_scaled_group_row(problem, g);
    return g == groups ? problem->m_e + problem->m : problem->ghost_row[g - groups];
}

// ---- which groups are coupled ----------------------------------------------------------------------

// The groups that touch each column, to visit those coupled to one group.
typedef struct coupling {
    const vs_delassus *d;
    int groups;         // including ghosts
    const bool *stored; // (groups) null: all
    vs_sparse Nt;       // local form: the transpose, because the pattern of N need not be symmetric
    int64_t *start;     // (n + 1) velocities: the list of each column
    int *list;          // ascending groups
    bool *repeats;      // (n) the list is that of the previous column
    int *seen;          // (groups) the last group that visited it, or -1
} coupling;

// Has group g columns?
static bool is_stored(const coupling *c, int g) {
    return !c->stored || c->stored[g];
}

static vs_error list_columns(coupling *c, vs_arena *arena) {
    int n = c->d->problem->n;
    int64_t *start = VS_NEW_ZERO(arena, int64_t, (int64_t)n + 2);
    c->repeats = VS_NEW(arena, bool, n);
    if (!start || !c->repeats)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < c->groups; g++) {
        vs_jacobian J = vs_scaled_jacobian(c->d->problem, g);
        for (int k = 0; k < J.width && is_stored(c, g); k++)
            start[J.col[k] + 2]++;
    }
    for (int j = 0; j < n; j++)
        start[j + 2] += start[j + 1];
    int *list = VS_NEW(arena, int, start[n + 1]);
    if (!list)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < c->groups; g++) {
        vs_jacobian J = vs_scaled_jacobian(c->d->problem, g);
        for (int k = 0; k < J.width && is_stored(c, g); k++)
            list[start[J.col[k] + 1]++] = g;
    }
    for (int j = 0; j < n; j++) {
        int64_t size = start[j + 1] - start[j];
        c->repeats[j] = j > 0 && size == start[j] - start[j - 1] &&
                        memcmp(list + start[j], list + start[j - 1], sizeof(int) * (size_t)size) == 0;
    }
    c->start = start;
    c->list = list;
    return VS_OK;
}

// Adds h to the groups visited by g unless it is present.
static int meet(coupling *c, int g, int h, int *met, int count) {
    if (c->seen[h] == g)
        return count;
    c->seen[h] = g;
    met[count] = h;
    return count + 1;
}

static int meet_rows(coupling *c, const vs_sparse *N, int g, int *met, int count) {
    const vs_scaled *problem = c->d->problem;
    for (int j = problem->row[g]; j < problem->row[g + 1]; j++)
        for (int64_t t = N->p[j]; t < N->p[j + 1]; t++)
            count = meet(c, g, c->d->group_of[N->i[t]], met, count);
    return count;
}

// The groups that are coupled to g and g itself, in any order; met (groups). Returns their number: 0 if g has no columns.
static int meet_all(coupling *c, int g, int *met) {
    const vs_scaled *problem = c->d->problem;
    if (!is_stored(c, g))
        return 0;
    int count = meet(c, g, g, met, 0);
    if (problem->local) {
        count = meet_rows(c, &problem->N, g, met, count);
        return meet_rows(c, &c->Nt, g, met, count);
    }
    if (!problem->identity) {
        for (int h = 0; h < c->groups; h++)
            count = meet(c, g, h, met, count);
        return count;
    }
    vs_jacobian J = vs_scaled_jacobian(c->d->problem, g);
    for (int k = 0; k < J.width; k++) {
        int j = J.col[k];
        if (k > 0 && J.col[k - 1] == j - 1 && c->repeats[j])
            continue;
        for (int64_t t = c->start[j]; t < c->start[j + 1]; t++)
            count = meet(c, g, c->list[t], met, count);
    }
    return count;
}

// ---- patterns --------------------------------------------------------------------------------------

static void forget(coupling *c) {
    for (int h = 0; h < c->groups; h++)
        c->seen[h] = -1;
}

// Ghosts are not visited; they come after the others.
static void add_ghosts(vs_delassus *d, coupling *c, int *met, int64_t *next) {
    vs_rows *N = &d->N;
    forget(c);
    for (int g = 0; g < N->groups; g++) {
        int count = meet_all(c, g, met);
        vs_sort_ints(met, count);
        for (int k = 0; k < count; k++)
            for (int row = N->row[met[k]]; row < N->row[met[k] + 1] && met[k] >= N->groups; row++)
                N->col[next[g]++] = row;
    }
}

// The pattern: g, in ascending order, is added to the lists of all groups coupled to it, which thus are ascending.
static vs_error fill_rows(vs_delassus *d, coupling *c, int *met, int64_t *next, vs_arena *arena) {
    vs_rows *N = &d->N;
    forget(c);
    for (int g = 0; g < N->groups; g++) {
        int count = meet_all(c, g, met);
        for (int k = 0; k < count; k++)
            N->start[g + 1] += N->row[met[k] + 1] - N->row[met[k]];
    }
    for (int g = 0; g < N->groups; g++) {
        N->value[g + 1] = N->value[g] + N->start[g + 1] * (N->row[g + 1] - N->row[g]);
        N->start[g + 1] += N->start[g];
        next[g] = N->start[g];
    }
    N->col = VS_NEW(arena, int, N->start[N->groups]);
    N->x = VS_NEW(arena, double, N->value[N->groups]);
    if (!N->col || !N->x)
        return VS_ERROR_MEMORY;
    forget(c);
    for (int g = 0; g < N->groups; g++) {
        int count = meet_all(c, g, met);
        for (int k = 0; k < count; k++)
            for (int row = N->row[g]; row < N->row[g + 1] && met[k] < N->groups; row++)
                N->col[next[met[k]]++] = row;
    }
    if (c->groups > N->groups)
        add_ghosts(d, c, met, next);
    return VS_OK;
}

static vs_error create_rows(vs_delassus *d, const bool *stored, vs_arena *arena, vs_arena *scratch) {
    const vs_scaled *problem = d->problem;
    int groups = group_count(problem), size = problem->m_e + problem->m, all = groups + problem->ghost_cones;
    vs_rows *N = &d->N;
    *N = (vs_rows){.groups = groups, .rows = size, .cols = size + problem->ghosts};
    N->row = VS_NEW(arena, int, all + 1);
    N->start = VS_NEW_ZERO(arena, int64_t, groups + 1);
    N->value = VS_NEW_ZERO(arena, int64_t, groups + 1);
    coupling c = {.d = d, .groups = all, .stored = stored, .seen = VS_NEW(scratch, int, all)};
    int *met = VS_NEW(scratch, int, all);
    int64_t *next = VS_NEW(scratch, int64_t, groups);
    if (!N->row || !N->start || !N->value || !c.seen || !met || !next)
        return VS_ERROR_MEMORY;
    for (int g = 0; g <= all; g++)
        N->row[g] = first_row(problem, g);
    vs_error error = problem->local      ? vs_sparse_transpose(&problem->N, scratch, &c.Nt)
                     : problem->identity ? list_columns(&c, scratch)
                                         : VS_OK;
    return error ? error : fill_rows(d, &c, met, next, arena);
}

// Position of column `col` in a group's ascending list.
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

// ---- the object ------------------------------------------------------------------------------------

vs_error vs_delassus_create(vs_delassus *d, const vs_scaled *problem, vs_arena *arena) {
    return vs_delassus_create_some(d, problem, NULL, arena);
}

vs_error vs_delassus_create_some(vs_delassus *d, const vs_scaled *problem, const bool *stored, vs_arena *arena) {
    *d = (vs_delassus){.context = arena->context, .problem = problem};
    int size = problem->m_e + problem->m, all = group_count(problem) + problem->ghost_cones;
    bool general = !problem->local && !problem->identity;
    d->group_of = VS_NEW(arena, int, size + problem->ghosts);
    d->wide_n = VS_NEW(arena, double, general ? (int64_t)VS_DELASSUS_COLUMNS * problem->n : 0);
    d->filled = VS_NEW(arena, int64_t, all);
    d->wide_m = VS_NEW(arena, double, general ? size : 0);
    if (!d->group_of || !d->wide_n || !d->filled || !d->wide_m)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < all; g++)
        for (int row = first_row(problem, g); row < first_row(problem, g + 1); row++)
            d->group_of[row] = g;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    vs_error error = create_rows(d, stored, arena, &scratch);
    if (!error && !problem->local && problem->identity)
        error = vs_delassus_pairs_create(&d->pairs, problem, &d->N, d->group_of, arena);
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

// The same of groups of any number of rows, from the columns s of A and t of B.
static inline void multiply_rows(const vs_jacobian *A, const vs_jacobian *B, int count, int s, int t,
                                 double *restrict out, int64_t ld) {
    for (int i = 0; i < A->rows; i++)
        for (int j = 0; j < B->rows; j++) {
            const double *a = A->x + (int64_t)i * A->width + s, *b = B->x + (int64_t)j * B->width + t;
            double sum = out[i * ld + j];
            for (int k = 0; k < count; k++)
                sum += a[k] * b[k];
            out[i * ld + j] = sum;
        }
}

// out (rows of A x rows of B, leading dimension ld) = A B' over their common columns: runs of a body's.
static void multiply_groups(const vs_jacobian *A, const vs_jacobian *B, double *out, int64_t ld) {
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
            multiply_rows(A, B, count, s, t, out, ld);
        }
        s += count;
        t += count;
    }
}

// sum + a'b, in this order
static inline double add_product(double sum, int count, const double *restrict a, const double *restrict b) {
    int k = 0;
    for (; k + 6 <= count; k += 6) // a body
        sum = sum + a[k] * b[k] + a[k + 1] * b[k + 1] + a[k + 2] * b[k + 2] + a[k + 3] * b[k + 3] +
              a[k + 4] * b[k + 4] + a[k + 5] * b[k + 5];
    for (; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

// N_hg = N_gh', at the next free columns of h.
static void mirror(vs_delassus *d, int g, int h, const double *from, int64_t ld) {
    const vs_rows *N = &d->N;
    const int rows = N->row[g + 1] - N->row[g], cols = N->row[h + 1] - N->row[h];
    const int64_t width = N->start[h + 1] - N->start[h];
    double *to = N->x + N->value[h] + d->filled[h];
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            to[j * width + i] = from[i * ld + j];
    d->filled[h] += rows;
}

// The blocks of a group of one row, as those below.
static void fill_row(vs_delassus *d, int g, const vs_jacobian *A) {
    const vs_rows *N = &d->N;
    const int64_t width = N->start[g + 1] - N->start[g];
    double *out = N->x + N->value[g] + d->filled[g];
    for (int64_t p = d->pairs.of[g]; p < d->pairs.of[g + 1]; p++) {
        const vs_delassus_pair *pair = &d->pairs.pair[p];
        const vs_jacobian B = vs_scaled_jacobian(d->problem, pair->h);
        for (int j = 0; j < pair->rows; j++) {
            const double *b = B.x + (int64_t)j * B.width;
            double sum = 0;
            for (int r = 0; r < pair->runs; r++)
                sum = add_product(sum, pair->run[r].count, A->x + pair->run[r].a, b + pair->run[r].b);
            out[j] = sum;
        }
        if (!pair->joints && pair->h > g && pair->h < N->groups)
            mirror(d, g, pair->h, out, width);
        for (int i = 0; i < pair->rows && pair->joints; i++)
            if (pair->h + i > g)
                N->x[N->value[pair->h + i] + d->filled[pair->h + i]++] = out[i];
        out += pair->rows;
    }
}

// The blocks of a group from its own one on, and their transposes: those before have come from the groups before.
static void fill_group(vs_delassus *d, int g) {
    const vs_rows *N = &d->N;
    const vs_jacobian A = vs_scaled_jacobian(d->problem, g);
    if (A.rows == 1) {
        fill_row(d, g, &A);
        return;
    }
    const int *col = N->col + N->start[g];
    const int64_t width = N->start[g + 1] - N->start[g];
    for (int64_t k = d->filled[g]; k < width;) {
        const int h = d->group_of[col[k]];
        const vs_jacobian B = vs_scaled_jacobian(d->problem, h);
        double *out = N->x + N->value[g] + k;
        assert(h >= g);
        multiply_groups(&A, &B, out, width);
        if (h > g && h < N->groups)
            mirror(d, g, h, out, width);
        k += B.rows;
    }
}

static void update_identity(vs_delassus *d) {
    memset(d->filled, 0, sizeof *d->filled * (size_t)d->N.groups);
    for (int g = 0; g < d->N.groups; g++)
        if (d->N.start[g + 1] > d->N.start[g])
            fill_group(d, g);
}

// v = H^-1 J'e_j, j = first … first + count - 1, in v (n count). The scaled H^-1 is G H^-1 G with the user's H.
// Distributed, one process has the rows, and all have their part of v.
static void solve_columns(vs_delassus *d, int first, int count, double *v) {
    const vs_scaled *problem = d->problem;
    int64_t n = problem->n;
    memset(v, 0, sizeof(double) * (size_t)(n * count));
    for (int j = first; j < first + count && j < d->N.cols; j++) {
        int g = d->group_of[j];
        vs_jacobian J = vs_scaled_jacobian(d->problem, g);
        double *right = v + (j - first) * n;
        for (int k = 0; k < J.width; k++)
            right[J.col[k]] = J.x[(j - d->N.row[g]) * J.width + k] * problem->G[J.col[k]];
    }
    for (int k = 0; k < count; k++)
        vs_space_assemble_end(problem->problem->space, v + k * n);
    if (vs_mass_solve_many(problem->mass->factor, count, v))
        memset(v, 0, sizeof(double) * (size_t)(n * count));
    for (int64_t k = 0; k < n * count; k++)
        v[k] *= problem->G[k % n];
}

// Blocks of columns: N e_j = J H^-1 J'e_j. A symmetric N is filled from below its diagonal: rounding leaves the rest
// slightly different, and methods may rely on symmetry.
static void update_general(vs_delassus *d) {
    const vs_scaled *problem = d->problem;
    vs_rows *N = &d->N;
    int cols = (int)vs_space_max(problem->problem->space, N->cols);
    for (int first = 0; first < cols; first += VS_DELASSUS_COLUMNS) {
        int count = cols - first < VS_DELASSUS_COLUMNS ? cols - first : VS_DELASSUS_COLUMNS;
        solve_columns(d, first, count, d->wide_n);
        for (int j = first; j < first + count && j < N->cols; j++) {
            const double *v = d->wide_n + (int64_t)(j - first) * problem->n;
            double *column = d->wide_m;
            vs_rows_multiply(&problem->C, 1, v, 0, column, d->context);
            vs_rows_multiply(&problem->D, 1, v, 0, column + problem->m_e, d->context);
            for (int row = problem->symmetric ? j : 0; row < N->rows; row++) {
                int h = d->group_of[row], g = d->group_of[j];
                N->x[N->value[h] + (int64_t)(row - N->row[h]) * N->cols + j] = column[row];
                if (problem->symmetric)
                    N->x[N->value[g] + (int64_t)(j - N->row[g]) * N->cols + row] = column[row];
            }
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

void vs_delassus_scale(vs_delassus *d, const double *scale) {
    const vs_rows *N = &d->N;
    double *x = N->x;
    for (int g = 0; g < N->groups; g++)
        for (int k = N->row[g]; k < N->row[g + 1]; k++)
            for (int64_t t = N->start[g]; t < N->start[g + 1]; t++)
                *x++ *= scale[k] * scale[N->col[t]];
}
