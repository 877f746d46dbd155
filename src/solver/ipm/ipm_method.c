// The interior point as a method: chooses and reports the form and backend of the Newton system.
#include "solver/kkt/form_choice.h"
#include "solver/ipm/ipm.h"
#include "solver/method.h"

typedef struct ipm_state {
    vs_ipm ipm;
    vs_choice choice;
} ipm_state;

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    ipm_state *s = state;
    vs_error error = vs_choose(&run->scaled, &run->options, run->context, &s->choice);
    return error ? error : vs_ipm_create(&s->ipm, run, s->choice.reduction, s->choice.backend, arena);
}

static void release(void *state) {
    vs_ipm_release(&((ipm_state *)state)->ipm);
}

static vs_error update(void *state) {
    vs_ipm_update(&((ipm_state *)state)->ipm);
    return VS_OK;
}

static void begin(void *state) {
    ((ipm_state *)state)->ipm.newton.counts = (vs_counts){0};
}

static vs_error solve(void *state) {
    vs_ipm *ipm = &((ipm_state *)state)->ipm;
    vs_error error = vs_ipm_solve(ipm);
    if (!error && ipm->newton.counts.factorizations > 0 && ipm->run->status != VS_STATUS_TIME_LIMIT)
        error = vs_newton_check(&ipm->newton);
    return error;
}

static const vs_counts *counts(const void *state) {
    return &((const ipm_state *)state)->ipm.newton.counts;
}

static void report(const void *state, vs_result *result) {
    const ipm_state *s = state;
    const vs_linear_report *linear = &s->ipm.newton.solver->report;
    result->form = s->choice.reduction->name;
    result->linear_solver = s->choice.backend->name;
    result->choice = s->choice.text;
    result->fill = linear->fill;
    result->flops = linear->flops;
    result->positive = linear->positive;
    result->negative = linear->negative;
    result->backward_error = linear->backward_error;
}

static bool velocities(const void *state, double *v) {
    const vs_ipm *ipm = &((const ipm_state *)state)->ipm;
    return ipm->run->rounded && ipm->run->status != VS_STATUS_CONVERGED && vs_ipm_velocities(ipm, v);
}

const vs_method_class vs_ipm_class = {
    .name = "ipm",
    .purpose = "primal-dual interior point: few iterations, full accuracy",
    .models = VS_SOLVES_CONVEX,
    .rolling = true,
    .distributed = true,
    .most = 200,
    .size = sizeof(ipm_state),
    .create = create,
    .release = release,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
    .velocities = velocities,
};
