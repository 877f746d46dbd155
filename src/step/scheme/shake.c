// The scheme shake: see shake.h.
#include "step/scheme/shake.h"

#include <math.h>
#include <string.h>

#include "body/joint_coordinate.h"
#include "body/joint_rows.h"
#include "step/rows/island_tolerance.h"
#include "step/scheme/contact_curvature.h"

// m, rad: a violation of joints that is rounding, as in their projection.
static const double ROUNDING = 1e-13;
// Of a kick: a change of the curvature that does not matter. Errors of pendulums, linkages and chains are the same to 1 % as
// with 1e-8, which costs half as many factorizations again; with 1e-4 orders begin to differ.
static const double CURVATURE = 1e-5;

// Changes of the curvature decrease, though not in each correction where gyroscopic forces act: the corrections are
// considered stalled after so many without a reduction of the least change by this factor.
enum { STALLED_MOST = 3 };
static const double LESS = .9;
// A least change, relative to CURVATURE, with which the corrections have failed: a thousandth of the kick.
static const double FAILED = 100;

// ---- velocities between the middle and the end of a step -------------------------------------------

vs_kick vs_shake_kick(const vs_simulation *s) {
    double h = s->options.step;
    return (vs_kick){.h = h,
                     .push = h,
                     .length = s->steps == 0 ? .5 * h : h,
                     .time = s->world->time,
                     .mean = .25 * h,
                     .centred = true};
}

static bool takes_part(const vs_world *world, int body) {
    return world->body[body].alive && world->body[body].motion == VS_MOTION_DYNAMIC &&
           vs_world_place(world, body) != VS_PLACE_ABSENT;
}

static void add_lead(vs_body *body, double sign) {
    body->velocity = vs_add_scaled(body->velocity, sign, body->lead.velocity);
    body->spin = vs_add_scaled(body->spin, sign, body->lead.spin);
}

void vs_shake_begin(vs_simulation *s) {
    vs_world *world = s->world;
    for (int k = 1; k < world->bodies; k++) {
        vs_body *body = &world->body[k];
        if (!takes_part(world, k))
            continue;
        body->held = VS_ZERO3; // of another scheme
        if (!body->lead.known || s->steps == 0) {
            vs_vec3 velocity, spin;
            vs_body_free(world, k, s->kick.push, s->kick.time, &velocity, &spin);
            body->lead = (vs_lead){.velocity = vs_scale(.5, vs_subtract(velocity, body->velocity)),
                                   .spin = vs_scale(.5, vs_subtract(spin, body->spin))};
        }
        add_lead(body, -1);
    }
}

void vs_shake_cancel(vs_simulation *s) {
    for (int k = 1; k < s->world->bodies; k++)
        if (takes_part(s->world, k))
            add_lead(&s->world->body[k], 1);
}

// Half the next reaction from the last two, parabolic if they are alike; else half the smaller one, nothing if they are
// opposite.
static vs_vec3 extrapolate(vs_vec3 last, vs_vec3 earlier) {
    vs_vec3 change = vs_subtract(last, earlier);
    if (vs_length(change) <= .5 * vs_length(last))
        return vs_add_scaled(vs_scale(.5, last), .375, change);
    if (!(vs_dot(last, earlier) > 0))
        return VS_ZERO3;
    return vs_scale(.5, vs_length(last) < vs_length(earlier) ? last : earlier);
}

// Half of a kick from `before` to `v` with the free part to `free`; keeps its reaction. The first kick of a body is half of
// one, and nothing tells whether it was an impact: not if its reaction is of the size of what it supports.
static vs_vec3 find_lead(const double *before, const double *free, const double *v, bool first, vs_vec3 *reaction) {
    const vs_vec3 push = {free[0] - before[0], free[1] - before[1], free[2] - before[2]};
    vs_vec3 now = {v[0] - free[0], v[1] - free[1], v[2] - free[2]};
    if (first) {
        now = vs_scale(2, now);
        *reaction = vs_length(now) <= 2 * vs_length(push) ? now : VS_ZERO3;
    }
    const vs_vec3 lead = vs_add_scaled(extrapolate(now, *reaction), .5, push);
    *reaction = now;
    return lead;
}

static vs_vec3 half_push(const double *before, const double *free) {
    return (vs_vec3){.5 * (free[0] - before[0]), .5 * (free[1] - before[1]), .5 * (free[2] - before[2])};
}

