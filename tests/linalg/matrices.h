// Matrices for the tests of orderings and linear solvers: random sparse ones and grids, of the three kinds that
// backends claim. All are made so that their inertia and the sign of their determinant are known without factoring.
#ifndef VS_TESTS_LINALG_MATRICES_H
#define VS_TESTS_LINALG_MATRICES_H

#include "kit/random.h"
#include "kit/test.h"
#include "linalg/linear_solver.h"

typedef enum matrix_kind { DEFINITE, QUASI_DEFINITE, UNSYMMETRIC, KINDS } matrix_kind;

typedef struct matrix {
    matrix_kind kind;
    int n;
    int64_t *p; // (n + 1)
    int *i;     // (p[n])
    double *x;  // (p[n])
    int *group; // (groups + 1)
    int groups;
    int negative; // negative diagonal entries
} matrix;

static inline bool is_negative(const matrix *A, int j) {
    return A->kind != DEFINITE && j % 3 == 2;
}

// Values: off-diagonals in (-1, 1). Definite and unsymmetric: |diagonal| > sum of the row (and of the column), so that
// det A has the sign of the diagonal's product. Quasi-definite [H D'; D -E] with the unknowns of H and E mixed: H and E
// are dominant, D is not bounded by them.
static inline void fill_values(matrix *A, uint64_t seed) {
    double *sum = calloc((size_t)A->n, sizeof *sum);
    A->negative = 0;
    for (int j = 0; j < A->n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            int i = A->i[k];
            A->x[k] = random_in(&seed, -1, 1);
            if (i != j && (A->kind != QUASI_DEFINITE || is_negative(A, i) == is_negative(A, j))) {
                sum[i] += fabs(A->x[k]);
                sum[j] += fabs(A->x[k]);
            }
        }
    }
    for (int j = 0; j < A->n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            if (A->i[k] == j)
                A->x[k] = (is_negative(A, j) ? -1 : 1) * (sum[j] + 0.6 + 0.5 * random_in(&seed, -1, 1));
        }
        A->negative += is_negative(A, j);
    }
    free(sum);
}

// From a symmetric relation between unknowns; consecutive unknowns in groups of 1, 2, 3, 1, 2, …
static inline matrix make_matrix(matrix_kind kind, int n, bool (*linked)(int i, int j, int n, void *user), void *user) {
    matrix A = {.kind = kind, .n = n};
    A.p = calloc((size_t)n + 1, sizeof *A.p);
    A.group = calloc((size_t)n + 1, sizeof *A.group);
    for (int pass = 0; pass < 2; ++pass) {
        int64_t count = 0;
        for (int j = 0; j < n; ++j) {
            for (int i = kind == UNSYMMETRIC ? 0 : j; i < n; ++i) {
                if (i != j && !linked(i < j ? i : j, i < j ? j : i, n, user))
                    continue;
                if (pass == 1)
                    A.i[count] = i;
                ++count;
            }
            A.p[j + 1] = count;
        }
        if (pass == 0) {
            A.i = calloc((size_t)count, sizeof *A.i);
            A.x = calloc((size_t)count, sizeof *A.x);
        }
    }
    for (int j = 0; j < n; j += 1 + A.groups % 3)
        A.group[A.groups++] = j;
    A.group[A.groups] = n;
    fill_values(&A, 7);
    return A;
}

// Grid of given width, natural numbering, 5-point stencil. user: int width.
static inline bool linked_grid(int i, int j, int n, void *user) {
    int width = *(int *)user;
    (void)n;
    return j - i == width || (j - i == 1 && j % width != 0);
}

// About four random neighbours each.
static inline bool linked_random(int i, int j, int n, void *user) {
    uint64_t seed = ((uint64_t)i * 2654435761u + (uint64_t)j) * 40503u + 12345u;
    (void)user;
    random_in(&seed, -1, 1);
    return fabs(random_in(&seed, -1, 1)) * n < 4;
}

static inline matrix make_grid(matrix_kind kind, int n) {
    int width = (int)ceil(sqrt(n));
    return make_matrix(kind, n, linked_grid, &width);
}

static inline matrix make_random(matrix_kind kind, int n) {
    return make_matrix(kind, n, linked_random, NULL);
}

static inline void free_matrix(matrix *A) {
    free(A->p);
    free(A->i);
    free(A->x);
    free(A->group);
    *A = (matrix){0};
}

static inline vs_linear_pattern pattern_of(const matrix *A) {
    return (vs_linear_pattern){.n = A->n,
                               .p = A->p,
                               .i = A->i,
                               .symmetric = A->kind != UNSYMMETRIC,
                               .definite = A->kind == DEFINITE,
                               .groups = A->groups,
                               .group = A->group};
}

// max |b - A x| / (max row sum of |A| max |x| + max |b|)
static inline double backward_error(const matrix *A, const double *x, const double *b) {
    double *r = malloc((size_t)A->n * sizeof *r), *sum = calloc((size_t)A->n, sizeof *sum);
    double worst = 0, rows = 0, largest_x = 0, largest_b = 0;
    memcpy(r, b, (size_t)A->n * sizeof *r);
    for (int j = 0; j < A->n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            r[A->i[k]] -= A->x[k] * x[j];
            sum[A->i[k]] += fabs(A->x[k]);
            if (A->kind != UNSYMMETRIC && A->i[k] != j) {
                r[j] -= A->x[k] * x[A->i[k]];
                sum[j] += fabs(A->x[k]);
            }
        }
    }
    for (int j = 0; j < A->n; ++j) {
        worst = fmax(worst, fabs(r[j]));
        rows = fmax(rows, sum[j]);
        largest_x = fmax(largest_x, fabs(x[j]));
        largest_b = fmax(largest_b, fabs(b[j]));
    }
    free(r);
    free(sum);
    return worst / (rows * largest_x + largest_b);
}

#endif
