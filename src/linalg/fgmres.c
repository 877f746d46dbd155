// Flexible GMRES: A x = b with a right preconditioner that may change from step to step.
//
//     A Z_k = V_(k+1) H_k,  z_j = M^-1 v_j,   x = x + Z_k y,   y = argmin | |r| e_1 - H_k y |
//
// Y. Saad, A flexible inner-outer preconditioned GMRES algorithm, SIAM J. Sci. Comput. 14 (1993). Modified Gram-Schmidt
// with one reorthogonalization when cancellation shows, Givens rotations for the small least-squares problem.
// The residual is recomputed after every cycle, and a cycle that did not lower it is undone: the result is the
// best x seen, also when the operator or the preconditioner produce NaN. Makes no estimate of the error of x.
#include "linalg/fgmres.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/elementary.h"

// Sums in four lanes that are added in a fixed order: vector registers without reordering.
static double dot_of(int n, const double *a, const double *b) {
    double s[4] = {0};
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int l = 0; l < 4; l++)
            s[l] += a[k + l] * b[k + l];
    }
    for (int l = 0; k < n; k++, l++)
        s[l] += a[k] * b[k];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double dot(const vs_fgmres *g, const double *a, const double *b) {
    if (!g->space)
        return dot_of(g->n, a, b);
    double here = dot_of(g->owned, a, b) + dot_of(g->n - g->shared, a + g->shared, b + g->shared);
    return vs_space_sum(g->space, here);
}

static double norm(const vs_fgmres *g, const double *a) {
    return sqrt(dot(g, a, a));
}

static void add_scaled(int n, double factor, const double *restrict a, double *restrict y) {
    for (int k = 0; k < n; k++)
        y[k] += factor * a[k];
}

static void copy(int n, const double *a, double *y) {
    if (n > 0)
        memcpy(y, a, (size_t)n * sizeof *y);
}

static double *basis(const vs_fgmres *g, int j) {
    return g->V + (int64_t)j * g->n;
}
static double *direction(const vs_fgmres *g, int j) {
    return g->Z + (int64_t)j * g->n;
}
static double *column(const vs_fgmres *g, int j) {
    return g->Hm + (int64_t)j * (g->restart + 1);
}

vs_error vs_fgmres_init(vs_fgmres *g, int n, int restart, vs_arena *arena) {
    assert(n >= 0 && restart >= 1);
    *g = (vs_fgmres){.n = n, .restart = restart};
    int64_t k = restart;
    g->V = VS_NEW(arena, double, (k + 1) * n);
    g->Z = VS_NEW(arena, double, k *n);
    g->Hm = VS_NEW(arena, double, (k + 1) * k);
    g->cs = VS_NEW(arena, double, k);
    g->sn = VS_NEW(arena, double, k);
    g->g = VS_NEW(arena, double, k + 1);
    g->promised = VS_NEW(arena, double, k + 1);
    g->w = VS_NEW(arena, double, n);
    return g->promised && g->V && g->Z && g->Hm && g->cs && g->sn && g->g && g->w ? VS_OK : VS_ERROR_MEMORY;
}

enum { STAGNANT = 3, SHORT = 6 };    // steps
static const double TRUSTED = 1e-10; // relative residual down to which the recurrence is trusted
static const double SMALL = 1e-5;    // relative residual below which stagnation ends a solve

// State of one solve.
typedef struct run {
    vs_operator A;
    vs_preconditioner M;
    void *user;
    const double *b;  // (n)
    double *x;        // (n)
    double tolerance; // of |b - A x|
    int left;         // iterations
    vs_error error;   // of the preconditioner
    bool broken;      // NaN or infinity met
    double size;      // of b
    double *promised; // (restart + 1) residuals that the recurrence predicts in this cycle
} run;

// w <- w - V V'w, h_i = v_i'w for i <= j. Returns the norm of the remainder.
static double orthogonalize(const vs_fgmres *g, int j, double size, double *h) {
    for (int i = 0; i <= j; i++)
        h[i] = 0;
    // A vector that lost a good part of its length carries roundoff of the lost part along V: a second pass removes it.
    double rest = size, before;
    int pass = 0;
    do {
        before = rest;
        for (int i = 0; i <= j; i++) {
            double part = dot(g, basis(g, i), g->w);
            add_scaled(g->n, -part, basis(g, i), g->w);
            h[i] += part;
        }
        rest = norm(g, g->w);
    } while (++pass < 2 && rest < 0.7 * before);
    return rest;
}

// Applies the earlier rotations to column j, then one that removes h_(j+1); the right-hand side follows.
static void rotate(vs_fgmres *g, int j, double *h) {
    for (int i = 0; i < j; i++) {
        double upper = g->cs[i] * h[i] + g->sn[i] * h[i + 1];
        h[i + 1] = g->cs[i] * h[i + 1] - g->sn[i] * h[i];
        h[i] = upper;
    }
    double length = vs_hypot(h[j], h[j + 1]);
    g->cs[j] = length > 0 ? h[j] / length : 1;
    g->sn[j] = length > 0 ? h[j + 1] / length : 0;
    h[j] = length;
    g->g[j + 1] = -g->sn[j] * g->g[j];
    g->g[j] *= g->cs[j];
}

