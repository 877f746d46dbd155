// The dense LU of a small system: see dense_lu.h.
#include "solver/coulomb/linear_system/dense_lu.h"

#include <math.h>
#include <string.h>

#include "solver/coulomb/linear_system/form_parts.h"

void vs_dense_lu_assemble(vs_linear_system *system, const double *P, const double *Q) {
    const vs_impulse_problem *island = system->island;
    const vs_rows *N = &island->N;
    int size = N->rows;
    for (int g = 0; g < N->groups; g++) {
        int width = (int)(N->start[g + 1] - N->start[g]), first = N->row[g], rows = N->row[g + 1] - first;
        const int *col = N->col + N->start[g];
        for (int i = 0; i < rows; i++) {
            double row[VS_ISLAND_SMALL], *out = system->shared.dense + (size_t)(first + i) * (size_t)size;
            bool full = width == size;
            vs_linear_system_multiply_row(N->x + N->value[g], width, rows, Q ? Q + vs_impulse_block(island, g) : NULL,
                                          island->ld, i, width, full ? out : row);
            if (!full) {
                memset(out, 0, sizeof(double) * (size_t)size);
                for (int k = 0; k < width; k++)
                    out[col[k]] = row[k];
            }
            for (int j = 0; j < rows; j++)
                out[first + j] += vs_linear_system_diagonal_entry(island, g, P, Q, i, j);
        }
    }
}

// A = P^-1 L U by rows, partial pivoting.
bool vs_dense_lu_factor(vs_linear_system *system) {
    int n = system->island->rows, sign = 1;
    double *A = system->shared.dense, largest = 0, least = INFINITY;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
                p = i;
        system->shared.pivot[k] = p;
        if (p != k) {
            sign = -sign;
            for (int j = 0; j < n; j++) {
                double swap = A[k * n + j];
                A[k * n + j] = A[p * n + j];
                A[p * n + j] = swap;
            }
        }
        double pivot = A[k * n + k];
        largest = fmax(largest, fabs(pivot));
        least = fmin(least, fabs(pivot));
        if (!(fabs(pivot) > 0))
            return false;
        sign = pivot < 0 ? -sign : sign;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / pivot;
            if (factor == 0)
                continue;
            A[i * n + k] = factor;
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
    system->sign_det = sign;
    return isfinite(largest) && least > 1e-18 * largest;
}

void vs_dense_lu_solve(const vs_linear_system *system, double *x) {
    int n = system->island->rows;
    const double *A = system->shared.dense;
    for (int k = 0; k < n; k++) {
        double swap = x[k];
        x[k] = x[system->shared.pivot[k]];
        x[system->shared.pivot[k]] = swap;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= A[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= A[i * n + j] * x[j];
        x[i] /= A[i * n + i];
    }
}
