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

extern const char *const app_baselines[]; // names of vs_baseline; ends with null

app_record_options app_record_options_default(void);
// Rows of a table of options, for `o` of this type.
#define APP_RECORD_OPTIONS(o)                                                                                          \
    {.name = "--column", .count = &(o).column, .least = 1, .most = 10000},                                             \
        {.name = "--time-column", .count = &(o).time_column, .least = 1, .most = 10000},                               \
        {.name = "--step", .number = &(o).step, .open = true, .time = true},                                           \
        {.name = "--skip", .count = &(o).skip, .least = 0, .most = 1000000},                                           \
        {.name = "--scale", .number = &(o).scale, .least = -1e12, .most = 1e12}, {                                     \
        .name = "--baseline", .choice = &(o).baseline, .choices = app_baselines                                        \
    }
void app_record_help(FILE *to); // these rows

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
