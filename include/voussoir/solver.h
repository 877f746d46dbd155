// Solving a contact problem: prepare once, solve whenever values change, read a certified result.
#ifndef VOUSSOIR_SOLVER_H
#define VOUSSOIR_SOLVER_H

#include "voussoir/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_solver vs_solver;

// Outcome of a solve, as evaluated by vs_measure() on the unscaled problem.
typedef enum vs_status {
    VS_STATUS_CONVERGED,
    VS_STATUS_INACCURATE, // no further progress possible; the best iterate is returned
    VS_STATUS_ITERATION_LIMIT,
    VS_STATUS_TIME_LIMIT,
    VS_STATUS_STOPPED,           // by the progress callback
    VS_STATUS_INFEASIBLE_JOINTS, // C v = b_e has no solution
    VS_STATUS_BREAKDOWN          // a factorization failed irrecoverably
} vs_status;

// How a problem is solved; vs_method_at() tells more. auto chooses by model, structure, tolerance and time budget,
// and vs_result.choice says what and why: mostly the interior point for the convex models and the chain of stages
// (docs/exact-coulomb.md) for exact friction; where another is known to be faster that one first, and these if it fails
// (bench/results/auto.md). With max_iterations, form, linear_solver, start or correctors given: these at once. A method
// that only solves convex models is put inside a fixed point on the slip speeds when exact friction is asked for.
typedef enum vs_method {
    VS_METHOD_AUTO,
    VS_METHOD_IPM,          // primal-dual interior point
    VS_METHOD_CHAIN,        // exact friction only
    VS_METHOD_GAUSS_SEIDEL, // projected block Gauss-Seidel / SOR
    VS_METHOD_JACOBI,       // projected block Jacobi
    VS_METHOD_APGD,         // accelerated projected gradient descent
    VS_METHOD_SPG,          // spectral projected gradient
    VS_METHOD_ADMM,         // alternating direction method of multipliers
    VS_METHOD_BARRIER,      // log barrier interior point on the impulses
    VS_METHOD_PIVOTING,     // block principal pivoting; friction as boxes
    VS_METHOD_LEMKE         // complementary pivoting; friction as boxes
} vs_method;
// Reduction of the Newton system that is factored.
typedef enum vs_form { VS_FORM_AUTO, VS_FORM_VELOCITY, VS_FORM_AUGMENTED, VS_FORM_IMPULSE } vs_form;
// energy: energy error <= tol^2 e0. both: FCLIB's relative natural-map error <= tol as well.
typedef enum vs_criterion { VS_CRITERION_BOTH, VS_CRITERION_ENERGY } vs_criterion;
// Cold starting points of the interior point.
typedef enum vs_start { VS_START_AUTO, VS_START_NOCEDAL, VS_START_DAPUZZO, VS_START_LEAST_SQUARES } vs_start;
// How much of a warm start is used: velocities and impulses, velocities only, or nothing.
typedef enum vs_warm_start { VS_WARM_START_FULL, VS_WARM_START_PARTIAL, VS_WARM_START_NONE } vs_warm_start;

// Order in which Gauss-Seidel visits the contacts. coloured: contacts without a common body in parallel.
typedef enum vs_sweep { VS_SWEEP_FORWARD, VS_SWEEP_SYMMETRIC, VS_SWEEP_COLOURED } vs_sweep;
// Iteration of the outer fixed point of exact friction.
typedef enum vs_outer { VS_OUTER_ANDERSON, VS_OUTER_PLAIN } vs_outer;

// Result if exact friction does not reach the tolerance: the best iterate (least energy error); the exact
// solution for the smallest contact compliance that was solved; or the solution of the relaxed model.
typedef enum vs_fallback { VS_FALLBACK_LEAST_ERROR, VS_FALLBACK_COMPLIANT, VS_FALLBACK_RELAXED } vs_fallback;

// One line of the history, passed to the progress callback.
typedef struct vs_iteration {
    int iteration;
    double energy_error;           // J, measured
    double natural_map_relative;   // measured
    double gap;                    // complementarity relative to e0
    double step_primal, step_dual; // step lengths taken
    double sigma;                  // centring
    int refinements;               // refinement steps of all linear solves of this iteration
    double regularization;         // added to the scaled Newton matrix
    double seconds;                // since the solve began
} vs_iteration;

// Options of the interior point.
typedef struct vs_ipm_options {
    vs_start start; // cold starting point; default auto
    int correctors; // Gondzio correctors per iteration at most, 0 to 10, -1: chosen by the solver; default -1
} vs_ipm_options;

// Options of Gauss-Seidel.
typedef struct vs_gauss_seidel_options {
    vs_sweep sweep;    // default forward
    double relaxation; // in (0, 2), 0: chosen by the solver; default 0
} vs_gauss_seidel_options;

// Options of Jacobi.
typedef struct vs_jacobi_options {
    double relaxation; // in (0, 2), 0: chosen by the solver; default 0
} vs_jacobi_options;

// Options of the exact friction model.
typedef struct vs_exact_options {
    vs_fallback fallback; // default least error
    vs_outer outer;       // used when a convex method solves the exact model; default Anderson
} vs_exact_options;

