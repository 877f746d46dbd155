// Anderson acceleration of a fixed-point iteration x <- S(x). With f = S(x) - x of the last step and the changes df_k,
// dS_k of f and S between the steps before it, the next point is the one where f, were it linear, would be least:
//
//     next x = S(x) - sum_k gamma_k dS_k,      gamma = argmin | f - sum_k gamma_k df_k |^2 + regularization |gamma|^2
//
// by the normal equations, of which each step adds one row. Changes that depend on others get gamma_k = 0.
//
// Without guarantee: the caller checks progress, and otherwise returns to S(x). Or, for long iterations, `growth` is
// bounded: a step after which |f| has grown by more shows that S was not linear there, and the memory is emptied.
//
// Anderson 1965; Walker and Ni 2011.
#ifndef VS_SOLVER_IMPULSE_ANDERSON_H
#define VS_SOLVER_IMPULSE_ANDERSON_H

#include <stdbool.h>

#include "base/arena.h"

enum { VS_ANDERSON_MOST = 20 };                      // changes remembered
#define VS_ANDERSON_VECTORS(depth) (2 + 2 * (depth)) // (size) each: the memory

typedef struct vs_anderson {
    int size, depth;                                 // of x; changes remembered
    int count, next;                                 // changes stored, position of the next one
    bool ready;                                      // there is a previous step
    double regularization;                           // of the trace of df'df; 1e-11 unless set
    double growth;                                   // of |f| from one step to the next, at most; infinite unless set
    double residual;                                 // |f| of the last step
    double *f, *S;                                   // (size) of the last step
    double *df[VS_ANDERSON_MOST];                    // (size) each
    double *dS[VS_ANDERSON_MOST];                    // (size) each
    double gram[VS_ANDERSON_MOST][VS_ANDERSON_MOST]; // df_i'df_j
} vs_anderson;

// With memory from the arena, or with the caller's: vectors (VS_ANDERSON_VECTORS(depth)) of `size` numbers.
vs_error vs_anderson_create(vs_anderson *a, int size, int depth, vs_arena *arena);
void vs_anderson_init(vs_anderson *a, int size, int depth, double *const *vectors);
void vs_anderson_forget(vs_anderson *a);
// Records a step from x (size) to S(x) = S (size).
void vs_anderson_observe(vs_anderson *a, const double *x, const double *S);
// x (size), S of the last step, becomes the next point. Stays S if nothing is remembered.
void vs_anderson_extrapolate(const vs_anderson *a, double *x);

#endif
