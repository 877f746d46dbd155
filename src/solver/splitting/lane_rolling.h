// Several contacts with rolling or spinning friction at once, each by itself: rows n | u w | rolling about u and w | spin.
//
//     statuses    of the rolling disc and of the spin, from the guess: inside of its bound a moment sticks, else it keeps its
//                 direction e and grows with l_n
//     reduction   moments that stick are eliminated, those that slide are columns of l_n: a contact with three rows,
//                 which lane_contact.h solves
//     moments     that of the rolling disc by a trust region of radius mu l_n, then that of the spin, for these impulses
//
// A contact whose statuses were not those of its solution is solved once more; with the right ones the fixed point is the
// solution of impulse/one_rolling.c, which takes over where they still are not, and where the reduced contact is open and the
// whole one is not.
#ifndef VS_SOLVER_SPLITTING_LANE_ROLLING_H
#define VS_SOLVER_SPLITTING_LANE_ROLLING_H

#include "solver/impulse/one_rolling.h"
#include "solver/splitting/lane_contact.h"

enum { VS_LANE_MOMENTS = 3, VS_LANE_ROLLING_ROWS = 6 };

// y = A l + q: A row by row, symmetric; mu: of sliding, rolling, spin. Rows that a contact does not have are those of the identity.
typedef struct vs_lane_rolling {
    vs_lane A[VS_LANE_ROLLING_ROWS * VS_LANE_ROLLING_ROWS], q[VS_LANE_ROLLING_ROWS], mu[3];
} vs_lane_rolling;

// The statuses of the moments.
typedef struct vs_lane_held {
    vs_lane_mask roll, spin;
} vs_lane_held;

static VS_LANE_INLINE vs_lane vs_lane_rolling_entry(const vs_lane_rolling *c, int i, int j) {
    return c->A[VS_LANE_ROLLING_ROWS * i + j];
}

static VS_LANE_INLINE vs_lane_held vs_lane_rolling_guess(const vs_lane_rolling *c, const vs_lane *l) {
    const vs_real inside = (vs_real)(VS_LANES == 8 ? 1 - 1e-5 : 1 - 1e-12);
    vs_lane roll = inside * c->mu[1] * l[0], spin = inside * c->mu[2] * l[0];
    vs_lane_mask open = ~(l[0] > 0);
    return (vs_lane_held){open | (l[3] * l[3] + l[4] * l[4] < roll * roll), open | (vs_lane_abs(l[5]) < spin)};
}

// The columns of l_n that moments add which slide along l, for all rows.
static VS_LANE_INLINE void vs_lane_rolling_slide(const vs_lane_rolling *c, const vs_lane_held *held, const vs_lane *l,
                                                 vs_lane *column) {
    const vs_lane zero = vs_lane_of(0);
    vs_lane size = vs_lane_sqrt(l[3] * l[3] + l[4] * l[4]), scale = vs_lane_select(size > 0, c->mu[1] / size, zero);
    scale = vs_lane_select(held->roll, zero, scale);
    vs_lane e[VS_LANE_MOMENTS] = {scale * l[3], scale * l[4],
                                  vs_lane_select(held->spin, zero, vs_lane_select(l[5] < 0, -c->mu[2], c->mu[2]))};
    for (int i = 0; i < VS_LANE_ROLLING_ROWS; i++) {
        column[i] = zero;
        for (int j = 0; j < VS_LANE_MOMENTS; j++)
            column[i] += vs_lane_rolling_entry(c, i, 3 + j) * e[j];
    }
}

// x (4 right-hand sides) <- M^-1 x, M symmetric.
static VS_LANE_INLINE void vs_lane_rolling_eliminate(vs_lane M[3][3], vs_lane x[3][4]) {
    for (int k = 0; k < 3; k++)
        for (int i = k + 1; i < 3; i++) {
            vs_lane factor = M[i][k] / M[k][k];
            for (int j = k + 1; j < 3; j++)
                M[i][j] -= factor * M[k][j];
            for (int j = 0; j < 4; j++)
                x[i][j] -= factor * x[k][j];
        }
    for (int i = 2; i >= 0; i--)
        for (int j = 0; j < 4; j++) {
            for (int k = i + 1; k < 3; k++)
                x[i][j] -= M[i][k] * x[k][j];
            x[i][j] /= M[i][i];
        }
}

