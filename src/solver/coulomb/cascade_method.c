// The cascade as a method: see method.h.
#include <limits.h>

#include "solver/coulomb/cascade.h"
#include "solver/coulomb/cascade_create.h"
#include "solver/method.h"

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    return vs_cascade_create(state, run, arena);
}

static void release(void *state) {
    vs_cascade_release(state);
}

static vs_error update(void *state) {
    return vs_cascade_update(state);
}

static void begin(void *state) {
    vs_cascade_begin(state);
}

static vs_error solve(void *state) {
    return vs_cascade_solve(state);
}

static const vs_counts *counts(const void *state) {
    return &((const vs_cascade *)state)->counts;
}

// The linear system reported is that of the largest island.
static void report(const void *state, vs_result *result) {
    const vs_cascade *c = state;
    const vs_linear_system *system = vs_cascade_largest(c);
    const vs_linear_solver *solver = system ? system->solver : NULL;
    result->form = system ? system->form->name : "impulse";
    result->linear_solver = solver ? solver->backend->name : "built-in";
    result->choice = "exact friction: islands one by one, stages from cheap to safe";
    if (solver) {
        result->fill = solver->report.fill;
        result->flops = solver->report.flops;
    }
    result->islands = c->islands.count;
    result->stages = c->report.line;
    result->stage_count = c->report.lines;
    result->compliance = c->compliance;
}

const vs_method_class vs_cascade_class = {
    .name = "cascade",
    .purpose = "exact friction by stages from cheap to safe, island by island",
    .models = VS_SOLVES_EXACT,
    .rolling = true,
    .evaluates_start = true,
    .most = INT_MAX,
    .size = sizeof(vs_cascade),
    .create = create,
    .release = release,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
};
