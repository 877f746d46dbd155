// The summary of a run as JSON.
#include "run/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "run/outcome.h"
#include "run/summary.h"
#include "run/totals.h"

static json_t *energy_object(const vs_energy *e) {
    json_t *o = json_object();
    app_json_put(o, "kinetic", app_json_number(e->kinetic));
    app_json_put(o, "potential", app_json_number(e->potential));
    app_json_put(o, "elastic", app_json_number(e->elastic));
    return o;
}

// ---- fields of reports -------------------------------------------------------------------------------

static void put_field(json_t *o, const char *key, const app_run_totals *t, int k) {
    const double value = vs_report_totals_get(&t->of, k);
    const bool real = vs_report_field_at(k).kind == VS_REPORT_REAL;
    app_json_put(o, key, real ? app_json_number(value) : json_integer((json_int_t)value));
}

// "penetration_max_m", "broken_bonds": name, what is counted, rule, unit.
static void name_total(const vs_report_field *f, char *key, size_t size) {
    const bool counted = f->kind != VS_REPORT_REAL, plain = strcmp(f->unit, "1") == 0;
    const char *rule = f->steps == VS_REPORT_LARGEST ? "_max" : f->steps == VS_REPORT_LEAST ? "_min" : "";
    const char *name = strcmp(f->name, "time_error_speed") == 0 ? "time_error" : f->name; // the unit tells them apart
    (void)snprintf(key, size, "%s%s%s%s%s%s", name, counted && !plain ? "_" : "", counted && !plain ? f->unit : "",
                   rule, counted || plain ? "" : "_", counted || plain ? "" : f->unit);
    for (char *c = key; *c; c++)
        *c = *c == '/' || *c == ' ' ? '_' : *c;
}

// The first step with some of what the count names.
static void put_first(json_t *o, const vs_report_field *f, const vs_report_total *t) {
    char key[96];
    if (f->kind == VS_REPORT_REAL || f->steps == VS_REPORT_LAST || strcmp(f->unit, "1") == 0)
        return;
    (void)snprintf(key, sizeof key, "%s_first_step", f->name);
    app_json_put(o, key, json_integer(t->first));
}

// Terms of the energy balance have keys of their own.
static bool is_term(const vs_report_field *f) {
    return f->offset >= offsetof(vs_step_report, flow) &&
           f->offset < offsetof(vs_step_report, flow) + sizeof(vs_energy_flow);
}

static void put_fields(json_t *o, const app_run_totals *t) {
    char key[96];
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field f = vs_report_field_at(k);
        if (f.steps == VS_REPORT_SINGLE || app_run_is_clock(&f) || is_term(&f))
            continue;
        name_total(&f, key, sizeof key);
        put_field(o, key, t, k);
        put_first(o, &f, &t->of.field[k]);
    }
    app_json_put(o, "worst_step", json_integer(APP_TOTAL_OF(t, relative_error)->worst));
    app_json_put(o, "restitution_reduced_steps", json_integer(APP_TOTAL_OF(t, restitution_factor)->steps));
    app_json_put(o, "contacts_mean",
                 app_json_number(t->of.steps > 0 ? APP_TOTAL_OF(t, contacts)->sum / (double)t->of.steps : 0));
}

// "work_loads_J", "dissipation_friction_J", "discretization_J"
static void put_terms(json_t *o, const app_run_totals *t) {
    static const char *const sides[] = {[VS_ENERGY_WORK] = "work_", [VS_ENERGY_DISSIPATION] = "dissipation_"};
    const vs_energy_flow flow = vs_report_totals_get_flow(&t->of);
    char key[96];
    for (int k = 0; k < vs_energy_term_count(); k++) {
        const vs_energy_term term = vs_energy_term_at(k);
        (void)snprintf(key, sizeof key, "%s%s_J", term.side == VS_ENERGY_DISCRETIZATION ? "" : sides[term.side],
                       term.name);
        app_json_put(o, key, app_json_number(vs_energy_term_value(k, &flow)));
    }
}

static void put_totals(json_t *o, const app_run_totals *t, double accuracy) {
    app_json_put(o, "steps_before", json_integer(t->first));
    app_json_put(o, "steps", json_integer(t->steps));
    app_json_put(o, "steps_summed", json_integer(t->of.steps));
    app_json_put(o, "inaccurate_steps", json_integer(t->of.inaccurate));
    app_json_put(o, "accuracy", app_json_number(accuracy));
    put_fields(o, t);
    app_json_put(o, "forced_reason", app_json_text(t->forced_text));
    app_json_put(o, "energy_begin_J", energy_object(&t->begin));
    app_json_put(o, "energy_end_J", energy_object(&t->end));
    put_terms(o, t);
}

