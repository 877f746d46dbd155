// Following the central path of exact Coulomb friction by arclength: see path.h.
//
// A contact has one or two scalar pairs a s = t tau0 (half lines: a = l - lo, hi - l; friction: a = l_0, s = u_0), and,
// with friction, the cone pair (l, x), x = (nu, u_T), with its Nesterov-Todd scaling W: z = W l = W^-1 x.
// With dx = -W^2 dl - W (z \ r_z) and ds = -(s dl + r_s)/a the Newton system is (N + B) dl = rhs with
//
//     B = [ s/a 0 0 ; (W^2)_T ]     unsymmetric 3 x 3 blocks
//
// in Lorentz rows l' = L l, L = (sqrt mu, 1/sqrt mu, 1/sqrt mu); the island's rows see L B L.
#include "solver/coulomb/path.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/coulomb/semismooth.h"

const vs_path_options vs_path_wide[] = {{.kappa = 10, .eta = 3, .low = .1, .high = 10, .iterations = 60},
                                        {.iterations = 0}};
const vs_path_options vs_path_tight[] = {{.kappa = 10, .eta = .3, .low = .3, .high = 3.3, .iterations = 300},
                                         {.kappa = 30, .eta = .3, .low = .3, .high = 3.3, .iterations = 300},
                                         {.kappa = 100, .eta = .3, .low = .3, .high = 3.3, .iterations = 300},
                                         {.iterations = 0}};
const vs_path_options vs_path_long[] = {{.kappa = 10, .eta = .3, .low = .3, .high = 3.3, .iterations = 1500},
                                        {.kappa = 30, .eta = .3, .low = .5, .high = 2, .iterations = 1500},
                                        {.kappa = 3, .eta = .3, .low = .3, .high = 3.3, .iterations = 1500},
                                        {.kappa = 100, .eta = .3, .low = .3, .high = 3.3, .iterations = 1500},
                                        {.iterations = 0}};
const vs_path_options vs_path_last[] = {{.kappa = 10, .eta = .1, .low = .5, .high = 2, .iterations = 10000},
                                        {.kappa = 30, .eta = .1, .low = .5, .high = 2, .iterations = 10000},
                                        {.iterations = 0}};

static const double POLISH = 1e-6;    // error below which Newton is tried
static const double BOUNDARY = .9;    // share of the way to the boundary
static const double TURN = -.2;       // cosine between tangents that means a jump to another part of the path
static const double LEAST_T = 1e-18;  // where rounding ends the path
static const double LEAST_STEP = .03; // of the full one; less means that the path has been lost
static const double RETREAT = .25;    // shortening of the step after a retreat
enum { RETREATS = 8, BENDS = 2 };     // from one anchor: at all, because of turns

typedef struct state {
    double t;
    vs_cone_pair *pair; // (groups) friction
    double *l;          // (rows) Lorentz scale; friction: that of the pair
    double *s1, *s2;    // (groups) of the scalar pairs; s2: boxes
    double *rp;         // (rows) N l + r - u
} state;

// A direction, or a derivative by t.
typedef struct direction {
    double *dl;        // (rows) Lorentz scale
    double *dlt, *dyt; // (3 groups) W dl, W^-1 dx
    double *ds1, *ds2; // (groups)
    double dt;
} direction;

struct vs_path {
    int rows, groups;
    state now, kept;
    state anchor;          // the last well centred iterate
    double anchor_shorten; // of the steps from it
    double shorten;        // of the next step
    double last_ori;       // sense of the last tangent: -1 t falls, 1 it rises, 0 there is none
    int retreats;          // to this anchor
    int turns;             // folds passed
    direction tangent, corrector, second;
    double *last;            // (rows) dl of the last tangent
    double *rp0;             // (rows)
    double *L;               // (rows) Lorentz scale
    double *rz;              // (3 groups)
    double *r1, *r2;         // (groups)
    double *rhs;             // (rows)
    double *P;               // (9 groups)
    double *user_l, *user_y; // (rows) island's units
    double tau0;
};

// ---- memory ----------------------------------------------------------------------------------------

