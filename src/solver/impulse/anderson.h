// Anderson acceleration of a fixed-point iteration w <- w + f(w): the next point is the one where f, were it linear,
// would be least over the span of the last steps.
//
//     gamma = argmin | f - dF gamma |^2 + regularization,    next = w + f - (dW + dF) gamma
//
// It promises nothing: the caller checks that |f| has fallen and goes the plain step otherwise.
// Walker, Ni: Anderson acceleration for fixed-point iterations. SIAM J. Numer. Anal. 49, 2011.
#ifndef VS_SOLVER_IMPULSE_ANDERSON_H
#define VS_SOLVER_IMPULSE_ANDERSON_H

#include <stdbool.h>

#include "base/arena.h"

enum { VS_ANDERSON_MOST = 20 }; // steps remembered

typedef struct vs_anderson {
    int size, memory;                                 // of w; steps remembered
    int64_t count;                                    // steps so far; the k-th is kept at k % memory
    bool begun;                                       // there is a last point
    double *dW, *dF;                                  // (memory x size) steps and what they changed
    double *w, *f;                                    // (size) the last point
    double gram[VS_ANDERSON_MOST * VS_ANDERSON_MOST]; // dF'dF
} vs_anderson;

vs_error vs_anderson_create(vs_anderson *a, int size, int memory, vs_arena *arena);
void vs_anderson_forget(vs_anderson *a);
// next (size) from w and f = f(w); may be the plain step w + f.
void vs_anderson_step(vs_anderson *a, const double *w, const double *f, double *next);

#endif
