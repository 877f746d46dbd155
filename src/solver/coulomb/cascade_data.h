// The state of the cascade (cascade.h), which its stages work on.
#ifndef VS_SOLVER_COULOMB_CASCADE_DATA_H
#define VS_SOLVER_COULOMB_CASCADE_DATA_H

#include "solver/coulomb/path/homotopy.h"
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
    vs_method_run *run; // not owned
    vs_arena *arena;
    vs_islands islands;
    int *first;                      // (islands + 1) first row of each in the vectors over all islands
    vs_linear_system_shared shared;  // by the systems
    vs_linear_system *system;        // (islands)
    struct vs_packed **packed;       // (islands) contacts in packs, of large islands; else null
    struct vs_jointless **jointless; // (islands) joints eliminated, of mechanisms, created when first needed; else null
    double *start;                   // (rows of all islands) rest, or the warm start
    double *l, *y;                   // (rows of all islands) best iterates
    double *error;                   // (islands) vs_impulse_error() of them
    int *patience;                   // (islands) factorizations after which it is given up
    int *spent;                      // (islands) factorizations so far
    int *swept;                      // (islands) sweeps so far
    bool *rounded;                   // (islands) no stage can do better: see vs_impulse_rounding()
    double tolerance;                // of the islands without slack: see vs_cascade_tolerance()
    double *scaled_g, *scaled_lambda; // (m_e), (m) in the units of scaled.h
    vs_progress progress;             // on the current island
    double before, *later;            // J; energy error of the islands before the current one and, (islands),
                                      // at the start of the stage, of all islands after each
    double max_time;                  // s; time budget of the whole cascade, 0: unlimited
    double work;                      // of all islands that the stage has not tried yet, in entries that a sweep reads
    vs_central_path *path;            // created when first needed
    vs_homotopy homotopy;             // created when first needed
    struct vs_interior *interior;     // created when first needed
    double compliance;                // of the returned solution, in units of a
    char reason[256];                 // why the tolerance was not reached
    vs_cascade_report report;
    vs_counts counts;
};

#endif
