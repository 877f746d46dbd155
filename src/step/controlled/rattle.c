// A controlled step: see rattle.h.
#include "step/controlled/rattle.h"

#include <math.h>

#include "base/elementary.h"
#include "body/joint_projection.h"
#include "step/account/energy_account.h"
#include "step/rows/joint_rows.h"
#include "step/controlled/passing.h"
#include "step/account/report.h"
#include "step/controlled/saved_state.h"
#include "step/scheme/assemble.h"
#include "step/scheme/revision.h"
#include "step/controlled/touching.h"

// Of a step of the simulation: an impact takes no time, but contacts are searched, and told from resting ones, with some.
static const double INSTANT = 1e-6;

static vs_kick half_kick(vs_simulation *s, double h, bool level) {
    vs_world_update_gravity(s->world, s->world->time, 0); // as it is now
    return (vs_kick){.h = h,
                     .push = .5 * h,
                     .length = .5 * h,
                     .time = s->world->time,
                     .mean = .5 * h,
                     .centred = true,
                     .half = true,
                     .level = level};
}

// ---- a problem -------------------------------------------------------------------------------------

// The worst certificate of all problems.
static void add_certificate(const vs_simulation *s, vs_step_report *report) {
    vs_step_report one = {0};
    vs_report_certificate(s, &one);
    if (!report->status_text || (report->status == VS_STATUS_CONVERGED && one.status != VS_STATUS_CONVERGED)) {
        report->status = one.status;
        report->status_text = one.status_text;
    }
    if (one.relative_error >= report->relative_error) {
        report->relative_error = one.relative_error;
        report->energy_error = one.energy_error;
        report->energy_scale = one.energy_scale;
    }
    report->islands = one.islands;
    report->work_error = fmax(report->work_error, one.work_error);
    report->natural_map = fmax(report->natural_map, one.natural_map);
}

// Remembered impulses are those of a kick as long as the simulation's step, and are scaled for this one.
static vs_error solve(vs_simulation *s, vs_step_report *report) {
    vs_impact_guard_reset(&s->guard);
    vs_recovery_guard_reset(&s->recovery);
    vs_moved_bodies_reset(&s->moved);
    vs_impulse_memory_scale(&s->memory, s->kick.length / s->options.step);
    vs_error error = vs_step_assemble(s);
    const double least = report->restitution_factor;
    if (!error && s->problem.solver)
        error = vs_step_solve(s, report);
    report->restitution_factor = fmin(report->restitution_factor, least);
    if (!error && s->kick.length > 0)
        vs_impulse_memory_scale(&s->memory, s->options.step / s->kick.length);
    return error;
}

// The solution becomes the velocities of bodies.
static void apply(vs_simulation *s, vs_step_report *report) {
    if (!s->problem.solver)
        return;
    add_certificate(s, report);
    vs_energy_account_loads(s, s->problem.result.v, &report->flow);
    vs_energy_account_rows(s, &report->flow);
    vs_blocks_write_velocities(&s->blocks, s->world, s->problem.result.v);
}

// How many contacts press, and how many of them stick.
typedef struct contact_state {
    int presses, sticks, limits;
} contact_state;

static contact_state count_contacts(const vs_simulation *s) {
    const double margin = sqrt(s->options.solver.tolerance);
    contact_state state = {0, 0, 0};
    for (int64_t k = 0; k < s->groups.group.count && s->problem.solver; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const double *x = vs_row_group_impulses(group, &s->problem.result);
        if (group->kind == VS_GROUP_JOINT || group->kind == VS_GROUP_BOX || !(x[0] > 0))
            continue;
        state.limits += vs_row_group_is_limit(group);
        state.presses += vs_row_group_is_contact(group);
        const bool friction = group->kind == VS_GROUP_FRICTION || group->kind == VS_GROUP_ROPE;
        state.sticks += friction && vs_hypot(x[1], x[2]) < (1 - margin) * group->mu * x[0];
    }
    return state;
}

static bool presses(const vs_simulation *s, int contact) {
    return s->problem.solver && s->problem.result.lambda[s->groups.group.data[contact].row] > 0;
}

// ---- impact ----------------------------------------------------------------------------------------

static bool is_stiff_and_touches(const vs_simulation *s, const vs_contact *contact) {
    return vs_contact_touches(s, contact) && vs_contact_is_stiff(s, contact);
}

// For stop conditions: the contacts of the last problem of a step do not show its impacts.
static vs_error note_struck(vs_simulation *s) {
    const vs_contacts *all = s->contacts.rigid;
    vs_error error = VS_RESERVE(s->context, &s->control.struck, s->control.struck.count + all->count);
    for (int k = 0; k < all->count && !error; k++)
        if (presses(s, k))
            s->control.struck.data[s->control.struck.count++] = (vs_struck_contact){
                all->contact[k].a, all->contact[k].b, s->problem.result.lambda[s->groups.group.data[k].row]};
    return error;
}

