// A row for each step: see step_log.h.
#include "run/step_log.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/system/clock.h"
#include "voussoir/report.h"

static void put_name(FILE *file, const vs_report_field *field) {
    const bool measured = field->kind == VS_REPORT_REAL && strcmp(field->unit, "1") != 0;
    if (measured)
        (void)fprintf(file, "%s (%s),", field->name, field->unit);
    else
        (void)fprintf(file, "%s,", field->name);
}

bool app_step_log_open(app_step_log *log, const char *path) {
    log->open = app_output_open(&log->output, path);
    if (!log->open)
        return false;
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field field = vs_report_field_at(k);
        if (field.kind != VS_REPORT_TEXT)
            put_name(log->output.file, &field);
    }
    (void)fputs("processor (s),stages\n", log->output.file);
    log->processor = app_processor_time();
    return true;
}

static void put_value(FILE *file, int k, const vs_report_field *field, const vs_step_report *report) {
    if (field->offset == offsetof(vs_step_report, status))
        (void)fprintf(file, "%s,", vs_status_name(report->status));
    else
        (void)fprintf(file, field->kind == VS_REPORT_REAL ? "%.9g," : "%.0f,", vs_report_field_value(k, report));
}

// "name iterations factorizations seconds" of each stage that was tried.
static void put_stages(FILE *file, const vs_result *result) {
    const char *between = "";
    for (int k = 0; result && k < result->stage_count; k++) {
        const vs_stage *stage = &result->stages[k];
        if (stage->tried == 0)
            continue;
        (void)fprintf(file, "%s%s %d %d %.3g", between, stage->name, stage->iterations, stage->factorizations,
                      stage->seconds);
        between = "; ";
    }
    (void)fputc('\n', file);
}

void app_step_log_add(app_step_log *log, const vs_step_report *report, const vs_result *result) {
    if (!log->open)
        return;
    FILE *file = log->output.file;
    const double processor = app_processor_time();
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field field = vs_report_field_at(k);
        if (field.kind != VS_REPORT_TEXT)
            put_value(file, k, &field, report);
    }
    (void)fprintf(file, "%.6g,", processor - log->processor);
    put_stages(file, result);
    (void)fflush(file); // of a run that is killed the steps before are known; errors show when it is closed
    log->processor = app_processor_time();
}

bool app_step_log_close(app_step_log *log) {
    const bool good = !log->open || app_output_close(&log->output, true);
    log->open = false;
    return good;
}
