// One contact with rolling or spinning friction, y = A l + q:
//
//     lift off   l = 0        exact: q_n >= 0, relaxed: q in K*
//     stick      y = 0        if -A^-1 q is in K
//     Newton     on the natural map F(l) = l - P_K(l - rho ybar), from the guess and from the projected solution of stick
//     search     outer root of f(t), l_n = t > 0, over the impulses l_k(t) that are the fixed point of all discs of radius
//                mu_k t, each a trust region in one or two dimensions:
//
//                    exact     f = y_n(t)
//                    relaxed   f = y_n(t) - sum mu_k |y_k(t)|, the derivative of the objective on t
//
//                f(0) < 0, and for large t all discs stick, where f grows with the Schur complement of A. Newton's method
//                then finds the last digits.
//
// Nearly all visits of a sweep end with Newton's method after two or three steps. The search is slow and needs no
// derivative: it always finds a root for a positive definite A.
#include "solver/impulse/one_rolling.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"

enum { ROWS = VS_DISCS_ROWS };
enum { NEWTON = 30, HALVINGS = 10, DOUBLINGS = 80, BISECTIONS = 120, CYCLES = 400 };

static const double FOUND = 1e-13; // |F| relative to the sizes of its terms
static const double EXACT = 4 * DBL_EPSILON;

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
        int first, size = vs_discs_range(d->rows, k, &first);
        double speed = size == 2 ? vs_hypot(y[first], y[first + 1]) : size == 1 ? fabs(y[first]) : 0.0;
        for (int i = first; i < first + size; i++)
            row[i] = speed > 0.0 ? d->mu[k] * y[i] / speed : 0.0;
    }
}

void vs_rolling_map(const vs_discs *d, bool exact, const double *l, const double *y, double *F, double *A, double *B,
                    int ld) {
    double ybar[ROWS] = {0}, x[ROWS] = {0}, dP[ROWS * ROWS], slip[ROWS] = {1.0};
    int rows = d->rows;
    memcpy(ybar, y, sizeof(double) * (size_t)rows);
    if (exact)
        ybar[0] += vs_discs_slip(d, y);
    vs_discs_natural(d, l, ybar, 1.0, F);
    if (!A)
        return;
    if (exact)
        differentiate_slip(d, y, slip);
    for (int i = 0; i < rows; i++)
        x[i] = l[i] - ybar[i];
    vs_discs_differentiate(d, x, dP);
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

// |F| at l with velocities in units of impulses; F, and with A and B its derivative.
static double evaluate(const contact *c, const double *l, double *F, double *A, double *B) {
    double y[ROWS] = {0};
    find_velocity(c, l, y);
    for (int i = 0; i < c->d->rows; i++)
        y[i] *= c->rho;
    vs_rolling_map(c->d, c->exact, l, y, F, A, B, ROWS);
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

// The direction -dF^-1 F into F.
static bool find_direction(const contact *c, const double *A, const double *B, double *F) {
    double M[ROWS * ROWS] = {0};
    int rows = c->d->rows;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = A[i * ROWS + j];
            for (int k = 0; k < rows; k++)
                sum += B[i * ROWS + k] * c->rho * c->A[k * c->lda + j];
            M[i * ROWS + j] = sum;
        }
        F[i] = -F[i];
    }
    return solve(rows, M, F) && isfinite(norm(rows, F));
}

// From l to the best point met; returns its |F|.
static double iterate(const contact *c, double *l) {
    double F[ROWS] = {0}, A[ROWS * ROWS], B[ROWS * ROWS], trial[ROWS] = {0}, none[ROWS] = {0};
    int rows = c->d->rows;
    double error = evaluate(c, l, F, A, B);
    for (int k = 0; k < NEWTON && error > EXACT * size_of(c, l); k++) {
        if (!find_direction(c, A, B, F))
            break;
        double next = INFINITY, t = 1.0;
        for (int halving = 0; halving < HALVINGS && !(next < error); halving++) {
            for (int i = 0; i < rows; i++)
                trial[i] = l[i] + t * F[i];
            next = evaluate(c, trial, none, NULL, NULL);
            t /= 2;
        }
        if (!(next < error))
            break;
        memcpy(l, trial, sizeof(double) * (size_t)rows);
        error = evaluate(c, l, F, A, B);
    }
    return error;
}

