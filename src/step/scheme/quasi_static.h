// The scheme quasi-static: steps of Moreau that begin at rest.
//
// What moves has lost its velocity before the next step, so that structures follow slow supports and presses through
// equilibria as far as there are any. Where there is none they move on by g h^2 per step, slow enough to be pushed back.
// Time has no meaning but that of drives, signals and steps. The kinetic energy that is removed counts as that of dampers.
#ifndef VS_STEP_QUASI_STATIC_H
#define VS_STEP_QUASI_STATIC_H

#include "step/data/simulation_data.h"

// Removes the velocities of all dynamic bodies and free nodes, and adds the kinetic energy that they had to the report.
void vs_quasi_static_stop(vs_simulation *s, const vs_energy *before, vs_step_report *report);

#endif
