// voussoir limit: the largest factor of a load, with proofs from both sides.
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/json.h"
#include "cli/system/message.h"
#include "cli/report.h"
#include "cli/scene.h"
#include "statics/film.h"
#include "statics/gradient.h"
#include "statics/json.h"
#include "statics/load.h"
#include "statics/options.h"
#include "statics/report.h"
#include "statics/statics.h"

typedef struct limit {
    const app_statics_options *options;
    app_assembly assembly;
    vs_limit_result result;
    vs_nonassociative high, low;
    vs_limit_gradient gradient; // if it was asked for and the limit was found
    double tilt;                // rad; NaN: the load is no tilt
} limit;

static bool add_loads(limit *l) {
    for (int k = 0; k < l->options->loads; k++) {
        bool weight;
        vs_vec3 d;
        if (!app_load_add(&l->assembly, l->options->load[k], &weight, &d)) {
            l->assembly.code = APP_USAGE;
            return false;
        }
        // A horizontal part of the weight is gravity turned: cos(a) (down + tan(a) sideways).
        const vs_vec3 g = vs_world_get_gravity(l->assembly.scene->world);
        const double across = fabs(d.x * g.x + d.y * g.y + d.z * g.z);
        const double sizes = sqrt((d.x * d.x + d.y * d.y + d.z * d.z) * (g.x * g.x + g.y * g.y + g.z * g.z));
        l->tilt = weight && l->options->loads == 1 && across <= 1e-12 * sizes ? 0 : (double)NAN;
    }
    return true;
}

static void report_nonassociative(const limit *l) {
    const vs_nonassociative *const both[] = {&l->low, &l->high};
    static const char *const names[] = {"given friction", "given dilatancy"};
    const double low = fmin(l->low.factor, l->high.factor), high = fmax(l->low.factor, l->high.factor);
    app_report_name("nonassociative");
    printf("%.6g to %.6g: solutions of Coulomb's law are not unique\n", low, high);
    for (int k = 0; k < 2; k++) {
        app_report_name("");
        printf("%s: %.6g, error of the law %.1e, %d iterations%s\n", names[k], both[k]->factor, both[k]->error,
               both[k]->iterations, both[k]->converged ? "" : ", not settled");
    }
}

static void report(const limit *l) {
    const app_assembly *a = &l->assembly;
    const vs_limit_result *r = &l->result;
    printf("%s: ", l->options->run.scene);
    if (r->status == VS_LIMIT_FALLS)
        printf("falls without the load\n");
    else if (r->status == VS_LIMIT_UNBOUNDED)
        printf("carries the load with any factor\n");
    else
        printf("load factor %.8g\n", r->factor);
    app_statics_report_geometry(a);
    if (r->status == VS_LIMIT_FOUND || r->status == VS_LIMIT_UNDECIDED) {
        app_report_name("proved bounds");
        printf("%.12g to %.12g, %.1e apart; %d iterations\n", r->lower, r->upper, r->upper - r->lower, r->iterations);
    }
    if (!isnan(l->tilt) && isfinite(r->factor)) {
        app_report_name("tilt");
        printf("%.6f degrees\n", atan(r->factor) * 180 / acos(-1.0));
    }
    if (r->forces.holds)
        app_statics_report_forces(a, &r->forces);
    if (r->mechanism.velocity)
        app_statics_report_mechanism(a, &r->mechanism);
    if (l->options->nonassociative && r->status == VS_LIMIT_FOUND)
        report_nonassociative(l);
    if (l->gradient.density && !app_gradient_report(a, &l->gradient))
        return;
    if (l->options->list)
        app_statics_report_interfaces(a, r->forces.holds ? r->forces.force : NULL);
}

static json_t *nonassociative_object(const vs_nonassociative *n) {
    json_t *o = json_object();
    app_json_put(o, "factor", app_json_number(n->factor));
    app_json_put(o, "law_error", app_json_number(n->error));
    app_json_put(o, "iterations", app_json_count(n->iterations));
    app_json_put(o, "converged", json_boolean(n->converged));
    return o;
}

