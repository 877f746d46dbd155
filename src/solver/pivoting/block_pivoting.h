// Block principal pivoting within a proximal-point iteration; also the last step of Lemke's method.
#ifndef VS_SOLVER_PIVOTING_BLOCK_PIVOTING_H
#define VS_SOLVER_PIVOTING_BLOCK_PIVOTING_H

#include "solver/pivoting/mlcp.h"

// Solves the MLCP from the index sets mlcp->set and the impulses mlcp->x.
vs_error vs_block_solve(vs_mlcp *p, bool *stop);

#endif
