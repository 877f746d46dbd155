// Steps along the central path: their composition from tangent and correctors, and their length. See
// central_path_data.h.
#include "solver/coulomb/path/central_path_step.h"

#include <math.h>
#include <string.h>

#include "solver/coulomb/path/central_path_direction.h"
#include "solver/coulomb/path/central_path_point.h"

static const double BOUNDARY = .9;    // fraction of the step to the boundary
static const double LEAST_STEP = .03; // fraction of the full step; less means that the path has been lost
static const double SHORTER = .7;     // after a step that left the neighbourhood

// ---- directions as vectors ---------------------------------------------------------------------------

static void add(const vs_central_path *path, vs_path_direction *d, double factor, const vs_path_direction *other) {
    for (int k = 0; k < path->rows; k++)
        d->dl[k] += factor * other->dl[k];
    for (int64_t k = 0; k < 3 * (int64_t)path->discs * path->groups; k++) {
        d->dlt[k] += factor * other->dlt[k];
        d->dyt[k] += factor * other->dyt[k];
    }
    for (int g = 0; g < path->groups; g++) {
        d->ds1[g] += factor * other->ds1[g];
        d->ds2[g] += factor * other->ds2[g];
    }
    d->dt += factor * other->dt;
}

// Relative changes, squared: the metric in which arclength is measured.
static double dot(const vs_central_path *path, const vs_impulse_problem *island, double kappa,
                  const vs_path_direction *a, const vs_path_direction *b) {
    const vs_path_point *p = &path->now;
    double sum = 0, target = p->t * path->tau0;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double above = vs_path_above(island, p->l, g), dla = a->dl[island->row[g]], dlb = b->dl[island->row[g]];
        sum += .5 * (dla * dlb / (above * above) + a->ds1[g] * b->ds1[g] / (p->s1[g] * p->s1[g]));
        if (island->law[g] == VS_LAW_BOX) {
            double below = vs_path_below(island, p->l, g);
            sum += .5 * (dla * dlb / (below * below) + a->ds2[g] * b->ds2[g] / (p->s2[g] * p->s2[g]));
        }
        VS_PATH_DISCS (path, island, g, disc)
            for (int64_t k = 3 * disc.pair; k < 3 * disc.pair + 3; k++)
                sum += .5 * (a->dlt[k] * b->dlt[k] + a->dyt[k] * b->dyt[k]) / (kappa * target);
    }
    return sum + a->dt * b->dt / (p->t * p->t);
}

// Largest second-order term of the tangent, over tau0: grows with dt^2.
static double curvature(const vs_central_path *path, const vs_impulse_problem *island, double kappa,
                        const vs_path_direction *d) {
    double most = 0;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double dl = d->dl[island->row[g]];
        most = fmax(most, fmax(fabs(dl * d->ds1[g]), fabs(dl * d->ds2[g])));
        VS_PATH_DISCS (path, island, g, disc) {
            double product[3];
            vs_cone_second_order.product(d->dlt + 3 * disc.pair, d->dyt + 3 * disc.pair, product);
            double size = fabs(product[0]) + sqrt(product[1] * product[1] + product[2] * product[2]);
            most = fmax(most, size / kappa);
        }
    }
    return most / path->tau0;
}

// ---- the composition of a step -----------------------------------------------------------------------

// dt = sense g t with the largest g (at most .999 downwards, 10 upwards) whose second-order term stays below
// eta (t + dt).
static double choose_dt(double t, double curve, double eta, double sense) {
    double low = 0, high = sense < 0 ? .999 : 10;
    for (int k = 0; k < 50; k++) {
        double g = .5 * (low + high), dt = sense * g * t;
        if (curve * dt * dt <= eta * (t + dt))
            low = g;
        else
            high = g;
    }
    return sense * low * t;
}

