// The options of `voussoir find` and its help text.
#include "find/options.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/message.h"
#include "cli/options.h"
#include "run/options.h"
#include "sweep/options.h"
#include "sweep/space.h"

enum { VALUES_MOST = 100000 }; // steps of the range

static const char *const untils[] = {"falls", "stands", "stops", NULL};

const char *app_until_name(int until) {
    return untils[until];
}

// "tilt=0:45"
static bool read_range(const char *text, double range[2]) {
    const char *at = strchr(text, '=');
    char *end = NULL;
    range[0] = at ? strtod(at + 1, &end) : (double)NAN;
    if (!at || end == at + 1 || *end != ':')
        return false;
    at = end + 1;
    range[1] = strtod(at, &end);
    return end != at && *end == '\0' && isfinite(range[0]) && isfinite(range[1]) && range[0] != range[1];
}

// The values that the search may try: equally spaced, so that a continued search meets the same ones.
static bool make_space(app_find_options *o) {
    double range[2];
    char grid[256];
    if (!o->vary) {
        app_complain("find: no parameter varies; give --vary NAME=FROM:TO, for instance --vary tilt=0:45");
        return false;
    }
    if (!read_range(o->vary, range)) {
        app_complain("--vary: '%s' is not NAME=FROM:TO; for instance --vary tilt=0:45", o->vary);
        return false;
    }
    const double width = fabs(range[1] - range[0]), steps = ceil(width / (o->to > 0 ? o->to : 1e-3 * width) - 1e-9);
    if (!(steps <= VALUES_MOST)) {
        app_complain("--to: %g is less than 1e-5 of the range; search a smaller range", o->to);
        return false;
    }
    const int used = snprintf(grid, sizeof grid, "%s:%d", o->vary, (int)fmax(steps, 1) + 1);
    if (used < 0 || (size_t)used >= sizeof grid) {
        app_complain("--vary: '%.60s...' is too long", o->vary);
        return false;
    }
    return app_space_add_grid(&o->sweep.space, grid);
}

static bool check(const app_find_options *o, int operands, char **argv) {
    const app_run_options *run = &o->sweep.run;
    if (operands == 0)
        app_complain("find: no scene given; give a file or a name from 'voussoir scenes', for instance 'voussoir find "
                     "incline --vary angle=0:1'");
    else if (operands > 1)
        app_complain("find: unexpected argument '%s'; a search has one scene", argv[2]);
    else if (run->settings == APP_RUN_SETTINGS)
        app_complain("find: more than %d parameters; write some into the scene file", APP_RUN_SETTINGS - 1);
    else
        return true;
    return false;
}

static bool set_twice(const app_find_options *o) {
    for (int k = 0; k < o->sweep.run.settings; k++)
        if (strcmp(o->sweep.space.axis[0].name, o->sweep.run.setting[k].name) == 0) {
            app_complain("find: parameter %s is both varied and set with --set; omit one", o->sweep.space.axis[0].name);
            return true;
        }
    return false;
}

bool app_find_options_read(int argc, char **argv, app_find_options *options) {
    app_sweep_options *sweep = &options->sweep;
    *options = (app_find_options){
        .sweep = {
            .command = "find", .out = "find", .space = {.samples = 1, .seed = 1}, .run = app_run_options_default()}};
    if (!app_run_settings_read("find", &argc, argv, &sweep->run))
        return false;
    app_option table[] = {
        [APP_RUN_COMMON] = {.name = "--help", .flag = &sweep->help},
        {.name = "--vary", .text = &options->vary},
        {.name = "--until", .choice = &options->until, .choices = untils},
        {.name = "--to", .number = &options->to, .open = true},
        {.name = "--jobs", .count = &sweep->jobs, .least = 1, .most = 1024},
        {.name = "--limit", .number = &sweep->limit, .open = true, .time = true},
        {.name = "--max-memory", .number = &sweep->memory},
        {.name = "--trajectories", .flag = &options->keep},
        {.name = "--retry", .flag = &sweep->retry},
        {.name = "--out", .text = &sweep->out, .path = true, .writes = true},
        {.name = "-o", .text = &sweep->out, .path = true, .writes = true},
        {.name = "--quiet", .flag = &sweep->quiet},
        {.name = "--json", .flag = &options->json},
        {.name = "--set", .text = &options->vary}, // for the list of names only: taken out above
        {.name = NULL},
    };
    int operands = 0;
    app_run_options_list(&sweep->run, table);
    if (!app_options_read("find", table, argc, argv, &operands))
        return false;
    if (sweep->help)
        return true;
    sweep->run.scene = operands > 0 ? argv[1] : NULL;
    // What has left its place does not stand again: the rest of the run would tell nothing.
    sweep->run.stop_at_fall = options->until != APP_UNTIL_STOPS;
#ifdef APP_TRAJECTORIES
    sweep->trajectories = true;
#endif
    return check(options, operands, argv) && make_space(options) && !set_twice(options);
}

void app_find_help(FILE *to) {
    (void)fputs(
        "usage: voussoir find SCENE.json|NAME --vary NAME=FROM:TO [OPTIONS]\n\n"
        "Finds the value of a parameter at which a scene changes: the tilt at which a wall falls, the least\n"
        "friction that holds it, the load that an arch bears. Runs the scene at both ends of the range, which must\n"
        "differ, and then in between, until the change is known to --to. The result is a bracket: the last value\n"
        "before the change and the first one after it, each with its run. If the answer changes several times\n"
        "along the range, the first change that the runs show is found, and a message says so.\n\n"
        "search\n"
        "  --vary NAME=FROM:TO     the parameter (or any number of the file by its JSON pointer, such as\n"
        "                          /materials/wood/mu) and its range; TO may be less than FROM\n"
        "  --until WHAT            the change from FROM to TO: falls (default; does not stand at the end of the run:\n"
        "                          moving, or displaced), stands, or stops (by a condition of the scene)\n"
        "  --to WIDTH              width of the bracket, default 1e-3 of the range, at least 1e-5 of it\n"
        "  --set NAME=VALUE        set a parameter for all runs; may be repeated\n\n",
        to);
    app_sweep_help_simulation(to);
    (void)fputs(
        "output\n"
        "  -o, --out DIR           results, default 'find': runs.h5 and runs.csv (see 'voussoir help sweep'), and\n"
        "                          the trajectories of both ends of the bracket\n"
        "  --trajectories          keep those of all runs\n"
        "  --frame T               simulated time between their frames\n"
        "  --json                  print the result as JSON\n\n"
        "execution\n"
        "  --jobs N                parallel processes, default: one per processor; N runs divide the bracket by N + 1\n"
        "  --limit T               time limit per run, for instance 60 or 500ms; default: none\n"
        "  --max-memory G          memory limit per run in GiB, default 0: no limit\n"
        "  --retry                 repeat failed runs\n"
        "  --quiet                 do not show progress\n\n"
        "examples\n"
        "  voussoir find incline --vary angle=0:1 --to 1e-3\n"
        "  voussoir find wall.json --vary tilt=0:45 --until falls --to 0.01\n"
        "  voussoir find arch --vary thickness=0.3:0.05 --to 1e-3 -o thickness\n"
        "  voussoir find arch --vary mu=0.1:0.9 --until stands\n\n"
        "Repeating the command continues an interrupted search and repeats nothing. Exit code: 0 if the bracket\n"
        "was found and both of its runs met the tolerance; 1 usage error, 2 bad data or no change in the range,\n"
        "3 if a run failed or missed the tolerance, 130 interrupted.\n",
        to);
}
