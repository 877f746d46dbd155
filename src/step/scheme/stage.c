// The contact problem of a stage: see stage.h.
#include "step/scheme/stage.h"

#include "step/bond/bond_contacts.h"
#include "step/bond/bond_rows.h"
#include "step/elastic/elastic_energy.h"
#include "step/elastic/elastic_newton.h"
#include "step/scheme/impact_shift.h"
#include "step/rows/joint_rows.h"
#include "step/contacts/late_contacts.h"
#include "step/rows/node_rows.h"
#include "step/scheme/shake.h"
#include "step/scheme/struck.h"
#include "step/contacts/swept_contacts.h"
#include "step/contacts/unreached_contacts.h"

// ---- collide ---------------------------------------------------------------------------------------

static vs_error make_bonds(vs_simulation *s) {
    if (s->division)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "mortar: a distributed simulation cannot have it");
    return vs_bonds_make(&s->bonds, s->world, s->contacts.rigid);
}

vs_error vs_stage_collide(vs_simulation *s) {
    const bool bonded = vs_bond_contacts_needed(s->world);
    s->crushing.contact.count = 0, s->crushing.unsettled = false;
    vs_error error = s->division ? s->division->arrange(s->division->user) : VS_OK;
    if (!error)
        error = vs_impulse_memory_list_contacts(&s->memory, &s->contacts, s->context);
    if (!error && bonded)
        error = vs_bond_contacts_widen(&s->bonds, s->world, &s->contacts);
    if (!error)
        error = vs_step_contacts_find(&s->contacts, s->kick.h, s->options.envelope);
    if (!error && s->bonds.mortars < s->world->mortars)
        error = make_bonds(s);
    if (!error && bonded)
        error = vs_bond_contacts_set(&s->bonds, s->world, s->kick.h, &s->contacts);
    return vs_division_agree(s->division, error);
}

// ---- assemble --------------------------------------------------------------------------------------

static vs_problem_inputs inputs_of(vs_simulation *s) {
    return (vs_problem_inputs){.world = s->world,
                               .solver = &s->options.solver,
                               .division = s->division,
                               .blocks = &s->blocks,
                               .groups = &s->groups,
                               .contact_rows = &s->contact_rows,
                               .bonds = &s->bonds,
                               .crushing = &s->crushing,
                               .kick = &s->kick,
                               .elastic = &s->elastic};
}

// Contacts first, then limits and boxes, bonds, joints: the order of the problem.
static vs_error add_rows(vs_simulation *s) {
    const vs_row_builder builder = {.world = s->world,
                                    .options = &s->options,
                                    .blocks = &s->blocks,
                                    .groups = &s->groups,
                                    .kick = &s->kick,
                                    .friction = &s->friction,
                                    .collision = s->division ? NULL : s->contacts.collision,
                                    .restitution_factor = s->guard.active ? s->guard.factor.data : NULL,
                                    .calm = s->recovery.active ? s->recovery.calm.data : NULL,
                                    .latest_impact = s->shake.limited ? s->shake.shift.data : NULL,
                                    .moved = s->contacts.moved.data};
    const vs_step_contacts *contacts = &s->contacts;
    vs_row_groups_clear(&s->groups);
    vs_error error = vs_contact_rows_reserve(&s->contact_rows, s->context, vs_step_contacts_count(contacts));
    if (!error)
        error = vs_contact_rows_add(&s->contact_rows, &builder, contacts->rigid);
    if (!error)
        error = vs_node_rows_add(&s->contact_rows, &builder, contacts->nodes, contacts->rigid->count);
    if (!error)
        error = vs_joint_rows_add_bounded(&builder);
    if (!error)
        error = vs_bond_rows_add(&s->bonds, &builder);
    if (!error)
        error = vs_joint_rows_add_bilateral(&builder);
    if (!error && s->blocks.flexible)
        error = vs_glue_rows_add(&builder);
    return error;
}

