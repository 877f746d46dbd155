// Signals as the world keeps them: with their own memory, ready for evaluation.
#ifndef VS_SIGNAL_SIGNAL_H
#define VS_SIGNAL_SIGNAL_H

#include "base/vec.h"
#include "signal/expression.h"
#include "voussoir/signal.h"

typedef struct vs_signal_copy {
    vs_signal signal; // time, sample, expression point to owned memory; null unless of that kind
    double *integral; // (count) of an integrated table: from its first sample to this one; null: not integrated
    double origin;    // the integral from the first sample to t = 0
    vs_expression *expression; // null unless of that kind
} vs_signal_copy;

// Validates; the error text is set. Null `from`: constant 0.
vs_error vs_signal_copy_from(vs_context *context, const vs_signal *from, vs_signal_copy *to);
void vs_signal_copy_release(vs_context *context, vs_signal_copy *copy);
bool vs_signal_is_constant(const vs_signal_copy *copy); // has it the same value at all times?
double vs_signal_at(const vs_signal_copy *copy, double time);
double vs_signal_mean(const vs_signal_copy *copy, double time, double h); // over time … time + h
double vs_signal_rate(const vs_signal_copy *copy, double time);           // derivative by time
// Of everything that the values depend on, continued from `hash`.
uint64_t vs_signal_hash(const vs_signal_copy *copy, uint64_t hash);

// Three components. Copies: all or none; null `from`: zeros.
vs_error vs_signals_copy_from(vs_context *context, const vs_signal from[3], vs_signal_copy to[3]);
void vs_signals_release(vs_context *context, vs_signal_copy signal[3]);
vs_vec3 vs_signals_at(const vs_signal_copy signal[3], double time);
vs_vec3 vs_signals_mean(const vs_signal_copy signal[3], double time, double h);
uint64_t vs_signals_hash(const vs_signal_copy signal[3], uint64_t hash);

#endif
