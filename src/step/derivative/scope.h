// What the derivative of a step covers. The first reason why it does not is a text that names it.
#ifndef VS_STEP_DERIVATIVE_SCOPE_H
#define VS_STEP_DERIVATIVE_SCOPE_H

#include "step/data/simulation_data.h"

// Null: covered.
const char *vs_derivative_scope_simulation(const vs_simulation *s);     // before a step
const char *vs_derivative_scope_solved(const vs_simulation *s);         // its problem was solved, bodies have not moved
const char *vs_derivative_scope_contact(const vs_simulation *s, int k); // then, of a contact that presses
const char *vs_derivative_scope_report(const vs_step_report *report);   // after it

#endif
