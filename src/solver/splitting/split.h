// Sweeps over several processes: every process sweeps its own groups, all at the same time, from velocities (in the local
// form: impulses) that are exchanged once before the sweep: two messages for each pair of neighbouring processes.
//
// If groups of k processes touch the same body, each of them would push it by all that it needs; the changes add up, and the
// sweeps may diverge. Therefore each process counts on 1/k of the body's mass (mass splitting, as in jacobi_method.c:
// Tonge et al. 2012):
//
//     carried velocities   N_p = J_p K J_p' + E,  K = diag(k), J_p the rows of process p; v~ = K^-1/2 v, J~ = J_p K^1/2
//     local form           the coupling N_ij to a group of another process is replaced by |N_ij| in the diagonal blocks
//
// so that for changes d_p of all processes together
//
//     |sum_p J_p'd_p|^2 <= sum_p |K^1/2 J_p'd_p|^2,        2 d_i'N_ij d_j <= |N_ij| (|d_i|^2 + |d_j|^2)
//
// and the objective of a convex model decreases with every sweep, as in one process. Exact friction has no such guarantee,
// here or there. Where nothing changes any more, the split makes no difference: the solutions are those of the problem.
//
// The alternative is a colouring of the groups that touch shared bodies, with an exchange per colour: Gauss-Seidel of the
// whole in another order, but ten exchanges per sweep in place of one. The split costs sweeps instead (docs/scale.md).
//
// Groups, their order and the order of all sums depend on the number of processes alone: so do the bits of the result.
#ifndef VS_SOLVER_SPLITTING_SPLIT_H
#define VS_SOLVER_SPLITTING_SPLIT_H

#include "solver/impulse/impulse_problem.h"

typedef struct vs_split {
    const vs_impulse_problem *whole; // what this process has of it; not owned
    vs_impulse_problem problem;      // the process for itself: whole, but J~ and A, the diagonal blocks of N_p + E
    double *root;                    // (n) K^1/2
} vs_split;

// Is there a split? Not where H couples velocities of different bodies: J_p'd_p is then no change of v.
bool vs_split_exists(const vs_impulse_problem *whole);
vs_error vs_split_create(vs_split *split, const vs_impulse_problem *whole, vs_arena *arena); // collective
void vs_split_update(vs_split *split);                                                       // new values of the whole
// Before a sweep: v (n) <- v~ of the impulses l; local form: the ghosts of l (rows + ghosts). Collective.
void vs_split_exchange(const vs_split *split, double *l, double *v);

#endif