static bool create_state(state *s, int rows, int groups, vs_arena *arena) {
    s->pair = VS_NEW_ZERO(arena, vs_cone_pair, groups);
    s->l = VS_NEW(arena, double, rows);
    s->rp = VS_NEW(arena, double, rows);
    s->s1 = VS_NEW_ZERO(arena, double, groups);
    s->s2 = VS_NEW_ZERO(arena, double, groups);
    return s->pair && s->l && s->rp && s->s1 && s->s2;
}

static bool create_direction(direction *d, int rows, int groups, vs_arena *arena) {
    d->dl = VS_NEW_ZERO(arena, double, rows);
    d->dlt = VS_NEW_ZERO(arena, double, 3 * (int64_t)groups);
    d->dyt = VS_NEW_ZERO(arena, double, 3 * (int64_t)groups);
    d->ds1 = VS_NEW_ZERO(arena, double, groups);
    d->ds2 = VS_NEW_ZERO(arena, double, groups);
    return d->dl && d->dlt && d->dyt && d->ds1 && d->ds2;
}

vs_error vs_path_create(int rows, int groups, vs_arena *arena, vs_path **out) {
    vs_path *path = VS_NEW_ZERO(arena, vs_path, 1);
    if (!path)
        return VS_ERROR_MEMORY;
    path->rp0 = VS_NEW(arena, double, rows);
    path->L = VS_NEW(arena, double, rows);
    path->last = VS_NEW(arena, double, rows);
    path->rhs = VS_NEW(arena, double, rows);
    path->user_l = VS_NEW(arena, double, rows);
    path->user_y = VS_NEW(arena, double, rows);
    path->rz = VS_NEW_ZERO(arena, double, 3 * (int64_t)groups);
    path->r1 = VS_NEW_ZERO(arena, double, groups);
    path->r2 = VS_NEW_ZERO(arena, double, groups);
    path->P = VS_NEW_ZERO(arena, double, 9 * (int64_t)groups);
    bool complete =
        path->rp0 && path->L && path->rhs && path->user_l && path->user_y && path->rz && path->r1 && path->r2 &&
        path->P && create_state(&path->now, rows, groups, arena) && create_state(&path->kept, rows, groups, arena) &&
        create_state(&path->anchor, rows, groups, arena) && create_direction(&path->tangent, rows, groups, arena) &&
        create_direction(&path->corrector, rows, groups, arena) &&
        create_direction(&path->second, rows, groups, arena) && path->last;
    *out = path;
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

static void copy_state(const vs_path *path, const state *from, state *to) {
    size_t rows = sizeof(double) * (size_t)path->rows, groups = (size_t)path->groups;
    to->t = from->t;
    memcpy(to->pair, from->pair, sizeof *to->pair * groups);
    memcpy(to->l, from->l, rows);
    memcpy(to->rp, from->rp, rows);
    memcpy(to->s1, from->s1, sizeof(double) * groups);
    memcpy(to->s2, from->s2, sizeof(double) * groups);
}

// ---- start -----------------------------------------------------------------------------------------

static void find_lorentz(vs_path *path, const vs_island *island) {
    for (int g = 0; g < island->groups; g++) {
        int row = island->N.row[g];
        path->L[row] = 1;
        if (island->law[g] == VS_LAW_FRICTION) {
            double root = sqrt(island->mu[g]);
            path->L[row] = root;
            path->L[row + 1] = path->L[row + 2] = 1 / root;
        }
    }
}

// u of a group as far as the pairs tell: what rp is measured against.
static void velocities_of(const vs_island *island, const state *s, int g, double u[3]) {
    u[0] = island->law[g] == VS_LAW_FREE ? 0 : s->s1[g] - s->s2[g];
    if (island->law[g] == VS_LAW_FRICTION) {
        u[1] = s->pair[g].y[1];
        u[2] = s->pair[g].y[2];
    }
}

// The iterate in the island's units: user_l, user_y; and rp.
static void evaluate(vs_path *path, const vs_island *island) {
    state *s = &path->now;
    for (int k = 0; k < path->rows; k++)
        path->user_l[k] = s->l[k] / path->L[k];
    vs_island_velocities(island, path->user_l, path->user_y);
    for (int g = 0; g < path->groups; g++) {
        double u[3];
        velocities_of(island, s, g, u);
        for (int k = island->N.row[g]; k < island->N.row[g + 1]; k++)
            s->rp[k] = path->user_y[k] / path->L[k] - u[k - island->N.row[g]];
    }
}

static void start(vs_path *path, const vs_island *island, const vs_path_options *options) {
    state *s = &path->now;
    double b = 0;
    for (int k = 0; k < path->rows; k++)
        b = fmax(b, fabs(island->r[k] / path->L[k]));
    path->tau0 = b * b;
    s->t = 1;
    for (int g = 0; g < path->groups; g++) {
        int row = island->N.row[g];
        s->s1[g] = s->s2[g] = 0;
        switch (island->law[g]) {
        case VS_LAW_FREE:
            s->l[row] = 0;
            break;
        case VS_LAW_NONNEG:
            s->l[row] = s->s1[g] = b;
            break;
        case VS_LAW_BOX: {
            double half = .5 * (island->hi[g] - island->lo[g]);
            s->l[row] = island->lo[g] + half;
            s->s1[g] = s->s2[g] = path->tau0 / half;
            break;
        }
        case VS_LAW_FRICTION: {
            const double l[3] = {b, 0, 0}, x[3] = {options->kappa * b, 0, 0};
            memcpy(s->l + row, l, sizeof l);
            s->s1[g] = b;
            (void)vs_cone_second_order.set(&s->pair[g], l, x);
        }
        }
    }
    evaluate(path, island);
    memcpy(path->rp0, s->rp, sizeof(double) * (size_t)path->rows);
}

// ---- directions ------------------------------------------------------------------------------------

// Distances of the scalar pairs' impulses to their bounds.
static double first_of(const vs_island *island, const double *l, int g) {
    return l[island->N.row[g]] - (island->law[g] == VS_LAW_BOX ? island->lo[g] : 0);
}

static double second_of(const vs_island *island, const double *l, int g) {
    return island->hi[g] - l[island->N.row[g]];
}

// P = L B L
static vs_error factor(vs_path *path, const vs_attempt *attempt) {
    const vs_island *island = attempt->island;
    const state *s = &path->now;
    for (int g = 0; g < path->groups; g++) {
        double *P = path->P + 9 * (int64_t)g;
        const double *L = path->L + island->N.row[g];
        memset(P, 0, 9 * sizeof *P);
        if (island->law[g] == VS_LAW_FREE)
            continue;
        P[0] = s->s1[g] / first_of(island, s->l, g) * L[0] * L[0];
        if (island->law[g] == VS_LAW_BOX)
            P[0] += s->s2[g] / second_of(island, s->l, g);
        if (island->law[g] != VS_LAW_FRICTION)
            continue;
        for (int j = 0; j < 3; j++) {
            double unit[3] = {j == 0, j == 1, j == 2};
            vs_cone_second_order.apply(&s->pair[g], 2, unit, unit);
            P[3 + j] = L[1] * unit[1] * L[j];
            P[6 + j] = L[2] * unit[2] * L[j];
        }
    }
    return vs_system_factor(attempt->system, path->P, NULL);
}

// The direction for the residuals rz, r1, r2 of the pairs and rp (rows) of the kinematics.
static vs_error solve(vs_path *path, const vs_attempt *attempt, const double *rp, double rp_factor, const double *rp0,
                      double rp0_factor, direction *d) {
    const vs_island *island = attempt->island;
    const state *s = &path->now;
    for (int k = 0; k < path->rows; k++)
        path->rhs[k] = -(rp_factor * rp[k] + rp0_factor * rp0[k]);
    for (int g = 0; g < path->groups; g++) {
        int row = island->N.row[g];
        if (island->law[g] == VS_LAW_FREE)
            continue;
        path->rhs[row] -= path->r1[g] / first_of(island, s->l, g);
        if (island->law[g] == VS_LAW_BOX)
            path->rhs[row] += path->r2[g] / second_of(island, s->l, g);
        if (island->law[g] == VS_LAW_FRICTION) {
            double *sum = d->dyt + 3 * (int64_t)g, w[3]; // z \ r_z, kept for below
            vs_cone_second_order.divide(&s->pair[g], path->rz + 3 * (int64_t)g, sum);
            vs_cone_second_order.apply(&s->pair[g], 1, sum, w);
            path->rhs[row + 1] -= w[1];
            path->rhs[row + 2] -= w[2];
        }
    }
    for (int k = 0; k < path->rows; k++)
        path->rhs[k] *= path->L[k];
    vs_error error = vs_system_solve(attempt->system, path->rhs);
    for (int k = 0; k < path->rows; k++)
        d->dl[k] = path->rhs[k] * path->L[k];
    for (int g = 0; g < path->groups; g++) {
        double dl = d->dl[island->N.row[g]];
        if (island->law[g] == VS_LAW_FREE)
            continue;
        d->ds1[g] = -(s->s1[g] * dl + path->r1[g]) / first_of(island, s->l, g);
        if (island->law[g] == VS_LAW_BOX)
            d->ds2[g] = (s->s2[g] * dl - path->r2[g]) / second_of(island, s->l, g);
        if (island->law[g] == VS_LAW_FRICTION) {
            double *dlt = d->dlt + 3 * (int64_t)g, *dyt = d->dyt + 3 * (int64_t)g;
            vs_cone_second_order.apply(&s->pair[g], 1, d->dl + island->N.row[g], dlt);
            for (int k = 0; k < 3; k++)
                dyt[k] = -dlt[k] - dyt[k];
        }
    }
    return error;
}

// Derivative by t.
static vs_error find_tangent(vs_path *path, const vs_attempt *attempt, double kappa) {
    for (int g = 0; g < path->groups; g++) {
        path->r1[g] = path->r2[g] = -path->tau0;
        double *rz = path->rz + 3 * (int64_t)g;
        rz[0] = -kappa * path->tau0;
        rz[1] = rz[2] = 0;
    }
    path->tangent.dt = 1;
    return solve(path, attempt, path->rp0, -1, path->rp0, 0, &path->tangent);
}

// Newton step to the path at the present t.
static vs_error find_corrector(vs_path *path, const vs_attempt *attempt, double kappa) {
    const vs_island *island = attempt->island;
    const state *s = &path->now;
    double target = s->t * path->tau0;
    for (int g = 0; g < path->groups; g++) {
        double *rz = path->rz + 3 * (int64_t)g;
        if (island->law[g] == VS_LAW_FREE)
            continue;
        path->r1[g] = first_of(island, s->l, g) * s->s1[g] - target;
        path->r2[g] = second_of(island, s->l, g) * s->s2[g] - target;
        if (island->law[g] == VS_LAW_FRICTION) {
            vs_cone_second_order.product(s->pair[g].z, s->pair[g].z, rz);
            rz[0] -= kappa * target;
        }
    }
    path->corrector.dt = 0;
    return solve(path, attempt, s->rp, 1, path->rp0, -s->t, &path->corrector);
}

// What a step d leaves behind in the pairs: W dl o W^-1 dx and da ds.
static vs_error find_second_order(vs_path *path, const vs_attempt *attempt, const direction *d) {
    const vs_island *island = attempt->island;
    for (int g = 0; g < path->groups; g++) {
        double dl = d->dl[island->N.row[g]];
        path->r1[g] = dl * d->ds1[g];
        path->r2[g] = -dl * d->ds2[g];
        if (island->law[g] == VS_LAW_FRICTION)
            vs_cone_second_order.product(d->dlt + 3 * (int64_t)g, d->dyt + 3 * (int64_t)g, path->rz + 3 * (int64_t)g);
    }
    path->second.dt = 0;
    return solve(path, attempt, path->rp0, 0, path->rp0, 0, &path->second);
}

static void add(const vs_path *path, direction *d, double factor, const direction *other) {
    for (int k = 0; k < path->rows; k++)
        d->dl[k] += factor * other->dl[k];
    for (int k = 0; k < 3 * path->groups; k++) {
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
static double dot(const vs_path *path, const vs_island *island, double kappa, const direction *a, const direction *b) {
    const state *s = &path->now;
    double sum = 0, target = s->t * path->tau0;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double first = first_of(island, s->l, g), dla = a->dl[island->N.row[g]], dlb = b->dl[island->N.row[g]];
        sum += .5 * (dla * dlb / (first * first) + a->ds1[g] * b->ds1[g] / (s->s1[g] * s->s1[g]));
        if (island->law[g] == VS_LAW_BOX) {
            double second = second_of(island, s->l, g);
            sum += .5 * (dla * dlb / (second * second) + a->ds2[g] * b->ds2[g] / (s->s2[g] * s->s2[g]));
        }
        for (int k = 3 * g; k < 3 * g + 3 && island->law[g] == VS_LAW_FRICTION; k++)
            sum += .5 * (a->dlt[k] * b->dlt[k] + a->dyt[k] * b->dyt[k]) / (kappa * target);
    }
    return sum + a->dt * b->dt / (s->t * s->t);
}

// Largest second-order term of the tangent, over tau0: grows with dt^2.
static double curvature(const vs_path *path, const vs_island *island, double kappa, const direction *d) {
    double most = 0;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double dl = d->dl[island->N.row[g]];
        most = fmax(most, fmax(fabs(dl * d->ds1[g]), fabs(dl * d->ds2[g])));
        if (island->law[g] == VS_LAW_FRICTION) {
            double product[3];
            vs_cone_second_order.product(d->dlt + 3 * (int64_t)g, d->dyt + 3 * (int64_t)g, product);
            double size = fabs(product[0]) + sqrt(product[1] * product[1] + product[2] * product[2]);
            most = fmax(most, size / kappa);
        }
    }
    return most / path->tau0;
}

// ---- steps -----------------------------------------------------------------------------------------

static double scalar_step(double a, double da, double step) {
    return da < 0 ? fmin(step, -a / da) : step;
}

// Share of d that stays inside, at most 1.
static double largest_step(const vs_path *path, const vs_island *island, const direction *d) {
    const state *s = &path->now;
    double step = 1 / BOUNDARY;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double dl = d->dl[island->N.row[g]];
        step = scalar_step(s->s1[g], d->ds1[g], step);
        step = scalar_step(first_of(island, s->l, g), dl, step);
        if (island->law[g] == VS_LAW_BOX) {
            step = scalar_step(s->s2[g], d->ds2[g], step);
            step = scalar_step(second_of(island, s->l, g), -dl, step);
        }
        if (island->law[g] == VS_LAW_FRICTION) {
            step = vs_cone_second_order.step(&s->pair[g], d->dlt + 3 * (int64_t)g, step);
            step = vs_cone_second_order.step(&s->pair[g], d->dyt + 3 * (int64_t)g, step);
        }
    }
    if (d->dt < 0)
        step = fmin(step, -s->t / d->dt);
    return BOUNDARY * step;
}

