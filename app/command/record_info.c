// An accelerogram for people and as JSON: peaks, intensity, duration, predominant period.
#include "command/record_info.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli/exit_code.h"
#include "cli/json.h"
#include "cli/report.h"

static const double DAMPING = .05; // of the predominant period

typedef struct measured {
    const vs_record *record;
    vs_intensity intensity;
    app_spectrum spectrum;
} measured;

static void report(const char *path, const measured *m) {
    const vs_record *r = m->record;
    const double step = app_record_step(r), *when = m->intensity.significant;
    printf("%s\n", path);
    app_report_name("record");
    printf("%d samples from %.6g to %.6g s", r->samples, r->begin, r->end);
    if (isnan(step))
        printf(", uneven\n");
    else
        printf(", one every %.6g s\n", step);
    app_report_name("duration");
    printf("%.6g s\n", r->end - r->begin);
    app_report_name("baseline");
    if (r->removed[0] == 0 && r->removed[1] == 0)
        printf("nothing removed; ends with %.3g m/s and %.3g m\n", r->drift[0], r->drift[1]);
    else
        printf("%.3g %+.3g t m/s^2 removed\n", r->removed[0], r->removed[1]);
    app_report_name("peak acceleration");
    printf("%.4g m/s^2 (%.4g g)\n", r->peak, r->peak / VS_STANDARD_GRAVITY);
    app_report_name("peak velocity");
    printf("%.4g m/s\n", r->peak_integral);
    app_report_name("peak displacement");
    printf("%.4g m\n", r->peak_double_integral);
    app_report_name("Arias intensity");
    printf("%.4g m/s\n", m->intensity.arias);
    app_report_name("significant");
    printf("%.4g s, from %.4g to %.4g s (5 to 95 %% of the Arias intensity)\n", when[1] - when[0], when[0], when[1]);
    app_report_name("absolute velocity");
    printf("%.4g m/s, cumulative\n", m->intensity.cumulative);
    app_report_name("predominant period");
    printf("%.3g s, pseudo-acceleration %.4g m/s^2 with %g %% damping\n", m->spectrum.predominant, m->spectrum.largest,
           100 * m->spectrum.damping);
}

static json_t *record_object(const measured *m) {
    const vs_record *r = m->record;
    json_t *o = json_object();
    app_json_put(o, "samples", app_json_count(r->samples));
    app_json_put(o, "begin_s", app_json_number(r->begin));
    app_json_put(o, "end_s", app_json_number(r->end));
    app_json_put(o, "step_s", app_json_number(app_record_step(r)));
    app_json_put(o, "duration_s", app_json_number(r->end - r->begin));
    app_json_put(o, "removed", json_pack("[f,f]", r->removed[0], r->removed[1]));
    app_json_put(o, "peak_acceleration_m_s2", app_json_number(r->peak));
    app_json_put(o, "peak_acceleration_g", app_json_number(r->peak / VS_STANDARD_GRAVITY));
    app_json_put(o, "peak_velocity_m_s", app_json_number(r->peak_integral));
    app_json_put(o, "peak_displacement_m", app_json_number(r->peak_double_integral));
    app_json_put(o, "arias_intensity_m_s", app_json_number(m->intensity.arias));
    app_json_put(o, "significant_s", json_pack("[f,f]", m->intensity.significant[0], m->intensity.significant[1]));
    app_json_put(o, "cumulative_absolute_velocity_m_s", app_json_number(m->intensity.cumulative));
    app_json_put(o, "predominant_period_s", app_json_number(m->spectrum.predominant));
    app_json_put(o, "largest_pseudo_acceleration_m_s2", app_json_number(m->spectrum.largest));
    return o;
}

// error: null or what is wrong.
static bool print_json(const char *path, const char *error, const measured *m, bool line) {
    json_t *o = json_object();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "file", app_json_text(path));
    app_json_put(o, "error", app_json_text(error));
    if (!error)
        app_json_put(o, "record", record_object(m));
    return app_json_print(o, line);
}

int app_info_record(const char *path, const app_record_options *options, bool json, bool line) {
    static measured m; // large
    vs_context *context = NULL;
    vs_record *record = NULL;
    bool shown = true;
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = app_record_open(context, path, options, &record);
    m.record = record;
    if (!error)
        error = vs_record_find_intensity(context, record, &m.intensity);
    if (!error)
        error = app_spectrum_find(context, record, DAMPING, &m.spectrum);
    char said[512];
    const int code = error ? app_record_complain(path, error, context, said, sizeof said) : APP_DONE;
    if (json)
        shown = print_json(path, error ? said : NULL, &m, line);
    else if (!error)
        report(path, &m);
    vs_record_destroy(context, record);
    vs_context_destroy(context);
    return shown ? code : app_worse(code, APP_DATA);
}
