// Results as JSON. Keys are part of the interface: they may be added, never renamed. Units stand in the keys;
// a number that does not exist (no objective, no factor) is null.
#include "app.h"

#include <jansson.h>
#include <math.h>

// JSON has no infinities and no NaN.
static json_t *number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *count(int64_t x) {
    return json_integer((json_int_t)x);
}

// A text that is not UTF-8 (a path may be anything) is written with '?' for the bytes that JSON cannot hold.
static json_t *text(const char *s) {
    if (!s)
        return json_null();
    json_t *value = json_string(s);
    if (value)
        return value;
    char copy[1024];
    (void)snprintf(copy, sizeof copy, "%s", s);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return json_string(copy);
}

// Takes the value over. Without memory the key is missing.
static void put(json_t *object, const char *key, json_t *value) {
    (void)json_object_set_new(object, key, value);
}

static json_t *problem_object(const vs_problem_info *i) {
    json_t *o = json_object();
    put(o, "form", json_string(i->local ? "local" : "global"));
    put(o, "contacts", count(i->contacts));
    put(o, "contact_rows", count(i->m));
    put(o, "joints", count(i->joints));
    put(o, "joint_rows", count(i->m_e));
    put(o, "velocities", count(i->n));
    put(o, "blocks", count(i->blocks));
    put(o, "nonzeros_H", count(i->nnz_H));
    put(o, "nonzeros_D", count(i->nnz_D));
    put(o, "nonzeros_C", count(i->nnz_C));
    put(o, "nonzeros_N", count(i->nnz_N));
    put(o, "mu_min", number(i->mu_min));
    put(o, "mu_max", number(i->mu_max));
    put(o, "mass_min_kg", number(i->mass_min));
    put(o, "mass_max_kg", number(i->mass_max));
    put(o, "asymmetry", number(i->asymmetry));
    put(o, "block_diagonal", json_boolean(i->block_diagonal));
    put(o, "compliant", json_boolean(i->compliant));
    return o;
}

static void put_measures(json_t *o, const vs_measures *m) {
    put(o, "energy_error_J", number(m->energy_error));
    put(o, "energy_scale_J", number(m->energy_scale));
    put(o, "natural_map_relative", number(m->natural_map_relative));
    put(o, "duality_gap_J", number(m->duality_gap));
    put(o, "complementarity_J", number(m->complementarity));
    json_t *r = json_object();
    put(r, "natural", number(m->natural_residual));
    put(r, "fischer_burmeister", number(m->fischer_burmeister));
    put(r, "impulse_balance_J", number(m->impulse_balance));
    put(r, "joint_error_J", number(m->joint_error_energy));
    put(r, "joint_error_m_per_s", number(m->joint_error_velocity));
    put(r, "cone_violation_N_s", number(m->cone_violation));
    put(r, "dual_violation_m_per_s", number(m->dual_violation));
    put(o, "residuals", r);
}

static json_t *times_object(const vs_times *t, double read_seconds) {
    json_t *o = json_object();
    put(o, "read", number(read_seconds));
    put(o, "prepare", number(t->prepare));
    put(o, "assemble", number(t->assemble));
    put(o, "factor", number(t->factor));
    put(o, "solve", number(t->solve));
    put(o, "other", number(t->other));
    put(o, "total", number(t->total));
    return o;
}

static json_t *history_array(const vs_result *r) {
    json_t *lines = json_array();
    for (int k = 0; k < r->history_count; k++) {
        const vs_iteration *i = &r->history[k];
        json_t *o = json_object();
        put(o, "iteration", count(i->iteration));
        put(o, "energy_error_J", number(i->energy_error));
        put(o, "natural_map_relative", number(i->natural_map_relative));
        put(o, "gap", number(i->gap));
        put(o, "step_primal", number(i->step_primal));
        put(o, "step_dual", number(i->step_dual));
        put(o, "sigma", number(i->sigma));
        put(o, "refinements", count(i->refinements));
        put(o, "regularization", number(i->regularization));
        put(o, "seconds", number(i->seconds));
        (void)json_array_append_new(lines, o);
    }
    return lines;
}

