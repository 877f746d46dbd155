// The alternating direction method of multipliers on the impulses, relaxed and exact friction: see admm.c.
#ifndef VS_SOLVER_FIRST_ORDER_ADMM_H
#define VS_SOLVER_FIRST_ORDER_ADMM_H

#include "solver/kkt/form_choice.h"
#include "solver/impulse/impulse_run.h"
#include "solver/impulse/anderson.h"

typedef struct vs_admm {
    vs_impulse_run impulses;
    vs_choice choice;    // form and backend of N + E + R
    vs_newton newton;    // its assembly and factor: those of the interior point, with R in place of W^2
    double rho;          // penalty of the contacts
    double *R;           // (rows) rho; joints: a small proximal term
    double *w, *f;       // (rows) the iterate and the increment of a plain step
    double *z, *y;       // (rows) impulses in their sets and ybar in their duals: z - y / R = w
    double *l;           // (rows) impulses of the linear system
    double *next, *last; // (rows) work; the last impulses in their sets
    double *last_y;      // (rows)
    double *right;       // (unknowns of newton)
    vs_anderson anderson;
    bool accelerate, accelerated; // by anderson.h; the iterate is an accelerated one
    double before;                // |f| before it
    double dz, dy;                // squares of the changes of impulses and velocities since rho was checked
    int adapt_at;                 // iteration of the next check of rho
    int attempt, begun;           // number of the attempt, and its first iteration
} vs_admm;

#endif
