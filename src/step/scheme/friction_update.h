// The memory of static friction after a step (friction_memory.h).
#ifndef VS_STEP_FRICTION_UPDATE_H
#define VS_STEP_FRICTION_UPDATE_H

#include "step/data/simulation_data.h"

// Remembers the contacts of a solved step.
vs_error vs_friction_update(vs_simulation *s);

#endif
