// Contacts that begin, persist and end: events of a step.
#ifndef VS_STEP_EVENTS_H
#define VS_STEP_EVENTS_H

#include "step/data/simulation_data.h"

// After a step: compares the pairs that touch with those of the last one.
vs_error vs_events_find(vs_simulation *s);
void vs_events_release(vs_context *context, vs_events *events);

#endif