// ---- search ------------------------------------------------------------------------------------------

// The impulse of a disc of `size` rows: (B + sigma) x = -g, sigma >= 0 the least for which |x| <= radius.
static void solve_disc(int size, const double *B, const double *g, double radius, double *x) {
    if (size == 1) {
        x[0] = B[0] > 0.0 ? fmin(fmax(-g[0] / B[0], -radius), radius) : copysign(radius, -g[0]);
        return;
    }
    double scale = fabs(B[0]) + fabs(B[3]) + fabs(B[1]) + fabs(B[2]), low = 0.0;
    double high = radius > 0.0 ? vs_hypot(g[0], g[1]) / radius + scale : INFINITY;
    x[0] = x[1] = 0.0;
    if (!isfinite(high))
        return;
    for (int k = 0; k < BISECTIONS && (k == 0 || high - low > EXACT * high); k++) {
        double sigma = k == 0 ? 0.0 : 0.5 * (low + high), det = (B[0] + sigma) * (B[3] + sigma) - B[1] * B[2];
        double u = -((B[3] + sigma) * g[0] - B[1] * g[1]) / det, w = -((B[0] + sigma) * g[1] - B[2] * g[0]) / det;
        bool inside = det > 0.0 && vs_hypot(u, w) <= radius;
        if (inside) {
            x[0] = u, x[1] = w;
            high = sigma;
        } else {
            low = sigma;
        }
        if (inside && k == 0)
            return;
    }
}

// f(t); l: the impulses of the discs, from those it has.
static double search_discs(const contact *c, double t, double *l) {
    const vs_discs *d = c->d;
    double y[ROWS] = {0};
    l[0] = t;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        double change = 0.0;
        for (int k = 0; k < VS_DISC_COUNT; k++) {
            int first, size = vs_discs_range(d->rows, k, &first);
            double B[4], g[2] = {0}, x[2] = {0};
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
        if (change <= EXACT * norm(d->rows, l))
            break;
    }
    find_velocity(c, l, y);
    return c->exact ? y[0] : y[0] - vs_discs_slip(d, y);
}

static void search(const contact *c, double *l) {
    double low = 0.0, high = -c->q[0] / c->A[0], f = -1.0;
    if (!(high > 0.0 && isfinite(high)))
        high = c->rho * norm(c->d->rows, c->q);
    memset(l, 0, sizeof(double) * (size_t)c->d->rows);
    for (int k = 0; k < DOUBLINGS && f < 0.0; k++) {
        f = search_discs(c, high, l);
        low = f < 0.0 ? high : low;
        high = f < 0.0 ? 2.0 * high : high;
    }
    for (int k = 0; k < BISECTIONS && high - low > EXACT * high; k++) {
        double middle = 0.5 * (low + high);
        *(search_discs(c, middle, l) < 0.0 ? &low : &high) = middle;
    }
    (void)search_discs(c, high, l);
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

bool vs_one_rolling_solve(const vs_discs *d, const double *A, int lda, const double *q, bool exact, double *l) {
    double x[ROWS] = {0}, best[ROWS] = {0}, error = INFINITY, trace = 0.0;
    int rows = d->rows;
    for (int i = 0; i < rows; i++)
        trace += A[i * (lda + 1)];
    const contact c = {d, A, lda, q, exact, rows / trace};
    if (q[0] >= (exact ? 0.0 : vs_discs_slip(d, q))) {
        memset(l, 0, sizeof(double) * (size_t)rows);
        return true;
    }
    vs_discs_project(d, l, x);
    keep(&c, x, iterate(&c, x), best, &error);
    if (error > FOUND && stick(&c, x)) {
        vs_discs_project(d, x, x);
        keep(&c, x, iterate(&c, x), best, &error);
    }
    if (error > FOUND) {
        search(&c, x);
        keep(&c, x, iterate(&c, x), best, &error);
    }
    vs_discs_project(d, best, l);
    return error <= FOUND;
}
