// Work and dissipation of loads and rows: see energy_account.h.
#include "step/account/energy_account.h"

#include <math.h>

#include "body/flexible_data.h"
#include "body/joint_effort.h"
#include "step/account/report_fields.h"

// Of the reference of a step's solver, the energy that gravity gives within it: bodies at rest have less.
static const double RESTING = 10;
// Of the potential energy, whose differences the balance is made of.
static const double ROUNDING = 1e-12;
// Of the energies of a step.
static const double UNBALANCED = .01;
// Of all energies exchanged.
static const double UNBALANCED_SUM = .1;

// Do forces besides those of motors act on it?
static bool is_loaded(const vs_body *body) {
    const vs_vec3 f = body->force, t = body->torque;
    return body->loads || f.x != 0 || f.y != 0 || f.z != 0 || t.x != 0 || t.y != 0 || t.z != 0;
}

void vs_energy_account_loads(const vs_simulation *s, const double *v, vs_energy_flow *flow) {
    double h = s->kick.push;
    for (int k = 0; k < s->blocks.owned; k++, v += 6) {
        int body = s->blocks.body.data[k];
        const double *before = s->blocks.before.data + 6 * (int64_t)k;
        vs_vec3 force, torque, motor_force = VS_ZERO3, motor_torque = VS_ZERO3;
        vs_motor_efforts_add(s->world, body, s->kick.time, &motor_force, &motor_torque);
        if (is_loaded(&s->world->body[body]))
            vs_body_push(s->world, body, s->kick.time, &force, &torque);
        else
            force = motor_force, torque = motor_torque;
        vs_vec3 way = {before[0] + v[0], before[1] + v[1], before[2] + v[2]};
        vs_vec3 turn = {before[3] + v[3], before[4] + v[4], before[5] + v[5]};
        turn = vs_rotate(s->world->body[body].pose.rotation, turn);
        double all = .5 * h * (vs_dot(force, way) + vs_dot(torque, turn));
        double motors = .5 * h * (vs_dot(motor_force, way) + vs_dot(motor_torque, turn));
        flow->loads += all - motors;
        flow->motors += motors;
    }
}

static bool is_on_nodes(const vs_blocks *blocks, const vs_row_group *group) {
    bool nodes = false;
    for (int k = 0; k < group->blocks; k++)
        nodes = nodes || (group->block[k] >= (int)blocks->body.count && group->block[k] < vs_blocks_first_cut(blocks));
    return nodes;
}

static double velocity_before(const vs_simulation *s, const vs_row_group *group, int row) {
    return vs_row_groups_velocity(&s->groups, &s->blocks, group, row, s->blocks.before.data);
}

static double velocity_after(const vs_simulation *s, const vs_row_group *group, int row) {
    return vs_row_groups_velocity(&s->groups, &s->blocks, group, row, s->problem.result.v);
}

// Of a row of an impact within a step of shake: forces change its velocities at the impact by so much more than at the middles of
// the two steps, sum of before and after (contact_rows.h).
static double change_to_impact(const vs_simulation *s, const vs_row_group *group, int row) {
    const double time = vs_row_group_is_contact(group) ? s->contact_rows.impact_time.data[group->source] : -1;
    if (!(time > 0))
        return 0;
    const double free = vs_row_groups_velocity(&s->groups, &s->blocks, group, row, s->blocks.free.data);
    return 2 * time / s->kick.h * (free - velocity_before(s, group, row));
}

static bool is_quasi_static(const vs_simulation *s) {
    return s->options.scheme == VS_SCHEME_QUASI_STATIC;
}

// The speed that gravity gives in two steps: contacts at rest stay below it.
static double resting_speed(const vs_simulation *s) {
    return 2 * s->kick.h * vs_length(s->world->gravity);
}

// A contact's normal row, or a limit, between bodies, with the impulse x.
static void account_normal(const vs_simulation *s, const vs_row_group *group, double x, vs_energy_flow *flow) {
    vs_row_values values = vs_row_groups_values(&s->groups, group);
    double now = values.prescribed[0], before = 2 * values.prescribed_mean[0] - now;
    double u1 = velocity_after(s, group, 0) + now;
    double u0 = is_quasi_static(s) ? u1 : velocity_before(s, group, 0) + before;
    if (values.recovery[0] > 0) // a penetration opens, by the last step's recovery and by this one's
        u0 = fmin(u0, 0), u1 -= values.recovery[0];
    bool rests = fmax(fabs(u0), fabs(u1)) <= resting_speed(s) && values.E[0] == 0;
    if (!vs_row_group_is_limit(group)) // the impulse without the shift of adhesion
        x -= s->contact_rows.adhesion.data[group->source];
    if (!rests || vs_row_group_is_limit(group))
        flow->impacts -= .5 * x * (u0 + u1 + change_to_impact(s, group, 0));
}

