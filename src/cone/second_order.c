// The Lorentz cone in R^3:
//
//     L = { x0 >= |x1| },  J = diag(1,-1,-1),  det x = x'Jx,  x o z = (x'z, x0 z1 + z0 x1)
//
// Nesterov-Todd scaling of an interior pair, lb = lambda/sqrt(det lambda), yb = y/sqrt(det y), c = lb'yb >= 1:
//
//     gamma = sqrt((1 + c)/2),  w = (yb + J lb)/(2 gamma),  eta = (det y/det lambda)^1/4
//     W     = eta B(w),  W^2 = eta^2 (2 w w' - J),  W^2 lambda = y
//     B(w)  = [ w0  w1'                 ]
//             [ w1  I + w1 w1'/(1 + w0) ]
//     z     = W lambda = W^-1 y,  z'z = lambda'y,  (det z)^2 = det lambda det y
//
// B(w) is a boost with the eigenvalues theta = w0 + |w1|, 1/theta, 1 on (1,d), (1,-d), (0,d_perp), d = w1/|w1|.
// In the components a = x0 + d.x1, b = x0 - d.x1, t = d_perp.x1 it is diagonal, and det x = a b - t^2.
//
// `set` trusts the coordinates and gets the invariants from them without cancellation. `advance` never uses the
// coordinates: it scales the pair lt = z + a_l W dl, yt = z + a_y W^-1 dy, which is well inside, with a boost V of
// its own, and composes W+ = Q V W, w+ = B(w) v, z+ = Q V lt. The rotation Q makes the product of two boosts
// symmetric (it is Wigner's rotation). So the new scaling keeps its relative accuracy at any margin.
// What remains: W dl and W^-1 dy carry the rounding of dl and dy (eps |dl| relative to the margin), and far from the
// central path, c >> 1, z itself is close to the boundary (eps sqrt(c) on the coordinates).
#include "base/double_double.h"
#include "base/elementary.h"
#include "cone/cone.h"

#include <math.h>

static double norm2(double a, double b) {
    return sqrt(a * a + b * b);
}

// *sum + *error = a + b exactly.
static double add_exactly(double a, double b, double *error) {
    double sum = a + b, b_part = sum - a;
    *error += (a - (sum - b_part)) + (b - b_part);
    return sum;
}

// a0 b0 + sign (a1 b1 + a2 b2) as if in twice the precision: lambda'y of a sliding contact and det of a point close to
// the boundary are differences of numbers 1e16 times larger.
static double inner(const double *a, const double *b, double sign) {
    const vs_double_double p0 = vs_dd_product(a[0], b[0]);
    const vs_double_double p1 = vs_dd_product(sign * a[1], b[1]), p2 = vs_dd_product(sign * a[2], b[2]);
    double error = p0.lo + p1.lo + p2.lo;
    double sum = add_exactly(add_exactly(p0.hi, p1.hi, &error), p2.hi, &error);
    return sum + error;
}

// a1 b2 - a2 b1 to a rounding or two.
static double cross(const double *a, const double *b) {
    double p = a[2] * b[1];
    double error = vs_fma(-a[2], b[1], p);
    return vs_fma(a[1], b[2], -p) + error;
}

static double margin(const double *x) {
    double r = norm2(x[1], x[2]);
    return x[0] > 0.0 ? inner(x, x, -1.0) / (x[0] + r) : x[0] - r;
}

static void project(const double *x, double *p) {
    double x0 = x[0], r = norm2(x[1], x[2]);
    double k = 0.5 * (x0 + r);
    double p0 = r <= x0 ? x0 : (r <= -x0 ? 0.0 : k);
    double ratio = r <= x0 ? 1.0 : (r <= -x0 ? 0.0 : k / r);
    p[0] = p0;
    p[1] = ratio * x[1];
    p[2] = ratio * x[2];
}

