// A step of fixed length: see fixed_step.h.
#include "step/scheme/fixed_step.h"

#include "base/clock.h"
#include "body/flexible_data.h"
#include "body/joint_projection.h"
#include "step/bond/bond_rows.h"
#include "step/elastic/elastic_energy.h"
#include "step/account/energy_account.h"
#include "step/scheme/friction_update.h"
#include "step/scheme/hold.h"
#include "step/scheme/impact_shift.h"
#include "step/rows/joint_rows.h"
#include "step/scheme/quasi_static.h"
#include "step/account/report.h"
#include "step/scheme/shake.h"
#include "step/scheme/assemble.h"
#include "step/scheme/revision.h"
#include "step/scheme/struck.h"

// ---- apply -----------------------------------------------------------------------------------------

static void apply(vs_simulation *s, vs_step_report *report) {
    const vs_result *result = &s->problem.result;
    vs_joint_rows_set_reactions(&s->groups, result, s->kick.length, s->world);
    if (s->kick.length != s->kick.h)
        vs_impulse_memory_scale(&s->memory, s->kick.h / s->kick.length);
    vs_energy_account_loads(s, result->v, &report->flow);
    vs_energy_account_rows(s, &report->flow);
    const vs_step_view view = vs_step_view_of(s);
    vs_bond_rows_account(&s->bonds, &view, &report->flow);
    vs_crushing_account(&s->crushing, &view, &report->flow);
    if (s->kick.centred)
        vs_shake_set_leads(s, result->v);
    vs_blocks_write_velocities(&s->blocks, s->world, result->v);
    vs_struck_forget(s);
    if (s->blocks.flexible) {
        vs_elastic_energy_account(&s->elastic, &report->flow);
        vs_elastic_terms_remember(&s->elastic);
    }
    vs_report_contacts(s, report);
    vs_report_certificate(s, report);
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

static void advance(const vs_simulation *s, int index) {
    vs_body *body = &s->world->body[index];
    const vs_moved_body *moved = vs_moved_bodies_motion(&s->moved, &s->blocks, index);
    if (s->kick.centred)
        vs_shake_advance(body, s->kick.h);
    else
        vs_body_advance(body, s->kick.h);
    if (moved)
        body->pose = moved->end;
}

// Poses move with the new velocities; joints are projected.
static vs_error integrate(vs_simulation *s, vs_step_report *report) {
    vs_world *world = s->world;
    double h = s->kick.h;
    vs_error error = vs_hold_begin(s);
    if (error)
        return error;
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            prescribe_velocities(world, &world->flexible[k], h);
    for (int k = 1; k < world->bodies; k++)
        if (vs_world_place(world, k) == VS_PLACE_HERE && world->body[k].alive &&
            world->body[k].motion != VS_MOTION_STATIC)
            advance(s, k);
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive)
            vs_flexible_advance(&world->flexible[k], h,
                                vs_elastic_lag(&world->flexible[k], &s->kick, s->options.numerical_damping));
    error = vs_impact_shift(s);
    if (error)
        return error;
    if (s->options.project && world->joints > 0)
        error = vs_joints_project(world, 1e-13, 3, &report->joint_drift);
    else
        report->joint_drift = vs_joints_drift(world);
    if (!error)
        error = vs_hold_end(s, report);
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            report->inverted += vs_flexible_inverted(&world->flexible[k], NULL);
    return error;
}

// ---- the step --------------------------------------------------------------------------------------

vs_error vs_fixed_step(vs_simulation *s, vs_energy *before, vs_step_report *report) {
    double begin = vs_clock();
    vs_impact_guard_reset(&s->guard);
    vs_recovery_guard_reset(&s->recovery);
    vs_moved_bodies_reset(&s->moved);
    s->shake.limited = false;
    vs_error error = vs_step_collide(s);
    if (before)
        *before = vs_world_get_energy(s->world); // bodies are on their processes now
    double collided = vs_clock();
    if (error)
        return error;
    if (s->options.scheme == VS_SCHEME_QUASI_STATIC)
        vs_quasi_static_stop(s, before, report);
    if (s->kick.centred)
        vs_shake_begin(s);
    error = vs_step_assemble(s);
    double assembled = vs_clock();
    if (!error && s->problem.solver)
        error = vs_step_solve(s, report);
    if (error && s->kick.centred)
        vs_shake_cancel(s);
    if (error)
        return error;
    double solved = vs_clock();
    if (s->problem.solver) {
        const vs_step_view view = vs_step_view_of(s);
        error = vs_moved_bodies_limit(&s->moved, &view);
    }
    if (s->solved.function && !error)
        error = s->solved.function(s, s->solved.user);
    if (s->problem.solver && !error) {
        apply(s, report);
        error = vs_friction_update(s);
    }
    if (!s->problem.solver && s->division)
        apply_free(s, report);
    report->seconds_collide += collided - begin;
    report->seconds_assemble += assembled - collided;
    report->seconds_solve += solved - assembled;
    if (!error)
        error = integrate(s, report);
    error = vs_division_agree(s->division, error);
    const vs_step_view view = vs_step_view_of(s);
    if (!error)
        vs_crushing_deepen(&s->crushing, &view);
    vs_bonds_update(&s->bonds, s->world, s->kick.h, s->world->time + s->kick.h);
    report->bonds = (int)s->bonds.holds, report->broken = s->bonds.broken, report->bond_step = s->bonds.step;
    return error;
}
