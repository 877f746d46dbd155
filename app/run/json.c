// The summary of a run as JSON.
#include "run/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

static void put_totals(json_t *o, const app_run_totals *t) {
    app_json_put(o, "steps_before", json_integer(t->first));
    app_json_put(o, "steps", json_integer(t->steps));
    app_json_put(o, "steps_summed", json_integer(t->summed));
    app_json_put(o, "inaccurate_steps", json_integer(t->inaccurate));
    app_json_put(o, "contacts_max", json_integer(t->contacts_most));
    app_json_put(o, "contacts_mean", app_json_number(t->summed > 0 ? (double)t->contacts / (double)t->summed : 0));
    app_json_put(o, "iterations", json_integer(t->iterations));
    app_json_put(o, "factorizations", json_integer(t->factorizations));
    app_json_put(o, "energy_error_max_J", app_json_number(t->energy_error));
    app_json_put(o, "relative_error_max", app_json_number(t->relative_error));
    app_json_put(o, "worst_step", json_integer(t->worst));
    app_json_put(o, "work_error_max_J", app_json_number(t->work_error));
    app_json_put(o, "penetration_max_m", app_json_number(t->penetration));
    app_json_put(o, "joint_drift_max_m", app_json_number(t->drift));
    app_json_put(o, "energy_begin_J", energy_object(&t->begin));
    app_json_put(o, "energy_end_J", energy_object(&t->end));
    app_json_put(o, "work_J", app_json_number(t->work));
    app_json_put(o, "work_loads_J", app_json_number(t->flow.loads));
    app_json_put(o, "work_motors_J", app_json_number(t->flow.motors));
    app_json_put(o, "work_prescribed_J", app_json_number(t->flow.prescribed));
    app_json_put(o, "dissipation_J", app_json_number(t->dissipation));
    app_json_put(o, "dissipation_friction_J", app_json_number(t->flow.friction));
    app_json_put(o, "dissipation_impacts_J", app_json_number(t->flow.impacts));
    app_json_put(o, "dissipation_dampers_J", app_json_number(t->flow.dampers));
    app_json_put(o, "dissipation_fracture_J", app_json_number(t->flow.fracture));
    app_json_put(o, "discretization_J", app_json_number(t->flow.discretization));
    app_json_put(o, "discretization_share", app_json_number(t->discretization_share));
    app_json_put(o, "unbalanced_steps", json_integer(t->unbalanced));
    app_json_put(o, "unbalanced_first_step", json_integer(t->unbalanced_first));
    app_json_put(o, "restitution_reduced_steps", json_integer(t->reduced));
    app_json_put(o, "restitution_factor_min", app_json_number(t->reduced > 0 ? t->restitution_factor : 1));
    app_json_put(o, "bonds", json_integer(t->bonds));
    app_json_put(o, "broken_bonds", json_integer(t->broken));
    app_json_put(o, "broken_first_step", json_integer(t->broken_first));
    app_json_put(o, "bond_step_max", app_json_number(t->bond_step));
    app_json_put(o, "swept_contacts", json_integer(t->swept));
    app_json_put(o, "held_bodies", json_integer(t->held));
    app_json_put(o, "held_first_step", json_integer(t->held_first));
    app_json_put(o, "inverted_elements_max", json_integer(t->inverted));
    app_json_put(o, "inverted_first_step", json_integer(t->inverted_first));
}

static void put_time_error(json_t *o, const app_run_totals *t, double accuracy) {
    app_json_put(o, "problems", json_integer(t->problems));
    app_json_put(o, "accuracy", app_json_number(accuracy));
    app_json_put(o, "time_error_max_m", app_json_number(t->time_error));
    app_json_put(o, "time_error_max_m_s", app_json_number(t->time_error_speed));
    app_json_put(o, "time_error_share_max", app_json_number(t->time_error_share));
    app_json_put(o, "controlled_steps", json_integer(t->controlled));
    app_json_put(o, "events", json_integer(t->events));
    app_json_put(o, "rejected_steps", json_integer(t->rejected));
    app_json_put(o, "forced_steps", json_integer(t->forced));
    app_json_put(o, "forced_reason", app_json_text(t->forced_text));
}

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
    put_outcome(o, &ran->outcome);
    put_totals(o, t);
    put_time_error(o, t, ran->scene->options.accuracy);
    if (ran->scene->options.scheme == VS_SCHEME_QUASI_STATIC)
        app_json_put(o, "out_of_balance_N", app_json_number(t->momentum / ran->scene->options.step));
    if (ran->divided)
        app_json_put(o, "ranks", division_object(&ran->division));
    json_t *times = json_object();
    app_json_put(times, "collide", app_json_number(t->collide));
    app_json_put(times, "assemble", app_json_number(t->assemble));
    app_json_put(times, "solve", app_json_number(t->solve));
    app_json_put(times, "steps", app_json_number(t->total));
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
