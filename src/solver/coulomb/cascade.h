// Exact Coulomb friction: the problem split into contact islands, each solved by a cascade of stages from cheap to
// robust (stage.h has the table). The best iterate of all stages is kept, so that a later stage never makes
// an island worse.
#ifndef VS_SOLVER_COULOMB_CASCADE_H
#define VS_SOLVER_COULOMB_CASCADE_H

#include "solver/coulomb/cascade_data.h"

// Clears the report: it stays empty if the next solve ends before the cascade begins.
void vs_cascade_begin(vs_cascade *c);
// After vs_cascade_begin(). The outcome is in run.
vs_error vs_cascade_solve(vs_cascade *c);

#endif
