// Barrier systems by preconditioned conjugate gradients: see barrier_pcg.c.
#ifndef VS_SOLVER_BARRIER_BARRIER_PCG_H
#define VS_SOLVER_BARRIER_BARRIER_PCG_H

#include "solver/barrier/barrier_system_data.h"

// The preconditioner at the point of the system.
void vs_barrier_pcg_factor(vs_barrier_system *s);
// dl (rows), dp (constraints) for r_d (rows), r_g (constraints).
void vs_barrier_pcg_solve(vs_barrier_system *s, const double *r_d, const double *r_g, double *dl, double *dp);

#endif
