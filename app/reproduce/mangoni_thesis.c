// Mangoni, thesis: iterations of a frictionless interior point, and stacks with large mass ratios.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/entry.h"
#include "reproduce/simulate.h"
#include "reproduce/sources.h"
#include "voussoir/voussoir.h"

// ---- table 5.3 -------------------------------------------------------------------------------------

// 50 steps of h = 0.02 s at 1e-10, started cold. The spheres' size is printed as a diameter of 70 mm; 884 contacts of
// 64 spheres in a box of 1 m indicate a denser packing, as with a radius of 70 mm. Both are run.
static bool run_balls(app_repro *r, int count, double radius, app_repro_steps *sums) {
    const vs_scene_parameter parameter[] = {{"count", count}, {"radius", radius}};
    vs_scene *scene = app_repro_scene(r, "balls-in-box", parameter, 2);
    *sums = (app_repro_steps){0};
    if (scene) {
        scene->options.step = .02;
        scene->options.solver.warm_start = VS_WARM_START_NONE;
        scene->options.solver.model = VS_MODEL_FRICTIONLESS;
        scene->options.solver.method = VS_METHOD_IPM;
        scene->options.solver.tolerance = 1e-10;
    }
    vs_simulation *simulation = app_repro_simulate(r, scene);
    if (simulation)
        (void)app_repro_step(r, simulation, 50, sums);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return app_repro_goes_on(r);
}

static void run_table(app_repro *r) {
    static const struct {
        int count;
        double iterations;
    } line[] = {{64, 17.2}, {280, 17.9}, {595, 17.7}, {1190, 17.8}};
    for (int k = 0; k < (r->options->full ? 4 : 2); k++)
        for (int size = 0; size < 2; size++) {
            app_repro_steps sums;
            app_repro_say(r, "%d spheres", line[k].count);
            if (!run_balls(r, line[k].count, size ? .035 : .07, &sums))
                return;
            char what[96], note[96];
            (void)snprintf(what, sizeof what, "%d spheres of %s 70 mm: mean iterations per step", line[k].count,
                           size ? "diameter" : "radius");
            (void)snprintf(note, sizeof note, "cold start; %.0f contacts per step; %d inaccurate steps",
                           sums.contacts / sums.steps, sums.inaccurate);
            app_repro_put(r, &(app_value){.what = what,
                                          .source = line[k].iterations,
                                          .ours = sums.iterations / sums.steps,
                                          .aim = APP_LESS,
                                          .note = note});
        }
}

// ---- the stack -------------------------------------------------------------------------------------

typedef struct stack {
    bool stands;
    double iterations; // per step
    double moved;      // m, largest, of a sphere of radius 0.1 m
} stack;

// Frictionless and cold started, as in the source. The stack stands if after 100 steps no sphere has moved by more than
// a thousandth of its radius.
static bool run_stack(app_repro *r, int count, stack *s) {
    const vs_scene_parameter parameter[] = {{"count", count}, {"ratio", 10}, {"radius", .1}, {"mu", 0}};
    vs_scene *scene = app_repro_scene(r, "stacked-spheres", parameter, 4);
    if (scene) {
        scene->options.step = .05;
        scene->options.solver.warm_start = VS_WARM_START_NONE;
        scene->options.solver.model = VS_MODEL_FRICTIONLESS;
        scene->options.solver.method = VS_METHOD_IPM;
    }
    vs_simulation *simulation = app_repro_simulate(r, scene);
    app_repro_steps sums = {0};
    if (simulation)
        (void)app_repro_step(r, simulation, 100, &sums);
    *s = (stack){.iterations = sums.iterations / 100};
    for (int k = 0; scene && k < count && app_repro_goes_on(r); k++) {
        vs_body_state state;
        if (!app_repro_check(r, vs_world_get_body_state(scene->world, vs_world_get_body_at(scene->world, k), &state)))
            break;
        const vs_vec3 p = state.pose.position;
        s->moved = fmax(s->moved, hypot(hypot(p.x, p.y), p.z - .1 * (2 * k + 1)));
    }
    s->stands = s->moved <= 1e-4; // false for NaN
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return app_repro_goes_on(r);
}

static void run_stacks(app_repro *r) {
    enum { MOST = 40 };
    int highest = 0;
    double first = NAN, last = NAN, moved = 0;
    for (int count = 2; count <= MOST; count++) {
        stack s;
        app_repro_say(r, "%d spheres", count);
        if (!run_stack(r, count, &s))
            return;
        if (!s.stands)
            break;
        highest = count;
        first = count == 2 ? s.iterations : first;
        last = s.iterations;
        moved = fmax(moved, s.moved);
    }
    char note[120];
    (void)snprintf(note, sizeof note, "100 steps; maximum displacement %.1e m; %s", moved,
                   highest == MOST ? "higher stacks not tried" : "the next higher stack falls");
    app_repro_put(r, &(app_value){.what = "height of a standing stack (spheres), mass ratio 10",
                                  .format = "%.0f",
                                  .source = 15,
                                  .ours = highest,
                                  .aim = APP_MORE,
                                  .note = note});
    char what[96];
    (void)snprintf(what, sizeof what, "iterations per step: %d spheres relative to 2 spheres", highest);
    app_repro_put(r, &(app_value){.what = what,
                                  .format = "%.2f",
                                  .source = NAN,
                                  .ours = last / first,
                                  .aim = APP_NOTHING,
                                  .source_text = "grows linearly",
                                  .note = "plotted in the source, without numbers"});
}

const app_repro_entry app_repro_mangoni_thesis[] = {
    {"mangoni-thesis-tab5.3", "Frictionless balls in a box: iterations at tolerance 1e-10, cold start",
     "Mangoni, thesis, table 5.3", "5 s; --full 1 min", run_table},
    {"mangoni-thesis-stack", "Guided stack of spheres, each ten times heavier than the one below, h = 0.05 s",
     "Mangoni, thesis, section 5.3.3", "seconds", run_stacks},
    {0},
};
