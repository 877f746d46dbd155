// The Gauss-Seidel sweep: every group of a problem in impulses is visited once and solved exactly for all others as
// they are, with relaxation.
//
//     y_i = r_i + sum over j of N_ij l_j + E_i l_i,     x = the solution of the group alone for y_i + A_i (x - l_i)
//     l_i <- P( l_i + omega (x - l_i) )
//
// omega = 1 minimizes the objective of a convex model over the group's impulses: it decreases with every visit.
// Acceleration (accelerated_sweeps.h), which moves the impulses between sweeps, says so by `moved`.
#ifndef VS_SOLVER_SPLITTING_SWEEP_H
#define VS_SOLVER_SPLITTING_SWEEP_H

#include "solver/splitting/colouring.h"
#include "solver/splitting/split.h"
#include "voussoir/solver.h"

typedef struct vs_sweeper {
    const vs_impulse_problem *problem;
    vs_sweep order;                // symmetric: forward and backward in turn
    const vs_colouring *colouring; // of coloured sweeps: colour by colour, over threads
    const vs_split *split;         // distributed: the part of each process for itself; null: serial
    struct vs_packed *packed;      // of packed sweeps (packed_sweep.h)
    double omega;                  // relaxation, 0 … 2
    double *v;                     // (n) the velocities that are carried; null if none are
    int sweeps;                    // done
    bool moved;                    // the impulses were changed since the last sweep
} vs_sweeper;

// One sweep, l (rows; distributed with room for ghosts, split.h) in place; the same bits for any number of threads.
void vs_sweeper_sweep(vs_sweeper *s, double *l);

#endif
