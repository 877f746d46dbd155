// The functions of the revisions, in the order of the table: see revision.h.
#include "solver/granular_tolerance.h"
#include "step/account/report.h"
#include "step/bond/bond_contacts.h"
#include "step/contacts/late_contacts.h"
#include "step/contacts/swept_contacts.h"
#include "step/contacts/unreached_contacts.h"
#include "step/elastic/elastic_energy.h"
#include "step/elastic/elastic_newton.h"
#include "step/rows/rope_cuts.h"
#include "step/scheme/assemble.h"
#include "step/scheme/impact_shift.h"
#include "step/scheme/revision.h"
#include "step/scheme/shake.h"
#include "step/scheme/struck.h"

static bool is_solved(const vs_simulation *s) {
    return s->problem.result.status == VS_STATUS_CONVERGED;
}

// ---- laws within the step --------------------------------------------------------------------------

vs_error vs_revise_ropes(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)round, (void)report;
    const vs_step_view view = vs_step_view_of(s);
    s->revision.slips_apart = s->blocks.cut.count > 0 && vs_rope_cuts_follow(&view, &s->blocks);
    if (!s->revision.slips_apart)
        return VS_OK;
    const vs_error error = vs_step_problem_set_momentum(&s->problem, &view);
    if (!error)
        vs_step_problem_add_pulls(&s->problem, &view);
    *invalid = error ? VS_INVALID_NOTHING : VS_INVALID_RIGHT;
    return error;
}

vs_error vs_revise_linearization(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    const bool curved = s->kick.centred && !s->kick.level && vs_shake_correct(s);
    bool expanded = false;
    vs_error error = VS_OK;
    report->elastic_iterations = round + 1;
    if (s->blocks.flexible && report->elastic_iterations < s->options.elastic_iterations)
        error = vs_elastic_newton_next(&s->elastic, s->problem.c.data, s->problem.result.v, &expanded);
    if (curved || expanded)
        *invalid = expanded ? VS_INVALID_ELASTIC : VS_INVALID_RIGHT;
    return error;
}

vs_error vs_revise_begin_crushing(vs_simulation *s) {
    if (!vs_bond_contacts_needed(s->world))
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    bool any = false;
    vs_error error = vs_crushing_begin(&s->crushing, &view, &any);
    return error || !any ? error : vs_step_problem_update_elastic(&s->problem, &view);
}

vs_error vs_revise_crushing(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)report;
    const vs_step_view view = vs_step_view_of(s);
    vs_crushing *crushing = &s->crushing;
    if (crushing->contact.count == 0 || !vs_crushing_check(crushing, &view))
        return VS_OK;
    crushing->unsettled = crushing->unsettled || round == VS_CRUSHING_ROUNDS;
    if (round == VS_CRUSHING_ROUNDS || !is_solved(s))
        return VS_OK;
    s->elastic.expanded = false;
    *invalid = VS_INVALID_ELASTIC;
    return VS_OK;
}

void vs_revise_end_crushing(vs_simulation *s) {
    const vs_step_view view = vs_step_view_of(s);
    vs_crushing_end(&s->crushing, &view);
}

static vs_error raise_damping(vs_simulation *s, bool euler) {
    vs_error error = VS_OK;
    if (euler) { // vibrations are those of the steps before
        s->elastic.damping = s->options.numerical_damping;
        error = vs_elastic_terms_smooth(&s->elastic, s->contacts.nodes);
    }
    s->elastic.damping = euler ? 1 : .5 * (1 + s->elastic.damping);
    s->elastic.expanded = false;
    return error;
}

// More numerical damping, finally that of implicit Euler, where elements deform so much within the step that they would create
// more than this part of the energy of a flexible body.
vs_error vs_revise_damping(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    static const double CREATED = 2e-3, OMITTED = 1e-2;
    (void)report;
    if (!s->blocks.flexible || !(s->elastic.damping < 1))
        return VS_OK;
    const bool turned = vs_elastic_energy_omitted(&s->elastic, s->problem.result.v) > OMITTED;
    if (!turned && vs_elastic_energy_created(&s->elastic, s->problem.result.v) <= CREATED)
        return VS_OK;
    *invalid = VS_INVALID_ELASTIC;
    return raise_damping(s, turned || round == VS_DAMPING_ROUNDS - 1);
}

