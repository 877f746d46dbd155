// One step of the Anitescu-Tasora scheme (docs/theory.md, The step problem):
//
//     collide    contacts at the present positions
//     assemble   unknowns, rows, the contact problem
//     solve      impulses and velocities at the end of the step; with Newton's method on elastic forces several times,
//                and again with contacts that show only at the end of the step, or with less restitution
//     apply      velocities of bodies and nodes, reactions of joints, energies
//     integrate  positions
#include "base/clock.h"
#include "body/flexible_data.h"
#include "body/joint_projection.h"
#include "step/elastic_energy.h"
#include "step/elastic_newton.h"
#include "step/energy_account.h"
#include "step/joint_rows.h"
#include "step/late_contacts.h"
#include "step/node_rows.h"
#include "step/outcome.h"
#include "step/report.h"
#include "step/shake.h"

// ---- collide ---------------------------------------------------------------------------------------

static vs_error collide(vs_simulation *s) {
    vs_error error = s->division ? s->division->arrange(s->division->user) : VS_OK;
    if (!error)
        error = vs_impulse_memory_list_contacts(&s->memory, &s->contacts, s->context);
    if (!error)
        error = vs_step_contacts_find(&s->contacts, s->options.step, s->options.envelope);
    return vs_division_agree(s->division, error);
}

// ---- assemble --------------------------------------------------------------------------------------

static vs_problem_inputs inputs_of(vs_simulation *s) {
    return (vs_problem_inputs){.world = s->world,
                               .solver = &s->options.solver,
                               .division = s->division,
                               .blocks = &s->blocks,
                               .groups = &s->groups,
                               .elastic = &s->elastic};
}

// Contacts first, then limits and boxes, then joints: the order of the problem.
static vs_error add_rows(vs_simulation *s) {
    const vs_row_builder builder = {.world = s->world,
                                    .options = &s->options,
                                    .blocks = &s->blocks,
                                    .groups = &s->groups,
                                    .kick = &s->kick,
                                    .restitution_factor = s->guard.active ? s->guard.factor.data : NULL};
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
        error = vs_joint_rows_add_bilateral(&builder);
    if (!error && s->blocks.flexible)
        error = vs_glue_rows_add(&builder);
    return error;
}

static vs_error assemble(vs_simulation *s) {
    const vs_problem_inputs inputs = inputs_of(s);
    s->elastic.expanded = false;
    vs_error error = vs_blocks_number(&s->blocks, s->world, s->division, s->contacts.rigid);
    if (!error)
        error = vs_blocks_read_velocities(&s->blocks, s->world, &s->kick);
    if (!error)
        error = vs_step_problem_set_momentum(&s->problem, &inputs);
    if (!error)
        error = add_rows(s);
    if (!error && s->kick.centred)
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
        report->iterations += result->iterations;
        report->factorizations += result->factorizations;
        error = vs_impulse_memory_store(&s->memory, &s->groups, &s->contact_rows, result, s->context);
    }
    return vs_division_agree(s->division, error);
}

// The problem, and again until the joints hold at the end of the step.
static vs_error solve_curved(vs_simulation *s, vs_step_report *report) {
    const vs_problem_inputs inputs = inputs_of(s);
    vs_error error = solve_once(s, report);
    for (report->elastic_iterations = 1; !error && vs_shake_correct(s); report->elastic_iterations++) {
        error = vs_step_problem_update(&s->problem, &inputs);
        if (!error)
            error = solve_once(s, report);
    }
    return error;
}

// The problem, and again with the elements expanded about its solution, if this was asked for.
static vs_error solve(vs_simulation *s, vs_step_report *report) {
    if (s->kick.centred)
        return solve_curved(s, report);
    const vs_problem_inputs inputs = inputs_of(s);
    int *problems = &report->elastic_iterations;
    bool more = s->blocks.flexible;
    vs_error error = solve_once(s, report);
    for (*problems = 1; !error && more && *problems < s->options.elastic_iterations; ++*problems) {
        error = vs_elastic_newton_next(&s->elastic, s->problem.c.data, s->problem.result.v, &more);
        if (error || !more)
            break;
        error = vs_step_problem_update_elastic(&s->problem, &inputs);
        if (!error)
            error = solve_once(s, report);
    }
    return error;
}

