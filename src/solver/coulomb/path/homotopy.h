// Homotopies: nearby problems that are easier, on the way to the one that is asked for. The parameter followed is
//
//     compliance    added to the contacts, from a little to none
//     friction      a share of mu, from a tenth to all of it
#ifndef VS_SOLVER_COULOMB_HOMOTOPY_H
#define VS_SOLVER_COULOMB_HOMOTOPY_H

#include "solver/coulomb/path/central_path.h"
#include "solver/impulse/islands.h"

typedef struct vs_homotopy {
    vs_islands *islands;   // not owned
    const int *first;      // (islands + 1) first row of each in `soft`; not owned
    vs_central_path *path; // not owned
    double *l, *y;         // (rows of the largest island) best iterate of the nearby problem
    double *kept;          // (rows of the largest island) solution of the last nearby problem that was solved
    double *mu;            // (groups of the largest island) friction coefficients of the problem
    double *soft;          // (rows of all islands) exact solutions with compliance
    double *softness;      // (islands) that compliance, in units of a; 0: none was solved
} vs_homotopy;

vs_error vs_homotopy_create(vs_homotopy *h, vs_islands *islands, const int *first, vs_central_path *path,
                            vs_arena *arena);

// All of these work on the progress of island k and leave the island's data as they found them.

// The central path with each of a few small compliances, for so many iterations, then Newton's method without. Keeps
// the solution of the smallest compliance that was solved.
vs_stage_end vs_homotopy_compliance(vs_homotopy *h, vs_progress *progress, int k, int iterations);
// From large compliances down to the smallest that is solved: returned when all else fails. Never VS_STAGE_SOLVED.
vs_stage_end vs_homotopy_soften(vs_homotopy *h, vs_progress *progress, int k, int iterations);
// Newton's method from a tenth of the friction to all of it, in at most so many adaptive steps.
vs_stage_end vs_homotopy_friction(vs_homotopy *h, vs_progress *progress, int k, int steps);

// ---- nearby problems ---------------------------------------------------------------------------------

// Progress on a nearby problem: it does not touch the best iterate of the problem that is asked for.
vs_progress vs_homotopy_begin(const vs_homotopy *h, const vs_progress *progress, double tolerance);
// Its iterations and limits count for the whole. Stopped, also in the moment in which it was solved: VS_STAGE_STOPPED.
vs_stage_end vs_homotopy_end(const vs_progress *nearby, vs_progress *progress, vs_stage_end outcome);

#endif
