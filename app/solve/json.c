// The outcome of a solve as JSON. Keys are part of the interface: they may be added, never renamed. Units are part
// of the keys; an undefined number (no objective, no factor) is null.
#include "solve/json.h"

#include <jansson.h>
#include <stdbool.h>

#include "cli/json.h"
#include "solve/options.h"
#include "solve/outcome.h"
#include "voussoir/voussoir.h"

static json_t *times_object(const vs_times *t, double read_seconds) {
    json_t *o = json_object();
    app_json_put(o, "read", app_json_number(read_seconds));
    app_json_put(o, "prepare", app_json_number(t->prepare));
    app_json_put(o, "assemble", app_json_number(t->assemble));
    app_json_put(o, "factor", app_json_number(t->factor));
    app_json_put(o, "solve", app_json_number(t->solve));
    app_json_put(o, "other", app_json_number(t->other));
    app_json_put(o, "total", app_json_number(t->total));
    return o;
}

static json_t *history_array(const vs_result *r) {
    json_t *lines = json_array();
    for (int k = 0; k < r->history_count; k++) {
        const vs_iteration *i = &r->history[k];
        json_t *o = json_object();
        app_json_put(o, "iteration", app_json_count(i->iteration));
        app_json_put(o, "energy_error_J", app_json_number(i->energy_error));
        app_json_put(o, "natural_map_relative", app_json_number(i->natural_map_relative));
        app_json_put(o, "gap", app_json_number(i->gap));
        app_json_put(o, "step_primal", app_json_number(i->step_primal));
        app_json_put(o, "step_dual", app_json_number(i->step_dual));
        app_json_put(o, "sigma", app_json_number(i->sigma));
        app_json_put(o, "refinements", app_json_count(i->refinements));
        app_json_put(o, "regularization", app_json_number(i->regularization));
        app_json_put(o, "seconds", app_json_number(i->seconds));
        (void)json_array_append_new(lines, o);
    }
    return lines;
}

static json_t *stages_array(const vs_result *r) {
    json_t *stages = json_array();
    for (int k = 0; k < r->stage_count; k++) {
        const vs_stage *s = &r->stages[k];
        json_t *o = json_object();
        app_json_put(o, "name", app_json_text(s->name));
        app_json_put(o, "tried", app_json_count(s->tried));
        app_json_put(o, "solved", app_json_count(s->solved));
        app_json_put(o, "iterations", app_json_count(s->iterations));
        app_json_put(o, "factorizations", app_json_count(s->factorizations));
        app_json_put(o, "seconds", app_json_number(s->seconds));
        app_json_put(o, "error", app_json_number(s->error));
        app_json_put(o, "stopped", app_json_text(s->stopped));
        (void)json_array_append_new(stages, o);
    }
    return stages;
}

static void put_result(json_t *o, const app_solve_outcome *s) {
    const vs_result *r = s->result;
    app_json_put(o, "status", app_json_text(vs_status_name(r->status)));
    app_json_put(o, "status_text", app_json_text(r->status_text));
    app_json_put(o, "tolerance_met", json_boolean(s->met));
    app_json_put(o, "iterations", app_json_count(r->iterations));
    app_json_put_measures(o, &r->measures);
    app_json_put(o, "times_s", times_object(&r->times, s->read_seconds));
    app_json_put(o, "model", app_json_text(vs_model_name(app_solve_model(s))));
    app_json_put(o, "tolerance", app_json_number(s->options->solver.tolerance));
    app_json_put(o, "criterion", app_json_text(app_criterion_name(s->options->solver.criterion)));
    app_json_put(o, "method", app_json_text(r->method));
    app_json_put(o, "form", app_json_text(r->form));
    app_json_put(o, "linear_solver", app_json_text(r->linear_solver));
    app_json_put(o, "choice", app_json_text(r->choice));
    app_json_put(o, "islands", app_json_count(r->islands));
    app_json_put(o, "stages", stages_array(r));
    app_json_put(o, "compliance", app_json_number(r->compliance));
    app_json_put(o, "warm_started", json_boolean(s->warm));
    app_json_put(o, "factorizations", app_json_count(r->factorizations));
    app_json_put(o, "triangular_solves", app_json_count(r->triangular_solves));
    app_json_put(o, "cg_steps", app_json_count(r->cg_steps));
    app_json_put(o, "factor_nonzeros", app_json_count(r->fill));
    app_json_put(o, "factor_flops", app_json_number(r->flops));
    app_json_put(o, "inertia_positive", app_json_count(r->positive));
    app_json_put(o, "inertia_negative", app_json_count(r->negative));
    app_json_put(o, "regularization", app_json_number(r->regularization));
    app_json_put(o, "backward_error", app_json_number(r->backward_error));
    app_json_put(o, "problem", app_json_problem(&s->info));
    app_json_put(o, "output", app_json_text(s->output));
    if (s->options->history)
        app_json_put(o, "history", history_array(r));
}

bool app_solve_json(const app_solve_outcome *s, bool line) {
    json_t *o = json_object();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "file", app_json_text(s->path));
    if (s->result)
        put_result(o, s);
    else
        app_json_put(o, "status", json_string("error"));
    app_json_put(o, "error", app_json_text(s->error));
    app_json_put(o, "exit_code", app_json_count(s->exit_code));
    return app_json_print(o, line);
}
