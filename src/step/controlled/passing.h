// Does a trial of a controlled step let bodies pass through each other?
//
// Contacts of pairs whose impact is located are no part of the trial, contacts of others are linear in the velocities, and a pair
// may be apart at both ends of a trial though it meets in between. So the way from the saved state to the present poses is
// followed (collide/ccd/ccd.h) for all pairs that move farther than half of their thickness, whatever the trial knows of them.
#ifndef VS_STEP_PASSING_H
#define VS_STEP_PASSING_H

#include "step/data/simulation_data.h"

// The first time at which a pair meets that would pass, as a part of the trial of h, 0 … 1; more: none does.
vs_error vs_passing_find(vs_simulation *s, double h, double *first);

#endif
