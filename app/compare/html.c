// report.html of voussoir compare: settings, scores, plots with explanations, and all entries. One file without
// scripts that needs no network; the plots are embedded.
#include "compare/html.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/html.h"
#include "cli/system/output.h"
#include "cli/report.h"
#include "cli/system/system.h"
#include "compare/comparison.h"
#include "compare/options.h"
#include "compare/plots.h"
#include "compare/scores.h"
#include "voussoir/voussoir.h"

// 10<sup>-4</sup>
static void put_tolerance(FILE *to, double tolerance) {
    char number[16];
    app_compare_format(tolerance, number);
    char *e = strchr(number, 'e');
    *e = '\0';
    (void)fprintf(to, "%s%s10<sup>%s%s</sup>", strcmp(number, "1") == 0 ? "" : number,
                  strcmp(number, "1") == 0 ? "" : "&times;", e[1] == '-' ? "&minus;" : "", e + 1 + (e[1] == '-'));
}

// ---- what was done --------------------------------------------------------------------------------------------------

static void find_processor(char *name, size_t size) {
    char line[256];
    (void)snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        (void)snprintf(name, size, "%s", colon + 1 + strspn(colon + 1, " "));
        name[strcspn(name, "\n")] = '\0';
        break;
    }
    if (file)
        (void)fclose(file);
}

void app_html_setting(FILE *to, const app_comparison *c) {
    static const char *const criteria[] = {
        "energy error at most T² times that of zero impulses, and relative natural-map error (FCLIB) at most T",
        "energy error at most T² times that of zero impulses",
        "relative natural-map error (FCLIB) at most T",
    };
    char text[512], processor[128], date[64] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts))
        (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M", &parts);
    find_processor(processor, sizeof processor);
    int least = c->files ? c->file[0].info.contacts : 0, most = least;
    for (int f = 0; f < c->files; f++) {
        least = c->file[f].info.contacts < least ? c->file[f].info.contacts : least;
        most = c->file[f].info.contacts > most ? c->file[f].info.contacts : most;
    }
    (void)fputs("<dl>\n<dt>command</dt><dd><code>", to);
    app_html_text(to, c->line);
    (void)fputs("</code></dd>\n", to);
    if (least == most)
        (void)snprintf(text, sizeof text, "%d, with %d contact%s each", c->files, most, most == 1 ? "" : "s");
    else
        (void)snprintf(text, sizeof text, "%d, with %d to %d contacts", c->files, least, most);
    app_html_item(to, "problems", text);
    app_html_item(to, "friction model", vs_model_name(c->options.model));
    app_html_item(to, "solved means", criteria[c->options.solved_by]);
    (void)snprintf(text, sizeof text, "%g s per solve; fastest of %d; %d parallel process%s", c->options.max_time,
                   c->options.repeat, c->options.jobs, c->options.jobs == 1 ? "" : "es");
    app_html_item(to, "time limit", text);
    (void)snprintf(text, sizeof text, "%s, %ld processors, BLAS %s", processor, app_system_machine().processors,
                   vs_solver_blas());
    app_html_item(to, "machine", text);
    (void)snprintf(text, sizeof text, "voussoir %s, %s", vs_version(), date);
    app_html_item(to, "program", text);
    (void)fputs("</dl>\n", to);
}

// ---- scores ----------------------------------------------------------------------------------------

static void put_score_head(FILE *to, const app_comparison *c) {
    (void)fputs("<thead><tr><th></th>", to);
    for (int t = 0; t < c->tolerances; t++) {
        (void)fputs("<th class=group colspan=3>", to);
        put_tolerance(to, c->tolerance[t]);
        (void)fputs("</th>", to);
    }
    (void)fputs("<th class=group></th></tr>\n<tr><th>solver</th>", to);
    for (int t = 0; t < c->tolerances; t++) {
        (void)fputs("<th class=group>solved</th><th>mean time</th><th>vs. ", to);
        app_html_text(to, c->solver[0].name);
        (void)fputs("</th>", to);
    }
    (void)fputs("<th class=group>not solved (all tolerances)</th></tr></thead>\n", to);
}

// The best values are highlighted.
static bool is_best(const app_comparison *c, int s, int t, bool time) {
    for (int k = 0; k < c->solvers; k++) {
        const app_compare_score *other = &c->score[k][t], *score = &c->score[s][t];
        if (time ? other->mean < score->mean || !(score->mean > 0) : other->solved > score->solved)
            return false;
    }
    return time || c->score[s][t].solved > 0;
}

