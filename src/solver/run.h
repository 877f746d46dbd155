// One solve as seen from any method: options, measurement of iterates on the unscaled problem, the best iterate,
// limits, history, progress. A method calls vs_method_run_check() with each iterate and stops when it returns true.
#ifndef VS_SOLVER_RUN_H
#define VS_SOLVER_RUN_H

#include "solver/scale/scaled.h"
#include "voussoir/solver.h"

enum { VS_HISTORY_MOST = 1024 }; // lines kept

// Duration of the parts of a method that cannot be interrupted.
typedef struct vs_pace {
    double seconds; // of the last one, possibly of an earlier solve; 0: none measured
    double begun;   // s of the time budget at the start of the current one
} vs_pace;

typedef struct vs_method_run {
    vs_context *context;
    const vs_problem *problem;
    vs_solver_options options;
    vs_mass_model mass;
    vs_measurer *measurer;
    vs_scaled scaled;

    // the iterate being evaluated, user's units
    double *g, *lambda; // (m_e), (m)
    double *v, *y;      // (n), (m) recomputed by measure/
    vs_measures measures;
    double rounding; // energy error due to rounding of the impulses, relative to the islands' energies

    // the best so far
    double *best_g, *best_lambda;
    vs_measures best;
    double best_excess; // square of its relative error beyond the rounding
    bool rounded;       // its energy error is rounding
    int rounded_for;    // number of consecutive iterations for which this holds
    bool improved;      // the iterate measured last became the best
    bool rests;         // the best is rest, evaluated without computing its velocities

    // warm start, user's units
    bool warm_v, warm_g, warm_lambda;
    double *start_v, *start_g, *start_lambda;

    int most_iterations; // of the method, default
    bool boxes;          // the problem has some, on any process
    bool trial;          // another method follows if this one does not converge: it ends when its rate says so
    int max_iterations;  // of this solve
    double max_time;     // s; 0: unlimited. Less than in the options while time is reserved for a fallback
    double begun;        // clock at the start of the solve
    double begun_thread; // this thread's
    double measuring;    // s; full measurement of an iterate. 0 without a budget
    double reserve;      // s of the budget reserved for measuring the result
    bool sweeps;         // a limit of iterations leaves a few, too: least.h
    bool obliged;        // limits of time and iterations do not apply: what is done at any budget
    int iterations;
    int since_best;  // iterations since the error decreased by a tenth
    double least;    // error then
    double last_gap; // of the last line
    vs_status status;
    const char *reason;    // sentence for the status, static text
    const char *stage;     // name of the stage under way, "": the method has none
    vs_iteration *history; // (VS_HISTORY_MOST)
    int history_count;
} vs_method_run;

vs_error vs_method_run_create(vs_method_run *run, const vs_problem *problem, const vs_solver_options *options,
                              vs_arena *arena);
void vs_method_run_release(vs_method_run *run);
vs_error vs_method_run_update(vs_method_run *run, const vs_problem *problem);
// Mass and measures alone; run->scaled follows by vs_scaled_update() before a method needs it.
vs_error vs_method_run_update_measures(vs_method_run *run, const vs_problem *problem);
void vs_method_run_begin(vs_method_run *run);
// Another attempt within the same solve: resets the progress, keeps the best iterate and the counts.
void vs_method_run_again(vs_method_run *run);

// Measures run->g, run->lambda (projected onto the cones first). Fills run->v, run->y, run->measures, keeps the best.
// Only the measures needed for the stopping test: see vs_measurer_evaluate().
vs_error vs_method_run_measure(vs_method_run *run);
// The same for rest, g = 0 and lambda = 0 (projected), where v and y are filled only if a box excludes it.
vs_error vs_method_run_measure_rest(vs_method_run *run);
// Does no box of this process exclude rest?
bool vs_method_run_may_rest(const vs_method_run *run);
// At the end: all measures of the best iterate, and its v (n), y (m).
vs_error vs_method_run_finish(vs_method_run *run, double *v, double *y);
// y (m) = D v - b + E lambda, user's units
void vs_method_run_contact_velocities(const vs_method_run *run, const double *v, const double *lambda, double *y);
// Has a limit ended it that leaves a few sweeps at any rate (least.h)?
bool vs_method_run_needs_least(const vs_method_run *run, vs_status status);
// Drops the best iterate: the next one measured replaces it.
void vs_method_run_forget(vs_method_run *run);
// Is the measured iterate good enough?
bool vs_method_run_converged(const vs_method_run *run, const vs_measures *measures);
// The error bounded by the tolerance: the relative error and, if both count, FCLIB's relative natural-map error. Errors of
// granular islands count by the ratio of the tolerances.
double vs_method_run_error(const vs_method_run *run, const vs_measures *measures);
// ---- the time budget (clocks: see run.c) -----------------------------------------------------------

// Times a measurement: call it after preparation, which is not part of the budget.
vs_error vs_method_run_try_measuring(vs_method_run *run);
double vs_method_run_elapsed(const vs_method_run *run); // s of it that are used
// Would a task of this duration leave enough time for the end? Always true without a budget.
bool vs_method_run_fits(const vs_method_run *run, double seconds);
// Before each of a series of parts that cannot be interrupted, for instance an iteration with a factorization: true if
// one as long as the last would not fit; the run has then ended, out of time. The very first is expected to take
// `guess`.
bool vs_method_run_late(vs_method_run *run, vs_pace *pace, bool first, double guess);

// ---- progress and end -----------------------------------------------------------------------------

// Adds the line to the history, calls the user, checks the limits. True: stop, with run->status set.
bool vs_method_run_check(vs_method_run *run, vs_iteration *line);
// The part of vs_method_run_check() without the check of progress: history, user, limits.
bool vs_method_run_note(vs_method_run *run, vs_iteration *line);
// Ends with a status and its sentence unless the best iterate meets the tolerance.
void vs_method_run_end(vs_method_run *run, vs_status status, const char *reason);

#endif
