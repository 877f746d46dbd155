// One contact with exact Coulomb friction, y = A l + q:
//
//     lift off   l = 0                             q_n >= 0
//     stick      y = 0                             |l_T| <= mu l_n
//     slide      l_T = -mu l_n d, y_T = s d, y_n = 0,   |d| = 1, s >= 0, l_n >= 0
//
// With p = -q_n > 0, A = [A_nn a'; c A_TT] and y_n = 0, that is l_n = p / D with D = A_nn - mu a'd, the tangential rows
// times D are, for sticking (|d| <= 1, sigma = 0) and sliding (|d| = 1, sigma = s D >= 0) alike,
//
//     (B + sigma I) d = g,     B = mu (p A_TT + q_T a'),   g = A_nn q_T + p c
//
// the equations of a trust region in two dimensions. d = w / det with w = sigma g + h, h = adj(B) g and det = det(B +
// sigma I) is one scalar equation: det / |w| = 1, by Newton's method inside a bracket. Beyond the largest zero of det,
// |d| decreases from infinity to 0, so there is a root; det is A's determinant with sigma / mu added to A_TT, times l_n
// > 0. Hence for every positive definite A, symmetric or not, and every mu that root is a solution. If A is not
// definite, all directions are searched. Only ratios are compared: the units of A and q do not matter.
//
// With several solutions (large mu) it returns the one next to the guess, or that of largest sigma.
#include "solver/impulse/one_contact.h"

#include <float.h>
#include <math.h>

#include "cone/cone.h"

// The equations for d. Pure numbers up to the units of A and q.
typedef struct tangent {
    double A_nn, p, mu;
    double a[2];               // A_nT
    double g[2];               // right-hand side
    double b11, b12, b21, b22; // B
    double h[2], trace, det;   // adj(B) g, of B
} tangent;

// ---- stick -----------------------------------------------------------------------------------------

// |det| below this part of its terms: Cramer's rule has lost the digits that elimination keeps.
static const double CANCELLED = 1e-3;
// Sums of a few terms are accurate to this fraction of their sizes.
static const double ROUNDOFF = 1e-14;

static double pick(double M[3][4], int k, int *row, int *column) {
    double largest = 0.0;
    for (int i = k; i < 3; i++) {
        for (int j = k; j < 3; j++) {
            if (fabs(M[i][j]) <= largest)
                continue;
            largest = fabs(M[i][j]);
            *row = i;
            *column = j;
        }
    }
    return largest;
}

static void exchange(double M[3][4], int *unknown, int k, int row, int column) {
    for (int j = 0; j < 4; j++) {
        double keep = M[k][j];
        M[k][j] = M[row][j];
        M[row][j] = keep;
    }
    for (int i = 0; i < 3; i++) {
        double keep = M[i][k];
        M[i][k] = M[i][column];
        M[i][column] = keep;
    }
    int keep = unknown[k];
    unknown[k] = unknown[column];
    unknown[column] = keep;
}

// det(p A_TT + q_T a') / p; returns the sum of its terms' sizes.
static double determine(const double *n, const double *u, const double *v, double p, const double *q, double *det) {
    double plus = p * u[1] * v[2], minus = p * u[2] * v[1];
    double one = n[1] * v[2] * q[1], two = n[1] * u[2] * q[2], three = n[2] * u[1] * q[2], four = n[2] * v[1] * q[1];
    *det = (plus - minus) + ((one - two) + (three - four));
    return fabs(plus) + fabs(minus) + fabs(one) + fabs(two) + fabs(three) + fabs(four);
}

// A l = -q with the largest pivots first; from the first pivot of at most the part `null` of the largest on, unknowns
// are zero and equations unchecked.
static void eliminate(const double *A, int lda, const double *q, double null, double *l) {
    double M[3][4], first = 0.0;
    int unknown[3] = {0, 1, 2}, rank = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            M[i][j] = A[i * lda + j];
        M[i][3] = -q[i];
    }
    for (; rank < 3; rank++) {
        int row = rank, column = rank;
        double pivot = pick(M, rank, &row, &column);
        first = rank == 0 ? pivot : first;
        if (pivot <= null * first)
            break;
        exchange(M, unknown, rank, row, column);
        for (int i = rank + 1; i < 3; i++) {
            double factor = M[i][rank] / M[rank][rank];
            for (int j = rank; j < 4; j++)
                M[i][j] -= factor * M[rank][j];
        }
    }
    l[0] = l[1] = l[2] = 0.0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = M[i][3];
        for (int j = i + 1; j < rank; j++)
            sum -= M[i][j] * l[unknown[j]];
        l[unknown[i]] = sum / M[i][i];
    }
}

