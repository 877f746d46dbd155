// Energy of flexible bodies in a step: see elastic_energy.h.
#include "step/elastic/elastic_energy.h"

#include <math.h>

#include "body/flexible_data.h"

// Velocities of a flexible body's blocks: of a beam the linear and the angular one of each node.
typedef struct motion {
    int flexible, blocks;
    vs_elastic_times at;
    vs_vec3 *before, *after; // (blocks) v0, v1
    vs_vec3 *mean;           // (blocks) of both; in implicit Euler v1
    vs_vec3 *stiff;          // (blocks) work: products with K
    vs_vec3 *push, *inertia; // (blocks) work
    bool prescribed;         // some block is
} motion;

static bool is_prescribed(const vs_elastic_terms *s, const motion *m, int j) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    int block = f->beam ? vs_blocks_of_body(s->blocks, (int)f->body[j / 2].index)
                        : vs_blocks_of_node(s->blocks, m->flexible, j);
    return block == VS_NO_BLOCK;
}

static vs_vec3 after_of(const vs_elastic_terms *s, const motion *m, int j) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    if (f->beam) {
        const vs_body *body = &s->world->body[f->body[j / 2].index];
        return j % 2 ? body->spin : body->velocity;
    }
    return is_prescribed(s, m, j) ? vs_node_prescribed_velocity(s->world, f, j, s->kick->h) : f->velocity[j];
}

static motion open_motion(const vs_elastic_terms *s, int flexible) {
    const vs_flexible *f = &s->world->flexible[flexible];
    motion m = {
        .flexible = flexible, .blocks = f->beam ? 2 * f->nodes : f->nodes, .at = vs_elastic_terms_times(s, flexible)};
    m.before = s->before.data, m.after = s->velocity.data, m.mean = s->mean.data;
    m.push = s->push.data, m.stiff = s->right.data, m.inertia = s->inertia.data;
    vs_elastic_terms_velocities_before(s, flexible, m.before);
    return m;
}

static void find_mean(const vs_elastic_terms *s, motion *m) {
    for (int j = 0; j < m->blocks; j++)
        m->mean[j] = s->mid ? vs_scale(.5, vs_add(m->before[j], m->after[j])) : m->after[j];
}

static motion find_motion(const vs_elastic_terms *s, int flexible) {
    motion m = open_motion(s, flexible);
    for (int j = 0; j < m.blocks; j++) {
        m.after[j] = after_of(s, &m, j);
        m.prescribed = m.prescribed || is_prescribed(s, &m, j);
    }
    find_mean(s, &m);
    return m;
}

static double lost_by_damping(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    const vs_vec3 *v = m->mean;
    double sum = 0;
    if (f->stuff.beta > 0)
        vs_assembly_multiply(f->assembly, f->K, f->stuff.beta, &v->x, 0, &m->stiff->x);
    for (int j = 0; j < m->blocks && f->stuff.beta > 0; j++)
        sum += vs_dot(v[j], m->stiff[j]);
    if (f->stuff.alpha > 0 && !f->beam)
        vs_flexible_multiply_mass(f, v, f->work);
    for (int j = 0; j < f->nodes && f->stuff.alpha > 0; j++)
        sum += f->stuff.alpha * (f->beam ? f->mass[j] * vs_dot(v[2 * j], v[2 * j]) : vs_dot(v[j], f->work[j]));
    return m->at.length * sum;
}

static double work_of_loads(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    double sum = 0;
    vs_flexible_push(f, s->kick->time, m->push);
    for (int k = 0; k < f->nodes; k++)
        sum += vs_dot(m->push[k], m->mean[k]);
    return m->at.length * sum;
}

// Of a solid: M (m v1 - v0 - L g). Bodies of beams with prescribed motion have none.
static void find_inertia(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    const double mass = vs_elastic_weights(&m->at, &f->stuff).mass;
    for (int j = 0; j < f->nodes; j++)
        f->work[j] =
            vs_add_scaled(vs_subtract(vs_scale(mass, m->after[j]), m->before[j]), -m->at.length, s->world->gravity);
    vs_flexible_multiply_mass(f, f->work, m->inertia);
}

// k K v1 - L K o with elements linearized about q, k K v1 - L a K w otherwise.
static void find_stiffness(const vs_elastic_terms *s, const motion *m, double k) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    const bool start = vs_elastic_terms_at_start(s, m->flexible);
    vs_vec3 *x = s->offset.data;
    if (start)
        vs_elastic_terms_offset(s, m->flexible, x);
    else
        vs_elastic_terms_velocities(s, m->flexible, s->around.data, x);
    vs_assembly_multiply(f->assembly, f->K, -m->at.length * (start ? 1 : m->at.ahead), &x->x, 0, &m->stiff->x);
    vs_assembly_multiply(f->assembly, f->K, k, &m->after->x, 1, &m->stiff->x);
}

