// The memory of static friction as bytes, for checkpoints: contacts, then their number. Nothing without materials that remember.
#ifndef VS_STEP_FRICTION_STATE_H
#define VS_STEP_FRICTION_STATE_H

#include "step/data/simulation_data.h"

size_t vs_friction_state_bytes(const vs_simulation *s);
void vs_friction_state_save(const vs_simulation *s, char *out);
// How many of the last bytes of a state of `count` bytes it is; checks them.
vs_error vs_friction_state_check(const vs_simulation *s, const char *bytes, size_t count, size_t *found);
// The `found` bytes of a check, with memory for them (VS_RESERVE of vs_friction_state_count()).
int64_t vs_friction_state_count(size_t found);
void vs_friction_state_load(vs_simulation *s, const char *bytes, size_t found);

#endif
