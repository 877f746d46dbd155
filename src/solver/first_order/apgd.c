// Accelerated projected gradient descent on the impulses: Nesterov's momentum with a step length 1/L found by
// backtracking, and a restart whenever momentum points uphill.
//
//     next  = P(x - grad f(x) / L)                   L <- 2 L until d'N d <= L d'd, d = next - x; then L <- 0.9 L
//     theta+: theta+^2 = (1 - theta+) theta^2        beta = theta (1 - theta) / (theta^2 + theta+)
//     x     = next + beta (next - last)              or next, theta+ = 1, if grad f(x)'(next - last) > 0
//
// f is quadratic, so that velocities of x follow from those of `next` and `last`: one product with N per iteration, one
// more for each doubling of L. f may increase occasionally, but not above the start: with beta <= 1 the sum of f(next)
// and L/2 |next - last|^2 does not.
//
// Mazhar et al. 2015; O'Donoghue and Candès 2015.
#include <math.h>
#include <string.h>

#include "solver/first_order/gradient.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/group_law.h"
#include "solver/method.h"

static const double GROWTH = .9;  // factor of L after every step
static const double SLACK = 1e-9; // relative; of the test of L, which compares differences

typedef struct apgd_state {
    vs_impulse_run impulses;
    double *l, *y;          // (rows) the last iterate in its sets, its velocities
    double *next, *next_y;  // (rows) the next one
    double *x, *g;          // (rows) the point of the gradient, and the gradient
    double theta, L, bound; // bound: of L
} apgd_state;

static vs_error update(void *state) {
    apgd_state *a = state;
    vs_error error = vs_impulse_run_update(&a->impulses);
    a->bound = vs_gradient_bound(a->impulses.problem);
    return error;
}

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    apgd_state *a = state;
    vs_error error = vs_gradient_create(&a->impulses, "apgd", run, arena);
    if (error)
        return error;
    double **arrays[] = {&a->l, &a->y, &a->next, &a->next_y, &a->x, &a->g};
    for (int k = 0; k < 6; k++) {
        *arrays[k] = VS_NEW(arena, double, a->impulses.problem->rows);
        if (!*arrays[k])
            return VS_ERROR_MEMORY;
    }
    a->bound = vs_gradient_bound(a->impulses.problem);
    return VS_OK;
}

// x = l: without momentum
static void drop_momentum(apgd_state *a) {
    size_t bytes = sizeof(double) * (size_t)a->impulses.problem->rows;
    memcpy(a->x, a->l, bytes);
    memcpy(a->g, a->y, bytes);
    a->theta = 1;
}

static void start(apgd_state *a) {
    const vs_impulse_problem *problem = a->impulses.problem;
    vs_impulse_run_start(&a->impulses, a->l);
    vs_impulse_velocities(problem, a->l, a->y);
    drop_momentum(a);
    // the curvature along the first gradient
    vs_impulse_multiply(problem, a->y, a->next_y);
    double square = vs_gradient_dot(problem, a->y, a->y);
    a->L = square > 0 ? vs_gradient_dot(problem, a->y, a->next_y) / square : 0;
    a->L = a->L > 0 ? fmin(a->L, a->bound) : a->bound;
}

// next = P(x - g / L) with an L that bounds the curvature along the step
static void descend(apgd_state *a) {
    const vs_impulse_problem *problem = a->impulses.problem;
    for (;;) {
        for (int k = 0; k < problem->rows; k++)
            a->next[k] = a->x[k] - a->g[k] / a->L;
        vs_impulse_project(problem, a->next);
        vs_impulse_velocities(problem, a->next, a->next_y);
        double square = 0, curvature = 0;
        for (int k = 0; k < problem->rows; k++) {
            double d = a->next[k] - a->x[k];
            square += d * d;
            curvature += d * (a->next_y[k] - a->g[k]);
        }
        double sums[] = {square, curvature};
        vs_space_sums(problem->space, 2, sums);
        if (sums[1] <= (1 + SLACK) * a->L * sums[0] || a->L >= a->bound)
            return;
        a->L = fmin(2 * a->L, a->bound);
    }
}

// next becomes the last iterate, x the point that momentum leads to.
static void advance(apgd_state *a) {
    double uphill = 0, square = a->theta * a->theta, theta = .5 * (sqrt(square * square + 4 * square) - square);
    double beta = a->theta * (1 - a->theta) / (square + theta);
    for (int k = 0; k < a->impulses.problem->rows; k++)
        uphill += a->g[k] * (a->next[k] - a->l[k]);
    uphill = vs_space_sum(a->impulses.problem->space, uphill);
    for (int k = 0; k < a->impulses.problem->rows; k++) {
        a->x[k] = a->next[k] + beta * (a->next[k] - a->l[k]);
        a->g[k] = a->next_y[k] + beta * (a->next_y[k] - a->y[k]);
    }
    double *swap = a->l;
    a->l = a->next, a->next = swap;
    swap = a->y;
    a->y = a->next_y, a->next_y = swap;
    a->theta = theta;
    if (uphill > 0)
        drop_momentum(a);
    a->L *= GROWTH;
}

static vs_error solve(void *state) {
    apgd_state *a = state;
    vs_error error = VS_OK;
    start(a);
    for (;;) {
        descend(a);
        if (vs_impulse_run_check(&a->impulses, a->next, &error))
            return error;
        advance(a);
    }
}

const vs_method_class vs_apgd_class = {
    .name = "apgd",
    .purpose = "accelerated projected gradient: products with the matrix only, for large piles at low accuracy",
    .models = VS_SOLVES_CONVEX,
    .rolling = true,
    .distributed = true,
    .most = 1000000,
    .size = sizeof(apgd_state),
    .create = create,
    .update = update,
    .solve = solve,
};