// ---- the rest of a run -------------------------------------------------------------------------------

static json_t *division_object(const vs_division_info *d) {
    json_t *o = json_object();
    app_json_put(o, "count", json_integer(d->ranks));
    app_json_put(o, "bodies_min", json_integer(d->bodies_least));
    app_json_put(o, "bodies_max", json_integer(d->bodies_most));
    app_json_put(o, "contacts_min", json_integer(d->contacts_least));
    app_json_put(o, "contacts_max", json_integer(d->contacts_most));
    app_json_put(o, "ghosts", json_integer(d->ghosts));
    app_json_put(o, "moved", json_integer(d->moved));
    app_json_put(o, "balanced", json_integer(d->balanced));
    app_json_put(o, "bytes", json_integer(d->bytes));
    return o;
}

static void put_outcome(json_t *o, const app_run_outcome *outcome) {
    const vs_outcome *found = &outcome->outcome;
    if (!outcome->known)
        return;
    app_json_put(o, "stop", app_json_text(outcome->stop[0] ? outcome->stop : NULL));
    app_json_put(o, "stop_index", found->condition >= 0 ? json_integer(found->condition) : json_null());
    app_json_put(o, "outcome", app_json_text(vs_outcome_state_name(found->state)));
    app_json_put(o, "at_rest", json_boolean(found->at_rest));
    app_json_put(o, "speed_m_s", app_json_number(found->speed));
    app_json_put(o, "displacement_max_m", app_json_number(found->displacement));
    app_json_put(o, "displacement_max_body", app_json_text(outcome->farthest[0] ? outcome->farthest : NULL));
    app_json_put(o, "displacement_max_support", app_json_text(outcome->farthest_on[0] ? outcome->farthest_on : NULL));
    app_json_put(o, "residual_m", app_json_number(found->residual));
    app_json_put(o, "residual_body", app_json_text(outcome->residual_of[0] ? outcome->residual_of : NULL));
    app_json_put(o, "residual_support", app_json_text(outcome->residual_on[0] ? outcome->residual_on : NULL));
    app_json_put(o, "rotation_max_rad", app_json_number(found->rotation));
    app_json_put(o, "rotation_max_body", app_json_text(outcome->most_turned[0] ? outcome->most_turned : NULL));
    app_json_put(o, "margin_sliding", app_json_number(outcome->margin.sliding));
    app_json_put(o, "margin_sliding_between", app_json_text(outcome->sliding[0] ? outcome->sliding : NULL));
    app_json_put(o, "margin_tipping", app_json_number(outcome->margin.tipping));
    app_json_put(o, "margin_tipping_between", app_json_text(outcome->tipping[0] ? outcome->tipping : NULL));
}

static json_t *stages_array(const app_effort *effort) {
    json_t *stages = json_array();
    for (int k = 0; k < effort->stages; k++) {
        const app_stage_effort *s = &effort->stage[k];
        json_t *o = json_object();
        app_json_put(o, "name", app_json_text(s->name));
        app_json_put(o, "tried", json_integer(s->tried));
        app_json_put(o, "solved", json_integer(s->solved));
        app_json_put(o, "iterations", json_integer(s->iterations));
        app_json_put(o, "factorizations", json_integer(s->factorizations));
        app_json_put(o, "seconds", app_json_number(s->seconds));
        (void)json_array_append_new(stages, o);
    }
    return stages;
}

static json_t *records_array(const vs_scene *scene) {
    json_t *list = json_array();
    for (int k = 0; k < scene->records; k++) {
        const vs_record *r = scene->record[k].record;
        json_t *o = json_object();
        char hash[20];
        (void)snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
        app_json_put(o, "file", app_json_text(scene->record[k].path));
        app_json_put(o, "hash", app_json_text(hash));
        app_json_put(o, "samples", json_integer(r->samples));
        app_json_put(o, "begin_s", app_json_number(r->begin));
        app_json_put(o, "end_s", app_json_number(r->end));
        app_json_put(o, "peak", app_json_number(r->peak));
        if (scene->record[k].integrated) {
            app_json_put(o, "baseline_m_s2", app_json_number(r->removed[0]));
            app_json_put(o, "baseline_m_s3", app_json_number(r->removed[1]));
            app_json_put(o, "drift_m_s", app_json_number(r->drift[0]));
            app_json_put(o, "drift_m", app_json_number(r->drift[1]));
            app_json_put(o, "velocity_max_m_s", app_json_number(r->peak_integral));
            app_json_put(o, "displacement_max_m", app_json_number(r->peak_double_integral));
        }
        (void)json_array_append_new(list, o);
    }
    return list;
}

