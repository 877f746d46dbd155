// Newton's method on the elastic forces of a step, for those who ask for it (vs_simulation_options.elastic_iterations).
//
// A step solves  minimise Phi(v) = 1/2 v'Hi v + ci'v + U(q + h v)  subject to contacts and joints, with the strain
// energy U and inertia, loads and damping in Hi, ci. The default step expands U once, about w = 0 (the positions q of
// the beginning). Here its solution v tells where to expand again,
//
//     w <- w + t (v - w),    t = 1, 1/2, … until Phi falls,
//
// and the problem is solved anew, until v stays: with t = 1 the method is sequential quadratic programming, which
// converges fast near the solution. Contacts keep the gaps and normals that they had. Beams are expanded once only.
// Velocities and impulses are always those of one problem, the last one. With friction there is no Phi; what is
// compared then is still the energy, and a step that does not lower it in the model, either, is taken whole.
#include "step/simulation_data.h"

#include <math.h>
#include <string.h>

static const double CONVERGED = 1e-10; // (v - w)'H (v - w) : v'H v, of energies: 1e-5 of the velocities
enum { HALVINGS = 6 };

static vs_vec3 node_of(const vs_simulation *s, int flexible, int node, const double *v) {
    const vs_flexible *f = &s->world->flexible[flexible];
    int block = vs_coupling_block(s, flexible, node);
    if (block < 0)
        return vs_node_given(s->world, f, node, s->options.step);
    v += vs_block_column(s, block);
    return vs_node_along(f, node, (vs_vec3){v[0], v[1], v[2]});
}

void vs_newton_velocities(const vs_simulation *s, int flexible, const double *v, vs_vec3 *out) {
    for (int k = 0; k < s->world->flexible[flexible].nodes; k++)
        out[k] = node_of(s, flexible, k, v);
}

// Moves a solid's nodes on by h v; the present positions are kept in `saved`.
void vs_newton_move(const vs_simulation *s, int flexible, const double *v, vs_vec3 *saved) {
    vs_flexible *f = &s->world->flexible[flexible];
    memcpy(saved, f->position, sizeof *saved * (size_t)f->nodes);
    for (int k = 0; k < f->nodes; k++)
        f->position[k] = vs_add_scaled(saved[k], s->options.step, node_of(s, flexible, k, v));
}

void vs_newton_move_back(const vs_simulation *s, int flexible, const vs_vec3 *saved) {
    vs_flexible *f = &s->world->flexible[flexible];
    memcpy(f->position, saved, sizeof *saved * (size_t)f->nodes);
}

static double strain_energy(const vs_simulation *s, const double *v) {
    double sum = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive || f->beam)
            continue;
        vs_newton_move(s, k, v, s->coupling.inertia.data);
        sum += vs_flexible_strain_energy(s->world, f);
        vs_newton_move_back(s, k, s->coupling.inertia.data);
    }
    return sum;
}

// Of the expansion of U about w: f'd and d'K d over all solids; d is 0 where velocities are given.
static void expand(const vs_simulation *s, const double *d, double *force, double *stiffness) {
    vs_vec3 *all = s->coupling.velocity.data, *product = s->coupling.right.data;
    *force = *stiffness = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive || f->beam)
            continue;
        for (int i = 0; i < f->nodes; i++)
            all[i] = vs_coupling_block(s, k, i) < 0 ? VS_ZERO3 : node_of(s, k, i, d);
        vs_assembly_multiply(f->assembly, f->K, 1, &all->x, 0, &product->x);
        for (int i = 0; i < f->nodes; i++) {
            *force += f->f[3 * i] * all[i].x + f->f[3 * i + 1] * all[i].y + f->f[3 * i + 2] * all[i].z;
            *stiffness += vs_dot(all[i], product[i]);
        }
    }
}

// a'H b
static double product(const vs_simulation *s, const double *a, const double *b) {
    const int64_t *p = s->coupling.p.data;
    const int *i = s->coupling.i.data;
    const double *x = s->coupling.x.data;
    double sum = 0;
    for (int j = 0; j < vs_step_size(s); j++)
        for (int64_t e = p[j]; e < p[j + 1]; e++)
            sum += a[i[e]] * x[e] * b[j];
    return sum;
}

static vs_error reserve(vs_simulation *s) {
    int64_t n = vs_step_size(s);
    vs_error error = vs_list_reserve(s->context, &s->around, n, sizeof(double));
    if (!error)
        error = vs_list_reserve(s->context, &s->direction, n, sizeof(double));
    if (!error && !s->expanded)
        memset(s->around.data, 0, sizeof(double) * (size_t)n);
    return error;
}

vs_error vs_newton_next(vs_simulation *s, bool *more) {
    vs_error error = reserve(s);
    if (error)
        return error;
    int n = vs_step_size(s);
    double *w = s->around.data, *d = s->direction.data, h = s->options.step;
    const double *v = s->result.v, *c = s->c.data;
    for (int k = 0; k < n; k++)
        d[k] = v[k] - w[k];
    double curved = product(s, d, d);
    *more = curved > CONVERGED * product(s, v, v);
    if (!*more)
        return VS_OK;
    double slope = product(s, d, w), force, stiffness, start = strain_energy(s, w), t = 1;
    for (int k = 0; k < n; k++)
        slope += c[k] * d[k];
    expand(s, d, &force, &stiffness);
    // Phi(w + t d) - Phi(w) is that of the model, and what U differs from its expansion
    for (int k = 0; k <= HALVINGS; k++) {
        for (int i = 0; i < n; i++)
            w[i] = v[i] - (1 - t) * d[i];
        if (k == HALVINGS || slope >= 0)
            break;
        double model = t * slope + .5 * t * t * curved;
        double differs = strain_energy(s, w) - start + t * h * force - .5 * t * t * h * h * stiffness;
        if (model + differs <= 1e-4 * t * slope)
            break;
        t *= .5;
    }
    s->expanded = true;
    return VS_OK;
}
