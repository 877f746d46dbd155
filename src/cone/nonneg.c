// The nonnegative orthant of dimension 1, { x >= 0 }:
//
//     scaling W = eta = sqrt(y/lambda),  z = sqrt(lambda y),  x o z = x z
#include "cone/cone.h"

#include <math.h>

static double margin(const double *x) {
    return x[0];
}

static void project(const double *x, double *p) {
    p[0] = fmax(x[0], 0.0);
}

static bool set(vs_cone_pair *pair, const double *lambda, const double *y) {
    double l0 = lambda[0], y0 = y[0];
    // Written so that a NaN is refused, too.
    if (!(l0 > 0.0 && y0 > 0.0)) {
        return false;
    }
    double root_l = sqrt(l0), root_y = sqrt(y0);
    *pair = (vs_cone_pair){.lambda = {l0}, .y = {y0}, .gap = l0 * y0, .eta = root_y / root_l, .z = {root_l * root_y}};
    return true;
}

static void direct(const vs_cone_pair *pair, const double *dl, const double *dy, const double *sum, double *dlt,
                   double *dyt) {
    if (pair->eta > 1.0) {
        dyt[0] = dy[0] / pair->eta;
        dlt[0] = sum[0] - dyt[0];
    } else {
        dlt[0] = dl[0] * pair->eta;
        dyt[0] = sum[0] - dlt[0];
    }
}

static bool advance(vs_cone_pair *pair, double a_l, const double *dlt, double a_y, const double *dyt) {
    double l0 = (pair->z[0] + a_l * dlt[0]) / pair->eta;
    double y0 = (pair->z[0] + a_y * dyt[0]) * pair->eta;
    return set(pair, &l0, &y0);
}

static void apply(const vs_cone_pair *pair, int power, const double *x, double *out) {
    double w = power == 2 || power == -2 ? pair->eta * pair->eta : pair->eta;
    out[0] = power > 0 ? w * x[0] : x[0] / w;
}

static void product(const double *a, const double *b, double *out) {
    out[0] = a[0] * b[0];
}

static void divide(const vs_cone_pair *pair, const double *r, double *out) {
    out[0] = r[0] / pair->z[0];
}

static double step(const vs_cone_pair *pair, const double *d, double cap) {
    double z0 = pair->z[0];
    return z0 < -cap * d[0] ? z0 / -d[0] : cap;
}

const vs_cone vs_cone_nonneg = {
    .name = "nonnegative",
    .rows = 1,
    .size = 1,
    .degree = 1,
    .margin = margin,
    .project = project,
    .set = set,
    .direct = direct,
    .advance = advance,
    .apply = apply,
    .product = product,
    .divide = divide,
    .step = step,
};
