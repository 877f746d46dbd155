// Searches for false proofs of statics and limit: random assemblies (family.h) are handed to the library as the text of a
// scene, and each verdict is compared with closed forms, each proof evaluated in quadruple precision (proof.h). Assembly k of a
// seed is always the same. Usage: --help.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../worker.h"
#include "family.h"
#include "proof.h"

static const char USAGE[] =
    "usage: forge_assemblies [--count N] [--seed S] [--first K] [--family NAME] [--spoil forces|motion|verdict]\n"
    "                        [--out FOLDER]\n"
    "\n"
    "Asks for the verdicts and limit loads of N random assemblies and checks each of them.\n"
    "\n"
    "  --count N      number of assemblies, default 1000\n"
    "  --seed S       of the assemblies, default 1\n"
    "  --first K      number of the first one, default 0: to repeat one, with --count 1\n"
    "  --family NAME  only those of a family; the names are in the table of totals\n"
    "  --spoil HOW    check wrong results, all of which must be found: the largest force changed by 1e-6, velocities\n"
    "                 reversed, or stands and falls exchanged\n"
    "  --out FOLDER   write assemblies with defects there, as scenes\n"
    "\n"
    "Exit code 1 if there is a defect. 'known': undecided or refused, although a closed form gives the answer.\n";

enum { SECONDS = 60, WALL_SECONDS = 300, FAMILIES_MOST = 20, TEXT = 400, SCENE = 200000, MOST_SHOWN = 40 };

typedef enum forge_spoil { SPOIL_NOTHING, SPOIL_FORCES, SPOIL_MOTION, SPOIL_VERDICT } forge_spoil;

typedef enum forge_defect {
    DEFECT_NONE,
    DEFECT_STANDS, // against a closed form
    DEFECT_FALLS,
    DEFECT_FACTOR,
    DEFECT_FORCES, // a proof that is none
    DEFECT_MOTION,
    DEFECT_HANG,
    DEFECT_CRASH,
    DEFECTS
} forge_defect;

static const char *const DEFECT_NAME[] = {"none",         "false stands",    "false falls", "false factor",
                                          "wrong forces", "wrong mechanism", "hang",        "crash"};

typedef struct family_totals {
    long stands, falls, undecided, refused, known;
    long limit[4], limit_refused;
    long defects;
    char refusal[TEXT]; // the last one
} family_totals;

typedef struct forge_totals {
    uint64_t current;
    int family; // of the current one
    family_totals of[FAMILIES_MOST];
    long defects[DEFECTS], spoiled, found;
    double slowest; // s
    uint64_t slowest_assembly;
} forge_totals;

typedef struct forge_settings {
    uint64_t seed, first, count;
    int family; // -1: any
    forge_spoil spoil;
    const char *out; // null: nothing is written
} forge_settings;

// An assembly at work.
typedef struct forge_trial {
    const forge_settings *settings;
    forge_totals *totals;
    uint64_t number;
    assembly assembly;
    geometry geometry;
    char scene[SCENE], text[TEXT];
    vs_context *context;
    vs_statics *statics;
    bool spoiled;
} forge_trial;

// ---- reports ---------------------------------------------------------------------------------------------

static void write_assembly(const forge_trial *t) {
    char path[1000];
    if (!t->settings->out)
        return;
    (void)snprintf(path, sizeof path, "%s/forge-%s-%llu-%llu.json", t->settings->out, t->assembly.family,
                   (unsigned long long)t->settings->seed, (unsigned long long)t->number);
    FILE *file = fopen(path, "w");
    const bool written = file && fputs(t->scene, file) >= 0;
    if ((file && fclose(file) != 0) || !written)
        printf("    not written: %s\n", path);
    else
        printf("    %s\n", path);
}

static void report_defect(forge_trial *t, forge_defect defect, const char *text) {
    long count = 0;
    t->totals->found += t->spoiled;
    t->totals->defects[defect]++;
    t->totals->of[t->totals->family].defects++;
    for (int k = 0; k < DEFECTS; k++)
        count += t->totals->defects[k];
    if (count > MOST_SHOWN || (t->settings->spoil && !t->settings->out))
        return;
    printf("%s: %s: %s\n    forge_assemblies --seed %llu --first %llu --count 1%s%s\n", t->assembly.family,
           DEFECT_NAME[defect], text, (unsigned long long)t->settings->seed, (unsigned long long)t->number,
           t->settings->family < 0 ? "" : " --family ", t->settings->family < 0 ? "" : t->assembly.family);
    write_assembly(t);
    fflush(stdout);
}

