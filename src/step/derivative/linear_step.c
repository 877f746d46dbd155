// The matrices of a step: see linear_step.h.
#include "step/derivative/linear_step.h"

#include "step/derivative/scope.h"

void vs_linear_step_add_mass(vs_motion_derivative *motion, const vs_body *body, const double *v) {
    double change[6];
    vs_step_problem_momentum(body, v, change);
    for (int i = 0; i < 6; i++)
        motion->kick[VS_KICK_IN * i + VS_KICK_IN - 1] += change[i];
}

static void record_bodies(vs_step_derivative *d, const vs_simulation *s, const bool *held, const double *v) {
    const vs_kick *kick = &s->kick;
    for (int k = 0; k < d->bodies; k++) {
        const int index = s->blocks.body.data[k];
        const vs_body *body = &s->world->body[index];
        const double *free = s->blocks.free.data + 6 * (int64_t)k, *u = v + 6 * (int64_t)k;
        const bool dropped = held[index] && vs_length(body->held) == 0; // by vs_struck_keep_predictions()
        d->body[k] = (vs_body_id){(uint32_t)index, body->generation};
        vs_motion_derivative_kick(&d->motion[k], s->world, index, kick->push, kick->time, !dropped);
        vs_linear_step_add_mass(&d->motion[k], body, u);
        vs_body moved = *body;
        moved.spin = (vs_vec3){u[3], u[4], u[5]};
        moved.free_spin = (vs_vec3){free[3], free[4], free[5]};
        vs_motion_derivative_drift(&d->motion[k], &moved, kick->length > 0 ? kick->h : 0,
                                   !kick->half && !s->blocks.struck.data[k]);
    }
}

// A contact without an impulse has no effect, nor have its directions: where it is does not matter.
static const char *find_pressing(const vs_step_derivative *d, const vs_simulation *s, bool *presses) {
    const vs_derivative_report found = vs_derivative_get_report(d->solution);
    const char *reason = NULL;
    for (int k = 0; k < d->contacts && !reason; k++) {
        presses[k] = found.row[s->groups.group.data[k].row] != VS_ROW_OPEN;
        reason = presses[k] ? vs_derivative_scope_contact(s, k) : NULL;
    }
    return reason;
}

static vs_error record_contacts(vs_step_derivative *d, const vs_simulation *s, vs_step_recorder *r) {
    const vs_derivative_report found = vs_derivative_get_report(d->solution);
    vs_arena scratch;
    vs_arena_init(&scratch, d->context);
    vs_contact_geometry *geometry = VS_NEW_ZERO(&scratch, vs_contact_geometry, d->contacts);
    bool *presses = VS_NEW(&scratch, bool, d->contacts);
    const bool room = geometry && presses;
    r->reason = room ? find_pressing(d, s, presses) : NULL;
    if (room && !r->reason && !vs_contact_geometry_find(s, presses, geometry, &r->contact))
        r->reason = "contacts whose features change close by";
    for (int k = 0; k < d->contacts && room && !r->reason; k++) {
        d->contact[k] = (vs_contact_differential){.block = {VS_NO_BLOCK, VS_NO_BLOCK}};
        if (!presses[k])
            continue;
        vs_contact_differential_set(&d->contact[k], s, k, &geometry[k], found.v, found.lambda);
        d->report.kinks += geometry[k].kink;
    }
    vs_arena_release(&scratch);
    return room ? VS_OK : VS_ERROR_MEMORY;
}

// Rows of joints of the step's problem, by slots. Limits without an impulse have no effect, like open contacts.
static void list_rows(const vs_step_derivative *d, const vs_simulation *s, vs_joint_use *use) {
    const vs_derivative_report found = vs_derivative_get_report(d->solution);
    for (int64_t k = d->contacts; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const bool bilateral = group->kind == VS_GROUP_JOINT;
        const double *impulse = bilateral ? found.g : found.lambda;
        for (int i = 0; i < group->rows; i++) {
            const int row = group->row + i;
            vs_joint_use *to = &use[group->source];
            if (bilateral || found.row[row] != VS_ROW_OPEN)
                to->row[to->rows++] = (vs_joint_use_row){group->first + i, row, bilateral, impulse[row]};
        }
    }
}

static bool has_effort(const vs_joint *joint) {
    return joint->alive && joint->def.motor == VS_MOTOR_EFFORT;
}