// The contact with three rows; x[i] = -(X[i][3] + X[i] l) are the moments that stick.
static VS_LANE_INLINE void vs_lane_rolling_reduce(const vs_lane_rolling *c, const vs_lane_held *held, const vs_lane *l,
                                                  vs_lane_contact *reduced, vs_lane X[3][4]) {
    const vs_lane zero = vs_lane_of(0), one = vs_lane_of(1);
    const vs_lane_mask stick[3] = {held->roll, held->roll, held->spin};
    vs_lane column[VS_LANE_ROLLING_ROWS], M[3][3];
    vs_lane_rolling_slide(c, held, l, column);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[i][j] = vs_lane_select(stick[i] & stick[j], vs_lane_rolling_entry(c, 3 + i, 3 + j), i == j ? one : zero);
            X[i][j] = vs_lane_rolling_entry(c, 3 + i, j);
        }
        X[i][0] += column[3 + i];
        X[i][3] = c->q[3 + i];
        for (int j = 0; j < 4; j++)
            X[i][j] = vs_lane_select(stick[i], X[i][j], zero);
    }
    vs_lane_rolling_eliminate(M, X);
    reduced->mu = c->mu[0];
    for (int i = 0; i < 3; i++) {
        vs_lane sum[4];
        for (int j = 0; j < 4; j++) {
            sum[j] = zero;
            for (int k = 0; k < 3; k++)
                sum[j] += vs_lane_rolling_entry(c, i, 3 + k) * X[k][j];
        }
        for (int j = 0; j < 3; j++)
            reduced->A[3 * i + j] = vs_lane_rolling_entry(c, i, j) - sum[j];
        reduced->A[3 * i] += column[i];
        reduced->q[i] = c->q[i] - sum[3];
    }
}

// x = -(B + sigma)^-1 g, sigma >= 0 the least with |x| <= radius, by Newton's method on 1/|x|. Returns where it sticks.
static VS_LANE_INLINE vs_lane_mask vs_lane_rolling_disc(vs_lane b00, vs_lane b01, vs_lane b11, const vs_lane *g,
                                                        vs_lane radius, vs_lane *x) {
    enum { TURNS = 10 };
    const vs_real small = (vs_real)(VS_LANES == 8 ? 1e-6 : 1e-14);
    const vs_lane zero = vs_lane_of(0);
    vs_lane sigma = zero, size = zero;
    vs_lane_mask inside = zero < 0, going = ~inside;
    x[0] = x[1] = zero;
    for (int k = 0; k < TURNS && vs_lane_any(going); k++) {
        vs_lane c0 = b00 + sigma, c1 = b11 + sigma, det = c0 * c1 - b01 * b01;
        x[0] = (b01 * g[1] - c1 * g[0]) / det;
        x[1] = (b01 * g[0] - c0 * g[1]) / det;
        size = vs_lane_sqrt(x[0] * x[0] + x[1] * x[1]);
        inside = k == 0 ? size <= radius : inside;
        going &= ~inside & (radius > 0) & (size - radius > small * radius);
        vs_lane slope = (c1 * x[0] * x[0] - 2 * b01 * x[0] * x[1] + c0 * x[1] * x[1]) / det;
        sigma = vs_lane_select(going, sigma + (size - radius) / radius * (size * size / slope), sigma);
    }
    vs_lane scale = vs_lane_select(inside, vs_lane_of(1), radius / size);
    x[0] *= scale;
    x[1] *= scale;
    return inside;
}

// The moments x[3…] of the impulses x[0…2]. spin: a guess of that of the spin.
static VS_LANE_INLINE vs_lane_held vs_lane_rolling_moments(const vs_lane_rolling *c, vs_lane spin, vs_lane *x) {
    vs_lane g[VS_LANE_MOMENTS];
    for (int i = 0; i < VS_LANE_MOMENTS; i++) {
        g[i] = c->q[3 + i];
        for (int j = 0; j < 3; j++)
            g[i] += vs_lane_rolling_entry(c, 3 + i, j) * x[j];
    }
    for (int i = 0; i < 2; i++)
        g[i] += vs_lane_rolling_entry(c, 3 + i, 5) * spin;
    vs_lane_held held;
    held.roll = vs_lane_rolling_disc(vs_lane_rolling_entry(c, 3, 3), vs_lane_rolling_entry(c, 3, 4),
                                     vs_lane_rolling_entry(c, 4, 4), g, c->mu[1] * x[0], x + 3);
    for (int j = 3; j < 5; j++)
        g[2] += vs_lane_rolling_entry(c, 5, j) * x[j];
    vs_lane most = c->mu[2] * x[0], free = -g[2] / vs_lane_rolling_entry(c, 5, 5);
    held.spin = vs_lane_abs(free) <= most;
    x[5] = vs_lane_min(vs_lane_max(free, -most), most);
    return held;
}

