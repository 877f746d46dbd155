// Directions at a point of the central path: see central_path_data.h. With
//
//     dx = -W^2 dl - W (z \ r_z),    ds = -(s dl + r_s) / a
//
// the Newton system is (N + B) dl = rhs with unsymmetric 3 x 3 blocks
//
//     B = [ s/a 0 0 ; (W^2)_T ]
//
// in Lorentz scale; the island's rows see L B L. Each disc of a rolling contact has its rows (W_k^2)_T G_k. Impulses that redundant contacts may exchange (N dl = 0) are determined by
// the blocks alone, which fall towards zero where contacts stick: below the rounding of N dl the directions would be noise,
// and the sign of the determinant, too. A floor is added to them, a proximal term that vanishes with dl.
#include "solver/coulomb/path/central_path_direction.h"

#include <string.h>

// P = L B L + floor
static void assemble_group(const vs_central_path *path, const vs_impulse_problem *island, int g) {
    const vs_path_point *p = &path->now;
    const double *L = path->L + island->row[g];
    double *P = path->P + vs_impulse_block(island, g);
    const int ld = island->ld;
    memset(P, 0, sizeof *P * (size_t)(ld * ld));
    if (island->law[g] == VS_LAW_FREE)
        return;
    P[0] = p->s1[g] / vs_path_above(island, p->l, g) * L[0] * L[0] + path->floor;
    if (island->law[g] == VS_LAW_BOX)
        P[0] += p->s2[g] / vs_path_below(island, p->l, g);
    VS_PATH_DISCS (path, island, g, disc) {
        for (int j = 0; j <= disc.size; j++) {
            double unit[3] = {j == 0 ? disc.normal : 0, j == 1, j == 2};
            const int column = j == 0 ? 0 : disc.first + j - 1;
            vs_cone_second_order.apply(&p->pair[disc.pair], 2, unit, unit);
            for (int i = 0; i < disc.size; i++)
                P[ld * (disc.first + i) + column] = L[disc.first + i] * unit[1 + i] * L[column];
        }
        for (int i = disc.first; i < disc.first + disc.size; i++)
            P[ld * i + i] += path->floor;
    }
}

vs_error vs_path_factor(vs_central_path *path, const vs_progress *progress) {
    for (int g = 0; g < path->groups; g++)
        assemble_group(path, progress->island, g);
    return vs_linear_system_factor(progress->system, path->P, NULL);
}

// Subtracts the residuals of a group's pairs from rhs; z \ r_z is kept in dyt.
static void subtract_residuals(vs_central_path *path, const vs_impulse_problem *island, int g, double *dyt) {
    const vs_path_point *p = &path->now;
    int row = island->row[g];
    path->rhs[row] -= path->r1[g] / vs_path_above(island, p->l, g);
    if (island->law[g] == VS_LAW_BOX)
        path->rhs[row] += path->r2[g] / vs_path_below(island, p->l, g);
    VS_PATH_DISCS (path, island, g, disc) {
        double w[3], *quotient = dyt + 3 * disc.pair;
        vs_cone_second_order.divide(&p->pair[disc.pair], path->rz + 3 * disc.pair, quotient);
        vs_cone_second_order.apply(&p->pair[disc.pair], 1, quotient, w);
        for (int i = 0; i < disc.size; i++)
            path->rhs[row + disc.first + i] -= w[1 + i];
    }
}

// The changes of a group's pairs that belong to dl; dyt holds z \ r_z.
static void expand_group(const vs_central_path *path, const vs_impulse_problem *island, int g,
                         const vs_path_direction *d) {
    const vs_path_point *p = &path->now;
    double dl = d->dl[island->row[g]];
    d->ds1[g] = -(p->s1[g] * dl + path->r1[g]) / vs_path_above(island, p->l, g);
    if (island->law[g] == VS_LAW_BOX)
        d->ds2[g] = (p->s2[g] * dl - path->r2[g]) / vs_path_below(island, p->l, g);
    VS_PATH_DISCS (path, island, g, disc) {
        double *dlt = d->dlt + 3 * disc.pair, *dyt = d->dyt + 3 * disc.pair;
        vs_path_disc_take(&disc, d->dl + island->row[g], dlt);
        vs_cone_second_order.apply(&p->pair[disc.pair], 1, dlt, dlt);
        for (int k = 0; k < 3; k++)
            dyt[k] = -dlt[k] - dyt[k];
    }
}

// The direction for the residuals rz, r1, r2 of the pairs and, of the kinematics, rp_factor rp + rp0_factor rp0.
static vs_error solve(vs_central_path *path, const vs_progress *progress, const double *rp, double rp_factor,
                      double rp0_factor, vs_path_direction *d) {
    const vs_impulse_problem *island = progress->island;
    for (int k = 0; k < path->rows; k++)
        path->rhs[k] = -(rp_factor * rp[k] + rp0_factor * path->rp0[k]);
    for (int g = 0; g < path->groups; g++)
        if (island->law[g] != VS_LAW_FREE)
            subtract_residuals(path, island, g, d->dyt);
    for (int k = 0; k < path->rows; k++)
        path->rhs[k] *= path->L[k];
    vs_error error = vs_linear_system_solve(progress->system, path->rhs);
    for (int k = 0; k < path->rows; k++)
        d->dl[k] = path->rhs[k] * path->L[k];
    for (int g = 0; g < path->groups; g++)
        if (island->law[g] != VS_LAW_FREE)
            expand_group(path, island, g, d);
    return error;
}

vs_error vs_path_tangent(vs_central_path *path, const vs_progress *progress, double kappa) {
    for (int g = 0; g < path->groups; g++) {
        path->r1[g] = path->r2[g] = -path->tau0;
        VS_PATH_DISCS (path, progress->island, g, disc) {
            double *rz = path->rz + 3 * disc.pair;
            rz[0] = -kappa * path->tau0;
            rz[1] = rz[2] = 0;
        }
    }
    path->tangent.dt = 1;
    return solve(path, progress, path->rp0, -1, 0, &path->tangent);
}

vs_error vs_path_corrector(vs_central_path *path, const vs_progress *progress, double kappa) {
    const vs_impulse_problem *island = progress->island;
    const vs_path_point *p = &path->now;
    double target = p->t * path->tau0;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        path->r1[g] = vs_path_above(island, p->l, g) * p->s1[g] - target;
        path->r2[g] = vs_path_below(island, p->l, g) * p->s2[g] - target;
        VS_PATH_DISCS (path, island, g, disc) {
            double *rz = path->rz + 3 * disc.pair;
            vs_cone_second_order.product(p->pair[disc.pair].z, p->pair[disc.pair].z, rz);
            rz[0] -= kappa * target;
        }
    }
    path->corrector.dt = 0;
    return solve(path, progress, p->rp, 1, -p->t, &path->corrector);
}

// The terms are W dl o W^-1 dx and da ds.
vs_error vs_path_second_order(vs_central_path *path, const vs_progress *progress, const vs_path_direction *d) {
    const vs_impulse_problem *island = progress->island;
    for (int g = 0; g < path->groups; g++) {
        double dl = d->dl[island->row[g]];
        path->r1[g] = dl * d->ds1[g];
        path->r2[g] = -dl * d->ds2[g];
        VS_PATH_DISCS (path, island, g, disc)
            vs_cone_second_order.product(d->dlt + 3 * disc.pair, d->dyt + 3 * disc.pair, path->rz + 3 * disc.pair);
    }
    path->second.dt = 0;
    return solve(path, progress, path->rp0, 0, 0, &path->second);
}
