// The problem in impulses, matrix-free where masses come in small blocks: see dual.h.
#include "solver/impulse/dual.h"

#include <math.h>
#include <string.h>

#include "cone/cone.h"
#include "measure/residual.h"
#include "solver/impulse/row_sums.h"

// ---- life ------------------------------------------------------------------------------------------

// Groups, laws and rows: joint rows one by one, then the cones.
static vs_error create_groups(vs_dual *d, vs_arena *arena) {
    const vs_scaled *problem = &d->run->scaled;
    d->joints = problem->m_e;
    d->groups = problem->m_e + problem->cones;
    d->rows = problem->m_e + problem->m;
    d->row = VS_NEW(arena, int, d->groups + 1);
    d->group_of = VS_NEW(arena, int, d->rows);
    d->law = VS_NEW(arena, vs_law, d->groups);
    d->mu = VS_NEW_ZERO(arena, double, d->groups);
    d->lo = VS_NEW_ZERO(arena, double, d->groups);
    d->hi = VS_NEW_ZERO(arena, double, d->groups);
    d->A = VS_NEW_ZERO(arena, double, 9 * (int64_t)d->groups);
    d->r = VS_NEW(arena, double, d->rows);
    d->E = VS_NEW_ZERO(arena, double, d->rows);
    d->row_scale = VS_NEW(arena, double, d->rows + problem->ghosts);
    d->wide = VS_NEW(arena, double, 2 * ((int64_t)d->rows + problem->ghosts));
    d->scaled_g = VS_NEW(arena, double, problem->m_e);
    d->scaled_lambda = VS_NEW(arena, double, problem->m);
    d->v = VS_NEW(arena, double, problem->n);
    if (!d->row || !d->group_of || !d->law || !d->mu || !d->lo || !d->hi || !d->A || !d->r || !d->E || !d->row_scale ||
        !d->wide || !d->scaled_g || !d->scaled_lambda || !d->v)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < d->groups; g++) {
        d->row[g] = vs_scaled_group_row(problem, g);
        d->law[g] = vs_law_of(problem, g);
    }
    d->row[d->groups] = d->rows;
    for (int g = 0; g < d->groups; g++)
        for (int k = d->row[g]; k < d->row[g + 1]; k++)
            d->group_of[k] = g;
    return VS_OK;
}

// The pattern of the stacked Jacobian; a joint's rows share its columns.
static vs_error create_jacobian(vs_dual *d, vs_arena *arena) {
    const vs_scaled *problem = &d->run->scaled;
    const vs_rows *C = &problem->C, *D = &problem->D;
    vs_rows *J = &d->J;
    *J = (vs_rows){.groups = d->groups, .rows = d->rows, .cols = d->n, .row = d->row};
    J->start = VS_NEW_ZERO(arena, int64_t, d->groups + 1);
    J->value = VS_NEW_ZERO(arena, int64_t, d->groups + 1);
    if (!J->start || !J->value)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < C->groups && d->joints > 0; k++)
        for (int g = C->row[k]; g < C->row[k + 1]; g++)
            J->start[g + 1] = C->start[k + 1] - C->start[k];
    for (int k = 0; k < D->groups; k++)
        J->start[d->joints + k + 1] = D->start[k + 1] - D->start[k];
    for (int g = 0; g < d->groups; g++) {
        J->value[g + 1] = J->value[g] + J->start[g + 1] * (d->row[g + 1] - d->row[g]);
        J->start[g + 1] += J->start[g];
    }
    J->col = VS_NEW(arena, int, J->start[d->groups]);
    J->x = VS_NEW(arena, double, J->value[d->groups]);
    if (!J->col || !J->x)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < C->groups && d->joints > 0; k++)
        for (int g = C->row[k]; g < C->row[k + 1]; g++)
            memcpy(J->col + J->start[g], C->col + C->start[k], sizeof(int) * (size_t)(C->start[k + 1] - C->start[k]));
    for (int k = 0; k < D->groups; k++)
        memcpy(J->col + J->start[d->joints + k], D->col + D->start[k],
               sizeof(int) * (size_t)(D->start[k + 1] - D->start[k]));
    return VS_OK;
}