// Least and largest product of a pair relative to its target.
static void measure_centrality(const vs_path *path, const vs_island *island, double kappa, double *least,
                               double *most) {
    const state *s = &path->now;
    double target = s->t * path->tau0;
    *least = INFINITY;
    *most = 0;
    for (int g = 0; g < path->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        double low = first_of(island, s->l, g) * s->s1[g] / target, high = low;
        if (island->law[g] == VS_LAW_BOX) {
            double product = second_of(island, s->l, g) * s->s2[g] / target;
            low = fmin(low, product);
            high = fmax(high, product);
        }
        if (island->law[g] == VS_LAW_FRICTION) {
            const double *z = s->pair[g].z;
            double large = z[0] + sqrt(z[1] * z[1] + z[2] * z[2]);
            double small = s->pair[g].root * s->pair[g].root / large; // z0 - |zT| without cancellation
            low = fmin(low, small * small / (kappa * target));
            high = fmax(high, large * large / (kappa * target));
        }
        *least = fmin(*least, low);
        *most = fmax(*most, high);
    }
}

// Moves `now`; false if it leaves the neighbourhood.
static bool move(vs_path *path, const vs_island *island, const vs_path_options *options, const direction *d,
                 double step) {
    state *s = &path->now;
    s->t += step * d->dt;
    for (int g = 0; g < path->groups; g++) {
        int row = island->N.row[g];
        if (island->law[g] == VS_LAW_FRICTION) {
            if (!vs_cone_second_order.advance(&s->pair[g], step, d->dlt + 3 * (int64_t)g, step,
                                              d->dyt + 3 * (int64_t)g))
                return false;
            memcpy(s->l + row, s->pair[g].lambda, 3 * sizeof(double));
        } else {
            s->l[row] += step * d->dl[row];
        }
        if (island->law[g] == VS_LAW_FREE)
            continue;
        s->s1[g] += step * d->ds1[g];
        s->s2[g] += step * d->ds2[g];
    }
    double least, most;
    measure_centrality(path, island, options->kappa, &least, &most);
    return least >= options->low && most <= options->high;
}

