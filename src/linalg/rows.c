// Grouped rows: products with the Jacobian of contacts, group by group as small dense matrices.
//
//     y = alpha A x + beta y      x[col] is read once for the three rows of a contact
//     y = y + alpha A'x           y[col] is written once for the three rows of a contact
//
// Sums over columns run in four lanes (k mod 4) that are added at the end in a fixed order: the compiler may put the
// lanes into vector registers without being allowed to reorder, and the bits are the same for every build.
// The transposed product is serial: groups share columns, and their order fixes the order of the additions.
#include "linalg/rows.h"

#include <assert.h>
#include <string.h>

enum {
    LANES = 4,
    GRAIN = 2048 // groups; about 40 us of work for contacts of two bodies
};

// ---- conversion ------------------------------------------------------------------------------------

// Visits the columns in ascending order and counts each once in every group it occurs in: count (groups).
// With col, stores it at col[start[g] + …]. last (groups): the column a group saw last. A: rows as stored rows.
static void collect_columns(const vs_sparse *A, const int *group_of_row, const int64_t *start, int groups, int *last,
                            int64_t *count, int *col) {
    for (int g = 0; g < groups; g++) {
        last[g] = -1;
        count[g] = 0;
    }
    for (int c = 0; c < A->cols; c++) {
        for (int64_t k = A->p[c]; k < A->p[c + 1]; k++) {
            int g = group_of_row[A->i[k]];
            if (last[g] == c)
                continue;
            last[g] = c;
            if (col)
                col[start[g] + count[g]] = c;
            count[g]++;
        }
    }
}

// Scatters column r of At over the (ascending) columns of its group; both ascend, so one walk suffices.
static void store_row(const vs_sparse *At, int r, const int *col, double *x) {
    int64_t place = 0;
    for (int64_t k = At->p[r]; k < At->p[r + 1]; k++) {
        while (col[place] < At->i[k])
            place++;
        x[place] = At->x[k];
    }
}

// Finds start, col and value of the groups.
static vs_error find_pattern(const vs_sparse *At, vs_arena *arena, vs_rows *A) {
    vs_arena work;
    vs_arena_init(&work, arena->context);
    vs_sparse by_columns;
    int *group_of_row = VS_NEW(&work, int, A->rows);
    int *last = VS_NEW(&work, int, A->groups);
    int64_t *count = VS_NEW(&work, int64_t, A->groups);
    vs_error error = group_of_row && last && count ? VS_OK : VS_ERROR_MEMORY;
    if (!error)
        error = vs_sparse_transpose(At, &work, &by_columns);
    if (error)
        goto cleanup;

    for (int g = 0; g < A->groups; g++) {
        for (int r = A->row[g]; r < A->row[g + 1]; r++)
            group_of_row[r] = g;
    }
    collect_columns(&by_columns, group_of_row, NULL, A->groups, last, count, NULL);
    for (int g = 0; g < A->groups; g++) {
        A->start[g + 1] = A->start[g] + count[g];
        A->value[g + 1] = A->value[g] + count[g] * (A->row[g + 1] - A->row[g]);
    }
    A->col = VS_NEW(arena, int, A->start[A->groups]);
    if (!A->col) {
        error = VS_ERROR_MEMORY;
        goto cleanup;
    }
    collect_columns(&by_columns, group_of_row, A->start, A->groups, last, count, A->col);

cleanup:
    vs_arena_release(&work);
    return error;
}

