// The options of `voussoir statics` and `voussoir limit`, and their help texts.
#include "statics/options.h"

#include <stddef.h>
#include <string.h>

#include "cli/system/message.h"
#include "cli/options.h"

static bool keep(const char *name, const char *value, const char *list[], int *count) {
    if (strncmp(value, "--", 2) == 0) {
        app_complain("%s: '%s' is an option; give a value before it", name, value);
        return false;
    }
    if (*count == APP_STATICS_LISTED) {
        app_complain("%s: more than %d values", name, APP_STATICS_LISTED);
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

static bool check(const char *command, const app_statics_options *o, int operands, char **argv) {
    if (operands == 0)
        app_complain("%s: no scene given; give a file or a name from 'voussoir scenes', for instance 'voussoir %s "
                     "arch%s'",
                     command, command, strcmp(command, "limit") == 0 ? " --load x" : "");
    else if (operands > 1)
        app_complain("%s: unexpected argument '%s'; give one scene", command, argv[2]);
    else if (strcmp(command, "limit") == 0 && o->loads == 0)
        app_complain("limit: no load given; for instance --load x, a horizontal part of the weight");
    else
        return true;
    return false;
}

bool app_statics_options_read(const char *command, int argc, char **argv, app_statics_options *o) {
    const bool limit = strcmp(command, "limit") == 0;
    *o = (app_statics_options){.run = app_run_options_default(), .geometry = vs_interface_options_default()};
    if (!app_run_settings_read(command, &argc, argv, &o->run) ||
        (!limit && !app_options_take(&(app_repeated){command, "--range", "pier/stone1", take_range, o}, &argc, argv)) ||
        (limit && !app_options_take(&(app_repeated){command, "--load", "x", take_load, o}, &argc, argv)))
        return false;
    app_option table[] = {
        {.name = "--help", .flag = &o->help},
        {.name = "--angle", .number = &o->geometry.angle, .open = true, .most = .5},
        {.name = "--distance", .number = &o->geometry.distance, .open = true, .most = .5},
        {.name = "--interfaces", .flag = &o->list},
        {.name = "--time", .number = &o->geometry.time, .time = true},
        {.name = "--json", .flag = &o->json},
#ifdef APP_TRAJECTORIES
        {.name = "--output", .text = &o->output, .path = true, .writes = true},
        {.name = "-o", .text = &o->output, .path = true, .writes = true},
#endif
        {.name = "--set", .text = &o->run.scene}, // these two for the list of names only: taken out above
        {.name = limit ? "--load" : "--range", .text = &o->run.scene},
        {.name = limit ? "--nonassociative" : "--vary",
         .flag = limit ? &o->nonassociative : NULL,
         .text = limit ? NULL : &o->vary},
        {.name = limit ? NULL : "--to", .number = &o->to, .open = true},
        {.name = limit ? NULL : "--law", .flag = &o->law},
        {.name = NULL},
    };
    int operands = 0;
    if (!app_options_read(command, table, argc, argv, &operands))
        return false;
    if (o->help)
        return true;
    o->run.scene = operands > 0 ? argv[1] : NULL;
    return check(command, o, operands, argv);
}

static void print_common(FILE *to) {
    (void)fputs(
        "interfaces\n"
        "  --distance D            gaps and overlaps up to D of the smaller stone's size, default 1e-3\n"
        "  --angle A               faces up to A rad from parallel, default 0.01\n"
        "  --interfaces            list all of them: bodies, area, gap, resultant force\n\n"
        "scene and output\n"
        "  --set NAME=VALUE        set a parameter of the scene; may be repeated\n"
        "  --time T                take loads and gravity that change with time at T s, and supports that move as at\n"
        "                          rest (T = 0); without it both are refused\n"
#ifdef APP_TRAJECTORIES
        "  -o, --output FILE.h5    forces and mechanism as a trajectory, for 'voussoir view' and 'voussoir render\n"
        "                          --thrust'\n"
#endif
        "  --json                  print the result with all forces or velocities as JSON\n\n",
        to);
}

void app_statics_help(FILE *to) {
    (void)fputs(
        "usage: voussoir statics SCENE.json|NAME [OPTIONS]\n\n"
        "Tells whether blocks with dry joints stand in their present position, with a proof: either forces in all\n"
        "joints that balance weights and loads within friction (stands), or a motion that the joints allow and on\n"
        "which the loads do work (falls). Forces act at the corners of interfaces, where faces of blocks meet. If\n"
        "neither proof is found, at the limit between both, the verdict is undecided. No simulation is run. Ties\n"
        "(distance joints with limits), rods, other joints and mortar carry their part.\n\n"
        "questions\n"
        "  --range A/B[:X,Y,Z]     least and largest force on body B from body A over all equilibria, along the\n"
        "                          normal of their interface or a direction; may be repeated\n"
        "  --law                   check by one step from rest whether Coulomb's law lets it move although an\n"
        "                          equilibrium exists; always done up to 400 contacts\n"
        "  --vary NAME=FROM:TO     bisect a parameter between a value that stands and one that falls\n"
        "  --to WIDTH              width of the bracket, default 1e-6 of the range\n\n",
        to);
    print_common(to);
    (void)fputs(
        "examples\n"
        "  voussoir statics arch\n"
        "  voussoir statics arch --set thickness=0.1 -o mechanism.h5\n"
        "  voussoir statics arch --vary thickness=0.3:0.05 --to 1e-8\n"
        "  voussoir statics stone-bridge --range '#2/#3'\n\n"
        "Bodies without a name are #0, #1, ... in the order of the scene, the fixed ground is world. Exit code: 0\n"
        "with a verdict, 1 usage error, 2 bad data, 3 undecided.\n",
        to);
}

void app_limit_help(FILE *to) {
    (void)fputs(
        "usage: voussoir limit SCENE.json|NAME --load LOAD [OPTIONS]\n\n"
        "Finds the largest factor of a load that blocks with dry joints can carry beside their weight, with proofs\n"
        "from both sides: forces in equilibrium at the lower bound, and a mechanism that forbids more than the upper\n"
        "one. Sliding joints open by the friction coefficient (associated flow): for Coulomb's law the factor is an\n"
        "upper bound.\n\n"
        "load\n"
        "  --load x, -x, y, -y     each block's weight times the factor in this direction; the angle at which the\n"
        "                          ground can be tilted is reported, too\n"
        "  --load X,Y,Z            the same in any direction\n"
        "  --load BODY:X,Y,Z       a force of X, Y, Z newtons on the centre of a body; several --load act together\n"
        "  --load BODY@X,Y,Z:X,Y,Z the same at a point, in world axes\n"
        "  --nonassociative        factors of Coulomb's law without dilatancy, by two sequences of programs: they\n"
        "                          are not unique, and the error of the law is reported with each\n\n",
        to);
    print_common(to);
    (void)fputs("examples\n"
                "  voussoir limit arch --load x\n"
                "  voussoir limit brick-wall --load y --nonassociative\n"
                "  voussoir limit arch --load '#5:0,0,-1000' -o collapse.h5\n\n"
                "Exit code: 0 with both proofs, 1 usage error, 2 bad data, 3 if a proof is missing.\n",
                to);
}
