// Exact Coulomb friction: the problem split into contact islands, each solved by a cascade of stages from cheap to
// robust (stage.h has the table). The iterate of least error of all stages is kept, so that a later stage never makes
// an island worse.
#ifndef VS_SOLVER_COULOMB_CASCADE_H
#define VS_SOLVER_COULOMB_CASCADE_H

#include "solver/coulomb/homotopy.h"
#include "solver/coulomb/stage.h"
#include "solver/impulse/islands.h"
#include "solver/run.h"

// One line per stage that ran, in the order in which they first did, and one for islands that the start solves.
typedef struct vs_cascade_report {
    vs_stage line[VS_STAGE_COUNT + 1];
    int lines;
    int line_of[VS_STAGE_COUNT]; // 1 + the line of a stage; 0: it did not run
} vs_cascade_report;

struct vs_cascade {
    vs_run *run; // not owned
    vs_arena *arena;
    vs_islands islands;
    int *first;                       // (islands + 1) first row of each in the vectors over all islands
    vs_system *system;                // (islands)
    double *start;                    // (rows of all islands) rest, or the warm start
    double *l, *y;                    // (rows of all islands) best iterates
    double *error;                    // (islands) vs_island_error() of them
    bool *rounded;                    // (islands) no stage can do better: see vs_island_rounding()
    double tolerance;                 // of the islands
    double *scaled_g, *scaled_lambda; // (m_e), (m) in the units of scaled.h
    vs_progress progress;             // on the current island
    double before, *later;            // energy error over e0 of the islands before the current one and, (islands),
                                      // at the start of the stage, of all islands after each
    double max_time;                  // s; time budget of the whole cascade, 0: unlimited
    double work;                      // of all islands that the stage has not tried yet, in entries of N
    vs_central_path *path;            // created when first needed
    vs_homotopy homotopy;             // created when first needed
    double *dense;                    // work of small systems
    int *pivot;                       //
    double compliance;                // of the returned solution, in units of a
    char reason[256];                 // why the tolerance was not reached
    vs_cascade_report report;
    vs_counts counts;
};

// Text for islands whose error is the rounding of their impulses.
extern const char vs_cascade_at_rounding[];

vs_error vs_cascade_create(vs_cascade *c, vs_run *run, vs_arena *arena);
void vs_cascade_release(vs_cascade *c);
vs_error vs_cascade_update(vs_cascade *c); // new values of the problem
// The largest system that a linear solver factored; null if every island was small or none was factored.
const vs_system *vs_cascade_largest(const vs_cascade *c);
// Work vectors of the central path and the homotopies, which most problems never need. False: progress.failure is set.
bool vs_cascade_need_path(vs_cascade *c);

// Clears the report: it stays empty if the next solve ends before the cascade begins.
void vs_cascade_begin(vs_cascade *c);
// After vs_cascade_begin(). The outcome is in run.
vs_error vs_cascade_solve(vs_cascade *c);

// ---- one stage over the islands ----------------------------------------------------------------------

bool vs_cascade_unsolved(const vs_cascade *c, int k); // island k: above the tolerance, and not by rounding alone
// Does the stage run, on any island?
bool vs_cascade_due(const vs_cascade *c, vs_stage_index stage);
// Restricts the run to the stage's share of the time budget.
void vs_cascade_limit_time(vs_cascade *c, vs_stage_index stage);
// Runs the stage on all islands that it is for and that are not solved yet. True: continue with the next stage.
bool vs_cascade_run_stage(vs_cascade *c, vs_stage_index stage, vs_error *error);

#endif
