// Derivatives of one step of a simulation: how the state after it depends on the state before it, on forces and on parameters.
//
// A step moves poses and velocities to those at its end through its contact geometry, the certified solution of its contact
// problem (derivative.h), the motion of its bodies and their projection onto the joints. The derivatives of all are multiplied
// here, for any number of directions from one factorization of each problem:
//
//     tangent   directions of state, forces, parameters  ->  direction of the next state
//     adjoint   weights of the next state  ->  gradient with respect to state, forces, parameters      (the transpose)
//
// States are those of the dynamic bodies, in the order of their indices. docs/derivatives.md says what is covered; what is not is
// refused by name (VS_ERROR_UNSUPPORTED).
#ifndef VOUSSOIR_STEP_DERIVATIVE_H
#define VOUSSOIR_STEP_DERIVATIVE_H

#include "voussoir/derivative.h"
#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_step_derivative vs_step_derivative;

// What a parameter is a number of.
typedef enum vs_parameter_kind {
    VS_PARAMETER_MASS,        // kg, of a body, with its inertia in proportion: that of its density
    VS_PARAMETER_MU,          // between two materials
    VS_PARAMETER_RESTITUTION, // likewise
    VS_PARAMETER_ROLLING,     // m, likewise
    VS_PARAMETER_SPINNING     // m, likewise
} vs_parameter_kind;
VS_API const char *vs_parameter_kind_name(vs_parameter_kind kind); // "mass", "mu", …

typedef struct vs_parameter {
    vs_parameter_kind kind;
    vs_body_id body;            // of a mass
    int material_a, material_b; // of the others
} vs_parameter;

// Start from vs_step_derivative_options_default().
typedef struct vs_step_derivative_options {
    double border;                 // as in vs_derivative_options; default 1e-6
    const vs_parameter *parameter; // (parameters) copied; default none
    int parameters;
} vs_step_derivative_options;

// Arrays belong to the derivative.
typedef struct vs_step_derivative_report {
    int bodies;             // dynamic ones: the state has 12 numbers for each
    const vs_body_id *body; // (bodies)
    int contacts;           // of the step
    int borders;            // contacts between two statuses: an element of the generalized derivative is taken
    int kinks;     // contacts whose geometry has a kink here: the mean of its derivatives on both sides is taken
    int redundant; // contacts whose impulses are not unique
    double relative_error; // of the solution that is differentiated: its certificate
    size_t bytes;          // memory of the derivative without that of the factors
} vs_step_derivative_report;

// A direction of a state, or weights of it; null: zero, or not wanted. Tangents may write where they read.
typedef struct vs_state_direction {
    double *pose;     // (6 bodies) m, and rad about world axes: the rotation R turns by dR = [r] R
    double *velocity; // (6 bodies) m/s and rad/s, world axes
    // (3 bodies) rad/s, body axes: the part of the angular velocity that the step before has predicted (docs/time.md). It hands on the
    // memory of a chain of steps. Null and zero belong to states that are set
    double *forecast;
} vs_state_direction;

// The same of what acts on the bodies within the step, and of the parameters.
typedef struct vs_input_direction {
    double *force;     // (6 bodies) N and N m at the centre of mass, world axes, constant over the step
    double *parameter; // (parameters)
} vs_input_direction;

VS_API vs_step_derivative_options vs_step_derivative_options_default(void);

// Takes the next step of the simulation, with its report unless null, and its derivative; destroy it with
// vs_step_derivative_destroy(). Give the solver a tolerance of 1e-10 or less. Where the derivative is refused the step is taken
// nevertheless. The derivative stays what it is when the simulation continues; the simulation's context must outlive it.
VS_API vs_error vs_step_derivative_create(vs_simulation *simulation, const vs_step_derivative_options *options,
                                          vs_step_report *report, vs_step_derivative **derivative);
VS_API void vs_step_derivative_destroy(vs_step_derivative *derivative); // null is allowed
VS_API vs_step_derivative_report vs_step_derivative_get_report(const vs_step_derivative *derivative);

// The direction `after` of the state after the step. residual, unless null: of the linear system (derivative.h).
VS_API vs_error vs_step_derivative_tangent(const vs_step_derivative *derivative, const vs_state_direction *before,
                                           const vs_input_direction *input, const vs_state_direction *after,
                                           double *residual);
// The gradient of sum weights'state by the state before the step and the input. Adds to the input's gradients, so that a chain of steps
// sums up those of its parameters; overwrites `before`, which may be `weights`.
VS_API vs_error vs_step_derivative_adjoint(const vs_step_derivative *derivative, const vs_state_direction *weights,
                                           const vs_state_direction *before, const vs_input_direction *input,
                                           double *residual);

#ifdef __cplusplus
}
#endif

#endif
