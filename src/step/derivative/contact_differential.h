// The rows of a contact to first order, contracted with the solution (v, l) of the step's problem: directions of the matrix D act on the
// solution like those of c and b (docs/derivatives.md),
//
//     dc - dD'l,    db - dD v
//
// as a dense matrix by the states of the two bodies.
#ifndef VS_STEP_CONTACT_DIFFERENTIAL_H
#define VS_STEP_CONTACT_DIFFERENTIAL_H

#include "step/derivative/contact_geometry.h"

enum {
    VS_CONTACT_IN = 24, // translation, rotation, velocity, angular velocity of both bodies, as in motion_derivative.h
    VS_CONTACT_OUT = 12 + 6,  // c of both bodies, b of at most 6 rows
    VS_CONTACT_ROWS_MOST = 6, //
};

typedef struct vs_contact_differential {
    int block[2];                                    // of the bodies; VS_NO_BLOCK: their motion is prescribed
    int row, rows;                                   // of the problem
    int material[2];                                 // of the colliders
    bool slides, rolls, spins;                       // it has these coefficients
    double by_restitution[3];                        // (at most 3 rows) of b
    double by_state[VS_CONTACT_OUT * VS_CONTACT_IN]; // by rows
} vs_contact_differential;

// Of contact k of the step of s, whose bodies have not moved yet.
void vs_contact_differential_set(vs_contact_differential *d, const vs_simulation *s, int k,
                                 const vs_contact_geometry *geometry, const double *v, const double *lambda);

#endif
