// One contact with rolling or spinning friction, y = A l + q:
//
//     lift off   l = 0        exact: q_n >= 0, relaxed: q in K*
//     stick      y = 0        if -A^-1 q is in K
//     Newton     on the natural map F(l) = l - P_K(l - rho ybar), from the guess and from the projected solution of stick
//     search     outer root of f(t), l_n = t > 0, over the impulses l_k(t) that are the fixed point of all discs of radius
//                mu_k t, each a trust region in one to five dimensions:
//
//                    exact     f = y_n(t)
//                    relaxed   f = y_n(t) - sum mu_k |y_k(t)|, the derivative of the objective on t
//
//                f(0) < 0, and for large t all discs stick, where f grows with the Schur complement of A. Newton's method
//                then finds the last digits.
//
// The search is slow and needs no derivative: it always finds a root for a positive definite A.
#include "solver/impulse/one_rolling.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = VS_DISCS_ROWS };
enum { NEWTON = 30, HALVINGS = 10, DOUBLINGS = 80, BISECTIONS = 120, CYCLES = 400 };

static const double FOUND = 1e-13; // |F| relative to the sizes of its terms
static const double EXACT = 4 * DBL_EPSILON;
static const double REDUCED = .1; // of |F| after one step that is good enough for a sweep

// A contact with its matrix in the units of the call. rho: inverse of the mean of A's diagonal.
typedef struct contact {
    const vs_discs *d;
    const double *A;
    int lda;
    const double *q;
    bool exact;
    double rho;
} contact;

// ---- the law -----------------------------------------------------------------------------------------

// dybar_n = dy_n + sum mu_k y_k / |y_k| dy_k; at y_k = 0 the derivative is taken as zero.
static void differentiate_slip(const vs_discs *d, const double *y, double *row) {
    row[0] = 1.0;
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        double speed = vs_disc_length(size, y + first);
        for (int i = first; i < first + size; i++)
            row[i] = speed > 0.0 ? d->mu[k] * y[i] / speed : 0.0;
    }
}

static void find_ybar(const vs_discs *d, bool exact, const double *y, double *ybar) {
    memcpy(ybar, y, sizeof(double) * (size_t)d->rows);
    if (exact)
        ybar[0] += vs_discs_slip(d, y);
}

void vs_rolling_map(const vs_discs *d, bool exact, const double *l, const double *y, double *F, double *A, double *B,
                    int ld) {
    double ybar[ROWS] = {0}, x[ROWS] = {0}, dP[ROWS * ROWS], slip[ROWS] = {1.0}, one[ROWS * ROWS] = {0};
    int rows = d->rows;
    find_ybar(d, exact, y, ybar);
    vs_discs_natural(d, l, ybar, 1.0, F);
    if (!A)
        return;
    if (exact)
        differentiate_slip(d, y, slip);
    for (int i = 0; i < rows; i++) {
        x[i] = l[i] - ybar[i];
        one[i * (rows + 1)] = 1.0;
    }
    vs_discs_differentiate(d, x, one, dP);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            A[i * ld + j] = (i == j) - dP[i * rows + j];
            B[i * ld + j] = (j > 0 ? dP[i * rows + j] : 0.0) + dP[i * rows] * slip[j];
        }
}

static void find_velocity(const contact *c, const double *l, double *y) {
    for (int i = 0; i < c->d->rows; i++) {
        y[i] = c->q[i];
        for (int j = 0; j < c->d->rows; j++)
            y[i] += c->A[i * c->lda + j] * l[j];
    }
}

