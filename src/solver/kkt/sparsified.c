// The engine's matrix, thinned out. As the gap closes, the weight K = T (M + delta)^-1 T of a contact falls apart: one
// that opens has none left, one that slides is stiff in one or two directions, one that sticks in all three. The
// velocity form, which couples its two bodies by a block of 6 x 6 in any case, wastes this. Here
//
//     K = l1 l1' + l2 l2' + l3 l3',   |l1| >= |l2| >= |l3|      (Cholesky with pivoting)
//
//     all terms heavy:    D'KD is added, as in the velocity form
//     one or two heavy:   each is a row of its own,   [ A     D'l ]
//                                                      [ l'D   -1  ]      (both scaled by 1 / sqrt(1 + l'l))
//     light terms:        only their parts of the two bodies' own blocks
//
// so that the matrix stays quasi-definite. Ordered anew (a contact's rows are a vertex of one or two unknowns, where a
// body has six), piles of 10 000 to 100 000 spheres take a half to a ninth of the flops and two thirds to a quarter of
// the entries; flexible GMRES, which has all terms, takes a step or two more.
//
// Counts decide, and nothing of an earlier solve: the bits of a result depend on no timing and no history.
#include <math.h>
#include <string.h>

#include "solver/kkt/sparsified.h"

// l'l relative to the masses (1 in the scaled problem): from where on a new matrix has a row for it, and where an old
// one must not be without.
static const double LIGHT = .3, HEAVY = 3;
// ns of a factorization and eight solves, a flop and an entry of the factor; of a new order and analysis, a body
// (bench/results/scale.md). Flops and entries fall with about these powers of the directions left.
static const double FLOP = .016, FILL = 20, ORDER = 5e4, FLOP_POWER = 2.2, FILL_POWER = 1.4;

// ---- weights ---------------------------------------------------------------------------------------

int vs_thin_rows(const vs_newton *newton, int k) {
    return newton->problem->row[k + 1] - newton->problem->row[k];
}

// l (3 x 3, a term a row) of cone k, the largest first.
void vs_thin_split(const vs_newton *newton, int k, double l[3][3]) {
    double K[9] = {0};
    int rows = vs_thin_rows(newton, k);
    vs_newton_weight(newton, k, K);
    memset(l, 0, 9 * sizeof(double));
    for (int term = 0; term < rows; term++) {
        int pivot = 0;
        for (int i = 1; i < rows; i++)
            pivot = K[4 * i] > K[4 * pivot] ? i : pivot;
        if (!(K[4 * pivot] > 0))
            return;
        double root = sqrt(K[4 * pivot]);
        for (int i = 0; i < rows; i++)
            l[term][i] = K[3 * i + pivot] / root;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                K[3 * i + j] -= l[term][i] * l[term][j];
    }
}

double vs_thin_square(const double *l) {
    return l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
}

// How many terms are at least so heavy.
static int count_terms(const double l[3][3], double least) {
    int count = 0;
    while (count < 3 && vs_thin_square(l[count]) >= least)
        count++;
    return count;
}

void vs_newton_weigh(vs_newton *newton) {
    vs_thin *thin = newton->thin;
    if (!thin)
        return;
    int64_t directions = 0;
    thin->fits = true;
    for (int k = 0; k < newton->problem->cones; k++) {
        if (thin->a[k] == thin->b[k] || thin->directions == 0)
            continue;
        double l[3][3];
        vs_thin_split(newton, k, l);
        thin->wanted[k] = (signed char)count_terms((const double(*)[3])l, LIGHT);
        directions += thin->wanted[k];
        thin->fits = thin->fits && count_terms((const double(*)[3])l, HEAVY) <= thin->kept[k];
    }
    if (thin->directions > 0)
        thin->share = (double)directions / (double)thin->directions;
}

// Expected cost of factoring with such a share of the directions, ns.
static double cost_of(const vs_thin *thin, double share) {
    return FLOP * thin->full.flops * pow(share, FLOP_POWER) + FILL * (double)thin->full.fill * pow(share, FILL_POWER);
}

double vs_newton_factor_cost(const vs_newton *newton) {
    const vs_thin *thin = newton->thin;
    return fmin(cost_of(thin, 1), cost_of(thin, thin->share) + ORDER * newton->pattern.groups);
}

// ---- creation --------------------------------------------------------------------------------------

// The two groups that cone k touches; false if there are more.
static bool find_ends(vs_thin *thin, const vs_rows *D, int k) {
    int64_t begin = D->start[k], end = D->start[k + 1];
    int a = begin < end ? thin->group_of[D->col[begin]] : 0, b = begin < end ? thin->group_of[D->col[end - 1]] : 0;
    for (int64_t t = begin; t < end; t++)
        if (thin->group_of[D->col[t]] != a && thin->group_of[D->col[t]] != b)
            return false;
    thin->a[k] = a;
    thin->b[k] = b;
    return a <= b;
}

