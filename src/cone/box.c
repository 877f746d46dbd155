// The box lo <= x <= hi of one row, lifted to the nonnegative orthant of dimension 2:
//
//     lambda = (x - lo, hi - x),  y = (w+, w-)
//     W = diag(eta, theta),  eta = sqrt(y0/lambda0),  theta = sqrt(y1/lambda1);  all products are component-wise
//
// The two distances are numbers of their own: lambda0 + lambda1 = hi - lo is a residual that the caller keeps, so that
// a distance of 1e-20 from one bound keeps all its digits. Rows with an infinite bound are not boxes.
#include "cone/cone.h"

#include <math.h>

static double margin(const double *x) {
    return fmin(x[0], x[1]);
}

static void project(const double *x, double *p) {
    p[0] = fmax(x[0], 0.0);
    p[1] = fmax(x[1], 0.0);
}

static bool set(vs_cone_pair *pair, const double *lambda, const double *y) {
    double l0 = lambda[0], l1 = lambda[1], y0 = y[0], y1 = y[1];
    // Written so that a NaN is refused, too.
    if (!(l0 > 0.0 && l1 > 0.0 && y0 > 0.0 && y1 > 0.0)) {
        return false;
    }
    double rl0 = sqrt(l0), rl1 = sqrt(l1), ry0 = sqrt(y0), ry1 = sqrt(y1);
    *pair = (vs_cone_pair){
        .lambda = {l0, l1},
        .y = {y0, y1},
        .gap = l0 * y0 + l1 * y1,
        .eta = ry0 / rl0,
        .theta = ry1 / rl1,
        .z = {rl0 * ry0, rl1 * ry1},
    };
    return true;
}

// Both from dl and dy: dl1 = -dl0 must stay exact.
static void direct(const vs_cone_pair *pair, const double *dl, const double *dy, const double *sum, double *dlt,
                   double *dyt) {
    (void)sum;
    dlt[0] = pair->eta * dl[0];
    dlt[1] = pair->theta * dl[1];
    dyt[0] = dy[0] / pair->eta;
    dyt[1] = dy[1] / pair->theta;
}

static bool advance(vs_cone_pair *pair, double a_l, const double *dlt, double a_y, const double *dyt) {
    double lambda[2] = {(pair->z[0] + a_l * dlt[0]) / pair->eta, (pair->z[1] + a_l * dlt[1]) / pair->theta};
    double y[2] = {(pair->z[0] + a_y * dyt[0]) * pair->eta, (pair->z[1] + a_y * dyt[1]) * pair->theta};
    return set(pair, lambda, y);
}

static void apply(const vs_cone_pair *pair, int power, const double *x, double *out) {
    bool twice = power == 2 || power == -2;
    double w0 = twice ? pair->eta * pair->eta : pair->eta;
    double w1 = twice ? pair->theta * pair->theta : pair->theta;
    out[0] = power > 0 ? w0 * x[0] : x[0] / w0;
    out[1] = power > 0 ? w1 * x[1] : x[1] / w1;
}

static void product(const double *a, const double *b, double *out) {
    out[0] = a[0] * b[0];
    out[1] = a[1] * b[1];
}

static void divide(const vs_cone_pair *pair, const double *r, double *out) {
    out[0] = r[0] / pair->z[0];
    out[1] = r[1] / pair->z[1];
}

static double step(const vs_cone_pair *pair, const double *d, double cap) {
    double alpha = pair->z[0] < -cap * d[0] ? pair->z[0] / -d[0] : cap;
    return pair->z[1] < -alpha * d[1] ? pair->z[1] / -d[1] : alpha;
}

const vs_cone vs_cone_box = {
    .name = "box",
    .rows = 1,
    .size = 2,
    .degree = 2,
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
