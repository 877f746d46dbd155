// The options of `voussoir statics` and `voussoir limit`.
#include "statics/options.h"

#include <stddef.h>
#include <string.h>

#include "cli/system/message.h"
#include "cli/options.h"

static bool keep(const char *name, const char *value, const char *list[], int *count) {
    if (*count == APP_STATICS_LISTED) {
        app_complain("%s: more than %d values; give fewer", name, APP_STATICS_LISTED);
        return false;
    }
    list[(*count)++] = value;
    return true;
}

static bool take_range(void *user, const char *value) {
    app_statics_options *o = user;
    return keep("--range", value, o->range, &o->ranges);
}

static bool take_load(void *user, const char *value) {
    app_statics_options *o = user;
    return keep("--load", value, o->load, &o->loads);
}

bool app_statics_options_complete(const char *command, app_statics_options *o, const app_line *line) {
    const bool limit = strcmp(command, "limit") == 0;
    o->run.scene = line->operands > 0 ? line->operand[0] : NULL;
    if (line->operands == 0)
        app_complain("%s: no scene given; give a file or a name from 'voussoir scenes', for instance 'voussoir %s "
                     "arch%s'",
                     command, command, limit ? " --load x" : "");
    else if (line->operands > 1)
        app_complain("%s: unexpected argument '%s'; give one scene", command, line->operand[1]);
    else if (limit && o->loads == 0)
        app_complain("limit: no load given; for instance --load x, a horizontal part of the weight");
    else
        return true;
    return false;
}

app_statics_options app_statics_options_default(void) {
    return (app_statics_options){.run = app_run_options_default(), .geometry = vs_interface_options_default()};
}

// ---- rows ------------------------------------------------------------------------------------------------------

static const app_option question_rows[] = {
    {.name = "--range",
     .value = "A/B[:X,Y,Z]",
     .example = "pier/stone1",
     .take = take_range,
     .help = "least and largest force on body B from body A over all equilibria, along the normal of their interface "
             "or a direction"},
    {.name = "--law",
     APP_TARGET(app_statics_options, law),
     .help = "check by one step from rest whether Coulomb's law lets it move although an equilibrium exists; always "
             "done up to 400 contacts"},
    {.name = "--vary",
     .value = "NAME=FROM:TO",
     .example = "thickness=0.3:0.05",
     APP_TARGET(app_statics_options, vary),
     .help = "bisect a parameter between a value that stands and one that falls"},
    {.name = "--to",
     .value = "WIDTH",
     APP_TARGET(app_statics_options, to),
     .open = true,
     .otherwise = "1e-6 of the range",
     .help = "width of the bracket"},
    {.name = NULL},
};

static const app_option load_rows[] = {
    {.name = "--load",
     .value = "LOAD",
     .example = "x",
     .take = take_load,
     .help = "a load; several act together:\n"
             "x, -x, y, -y or X,Y,Z: each block's weight times the factor in this direction; the angle at which the "
             "ground can be tilted is reported, too;\n"
             "BODY:X,Y,Z: a force of X, Y, Z newtons on the centre of a body;\n"
             "BODY@X,Y,Z:X,Y,Z: the same at a point, in world axes"},
    {.name = "--nonassociative",
     APP_TARGET(app_statics_options, nonassociative),
     .help = "factors of Coulomb's law without dilatancy, by two sequences of programs: they are not unique, and the "
             "error of the law is reported with each"},
    {.name = "--gradient",
     APP_TARGET(app_statics_options, gradient),
     .help = "the ten parameters whose change by 1 % changes the factor most: densities of blocks, friction of "
             "interfaces, corners of interfaces (by 1 % of the interface's size); with --json all of them"},
    {.name = NULL},
};

static const app_option interface_rows[] = {
    {.name = "--distance",
     .value = "D",
     APP_TARGET(app_statics_options, geometry.distance),
     .open = true,
     .most = .5,
     .help = "gaps and overlaps up to D of the smaller stone's size"},
    {.name = "--angle",
     .value = "A",
     APP_TARGET(app_statics_options, geometry.angle),
     .open = true,
     .most = .5,
     .help = "faces up to A rad from parallel"},
    {.name = "--interfaces",
     APP_TARGET(app_statics_options, list),
     .help = "list all of them: bodies, area, gap, resultant force"},
    {.name = NULL},
};

static const app_option output_rows[] = {
    {.name = "--time",
     .value = "T",
     APP_TARGET(app_statics_options, geometry.time),
     .time = true,
     .help = "take loads and gravity that change with time at T s, and supports that move as at rest (T = 0); without "
             "it both are refused"},
#ifdef APP_TRAJECTORIES
    {.name = "--output",
     .letter = 'o',
     .value = "FILE.h5",
     APP_TARGET(app_statics_options, output),
     .path = true,
     .writes = true,
     .help = "forces and mechanism as a trajectory, for 'voussoir view' and 'voussoir render --thrust'"},
#endif
    {.name = "--json",
     APP_TARGET(app_statics_options, json),
     .help = "print the result with all forces or velocities as JSON"},
    {.name = NULL},
};

#define SHARED                                                                                                         \
    {.title = "interfaces", .rows = interface_rows},                                                                   \
        {.title = "scene and output", .rows = app_setting_rows, .base = offsetof(app_statics_options, run)},           \
        {.rows = output_rows}, {                                                                                       \
        .rows = NULL                                                                                                   \
    }

const app_group app_statics_groups[] = {{.title = "questions", .rows = question_rows}, SHARED};
const app_group app_limit_groups[] = {{.title = "load", .rows = load_rows}, SHARED};
