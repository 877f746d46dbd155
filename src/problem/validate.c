// Conditions on data from outside, with a message for each violation.
//
// Symmetry: |H_ij - H_ji| <= 1e-12 sqrt(H_ii H_jj). In a positive definite H the right-hand side bounds |H_ij|, so the
// test is relative, does not depend on units, and leaves room for sums of some thousand rounded terms. A block must
// pass it; a matrix that does not is a legal unsymmetric one, of which only the diagonal must be positive.
// Definiteness: Cholesky of blocks of at most 12 unknowns; a pivot below its own roundoff counts as zero.
// Of larger blocks only the diagonal is checked; the solver's factorization detects the rest.
#include "problem/validate.h"

#include <limits.h>
#include <assert.h>
#include <math.h>
#include <stdio.h>

#define SYMMETRY_TOLERANCE 1e-12
#define ROUNDOFF 2.2204460492503131e-16

enum { SMALL = 12, LABEL = 64 };

// "contact 5: " or "".
static const char *label(vs_where where, char text[LABEL]) {
    text[0] = 0;
    if (where.item)
        (void)snprintf(text, LABEL, "%s %d: ", where.item, where.index);
    return text;
}

vs_error vs_validate_count(vs_context *context, vs_where where, const char *what, int have, int64_t more) {
    char text[LABEL];
    if (more < 0)
        return vs_fail(context, VS_ERROR_DATA, "%snumber of %s is negative (%lld)", label(where, text), what,
                       (long long)more);
    // One below the largest int, so that offsets of count + 1 entries can be indexed by int.
    if (more > INT_MAX - 1 - (int64_t)have)
        return vs_fail(context, VS_ERROR_DATA, "%stoo many %s (%d and %lld more)", label(where, text), what, have,
                       (long long)more);
    return VS_OK;
}

vs_error vs_validate_number(vs_context *context, vs_where where, const char *name, double x, vs_sign sign) {
    char text[LABEL];
    if (!isfinite(x))
        return vs_fail(context, VS_ERROR_DATA, "%s%s is not finite (%g)", label(where, text), name, x);
    if (sign == VS_NOT_NEGATIVE && x < 0)
        return vs_fail(context, VS_ERROR_DATA, "%s%s is negative (%g)", label(where, text), name, x);
    return VS_OK;
}

vs_error vs_validate_vector(vs_context *context, vs_where where, const char *name, const double *x, int64_t count,
                            vs_sign sign) {
    char text[LABEL];
    if (count > 0 && !x)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s%s is null", label(where, text), name);
    for (int64_t k = 0; k < count; k++) {
        if (!isfinite(x[k]))
            return vs_fail(context, VS_ERROR_DATA, "%s%s[%lld] is not finite (%g)", label(where, text), name,
                           (long long)k, x[k]);
        if (sign == VS_NOT_NEGATIVE && x[k] < 0)
            return vs_fail(context, VS_ERROR_DATA, "%s%s[%lld] is negative (%g)", label(where, text), name,
                           (long long)k, x[k]);
    }
    return VS_OK;
}

vs_error vs_validate_bounds(vs_context *context, vs_where where, const double *lo, const double *hi, int64_t count) {
    char text[LABEL];
    vs_error error = vs_validate_vector(context, where, "lo", lo, count, VS_ANY_SIGN);
    if (!error)
        error = vs_validate_vector(context, where, "hi", hi, count, VS_ANY_SIGN);
    for (int64_t k = 0; !error && k < count; k++)
        if (lo[k] > hi[k])
            error = vs_fail(context, VS_ERROR_DATA, "%slo[%lld] = %g is above hi[%lld] = %g", label(where, text),
                            (long long)k, lo[k], (long long)k, hi[k]);
    return error;
}

vs_error vs_validate_compliance(vs_context *context, const double *E, int contacts, const int *row,
                                const vs_cone_kind *kind) {
    vs_error error = vs_validate_vector(context, (vs_where){0}, "E", E, row[contacts], VS_NOT_NEGATIVE);
    for (int i = 0; !error && i < contacts; i++)
        for (int k = row[i] + 1; !error && kind[i] >= VS_CONE_SECOND_ORDER && k < row[i + 1]; k++)
            if (E[k] != 0)
                error =
                    vs_fail(context, VS_ERROR_DATA,
                            "E[%d] is %g, but this row of contact %d is tangential: only normal rows may be compliant",
                            k, E[k], i);
    return error;
}