// Small already and no longer falling: the rest is roundoff of the preconditioner. Continuing would reduce the residual
// little and let components of x grow along which A is nearly singular.
static bool stagnates(const run *r, int k) {
    return k >= STAGNANT && r->promised[k] <= SMALL * r->size && r->promised[k] > 0.5 * r->promised[k - STAGNANT];
}

// The fewest directions that give nearly the same residual.
static int shortest(const run *r, int k) {
    int fewest = k;
    while (fewest > 1 && r->promised[fewest - 1] <= 2 * r->promised[k])
        fewest--;
    return fewest;
}

// One cycle from the residual in V_0 of norm beta. Returns the number of directions that can be used;
// |g_k| is then the residual that the recurrence predicts.
static int build_basis(vs_fgmres *g, run *r, double beta) {
    for (int k = 0; k < g->n; k++)
        g->V[k] /= beta;
    g->g[0] = r->promised[0] = beta;
    int j = 0;
    for (; j < g->restart && r->left > 0; j++) {
        copy(g->n, basis(g, j), direction(g, j));
        g->residual = r->promised[j];
        r->error = r->M(r->user, direction(g, j));
        if (r->error)
            return j;
        r->A(r->user, direction(g, j), g->w);
        r->left--;

        double size = norm(g, g->w);
        double *h = column(g, j);
        double rest = orthogonalize(g, j, size, h);
        r->broken = !isfinite(size) || !isfinite(rest);
        if (r->broken)
            return j;
        // Nothing new beyond roundoff: the space contains the solution, or z_j repeats earlier directions.
        bool closed = rest <= 4 * DBL_EPSILON * size;
        h[j + 1] = closed ? 0 : rest;
        rotate(g, j, h);
        if (closed)
            return h[j] > 4 * DBL_EPSILON * size ? j + 1 : j;
        for (int k = 0; k < g->n; k++)
            basis(g, j + 1)[k] = g->w[k] / rest;
        r->promised[j + 1] = fabs(g->g[j + 1]);
        if (r->promised[j + 1] <= r->tolerance)
            return j + 1;
        if (stagnates(r, j + 1))
            return shortest(r, j + 1);
    }
    return j;
}

// y from the triangle of the k used columns, in place of the right-hand side; then w = Z y.
static void combine_directions(vs_fgmres *g, int k) {
    double *y = g->g;
    for (int j = k - 1; j >= 0; j--) {
        y[j] /= column(g, j)[j];
        for (int i = 0; i < j; i++)
            y[i] -= column(g, j)[i] * y[j];
    }
    for (int i = 0; i < g->n; i++)
        g->w[i] = 0;
    for (int j = 0; j < k; j++)
        add_scaled(g->n, y[j], direction(g, j), g->w);
}

// V_0 <- b - A x; returns its norm.
static double find_residual(vs_fgmres *g, const run *r) {
    r->A(r->user, r->x, g->w);
    for (int i = 0; i < g->n; i++)
        g->V[i] = r->b[i] - g->w[i];
    return norm(g, g->V);
}

// x <- x + Z y and V_0 <- b - A x, whose norm is returned. The old x is kept in V_1, which the cycle no longer needs.
static double take_step(vs_fgmres *g, const run *r, int k) {
    combine_directions(g, k);
    copy(g->n, r->x, basis(g, 1));
    add_scaled(g->n, 1, g->w, r->x);
    return find_residual(g, r);
}

// The recurrence's residual after few steps and far above roundoff is the true one: no product to verify it.
static bool trusted(const run *r, int k, double promised) {
    return !r->error && !r->broken && k <= SHORT && promised <= r->tolerance && promised >= TRUSTED * r->size;
}

// The residual of the initial x in V_0; x = 0 instead if its residual is smaller.
static double begin_solve(vs_fgmres *g, const run *r, bool guess) {
    double reached = guess ? find_residual(g, r) : INFINITY;
    if (reached < r->size)
        return reached;
    for (int i = 0; i < g->n; i++)
        r->x[i] = 0;
    copy(g->n, r->b, g->V);
    return r->size;
}

vs_error vs_fgmres_solve(vs_fgmres *g, vs_operator A, vs_preconditioner M, void *user, const double *b, double *x,
                         bool guess, double tolerance, int max_iterations, vs_fgmres_outcome *outcome) {
    run r = {.A = A, .M = M, .user = user, .b = b, .x = x, .tolerance = tolerance, .left = max_iterations};
    r.promised = g->promised;
    r.size = norm(g, b);
    double residual = begin_solve(g, &r, guess);
    while (residual > tolerance && isfinite(residual) && r.left > 0) {
        int k = build_basis(g, &r, residual);
        if (k == 0)
            break;
        double promised = fabs(g->g[k]);
        if (trusted(&r, k, promised)) {
            combine_directions(g, k);
            add_scaled(g->n, 1, g->w, x);
            residual = promised;
            break;
        }
        double reached = take_step(g, &r, k);
        if (!(reached < residual)) {
            copy(g->n, basis(g, 1), x);
            break;
        }
        // Little gained although much was predicted: roundoff dominates, further cycles would repeat this one.
        bool exhausted = (reached > 0.5 * residual && promised < 0.5 * reached) || stagnates(&r, k);
        residual = reached;
        if (r.error || r.broken || exhausted)
            break;
    }
    *outcome = (vs_fgmres_outcome){.iterations = max_iterations - r.left, .residual = residual};
    return r.error;
}
