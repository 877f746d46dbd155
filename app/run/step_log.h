// A row for each step of a run, as CSV: all numbers of its report, its processor time, the work of each stage of the solver.
#ifndef VS_APP_RUN_STEP_LOG_H
#define VS_APP_RUN_STEP_LOG_H

#include <stdbool.h>

#include "cli/system/output.h"
#include "voussoir/voussoir.h"

typedef struct app_step_log {
    app_output output;
    bool open;
    double processor; // s, when the previous step ended
} app_step_log;

// Writes the names of the columns. Complains and returns false on failure.
bool app_step_log_open(app_step_log *log, const char *path);
// After a step; result: of its problem, or null. Nothing happens if the log is not open.
void app_step_log_add(app_step_log *log, const vs_step_report *report, const vs_result *result);
// Also after an interruption. Complains and returns false if not everything could be written.
bool app_step_log_close(app_step_log *log);

#endif
