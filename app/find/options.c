// The options of `voussoir find`.
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

static bool check(const app_find_options *o, const app_line *line) {
    const app_run_options *run = &o->sweep.run;
    if (line->operands == 0)
        app_complain("find: no scene given; give a file or a name from 'voussoir scenes', for instance 'voussoir find "
                     "incline --vary angle=0:1'");
    else if (line->operands > 1)
        app_complain("find: unexpected argument '%s'; a search has one scene", line->operand[1]);
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

bool app_find_options_complete(app_find_options *options, const app_line *line) {
    app_sweep_options *sweep = &options->sweep;
    sweep->run.scene = line->operands > 0 ? line->operand[0] : NULL;
    // What has left its place does not stand again: the rest of the run would tell nothing.
    sweep->run.stop_at_fall = options->until != APP_UNTIL_STOPS;
#ifdef APP_TRAJECTORIES
    sweep->trajectories = true;
#endif
    return check(options, line) && make_space(options) && !set_twice(options);
}

// ---- rows ------------------------------------------------------------------------------------------------------

static const app_option search_rows[] = {
    {.name = "--vary",
     .value = "NAME=FROM:TO",
     .example = "tilt=0:45",
     APP_TARGET(app_find_options, vary),
     .help = "the parameter (or any number of the file by its JSON pointer, such as /materials/wood/mu) and its range; "
             "TO may be less than FROM"},
    {.name = "--until",
     .value = "WHAT",
     APP_TARGET(app_find_options, until),
     .choices = untils,
     .help = "the change from FROM to TO: falls (does not stand at the end of the run: moving, or displaced), stands, "
             "or stops (by a condition of the scene)"},
    {.name = "--to",
     .value = "WIDTH",
     APP_TARGET(app_find_options, to),
     .open = true,
     .example = "1e-3",
     .otherwise = "1e-3 of the range",
     .help = "width of the bracket, at least 1e-5 of the range"},
    {.name = NULL},
};

static const app_option output_rows[] = {
    {.name = "--output",
     .letter = 'o',
     .value = "DIR",
     APP_TARGET(app_find_options, sweep.out),
     .path = true,
     .writes = true,
     .help = "results: runs.h5 and runs.csv (see 'voussoir help sweep'), and the trajectories of both ends of the "
             "bracket"},
    {.name = "--trajectories", APP_TARGET(app_find_options, keep), .help = "keep the trajectories of all runs"},
    {.name = "--json", APP_TARGET(app_find_options, json), .help = "print the result as JSON"},
    {.name = NULL},
};

const app_group app_find_groups[] = {
    {.title = "search", .rows = search_rows},
    {.rows = app_setting_rows, .base = offsetof(app_find_options, sweep.run)},
    {.title = "simulation", .rows = app_simulation_rows, .base = offsetof(app_find_options, sweep.run)},
    {.title = "output", .rows = output_rows},
    {.title = "execution (N jobs divide the bracket by N + 1)",
     .rows = app_execution_rows,
     .base = offsetof(app_find_options, sweep)},
    {.rows = NULL},
};