// After work_of_loads(): m->push are the loads.
static double work_of_prescribed(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    double sum = 0;
    if (!f->beam)
        find_inertia(s, m);
    find_stiffness(s, m, vs_elastic_weights(&m->at, &f->stuff).stiffness);
    for (int j = 0; j < m->blocks; j++) {
        if (!is_prescribed(s, m, j))
            continue;
        vs_vec3 force = {f->f[3 * j], f->f[3 * j + 1], f->f[3 * j + 2]};
        vs_vec3 p = m->stiff[j];
        if (!f->beam) {
            force = vs_add(force, m->push[j]);
            p = vs_add(p, m->inertia[j]);
        }
        sum += vs_dot(m->mean[j], vs_add_scaled(p, -m->at.length, force));
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

// ---- energy that nonlinear elements create -----------------------------------------------------------

static void find_after(const vs_elastic_terms *s, int flexible, const double *v, vs_vec3 *out) {
    const vs_flexible *f = &s->world->flexible[flexible];
    if (!f->beam) {
        vs_elastic_terms_velocities(s, flexible, v, out);
        return;
    }
    vs_elastic_terms_velocities_before(s, flexible, out); // those of prescribed nodes stay
    for (int j = 0; j < 2 * f->nodes; j++) {
        int tile = vs_elastic_matrix_tile(s->world, s->blocks, flexible, j);
        if (tile >= 0)
            out[j] = (vs_vec3){v[3 * tile], v[3 * tile + 1], v[3 * tile + 2]};
    }
}

// Of one body: U(x1) - U(x0) + L f'v with the mean velocities v and the forces f of the step. `scale`: its energy after it.
static double created_by(const vs_elastic_terms *s, motion *m, double *scale) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    const double half = .5 * s->kick->h;
    double start = vs_flexible_strain_energy(s->world, f, -half, m->before);
    double end = vs_flexible_strain_energy(s->world, f, half, m->after);
    double work = 0, kinetic = 0;
    find_stiffness(s, m, m->at.length * m->at.ahead);
    for (int j = 0; j < m->blocks; j++) {
        const vs_vec3 force = {f->f[3 * j], f->f[3 * j + 1], f->f[3 * j + 2]};
        work += vs_dot(vs_add_scaled(vs_scale(-1, m->stiff[j]), m->at.length, force), m->mean[j]);
        if (!f->beam || j % 2 == 0)
            kinetic += .5 * f->mass[f->beam ? j / 2 : j] * vs_dot(m->after[j], m->after[j]);
    }
    *scale = fmax(start, end) + kinetic;
    return end - start + work;
}

double vs_elastic_energy_created(const vs_elastic_terms *s, const double *v) {
    double most = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        if (!s->world->flexible[k].alive)
            continue;
        double scale;
        motion m = open_motion(s, k);
        find_after(s, k, v, m.after);
        find_mean(s, &m);
        double created = created_by(s, &m, &scale);
        if (created > most * scale)
            most = created / scale;
    }
    return most;
}

// Of a beam: the strain energy at q1 less that of its expansion about q0, U - h f'v1 + h^2/2 v1'K v1.
static double omitted_by(const vs_elastic_terms *s, motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    const double h = s->kick->h;
    double expanded = vs_flexible_strain_energy(s->world, f, 0, NULL);
    vs_assembly_multiply(f->assembly, f->K, .5 * h, &m->after->x, 0, &m->stiff->x);
    for (int j = 0; j < m->blocks; j++) {
        const vs_vec3 force = {f->f[3 * j], f->f[3 * j + 1], f->f[3 * j + 2]};
        expanded += h * vs_dot(vs_subtract(m->stiff[j], force), m->after[j]);
    }
    return vs_flexible_strain_energy(s->world, f, h, m->after) - expanded;
}

// 1/2 m v1'v1 of a beam's nodes; their spins have little.
static double kinetic_after(const vs_elastic_terms *s, const motion *m) {
    const vs_flexible *f = &s->world->flexible[m->flexible];
    double sum = 0;
    for (int j = 0; j < f->nodes; j++)
        sum += .5 * f->mass[j] * vs_dot(m->after[2 * j], m->after[2 * j]);
    return sum;
}

double vs_elastic_energy_omitted(const vs_elastic_terms *s, const double *v) {
    double most = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        if (!s->world->flexible[k].alive || !s->world->flexible[k].beam)
            continue;
        motion m = open_motion(s, k);
        find_after(s, k, v, m.after);
        const double omitted = fabs(omitted_by(s, &m)), scale = kinetic_after(s, &m);
        if (omitted > most * scale)
            most = omitted / scale;
    }
    return most;
}
