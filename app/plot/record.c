// An accelerogram: the motion of the ground over time, and the largest response of oscillators over their period.
#include "plot/record.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "plot/panels.h"

static int write_table(const app_spectrum *s, const char *output) {
    app_output out;
    if (!app_output_open(&out, output))
        return APP_DATA;
    bool good = fputs("period (s),Sd (m),Sv (m/s),Sa (m/s^2)\n", out.file) >= 0;
    for (int k = 0; good && k < APP_PERIODS; k++)
        good = fprintf(out.file, "%.9g,%.9g,%.9g,%.9g\n", s->period[k], s->displacement[k], s->velocity[k],
                       s->acceleration[k]) > 0;
    return app_output_close(&out, good) && good ? APP_DONE : APP_DATA;
}

// Velocity and displacement from rest, exact at the samples.
static void integrate(const vs_signal *a, double *velocity, double *displacement) {
    velocity[0] = displacement[0] = 0;
    for (int k = 1; k < a->count; k++) {
        const double d = a->time[k] - a->time[k - 1], from = a->sample[k - 1], to = a->sample[k];
        displacement[k] = displacement[k - 1] + d * velocity[k - 1] + d * d * (2 * from + to) / 6;
        velocity[k] = velocity[k - 1] + .5 * d * (from + to);
    }
}

static int draw(const app_record_plot *plot, const char *path, const vs_signal *a, const app_spectrum *s,
                const char *output) {
    char title[64];
    double *velocity = malloc(2 * sizeof(double) * (size_t)a->count),
           *displacement = velocity ? velocity + a->count : NULL;
    if (!velocity) {
        app_complain("out of memory");
        return APP_DATA;
    }
    integrate(a, velocity, displacement);
    (void)snprintf(title, sizeof title, "pseudo-acceleration, %g %% damping (m/s²)", 100 * s->damping);
    app_figure figure = {
        .title = app_base_name(path), .x_label = "time (s)", .panels = 4, .width = plot->width, .height = plot->height};
    const char *const titles[] = {"acceleration (m/s²)", "velocity (m/s)", "displacement (m)"};
    const double *const values[] = {a->sample, velocity, displacement};
    for (int k = 0; k < 3; k++)
        figure.panel[k] =
            (app_panel){.title = titles[k], .x = a->time, .count = a->count, .curves = 1, .curve = {{NULL, values[k]}}};
    figure.panel[1].x_label = figure.x_label; // the one below it has another axis
    figure.panel[3] = (app_panel){.title = title,
                                  .x_label = "period (s)",
                                  .x = s->period,
                                  .count = APP_PERIODS,
                                  .x_log = true,
                                  .curves = 1,
                                  .curve = {{NULL, s->acceleration}}};
    const int code = app_figure_draw(&figure, output, plot->keep);
    free(velocity);
    return code;
}

int app_plot_record(const app_record_plot *plot, const char *path, const char *output) {
    static app_spectrum spectrum; // large
    vs_context *context = NULL;
    vs_record *record = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = app_record_open(context, path, &plot->reading, &record);
    if (!error)
        error = app_spectrum_find(context, record, plot->damping, &spectrum);
    char said[512];
    int code;
    if (error)
        code = app_record_complain(path, error, context, said, sizeof said);
    else if (app_has_extension(output, ".csv"))
        code = write_table(&spectrum, output);
    else
        code = draw(plot, path, &record->signal, &spectrum, output);
    vs_record_destroy(context, record);
    vs_context_destroy(context);
    return code;
}