vs_error vs_dual_create(vs_dual *d, vs_run *run, vs_arena *arena) {
    const vs_scaled *problem = &run->scaled;
    bool carried = !problem->local && (problem->identity || run->problem->ranks);
    *d = (vs_dual){.context = run->context,
                   .run = run,
                   .ranks = run->problem->ranks,
                   .exact = run->options.model == VS_MODEL_EXACT,
                   .carried = carried,
                   .n = carried ? problem->n : 0};
    vs_error error = create_groups(d, arena);
    if (!error)
        error = carried ? create_jacobian(d, arena) : vs_delassus_create(&d->delassus, problem, arena);
    return error ? error : vs_dual_update(d);
}

// ---- values ----------------------------------------------------------------------------------------

static void update_laws(vs_dual *d) {
    const vs_scaled *problem = &d->run->scaled;
    vs_scaled_even_rows(problem, d->row_scale);
    for (int g = d->joints; g < d->groups; g++) {
        int k = g - d->joints, row = problem->row[k];
        if (d->law[g] == VS_LAW_FRICTION)
            d->mu[g] = vs_scaled_friction(problem, k);
        if (d->law[g] == VS_LAW_BOX) {
            d->lo[g] = problem->lo[row];
            d->hi[g] = problem->hi[row];
        }
    }
    for (int k = 0; k < d->rows && !problem->local; k++) {
        double E = k < d->joints ? problem->E_e[k] : problem->E[k - d->joints];
        d->E[k] = E * d->row_scale[k] * d->row_scale[k];
    }
}

// J in these units and the diagonal blocks of J J'.
static void update_jacobian(vs_dual *d) {
    const vs_scaled *problem = &d->run->scaled;
    const vs_rows *C = &problem->C, *D = &problem->D;
    vs_rows *J = &d->J;
    for (int k = 0; k < C->groups && d->joints > 0; k++)
        memcpy(J->x + J->value[C->row[k]], C->x + C->value[k],
               sizeof(double) * (size_t)(C->value[k + 1] - C->value[k]));
    for (int g = d->joints; g < d->groups; g++) {
        int k = g - d->joints;
        int64_t width = J->start[g + 1] - J->start[g];
        for (int row = d->row[g]; row < d->row[g + 1]; row++) {
            const double *from = D->x + D->value[k] + (row - d->row[g]) * width;
            double *to = J->x + J->value[g] + (row - d->row[g]) * width;
            for (int64_t t = 0; t < width; t++)
                to[t] = from[t] * d->row_scale[row];
        }
    }
    for (int g = 0; g < d->groups; g++) {
        int rows = d->row[g + 1] - d->row[g];
        int64_t width = J->start[g + 1] - J->start[g];
        const double *x = J->x + J->value[g];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) {
                double sum = 0;
                for (int64_t t = 0; t < width; t++)
                    sum += x[i * width + t] * x[j * width + t];
                d->A[9 * g + 3 * i + j] = sum;
            }
    }
}

// N in these units and its diagonal blocks.
static void update_delassus(vs_dual *d) {
    vs_delassus_update(&d->delassus);
    vs_scaled_extend(&d->run->scaled, d->row_scale);
    vs_rows *N = &d->delassus.N;
    for (int g = 0; g < d->groups; g++) {
        int rows = d->row[g + 1] - d->row[g];
        int64_t width = N->start[g + 1] - N->start[g], diagonal = vs_delassus_find(N, g, d->row[g]);
        for (int i = 0; i < rows; i++) {
            double *x = N->x + N->value[g] + i * width, scale = d->row_scale[d->row[g] + i];
            for (int64_t t = 0; t < width; t++)
                x[t] = x[t] * scale * d->row_scale[N->col[N->start[g] + t]];
            for (int j = 0; j < rows; j++)
                d->A[9 * g + 3 * i + j] = x[diagonal + j];
        }
    }
    d->N = *N;
}

vs_error vs_dual_update(vs_dual *d) {
    update_laws(d);
    if (d->carried)
        update_jacobian(d);
    else
        update_delassus(d);
    for (int g = 0; g < d->groups; g++)
        for (int k = d->row[g]; k < d->row[g + 1]; k++)
            d->A[9 * g + 4 * (k - d->row[g])] += d->E[k];
    vs_error error = vs_scaled_free_velocities(&d->run->scaled, d->v, d->r);
    for (int k = 0; k < d->rows && !error; k++)
        d->r[k] *= d->row_scale[k];
    return error;
}

// ---- the operator ----------------------------------------------------------------------------------

