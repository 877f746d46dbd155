// The options of `voussoir run` and its help text.
#include "run/options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/rank.h"
#include "voussoir/voussoir.h"

// In the order of the enums.
static const char *const schemes[] = {"moreau", "shake", "quasi-static", NULL};
static const char *const warms[] = {"full", "partial", "none", NULL};
static const char *const inaccurates[] = {"continue", "relaxed", "stop", NULL};
static const char *const on_overlaps[] = {"warn", "stop", "separate", NULL};

// "name=value"
static bool read_setting(void *user, const char *text) {
    app_run_options *options = user;
    const size_t length = strcspn(text, "=");
    char *end = NULL;
    const double value = text[length] ? strtod(text + length + 1, &end) : NAN;
    if (length == 0 || length >= sizeof options->name[0] || !end || end == text + length + 1 || *end ||
        !isfinite(value)) {
        app_complain("--set: '%s' is not NAME=NUMBER; for instance --set mu=0.4", text);
        return false;
    }
    if (options->settings == APP_RUN_SETTINGS) {
        app_complain("--set: more than %d parameters; write them into the scene file", APP_RUN_SETTINGS);
        return false;
    }
    char *name = options->name[options->settings];
    memcpy(name, text, length);
    name[length] = '\0';
    options->setting[options->settings++] = (vs_scene_parameter){name, value};
    return true;
}

bool app_run_settings_read(const char *command, int *argc, char **argv, app_run_options *options) {
    return app_options_take(&(app_repeated){command, "--set", "mu=0.4", read_setting, options}, argc, argv);
}

// "every 10 steps", "10 steps" or "10"
static bool read_capture(app_run_options *options) {
    const char *text = options->capture, *at = text;
    if (!text)
        return true;
    if (strncmp(at, "every ", 6) == 0)
        at += 6;
    char *end = NULL;
    errno = 0;
    const long every = strtol(at, &end, 10);
    const bool good = end != at && errno == 0 && every >= 1 && every <= 1000000000 &&
                      (*end == '\0' || strcmp(end, " steps") == 0 || strcmp(end, " step") == 0);
    if (!good)
        app_complain("--capture: '%s' is not \"every N steps\"; for instance --capture \"every 100 steps\"", text);
    options->capture_every = good ? (int)every : 0;
    return good;
}

static bool check(const app_run_options *o, int operands, char **argv) {
    if (operands == 0)
        app_complain("run: no scene given; give a file or a name from 'voussoir scenes', for instance "
                     "'%s run arch%s'",
                     app_invocation(), app_is_distributed() ? " --model relaxed" : "");
    else if (operands > 1)
        app_complain("run: unexpected argument '%s'; a run has one scene", argv[2]);
    else if (o->resume && !o->checkpoint)
        app_complain("run: --resume needs --checkpoint FILE, the checkpoint to resume from");
    else if (o->resume && o->damage)
        app_complain("run: --damage counts from the first step; omit --resume, and run it at once");
    else if (o->damage && app_is_distributed())
        app_complain("run: --damage is not available in distributed runs; omit it, or use 'voussoir run'");
    else
        return true;
    return false;
}

app_run_options app_run_options_default(void) {
    return (app_run_options){.duration = -1,
                             .step = -1,
                             .accuracy = -1,
                             .tolerance = -1,
                             .max_time = -1,
                             .frame = -1,
                             .model = -1,
                             .method = -1,
                             .warm = -1,
                             .inaccurate = -1,
                             .scheme = -1,
                             .patience = -1,
                             .checkpoint_every = 60,
                             .threads = 1};
}

