// Accelerograms in files (.AT2, columns of numbers) and their response spectra, for commands.
#ifndef VS_APP_CLI_RECORD_H
#define VS_APP_CLI_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "voussoir/signal.h"

enum { APP_PERIODS = 241 };

// Options of a command that tell how records are read.
typedef struct app_record_options {
    int column, time_column, skip, baseline; // column 0: 2, or 1 with a step
    double step, scale;                      // s, 1
} app_record_options;

app_record_options app_record_options_default(void);
extern const app_option app_record_rows[]; // of this struct

bool app_is_record(const char *path); // by its extension: .AT2, .csv, .txt, .dat
vs_error app_record_open(vs_context *context, const char *path, const app_record_options *o, vs_record **record);
// Complains about a failure of the functions here and copies the text. The exit code.
int app_record_complain(const char *path, vs_error error, const vs_context *context, char *text, size_t size);
// s between the samples; NaN if they are uneven or fewer than two.
double app_record_step(const vs_record *record);

// A response spectrum at periods from 0.02 to 10 s, evenly spaced in logarithm.
typedef struct app_spectrum {
    double damping; // ratio to the critical one
    double period[APP_PERIODS], displacement[APP_PERIODS], velocity[APP_PERIODS], acceleration[APP_PERIODS]; // s, SI
    double predominant; // s, of the largest pseudo-acceleration
    double largest;     // m/s^2, that one
} app_spectrum;

vs_error app_spectrum_find(vs_context *context, const vs_record *record, double damping, app_spectrum *s);

#endif
