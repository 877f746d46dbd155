// The constraints of the log barrier: see barrier_constraints.h.
#include "solver/barrier/barrier_constraints.h"

#include <math.h>

#include "base/elementary.h"

vs_error vs_barrier_limits_create(vs_barrier_limits *limits, const vs_impulse_problem *problem, vs_arena *arena) {
    static const int counts[] = {[VS_LAW_FREE] = 0, [VS_LAW_NONNEG] = 1, [VS_LAW_BOX] = 2, [VS_LAW_FRICTION] = 2};
    *limits = (vs_barrier_limits){.problem = problem, .first = VS_NEW(arena, int, problem->groups + 1)};
    if (!limits->first)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < problem->groups; g++) {
        limits->first[g] = limits->count;
        limits->count += counts[problem->law[g]];
    }
    limits->first[problem->groups] = limits->count;
    return VS_OK;
}

// ---- values and derivatives ------------------------------------------------------------------------

bool vs_barrier_values(const vs_barrier_limits *limits, const double *l, double *c) {
    const vs_impulse_problem *d = limits->problem;
    bool inside = true;
    for (int g = d->joints; g < d->groups; g++) {
        const double *x = l + d->row[g];
        double *out = c + limits->first[g];
        switch (d->law[g]) {
        case VS_LAW_FRICTION: {
            double a = d->mu[g] * x[0], b = vs_hypot(x[1], x[2]);
            out[0] = .5 * (b - a) * (b + a);
            out[1] = -x[0];
            break;
        }
        case VS_LAW_BOX:
            out[0] = d->lo[g] - x[0];
            out[1] = x[0] - d->hi[g];
            break;
        default:
            out[0] = -x[0];
        }
        for (int i = limits->first[g]; i < limits->first[g + 1]; i++)
            inside &= c[i] < 0;
    }
    return inside;
}

void vs_barrier_jacobian(const vs_barrier_limits *limits, int g, const double *l, double B[6]) {
    const vs_impulse_problem *d = limits->problem;
    const double *x = l + d->row[g];
    for (int k = 0; k < 6; k++)
        B[k] = 0;
    if (d->law[g] == VS_LAW_FRICTION) {
        B[0] = -d->mu[g] * d->mu[g] * x[0];
        B[1] = x[1];
        B[2] = x[2];
        B[3] = -1;
    } else {
        B[0] = -1;
        B[3] = d->law[g] == VS_LAW_BOX ? 1 : 0;
    }
}

void vs_barrier_gradient_add(const vs_barrier_limits *limits, const double *l, const double *weight, double *out) {
    const vs_impulse_problem *d = limits->problem;
    for (int g = d->joints; g < d->groups; g++) {
        double B[6];
        vs_barrier_jacobian(limits, g, l, B);
        for (int i = limits->first[g]; i < limits->first[g + 1]; i++)
            for (int k = d->row[g]; k < d->row[g + 1]; k++)
                out[k] += B[3 * (i - limits->first[g]) + k - d->row[g]] * weight[i];
    }
}

void vs_barrier_slopes(const vs_barrier_limits *limits, const double *l, const double *dl, double *out) {
    const vs_impulse_problem *d = limits->problem;
    for (int g = d->joints; g < d->groups; g++) {
        double B[6];
        vs_barrier_jacobian(limits, g, l, B);
        for (int i = limits->first[g]; i < limits->first[g + 1]; i++) {
            out[i] = 0;
            for (int k = d->row[g]; k < d->row[g + 1]; k++)
                out[i] += B[3 * (i - limits->first[g]) + k - d->row[g]] * dl[k];
        }
    }
}

void vs_barrier_hessian(const vs_barrier_limits *limits, int g, const double *p, double M[3]) {
    const vs_impulse_problem *d = limits->problem;
    bool friction = d->law[g] == VS_LAW_FRICTION;
    double weight = friction ? p[limits->first[g]] : 0;
    M[0] = -weight * d->mu[g] * d->mu[g];
    M[1] = M[2] = weight;
}

