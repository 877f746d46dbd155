// voussoir convert: rewrites a problem, unchanged or with other friction, random perturbations, fewer contacts.
//
// Every random number comes from splitmix64 and belongs to one purpose and one contact or vector entry of the input:
// dropping contacts does not change how the others are perturbed. The same seed gives the same file.
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/output.h"
#include "cli/report.h"
#include "command/commands.h"
#include "voussoir/voussoir.h"

typedef struct convert_options {
    bool frictionless;
    double mu;                            // < 0: as in the file
    double scale_mu, perturb_mu, perturb; // relative
    double drop;                          // fraction of the contacts
    int seed;
} convert_options;

// ---- random numbers --------------------------------------------------------------------------------------------

// One sequence for each purpose.
typedef enum purpose { DROPPING = 1, PERTURBING_MU, PERTURBING_FIRST, PERTURBING_SECOND } purpose;

// splitmix64 (Steele, Lea, Flood 2014).
static uint64_t next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t begin_sequence(int seed, purpose what) {
    uint64_t state = (uint64_t)seed * 16 + (uint64_t)what;
    return next(&state);
}

// Uniform in [0, 1).
static double fraction(uint64_t *state) {
    return (double)(next(state) >> 11) * 0x1p-53;
}

static double either_sign(uint64_t *state) {
    return 2 * fraction(state) - 1;
}

// ---- changes ---------------------------------------------------------------------------------------------------

// The changed arrays; null: not changed.
typedef struct changes {
    double *mu, *first, *second; // (contacts); q or f; w
    bool *keep;                  // (contacts)
    int dropped;
} changes;

static void release_changes(changes *c) {
    free(c->mu);
    free(c->first);
    free(c->second);
    free(c->keep);
}

// x + eps rms(x) u; null: out of memory.
static double *perturb(const double *x, int count, double eps, uint64_t state) {
    double *out = malloc(((size_t)count + 1) * sizeof *out);
    double square = 0;
    for (int k = 0; k < count; k++)
        square += x[k] * x[k];
    const double size = count > 0 ? eps * sqrt(square / count) : 0;
    for (int k = 0; out && k < count; k++)
        out[k] = x[k] + size * either_sign(&state);
    return out;
}

static double *change_mu(const double *mu, int contacts, const convert_options *o) {
    double *out = malloc(((size_t)contacts + 1) * sizeof *out);
    uint64_t state = begin_sequence(o->seed, PERTURBING_MU);
    for (int i = 0; out && i < contacts; i++)
        out[i] = (o->mu >= 0 ? o->mu : mu[i]) * o->scale_mu * (1 + o->perturb_mu * either_sign(&state));
    return out;
}

// A box whose bounds are all zero allows no impulse: without it the problem is the same.
static bool is_box(const vs_problem_vectors *v, const int *row, int contact) {
    for (int k = row[contact]; v->lo && k < row[contact + 1]; k++)
        if (v->lo[k] != 0 || v->hi[k] != 0)
            return true;
    return false;
}

// Drops round(part * contacts) contacts by selection sampling.
static bool drop_contacts(const vs_problem *problem, int contacts, const convert_options *o, changes *c) {
    const vs_problem_vectors vectors = vs_problem_get_vectors(problem);
    const int *row = vs_problem_get_contact_rows(problem);
    int left = 0;
    c->keep = malloc(((size_t)contacts + 1) * sizeof *c->keep);
    if (!c->keep)
        return false;
    for (int i = 0; i < contacts; i++)
        left += !is_box(&vectors, row, i);
    int wanted = c->dropped = (int)lround(o->drop * left);
    uint64_t state = begin_sequence(o->seed, DROPPING);
    for (int i = 0; i < contacts; i++) {
        c->keep[i] = true;
        if (is_box(&vectors, row, i))
            continue;
        if (fraction(&state) * left < wanted) {
            c->keep[i] = false;
            wanted--;
        }
        left--;
    }
    return true;
}

// The changed copy.
static vs_error change(const vs_problem *problem, const convert_options *o, changes *c, vs_problem **changed) {
    const vs_problem_info info = vs_problem_get_info(problem);
    const vs_problem_vectors v = vs_problem_get_vectors(problem);
    bool good = true;
    if (o->mu >= 0 || o->scale_mu != 1 || o->perturb_mu > 0)
        good = (c->mu = change_mu(v.mu, info.contacts, o)) != NULL;
    if (good && o->perturb > 0) {
        const uint64_t first = begin_sequence(o->seed, PERTURBING_FIRST),
                       second = begin_sequence(o->seed, PERTURBING_SECOND);
        c->first = perturb(info.local ? v.r : v.c, info.local ? info.m : info.n, o->perturb, first);
        c->second = info.local ? NULL : perturb(v.b, info.m, o->perturb, second);
        good = c->first && (info.local || c->second);
    }
    if (good && o->drop > 0)
        good = drop_contacts(problem, info.contacts, o, c);
    if (!good)
        return VS_ERROR_MEMORY;

    vs_problem_change_def def = vs_problem_change_def_default();
    def.mu = c->mu, def.keep = c->keep;
    if (info.local)
        def.r = c->first;
    else
        def.c = c->first, def.b = c->second;
    return vs_problem_change(problem, &def, changed);
}