// Adds the contacts that the solution makes late; *added: how many, on any process.
static vs_error add_late(vs_simulation *s, int round, bool *added) {
    const vs_late_search search = {.world = s->world,
                                   .blocks = &s->blocks,
                                   .v = s->problem.result.v,
                                   .h = s->options.step,
                                   .round = round,
                                   .centred = s->kick.centred};
    int count = 0;
    vs_error error = vs_division_agree(s->division, vs_late_contacts_add(&s->contacts, &search, &count));
    *added = !error && vs_space_any(vs_division_space(s->division), count > 0);
    return error || !*added ? error : assemble(s);
}

// Bodies turn: contacts that show only at the end of the step are added, and the problem is solved again. Where they are to
// be expected, a rough solution, which shows them as well, comes first. Not with flexible bodies, and not where the problem
// was not solved: what overlaps then is its error, and late contacts, which have no limit of recovery, would throw the
// bodies apart. All processes do the same.
static vs_error solve_late(vs_simulation *s, vs_step_report *report) {
    enum { ROUNDS = 8 };
    const double tolerance = s->options.solver.tolerance;
    bool rough = tolerance < VS_LATE && !s->kick.centred && !s->blocks.flexible &&
                 vs_space_any(vs_division_space(s->division),
                              vs_late_contacts_expected(&s->contacts, s->world, s->options.step));
    vs_error error = VS_OK;
    bool again = true;
    for (int round = 0; again && !error; round++) {
        error = vs_solver_set_tolerance(s->problem.solver, rough ? VS_LATE : tolerance);
        if (!error)
            error = solve(s, report);
        bool solved = s->problem.result.status == VS_STATUS_CONVERGED, added = false;
        if (!error && solved && !s->blocks.flexible && round < ROUNDS)
            error = add_late(s, round, &added);
        again = added || rough;
        rough = rough && added;
    }
    return error;
}

// Again with less restitution where impacts would create energy.
static vs_error solve_guarded(vs_simulation *s, vs_step_report *report) {
    vs_error error = solve_late(s, report);
    bool again = !s->blocks.flexible;
    while (!error && again) {
        const vs_guarded_step step = {.options = &s->options,
                                      .division = s->division,
                                      .blocks = &s->blocks,
                                      .groups = &s->groups,
                                      .contacts = &s->contact_rows,
                                      .result = &s->problem.result};
        error = vs_impact_guard_check(&s->guard, &step, s->context, &again);
        if (!error && again)
            error = assemble(s);
        if (!error && again)
            error = solve(s, report);
    }
    report->restitution_factor = vs_impact_guard_least(&s->guard);
    return error;
}

// ---- apply -----------------------------------------------------------------------------------------

static void apply(vs_simulation *s, vs_step_report *report) {
    const vs_result *result = &s->problem.result;
    vs_joint_rows_set_reactions(&s->groups, result, s->kick.length, s->world);
    if (s->kick.length != s->kick.h)
        vs_impulse_memory_scale(&s->memory, s->kick.h / s->kick.length);
    vs_energy_account_loads(s, result->v, &report->flow);
    vs_energy_account_rows(s, &report->flow);
    if (s->kick.centred)
        vs_shake_set_leads(s, result->v);
    vs_blocks_write_velocities(&s->blocks, s->world, result->v);
    if (s->blocks.flexible)
        vs_elastic_energy_account(&s->elastic, &report->flow);
    vs_report_contacts(s, report);
    vs_report_certificate(s, report);
    if (report->status != VS_STATUS_CONVERGED) {
        s->inaccurate++;
        s->stop = s->options.inaccurate == VS_INACCURATE_STOP;
    }
}

// No contact on any rank: free velocities.
static void apply_free(vs_simulation *s, vs_step_report *report) {
    report->status_text = "nothing touches";
    vs_energy_account_loads(s, s->blocks.free.data, &report->flow);
    if (s->kick.centred)
        vs_shake_set_leads(s, s->blocks.free.data);
    vs_blocks_write_velocities(&s->blocks, s->world, s->blocks.free.data);
}

// ---- integrate -------------------------------------------------------------------------------------

// Nodes with prescribed motion, or glued to bodies that have it.
static void prescribe_velocities(const vs_world *world, vs_flexible *f, double h) {
    for (int k = 0; k < f->nodes; k++)
        if (!vs_node_is_free(world, f, k))
            f->velocity[k] = vs_node_prescribed_velocity(world, f, k, h);
}

