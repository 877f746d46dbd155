// What the impulses do: velocities of the bodies, reactions of the joints, and the sums of the step's report.
//
// With M (v1 - v0) = D'l + C'g + h f the change of kinetic energy is 1/2 (v0 + v1)'(D'l + C'g + h f), term by term:
// contacts, limits and boxes dissipate -1/2 l'(u0 + u1), joints (motors) and loads do work.
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

// Mean velocity of a row over the step, without what bodies without mass contribute.
static double mean_velocity(const vs_simulation *s, const vs_group *group, const vs_group_values *values, int row) {
    const double *before = s->before.data;
    double sum = 0;
    for (int k = 0; k < group->blocks; k++) {
        int width = vs_block_width(s, group->block[k]), first = vs_block_column(s, group->block[k]);
        const double *J = values->J + 6 * (int64_t)k * group->rows + (int64_t)width * row;
        for (int j = 0; j < width; j++)
            sum += .5 * J[j] * (before[first + j] + s->result.v[first + j]);
    }
    return sum;
}

// Work of loads and of the user's forces; that of gravity is potential energy.
static double work_of_loads(const vs_simulation *s, const double *velocity) {
    double h = s->options.step, sum = 0;
    for (int k = 0; k < s->owned; k++) {
        int slot = ((const int *)s->body_of.data)[k];
        const double *before = (const double *)s->before.data + 6 * (int64_t)k, *v = velocity + 6 * (int64_t)k;
        vs_vec3 force, torque;
        vs_body_push(s->world, slot, h, &force, &torque);
        vs_vec3 way = {before[0] + v[0], before[1] + v[1], before[2] + v[2]};
        vs_vec3 turn = {before[3] + v[3], before[4] + v[4], before[5] + v[5]};
        turn = vs_rotate(s->world->body[slot].pose.rotation, turn);
        sum += .5 * h * (vs_dot(force, way) + vs_dot(torque, turn));
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

void vs_step_apply(vs_simulation *s, vs_step_report *report) {
    const vs_group *group = s->group.data;
    const double *lambda = s->result.lambda, *g = s->result.g, *y = s->result.y, *offset = s->offset.data;
    double h = s->options.step;
    clear_reactions(s->world);
    report->work = work_of_loads(s, s->result.v);
    for (int64_t k = 0; k < s->group.count; k++) {
        vs_group_values values = vs_step_values(s, &group[k]);
        bool joint = group[k].kind == VS_GROUP_JOINT, contact = k < vs_step_contacts(s);
        const double *x = joint ? g : lambda;
        for (int i = 0; i < group[k].rows; i++) {
            double power = x[i] * mean_velocity(s, &group[k], &values, i);
            if (joint)
                report->work += power;
            else
                report->dissipation -= power;
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
}

void vs_step_apply_free(vs_simulation *s, vs_step_report *report) {
    report->status_text = "nothing touches";
    report->work = work_of_loads(s, s->free.data);
    set_velocities(s, s->free.data);
}
