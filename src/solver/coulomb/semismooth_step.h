// One step of Newton's method on the friction map, shared by semismooth_newton.c and proximal_point.c: the iterate in the
// work vectors of a progress, the direction, the line search.
#ifndef VS_SOLVER_COULOMB_SEMISMOOTH_STEP_H
#define VS_SOLVER_COULOMB_SEMISMOOTH_STEP_H

#include "solver/coulomb/friction_map.h"
#include "solver/coulomb/progress.h"

enum { VS_SEMISMOOTH_WORK = 8 }; // work vectors of a progress that an iterate takes, from the first

typedef struct vs_semismooth_iterate {
    double *l, *y, *F; // (rows)
    double *d, *Nd;    // (rows) direction, N d
    double *trial_l, *trial_y, *trial_F;
    double *A, *B, *P; // (9 groups)
} vs_semismooth_iterate;

vs_semismooth_iterate vs_semismooth_iterate_of(const vs_progress *progress);
// d of (A + B (N + alpha)) d = -F, and N d. A singular matrix is tried with a larger alpha, then VS_ERROR_NUMERICAL.
vs_error vs_semismooth_direction(const vs_progress *progress, const vs_semismooth_iterate *s, double alpha);
// Halves the step until |F| is below `reference`; otherwise takes the best of the steps tried. Returns its length, and
// leaves the new iterate in trial_l, trial_y and its |F| in *reached.
double vs_semismooth_search(vs_friction_map map, const vs_impulse_problem *island, const vs_semismooth_iterate *s,
                            double reference, double *reached);

// Sizes |F| of the last iterates, for a nonmonotone search.
enum { VS_SEMISMOOTH_MEMORY = 5 };
// The largest of the last sizes, including that of iterate k.
double vs_semismooth_reference(double last[VS_SEMISMOOTH_MEMORY], int k, double size);

#endif