vs_error vs_newton_allow_thin(vs_newton *newton, vs_arena *arena) {
    const vs_linear_pattern *A = &newton->pattern;
    const vs_scaled *problem = newton->problem;
    vs_thin *thin = VS_NEW_ZERO(arena, vs_thin, 1);
    if (!thin)
        return VS_ERROR_MEMORY;
    thin->group_of = VS_NEW(arena, int, A->n);
    thin->a = VS_NEW(arena, int, problem->cones);
    thin->b = VS_NEW(arena, int, problem->cones);
    thin->kept = VS_NEW_ZERO(arena, signed char, problem->cones);
    thin->wanted = VS_NEW_ZERO(arena, signed char, problem->cones);
    if (!thin->group_of || !thin->a || !thin->b || !thin->kept || !thin->wanted)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < A->groups; g++)
        for (int j = A->group[g]; j < A->group[g + 1]; j++)
            thin->group_of[j] = g;
    bool pairs = true;
    for (int k = 0; k < problem->cones && pairs; k++) {
        pairs = find_ends(thin, &problem->D, k);
        thin->kept[k] = (signed char)vs_thin_rows(newton, k);
        thin->directions += thin->a[k] != thin->b[k] ? thin->kept[k] : 0;
    }
    if (!pairs)
        thin->directions = 0; // never thinned out
    thin->share = 1;
    thin->full = newton->solver->report;
    thin->full_now = true;
    thin->cost = cost_of(thin, 1);
    vs_arena_init(&thin->arena, newton->context);
    newton->thin = thin;
    return VS_OK;
}

void vs_newton_begin(vs_newton *newton) {
    if (newton->thin)
        newton->thin->chosen = false;
}

void vs_newton_release_thin(vs_newton *newton) {
    if (newton->thin)
        vs_arena_release(&newton->thin->arena);
    newton->thin = NULL;
}

// ---- the engine ------------------------------------------------------------------------------------

static vs_error renew_engine(vs_newton *newton, bool full) {
    vs_thin *thin = newton->thin;
    const vs_linear_backend *backend = newton->solver->backend;
    memcpy(thin->kept, thin->wanted, (size_t)newton->problem->cones);
    thin->full_now = full;
    vs_error error = full ? VS_OK : vs_thin_make_pattern(newton);
    vs_linear_solver *made;
    if (!error)
        error = vs_linear_solver_create(newton->context, backend, full ? &newton->pattern : &thin->pattern, &made);
    if (error) { // the engine has the matrix before it: none that is wanted later is taken for it
        thin->full_now = false;
        memset(thin->kept, -1, (size_t)newton->problem->cones);
        return error;
    }
    vs_linear_solver_destroy(newton->solver);
    newton->solver = made;
    thin->cost = FLOP * made->report.flops + FILL * (double)made->report.fill;
    return VS_OK;
}

vs_error vs_newton_choose_matrix(vs_newton *newton) {
    vs_thin *thin = newton->thin;
    if (!thin)
        return VS_OK;
    int cones = newton->problem->cones;
    double now = thin->chosen ? thin->cost : cost_of(thin, 1);
    bool pays = now - cost_of(thin, thin->share) > .5 * ORDER * newton->pattern.groups;
    bool full = !thin->chosen && !pays; // the first of this solve: the whole matrix
    if (thin->chosen && thin->fits && !pays)
        return VS_OK;
    thin->chosen = true;
    for (int k = 0; k < cones; k++)
        if (full || thin->a[k] == thin->b[k])
            thin->wanted[k] = (signed char)vs_thin_rows(newton, k);
    bool same = full ? thin->full_now : memcmp(thin->kept, thin->wanted, (size_t)cones) == 0 && !thin->full_now;
    return same ? VS_OK : renew_engine(newton, full);
}

vs_error vs_newton_factor_matrix(vs_newton *newton) {
    vs_thin *thin = newton->thin;
    if (!thin || thin->full_now)
        return vs_linear_solver_factor(newton->solver, newton->x);
    vs_thin_set_values(newton);
    return vs_linear_solver_factor(newton->solver, thin->x);
}

vs_error vs_newton_solve_matrix(vs_newton *newton, double *x) {
    vs_thin *thin = newton->thin;
    if (!thin || thin->full_now)
        return vs_linear_solver_solve(newton->solver, x);
    size_t n = (size_t)newton->pattern.n, all = (size_t)thin->pattern.n;
    memcpy(thin->wide, x, sizeof(double) * n);
    memset(thin->wide + n, 0, sizeof(double) * (all - n));
    vs_error error = vs_linear_solver_solve(newton->solver, thin->wide);
    memcpy(x, thin->wide, sizeof(double) * n);
    return error;
}

void vs_newton_eliminated(const vs_newton *newton, int k, const double *w, double *u) {
    const vs_thin *thin = newton->thin;
    const double *inverse = newton->M_inverse + 9 * k, *T = newton->T + 9 * k;
    int rows = vs_thin_rows(newton, k);
    double t[3] = {0}, sum[3] = {0};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            t[i] += T[3 * i + j] * w[j];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            sum[i] += inverse[3 * i + j] * t[j];
    int row = thin && !thin->full_now && !newton->by_cg ? thin->row_of[k] : -1;
    for (int term = 0; row >= 0 && term < thin->kept[k]; term++) {
        // l'w is small and its error times l large: s is the product
        const double *l = thin->terms + 6 * (int64_t)(row + term - newton->pattern.n), *f = l + 3;
        double s = thin->wide[row + term] / sqrt(1 + vs_thin_square(l)), product = 0;
        for (int i = 0; i < rows; i++)
            product += l[i] * w[i];
        for (int i = 0; i < rows; i++)
            sum[i] += f[i] * (s - product);
    }
    for (int i = 0; i < rows; i++)
        u[i] = sum[i] - u[i];
}

vs_error vs_newton_check_matrix(vs_newton *newton) {
    vs_thin *thin = newton->thin;
    if (!thin || thin->full_now)
        return vs_linear_solver_check(newton->solver, &newton->pattern, newton->x, newton->check);
    return vs_linear_solver_check(newton->solver, &thin->pattern, thin->x, thin->wide);
}
