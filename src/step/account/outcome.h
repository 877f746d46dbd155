// Watches the bodies of a simulation: how far they went, whether they rest, which stop condition a step meets.
#ifndef VS_STEP_OUTCOME_H
#define VS_STEP_OUTCOME_H

#include "voussoir/simulation.h"

typedef struct vs_watch vs_watch;

// Of the present poses and options.stop, which it copies. VS_ERROR_ARGUMENT names a condition that is out of range.
vs_error vs_watch_create(const vs_world *world, const vs_simulation_options *options, vs_watch **watch);
void vs_watch_destroy(vs_watch *w); // null is allowed
// After a step of a simulation that is not distributed. `met`: it meets a condition.
vs_error vs_watch_update(vs_watch *w, const vs_simulation *s, bool *met);
const vs_outcome *vs_watch_outcome(const vs_watch *w);
const vs_stop_condition *vs_watch_conditions(const vs_watch *w); // options.stop

#endif