vs_error vs_stage_assemble(vs_simulation *s) {
    const vs_problem_inputs inputs = inputs_of(s);
    s->elastic.expanded = false;
    s->elastic.damping = s->options.numerical_damping;
    vs_error error = vs_blocks_number(&s->blocks, s->world, s->division, s->contacts.rigid);
    if (!error)
        error = vs_blocks_read_velocities(&s->blocks, s->world, &s->kick);
    if (!error)
        error = vs_step_problem_set_momentum(&s->problem, &inputs);
    if (!error)
        error = add_rows(s);
    if (!error)
        vs_step_problem_add_pulls(&s->problem, &inputs);
    if (!error && s->kick.centred && !s->kick.level)
        error = vs_shake_predict(s);
    error = vs_division_agree(s->division, error);
    return error ? error : vs_step_problem_update(&s->problem, &inputs);
}

// ---- solve -----------------------------------------------------------------------------------------

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

// The problem, and again until the joints hold at the end of the step (shake), and with the elements expanded about its
// solution, if this was asked for.
static vs_error solve(vs_simulation *s, vs_step_report *report) {
    const vs_problem_inputs inputs = inputs_of(s);
    int *problems = &report->elastic_iterations;
    vs_error error = solve_once(s, report);
    for (*problems = 1; !error; ++*problems) {
        bool curved = s->kick.centred && !s->kick.level && vs_shake_correct(s), expanded = false;
        if (s->blocks.flexible && *problems < s->options.elastic_iterations)
            error = vs_elastic_newton_next(&s->elastic, s->problem.c.data, s->problem.result.v, &expanded);
        if (error || !(curved || expanded))
            break;
        error = expanded ? vs_step_problem_update_elastic(&s->problem, &inputs)
                         : vs_step_problem_update(&s->problem, &inputs);
        if (!error)
            error = solve_once(s, report);
    }
    return error;
}

vs_crushing_step vs_stage_crushing(vs_simulation *s) {
    return (vs_crushing_step){.world = s->world,
                              .kick = &s->kick,
                              .contacts = s->contacts.rigid,
                              .rows = &s->contact_rows,
                              .blocks = &s->blocks,
                              .groups = &s->groups,
                              .bonds = &s->bonds,
                              .result = &s->problem.result,
                              .tolerance = s->options.solver.tolerance,
                              .quasi_static = s->options.scheme == VS_SCHEME_QUASI_STATIC};
}

