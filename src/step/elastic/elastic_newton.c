// Newton's method on the elastic forces of a step: see elastic_newton.h.
#include "step/elastic/elastic_newton.h"

#include "body/flexible_data.h"

static const double CONVERGED = 1e-10; // (v - w)'H (v - w) relative to v'H v, energies: 1e-5 of the velocities
enum { HALVINGS = 6 };

// L/a U(q + a v - b v0)
static double strain_energy(const vs_elastic_terms *s, const double *v) {
    double sum = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive || f->beam)
            continue;
        const vs_elastic_times at = vs_elastic_terms_times(s, k);
        vs_elastic_terms_move(s, k, v, s->inertia.data);
        sum += at.length / at.ahead * vs_flexible_strain_energy(s->world, f, 0, NULL);
        vs_elastic_terms_move_back(s, k, s->inertia.data);
    }
    return sum;
}

// Of the expansion of L/a U about w: L f'd and L a d'K d over all solids; d is 0 where velocities are prescribed.
static void expand(const vs_elastic_terms *s, const double *d, double *force, double *stiffness) {
    vs_vec3 *all = s->velocity.data, *product = s->right.data;
    *force = *stiffness = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive || f->beam)
            continue;
        for (int i = 0; i < f->nodes; i++)
            all[i] = vs_blocks_of_node(s->blocks, k, i) == VS_NO_BLOCK ? VS_ZERO3
                                                                       : vs_elastic_terms_node_velocity(s, k, i, d);
        const vs_elastic_times at = vs_elastic_terms_times(s, k);
        vs_assembly_multiply(f->assembly, f->K, at.length * at.ahead, &all->x, 0, &product->x);
        for (int i = 0; i < f->nodes; i++) {
            *force += at.length * (f->f[3 * i] * all[i].x + f->f[3 * i + 1] * all[i].y + f->f[3 * i + 2] * all[i].z);
            *stiffness += vs_dot(all[i], product[i]);
        }
    }
}

// w <- w + t d with v = w + d. Phi(w + t d) - Phi(w) is the change of the model plus the difference of U from its
// expansion; curved = d'H d, slope: of the model along d.
static void search(vs_elastic_terms *s, int n, const double *v, double slope, double curved) {
    double *w = s->around.data, t = 1, force, stiffness, start = strain_energy(s, w);
    const double *d = s->direction.data;
    expand(s, d, &force, &stiffness);
    for (int k = 0; k <= HALVINGS; k++) {
        for (int i = 0; i < n; i++)
            w[i] = v[i] - (1 - t) * d[i];
        if (k == HALVINGS || slope >= 0)
            break;
        double model = t * slope + .5 * t * t * curved;
        double differs = strain_energy(s, w) - start + t * force - .5 * t * t * stiffness;
        if (model + differs <= 1e-4 * t * slope)
            break;
        t *= .5;
    }
}

vs_error vs_elastic_newton_next(vs_elastic_terms *s, const double *c, const double *v, bool *more) {
    int n = vs_blocks_size(s->blocks);
    vs_error error = VS_RESERVE(s->world->context, &s->direction, n);
    if (error)
        return error;
    double *w = s->around.data, *d = s->direction.data;
    for (int k = 0; k < n; k++)
        d[k] = v[k] - w[k];
    double curved = vs_elastic_matrix_form(&s->H, n, d, d);
    *more = curved > CONVERGED * vs_elastic_matrix_form(&s->H, n, v, v);
    if (!*more)
        return VS_OK;
    double slope = vs_elastic_matrix_form(&s->H, n, d, w);
    for (int k = 0; k < n; k++)
        slope += c[k] * d[k];
    search(s, n, v, slope, curved);
    s->expanded = true;
    return VS_OK;
}
