// Parts that the forms of a linear system share: see form_parts.h.
#include "solver/coulomb/linear_system/form_parts.h"

#include <string.h>

#include "base/clock.h"

void vs_linear_system_multiply_row(const double *x, int64_t width, int rows, const double *Q, int ld, int i,
                                   int64_t count, double *out) {
    if (!Q)
        memcpy(out, x + i * width, sizeof(double) * (size_t)count);
    else if (rows == 1)
        for (int64_t k = 0; k < count; k++)
            out[k] = Q[0] * x[k];
    else if (rows != 3)
        for (int64_t k = 0; k < count; k++) {
            out[k] = 0;
            for (int j = 0; j < rows; j++)
                out[k] += Q[ld * i + j] * x[j * width + k];
        }
    else
        for (int64_t k = 0; k < count; k++)
            out[k] = Q[ld * i] * x[k] + Q[ld * i + 1] * x[width + k] + Q[ld * i + 2] * x[2 * width + k];
}

double vs_linear_system_diagonal_entry(const vs_impulse_problem *island, int g, const double *P, const double *Q, int i,
                                       int j) {
    double epsilon = island->law[g] == VS_LAW_FREE ? 0 : island->epsilon;
    int64_t at = vs_impulse_block(island, g) + island->ld * i + j;
    return P[at] + epsilon * (Q ? Q[at] : i == j);
}

vs_error vs_linear_system_backend_solve(vs_linear_system *system, double *x) {
    double begin = vs_clock();
    vs_error error = vs_linear_solver_solve(system->solver, x);
    system->shared.counts->solves++;
    system->shared.counts->solve += vs_clock() - begin;
    return error;
}
