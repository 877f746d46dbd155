// Exact Coulomb friction: the problem taken apart into islands, each solved by a chain of stages from cheap to safe.
// Every stage keeps the iterate of least error, so that a later one never makes it worse.
#ifndef VS_SOLVER_COULOMB_COULOMB_H
#define VS_SOLVER_COULOMB_COULOMB_H

#include "solver/coulomb/homotopy.h"
#include "solver/impulse/islands.h"
#include "solver/run.h"

enum { VS_STAGES_MOST = 13 };

typedef struct vs_coulomb {
    vs_run *run; // not owned
    vs_arena *arena;
    vs_islands islands;
    vs_system *system;                // (islands)
    double *start;                    // (rows of all islands) rest, or the warm start
    double *l, *y;                    // (rows of all islands) best of each, one island after the other
    int *first;                       // (islands + 1) where they begin
    double *error;                    // (islands) vs_island_error() of it
    double tolerance;                 // of the islands
    bool *rounded;                    // (islands) no stage can do better: see vs_island_rounding()
    double before, *later;            // energy error over e0 of the islands before the one under way and, (islands)
                                      // when the stage began, of all after each
    double work;                      // of all islands that the stage has not tried yet, in entries of N
    double *scaled_g, *scaled_lambda; // (m_e), (m) in the units of scaled.h
    vs_attempt attempt;               // the island under way
    vs_path *path;                    // made when first needed
    double *dense;                    // work of small systems
    int *pivot;                       //
    vs_homotopy homotopy;             // made when first needed
    double compliance;                // of what is returned, in units of a
    char reason[256];                 // why the tolerance was not reached
    vs_stage stage[VS_STAGES_MOST];
    int stages;
    vs_counts counts;
} vs_coulomb;

vs_error vs_coulomb_create(vs_coulomb *c, vs_run *run, vs_arena *arena);
void vs_coulomb_release(vs_coulomb *c);
vs_error vs_coulomb_update(vs_coulomb *c); // new values of the problem
// The largest system that an engine factored; null if every island was small or none was factored.
const vs_system *vs_coulomb_largest(const vs_coulomb *c);
// Forgets the last solve: what is reported if the next one ends before the chain begins.
void vs_coulomb_begin(vs_coulomb *c);
// After vs_coulomb_begin(). The outcome is in run.
vs_error vs_coulomb_solve(vs_coulomb *c);

#endif