vs_error vs_validate_touched(vs_context *context, vs_where where, int count, const int *block,
                             const double *const *jacobian, int existing) {
    char text[LABEL];
    if (count < 1)
        return vs_fail(context, VS_ERROR_DATA, "%snumber of blocks is %d, must be at least 1", label(where, text),
                       count);
    if (!block || !jacobian)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s%s is null", label(where, text), block ? "jacobian" : "block");
    for (int k = 0; k < count; k++) {
        if (block[k] < 0 || block[k] >= existing)
            return vs_fail(context, VS_ERROR_DATA, "%sblock %d does not exist (%d blocks)", label(where, text),
                           block[k], existing);
        if (!jacobian[k])
            return vs_fail(context, VS_ERROR_ARGUMENT, "%sjacobian[%d] is null", label(where, text), k);
    }
    return VS_OK;
}

// ---- H --------------------------------------------------------------------------------------------------

// Cholesky A = L L' in place of the lower triangle; A row-major (n x n), n <= SMALL. False when a pivot is not
// above the roundoff of its diagonal entry.
static bool factor_small(int n, double *A) {
    assert(n >= 1 && n <= SMALL);
    for (int j = 0; j < n; j++) {
        const double diagonal = A[j * n + j];
        double pivot = diagonal;
        for (int k = 0; k < j; k++)
            pivot -= A[j * n + k] * A[j * n + k];
        if (!(pivot > n * ROUNDOFF * diagonal))
            return false;
        const double root = sqrt(pivot);
        A[j * n + j] = root;
        for (int i = j + 1; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = sum / root;
        }
    }
    return true;
}

// |H_ij - H_ji| beyond roundoff? Separate square roots: the product of two masses may leave the range of double.
static bool differ(double a, double b, double H_ii, double H_jj) {
    return fabs(a - b) > SYMMETRY_TOLERANCE * (sqrt(H_ii) * sqrt(H_jj));
}

// Are there nothing but zeros beside the diagonal?
static bool is_diagonal(int dofs, const double *H) {
    bool other = false;
    for (int64_t i = 0; i < dofs; i++)
        for (int64_t j = 0; j < dofs; j++)
            other |= i != j && H[i * dofs + j] != 0;
    return !other;
}

vs_error vs_validate_block(vs_context *context, int index, int dofs, const double *H) {
    for (int64_t i = 0; i < dofs; i++) {
        for (int64_t j = 0; j < dofs; j++)
            if (!isfinite(H[i * dofs + j]))
                return vs_fail(context, VS_ERROR_DATA, "H of block %d: entry (%lld, %lld) is not finite (%g)", index,
                               (long long)i, (long long)j, H[i * dofs + j]);
        if (H[i * dofs + i] <= 0)
            return vs_fail(context, VS_ERROR_DATA, "H of block %d is not positive definite: diagonal entry %lld is %g",
                           index, (long long)i, H[i * dofs + i]);
    }
    if (is_diagonal(dofs, H))
        return VS_OK;
    for (int64_t i = 0; i < dofs; i++)
        for (int64_t j = 0; j < i; j++)
            if (differ(H[i * dofs + j], H[j * dofs + i], H[i * dofs + i], H[j * dofs + j]))
                return vs_fail(context, VS_ERROR_DATA,
                               "H of block %d is not symmetric: entry (%lld, %lld) is %.17g, its mirror %.17g", index,
                               (long long)i, (long long)j, H[i * dofs + j], H[j * dofs + i]);
    if (dofs > SMALL)
        return VS_OK;
    double A[SMALL * SMALL] = {0};
    for (int k = 0; k < dofs * dofs; k++)
        A[k] = H[k];
    if (!factor_small(dofs, A))
        return vs_fail(context, VS_ERROR_DATA, "H of block %d is not positive definite", index);
    return VS_OK;
}

vs_error vs_validate_definite(vs_context *context, const vs_sparse *H, int blocks, const int *block) {
    double A[SMALL * SMALL] = {0};
    for (int g = 0; g < blocks; g++) {
        const int first = block[g], n = block[g + 1] - first;
        if (n > SMALL)
            continue;
        for (int k = 0; k < n * n; k++)
            A[k] = 0;
        for (int j = 0; j < n; j++)
            for (int64_t k = H->p[first + j]; k < H->p[first + j + 1]; k++)
                A[(H->i[k] - first) * n + j] = H->x[k];
        if (!factor_small(n, A))
            return vs_fail(context, VS_ERROR_DATA, "H is not positive definite in the unknowns %d to %d", first,
                           first + n - 1);
    }
    return VS_OK;
}