// v <- H^-1 v; the scaled one is G H^-1 G with the user's H. A solve that fails leaves NaN, which is noticed.
static void divide_by_masses(const vs_dual *d, double *v) {
    const double *G = d->run->scaled.G;
    for (int j = 0; j < d->n; j++)
        v[j] *= G[j];
    vs_error error = vs_mass_solve(d->run->mass.factor, v);
    for (int j = 0; j < d->n; j++)
        v[j] = error ? NAN : v[j] * G[j];
}

void vs_dual_carry(const vs_dual *d, const double *l, double *v) {
    if (!d->carried)
        return;
    memset(v, 0, sizeof(double) * (size_t)d->n);
    vs_rows_multiply_t_add(&d->J, 1, l, v);
    vs_ranks_share(d->ranks, v);
    if (!d->run->scaled.identity)
        divide_by_masses(d, v);
}

// y = (N + E) x + beta y
static void multiply_add(const vs_dual *d, const double *x, double beta, double *y) {
    vs_dual_carry(d, x, d->v);
    if (d->carried) {
        vs_rows_multiply(&d->J, 1, d->v, beta, y, d->context);
    } else if (d->ranks) {
        memcpy(d->wide, x, sizeof(double) * (size_t)d->rows);
        vs_scaled_extend(&d->run->scaled, d->wide);
        vs_rows_multiply(&d->N, 1, d->wide, beta, y, d->context);
    } else {
        vs_rows_multiply(&d->N, 1, x, beta, y, d->context);
    }
    for (int k = 0; k < d->rows; k++)
        y[k] += d->E[k] * x[k];
}

void vs_dual_multiply(const vs_dual *d, const double *x, double *y) {
    multiply_add(d, x, 0, y);
}

void vs_dual_velocities(const vs_dual *d, const double *l, double *y) {
    memcpy(y, d->r, sizeof(double) * (size_t)d->rows);
    multiply_add(d, l, 1, y);
}

void vs_dual_exact(const vs_dual *d, double *y) {
    for (int g = d->joints; g < d->groups && d->exact; g++)
        if (d->law[g] == VS_LAW_FRICTION) {
            double *u = y + d->row[g];
            u[0] += d->mu[g] * hypot(u[1], u[2]);
        }
}

void vs_dual_project(const vs_dual *d, double *l) {
    for (int g = d->joints; g < d->groups; g++)
        vs_law_project(d->law[g], d->mu[g], d->lo[g], d->hi[g], l + d->row[g]);
}

double vs_dual_error(const vs_dual *d, const double *l, const double *y) {
    double sum = 0;
    for (int g = 0; g < d->groups; g++) {
        const double *x = l + d->row[g], *u = y + d->row[g];
        double ybar[3] = {u[0], 0, 0}, natural;
        switch (d->law[g]) {
        case VS_LAW_FREE:
            natural = u[0];
            break;
        case VS_LAW_NONNEG:
            natural = vs_row_natural(x[0], u[0], 0, INFINITY);
            break;
        case VS_LAW_BOX:
            natural = vs_row_natural(x[0], u[0], d->lo[g], d->hi[g]);
            break;
        default:
            ybar[0] += d->exact ? d->mu[g] * hypot(u[1], u[2]) : 0;
            ybar[1] = u[1], ybar[2] = u[2];
            sum += vs_friction_natural_squared(d->mu[g], x, ybar, 1);
            continue;
        }
        sum += natural * natural;
    }
    sum = vs_ranks_total(d->ranks, sum);
    return isfinite(sum) ? sqrt(.5 * sum) : INFINITY;
}

void vs_dual_group_velocity(const vs_dual *d, int g, const double *l, const double *v, double *y) {
    const vs_rows *M = d->n > 0 ? &d->J : &d->N;
    const double *x = M->x + M->value[g];
    const int *col = M->col + M->start[g];
    int64_t width = M->start[g + 1] - M->start[g];
    int first = d->row[g], rows = d->row[g + 1] - first;
    if (d->n == 0) {
        if (rows == 3)
            vs_sum_rows(width, x, col, l, d->r + first, y);
        else
            y[0] = vs_sum_row(width, x, col, l, d->r[first]);
        for (int k = 0; k < rows; k++)
            y[k] += d->E[first + k] * l[first + k];
        return;
    }
    for (int k = first; k < first + rows; k++, x += width, y++) {
        double sum = d->r[k] + d->E[k] * l[k];
        for (int64_t t = 0; t < width; t++)
            sum += x[t] * v[col[t]];
        *y = sum;
    }
}