void app_run_options_list(app_run_options *options, app_option table[APP_RUN_COMMON]) {
    const app_option common[APP_RUN_COMMON] = {
        {.name = "--duration", .number = &options->duration, .time = true},
        {.name = "--step", .number = &options->step, .open = true, .time = true},
        {.name = "--scheme", .choice = &options->scheme, .choices = schemes},
        {.name = "--accuracy", .number = &options->accuracy},
        {.name = "--model", .choice = &options->model, .choices = app_models},
        {.name = "--tol", .number = &options->tolerance, .open = true},
        {.name = "--solver", .choice = &options->method, .choices = app_methods},
        {.name = "--max-time", .number = &options->max_time, .time = true},
        {.name = "--patience", .count = &options->patience, .most = INT_MAX},
        {.name = "--frame", .number = &options->frame, .time = true},
        {.name = "--warm", .choice = &options->warm, .choices = warms},
        {.name = "--on-inaccurate", .choice = &options->inaccurate, .choices = inaccurates},
        {.name = "--on-overlap", .choice = &options->overlap, .choices = on_overlaps},
        {.name = "--elastic-iterations", .count = &options->elastic, .least = 1, .most = 1000},
    };
    memcpy(table, common, sizeof common);
}

bool app_run_options_read(int argc, char **argv, app_run_options *options) {
    *options = app_run_options_default();
    if (!app_run_settings_read("run", &argc, argv, options))
        return false;
    app_option table[] = {
        [APP_RUN_COMMON] = {.name = "--help", .flag = &options->help},
        {.name = "--output", .text = &options->output, .path = true, .writes = true},
        {.name = "-o", .text = &options->output, .path = true, .writes = true},
        {.name = "--checkpoint", .text = &options->checkpoint, .path = true, .writes = true},
        {.name = "--checkpoint-every", .number = &options->checkpoint_every, .open = true, .time = true},
        {.name = "--resume", .flag = &options->resume},
        {.name = "--capture", .text = &options->capture},
        {.name = "--damage", .text = &options->damage, .path = true, .writes = true},
        {.name = "--keyframe", .text = &options->keyframe},
        {.name = "--threads", .count = &options->threads, .least = 1, .most = 1024},
        {.name = "--quiet", .flag = &options->quiet},
        {.name = "--json", .flag = &options->json},
        {.name = "--set", .text = &options->scene}, // for the list of names only: taken out above
        {.name = NULL},
    };
    app_run_options_list(options, table);
    int operands = 0;
    if (!app_options_read("run", table, argc, argv, &operands))
        return false;
    if (options->help)
        return true;
    options->scene = operands > 0 ? argv[1] : NULL;
    return check(options, operands, argv) && read_capture(options);
}

static void print_distributed(FILE *to) {
    (void)fputs(
        "Distributed runs need --model relaxed or frictionless and --solver ipm (default), apgd or spg. Bodies are\n"
        "rigid; bodies connected by joints stay on one rank. --capture is not available. PETSc options follow --.\n"
        "See 'voussoir-mpi --help'.\n\n",
        to);
}

static void print_examples(FILE *to) {
    (void)fputs(app_is_distributed()
                    ? "examples\n"
                      "  mpirun -np 2 voussoir-mpi run brick-wall --model relaxed --duration 2 -o wall.h5\n"
                      "  mpirun -np 4 voussoir-mpi run scene.json --model relaxed -o out.h5 --checkpoint out.ck\n"
                      "  mpirun -np 2 voussoir-mpi run scene.json --model relaxed -o out.h5 --checkpoint out.ck "
                      "--resume\n\n"
                    : "examples\n"
                      "  voussoir run arch\n"
                      "  voussoir run brick-wall --set rows=20 --set columns=10 --duration 2 -o wall.h5\n"
                      "  voussoir run scene.json -o out.h5 --checkpoint out.ck          stop it with Ctrl-C, then\n"
                      "  voussoir run scene.json -o out.h5 --checkpoint out.ck --resume  resume it\n"
                      "  voussoir run balls-in-box --capture \"every 100 steps\" && voussoir solve "
                      "balls-in-box-*.hdf5\n\n",
                to);
}

