// The part of a checkpoint that a simulation needs, beyond the world's state, to continue with the same bits.
#ifndef VS_STEP_SIMULATION_STATE_H
#define VS_STEP_SIMULATION_STATE_H

#include "base/arena.h"
#include "voussoir/simulation.h"

vs_error vs_simulation_save(const vs_simulation *s, vs_arena *arena, void **bytes, size_t *count);
// Formats: that of the first release, impulses without marks and no energy flow, and the present one.
typedef enum vs_state_format { VS_STATE_FIRST, VS_STATE_PRESENT } vs_state_format;
vs_error vs_simulation_load(vs_simulation *s, const void *bytes, size_t count, vs_state_format format);

#endif
