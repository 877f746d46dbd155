// One contact of the relaxed model, l in K_mu, y = A l + q in K*_mu, l'y = 0:
//
//     lift off   l = 0                        q in K*
//     stick      y = 0                        -A^-1 q in K
//     slide      l = t (1, mu d), y = s (mu, -d),   |d| = 1, t > 0, s >= 0
//
// A positive definite A, symmetric or not, has exactly one of these: whatever is found by whatever means and passes the
// three lines is the answer. Sliding, with p = (1, mu d), e = d turned by 90 degrees and t = -p'q / p'A p so that y'p =
// 0, is one equation for the angle of d,
//
//     y_T'e = 0,      times p'A p:   (p'A p)(q_T'e) - (p'q)(A p)_T'e = 0
//
// of positive slope at the solution: Newton's method from a guess. If that fails, the multiplier is bracketed:
// w = (mu l_n, l_T) lies on the Lorentz cone's boundary, and with A~, q~ scaled alike and J = diag(1, -1, -1)
//
//     (A~ - sigma J) w = -q~,   z = adj(A~ - sigma J) q~ = -det w,   z'J z = 0,   sigma = s / (mu t)
//
// A~ - sigma J is singular at one sigma+ > 0 only, where z'J z >= 0; z'J z < 0 at infinity; and from 0 to sigma+ it
// rises once through zero. Which of the two roots has w in K, not in -K, is the sign of z_n wherever z'J z > 0. The
// tangential rows alone then give d without dividing by det, also where both roots meet. (Proof for symmetric A.)
#include "solver/impulse/one_cone.h"

#include <float.h>
#include <math.h>

#include "cone/cone.h"

// Sums of a few terms are accurate to this fraction of their sizes.
static const double ROUNDOFF = 1e-14;
// A pivot below this fraction of the first means a singular matrix.
static const double SINGULAR = 1e-13;

typedef struct contact {
    double A[3][3], q[3], mu;
} contact;

// ---- stick -----------------------------------------------------------------------------------------

static void exchange(double M[3][4], int *unknown, int k, int with) {
    for (int j = 0; j < 4; j++) {
        double keep = M[k][j];
        M[k][j] = M[with][j];
        M[with][j] = keep;
    }
    for (int i = 0; i < 3; i++) {
        double keep = M[i][k];
        M[i][k] = M[i][with];
        M[i][with] = keep;
    }
    int keep = unknown[k];
    unknown[k] = unknown[with];
    unknown[with] = keep;
}

// A x = -q by the largest diagonal pivots; unknowns of a singular remainder are zero. False if that remainder is not
// solved.
static bool eliminate(const contact *c, double *x) {
    double M[3][4], first = 0.0;
    int unknown[3] = {0, 1, 2}, rank = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            M[i][j] = c->A[i][j];
        M[i][3] = -c->q[i];
    }
    for (; rank < 3; rank++) {
        int largest = rank;
        for (int i = rank + 1; i < 3; i++)
            largest = M[i][i] > M[largest][largest] ? i : largest;
        if (largest != rank)
            exchange(M, unknown, rank, largest);
        first = rank == 0 ? M[0][0] : first;
        if (!(M[rank][rank] > SINGULAR * first))
            break;
        for (int i = rank + 1; i < 3; i++) {
            double factor = M[i][rank] / M[rank][rank];
            for (int j = rank + 1; j < 4; j++)
                M[i][j] -= factor * M[rank][j];
        }
    }
    x[0] = x[1] = x[2] = 0.0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = M[i][3];
        for (int j = i + 1; j < rank; j++)
            sum -= M[i][j] * x[unknown[j]];
        x[unknown[i]] = sum / M[i][i];
    }
    double size = fabs(c->q[0]) + fabs(c->q[1]) + fabs(c->q[2]);
    for (int i = rank; i < 3; i++)
        if (!(fabs(M[i][3]) <= ROUNDOFF * size))
            return false;
    return true;
}

// ---- slide: the angle ------------------------------------------------------------------------------

// The equation of the angle at the direction d, times p'A p.
typedef struct ray {
    double a, b;         // p'A p, p'q
    double along[3];     // A p
    double value, slope; // y_T'e, its derivative by the angle
    double size;         // of its terms
    double slip;         // s
    double slip_size;    // of its terms
} ray;

