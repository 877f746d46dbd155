// Bisection of a parameter between a value that stands and one that falls. Each end of the bracket has a verdict with its
// certificate; the search ends early where the verdict is undecided.
#include "statics/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit_code.h"
#include "cli/json.h"
#include "cli/system/message.h"
#include "cli/report.h"
#include "statics/assembly.h"

typedef struct search {
    const app_statics_options *given;
    char name[64];
    double from, to;          // of the range
    double stands, falls;     // of the bracket
    double undecided;         // NaN: none
    double margin[2];         // at both
    int verdicts, iterations; //
} search;

static bool read_vary(const app_statics_options *o, search *s) {
    const char *equal = strchr(o->vary, '=');
    const size_t length = equal ? (size_t)(equal - o->vary) : 0;
    char *end = NULL;
    bool good = length > 0 && length < sizeof s->name;
    if (good) {
        memcpy(s->name, o->vary, length);
        s->name[length] = '\0';
        s->from = strtod(equal + 1, &end);
        good = end != equal + 1 && *end == ':';
    }
    if (good) {
        const char *second = end + 1;
        s->to = strtod(second, &end);
        good = end != second && *end == '\0' && isfinite(s->from) && isfinite(s->to) && s->from != s->to;
    }
    if (!good)
        app_complain("--vary: '%s' is not NAME=FROM:TO; for instance --vary thickness=0.3:0.05", o->vary);
    if (good && o->run.settings == APP_RUN_SETTINGS) {
        app_complain("statics: more than %d parameters; write some into the scene file", APP_RUN_SETTINGS - 1);
        good = false;
    }
    return good;
}

// The verdict at a value. False: complained.
static bool decide(search *s, double value, vs_statics_result *result, int *code) {
    app_statics_options o = *s->given;
    app_assembly a;
    o.run.setting[o.run.settings++] = (vs_scene_parameter){s->name, value};
    const bool good = app_assembly_open(&a, &o) && app_assembly_check(&a, vs_statics_solve(a.statics, result));
    *code = good ? APP_DONE : a.code;
    app_assembly_release(&a);
    s->verdicts++;
    s->iterations += good ? result->iterations : 0;
    return good;
}

static int begin(search *s) {
    vs_statics_result end[2];
    int code;
    if (!decide(s, s->from, &end[0], &code) || !decide(s, s->to, &end[1], &code))
        return code;
    const bool first = end[0].verdict == VS_VERDICT_STANDS && end[1].verdict == VS_VERDICT_FALLS;
    const bool second = end[0].verdict == VS_VERDICT_FALLS && end[1].verdict == VS_VERDICT_STANDS;
    if (!first && !second) {
        app_complain(
            "statics: the scene %s at %s = %.10g and %s at %.10g; give a range that stands at one end and falls at "
            "the other",
            vs_verdict_name(end[0].verdict), s->name, s->from, vs_verdict_name(end[1].verdict), s->to);
        return APP_DATA;
    }
    s->stands = first ? s->from : s->to;
    s->falls = first ? s->to : s->from;
    s->margin[0] = end[first ? 0 : 1].margin;
    s->margin[1] = end[first ? 1 : 0].margin;
    return APP_DONE;
}

static int bisect(search *s, double width) {
    int code = begin(s);
    while (code == APP_DONE && fabs(s->stands - s->falls) > width) {
        const double middle = .5 * (s->stands + s->falls);
        vs_statics_result r;
        if (middle == s->stands || middle == s->falls || !decide(s, middle, &r, &code))
            break;
        if (r.verdict == VS_VERDICT_UNDECIDED) {
            s->undecided = middle;
            return APP_TOLERANCE;
        }
        const bool stands = r.verdict == VS_VERDICT_STANDS;
        *(stands ? &s->stands : &s->falls) = middle;
        s->margin[stands ? 0 : 1] = r.margin;
    }
    return code;
}

static void report(const search *s) {
    printf("%s: stands at %s = %.12g, falls at %.12g\n", s->given->run.scene, s->name, s->stands, s->falls);
    app_report_name("bracket");
    printf("%.3g wide; margin %.3g and %.3g; %d verdicts, %d iterations\n", fabs(s->stands - s->falls), s->margin[0],
           s->margin[1], s->verdicts, s->iterations);
    if (!isnan(s->undecided)) {
        app_report_name("undecided");
        printf("at %.12g: too near to the limit for either proof\n", s->undecided);
    }
}

static bool print_json(const search *s, int code) {
    json_t *o = json_object();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "scene", app_json_text(s->given->run.scene));
    app_json_put(o, "parameter", app_json_text(s->name));
    app_json_put(o, "stands", app_json_number(s->stands));
    app_json_put(o, "falls", app_json_number(s->falls));
    app_json_put(o, "undecided", app_json_number(s->undecided));
    app_json_put(o, "verdicts", json_integer(s->verdicts));
    app_json_put(o, "exit_code", json_integer(code));
    return app_json_print(o, false);
}

int app_statics_search(const app_statics_options *options) {
    search s = {.given = options, .undecided = (double)NAN};
    if (!read_vary(options, &s))
        return APP_USAGE;
    const int code = bisect(&s, options->to > 0 ? options->to : 1e-6 * fabs(s.from - s.to));
    if (code != APP_DONE && code != APP_TOLERANCE)
        return code;
    if (options->json)
        return print_json(&s, code) ? code : APP_DATA;
    report(&s);
    return code;
}
