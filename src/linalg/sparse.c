// Sparse matrices by compressed columns: copy, transpose, assembly from triplets, products, asymmetry.
//
// Sorting is by counting (stable, linear in nonzeros and dimensions): duplicates are summed in the order in which they
// came, so that the result has the same bits on every machine. Products are serial, in the order of the columns.
// Does not multiply matrices and does not factor.
#include "linalg/sparse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static vs_error allocate_sparse(int rows, int cols, int64_t nonzeros, vs_arena *arena, vs_sparse *A) {
    *A = (vs_sparse){.rows = rows, .cols = cols};
    A->p = VS_NEW_ZERO(arena, int64_t, (int64_t)cols + 1);
    A->i = VS_NEW(arena, int, nonzeros);
    A->x = VS_NEW(arena, double, nonzeros);
    return A->p && A->i && A->x ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_sparse_copy(const vs_sparse *A, vs_arena *arena, vs_sparse *copy) {
    int64_t nonzeros = A->p[A->cols];
    vs_error error = allocate_sparse(A->rows, A->cols, nonzeros, arena, copy);
    if (error)
        return error;
    memcpy(copy->p, A->p, ((size_t)A->cols + 1) * sizeof *A->p);
    if (nonzeros > 0) {
        memcpy(copy->i, A->i, (size_t)nonzeros * sizeof *A->i);
        memcpy(copy->x, A->x, (size_t)nonzeros * sizeof *A->x);
    }
    return VS_OK;
}

// Counts held in p[1 … count] become first positions p[0 … count], p[0] = 0.
static void accumulate(int count, int64_t *p) {
    for (int k = 0; k < count; k++)
        p[k + 1] += p[k];
}

// After filling with p[k]++ for every entry, p[k] is where k ended, which is where k + 1 begins.
static void shift_back(int count, int64_t *p) {
    memmove(p + 1, p, (size_t)count * sizeof *p);
    p[0] = 0;
}

vs_error vs_sparse_transpose(const vs_sparse *A, vs_arena *arena, vs_sparse *At) {
    int64_t nonzeros = A->p[A->cols];
    vs_error error = allocate_sparse(A->cols, A->rows, nonzeros, arena, At);
    if (error)
        return error;
    for (int64_t k = 0; k < nonzeros; k++)
        At->p[A->i[k] + 1]++;
    accumulate(At->cols, At->p);
    for (int c = 0; c < A->cols; c++) {
        for (int64_t k = A->p[c]; k < A->p[c + 1]; k++) {
            int64_t to = At->p[A->i[k]]++;
            At->i[to] = c;
            At->x[to] = A->x[k];
        }
    }
    shift_back(At->cols, At->p);
    return VS_OK;
}

// order (count): the triplets sorted by key, stable; `before` (count) is the order to start from, null: as they are.
// first (keys + 1): zero on entry, first position of each key afterwards.
static void sort_by_key(int keys, int64_t count, const int *key, const int64_t *before, int64_t *first,
                        int64_t *order) {
    for (int64_t k = 0; k < count; k++)
        first[key[k] + 1]++;
    accumulate(keys, first);
    for (int64_t k = 0; k < count; k++) {
        int64_t triplet = before ? before[k] : k;
        order[first[key[triplet]]++] = triplet;
    }
    shift_back(keys, first);
}

// Walks the sorted triplets; with A it stores them, duplicates summed. Returns the number of distinct places.
static int64_t compress(const int64_t *first, const int64_t *order, int cols, const int *row, const double *x,
                        vs_sparse *A) {
    int64_t places = 0;
    for (int c = 0; c < cols; c++) {
        int last = -1;
        for (int64_t k = first[c]; k < first[c + 1]; k++) {
            int64_t triplet = order[k];
            bool is_new = row[triplet] != last;
            last = row[triplet];
            places += is_new;
            if (A) {
                A->i[places - 1] = last;
                A->x[places - 1] = (is_new ? 0 : A->x[places - 1]) + x[triplet];
            }
        }
        if (A)
            A->p[c + 1] = places;
    }
    return places;
}

