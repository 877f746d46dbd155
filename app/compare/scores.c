// Scores of voussoir compare: problems solved, and times on the commonly solved ones.
#include "compare/scores.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/report.h"
#include "compare/comparison.h"
#include "voussoir/voussoir.h"

// ---- scores -------------------------------------------------------------------------------------------------------

static bool solves(const app_comparison *c, int file, int solver, int tolerance) {
    return app_compare_is_solved(c, app_compare_row_of(c, file, solver, tolerance), c->tolerance[tolerance]);
}

bool app_compare_counts(const app_comparison *c, int file, int tolerance) {
    for (int s = 0; s < c->solvers; s++)
        if (strcmp(app_compare_row_of(c, file, s, tolerance)->status, "interrupted") == 0)
            return false;
    return true;
}

// Clock resolution: no time is shorter than 0.1 us.
static double seconds_of(const app_comparison *c, int file, int solver, int tolerance) {
    const double seconds = app_compare_row_of(c, file, solver, tolerance)->seconds;
    return seconds > 1e-7 ? seconds : 1e-7;
}

static app_compare_score *score_of(app_comparison *c, int solver, int tolerance) {
    return &c->score[solver][tolerance];
}

// A solver that solves fewer than half of the files would leave few commonly solved problems.
static bool takes_part(const app_compare_score *score) {
    return score->solved > 0 && 2 * score->solved >= score->run;
}

static bool is_common(app_comparison *c, int file, int tolerance) {
    for (int s = 0; s < c->solvers; s++)
        if (takes_part(score_of(c, s, tolerance)) && !solves(c, file, s, tolerance))
            return false;
    return true;
}

// Sums of logarithms; the means are taken at the end.
static void add_times(app_comparison *c, int file, int tolerance) {
    const bool common = is_common(c, file, tolerance), first = solves(c, file, 0, tolerance);
    for (int s = 0; s < c->solvers; s++) {
        app_compare_score *score = score_of(c, s, tolerance);
        if (!solves(c, file, s, tolerance))
            continue;
        const double seconds = seconds_of(c, file, s, tolerance);
        if (common && takes_part(score)) {
            score->mean += log(seconds);
            score->common++;
        }
        if (first) {
            score->ratio += log(seconds / seconds_of(c, file, 0, tolerance));
            score->both++;
        }
    }
}

static void tally(app_comparison *c, int tolerance) {
    for (int s = 0; s < c->solvers; s++) {
        app_compare_score *score = score_of(c, s, tolerance);
        *score = (app_compare_score){0};
        for (int f = 0; f < c->files; f++) {
            const bool counts = app_compare_counts(c, f, tolerance);
            score->run += counts;
            score->solved += counts && solves(c, f, s, tolerance);
        }
    }
    for (int f = 0; f < c->files; f++)
        if (app_compare_counts(c, f, tolerance))
            add_times(c, f, tolerance);
    for (int s = 0; s < c->solvers; s++) {
        app_compare_score *score = score_of(c, s, tolerance);
        score->mean = score->common > 0 ? exp(score->mean / score->common) : NAN;
        score->ratio = score->both > 0 ? exp(score->ratio / score->both) : NAN;
    }
}

void app_compare_tally(app_comparison *c) {
    for (int t = 0; t < c->tolerances; t++)
        tally(c, t);
}

app_compare_fit app_compare_fit_of(const app_comparison *c, int solver) {
    bool friction = false;
    for (int f = 0; f < c->files; f++)
        friction = friction || c->file[f].info.mu_max > 0;
    if (c->solver[solver].peer || !friction || c->options.model == VS_MODEL_FRICTIONLESS)
        return APP_COMPARE_FITS;
    const vs_method_info info = vs_method_at((int)c->solver[solver].method);
    if (info.made_for & 1U << c->options.model)
        return APP_COMPARE_FITS;
    return info.made_for & 1U << VS_MODEL_RELAXED ? APP_COMPARE_FIXED_POINT : APP_COMPARE_BOXES;
}

const char *app_compare_sign(app_compare_fit fit) {
    static const char *const sign[] = {"", "*", "+"};
    return sign[fit];
}

const char *app_compare_footnote(const app_comparison *c, app_compare_fit fit) {
    static const char *const note[] = {
        NULL, "made for the convex models: exact friction by a fixed-point iteration on the sliding speeds",
        "not made for friction: a box per row in place of the cone"};
    for (int s = 0; s < c->solvers; s++)
        if (app_compare_fit_of(c, s) == fit)
            return note[fit];
    return NULL;
}

bool app_compare_is_shown(const app_comparison *c, int solver) {
    for (int f = 0; f < c->files; f++)
        for (int t = 0; t < c->tolerances; t++)
            if (strcmp(app_compare_row_of(c, f, solver, t)->status, "unsupported") != 0)
                return true;
    return false;
}

void app_compare_failures(const app_comparison *c, int solver, char *text, size_t size) {
    const int entries = c->files * c->tolerances;
    size_t used = 0;
    *text = '\0';
    // Each kind at its first occurrence.
    for (int k = 0; k < entries; k++) {
        const int tolerance = k % c->tolerances;
        const app_compare_row *row = app_compare_row_of(c, k / c->tolerances, solver, tolerance);
        int count = 0;
        bool first = !app_compare_is_solved(c, row, c->tolerance[tolerance]);
        for (int i = 0; i < entries && first; i++) {
            const int t = i % c->tolerances;
            const app_compare_row *other = app_compare_row_of(c, i / c->tolerances, solver, t);
            const bool same =
                strcmp(other->status, row->status) == 0 && !app_compare_is_solved(c, other, c->tolerance[t]);
            first = !(same && i < k);
            count += same;
        }
        if (!first || used >= size)
            continue;
        const char *name = strcmp(row->status, "converged") == 0 ? "converged, tolerance missed" : row->status;
        const int written = snprintf(text + used, size - used, "%s%s %d", used ? ", " : "", name, count);
        used += written > 0 ? (size_t)written : 0;
    }
    for (char *at = text; *at; at++)
        *at = *at == '_' ? ' ' : *at;
}

// ---- the table on standard output -----------------------------------------------------------------------------------

void app_compare_print(const app_comparison *c) {
    printf(
        "%d problem%s, %s friction model: number solved, and geometric mean time on commonly solved problems\n\n%-18s",
        c->files, c->files == 1 ? "" : "s", vs_model_name(c->options.model), "");
    for (int t = 0; t < c->tolerances; t++) {
        char tolerance[16];
        app_compare_format(c->tolerance[t], tolerance);
        printf("  %18s", tolerance);
    }
    printf("\n");
    for (int s = 0; s < c->solvers; s++) {
        char name[APP_COMPARE_NAME + 4];
        (void)snprintf(name, sizeof name, "%s%s", c->solver[s].name, app_compare_sign(app_compare_fit_of(c, s)));
        printf("%-18s", name);
        for (int t = 0; t < c->tolerances; t++) {
            const app_compare_score score = c->score[s][t];
            char mean[16] = "-";
            if (score.common > 0)
                app_format_seconds(score.mean, mean);
            printf("  %4d/%-4d %8s", score.solved, score.run, mean);
        }
        char failures[160];
        app_compare_failures(c, s, failures, sizeof failures);
        printf("  %s\n", failures);
    }
    for (app_compare_fit fit = APP_COMPARE_FIXED_POINT; fit <= APP_COMPARE_BOXES; fit++) {
        const char *note = app_compare_footnote(c, fit);
        if (note)
            printf("%s %s\n", app_compare_sign(fit), note);
    }
}
