// Spectral projected gradient on the impulses: the step length is the inverse of the curvature along the last step
// (Barzilai-Borwein), the line search along the projected direction allows occasional increases of f.
//
//     d = P(l - alpha y) - l,   l <- l + t d,   y <- y + t N d
//     t = 1 if f(l + d) <= max of the last f + 1e-4 y'd, else the minimizer along d
//     alpha = |d|^2 / d'N d  or  d'N d / |N d|^2
//
// f is quadratic: f(l + t d) - f(l) = t y'd + t^2/2 d'N d needs no product, so there is one per iteration. Either
// length is kept for two steps, then one of the two is chosen again, in an order without a period. Measured on piles
// and random scenes with friction: strict alternation can lock into a cycle of two in which the long length is never
// long, and choosing by the ratio of the two, best without constraints, nearly always takes the short one, because it
// counts forces on contacts that do not move.
//
// Birgin et al. 2000; Dai and Fletcher 2005.
#include <math.h>

#include "solver/first_order/gradient.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/group_law.h"
#include "solver/method.h"

enum {
    MEMORY = 10, // values of f that a step may rise to
    FRESH = 50   // iterations after which y is recomputed
};
static const double ENOUGH = 1e-4;  // of the slope: sufficient decrease
static const double LONGEST = 1e10; // step

typedef struct spg_state {
    vs_impulse_run impulses;
    double *l, *y;          // (rows)
    double *d, *Nd;         // (rows)
    double alpha;           // step
    double f, past[MEMORY]; // relative to the start
    int steps;
} spg_state;

static vs_error update(void *state) {
    return vs_impulse_run_update(&((spg_state *)state)->impulses);
}

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    spg_state *s = state;
    vs_error error = vs_gradient_create(&s->impulses, "spg", run, arena);
    if (error)
        return error;
    double **arrays[] = {&s->l, &s->y, &s->d, &s->Nd};
    for (int k = 0; k < 4; k++) {
        *arrays[k] = VS_NEW(arena, double, s->impulses.problem->rows);
        if (!*arrays[k])
            return VS_ERROR_MEMORY;
    }
    return VS_OK;
}

static void start(spg_state *s) {
    vs_impulse_run_start(&s->impulses, s->l);
    vs_impulse_velocities(s->impulses.problem, s->l, s->y);
    s->f = 0;
    for (int k = 0; k < MEMORY; k++)
        s->past[k] = 0;
    s->steps = 0;
    s->alpha = 1; // diagonal blocks have about unit size
}

// From the curvature along the last direction; multiples of the golden ratio, modulo 1, never repeat.
static void choose_step(spg_state *s, double square, double curvature, double force) {
    static const double golden = .6180339887498949;
    if (s->steps % 2 != 0)
        return;
    bool longer = fmod(s->steps * (golden / 2), 1) < .5;
    s->alpha = curvature > 0 ? fmin(longer ? square / curvature : curvature / force, LONGEST) : LONGEST;
}

static void step(spg_state *s) {
    const vs_impulse_problem *problem = s->impulses.problem;
    for (int k = 0; k < problem->rows; k++)
        s->d[k] = s->l[k] - s->alpha * s->y[k];
    vs_impulse_project(problem, s->d);
    for (int k = 0; k < problem->rows; k++)
        s->d[k] -= s->l[k];
    vs_impulse_multiply(problem, s->d, s->Nd);
    double slope = vs_gradient_dot(problem, s->y, s->d), curvature = vs_gradient_dot(problem, s->d, s->Nd);
    double highest = s->past[0], t = 1;
    for (int k = 1; k < MEMORY; k++)
        highest = fmax(highest, s->past[k]);
    if (slope + .5 * curvature > highest - s->f + ENOUGH * slope && curvature > 0)
        t = fmin(1, fmax(0, -slope / curvature));
    for (int k = 0; k < problem->rows; k++) {
        s->l[k] += t * s->d[k];
        s->y[k] += t * s->Nd[k];
    }
    s->f += t * slope + .5 * t * t * curvature;
    s->steps++;
    s->past[s->steps % MEMORY] = s->f;
    choose_step(s, vs_gradient_dot(problem, s->d, s->d), curvature, vs_gradient_dot(problem, s->Nd, s->Nd));
    if (s->steps % FRESH == 0)
        vs_impulse_velocities(problem, s->l, s->y);
}

static vs_error solve(void *state) {
    spg_state *s = state;
    vs_error error = VS_OK;
    start(s);
    do
        step(s);
    while (!vs_impulse_run_check(&s->impulses, s->l, &error));
    return error;
}

const vs_method_class vs_spg_class = {
    .name = "spg",
    .purpose = "spectral projected gradient (Barzilai-Borwein): products with the matrix only",
    .models = VS_SOLVES_CONVEX,
    .rolling = true,
    .distributed = true,
    .most = 1000000,
    .size = sizeof(spg_state),
    .create = create,
    .update = update,
    .solve = solve,
};