// Shortens the step until it stays in the neighbourhood; returns what is left of it, 0 if nothing.
static double advance(vs_path *path, const vs_island *island, const vs_path_options *options, const direction *d) {
    double step = largest_step(path, island, d);
    while (step > LEAST_STEP) {
        if (move(path, island, options, d, step))
            return step;
        copy_state(path, &path->kept, &path->now);
        step *= .7;
    }
    return 0;
}

// dt = ori g t with the largest g <= 1 whose second-order term stays below eta (t + dt).
static double choose_dt(double t, double curve, double eta, double ori, double shorten) {
    double low = 0, high = ori < 0 ? .999 : 10;
    for (int k = 0; k < 50; k++) {
        double g = .5 * (low + high), dt = ori * g * t;
        if (curve * dt * dt <= eta * (t + dt))
            low = g;
        else
            high = g;
    }
    return ori * low * t * shorten;
}

// The whole step: corrector across the path, tangent along it, second-order correction; each part that would change t
// at will is made orthogonal to the tangent.
static vs_error find_step(vs_path *path, const vs_attempt *attempt, const vs_path_options *options, double ori,
                          double shorten) {
    const vs_island *island = attempt->island;
    direction *d = &path->corrector, *T = &path->tangent;
    vs_error error = find_corrector(path, attempt, options->kappa);
    if (error)
        return error;
    double length = dot(path, island, options->kappa, T, T);
    add(path, d, -dot(path, island, options->kappa, T, d) / length, T);
    double curve = curvature(path, island, options->kappa, T);
    // t + beta must not reach zero by the corrector alone
    double beta = fmax(d->dt, -.5 * path->now.t);
    add(path, d, beta - d->dt, T);
    double dt = choose_dt(path->now.t + beta, curve, options->eta, ori, shorten);
    add(path, d, dt, T);
    error = find_second_order(path, attempt, d);
    if (error)
        return error;
    add(path, &path->second, -dot(path, island, options->kappa, T, &path->second) / length, T);
    if (fabs(path->second.dt) > .5 * fabs(path->now.t + d->dt))
        add(path, &path->second, -path->second.dt, T);
    add(path, d, 1, &path->second);
    return VS_OK;
}

