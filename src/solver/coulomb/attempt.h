// One island on its way to a solution: what the stages share. Every stage reports its iterates; the one of least error
// is kept, and the run is asked whether to go on.
#ifndef VS_SOLVER_COULOMB_ATTEMPT_H
#define VS_SOLVER_COULOMB_ATTEMPT_H

#include "solver/coulomb/system.h"
#include "solver/run.h"
#include "solver/splitting/gauss_seidel.h"

typedef enum vs_outcome {
    VS_OUTCOME_SOLVED,
    VS_OUTCOME_FAILED, // gave up; `why` says it
    VS_OUTCOME_STOPPED // time, iterations or the caller
} vs_outcome;

enum { VS_ATTEMPT_WORK = VS_GAUSS_SEIDEL_WORK + 2, VS_ATTEMPT_BLOCKS = 3 };

typedef struct vs_attempt {
    const vs_island *island;
    vs_system *system;
    vs_run *run;
    double tolerance;
    bool both;                         // criterion
    const double *start;               // (rows) where the solve began: rest, or the warm start
    double *l, *y;                     // (rows) best so far
    double error;                      // vs_island_error() of it
    double others;                     // energy error over e0 of all other islands
    int iterations;                    // of the present stage
    const char *why;                   // static text
    vs_error broken;                   // what is not the mathematics' fault: memory; ends everything
    bool stopped;                      // told to stop
    double deadline;                   // s of the time budget, for this island in this stage
    double clock;                      // s of it, when it was looked at last
    int unclocked;                     // groups relaxed since
    double *work[VS_ATTEMPT_WORK];     // (rows) each
    double *blocks[VS_ATTEMPT_BLOCKS]; // (9 groups) each
} vs_attempt;

// An iterate whose error is known: kept if it is the best,
void vs_attempt_accept(vs_attempt *attempt, const double *l, const double *y, double error);
// and noted: history and limits, `iterations` more. Sets attempt->stopped.
void vs_attempt_note(vs_attempt *attempt, double error, int iterations);
// Judges an iterate that l need not be in the cones for: keeps it if it is the best, writes the history, asks the run.
// Returns its error. Counts `iterations` more. Sets attempt->stopped.
double vs_attempt_judge(vs_attempt *attempt, const double *l, const double *y, int iterations);
// Before an iteration that factors, the first one of a stage or a later one: true (and stopped) if it would not fit in
// the time budget. Iterations are expected to take as long as the last one.
bool vs_attempt_late(vs_attempt *attempt, bool first);
static inline bool vs_attempt_solved(const vs_attempt *attempt) {
    return attempt->error <= attempt->tolerance;
}

#endif