static bool print_json(const limit *l) {
    const vs_limit_result *r = &l->result;
    json_t *o = app_statics_json(&l->assembly, l->options->run.scene, r->forces.holds ? r->forces.force : NULL);
    app_json_put(o, "status", app_json_text(vs_limit_status_name(r->status)));
    app_json_put(o, "factor", app_json_number(r->factor));
    app_json_put(o, "lower", app_json_number(r->lower));
    app_json_put(o, "upper", app_json_number(r->upper));
    app_json_put(o, "tilt_rad", app_json_number(isnan(l->tilt) ? (double)NAN : atan(r->factor)));
    app_json_put(o, "iterations", app_json_count(r->iterations));
    app_json_put(o, "forces", app_statics_json_forces(&l->assembly, &r->forces));
    app_json_put(o, "mechanism",
                 r->mechanism.velocity ? app_statics_json_mechanism(&l->assembly, &r->mechanism) : json_null());
    if (l->options->nonassociative && r->status == VS_LIMIT_FOUND) {
        app_json_put(o, "nonassociative_dilatancy", nonassociative_object(&l->high));
        app_json_put(o, "nonassociative_friction", nonassociative_object(&l->low));
    }
    if (l->gradient.density)
        app_json_put(o, "gradient", app_gradient_json(&l->assembly, &l->gradient));
    return app_json_print(o, false);
}

static int find(limit *l) {
    app_assembly *a = &l->assembly;
    const app_statics_options *o = l->options;
    if (!app_assembly_open(a, o) || !add_loads(l) ||
        !app_assembly_check(a, vs_statics_find_limit(a->statics, &l->result)))
        return a->code;
    if (o->gradient && l->result.status == VS_LIMIT_FOUND &&
        !app_assembly_check(a, vs_statics_differentiate_limit(a->statics, &l->result, &l->gradient)))
        return a->code;
    // The arrays of the limit stay valid: the sequences have their own.
    if (o->nonassociative && l->result.status == VS_LIMIT_FOUND &&
        !app_assembly_check(a, vs_statics_find_nonassociative(a->statics, &l->high, &l->low)))
        return a->code;
#ifdef APP_TRAJECTORIES
    const vs_vec3 *force = l->result.forces.holds ? l->result.forces.force : NULL;
    if (o->output && l->result.mechanism.velocity && !app_film_write(a, &l->result.mechanism, force, o->output))
        return a->code;
    if (o->output && !l->result.mechanism.velocity)
        app_complain("limit: no mechanism was found; none is written to %s", o->output);
#endif
    if (o->json && !print_json(l))
        return APP_DATA;
    if (!o->json)
        report(l);
    return l->result.status == VS_LIMIT_UNDECIDED ? APP_TOLERANCE : APP_DONE;
}

static int run(void *options, const app_line *line) {
    app_statics_options *o = options;
    limit l = {.options = o, .tilt = (double)NAN};
    if (!app_statics_options_complete("limit", o, line))
        return APP_USAGE;
    vs_vec3 direction;
    if (app_load_direction(o->load[0], &direction))
        o->geometry.toward = direction;
    const int code = find(&l);
    app_assembly_release(&l.assembly);
    return code;
}

static void prepare(void *options) {
    *(app_statics_options *)options = app_statics_options_default();
}

const app_command app_limit_command = {
    .name = "limit",
    .summary = "find the largest load that blocks with dry joints carry, with proofs",
    .usage = "SCENE.json|NAME --load LOAD [OPTIONS]",
    .description =
        "Finds the largest factor of a load that blocks with dry joints can carry in addition to their weight, with "
        "proofs from both sides: forces in equilibrium at the lower bound, and a mechanism that forbids more than the "
        "upper "
        "one. Sliding joints open by the friction coefficient (associated flow): for Coulomb's law the factor is an "
        "upper bound.",
    .groups = app_limit_groups,
    .examples = "voussoir limit arch --load x\n"
                "voussoir limit brick-wall --load y --nonassociative\n"
                "voussoir limit arch --load '#5:0,0,-1000' -o collapse.h5",
    .exit_codes = "0 with both proofs, 1 usage error, 2 bad data, 3 if a proof is missing.",
    .size = sizeof(app_statics_options),
    .prepare = prepare,
    .run = run,
    .computes = true,
    .files = "json",
    .word = app_scene_word,
};
