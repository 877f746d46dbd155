// Mazhar et al. 2014: one step of settled spheres, by an interior point and by APGD.
//
// Section 5.1 settles 320 spheres with up to 10 000 iterations per step, and with 10, and solves the following step:
// Mosek's iterations, and those of APGD to the same objective. Section 5.2 does so for growing numbers of spheres.
// The relaxed model throughout, whose objective is 1/2 l'N l + r'l.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "reproduce/entry.h"
#include "reproduce/figure.h"
#include "reproduce/mazhar_dynamics.h"
#include "reproduce/simulate.h"
#include "reproduce/solve.h"
#include "reproduce/sources.h"
#include "voussoir/voussoir.h"

// ---- section 5.1 -----------------------------------------------------------------------------------

static vs_solver_options options_of(vs_method method, double tolerance, int most) {
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_RELAXED;
    options.method = method;
    options.tolerance = tolerance;
    options.max_iterations = most;
    return options;
}

// Iterations after which an objective is reached: by doubling, then halving. -1: not within `most`, -2: no such method.
static bool count_iterations(app_repro *r, const vs_problem *problem, vs_method method, double objective, int most,
                             int *count) {
    int low = 0, high = 0;
    *count = -1;
    for (int k = 64; high == 0 && k <= most; k *= 2) {
        const vs_solver_options options = options_of(method, 1e-14, k);
        app_repro_solved s;
        if (!app_repro_solve(r, problem, &options, 0, &s) || !app_repro_goes_on(r))
            return false;
        if (!s.supported)
            *count = -2;
        if (!s.supported || (s.status != VS_STATUS_ITERATION_LIMIT && s.objective > objective))
            return true;
        if (s.objective <= objective)
            high = k;
        else
            low = k;
    }
    while (high > 0 && high - low > 1) {
        const int middle = low + (high - low) / 2;
        const vs_solver_options options = options_of(method, 1e-14, middle);
        app_repro_solved s;
        if (!app_repro_solve(r, problem, &options, 0, &s) || !app_repro_goes_on(r))
            return false;
        if (s.objective <= objective)
            high = middle;
        else
            low = middle;
    }
    *count = high > 0 ? high : -1;
    return true;
}

// Printed values of a pile.
typedef struct printed {
    const char *name;
    int sweeps; // of our settling
    double mosek, apgd, digits;
} printed;

// digits: relative difference between the objectives of APGD and Mosek in the source.
static bool run_pile(app_repro *r, const printed *p) {
    app_repro_pile pile = {.count = 320, .sweeps = p->sweeps, .side = 1, .mu = .3, .step = .01, .time = 1.5};
    const vs_solver_options ours = options_of(VS_METHOD_IPM, 1e-8, -1);
    app_repro_solved s;
    int apgd = -1;
    if (!app_repro_settle(r, &pile))
        return false;
    app_repro_say(r, "%s settled: solving", p->name);
    const int contacts = vs_problem_get_info(pile.problem).contacts;
    bool good = app_repro_solve(r, pile.problem, &ours, 0, &s);
    if (good)
        good = count_iterations(r, pile.problem, VS_METHOD_APGD, s.objective + p->digits * fabs(s.objective), 1 << 17,
                                &apgd);
    vs_problem_destroy(pile.problem);
    if (!good)
        return false;
    char what[96], note[120];
    (void)snprintf(what, sizeof what, "%s settled: iterations of the interior point (source: Mosek)", p->name);
    (void)snprintf(note, sizeof note, "%d contacts; to 1e-8; objective %.6g J, error %.0e, %s", contacts, s.objective,
                   s.error, s.reached ? "reached" : "NOT reached");
    app_repro_put(r, &(app_value){.what = what,
                                  .format = "%.0f",
                                  .source = p->mosek,
                                  .ours = (double)s.iterations,
                                  .aim = APP_LESS,
                                  .note = note});
    (void)snprintf(what, sizeof what, "%s settled: iterations of APGD to the same objective", p->name);
    (void)snprintf(note, sizeof note, "%s",
                   apgd == -2   ? "not in this build"
                   : apgd == -1 ? "not reached in 131072 iterations"
                                : "different pile; to the digits printed in the source");
    app_repro_put(r, &(app_value){.what = what,
                                  .format = "%.0f",
                                  .source = p->apgd,
                                  .ours = apgd > 0 ? (double)apgd : (double)NAN,
                                  .aim = APP_NOTHING,
                                  .note = note});
    return true;
}

static void run_settled(app_repro *r) {
    static const printed piles[] = {{"thoroughly", 1000, 23, 561, 4e-5}, {"poorly", 10, 21, 825, 2e-5}};
    for (int k = 0; k < 2 && run_pile(r, &piles[k]); k++)
        continue;
}

// ---- section 5.2 -----------------------------------------------------------------------------------

enum { SIZES = 7 };
static const int sizes[SIZES] = {64, 128, 256, 512, 1024, 2048, 2560};

// One size of pile, by both methods to the same tolerance.
typedef struct growth {
    int count, contacts;
    app_repro_solved ours, apgd;
} growth;

