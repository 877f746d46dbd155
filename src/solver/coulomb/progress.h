// The progress on one island, shared by all stages of the cascade: its problem and linear system, the best iterate so
// far, limits and work vectors. A stage reports its iterates; the one of least error is kept, and the run says whether
// to continue.
#ifndef VS_SOLVER_COULOMB_PROGRESS_H
#define VS_SOLVER_COULOMB_PROGRESS_H

#include "solver/coulomb/linear_system/linear_system.h"
#include "solver/run.h"
#include "solver/splitting/accelerated_sweeps.h"
#include "solver/splitting/sweep_course.h"

typedef enum vs_stage_end {
    VS_STAGE_SOLVED,
    VS_STAGE_FAILED, // gave up; `reason` says why
    VS_STAGE_STOPPED // by a limit of time or iterations, by the caller or by a failure
} vs_stage_end;

enum { VS_PROGRESS_WORK = VS_SWEEP_WORK + 2, VS_PROGRESS_BLOCKS = 3 };

typedef struct vs_progress {
    const vs_impulse_problem *island;
    vs_linear_system *system;
    vs_method_run *run;
    double tolerance;
    bool both;                          // criterion of the error: energy and natural map
    const double *start;                // (rows) where the solve began: rest, or the warm start
    double *l, *y;                      // (rows) best iterate
    double error;                       // vs_impulse_error() of it
    double others;                      // J; energy error of all other islands
    double unit;                        // sqrt(J); root of the island's energy
    int iterations;                     // of the present stage
    const char *reason;                 // why the stage gave up, static text
    vs_error failure;                   // of memory, for instance: ends the solve
    bool stopped;                       // by a limit or by the caller
    double deadline;                    // s of the time budget, for this island in this stage
    double clock;                       // s of it, when the clock was last read
    int unclocked;                      // groups relaxed since
    double *work[VS_PROGRESS_WORK];     // (rows) each
    struct vs_packed *packed;           // contacts of the island, if sweeps go over packs of them; else null
    double *velocities;                 // (n) that sweeps carry
    double *blocks[VS_PROGRESS_BLOCKS]; // (blocks of the groups) each
} vs_progress;

// Keeps an iterate of known error if it is the best.
void vs_progress_accept(vs_progress *progress, const double *l, const double *y, double error);
// Adds a line to the history and checks the limits, after `iterations` more. Sets progress->stopped.
void vs_progress_record(vs_progress *progress, double error, int iterations);
// Evaluates an iterate, which need not be in the cones, accepts and records it. Returns its error.
double vs_progress_evaluate(vs_progress *progress, const double *l, const double *y, int iterations);
// The same of velocities that vs_impulse_velocities() has found for l: they are not found again where the cones have l.
double vs_progress_evaluate_own(vs_progress *progress, const double *l, const double *y, int iterations);
// Before an iteration that factors, the first of a stage or a later one: true (and stopped) if it would not fit in the
// time budget. Iterations are expected to take as long as the last one.
bool vs_progress_late(vs_progress *progress, bool first);
// Is the tolerance one of grains? To smaller ones momentum does with thousands of sweeps what the proximal point method does not.
static inline bool vs_progress_is_loose(const vs_progress *progress) {
    return progress->tolerance > VS_SWEEP_SMALL;
}
// Is the island one of packs, with such a tolerance? Sets the reason if not.
static inline bool vs_progress_is_rough(vs_progress *progress) {
    progress->reason = "other stages are better for a small tolerance, or without packs";
    return progress->packed && vs_progress_is_loose(progress);
}
// Is it one of packs with rolling friction?
static inline bool vs_progress_is_rolling(const vs_progress *progress) {
    return progress->packed && progress->island->ld > 3;
}
static inline bool vs_progress_solved(const vs_progress *progress) {
    return progress->error <= progress->tolerance;
}

#endif