vs_error vs_revise_feasibility(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)round, (void)report;
    if (is_solved(s) || s->blocks.flexible || s->kick.half)
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    bool again = false;
    const vs_error error = vs_recovery_guard_drop(&s->recovery, &view, &again);
    if (error || !again)
        return error;
    vs_impulse_memory_scale(&s->memory, 0); // those of a problem without a solution have grown without bound
    *invalid = VS_INVALID_ROWS;
    return VS_OK;
}

// ---- contacts within the step ----------------------------------------------------------------------

// Controlled steps end no deeper than contacts that count as closed.
static double late_tolerance(const vs_simulation *s) {
    return s->kick.half ? vs_contact_rows_controlled_slop(&s->options, 1) : VS_LATE;
}

static vs_late_search search_late(const vs_simulation *s, const vs_step_view *view) {
    return (vs_late_search){.step = view,
                            .v = s->problem.result.v,
                            .round = s->revision.searches,
                            .tolerance = late_tolerance(s),
                            .located = s->control.located.data,
                            .located_count = s->control.located.count};
}

// Not with flexible bodies, and not where the problem was not solved: overlaps are its error then, and late contacts, which
// have no limit of recovery, would throw the bodies apart.
static bool shows_contacts(const vs_simulation *s) {
    return is_solved(s) && !s->blocks.flexible && !s->kick.level;
}

// Did this process, or another one, find any?
static bool is_any(const vs_simulation *s, vs_error error, bool found) {
    return !error && vs_space_any(vs_division_space(s->division), found);
}

// Not where the times of impacts are located, which follows the true motion itself.
vs_error vs_revise_unreached(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)report;
    if (!shows_contacts(s) || s->kick.half)
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    const vs_late_search search = search_late(s, &view);
    const vs_unreached_inputs inputs = {&search, round};
    bool changed = false;
    vs_error error = vs_division_agree(s->division, vs_unreached_contacts_revise(&s->contacts, &inputs, &changed));
    if (is_any(s, error, changed))
        *invalid = VS_INVALID_ROWS;
    return error;
}

// Rounds settle to the errors of the solution, not below: with a loose tolerance, or in islands with one, two suffice. Where a
// solution stayed what it was with the contacts of the round before, the next would find the same ones.
vs_error vs_revise_late(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    enum { LOOSE_ROUNDS = 2 };
    const bool settled = round >= LOOSE_ROUNDS;
    if (settled && s->options.solver.tolerance > VS_LATE)
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    vs_late_search search = search_late(s, &view);
    search.settled = settled && s->options.solver.granular_tolerance > VS_LATE;
    s->revision.searches++;
    if (!shows_contacts(s))
        return VS_OK;
    int count = 0;
    const bool same = round > 0 && !vs_space_any(vs_division_space(s->division), s->problem.result.iterations > 0);
    vs_error error = same ? VS_OK : vs_division_agree(s->division, vs_late_contacts_add(&s->contacts, &search, &count));
    bool added = is_any(s, error, count > 0);
    if (!error && !added) {
        error = vs_division_agree(s->division, vs_swept_contacts_add(&s->contacts, &search, &count));
        report->swept += count;
        added = is_any(s, error, count > 0);
    }
    if (added)
        *invalid = VS_INVALID_ROWS;
    return error;
}

vs_error vs_revise_begin_accuracy(vs_simulation *s) {
    const bool rough =
        s->options.solver.tolerance < VS_LATE && !s->kick.centred && !s->blocks.flexible &&
        s->bonds.of_pair.count == 0 && vs_solver_islands(s->problem.solver)->granular_islands == 0 &&
        vs_space_any(vs_division_space(s->division), vs_late_contacts_expected(&s->contacts, s->world, s->kick.h));
    s->revision.tolerance = rough ? VS_LATE : s->options.solver.tolerance;
    return vs_solver_set_tolerances(s->problem.solver, s->revision.tolerance, s->revision.granular);
}