static bool run_size(app_repro *r, int count, growth *g) {
    app_repro_pile pile = {.count = count, .sweeps = 300, .side = 1, .mu = .3, .step = .01, .time = 1.5};
    const vs_solver_options ours = options_of(VS_METHOD_IPM, 1e-6, -1);
    const vs_solver_options apgd = options_of(VS_METHOD_APGD, 1e-6, -1);
    if (!app_repro_settle(r, &pile))
        return false;
    app_repro_say(r, "%d spheres: solving", count);
    g->count = count;
    g->contacts = vs_problem_get_info(pile.problem).contacts;
    const bool good = app_repro_solve(r, pile.problem, &ours, 0, &g->ours) && app_repro_goes_on(r) &&
                      app_repro_solve(r, pile.problem, &apgd, 60, &g->apgd);
    vs_problem_destroy(pile.problem);
    return good && app_repro_goes_on(r);
}

static void put_size(app_repro *r, const growth *g) {
    char what[96], note[120];
    (void)snprintf(what, sizeof what, "%d spheres, %d contacts: interior point (s)", g->count, g->contacts);
    (void)snprintf(note, sizeof note, "to 1e-6%s; %d iterations; in the source Mosek is about as fast as APGD",
                   g->ours.reached ? "" : ", NOT reached", g->ours.iterations);
    app_repro_put(
        r,
        &(app_value){
            .what = what, .format = "%.3g", .source = NAN, .ours = g->ours.seconds, .aim = APP_NOTHING, .note = note});
    if (!g->apgd.supported)
        return;
    (void)snprintf(what, sizeof what, "%d spheres, %d contacts: APGD (s)", g->count, g->contacts);
    (void)snprintf(note, sizeof note, "%d iterations%s", g->apgd.iterations,
                   g->apgd.reached ? "" : "; stopped after one minute");
    app_repro_put(
        r,
        &(app_value){
            .what = what, .format = "%.3g", .source = NAN, .ours = g->apgd.seconds, .aim = APP_NOTHING, .note = note});
}

static void draw_growth(app_repro *r, const growth *g, int count) {
    static const char name[] = "mazhar-5.2";
    FILE *file = app_repro_csv(r, name);
    if (!file)
        return;
    (void)fputs("spheres,contacts,interior_point_s,interior_point_iterations,apgd_s,apgd_iterations\n", file);
    for (int k = 0; k < count; k++)
        (void)fprintf(file, "%d,%d,%.6g,%d,%.6g,%d\n", g[k].count, g[k].contacts, g[k].ours.seconds,
                      g[k].ours.iterations, g[k].apgd.supported ? g[k].apgd.seconds : (double)NAN,
                      g[k].apgd.iterations);
    if (!app_repro_csv_close(r, file, name) || !(file = app_repro_figure(r, name, 720, 420)))
        return;
    (void)fprintf(file,
                  "set logscale xy\nset format y '10^{%%T}'\nset xlabel 'contacts'\n"
                  "set ylabel 'processor time of one step (s)'\nset key top left\n"
                  "plot '%s.csv' u 2:3 w lp ls 1 t 'interior point (default)', '' u 2:5 w lp ls 2 t 'APGD'\n",
                  name);
    app_repro_draw(r, file, name);
}

static void run_growth(app_repro *r) {
    static growth g[SIZES];
    const int count = r->options->full ? SIZES : 4;
    for (int k = 0; k < count; k++) {
        if (!run_size(r, sizes[k], &g[k]))
            return;
        put_size(r, &g[k]);
    }
    const growth *first = &g[count - 3], *last = &g[count - 1];
    app_repro_put(r, &(app_value){.what = "interior point: exponent of time over number of contacts",
                                  .format = "%.2f",
                                  .source = NAN,
                                  .ours = log(last->ours.seconds / first->ours.seconds) /
                                          log((double)last->contacts / first->contacts),
                                  .aim = APP_NOTHING,
                                  .note = "over the three largest sizes"});
    app_repro_put(r, &(app_value){.what = "time of the largest problem (s); source: PATH from 448 spheres on",
                                  .format = "%.3g",
                                  .source = 3600,
                                  .ours = last->ours.seconds,
                                  .aim = APP_LESS,
                                  .source_text = "over 3600",
                                  .note = "different machine"});
    draw_growth(r, g, count);
}

const app_repro_entry app_repro_mazhar[] = {
    {"mazhar-5.1", "320 settled spheres, one step: iterations of interior point and APGD",
     "Mazhar et al. 2014, section 5.1", "20 s", run_settled},
    {"mazhar-5.2", "64 to 2560 settled spheres, one step: growth of time with size",
     "Mazhar et al. 2014, section 5.2, figure 5", "1 min; --full 10 min", run_growth},
    {"mazhar-dynamics-ball", "Ball from sliding to rolling, mu = 0.2, relaxed and exact model",
     "Mazhar et al. 2014, figures 8-11", "1 s", app_repro_mazhar_ball},
    {"mazhar-dynamics-box", "Box sliding to rest, mu = 0.3, relaxed and exact model",
     "Mazhar et al. 2014, figures 13-14", "1 s", app_repro_mazhar_box},
    {"mazhar-dynamics-incline-65", "Box released on a slope of 65 degrees, mu = 0.2, relaxed and exact model",
     "Mazhar et al. 2014, figures 16-17", "1 s", app_repro_mazhar_incline_65},
    {"mazhar-dynamics-incline-25", "Box sliding to rest on a slope of 25 degrees, mu = 0.6, relaxed and exact model",
     "Mazhar et al. 2014, figures 19-20", "1 s", app_repro_mazhar_incline_25},
    {0},
};
