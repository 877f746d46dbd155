// Energy of flexible bodies in a step: see elastic_energy.h.
#include "step/elastic_energy.h"

#include "body/flexible_data.h"

// Velocities of a flexible body's blocks: of a beam the linear and the angular one of each node.
typedef struct motion {
    int flexible, blocks;
    vs_vec3 *after;          // (blocks) v1
    vs_vec3 *stiff;          // (blocks) K v1, if there is damping or a prescribed block
    vs_vec3 *push, *inertia; // (blocks) work
    bool prescribed;         // some block is
} motion;

static bool is_prescribed(const vs_elastic_terms *s, const motion *m, int j) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    int block = f->beam ? vs_blocks_of_body(s->blocks, (int)f->body[j / 2].index)
                        : vs_blocks_of_node(s->blocks, m->flexible, j);
    return block == VS_NO_BLOCK;
}

// Of a solid: velocity before the step.
static vs_vec3 before_of(const vs_elastic_terms *s, const motion *m, int node) {
    int block = vs_blocks_of_node(s->blocks, m->flexible, node);
    if (block == VS_NO_BLOCK)
        return s->world->flexible[m->flexible].velocity[node];
    const double *v = s->blocks->before.data + vs_blocks_column(s->blocks, block);
    return (vs_vec3){v[0], v[1], v[2]};
}

static vs_vec3 after_of(const vs_elastic_terms *s, const motion *m, int j) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    if (f->beam) {
        const vs_body *body = &s->world->body[f->body[j / 2].index];
        return j % 2 ? body->spin : body->velocity;
    }
    return is_prescribed(s, m, j) ? vs_node_prescribed_velocity(s->world, f, j, s->h) : f->velocity[j];
}

static motion find_motion(const vs_elastic_terms *s, int flexible) {
    const vs_flexible *f = &s->world->flexible[flexible];
    motion m = {.flexible = flexible, .blocks = f->beam ? 2 * f->nodes : f->nodes};
    m.after = s->velocity.data, m.push = s->push.data, m.stiff = s->right.data, m.inertia = s->inertia.data;
    for (int j = 0; j < m.blocks; j++) {
        m.after[j] = after_of(s, &m, j);
        m.prescribed = m.prescribed || is_prescribed(s, &m, j);
    }
    if (m.prescribed || f->stuff.beta > 0)
        vs_assembly_multiply(f->assembly, f->K, 1, &m.after->x, 0, &m.stiff->x);
    return m;
}

static double lost_by_damping(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    double sum = 0;
    for (int j = 0; j < m->blocks && f->stuff.beta > 0; j++)
        sum += f->stuff.beta * vs_dot(m->after[j], m->stiff[j]);
    if (f->stuff.alpha > 0 && !f->beam)
        vs_flexible_multiply_mass(f, m->after, f->work);
    for (int j = 0; j < f->nodes && f->stuff.alpha > 0; j++)
        sum += f->stuff.alpha *
               (f->beam ? f->mass[j] * vs_dot(m->after[2 * j], m->after[2 * j]) : vs_dot(m->after[j], f->work[j]));
    return s->h * sum;
}

static double work_of_loads(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    double sum = 0;
    vs_flexible_push(s->world, f, s->h, m->push);
    for (int k = 0; k < f->nodes; k++)
        sum += vs_dot(m->push[k], m->after[k]);
    return s->h * sum;
}

// Of a solid: M ((1 + h alpha) v1 - v0 - h g). Bodies of beams with prescribed motion have none.
static void find_inertia(const vs_elastic_terms *s, const motion *m, double mass_weight) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    for (int j = 0; j < f->nodes; j++)
        f->work[j] = vs_add_scaled(vs_subtract(vs_scale(mass_weight, m->after[j]), before_of(s, m, j)), -s->h,
                                   s->world->gravity);
    vs_flexible_multiply_mass(f, f->work, m->inertia);
}

// After work_of_loads(): m->push are the loads. Overwrites m->stiff.
static double work_of_prescribed(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    vs_step_weights weight = vs_step_weights_of(&f->stuff, s->h);
    double h = s->h, sum = 0;
    if (!f->beam)
        find_inertia(s, m, weight.mass);
    vs_vec3 *stiff = m->stiff;
    for (int j = 0; j < m->blocks; j++)
        stiff[j] = vs_scale(weight.stiffness, stiff[j]);
    if (s->expanded && !f->beam) { // f is that at q + h w
        vs_elastic_terms_velocities(s, m->flexible, s->around.data, f->work);
        vs_assembly_multiply(f->assembly, f->K, -h * h, &f->work->x, 1, &stiff->x);
    }
    for (int j = 0; j < m->blocks; j++) {
        if (!is_prescribed(s, m, j))
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

void vs_elastic_energy_account(const vs_elastic_terms *s, vs_energy_flow *flow) {
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive)
            continue;
        motion m = find_motion(s, k);
        flow->dampers += lost_by_damping(s, &m);
        if (!f->beam)
            flow->loads += work_of_loads(s, &m);
        if (m.prescribed)
            flow->prescribed += work_of_prescribed(s, &m);
    }
}