// ---- the command -----------------------------------------------------------------------------------------------

static int convert(const char *in, const char *out, const convert_options *options) {
    char text[512];
    changes c = {0};
    const char *path = in; // the file that an error refers to
    vs_context *context = NULL;
    vs_problem *problem = NULL, *changed = NULL;
    vs_error error = vs_context_create(NULL, &context);
    if (error == VS_OK)
        error = vs_fclib_read(context, in, &problem);
    if (error == VS_OK)
        error = change(problem, options, &c, &changed);
    if (error == VS_OK) {
        path = out;
        error = vs_fclib_write(out, changed, NULL);
    }
    if (error == VS_OK) {
        const vs_problem_info info = vs_problem_get_info(changed);
        printf("%s\n  %-20s%s", out, "written from", in);
        if (c.dropped > 0)
            printf(", %d contact%s dropped", c.dropped, c.dropped == 1 ? "" : "s");
        printf("\n");
        app_report_problem(&info);
    } else {
        (path == out ? app_explain_output : app_explain)(path, error, context, text, sizeof text);
        app_complain("%s: %s", path, text);
    }
    release_changes(&c);
    vs_problem_destroy(changed);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return app_exit_code(error);
}

static int run(void *options, const app_line *line) {
    convert_options *o = options;
    if (o->frictionless && o->mu > 0) {
        app_complain("convert: --frictionless and --mu %g exclude each other; omit one of them", o->mu);
        return APP_USAGE;
    }
    if (o->frictionless)
        o->mu = 0;
    if (line->operands != 2) {
        app_complain("convert: %s; for instance 'voussoir convert pile.hdf5 other.hdf5 --mu 0.5'",
                     line->operands < 2 ? "give two files, input and output"
                                        : "more than two files are given; convert them one by one");
        return APP_USAGE;
    }
    return app_writes(line->operand[1]) ? convert(line->operand[0], line->operand[1], o) : APP_USAGE;
}

static void prepare(void *options) {
    *(convert_options *)options = (convert_options){.mu = -1, .scale_mu = 1, .seed = 1};
}

static const app_option friction_rows[] = {
    {.name = "--mu",
     .value = "X",
     .example = "0.5",
     APP_TARGET(convert_options, mu),
     .help = "set every friction coefficient to X"},
    {.name = "--frictionless",
     APP_TARGET(convert_options, frictionless),
     .help = "the same as --mu 0; contacts keep their three rows"},
    {.name = "--scale-mu",
     .value = "F",
     .example = "0.1",
     APP_TARGET(convert_options, scale_mu),
     .help = "multiply every friction coefficient by F"},
    {.name = "--perturb-mu",
     .value = "F",
     APP_TARGET(convert_options, perturb_mu),
     .most = 1,
     .help = "multiply each by (1 + F u) with a random u in [-1, 1); F at most 1"},
    {.name = NULL},
};

static const app_option random_rows[] = {
    {.name = "--perturb",
     .value = "EPS",
     .example = "1e-3",
     APP_TARGET(convert_options, perturb),
     .help = "add EPS rms(x) u to each entry of the vectors x = q (local form) or f and w (global form), with a random "
             "u in [-1, 1); zero entries change too"},
    {.name = "--drop",
     .value = "FRACTION",
     APP_TARGET(convert_options, drop),
     .most = 1,
     .help = "drop this fraction of the contacts, rounded; box constraints are kept"},
    {.name = "--seed",
     .value = "S",
     APP_TARGET(convert_options, seed),
     .most = INT_MAX,
     .help = "random seed; the same seed gives the same file"},
    {.name = NULL},
};

const app_command app_convert_command = {
    .name = "convert",
    .summary = "rewrite a problem: change friction, perturb it, drop contacts",
    .usage = "IN.hdf5 OUT.hdf5 [OPTIONS]",
    .description =
        "Rewrites the contact problem in IN.hdf5 to OUT.hdf5 (FCLIB HDF5, compressed columns), unchanged or modified "
        "in the order of the options below. Joints, box constraints and compliance are kept; a stored solution is "
        "dropped.",
    .groups = (const app_group[]){{.title = "friction", .rows = friction_rows},
                                  {.title = "random changes", .rows = random_rows},
                                  {.rows = NULL}},
    .examples = "voussoir convert pile.hdf5 slippery.hdf5 --scale-mu 0.1\n"
                "voussoir convert pile.hdf5 other.hdf5 --perturb 1e-3 --perturb-mu 0.2 --drop 0.1 --seed 7",
    .exit_codes = "0 if OUT.hdf5 was written, 1 usage error, 2 bad data.",
    .size = sizeof(convert_options),
    .prepare = prepare,
    .run = run,
    .files = "hdf5",
};
