// Comparisons of an entry with its source, failures and progress.
#define _GNU_SOURCE
#include "reproduce/entry.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/system/interrupt.h"

static const double SAME = 5e-3; // relative: as many digits as the sources print

const char *app_verdict_name(app_verdict verdict) {
    static const char *const names[] = {"better", "same", "WORSE", "not comparable"};
    return names[verdict];
}

static app_verdict compare(const app_value *v) {
    if (v->aim == APP_NOTHING || isnan(v->source) || isnan(v->ours))
        return APP_NOT_COMPARABLE;
    if (v->aim == APP_WITHIN)
        return fabs(v->ours - v->source) <= v->tolerance ? APP_SAME : APP_WORSE;
    if (fabs(v->ours - v->source) <= SAME * fabs(v->source))
        return APP_SAME;
    return (v->ours < v->source) == (v->aim == APP_LESS) ? APP_BETTER : APP_WORSE;
}

static void print_number(char *text, size_t size, const char *format, double x) {
    if (isnan(x)) {
        (void)snprintf(text, size, "–");
        return;
    }
    // The formats are the entries' own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(text, size, format ? format : "%.1f", x);
#pragma GCC diagnostic pop
}

static app_repro_row *next_row(app_repro *r) {
    if (r->rows == APP_REPRO_ROWS)
        r->rows--;
    app_repro_row *row = &r->row[r->rows++];
    *row = (app_repro_row){.source_value = NAN, .our_value = NAN};
    return row;
}

void app_repro_put(app_repro *r, const app_value *value) {
    app_repro_row *row = next_row(r);
    row->source_value = value->source;
    row->our_value = value->ours;
    row->verdict = compare(value);
    (void)snprintf(row->what, sizeof row->what, "%s", value->what);
    (void)snprintf(row->note, sizeof row->note, "%s", value->note ? value->note : "");
    print_number(row->ours, sizeof row->ours, value->format, value->ours);
    if (value->source_text)
        (void)snprintf(row->source, sizeof row->source, "%s", value->source_text);
    else
        print_number(row->source, sizeof row->source, value->format, value->source);
}

void app_repro_claim(app_repro *r, const char *what, const char *source, bool holds, const char *note) {
    app_repro_row *row = next_row(r);
    row->verdict = holds ? APP_SAME : APP_WORSE;
    (void)snprintf(row->what, sizeof row->what, "%s", what);
    (void)snprintf(row->source, sizeof row->source, "%s", source);
    (void)snprintf(row->ours, sizeof row->ours, "%s", holds ? "yes" : "no");
    (void)snprintf(row->note, sizeof row->note, "%s", note ? note : "");
}

bool app_repro_fail(app_repro *r, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!r->error[0])
        (void)vsnprintf(r->error, sizeof r->error, format, list);
    va_end(list);
    return false;
}

bool app_repro_check(app_repro *r, vs_error error) {
    if (error == VS_OK)
        return true;
    const char *said = vs_context_get_error_text(r->context);
    return app_repro_fail(r, "%s", *said ? said : vs_error_name(error));
}

void app_repro_say(const app_repro *r, const char *format, ...) {
    if (r->options->quiet || r->options->json || isatty(STDERR_FILENO) != 1)
        return;
    char text[72];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)fprintf(stderr, "\r%-78s\r%s%s%s", "", *text ? r->entry->id : "", *text ? ": " : "", text);
    (void)fflush(stderr);
}

bool app_repro_goes_on(const app_repro *r) {
    return !r->error[0] && !app_interrupted();
}