// Diagonal entry of column j, 0 if it is missing.
static double diagonal_of(const vs_sparse *H, int j) {
    for (int64_t k = H->p[j]; k < H->p[j + 1]; k++)
        if (H->i[k] == j)
            return H->x[k];
    return 0;
}

vs_error vs_validate_diagonal(vs_context *context, const vs_sparse *H) {
    for (int j = 0; j < H->cols; j++) {
        const double H_jj = diagonal_of(H, j);
        if (!(H_jj > 0))
            return vs_fail(context, VS_ERROR_DATA, "H is not positive definite: diagonal entry %d is %g", j, H_jj);
    }
    return VS_OK;
}

bool vs_validate_is_symmetric(const vs_sparse *H, const vs_sparse *Ht, vs_mirrored *found) {
    // Columns of H and of H' side by side; an entry of only one of them is compared with zero.
    for (int j = 0; j < H->cols; j++) {
        int64_t k = H->p[j], l = Ht->p[j];
        const double H_jj = diagonal_of(H, j);
        while (k < H->p[j + 1] || l < Ht->p[j + 1]) {
            const int row_k = k < H->p[j + 1] ? H->i[k] : INT_MAX, row_l = l < Ht->p[j + 1] ? Ht->i[l] : INT_MAX;
            const int i = row_k < row_l ? row_k : row_l;
            const double a = row_k == i ? H->x[k++] : 0, b = row_l == i ? Ht->x[l++] : 0;
            if (a != b && differ(a, b, diagonal_of(H, i), H_jj)) {
                *found = (vs_mirrored){i, j, a, b};
                return false;
            }
        }
    }
    return true;
}

// ---- sparse matrices ------------------------------------------------------------------------------------

static vs_error validate_pointers(vs_context *context, const char *name, const vs_matrix_view *A) {
    if (A->p[0] != 0)
        return vs_fail(context, VS_ERROR_DATA, "%s.p[0] is %lld, not 0", name, (long long)A->p[0]);
    for (int j = 0; j < A->cols; j++)
        if (A->p[j + 1] < A->p[j])
            return vs_fail(context, VS_ERROR_DATA, "%s.p[%d] is %lld, below %s.p[%d] = %lld", name, j + 1,
                           (long long)A->p[j + 1], name, j, (long long)A->p[j]);
        else if (A->p[j + 1] - A->p[j] > A->rows)
            return vs_fail(context, VS_ERROR_DATA, "%s: column %d has %lld entries (%d rows)", name, j,
                           (long long)(A->p[j + 1] - A->p[j]), A->rows);
    if (A->p[A->cols] > 0 && (!A->i || !A->x))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s.%s is null", name, A->i ? "x" : "i");
    return VS_OK;
}

vs_error vs_validate_matrix(vs_context *context, const char *name, const vs_matrix_view *A, int rows, int cols) {
    if (A->rows != rows || A->cols != cols)
        return vs_fail(context, VS_ERROR_DATA, "%s is %d x %d, not %d x %d", name, A->rows, A->cols, rows, cols);
    if (!A->p)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s.p is null", name);
    vs_error error = validate_pointers(context, name, A);
    for (int j = 0; !error && j < cols; j++) {
        for (int64_t k = A->p[j]; !error && k < A->p[j + 1]; k++) {
            const int i = A->i[k];
            if (i < 0 || i >= rows)
                error = vs_fail(context, VS_ERROR_DATA, "%s.i[%lld] is %d, out of range (%d rows)", name, (long long)k,
                                i, rows);
            else if (k > A->p[j] && i <= A->i[k - 1])
                error = vs_fail(context, VS_ERROR_DATA, "%s.i[%lld]: row %d %s in column %d", name, (long long)k, i,
                                i == A->i[k - 1] ? "is repeated" : "is not in ascending order", j);
            else if (!isfinite(A->x[k]))
                error = vs_fail(context, VS_ERROR_DATA, "%s.x[%lld] is not finite (%g)", name, (long long)k, A->x[k]);
        }
    }
    return error;
}
