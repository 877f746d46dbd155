// What the impulses do: velocities of the bodies, reactions of the joints, and the sums of the step's report.
//
// With M (v1 - v0) = D'l + C'g + h f the change of kinetic energy is 1/2 (v0 + v1)'(D'l + C'g + h f), term by term.
// A row's velocity is u = D v + w; w is of what has no columns: kinematic bodies, moving surfaces, held nodes. So
//
//     1/2 l'D (v0 + v1) = 1/2 l'(u0 + u1) - l'w:    - l'w is work of what moves as it is told to (w: mean, too)
//     contacts, limits, joint friction              dissipate the rest, -1/2 l'(u0 + u1)
//     other rows of joints, motors                  do it as work
//     springs with dampers                          dissipate h d u1^2; the rest is potential energy
//
// Rows on nodes of flexible solids are booked with u1 instead, force times way, and their normal rows not at all: an
// elastic solid loses nothing by touching. What closing a gap within a step, or opening what was pressed in, takes or
// gives is the scheme's (energy.c).
#include <math.h>
#include <string.h>

#include "step/simulation_data.h"

static void set_nodes(vs_simulation *s, int flexible) {
    vs_flexible *f = &s->world->flexible[flexible];
    for (int k = 0; k < f->nodes && !f->beam; k++) {
        int block = vs_coupling_block(s, flexible, k);
        if (block < 0)
            continue;
        const double *v = s->result.v + vs_block_column(s, block);
        f->velocity[k] = vs_node_along(f, k, (vs_vec3){v[0], v[1], v[2]});
    }
}

static void set_velocities(vs_simulation *s, const double *v) {
    for (int k = 0; k < s->world->flexibles; k++)
        set_nodes(s, k);
    for (int k = 0; k < (int)s->body_of.count; k++, v += 6) {
        vs_body *body = &s->world->body[((const int *)s->body_of.data)[k]];
        body->velocity = (vs_vec3){v[0], v[1], v[2]};
        body->spin = (vs_vec3){v[3], v[4], v[5]};
    }
}

static bool is_on_nodes(const vs_simulation *s, const vs_group *group) {
    bool nodes = false;
    for (int k = 0; k < group->blocks; k++)
        nodes = nodes || group->block[k] >= (int)s->body_of.count;
    return nodes;
}

// D ((1 - after) v0 + after v1) of a row: without what bodies without mass contribute.
static double booked_velocity(const vs_simulation *s, const vs_group *group, int row, double after) {
    const double *before = s->before.data;
    double sum = 0;
    for (int k = 0; k < group->blocks; k++) {
        int width = vs_block_width(s, group->block[k]), first = vs_block_column(s, group->block[k]);
        const double *J = vs_step_values(s, group).J + 6 * (int64_t)k * group->rows + (int64_t)width * row;
        for (int j = 0; j < width; j++)
            sum += J[j] * ((1 - after) * before[first + j] + after * s->result.v[first + j]);
    }
    return sum;
}

static void add_reaction(vs_joint *joint, const double *direction, double force) {
    joint->force = vs_add_scaled(joint->force, force, (vs_vec3){direction[0], direction[1], direction[2]});
    joint->torque = vs_add_scaled(joint->torque, force, (vs_vec3){direction[3], direction[4], direction[5]});
}

static void clear_reactions(vs_world *world) {
    for (int k = 0; k < world->joints; k++)
        world->joint[k].force = world->joint[k].torque = VS_ZERO3;
}

static double gap_of(const vs_simulation *s, int64_t k) {
    int64_t rigid = s->contacts->count;
    return k < rigid ? s->contacts->contact[k].gap : s->node_contacts->contact[k - rigid].gap;
}

// Energy of one row with the impulse x.
static void book_row(const vs_simulation *s, const vs_group *group, int row, double x, vs_step_report *report) {
    vs_group_values values = vs_step_values(s, group);
    double booked = values.booked[row], damping = values.damping[row];
    bool nodes = is_on_nodes(s, group), contact = group->kind == VS_GROUP_CONTACT || group->kind == VS_GROUP_SMOOTH;
    double u = booked_velocity(s, group, row, nodes ? 1 : .5) + booked;
    report->work_prescribed -= x * booked;
    report->work -= x * booked;
    if (group->kind == VS_GROUP_JOINT && damping >= 0) {
        double after = values.b[row] - values.E[row] * x + values.given[row]; // C v1 + E x = b
        report->dissipation += s->options.step * damping * after * after;
    } else if (group->kind == VS_GROUP_JOINT || group->drives) {
        report->work += x * u;
    } else if (!(nodes && contact && row == 0)) {
        report->dissipation -= x * u;
    }
}

void vs_step_apply(vs_simulation *s, vs_step_report *report) {
    const vs_group *group = s->group.data;
    const double *lambda = s->result.lambda, *g = s->result.g, *y = s->result.y, *offset = s->offset.data;
    double h = s->options.step;
    clear_reactions(s->world);
    report->work = vs_step_work_of_loads(s, s->result.v);
    for (int64_t k = 0; k < s->group.count; k++) {
        vs_group_values values = vs_step_values(s, &group[k]);
        bool joint = group[k].kind == VS_GROUP_JOINT, contact = k < vs_step_contacts(s);
        const double *x = joint ? g : lambda;
        for (int i = 0; i < group[k].rows; i++) {
            book_row(s, &group[k], i, x[i], report);
            if (!contact && group[k].source >= 0)
                add_reaction(&s->world->joint[group[k].source], values.direction + 6 * (int64_t)i, x[i] / h);
        }
        if (contact) {
            report->active += x[0] > 0;
            report->penetration = fmax(report->penetration, -(gap_of(s, k) + h * (y[0] + offset[k])));
        }
        *(joint ? &g : &lambda) += group[k].rows;
        y += joint ? 0 : group[k].rows;
    }
    set_velocities(s, s->result.v);
    if (s->coupling.needed)
        vs_step_book_flexible(s, report);
}

void vs_step_apply_free(vs_simulation *s, vs_step_report *report) {
    report->status_text = "nothing touches";
    report->work = vs_step_work_of_loads(s, s->free.data);
    set_velocities(s, s->free.data);
}
