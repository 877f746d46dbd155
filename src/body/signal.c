// Functions of time: their value, derivative and mean over a step.
//
//     constant   value
//     sine       value + amplitude sin(2 pi frequency t + phase)
//     table      linear between samples, constant outside
//
// The mean of a table is the exact integral of its pieces; that of a sine is the sine at the middle times
// sin(x)/x, without cancellation for small steps. Two equal times in a table are a jump, at which the later sample
// holds.
#include "body/world_data.h"

#include <string.h>

static const double TWO_PI = 6.283185307179586;

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

double vs_signal_at(const vs_signal *signal, double time) {
    if (signal->kind == VS_SIGNAL_SINE)
        return signal->value + signal->amplitude * sin(TWO_PI * signal->frequency * time + signal->phase);
    return signal->kind == VS_SIGNAL_TABLE ? table_at(signal, time) : signal->value;
}

double vs_signal_rate(const vs_signal *signal, double time) {
    if (signal->kind == VS_SIGNAL_SINE) {
        double omega = TWO_PI * signal->frequency;
        return signal->amplitude * omega * cos(omega * time + signal->phase);
    }
    if (signal->kind != VS_SIGNAL_TABLE)
        return 0;
    int k = find_sample(signal, time);
    if (k < 0 || k == signal->count - 1)
        return 0;
    return (signal->sample[k + 1] - signal->sample[k]) / (signal->time[k + 1] - signal->time[k]);
}

// Integral from `begin` to `end`, piece by piece: the trapezoid is exact for each.
static double table_integral(const vs_signal *signal, double begin, double end) {
    double sum = 0, t = begin, value = table_at(signal, begin);
    for (int k = find_sample(signal, begin) + 1; k < signal->count && signal->time[k] < end; k++) {
        sum += .5 * (signal->time[k] - t) * (value + signal->sample[k]);
        t = signal->time[k];
        value = signal->sample[k];
    }
    int next = find_sample(signal, t) + 1;
    double last = value;
    if (next > 0 && next < signal->count && signal->time[next] > t) {
        double part = (end - t) / (signal->time[next] - t);
        last = value + part * (signal->sample[next] - value);
    }
    return sum + .5 * (end - t) * (value + last);
}

double vs_signal_mean(const vs_signal *signal, double time, double h) {
    if (signal->kind == VS_SIGNAL_SINE) {
        double x = .5 * TWO_PI * signal->frequency * h, ratio = fabs(x) > 1e-4 ? sin(x) / x : 1 - x * x / 6;
        double middle = TWO_PI * signal->frequency * (time + .5 * h) + signal->phase;
        return signal->value + signal->amplitude * ratio * sin(middle);
    }
    if (signal->kind != VS_SIGNAL_TABLE)
        return signal->value;
    // Divided by the rounded length: the mean of a constant is that constant.
    double end = time + h;
    return end > time ? table_integral(signal, time, end) / (end - time) : table_at(signal, time);
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
    }
    return vs_fail(context, VS_ERROR_ARGUMENT, "signal: unknown kind %d", (int)signal->kind);
}

vs_error vs_signal_copy_from(vs_context *context, const vs_signal *from, vs_signal_copy *to) {
    *to = (vs_signal_copy){0};
    vs_error error = check_signal(context, from);
    if (error)
        return error;
    to->signal = *from;
    to->signal.time = to->signal.sample = NULL;
    if (from->kind != VS_SIGNAL_TABLE) {
        to->signal.count = 0;
        return VS_OK;
    }
    // One block for both: times, then samples.
    size_t bytes = sizeof(double) * (size_t)from->count;
    double *table = vs_allocate(context, 2 * bytes);
    if (!table) {
        *to = (vs_signal_copy){0};
        return vs_fail_memory(context);
    }
    memcpy(table, from->time, bytes);
    memcpy(table + from->count, from->sample, bytes);
    to->signal.time = table;
    to->signal.sample = table + from->count;
    return VS_OK;
}

void vs_signal_copy_release(vs_context *context, vs_signal_copy *signal) {
    vs_release(context, (void *)signal->signal.time);
    *signal = (vs_signal_copy){0};
}
