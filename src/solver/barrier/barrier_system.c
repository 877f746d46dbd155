// The linear system of the log barrier: choice, assembly, factorization, direct solves. See barrier_system.h.
#include "solver/barrier/barrier_system.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "solver/barrier/barrier_pcg.h"
#include "solver/impulse/operator.h"

enum {
    DENSE_MOST = 60,   // unknowns up to which a dense factor beats a sparse one
    SMALL_MOST = 1200, // unknowns up to which LDL without BLAS beats MUMPS
    RAISES = 7,        // increases of delta in one factorization, by 100 each
    RESTART = 10,      // of GMRES
    REFINEMENTS = 20   // most steps of GMRES per solve
};
static const double DELTA = 1e-12, DELTA_SINGLE = 1e-6;
// Relative residuals. Direct solves reach theirs in a step or two. With conjugate gradients digits cost steps, and
// piles need as many stages with 1e-3 as with 1e-8, but a quarter more with 1e-2.
static const double EXACT = 1e-10, INEXACT = 1e-3;

static bool is_pcg(const vs_barrier_system *s) {
    return s->way == VS_BARRIER_PCG_DIAGONAL || s->way == VS_BARRIER_PCG_BLOCK;
}

// ---- choice ----------------------------------------------------------------------------------------

static const vs_linear_backend *choose_backend(const vs_barrier_system *s) {
    int unknowns = s->problem->rows + (s->way == VS_BARRIER_AUGMENTED ? s->limits->count : 0);
    static const char *const dense[] = {"lapack", "ldl", NULL}, *const pivoting[] = {"mumps", "klu", "lu", NULL},
                             *const small[] = {"ldl", "mumps", NULL}, *const large[] = {"mumps", "ldl", NULL};
    // Augmented matrices need pivots.
    return vs_linear_backend_first(unknowns <= DENSE_MOST           ? dense
                                   : s->way == VS_BARRIER_AUGMENTED ? pivoting
                                   : unknowns <= SMALL_MOST         ? small
                                                                    : large);
}

static vs_error choose(vs_barrier_system *s, const vs_solver_options *options, const vs_linear_backend **backend) {
    const char *name = options->linear_solver ? options->linear_solver : "auto";
    *backend = NULL;
    if (options->form == VS_FORM_VELOCITY)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "form: the barrier method has no velocity form; use impulse or augmented");
    s->way = options->form == VS_FORM_AUGMENTED ? VS_BARRIER_AUGMENTED : VS_BARRIER_IMPULSE;
    bool diagonal = strcmp(name, "pcg-diagonal") == 0, block = strcmp(name, "pcg-block") == 0;
    if (diagonal || block) {
        if (s->way == VS_BARRIER_AUGMENTED)
            return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "linear_solver: %s needs the impulse form", name);
        s->way = diagonal ? VS_BARRIER_PCG_DIAGONAL : VS_BARRIER_PCG_BLOCK;
        s->name = diagonal ? "pcg-diagonal" : "pcg-block";
        s->choice = diagonal
                        ? "impulse form: Schur complement by conjugate gradients, preconditioned by diag(N) and the "
                          "barrier's blocks"
                        : "impulse form: Schur complement by conjugate gradients, preconditioned by the barrier's "
                          "blocks alone";
        s->tolerance = INEXACT;
        return VS_OK;
    }
    *backend = strcmp(name, "auto") == 0 ? choose_backend(s) : vs_linear_backend_find(name);
    if (!*backend)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "linear_solver: \"%s\" is not in this build", name);
    s->name = (*backend)->name;
    s->choice = s->way == VS_BARRIER_AUGMENTED ? "augmented form: impulses and multipliers together, factored"
                                               : "impulse form: Schur complement, factored";
    s->tolerance = EXACT;
    return VS_OK;
}

// ---- pattern ---------------------------------------------------------------------------------------
//
// Unknowns group by group, a group's multipliers before its impulses: a backend without pivoting then eliminates each
// multiplier first and reaches the definite Schur complement.

static int impulse_at(const vs_barrier_system *s, int row) {
    return row + (s->way == VS_BARRIER_AUGMENTED ? s->limits->first[s->problem->group_of[row] + 1] : 0);
}

static int multiplier_at(const vs_barrier_system *s, int g, int i) {
    return s->problem->row[g] + i;
}