// Between the last tangent and the present one, each in its sense.
static double cosine(const vs_path *path, double ori) {
    double ab = 0, aa = 0, bb = 0;
    for (int k = 0; k < path->rows; k++) {
        ab += path->last[k] * path->tangent.dl[k];
        aa += path->last[k] * path->last[k];
        bb += path->tangent.dl[k] * path->tangent.dl[k];
    }
    return aa > 0 && bb > 0 ? path->last_ori * ori * ab / sqrt(aa * bb) : 1;
}

// ---- the path --------------------------------------------------------------------------------------

// Is the iterate so close to the path that one can come back to it?
static bool is_centred(const vs_path *path, const vs_island *island, const vs_path_options *options) {
    double least, most;
    measure_centrality(path, island, options->kappa, &least, &most);
    return least >= sqrt(options->low) && most <= sqrt(options->high);
}

// Back to the last well centred iterate, to leave it with a shorter step. False: it was left too often.
static bool retreat(vs_path *path) {
    copy_state(path, &path->anchor, &path->now);
    path->retreats++;
    path->shorten = fmin(path->shorten, path->anchor_shorten) * RETREAT;
    path->anchor_shorten = path->shorten;
    path->last_ori = 0; // nothing to compare the next tangent with
    return path->retreats <= RETREATS;
}

