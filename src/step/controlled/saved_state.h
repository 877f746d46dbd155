// The state of a simulation that a trial of a step changes, so that a rejected one leaves no trace: poses, velocities, time,
// gravity, angles and reactions of joints, remembered impulses. Forces of the user, counters and sums change only with a step that
// is accepted. Not as the bytes of a state (state/simulation_state.h): errors and times of impacts are found by comparing with it.
#ifndef VS_STEP_SAVED_STATE_H
#define VS_STEP_SAVED_STATE_H

#include "step/data/simulation_data.h"

// Replaces what was saved before.
vs_error vs_saved_state_take(vs_simulation *s);
void vs_saved_state_restore(vs_simulation *s);
// Only the impulses: those of an impact are not remembered.
void vs_saved_state_restore_impulses(vs_simulation *s);
void vs_saved_state_release(vs_context *context, vs_saved_state *state);

#endif
