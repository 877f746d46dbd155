// The sparsified matrix. As the gap closes, the weight K = T (M + delta)^-1 T of a contact degenerates: an opening
// contact has none left, a sliding one is stiff in one or two directions, a sticking one in all three. The velocity
// form, which couples the two bodies by a 6 x 6 block in any case, cannot exploit this. Here
//
//     K = l1 l1' + l2 l2' + l3 l3',   |l1| >= |l2| >= |l3|      (Cholesky with pivoting)
//
//     all terms heavy:    D'KD is added, as in the velocity form
//     one or two heavy:   each is a row of its own,   [ A     D'l ]
//                                                      [ l'D   -1  ]      (both scaled by 1 / sqrt(1 + l'l))
//     light terms:        only their contributions to the two bodies' own blocks
//
// so that the matrix stays quasi-definite. Reordered (a contact's rows are a vertex of one or two unknowns, a body has
// six), piles of 10 000 to 100 000 spheres need a half to a ninth of the flops and two thirds to a quarter of the
// entries; flexible GMRES, which has all terms, takes a step or two more.
//
// Counts decide, independent of earlier solves: the bits of a result depend neither on timing nor on history.
#include <math.h>
#include <string.h>

#include "solver/kkt/sparsified.h"
#include "base/elementary.h"

// l'l relative to the masses (1 in the scaled problem): threshold for a row in a new matrix, and above which an old
// matrix must have one.
static const double LIGHT = .3, HEAVY = 3;
// ns per flop and per entry of the factor, of one factorization and eight solves; ns per body of a new ordering and
// analysis (bench/results/scale.md). Flops and entries decrease with about these powers of the remaining directions.
static const double FLOP = .016, FILL = 20, ORDER = 5e4, FLOP_POWER = 2.2, FILL_POWER = 1.4;

// ---- weights ---------------------------------------------------------------------------------------

// Number of terms that are at least so heavy.
static int count_terms(const double l[3][3], double least) {
    int count = 0;
    while (count < 3 && vs_sparsified_square(l[count]) >= least)
        count++;
    return count;
}

void vs_newton_weigh(vs_newton *newton) {
    vs_sparsified *sparse = newton->sparsified;
    if (!sparse)
        return;
    int64_t directions = 0;
    sparse->fits = true;
    for (int k = 0; k < newton->problem->cones; k++) {
        if (sparse->a[k] == sparse->b[k] || sparse->directions == 0)
            continue;
        double l[3][3];
        vs_sparsified_split(newton, k, l);
        sparse->wanted[k] = (signed char)count_terms((const double(*)[3])l, LIGHT);
        directions += sparse->wanted[k];
        sparse->fits = sparse->fits && count_terms((const double(*)[3])l, HEAVY) <= sparse->kept[k];
    }
    if (sparse->directions > 0)
        sparse->share = (double)directions / (double)sparse->directions;
}

// Expected cost of factoring with this share of the directions, ns.
static double cost_of(const vs_sparsified *sparse, double share) {
    return FLOP * sparse->full.flops * vs_pow(share, FLOP_POWER) +
           FILL * (double)sparse->full.fill * vs_pow(share, FILL_POWER);
}

double vs_newton_factor_cost(const vs_newton *newton) {
    const vs_sparsified *sparse = newton->sparsified;
    return fmin(cost_of(sparse, 1), cost_of(sparse, sparse->share) + ORDER * newton->pattern.groups);
}

// ---- creation --------------------------------------------------------------------------------------

// The two groups that cone k touches; false if there are more.
static bool find_ends(vs_sparsified *sparse, const vs_rows *D, int k) {
    int64_t begin = D->start[k], end = D->start[k + 1];
    int a = begin < end ? sparse->group_of[D->col[begin]] : 0, b = begin < end ? sparse->group_of[D->col[end - 1]] : 0;
    for (int64_t t = begin; t < end; t++)
        if (sparse->group_of[D->col[t]] != a && sparse->group_of[D->col[t]] != b)
            return false;
    sparse->a[k] = a;
    sparse->b[k] = b;
    return a <= b;
}

vs_error vs_newton_allow_sparsified(vs_newton *newton, vs_arena *arena) {
    const vs_linear_pattern *A = &newton->pattern;
    const vs_scaled *problem = newton->problem;
    vs_sparsified *sparse = VS_NEW_ZERO(arena, vs_sparsified, 1);
    if (!sparse)
        return VS_ERROR_MEMORY;
    sparse->group_of = VS_NEW(arena, int, A->n);
    sparse->a = VS_NEW(arena, int, problem->cones);
    sparse->b = VS_NEW(arena, int, problem->cones);
    sparse->kept = VS_NEW_ZERO(arena, signed char, problem->cones);
    sparse->wanted = VS_NEW_ZERO(arena, signed char, problem->cones);
    if (!sparse->group_of || !sparse->a || !sparse->b || !sparse->kept || !sparse->wanted)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < A->groups; g++)
        for (int j = A->group[g]; j < A->group[g + 1]; j++)
            sparse->group_of[j] = g;
    bool pairs = true;
    for (int k = 0; k < problem->cones && pairs; k++) {
        pairs = find_ends(sparse, &problem->D, k);
        sparse->kept[k] = (signed char)vs_sparsified_rows(newton, k);
        sparse->directions += sparse->a[k] != sparse->b[k] ? sparse->kept[k] : 0;
    }
    if (!pairs)
        sparse->directions = 0; // never sparsified
    sparse->share = 1;
    sparse->full = newton->solver->report;
    sparse->full_now = true;
    sparse->cost = cost_of(sparse, 1);
    vs_arena_init(&sparse->arena, newton->context);
    newton->sparsified = sparse;
    return VS_OK;
}

