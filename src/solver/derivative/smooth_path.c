// The path of the smoothed laws: see smooth_path.h. An iteration at (l, x) towards the target tau,
//
//     (N + B) dl = u(tau) - y,    dx = tau a^-1 - x - W^2 da
//
// takes what the cones allow of the step. Targets fall until they are the one asked for; there full steps are taken until
// they are rounding.
#include "solver/derivative/smooth_path.h"

#include <math.h>
#include <string.h>

#include "solver/derivative/mode_matrix.h"
#include "solver/derivative/smooth_law.h"

enum { ITERATIONS = 300 };
static const double CENTRED = 1e-12; // step relative to the distance from the boundary that ends the iteration
static const double ACCEPTED = 1e-6; // largest one that does where rounding leaves more: the next would be its square

typedef struct smooth_path {
    vs_derivative *d;
    vs_smooth_law law;
    double gap, tau;      // J; per pair: asked for, present target
    double *u, *dl, *dg;  // (m), (m), (m_e)
    vs_velocities motion; // of the iterate
    double *q, *z;        // (m + m_e)
    vs_mode_work work;
} smooth_path;

static double most_energy(const vs_derivative *d) {
    double most = 0;
    for (int k = 0; k < d->mass.islands.count; k++)
        most = fmax(most, vs_measurer_units(d->measurer)[k] * vs_measurer_units(d->measurer)[k]);
    return most;
}

static vs_error begin(smooth_path *path, vs_derivative *d, double gap, vs_arena *arena) {
    const vs_problem *p = d->problem;
    *path = (smooth_path){.d = d,
                          .u = VS_NEW_ZERO(arena, double, p->m),
                          .dl = VS_NEW_ZERO(arena, double, p->m),
                          .dg = VS_NEW_ZERO(arena, double, p->m_e),
                          .q = VS_NEW_ZERO(arena, double, p->m + p->m_e),
                          .z = VS_NEW_ZERO(arena, double, p->m + p->m_e)};
    if (!path->u || !path->dl || !path->dg || !path->q || !path->z)
        return VS_ERROR_MEMORY;
    vs_error error = vs_velocities_create(&path->motion, p, false, arena);
    if (!error)
        error = vs_mode_work_create(&path->work, p, arena);
    // Its pairs do not depend on the target.
    if (!error)
        error = vs_smooth_law_create(&path->law, &d->mass, 1, d->lambda, arena);
    if (error || path->law.pairs == 0)
        return error;
    path->gap = gap / path->law.pairs;
    path->tau = fmax(path->gap, most_energy(d));
    memset(d->g, 0, (size_t)p->m_e * sizeof *d->g);
    return vs_smooth_law_create(&path->law, &d->mass, path->tau, d->lambda, arena);
}

// z of the modes of one island.
static vs_error solve_island(smooth_path *path, int island, vs_arena *arena) {
    vs_derivative *d = path->d;
    vs_mode_matrix matrix;
    vs_pseudo_inverse inverse = {0};
    const int first = d->modes.island[island];
    vs_error error = vs_mode_matrix_create(&matrix, &d->mass, &d->modes, island, &path->work, arena, arena);
    if (!error)
        error = matrix.dense ? vs_pseudo_inverse_create_dense(&inverse, matrix.n, matrix.dense, arena)
                             : vs_pseudo_inverse_create_sparse(&inverse, &matrix.K, arena);
    if (!error)
        error = vs_pseudo_inverse_solve(&inverse, false, path->q + first, path->z + first);
    vs_pseudo_inverse_release(&inverse);
    return error;
}

// dl, dg towards the target
static vs_error find_direction(smooth_path *path, vs_arena *arena) {
    vs_derivative *d = path->d;
    const vs_problem *p = d->problem;
    vs_smooth_law_scale(&path->law);
    vs_smooth_law_velocities(&path->law, path->tau, path->u);
    vs_error error = vs_smooth_law_modes(&path->law, &d->modes, &d->mass, arena);
    if (!error)
        error = vs_velocities_compute(&path->motion, p, d->mass.factor, d->g, d->lambda);
    for (int k = 0; k < p->m; k++)
        path->u[k] -= path->motion.y[k];
    for (int k = 0; k < d->modes.count && !error; k++) {
        const vs_mode *mode = &d->modes.mode[k];
        path->q[k] = mode->joint ? -vs_mode_dot(mode, mode->R, NULL, path->motion.r_e)
                                 : vs_mode_dot(mode, mode->R, path->u, NULL);
    }
    for (int k = 0; k < d->modes.islands && !error; k++)
        error = solve_island(path, k, arena);
    memset(path->dl, 0, (size_t)p->m * sizeof *path->dl);
    memset(path->dg, 0, (size_t)p->m_e * sizeof *path->dg);
    for (int k = 0; k < d->modes.count && !error; k++)
        vs_mode_add(&d->modes.mode[k], d->modes.mode[k].T, path->z[k], path->dl, path->dg);
    return error;
}

// One step; *step: its fraction, *size: of the whole one, relative to the distance from the boundary.
static vs_error iterate(smooth_path *path, double *step, double *size) {
    vs_derivative *d = path->d;
    vs_arena arena;
    vs_arena_init(&arena, d->problem->context);
    const vs_error error = find_direction(path, &arena);
    vs_arena_release(&arena);
    d->iterations++;
    if (error)
        return error;
    *size = vs_smooth_law_direct(&path->law, path->tau, path->dl);
    *step = vs_smooth_law_step(&path->law);
    vs_smooth_law_advance(&path->law, *step);
    for (int k = 0; k < d->problem->m; k++)
        d->lambda[k] += *step * path->dl[k];
    for (int k = 0; k < d->problem->m_e; k++)
        d->g[k] += *step * path->dg[k];
    return isfinite(*size) ? VS_OK : VS_ERROR_NUMERICAL;
}

// The next target: the longer the last step was, the lower.
static void lower_target(smooth_path *path, double step) {
    const double factor = step > .8 ? .1 : step > .4 ? .4 : .9;
    path->tau = fmax(path->gap, fmin(path->tau, factor * vs_smooth_law_products(&path->law)));
}

static vs_error follow(smooth_path *path) {
    double step = 0, size = INFINITY, last = INFINITY;
    for (int k = 0; k < ITERATIONS; k++) {
        const vs_error error = iterate(path, &step, &size);
        if (error)
            return error;
        if (path->tau > path->gap) {
            lower_target(path, step);
            last = INFINITY;
            continue;
        }
        if (step >= 1 && (size <= CENTRED || (size <= ACCEPTED && size > .5 * last)))
            return VS_OK;
        last = size;
    }
    return VS_ERROR_NUMERICAL;
}

vs_error vs_smooth_path_find(vs_derivative *d, double gap) {
    vs_arena arena;
    vs_arena_init(&arena, d->problem->context);
    smooth_path path;
    vs_error error = begin(&path, d, gap, &arena);
    if (!error)
        error = follow(&path);
    if (!error) {
        vs_smooth_law_scale(&path.law);
        error = vs_smooth_law_modes(&path.law, &d->modes, &d->mass, &d->arena);
    }
    vs_arena_release(&arena);
    return error;
}
