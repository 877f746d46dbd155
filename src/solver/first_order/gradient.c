// Shared by the gradient methods: see gradient.h.
#include "solver/first_order/gradient.h"

#include <math.h>
#include <string.h>

#include "problem/problem_data.h"
#include "solver/impulse/operator.h"

// Relative to the largest entry. Captures of simulations have up to 3e-3 by rounding.
static const double MOST_ASYMMETRY = .01;

vs_error vs_gradient_create(vs_impulse_run *impulses, const char *method, vs_method_run *run, vs_arena *arena) {
    if (!run->scaled.symmetric && run->problem->asymmetry > MOST_ASYMMETRY)
        return vs_fail(run->context, VS_ERROR_UNSUPPORTED,
                       "method: %s needs an objective, which an unsymmetric matrix (here by %.2g of its "
                       "largest entry) does not have; use admm, gauss-seidel or auto",
                       method, run->problem->asymmetry);
    return vs_impulse_run_create(impulses, run, arena);
}

double vs_gradient_dot(const vs_impulse_problem *problem, const double *a, const double *b) {
    return vs_space_dot_rows(problem->space, problem->rows, a, b);
}

// For a general H without N: SAFE times the largest eigenvalue that power iterations find. They begin with
// the first unit impulse of every group, which no symmetry of the problem cancels.
static double estimate_bound(const vs_impulse_problem *problem) {
    enum { ROUNDS = 20 };
    static const double SAFE = 4;
    double *x = problem->work_rows, *y = x + problem->rows, most = 0;
    for (int k = 0; k < problem->rows; k++)
        x[k] = k == problem->row[problem->group_of[k]] ? 1 + .1 * (k % 7) : 0;
    for (int round = 0; round < ROUNDS; round++) {
        double size = sqrt(vs_gradient_dot(problem, x, x));
        for (int k = 0; k < problem->rows; k++)
            x[k] = size > 0 ? x[k] / size : 0;
        vs_impulse_multiply(problem, x, y);
        most = fmax(most, sqrt(vs_gradient_dot(problem, y, y)));
        memcpy(x, y, sizeof(double) * (size_t)problem->rows);
    }
    return SAFE * most;
}

double vs_gradient_bound(const vs_impulse_problem *problem) {
    if (problem->carried && !problem->scaled->identity)
        return estimate_bound(problem);
    const vs_rows *A = problem->carried ? &problem->J : &problem->N;
    double row_most = 0, column_most = 1, E_most = 0, *column = problem->work_n;
    if (problem->carried)
        memset(column, 0, sizeof(double) * (size_t)problem->n);
    for (int g = 0; g < problem->groups; g++) {
        int64_t width = A->start[g + 1] - A->start[g];
        const double *x = A->x + A->value[g];
        for (int k = problem->row[g]; k < problem->row[g + 1]; k++, x += width) {
            double sum = 0;
            for (int64_t t = 0; t < width; t++) {
                sum += fabs(x[t]);
                if (problem->carried)
                    column[A->col[A->start[g] + t]] += fabs(x[t]);
            }
            row_most = fmax(row_most, sum);
            E_most = fmax(E_most, problem->E[k]);
        }
    }
    if (problem->carried) {
        column_most = 0;
        vs_space_assemble_end(problem->space, column);
        for (int j = 0; j < problem->n; j++)
            column_most = fmax(column_most, column[j]);
    }
    double most[] = {row_most, column_most, E_most};
    vs_space_maxima(problem->space, 3, most);
    return most[0] * most[1] + most[2];
}