// Rows of one column in ascending order, those that are kept; i null: counts only.
static int64_t fill_column(const vs_barrier_system *s, int g, int column, int *i) {
    const vs_impulse_problem *d = s->problem;
    const vs_rows *N = s->N;
    bool whole = !s->pattern.symmetric, augmented = s->way == VS_BARRIER_AUGMENTED;
    int64_t count = 0;
    bool multiplier = augmented && column < impulse_at(s, d->row[g]);
    for (int64_t t = N->start[g]; t < N->start[g + 1]; t++) {
        int col = N->col[t], h = d->group_of[col], entry = impulse_at(s, col);
        // the multipliers of the group itself: those of others are not coupled
        for (int k = s->limits->first[g]; augmented && h == g && col == d->row[g] && k < s->limits->first[g + 1]; k++) {
            int other = multiplier_at(s, g, k);
            if (other == column || (!multiplier && whole)) {
                if (i)
                    i[count] = other;
                count++;
            }
        }
        if ((!multiplier || h == g) && (whole || entry >= column)) {
            if (i)
                i[count] = entry;
            count++;
        }
    }
    return count;
}

static int64_t find_entry(const vs_linear_pattern *A, int row, int col) {
    if (A->symmetric && row < col)
        return -1;
    int64_t low = A->p[col], high = A->p[col + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (A->i[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static vs_error create_pattern(vs_barrier_system *s, vs_arena *arena) {
    const vs_impulse_problem *d = s->problem;
    bool augmented = s->way == VS_BARRIER_AUGMENTED;
    int size = d->rows + (augmented ? s->limits->count : 0);
    int64_t *p = VS_NEW_ZERO(arena, int64_t, size + 1);
    int *group = VS_NEW(arena, int, d->groups + 1);
    if (!p || !group)
        return VS_ERROR_MEMORY;
    for (int g = 0; g <= d->groups; g++)
        group[g] = d->row[g] + (augmented ? s->limits->first[g] : 0);
    for (int g = 0; g < d->groups; g++)
        for (int j = group[g]; j < group[g + 1]; j++)
            p[j + 1] = p[j] + fill_column(s, g, j, NULL);
    int *i = VS_NEW(arena, int, p[size]);
    s->x = VS_NEW_ZERO(arena, double, p[size]);
    if (!i || !s->x)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < d->groups; g++)
        for (int j = group[g]; j < group[g + 1]; j++)
            fill_column(s, g, j, i + p[j]);
    s->pattern.n = size, s->pattern.p = p, s->pattern.i = i;
    s->pattern.groups = d->groups, s->pattern.group = group;
    return VS_OK;
}

static vs_error find_places(vs_barrier_system *s, vs_arena *arena) {
    const vs_impulse_problem *d = s->problem;
    const vs_rows *N = s->N;
    const vs_linear_pattern *A = &s->pattern;
    int count = s->way == VS_BARRIER_AUGMENTED ? s->limits->count : 0;
    s->at_N = VS_NEW(arena, int64_t, N->value[N->groups]);
    s->at_B = VS_NEW(arena, int64_t, 3 * (int64_t)count);
    s->at_Bt = VS_NEW(arena, int64_t, 3 * (int64_t)count);
    s->at_C = VS_NEW(arena, int64_t, count);
    if (!s->at_N || !s->at_B || !s->at_Bt || !s->at_C)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < d->groups; g++) {
        int64_t *at = s->at_N + N->value[g];
        for (int row = d->row[g]; row < d->row[g + 1]; row++)
            for (int64_t t = N->start[g]; t < N->start[g + 1]; t++, at++)
                *at = find_entry(A, impulse_at(s, row), impulse_at(s, N->col[t]));
        for (int i = s->limits->first[g]; count > 0 && i < s->limits->first[g + 1]; i++) {
            int own = multiplier_at(s, g, i);
            s->at_C[i] = find_entry(A, own, own);
            for (int k = 0; k < d->row[g + 1] - d->row[g]; k++) {
                int row = impulse_at(s, d->row[g] + k);
                s->at_B[3 * i + k] = find_entry(A, row, own);
                s->at_Bt[3 * i + k] = find_entry(A, own, row);
            }
        }
    }
    return VS_OK;
}

// ---- life ------------------------------------------------------------------------------------------

static vs_error create_direct(vs_barrier_system *s, const vs_impulse_problem *d, const vs_linear_backend *backend,
                              vs_arena *arena) {
    vs_error error = VS_OK;
    s->N = &d->N;
    if (d->n > 0) {
        error = vs_delassus_create(&s->delassus, d->scaled, arena);
        s->N = &s->delassus.N;
    }
    // the augmented matrix needs pivoting
    bool pivots = backend->unsymmetric && (!backend->dense || !backend->symmetric);
    s->pattern.symmetric = s->way == VS_BARRIER_AUGMENTED ? !pivots : backend->symmetric;
    s->pattern.definite = s->way == VS_BARRIER_IMPULSE && s->pattern.symmetric;
    s->unknowns = d->rows + s->limits->count;
    s->T = VS_NEW(arena, double, d->rows);
    s->S = VS_NEW(arena, double, s->limits->count);
    s->right = VS_NEW(arena, double, s->unknowns);
    s->step = VS_NEW(arena, double, s->unknowns);
    s->unknown = VS_NEW(arena, double, 3 * (int64_t)s->unknowns);
    if (!error && (!s->T || !s->S || !s->right || !s->step || !s->unknown))
        error = VS_ERROR_MEMORY;
    if (!error)
        error = create_pattern(s, arena);
    if (!error)
        error = find_places(s, arena);
    if (!error)
        error = vs_fgmres_init(&s->fgmres, s->unknowns, s->unknowns < RESTART ? s->unknowns : RESTART, arena);
    return error ? error : vs_linear_solver_create(s->context, backend, &s->pattern, &s->solver);
}

vs_error vs_barrier_system_create(vs_barrier_system *s, const vs_impulse_run *impulses, const vs_barrier_limits *limits,
                                  vs_arena *arena) {
    const vs_impulse_problem *d = impulses->problem;
    *s = (vs_barrier_system){
        .context = d->context,
        .problem = d,
        .limits = limits,
    };
    const vs_linear_backend *backend;
    vs_error error = choose(s, &impulses->run->options, &backend);
    if (error)
        return error;
    s->G = VS_NEW_ZERO(arena, double, 9 * (int64_t)d->groups);
    s->P = VS_NEW_ZERO(arena, double, is_pcg(s) ? 9 * (int64_t)d->groups : 0);
    s->wide = VS_NEW(arena, double, limits->count);
    if (!s->G || !s->P || !s->wide)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < 4; k++) {
        s->work[k] = VS_NEW(arena, double, d->rows);
        if (!s->work[k])
            return VS_ERROR_MEMORY;
    }
    s->delta = backend && backend->single ? DELTA_SINGLE : DELTA;
    if (!is_pcg(s) && d->rows > 0)
        error = create_direct(s, d, backend, arena);
    if (!error)
        vs_barrier_system_update(s);
    return error;
}

void vs_barrier_system_release(vs_barrier_system *s) {
    vs_linear_solver_destroy(s->solver);
    s->solver = NULL;
}

void vs_barrier_system_update(vs_barrier_system *s) {
    const vs_impulse_problem *d = s->problem;
    if (is_pcg(s) || d->rows == 0 || d->n == 0)
        return;
    vs_delassus_update(&s->delassus);
    vs_delassus_scale(&s->delassus, d->row_scale);
}

// ---- assembly and factorization --------------------------------------------------------------------

// T and S: so that the entries of the scaled matrix are at most about one.
static void scale_unknowns(vs_barrier_system *s) {
    const vs_impulse_problem *d = s->problem;
    for (int g = 0; g < d->groups; g++) {
        double M[3];
        vs_barrier_hessian(s->limits, g, s->p, M);
        for (int k = d->row[g]; k < d->row[g + 1]; k++) {
            int i = k - d->row[g];
            double size = s->way == VS_BARRIER_AUGMENTED ? fabs(M[i]) : s->G[9 * g + 4 * i];
            s->T[k] = 1 / sqrt(1 + size);
        }
        // c / p of an open contact is as small as the square of its grad c: rows are measured by both
        double B[6];
        vs_barrier_jacobian(s->limits, g, s->l, B);
        for (int i = s->limits->first[g]; i < s->limits->first[g + 1]; i++) {
            double square = -s->c[i] / s->p[i];
            for (int k = d->row[g]; k < d->row[g + 1]; k++) {
                double entry = B[3 * (i - s->limits->first[g]) + k - d->row[g]] * s->T[k];
                square += entry * entry;
            }
            s->S[i] = 1 / sqrt(square);
        }
    }
}

// The terms besides N in the diagonal block of a group.
static void own_block(const vs_barrier_system *s, int g, double block[9]) {
    memcpy(block, s->G + 9 * g, sizeof(double) * 9);
    if (s->way == VS_BARRIER_AUGMENTED) {
        double M[3];
        vs_barrier_hessian(s->limits, g, s->p, M);
        memset(block, 0, sizeof(double) * 9);
        for (int k = 0; k < 3; k++)
            block[4 * k] = M[k];
    }
    for (int k = s->problem->row[g]; k < s->problem->row[g + 1]; k++)
        block[4 * (k - s->problem->row[g])] += s->problem->E[k];
}

static void assemble_groups(void *user, int64_t begin, int64_t end) {
    vs_barrier_system *s = user;
    const vs_impulse_problem *d = s->problem;
    const vs_rows *N = s->N;
    for (int g = (int)begin; g < (int)end; g++) {
        double block[9];
        own_block(s, g, block);
        const double *x = N->x + N->value[g];
        const int64_t *at = s->at_N + N->value[g];
        for (int row = d->row[g]; row < d->row[g + 1]; row++)
            for (int64_t t = N->start[g]; t < N->start[g + 1]; t++, x++, at++) {
                int col = N->col[t];
                double own = d->group_of[col] == g ? block[3 * (row - d->row[g]) + col - d->row[g]] : 0;
                if (*at >= 0)
                    s->x[*at] = s->T[row] * (*x + own) * s->T[col] + (row == col ? s->delta : 0);
            }
        if (s->way != VS_BARRIER_AUGMENTED)
            continue;
        double B[6];
        vs_barrier_jacobian(s->limits, g, s->l, B);
        for (int i = s->limits->first[g]; i < s->limits->first[g + 1]; i++) {
            s->x[s->at_C[i]] = s->c[i] / s->p[i] * s->S[i] * s->S[i] - s->delta;
            for (int row = d->row[g]; row < d->row[g + 1]; row++) {
                int k = row - d->row[g];
                double entry = s->S[i] * B[3 * (i - s->limits->first[g]) + k] * s->T[row];
                s->x[s->at_B[3 * i + k]] = entry;
                if (s->at_Bt[3 * i + k] >= 0)
                    s->x[s->at_Bt[3 * i + k]] = entry;
            }
        }
    }
}

vs_error vs_barrier_system_factor(vs_barrier_system *s, const double *l, const double *c, const double *p) {
    double begin = vs_clock();
    s->l = l, s->c = c, s->p = p;
    for (int g = 0; g < s->problem->groups; g++)
        vs_barrier_block(s->limits, g, l, c, p, s->G + 9 * g);
    if (is_pcg(s)) {
        vs_barrier_pcg_factor(s);
        s->counts.factor += vs_clock() - begin;
        return VS_OK;
    }
    scale_unknowns(s);
    double least = s->solver->backend->single ? DELTA_SINGLE : DELTA;
    s->delta = fmax(least, s->delta / 10);
    vs_error error = VS_ERROR_NUMERICAL;
    for (int raise = 0; raise < RAISES && error == VS_ERROR_NUMERICAL; raise++) {
        if (raise > 0)
            s->delta *= 100;
        vs_parallel_for(s->context, s->problem->groups, 256, assemble_groups, s);
        double assembled = vs_clock();
        s->counts.assemble += assembled - begin;
        error = vs_linear_solver_factor(s->solver, s->x);
        begin = vs_clock();
        s->counts.factor += begin - assembled;
        s->counts.factorizations++;
        s->counts.regularization = fmax(s->counts.regularization, s->delta);
    }
    return error;
}

// ---- direct solves ---------------------------------------------------------------------------------

// y = the unreduced matrix times x, both in scaled unknowns (impulses, multipliers).
static void apply(void *user, const double *x, double *y) {
    vs_barrier_system *s = user;
    const vs_impulse_problem *d = s->problem;
    const double *w = x + d->rows;
    double *dl = s->work[0], *dp = s->wide, *out = s->work[1], *y_w = y + d->rows;
    for (int k = 0; k < d->rows; k++)
        dl[k] = s->T[k] * x[k];
    for (int i = 0; i < s->limits->count; i++)
        dp[i] = s->S[i] * w[i];
    vs_impulse_multiply(d, dl, out);
    vs_barrier_gradient_add(s->limits, s->l, dp, out);
    for (int g = d->joints; g < d->groups; g++) {
        double M[3];
        vs_barrier_hessian(s->limits, g, s->p, M);
        for (int k = d->row[g]; k < d->row[g + 1]; k++)
            out[k] += M[k - d->row[g]] * dl[k];
    }
    for (int k = 0; k < d->rows; k++)
        y[k] = s->T[k] * out[k];
    vs_barrier_slopes(s->limits, s->l, dl, y_w);
    for (int i = 0; i < s->limits->count; i++)
        y_w[i] = s->S[i] * (y_w[i] + s->c[i] / s->p[i] * dp[i]);
}

static vs_error backend_solve(vs_barrier_system *s, double *x) {
    double begin = vs_clock();
    vs_error error = vs_linear_solver_solve(s->solver, x);
    s->counts.solve += vs_clock() - begin;
    s->counts.solves++;
    return error;
}

static vs_error precondition_augmented(void *user, double *x) {
    vs_barrier_system *s = user;
    const vs_impulse_problem *d = s->problem;
    double *z = s->unknown;
    for (int k = 0; k < d->rows; k++)
        z[impulse_at(s, k)] = x[k];
    for (int g = 0; g < d->groups; g++)
        for (int i = s->limits->first[g]; i < s->limits->first[g + 1]; i++)
            z[multiplier_at(s, g, i)] = x[d->rows + i];
    vs_error error = backend_solve(s, z);
    for (int k = 0; k < d->rows; k++)
        x[k] = z[impulse_at(s, k)];
    for (int g = 0; g < d->groups; g++)
        for (int i = s->limits->first[g]; i < s->limits->first[g + 1]; i++)
            x[d->rows + i] = z[multiplier_at(s, g, i)];
    return error;
}

// Eliminates the multipliers: dp = C^-1 (right_p - B dl).
static vs_error precondition_impulse(void *user, double *x) {
    vs_barrier_system *s = user;
    const vs_impulse_problem *d = s->problem;
    double *right_p = x + d->rows, *weight = s->wide, *right = s->work[0], *dl = s->work[1];
    for (int i = 0; i < s->limits->count; i++)
        weight[i] = -s->p[i] / s->c[i] * (right_p[i] / s->S[i]);
    for (int k = 0; k < d->rows; k++)
        right[k] = x[k] / s->T[k];
    vs_barrier_gradient_add(s->limits, s->l, weight, right);
    for (int k = 0; k < d->rows; k++)
        x[k] = s->T[k] * right[k];
    vs_error error = backend_solve(s, x);
    for (int k = 0; k < d->rows; k++)
        dl[k] = s->T[k] * x[k];
    vs_barrier_slopes(s->limits, s->l, dl, weight);
    for (int i = 0; i < s->limits->count; i++)
        right_p[i] = s->p[i] / s->c[i] * (right_p[i] / s->S[i] - weight[i]) / s->S[i];
    return error;
}

static vs_error solve_direct(vs_barrier_system *s, const double *r_d, const double *r_g, double *dl, double *dp) {
    const vs_impulse_problem *d = s->problem;
    double size = 0;
    for (int k = 0; k < d->rows; k++)
        s->right[k] = -s->T[k] * r_d[k];
    for (int i = 0; i < s->limits->count; i++)
        s->right[d->rows + i] = -s->S[i] * r_g[i];
    for (int k = 0; k < s->unknowns; k++)
        size += s->right[k] * s->right[k];
    vs_fgmres_outcome outcome;
    vs_error error = vs_fgmres_solve(&s->fgmres, apply,
                                     s->way == VS_BARRIER_AUGMENTED ? precondition_augmented : precondition_impulse, s,
                                     s->right, s->step, false, s->tolerance * sqrt(size), REFINEMENTS, &outcome);
    for (int k = 0; k < d->rows; k++)
        dl[k] = s->T[k] * s->step[k];
    for (int i = 0; i < s->limits->count; i++)
        dp[i] = s->S[i] * s->step[d->rows + i];
    return error;
}

// ---- either ---------------------------------------------------------------------------------------

vs_error vs_barrier_system_check(vs_barrier_system *s) {
    return s->solver && s->solver->factored ? vs_linear_solver_check(s->solver, &s->pattern, s->x, s->unknown) : VS_OK;
}

vs_error vs_barrier_system_solve(vs_barrier_system *s, const double *r_d, const double *r_g, double *dl, double *dp) {
    if (!is_pcg(s))
        return solve_direct(s, r_d, r_g, dl, dp);
    vs_barrier_pcg_solve(s, r_d, r_g, dl, dp);
    return VS_OK;
}
