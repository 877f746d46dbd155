// voussoir statics: does an assembly of blocks stand, with a proof.
#include "statics/statics.h"

#include <jansson.h>
#include <stdio.h>

#include "check/warn.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/json.h"
#include "cli/system/message.h"
#include "cli/report.h"
#include "cli/scene.h"
#include "statics/film.h"
#include "statics/json.h"
#include "statics/load.h"
#include "statics/options.h"
#include "statics/report.h"
#include "statics/search.h"

enum { CONTACTS_OF_A_MOMENT = 400 };

typedef struct found_range {
    double value[2]; // N
} found_range;

static bool find_ranges(app_assembly *a, const app_statics_options *o, found_range *range) {
    for (int k = 0; k < o->ranges; k++) {
        int number;
        vs_vec3 direction;
        if (!app_range_find(a, o->range[k], &number, &direction)) {
            a->code = APP_USAGE;
            return false;
        }
        if (!app_assembly_check(a, vs_statics_find_range(a->statics, number, direction, range[k].value)))
            return false;
    }
    return true;
}

static void report_law(const vs_law_check *law) {
    app_report_name("exact law");
    if (!law->decided)
        printf("undecided: the step missed its tolerance (error %.1e)\n", law->error);
    else if (law->moves)
        printf("moves from rest (%.2g of free fall): the equilibrium depends on how its forces arose\n", law->speed);
    else
        printf("stays at rest (%.1e of free fall)\n", law->speed);
}

static void report(const app_assembly *a, const app_statics_options *o, const vs_statics_result *r,
                   const found_range *range, const vs_law_check *law) {
    printf("%s: %s\n", o->run.scene, vs_verdict_name(r->verdict));
    app_statics_report_geometry(a);
    app_report_name("margin");
    printf("%.6g (1: each contact may keep a mean load from its cone; below 0: it falls); %d iterations\n", r->margin,
           r->iterations);
    if (r->between) {
        app_report_name("round faces");
        printf("polygons inside of them fall, those around them stand: the limit is within 0.12 %% of the load\n");
    }
    if (r->verdict != VS_VERDICT_FALLS && r->forces.force)
        app_statics_report_forces(a, &r->forces);
    if (r->verdict != VS_VERDICT_STANDS && !r->between)
        app_statics_report_mechanism(a, &r->mechanism);
    for (int k = 0; k < o->ranges; k++) {
        app_report_name(k == 0 ? "ranges" : "");
        printf("%s: %.10g to %.10g N\n", o->range[k], range[k].value[0], range[k].value[1]);
    }
    if (o->law || (law->decided && r->verdict == VS_VERDICT_STANDS))
        report_law(law);
    if (o->list)
        app_statics_report_interfaces(a, r->verdict == VS_VERDICT_STANDS ? r->forces.force : NULL);
}

static json_t *law_object(const vs_law_check *law) {
    json_t *o = json_object();
    app_json_put(o, "decided", json_boolean(law->decided));
    app_json_put(o, "moves", json_boolean(law->moves));
    app_json_put(o, "speed", app_json_number(law->speed));
    app_json_put(o, "error", app_json_number(law->error));
    return o;
}

static bool print_json(const app_assembly *a, const app_statics_options *o, const vs_statics_result *r,
                       const found_range *range, const vs_law_check *law) {
    json_t *out = app_statics_json(a, o->run.scene, r->verdict == VS_VERDICT_STANDS ? r->forces.force : NULL);
    json_t *ranges = json_array();
    app_json_put(out, "verdict", app_json_text(vs_verdict_name(r->verdict)));
    app_json_put(out, "between_round_outlines", json_boolean(r->between));
    app_json_put(out, "margin", app_json_number(r->margin));
    app_json_put(out, "iterations", app_json_count(r->iterations));
    app_json_put(out, "forces", app_statics_json_forces(a, &r->forces));
    app_json_put(out, "mechanism",
                 r->verdict == VS_VERDICT_STANDS ? json_null() : app_statics_json_mechanism(a, &r->mechanism));
    for (int k = 0; k < o->ranges; k++) {
        json_t *one = json_object();
        app_json_put(one, "of", app_json_text(o->range[k]));
        app_json_put(one, "least_N", app_json_number(range[k].value[0]));
        app_json_put(one, "most_N", app_json_number(range[k].value[1]));
        (void)json_array_append_new(ranges, one);
    }
    app_json_put(out, "ranges", ranges);
    app_json_put(out, "law", o->law || law->decided ? law_object(law) : json_null());
    return app_json_print(out, false);
}