static double norm(int rows, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < rows; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

// |F| at l, of which the velocities are y.
static double evaluate(const contact *c, const double *l, const double *y, double *F) {
    double scaled[ROWS] = {0}, ybar[ROWS] = {0};
    for (int i = 0; i < c->d->rows; i++)
        scaled[i] = c->rho * y[i];
    find_ybar(c->d, c->exact, scaled, ybar);
    vs_discs_natural(c->d, l, ybar, 1.0, F);
    return norm(c->d->rows, F);
}

// Sizes that the terms of F have: impulses and velocities without impulses.
static double size_of(const contact *c, const double *l) {
    return norm(c->d->rows, l) + c->rho * norm(c->d->rows, c->q);
}

// ---- Newton ------------------------------------------------------------------------------------------

// x <- M^-1 x by elimination with row pivoting; M (rows x rows, leading dimension ROWS) is overwritten.
static bool solve(int rows, double *M, double *x) {
    for (int k = 0; k < rows; k++) {
        int p = k;
        for (int i = k + 1; i < rows; i++)
            if (fabs(M[i * ROWS + k]) > fabs(M[p * ROWS + k]))
                p = i;
        if (!(fabs(M[p * ROWS + k]) > 0.0))
            return false;
        for (int j = k; j < rows && p != k; j++) {
            double keep = M[k * ROWS + j];
            M[k * ROWS + j] = M[p * ROWS + j];
            M[p * ROWS + j] = keep;
        }
        double keep = x[k];
        x[k] = x[p];
        x[p] = keep;
        for (int i = k + 1; i < rows; i++) {
            double factor = M[i * ROWS + k] / M[k * ROWS + k];
            for (int j = k + 1; j < rows; j++)
                M[i * ROWS + j] -= factor * M[k * ROWS + j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = rows - 1; i >= 0; i--) {
        for (int j = i + 1; j < rows; j++)
            x[i] -= M[i * ROWS + j] * x[j];
        x[i] /= M[i * ROWS + i];
    }
    return true;
}

// The direction -dF^-1 F into F. With S the derivative of ybar by y
//
//     dF = 1 - dP (1 - rho S A)
static bool find_direction(const contact *c, const double *l, const double *y, double *F) {
    double M[ROWS * ROWS] = {0}, T[ROWS * ROWS] = {0}, dPT[ROWS * ROWS], x[ROWS] = {0}, ybar[ROWS] = {0},
                    scaled[ROWS] = {0};
    double slip[ROWS] = {1.0};
    int rows = c->d->rows;
    for (int i = 0; i < rows; i++)
        scaled[i] = c->rho * y[i];
    find_ybar(c->d, c->exact, scaled, ybar);
    if (c->exact)
        differentiate_slip(c->d, y, slip);
    for (int i = 0; i < rows; i++) {
        x[i] = l[i] - ybar[i];
        F[i] = -F[i];
        for (int j = 0; j < rows; j++) {
            T[i * rows + j] += (i == j) - c->rho * c->A[i * c->lda + j];
            T[j] -= i > 0 ? slip[i] * c->rho * c->A[i * c->lda + j] : 0.0;
        }
    }
    vs_discs_differentiate(c->d, x, T, dPT);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            M[i * ROWS + j] = (i == j) - dPT[i * rows + j];
    return solve(rows, M, F) && isfinite(norm(rows, F));
}

// From l to the best point met; returns its |F|.
static double iterate(const contact *c, double *l) {
    double F[ROWS] = {0}, y[ROWS] = {0}, dl[ROWS] = {0}, trial[ROWS] = {0};
    int rows = c->d->rows;
    find_velocity(c, l, y);
    double error = evaluate(c, l, y, F);
    for (int k = 0; k < NEWTON && error > EXACT * size_of(c, l); k++) {
        memcpy(dl, F, sizeof dl);
        if (!find_direction(c, l, y, dl))
            break;
        double next = INFINITY, t = 1.0;
        for (int halving = 0; halving < HALVINGS && !(next < error); halving++) {
            for (int i = 0; i < rows; i++)
                trial[i] = l[i] + t * dl[i];
            find_velocity(c, trial, y);
            next = evaluate(c, trial, y, F);
            t /= 2;
        }
        if (!(next < error))
            break;
        memcpy(l, trial, sizeof(double) * (size_t)rows);
        error = next;
    }
    return error;
}

// ---- search ------------------------------------------------------------------------------------------

// LU of B + sigma (size x size), which is positive definite and needs no pivots. False: it is not.
static bool factor_disc(int size, const double *B, double sigma, double *M) {
    for (int i = 0; i < size * size; i++)
        M[i] = B[i] + (i % (size + 1) == 0 ? sigma : 0.0);
    for (int k = 0; k < size; k++) {
        if (!(M[k * (size + 1)] > 0.0))
            return false;
        for (int i = k + 1; i < size; i++) {
            const double factor = M[i * size + k] /= M[k * (size + 1)];
            for (int j = k + 1; j < size; j++)
                M[i * size + j] -= factor * M[k * size + j];
        }
    }
    return true;
}

static void substitute(int size, const double *M, double *x) {
    for (int i = 0; i < size; i++)
        for (int j = 0; j < i; j++)
            x[i] -= M[i * size + j] * x[j];
    for (int i = size - 1; i >= 0; i--) {
        for (int j = i + 1; j < size; j++)
            x[i] -= M[i * size + j] * x[j];
        x[i] /= M[i * (size + 1)];
    }
}

// x = -(B + sigma)^-1 g and *slope = x'(B + sigma)^-1 x, by which |x|^2 falls with 2 sigma; false if there is none.
static bool try_disc(int size, const double *B, const double *g, double sigma, double *x, double *slope) {
    double M[ROWS * ROWS] = {0}, w[ROWS] = {0};
    if (!factor_disc(size, B, sigma, M))
        return false;
    for (int i = 0; i < size; i++)
        x[i] = -g[i];
    substitute(size, M, x);
    memcpy(w, x, sizeof(double) * (size_t)size);
    substitute(size, M, w);
    *slope = 0.0;
    for (int i = 0; i < size; i++)
        *slope += x[i] * w[i];
    return isfinite(vs_disc_length(size, x));
}

// The impulse of a disc of `size` rows: (B + sigma) x = -g, sigma >= 0 the least for which |x| <= radius. Newton's method on
// 1/|x|, which for a symmetric B converges from below, within a bracket.
static void solve_disc(int size, const double *B, const double *g, double radius, double *x) {
    double scale = 0.0, low = 0.0, sigma = 0.0, length = 0.0, slope;
    if (size == 1) {
        x[0] = B[0] > 0.0 ? fmin(fmax(-g[0] / B[0], -radius), radius) : copysign(radius, -g[0]);
        return;
    }
    for (int i = 0; i < size * size; i++)
        scale += fabs(B[i]);
    double high = radius > 0.0 ? vs_disc_length(size, g) / radius + scale : INFINITY;
    memset(x, 0, sizeof(double) * (size_t)size);
    if (!isfinite(high))
        return;
    for (int k = 0; k < BISECTIONS && high - low > EXACT * high; k++) {
        double next = INFINITY;
        const bool any = try_disc(size, B, g, sigma, x, &slope);
        length = any ? vs_disc_length(size, x) : INFINITY;
        if (k == 0 && length <= radius)
            return;
        if (fabs(length - radius) <= EXACT * radius)
            break;
        *(length > radius ? &low : &high) = sigma;
        if (any && slope > 0.0)
            next = sigma + (length - radius) / radius * (length * length / slope);
        sigma = next > low && next < high ? next : 0.5 * (low + high);
    }
    for (int i = 0; i < size; i++)
        x[i] = isfinite(length) && length > 0.0 ? x[i] * (radius / length) : 0.0;
}

// f(t); l: the impulses of the discs, from those it has.
static double search_discs(const contact *c, double t, double *l) {
    const vs_discs *d = c->d;
    double y[ROWS] = {0};
    l[0] = t;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        double change = 0.0;
        for (int k = 0; k < VS_DISC_COUNT; k++) {
            int first, size = vs_discs_range(d, k, &first);
            double B[ROWS * ROWS], g[ROWS] = {0}, x[ROWS] = {0};
            for (int i = 0; i < size; i++) {
                const double *row = c->A + (first + i) * c->lda;
                g[i] = c->q[first + i];
                for (int j = 0; j < d->rows; j++)
                    g[i] += j < first || j >= first + size ? row[j] * l[j] : 0.0;
                for (int j = 0; j < size; j++)
                    B[i * size + j] = row[first + j];
            }
            if (size > 0)
                solve_disc(size, B, g, d->mu[k] * t, x);
            for (int i = 0; i < size; i++) {
                change += fabs(x[i] - l[first + i]);
                l[first + i] = x[i];
            }
        }
        if (change <= EXACT * norm(d->rows, l) || vs_discs_are_one(d))
            break;
    }
    find_velocity(c, l, y);
    return c->exact ? y[0] : y[0] - vs_discs_slip(d, y);
}

// From about t = `guess`. The root is bracketed, then regula falsi (Illinois) with every third step a bisection.
static void search(const contact *c, double guess, double *l) {
    double low = 0.0, high = guess > 0.0 ? guess : -c->q[0] / c->A[0], f = -1.0;
    double below = c->q[0] - (c->exact ? 0.0 : vs_discs_slip(c->d, c->q)); // f at low
    if (!(high > 0.0 && isfinite(high)))
        high = c->rho * norm(c->d->rows, c->q);
    memset(l, 0, sizeof(double) * (size_t)c->d->rows);
    for (int k = 0; k < DOUBLINGS && f < 0.0; k++) {
        f = search_discs(c, high, l);
        low = f < 0.0 ? high : low;
        below = f < 0.0 ? f : below;
        high = f < 0.0 ? 2.0 * high : high;
    }
    double above = f;
    int side = 0; // of the last point; the value of the other end is halved if it is the same again
    for (int k = 1; k <= BISECTIONS && high - low > EXACT * high && fabs(f) > EXACT * fabs(c->q[0]); k++) {
        const double ratio = below / (below - above);
        const double t = k % 3 && ratio > 0.0 && ratio < 1.0 ? low + ratio * (high - low) : 0.5 * (low + high);
        f = search_discs(c, t, l);
        if (f < 0.0) {
            low = t, below = f;
            above *= side < 0 ? .5 : 1;
        } else {
            high = t, above = f;
            below *= side > 0 ? .5 : 1;
        }
        side = f < 0.0 ? -1 : 1;
    }
}

// ---- the whole ---------------------------------------------------------------------------------------

// Keeps the better of two points; `error` is |F| relative to sizes.
static void keep(const contact *c, const double *x, double absolute, double *l, double *error) {
    double relative = absolute / size_of(c, x);
    if (relative < *error) {
        *error = relative;
        memcpy(l, x, sizeof(double) * (size_t)c->d->rows);
    }
}

// The impulses of y = 0.
static bool stick(const contact *c, double *x) {
    double M[ROWS * ROWS] = {0};
    for (int i = 0; i < c->d->rows; i++) {
        x[i] = -c->q[i];
        for (int j = 0; j < c->d->rows; j++)
            M[i * ROWS + j] = c->A[i * c->lda + j];
    }
    return solve(c->d->rows, M, x) && isfinite(norm(c->d->rows, x));
}

static double inverse_mean(int rows, const double *A, int lda) {
    double trace = 0.0;
    for (int i = 0; i < rows; i++)
        trace += A[i * (lda + 1)];
    return rows / trace;
}

// Newton's method takes one step in nearly all visits of a sweep: all discs that stick and an open contact are linear.
bool vs_one_rolling_improve(const vs_discs *d, const double *A, int lda, const double *y, bool exact, double *l) {
    const contact c = {d, A, lda, NULL, exact, inverse_mean(d->rows, A, lda)};
    double F[ROWS] = {0}, dl[ROWS] = {0}, next[ROWS] = {0}, velocity[ROWS] = {0};
    int rows = d->rows;
    double error = evaluate(&c, l, y, F);
    if (error <= EXACT * norm(rows, l))
        return true;
    memcpy(dl, F, sizeof dl);
    if (!find_direction(&c, l, y, dl))
        return false;
    for (int i = 0; i < rows; i++) {
        next[i] = l[i] + dl[i];
        velocity[i] = y[i];
        for (int j = 0; j < rows; j++)
            velocity[i] += A[i * lda + j] * dl[j];
    }
    if (!(evaluate(&c, next, velocity, F) <= REDUCED * error))
        return false;
    vs_discs_project(d, next, l);
    return true;
}

bool vs_one_rolling_solve(const vs_discs *d, const double *A, int lda, const double *q, bool exact, double *l) {
    double x[ROWS] = {0}, best[ROWS] = {0}, error = INFINITY;
    int rows = d->rows;
    const contact c = {d, A, lda, q, exact, inverse_mean(rows, A, lda)};
    if (q[0] >= (exact ? 0.0 : vs_discs_slip(d, q))) {
        memset(l, 0, sizeof(double) * (size_t)rows);
        return true;
    }
    vs_discs_project(d, l, x);
    // One disc for all rows, which are of very different sizes: Newton's method creeps.
    const bool iterates = !vs_discs_are_one(d);
    if (iterates)
        keep(&c, x, iterate(&c, x), best, &error);
    if (error > FOUND && stick(&c, x) && (iterates || vs_disc_length(rows - 1, x + 1) <= d->mu[0] * x[0])) {
        vs_discs_project(d, x, x);
        keep(&c, x, iterate(&c, x), best, &error);
    }
    if (error > FOUND) {
        search(&c, l[0], x);
        keep(&c, x, iterate(&c, x), best, &error);
    }
    vs_discs_project(d, best, l);
    return error <= FOUND;
}