// The boost w and the unit point z/sqrt(det z) of a pair with the determinants rl^2, ry^2.
static void balance(const double *l, const double *y, double rl, double ry, double gap, double *w, double *z) {
    double lb[3] = {l[0] / rl, l[1] / rl, l[2] / rl};
    double yb[3] = {y[0] / ry, y[1] / ry, y[2] / ry};
    double gamma = sqrt(0.5 * (1.0 + fmax(gap / (rl * ry), 1.0)));
    double e1 = yb[1] - lb[1], e2 = yb[2] - lb[2], n = norm2(e1, e2);
    double half = 0.5 / gamma;
    w[0] = half * (yb[0] + lb[0]);
    w[1] = half * e1;
    w[2] = half * e2;

    z[0] = gamma;
    if (lb[1] * yb[1] + lb[2] * yb[2] >= 0.0) {
        double s = 1.0 / (lb[0] + yb[0] + 2.0 * gamma);
        z[1] = s * ((gamma + yb[0]) * lb[1] + (gamma + lb[0]) * yb[1]);
        z[2] = s * ((gamma + yb[0]) * lb[2] + (gamma + lb[0]) * yb[2]);
    } else {
        // Sliding: lb1 and yb1 are large and opposed, and the sum above cancels. In the frame of w it does not:
        // a of z is that of y over theta, b that of lambda over theta, t is a cross product.
        double d[3] = {0.0, e1 / n, e2 / n};
        double theta = w[0] + half * n;
        double a = (yb[0] + (d[1] * yb[1] + d[2] * yb[2])) / theta;
        double b = (lb[0] - (d[1] * lb[1] + d[2] * lb[2])) / theta;
        double t = cross(y, l) / (rl * ry * n);
        z[1] = 0.5 * (a - b) * d[1] - t * d[2];
        z[2] = 0.5 * (a - b) * d[2] + t * d[1];
    }
}

// theta and d of the boost w.
static void decompose(vs_cone_pair *pair, const double *w) {
    double n = norm2(w[1], w[2]);
    pair->theta = fmax(w[0] + n, 1.0);
    pair->d[0] = n > 0.0 ? w[1] / n : 1.0;
    pair->d[1] = n > 0.0 ? w[2] / n : 0.0;
}

static bool set(vs_cone_pair *pair, const double *lambda, const double *y) {
    double det_lambda = inner(lambda, lambda, -1.0), det_y = inner(y, y, -1.0);
    // Written so that a NaN is refused, too.
    if (!(det_lambda > 0.0 && det_y > 0.0 && lambda[0] > 0.0 && y[0] > 0.0)) {
        return false;
    }
    double rl = sqrt(det_lambda), ry = sqrt(det_y), gap = inner(lambda, y, 1.0);
    double w[3], z[3], root = sqrt(rl * ry);
    balance(lambda, y, rl, ry, gap, w, z);
    *pair = (vs_cone_pair){
        .lambda = {lambda[0], lambda[1], lambda[2]},
        .y = {y[0], y[1], y[2]},
        .det_lambda = det_lambda,
        .det_y = det_y,
        .gap = gap,
        .eta = sqrt(ry / rl),
        .z = {root * z[0], root * z[1], root * z[2]},
        .root = root,
    };
    decompose(pair, w);
    return true;
}

// Coordinates along the eigenvectors of W: a = x0 + d.x1, b = x0 - d.x1, t = d_perp.x1.
typedef struct components {
    double a, b, t;
} components;

static components resolve(const vs_cone_pair *pair, const double *x) {
    double along = pair->d[0] * x[1] + pair->d[1] * x[2];
    return (components){x[0] + along, x[0] - along, pair->d[0] * x[2] - pair->d[1] * x[1]};
}

static void assemble(const vs_cone_pair *pair, components c, double *x) {
    double along = 0.5 * (c.a - c.b);
    x[0] = 0.5 * (c.a + c.b);
    x[1] = along * pair->d[0] - c.t * pair->d[1];
    x[2] = along * pair->d[1] + c.t * pair->d[0];
}