void vs_shake_set_leads(vs_simulation *s, const double *v) {
    for (int k = 0; k < s->blocks.owned; k++) {
        vs_lead *lead = &s->world->body[s->blocks.body.data[k]].lead;
        const double *before = s->blocks.before.data + 6 * (int64_t)k, *free = s->blocks.free.data + 6 * (int64_t)k;
        const double *now = v + 6 * (int64_t)k;
        lead->velocity = find_lead(before, free, now, !lead->known, &lead->reaction);
        lead->spin = find_lead(before + 3, free + 3, now + 3, !lead->known, &lead->reaction_spin);
        lead->known = true;
        if (s->problem.solver && s->blocks.struck.data[k]) { // an impact, and nothing tells the next reaction
            lead->velocity = half_push(before, free), lead->spin = half_push(before + 3, free + 3);
            lead->reaction = lead->reaction_spin = VS_ZERO3;
        }
    }
}

void vs_shake_advance(vs_body *body, double h) {
    vs_body_drift(body, h);
    if (body->motion == VS_MOTION_DYNAMIC)
        add_lead(body, 1);
}

// ---- the end of the step ---------------------------------------------------------------------------

static bool has_joints(const vs_world *world, int body) {
    return world->body[body].alive && world->body[body].joints > 0 && vs_world_place(world, body) == VS_PLACE_HERE;
}

// Moves bodies with joints to where the velocities v (n) lead them, and back.
static void move(vs_simulation *s, const double *v) {
    vs_world *world = s->world;
    for (int k = 1; k < world->bodies; k++) {
        s->shake.pose.data[k] = world->body[k].pose;
        if (!has_joints(world, k) || world->body[k].motion == VS_MOTION_STATIC)
            continue;
        world->body[k].pose = vs_blocks_move_body(&s->blocks, world, k, v, s->kick.h, true).pose;
    }
}

static void move_back(vs_simulation *s) {
    for (int k = 1; k < s->world->bodies; k++)
        s->world->body[k].pose = s->shake.pose.data[k];
}

static bool is_of_joint(const vs_row_group *group) {
    return !vs_row_group_is_contact(group) && group->source >= 0;
}

// A row of sliding, without a position: its velocity needs no correction.
static bool is_slip(const vs_row_group *group, int row) {
    return group->kind == VS_GROUP_ROPE && row > 0;
}

// Adds Psi, or the coordinate, of the rows of joints, times a factor, to x, one after the other.
static void add_positions(const vs_simulation *s, double factor, double *x) {
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        if (!is_of_joint(group))
            continue;
        const vs_joint *joint = &s->world->joint[group->source];
        const double *sense = vs_row_groups_values(&s->groups, group).sense;
        double coordinate, rate, psi[VS_JOINT_BILATERAL_MOST];
        vs_joint_coordinate(s->world, joint, &coordinate, &rate);
        vs_joint_violation(s->world, joint, psi, NULL);
        for (int i = 0; i < group->rows; i++, x++)
            if (!is_slip(group, i))
                *x += factor * (sense[i] != 0 ? sense[i] * coordinate : psi[group->first + i]);
    }
}

// ---- curvature -------------------------------------------------------------------------------------

// Sum of |J| |v - v_before|, m/s: the size of a row's kick.
static double size_of_kick(const vs_simulation *s, const vs_row_group *group, int row, const double *v) {
    const double *J = vs_row_groups_values(&s->groups, group).J, *before = s->blocks.before.data;
    double sum = 0;
    for (int k = 0; k < group->blocks; k++) {
        int first = vs_blocks_column(&s->blocks, group->block[k]);
        for (int j = 0; j < 6; j++)
            sum += fabs(J[6 * ((int64_t)k * group->rows + row) + j] * (v[first + j] - before[first + j]));
    }
    return sum;
}

// Sets the curvature of all rows of joints about the velocities v. Returns the largest change of a bilateral one, relative
// to what may be left of the row's kick, by the tolerance or by rounding.
static double set_curvature(vs_simulation *s, const double *v) {
    const double h = s->kick.h;
    const double tolerance = fmax(vs_loosest_tolerance(&s->options.solver, &s->problem.result.measures), CURVATURE);
    double *moved = s->shake.moved.data, largest = 0;
    for (int k = 0; k < s->groups.m + s->groups.m_e; k++)
        moved[k] = 0;
    add_positions(s, -1, moved);
    move(s, v);
    add_positions(s, 1, moved);
    move_back(s);
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const vs_row_values values = vs_row_groups_values(&s->groups, group);
        for (int i = 0; i < group->rows && is_of_joint(group); i++) {
            double u = vs_row_groups_velocity(&s->groups, &s->blocks, group, i, v) + values.prescribed[i];
            double curvature = is_slip(group, i) ? 0 : u - *moved / h, change = curvature - values.curvature[i];
            moved++;
            values.b[i] += change;
            values.curvature[i] = curvature;
            if (group->kind == VS_GROUP_JOINT)
                largest = fmax(largest, fabs(change) / (tolerance * size_of_kick(s, group, i, v) + ROUNDING / h));
        }
    }
    return largest;
}

