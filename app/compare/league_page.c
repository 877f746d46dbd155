// league.html: who solves how much of a collection, how fast, and with which errors. One file without scripts, network or
// other programs; the performance profiles (Dolan and Moré 2002) are drawn here.
#include "compare/league.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/html.h"
#include "cli/report.h"
#include "cli/system/output.h"
#include "cli/system/system.h"
#include "compare/html.h"
#include "compare/scores.h"

static const char *const colours[] = {"#0b6e99", "#c2410c", "#15803d", "#7c3aed",
                                      "#b91c1c", "#a16207", "#475569", "#be185d"};
enum { COLOURS = sizeof colours / sizeof *colours };

static bool solves(const app_comparison *c, int file, int solver, int tolerance) {
    return app_compare_is_solved(c, app_compare_row_of(c, file, solver, tolerance), c->tolerance[tolerance]);
}

// ---- who solves what --------------------------------------------------------------------------------------------

// Solved and number of the files whose family (or difficulty) is `group`; null: of all.
typedef struct share {
    int solved, files;
} share;

static share count(const app_comparison *c, int solver, int tolerance, const char *group) {
    share s = {0, 0};
    for (int f = 0; f < c->files; f++) {
        const app_compare_file *file = &c->file[f];
        if (!app_compare_counts(c, f, tolerance) ||
            (group && strcmp(file->family, group) != 0 && strcmp(file->difficulty, group) != 0))
            continue;
        s.files++;
        s.solved += solves(c, f, solver, tolerance);
    }
    return s;
}

// The largest relative energy error of the files solved (sqrt(error / e0), the island's as it is measured).
static double worst_energy(const app_comparison *c, int solver, int tolerance) {
    double worst = 0;
    for (int f = 0; f < c->files; f++)
        if (solves(c, f, solver, tolerance))
            worst = fmax(worst, app_compare_row_of(c, f, solver, tolerance)->measures.relative_error);
    return worst;
}

static void put_share(FILE *to, share s) {
    (void)fprintf(to, "<td class=\"group%s\">%d/%d</td>", s.solved == s.files ? " best" : "", s.solved, s.files);
}

static void put_table(FILE *to, const app_comparison *c) {
    (void)fputs("<div class=wide><table><thead><tr><th>solver</th>", to);
    for (int t = 0; t < c->tolerances; t++)
        (void)fprintf(to, "<th class=group>solved to %g</th><th>mean time</th><th>largest energy error</th>",
                      c->tolerance[t]);
    (void)fputs("<th class=group>not solved (all tolerances)</th></tr></thead>\n", to);
    for (int s = 0; s < c->solvers; s++) {
        (void)fputs("<tr><td>", to);
        app_html_text(to, c->solver[s].name);
        (void)fprintf(to, "%s</td>", app_compare_sign(app_compare_fit_of(c, s)));
        for (int t = 0; t < c->tolerances; t++) {
            char mean[16] = "&ndash;";
            if (c->score[s][t].common > 0)
                app_format_seconds(c->score[s][t].mean, mean);
            put_share(to, count(c, s, t, NULL));
            (void)fprintf(to, "<td>%s</td><td>%.1e</td>", mean, worst_energy(c, s, t));
        }
        char failures[256];
        app_compare_failures(c, s, failures, sizeof failures);
        (void)fputs("<td class=\"group why\">", to);
        app_html_text(to, failures);
        (void)fputs("</td></tr>\n", to);
    }
    (void)fputs("</table></div>\n", to);
}

// Is this the first file with its family (difficulty)?
static bool is_first(const app_comparison *c, int file, bool family) {
    for (int f = 0; f < file; f++)
        if (strcmp(family ? c->file[f].family : c->file[f].difficulty,
                   family ? c->file[file].family : c->file[file].difficulty) == 0)
            return false;
    return true;
}