static void count_refusal(forge_trial *t) {
    const char *text = vs_context_get_error_text(t->context);
    family_totals *of = &t->totals->of[t->totals->family];
    of->refused++;
    of->known += t->assembly.truth == TRUTH_STANDS || t->assembly.truth == TRUTH_FALLS;
    (void)snprintf(of->refusal, sizeof of->refusal, "%s", text ? text : "");
}

// ---- wrong results ---------------------------------------------------------------------------------------

static bool spoil_forces(forge_trial *t, const vs_force_certificate *forces) {
    vs_vec3 *force = (vs_vec3 *)forces->force, *largest = NULL;
    for (int c = 0; c < vs_statics_get_report(t->statics).contacts; c++)
        if (!largest || fabs(force[c].x) + fabs(force[c].y) + fabs(force[c].z) >
                            fabs(largest->x) + fabs(largest->y) + fabs(largest->z))
            largest = &force[c];
    if (!largest || t->settings->spoil != SPOIL_FORCES)
        return false;
    *largest = (vs_vec3){1.000001 * largest->x, 1.000001 * largest->y, 1.000001 * largest->z};
    return true;
}

static bool spoil_motion(forge_trial *t, const vs_mechanism *mechanism) {
    vs_vec3 *velocity = (vs_vec3 *)mechanism->velocity, *spin = (vs_vec3 *)mechanism->spin;
    if (t->settings->spoil != SPOIL_MOTION)
        return false;
    for (int k = 0; k < vs_statics_get_block_count(t->statics); k++) {
        velocity[k] = (vs_vec3){-velocity[k].x, -velocity[k].y, -velocity[k].z};
        spin[k] = (vs_vec3){-spin[k].x, -spin[k].y, -spin[k].z};
    }
    return true;
}

static void spoil(forge_trial *t, vs_statics_result *r) {
    const bool known = t->assembly.truth == TRUTH_STANDS || t->assembly.truth == TRUTH_FALLS;
    t->spoiled = false;
    if (r->verdict == VS_VERDICT_STANDS)
        t->spoiled = spoil_forces(t, &r->forces);
    if (r->verdict == VS_VERDICT_FALLS)
        t->spoiled = spoil_motion(t, &r->mechanism);
    if (t->settings->spoil == SPOIL_VERDICT && known && r->verdict != VS_VERDICT_UNDECIDED) {
        r->verdict = r->verdict == VS_VERDICT_STANDS ? VS_VERDICT_FALLS : VS_VERDICT_STANDS;
        t->spoiled = true;
    }
    t->totals->spoiled += t->spoiled;
}

// ---- verdicts --------------------------------------------------------------------------------------------

// Loads that change and supports that move are not in the forces of an instant.
static bool is_at_rest(const assembly *a) {
    bool rest = true;
    for (int k = 0; k < a->solids; k++)
        rest = rest && !a->solid[k].ramped && a->solid[k].belt[0] == 0 && a->solid[k].belt[1] == 0 &&
               a->solid[k].velocity[0] == 0 && a->solid[k].velocity[1] == 0;
    return rest;
}

static void check_stands(forge_trial *t, const vs_statics_result *r) {
    const forge_truth truth = t->assembly.truth;
    if (truth == TRUTH_FALLS || truth == TRUTH_MOVES || truth == TRUTH_NONE)
        report_defect(t, DEFECT_STANDS,
                      truth == TRUTH_NONE    ? "although solids penetrate each other"
                      : truth == TRUTH_MOVES ? "although it is moved"
                                             : "by a closed form it falls");
    else if (is_at_rest(&t->assembly) &&
             !forces_prove(&t->geometry, t->statics, r->forces.force, (forge_loads){1, 0}, t->text, TEXT))
        report_defect(t, DEFECT_FORCES, t->text);
}

static void check_falls(forge_trial *t, const vs_mechanism *m) {
    const forge_truth truth = t->assembly.truth;
    if (truth == TRUTH_STANDS || truth == TRUTH_NONE)
        report_defect(t, DEFECT_FALLS,
                      truth == TRUTH_NONE ? "although solids penetrate each other" : "by a closed form it stands");
    else if (is_at_rest(&t->assembly) && !mechanism_proves(&t->geometry, t->statics, m, t->text, TEXT))
        report_defect(t, DEFECT_MOTION, t->text);
}

