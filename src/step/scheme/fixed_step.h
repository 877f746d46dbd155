// A step of the schemes moreau, shake and quasi-static, by the kick of the simulation (docs/theory.md, The step problem):
//
//     collide    contacts at the present positions (this and the next one: assemble.c)
//     assemble   unknowns, rows, the contact problem
//     solve      impulses and velocities at the end of the step: revision.h
//     apply      velocities of bodies and nodes, reactions of joints, energies
//     integrate  positions
//
// The time of the world stays, and so do the forces of the user.
#ifndef VS_STEP_FIXED_STEP_H
#define VS_STEP_FIXED_STEP_H

#include "step/data/simulation_data.h"

// Adds to the report; `before`: the energy at the beginning, or null.
vs_error vs_fixed_step(vs_simulation *s, vs_energy *before, vs_step_report *report);

#endif
