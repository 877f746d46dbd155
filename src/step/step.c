// One step of the Anitescu-Tasora scheme (docs/theory.md, The step problem):
//
//     collide    contacts at the present positions (this and the next two: stage.c)
//     assemble   unknowns, rows, the contact problem
//     solve      impulses and velocities at the end of the step
//     apply      velocities of bodies and nodes, reactions of joints, energies
//     integrate  positions
#include "base/clock.h"
#include "body/flexible_data.h"
#include "body/joint_projection.h"
#include "step/elastic_energy.h"
#include "step/energy_account.h"
#include "step/joint_rows.h"
#include "step/outcome.h"
#include "step/report.h"
#include "step/shake.h"
#include "step/stage.h"

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
    vs_world_update_gravity(s->world, &s->kick);
    vs_impact_guard_reset(&s->guard);
    vs_error error = vs_stage_collide(s);
    const vs_energy before = vs_world_get_energy(s->world); // bodies are on their processes now
    double collided = vs_clock();
    if (error)
        return error;
    if (s->kick.centred)
        vs_shake_begin(s);
    error = vs_stage_assemble(s);
    double assembled = vs_clock();
    if (!error && s->problem.solver)
        error = vs_stage_solve(s, &report);
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
