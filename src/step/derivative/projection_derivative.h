// The projection of positions onto the joints (body/joint_projection.h) to first order: its steps once more, each
//
//     minimise x'M x with J x = -Psi,    q <- q + x
//
// is the solution of a problem with joints alone, which is differentiated like that of the step, with the curvature of the joints
// contracted with its x and impulses.
#ifndef VS_STEP_PROJECTION_DERIVATIVE_H
#define VS_STEP_PROJECTION_DERIVATIVE_H

#include "step/derivative/joint_differential.h"
#include "voussoir/derivative.h"

enum { VS_PROJECTION_STEPS_MOST = 3 }; // as in the step

// Rows of a motor that keeps the coordinate at the beginning of the projection: J there.
typedef struct vs_held_row {
    int row, bodies;
    int block[VS_ROW_BODIES_MOST];
    double J[VS_ROW_BODIES_MOST][6]; // of moves and turns about world axes
} vs_held_row;

typedef struct vs_projection_part {
    vs_problem *problem;
    vs_derivative *solution;
    vs_joint_differential *joint; // (joints)
    int joints;
    double *momentum; // (6 bodies) by the mass: that of its step, M x, over the mass
    vs_mat3 *turn;    // (bodies) the turn of a body about world axes by the rotation of its step
} vs_projection_part;

typedef struct vs_projection_derivative {
    vs_context *context;
    int bodies, parts; // parts: 0 without joints
    vs_projection_part part[VS_PROJECTION_STEPS_MOST];
    int held;
    vs_held_row *held_row; // (held)
    vs_mat3 *turned;       // (bodies) by all steps
    vs_vec3 *spin;         // (bodies) rad/s, world axes, at the end
} vs_projection_derivative;

// world: a copy whose bodies are at the end of their drift; they are moved. failed: the joints are not satisfied after the steps.
vs_error vs_projection_derivative_create(vs_projection_derivative *d, vs_world *world, const vs_blocks *blocks,
                                         vs_arena *arena, bool *failed);
void vs_projection_derivative_destroy(vs_projection_derivative *d);

// A direction of all states at the end of the drift becomes that after the projection; and weights the other way. state: (15 bodies),
// VS_MOTION_STATE each. mass: (bodies) its direction, to which
// the adjoint adds the gradient. residual: becomes the largest.
vs_error vs_projection_derivative_tangent(const vs_projection_derivative *d, double *mass, double *state,
                                          double *residual);
vs_error vs_projection_derivative_adjoint(const vs_projection_derivative *d, double *weights, double *mass,
                                          double *residual);

#endif