vs_error vs_rows_from_transpose(const vs_sparse *At, int groups, const int *row, vs_arena *arena, vs_rows *A) {
    assert(row[0] == 0 && row[groups] == At->cols);
    *A = (vs_rows){.groups = groups, .rows = At->cols, .cols = At->rows};
    A->row = VS_COPY(arena, int, row, (int64_t)groups + 1);
    A->start = VS_NEW_ZERO(arena, int64_t, (int64_t)groups + 1);
    A->value = VS_NEW_ZERO(arena, int64_t, (int64_t)groups + 1);
    if (!A->row || !A->start || !A->value)
        return VS_ERROR_MEMORY;
    vs_error error = find_pattern(At, arena, A);
    if (error)
        return error;
    A->x = VS_NEW_ZERO(arena, double, A->value[groups]);
    if (!A->x)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++) {
        int64_t width = A->start[g + 1] - A->start[g];
        for (int r = row[g]; r < row[g + 1]; r++)
            store_row(At, r, A->col + A->start[g], A->x + A->value[g] + (r - row[g]) * width);
    }
    return VS_OK;
}

vs_error vs_rows_to_transpose(const vs_rows *A, vs_arena *arena, vs_sparse *At) {
    int64_t nonzeros = 0;
    for (int64_t k = 0; k < A->value[A->groups]; k++)
        nonzeros += A->x[k] != 0;
    *At = (vs_sparse){.rows = A->cols, .cols = A->rows};
    At->p = VS_NEW_ZERO(arena, int64_t, (int64_t)A->rows + 1);
    At->i = VS_NEW(arena, int, nonzeros);
    At->x = VS_NEW(arena, double, nonzeros);
    if (!At->p || !At->i || !At->x)
        return VS_ERROR_MEMORY;

    int64_t to = 0;
    for (int g = 0; g < A->groups; g++) {
        const double *x = A->x + A->value[g];
        for (int r = A->row[g]; r < A->row[g + 1]; r++) {
            for (int64_t k = A->start[g]; k < A->start[g + 1]; k++, x++) {
                if (*x == 0)
                    continue;
                At->i[to] = A->col[k];
                At->x[to++] = *x;
            }
            At->p[r + 1] = to;
        }
    }
    return VS_OK;
}

// ---- products --------------------------------------------------------------------------------------

typedef double two_lanes __attribute__((vector_size(16), aligned(8), may_alias)); // lanes