// One row with the impulse x.
static void account_row(const vs_simulation *s, const vs_row_group *group, int row, double x, vs_energy_flow *flow) {
    vs_row_values values = vs_row_groups_values(&s->groups, group);
    bool nodes = is_on_nodes(&s->blocks, group), contact = vs_row_group_is_contact(group);
    bool limit = vs_row_group_is_limit(group) && row == 0;
    bool end = nodes ? !s->elastic.mid : is_quasi_static(s);
    double prescribed = end ? values.prescribed[row] : values.prescribed_mean[row];
    double v1 = velocity_after(s, group, row), v0 = end ? v1 : velocity_before(s, group, row);
    double u = .5 * (v0 + v1) + prescribed;
    if (group->kind == VS_GROUP_BOND)
        return; // bond_rows.h
    flow->prescribed -= x * prescribed;
    if (contact && row == 0 && vs_crushing_find(&s->crushing, group->source))
        return; // crushing.h
    if (values.drives[row] > 0) {
        flow->motors += x * u;
    } else if (group->kind == VS_GROUP_JOINT || (limit && values.damping[row] >= 0)) {
        double after = values.b[row] - values.E[row] * x + values.prescribed[row]; // C v1 + E x = b
        double rate = s->kick.centred ? u : after;
        flow->dampers += s->kick.length * fmax(values.damping[row], 0) * rate * rate;
    } else if (limit || (contact && row == 0)) {
        if (!nodes)
            account_normal(s, group, x, flow);
    } else {
        flow->friction -= x * (u + .5 * change_to_impact(s, group, row));
    }
}

void vs_energy_account_rows(const vs_simulation *s, vs_energy_flow *flow) {
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const double *x = vs_row_group_impulses(group, &s->problem.result);
        for (int i = 0; i < group->rows; i++)
            account_row(s, group, i, x[i], flow);
    }
}

void vs_energy_account_close(const vs_energy *before, vs_step_report *report) {
    vs_energy_flow *flow = &report->flow;
    const vs_energy *after = &report->energy;
    report->work = vs_energy_flow_sum(flow, VS_ENERGY_WORK);
    report->dissipation = vs_energy_flow_sum(flow, VS_ENERGY_DISSIPATION);
    double change = after->kinetic - before->kinetic + (after->potential - before->potential);
    flow->discretization = change - report->work + report->dissipation;
}

// J, that gravity gives within a step. Where elements push, the solver's reference has their energy, too, and hides any other.
static double given_by_gravity(const vs_simulation *s) {
    const vs_world *world = s->world;
    const double speed = s->options.step * vs_length(world->gravity);
    double mass = 0;
    for (int k = 1; k < world->bodies; k++)
        if (vs_body_takes_part(&world->body[k]) && world->body[k].motion == VS_MOTION_DYNAMIC)
            mass += world->body[k].mass;
    for (int k = 0; k < world->flexibles; k++)
        for (int i = 0; i < world->flexible[k].nodes && world->flexible[k].alive && !world->flexible[k].beam; i++)
            mass += world->flexible[k].mass[i];
    return .5 * mass * speed * speed;
}

// With flexible bodies single steps create what the next one removes: only those count until which all together have created
// much, strain not counted among what moved.
static bool is_unbalanced(const vs_simulation *s, const vs_step_report *report, double moved) {
    const double created = report->flow.discretization;
    const vs_energy_scale *e = &s->energy_scale;
    if (!s->blocks.flexible)
        return created > RESTING * e->scale + ROUNDING * fabs(report->energy.potential) && created > UNBALANCED * moved;
    return created > RESTING * fmin(given_by_gravity(s), e->scale) + report->work_error &&
           created > UNBALANCED * moved &&
           s->flow.discretization > UNBALANCED_SUM * (e->most + vs_energy_flow_exchanged(&s->flow));
}

void vs_energy_account_compare(vs_simulation *s, vs_step_report *report) {
    vs_energy_scale *e = &s->energy_scale;
    const double kinetic = report->energy.kinetic, larger = fmax(e->kinetic, kinetic), total = s->flow.discretization;
    const double elastic = fabs(report->energy.elastic);
    e->scale = fmax(e->scale, report->energy_scale);
    e->most = fmax(e->most, larger);
    e->kinetic = kinetic;
    report->discretization_share =
        fabs(total) > RESTING * e->scale ? fabs(total) / (e->most + elastic + vs_energy_flow_exchanged(&s->flow)) : 0;
    report->unbalanced = is_unbalanced(s, report, larger + elastic + vs_energy_flow_exchanged(&report->flow));
}
