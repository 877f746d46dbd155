// Intensity of an accelerogram a(t), linear between its samples:
//
//     Arias intensity                 pi/(2 g) int a^2 dt      (Arias 1970)
//     significant duration            between 5 and 95 % of this integral
//     cumulative absolute velocity    int |a| dt
//
// All integrals are exact. Peaks of acceleration, velocity and displacement are found by record.c.
#include <math.h>

#include "base/context.h"
#include "voussoir/signal.h"

static const double PI = 3.141592653589793;

// Of a^2 over the first part s of an interval of length d, from a to b.
static double integrate_square(double a, double b, double d, double s) {
    const double c = a + (b - a) * (s / d);
    return s * (a * a + a * c + c * c) / 3;
}

static double integrate_magnitude(double a, double b, double d) {
    if (a * b < 0)
        return .5 * d * (a * a + b * b) / (fabs(a) + fabs(b));
    return .5 * d * fabs(a + b);
}

// Time at which the integral of a^2 reaches a value; the interval by summation, the rest by bisection.
static double find_time(const vs_signal *s, double value) {
    double sum = 0;
    for (int k = 1; k < s->count; k++) {
        const double a = s->sample[k - 1], b = s->sample[k], d = s->time[k] - s->time[k - 1];
        const double part = d > 0 ? integrate_square(a, b, d, d) : 0;
        if (sum + part < value) {
            sum += part;
            continue;
        }
        double low = 0, high = d;
        for (int i = 0; i < 60 && d > 0; i++) {
            const double middle = .5 * (low + high);
            if (sum + integrate_square(a, b, d, middle) < value)
                low = middle;
            else
                high = middle;
        }
        return s->time[k - 1] + high;
    }
    return s->time[s->count - 1];
}

vs_error vs_record_find_intensity(vs_context *context, const vs_record *record, vs_intensity *intensity) {
    if (!record || !intensity)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_record_find_intensity: an argument is null");
    const vs_signal *s = &record->signal;
    double square = 0, magnitude = 0;
    for (int k = 1; k < s->count; k++) {
        const double a = s->sample[k - 1], b = s->sample[k], d = s->time[k] - s->time[k - 1];
        if (!(d > 0))
            continue;
        square += integrate_square(a, b, d, d);
        magnitude += integrate_magnitude(a, b, d);
    }
    *intensity = (vs_intensity){.arias = .5 * PI / VS_STANDARD_GRAVITY * square,
                                .significant = {find_time(s, .05 * square), find_time(s, .95 * square)},
                                .cumulative = magnitude};
    return VS_OK;
}