vs_error vs_rattle_impact(vs_simulation *s, vs_step_report *report) {
    s->kick = half_kick(s, INSTANT * s->options.step, true);
    s->kick.push = s->kick.length = 0;
    vs_error error = vs_step_collide(s);
    if (!error)
        error = vs_contacts_filter(s, is_stiff_and_touches);
    if (!error)
        error = solve(s, report);
    if (!error)
        error = note_struck(s);
    if (!error && s->solved.function)
        error = s->solved.function(s, s->solved.user);
    if (error)
        return error;
    apply(s, report);
    vs_saved_state_restore_impulses(s);
    return VS_OK;
}

// ---- the first problem -----------------------------------------------------------------------------

static bool is_located(const vs_simulation *s, const vs_contact *contact) {
    for (int64_t k = 0; k < s->control.located.count; k++)
        if (s->control.located.data[k].pair == contact->pair)
            return true;
    return false;
}

static bool is_unlocated(const vs_simulation *s, const vs_contact *contact) {
    return !is_located(s, contact) || vs_contact_touches(s, contact);
}

static vs_error solve_positions(vs_simulation *s, vs_step_report *report) {
    vs_error error = vs_contacts_filter(s, is_unlocated);
    return error ? error : solve(s, report);
}

static void prepare_positions(vs_simulation *s, double h) {
    s->kick = half_kick(s, h, false);
    for (int k = 1; k < s->world->bodies; k++)
        s->world->body[k].held = VS_ZERO3; // of a fixed step
    vs_world_drive(s->world, h);
}

vs_error vs_rattle_solve_unlocated(vs_simulation *s, double h, vs_step_report *report) {
    prepare_positions(s, h);
    vs_error error = vs_step_collide(s);
    return error ? error : solve_positions(s, report);
}

static bool any_strikes(const vs_simulation *s) {
    for (int k = 0; k < s->contacts.rigid->count; k++) {
        const vs_contact *contact = &s->contacts.rigid->contact[k];
        if (vs_contact_touches(s, contact) && vs_contact_strikes(s, contact, 0))
            return true;
    }
    return false;
}

// Open contacts that press: they strike, or close slowly.
static vs_error find_closing(vs_simulation *s, vs_rattle_trial *trial) {
    vs_error error = VS_OK;
    for (int k = 0; k < s->contacts.rigid->count && !error; k++) {
        const vs_contact *contact = &s->contacts.rigid->contact[k];
        if (!presses(s, k) || (vs_contact_touches(s, contact) && !contact->late))
            continue;
        trial->closes = true;
        if (!vs_contact_strikes(s, contact, s->kick.h) || is_located(s, contact))
            continue;
        trial->strikes = true;
        error = VS_RESERVE(s->context, &s->control.located, s->control.located.count + 1);
        if (!error)
            s->control.located.data[s->control.located.count++] = *contact;
    }
    return error;
}

static vs_error move_positions(vs_simulation *s, vs_step_report *report) {
    vs_world *world = s->world;
    for (int k = 1; k < world->bodies; k++)
        if (vs_body_takes_part(&world->body[k]) && world->body[k].motion != VS_MOTION_STATIC) {
            const vs_moved_body *moved = vs_moved_bodies_motion(&s->moved, &s->blocks, k);
            vs_body_drift(&world->body[k], s->kick.h);
            if (moved) // an overlap opens with a velocity that is none of the body's
                world->body[k].pose = moved->end;
        }
    world->time += s->kick.h;
    if (s->options.project && world->joints > 0)
        return vs_joints_project(world, 1e-13, 3, &report->joint_drift);
    report->joint_drift = vs_joints_drift(world);
    return VS_OK;
}

// ---- the second problem ----------------------------------------------------------------------------

static bool pressed_before(const vs_simulation *s, const vs_contact *contact) {
    const vs_impulse *last = vs_impulse_memory_find(&s->memory, contact->pair, contact->key);
    return last && vs_dot(last->impulse, contact->normal) > 0;
}

static bool is_closed(const vs_simulation *s, const vs_contact *contact) {
    if (pressed_before(s, contact))
        return true;
    return vs_contact_touches(s, contact) && !vs_contact_strikes(s, contact, .5 * s->kick.h);
}