void vs_dual_group_change(const vs_dual *d, int g, const double *dl, double *v) {
    if (d->n == 0)
        return;
    const vs_rows *J = &d->J;
    const double *x = J->x + J->value[g];
    const int *col = J->col + J->start[g];
    int64_t width = J->start[g + 1] - J->start[g];
    for (int k = 0; k < d->row[g + 1] - d->row[g]; k++, x += width)
        for (int64_t t = 0; t < width; t++)
            v[col[t]] += x[t] * dl[k];
}

// ---- the iteration ---------------------------------------------------------------------------------

static const double LOOKS = 1. / 16; // of the iterations so far pass between two looks
static const double GAIN = .9;       // less error than this times the least counts as progress
static const double STALLED = .8;    // of all iterations without progress,
enum { PATIENCE = 20000 };           // and at least so many: it has stalled

void vs_dual_start(vs_dual *d, double *l) {
    vs_run *run = d->run;
    memset(l, 0, sizeof(double) * (size_t)d->rows);
    if (run->warm_lambda && run->options.warm == VS_WARM_FULL) {
        vs_scaled_lambda(&run->scaled, run->start_lambda, d->scaled_lambda);
        for (int k = d->joints; k < d->rows; k++)
            l[k] = d->scaled_lambda[k - d->joints] / d->row_scale[k];
        if (run->warm_g) {
            vs_scaled_g(&run->scaled, run->start_g, d->scaled_g);
            for (int k = 0; k < d->joints; k++)
                l[k] = d->scaled_g[k] / d->row_scale[k];
        }
    }
    vs_dual_project(d, l);
    d->last_look = d->last_gain = 0;
    d->least = INFINITY;
    d->look_seconds = run->measuring;
    d->judged = run->max_time > 0 ? vs_run_elapsed(run) : 0;
}

// Is there no time for another iteration like the last one and a look at it?
static bool is_late(vs_dual *d) {
    vs_run *run = d->run;
    if (run->max_time <= 0)
        return false;
    double before = d->judged;
    d->judged = vs_run_elapsed(run);
    return d->judged + (d->judged - before) + d->look_seconds + run->reserve > run->max_time;
}

vs_error vs_dual_measure(vs_dual *d, const double *l) {
    vs_run *run = d->run;
    for (int k = 0; k < d->joints; k++)
        d->scaled_g[k] = l[k] * d->row_scale[k];
    for (int k = d->joints; k < d->rows; k++)
        d->scaled_lambda[k - d->joints] = l[k] * d->row_scale[k];
    vs_scaled_g_undo(&run->scaled, d->scaled_g, run->g);
    vs_scaled_lambda_undo(&run->scaled, d->scaled_lambda, run->lambda);
    return vs_run_measure(run);
}

// Is there no progress any more?
static bool stalled(vs_dual *d, const vs_measures *measures) {
    vs_run *run = d->run;
    double error = vs_run_error(run, measures);
    if (error < GAIN * d->least) {
        d->least = error;
        d->last_gain = run->iterations;
    }
    int waited = run->iterations - d->last_gain;
    return waited > PATIENCE && waited > STALLED * run->iterations;
}

bool vs_dual_judge(vs_dual *d, const double *l, vs_error *error) {
    vs_run *run = d->run;
    *error = VS_OK;
    run->iterations++;
    double since = (double)(run->iterations - d->last_look);
    bool due = run->options.check_every > 0 ? since >= run->options.check_every : since >= LOOKS * run->iterations;
    bool last = is_late(d) || run->iterations >= run->max_iterations;
    if (!due && !last)
        return false;
    d->last_look = run->iterations;
    *error = vs_dual_measure(d, l);
    if (*error)
        return true;
    vs_iteration line = {.energy_error = run->measures.energy_error,
                         .natural_map_relative = run->measures.natural_map_relative};
    bool stop = vs_run_note(run, &line);
    if (run->max_time > 0) {
        double now = vs_run_elapsed(run);
        d->look_seconds = now - d->judged;
        d->judged = now;
    }
    if (vs_run_converged(run, &run->measures))
        vs_run_end(run, VS_STATUS_CONVERGED, "");
    else if (!stop && last)
        vs_run_end(run, VS_STATUS_TIME_LIMIT, "out of time; this is the iterate of least energy error");
    else if (!stop && stalled(d, &run->measures))
        vs_run_end(run, VS_STATUS_INACCURATE, "no more progress; this is the iterate of least energy error");
    else
        return stop;
    return true;
}
