// Momentum between sweeps, group by group. With S(x) the impulses after one sweep from x and the change f = S(x) - x
//
//     next x_i = P( S_i(x) + beta_i p_i ),     p_i <- beta_i p_i + f_i,     beta_i = k_i / (k_i + 2), at most .95
//
// where k_i counts the sweeps since f_i last pointed against p_i: a group that turns back restarts, and the others keep
// their momentum. (O'Donoghue and Candès 2015 restart all at once.)
#ifndef VS_SOLVER_SPLITTING_MOMENTUM_H
#define VS_SOLVER_SPLITTING_MOMENTUM_H

#include <math.h>

#include "solver/splitting/sweep.h"

static const double VS_MOMENTUM_MOST = .95; // beta; .8 to .99 differ little, less is slower

// beta of a group whose change is `along` its momentum; counts its age.
static inline double vs_momentum_factor(double along, double *age) {
    *age = along < 0 ? 0 : *age + 1;
    return fmin(VS_MOMENTUM_MOST, *age / (*age + 2));
}

typedef struct vs_momentum {
    double *x, *p; // (rows) start of the last sweep; momentum
    double *age;   // (groups) sweeps since the momentum began
    bool swept;    // once
} vs_momentum;

void vs_momentum_begin(vs_momentum *m, const vs_impulse_problem *problem); // without any
// l (rows) moves on by its momentum, but for the first time, and is swept.
void vs_momentum_sweep(vs_momentum *m, vs_sweeper *sweeper, double *l);

#endif