// v = v_free + M^-1 J'x of one row with the impulse x.
static void add_impulse(const vs_simulation *s, const vs_row_group *group, int row, double x, double *v) {
    const double *J = vs_row_groups_values(&s->groups, group).J;
    for (int k = 0; k < group->blocks; k++) {
        const vs_body *body = &s->world->body[s->blocks.body.data[group->block[k]]];
        const double *j = J + 6 * ((int64_t)k * group->rows + row);
        double *u = v + vs_blocks_column(&s->blocks, group->block[k]);
        const vs_vec3 turn = vs_mat3_apply(&body->inverse_inertia, (vs_vec3){j[3], j[4], j[5]});
        for (int i = 0; i < 3; i++) {
            u[i] += x * j[i] / body->mass;
            u[3 + i] += x * vs_component(turn, i);
        }
    }
}

// Velocities after a kick by the impulses that are remembered.
static vs_error predict_by_impulses(vs_simulation *s, double *v) {
    vs_error error = vs_impulse_memory_recall(&s->memory, &s->groups, &s->contact_rows, s->context);
    memcpy(v, s->blocks.free.data, sizeof *v * (size_t)vs_blocks_size(&s->blocks));
    for (int64_t k = 0; k < s->groups.group.count && !error; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const bool joint = group->kind == VS_GROUP_JOINT;
        const double *x = (joint ? s->memory.start_g.data : s->memory.start_lambda.data) + group->row;
        for (int i = 0; i < group->rows; i++)
            add_impulse(s, group, i, x[i], v);
    }
    return error;
}

vs_error vs_shake_predict(vs_simulation *s) {
    const int n = vs_blocks_size(&s->blocks);
    vs_error error = VS_RESERVE(s->context, &s->shake.velocity, n);
    if (!error)
        error = VS_RESERVE(s->context, &s->shake.pose, s->world->bodies);
    if (!error)
        error = VS_RESERVE(s->context, &s->shake.moved, s->groups.m + s->groups.m_e);
    if (error)
        return error;
    double *v = s->shake.velocity.data;
    for (int k = 0; k < (int)s->blocks.body.count && !s->kick.half; k++) {
        const vs_lead *lead = &s->world->body[s->blocks.body.data[k]].lead;
        const double kick[6] = {lead->velocity.x, lead->velocity.y, lead->velocity.z,
                                lead->spin.x,     lead->spin.y,     lead->spin.z};
        for (int j = 0; j < 6; j++)
            v[6 * (int64_t)k + j] = s->blocks.before.data[6 * (int64_t)k + j] + 2 * kick[j];
    }
    for (int k = 6 * (int)s->blocks.body.count; k < n; k++)
        v[k] = s->blocks.free.data[k];
    if (s->kick.half)
        error = predict_by_impulses(s, v);
    if (error)
        return error;
    (void)set_curvature(s, v);
    if (s->kick.half)
        (void)vs_contact_curvature_set(s, v);
    s->shake.least = INFINITY;
    s->shake.stalled = 0;
    s->shake.straight = false;
    return VS_OK;
}

// Moreau's rows.
static void remove_curvature(vs_simulation *s) {
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const vs_row_values values = vs_row_groups_values(&s->groups, group);
        for (int i = 0; i < group->rows && is_of_joint(group); i++) {
            values.b[i] -= values.curvature[i];
            values.curvature[i] = 0;
        }
    }
}

bool vs_shake_correct(vs_simulation *s) {
    vs_shake *shake = &s->shake;
    if (shake->straight)
        return false;
    double change = vs_space_max(vs_division_space(s->division), set_curvature(s, s->problem.result.v));
    if (s->kick.half)
        change = fmax(change, vs_contact_curvature_set(s, s->problem.result.v));
    shake->stalled = change < LESS * shake->least ? 0 : shake->stalled + 1;
    shake->least = fmin(shake->least, change);
    if (shake->stalled < STALLED_MOST || shake->least < FAILED)
        return change > 1 && shake->stalled < STALLED_MOST;
    remove_curvature(s);
    shake->straight = true;
    return true;
}
