// What gates do at the beginning of a step: factories bring bodies in, sinks take them out.
#ifndef VS_STEP_PASSAGE_H
#define VS_STEP_PASSAGE_H

#include "voussoir/world.h"

// Before a step of length h.
vs_error vs_gates_act(vs_world *world, double h);

#endif
