// Several contacts with exact Coulomb friction at once, each by itself: the equations of impulse/one_contact.c, which says
// what they mean. A lane whose equations are ill conditioned, or whose direction of sliding does not settle in a few
// turns, is left to vs_one_contact_solve().
#ifndef VS_SOLVER_SPLITTING_LANE_CONTACT_H
#define VS_SOLVER_SPLITTING_LANE_CONTACT_H

#include "solver/impulse/one_contact.h"
#include "solver/splitting/lanes.h"

// y = A l + q: A row by row
typedef struct vs_lane_contact {
    vs_lane A[9], q[3], mu;
} vs_lane_contact;

// The direction of sliding, and the equations for it.
typedef struct vs_lane_slide {
    vs_lane d[2], g[2], b[4];
} vs_lane_slide;

// One Newton step in the angle of d. Returns the turn; *sigma: of the direction before it, at least -slack.
static VS_LANE_INLINE vs_lane vs_lane_turn(vs_lane_slide *s, vs_lane *sigma) {
    const vs_lane *b = s->b, *g = s->g;
    vs_lane d0 = s->d[0], d1 = s->d[1];
    vs_lane e0 = g[0] - (b[0] * d0 + b[1] * d1), e1 = g[1] - (b[2] * d0 + b[3] * d1);
    vs_lane n0 = b[1] * d0 - b[0] * d1, n1 = b[3] * d0 - b[2] * d1;
    *sigma = d0 * e0 + d1 * e1;
    vs_lane turn = (d0 * e1 - d1 * e0) / (*sigma + (d0 * n1 - d1 * n0));
    vs_lane keep = 1 / vs_lane_sqrt(1 + turn * turn);
    s->d[0] = keep * (d0 - turn * d1);
    s->d[1] = keep * (d1 + turn * d0);
    return turn;
}

// A unit vector to start from: against the impulse of a contact that slides, or as if A_TT were a multiple of the
// identity. h, trace: of the equations.
static VS_LANE_INLINE void vs_lane_guess(vs_lane_slide *s, const vs_lane_contact *c, const vs_lane *h, vs_lane trace,
                                         const vs_lane *l) {
    vs_lane size = vs_lane_sqrt(s->g[0] * s->g[0] + s->g[1] * s->g[1]);
    vs_lane sigma = vs_lane_max(size - (vs_real).5 * trace, vs_lane_of(0));
    vs_lane_mask sliding = (l[0] > 0) & (l[1] * l[1] + l[2] * l[2] > (vs_real).25 * c->mu * c->mu * l[0] * l[0]);
    vs_lane w0 = vs_lane_select(sliding, -l[1], sigma * s->g[0] + h[0]);
    vs_lane w1 = vs_lane_select(sliding, -l[2], sigma * s->g[1] + h[1]);
    vs_lane scale = 1 / vs_lane_sqrt(w0 * w0 + w1 * w1);
    s->d[0] = scale * w0;
    s->d[1] = scale * w1;
}

// Sliding contacts: the lanes `wanted` of x; returns those of them that it did not find.
static VS_LANE_INLINE vs_lane_mask vs_lane_slide_solve(const vs_lane_contact *c, vs_lane_slide *s, vs_lane p,
                                                       vs_lane_mask wanted, vs_lane *x) {
    enum { TURNS = 4 };
    // After one more turn the rest is the square of this. In single precision the next visit turns on.
    const vs_real small = (vs_real)(VS_LANES == 8 ? 2e-3 : 1e-6), large = (vs_real).5;
    const vs_real slack = (vs_real)(VS_LANES == 8 ? 1e-6 : 1e-13);
    vs_lane_mask settled = wanted & ~wanted, wide = settled;
    for (int k = 0; k < TURNS && vs_lane_any(wanted & ~settled); k++) {
        vs_lane before[2] = {s->d[0], s->d[1]}, sigma, turn = vs_lane_abs(vs_lane_turn(s, &sigma));
        vs_lane size = vs_lane_abs(s->g[0]) + vs_lane_abs(s->g[1]);
        // a lane that is settled stays as it is, whatever the others need
        s->d[0] = vs_lane_select(settled, before[0], s->d[0]);
        s->d[1] = vs_lane_select(settled, before[1], s->d[1]);
        wide |= ~(turn < large);
        settled |= (turn < small) & (sigma >= -(slack * size)) & ~wide;
    }
    vs_lane D = c->A[0] - c->mu * (c->A[1] * s->d[0] + c->A[2] * s->d[1]), n = p / D, t = -c->mu * n;
    x[0] = vs_lane_select(wanted, n, x[0]);
    x[1] = vs_lane_select(wanted, t * s->d[0], x[1]);
    x[2] = vs_lane_select(wanted, t * s->d[1], x[2]);
    return wanted & ~(settled & (D > 0));
}

