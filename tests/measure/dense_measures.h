// The measures by dense matrices, definition by definition, without regard for speed or cancellation: the reference that
// the library is compared with.
#ifndef VS_TESTS_MEASURE_DENSE_MEASURES_H
#define VS_TESTS_MEASURE_DENSE_MEASURES_H

#include <math.h>

#include "../mass/dense.h"
#include "voussoir/measure.h"

static void dense_project(double mu, const double *x, double *p) {
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (mu * t <= -x[0]) {
        p[0] = p[1] = p[2] = 0.0;
    } else if (t <= mu * x[0]) {
        memcpy(p, x, 3 * sizeof *p);
    } else {
        p[0] = (x[0] + mu * t) / (1.0 + mu * mu);
        p[1] = t > 0.0 ? mu * p[0] * x[1] / t : 0.0;
        p[2] = t > 0.0 ? mu * p[0] * x[2] / t : 0.0;
    }
}

// |l - P(l - s y)|^2 and the distances of l to K, of y to K*
static double dense_contact(double mu, const double *l, const double *y, double s, double *cone, double *dual) {
    double z[3], p[3], sum = 0.0, to_cone = 0.0, to_dual = 0.0;
    for (int k = 0; k < 3; k++)
        z[k] = l[k] - s * y[k];
    dense_project(mu, z, p);
    for (int k = 0; k < 3; k++)
        sum += (l[k] - p[k]) * (l[k] - p[k]);
    dense_project(mu, l, p);
    for (int k = 0; k < 3; k++)
        to_cone += (l[k] - p[k]) * (l[k] - p[k]);
    // y - P_K*(y) = -P_K(-y)
    for (int k = 0; k < 3; k++)
        z[k] = -y[k];
    dense_project(mu, z, p);
    for (int k = 0; k < 3; k++)
        to_dual += p[k] * p[k];
    *cone = fmax(*cone, sqrt(to_cone));
    *dual = fmax(*dual, sqrt(to_dual));
    return sum;
}

// Primal minus dual objective of the convex problem with boxes, at the recomputed v.
static double dense_gap(const dense *d, const double *g, const double *l) {
    const vs_problem *p = d->p;
    double primal = 0.0, dual = 0.0;
    for (int k = 0; k < p->n; k++) {
        primal += p->c[k] * d->v[k];
        for (int j = 0; j < p->n; j++) {
            primal += 0.5 * d->v[k] * d->H[k][j] * d->v[j];
            dual -= 0.5 * d->v[k] * d->H[k][j] * d->v[j];
        }
    }
    for (int i = 0; i < p->m; i++) {
        primal += 0.5 * p->E[i] * l[i] * l[i];
        dual += p->b[i] * l[i] - 0.5 * p->E[i] * l[i] * l[i];
    }
    for (int i = 0; i < p->contacts; i++)
        for (int k = p->row[i]; k < p->row[i + 1]; k++)
            if (p->kind[i] == VS_CONE_BOX)
                primal += p->hi[k] * fmax(-d->y[k], 0.0) - p->lo[k] * fmax(d->y[k], 0.0);
    for (int i = 0; i < p->m_e; i++) {
        primal += 0.5 * p->E_e[i] * g[i] * g[i];
        dual += p->b_e[i] * g[i] - 0.5 * p->E_e[i] * g[i] * g[i];
    }
    return primal - dual;
}

static double dense_mean(const double *x, int begin, int end) {
    double sum = 0.0;
    for (int k = begin; k < end; k++)
        sum += x[k];
    return sum / (end - begin);
}

// Energy error, natural map, complementarity, violations, duality gap; y at zero impulses must have been computed for
// `free_norm`. Leaves Fischer-Burmeister and natural residual to their own tests.
static vs_measures dense_measure(dense *d, vs_model model, const double *g, const double *l, double free_norm) {
    const vs_problem *p = d->p;
    vs_measures q = {0};
    double map = 0.0, l2 = 0.0, y2 = 0.0;
    dense_velocities(d, g, l);
    for (int i = 0; i < p->contacts; i++) {
        int begin = p->row[i], end = p->row[i + 1];
        if (p->kind[i] == VS_CONE_SECOND_ORDER) {
            double mu = model == VS_MODEL_FRICTIONLESS ? 0.0 : p->mu[i];
            double a = dense_mean(d->a_diagonal, begin, model == VS_MODEL_FRICTIONLESS ? begin + 1 : end);
            double y[3] = {d->y[begin], d->y[begin + 1], d->y[begin + 2]};
            y[0] += model == VS_MODEL_EXACT ? mu * sqrt(y[1] * y[1] + y[2] * y[2]) : 0.0;
            q.energy_error += a / 2 * dense_contact(mu, l + begin, y, 1 / a, &q.cone_violation, &q.dual_violation);
            map += dense_contact(mu, l + begin, y, 1.0, &q.cone_violation, &q.dual_violation);
            q.complementarity += y[0] * l[begin] + y[1] * l[begin + 1] + y[2] * l[begin + 2];
            end = model == VS_MODEL_FRICTIONLESS ? begin + 1 : end;
        } else {
            for (int k = begin; k < end; k++) {
                double lo = p->kind[i] == VS_CONE_BOX ? p->lo[k] : 0.0,
                       hi = p->kind[i] == VS_CONE_BOX ? p->hi[k] : 1e300;
                double a = d->a_diagonal[k], w = d->y[k], e = l[k] - fmin(fmax(l[k] - w / a, lo), hi);
                double n = l[k] - fmin(fmax(l[k] - w, lo), hi);
                q.energy_error += a / 2 * e * e;
                map += n * n;
                q.complementarity += hi < 1e300 ? (l[k] - lo) * fmax(w, 0) + (hi - l[k]) * fmax(-w, 0) : l[k] * w;
                q.cone_violation = fmax(q.cone_violation, fmax(lo - l[k], l[k] - hi));
                q.dual_violation = hi < 1e300 ? q.dual_violation : fmax(q.dual_violation, -w);
            }
        }
        for (int k = begin; k < end; k++)
            l2 += l[k] * l[k], y2 += d->y[k] * d->y[k];
    }
    for (int j = 0; j < p->joints; j++) {
        double a = dense_mean(d->joint_diagonal, p->joint_row[j], p->joint_row[j + 1]);
        for (int k = p->joint_row[j]; k < p->joint_row[j + 1]; k++) {
            q.joint_error_energy += d->r_e[k] * d->r_e[k] / (2 * a);
            q.joint_error_velocity = fmax(q.joint_error_velocity, fabs(d->r_e[k]));
            map += d->r_e[k] * d->r_e[k];
            y2 += d->r_e[k] * d->r_e[k];
        }
    }
    q.energy_error += q.joint_error_energy;
    q.energy_scale = sqrt(y2); // of zero impulses: the caller's free_norm
    q.natural_map_relative = sqrt(map) / fmax(free_norm, fmax(sqrt(l2), sqrt(y2)));
    bool objective = model != VS_MODEL_EXACT && p->symmetric;
    q.duality_gap = !objective ? NAN : p->local ? q.complementarity : dense_gap(d, g, l);
    return q;
}

#endif