// Rows: families or difficulties; columns: solvers, at the strictest tolerance.
static void put_groups(FILE *to, const app_comparison *c, bool family) {
    (void)fprintf(to, "<div class=wide><table><thead><tr><th>%s</th>", family ? "family" : "difficulty");
    for (int s = 0; s < c->solvers; s++) {
        (void)fputs("<th class=group>", to);
        app_html_text(to, c->solver[s].name);
        (void)fputs("</th>", to);
    }
    (void)fputs("</tr></thead>\n", to);
    for (int f = 0; f < c->files; f++) {
        if (!is_first(c, f, family))
            continue;
        const char *group = family ? c->file[f].family : c->file[f].difficulty;
        (void)fputs("<tr><td>", to);
        app_html_text(to, group);
        (void)fputs("</td>", to);
        for (int s = 0; s < c->solvers; s++)
            put_share(to, count(c, s, c->tolerances - 1, group));
        (void)fputs("</tr>\n", to);
    }
    (void)fputs("</table></div>\n", to);
}

// ---- performance profiles ----------------------------------------------------------------------------------------

static double seconds_of(const app_comparison *c, int file, int solver, int tolerance) {
    return fmax(app_compare_row_of(c, file, solver, tolerance)->seconds, 1e-7); // resolution of the clock
}

// Share of the files that a solver solves within `ratio` times the time of the fastest one.
static double profile(const app_comparison *c, int solver, int tolerance, double ratio) {
    int files = 0, within = 0;
    for (int f = 0; f < c->files; f++) {
        double best = (double)INFINITY;
        if (!app_compare_counts(c, f, tolerance))
            continue;
        files++;
        for (int s = 0; s < c->solvers; s++)
            if (solves(c, f, s, tolerance))
                best = fmin(best, seconds_of(c, f, s, tolerance));
        within += solves(c, f, solver, tolerance) && seconds_of(c, f, solver, tolerance) <= ratio * best;
    }
    return files > 0 ? (double)within / files : 0;
}

static void put_axes(FILE *to, double wide, double high) {
    for (int k = 0; k <= 4; k++)
        (void)fprintf(
            to,
            "<line x1=50 x2=%g y1=%g y2=%g stroke=#999 stroke-opacity=.4 /><text x=44 y=%g text-anchor=end>%d "
            "%%</text>\n",
            50 + wide, 20 + high * (1 - .25 * k), 20 + high * (1 - .25 * k), 24 + high * (1 - .25 * k), 25 * k);
    for (int k = 0; k <= 3; k++)
        (void)fprintf(to, "<text x=%g y=%g text-anchor=middle>%g</text>\n", 50 + wide * k / 3, 38 + high, pow(10, k));
    (void)fprintf(to, "<text x=%g y=%g text-anchor=middle>time / time of the fastest solver</text>\n", 50 + .5 * wide,
                  58 + high);
}

static void put_profile(FILE *to, const app_comparison *c, int tolerance) {
    enum { POINTS = 240 };
    const double wide = 560, high = 260;
    int line = 0;
    (void)fprintf(to,
                  "<figure><svg viewBox=\"0 0 860 330\" font-size=13 font-family=sans-serif fill=currentColor role=img "
                  "aria-label=\"performance profile\">\n");
    put_axes(to, wide, high);
    for (int s = 0; s < c->solvers; s++) {
        if (!app_compare_is_shown(c, s))
            continue;
        (void)fprintf(to, "<polyline fill=none stroke=\"%s\" stroke-width=2 stroke-dasharray=\"%s\" points=\"",
                      colours[line % COLOURS], line >= COLOURS ? "5 3" : "none");
        for (int k = 0; k <= POINTS; k++)
            (void)fprintf(to, "%.1f,%.1f ", 50 + wide * k / POINTS,
                          20 + high * (1 - profile(c, s, tolerance, pow(10, 3.0 * k / POINTS))));
        (void)fprintf(to, "\" /><text x=%g y=%d fill=\"%s\">", 64 + wide, 30 + 18 * line, colours[line % COLOURS]);
        app_html_text(to, c->solver[s].name);
        (void)fputs("</text>\n", to);
        line++;
    }
    (void)fprintf(to,
                  "</svg><figcaption>Share of the problems solved to %g within a multiple of the time of the fastest "
                  "solver on each of them (Dolan and Mor&eacute; 2002).</figcaption></figure>\n",
                  c->tolerance[tolerance]);
}

