// What a step did to energy, apart from contacts and joints (apply.c): work of loads and of velocities that are given,
// losses of damped elements.
//
// A load on a body does h load'(v0 + v1)/2. Of the step of flexible bodies, (M + h^2 K + h R) v1 = M v0 + h (f + M g +
// loads) + impulses with R = alpha M + beta K, force times way is booked, the way being h v1:
//
//     a load does                    h load'v1
//     elements lose by damping       h v1'R v1   (>= 0)
//     what holds a node i does       p_i'v1_i,   p = (M + h^2 K + h R) v1 - M v0 - h (f + M g + loads)
//
// Contacts at held nodes are booked by their rows. Not booked is what the scheme itself loses, 1/2 (v1 - v0)'M(v1 - v0)
// and as much in the elements: implicit Euler damps vibrations faster than h.
#include "step/simulation_data.h"

#include <math.h>

// ---- loads -----------------------------------------------------------------------------------------

double vs_step_work_of_loads(const vs_simulation *s, const double *velocity) {
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

// ---- flexible bodies -------------------------------------------------------------------------------

// Velocities of a flexible body's blocks: of a beam the linear and the angular one of each node.
typedef struct motion {
    int flexible, blocks;
    vs_vec3 *after;          // (blocks) v1
    vs_vec3 *stiff;          // (blocks) K v1, if there is damping or a given block
    vs_vec3 *push, *inertia; // (blocks) scratch
    bool given;              // some block is
} motion;

static bool is_given(const vs_simulation *s, const motion *m, int j) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    return f->beam ? vs_step_block_of(s, (int)f->body[j / 2].index) < 0 : vs_coupling_block(s, m->flexible, j) < 0;
}

// Of a solid: velocity before the step.
static vs_vec3 before_of(const vs_simulation *s, const motion *m, int node) {
    int block = vs_coupling_block(s, m->flexible, node);
    if (block < 0)
        return s->world->flexible[m->flexible].velocity[node];
    const double *v = (const double *)s->before.data + vs_block_column(s, block);
    return (vs_vec3){v[0], v[1], v[2]};
}

static vs_vec3 after_of(const vs_simulation *s, const motion *m, int j) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    if (f->beam) {
        const vs_body *body = &s->world->body[f->body[j / 2].index];
        return j % 2 ? body->spin : body->velocity;
    }
    return is_given(s, m, j) ? vs_node_given(s->world, f, j, s->options.step) : f->velocity[j];
}

static motion find_motion(const vs_simulation *s, int flexible) {
    const vs_flexible *f = &s->world->flexible[flexible];
    const vs_coupling *c = &s->coupling;
    motion m = {.flexible = flexible, .blocks = f->beam ? 2 * f->nodes : f->nodes};
    m.after = c->velocity.data, m.push = c->push.data, m.stiff = c->right.data, m.inertia = c->inertia.data;
    for (int j = 0; j < m.blocks; j++) {
        m.after[j] = after_of(s, &m, j);
        m.given = m.given || is_given(s, &m, j);
    }
    if (m.given || f->stuff.beta > 0)
        vs_assembly_multiply(f->assembly, f->K, 1, &m.after->x, 0, &m.stiff->x);
    return m;
}

static double lost_by_damping(const vs_simulation *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    double sum = 0;
    for (int j = 0; j < m->blocks && f->stuff.beta > 0; j++)
        sum += f->stuff.beta * vs_dot(m->after[j], m->stiff[j]);
    if (f->stuff.alpha > 0 && !f->beam)
        vs_flexible_multiply_mass(f, m->after, f->work);
    for (int j = 0; j < f->nodes && f->stuff.alpha > 0; j++)
        sum += f->stuff.alpha *
               (f->beam ? f->mass[j] * vs_dot(m->after[2 * j], m->after[2 * j]) : vs_dot(m->after[j], f->work[j]));
    return s->options.step * sum;
}

static double work_of_pushes(const vs_simulation *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    double sum = 0;
    vs_flexible_push(s->world, f, s->options.step, m->push);
    for (int k = 0; k < f->nodes; k++)
        sum += vs_dot(m->push[k], m->after[k]);
    return s->options.step * sum;
}

// After work_of_pushes(): m->push are the loads. Uses up m->stiff.
static double work_of_given(const vs_simulation *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    vs_step_weights weight = vs_step_weights_of(&f->stuff, s->options.step);
    double h = s->options.step, sum = 0;
    // the inertia M ((1 + h alpha) v1 - v0 - h g); bodies of beams that are given have none
    for (int j = 0; j < f->nodes && !f->beam; j++)
        f->work[j] =
            vs_add_scaled(vs_subtract(vs_scale(weight.mass, m->after[j]), before_of(s, m, j)), -h, s->world->gravity);
    if (!f->beam)
        vs_flexible_multiply_mass(f, f->work, m->inertia);
    vs_vec3 *stiff = m->stiff;
    for (int j = 0; j < m->blocks; j++)
        stiff[j] = vs_scale(weight.stiffness, stiff[j]);
    if (s->expanded && !f->beam) { // f is that at q + h w
        vs_newton_velocities(s, m->flexible, s->around.data, f->work);
        vs_assembly_multiply(f->assembly, f->K, -h * h, &f->work->x, 1, &stiff->x);
    }
    for (int j = 0; j < m->blocks; j++) {
        if (!is_given(s, m, j))
            continue;
        vs_vec3 force = {f->f[3 * j], f->f[3 * j + 1], f->f[3 * j + 2]};
        vs_vec3 p = stiff[j];
        if (!f->beam) {
            force = vs_add(force, m->push[j]);
            p = vs_add(p, m->inertia[j]);
        }
        sum += vs_dot(m->after[j], vs_add_scaled(p, -h, force));
    }
    return sum;
}

void vs_step_book_flexible(vs_simulation *s, vs_step_report *report) {
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive)
            continue;
        motion m = find_motion(s, k);
        report->dissipation += lost_by_damping(s, &m);
        if (!f->beam)
            report->work += work_of_pushes(s, &m);
        double given = m.given ? work_of_given(s, &m) : 0;
        report->work += given;
        report->work_prescribed += given;
    }
}
