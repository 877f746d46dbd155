// Solving a contact problem: prepare once, solve repeatedly as values change, obtain a certified result.
#ifndef VOUSSOIR_SOLVER_H
#define VOUSSOIR_SOLVER_H

#include "voussoir/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_solver vs_solver;

// Outcome of a solve, evaluated by vs_measure() on the unscaled problem.
typedef enum vs_status {
    VS_STATUS_CONVERGED,
    VS_STATUS_INACCURATE, // no further progress was possible; the best iterate is returned
    VS_STATUS_ITERATION_LIMIT,
    VS_STATUS_TIME_LIMIT,
    VS_STATUS_STOPPED,           // by the progress callback
    VS_STATUS_INFEASIBLE_JOINTS, // C v = b_e has no solution
    VS_STATUS_BREAKDOWN,         // a factorization failed and could not be recovered
    VS_STATUS_OVERFLOW           // energies are out of the range of doubles (1e-280 to 1e300 J): nothing was solved
} vs_status;

// Solution method; vs_method_at() describes them. `auto` chooses by model, structure, tolerance and time budget, and
// vs_result.choice gives the choice and its reason: mostly the interior point for the convex models and the solver
// cascade (docs/exact-coulomb.md) for exact friction; where another method is known to be faster, that one first, and
// these if it fails (bench/results/auto.md). If max_iterations, form, linear_solver, ipm.start or ipm.correctors is
// set: these at once. A method for convex models solves the exact model inside a fixed point on the slip speeds.
typedef enum vs_method {
    VS_METHOD_AUTO,
    VS_METHOD_IPM,          // primal-dual interior point
    VS_METHOD_CASCADE,      // solver cascade, exact friction only
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
// Convergence criterion. Energy: vs_measures.relative_error is at most the tolerance. Both: FCLIB's relative natural-map
// error as well.
typedef enum vs_criterion { VS_CRITERION_BOTH, VS_CRITERION_ENERGY } vs_criterion;
// Do the measures meet the tolerance in all islands? The work error counts by its square root (measure.h).
VS_API bool vs_measures_meet(const vs_measures *measures, vs_criterion criterion, double tolerance);
// Cold starting points of the interior point.
typedef enum vs_start { VS_START_AUTO, VS_START_NOCEDAL, VS_START_DAPUZZO, VS_START_LEAST_SQUARES } vs_start;
// How much of a warm start is used: velocities and impulses, velocities only, or nothing.
typedef enum vs_warm_start { VS_WARM_START_FULL, VS_WARM_START_PARTIAL, VS_WARM_START_NONE } vs_warm_start;

// Order in which Gauss-Seidel visits the contacts. Coloured: contacts without a common body in parallel, over threads.
typedef enum vs_sweep { VS_SWEEP_FORWARD, VS_SWEEP_SYMMETRIC, VS_SWEEP_COLOURED } vs_sweep;
// Iteration of the outer fixed point of exact friction: Anderson acceleration or plain.
typedef enum vs_outer { VS_OUTER_ANDERSON, VS_OUTER_PLAIN } vs_outer;

// Result when exact friction does not reach the tolerance: the best iterate (least error); the exact solution
// for the smallest contact compliance that was solved; or the solution of the relaxed model.
typedef enum vs_fallback { VS_FALLBACK_LEAST_ERROR, VS_FALLBACK_COMPLIANT, VS_FALLBACK_RELAXED } vs_fallback;

// One line of the history, also passed to the progress callback.
typedef struct vs_iteration {
    int iteration;
    double energy_error;           // J, measured
    double natural_map_relative;   // measured
    double gap;                    // complementarity relative to the islands' energies
    double step_primal, step_dual; // step lengths taken
    double sigma;                  // centring
    int refinements;               // refinement steps of all linear solves of this iteration
    double regularization;         // added to the scaled Newton matrix
    double seconds;                // since the solve began
    const char *stage;             // of the cascade, "central-path"; "" for methods without stages
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
    int patience;         // factorizations after which the solver cascade gives up an island, with its best iterate; 0
                          // (default): no limit. Counted between stages and attempts, so that a few more may be used
} vs_exact_options;

// Options of a solver; start from vs_solver_options_default().
//
// max_time is the time budget of vs_solver_solve(). It returns the best iterate found in it, measured as always, and
// never one with a larger relative error than zero impulses or the warm start (projected onto the cones). Auto and the
// cascade do at least ten sweeps over the contacts at any budget, so that a step with no time at all stays bounded (in
// a simulation also for max_iterations > 0): of a large problem they may take longer than a very short budget. A part that
// cannot be interrupted is not started if it is not expected to fit; solves rarely take more than 1.2 times the budget.
// Counted is processor time of the calling thread, so that other processes do not use it up, and wall time beyond 0.1
// s; with several threads wall time alone. Preparation (create, update) is not part of it: see times.prepare.
typedef struct vs_solver_options {
    vs_model model;            // default exact
    vs_method method;          // default auto
    vs_form form;              // default auto
    const char *linear_solver; // "auto" or a backend's name; default "auto"
    double tolerance; // > 0; default 1e-8. Of simulations, whose default it is, 0: 1e-6, and granular_tolerance 1e-3
    vs_criterion criterion;   // default both
    int max_iterations;       // -1: chosen by the method; default -1
    double max_time;          // s, 0: unlimited; default 0. See above
    vs_warm_start warm_start; // effect of vs_solver_warm_start(); default full
    int check_every;          // splitting and first-order methods: iterations between two evaluations of the residual,
                              // 0: chosen by the solver; default 0
    bool (*progress)(void *user, const vs_iteration *iteration); // false stops; default null
    void *progress_user;
    vs_ipm_options ipm;
    vs_gauss_seidel_options gauss_seidel;
    vs_jacobi_options jacobi;
    vs_exact_options exact;
    double
        granular_tolerance; // of large granular islands (measure.h), where it is larger than `tolerance`; 0 (default):
                            // all islands have the same
} vs_solver_options;

// Time spent, s.
typedef struct vs_times {
    double prepare, assemble, factor, solve, other, total;
} vs_times;

// Work of one stage of the solver cascade, over all islands (groups of contacts that do not interact).
typedef struct vs_stage {
    const char *name;    // "gauss-seidel", "semismooth-newton", "central-path", …
    int tried, solved;   // islands
    int iterations;      // sweeps, Newton steps, …
    int factorizations;  //
    double seconds;      //
    double error;        // least max(relative error, natural map) of its unsolved islands; 0 if there is none
    const char *stopped; // why it last gave up on an island; "": it never did
} vs_stage;

// Result of a solve. Texts and arrays are owned by the solver and valid until its next call.
typedef struct vs_result {
    vs_status status;
    const char *status_text;   // one sentence; the reason if not converged
    const char *method;        // "ipm", "cascade", …
    const char *form;          // "augmented", …
    const char *linear_solver; // backend's name
    const char *choice;        // reason for this choice, one sentence
    int iterations;
    int factorizations;
    int64_t triangular_solves;
    int64_t cg_steps;       // of conjugate gradients used instead of factorizations
    int64_t fill;           // nonzeros of the factor
    double flops;           // of one factorization
    int positive, negative; // inertia of the last factored matrix; -1: not known to the backend
    double regularization;  // added to the scaled Newton matrix, largest of all factorizations
    double backward_error;  // of the last factorization
    vs_measures measures;   // of the returned impulses
    vs_times times;
    const double *v, *g, *lambda, *y; // local form: v = null. v and y are those of
                                      // vs_measure(), unless rounding_limited
    bool rounding_limited; // the remaining error is the rounding of impulses to double (mass ratios beyond 1e8): v and
                           // y are then the solver's own, more accurate than those that follow from the impulses
    const vs_iteration *history; // (history_count), line 0 is the starting point
    int history_count;
    vs_model model;         // of the returned impulses: relaxed if that fallback was used
    int islands;            // exact model; else 0
    const vs_stage *stages; // (stage_count) exact model, in the order of execution
    int stage_count;
    double compliance; // > 0: the returned impulses are the exact solution with this compliance added to every contact,
                       // in units of its inverse effective mass a; measures are those of the rigid problem nevertheless
} vs_result;

VS_API vs_solver_options vs_solver_options_default(void);
VS_API const char *vs_status_name(vs_status status); // "converged", "inaccurate", …

// Prepares a solver: scaling, choice of method, symbolic analysis, memory; destroy it with vs_solver_destroy(). Null
// options: the defaults. The problem must outlive the solver. VS_ERROR_ARGUMENT names an option that is out of range.
VS_API vs_error vs_solver_create(const vs_problem *problem, const vs_solver_options *options, vs_solver **solver);
VS_API void vs_solver_destroy(vs_solver *solver); // null is allowed
// Replaces the problem by one with the same pattern, which must outlive the solver; analysis and memory are reused.
// VS_ERROR_DATA if the pattern differs.
VS_API vs_error vs_solver_update(vs_solver *solver, const vs_problem *problem);
// Sets the tolerance of the following solves, > 0; granular_tolerance stays. `auto` keeps its choice of a method.
VS_API vs_error vs_solver_set_tolerance(vs_solver *solver, double tolerance);
// Sets the starting point of the next solve: v (n), g (m_e), lambda (m); copied, any may be null. VS_ERROR_DATA if a
// value is not finite.
VS_API vs_error vs_solver_warm_start(vs_solver *solver, const double *v, const double *g, const double *lambda);
// Solves the problem. Allocates nothing, unless the first choice of `auto` fails. Deterministic: bitwise identical for
// any thread count and any number of repetitions, unless a time budget ends it.
VS_API vs_error vs_solver_solve(vs_solver *solver, vs_result *result);

// A method, for vs_solver_options.method.
typedef struct vs_method_info {
    const char *name, *purpose;
    unsigned models;   // bits 1 << vs_model of the models that it solves by itself
    unsigned made_for; // of these, the models it was made for: pivoting and lemke replace friction cones by boxes
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
// Name of the BLAS and of its processor kernel ("OpenBLAS 0.3.21, Prescott"), "none" without BLAS.
VS_API const char *vs_solver_blas(void);

#ifdef __cplusplus
}
#endif

#endif