static void advance(const vs_kick *kick, vs_body *body) {
    if (kick->centred)
        vs_shake_advance(body, kick->h);
    else
        vs_body_advance(body, kick->h);
}

// Poses move with the new velocities; joints are projected.
static vs_error integrate(vs_simulation *s, vs_step_report *report) {
    vs_world *world = s->world;
    double h = s->options.step;
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            prescribe_velocities(world, &world->flexible[k], h);
    for (int k = 1; k < world->bodies; k++)
        if (vs_world_place(world, k) == VS_PLACE_HERE && world->body[k].alive &&
            world->body[k].motion != VS_MOTION_STATIC)
            advance(&s->kick, &world->body[k]);
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            vs_flexible_advance(&world->flexible[k], h);
    vs_error error = VS_OK;
    if (s->options.project && world->joints > 0)
        error = vs_joints_project(world, 1e-13, 3, &report->joint_drift);
    else
        report->joint_drift = vs_joints_drift(world);
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            report->inverted += vs_flexible_inverted(&world->flexible[k], NULL);
    vs_world_finish_step(world, h);
    return error;
}

// ---- the step --------------------------------------------------------------------------------------

// Bodies may have been added since the last one.
static vs_error check_scheme(const vs_simulation *s) {
    if (s->options.scheme == VS_SCHEME_MOREAU || s->world->flexible_slots.used == 0)
        return VS_OK;
    return vs_fail(s->context, VS_ERROR_ARGUMENT,
                   "scheme shake: the world has flexible bodies, which only the scheme moreau steps");
}

// Stop conditions, and those who want to know of the step.
static vs_error watch(vs_simulation *s, const vs_step_report *report) {
    bool met = false;
    vs_error error = s->division ? VS_OK : vs_watch_update(s->watch, s, &met);
    if (!error)
        error = vs_observers_take(&s->observers, report);
    if (!error && s->options.after && !s->options.after(s->options.user, s->world, report))
        met = true;
    s->stop = s->stop || met;
    return error;
}

static vs_error take_step(vs_simulation *s, vs_step_report *out) {
    vs_step_report report = {.step = s->steps + 1, .restitution_factor = 1};
    double begin = vs_clock();
    if (s->options.before && !s->options.before(s->options.user, s->world)) {
        s->stop = true;
        return VS_OK;
    }
    vs_world_drive(s->world, s->options.step);
    s->kick = s->options.scheme == VS_SCHEME_SHAKE ? vs_shake_kick(s) : vs_kick_over(s->world, s->options.step);
    vs_impact_guard_reset(&s->guard);
    vs_error error = collide(s);
    const vs_energy before = vs_world_get_energy(s->world); // bodies are on their processes now
    double collided = vs_clock();
    if (error)
        return error;
    if (s->kick.centred)
        vs_shake_begin(s);
    error = assemble(s);
    double assembled = vs_clock();
    if (!error && s->problem.solver)
        error = solve_guarded(s, &report);
    if (error && s->kick.centred)
        vs_shake_cancel(s);
    if (error)
        return error;
    double solved = vs_clock();
    if (s->problem.solver)
        apply(s, &report);
    else if (s->division)
        apply_free(s, &report);
    error = vs_division_agree(s->division, integrate(s, &report));
    s->steps++;
    report.time = s->world->time;
    report.contacts = vs_step_contacts_count(&s->contacts);
    report.energy = vs_world_get_energy(s->world);
    vs_energy_account_close(&before, &report);
    if (s->division)
        vs_report_sum(s->division->space, &report);
    vs_energy_flow_add(&s->flow, &report.flow);
    report.total = s->flow;
    report.seconds_collide = collided - begin;
    report.seconds_assemble = assembled - collided;
    report.seconds_solve = solved - assembled;
    report.seconds_total = vs_clock() - begin;
    if (out)
        *out = report;
    return error ? error : watch(s, &report);
}

vs_error vs_simulation_step(vs_simulation *s, vs_step_report *out) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    vs_error error = vs_simulation_check_idle(s, "vs_simulation_step");
    if (!error)
        error = check_scheme(s);
    if (error)
        return error;
    s->stepping = true;
    error = take_step(s, out);
    s->stepping = false;
    return error;
}
