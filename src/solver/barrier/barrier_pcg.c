// Preconditioned conjugate gradients on the log barrier's Schur complement, N by products only: see barrier_system.h.
//
//     (N + G) dl = B'C^-1 r_g - r_d,   G = M - B'C^-1 B        preconditioner: diag(N) + G, or G alone
//
// Both preconditioners have one block per contact (Fang 2014). G alone ignores sticking contacts, where the barrier
// vanishes: on piles it reaches the limit of steps where the other needs about two hundred.
#include "solver/barrier/barrier_pcg.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/vector.h"
#include "solver/impulse/operator.h"

enum { PRODUCTS = 2000 }; // most steps per solve

// Cholesky of a block, lower, in place; a pivot that rounding made small or negative is increased.
static void factor_block(int rows, double *P) {
    for (int j = 0; j < rows; j++) {
        double full = P[4 * j], pivot = full;
        for (int k = 0; k < j; k++)
            pivot -= P[3 * j + k] * P[3 * j + k];
        pivot = sqrt(fmax(pivot, fmax(1e-14 * full, 1e-300)));
        P[4 * j] = pivot;
        for (int i = j + 1; i < rows; i++) {
            double sum = P[3 * i + j];
            for (int k = 0; k < j; k++)
                sum -= P[3 * i + k] * P[3 * j + k];
            P[3 * i + j] = sum / pivot;
        }
    }
}

void vs_barrier_pcg_factor(vs_barrier_system *s) {
    const vs_impulse_problem *d = s->problem;
    for (int g = 0; g < d->groups; g++) {
        double *P = s->P + 9 * g;
        memcpy(P, s->G + 9 * g, sizeof(double) * 9);
        bool plain = s->way == VS_BARRIER_PCG_BLOCK && d->law[g] != VS_LAW_FREE;
        for (int k = 0; k < d->row[g + 1] - d->row[g] && !plain; k++)
            P[4 * k] += d->A[9 * g + 4 * k];
        factor_block(d->row[g + 1] - d->row[g], P);
    }
    s->counts.factorizations++;
}

// y = (N + G) x
static void multiply_schur(vs_barrier_system *s, const double *x, double *y) {
    const vs_impulse_problem *d = s->problem;
    vs_impulse_multiply(d, x, y);
    for (int g = d->joints; g < d->groups; g++) {
        int row = d->row[g], rows = d->row[g + 1] - row;
        const double *G = s->G + 9 * g;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                y[row + i] += G[3 * i + j] * x[row + j];
    }
}

static void precondition_blocks(vs_barrier_system *s, const double *r, double *z) {
    const vs_impulse_problem *d = s->problem;
    s->counts.solves++;
    for (int g = 0; g < d->groups; g++) {
        int row = d->row[g], rows = d->row[g + 1] - row;
        const double *P = s->P + 9 * g;
        for (int i = 0; i < rows; i++) {
            double sum = r[row + i];
            for (int k = 0; k < i; k++)
                sum -= P[3 * i + k] * z[row + k];
            z[row + i] = sum / P[4 * i];
        }
        for (int i = rows - 1; i >= 0; i--) {
            for (int k = i + 1; k < rows; k++)
                z[row + i] -= P[3 * k + i] * z[row + k];
            z[row + i] /= P[4 * i];
        }
    }
}

// x = (N + G)^-1 r, r is overwritten. Until the residual has decreased by the tolerance in the preconditioner's norm.
// If a direction has no positive curvature (indefinite N, or rounding), it returns the present x: a descent direction.
static void run_pcg(vs_barrier_system *s, double *r, double *x) {
    int rows = s->problem->rows;
    double *z = s->work[1], *q = s->work[2], *Aq = s->work[3];
    memset(x, 0, sizeof(double) * (size_t)rows);
    precondition_blocks(s, r, z);
    memcpy(q, z, sizeof(double) * (size_t)rows);
    double size = vs_vector_dot(rows, r, z), aim = s->tolerance * s->tolerance * size;
    for (int step = 0; step < PRODUCTS && size > aim; step++) {
        multiply_schur(s, q, Aq);
        double curvature = vs_vector_dot(rows, q, Aq);
        if (!(curvature > 0)) {
            if (step == 0)
                memcpy(x, q, sizeof(double) * (size_t)rows);
            return;
        }
        double alpha = size / curvature, before = size;
        for (int k = 0; k < rows; k++) {
            x[k] += alpha * q[k];
            r[k] -= alpha * Aq[k];
        }
        precondition_blocks(s, r, z);
        size = vs_vector_dot(rows, r, z);
        for (int k = 0; k < rows; k++)
            q[k] = z[k] + size / before * q[k];
    }
}

void vs_barrier_pcg_solve(vs_barrier_system *s, const double *r_d, const double *r_g, double *dl, double *dp) {
    double begin = vs_clock(), *right = s->work[0];
    int count = s->limits->count;
    for (int i = 0; i < count; i++)
        s->wide[i] = s->p[i] / s->c[i] * r_g[i];
    for (int k = 0; k < s->problem->rows; k++)
        right[k] = -r_d[k];
    vs_barrier_gradient_add(s->limits, s->l, s->wide, right);
    run_pcg(s, right, dl);
    vs_barrier_slopes(s->limits, s->l, dl, dp);
    for (int i = 0; i < count; i++)
        dp[i] = -s->p[i] / s->c[i] * (r_g[i] + dp[i]);
    s->counts.solve += vs_clock() - begin;
}
