// The start of the central path at t = 1, residuals and centrality: see central_path_data.h.
#include "solver/coulomb/path/central_path_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/impulse/evaluation.h"
#include "solver/impulse/operator.h"

// ---- residuals ---------------------------------------------------------------------------------------

// u of a group as given by the pairs.
static void pair_velocities(const vs_central_path *path, const vs_impulse_problem *island, const vs_path_point *p,
                            int g, double u[VS_DISCS_ROWS]) {
    u[0] = island->law[g] == VS_LAW_FREE ? 0 : p->s1[g] - p->s2[g];
    VS_PATH_DISCS (path, island, g, disc)
        for (int i = 0; i < disc.size; i++)
            u[disc.first + i] = p->pair[disc.pair].y[1 + i];
}

void vs_path_evaluate(vs_central_path *path, const vs_impulse_problem *island) {
    vs_path_point *p = &path->now;
    for (int k = 0; k < path->rows; k++)
        path->impulses[k] = p->l[k] / path->L[k];
    vs_impulse_velocities(island, path->impulses, path->velocities);
    for (int g = 0; g < path->groups; g++) {
        double u[VS_DISCS_ROWS];
        pair_velocities(path, island, p, g, u);
        for (int k = island->row[g]; k < island->row[g + 1]; k++)
            p->rp[k] = path->velocities[k] / path->L[k] - u[k - island->row[g]];
    }
}

void vs_path_centrality(const vs_central_path *path, const vs_impulse_problem *island, double kappa, double *least,
                        double *most) {
    const vs_path_point *p = &path->now;
    double target = p->t * path->tau0;
    *least = INFINITY;
    *most = 0;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double low = vs_path_above(island, p->l, g) * p->s1[g] / target, high = low;
        if (island->law[g] == VS_LAW_BOX) {
            double product = vs_path_below(island, p->l, g) * p->s2[g] / target;
            low = fmin(low, product);
            high = fmax(high, product);
        }
        VS_PATH_DISCS (path, island, g, disc) {
            const vs_cone_pair *pair = &p->pair[disc.pair];
            double large = pair->z[0] + sqrt(pair->z[1] * pair->z[1] + pair->z[2] * pair->z[2]);
            double small = pair->root * pair->root / large; // z0 - |zT| without cancellation
            low = fmin(low, small * small / (kappa * target));
            high = fmax(high, large * large / (kappa * target));
        }
        *least = fmin(*least, low);
        *most = fmax(*most, high);
    }
}

// ---- start -------------------------------------------------------------------------------------------

// Roundings of N dl, in epsilons of its row sums, that the floor is above: hundreds leave two digits to directions in the null
// space of N. (A falling wall of 56 bricks, path alone: 7 of 24 steps solved without a floor, 14 with 8 roundings, 21 with
// 80, 18 with 800.)
static const double FLOOR = 64;

static void find_lorentz_scale(vs_central_path *path, const vs_impulse_problem *island) {
    for (int g = 0; g < island->groups; g++) {
        int row = island->row[g];
        for (int k = row; k < island->row[g + 1]; k++)
            path->L[k] = 1;
        if (island->law[g] == VS_LAW_FRICTION) {
            double root = sqrt(island->mu[g]);
            path->L[row] = root;
            path->L[row + 1] = path->L[row + 2] = 1 / root;
        }
    }
}

// The pairs of group g with products tau0 = b^2.
static void start_group(vs_central_path *path, const vs_impulse_problem *island, int g, double kappa, double b) {
    vs_path_point *p = &path->now;
    int row = island->row[g];
    p->s1[g] = p->s2[g] = 0;
    switch (island->law[g]) {
    case VS_LAW_FREE:
        p->l[row] = 0;
        break;
    case VS_LAW_NONNEG:
        p->l[row] = p->s1[g] = b;
        break;
    case VS_LAW_BOX: {
        double half = .5 * (island->hi[g] - island->lo[g]);
        p->l[row] = island->lo[g] + half;
        p->s1[g] = p->s2[g] = path->tau0 / half;
        break;
    }
    case VS_LAW_FRICTION:
    case VS_LAW_ROLLING:
        memset(p->l + row, 0, sizeof(double) * (size_t)(island->row[g + 1] - row));
        p->l[row] = p->s1[g] = b;
        VS_PATH_DISCS (path, island, g, disc) {
            const double l[3] = {disc.normal * b, 0, 0}, x[3] = {kappa * b / disc.normal, 0, 0};
            (void)vs_cone_second_order.set(&p->pair[disc.pair], l, x);
        }
        break;
    }
}

void vs_path_start(vs_central_path *path, const vs_impulse_problem *island, double kappa) {
    double b = 0;
    path->rows = island->rows;
    path->groups = island->groups;
    path->discs = island->ld > 3 ? VS_DISC_COUNT : 1;
    find_lorentz_scale(path, island);
    for (int k = 0; k < path->rows; k++)
        b = fmax(b, fabs(island->r[k] / path->L[k]));
    path->tau0 = b * b;
    path->floor = FLOOR * DBL_EPSILON * vs_impulse_norm(island);
    path->now.t = 1;
    for (int g = 0; g < path->groups; g++)
        start_group(path, island, g, kappa, b);
    vs_path_evaluate(path, island);
    memcpy(path->rp0, path->now.rp, sizeof(double) * (size_t)path->rows);
}