static void put_scores(FILE *to, const app_comparison *c) {
    (void)fputs("<div class=wide><table>\n", to);
    put_score_head(to, c);
    for (int s = 0; s < c->solvers; s++) {
        (void)fputs("<tr><td>", to);
        app_html_text(to, c->solver[s].name);
        (void)fprintf(to, "%s</td>", app_compare_sign(app_compare_fit_of(c, s)));
        for (int t = 0; t < c->tolerances; t++) {
            const app_compare_score *score = &c->score[s][t];
            char mean[16] = "&ndash;", ratio[40] = "&ndash;";
            if (score->common > 0)
                app_format_seconds(score->mean, mean);
            if (score->both > 0)
                (void)snprintf(ratio, sizeof ratio, "%.2f&times;", score->ratio);
            (void)fprintf(to, "<td class=\"group%s\">%d/%d</td><td%s>%s</td><td title=\"on %d problems\">%s</td>",
                          is_best(c, s, t, false) ? " best" : "", score->solved, score->run,
                          is_best(c, s, t, true) ? " class=best" : "", mean, score->both, ratio);
        }
        char failures[256];
        app_compare_failures(c, s, failures, sizeof failures);
        (void)fputs("<td class=\"group why\">", to);
        app_html_text(to, failures);
        (void)fputs("</td></tr>\n", to);
    }
    (void)fputs("</table></div>\n", to);
    for (app_compare_fit fit = APP_COMPARE_FIXED_POINT; fit <= APP_COMPARE_BOXES; fit++) {
        const char *note = app_compare_footnote(c, fit);
        if (note)
            (void)fprintf(to, "<p class=soft>%s %s</p>\n", app_compare_sign(fit), note);
    }
    (void)fputs("<p class=soft>Mean time: geometric mean over the problems solved by every solver that "
                "solves at least half of them (",
                to);
    for (int t = 0; t < c->tolerances; t++) {
        int common = 0;
        for (int s = 0; s < c->solvers; s++)
            common = c->score[s][t].common > common ? c->score[s][t].common : common;
        (void)fprintf(to, "%s%d at ", t ? ", " : "", common);
        put_tolerance(to, c->tolerance[t]);
    }
    (void)fputs("); the other solvers have a dash. vs. ", to);
    app_html_text(to, c->solver[0].name);
    (void)fputs(": geometric mean of the ratio of times, over the problems that both solve. Times run from the problem "
                "in memory to its impulses, including preparation. A problem counts as solved by the error measures of "
                "the returned impulses on unscaled data, not by the status that the solver reports.",
                to);
    bool peers = false;
    for (int s = 0; s < c->solvers; s++)
        peers = peers || c->solver[s].peer;
    if (peers && c->options.solved_by == APP_SOLVED_BOTH)
        (void)fputs(
            " External programs stop by their own residual, usually the natural map, and may miss the tolerance on the "
            "energy error; <code>--criterion natural</code> evaluates all solvers by the natural map alone.",
            to);
    (void)fputs("</p>\n", to);
}

// ---- plots -----------------------------------------------------------------------------------------

static void put_plot(FILE *to, const app_comparison *c, const app_compare_plot *plot, int number) {
    char path[APP_COMPARE_PATH], relative[2 * APP_COMPARE_NAME];
    (void)snprintf(relative, sizeof relative, "plots/%s.svg", plot->name);
    app_compare_path(c, relative, path);
    (void)fputs("<figure>", to);
    const bool drawn = plot->drawn && app_html_svg(to, path, number);
    (void)fputs("<figcaption>", to);
    if (plot->kind == APP_PLOT_HISTORY) {
        const app_compare_file *f = &c->file[plot->index];
        app_html_text(to, f->label);
        (void)fprintf(to, ", %d contacts. ", f->info.contacts);
    }
    (void)fprintf(to, "%s<code>plots/%s</code></figcaption></figure>\n",
                  drawn ? "" : "Not drawn (gnuplot is missing): ", plot->name);
}

// Plots of one kind under a heading.
typedef struct section {
    int kind;
    const char *title, *words;
} section;