// Once, with the statuses of l. Returns where these were not those of the solution.
static VS_LANE_INLINE vs_lane_mask vs_lane_rolling_pass(const vs_lane_rolling *c, const vs_lane *l, vs_lane *x) {
    vs_lane_held guess = vs_lane_rolling_guess(c, l);
    vs_lane_contact reduced;
    vs_lane X[3][4];
    vs_lane_rolling_reduce(c, &guess, l, &reduced, X);
    vs_lane_contact_solve(&reduced, l, x);
    vs_lane spin = vs_lane_select(guess.spin, -(X[2][3] + ((X[2][0] * x[0] + X[2][1] * x[1]) + X[2][2] * x[2])), l[5]);
    vs_lane most = c->mu[2] * x[0];
    vs_lane_held held = vs_lane_rolling_moments(c, vs_lane_min(vs_lane_max(spin, -most), most), x);
    return (x[0] > 0) & ((guess.roll ^ held.roll) | (guess.spin ^ held.spin));
}

static VS_LANE_INLINE void vs_lane_rolling_hard(const vs_lane_rolling *c, vs_lane_mask hard, const vs_lane *l,
                                                vs_lane *x) {
    enum { ROWS = VS_LANE_ROLLING_ROWS };
    for (int k = 0; k < VS_LANES; k++) {
        if (!hard[k])
            continue;
        double A[ROWS * ROWS], q[ROWS], one[ROWS];
        vs_discs discs = vs_discs_make(ROWS);
        for (int i = 0; i < ROWS * ROWS; i++)
            A[i] = c->A[i][k];
        for (int i = 0; i < ROWS; i++) {
            q[i] = c->q[i][k];
            one[i] = l[i][k];
        }
        for (int i = 0; i < VS_DISC_COUNT; i++)
            discs.mu[i] = c->mu[i][k];
        (void)vs_one_rolling_solve(&discs, A, ROWS, q, true, one);
        for (int i = 0; i < ROWS; i++)
            x[i][k] = (vs_real)one[i];
    }
}

// x: the impulses; l: those before, a guess.
static VS_LANE_INLINE void vs_lane_rolling_solve(const vs_lane_rolling *c, const vs_lane *l, vs_lane *x) {
    vs_lane_mask open = c->q[0] >= 0, other = ~open & vs_lane_rolling_pass(c, l, x), hard = open & ~open;
    if (vs_lane_any(other)) {
        vs_lane next[VS_LANE_ROLLING_ROWS];
        hard = other & vs_lane_rolling_pass(c, x, next);
        for (int i = 0; i < VS_LANE_ROLLING_ROWS; i++)
            x[i] = vs_lane_select(other, next[i], x[i]);
    }
    hard |= ~open & ~(x[0] > 0);
    if (vs_lane_any(hard))
        vs_lane_rolling_hard(c, hard, l, x);
    for (int i = 0; i < VS_LANE_ROLLING_ROWS; i++)
        x[i] = vs_lane_select(open, vs_lane_of(0), x[i]);
}

// z on the cones of sliding, and moments within their bounds
static VS_LANE_INLINE void vs_lane_rolling_project(const vs_lane *mu, vs_lane *z) {
    vs_lane_contact_project(mu[0], z);
    vs_lane size = vs_lane_sqrt(z[3] * z[3] + z[4] * z[4]), roll = mu[1] * z[0], most = mu[2] * z[0];
    vs_lane scale = vs_lane_select(size <= roll, vs_lane_of(1), roll / size);
    z[3] *= scale;
    z[4] *= scale;
    z[5] = vs_lane_min(vs_lane_max(z[5], -most), most);
}

#endif
