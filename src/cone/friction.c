// Euclidean projections onto the friction cone K = { |l_T| <= mu l_n } and its dual K* = { mu |y_T| <= y_n }, in the
// user's units, for every finite mu >= 0. The boundary ray of K in the plane (n, |T|) is (c, s), that of K* is (s, c)
// with c = 1/sqrt(1 + mu^2), s = mu c. A point outside both the cone and its polar goes to
//
//     k (c, s T/|T|),  k = c x_n + s |x_T|        (K; c and s exchanged for K*)
//
// c and s instead of mu^2: no digit is lost from mu = 1e-150 to 1e150. mu = 0 needs no case of its own:
// K is then the half-line T = 0, n >= 0, and K* the half space x_n >= 0, exactly.
#include "cone/cone.h"

#include <math.h>

static void put(double n, double t1, double t2, double *p) {
    p[0] = n;
    p[1] = t1;
    p[2] = t2;
}

// Point of the ray (n, t), a unit vector, closest to x; r = |x_T| > 0.
static void put_on_ray(double n, double t, double r, const double *x, double *p) {
    double k = n * x[0] + t * r;
    double ratio = k * t / r;
    put(k * n, ratio * x[1], ratio * x[2], p);
}

void vs_friction_project(double mu, const double *x, double *p) {
    double r = sqrt(x[1] * x[1] + x[2] * x[2]);
    // The polar cone first: for mu = 0 and x on the axis the test for the cone itself would hold on both sides of 0.
    if (mu * r <= -x[0]) {
        put(0.0, 0.0, 0.0, p);
    } else if (r <= mu * x[0]) {
        put(x[0], x[1], x[2], p);
    } else {
        double h = sqrt(1.0 + mu * mu);
        put_on_ray(1.0 / h, mu / h, r, x, p);
    }
}

void vs_friction_project_dual(double mu, const double *x, double *p) {
    double r = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (mu * r <= x[0]) {
        put(x[0], x[1], x[2], p);
    } else if (r <= -mu * x[0]) {
        put(0.0, 0.0, 0.0, p);
    } else {
        double h = sqrt(1.0 + mu * mu);
        put_on_ray(mu / h, 1.0 / h, r, x, p);
    }
}