static vs_error record_joint_rows(vs_step_derivative *d, const vs_simulation *s, vs_world *world, vs_arena *scratch,
                                  bool *lost) {
    vs_joint_use *use = VS_NEW_ZERO(scratch, vs_joint_use, world->joints);
    d->joint = VS_NEW_ZERO(&d->arena, vs_joint_differential, world->joints);
    if (!use || !d->joint)
        return VS_ERROR_MEMORY;
    const vs_joint_state state = {
        .world = world, .blocks = &s->blocks, .v = vs_derivative_get_report(d->solution).v, .kick = &s->kick};
    vs_error error = VS_OK;
    list_rows(d, s, use);
    for (int k = 0; k < world->joints && !error && !*lost; k++)
        if (use[k].rows > 0 || has_effort(&world->joint[k]))
            error = vs_joint_differential_set(&d->joint[d->joints++], &state, k, &use[k], &d->arena, lost);
    return error;
}

// Bodies and joints that may be moved; all else is the world's.
static vs_error copy_world(const vs_world *world, vs_arena *scratch, vs_world *copy) {
    *copy = *world;
    copy->body = VS_COPY(scratch, vs_body, world->body, world->bodies);
    copy->joint = VS_COPY(scratch, vs_joint, world->joint, world->joints);
    return copy->body && copy->joint ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error record_projection(vs_step_derivative *d, const vs_simulation *s, vs_world *world, bool *failed) {
    const double *v = vs_derivative_get_report(d->solution).v;
    for (int k = 1; k < world->bodies; k++)
        if (vs_body_takes_part(&world->body[k]))
            world->body[k] = vs_blocks_move_body(&s->blocks, s->world, k, v, s->kick.h, false);
    return vs_projection_derivative_create(&d->projection, world, &s->blocks, &d->arena, failed);
}

static vs_error record_joints(vs_step_derivative *d, const vs_simulation *s, vs_step_recorder *r) {
    vs_arena scratch;
    vs_arena_init(&scratch, d->context);
    vs_world world;
    bool lost = false, failed = false;
    vs_error error = copy_world(s->world, &scratch, &world);
    if (!error)
        error = record_joint_rows(d, s, &world, &scratch, &lost);
    if (!error && !lost && s->options.project)
        error = record_projection(d, s, &world, &failed);
    if (lost || failed)
        r->reason = lost ? "joints whose limits change close by" : "joints that cannot be satisfied";
    vs_arena_release(&scratch);
    return error;
}

static vs_error record_solution(vs_step_derivative *d, const vs_simulation *s, double border) {
    const vs_problem_change_def unchanged = vs_problem_change_def_default();
    vs_derivative_options options = vs_derivative_options_default();
    options.model = s->problem.result.model;
    options.border = border;
    vs_error error = vs_problem_change(s->problem.problem, &unchanged, &d->problem);
    if (!error)
        error = vs_derivative_create(d->problem, &options, s->problem.result.g, s->problem.result.lambda, &d->solution);
    if (error)
        return error;
    const vs_derivative_report found = vs_derivative_get_report(d->solution);
    d->rolls = vs_problem_get_vectors(d->problem).rolling != NULL;
    d->report.borders = found.borders;
    d->report.relative_error = found.measures.relative_error;
    for (int k = 0; k < d->contacts; k++)
        d->report.redundant += (found.flags[k] & VS_DERIVATIVE_REDUNDANT) != 0;
    return VS_OK;
}

vs_error vs_linear_step_record(vs_simulation *s, void *user) {
    vs_step_recorder *r = user;
    vs_step_derivative *d = r->derivative;
    r->recorded = true;
    r->reason = vs_derivative_scope_solved(s);
    if (r->reason)
        return VS_OK;
    d->bodies = (int)s->blocks.body.count;
    d->contacts = s->contacts.rigid->count;
    d->body = VS_NEW(&d->arena, vs_body_id, d->bodies);
    d->motion = VS_NEW(&d->arena, vs_motion_derivative, d->bodies);
    d->contact = VS_NEW(&d->arena, vs_contact_differential, d->contacts);
    if (!d->body || !d->motion || !d->contact)
        return VS_ERROR_MEMORY;
    if (d->bodies == 0)
        return VS_OK;
    vs_error error = record_solution(d, s, r->border);
    if (error)
        return error;
    record_bodies(d, s, r->held, vs_derivative_get_report(d->solution).v);
    error = record_contacts(d, s, r);
    return error || r->reason || s->world->joint_slots.used == 0 ? error : record_joints(d, s, r);
}