static bool is_solved(const double *A, int lda, const double *q, const double *l) {
    for (int i = 0; i < 3; i++) {
        const double *row = A + i * lda;
        double terms[3] = {row[0] * l[0], row[1] * l[1], row[2] * l[2]};
        double size = fabs(terms[0]) + fabs(terms[1]) + fabs(terms[2]) + fabs(q[i]);
        if (!(fabs(terms[0] + terms[1] + terms[2] + q[i]) <= 16 * ROUNDOFF * size))
            return false;
    }
    return true;
}

// Sticking for A that is singular or nearly so. False if y remains or l leaves K by more than the fraction `slack`: l
// is then unchanged.
static bool stick_carefully(const double *A, int lda, const double *q, double mu, double slack, double *l) {
    double x[3];
    // A small pivot is either roundoff of a singular A, or that of an A with small rows.
    eliminate(A, lda, q, ROUNDOFF, x);
    if (!is_solved(A, lda, q, x)) {
        eliminate(A, lda, q, 0.0, x);
        if (!is_solved(A, lda, q, x))
            return false;
    }
    double limit = mu * (1.0 + slack) * x[0];
    if (!(x[0] >= 0.0 && x[1] * x[1] + x[2] * x[2] <= limit * limit))
        return false;
    vs_friction_project(mu, x, l);
    return true;
}

// ---- slide -----------------------------------------------------------------------------------------

// l of a unit direction d. False if it pulls.
static bool slide_along(const tangent *t, const double *d, double *l) {
    double D = t->A_nn - t->mu * (t->a[0] * d[0] + t->a[1] * d[1]);
    if (!(D > 0.0))
        return false;
    l[0] = t->p / D;
    l[1] = -t->mu * l[0] * d[0];
    l[2] = -t->mu * l[0] * d[1];
    return isfinite(l[0]);
}

// Newton's steps in the angle of d, from the equations themselves: h and det have lost digits if B is ill conditioned.
// False if d does not converge or y_T points along the friction.
static bool refine(const tangent *t, double *d) {
    for (int k = 0; k < 4; k++) {
        double Bd[2] = {t->b11 * d[0] + t->b12 * d[1], t->b21 * d[0] + t->b22 * d[1]};
        double Bn[2] = {t->b12 * d[0] - t->b11 * d[1], t->b22 * d[0] - t->b21 * d[1]}; // n = (-d1, d0)
        double e[2] = {t->g[0] - Bd[0], t->g[1] - Bd[1]};
        double size = fabs(t->g[0]) + fabs(t->g[1]) + fabs(Bd[0]) + fabs(Bd[1]);
        double across = d[0] * e[1] - d[1] * e[0], sigma = d[0] * e[0] + d[1] * e[1];
        if (fabs(across) <= DBL_EPSILON * size)
            return sigma >= -16 * ROUNDOFF * size;
        double turn = across / (sigma + (d[0] * Bn[1] - d[1] * Bn[0]));
        if (!(fabs(turn) < 0.1))
            return false;
        // 1 / sqrt(1 + turn^2), to the last digit
        double keep = fabs(turn) < 1e-4 ? 1.0 - 0.5 * turn * turn : 1.0 / sqrt(1.0 + turn * turn), d0 = d[0];
        d[0] = keep * (d[0] - turn * d[1]);
        d[1] = keep * (d[1] + turn * d0);
        if (fabs(turn) < 1e-7)
            return sigma >= -16 * ROUNDOFF * size;
    }
    return false;
}

// The largest sigma >= 0 at which det vanishes: below it, l_n < 0. Zero if there is none.
static double find_pole(const tangent *t) {
    if (t->trace >= 0.0 && t->det >= 0.0)
        return 0.0;
    double half = 0.5 * t->trace, square = half * half - t->det;
    if (square < 0.0)
        return 0.0;
    double root = sqrt(square), pole = half > 0.0 ? -t->det / (half + root) : root - half;
    return fmax(pole, 0.0);
}

