// Memory, start and residuals of the interior point method of interior.h.
#ifndef VS_SOLVER_COULOMB_INTERIOR_INTERIOR_START_H
#define VS_SOLVER_COULOMB_INTERIOR_INTERIOR_START_H

#include "solver/coulomb/interior/interior_data.h"

// Are all laws of the island ones that it knows? Not those of boxes and of rolling friction.
bool vs_interior_suits(const vs_impulse_problem *island);
// Vectors are for islands of at most so many rows and groups.
vs_error vs_interior_create(int rows, int groups, vs_arena *arena, vs_interior **out);
// Kinds, pairs and s from the impulses in->l and their velocities in->y, with products of at least tau. Contacts that slip by more
// than `clear` are sliding. False: a pair cannot be made.
bool vs_interior_start(vs_interior *in, const vs_impulse_problem *island, double tau, double clear);
// After that start: sliding contacts keep their velocity although the impulses have changed those of all contacts to in->y.
void vs_interior_keep_slip(vs_interior *in, const vs_impulse_problem *island);
// After a step: sliding contacts that lost their velocity become undecided. False: a pair cannot be made.
bool vs_interior_review(vs_interior *in, const vs_impulse_problem *island, double clear);
// The s of undecided contacts from the velocities in->y.
void vs_interior_renew_slip(vs_interior *in, const vs_impulse_problem *island);
// tau and the residuals of the iterate.
void vs_interior_measure(vs_interior *in, const vs_impulse_problem *island);

#endif