static void check_statics(forge_trial *t) {
    family_totals *of = &t->totals->of[t->totals->family];
    vs_statics_result r;
    if (vs_statics_solve(t->statics, &r) != VS_OK) {
        count_refusal(t);
        return;
    }
    of->stands += r.verdict == VS_VERDICT_STANDS;
    of->falls += r.verdict == VS_VERDICT_FALLS;
    of->undecided += r.verdict == VS_VERDICT_UNDECIDED;
    of->known +=
        r.verdict == VS_VERDICT_UNDECIDED && (t->assembly.truth == TRUTH_STANDS || t->assembly.truth == TRUTH_FALLS);
    spoil(t, &r);
    if (r.verdict == VS_VERDICT_STANDS)
        check_stands(t, &r);
    if (r.verdict == VS_VERDICT_FALLS)
        check_falls(t, &r.mechanism);
    t->spoiled = false;
}

// ---- limit loads -----------------------------------------------------------------------------------------

static void check_bounds(forge_trial *t, const vs_limit_result *r) {
    const double factor = t->assembly.factor, near = 1e-8 * (1 + fabs(factor)) + t->assembly.factor_guard;
    if (t->assembly.truth == TRUTH_NONE || t->assembly.truth == TRUTH_MOVES) {
        (void)snprintf(t->text, TEXT, "%g carried by what does not stand", r->lower);
        report_defect(t, DEFECT_FACTOR, t->text);
    } else if (r->lower > factor + near || r->upper < factor - near) {
        (void)snprintf(t->text, TEXT, "%.12g is not in %.12g … %.12g", factor, r->lower, r->upper);
        report_defect(t, DEFECT_FACTOR, t->text);
    } else if (is_at_rest(&t->assembly) && r->forces.holds && isfinite(r->lower) &&
               !forces_prove(&t->geometry, t->statics, r->forces.force, (forge_loads){1, r->lower}, t->text, TEXT))
        report_defect(t, DEFECT_FORCES, t->text);
    else if (is_at_rest(&t->assembly) && r->mechanism.holds && isfinite(r->upper) &&
             !bound_proves(&t->geometry, t->statics, &r->mechanism, r->upper, t->text, TEXT))
        report_defect(t, DEFECT_MOTION, t->text);
}

static void check_limit(forge_trial *t) {
    family_totals *of = &t->totals->of[t->totals->family];
    const double *d = t->assembly.direction;
    vs_limit_result r;
    if (vs_statics_add_live_weight(t->statics, (vs_vec3){d[0], d[1], d[2]}) != VS_OK ||
        vs_statics_find_limit(t->statics, &r) != VS_OK) {
        of->limit_refused++;
        return;
    }
    of->limit[r.status]++;
    if (r.status == VS_LIMIT_FALLS)
        check_falls(t, &r.mechanism);
    else if (r.status == VS_LIMIT_UNBOUNDED && isfinite(t->assembly.factor))
        report_defect(t, DEFECT_FACTOR, "unbounded");
    else if (r.status == VS_LIMIT_UNBOUNDED) {
        if (!forces_prove(&t->geometry, t->statics, r.forces.force, (forge_loads){0, 1}, t->text, TEXT))
            report_defect(t, DEFECT_FORCES, t->text);
    } else
        check_bounds(t, &r);
}

// ---- one assembly ----------------------------------------------------------------------------------------

static void draw(forge_trial *t) {
    stream random = stream_open(t->settings->seed, t->number);
    draw_assembly(&random, t->settings->family, &t->assembly);
    for (int k = 0; k < family_count(); k++)
        t->totals->family = strcmp(family_name(k), t->assembly.family) == 0 ? k : t->totals->family;
    if (!write_scene(&t->assembly, t->scene, SCENE))
        exit(2);
}

static void try_assembly(forge_trial *t) {
    vs_scene *scene = NULL;
    draw(t);
    find_geometry(&t->assembly, &t->geometry);
    limit_time(SECONDS, WALL_SECONDS);
    if (vs_scene_parse(t->context, t->scene, strlen(t->scene), "assembly", NULL, 0, &scene) != VS_OK ||
        vs_statics_create(scene->world, NULL, &t->statics) != VS_OK)
        count_refusal(t);
    else {
        check_statics(t);
        if (t->assembly.limited && !t->settings->spoil)
            check_limit(t);
    }
    limit_time(0, 0);
    vs_statics_destroy(t->statics);
    t->statics = NULL;
    vs_scene_destroy(scene);
}

// ---- processes -------------------------------------------------------------------------------------------

typedef struct forge_search {
    const forge_settings *settings;
    forge_totals *totals;
} forge_search;

static forge_trial *create_trial(const forge_search *search) {
    forge_trial *t = calloc(1, sizeof *t);
    if (!t || vs_context_create(NULL, &t->context) != VS_OK)
        exit(2);
    t->settings = search->settings;
    t->totals = search->totals;
    return t;
}

