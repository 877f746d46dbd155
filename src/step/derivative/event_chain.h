// A step of controlled accuracy to first order: flights and impacts one after the other, each a derivative of its own.
//
//     flight   half a kick, drift, half a kick (rattle.h), without contacts that press
//     impact   at the time at which a gap closes, which depends on the state:
//
//     gap(x + dx + x' dt) = 0:   dt = -d gap(dx)/u            u: rate of the gap before the impact
//     dx+ = D (dx + x'- dt) - x'+ dt                          D: derivative of the impact at a fixed time; x' = (v, a) at it
//
// The last two lines are the jump of the derivative (saltation). Where several contacts strike at once, the gap is the least one.
#ifndef VS_STEP_EVENT_CHAIN_H
#define VS_STEP_EVENT_CHAIN_H

#include "step/data/simulation_data.h"
#include "voussoir/step_derivative.h"

// How the time of an impact depends on the state.
typedef struct vs_event_shift {
    double rate;            // m/s, of the gap; not below 0: the time does not depend on it
    int block[2];           // VS_NO_BLOCK: prescribed
    double gap[2][6];       // by moves and turns of both bodies
    double *before, *after; // (12 bodies) velocities and accelerations, world axes
} vs_event_shift;

// vs_solved_hook functions; user: a vs_step_recorder, whose derivative gets the parts.
vs_error vs_event_chain_record_flight(vs_simulation *s, double h, bool presses, void *user);
vs_error vs_event_chain_record_impact(vs_simulation *s, void *user);

// As vs_step_derivative_tangent() and _adjoint(), of a derivative with parts.
vs_error vs_event_chain_tangent(const vs_step_derivative *d, const vs_state_direction *before,
                                const vs_input_direction *input, const vs_state_direction *after, double *residual);
vs_error vs_event_chain_adjoint(const vs_step_derivative *d, const vs_state_direction *weights,
                                const vs_state_direction *before, const vs_input_direction *input, double *residual);

#endif