void vs_newton_begin(vs_newton *newton) {
    if (newton->sparsified)
        newton->sparsified->chosen = false;
}

void vs_newton_release_sparsified(vs_newton *newton) {
    if (newton->sparsified)
        vs_arena_release(&newton->sparsified->arena);
    newton->sparsified = NULL;
}

// ---- the backend -----------------------------------------------------------------------------------

static vs_error renew_backend(vs_newton *newton, bool full) {
    vs_sparsified *sparse = newton->sparsified;
    const vs_linear_backend *backend = newton->solver->backend;
    memcpy(sparse->kept, sparse->wanted, (size_t)newton->problem->cones);
    sparse->full_now = full;
    vs_error error = full ? VS_OK : vs_sparsified_make_pattern(newton);
    vs_linear_solver *made;
    if (!error)
        error = vs_linear_solver_create(newton->context, backend, full ? &newton->pattern : &sparse->pattern, &made);
    if (error) { // the backend still has the previous matrix, which must not be taken for a later one
        sparse->full_now = false;
        memset(sparse->kept, -1, (size_t)newton->problem->cones);
        return error;
    }
    vs_linear_solver_destroy(newton->solver);
    newton->solver = made;
    sparse->cost = FLOP * made->report.flops + FILL * (double)made->report.fill;
    return VS_OK;
}

vs_error vs_newton_choose_matrix(vs_newton *newton) {
    vs_sparsified *sparse = newton->sparsified;
    if (!sparse)
        return VS_OK;
    int cones = newton->problem->cones;
    double now = sparse->chosen ? sparse->cost : cost_of(sparse, 1);
    bool pays = now - cost_of(sparse, sparse->share) > .5 * ORDER * newton->pattern.groups;
    bool full = !sparse->chosen && !pays; // the first of this solve: the whole matrix
    if (sparse->chosen && sparse->fits && !pays)
        return VS_OK;
    sparse->chosen = true;
    for (int k = 0; k < cones; k++)
        if (full || sparse->a[k] == sparse->b[k])
            sparse->wanted[k] = (signed char)vs_sparsified_rows(newton, k);
    bool same = full ? sparse->full_now : memcmp(sparse->kept, sparse->wanted, (size_t)cones) == 0 && !sparse->full_now;
    return same ? VS_OK : renew_backend(newton, full);
}

vs_error vs_newton_factor_matrix(vs_newton *newton) {
    vs_sparsified *sparse = newton->sparsified;
    if (!sparse || sparse->full_now)
        return vs_linear_solver_factor(newton->solver, newton->x);
    vs_sparsified_set_values(newton);
    return vs_linear_solver_factor(newton->solver, sparse->x);
}

vs_error vs_newton_solve_matrix(vs_newton *newton, double *x) {
    vs_sparsified *sparse = newton->sparsified;
    if (!sparse || sparse->full_now)
        return vs_linear_solver_solve(newton->solver, x);
    size_t n = (size_t)newton->pattern.n, all = (size_t)sparse->pattern.n;
    memcpy(sparse->wide, x, sizeof(double) * n);
    memset(sparse->wide + n, 0, sizeof(double) * (all - n));
    vs_error error = vs_linear_solver_solve(newton->solver, sparse->wide);
    memcpy(x, sparse->wide, sizeof(double) * n);
    return error;
}

void vs_newton_eliminated(const vs_newton *newton, int k, const double *w, double *u) {
    const vs_sparsified *sparse = newton->sparsified;
    const vs_lifted_block *lifted = vs_newton_lifted(newton, k);
    if (lifted) { // never in a sparsified matrix
        double scaled[VS_DISCS_ROWS] = {0}, product[VS_DISCS_ROWS] = {0};
        vs_lifted_multiply_t(lifted->rows, lifted->T, w, scaled);
        vs_lifted_multiply(lifted->rows, lifted->inverse, scaled, product);
        for (int i = 0; i < lifted->rows; i++)
            u[i] = product[i] - u[i];
        return;
    }
    const double *inverse = newton->M_inverse + 9 * k, *T = newton->T + 9 * k;
    int rows = vs_sparsified_rows(newton, k);
    double t[3] = {0}, sum[3] = {0};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            t[i] += T[3 * i + j] * w[j];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            sum[i] += inverse[3 * i + j] * t[j];
    int row = sparse && !sparse->full_now && !newton->by_cg ? sparse->row_of[k] : -1;
    for (int term = 0; row >= 0 && term < sparse->kept[k]; term++) {
        // l'w is small and its error times l large: s is the product
        const double *l = sparse->terms + 6 * (int64_t)(row + term - newton->pattern.n), *f = l + 3;
        double s = sparse->wide[row + term] / sqrt(1 + vs_sparsified_square(l)), product = 0;
        for (int i = 0; i < rows; i++)
            product += l[i] * w[i];
        for (int i = 0; i < rows; i++)
            sum[i] += f[i] * (s - product);
    }
    for (int i = 0; i < rows; i++)
        u[i] = sum[i] - u[i];
}

vs_error vs_newton_check_matrix(vs_newton *newton) {
    vs_sparsified *sparse = newton->sparsified;
    if (!sparse || sparse->full_now)
        return vs_linear_solver_check(newton->solver, &newton->pattern, newton->x, newton->check);
    return vs_linear_solver_check(newton->solver, &sparse->pattern, sparse->x, sparse->wide);
}