static void apply(const vs_cone_pair *pair, int power, const double *x, double *out) {
    double fa = pair->eta * pair->theta, fb = pair->eta / pair->theta, ft = pair->eta;
    if (power == 2 || power == -2) {
        fa *= fa, fb *= fb, ft *= ft;
    }
    if (power < 0) {
        fa = 1.0 / fa, fb = 1.0 / fb, ft = 1.0 / ft;
    }
    components c = resolve(pair, x);
    assemble(pair, (components){fa * c.a, fb * c.b, ft * c.t}, out);
}

// Components of a point of known determinant: the smaller of a and b from a b = det + t^2, because its own difference
// has no digits left when x is close to the boundary.
static components resolve_inside(const vs_cone_pair *pair, const double *x, double det) {
    components c = resolve(pair, x);
    double ab = det + c.t * c.t;
    if (c.a >= c.b) {
        c.b = ab / c.a;
    } else {
        c.a = ab / c.b;
    }
    return c;
}

static double determinant(components c) {
    double p = c.t * c.t;
    return vs_fma(c.a, c.b, -p) - vs_dd_product(c.t, c.t).lo;
}

// z <- Q z, Q the rotation with Q B(v) B(w) symmetric: tan(angle/2) = v1 x w1/((1+v0)(1+w0) + v1.w1), where
// |w1|/(1+w0) = q = (theta-1)/(theta+1). v and z in the frame with d as first axis, va = v0 + v1.
static void rotate(double theta, const double *v, double va, double *z) {
    double q = (theta - 1.0) / (theta + 1.0);
    double tangent = -q * v[2] / (1.0 + va - 2.0 / (theta + 1.0) * v[1]);
    double scale = 1.0 / (1.0 + tangent * tangent);
    double cosine = (1.0 - tangent * tangent) * scale, sine = 2.0 * tangent * scale;
    double z1 = cosine * z[1] - sine * z[2];
    z[2] = sine * z[1] + cosine * z[2];
    z[1] = z1;
}

// The scaling of the pair W^-1 l, W y: w+ = B(w) v and z+ = Q V l.
static void compose(vs_cone_pair *pair, components l, components y, double det_l, double det_y) {
    // All in the frame of d: its first axis is (1, 0).
    const double lt[3] = {0.5 * (l.a + l.b), 0.5 * (l.a - l.b), l.t};
    const double yt[3] = {0.5 * (y.a + y.b), 0.5 * (y.a - y.b), y.t};
    double rl = sqrt(det_l), ry = sqrt(det_y), root = sqrt(rl * ry), v[3], w[3], z[3];
    double gap = 0.5 * (l.a * y.a + l.b * y.b) + l.t * y.t;
    balance(lt, yt, rl, ry, gap, v, z);

    // v has det 1; its smaller component again from the larger, or a long step would cost it its digits.
    double large = v[0] + fabs(v[1]), small = (1.0 + v[2] * v[2]) / large;
    double va = v[1] >= 0.0 ? large : small, vb = v[1] >= 0.0 ? small : large;
    rotate(pair->theta, v, va, z);
    assemble(pair, (components){root * (z[0] + z[1]), root * (z[0] - z[1]), root * z[2]}, pair->z);
    assemble(pair, (components){pair->theta * va, vb / pair->theta, v[2]}, w);
    double eta2 = pair->eta * pair->eta;
    pair->det_lambda = det_l / eta2;
    pair->det_y = det_y * eta2;
    pair->gap = gap;
    pair->root = root;
    pair->eta *= sqrt(ry / rl);
    decompose(pair, w);
}

