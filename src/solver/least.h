// What is done at any budget: a few sweeps over the contacts, by the cascade and by auto, or a few iterations on small
// problems of convex models. Impulses of zero, the best that a
// method may have found when a limit ends it at once, would let bodies fall through each other.
#ifndef VS_SOLVER_LEAST_H
#define VS_SOLVER_LEAST_H

#include "voussoir/solver.h"

enum { VS_LEAST_SWEEPS = 10, VS_LEAST_ITERATIONS = 20 };

// A time budget asks for them always, a limit of iterations only here: one that solves a single problem wants to see what N
// iterations do, a simulation wants a next step.
void vs_solver_require_sweeps(vs_solver *solver);

#endif
