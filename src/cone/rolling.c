// The cone of a contact with rolling or spinning friction: discs that share the normal impulse,
//
//     K  = { |l_k| <= mu_k l_n }                  k: sliding, rolling, spinning
//     K* = { y_n >= sum mu_k |y_k| }
//
// The projection onto K has P_n = t and P_k = x_k min(1, mu_k t / |x_k|), where t is the root of the increasing,
// piecewise linear
//
//     t - x_n - sum mu_k (|x_k| - mu_k t)+ = 0
//
// or zero if x_n + sum mu_k |x_k| <= 0, which is the polar cone. Discs are active (|x_k| > mu_k t) in the order of
// falling |x_k| / mu_k. Its derivative, with e_k = x_k / |x_k| and sums over the active discs, is
//
//     dt   = (dx_n + sum mu_k e_k'dx_k) / (1 + sum mu_k^2)
//     dP_k = mu_k e_k dt + mu_k t / |x_k| (1 - e_k e_k') dx_k          active; else dP_k = dx_k
//
// All rows have one unit: rotational ones are scaled to lengths before (mass/energy_scale.h).
#include "cone/cone.h"

#include <math.h>
#include <string.h>

vs_discs vs_discs_make(int rows) {
    return (vs_discs){.rows = rows, .begin = {1, 3, rows >= 5 ? 5 : 3, rows}};
}

vs_discs vs_discs_without_sliding(const vs_discs *d) {
    vs_discs kept = *d;
    int sliding = d->begin[VS_DISC_ROLLING] - d->begin[VS_DISC_SLIDING];
    kept.rows -= sliding;
    for (int k = VS_DISC_ROLLING; k <= VS_DISC_COUNT; k++)
        kept.begin[k] -= sliding;
    return kept;
}

vs_discs vs_discs_make_elliptic(int rows) {
    return (vs_discs){.rows = rows, .begin = {1, rows, rows, rows}};
}

static void measure_discs(const vs_discs *d, const double *x, double *r) {
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        r[k] = vs_disc_length(size, x + first);
    }
}

double vs_discs_slip(const vs_discs *d, const double *y) {
    double r[VS_DISC_COUNT];
    measure_discs(d, y, r);
    return d->mu[0] * r[0] + d->mu[1] * r[1] + d->mu[2] * r[2];
}

// t of the projection, and which discs are active; r: lengths of the discs' parts of x.
static double find_normal(const vs_discs *d, double x_n, const double *r, bool *active) {
    double sum = x_n, weight = 1.0, all = x_n;
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        active[k] = false;
        all += d->mu[k] * r[k];
    }
    if (all <= 0.0) {
        for (int k = 0; k < VS_DISC_COUNT; k++)
            active[k] = true;
        return 0.0;
    }
    for (int round = 0; round < VS_DISC_COUNT; round++) {
        // the disc that is left the most: compared without division, as mu may be zero
        int most = -1;
        for (int k = 0; k < VS_DISC_COUNT; k++)
            if (!active[k] && r[k] > 0.0 && (most < 0 || r[k] * d->mu[most] > r[most] * d->mu[k]))
                most = k;
        if (most < 0 || !(r[most] * weight > d->mu[most] * sum))
            break;
        active[most] = true;
        sum += d->mu[most] * r[most];
        weight += d->mu[most] * d->mu[most];
    }
    return fmax(sum / weight, 0.0);
}

void vs_discs_project(const vs_discs *d, const double *x, double *p) {
    double r[VS_DISC_COUNT];
    bool active[VS_DISC_COUNT];
    measure_discs(d, x, r);
    double t = find_normal(d, x[0], r, active);
    p[0] = t;
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        double factor = !active[k] ? 1.0 : r[k] > 0.0 ? d->mu[k] * t / r[k] : 0.0;
        for (int i = first; i < first + size; i++)
            p[i] = factor * x[i];
    }
}

void vs_discs_project_dual(const vs_discs *d, const double *x, double *p) {
    double minus[VS_DISCS_ROWS] = {0}, q[VS_DISCS_ROWS] = {0};
    for (int i = 0; i < d->rows; i++)
        minus[i] = -x[i];
    vs_discs_project(d, minus, q);
    for (int i = 0; i < d->rows; i++)
        p[i] = x[i] + q[i];
}

// With x = l - s y the residual l - P(x) is s y + (x - P(x)), of which the last term vanishes inside. Of an active disc
// the form with the smaller numbers is used: beside large impulses l - P(x) would keep nothing of a small velocity.
void vs_discs_natural(const vs_discs *d, const double *l, const double *y, double s, double *F) {
    double x[VS_DISCS_ROWS] = {0}, r[VS_DISC_COUNT], beyond = 0.0;
    bool active[VS_DISC_COUNT];
    for (int i = 0; i < d->rows; i++)
        x[i] = l[i] - s * y[i];
    measure_discs(d, x, r);
    double t = find_normal(d, x[0], r, active);
    if (t == 0.0) {
        memcpy(F, l, sizeof(double) * (size_t)d->rows);
        return;
    }
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        double excess = active[k] ? r[k] - d->mu[k] * t : 0.0;
        bool fast = active[k] && s * vs_disc_length(size, y + first) > vs_disc_length(size, l + first);
        beyond += d->mu[k] * excess;
        for (int i = first; i < first + size; i++)
            F[i] = fast ? l[i] - d->mu[k] * t / r[k] * x[i] : s * y[i] + (excess > 0.0 ? excess / r[k] * x[i] : 0.0);
    }
    F[0] = s * y[0] - beyond;
}

// The product uses that dP_k needs dt and the rows of its own disc alone.
void vs_discs_differentiate(const vs_discs *d, const double *x, const double *T, double *dPT) {
    double r[VS_DISC_COUNT], weight = 1.0, dt[VS_DISCS_ROWS];
    bool active[VS_DISC_COUNT];
    int rows = d->rows;
    measure_discs(d, x, r);
    double t = find_normal(d, x[0], r, active);
    if (t == 0.0) {
        memset(dPT, 0, sizeof(double) * (size_t)(rows * rows));
        return;
    }
    memcpy(dt, T, sizeof(double) * (size_t)rows);
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        if (!active[k])
            continue;
        weight += d->mu[k] * d->mu[k];
        for (int i = first; i < first + size; i++)
            for (int j = 0; j < rows; j++)
                dt[j] += d->mu[k] * x[i] / r[k] * T[i * rows + j];
    }
    for (int j = 0; j < rows; j++)
        dPT[j] = dt[j] /= weight;
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        double along[VS_DISCS_ROWS] = {0}, round = active[k] ? d->mu[k] * t / r[k] : 1.0;
        for (int i = first; active[k] && i < first + size; i++)
            for (int j = 0; j < rows; j++)
                along[j] += x[i] / r[k] * T[i * rows + j];
        for (int i = first; i < first + size; i++) {
            double e = active[k] ? x[i] / r[k] : 0.0;
            for (int j = 0; j < rows; j++)
                dPT[i * rows + j] = round * (T[i * rows + j] - e * along[j]) + d->mu[k] * e * dt[j];
        }
    }
}