static void destroy_trial(forge_trial *t) {
    vs_context_destroy(t->context);
    free(t);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work(void *user, uint64_t from) {
    const forge_search *search = user;
    forge_trial *t = create_trial(search);
    forge_totals *totals = search->totals;
    for (t->number = from; t->number < search->settings->first + search->settings->count; t->number++) {
        totals->current = t->number;
        const double start = seconds();
        try_assembly(t);
        if (seconds() - start > totals->slowest) {
            totals->slowest = seconds() - start;
            totals->slowest_assembly = t->number;
        }
    }
    destroy_trial(t);
}

static void report_end(void *user, bool hang, const char *how) {
    const forge_search *search = user;
    forge_trial *t = create_trial(search);
    t->number = search->totals->current;
    draw(t);
    report_defect(t, hang ? DEFECT_HANG : DEFECT_CRASH, how);
    destroy_trial(t);
}

// ---- the whole -------------------------------------------------------------------------------------------

static void print_totals(const forge_settings *settings, const forge_totals *totals) {
    printf("%-9s %7s %7s %9s %7s %7s | limit %7s %9s %7s %9s %7s | %7s\n", "family", "stands", "falls", "undecided",
           "refused", "known", "found", "unbounded", "falls", "undecided", "refused", "defects");
    for (int k = 0; k < family_count(); k++) {
        const family_totals *f = &totals->of[k];
        printf("%-9s %7ld %7ld %9ld %7ld %7ld |       %7ld %9ld %7ld %9ld %7ld | %7ld\n", family_name(k), f->stands,
               f->falls, f->undecided, f->refused, f->known, f->limit[0], f->limit[1], f->limit[2], f->limit[3],
               f->limit_refused, f->defects);
    }
    for (int k = 0; k < family_count(); k++)
        if (totals->of[k].refused)
            printf("%s refused: %s\n", family_name(k), totals->of[k].refusal);
    printf("seed %llu: %llu assemblies, slowest %.2f s (assembly %llu)\n", (unsigned long long)settings->seed,
           (unsigned long long)settings->count, totals->slowest, (unsigned long long)totals->slowest_assembly);
    if (settings->spoil)
        printf("spoiled %ld, found %ld\n", totals->spoiled, totals->found);
    printf("defects:");
    for (int k = DEFECT_NONE + 1; k < DEFECTS; k++)
        printf("%s %ld %s", k > DEFECT_NONE + 1 ? "," : "", totals->defects[k], DEFECT_NAME[k]);
    printf("\n");
}

static bool read_number(const char *text, uint64_t *number) {
    char *end;
    *number = strtoull(text, &end, 10);
    return *text && !*end;
}

static bool read_spoil(const char *text, forge_spoil *how) {
    static const char *const names[] = {"", "forces", "motion", "verdict"};
    for (int k = 1; k < 4; k++)
        if (strcmp(text, names[k]) == 0)
            *how = (forge_spoil)k;
    return *how != SPOIL_NOTHING;
}

static bool read_family(const char *text, int *family) {
    for (int k = 0; k < family_count(); k++)
        if (strcmp(text, family_name(k)) == 0)
            *family = k;
    return *family >= 0;
}

static bool read_settings(int argc, char **argv, forge_settings *s) {
    bool good = argc % 2 == 1;
    for (int k = 1; k + 1 < argc && good; k += 2) {
        const char *name = argv[k], *value = argv[k + 1];
        if (strcmp(name, "--count") == 0)
            good = read_number(value, &s->count);
        else if (strcmp(name, "--seed") == 0)
            good = read_number(value, &s->seed);
        else if (strcmp(name, "--first") == 0)
            good = read_number(value, &s->first);
        else if (strcmp(name, "--family") == 0)
            good = read_family(value, &s->family);
        else if (strcmp(name, "--spoil") == 0)
            good = read_spoil(value, &s->spoil);
        else if (strcmp(name, "--out") == 0)
            s->out = value;
        else
            good = false;
    }
    return good;
}

int main(int argc, char **argv) {
    forge_settings settings = {.count = 1000, .seed = 1, .family = -1};
    if (!read_settings(argc, argv, &settings)) {
        const bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
        fputs(USAGE, help ? stdout : stderr);
        return !help;
    }
    forge_totals *totals = share_memory(sizeof *totals);
    forge_search search = {&settings, totals};
    forge_workers workers = {.work = work, .report_end = report_end, .user = &search, .current = &totals->current};
    run_workers(&workers, settings.first, settings.first + settings.count);
    print_totals(&settings, totals);
    bool defective = false;
    for (int k = 0; k < DEFECTS; k++)
        defective = defective || totals->defects[k] > 0;
    return defective;
}
