// How far the interfaces between bodies are from sliding and from opening: see vs_margin.
#ifndef VS_STEP_MARGIN_H
#define VS_STEP_MARGIN_H

#include "voussoir/simulation.h"

// Of the contacts of the last step of a simulation that is not distributed.
vs_error vs_margin_measure(const vs_simulation *s, vs_margin *margin);

#endif
