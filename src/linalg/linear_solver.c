// Dispatch to the backends of this build: checks the pattern once, checks for NaN before a backend gets the values,
// keeps the report. It computes nothing itself.
#include "linalg/linear_solver.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/vector.h"

const vs_linear_backend *vs_linear_backend_find(const char *name) {
    for (int k = 0; name && vs_linear_backends[k]; ++k) {
        if (strcmp(vs_linear_backends[k]->name, name) == 0)
            return vs_linear_backends[k];
    }
    return NULL;
}

const vs_linear_backend *vs_linear_backend_first(const char *const *names) {
    const vs_linear_backend *found = NULL;
    for (; *names && !found; names++)
        found = vs_linear_backend_find(*names);
    return found;
}

// Rows of a column: in range, ascending, with the diagonal (first if only the lower triangle is stored).
static bool is_column(const vs_linear_pattern *A, int j) {
    bool diagonal = false;
    for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
        if (A->i[k] < (A->symmetric ? j : 0) || A->i[k] >= A->n || (k > A->p[j] && A->i[k] <= A->i[k - 1]))
            return false;
        diagonal = diagonal || A->i[k] == j;
    }
    return diagonal;
}

static vs_error check_pattern(vs_context *context, const vs_linear_pattern *A) {
    if (A->n < (A->space ? 0 : 1) || !A->p || !A->i || A->p[0] != 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "linear solver: empty pattern (n = %d)", A->n);
    for (int j = 0; j < A->n; ++j) {
        if (A->p[j + 1] <= A->p[j] || !is_column(A, j))
            return vs_fail(context, VS_ERROR_ARGUMENT, "linear solver: column %d of the pattern is invalid", j);
    }
    if (A->groups == 0)
        return VS_OK;
    bool partition = A->groups > 0 && A->group && A->group[0] == 0 && A->group[A->groups] == A->n;
    for (int g = 0; partition && g < A->groups; ++g)
        partition = A->group[g] < A->group[g + 1];
    return partition ? VS_OK : vs_fail(context, VS_ERROR_ARGUMENT, "linear solver: groups must partition the unknowns");
}

static vs_error check_kind(vs_context *context, const vs_linear_backend *backend, const vs_linear_pattern *A) {
    if (backend->distributed != (A->space != NULL))
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "linear solver %s is for %s", backend->name,
                       backend->distributed ? "distributed matrices" : "serial matrices");
    bool able = A->symmetric ? backend->symmetric && (A->definite || backend->indefinite) : backend->unsymmetric;
    if (able)
        return VS_OK;
    const char *kind = !A->symmetric ? "unsymmetric" : A->definite ? "symmetric definite" : "symmetric indefinite";
    return vs_fail(context, VS_ERROR_UNSUPPORTED, "linear solver %s does not factor %s matrices", backend->name, kind);
}

vs_error vs_linear_solver_create(vs_context *context, const vs_linear_backend *backend,
                                 const vs_linear_pattern *pattern, vs_linear_solver **solver) {
    if (solver)
        *solver = NULL;
    if (!backend || !pattern || !solver)
        return vs_fail(context, VS_ERROR_ARGUMENT, "linear solver: backend, pattern or result is null");
    vs_error error = check_pattern(context, pattern);
    if (!error)
        error = check_kind(context, backend, pattern);
    if (error)
        return error;

    vs_linear_solver *made = vs_allocate(context, sizeof *made);
    if (!made)
        return vs_fail_memory(context);
    *made = (vs_linear_solver){.backend = backend,
                               .context = context,
                               .n = pattern->n,
                               .nonzeros = pattern->p[pattern->n],
                               .definite = pattern->symmetric && pattern->definite,
                               .space = pattern->space,
                               .report = {.positive = -1, .negative = -1}};
    double start = vs_clock();
    error = backend->create(made, pattern);
    made->report.analyse_seconds = vs_clock() - start;
    if (error) {
        vs_linear_solver_destroy(made);
        return error;
    }
    *solver = made;
    return VS_OK;
}

