// The normal row of a soft contact: see soft_contact.h.
#include "step/rows/soft_contact.h"

#include <math.h>

void vs_soft_contact_row(const vs_material *material, const vs_soft_state *state, double h, double length, double *E,
                         double *b) {
    const double x = -state->gap, u = state->u_old;
    const double at = fmax(x, fmax(h * fabs(u), state->least));
    const double tangent = material->stiffness + 1.5 * material->hertz * sqrt(at);
    const double damping = x > 0 ? material->damping : 0;
    // Where it is open the force is continued with the tangent: it stays 0 unless the step closes the contact.
    const double force = x > 0 ? material->stiffness * x + material->hertz * x * sqrt(x) : tangent * x;
    if (h * h * tangent * state->inverse_mass > 1) {
        *E = 1 / (length * (h * tangent + damping));
        *b = *E * length * force;
        return;
    }
    *E = 1 / (length * (.25 * h * tangent + .5 * damping));
    *b = *E * length * (force + (.25 * h * tangent - .5 * damping) * u);
}