void app_run_help(FILE *to) {
    (void)fprintf(to, "usage: %s run SCENE.json|ROBOT.urdf|MODEL.xml|NAME [OPTIONS]%s\n\n", app_invocation(),
                  app_is_distributed() ? " [-- PETSC OPTIONS]" : "");
    (void)fputs(
        "Simulates a scene file or a built-in scene ('voussoir scenes') and reports the accuracy of every step.\n\n",
        to);
    if (app_is_distributed())
        print_distributed(to);
    (void)fputs(
        "scene\n"
        "  --set NAME=VALUE        set a parameter of the scene, or any number of the file by its JSON pointer, for\n"
        "                          instance /materials/wood/mu; may be repeated\n"
        "  --keyframe NAME         start in a state that the file of a robot has (MJCF), for instance home\n"
        "  --duration T            simulated time; default: the scene's. Times are in seconds or have a unit: 2ms\n"
        "  --step T                time step; default: the scene's (1/240 s)\n\n"
        "method\n"
        "  --scheme NAME           time stepping: moreau (default), shake, of second order where the motion is\n"
        "                          smooth, or quasi-static, steps from rest for slow loading\n"
        "  --accuracy A            divide each step into as many as it takes for estimated errors of at most A times\n"
        "                          a body's size, for instance 1e-3, and locate impacts; --step is then the longest\n"
        "                          step. 0: off. Not with flexible bodies\n"
        "  --model NAME            friction model: exact (Coulomb), relaxed (convex) or frictionless\n"
        "  --tol T                 tolerance of each step, default 1e-6 (see 'voussoir help solve')\n"
        "  --patience N            factorizations after which a group of contacts is given up in a step, default\n"
        "                          1000; 0: no limit. The step uses its best iterate and counts as inaccurate\n"
        "  --solver NAME           solver of each step, default auto (see 'voussoir help solve')\n"
        "  --max-time T            time budget of each step's solve, for instance 2ms; default 0: no limit. A step\n"
        "                          that exceeds it uses its best iterate and counts as inaccurate; at least ten\n"
        "                          sweeps over the contacts are always done\n"
        "  --warm KIND             warm start from the previous step: full (default), partial (velocities) or none\n"
        "  --on-inaccurate ACTION  when a step misses the tolerance: continue with the best iterate (default),\n"
        "                          relaxed (use the solution of the convex model) or stop\n"
        "  --on-overlap ACTION     when bodies overlap at the start: warn (default), stop (exit code 2) or separate\n"
        "                          (move them apart before the first step, without turning them)\n"
        "  --elastic-iterations N  Newton iterations per step of flexible solids, for instance 20; default: the\n"
        "                          scene's (1). More iterations keep large steps from gaining energy, at several\n"
        "                          times the cost\n"
        "  --threads N             number of threads, default 1; the result does not depend on it, bit for bit\n\n"
        "output\n"
        "  -o, --output OUT.h5     write the trajectory; /dev/null: record nothing\n"
        "  --frame T               simulated time between frames; 0: every step; default: the scene's\n"
        "  --checkpoint FILE       write the state periodically, on interruption and at the end\n"
        "  --checkpoint-every T    wall time between checkpoints, default 60 (seconds)\n"
        "  --resume                resume from the checkpoint and append to the trajectory, bit for bit as if\n"
        "                          uninterrupted\n"
        "  --capture \"every N steps\"  write the contact problem of every N-th step to NAME-STEP.hdf5 (FCLIB), "
        "beside\n"
        "                          the output or in the current directory, for 'voussoir solve'\n"
        "  --damage FILE.csv       write how far each joint between two blocks opened and slipped, at most and at the\n"
        "                          end, and the energy that its friction dissipated; not for blocks on meshes\n"
        "  --json                  print the summary as JSON\n"
        "  --quiet                 do not show progress\n\n",
        to);
    print_examples(to);
    (void)fputs(
        "Ctrl-C or SIGTERM (kill) ends the run after the current step, a second one kills it. In the background of a\n"
        "script, where shells ignore Ctrl-C (SIGINT), use SIGTERM.\n"
        "Exit code: 0 if every step met the tolerance; 1 usage error, 2 bad data, 3 tolerance missed by some steps,\n"
        "130 interrupted.\n",
        to);
}
