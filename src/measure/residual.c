// Residuals of a row with bounds (Enzenhöfer et al., equations 5-10 and 13-20) and of a friction cone.
//
// The energy error of a row is there
//
//     max( a dx_u^2/2,  a dx_l^2/2,  min(w+^2/(2a), a s_l^2/2),  min(w-^2/(2a), a s_u^2/2) )
//
//     s_u = hi - (x0 - dx_l),   s_l = (x0 + dx_u) - lo
//
// In all cases, by the signs of w and of the distances to the bounds, this is
//
//     a/2 (x - P(x - w/a))^2            P: projection onto [lo, hi]
//
// and it is computed in that form.
#include "measure/residual.h"

#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"

double vs_row_natural(double x, double t, double lo, double hi) {
    // x - P(x - t) without forming x - t, so that a small t beside a large x keeps its digits.
    double inside = t < x - lo ? t : x - lo;
    return inside > x - hi ? inside : x - hi;
}

double vs_row_energy(double a, double x, double w, double lo, double hi) {
    double d = vs_row_natural(x, w / a, lo, hi);
    return 0.5 * a * d * d;
}

double vs_row_natural_residual(double x, double w, double lo, double hi) {
    double lower = fmin(x - lo, fmax(w, 0.0)), upper = fmin(hi - x, fmax(-w, 0.0));
    return fmax(fabs(lower), fabs(upper));
}

// sqrt(d^2 + w^2) - d - w for w >= 0; d infinite: its limit
static double fischer_burmeister(double d, double w) {
    if (isinf(d))
        return -w;
    double root = vs_hypot(d, w), sum = d + w;
    return sum > 0.0 ? -2.0 * d * w / (root + sum) : root - sum;
}

double vs_row_fischer_burmeister(double x, double w, double lo, double hi) {
    double lower = fischer_burmeister(x - lo, fmax(w, 0.0)), upper = fischer_burmeister(hi - x, fmax(-w, 0.0));
    return fmax(fabs(lower), fabs(upper));
}

double vs_friction_natural_squared(double mu, const double *l, const double *y, double s) {
    // Without friction the cone is the nonnegative orthant of dimension 1, and the difference need not be formed.
    if (mu == 0.0) {
        double d = vs_row_natural(l[0], s * y[0], 0.0, INFINITY);
        return d * d + l[1] * l[1] + l[2] * l[2];
    }
    // With p = l - s y the residual is
    //
    //     l - P(p) = s y + (p - P(p))
    //
    // The last term, the projection of p onto the polar cone, vanishes inside. There the right-hand side is used:
    // beside large impulses the difference l - P(p) would keep nothing of a small velocity. Outside, the form with the
    // smaller numbers is used.
    double d[3] = {s * y[0], s * y[1], s * y[2]};
    double p[3] = {l[0] - d[0], l[1] - d[1], l[2] - d[2]}, r = sqrt(p[1] * p[1] + p[2] * p[2]);
    if (mu * r <= -p[0])
        return l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
    if (!(r <= mu * p[0])) {
        bool fast = fabs(d[1]) + fabs(d[2]) > fabs(l[1]) + fabs(l[2]);
        double h = 1.0 + mu * mu, normal = fast ? (p[0] + mu * r) / h : (r - mu * p[0]) / h;
        double along = (fast ? -mu : 1.0) * normal / r;
        const double *from = fast ? l : d;
        // With a small mu, l_0 - normal would keep nothing of them beside a large l_0.
        double first = fast ? (d[0] + mu * (mu * l[0] - r)) / h : d[0] - mu * normal;
        double out[3] = {first, from[1] + along * p[1], from[2] + along * p[2]};
        return out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
    }
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

double vs_friction_fischer_burmeister_squared(double mu, const double *l, const double *y) {
    if (mu == 0.0) {
        double d = vs_row_fischer_burmeister(l[0], y[0], 0.0, INFINITY);
        return d * d + l[1] * l[1] + l[2] * l[2];
    }
    const double x[3] = {mu * l[0], l[1], l[2]}, w[3] = {y[0] / mu, y[1], y[2]};
    double s[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++)
        s[0] += x[k] * x[k] + w[k] * w[k];
    for (int k = 1; k < 3; k++)
        s[k] = 2.0 * (x[0] * x[k] + w[0] * w[k]);
    // b = s^1/2 by its spectral values
    double length = vs_hypot(s[1], s[2]), large = sqrt(s[0] + length), small = sqrt(fmax(s[0] - length, 0.0));
    double along = length > 0.0 ? 0.5 * (large - small) / length : 0.0;
    const double a[3] = {x[0] + w[0], x[1] + w[1], x[2] + w[2]},
                 b[3] = {0.5 * (large + small), along * s[1], along * s[2]};
    double phi[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};

    // Near a solution the difference phi = a - b has only half the digits. It also solves
    //
    //     phi o (a + b) = a o a - b o b = 2 x o w
    const double p[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    const double r[3] = {2.0 * (x[0] * w[0] + x[1] * w[1] + x[2] * w[2]), 2.0 * (x[0] * w[1] + w[0] * x[1]),
                         2.0 * (x[0] * w[2] + w[0] * x[2])};
    double det = p[0] * p[0] - p[1] * p[1] - p[2] * p[2];
    if (p[0] > 0.0 && det > 1e-4 * p[0] * p[0]) {
        phi[0] = (p[0] * r[0] - p[1] * r[1] - p[2] * r[2]) / det;
        phi[1] = (r[1] - phi[0] * p[1]) / p[0];
        phi[2] = (r[2] - phi[0] * p[2]) / p[0];
    }
    return phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
}

double vs_discs_natural_squared(const vs_discs *d, const double *l, const double *y, double s) {
    double F[VS_DISCS_ROWS] = {0}, sum = 0.0;
    vs_discs_natural(d, l, y, s, F);
    for (int i = 0; i < d->rows; i++)
        sum += F[i] * F[i];
    return sum;
}

// Two vectors in the plane that they span: all that a function of both depends on.
static void lay_into_plane(int size, const double *l, const double *y, double plane[2][2]) {
    double length = vs_disc_length(size, l), along = 0.0, across = 0.0;
    if (size <= 2) {
        plane[0][0] = l[0], plane[0][1] = size == 2 ? l[1] : 0.0;
        plane[1][0] = y[0], plane[1][1] = size == 2 ? y[1] : 0.0;
        return;
    }
    for (int i = 0; i < size && length > 0.0; i++)
        along += y[i] * l[i] / length;
    for (int i = 0; i < size; i++) {
        double rest = y[i] - (length > 0.0 ? along * l[i] / length : 0.0);
        across += rest * rest;
    }
    plane[0][0] = length, plane[0][1] = 0.0;
    plane[1][0] = along, plane[1][1] = sqrt(across);
}

double vs_discs_fischer_burmeister_squared(const vs_discs *d, const double *l, const double *y) {
    double normal = vs_row_fischer_burmeister(l[0], y[0] - vs_discs_slip(d, y), 0.0, INFINITY), sum = normal * normal;
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        if (size == 0)
            continue;
        double plane[2][2], slip = d->mu[k] * vs_disc_length(size, y + first);
        lay_into_plane(size, l + first, y + first, plane);
        const double part[3] = {fmax(l[0], 0.0), plane[0][0], plane[0][1]}, speed[3] = {slip, plane[1][0], plane[1][1]};
        sum += d->mu[k] > 0.0 ? vs_friction_fischer_burmeister_squared(d->mu[k], part, speed)
                              : part[1] * part[1] + part[2] * part[2];
    }
    return sum;
}