static VS_LANE_INLINE void vs_lane_solve_hard(const vs_lane_contact *c, vs_lane_mask hard, const vs_lane *l,
                                              vs_lane *x) {
    for (int k = 0; k < VS_LANES; k++) {
        if (!hard[k])
            continue;
        double A[9], q[3], one[3];
        for (int i = 0; i < 9; i++)
            A[i] = c->A[i][k];
        for (int i = 0; i < 3; i++) {
            q[i] = c->q[i][k];
            one[i] = l[i][k];
        }
        (void)vs_one_contact_solve(A, 3, q, c->mu[k], one);
        for (int i = 0; i < 3; i++)
            x[i][k] = (vs_real)one[i];
    }
}

// x: the impulses; l: those before, a guess.
static VS_LANE_INLINE void vs_lane_contact_solve(const vs_lane_contact *c, const vs_lane *l, vs_lane *x) {
    const vs_real cancelled = (vs_real)(VS_LANES == 8 ? 1e-2 : 1e-3); // as in one_contact.c
    const vs_lane *A = c->A, *q = c->q, zero = vs_lane_of(0);
    vs_lane p = -q[0], g0 = A[0] * q[1] + p * A[3], g1 = A[0] * q[2] + p * A[6];
    vs_lane turn = q[2] * A[3] - q[1] * A[6];
    vs_lane h0 = A[8] * g0 - A[5] * g1 + turn * A[2], h1 = A[4] * g1 - A[7] * g0 - turn * A[1];
    vs_lane plus = p * A[4] * A[8], minus = p * A[5] * A[7], one = A[1] * A[8] * q[1], two = A[1] * A[5] * q[2];
    vs_lane three = A[2] * A[4] * q[2], four = A[2] * A[7] * q[1];
    vs_lane det = (plus - minus) + ((one - two) + (three - four));
    vs_lane terms = vs_lane_abs(plus) + vs_lane_abs(minus) + vs_lane_abs(one) + vs_lane_abs(two) + vs_lane_abs(three) +
                    vs_lane_abs(four);
    vs_lane_mask closed = ~(q[0] >= 0), hard = closed & ~(vs_lane_abs(det) > cancelled * terms);
    vs_lane_mask stick = closed & ~hard & (h0 * h0 + h1 * h1 <= c->mu * c->mu * det * det);
    vs_lane t0 = h0 / det, t1 = h1 / det, D = A[0] - (A[1] * t0 + A[2] * t1), n = p / D;
    hard |= stick & ~(D > cancelled * A[0]);
    x[0] = vs_lane_select(stick, n, zero);
    x[1] = vs_lane_select(stick, -n * t0, zero);
    x[2] = vs_lane_select(stick, -n * t1, zero);
    vs_lane_mask slide = closed & ~stick & ~hard;
    if (vs_lane_any(slide)) {
        vs_lane mp = c->mu * p, m1 = c->mu * q[1], m2 = c->mu * q[2], h[2] = {mp * h0, mp * h1};
        vs_lane_slide s = {
            .g = {g0, g1},
            .b = {mp * A[4] + m1 * A[1], mp * A[5] + m1 * A[2], mp * A[7] + m2 * A[1], mp * A[8] + m2 * A[2]}};
        vs_lane_guess(&s, c, h, s.b[0] + s.b[3], l);
        hard |= vs_lane_slide_solve(c, &s, p, slide, x);
    }
    if (vs_lane_any(hard))
        vs_lane_solve_hard(c, hard, l, x);
}

// z on the cones |z_T| <= mu z_n
static VS_LANE_INLINE void vs_lane_contact_project(vs_lane mu, vs_lane *z) {
    vs_lane t = vs_lane_sqrt(z[1] * z[1] + z[2] * z[2]);
    vs_lane_mask inside = t <= mu * z[0], polar = mu * t <= -z[0];
    vs_lane n = (z[0] + mu * t) / (1 + mu * mu), scale = mu * n / t;
    const vs_lane zero = vs_lane_of(0);
    z[0] = vs_lane_select(inside, z[0], vs_lane_select(polar, zero, n));
    for (int k = 1; k < 3; k++)
        z[k] = vs_lane_select(inside, z[k], vs_lane_select(polar, zero, scale * z[k]));
}

#endif
