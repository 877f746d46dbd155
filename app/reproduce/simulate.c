// Simulations of the entries.
#define _GNU_SOURCE
#include "reproduce/simulate.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/system/files.h"
#include "reproduce/entry.h"

vs_scene *app_repro_scene(app_repro *r, const char *name, const vs_scene_parameter *parameter, int parameters) {
    vs_scene *scene = NULL;
    return app_repro_check(r, vs_scene_make(r->context, name, parameter, parameters, &scene)) ? scene : NULL;
}

vs_simulation *app_repro_simulate(app_repro *r, vs_scene *scene) {
    vs_simulation *simulation = NULL;
    if (!scene || !app_repro_check(r, vs_simulation_create(scene->world, &scene->options, &simulation)))
        return NULL;
    return simulation;
}

bool app_repro_step(app_repro *r, vs_simulation *simulation, int steps, app_repro_steps *sums) {
    for (int k = 0; k < steps && app_repro_goes_on(r); k++) {
        vs_step_report report;
        if (!app_repro_check(r, vs_simulation_step(simulation, &report)))
            return false;
        sums->steps++;
        sums->inaccurate += report.status != VS_STATUS_CONVERGED;
        sums->iterations += report.iterations;
        sums->contacts += report.contacts;
        sums->most = report.contacts > sums->most ? report.contacts : sums->most;
    }
    return app_repro_goes_on(r);
}

// ---- piles ---------------------------------------------------------------------------------------------------------

static void pile_path(const app_repro *r, const app_repro_pile *pile, char path[APP_REPRO_PATH]) {
    (void)snprintf(path, APP_REPRO_PATH, "%s/settled-%d-%d-%g-%g-%g.hdf5", r->folder, pile->count, pile->sweeps,
                   pile->side, pile->step, pile->envelope);
}

static vs_simulation *drop(app_repro *r, const app_repro_pile *pile, vs_scene **scene) {
    const vs_scene_parameter parameter[] = {{"count", pile->count}, {"side", pile->side}, {"mu", pile->mu}};
    *scene = app_repro_scene(r, "balls-in-box", parameter, 3);
    if (!*scene)
        return NULL;
    vs_simulation_options *o = &(*scene)->options;
    o->step = pile->step;
    o->solver.method = VS_METHOD_GAUSS_SEIDEL;
    o->solver.tolerance = 1e-6;
    o->solver.max_iterations = pile->sweeps;
    o->solver.check_every = pile->sweeps < 100 ? 0 : 50;
    return app_repro_simulate(r, *scene);
}

// A copy of the problem of one more step, whose own accuracy does not matter.
static bool keep_problem(app_repro *r, vs_scene *scene, app_repro_pile *pile) {
    const vs_problem_change_def none = vs_problem_change_def_default();
    app_repro_steps sums = {0};
    scene->options.envelope = pile->envelope;
    vs_simulation *simulation = app_repro_simulate(r, scene);
    const bool good =
        simulation && app_repro_step(r, simulation, 1, &sums) &&
        app_repro_check(r, vs_problem_change(vs_simulation_get_problem(simulation), &none, &pile->problem));
    vs_simulation_destroy(simulation);
    return good;
}

bool app_repro_settle(app_repro *r, app_repro_pile *pile) {
    char path[APP_REPRO_PATH];
    pile->problem = NULL;
    pile->kinetic = NAN;
    pile_path(r, pile, path);
    if (access(path, R_OK) == 0 && vs_fclib_read(r->context, path, &pile->problem) == VS_OK)
        return true;

    vs_scene *scene = NULL;
    vs_simulation *simulation = drop(r, pile, &scene);
    const int steps = (int)lround(pile->time / pile->step);
    app_repro_steps sums = {0};
    for (int k = 0; k < steps && simulation && app_repro_goes_on(r); k++) {
        if (k % 10 == 0)
            app_repro_say(r, "settling %d spheres, %.2f of %g s", pile->count, k * pile->step, pile->time);
        (void)app_repro_step(r, simulation, 1, &sums);
    }
    pile->kinetic = simulation ? vs_world_get_energy(scene->world).kinetic : NAN;
    const bool good = simulation && app_repro_goes_on(r) && keep_problem(r, scene, pile);
    if (good) {
        // A cache for the next run: failures are ignored.
        if (app_writes(path))
            (void)vs_fclib_write(path, pile->problem, NULL);
    }
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return good;
}