// Located contacts that lie too deep at the end of the step.
static void find_deepest(const vs_simulation *s, vs_rattle_trial *trial) {
    for (int k = 0; k < s->contacts.rigid->count; k++) {
        const vs_contact *contact = &s->contacts.rigid->contact[k];
        const double slop = vs_contact_rows_controlled_slop(&s->options, vs_contact_size(s->world, contact));
        const double deep = -contact->gap - slop, speed = vs_contact_approach(s, contact, .5 * s->kick.h);
        if (!is_located(s, contact) || !(deep > trial->deepest) || !vs_contact_strikes(s, contact, .5 * s->kick.h))
            continue;
        trial->deepest = deep;
        trial->shorter = -contact->gap / speed;
    }
}

// The deepest overlap of located contacts, >= 0, in multiples of a L, or of 1e-3 L if that is less.
static double find_sunk(const vs_simulation *s) {
    double sunk = 0;
    for (int k = 0; k < s->contacts.rigid->count; k++) {
        const vs_contact *contact = &s->contacts.rigid->contact[k];
        const double size = vs_contact_size(s->world, contact);
        if (is_located(s, contact) && vs_contact_is_stiff(s, contact) && isfinite(size))
            sunk = fmax(sunk, -contact->gap / vs_contact_rows_deepest(&s->options, size));
    }
    return sunk;
}

// The deepest overlap of contacts that are not located beyond what counts as closed, >= 0, in multiples of a L, or of 1e-3 L if
// that is less.
static double find_overlap(const vs_simulation *s) {
    double overlap = 0;
    for (int k = 0; k < s->contacts.rigid->count; k++) {
        const vs_contact *contact = &s->contacts.rigid->contact[k];
        const double size = vs_contact_size(s->world, contact);
        if (!is_located(s, contact) && vs_contact_is_stiff(s, contact) && isfinite(size))
            overlap = fmax(overlap, (-contact->gap - vs_contact_rows_controlled_slop(&s->options, size)) /
                                        vs_contact_rows_deepest(&s->options, size));
    }
    return overlap;
}

// Contacts that did not press before; the memory of this is replaced by the solution.
static vs_error note_fresh(vs_simulation *s) {
    const vs_contacts *all = s->contacts.rigid;
    vs_error error = VS_RESERVE(s->context, &s->control.fresh, all->count);
    for (int k = 0; k < all->count && !error; k++)
        s->control.fresh.data[k] = !pressed_before(s, &all->contact[k]);
    return error;
}

static bool any_fresh_presses(const vs_simulation *s) {
    for (int k = 0; k < s->contacts.rigid->count; k++)
        if (s->control.fresh.data[k] && presses(s, k))
            return true;
    return false;
}

static vs_error solve_velocities(vs_simulation *s, double h, double sunk, vs_rattle_trial *trial,
                                 vs_step_report *report) {
    s->kick = half_kick(s, h, true);
    vs_world_drive(s->world, 0);
    vs_error error = vs_step_collide(s);
    if (error)
        return error;
    find_deepest(s, trial);
    trial->sunk = find_sunk(s) > sunk + 1;
    const double overlap = find_overlap(s);
    trial->overlap = overlap > trial->overlap ? overlap : 0;
    error = vs_contacts_filter(s, is_closed);
    if (!error)
        error = note_fresh(s);
    if (!error)
        error = solve(s, report);
    if (error)
        return error;
    trial->closes = trial->closes || any_fresh_presses(s);
    apply(s, report);
    if (s->problem.solver)
        vs_joint_rows_set_reactions(&s->groups, &s->problem.result, s->kick.length, s->world);
    return VS_OK;
}

// ---- the step --------------------------------------------------------------------------------------

vs_error vs_rattle_try(vs_simulation *s, double h, bool settled, vs_rattle_trial *trial, vs_step_report *report) {
    *trial = (vs_rattle_trial){.passes = 2};
    prepare_positions(s, h);
    vs_error error = vs_step_collide(s);
    trial->struck = !error && !settled && any_strikes(s);
    if (error || trial->struck)
        return error;
    const double sunk = find_sunk(s);
    trial->overlap = find_overlap(s);
    trial->recovers = trial->overlap > 0;
    error = solve_positions(s, report);
    if (!error)
        error = find_closing(s, trial);
    trial->failed = s->shake.straight;
    if (error || trial->strikes || trial->failed)
        return error;
    const contact_state first = count_contacts(s);
    apply(s, report);
    error = move_positions(s, report);
    if (!error)
        error = vs_passing_find(s, h, &trial->passes);
    if (error || trial->passes <= 1)
        return error;
    error = solve_velocities(s, h, sunk, trial, report);
    if (error)
        return error;
    const contact_state second = count_contacts(s);
    trial->changes = first.presses != second.presses || first.sticks != second.sticks || first.limits != second.limits;
    trial->presses = first.presses + first.limits + second.presses + second.limits > 0;
    return VS_OK;
}