static json_t *stages_array(const vs_result *r) {
    json_t *stages = json_array();
    for (int k = 0; k < r->stage_count; k++) {
        const vs_stage *s = &r->stages[k];
        json_t *o = json_object();
        put(o, "name", text(s->name));
        put(o, "tried", count(s->tried));
        put(o, "solved", count(s->solved));
        put(o, "iterations", count(s->iterations));
        put(o, "factorizations", count(s->factorizations));
        put(o, "seconds", number(s->seconds));
        put(o, "error", number(s->error));
        put(o, "stopped", text(s->stopped));
        (void)json_array_append_new(stages, o);
    }
    return stages;
}

static void put_result(json_t *o, const app_solved *s) {
    const vs_result *r = s->result;
    put(o, "status", text(vs_status_name(r->status)));
    put(o, "status_text", text(r->status_text));
    put(o, "tolerance_met", json_boolean(s->met));
    put(o, "iterations", count(r->iterations));
    put_measures(o, &r->measures);
    put(o, "times_s", times_object(&r->times, s->read_seconds));
    put(o, "model", text(vs_model_name(app_result_model(s))));
    put(o, "tolerance", number(s->options->solver.tolerance));
    put(o, "criterion", text(app_criterion_name(s->options->solver.criterion)));
    put(o, "solver", text(r->method));
    put(o, "form", text(r->form));
    put(o, "linear_solver", text(r->linear_solver));
    put(o, "choice", text(r->choice));
    put(o, "islands", count(r->islands));
    put(o, "stages", stages_array(r));
    put(o, "compliance", number(r->compliance));
    put(o, "warm_start", json_boolean(s->warm));
    put(o, "factorizations", count(r->factorizations));
    put(o, "triangular_solves", count(r->triangular_solves));
    put(o, "cg_steps", count(r->cg_steps));
    put(o, "factor_nonzeros", count(r->fill));
    put(o, "factor_flops", number(r->flops));
    put(o, "inertia_positive", count(r->positive));
    put(o, "inertia_negative", count(r->negative));
    put(o, "regularization", number(r->regularization));
    put(o, "backward_error", number(r->backward_error));
    put(o, "problem", problem_object(&s->info));
    put(o, "output", text(s->output));
    if (s->options->history)
        put(o, "history", history_array(r));
}

static bool print(json_t *object, bool line) {
    const size_t flags = (line ? JSON_COMPACT : JSON_INDENT(2)) | JSON_REAL_PRECISION(17);
    const bool good = object && json_dumpf(object, stdout, flags) == 0 && putchar('\n') != EOF;
    json_decref(object);
    if (!good)
        app_complain("the JSON could not be written; check standard output and memory");
    return good;
}

bool app_json_solved(const app_solved *s, bool line) {
    json_t *o = json_object();
    put(o, "voussoir", json_string(vs_version()));
    put(o, "file", text(s->path));
    if (s->result)
        put_result(o, s);
    else
        put(o, "status", json_string("error"));
    put(o, "error", text(s->error));
    put(o, "exit_code", count(s->exit_code));
    return print(o, line);
}

bool app_json_stored(const app_stored *s, bool line) {
    json_t *o = json_object();
    put(o, "voussoir", json_string(vs_version()));
    put(o, "file", text(s->path));
    put(o, "error", text(s->error));
    if (!s->error) {
        put(o, "problem", problem_object(&s->info));
        json_t *solution = s->solution ? json_object() : json_null();
        if (s->solution) {
            json_t *relaxed = json_object(), *exact = json_object();
            put_measures(relaxed, &s->relaxed);
            put_measures(exact, &s->exact);
            put(solution, "relaxed", relaxed);
            put(solution, "exact", exact);
        }
        put(o, "solution", solution);
    }
    return print(o, line);
}
