// The one interface to sparse and dense direct solvers: analyse once for a pattern, factor values, solve, report.
// A new backend is one new file with a vs_linear_backend; CMake writes the table of the built ones (backends.c.in).
// Backends allocate with their own allocators while factoring; our own code allocates in _create() only.
#ifndef VS_LINALG_LINEAR_SOLVER_H
#define VS_LINALG_LINEAR_SOLVER_H

#include "base/space.h"
#include "linalg/sparse.h"

// The pattern to factor. Symmetric: the lower triangle by columns, the diagonal entry of every column present and
// first. Unsymmetric: all entries by columns, the *pattern* symmetric (distributed: it need not be), every diagonal
// entry present. Borrowed during _create() only.
typedef struct vs_linear_pattern {
    int n;
    const int64_t *p; // (n + 1)
    const int *i;     // (p[n]) ascending within a column
    bool symmetric;   // values are symmetric (lower triangle stored)
    bool definite;    // positive definite expected; else symmetric quasi-definite
    int groups;       // 0: none. Consecutive unknowns with (nearly) the same neighbours, ordered together:
    const int *group; // (groups + 1) first unknown of each
    const int *order; // (n) unknowns in the order of elimination; null: vs_ordering() finds one
    // Null, or the matrix is the sum over all processes: unknowns 0 … velocities - 1 are vectors of this space (velocities
    // or rows, ghosts among them), the others are this process's own. There may be none. A right-hand side is complete
    // where an unknown is owned; the solution is complete everywhere.
    const vs_space *space;
    int velocities;
    const char *prefix; // of the backend's options for this matrix, or null
} vs_linear_pattern;

typedef struct vs_linear_report {
    int64_t fill;           // nonzeros of the factor(s)
    double flops;           // of one factorization
    int positive, negative; // inertia of the last factorization; -1, -1 if the backend does not report it
    int sign_det;           // sign of the determinant of the last factorization: -1, 0 (unknown), +1
    int perturbed;          // pivots the backend perturbed in the last factorization
    int64_t bytes;          // of the factor
    double analyse_seconds; // ordering and symbolic factorization
    double backward_error;  // of the last vs_linear_solver_check()
} vs_linear_report;

typedef struct vs_linear_backend vs_linear_backend;

typedef struct vs_linear_solver {
    const vs_linear_backend *backend;
    vs_context *context;
    void *state; // the backend's
    int n;
    int64_t nonzeros; // of the pattern
    bool definite;    // of the pattern: a negative pivot is an error
    const vs_space *space;
    bool factored; // the last factorization succeeded
    vs_linear_report report;
} vs_linear_solver;

struct vs_linear_backend {
    const char *name;                        // "ldl", "lu", "klu", "mumps-single", "cholmod", …
    const char *version;                     // of the library
    const char *licence;                     // "CeCILL-C", …
    const char *purpose;                     // one line for `voussoir doctor`
    bool symmetric, unsymmetric, indefinite; // kinds it can factor (indefinite: symmetric quasi-definite)
    bool single;                             // factors in single precision: solves are good to 1e-6 only
    bool dense;
    bool distributed; // for distributed matrices only
    vs_error (*create)(vs_linear_solver *solver, const vs_linear_pattern *pattern);
    vs_error (*factor)(vs_linear_solver *solver, const double *x);
    vs_error (*solve)(vs_linear_solver *solver, double *x);
    // Several right-hand sides, one after the other in x (n count); null: solve() is called for each.
    vs_error (*solve_many)(vs_linear_solver *solver, int count, double *x);
    void (*destroy)(vs_linear_solver *solver); // accepts an incomplete state
};

extern const vs_linear_backend *const vs_linear_backends[];        // null-terminated, written by CMake
const vs_linear_backend *vs_linear_backend_find(const char *name); // null if not in this build
// The first of the names, which end with a null, that this build has; null: none.
const vs_linear_backend *vs_linear_backend_first(const char *const *names);

// Checks and analyses the pattern; sparse backends get their ordering from vs_ordering().
vs_error vs_linear_solver_create(vs_context *context, const vs_linear_backend *backend,
                                 const vs_linear_pattern *pattern, vs_linear_solver **solver);
// Values in the order of the pattern. VS_ERROR_NUMERICAL (text set) if the factorization failed: zero pivot, not
// definite, NaN.
vs_error vs_linear_solver_factor(vs_linear_solver *solver, const double *x);
// x: right-hand side in, solution out (n).
vs_error vs_linear_solver_solve(vs_linear_solver *solver, double *x);
// The same for `count` right-hand sides, one after the other (n count): each entry of the factor is read once for all
// of them where the backend can.
vs_error vs_linear_solver_solve_many(vs_linear_solver *solver, int count, double *x);
// Solves A x = A e, e = (1, …, 1), with the last factor and reports |A e - A x| / (|A||x| + |A e|), maximum norms, as
// report.backward_error; infinite if the solution is not finite. pattern and x as passed to _create() and the last
// _factor(); work (3 n).
vs_error vs_linear_solver_check(vs_linear_solver *solver, const vs_linear_pattern *pattern, const double *x,
                                double *work);
// Expected time of one factorization and `solves` solves before any was measured, s; 0 if the backend reports no flops
// before it factors. Accurate to a factor of two or three.
double vs_linear_solver_guess(const vs_linear_solver *solver, int solves);
void vs_linear_solver_destroy(vs_linear_solver *solver);

#endif