vs_error vs_revise_accuracy(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)round, (void)report;
    if (s->revision.tolerance > s->options.solver.tolerance)
        *invalid = VS_INVALID_SOLUTION;
    s->revision.tolerance = s->options.solver.tolerance;
    return VS_OK;
}

// A loose tolerance of the energies of an island leaves single contacts that close by more than what counts as closed. Those of
// grains take few more sweeps, where the whole island to a tenth would take factorizations.
vs_error vs_revise_closing(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    static const double TIGHTER = .1, TIGHTER_GRAINS = .25;
    (void)round, (void)report;
    const vs_closing closing = is_solved(s) ? vs_report_closing(s) : (vs_closing){false, false};
    s->revision.tolerance *= closing.strict ? TIGHTER : 1;
    s->revision.granular *= closing.loose ? TIGHTER_GRAINS : 1;
    if (closing.strict || closing.loose)
        *invalid = VS_INVALID_SOLUTION;
    return VS_OK;
}

// ---- no energy from nothing ------------------------------------------------------------------------

vs_error vs_revise_restitution(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)round, (void)report;
    if (s->blocks.flexible)
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    bool again = false;
    vs_error error = vs_impact_guard_check(&s->guard, &view, s->context, &again);
    *invalid = again ? VS_INVALID_ROWS : VS_INVALID_NOTHING;
    return error;
}

vs_error vs_revise_impact_times(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)round, (void)report;
    bool again = false;
    vs_error error = vs_impact_shift_limit(s, &again);
    *invalid = again ? VS_INVALID_ROWS : VS_INVALID_NOTHING;
    return error;
}

// Restitution is judged again from its beginning.
static void begin_again(vs_simulation *s, bool again, vs_invalid *invalid) {
    if (!again)
        return;
    vs_impact_guard_reset(&s->guard);
    *invalid = VS_INVALID_ROWS;
}

// Do bodies keep other velocities than those that move them, where it takes that to create no energy, or lose none?
static bool is_guarded(const vs_simulation *s) {
    return !s->blocks.flexible && !vs_bond_contacts_needed(s->world);
}

static vs_error leave_to_next_step(vs_simulation *s, const vs_step_view *view, bool *again) {
    vs_error error = vs_impact_sequence_check(&s->sequence, view, &s->contacts, again);
    if (!error && *again)
        error = vs_moved_bodies_keep(&s->moved, view, s->sequence.moved.data);
    if (!error && *again)
        error = vs_impact_shift_moved(s, s->sequence.moved.data);
    return error;
}

vs_error vs_revise_impact_sequence(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)report;
    if (!is_guarded(s) || s->kick.half || s->division)
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    bool again = false;
    vs_error error = round == 0 ? leave_to_next_step(s, &view, &again)
                                : vs_impact_sequence_return(&s->sequence, &view, &s->contacts, &s->moved, &again);
    begin_again(s, !error && again, invalid);
    return error;
}

vs_error vs_revise_recoveries(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)round, (void)report;
    if (!is_guarded(s))
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    bool again = false;
    vs_error error = vs_recovery_guard_check(&s->recovery, &view, &again);
    if (!error && again)
        error = vs_division_agree(s->division, vs_moved_bodies_keep(&s->moved, &view, s->recovery.calm.data));
    begin_again(s, !error && again, invalid);
    return error;
}

vs_error vs_revise_predictions(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid) {
    (void)round, (void)report;
    if (s->blocks.flexible)
        return VS_OK;
    const vs_step_view view = vs_step_view_of(s);
    bool again = false;
    vs_error error = vs_struck_keep_predictions(s, &view, &again);
    begin_again(s, !error && again, invalid);
    return error;
}