// The same, and again with other contacts crushed, until none carries more than its bond does.
static vs_error solve_crushing(vs_simulation *s, vs_step_report *report) {
    enum { ROUNDS = 10 };
    const vs_problem_inputs inputs = inputs_of(s);
    const vs_crushing_step step = vs_stage_crushing(s);
    vs_crushing *crushing = &s->crushing;
    bool any = false;
    vs_error error = vs_bond_contacts_needed(s->world) ? vs_crushing_begin(crushing, &step, &any) : VS_OK;
    if (!error && any)
        error = vs_step_problem_update_elastic(&s->problem, &inputs);
    if (!error)
        error = solve(s, report);
    for (int round = 0; !error && crushing->contact.count > 0 && vs_crushing_check(crushing, &step); round++) {
        crushing->unsettled = crushing->unsettled || round == ROUNDS;
        if (round == ROUNDS || s->problem.result.status != VS_STATUS_CONVERGED)
            break;
        s->elastic.expanded = false;
        error = vs_step_problem_update_elastic(&s->problem, &inputs);
        if (!error)
            error = solve(s, report);
    }
    vs_crushing_end(crushing, &step);
    return error;
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

// The same, and again with more numerical damping, finally that of implicit Euler, where elements deform so much within the
// step that they would create more than this part of the energy of a flexible body.
static vs_error solve_elastic(vs_simulation *s, vs_step_report *report) {
    static const double CREATED = 2e-3, OMITTED = 1e-2;
    enum { RAISES = 3 };
    const vs_problem_inputs inputs = inputs_of(s);
    vs_error error = solve_crushing(s, report);
    for (int k = 1; k <= RAISES && !error && s->blocks.flexible && s->elastic.damping < 1; k++) {
        const bool turned = vs_elastic_energy_omitted(&s->elastic, s->problem.result.v) > OMITTED;
        if (!turned && vs_elastic_energy_created(&s->elastic, s->problem.result.v) <= CREATED)
            return VS_OK;
        error = raise_damping(s, turned || k == RAISES);
        if (!error)
            error = vs_step_problem_update_elastic(&s->problem, &inputs);
        if (!error)
            error = solve_crushing(s, report);
    }
    return error;
}

// Controlled steps end no deeper than contacts that count as closed.
static double late_tolerance(const vs_simulation *s) {
    return s->kick.half ? vs_contact_rows_controlled_slop(&s->options, 1) : VS_LATE;
}

// Fixed steps remove overlaps of the beginning that are not late, which would add up over the steps. Controlled steps count
// them as closed and leave them: a late contact would remove them at once, with an impulse for each edge that a body rolls over.
static double kept_overlap(const vs_simulation *s) {
    return s->kick.half ? 0 : VS_LATE;
}

static vs_late_search search_late(const vs_simulation *s, int round) {
    return (vs_late_search){.world = s->world,
                            .blocks = &s->blocks,
                            .v = s->problem.result.v,
                            .h = s->kick.h,
                            .round = round,
                            .tolerance = late_tolerance(s),
                            .kept = kept_overlap(s),
                            .located = s->control.located.data,
                            .located_count = s->control.located.count,
                            .centred = s->kick.centred};
}

// Adds the contacts that the solution makes late, else those of pairs that it would let pass through each other; *added:
// is there any, on any process?
static vs_error add_late(vs_simulation *s, int round, bool *added, vs_step_report *report) {
    const vs_late_search search = search_late(s, round);
    int count = 0;
    vs_error error = vs_division_agree(s->division, vs_late_contacts_add(&s->contacts, &search, &count));
    *added = !error && vs_space_any(vs_division_space(s->division), count > 0);
    if (!error && !*added) {
        error = vs_division_agree(s->division, vs_swept_contacts_add(&s->contacts, &search, &count));
        report->swept += count;
        *added = !error && vs_space_any(vs_division_space(s->division), count > 0);
    }
    return error || !*added ? error : vs_stage_assemble(s);
}

// Leaves out contacts that bodies do not reach, or adds those again that they do. Not where the times of impacts are located, which
// follows the true motion itself. All processes do the same.
static vs_error leave_out_unreached(vs_simulation *s, int revision, bool *changed) {
    if (s->kick.half)
        return VS_OK;
    const vs_late_search search = search_late(s, 0);
    const vs_unreached_inputs inputs = {&search, &s->groups, &s->problem.result, s->blocks.free.data, revision};
    vs_error error = vs_division_agree(s->division, vs_unreached_contacts_revise(&s->contacts, &inputs, changed));
    *changed = !error && vs_space_any(vs_division_space(s->division), *changed);
    return error || !*changed ? error : vs_stage_assemble(s);
}

// Bodies turn: contacts that appear only at the end of the step are added, and the problem is solved again. Where they are to
// be expected, a rough solution, which shows them as well, comes first. Not with flexible bodies, and not where the problem
// was not solved: what overlaps then is its error, and late contacts, which have no limit of recovery, would throw the
// bodies apart. All processes do the same.
static vs_error solve_late(vs_simulation *s, vs_step_report *report) {
    enum { ROUNDS = 8 };
    const double tolerance = s->options.solver.tolerance;
    bool rough =
        tolerance < VS_LATE && !s->kick.centred && !s->blocks.flexible && s->bonds.of_pair.count == 0 &&
        vs_space_any(vs_division_space(s->division), vs_late_contacts_expected(&s->contacts, s->world, s->kick.h));
    vs_error error = VS_OK;
    bool again = true;
    for (int round = 0, revision = 0; again && !error;) {
        error = vs_solver_set_tolerance(s->problem.solver, rough ? VS_LATE : tolerance);
        if (!error)
            error = solve_elastic(s, report);
        const bool checked = s->problem.result.status == VS_STATUS_CONVERGED && !s->blocks.flexible && !s->kick.level;
        bool changed = false, added = false;
        if (!error && checked)
            error = leave_out_unreached(s, revision, &changed);
        if (!error && checked && !changed && round < ROUNDS)
            error = add_late(s, round, &added, report);
        *(changed ? &revision : &round) += 1;
        again = changed || added || rough;
        rough = rough && (changed || added);
    }
    return error;
}

static vs_error solve_again(vs_simulation *s, vs_step_report *report) {
    const vs_error error = vs_stage_assemble(s);
    return error ? error : solve_crushing(s, report);
}

static vs_guarded_step guarded_step(const vs_simulation *s) {
    return (vs_guarded_step){.options = &s->options,
                             .h = s->kick.h,
                             .centred = s->kick.centred,
                             .division = s->division,
                             .blocks = &s->blocks,
                             .groups = &s->groups,
                             .contacts = &s->contact_rows,
                             .result = &s->problem.result};
}

// Again with less restitution where impacts would create energy.
static vs_error reduce_restitution(vs_simulation *s, vs_step_report *report) {
    const vs_guarded_step step = guarded_step(s);
    vs_error error = VS_OK;
    bool again = !s->blocks.flexible;
    while (!error && again) {
        error = vs_impact_guard_check(&s->guard, &step, s->context, &again);
        if (!error && again)
            error = solve_again(s, report);
    }
    return error;
}

static vs_error impact_again(vs_simulation *s, vs_step_report *report) {
    vs_impact_guard_reset(&s->guard);
    const vs_error error = solve_again(s, report);
    return error ? error : reduce_restitution(s, report);
}

// Do bodies keep other velocities than those that move them, where it takes that to create no energy, or lose none?
static bool is_guarded(const vs_simulation *s) {
    return !s->blocks.flexible && !s->kick.half && !vs_bond_contacts_needed(s->world);
}

// Again without recoveries where these would create energy, for the velocities that bodies keep.
static vs_error remove_recoveries(vs_simulation *s, vs_step_report *report) {
    const vs_guarded_step step = guarded_step(s);
    bool again = false;
    vs_error error = is_guarded(s) ? vs_recovery_guard_check(&s->recovery, &step, s->world, &again) : VS_OK;
    if (!error && again)
        error = vs_division_agree(s->division, vs_moved_bodies_keep(&s->moved, &step, s->world, s->recovery.calm.data));
    return error || !again ? error : impact_again(s, report);
}

// Again without contacts that impacts of this step close, and that the next one has as impacts.
static vs_error leave_to_next_step(vs_simulation *s, vs_step_report *report) {
    const vs_guarded_step step = guarded_step(s);
    bool again = false;
    if (!is_guarded(s) || s->division)
        return VS_OK;
    vs_error error = vs_impact_sequence_check(&s->sequence, &step, s->world, &s->contacts, &again);
    if (!error && again)
        error = vs_moved_bodies_keep(&s->moved, &step, s->world, s->sequence.moved.data);
    if (!error && again)
        error = vs_impact_shift_moved(s, s->sequence.moved.data);
    if (error || !again)
        return error;
    error = impact_again(s, report);
    if (!error)
        error = vs_impact_sequence_return(&s->sequence, &step, s->world, &s->contacts, &s->moved, &again);
    return error || !again ? error : impact_again(s, report);
}

// Again where a reaction was predicted that did not come.
static vs_error keep_predictions(vs_simulation *s, vs_step_report *report) {
    const vs_guarded_step step = guarded_step(s);
    bool again = false;
    vs_error error = s->blocks.flexible ? VS_OK : vs_struck_keep_predictions(s, &step, &again);
    return error || !again ? error : impact_again(s, report);
}

vs_error vs_stage_solve(vs_simulation *s, vs_step_report *report) {
    bool again = false;
    vs_error error = solve_late(s, report);
    if (!error)
        error = reduce_restitution(s, report);
    if (!error)
        error = vs_impact_shift_limit(s, &again);
    if (!error && again)
        error = solve_again(s, report);
    if (!error)
        error = leave_to_next_step(s, report);
    if (!error)
        error = remove_recoveries(s, report);
    if (!error)
        error = keep_predictions(s, report);
    report->restitution_factor = vs_impact_guard_least(&s->guard);
    return error;
}
