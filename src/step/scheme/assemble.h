// The contact problem of the present state, for the kick of the simulation: contacts, rows, the problem. The world stays as it
// is.
#ifndef VS_STEP_ASSEMBLE_H
#define VS_STEP_ASSEMBLE_H

#include "step/data/simulation_data.h"

// The step as its parts see it. To be made anew after arrays of the simulation have grown.
vs_step_view vs_step_view_of(vs_simulation *s);
// Finds the contacts.
vs_error vs_step_collide(vs_simulation *s);
// Makes unknowns, rows and the problem.
vs_error vs_step_assemble(vs_simulation *s);

#endif
