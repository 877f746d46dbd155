// One solve as seen from any method: options, measuring of iterates on the unscaled problem, the best iterate, limits,
// history, progress. A method calls vs_run_judge() with each iterate and stops when it says so.
#ifndef VS_SOLVER_RUN_H
#define VS_SOLVER_RUN_H

#include "solver/scale/scaled.h"
#include "voussoir/solver.h"

enum { VS_HISTORY_MOST = 1024 }; // lines kept

// How long the parts of a method take that cannot be interrupted.
typedef struct vs_pace {
    double seconds; // the last one, also of an earlier solve; 0: none was timed
    double begun;   // s of the time budget, when the one under way began
} vs_pace;

typedef struct vs_run {
    vs_context *context;
    const vs_problem *problem;
    vs_solver_options options;
    vs_mass_model mass;
    vs_measurer *measurer;
    vs_scaled scaled;

    // the iterate under judgement, user's units
    double *g, *lambda; // (m_e), (m)
    double *v, *y;      // (n), (m) recomputed by measure/
    vs_measures measures;
    double rounding; // J; energy that rounding the impulses alone may cause

    // the best so far
    double *best_g, *best_lambda;
    vs_measures best;
    double best_excess; // J; its energy error beyond the rounding
    bool rounded;       // its energy error is rounding
    int rounded_for;    // iterations in a row of which that holds
    bool improved;      // the iterate measured last became the best
    bool rests;         // the best is rest, judged without computing its velocities

    // warm start, user's units
    bool warm_v, warm_g, warm_lambda;
    double *start_v, *start_g, *start_lambda;

    int most_iterations; // of the method, unless told
    int max_iterations;  // of this solve
    double max_time;     // s; 0: unlimited. Less than the options' while something is kept back for a fallback
    double begun;        // clock at the start of the solve
    double begun_thread; // this thread's
    double measuring;    // s; what measuring an iterate in full takes. 0 without a budget
    double reserve;      // s of the budget that are kept for measuring what is returned
    int iterations;
    int since_best;  // iterations since the error fell by a tenth
    double least;    // error then
    double last_gap; // of the last line
    vs_status status;
    const char *reason;    // sentence for the status, static text
    vs_iteration *history; // (VS_HISTORY_MOST)
    int history_count;
} vs_run;

vs_error vs_run_create(vs_run *run, const vs_problem *problem, const vs_solver_options *options, vs_arena *arena);
void vs_run_release(vs_run *run);
vs_error vs_run_update(vs_run *run, const vs_problem *problem);
void vs_run_begin(vs_run *run);
// Another attempt within the same solve: progress is looked for anew, the best iterate and the counts stay.
void vs_run_again(vs_run *run);

// Measures run->g, run->lambda (projected on the cones first). Fills run->v, run->y, run->measures, keeps the best.
// Of the measures only those that decide: see vs_measurer_evaluate().
vs_error vs_run_measure(vs_run *run);
// The same for rest, g = 0 and lambda = 0 (projected), where v and y are filled only if a box excludes it.
vs_error vs_run_measure_rest(vs_run *run);
// At the end: all measures of the best iterate, and its v (n), y (m).
vs_error vs_run_finish(vs_run *run, double *v, double *y);
// y (m) = D v - b + E lambda, user's units
void vs_run_contact_velocities(const vs_run *run, const double *v, const double *lambda, double *y);
// Forgets the best iterate: the next one measured takes its place.
void vs_run_forget(vs_run *run);
// Is the measured iterate good enough?
bool vs_run_converged(const vs_run *run, const vs_measures *measures);
// What the tolerance bounds: sqrt(energy error / e0) and, if both count, FCLIB's relative natural-map error.
double vs_run_error(const vs_run *run, const vs_measures *measures);
// ---- the time budget: run.c says which clock -------------------------------------------------------

// Finds out how long measuring takes: to be called when all is prepared, which the budget is not for.
vs_error vs_run_try_measuring(vs_run *run);
double vs_run_elapsed(const vs_run *run); // s of it that are used up
// Would something that takes so long leave enough time for the end? Always without a budget.
bool vs_run_fits(const vs_run *run, double seconds);
// Before each of a series of parts that cannot be interrupted, an iteration with a factorization for instance: true if
// one as long as the last would not fit; the run has then ended, out of time. The first ever is expected to take
// `guess`.
bool vs_run_late(vs_run *run, vs_pace *pace, bool first, double guess);

// ---- going on and ending ---------------------------------------------------------------------------

// Writes the line to the history, calls the user, checks the limits. True: stop; run->status says why.
bool vs_run_judge(vs_run *run, vs_iteration *line);
// The part of vs_run_judge() that does not look at progress: history, user, limits.
bool vs_run_note(vs_run *run, vs_iteration *line);
// Ends with a status and its sentence unless the best iterate meets the tolerance.
void vs_run_end(vs_run *run, vs_status status, const char *reason);

#endif