static json_t *gates_array(const vs_world *world) {
    json_t *list = json_array();
    for (int k = 0; k < vs_world_get_gate_count(world); k++) {
        vs_gate_view g;
        if (vs_world_get_gate_at(world, k, &g) != VS_OK)
            continue;
        json_t *o = json_object();
        app_json_put(o, "name", app_json_text(g.name));
        app_json_put(o, "kind", app_json_text(g.sink ? "sink" : "factory"));
        app_json_put(o, "bodies", json_integer(g.bodies));
        app_json_put(o, "mass_kg", app_json_number(g.mass));
        app_json_put(o, "energy_J", app_json_number(g.energy));
        app_json_put(o, "waiting", json_integer(g.waiting));
        (void)json_array_append_new(list, o);
    }
    return list;
}

static void put_scene(json_t *o, const app_run_summary *ran) {
    const app_run_totals *t = ran->totals;
    app_json_put(o, "scene", app_json_text(ran->scene->name));
    app_json_put(o, "bodies", json_integer(ran->bodies));
    app_json_put(o, "joints", json_integer(ran->joints));
    app_json_put(o, "model", app_json_text(vs_model_name(ran->scene->options.solver.model)));
    app_json_put(o, "tolerance", app_json_number(ran->scene->options.solver.tolerance));
    app_json_put(o, "step_s", app_json_number(ran->scene->options.step));
    app_json_put(o, "duration_s", app_json_number(ran->duration));
    app_json_put(o, "time_s", app_json_number(ran->time));
    app_json_put(o, "records", records_array(ran->scene));
    if (vs_world_get_gate_count(ran->scene->world) > 0)
        app_json_put(o, "gates", gates_array(ran->scene->world));
    put_outcome(o, &ran->outcome);
    put_totals(o, t, ran->scene->options.accuracy);
    if (ran->scene->options.scheme == VS_SCHEME_QUASI_STATIC)
        app_json_put(o, "out_of_balance_N", app_json_number(t->momentum / ran->scene->options.step));
    if (ran->divided)
        app_json_put(o, "ranks", division_object(&ran->division));
    json_t *times = json_object();
    app_json_put(times, "collide", app_json_number(APP_TOTAL(t, seconds_collide)));
    app_json_put(times, "assemble", app_json_number(APP_TOTAL(t, seconds_assemble)));
    app_json_put(times, "solve", app_json_number(APP_TOTAL(t, seconds_solve)));
    app_json_put(times, "steps", app_json_number(APP_TOTAL(t, seconds_total)));
    app_json_put(times, "total", app_json_number(ran->wall));
    app_json_put(times, "step_median", app_json_number(ran->times.median));
    app_json_put(times, "step_p99", app_json_number(ran->times.p99));
    app_json_put(times, "step_worst", app_json_number(ran->times.worst));
    app_json_put(o, "times_s", times);
    app_json_put(o, "slowest_step", json_integer(t->first + ran->times.worst_step));
    app_json_put(o, "stages", stages_array(ran->effort));
    char hash[20];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, ran->hash);
    app_json_put(o, "hash", app_json_text(hash));
    app_json_put(o, "output", app_json_text(ran->recorded && ran->frames > 0 ? ran->options->output : NULL));
    app_json_put(o, "frames", json_integer(ran->frames));
    app_json_put(o, "checkpoint", app_json_text(ran->checkpoint ? ran->options->checkpoint : NULL));
    app_json_put(o, "captured", json_integer(ran->captured));
}

bool app_run_json(const app_run_summary *ran) {
    json_t *o = json_object();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "status", app_json_text(ran->status));
    if (ran->scene)
        put_scene(o, ran);
    app_json_put(o, "error", app_json_text(ran->error));
    app_json_put(o, "exit_code", json_integer(ran->exit_code));
    return app_json_print(o, false);
}