static const section sections[] = {
    {APP_PLOT_SOLVED, "Solved at each tolerance",
     "Share of problems solved to each tolerance within the time limit. Marks close together: tighter tolerances cost "
     "the solver little. Marks far apart: the solver is suited to loose tolerances only."},
    {APP_PLOT_PROFILE, "Performance profiles",
     "Performance profiles (Dolan and Mor&eacute; 2002): for each factor on the horizontal axis, the share of problems "
     "that a solver solves within that multiple of the fastest solver's time. The left end shows how often it is the "
     "fastest, the right end how many problems it solves at all. Higher is better."},
    {APP_PLOT_HISTORY, "Convergence histories",
     "Error over iterations and over time on single problems. Top: the energy error in joules, the measure used here, "
     "which is the energy needed to make every contact obey its law; dotted lines mark the tolerances. Bottom: the "
     "Fischer-Burmeister and natural residuals of the literature, which mix N s and m/s; they are evaluated on the "
     "impulses returned when the solver is stopped after that many iterations (its best iterate). The cost of an "
     "iteration differs between methods, so compare by time."},
};

static void put_section(FILE *to, const app_comparison *c, const app_compare_plot *plot, int plots, const section *s) {
    bool any = false;
    for (int k = 0; k < plots; k++) {
        if ((int)plot[k].kind != s->kind)
            continue;
        if (!any)
            (void)fprintf(to, "<h2>%s</h2>\n<p>%s</p>\n", s->title, s->words);
        any = true;
        put_plot(to, c, &plot[k], k + 1);
    }
}

// ---- every entry -----------------------------------------------------------------------------------

static void put_entries(FILE *to, const app_comparison *c, int t) {
    (void)fputs("<details><summary>All problems at ", to);
    put_tolerance(to, c->tolerance[t]);
    (void)fputs("</summary><div class=wide><table><thead><tr><th>problem</th><th>contacts</th>", to);
    for (int s = 0; s < c->solvers; s++) {
        (void)fputs("<th>", to);
        app_html_text(to, c->solver[s].name);
        (void)fputs("</th>", to);
    }
    (void)fputs("</tr></thead>\n", to);
    for (int f = 0; f < c->files; f++) {
        (void)fputs("<tr><td>", to);
        app_html_text(to, c->file[f].label);
        (void)fprintf(to, "</td><td>%d</td>", c->file[f].info.contacts);
        for (int s = 0; s < c->solvers; s++) {
            const app_compare_row *row = app_compare_row_of(c, f, s, t);
            char cell[32];
            const bool solved = app_compare_is_solved(c, row, c->tolerance[t]);
            if (solved)
                app_format_seconds(row->seconds, cell);
            else
                (void)snprintf(cell, sizeof cell, "%s", strcmp(row->status, "converged") == 0 ? "missed" : row->status);
            for (char *at = cell; *at; at++)
                *at = *at == '_' ? ' ' : *at;
            (void)fprintf(to, "<td%s title=\"", solved ? "" : " class=no");
            app_html_text(to, row->message);
            (void)fputs("\">", to);
            app_html_text(to, cell);
            (void)fputs("</td>", to);
        }
        (void)fputs("</tr>\n", to);
    }
    (void)fputs("</table></div></details>\n", to);
}

bool app_compare_report(const app_comparison *c, const app_compare_plot *plot, int plots) {
    char path[APP_COMPARE_PATH];
    app_compare_path(c, "report.html", path);
    app_output out;
    if (!app_output_open(&out, path))
        return false;
    FILE *to = out.file;
    app_html_begin(to, "Comparison of contact solvers");
    (void)fprintf(to, "<p class=soft>%d solvers on %d contact problems%s</p>\n", c->solvers, c->files,
                  c->interrupted ? "; interrupted before all entries were run" : "");
    app_html_setting(to, c);
    (void)fputs("<h2>Scores</h2>\n", to);
    put_scores(to, c);
    for (size_t k = 0; k < sizeof sections / sizeof sections[0]; k++)
        put_section(to, c, plot, plots, &sections[k]);
    (void)fputs("<h2>All entries</h2>\n<p>Time if the tolerance is met, otherwise the status of the solver; hover for "
                "its message. All numbers are in <code>results.csv</code> and <code>results.json</code>.</p>\n",
                to);
    for (int t = 0; t < c->tolerances; t++)
        put_entries(to, c, t);
    app_html_end(to);
    return app_output_close(&out, true);
}
