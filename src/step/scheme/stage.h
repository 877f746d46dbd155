// The contact problem of the present state: contacts, rows, and a solution, for the kick of the simulation. The world stays as
// it is.
#ifndef VS_STEP_STAGE_H
#define VS_STEP_STAGE_H

#include "step/data/simulation_data.h"

// Finds the contacts.
vs_error vs_stage_collide(vs_simulation *s);
// Makes unknowns, rows and the problem.
vs_error vs_stage_assemble(vs_simulation *s);
// Solves it: with Newton's method on elastic forces several times, again with contacts that are crushed, again with contacts that appear only at the end of the
// step, and again with less restitution where impacts would create energy. Adds its effort to the report.
vs_error vs_stage_solve(vs_simulation *s, vs_step_report *report);
// The parts of the step for crushing.h.
vs_crushing_step vs_stage_crushing(vs_simulation *s);

#endif