// One step from `now`; *moved: not if it led astray and the path was retreated to its anchor.
static vs_error step(vs_path *path, const vs_attempt *attempt, const vs_path_options *options, bool *moved) {
    const vs_island *island = attempt->island;
    *moved = false;
    vs_error error = factor(path, attempt);
    if (!error)
        error = find_tangent(path, attempt, options->kappa);
    if (error)
        return error;
    double ori = attempt->system->sign_det < 0 ? 1 : -1;
    bool turned = path->last_ori != 0 && cosine(path, ori) < TURN;
    // Again and again at the same place it is a sharp bend, where parts of the path almost touch: go on there.
    if (turned && path->retreats < BENDS)
        return retreat(path) ? VS_OK : VS_ERROR_NUMERICAL;
    path->turns += path->last_ori * ori < 0;
    if (is_centred(path, island, options) && path->last_ori != 0) {
        copy_state(path, &path->now, &path->anchor);
        path->anchor_shorten = path->shorten;
        path->retreats = 0;
    }
    memcpy(path->last, path->tangent.dl, sizeof(double) * (size_t)path->rows);
    path->last_ori = ori;
    copy_state(path, &path->now, &path->kept);
    error = find_step(path, attempt, options, ori, path->shorten);
    if (error)
        return error;
    double taken = advance(path, island, options, &path->corrector);
    if (taken < LEAST_STEP)
        return retreat(path) ? VS_OK : VS_ERROR_NUMERICAL;
    *moved = true;
    path->shorten = taken < .5 ? .5 * path->shorten : fmin(1, 2 * path->shorten);
    return VS_OK;
}

