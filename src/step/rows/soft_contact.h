// Compliant contacts: the normal force is that of a spring and a damper,
//
//     F = k x + K x^(3/2) - d u >= 0        x: penetration, u: normal velocity (opening > 0)
//
// and part of the problem as a compliance E. With the tangent k_t = k + 3/2 K x^(1/2) at the beginning of the step
//
//     l = h (F(x) - h/4 k_t (u - u_old) - d (u + u_old)/2)        <=>        u - b + E l = 0
//
//     E = 1/(h (h k_t/4 + d/2)),    b = E h (F(x) + (h k_t/4 - d/2) u_old)
//
// Without a damper it conserves energy, for any step: it is the symplectic Euler method with the stiffness k_t/(1 + h^2 w^2/4),
// w^2 = k_t/m. Durations of impacts and speeds of waves are right where h w is small. At h w > 1 it is the implicit Euler method
// instead, which is stable and loses energy:
//
//     l = h (F(x) - h k_t u - d u),    E = 1/(h (h k_t + d)),    b = E h F(x)
//
// Contacts that are not closed have no damper.
#ifndef VS_STEP_SOFT_CONTACT_H
#define VS_STEP_SOFT_CONTACT_H

#include "material/material.h"

typedef struct vs_soft_state {
    double gap;          // m, at the beginning of the step
    double u_old;        // m/s
    double inverse_mass; // 1/kg, of the two bodies
    double least;        // m, penetration at which the stiffness is taken where there is none yet, at least
} vs_soft_state;

// E and b of the normal row of a step of h, in which forces act for the time `length`.
void vs_soft_contact_row(const vs_material *material, const vs_soft_state *state, double h, double length, double *E,
                         double *b);

#endif
