// Times at which the elements of flexible bodies act in a step: a one-parameter family from the midpoint rule to implicit
// Euler. The parameter is r = 1 - numerical damping, the fraction per step to which it damps vibrations much faster than h.
// Velocities belong to the middle of steps, positions to their ends: q1 = q0 + h v1, and
//
//     M (v1 - v0) + h R v1 = h f(q0 + h (a v1 - b v0 + c w)) + …       w: velocities before the last step
//
// A vibration q ~ z^k much faster than h leaves no force there: a z^3 + (1 - a - b) z^2 + (b + c) z - c = 0. Its roots are set,
// a (z + r)^2 (z + s) = 0:
//
//     a = 1/((1 + r)^2 (1 + s)),  b = a (r^2 (1 + s) + 2 r s),  c = -a r^2 s
//     r >= 1/2    s = (1 - r)/(2 r)    a - b + c = 0: of second order, slow vibrations are damped by O((h omega)^3)
//     r <= 1/2    s = r                of first order
//
// r = 1 (a = b = 1/4, c = 0) is Newmark's average acceleration (1959). It conserves energy for linear elements, f = -K q: with
// the mean v of v0 and v1 and the positions x = q - h/2 v1 of the middle of steps, for which x1 - x0 = h v,
//
//     1/2 v1'M v1 + 1/2 x1'K x1    changes by    impulses'v
//
// A contact with the gap g before the last step and g1 = g + h D v0 now, which closes by D v1 = -g1/h, does the work
// l D v = -l g/(2 h): never more than 0, and none while it stays closed. A node loses its kinetic energy when it meets an
// obstacle, and nothing is lost later. r = 0 (a = 1, b = c = 0) is implicit Euler. r >= 1/2 damps like the generalized-alpha
// method (Chung and Hulbert 1993), but with forces at one configuration. All are stable for any h.
//
// Damping R of the material acts on v1, of first order: with the mean, vibrations that are overdamped would ring. Energy of
// elements and gravity is that of the middle, x (vs_flexible.lag), which belongs to the velocities; but with r = 0 that of the
// end, for which 1/2 v1'M v1 + U(q1) never increases.
//
// Elements of solids are linearized about q0 - h r^2/(1 + r)^2 (v0 - w): it differs from q0 by O(h^2) and does not contain
// vibrations much faster than h, with which elements would be stretched at q0 by h v instead of v/omega.
#ifndef VS_STEP_ELASTIC_TIMES_H
#define VS_STEP_ELASTIC_TIMES_H

#include "body/flexible_data.h"
#include "step/rows/kick.h"

typedef struct vs_elastic_times {
    double length;                 // s, over which forces act
    double ahead, behind, earlier; // s, elements are at q0 + ahead v1 - behind v0 + earlier w
    double smooth;                 // s, and those of solids linearized about q0 - smooth (v0 - w)
} vs_elastic_times;

// H = mass M + stiffness K.
typedef struct vs_step_weights {
    double mass;      //
    double stiffness; // s^2
} vs_step_weights;

// Of a flexible body in a kick. The first one of the scheme shake is half of one: velocities go from the beginning to the
// middle of the step, and elements act at the middle.
static inline vs_elastic_times vs_elastic_times_of(const vs_flexible *f, const vs_kick *kick, double damping) {
    double h = kick->h, r = 1 - damping, s = r > .5 ? (1 - r) / (2 * r) : r;
    bool first = f->beam ? kick->length < h : kick->centred && !f->stepped;
    if (first)
        return (vs_elastic_times){.length = .5 * h, .ahead = .5 * h};
    double a = 1 / ((1 + r) * (1 + r) * (1 + s));
    return (vs_elastic_times){.length = h,
                              .ahead = h * a,
                              .behind = h * a * (r * r * (1 + s) + 2 * r * s),
                              .earlier = -h * a * r * r * s,
                              .smooth = h * r * r / ((1 + r) * (1 + r))};
}

// The time by which velocities are older than positions after a step, s (vs_flexible.lag). Implicit Euler loses energy at the
// positions of the end; bodies of beams show velocities there in the scheme shake.
static inline double vs_elastic_lag(const vs_flexible *f, const vs_kick *kick, double damping) {
    return damping >= 1 || (f->beam && kick->centred) ? 0 : .5 * kick->h;
}

static inline vs_step_weights vs_elastic_weights(const vs_elastic_times *at, const vs_elastic_material *m) {
    return (vs_step_weights){1 + at->length * m->alpha, at->length * (at->ahead + m->beta)};
}

#endif
