// Functions of time: their value and mean over a step, also of their integral and their rate of change.
//
//     constant     value
//     sine         value + amplitude sin(2 pi frequency t + phase)
//     table        linear between samples, constant outside
//     expression   any function of t (expression.c)
//
// The mean of a table is the exact integral of its pieces; that of a sine is the sine at the middle times
// sin(x)/x, without cancellation for small steps. Two equal times in a table are a jump, at which the later sample
// holds. The mean of an expression is Gauss' rule with five points, exact for polynomials of degree 9; in a step
// with a jump its error is up to a seventh of the jump.
//
// An integrated table (a velocity from accelerations) is a quadratic per piece, and its mean over a step, from which
// positions follow, the exact integral of that: both are exact for piecewise linear records at any step.
// The mean of a rate of change is the difference of the values at the ends: positions are those of the signal.
#include "signal/signal.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"

static const double TWO_PI = 6.283185307179586;

// ---- tables ----------------------------------------------------------------------------------------

// The last sample at or before `time`; -1: none.
static int find_sample(const vs_signal *signal, double time) {
    int low = -1, high = signal->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (signal->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double table_at(const vs_signal *signal, double time) {
    int k = find_sample(signal, time);
    if (k < 0)
        return signal->sample[0];
    if (k == signal->count - 1)
        return signal->sample[k];
    double part = (time - signal->time[k]) / (signal->time[k + 1] - signal->time[k]);
    return signal->sample[k] + part * (signal->sample[k + 1] - signal->sample[k]);
}

static double table_slope(const vs_signal *signal, double time) {
    int k = find_sample(signal, time);
    if (k < 0 || k == signal->count - 1)
        return 0;
    return (signal->sample[k + 1] - signal->sample[k]) / (signal->time[k + 1] - signal->time[k]);
}

// Integrals of a table over an interval, piece by piece: a piece of length d from a to b adds
//
//     twice += d once + d^2 (2 a + b)/6,   once += d (a + b)/2
typedef struct sums {
    double once, twice;
} sums;

static void add_piece(sums *s, double d, double a, double b) {
    s->twice += d * s->once + d * d * (2 * a + b) / 6;
    s->once += .5 * d * (a + b);
}

static sums integrate_table(const vs_signal *signal, double begin, double end, double once) {
    sums s = {once, 0};
    double t = begin, value = table_at(signal, begin);
    for (int k = find_sample(signal, begin) + 1; k < signal->count && signal->time[k] < end; k++) {
        add_piece(&s, signal->time[k] - t, value, signal->sample[k]);
        t = signal->time[k];
        value = signal->sample[k];
    }
    int next = find_sample(signal, t) + 1;
    double last = value;
    if (next > 0 && next < signal->count && signal->time[next] > t) {
        double part = (end - t) / (signal->time[next] - t);
        last = value + part * (signal->sample[next] - value);
    }
    add_piece(&s, end - t, value, last);
    return s;
}

// From the first sample to `time`; before it, the first value extends.
static double table_integral(const vs_signal_copy *copy, double time) {
    const vs_signal *signal = &copy->signal;
    const int k = find_sample(signal, time);
    if (k < 0)
        return (time - signal->time[0]) * signal->sample[0];
    return integrate_table(signal, signal->time[k], time, copy->integral[k]).once;
}

// ---- expressions -----------------------------------------------------------------------------------

static double expression_mean(const vs_expression *e, double time, double h) {
    static const double node[3] = {0, .5384693101056831, .9061798459386640};
    static const double weight[3] = {.5688888888888889, .4786286704993665, .2369268850561891};
    const double middle = time + .5 * h;
    double sum = weight[0] * vs_expression_at(e, middle);
    for (int k = 1; k < 3; k++)
        sum += weight[k] *
               (vs_expression_at(e, middle - .5 * h * node[k]) + vs_expression_at(e, middle + .5 * h * node[k]));
    return .5 * sum;
}

// Central difference; the best compromise between truncation and rounding is the cube root of epsilon.
static double expression_slope(const vs_expression *e, double time) {
    const double d = 6e-6 * fmax(1, fabs(time));
    return (vs_expression_at(e, time + d) - vs_expression_at(e, time - d)) / (2 * d);
}

// ---- values ----------------------------------------------------------------------------------------

static double value_at(const vs_signal_copy *copy, double time) {
    const vs_signal *signal = &copy->signal;
    switch (signal->kind) {
    case VS_SIGNAL_SINE:
        return signal->value + signal->amplitude * vs_sin(TWO_PI * signal->frequency * time + signal->phase);
    case VS_SIGNAL_TABLE:
        return table_at(signal, time);
    case VS_SIGNAL_EXPRESSION:
        return vs_expression_at(copy->expression, time);
    default:
        return signal->value;
    }
}

static double rate_at(const vs_signal_copy *copy, double time) {
    const vs_signal *signal = &copy->signal;
    const double omega = TWO_PI * signal->frequency;
    switch (signal->kind) {
    case VS_SIGNAL_SINE:
        return signal->amplitude * omega * vs_cos(omega * time + signal->phase);
    case VS_SIGNAL_TABLE:
        return table_slope(signal, time);
    case VS_SIGNAL_EXPRESSION:
        return expression_slope(copy->expression, time);
    default:
        return 0;
    }
}

// From t = 0. The cosines of the sine's integral as a product: without cancellation for small times.
static double integral_at(const vs_signal_copy *copy, double time) {
    const vs_signal *signal = &copy->signal;
    if (signal->kind == VS_SIGNAL_TABLE)
        return table_integral(copy, time) - copy->origin;
    if (signal->kind != VS_SIGNAL_SINE)
        return signal->value * time;
    const double omega = TWO_PI * signal->frequency, half = .5 * omega * time;
    const double wave =
        omega != 0 ? 2 * vs_sin(half) * vs_sin(half + signal->phase) / omega : time * vs_sin(signal->phase);
    return signal->value * time + signal->amplitude * wave;
}

bool vs_signal_is_constant(const vs_signal_copy *copy) {
    const vs_signal *s = &copy->signal;
    bool same = true;
    for (int k = 1; s->kind == VS_SIGNAL_TABLE && k < s->count; k++)
        same = same && s->sample[k] == s->sample[0];
    same = same && (s->kind != VS_SIGNAL_SINE || s->amplitude == 0 || s->frequency == 0) &&
           (s->kind != VS_SIGNAL_EXPRESSION || !vs_expression_has_time(copy->expression));
    // The integral of a constant grows unless it is zero.
    return same && (s->use != VS_SIGNAL_INTEGRATED || vs_signal_at(copy, 1) == 0);
}

double vs_signal_at(const vs_signal_copy *copy, double time) {
    switch (copy->signal.use) {
    case VS_SIGNAL_INTEGRATED:
        return integral_at(copy, time);
    case VS_SIGNAL_DIFFERENTIATED:
        return rate_at(copy, time);
    default:
        return value_at(copy, time);
    }
}

// ---- means -----------------------------------------------------------------------------------------

// sin(x)/x, the mean of a sine over a step of 2x about its middle.
static double flattening(double x) {
    return fabs(x) > 1e-4 ? vs_sin(x) / x : 1 - x * x / 6;
}

static double value_mean(const vs_signal_copy *copy, double time, double h) {
    const vs_signal *signal = &copy->signal;
    const double end = time + h;
    if (signal->kind == VS_SIGNAL_SINE) {
        double middle = TWO_PI * signal->frequency * (time + .5 * h) + signal->phase;
        return signal->value + signal->amplitude * flattening(.5 * TWO_PI * signal->frequency * h) * vs_sin(middle);
    }
    if (signal->kind == VS_SIGNAL_EXPRESSION)
        return expression_mean(copy->expression, time, h);
    if (signal->kind != VS_SIGNAL_TABLE)
        return signal->value;
    // Divided by the rounded length: the mean of a constant is that constant.
    return end > time ? integrate_table(signal, time, end, 0).once / (end - time) : table_at(signal, time);
}

static double integral_mean(const vs_signal_copy *copy, double time, double h) {
    const vs_signal *signal = &copy->signal;
    const double end = time + h, omega = TWO_PI * signal->frequency;
    if (!(end > time))
        return integral_at(copy, time);
    if (signal->kind == VS_SIGNAL_TABLE)
        return integrate_table(signal, time, end, integral_at(copy, time)).twice / (end - time);
    if (signal->kind != VS_SIGNAL_SINE || omega == 0)
        return integral_at(copy, time + .5 * h);
    const double middle = vs_cos(omega * (time + .5 * h) + signal->phase);
    return signal->value * (time + .5 * h) +
           signal->amplitude * (vs_cos(signal->phase) - flattening(.5 * omega * h) * middle) / omega;
}

double vs_signal_rate(const vs_signal_copy *copy, double time) {
    const double d = 1e-5; // s: an error of 1e-10 of the third derivative, and of the rounding of a rate
    switch (copy->signal.use) {
    case VS_SIGNAL_INTEGRATED:
        return value_at(copy, time);
    case VS_SIGNAL_DIFFERENTIATED:
        return (rate_at(copy, time + d) - rate_at(copy, time - d)) / (2 * d);
    default:
        return rate_at(copy, time);
    }
}

double vs_signal_mean(const vs_signal_copy *copy, double time, double h) {
    const double end = time + h;
    if (copy->signal.use == VS_SIGNAL_INTEGRATED)
        return integral_mean(copy, time, h);
    if (copy->signal.use == VS_SIGNAL_DIFFERENTIATED)
        return end > time ? (value_at(copy, end) - value_at(copy, time)) / (end - time) : rate_at(copy, time);
    return value_mean(copy, time, h);
}

// ---- copies ----------------------------------------------------------------------------------------

static vs_error check_table(vs_context *context, const vs_signal *signal) {
    if (signal->count < 1 || !signal->time || !signal->sample)
        return vs_fail(context, VS_ERROR_ARGUMENT, "signal: a table needs at least one sample");
    for (int k = 0; k < signal->count; k++) {
        if (!isfinite(signal->time[k]) || !isfinite(signal->sample[k]))
            return vs_fail(context, VS_ERROR_ARGUMENT, "signal: entry %d of the table is not finite", k);
        if (k > 0 && signal->time[k] < signal->time[k - 1])
            return vs_fail(context, VS_ERROR_ARGUMENT, "signal: time[%d] = %g is less than time[%d] = %g", k,
                           signal->time[k], k - 1, signal->time[k - 1]);
    }
    return VS_OK;
}

static vs_error check_signal(vs_context *context, const vs_signal *signal) {
    if ((unsigned)signal->use > VS_SIGNAL_DIFFERENTIATED)
        return vs_fail(context, VS_ERROR_ARGUMENT, "signal: unknown use %d", (int)signal->use);
    switch (signal->kind) {
    case VS_SIGNAL_CONSTANT:
        if (!isfinite(signal->value))
            return vs_fail(context, VS_ERROR_ARGUMENT, "signal: value is not finite");
        return VS_OK;
    case VS_SIGNAL_SINE:
        if (!isfinite(signal->value) || !isfinite(signal->amplitude) || !isfinite(signal->frequency) ||
            !isfinite(signal->phase))
            return vs_fail(context, VS_ERROR_ARGUMENT, "signal: amplitude, frequency or phase is not finite");
        return VS_OK;
    case VS_SIGNAL_TABLE:
        return check_table(context, signal);
    case VS_SIGNAL_EXPRESSION:
        return signal->expression ? VS_OK : vs_fail(context, VS_ERROR_ARGUMENT, "signal: the expression is null");
    }
    return vs_fail(context, VS_ERROR_ARGUMENT, "signal: unknown kind %d", (int)signal->kind);
}

// One block for all: times, samples, and integrals if they are needed.
static vs_error copy_table(vs_context *context, const vs_signal *from, vs_signal_copy *to) {
    const size_t count = (size_t)from->count, bytes = sizeof(double) * count;
    const bool integrated = from->use == VS_SIGNAL_INTEGRATED;
    double *table = vs_allocate(context, (integrated ? 3 : 2) * bytes);
    if (!table)
        return vs_fail_memory(context);
    memcpy(table, from->time, bytes);
    memcpy(table + count, from->sample, bytes);
    to->signal.time = table;
    to->signal.sample = table + count;
    if (!integrated)
        return VS_OK;
    to->integral = table + 2 * count;
    sums s = {0, 0};
    to->integral[0] = 0;
    for (int k = 1; k < from->count; k++) {
        add_piece(&s, from->time[k] - from->time[k - 1], from->sample[k - 1], from->sample[k]);
        to->integral[k] = s.once;
    }
    to->origin = table_integral(to, 0);
    return VS_OK;
}

// A text without t is a constant.
static vs_error copy_expression(vs_context *context, const vs_signal *from, vs_signal_copy *to) {
    vs_error error = vs_expression_compile(context, from->expression, NULL, NULL, &to->expression);
    if (error)
        return error == VS_ERROR_DATA ? vs_fail(context, VS_ERROR_ARGUMENT, "signal: \"%.80s\": %s", from->expression,
                                                vs_context_get_error_text(context))
                                      : error;
    if (!vs_expression_has_time(to->expression)) {
        to->signal = (vs_signal){.value = vs_expression_at(to->expression, 0), .use = from->use};
        vs_expression_release(context, to->expression);
        to->expression = NULL;
        return VS_OK;
    }
    if (from->use == VS_SIGNAL_INTEGRATED)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "signal: an expression of t is not integrated; give the velocity itself, or a table");
    const size_t bytes = strlen(from->expression) + 1;
    char *text = vs_allocate(context, bytes);
    if (!text)
        return vs_fail_memory(context);
    to->signal.expression = memcpy(text, from->expression, bytes);
    return VS_OK;
}

vs_error vs_signal_copy_from(vs_context *context, const vs_signal *from, vs_signal_copy *to) {
    *to = (vs_signal_copy){0};
    vs_error error = from ? check_signal(context, from) : VS_OK;
    if (error || !from)
        return error;
    to->signal = *from;
    to->signal.time = to->signal.sample = NULL;
    to->signal.expression = NULL;
    to->signal.count = from->kind == VS_SIGNAL_TABLE ? from->count : 0;
    if (from->kind == VS_SIGNAL_TABLE)
        error = copy_table(context, from, to);
    else if (from->kind == VS_SIGNAL_EXPRESSION)
        error = copy_expression(context, from, to);
    if (error)
        vs_signal_copy_release(context, to);
    return error;
}

void vs_signal_copy_release(vs_context *context, vs_signal_copy *copy) {
    vs_release(context, (void *)copy->signal.time);
    vs_release(context, (void *)copy->signal.expression);
    vs_expression_release(context, copy->expression);
    *copy = (vs_signal_copy){0};
}

uint64_t vs_signal_hash(const vs_signal_copy *copy, uint64_t hash) {
    const vs_signal *s = &copy->signal;
    const double number[4] = {s->value, s->amplitude, s->frequency, s->phase};
    hash = vs_hash_word(vs_hash_word(hash, (uint64_t)s->kind), (uint64_t)s->use);
    for (int k = 0; k < 4; k++)
        hash = vs_hash_double(hash, number[k]);
    for (int k = 0; k < s->count; k++)
        hash = vs_hash_double(vs_hash_double(hash, s->time[k]), s->sample[k]);
    return s->expression ? vs_hash_bytes(hash, s->expression, strlen(s->expression)) : hash;
}

// ---- three components ------------------------------------------------------------------------------

vs_error vs_signals_copy_from(vs_context *context, const vs_signal from[3], vs_signal_copy to[3]) {
    for (int k = 0; k < 3; k++) {
        vs_error error = vs_signal_copy_from(context, from ? &from[k] : NULL, &to[k]);
        if (error) {
            for (int j = 0; j < k; j++)
                vs_signal_copy_release(context, &to[j]);
            return error;
        }
    }
    return VS_OK;
}

void vs_signals_release(vs_context *context, vs_signal_copy signal[3]) {
    for (int k = 0; k < 3; k++)
        vs_signal_copy_release(context, &signal[k]);
}

vs_vec3 vs_signals_at(const vs_signal_copy signal[3], double time) {
    return (vs_vec3){vs_signal_at(&signal[0], time), vs_signal_at(&signal[1], time), vs_signal_at(&signal[2], time)};
}

vs_vec3 vs_signals_mean(const vs_signal_copy signal[3], double time, double h) {
    return (vs_vec3){vs_signal_mean(&signal[0], time, h), vs_signal_mean(&signal[1], time, h),
                     vs_signal_mean(&signal[2], time, h)};
}

uint64_t vs_signals_hash(const vs_signal_copy signal[3], uint64_t hash) {
    for (int k = 0; k < 3; k++)
        hash = vs_signal_hash(&signal[k], hash);
    return hash;
}
