// The proximal point method with extrapolation (after Rockafellar 1976; Güler 1992 accelerates it): from a centre c, solve
//
//     y = (N + alpha) l + r - alpha c        by Newton's method on the friction map,
//
// take l as the next centre, and so on. Redundant contacts make N singular, and Newton's method on the problem itself runs
// off along the null space; N + alpha is regular, and the centre moves along soft directions as far as needed. Where
// successive moves agree, the centre is put ahead of the last one. alpha falls after easy solves and rises after hard ones.
//
// Newton's method finds the soft directions, on hundreds of contacts each, and leaves single contacts in the wrong state; sweeps do
// the opposite. In large islands, where hundreds of sweeps cost less than a factorization, they take turns.
#ifndef VS_SOLVER_COULOMB_PROXIMAL_POINT_H
#define VS_SOLVER_COULOMB_PROXIMAL_POINT_H

#include "solver/coulomb/friction_map.h"
#include "solver/coulomb/progress.h"

typedef struct vs_proximal_options {
    vs_friction_map map;
    double alpha;       // of the first centre; N is about 1
    int centres;        // at most
    int factorizations; // at most
    int patience;       // centres without a reduction of the error by a third
    double ahead;       // moves that a centre is put ahead where they agree, at most
    int sweeps;         // over packed contacts after each of Newton's steps
} vs_proximal_options;

extern const vs_proximal_options vs_proximal_natural;       // from the best iterate so far
extern const vs_proximal_options vs_proximal_swept;         // the same with sweeps, where they cost next to nothing
extern const vs_proximal_options vs_proximal_alart_curnier; // from the start of the solve

// From start (rows), which may be progress->l.
vs_stage_end vs_proximal_solve(const vs_proximal_options *options, vs_progress *progress, const double *start);

#endif
