// Largest response of a damped oscillator to an accelerogram (Nigam and Jennings 1969):
//
//     u'' + 2 zeta omega u' + omega^2 u = -a(t),     a(t) linear between the samples
//
// Over a piece of length h, x = omega h, the solution is the series u(t + tau h) = sum c_n tau^n with
//
//     c_0 = u,  c_1 = h u',  (n+1)(n+2) c_{n+2} = -2 zeta x (n+1) c_{n+1} - x^2 c_n - h^2 (a if n = 0, h a' if n = 1)
//
// which is summed to rounding: x <= pi/4, longer intervals are divided. The series of unit states gives the matrices of
// the recurrence from one piece to the next. Against the closed form with sines it has no cancellation for long periods
// and needs no case for critical damping. Where the velocity changes its sign the series gives the peak inside the piece.
// After the record the oscillator vibrates freely; its largest displacement is within one period.
#include <math.h>
#include <stdbool.h>

#include "base/context.h"
#include "voussoir/signal.h"

enum { TERMS = 20, PIECES_PER_PERIOD = 8, BISECTIONS = 30 };
static const double TWO_PI = 6.283185307179586;
static const double SAME = 1e-11;    // of a length: rounding of the times of even samples
static const double SHORTEST = 1e-7; // period relative to the duration: the number of pieces is limited

typedef struct oscillator {
    double omega, zeta, longest; // rad/s, 1, s: longest piece
    double u, v;                 // displacement and velocity relative to the support
    double peak;                 // largest |u| so far
    double h;                    // s, of the matrices
    double state[2][2], load[2][2];
} oscillator;

// Series of a piece that begins with u, v and the acceleration a, which becomes b.
static void expand(const oscillator *o, double h, const double from[4], double c[TERMS]) {
    const double x = o->omega * h, a = from[2], b = from[3];
    c[0] = from[0];
    c[1] = h * from[1];
    for (int n = 0; n + 2 < TERMS; n++) {
        const double load = n == 0 ? a : n == 1 ? b - a : 0;
        c[n + 2] = (-2 * o->zeta * x * (n + 1) * c[n + 1] - x * x * c[n] - h * h * load) / (double)((n + 1) * (n + 2));
    }
}

static double sum(const double c[TERMS], double tau) {
    double u = 0;
    for (int n = TERMS - 1; n >= 0; n--)
        u = u * tau + c[n];
    return u;
}

// Derivative by tau: h times the velocity.
static double sum_rate(const double c[TERMS], double tau) {
    double v = 0;
    for (int n = TERMS - 1; n >= 1; n--)
        v = v * tau + n * c[n];
    return v;
}

static void set_length(oscillator *o, double h) {
    o->h = h;
    for (int k = 0; k < 4; k++) {
        double unit[4] = {0, 0, 0, 0}, c[TERMS];
        unit[k] = 1;
        expand(o, h, unit, c);
        double(*to)[2] = k < 2 ? o->state : o->load;
        to[0][k % 2] = sum(c, 1);
        to[1][k % 2] = sum_rate(c, 1) / h;
    }
}

// Where the velocity is 0 within a piece at whose ends it has different signs.
static double find_peak(const oscillator *o, double h, const double from[4]) {
    double c[TERMS], low = 0, high = 1;
    expand(o, h, from, c);
    const bool rising = c[1] > 0;
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = .5 * (low + high);
        if ((sum_rate(c, middle) > 0) == rising)
            low = middle;
        else
            high = middle;
    }
    return fabs(sum(c, high));
}

static void advance(oscillator *o, double a, double b) {
    const double from[4] = {o->u, o->v, a, b};
    o->u = o->state[0][0] * from[0] + o->state[0][1] * from[1] + o->load[0][0] * a + o->load[0][1] * b;
    o->v = o->state[1][0] * from[0] + o->state[1][1] * from[1] + o->load[1][0] * a + o->load[1][1] * b;
    o->peak = fmax(o->peak, fabs(o->u));
    if (from[1] * o->v < 0)
        o->peak = fmax(o->peak, find_peak(o, o->h, from));
}

// An interval over which the acceleration goes from a to b.
static void cross(oscillator *o, double length, double a, double b) {
    const int pieces = (int)ceil(length / o->longest);
    const double h = length / pieces;
    if (!(fabs(h - o->h) <= SAME * h))
        set_length(o, h);
    for (int k = 0; k < pieces; k++)
        advance(o, a + (b - a) * k / pieces, a + (b - a) * (k + 1) / pieces);
}

vs_error vs_record_find_response(vs_context *context, const vs_record *record, double period, double damping,
                                 vs_response *response) {
    if (!record || !response)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_record_find_response: an argument is null");
    if (!(period > 0) || isinf(period) || period < SHORTEST * (record->end - record->begin))
        return vs_fail(context, VS_ERROR_ARGUMENT, "response: the period is %g s; it must be above %g s", period,
                       SHORTEST * (record->end - record->begin));
    if (!(damping >= 0 && damping <= 1))
        return vs_fail(context, VS_ERROR_ARGUMENT, "response: the damping ratio is %g; it must be between 0 and 1",
                       damping);
    const vs_signal *s = &record->signal;
    oscillator o = {.omega = TWO_PI / period, .zeta = damping, .longest = period / PIECES_PER_PERIOD};
    for (int k = 1; k < s->count; k++)
        if (s->time[k] > s->time[k - 1])
            cross(&o, s->time[k] - s->time[k - 1], s->sample[k - 1], s->sample[k]);
    cross(&o, period, 0, 0);
    *response = (vs_response){o.peak, o.omega * o.peak, o.omega * o.omega * o.peak};
    return VS_OK;
}