static void follow(const contact *c, const double *d, ray *r) {
    double mu = c->mu, p[3] = {1.0, mu * d[0], mu * d[1]}, e[2] = {-d[1], d[0]}, turned[3], back = 0.0;
    for (int i = 0; i < 3; i++) {
        r->along[i] = c->A[i][0] + c->A[i][1] * p[1] + c->A[i][2] * p[2];
        turned[i] = c->A[i][1] * e[0] + c->A[i][2] * e[1]; // A (0, e)
    }
    r->a = r->along[0] + r->along[1] * p[1] + r->along[2] * p[2];
    r->b = c->q[0] + c->q[1] * p[1] + c->q[2] * p[2];
    for (int i = 0; i < 3; i++)
        back += p[i] * turned[i];
    double q_e = c->q[1] * e[0] + c->q[2] * e[1], q_d = c->q[1] * d[0] + c->q[2] * d[1];
    double A_e = r->along[1] * e[0] + r->along[2] * e[1], A_d = r->along[1] * d[0] + r->along[2] * d[1];
    r->value = r->a * q_e - r->b * A_e;
    r->size = fabs(r->a) * (fabs(c->q[1] * e[0]) + fabs(c->q[2] * e[1])) +
              fabs(r->b) * (fabs(r->along[1] * e[0]) + fabs(r->along[2] * e[1]));
    r->slope = mu * (A_e + back) * q_e - r->a * q_d - mu * q_e * A_e -
               r->b * (mu * (turned[1] * e[0] + turned[2] * e[1]) - A_d);
    r->slip = r->b * A_d - r->a * q_d;
    r->slip_size = fabs(r->b * A_d) + fabs(r->a * q_d);
}

// Newton's steps in the angle, from d. False unless they end at the solution, which is then in l.
static bool slide(const contact *c, double *d, double *l) {
    enum { STEPS = 12 };
    const double far = 0.5; // rad, at most
    ray r;
    bool last = false;
    for (int k = 0; k < STEPS; k++) {
        follow(c, d, &r);
        last = last || fabs(r.value) <= DBL_EPSILON * r.size;
        if (last)
            break;
        // where the slope is not that of a minimum, downhill
        double turn = r.slope > 0.0 ? -r.value / r.slope : r.value > 0.0 ? -far : far;
        turn = fmin(fmax(turn, -far), far);
        double keep = 1.0 / sqrt(1.0 + turn * turn), d0 = d[0];
        d[0] = keep * (d0 - turn * d[1]);
        d[1] = keep * (d[1] + turn * d0);
        last = fabs(turn) < 1e-8; // its square is roundoff
    }
    if (!(last && r.b < 0.0 && r.a > 0.0 && r.slip >= -16 * ROUNDOFF * r.slip_size))
        return false;
    follow(c, d, &r);
    double scale = 1.0 / sqrt(d[0] * d[0] + d[1] * d[1]);
    l[0] = -r.b / r.a;
    l[1] = c->mu * l[0] * scale * d[0];
    l[2] = c->mu * l[0] * scale * d[1];
    return isfinite(l[0]);
}

// ---- slide: the multiplier -------------------------------------------------------------------------

// Is sigma below the solution's? B = A~ - sigma J, z = adj(B) q~.
static bool is_below(double A[3][3], const double *q, double sigma) {
    double b00 = A[0][0] - sigma, b11 = A[1][1] + sigma, b22 = A[2][2] + sigma;
    double c00 = b11 * b22 - A[1][2] * A[2][1];
    double c01 = A[0][2] * A[2][1] - A[0][1] * b22, c02 = A[0][1] * A[1][2] - A[0][2] * b11;
    double c10 = A[1][2] * A[2][0] - A[1][0] * b22, c11 = b00 * b22 - A[0][2] * A[2][0];
    double c12 = A[0][2] * A[1][0] - b00 * A[1][2];
    double c20 = A[1][0] * A[2][1] - b11 * A[2][0], c21 = A[0][1] * A[2][0] - b00 * A[2][1];
    double c22 = b00 * b11 - A[0][1] * A[1][0];
    double det = b00 * c00 + A[0][1] * c10 + A[0][2] * c20;
    double z0 = c00 * q[0] + c01 * q[1] + c02 * q[2];
    double z1 = c10 * q[0] + c11 * q[1] + c12 * q[2], z2 = c20 * q[0] + c21 * q[1] + c22 * q[2];
    return z1 * z1 + z2 * z2 > z0 * z0 ? det > 0.0 : z0 > 0.0;
}

// The directions that the tangential rows allow at sigma, w_T = w_n f + h with |w_T| = w_n. Returns their number.
static int find_directions(double A[3][3], const double *q, double sigma, double d[2][2]) {
    double b11 = A[1][1] + sigma, b22 = A[2][2] + sigma, det = b11 * b22 - A[1][2] * A[2][1];
    double f[2] = {(A[1][2] * A[2][0] - b22 * A[1][0]) / det, (A[2][1] * A[1][0] - b11 * A[2][0]) / det};
    double h[2] = {(A[1][2] * q[2] - b22 * q[1]) / det, (A[2][1] * q[1] - b11 * q[2]) / det};
    double two = f[0] * f[0] + f[1] * f[1] - 1.0, one = f[0] * h[0] + f[1] * h[1], zero = h[0] * h[0] + h[1] * h[1];
    double root = sqrt(fmax(one * one - two * zero, 0.0)), sum = -(one + copysign(root, one));
    const double w[2] = {sum / two, zero / sum};
    int count = 0;
    for (int k = 0; k < 2; k++) {
        double x = w[k] * f[0] + h[0], y = w[k] * f[1] + h[1], length = sqrt(x * x + y * y);
        if (!(w[k] > 0.0 && length > 0.0 && isfinite(length)))
            continue;
        d[count][0] = x / length;
        d[count++][1] = y / length;
    }
    return count;
}