vs_error vs_linear_solver_factor(vs_linear_solver *solver, const double *x) {
    vs_linear_report *report = &solver->report;
    report->positive = report->negative = -1;
    report->sign_det = report->perturbed = 0;
    solver->factored = false;
    if (!x)
        return vs_fail(solver->context, VS_ERROR_ARGUMENT, "linear solver %s: no values", solver->backend->name);
    if (vs_space_any(solver->space, !vs_vector_is_finite(solver->nonzeros, x)))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "linear solver %s: the matrix contains NaN or infinity",
                       solver->backend->name);
    vs_error error = solver->backend->factor(solver, x);
    solver->factored = !error;
    return error;
}

vs_error vs_linear_solver_solve(vs_linear_solver *solver, double *x) {
    if (!solver->factored || !x)
        return vs_fail(solver->context, VS_ERROR_ARGUMENT, "linear solver %s: %s", solver->backend->name,
                       x ? "solve without a factorization" : "no right-hand side");
    vs_error error = solver->backend->solve(solver, x);
    // Pivots near underflow, or a NaN on the right: the backends do not notice, and a caller would iterate with it.
    if (!error && vs_space_any(solver->space, !vs_vector_is_finite(solver->n, x)))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "linear solver %s: the solution contains NaN or infinity",
                       solver->backend->name);
    return error;
}

vs_error vs_linear_solver_solve_many(vs_linear_solver *solver, int count, double *x) {
    int64_t n = solver->n;
    if (!solver->backend->solve_many || !solver->factored || !x || count <= 1) {
        vs_error error = VS_OK;
        for (int k = 0; k < count && !error; k++)
            error = vs_linear_solver_solve(solver, x ? x + k * n : NULL);
        return error;
    }
    vs_error error = solver->backend->solve_many(solver, count, x);
    if (!error && !vs_vector_is_finite(n * count, x))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "linear solver %s: a solution contains NaN or infinity",
                       solver->backend->name);
    return error;
}

// y = A v and, in `row_sums`, the sums of absolute values of A's rows.
static void multiply(const vs_linear_pattern *A, const double *x, const double *v, double *y, double *row_sums) {
    for (int j = 0; j < A->n; j++)
        y[j] = row_sums[j] = 0;
    for (int j = 0; j < A->n; j++)
        for (int64_t t = A->p[j]; t < A->p[j + 1]; t++) {
            int i = A->i[t];
            y[i] += x[t] * v[j];
            row_sums[i] += fabs(x[t]);
            if (A->symmetric && i != j) {
                y[j] += x[t] * v[i];
                row_sums[j] += fabs(x[t]);
            }
        }
}

static double largest(int n, const double *x) {
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

vs_error vs_linear_solver_check(vs_linear_solver *solver, const vs_linear_pattern *pattern, const double *x,
                                double *work) {
    int n = solver->n;
    if (solver->space) // not for distributed products
        return VS_OK;
    double *v = work, *product = work + n, *sums = work + 2 * (int64_t)n;
    for (int k = 0; k < n; k++)
        v[k] = 1;
    multiply(pattern, x, v, product, sums);
    double norm = largest(n, sums), right = largest(n, product);
    memcpy(v, product, sizeof(double) * (size_t)n);
    vs_error error = vs_linear_solver_solve(solver, v);
    if (error == VS_ERROR_NUMERICAL) {
        solver->report.backward_error = INFINITY;
        return VS_OK;
    }
    if (error)
        return error;
    // The residual is A (e - x): no difference of large numbers.
    for (int k = 0; k < n; k++)
        v[k] -= 1;
    double solution = 0;
    for (int k = 0; k < n; k++)
        solution = fmax(solution, fabs(v[k] + 1));
    multiply(pattern, x, v, product, sums);
    double scale = norm * solution + right;
    solver->report.backward_error = scale > 0 ? largest(n, product) / scale : 0;
    return VS_OK;
}

double vs_linear_solver_guess(const vs_linear_solver *solver, int solves) {
    return 1e-9 * solver->report.flops + 1e-8 * (1 + solves) * (double)solver->report.fill;
}

void vs_linear_solver_destroy(vs_linear_solver *solver) {
    if (!solver)
        return;
    solver->backend->destroy(solver);
    vs_release(solver->context, solver);
}
