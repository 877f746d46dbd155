// Accelerograms in files and their response spectra: see record.h.
#include "cli/record.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "voussoir/names.h"

static const double SHORTEST = .02, LONGEST = 10; // s, periods

app_record_options app_record_options_default(void) {
    return (app_record_options){.time_column = 1, .baseline = VS_BASELINE_DISPLACEMENT, .scale = 1};
}

const app_option app_record_rows[] = {
    {.name = "--column",
     .value = "N",
     APP_TARGET(app_record_options, column),
     .least = 1,
     .most = 10000,
     .otherwise = "2, or 1 with --step",
     .help = "column of the accelerations (m/s^2), from 1"},
    {.name = "--time-column",
     .value = "N",
     APP_TARGET(app_record_options, time_column),
     .least = 1,
     .most = 10000,
     .help = "column of the times (s)"},
    {.name = "--step",
     .value = "S",
     APP_TARGET(app_record_options, step),
     .open = true,
     .time = true,
     .otherwise = "",
     .help = "s between the values of a file without times"},
    {.name = "--skip",
     .value = "N",
     APP_TARGET(app_record_options, skip),
     .most = 1000000,
     .help = "lines before the numbers"},
    {.name = "--scale",
     .value = "X",
     APP_TARGET(app_record_options, scale),
     .least = -1e12,
     .most = 1e12,
     .help = "factor of the values, for instance 9.81 for g"},
    {.name = "--baseline",
     .value = "B",
     APP_TARGET(app_record_options, baseline),
     .names = vs_baseline_names,
     .help =
         "line that is subtracted, as for drives: displacement (velocity and displacement end at 0), velocity (only "
         "this one does) or none"},
    {.name = NULL},
};

bool app_is_record(const char *path) {
    static const char *const extensions[] = {".at2", ".csv", ".txt", ".dat"};
    const char *dot = strrchr(path, '.');
    bool is = false;
    for (size_t k = 0; dot && k < sizeof extensions / sizeof *extensions; k++)
        is = is || strcasecmp(dot, extensions[k]) == 0;
    return is;
}

vs_error app_record_open(vs_context *context, const char *path, const app_record_options *o, vs_record **record) {
    vs_record_options options = vs_record_options_default();
    options.column = o->column > 0 ? o->column : o->step > 0 ? 1 : 2;
    options.time_column = o->time_column;
    options.step = o->step;
    options.skip = o->skip;
    options.scale = o->scale;
    options.baseline = (vs_baseline)o->baseline;
    return vs_record_read(context, path, &options, record);
}

int app_record_complain(const char *path, vs_error error, const vs_context *context, char *text, size_t size) {
    if (error == VS_ERROR_DATA || error == VS_ERROR_ARGUMENT) // they name file and line, or the number
        (void)snprintf(text, size, "%s", vs_context_get_error_text(context));
    else {
        char reason[256];
        app_explain(path, error, context, reason, sizeof reason);
        (void)snprintf(text, size, "%s: %s", path, reason);
    }
    app_complain("%s", text);
    return app_exit_code(error);
}

double app_record_step(const vs_record *record) {
    const double *t = record->signal.time;
    const double step = record->samples > 1 ? (record->end - record->begin) / (record->samples - 1) : (double)NAN;
    for (int k = 1; k < record->signal.count; k++)
        if (t[k] > t[k - 1] && !(fabs(t[k] - t[k - 1] - step) <= 1e-4 * step)) // digits of the file
            return (double)NAN;
    return step;
}

// Golden section between the neighbours of the largest number.
static vs_error refine(vs_context *context, const vs_record *record, app_spectrum *s, int k) {
    const double ratio = .5 * (sqrt(5) - 1);
    double low = s->period[k > 0 ? k - 1 : 0], high = s->period[k < APP_PERIODS - 1 ? k + 1 : k];
    s->predominant = s->period[k];
    s->largest = s->acceleration[k];
    for (int i = 0; i < 12; i++) { // to 1e-4
        const double middle[2] = {high - ratio * (high - low), low + ratio * (high - low)};
        vs_response r[2];
        for (int j = 0; j < 2; j++) {
            const vs_error error = vs_record_find_response(context, record, middle[j], s->damping, &r[j]);
            if (error)
                return error;
            if (r[j].acceleration > s->largest) {
                s->largest = r[j].acceleration;
                s->predominant = middle[j];
            }
        }
        if (r[0].acceleration > r[1].acceleration)
            high = middle[1];
        else
            low = middle[0];
    }
    return VS_OK;
}

vs_error app_spectrum_find(vs_context *context, const vs_record *record, double damping, app_spectrum *s) {
    int most = 0;
    s->damping = damping;
    for (int k = 0; k < APP_PERIODS; k++) {
        vs_response r;
        s->period[k] =
            k + 1 < APP_PERIODS ? SHORTEST * pow(LONGEST / SHORTEST, (double)k / (APP_PERIODS - 1)) : LONGEST;
        const vs_error error = vs_record_find_response(context, record, s->period[k], damping, &r);
        if (error)
            return error;
        s->displacement[k] = r.displacement;
        s->velocity[k] = r.velocity;
        s->acceleration[k] = r.acceleration;
        if (r.acceleration > s->acceleration[most])
            most = k;
    }
    return refine(context, record, s, most);
}