static inline double add_lanes(const double s[LANES]) {
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static inline void put(double alpha, double sum, double beta, double *y) {
    *y = beta == 0 ? alpha * sum : alpha * sum + beta * *y;
}

// The three rows of a contact. Inlined with a constant width for the usual ones, so that the loops vanish.
static inline void multiply_contact(int64_t width, const double *restrict a, const int *restrict col, double alpha,
                                    const double *restrict x, double beta, double *restrict y) {
    double n[LANES] = {0}, u[LANES] = {0}, w[LANES] = {0};
    for (int64_t k = 0; k < width; k += LANES) {
        for (int l = 0; l < LANES && k + l < width; l++) {
            double v = x[col[k + l]];
            n[l] += a[k + l] * v;
            u[l] += a[width + k + l] * v;
            w[l] += a[2 * width + k + l] * v;
        }
    }
    put(alpha, add_lanes(n), beta, y);
    put(alpha, add_lanes(u), beta, y + 1);
    put(alpha, add_lanes(w), beta, y + 2);
}

static void multiply_group(int rows, int64_t width, const double *a, const int *col, double alpha, const double *x,
                           double beta, double *y) {
    for (int r = 0; r < rows; r++, a += width) {
        two_lanes low = {0, 0}, high = {0, 0};
        int64_t k = 0;
        for (; k + LANES <= width; k += LANES) {
            const double *v = x + col[k];
            const bool neighbours = col[k + LANES - 1] - col[k] == LANES - 1;
            low +=
                *(const two_lanes *)(a + k) * (neighbours ? *(const two_lanes *)v : (two_lanes){v[0], x[col[k + 1]]});
            high += *(const two_lanes *)(a + k + 2) *
                    (neighbours ? *(const two_lanes *)(v + 2) : (two_lanes){x[col[k + 2]], x[col[k + 3]]});
        }
        double s[LANES] = {low[0], low[1], high[0], high[1]};
        for (int l = 0; k < width; k++, l++)
            s[l] += a[k] * x[col[k]];
        put(alpha, add_lanes(s), beta, y + r);
    }
}

// The rows of a joint between two bodies, whose columns are two runs of six.
static inline bool is_of_two_bodies(int64_t width, const int *col) {
    return width == 12 && col[5] - col[0] == 5 && col[11] - col[6] == 5;
}

static void multiply_bodies(int rows, const double *a, const int *col, double alpha, const double *x, double beta,
                            double *y) {
    const double *p = x + col[0], *q = x + col[6];
    const two_lanes v[6] = {*(const two_lanes *)p, *(const two_lanes *)(p + 2), *(const two_lanes *)(p + 4),
                            *(const two_lanes *)q, *(const two_lanes *)(q + 2), *(const two_lanes *)(q + 4)};
    const two_lanes zero = {0, 0};
    for (int r = 0; r < rows; r++, a += 12) {
        const two_lanes *A = (const two_lanes *)a;
        const two_lanes low = zero + A[0] * v[0] + A[2] * v[2] + A[4] * v[4];
        const two_lanes high = zero + A[1] * v[1] + A[3] * v[3] + A[5] * v[5];
        put(alpha, (low[0] + low[1]) + (high[0] + high[1]), beta, y + r);
    }
}

typedef struct product {
    const vs_rows *A;
    double alpha, beta;
    const double *x; // (cols)
    double *y;       // (rows)
} product;

static void multiply_groups(void *user, int64_t begin, int64_t end) {
    const product p = *(const product *)user;
    const vs_rows *A = p.A;
    for (int64_t g = begin; g < end; g++) {
        int rows = A->row[g + 1] - A->row[g];
        int64_t width = A->start[g + 1] - A->start[g];
        const double *a = A->x + A->value[g];
        const int *col = A->col + A->start[g];
        double *y = p.y + A->row[g];
        if (rows == 3 && width == 12)
            multiply_contact(12, a, col, p.alpha, p.x, p.beta, y);
        else if (rows == 3 && width == 6)
            multiply_contact(6, a, col, p.alpha, p.x, p.beta, y);
        else if (rows == 3)
            multiply_contact(width, a, col, p.alpha, p.x, p.beta, y);
        else if (is_of_two_bodies(width, col))
            multiply_bodies(rows, a, col, p.alpha, p.x, p.beta, y);
        else
            multiply_group(rows, width, a, col, p.alpha, p.x, p.beta, y);
    }
}

void vs_rows_multiply(const vs_rows *A, double alpha, const double *x, double beta, double *y, vs_context *context) {
    product p = {.A = A, .alpha = alpha, .beta = beta, .x = x, .y = y};
    vs_parallel_for(context, A->groups, GRAIN, multiply_groups, &p);
}

// y[col] += a' f of three rows, f = alpha x
static inline void scatter_contact(int64_t width, const double *restrict a, const int *restrict col, const double f[3],
                                   double *restrict y) {
    for (int64_t k = 0; k < width; k++)
        y[col[k]] += (a[k] * f[0] + a[width + k] * f[1]) + a[2 * width + k] * f[2];
}

void vs_rows_multiply_t_add(const vs_rows *A, double alpha, const double *x, double *y) {
    for (int g = 0; g < A->groups; g++) {
        int rows = A->row[g + 1] - A->row[g];
        int64_t width = A->start[g + 1] - A->start[g];
        const double *a = A->x + A->value[g];
        const int *col = A->col + A->start[g];
        const double *l = x + A->row[g];
        if (rows == 3) {
            double f[3] = {alpha * l[0], alpha * l[1], alpha * l[2]};
            if (width == 12)
                scatter_contact(12, a, col, f, y);
            else
                scatter_contact(width, a, col, f, y);
            continue;
        }
        for (int r = 0; r < rows; r++) {
            double f = alpha * l[r];
            for (int64_t k = 0; k < width; k++)
                y[col[k]] += a[r * width + k] * f;
        }
    }
}