static bool slide_carefully(const contact *c, double *l) {
    double A[3][3], q[3], d[2][2], size = 0.0;
    for (int i = 0; i < 3; i++) {
        double scale = i == 0 ? 1.0 / c->mu : 1.0;
        q[i] = scale * c->q[i];
        for (int j = 0; j < 3; j++) {
            A[i][j] = scale * (j == 0 ? 1.0 / c->mu : 1.0) * c->A[i][j];
            size += fabs(A[i][j]);
        }
    }
    double lo = 0.0, hi = size;
    for (int k = 0; k < 1000 && is_below(A, q, hi); k++) {
        lo = hi;
        hi *= 4.0;
    }
    for (int k = 0; k < 100 && hi - lo > 4 * DBL_EPSILON * hi; k++) {
        double middle = 0.5 * (lo + hi);
        if (is_below(A, q, middle))
            lo = middle;
        else
            hi = middle;
    }
    int count = find_directions(A, q, 0.5 * (lo + hi), d);
    for (int k = 0; k < count; k++)
        if (slide(c, d[k], l))
            return true;
    return false;
}

// From many directions: for A that is nearly singular, where roundoff hides signs, or far from symmetric.
static bool slide_somewhere(const contact *c, double *l) {
    enum { DIRECTIONS = 16 };
    const double cosine = 0.92387953251128674, sine = 0.38268343236508977; // of 2 pi / 16
    double d[2] = {1.0, 0.0};
    for (int k = 0; k < DIRECTIONS; k++) {
        double from[2] = {d[0], d[1]};
        if (slide(c, from, l))
            return true;
        double next[2] = {cosine * d[0] - sine * d[1], sine * d[0] + cosine * d[1]};
        d[0] = next[0];
        d[1] = next[1];
    }
    return false;
}

// ---- all -------------------------------------------------------------------------------------------

// One step of projected gradient from the guess: closer to the solution for every A that is at least semidefinite.
static void improve(const contact *c, double *l) {
    double x[3], z[3], trace = c->A[0][0] + c->A[1][1] + c->A[2][2];
    bool finite = isfinite(l[0]) && isfinite(l[1]) && isfinite(l[2]);
    const double none[3] = {0.0};
    vs_friction_project(c->mu, finite ? l : none, x);
    for (int i = 0; i < 3; i++) {
        double y = c->A[i][0] * x[0] + c->A[i][1] * x[1] + c->A[i][2] * x[2] + c->q[i];
        z[i] = trace > 0.0 ? x[i] - y / trace : x[i];
    }
    vs_friction_project(c->mu, z, l);
}

bool vs_one_cone_solve(const double *A, int lda, const double *q, double mu, double *l) {
    double free2 = q[1] * q[1] + q[2] * q[2];
    if (q[0] >= 0.0 && mu * mu * free2 <= q[0] * q[0]) {
        l[0] = l[1] = l[2] = 0.0;
        return true;
    }
    contact c = {.q = {q[0], q[1], q[2]}, .mu = mu};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.A[i][j] = A[i * lda + j];
    double x[3], d[2], r2 = l[1] * l[1] + l[2] * l[2];
    // A guess that slides usually slides again.
    bool slid = l[0] > 0.0 && r2 > 0.99 * mu * mu * l[0] * l[0] && isfinite(r2);
    if (slid) {
        double scale = 1.0 / sqrt(r2);
        d[0] = scale * l[1];
        d[1] = scale * l[2];
        if (slide(&c, d, l))
            return true;
    }
    bool sticks = eliminate(&c, x);
    double x2 = x[1] * x[1] + x[2] * x[2];
    if (sticks && x[0] >= 0.0 && x2 <= mu * mu * x[0] * x[0]) {
        l[0] = x[0];
        l[1] = x[1];
        l[2] = x[2];
        return true;
    }
    const double *from = x[0] > 0.0 && x2 > 0.0 ? x + 1 : q + 1;
    double sign = from == q + 1 ? -1.0 : 1.0, length = sign * sqrt(from == q + 1 ? free2 : x2);
    d[0] = length != 0.0 ? from[0] / length : 1.0;
    d[1] = length != 0.0 ? from[1] / length : 0.0;
    if (slide(&c, d, l) || slide_carefully(&c, l) || slide_somewhere(&c, l))
        return true;
    improve(&c, l);
    return false;
}
