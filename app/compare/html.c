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
#include <unistd.h>

#include "cli/system/output.h"
#include "cli/report.h"
#include "cli/system/system.h"
#include "compare/comparison.h"
#include "compare/options.h"
#include "compare/plots.h"
#include "compare/scores.h"
#include "voussoir/voussoir.h"

void app_html_text(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '<')
            (void)fputs("&lt;", to);
        else if (*text == '>')
            (void)fputs("&gt;", to);
        else if (*text == '&')
            (void)fputs("&amp;", to);
        else if (*text == '"')
            (void)fputs("&quot;", to);
        else
            (void)fputc(*text, to);
    }
}

// 10<sup>-4</sup>
static void put_tolerance(FILE *to, double tolerance) {
    char number[16];
    app_compare_format(tolerance, number);
    char *e = strchr(number, 'e');
    *e = '\0';
    (void)fprintf(to, "%s%s10<sup>%s%s</sup>", strcmp(number, "1") == 0 ? "" : number,
                  strcmp(number, "1") == 0 ? "" : "&times;", e[1] == '-' ? "&minus;" : "", e + 1 + (e[1] == '-'));
}

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1c1f23;--soft:#5b636b;--rule:#d9dde1;--wash:#f5f6f8;--page:#fff;--good:#00704f;"
    "--bad:#a33b00}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e7ea;--soft:#9aa4ad;--rule:#3a4047;--wash:#22262b;--page:#16191c;"
    "--good:#4fc79c;--bad:#f0a070}figure svg{filter:invert(.9) hue-rotate(180deg)}}"
    "body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem 4rem;background:var(--page);color:var(--ink);"
    "font:16px/1.55 system-ui,sans-serif}"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.6rem 0 .4rem}"
    "p{margin:.5rem 0;max-width:46rem}.soft,figcaption,caption{color:var(--soft)}"
    "code{font:.88em ui-monospace,monospace;background:var(--wash);padding:.1em .3em;border-radius:3px;"
    "overflow-wrap:anywhere}"
    "figure{margin:1.2rem 0;overflow-x:auto}figure "
    "svg{display:block;width:100%;max-width:58rem;height:auto;min-width:34rem}"
    "figcaption{font-size:.9rem;margin-top:.2rem}"
    ".wide{overflow-x:auto;margin:.8rem 0}table{border-collapse:collapse;font-size:.88rem;"
    "font-variant-numeric:tabular-nums}"
    "th,td{padding:.28rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}"
    "th{font-weight:600}th:first-child,td:first-child,td.why{text-align:left}td.why{color:var(--soft);white-space:"
    "normal;"
    "min-width:12rem}"
    "th.group{text-align:center}th.group,td.group{border-left:1px solid var(--rule)}"
    "td.no{color:var(--bad)}td.best{color:var(--good);font-weight:600}"
    "caption{text-align:left;padding:.3rem 0;font-size:.88rem;caption-side:top}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.8rem 0}dt{color:var(--soft)}"
    "dd{margin:0}summary{cursor:pointer;margin:.6rem 0}@media print{details>*{display:block}}";

void app_html_begin(FILE *to, const char *title) {
    (void)fprintf(to,
                  "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
                  "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
                  "<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<h1>%s</h1>\n",
                  title, style, title);
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

static void put_item(FILE *to, const char *name, const char *value) {
    (void)fprintf(to, "<dt>%s</dt><dd>", name);
    app_html_text(to, value);
    (void)fputs("</dd>\n", to);
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
    put_item(to, "problems", text);
    put_item(to, "friction model", vs_model_name(c->options.model));
    put_item(to, "solved means", criteria[c->options.solved_by]);
    (void)snprintf(text, sizeof text, "%g s per solve; fastest of %d; %d parallel process%s", c->options.max_time,
                   c->options.repeat, c->options.jobs, c->options.jobs == 1 ? "" : "es");
    put_item(to, "time limit", text);
    (void)snprintf(text, sizeof text, "%s, %ld processors, BLAS %s", processor, app_system_machine().processors,
                   vs_solver_blas());
    put_item(to, "machine", text);
    (void)snprintf(text, sizeof text, "voussoir %s, %s", vs_version(), date);
    put_item(to, "program", text);
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

static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (text)
            text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    if (file)
        (void)fclose(file);
    return text;
}

// The drawing without its file header; its ids get a prefix, because all drawings share one page.
static void put_svg(FILE *to, const char *text, int number) {
    static const char *const drop[] = {" xmlns=\"http://www.w3.org/2000/svg\"",
                                       " xmlns:xlink=\"http://www.w3.org/1999/xlink\"", "<title>Gnuplot</title>",
                                       "<desc>Produced by GNUPLOT"};
    const char *at = strstr(text, "<svg");
    while (at && *at) {
        size_t skip = 0;
        for (size_t k = 0; k < 3 && !skip; k++)
            skip = strncmp(at, drop[k], strlen(drop[k])) == 0 ? strlen(drop[k]) : 0;
        if (strncmp(at, drop[3], strlen(drop[3])) == 0) {
            const char *end = strstr(at, "</desc>");
            skip = end ? (size_t)(end + 7 - at) : 0;
        }
        if (skip) {
            at += skip;
        } else if (strncmp(at, "xlink:href='#", 13) == 0 || strncmp(at, " id='", 5) == 0 ||
                   strncmp(at, " id=\"", 5) == 0) {
            const size_t length = *at == ' ' ? 5 : 13;
            (void)fprintf(to, "%.*sp%d-", (int)(*at == ' ' ? length : length - 6), *at == ' ' ? at : at + 6, number);
            at += length;
        } else if (strncmp(at, "url(#", 5) == 0) {
            (void)fprintf(to, "url(#p%d-", number);
            at += 5;
        } else {
            (void)fputc(*at++, to);
        }
    }
}

static void put_plot(FILE *to, const app_comparison *c, const app_compare_plot *plot, int number) {
    char path[APP_COMPARE_PATH], relative[2 * APP_COMPARE_NAME];
    (void)snprintf(relative, sizeof relative, "plots/%s.svg", plot->name);
    app_compare_path(c, relative, path);
    char *text = plot->drawn ? read_all(path) : NULL;
    (void)fputs("<figure>", to);
    if (text)
        put_svg(to, text, number);
    (void)fputs("<figcaption>", to);
    if (plot->kind == APP_PLOT_HISTORY) {
        const app_compare_file *f = &c->file[plot->index];
        app_html_text(to, f->label);
        (void)fprintf(to, ", %d contacts. ", f->info.contacts);
    }
    (void)fprintf(to, "%s<code>plots/%s</code></figcaption></figure>\n",
                  text ? "" : "Not drawn (gnuplot is missing): ", plot->name);
    free(text);
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
    (void)fputs("</body>\n</html>\n", to);
    return app_output_close(&out, true);
}