// How to solve; start from vs_solver_options_default().
//
// max_time is a budget of vs_solver_solve(): the best iterate found in it is returned, measured as usual, and never
// with more energy error than rest or than the warm start (projected onto the cones). Parts that cannot be interrupted
// are not started if they are not expected to fit; apart from rare wrong estimates 1.2 times the budget is kept. It is
// processor time of the calling thread, independent of other processes, plus wall time beyond a grace of a tenth of a
// second; with several threads wall time alone. Preparation (create, update) is not part of it: times.prepare.
typedef struct vs_solver_options {
    vs_model model;            // default exact
    vs_method method;          // default auto
    vs_form form;              // default auto
    const char *linear_solver; // "auto" or a backend's name; default "auto"
    double tolerance;          // > 0; default 1e-8
    vs_criterion criterion;    // default both
    int max_iterations;        // -1: chosen by the method; default -1
    double max_time;           // s, 0 = unlimited; default 0. See above
    vs_warm_start warm_start;  // effect of vs_solver_warm_start(); default full
    int check_every;           // splitting and first-order methods: iterations between two evaluations of the residual,
                               // 0: chosen by the solver; default 0
    bool (*progress)(void *user, const vs_iteration *iteration); // false stops; default null
    void *progress_user;
    vs_ipm_options ipm;
    vs_gauss_seidel_options gauss_seidel;
    vs_jacobi_options jacobi;
    vs_exact_options exact;
} vs_solver_options;

// Times, s.
typedef struct vs_times {
    double prepare, assemble, factor, solve, other, total;
} vs_times;

// One stage of the solver cascade, over all contact islands.
typedef struct vs_stage {
    const char *name;    // "gauss-seidel", "semismooth-newton", "central-path", …
    int tried, solved;   // islands
    int iterations;      // sweeps, Newton steps, …
    int factorizations;  //
    double seconds;      //
    double error;        // least max(sqrt(energy error / e0), natural map) of its unsolved islands; 0 if none is left
    const char *stopped; // why it gave up an island, of the last such island; "" if none
} vs_stage;

typedef struct vs_result {
    vs_status status;
    const char *status_text;   // one sentence, with the reason if not converged
    const char *method;        // "ipm", "chain", …
    const char *form;          // "augmented", …
    const char *linear_solver; // backend's name
    const char *choice;        // the reason of the choice, one sentence
    int iterations;
    int factorizations;
    int64_t triangular_solves;
    int64_t cg_steps;       // of conjugate gradients in place of factorizations
    int64_t fill;           // nonzeros of the factor
    double flops;           // of one factorization
    int positive, negative; // inertia of the last factored matrix; -1 if the linear solver does not report it
    double regularization;  // added to the scaled Newton matrix, largest of all factorizations
    double backward_error;  // of the last factor
    vs_measures measures;   // of the returned impulses
    vs_times times;
    const double *v, *g, *lambda, *y; // owned by the solver, valid until its next call; local form: v = null.
                                      // v, y as computed by vs_measure(), unless:
    bool rounding_limited;       // the remaining error is rounding of the impulses (mass ratios beyond 1e8): v and y
                                 // are then the solver's own, more accurate than any computed from the impulses
    const vs_iteration *history; // (history_count), line 0 is the starting point
    int history_count;
    vs_model model;         // of the returned impulses: relaxed if that fallback was used
    int islands;            // exact model; else 0
    const vs_stage *stages; // (stage_count) exact model, in the order they ran
    int stage_count;
    double compliance; // > 0: the returned impulses are the exact solution with this compliance added to every contact,
                       // in units of its inverse effective mass a; measures are nevertheless those of the rigid problem
} vs_result;

VS_API vs_solver_options vs_solver_options_default(void);
VS_API const char *vs_status_name(vs_status status); // "converged", "inaccurate", …

// Scales, chooses, analyses, allocates. The problem must outlive the solver.
VS_API vs_error vs_solver_create(const vs_problem *problem, const vs_solver_options *options, vs_solver **solver);
VS_API void vs_solver_destroy(vs_solver *solver);
// Another problem with the same pattern: analysis and memory are reused. VS_ERROR_DATA if the pattern differs.
VS_API vs_error vs_solver_update(vs_solver *solver, const vs_problem *problem);
// A starting point for the next solve, copied; any array may be null. lambda in the problem's rows.
VS_API vs_error vs_solver_warm_start(vs_solver *solver, const double *v, const double *g, const double *lambda);
// Allocates nothing, unless the first choice of auto fails. Deterministic: the same bits for any thread count and any
// number of repetitions, unless a time budget ends it.
VS_API vs_error vs_solver_solve(vs_solver *solver, vs_result *result);

// A method, for vs_solver_options.method.
typedef struct vs_method_info {
    const char *name, *purpose;
    unsigned models; // bits 1 << vs_model that it solves directly
} vs_method_info;
// The methods: the index is the vs_method; zeros if there is none of this index.
VS_API int vs_method_count(void);
VS_API vs_method_info vs_method_at(int index);

// A linear solver of this build, for vs_solver_options.linear_solver.
typedef struct vs_backend_info {
    const char *name, *version, *licence, *purpose;
} vs_backend_info;
// The linear solvers of this build, index 0 to count - 1; zeros if there is none of this index.
VS_API int vs_backend_count(void);
VS_API vs_backend_info vs_backend_at(int index);
// Name of the BLAS and of the processor kernel it chose ("OpenBLAS 0.3.21, Prescott"), "none" without BLAS.
VS_API const char *vs_solver_blas(void);

#ifdef __cplusplus
}
#endif

#endif