// The direction at which det / |w| is 1 to `tolerance`, one Newton step further.
static void find_direction(const tangent *t, double sigma, double tolerance, double *d) {
    const double *g = t->g, *h = t->h;
    double lo = find_pole(t), hi = fabs(g[0]) + fabs(g[1]) + fabs(t->b11) + fabs(t->b12) + fabs(t->b21) + fabs(t->b22);
    sigma = sigma > lo ? sigma : lo;
    for (int k = 0; k < 100; k++) {
        double w[2] = {sigma * g[0] + h[0], sigma * g[1] + h[1]};
        double r2 = w[0] * w[0] + w[1] * w[1], r = sqrt(r2), det = (sigma + t->trace) * sigma + t->det, f = det - r;
        double slope = (2.0 * sigma + t->trace) - det * (g[0] * w[0] + g[1] * w[1]) / r2, next = sigma - f / slope;
        if (f < 0.0)
            lo = sigma;
        else
            hi = sigma;
        bool newton = slope > 0.0 && next >= lo && next <= hi;
        sigma = newton ? next : 0.5 * (lo + hi);
        if ((newton && fabs(f) <= tolerance * r) || hi - lo <= DBL_EPSILON * hi)
            break;
    }
    double w[2] = {sigma * g[0] + h[0], sigma * g[1] + h[1]}, scale = 1.0 / sqrt(w[0] * w[0] + w[1] * w[1]);
    d[0] = scale * w[0];
    d[1] = scale * w[1];
}

static bool slide(const tangent *t, double *l) {
    const double *g = t->g;
    double sigma, d[2], r2 = l[1] * l[1] + l[2] * l[2];
    if (l[0] > 0.0 && r2 > 0.25 * t->mu * t->mu * l[0] * l[0]) {
        // A guess that slides needs a turn or two.
        double scale = -1.0 / sqrt(r2);
        d[0] = scale * l[1];
        d[1] = scale * l[2];
        sigma = d[0] * (g[0] - t->b11 * d[0] - t->b12 * d[1]) + d[1] * (g[1] - t->b21 * d[0] - t->b22 * d[1]);
        if (refine(t, d) && slide_along(t, d, l))
            return true;
    } else {
        sigma = sqrt(g[0] * g[0] + g[1] * g[1]) - 0.5 * t->trace; // as if B were a multiple of the identity
    }
    find_direction(t, sigma, 1e-4, d);
    if (refine(t, d) && slide_along(t, d, l))
        return true;
    // Two roots close together: both Newton's methods go astray unless they start close to one.
    find_direction(t, sigma, 4 * DBL_EPSILON, d);
    return refine(t, d) && slide_along(t, d, l);
}

// ---- when A is not definite ------------------------------------------------------------------------

static double across(const tangent *t, const double *d) {
    return d[0] * (t->g[1] - t->b21 * d[0] - t->b22 * d[1]) - d[1] * (t->g[0] - t->b11 * d[0] - t->b12 * d[1]);
}

static void halve(const double *d, const double *e, double *mid) {
    double x = d[0] + e[0], y = d[1] + e[1], scale = 1.0 / sqrt(x * x + y * y);
    mid[0] = scale * x;
    mid[1] = scale * y;
}

// A zero of across() between the directions d and e, at which its signs differ.
static void bisect(const tangent *t, const double *d, const double *e, double *mid) {
    double from[2] = {d[0], d[1]}, to[2] = {e[0], e[1]};
    bool positive = across(t, d) > 0.0;
    for (int k = 0; k < 52; k++) {
        halve(from, to, mid);
        double *end = (across(t, mid) > 0.0) == positive ? from : to;
        end[0] = mid[0];
        end[1] = mid[1];
    }
}

// Goes round the circle: across() is of second degree in d and has at most four zeros. The one of largest sigma wins.
static bool search(const tangent *t, double *l) {
    const int directions = 64;
    const double c = 0.99518472667219693, s = 0.098017140329560604; // of 2 pi / 64
    double d[2] = {1.0, 0.0}, largest = -1.0;
    double size = fabs(t->g[0]) + fabs(t->g[1]) + fabs(t->b11) + fabs(t->b12) + fabs(t->b21) + fabs(t->b22);
    for (int k = 0; k < directions; k++) {
        double e[2] = {c * d[0] - s * d[1], s * d[0] + c * d[1]}, mid[2], x[3];
        if ((across(t, d) > 0.0) != (across(t, e) > 0.0)) {
            bisect(t, d, e, mid);
            double sigma = mid[0] * (t->g[0] - t->b11 * mid[0] - t->b12 * mid[1]) +
                           mid[1] * (t->g[1] - t->b21 * mid[0] - t->b22 * mid[1]);
            if (sigma >= -16 * ROUNDOFF * size && fmax(sigma, 0.0) > largest && slide_along(t, mid, x)) {
                largest = fmax(sigma, 0.0);
                for (int i = 0; i < 3; i++)
                    l[i] = x[i];
            }
        }
        d[0] = e[0];
        d[1] = e[1];
    }
    return largest >= 0.0;
}

