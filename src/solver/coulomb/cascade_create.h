// Creation of a cascade for a run: memory, islands and their linear systems.
#ifndef VS_SOLVER_COULOMB_CASCADE_CREATE_H
#define VS_SOLVER_COULOMB_CASCADE_CREATE_H

#include "solver/coulomb/cascade_data.h"

// VS_ERROR_UNSUPPORTED (text set) for options that exact friction cannot follow.
vs_error vs_cascade_create(vs_cascade *c, vs_method_run *run, vs_arena *arena);
void vs_cascade_release(vs_cascade *c);
vs_error vs_cascade_update(vs_cascade *c); // new values of the problem
// The largest system that a linear solver factored; null if every island was small or none was factored.
const vs_linear_system *vs_cascade_largest(const vs_cascade *c);
// Work vectors of the central path and the homotopies, which most problems never need. False: progress.failure is set.
bool vs_cascade_need_path(vs_cascade *c);
// Those of the interior point method around a centre, likewise.
bool vs_cascade_need_interior(vs_cascade *c);

#endif
