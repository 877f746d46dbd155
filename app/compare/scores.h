// Scores of a comparison, and the table on standard output.
#ifndef VS_APP_COMPARE_SCORES_H
#define VS_APP_COMPARE_SCORES_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/comparison.h"

void app_compare_tally(app_comparison *c); // the scores
// Every solver was run on this file.
bool app_compare_counts(const app_comparison *c, int file, int tolerance);
// How a solver treats the problems: a solver that was not made for their friction is marked, not left out.
typedef enum app_compare_fit {
    APP_COMPARE_FITS,
    APP_COMPARE_FIXED_POINT, // made for the convex models: exact friction by a fixed-point iteration around it
    APP_COMPARE_BOXES        // boxes in place of friction cones
} app_compare_fit;
app_compare_fit app_compare_fit_of(const app_comparison *c, int solver);
// The sign behind its name, "" if it fits; and the footnote of a sign, null if no solver has it.
const char *app_compare_sign(app_compare_fit fit);
const char *app_compare_footnote(const app_comparison *c, app_compare_fit fit);
// It supports at least one of the problems; others are not plotted.
bool app_compare_is_shown(const app_comparison *c, int solver);
// "time limit 3, unsupported 49": why entries of a solver are not solved.
void app_compare_failures(const app_comparison *c, int solver, char *text, size_t size);
void app_compare_print(const app_comparison *c); // the table on standard output

#endif
