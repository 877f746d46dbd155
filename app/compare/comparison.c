// A comparison: access to its entries.
#include "compare/comparison.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/process.h"
#include "compare/options.h"

void app_compare_path(const app_comparison *c, const char *name, char path[APP_COMPARE_PATH]) {
    if (snprintf(path, APP_COMPARE_PATH, "%s/%s", c->options.out, name) >= APP_COMPARE_PATH)
        path[0] = '\0'; // no file has this name
}

app_compare_task app_compare_task_of(const app_comparison *c, int number, int file, int solver, int tolerance) {
    app_compare_task t = {.kind = APP_COMPARE_SOLVE, .number = number, .tolerance = c->tolerance[tolerance]};
    if (file >= 0)
        (void)snprintf(t.path, sizeof t.path, "%s", c->file[file].path);
    if (solver >= 0)
        t.solver = c->solver[solver];
    (void)snprintf(t.peer, sizeof t.peer, "%s", c->peer);
    (void)snprintf(t.scratch, sizeof t.scratch, "%s", c->scratch);
    return t;
}

app_compare_row *app_compare_row_of(const app_comparison *c, int file, int solver, int tolerance) {
    return &c->row[((size_t)file * (size_t)c->solvers + (size_t)solver) * (size_t)c->tolerances + (size_t)tolerance];
}

bool app_compare_is_solved(const app_comparison *c, const app_compare_row *row, double tolerance) {
    const vs_measures *m = &row->measures;
    const bool energy = vs_measures_meet(m, VS_CRITERION_ENERGY, tolerance),
               natural = m->natural_map_relative <= tolerance;
    return row->measured && (energy || c->options.solved_by == APP_SOLVED_NATURAL) &&
           (natural || c->options.solved_by == APP_SOLVED_ENERGY);
}

void app_compare_format(double tolerance, char text[16]) {
    char number[32];
    (void)snprintf(number, sizeof number, "%.2e", tolerance);
    char *e = strchr(number, 'e');
    const int exponent = (int)strtol(e + 1, NULL, 10);
    *e = '\0';
    // 1.00 -> 1, 2.50 -> 2.5
    for (char *end = e - 1; *end == '0' || *end == '.'; end--) {
        const bool point = *end == '.';
        *end = '\0';
        if (point)
            break;
    }
    (void)snprintf(text, 16, "%.6se%d", number, exponent);
}

void app_compare_release(app_comparison *c) {
    for (int k = 0; k < c->files; k++)
        free(c->file[k].path);
    free(c->file);
    free(c->row);
    free(c->trace);
    if (*c->scratch)
        app_scratch_remove(c->scratch);
}
