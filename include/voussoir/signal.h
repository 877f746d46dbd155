// Functions of time: loads, drives, motor targets, gravity and the motion of nodes are signals. And records: measured
// signals in files, such as accelerograms.
#ifndef VOUSSOIR_SIGNAL_H
#define VOUSSOIR_SIGNAL_H

#include <stdint.h>

#include "voussoir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vs_signal_kind {
    VS_SIGNAL_CONSTANT,  // value
    VS_SIGNAL_TABLE,     // linear between samples, constant outside; two equal times are a jump
    VS_SIGNAL_SINE,      // value + amplitude sin(2 pi frequency t + phase)
    VS_SIGNAL_EXPRESSION // of the time t, s: "300 * min(t / 2, 1)"
} vs_signal_kind;

// Where a velocity is expected, its derivative may be given (an acceleration) or its integral (a position).
typedef enum vs_signal_use {
    VS_SIGNAL_AS_IS,
    VS_SIGNAL_INTEGRATED,    // the integral from t = 0; exact, and therefore not of an expression that depends on t
    VS_SIGNAL_DIFFERENTIATED // the rate of change
} vs_signal_use;

// Expressions have numbers, t, pi, + - * / ^ and parentheses, and abs, acos, asin, atan, atan2(y, x), ceil, cos, cosh, exp,
// floor, log, log10, max(x, y), min(x, y), pow(x, y), sign, sin, sinh, sqrt, step (0 before 0, else 1), tan, tanh.
typedef struct vs_signal {
    vs_signal_kind kind;                // default constant 0
    double value;                       // constant; offset of the sine
    double amplitude, frequency, phase; // sine; Hz, rad
    const double *time, *sample;        // table (count), times ascending; copied by the functions that take a signal
    int count;                          //
    const char *expression;             // copied as well
    vs_signal_use use;                  // default as is
} vs_signal;

// ---- records ---------------------------------------------------------------------------------------

// Correction of an accelerogram, whose small errors add up to a drift: what is subtracted is the linear function of time
// with which the motion ends as it began. Outside a corrected record the acceleration is 0.
typedef enum vs_baseline {
    VS_BASELINE_NONE,
    VS_BASELINE_VELOCITY,    // a constant, so that the velocity ends at 0
    VS_BASELINE_DISPLACEMENT // a constant and a slope, so that velocity and displacement end at 0
} vs_baseline;

#define VS_STANDARD_GRAVITY 9.80665 // m/s^2, the unit g of accelerations

// How a file is read. Files whose names end with .AT2 have the format of the PEER strong-motion databases, a header of four
// lines with NPTS and DT, then accelerations in g: they become m/s^2 and 0 outside the record, and columns, skip and step
// do not apply. All others are text with numbers in columns, separated by blanks, tabs, commas or semicolons; empty lines
// and those that begin with # are ignored.
typedef struct vs_record_options {
    int column;      // of the values, from 1; default 2
    int time_column; // of the times, s; default 1
    double step;     // s between the values of a file without times; default 0: it has them
    int skip;        // lines before the numbers; default 0
    double scale;    // factor of the values; default 1
    vs_baseline baseline;
} vs_record_options;

// A record; destroy it with vs_record_destroy().
typedef struct vs_record {
    vs_signal signal;     // a table that the record owns
    uint64_t hash;        // of the bytes of the file
    int samples;          // in the file
    double begin, end;    // s, of the samples
    double peak;          // largest |value| of the samples, after scale and correction
    double removed[2];    // the baseline: removed[0] + removed[1] (t - begin) was subtracted
    double drift[2];      // of the file: the integral (a velocity) and the double integral (a displacement) at the end
    double peak_integral; // largest |velocity| and |displacement| at the samples, after the correction, from 0 at begin
    double peak_double_integral;
} vs_record;

VS_API vs_record_options vs_record_options_default(void);
// Reads a record. Null options: the defaults. Error texts name the file and the line.
VS_API vs_error vs_record_read(vs_context *context, const char *path, const vs_record_options *options,
                               vs_record **record);
VS_API void vs_record_destroy(vs_context *context, vs_record *record); // null is allowed

// ---- accelerograms: intensity and response -----------------------------------------------------------

// How strong an accelerogram is, as corrected. Integrals are exact for the piecewise linear record.
typedef struct vs_intensity {
    double arias;          // m/s: pi/(2 g) times the integral of a^2, g the standard gravity
    double significant[2]; // s, times at which 5 and 95 % of that integral are reached
    double cumulative;     // m/s, cumulative absolute velocity: the integral of |a|
} vs_intensity;

VS_API vs_error vs_record_find_intensity(vs_context *context, const vs_record *record, vs_intensity *intensity);

// Largest response of an oscillator of one degree of freedom to an accelerogram of its support.
typedef struct vs_response {
    double displacement; // m, relative to the support: Sd
    double velocity;     // m/s, pseudo-velocity: Sv = 2 pi/period Sd
    double acceleration; // m/s^2, pseudo-acceleration: Sa = (2 pi/period)^2 Sd
} vs_response;

// The oscillator is at rest before the record, whose acceleration is 0 outside; free vibration after the end counts.
// period (s) > 0 of the undamped oscillator; damping: ratio to the critical one, 0 to 1.
VS_API vs_error vs_record_find_response(vs_context *context, const vs_record *record, double period, double damping,
                                        vs_response *response);

#ifdef __cplusplus
}
#endif

#endif
