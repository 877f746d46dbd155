// The solution of a step and its revisions: see revision.h.
#include "step/scheme/revision.h"

#include "step/contacts/late_contacts.h"
#include "step/scheme/assemble.h"
#include "step/scheme/struck.h"

#define VS_REVISION_ROW(index, function, ...) {.revise = vs_revise_##function, __VA_ARGS__},
static const vs_revision_def revisions[VS_REVISION_COUNT] = {VS_REVISION_TABLE(VS_REVISION_ROW)};
#undef VS_REVISION_ROW

static vs_error warm_start(vs_simulation *s) {
    vs_impulse_memory *memory = &s->memory;
    // All processes do the same, also one that remembers nothing.
    if (s->options.solver.warm_start == VS_WARM_START_NONE ||
        !vs_space_any(vs_division_space(s->division), memory->impulse.count > 0))
        return VS_OK;
    vs_error error = vs_impulse_memory_recall(memory, &s->groups, &s->contact_rows, s->context);
    if (error)
        return error;
    // A null is no start: all processes pass an array, also those without rows.
    const double *g = s->division || s->groups.m_e > 0 ? memory->start_g.data : NULL;
    const double *lambda = s->division || s->groups.m > 0 ? memory->start_lambda.data : NULL;
    return vs_solver_warm_start(s->problem.solver, s->blocks.before.data, g, lambda);
}

static vs_error solve_once(vs_simulation *s, vs_step_report *report) {
    vs_result *result = &s->problem.result;
    vs_error error = vs_division_agree(s->division, warm_start(s));
    s->solutions++;
    if (!error)
        error = vs_solver_solve(s->problem.solver, result);
    if (!error) {
        report->problems++;
        report->iterations += result->iterations;
        report->factorizations += result->factorizations;
        vs_struck_find(s);
        error = vs_impulse_memory_store(&s->memory, &s->groups, &s->contact_rows, result, s->context);
    }
    return vs_division_agree(s->division, error);
}

static vs_error update(vs_simulation *s, vs_invalid invalid) {
    const vs_step_view view = vs_step_view_of(s);
    if (invalid == VS_INVALID_RIGHT)
        return vs_step_problem_update(&s->problem, &view);
    if (invalid == VS_INVALID_ELASTIC)
        return vs_step_problem_update_elastic(&s->problem, &view);
    const vs_error error = invalid == VS_INVALID_ROWS ? vs_step_assemble(s) : VS_OK;
    return error ? error : vs_solver_set_tolerances(s->problem.solver, s->revision.tolerance, s->revision.granular);
}

// Solves, and asks the revisions of `among` (bits) before `end`.
static vs_error solve_and_revise(vs_simulation *s, int end, unsigned among, vs_step_report *report) {
    int k = end - 1;
    while (k >= 0 && !(among >> k & 1))
        k--;
    if (k < 0)
        return solve_once(s, report);
    const vs_revision_def *row = &revisions[k];
    int since = 0, *round = row->per_step ? &s->revision.rounds[k] : &since;
    vs_error error = row->begin ? row->begin(s) : VS_OK;
    if (!error)
        error = solve_and_revise(s, k, among, report);
    while (!error && *round < row->most) {
        vs_invalid invalid = VS_INVALID_NOTHING;
        error = row->revise(s, *round, report, &invalid);
        if (error || invalid == VS_INVALID_NOTHING)
            break;
        ++*round;
        error = update(s, invalid);
        if (!error)
            error = solve_and_revise(s, k, row->repeats, report);
    }
    if (row->end)
        row->end(s);
    return error;
}

vs_error vs_step_solve(vs_simulation *s, vs_step_report *report) {
    _Static_assert((int)VS_REVISION_COUNT <= (int)VS_REVISIONS_MOST, "vs_revision_state has a counter for each");
    s->revision =
        (vs_revision_state){.tolerance = s->options.solver.tolerance, .granular = s->options.solver.granular_tolerance};
    const vs_error error = solve_and_revise(s, VS_REVISION_COUNT, ~0u, report);
    report->restitution_factor = vs_impact_guard_least(&s->guard);
    return error;
}