// The law is checked without being asked where that takes a moment only.
static bool asks_law(const app_assembly *a, const app_statics_options *o) {
    return o->law || (vs_statics_get_report(a->statics).contacts <= CONTACTS_OF_A_MOMENT &&
                      vs_statics_get_joint_count(a->statics) == 0 && vs_world_get_mortar_count(a->scene->world) == 0);
}

static int decide(app_assembly *a, const app_statics_options *o) {
    vs_statics_result r;
    found_range range[APP_STATICS_LISTED];
    vs_law_check law = {.decided = false};
    // The others first: the arrays of the result belong to the last call.
    if (!app_assembly_open(a, o))
        return a->code;
    app_check_warn(a->scene, o->run.scene, NULL);
    if (!find_ranges(a, o, range) ||
        (asks_law(a, o) && !app_assembly_check(a, vs_statics_check_law(a->statics, &law))) ||
        !app_assembly_check(a, vs_statics_solve(a->statics, &r)))
        return a->code;
#ifdef APP_TRAJECTORIES
    if (o->output && r.verdict == VS_VERDICT_STANDS && !app_film_write_forces(a, r.forces.force, o->output))
        return a->code;
    if (o->output && r.verdict != VS_VERDICT_STANDS && !app_film_write(a, &r.mechanism, NULL, o->output))
        return a->code;
#endif
    if (o->json && !print_json(a, o, &r, range, &law))
        return APP_DATA;
    if (!o->json)
        report(a, o, &r, range, &law);
    return r.verdict == VS_VERDICT_UNDECIDED ? APP_TOLERANCE : APP_DONE;
}

static int run(void *options, const app_line *line) {
    app_statics_options *o = options;
    app_assembly a = {0};
    if (!app_statics_options_complete("statics", o, line))
        return APP_USAGE;
    if (o->vary)
        return app_statics_search(o);
    const int code = decide(&a, o);
    app_assembly_release(&a);
    return code;
}

static void prepare(void *options) {
    *(app_statics_options *)options = app_statics_options_default();
}

const app_command app_statics_command = {
    .name = "statics",
    .summary = "decide whether blocks with dry joints stand, with a proof",
    .usage = "SCENE.json|NAME [OPTIONS]",
    .description =
        "Decides, with a proof, whether blocks with dry joints stand in their present position: either forces in all "
        "joints that balance weights and loads within friction (stands), or a motion that the joints allow and on "
        "which the loads do work (falls). Forces act at the corners of interfaces, where faces of blocks meet. If "
        "neither proof is found, at the limit between both, the verdict is undecided. No simulation is run. Ties "
        "(distance joints with limits), rods, other joints and mortar carry their part.",
    .groups = app_statics_groups,
    .examples = "voussoir statics arch\n"
                "voussoir statics arch --set thickness=0.1 -o mechanism.h5\n"
                "voussoir statics arch --vary thickness=0.3:0.05 --to 1e-8\n"
                "voussoir statics stone-bridge --range '#2/#3'",
    .notes = "Bodies without a name are #0, #1, ... in the order of the scene, the fixed ground is world.",
    .exit_codes = "0 with a verdict, 1 usage error, 2 bad data, 3 undecided.",
    .size = sizeof(app_statics_options),
    .prepare = prepare,
    .run = run,
    .computes = true,
    .files = "json",
    .word = app_scene_word,
};