// The friction part of G from its spectrum.
static void friction_block(double mu, const double *x, double c, double p, double G[9]) {
    double a = mu * x[0], b = vs_hypot(x[1], x[2]), wide = (a + b) * (a + b) / (-2 * c); // (a + b) / (a - b)
    double u = b > 0 ? x[1] / b : 1, w = b > 0 ? x[2] / b : 0;
    double sum = .5 * p * (wide + 1 / wide), difference = .5 * p * (1 / wide - wide);
    G[0] = mu * mu * sum;
    G[1] = G[3] = mu * difference * u;
    G[2] = G[6] = mu * difference * w;
    G[4] = sum * u * u + p * w * w;
    G[8] = sum * w * w + p * u * u;
    G[5] = G[7] = (sum - p) * u * w;
}

void vs_barrier_block(const vs_barrier_limits *limits, int g, const double *l, const double *c, const double *p,
                      double G[9]) {
    const vs_impulse_problem *d = limits->problem;
    int first = limits->first[g];
    for (int k = 0; k < 9; k++)
        G[k] = 0;
    if (d->law[g] == VS_LAW_FREE)
        return;
    if (d->law[g] == VS_LAW_FRICTION) {
        friction_block(d->mu[g], l + d->row[g], c[first], p[first], G);
        first++;
    }
    for (int i = first; i < limits->first[g + 1]; i++)
        G[0] -= p[i] / c[i];
}

// ---- staying inside --------------------------------------------------------------------------------

// The least root s > 0 of c + s slope + s^2 half_curve = 0, c < 0; infinite if there is none.
static double first_root(double c, double slope, double half_curve) {
    double det = slope * slope - 4 * half_curve * c;
    if (det < 0 || (half_curve <= 0 && slope <= 0))
        return INFINITY;
    double q = -.5 * (slope + copysign(sqrt(det), slope)); // the roots are q / half_curve and c / q, no cancellation
    double root = INFINITY, candidates[2] = {half_curve != 0 ? q / half_curve : INFINITY, q != 0 ? c / q : INFINITY};
    for (int k = 0; k < 2; k++)
        if (candidates[k] > 0)
            root = fmin(root, candidates[k]);
    return root;
}

double vs_barrier_step(const vs_barrier_limits *limits, const double *l, const double *dl, const double *c,
                       double cap) {
    const vs_impulse_problem *d = limits->problem;
    for (int g = d->joints; g < d->groups; g++) {
        double B[6];
        const double *dx = dl + d->row[g];
        vs_barrier_jacobian(limits, g, l, B);
        for (int i = limits->first[g]; i < limits->first[g + 1]; i++) {
            bool cone = d->law[g] == VS_LAW_FRICTION && i == limits->first[g];
            const double *grad = B + 3 * (i - limits->first[g]);
            double slope = grad[0] * dx[0], curve = 0, mu = d->mu[g];
            if (cone) {
                slope += grad[1] * dx[1] + grad[2] * dx[2];
                curve = .5 * (dx[1] * dx[1] + dx[2] * dx[2] - mu * mu * dx[0] * dx[0]);
            }
            cap = fmin(cap, first_root(c[i], slope, curve));
        }
    }
    return cap;
}

void vs_barrier_push(const vs_barrier_limits *limits, double least, double share, double *l) {
    const vs_impulse_problem *d = limits->problem;
    for (int g = d->joints; g < d->groups; g++) {
        double *x = l + d->row[g];
        if (d->law[g] == VS_LAW_BOX) {
            double edge = fmin(least, .25 * (d->hi[g] - d->lo[g]));
            x[0] = fmin(fmax(x[0], d->lo[g] + edge), d->hi[g] - edge);
            continue;
        }
        x[0] = fmax(x[0], least);
        if (d->law[g] != VS_LAW_FRICTION)
            continue;
        double allowed = share * d->mu[g] * x[0], tangential = vs_hypot(x[1], x[2]);
        if (tangential > allowed) {
            x[1] *= allowed / tangential;
            x[2] *= allowed / tangential;
        }
    }
}
