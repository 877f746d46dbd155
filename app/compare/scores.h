// Scores of a comparison, and the table on standard output.
#ifndef VS_APP_COMPARE_SCORES_H
#define VS_APP_COMPARE_SCORES_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/comparison.h"

void app_compare_tally(app_comparison *c); // the scores
// Every solver was run on this file.
bool app_compare_counts(const app_comparison *c, int file, int tolerance);
// It supports at least one of the problems; others are not plotted.
bool app_compare_is_shown(const app_comparison *c, int solver);
// "time limit 3, unsupported 49": why entries of a solver are not solved.
void app_compare_failures(const app_comparison *c, int solver, char *text, size_t size);
void app_compare_print(const app_comparison *c); // the table on standard output

#endif
