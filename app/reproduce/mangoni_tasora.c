// Mangoni and Tasora: iterations of a frictionless interior point, cold and warm started.
//
// Their stopping rule has mixed units: residual norms over their sizes below 1e-8 and mean complementarity y'l below
// 1e-7 J. Ours is on the energy error, relative to that of the free motion (e0), and on the natural map. For a body of
// 4 kg at rest and h = 0.02 s, where e0 = 0.08 J and l = 0.8 N s, y'l = 1e-7 J leaves y = 1.2e-7 m/s, an energy of
// 3e-14 J: sqrt(3e-14/0.08) = 6e-7.
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reproduce/entry.h"
#include "reproduce/simulate.h"
#include "reproduce/sources.h"
#include "voussoir/voussoir.h"

static const double TOLERANCE = 1e-8;
static const double THEIRS = 6e-7; // equivalent to the source's rule for a single body
static const double STEP = .02;    // s; not stated in the source, taken from the thesis

// A frictionless run.
typedef struct frictionless_run {
    const char *scene;
    vs_scene_parameter parameter; // null name: none
    vs_warm_start warm;
    double tolerance;
    int steps;
} frictionless_run;

static bool run_steps(app_repro *r, const frictionless_run *run, app_repro_steps *sums) {
    vs_scene *scene = app_repro_scene(r, run->scene, &run->parameter, run->parameter.name != NULL);
    *sums = (app_repro_steps){0};
    if (scene) {
        scene->options.step = STEP;
        scene->options.solver.warm_start = run->warm;
        scene->options.solver.model = VS_MODEL_FRICTIONLESS;
        scene->options.solver.method = VS_METHOD_IPM;
        scene->options.solver.tolerance = run->tolerance;
    }
    vs_simulation *simulation = app_repro_simulate(r, scene);
    if (simulation)
        (void)app_repro_step(r, simulation, run->steps, sums);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return app_repro_goes_on(r);
}

// ---- table 1 ---------------------------------------------------------------------------------------

// Counts of spheres that give our matrix (velocities and contacts) about the source's size.
static void run_table_1(app_repro *r) {
    static const struct {
        int size, count;
        double iterations;
    } line[] = {{1200, 120, 16.7}, {3200, 300, 18.6}, {4500, 415, 19.4}, {13800, 980, 18.9}};
    for (int k = 0; k < (r->options->full ? 4 : 2); k++) {
        const frictionless_run spheres = {"balls-in-box", {"count", line[k].count}, VS_WARM_START_NONE, TOLERANCE, 50};
        app_repro_steps sums;
        app_repro_say(r, "%d spheres", line[k].count);
        if (!run_steps(r, &spheres, &sums))
            return;
        char what[96], note[120];
        (void)snprintf(what, sizeof what, "matrix size %d: mean iterations per step, cold start", line[k].size);
        (void)snprintf(note, sizeof note, "%d spheres, mean matrix size %.0f; %d inaccurate steps", line[k].count,
                       6 * line[k].count + sums.contacts / sums.steps, sums.inaccurate);
        app_repro_put(r, &(app_value){.what = what,
                                      .source = line[k].iterations,
                                      .ours = sums.iterations / sums.steps,
                                      .aim = APP_LESS,
                                      .note = note});
    }
}

// ---- table 2 ---------------------------------------------------------------------------------------

typedef struct table_2 {
    const char *scene;
    vs_scene_parameter parameter;
    int calls;
    double published[3];
} table_2;

// Iterations over all calls; a warm start that already meets the tolerance counts 0.
static bool run_calls(app_repro *r, const table_2 *t, double tolerance, bool compare) {
    static const char *const names[] = {"cold start", "partial warm start (velocities)", "full warm start"};
    static const vs_warm_start warm[] = {VS_WARM_START_NONE, VS_WARM_START_PARTIAL, VS_WARM_START_FULL};
    for (int k = 0; k < 3; k++) {
        app_repro_steps sums;
        app_repro_say(r, "%s", names[k]);
        if (!run_steps(r, &(frictionless_run){t->scene, t->parameter, warm[k], tolerance, t->calls}, &sums))
            return false;
        char what[96], note[120];
        (void)snprintf(what, sizeof what, "iterations of %d solves to %g, %s", t->calls, tolerance, names[k]);
        (void)snprintf(note, sizeof note, "%s%.0f contacts per solve; %d inaccurate solves",
                       compare ? "" : "stricter than the source; ", sums.contacts / sums.steps, sums.inaccurate);
        app_repro_put(r, &(app_value){.what = what,
                                      .format = "%.0f",
                                      .source = t->published[k],
                                      .ours = sums.iterations,
                                      .aim = compare ? APP_LESS : APP_NOTHING,
                                      .note = note});
    }
    return true;
}

static void run_ball(app_repro *r) {
    const table_2 t = {"ball", {"speed", 0}, 100, {720, 515, 90}};
    (void)(run_calls(r, &t, THEIRS, true) && run_calls(r, &t, TOLERANCE, false));
}

static void run_brick(app_repro *r) {
    const table_2 t = {"box", {"speed", 0}, 100, {499, 370, 81}};
    (void)(run_calls(r, &t, THEIRS, true) && run_calls(r, &t, TOLERANCE, false));
}

static void run_balls(app_repro *r) {
    const table_2 t = {"balls-in-box", {"count", 300}, 50, {935, 927, 747}};
    (void)run_calls(r, &t, TOLERANCE, true);
}

const app_repro_entry app_repro_mangoni_tasora[] = {
    {"mangoni-tasora-tab1", "Frictionless balls in a box: iterations over matrix size, tolerance 1e-8",
     "Mangoni and Tasora, table 1", "5 s; --full 1 min", run_table_1},
    {"mangoni-tasora-tab2-ball", "Warm start: a ball at rest on a plane", "Mangoni and Tasora, table 2", "1 s",
     run_ball},
    {"mangoni-tasora-tab2-brick", "Warm start: a brick at rest on four contacts", "Mangoni and Tasora, table 2", "1 s",
     run_brick},
    {"mangoni-tasora-tab2-balls", "Warm start: balls dropped into a box", "Mangoni and Tasora, table 2", "10 s",
     run_balls},
    {0},
};