// |l - P(l - ybar / a)|^2 with a = the mean of A's diagonal, if that is one
static double violation(const double *A, int lda, const double *q, double mu, const double *l) {
    double y[3], z[3], p[3], sum = 0.0, mean = (A[0] + A[lda + 1] + A[2 * lda + 2]) / 3.0;
    for (int i = 0; i < 3; i++)
        y[i] = A[i * lda] * l[0] + A[i * lda + 1] * l[1] + A[i * lda + 2] * l[2] + q[i];
    y[0] += mu * sqrt(y[1] * y[1] + y[2] * y[2]);
    for (int i = 0; i < 3; i++)
        z[i] = l[i] - (mean > 0.0 ? y[i] / mean : y[i]);
    vs_friction_project(mu, z, p);
    for (int i = 0; i < 3; i++)
        sum += (l[i] - p[i]) * (l[i] - p[i]);
    return sum;
}

// The least wrong of these: nothing, no friction, the guess, sticking; on K.
static void settle(const double *A, int lda, const double *q, double mu, double *l) {
    double stick[3], candidate[4][3] = {{0.0}, {A[0] > 0.0 ? -q[0] / A[0] : 0.0}}, least = INFINITY;
    eliminate(A, lda, q, ROUNDOFF, stick);
    vs_friction_project(mu, l, candidate[2]);
    vs_friction_project(mu, stick, candidate[3]);
    for (int k = 0; k < 4; k++) {
        double wrong = violation(A, lda, q, mu, candidate[k]);
        if (k > 0 && !(wrong < least))
            continue;
        least = wrong;
        for (int i = 0; i < 3; i++)
            l[i] = candidate[k][i];
    }
}

// ---- all -------------------------------------------------------------------------------------------

bool vs_one_contact_solve(const double *A, int lda, const double *q, double mu, double *l) {
    if (q[0] >= 0.0) {
        l[0] = l[1] = l[2] = 0.0;
        return true;
    }
    const double *n = A, *u = A + lda, *v = A + 2 * lda;
    double p = -q[0], g[2] = {n[0] * q[1] + p * u[0], n[0] * q[2] + p * v[0]};

    // h and det of B without their common factor mu p, the terms that cancel left out
    double turn = q[2] * u[0] - q[1] * v[0];
    double h[2] = {v[2] * g[0] - u[2] * g[1] + turn * n[2], u[1] * g[1] - v[1] * g[0] - turn * n[1]};
    double det, terms = determine(n, u, v, p, q, &det);

    if (fabs(det) <= CANCELLED * terms) {
        if (stick_carefully(A, lda, q, mu, 0.0, l))
            return true;
    } else if (h[0] * h[0] + h[1] * h[1] <= mu * mu * det * det) {
        double t[2] = {h[0] / det, h[1] / det}, D = n[0] - (n[1] * t[0] + n[2] * t[1]);
        if (D > CANCELLED * n[0]) {
            l[0] = p / D;
            l[1] = -l[0] * t[0];
            l[2] = -l[0] * t[1];
            return true;
        }
        if (stick_carefully(A, lda, q, mu, 0.0, l))
            return true;
    }

    double mp = mu * p, m1 = mu * q[1], m2 = mu * q[2];
    tangent t = {.A_nn = n[0], .p = p, .mu = mu, .a = {n[1], n[2]}, .g = {g[0], g[1]}};
    t.b11 = mp * u[1] + m1 * n[1];
    t.b12 = mp * u[2] + m1 * n[2];
    t.b21 = mp * v[1] + m2 * n[1];
    t.b22 = mp * v[2] + m2 * n[2];
    t.h[0] = mp * h[0];
    t.h[1] = mp * h[1];
    t.trace = t.b11 + t.b22;
    t.det = mu * mp * det;
    double guess[3] = {l[0], l[1], l[2]};
    if (slide(&t, l) || stick_carefully(A, lda, q, mu, 1e-10, l) || search(&t, l))
        return true;
    for (int k = 0; k < 3; k++)
        l[k] = guess[k];
    settle(A, lda, q, mu, l);
    return false;
}