vs_error vs_sparse_from_triplets(int rows, int cols, int64_t count, const int *row, const int *col, const double *x,
                                 vs_arena *arena, vs_sparse *A) {
    *A = (vs_sparse){.rows = rows, .cols = cols};
    for (int64_t k = 0; k < count; k++) {
        if (row[k] < 0 || row[k] >= rows || col[k] < 0 || col[k] >= cols)
            return vs_fail(arena->context, VS_ERROR_DATA, "triplet %lld: position (%d, %d) is outside a %d x %d matrix",
                           (long long)k, row[k], col[k], rows, cols);
    }
    vs_arena work;
    vs_arena_init(&work, arena->context);
    vs_error error = VS_ERROR_MEMORY;
    int64_t *first_row = VS_NEW_ZERO(&work, int64_t, (int64_t)rows + 1);
    int64_t *first_col = VS_NEW_ZERO(&work, int64_t, (int64_t)cols + 1);
    int64_t *by_row = VS_NEW(&work, int64_t, count);
    int64_t *by_col = VS_NEW(&work, int64_t, count);
    if (!first_row || !first_col || !by_row || !by_col)
        goto cleanup;

    // By rows first: the second sort is stable, hence rows ascend within a column.
    sort_by_key(rows, count, row, NULL, first_row, by_row);
    sort_by_key(cols, count, col, by_row, first_col, by_col);
    int64_t places = compress(first_col, by_col, cols, row, x, NULL);
    error = allocate_sparse(rows, cols, places, arena, A);
    if (!error)
        (void)compress(first_col, by_col, cols, row, x, A);

cleanup:
    vs_arena_release(&work);
    return error;
}

// y <- beta y; beta = 0 does not read y, which may be uninitialized.
static void scale(int count, double beta, double *y) {
    for (int k = 0; k < count; k++)
        y[k] = beta == 0 ? 0 : beta * y[k];
}

void vs_sparse_multiply(const vs_sparse *A, double alpha, const double *x, double beta, double *y) {
    scale(A->rows, beta, y);
    for (int c = 0; c < A->cols; c++) {
        double factor = alpha * x[c];
        for (int64_t k = A->p[c]; k < A->p[c + 1]; k++)
            y[A->i[k]] += factor * A->x[k];
    }
}

void vs_sparse_multiply_t(const vs_sparse *A, double alpha, const double *x, double beta, double *y) {
    for (int c = 0; c < A->cols; c++) {
        double sum = 0;
        for (int64_t k = A->p[c]; k < A->p[c + 1]; k++)
            sum += A->x[k] * x[A->i[k]];
        y[c] = alpha * sum + (beta == 0 ? 0 : beta * y[c]);
    }
}

// Largest |difference| of two columns, merged by rows; a missing entry is zero.
static double compare_columns(const vs_sparse *A, const vs_sparse *B, int c) {
    double difference = 0;
    int64_t a = A->p[c], b = B->p[c];
    while (a < A->p[c + 1] || b < B->p[c + 1]) {
        int row_a = a < A->p[c + 1] ? A->i[a] : A->rows;
        int row_b = b < B->p[c + 1] ? B->i[b] : B->rows;
        double x_a = row_a <= row_b ? A->x[a++] : 0;
        double x_b = row_b <= row_a ? B->x[b++] : 0;
        difference = fmax(difference, fabs(x_a - x_b));
    }
    return difference;
}

vs_error vs_sparse_asymmetry(const vs_sparse *A, vs_context *context, double *difference, double *largest) {
    assert(A->rows == A->cols);
    *difference = *largest = 0;
    vs_arena work;
    vs_arena_init(&work, context);
    vs_sparse At;
    vs_error error = vs_sparse_transpose(A, &work, &At);
    if (error)
        goto cleanup;
    for (int c = 0; c < A->cols; c++)
        *difference = fmax(*difference, compare_columns(A, &At, c));
    for (int64_t k = 0; k < A->p[A->cols]; k++)
        *largest = fmax(*largest, fabs(A->x[k]));

cleanup:
    vs_arena_release(&work);
    return error;
}