static void begin(vs_path *path, const vs_island *island, const vs_path_options *options) {
    path->rows = island->rows;
    path->groups = island->groups;
    path->last_ori = 0;
    path->shorten = path->anchor_shorten = 1;
    path->retreats = path->turns = 0;
    find_lorentz(path, island);
    start(path, island, options);
    copy_state(path, &path->now, &path->anchor);
}

vs_outcome vs_path_follow(vs_path *path, const vs_path_options *options, vs_attempt *attempt) {
    const vs_island *island = attempt->island;
    vs_error error = VS_OK;
    double polished = POLISH;
    begin(path, island, options);
    attempt->why = "the path used up its iterations";
    for (int k = 0; k < options->iterations && !error; k++) {
        bool moved;
        if (vs_attempt_late(attempt, k == 0))
            return VS_OUTCOME_STOPPED;
        error = step(path, attempt, options, &moved);
        if (error)
            break;
        if (!moved)
            continue;
        evaluate(path, island);
        double reached = vs_attempt_judge(attempt, path->user_l, path->user_y, 1);
        if (attempt->stopped)
            return VS_OUTCOME_STOPPED;
        if (vs_attempt_solved(attempt))
            return VS_OUTCOME_SOLVED;
        if (reached < polished) {
            polished = .1 * reached;
            vs_outcome outcome = vs_semismooth_solve(&vs_semismooth_polish, attempt, path->user_l);
            if (outcome != VS_OUTCOME_FAILED)
                return outcome;
        }
        if (path->now.t < LEAST_T) {
            attempt->why = "the path ended before the tolerance: rounding";
            return VS_OUTCOME_FAILED;
        }
    }
    if (error && error != VS_ERROR_NUMERICAL) {
        attempt->broken = error;
        return VS_OUTCOME_STOPPED;
    }
    if (error)
        attempt->why = path->retreats > RETREATS ? "the path could not be followed round a fold"
                                                 : "a matrix on the path is singular";
    else if (path->turns > 0)
        attempt->why = "the path used up its iterations in its folds";
    return VS_OUTCOME_FAILED;
}