static void direct(const vs_cone_pair *pair, const double *dl, const double *dy, const double *sum, double *dlt,
                   double *dyt) {
    const double w[3] = {pair->eta * pair->theta, pair->eta / pair->theta, pair->eta};
    components l = resolve(pair, dl), y = resolve(pair, dy), s = resolve(pair, sum);
    double *lc[3] = {&l.a, &l.b, &l.t}, *yc[3] = {&y.a, &y.b, &y.t}, *sc[3] = {&s.a, &s.b, &s.t};
    for (int k = 0; k < 3; k++) {
        if (w[k] > 1.0) {
            *yc[k] /= w[k];
            *lc[k] = *sc[k] - *yc[k];
        } else {
            *lc[k] *= w[k];
            *yc[k] = *sc[k] - *lc[k];
        }
    }
    assemble(pair, l, dlt);
    assemble(pair, y, dyt);
}

// Coordinates are W^-1 and W times the scaled point, never sums of steps: rounding of large early iterates would stay
// in the sum, and after a decrease by 1e12 it would have four digits left.
static bool advance(vs_cone_pair *pair, double a_l, const double *dlt, double a_y, const double *dyt) {
    double eta = pair->eta, theta = pair->theta;
    components z = resolve_inside(pair, pair->z, pair->root * pair->root);
    components l = resolve(pair, dlt), y = resolve(pair, dyt);
    l = (components){z.a + a_l * l.a, z.b + a_l * l.b, z.t + a_l * l.t};
    y = (components){z.a + a_y * y.a, z.b + a_y * y.b, z.t + a_y * y.t};
    double det_l = determinant(l), det_y = determinant(y);
    // Written so that a NaN is refused, too.
    if (!(det_l > 0.0 && det_y > 0.0 && l.a > 0.0 && y.a > 0.0)) {
        return false;
    }
    assemble(pair, (components){l.a / (eta * theta), l.b * theta / eta, l.t / eta}, pair->lambda);
    assemble(pair, (components){y.a * eta * theta, y.b * eta / theta, y.t * eta}, pair->y);
    compose(pair, l, y, det_l, det_y);
    return true;
}

static void product(const double *a, const double *b, double *out) {
    double a0 = a[0], b0 = b[0];
    double p0 = a0 * b0 + a[1] * b[1] + a[2] * b[2];
    out[1] = a0 * b[1] + b0 * a[1];
    out[2] = a0 * b[2] + b0 * a[2];
    out[0] = p0;
}

// Arrow matrix of z: det z x0 = z0 r0 - z1.r1, z0 x1 = r1 - x0 z1; det z from the invariants, not from z.
static void divide(const vs_cone_pair *pair, const double *r, double *out) {
    const double *z = pair->z;
    double det = pair->root * pair->root;
    double x0 = (z[0] * r[0] - (z[1] * r[1] + z[2] * r[2])) / det;
    out[1] = (r[1] - x0 * z[1]) / z[0];
    out[2] = (r[2] - x0 * z[2]) / z[0];
    out[0] = x0;
}

// In the frame where z is sqrt(det z) e, d becomes rho: the boundary is reached at sqrt(det z) = alpha (|rho1| - rho0).
static double step(const vs_cone_pair *pair, const double *d, double cap) {
    double root = pair->root, inverse = 1.0 / root;
    double z0 = pair->z[0] * inverse, z1 = pair->z[1] * inverse, z2 = pair->z[2] * inverse;
    double rho0 = z0 * d[0] - (z1 * d[1] + z2 * d[2]);
    double s = (rho0 + d[0]) / (z0 + 1.0);
    double r = norm2(d[1] - s * z1, d[2] - s * z2), speed = r - rho0;
    // Most steps end elsewhere; those are not worth the digits.
    if (root >= 1.001 * cap * speed)
        return cap;
    // |rho1|^2 - rho0^2 = -det d: a step that first goes inwards would lose its length in the difference.
    if (rho0 > 0.0)
        speed = -inner(d, d, -1.0) / (r + rho0);
    return root < cap * speed ? root / speed : cap;
}

const vs_cone vs_cone_second_order = {
    .name = "second order",
    .rows = 3,
    .size = 3,
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