// Corrector across the path, tangent along it, second-order correction; the parts that would change t at will are made
// orthogonal to the tangent.
vs_error vs_path_find_step(vs_central_path *path, const vs_progress *progress, const vs_central_path_settings *settings,
                           double sense) {
    const vs_impulse_problem *island = progress->island;
    vs_path_direction *d = &path->corrector, *T = &path->tangent;
    vs_error error = vs_path_corrector(path, progress, settings->kappa);
    if (error)
        return error;
    double length = dot(path, island, settings->kappa, T, T);
    add(path, d, -dot(path, island, settings->kappa, T, d) / length, T);
    double curve = curvature(path, island, settings->kappa, T);
    // t + beta must not reach zero by the corrector alone
    double beta = fmax(d->dt, -.5 * path->now.t);
    add(path, d, beta - d->dt, T);
    double dt = choose_dt(path->now.t + beta, curve, settings->eta, sense) * path->shorten;
    add(path, d, dt, T);
    error = vs_path_second_order(path, progress, d);
    if (error)
        return error;
    add(path, &path->second, -dot(path, island, settings->kappa, T, &path->second) / length, T);
    if (fabs(path->second.dt) > .5 * fabs(path->now.t + d->dt))
        add(path, &path->second, -path->second.dt, T);
    add(path, d, 1, &path->second);
    return VS_OK;
}

// ---- its length --------------------------------------------------------------------------------------

static double scalar_step(double a, double da, double step) {
    return da < 0 ? fmin(step, -a / da) : step;
}

double vs_path_largest_step(const vs_central_path *path, const vs_impulse_problem *island, const vs_path_direction *d) {
    const vs_path_point *p = &path->now;
    double step = 1 / BOUNDARY;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double dl = d->dl[island->row[g]];
        step = scalar_step(p->s1[g], d->ds1[g], step);
        step = scalar_step(vs_path_above(island, p->l, g), dl, step);
        if (island->law[g] == VS_LAW_BOX) {
            step = scalar_step(p->s2[g], d->ds2[g], step);
            step = scalar_step(vs_path_below(island, p->l, g), -dl, step);
        }
        VS_PATH_DISCS (path, island, g, disc) {
            step = vs_cone_second_order.step(&p->pair[disc.pair], d->dlt + 3 * disc.pair, step);
            step = vs_cone_second_order.step(&p->pair[disc.pair], d->dyt + 3 * disc.pair, step);
        }
    }
    if (d->dt < 0)
        step = fmin(step, -p->t / d->dt);
    return BOUNDARY * step;
}

bool vs_path_move(vs_central_path *path, const vs_impulse_problem *island, const vs_central_path_settings *settings,
                  const vs_path_direction *d, double step) {
    vs_path_point *p = &path->now;
    p->t += step * d->dt;
    for (int g = 0; g < path->groups; g++) {
        int row = island->row[g];
        p->l[row] += step * d->dl[row];
        VS_PATH_DISCS (path, island, g, disc) {
            const vs_cone_pair *pair = &p->pair[disc.pair];
            if (!vs_cone_second_order.advance(&p->pair[disc.pair], step, d->dlt + 3 * disc.pair, step,
                                              d->dyt + 3 * disc.pair))
                return false;
            if (island->law[g] == VS_LAW_FRICTION)
                p->l[row] = pair->lambda[0];
            for (int i = 0; i < disc.size; i++)
                p->l[row + disc.first + i] = pair->lambda[1 + i];
        }
        if (island->law[g] == VS_LAW_FREE)
            continue;
        p->s1[g] += step * d->ds1[g];
        p->s2[g] += step * d->ds2[g];
    }
    double least, most;
    vs_path_centrality(path, island, settings->kappa, &least, &most);
    return least >= settings->low && most <= settings->high;
}

double vs_path_advance(vs_central_path *path, const vs_impulse_problem *island,
                       const vs_central_path_settings *settings, const vs_path_direction *d) {
    double step = vs_path_largest_step(path, island, d);
    while (step > LEAST_STEP) {
        if (vs_path_move(path, island, settings, d, step))
            return step;
        vs_path_copy(path, &path->kept, &path->now);
        step *= SHORTER;
    }
    return 0;
}
