// A step to first order: what its derivative keeps (step_derivative.h), recorded when its problem is solved.
//
//     dc, df = kick (state, force, mass)           f: free spin, the drift predicts from w - f
//     dc, db += contact (states of two bodies)     geometry, contracted with the solution
//     dc, db, df += joint (states of its bodies)   the same
//     dv = derivative of the solution (dc, db, dmu, …)
//     next state = drift (pose, dv, df)
//     next state = projection (next state)         onto the joints
//
// All but the solutions are dense matrices per body and contact, so that the adjoint is the transpose to rounding.
#ifndef VS_STEP_DERIVATIVE_LINEAR_STEP_H
#define VS_STEP_DERIVATIVE_LINEAR_STEP_H

#include "base/arena.h"
#include "body/motion_derivative.h"
#include "step/derivative/contact_differential.h"
#include "step/derivative/projection_derivative.h"
#include "voussoir/step_derivative.h"

struct vs_step_derivative {
    vs_context *context;
    vs_arena arena;
    vs_step_derivative_report report;
    int bodies, contacts, joints, parameters;
    vs_body_id *body;                 // (bodies)
    vs_motion_derivative *motion;     // (bodies)
    vs_contact_differential *contact; // (contacts)
    vs_joint_differential *joint;     // (joints) with rows in the problem, or an effort
    vs_projection_derivative projection;
    const vs_parameter *parameter; // (parameters)
    vs_problem *problem;           // null without bodies
    vs_derivative *solution;
    bool flies;                          // without contacts: the kick gives v in place of c
    struct vs_event_shift *shift;        // of an impact; null: none: event_chain.h
    VS_ARRAY(vs_step_derivative *) part; // of a step of controlled accuracy, then all of it: event_chain.h
    bool rolls;                          // the problem has rolling or spinning friction
};

// While the step is taken.
typedef struct vs_step_recorder {
    vs_step_derivative *derivative;
    double border;
    const bool *held;   // (body slots) they had a prediction before the step
    const char *reason; // of a refusal; null: none
    int contact;        // that the narrow phase misses; < 0: none
    bool recorded;
} vs_step_recorder;

// With c the change of the momentum balance H v + c by the mass.
void vs_linear_step_add_mass(vs_motion_derivative *motion, const vs_body *body, const double *v);
// A vs_solved_hook; user: a vs_step_recorder.
vs_error vs_linear_step_record(vs_simulation *s, void *user);

// As vs_step_derivative_tangent() and _adjoint(), of a derivative without parts.
vs_error vs_linear_step_tangent(const vs_step_derivative *d, const vs_state_direction *before,
                                const vs_input_direction *input, const vs_state_direction *after, double *residual);
vs_error vs_linear_step_adjoint(const vs_step_derivative *d, const vs_state_direction *weights,
                                const vs_state_direction *before, const vs_input_direction *input, double *residual);

#endif
