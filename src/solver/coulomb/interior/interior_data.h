// Iterate, residuals and directions of the interior point method of interior.h.
#ifndef VS_SOLVER_COULOMB_INTERIOR_INTERIOR_DATA_H
#define VS_SOLVER_COULOMB_INTERIOR_INTERIOR_DATA_H

#include "cone/cone.h"
#include "solver/coulomb/progress.h"

typedef enum vs_interior_kind {
    VS_INTERIOR_JOINT,   // y = 0
    VS_INTERIOR_SCALAR,  // no friction: l_0 y_0 = tau
    VS_INTERIOR_SLIDING, // the same, and l_T opposite to y_T
    VS_INTERIOR_CONE     // undecided: a pair of the cone
} vs_interior_kind;

typedef struct vs_interior {
    vs_interior_kind *kind; // (groups)
    double *l, *y;          // (rows) impulses, velocities with alpha (l - c)
    double *centre;         // (rows)
    double *u;              // (groups) the velocity of a scalar pair
    double *ahead; // (2 groups) of sliding contacts: w - y_T, w the velocity that l_T is opposite to; falls to zero
    double *last;  // (2 groups) of sliding contacts: w of the last iterate
    double *s;     // (groups) added to the normal velocity of undecided contacts
    vs_cone_pair *pair; // (groups) of undecided contacts, in Lorentz scale: (sqrt mu, 1/sqrt mu, 1/sqrt mu) l
    double alpha, tau;  // proximal term; mean product of the pairs
    double left;        // norm of the residuals, without the products of pairs
    double *P, *Q;      // blocks of the groups of a progress: (P + Q N) dl = rhs
    double *rhs;        // (rows)
    double *r1, *rz;    // (groups), (3 groups) wanted change of the products of scalar and of cone pairs
    double *dl, *du;    // (rows), (groups) direction
    double *dlt, *dxt;  // (3 groups) of cone pairs: W dl, W^-1 dx
} vs_interior;

static inline bool vs_interior_is_scalar(vs_interior_kind kind) {
    return kind == VS_INTERIOR_SCALAR || kind == VS_INTERIOR_SLIDING;
}

// From Lorentz scale to the island's rows: y = L y', l = l'/L.
static inline void vs_interior_scale(double mu, double L[3]) {
    const double root = sqrt(mu);
    L[0] = root;
    L[1] = L[2] = 1 / root;
}

// The velocity w that the impulse of a sliding contact is opposite to: its direction e. Returns |w|.
static inline double vs_interior_sliding(const vs_interior *in, const vs_impulse_problem *island, int g, double e[2]) {
    const double *y = in->y + island->row[g] + 1, *ahead = in->ahead + 2 * g;
    const double w[2] = {y[0] + ahead[0], y[1] + ahead[1]}, size = sqrt(w[0] * w[0] + w[1] * w[1]);
    e[0] = size > 0 ? w[0] / size : 1;
    e[1] = size > 0 ? w[1] / size : 0;
    return size;
}

#endif