// ---- failures ---------------------------------------------------------------------------------------------------

// Problems that a solver misses, with the errors of what it returned: all of them where they are few.
static void put_failures(FILE *to, const app_comparison *c) {
    enum { MOST = 60 };
    (void)fputs("<div class=wide><table><thead><tr><th>solver</th><th>problem</th><th>tolerance</th><th>status</th>"
                "<th>relative energy error</th><th>natural map</th></tr></thead>\n",
                to);
    for (int s = 0; s < c->solvers; s++)
        for (int t = 0, shown = 0; t < c->tolerances; t++)
            for (int f = 0; f < c->files; f++) {
                const app_compare_row *row = app_compare_row_of(c, f, s, t);
                if (solves(c, f, s, t) || !app_compare_counts(c, f, t) || ++shown > MOST)
                    continue;
                (void)fputs("<tr><td>", to);
                app_html_text(to, c->solver[s].name);
                (void)fprintf(to, "</td><td>%s</td><td>%g</td><td>", c->file[f].label, c->tolerance[t]);
                app_html_text(to, row->status);
                if (row->measured)
                    (void)fprintf(to, "</td><td>%.1e</td><td>%.1e</td></tr>\n", row->measures.relative_error,
                                  row->measures.natural_map_relative);
                else
                    (void)fputs("</td><td>&ndash;</td><td>&ndash;</td></tr>\n", to);
            }
    (void)fprintf(
        to,
        "</table></div><p class=soft>At most %d per solver and tolerance; all are in <code>results.csv</code>.</p>\n",
        MOST);
}

// ---- the page ---------------------------------------------------------------------------------------------------

static void put_citation(FILE *to, const app_comparison *c) {
    char date[64] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts))
        (void)strftime(date, sizeof date, "%Y-%m-%d", &parts);
    (void)fprintf(
        to,
        "<p>Cite as: <em>League of contact solvers, voussoir %s, collection %.16s, %s.</em> The collection is "
        "known by the first 16 digits of the SHA-256 of its <code>collection.csv</code>, which holds the "
        "checksums of all problems; <code>voussoir collect</code> makes it again.</p>\n",
        vs_version(), c->collection, date);
}

bool app_league_write(const app_comparison *c) {
    char path[APP_COMPARE_PATH];
    app_compare_path(c, "league.html", path);
    app_output out;
    if (!app_output_open(&out, path))
        return false;
    FILE *to = out.file;
    app_html_begin(to, "League of contact solvers");
    (void)fprintf(to, "<p class=soft>%d solvers on %d held-out contact problems%s</p>\n", c->solvers, c->files,
                  c->interrupted ? "; interrupted before all entries were run" : "");
    put_citation(to, c);
    app_html_setting(to, c);
    (void)fputs("<h2>Solved</h2>\n", to);
    put_table(to, c);
    (void)fputs(
        "<p class=soft>Solved is what the error measures of the returned impulses say, on unscaled data, not the "
        "status of the solver. Mean time: geometric mean over the problems solved by every solver that solves at "
        "least half of them. Energy error: square root of the error over its reference, largest island of all "
        "problems solved.</p>\n<h2>Performance profiles</h2>\n",
        to);
    for (int t = 0; t < c->tolerances; t++)
        put_profile(to, c, t);
    (void)fprintf(to, "<h2>By difficulty and family, solved to %g</h2>\n", c->tolerance[c->tolerances - 1]);
    put_groups(to, c, false);
    put_groups(to, c, true);
    (void)fputs("<h2>Not solved</h2>\n", to);
    put_failures(to, c);
    app_html_end(to);
    return app_output_close(&out, true);
}
