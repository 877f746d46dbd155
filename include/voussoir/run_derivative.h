// Derivatives of a run of many steps: the chain of the derivatives of its steps (step_derivative.h), forward and backward.
//
// The run is taken once, and every k-th state is kept as a snapshot. A tangent takes the steps again, each with its derivative. An adjoint
// goes back segment by segment: from its snapshot the k steps of a segment are taken again, and their derivatives are applied
// from the last to the first. With k = sqrt(steps) memory holds as many snapshots as derivatives of steps, and an adjoint costs
// the run again, and one derivative per step.
//
// Forces are data of the run here: one force and torque for each body and step. What the callback `before` of the simulation does is not
// differentiated; it is called again with each step that is taken again, and has to do the same then.
#ifndef VOUSSOIR_RUN_DERIVATIVE_H
#define VOUSSOIR_RUN_DERIVATIVE_H

#include "voussoir/step_derivative.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_run_derivative vs_run_derivative;

// Start from vs_run_derivative_options_default().
typedef struct vs_run_derivative_options {
    vs_step_derivative_options step; // parameters are copied
    int every;                       // steps between snapshots; 0, the default: the root of the number of steps
    const double *force; // (steps x 6 bodies) N, N m at centres of mass, world axes, of each step; copied. Default none
} vs_run_derivative_options;

// Arrays belong to the derivative.
typedef struct vs_run_derivative_report {
    int steps, bodies;
    const vs_body_id *body;     // (bodies) dynamic ones
    const vs_body_state *state; // ((steps + 1) bodies) all states of the run, one after the other
    int every, snapshots;
    size_t snapshot_bytes, state_bytes; // memory of all snapshots, and of the states
    double seconds;                     // of the run itself
    // Of the last tangent or adjoint; zero before:
    int borders, kinks;        // contacts, summed over the steps: elements of the generalized derivative were taken
    double residual;           // the largest of the steps
    double relative_error;     // the largest of the solutions: their certificate
    size_t derivative_bytes;   // most memory of derivatives of steps at a time, without factors
    double derivative_seconds; //
} vs_run_derivative_report;

// A direction of what a run depends on, or a gradient; null: zero, or not wanted.
typedef struct vs_run_direction {
    double *pose, *velocity; // (6 bodies) of the first state, as in vs_state_direction
    double *force;           // (steps x 6 bodies)
    double *parameter;       // (parameters)
} vs_run_direction;

// Directions of all states, or weights of them; null: not wanted, or zero.
typedef struct vs_run_states {
    double *pose, *velocity; // ((steps + 1) x 6 bodies)
} vs_run_states;

VS_API vs_run_derivative_options vs_run_derivative_options_default(void);

// Takes so many steps; destroy it with vs_run_derivative_destroy(). The simulation must outlive it, and its world must not be changed
// otherwise than by forces. VS_ERROR_UNSUPPORTED while a trajectory is recorded.
VS_API vs_error vs_run_derivative_create(vs_simulation *simulation, int steps, const vs_run_derivative_options *options,
                                         vs_run_derivative **derivative);
VS_API void vs_run_derivative_destroy(vs_run_derivative *derivative); // null is allowed
VS_API vs_run_derivative_report vs_run_derivative_get_report(const vs_run_derivative *derivative);

// Directions of all states, the first one included. Afterwards the simulation stands at the end of the run again; after an error
// where it was.
VS_API vs_error vs_run_derivative_tangent(vs_run_derivative *derivative, const vs_run_direction *data,
                                          const vs_run_states *states);
// The gradient of sum weights'states; overwritten.
VS_API vs_error vs_run_derivative_adjoint(vs_run_derivative *derivative, const vs_run_states *weights,
                                          const vs_run_direction *gradient);

#ifdef __cplusplus
}
#endif

#endif
