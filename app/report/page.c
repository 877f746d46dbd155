// The page of a report: results first, then what they rest on.
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli/html.h"
#include "cli/system/message.h"
#include "voussoir/names.h"
#include "voussoir/report.h"

enum { ROWS = 20 }; // bodies of the table

#define DEGREES (180 / 3.14159265358979323846)

static void item(FILE *to, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void item(FILE *to, const char *name, const char *format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    app_html_item(to, name, text);
}

static void begin_section(FILE *to, const char *title) {
    (void)fprintf(to, "<h2>%s</h2>\n<dl>\n", title);
}

// ---- results -----------------------------------------------------------------------------------------------------

static const char *relative_to(const app_results *x, char text[96]) {
    char name[64];
    text[0] = '\0';
    if (x->ground >= 0)
        (void)snprintf(text, 96, ", relative to %s", app_results_name(x, x->ground, name));
    return text;
}

static void put_results(FILE *to, const app_report *r) {
    const app_results *x = r->results;
    const app_way *turned = x->way, *left = x->way;
    char name[64], about[96];
    begin_section(to, "Results");
    item(to, "simulated", "from %.6g to %.6g s; %lld recorded frames", x->begin, x->end, (long long)x->info->frames);
    for (int k = 1; k < x->ways; k++) {
        turned = x->way[k].turned > turned->turned ? &x->way[k] : turned;
        left = x->way[k].last > left->last ? &x->way[k] : left;
    }
    if (x->ground >= 0)
        item(to, "moving supports", "%s and all others alike, by up to %.4g m", app_results_name(x, x->ground, name),
             x->ground_most);
    if (x->ways > 0) {
        (void)relative_to(x, about);
        item(to, "largest displacement", "%.4g m (%s)%s", x->way[0].most, app_results_name(x, x->way[0].body, name),
             about);
        item(to, "displacement at the end", "%.4g m (%s)%s", left->last, app_results_name(x, left->body, name), about);
        item(to, "largest rotation", "%.4g degrees (%s)", turned->turned * DEGREES,
             app_results_name(x, turned->body, name));
        double fastest = 0;
        for (int k = 0; k < x->ways; k++)
            fastest = fmax(fastest, x->way[k].speed);
        item(to, "speed at the end", "%.3g m/s, of the fastest centre of mass", fastest);
    }
    if (r->origin->decided)
        item(to, "statics", "%s in the initial position with the supports at rest; margin %.4g",
             vs_verdict_name(r->origin->statics.verdict), r->origin->statics.margin);
    (void)fputs("</dl>\n", to);
}

static void put_bodies(FILE *to, const app_results *x) {
    char name[64], about[96];
    if (x->ways == 0)
        return;
    (void)fputs("<div class=wide><table><caption>Bodies by their largest displacement", to);
    app_html_text(to, relative_to(x, about));
    if (x->ways > ROWS)
        (void)fprintf(to, "; the first %d of %d", ROWS, x->ways);
    (void)fputs("</caption>\n<thead><tr><th>body</th><th>mass, kg</th><th>largest, mm</th><th>at the end, mm</th>"
                "<th>rotation, degrees</th></tr></thead>\n",
                to);
    for (int k = 0; k < x->ways && k < ROWS; k++) {
        const app_way *w = &x->way[k];
        (void)fputs("<tr><td>", to);
        app_html_text(to, app_results_name(x, w->body, name));
        (void)fprintf(to, "%s</td><td>%.5g</td><td>%.4g</td><td>%.4g</td><td>%.3g</td></tr>\n",
                      w->removed ? " (removed)" : "", x->info->mass[w->body], 1e3 * w->most, 1e3 * w->last,
                      w->turned * DEGREES);
    }
    (void)fputs("</table></div>\n", to);
}

// ---- what they rest on -------------------------------------------------------------------------------------------

static void put_solver(FILE *to, const app_origin *o) {
    const vs_simulation_options *s = &o->scene->options;
    item(to, "time stepping", "scheme %s%s", vs_scheme_names()[s->scheme],
         s->accuracy > 0 ? ", steps of controlled accuracy" : ", fixed steps");
    item(to, "friction model", "%s", vs_model_names()[s->solver.model]);
    if (s->solver.tolerance > 0)
        item(to, "tolerance", "%g, relative, of every step", s->solver.tolerance);
    if (isfinite(o->mu[0]) && o->mu[0] < o->mu[1])
        item(to, "friction coefficients", "%.4g to %.4g, of the contacts at the start", o->mu[0], o->mu[1]);
    else if (isfinite(o->mu[0]))
        item(to, "friction coefficient", "%.4g, of the contacts at the start", o->mu[0]);
}

static void put_assumptions(FILE *to, const app_report *r) {
    const vs_trajectory_info *i = r->results->info;
    begin_section(to, "Assumptions");
    item(to, "bodies", "rigid, unless the scene has flexible ones; they do not crush or crack");
    item(to, "contact", "unilateral, with Coulomb friction; no strength but that of mortar in the scene");
    item(to, "gravity", "(%.6g, %.6g, %.6g) m/s^2 at the start", i->gravity.x, i->gravity.y, i->gravity.z);
    if (i->step > 0)
        item(to, "time step", "%.6g s", i->step);
    if (r->origin->path)
        put_solver(to, r->origin);
    else
        item(to, "not known here", "friction, scheme and tolerance: the trajectory does not record them; give --scene");
    (void)fputs("</dl>\n", to);
}

static void put_structure(FILE *to, const app_report *r) {
    const app_results *x = r->results;
    const app_origin *o = r->origin;
    int kinematic = 0;
    for (int b = 0; b < x->info->bodies; b++)
        kinematic += x->info->motion[b] == 1;
    begin_section(to, "Structure");
    item(to, "bodies", "%d: %d dynamic, %d with a prescribed motion, %d static", x->info->bodies, x->dynamic, kinematic,
         x->info->bodies - x->dynamic - kinematic);
    item(to, "mass", "%.6g kg, of the dynamic bodies", x->mass);
    item(to, "joints", "%d", x->info->joints);
    item(to, "contacts", "at most %.0f in a recorded step", x->contacts);
    if (o->decided)
        item(to, "interfaces",
             "%d of %.4g m^2 at the start; largest gap %.2g m, largest overlap %.2g m; weight and loads %.6g N",
             o->interfaces.interfaces, o->interfaces.area, o->interfaces.gap, o->interfaces.overlap, o->weight);
    if (o->path)
        item(to, "suspicions", "%s", o->findings.count == 0 ? "none (voussoir explain)" : o->findings.finding[0].text);
    for (int k = 1; k < o->findings.count; k++)
        item(to, "", "%s", o->findings.finding[k].text);
    (void)fputs("</dl>\n", to);
}

// ---- certificates ------------------------------------------------------------------------------------------------

static void put_certificates(FILE *to, const app_report *r) {
    const app_results *x = r->results;
    const app_origin *o = r->origin;
    begin_section(to, "Certificates");
    item(to, "solved steps", "%lld of %lld recorded frames; %s", (long long)(x->info->frames - x->unsolved),
         (long long)x->info->frames, x->unsolved == 0 ? "all to their tolerance" : "the others missed their tolerance");
    item(to, "relative error",
         "at most %.2g (energy), %.2g (natural map), measured on the unscaled contact problem of each recorded step",
         x->error, x->natural);
    item(to, "penetration", "at most %.2g m", x->penetration);
    if (x->info->joints > 0)
        item(to, "constraint drift", "at most %.2g m", x->drift);
    if (isfinite(x->share))
        item(to, "energy balance",
             "closes by definition; the time discretization accounts for %.2g of the largest energy%s", x->share,
             x->share > .01 ? ": above 0.01, shorter steps or --accuracy would lose less" : "");
    if (o->decided && o->statics.forces.holds)
        item(to, "equilibrium",
             "forces in all interfaces within friction that balance weights and loads, residual %.1e of the loads",
             o->statics.forces.residual);
    if (o->decided && o->statics.mechanism.holds)
        item(to, "mechanism",
             "a motion that the interfaces allow and on which the loads do work: no equilibrium exists");
    if (o->path && !o->decided)
        item(to, "equilibrium", "not decided by statics: %s", o->undecided);
    (void)fputs("</dl>\n", to);
    if (!isfinite(x->share))
        return;
    (void)fputs("<div class=wide><table><caption>Energy up to the last frame, J</caption>\n", to);
    (void)fprintf(to,
                  "<tr><td>kinetic energy, change</td><td>%.5g</td></tr>\n<tr><td>potential energy, "
                  "change</td><td>%.5g</td></tr>\n",
                  x->kinetic, x->potential);
    for (int k = 0; k < vs_energy_term_count() && k < APP_ENERGY_TERMS; k++)
        if (x->energy[k] != 0) {
            (void)fputs("<tr><td>", to);
            app_html_text(to, vs_energy_term_at(k).label);
            (void)fprintf(to, "%s</td><td>%.5g</td></tr>\n",
                          vs_energy_term_at(k).side == VS_ENERGY_WORK          ? " (work)"
                          : vs_energy_term_at(k).side == VS_ENERGY_DISSIPATION ? " (dissipated)"
                                                                               : "",
                          x->energy[k]);
        }
    (void)fputs("</table></div>\n", to);
}

// ---- reproduction ------------------------------------------------------------------------------------------------

static void put_reproduction(FILE *to, const app_report *r) {
    begin_section(to, "Reproduce");
    item(to, "trajectory", "%s", r->trajectory);
    if (r->origin->path)
        item(to, "scene", "%s", r->origin->path);
    if (r->command) {
        (void)fputs("<dt>command</dt><dd><code>", to);
        app_html_text(to, r->command);
        (void)fputs("</code></dd>\n", to);
    } else {
        item(to, "command", "not told (--command): voussoir run SCENE with the options of the run, -o %s",
             r->trajectory);
    }
    char software[1024];
    (void)snprintf(software, sizeof software, "%s", r->results->info->software);
    for (char *c = software; *c; c++)
        *c = *c == '\n' ? ';' : *c;
    item(to, "software of the run", "%s", software[0] ? software : "not recorded");
    item(to, "report", "voussoir %s", vs_version());
    (void)fputs(
        "</dl>\n<p class=soft>The same scene and options give the same bits with the same software, for any number of "
        "threads. Times on other machines differ.</p>\n",
        to);
}

// ---- figures -----------------------------------------------------------------------------------------------------

static bool put_pictures(FILE *to, const app_report *r) {
    for (int k = 0; k < r->pictures; k++) {
        (void)fputs("<figure>", to);
        if (!app_html_png(to, r->picture[k], r->picture[k])) {
            app_complain("%s: is no PNG picture; 'voussoir render' makes them", r->picture[k]);
            return false;
        }
        (void)fputs("</figure>\n", to);
    }
    return true;
}

static void put_figures(FILE *to, const app_report *r) {
    (void)fputs("<h2>Figures</h2>\n", to);
    for (int k = 0; k < r->figures; k++) {
        (void)fputs("<figure>", to);
        const bool drawn = r->figure[k].path[0] && app_html_svg(to, r->figure[k].path, k + 1);
        (void)fputs("<figcaption>", to);
        app_html_text(to, r->figure[k].caption);
        (void)fprintf(to, "%s</figcaption></figure>\n", drawn ? "" : " (not drawn: gnuplot is missing or failed)");
    }
}

bool app_report_write(FILE *to, const app_report *r) {
    app_html_begin(to, r->title);
    (void)fprintf(to, "<p class=soft>Simulation of rigid bodies with contact and friction by voussoir %s</p>\n",
                  vs_version());
    const bool good = put_pictures(to, r);
    put_results(to, r);
    put_bodies(to, r->results);
    put_assumptions(to, r);
    put_structure(to, r);
    put_figures(to, r);
    put_certificates(to, r);
    put_reproduction(to, r);
    app_html_end(to);
    return good;
}
