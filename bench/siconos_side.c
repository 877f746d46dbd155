// Copies a problem of voussoir into Siconos' structures and solves it there; see siconos_side.h.
//
//     voussoir  H v + c = D'l,  y = D v - b      or  y = N l + r
//     Siconos   M v = q + H r,  u = H'v + b      or  u = W r + q
//
// so that M = H, H = D', q = -c, b = -b; W = N. Both have the normal first. Matrices are copied value for value.
#include "siconos_side.h"

#include <stdlib.h>
#include <string.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include "problem/problem_data.h"

struct siconos_side {
    FrictionContactProblem *local;        // null in global form
    GlobalFrictionContactProblem *global; // null in local form
    bench_time condensing;
};

// Default options, in the efficient storages; then options that were faster on some FCLIB problem.
static const siconos_method methods[] = {
    {.name = "NSGS", .solver = SICONOS_FRICTION_3D_NSGS, .storage = SICONOS_BLOCKS},
    {.name = "ADMM, blocks", .solver = SICONOS_FRICTION_3D_ADMM, .storage = SICONOS_BLOCKS},
    {.name = "ADMM, columns", .solver = SICONOS_FRICTION_3D_ADMM, .storage = SICONOS_COLUMNS},
    {.name = "ADMM, dense", .solver = SICONOS_FRICTION_3D_ADMM, .storage = SICONOS_DENSE},
    {.name = "NSN_AC, blocks", .solver = SICONOS_FRICTION_3D_NSN_AC, .storage = SICONOS_BLOCKS},
    {.name = "NSN_AC, columns", .solver = SICONOS_FRICTION_3D_NSN_AC, .storage = SICONOS_COLUMNS},
    {.name = "NSN_AC, dense", .solver = SICONOS_FRICTION_3D_NSN_AC, .storage = SICONOS_DENSE},

    {.name = "global ADMM", .solver = SICONOS_GLOBAL_FRICTION_3D_ADMM, .global = true},
    {.name = "global NSN_AC", .solver = SICONOS_GLOBAL_FRICTION_3D_NSN_AC, .global = true},
    {.name = "global NSGS", .solver = SICONOS_GLOBAL_FRICTION_3D_NSGS, .global = true},
    {.name = "global IPM", .solver = SICONOS_GLOBAL_FRICTION_3D_IPM, .global = true},
    {.name = "NSGS_WR", .solver = SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, .global = true},
    {.name = "ADMM_WR", .solver = SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, .global = true},
    {.name = "NSN_AC_WR", .solver = SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, .global = true},

    {.name = "NSGS, full error",
     .solver = SICONOS_FRICTION_3D_NSGS,
     .storage = SICONOS_BLOCKS,
     .tuned = true,
     .option = SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION,
     .value = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL},
    {.name = "ADMM, CSparse",
     .solver = SICONOS_FRICTION_3D_ADMM,
     .storage = SICONOS_COLUMNS,
     .tuned = true,
     .csparse = true},
    {.name = "ADMM, CSparse, balanced",
     .solver = SICONOS_FRICTION_3D_ADMM,
     .storage = SICONOS_COLUMNS,
     .tuned = true,
     .csparse = true,
     .option = SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,
     .value = SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING},
    {.name = "NSN_AC, Jean-Moreau, columns",
     .solver = SICONOS_FRICTION_3D_NSN_AC,
     .storage = SICONOS_COLUMNS,
     .tuned = true,
     .option = SICONOS_FRICTION_3D_NSN_FORMULATION,
     .value = SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_STD},
    {.name = "NSN_AC, Jean-Moreau, blocks",
     .solver = SICONOS_FRICTION_3D_NSN_AC,
     .storage = SICONOS_BLOCKS,
     .tuned = true,
     .option = SICONOS_FRICTION_3D_NSN_FORMULATION,
     .value = SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_STD},
};

const siconos_method *siconos_method_get(int index) {
    return index < (int)(sizeof methods / sizeof *methods) ? &methods[index] : NULL;
}

bool siconos_takes(const vs_problem *problem) {
    bool good = problem->m_e == 0 && problem->contacts > 0;
    for (int i = 0; i < problem->contacts && good; i++)
        good = problem->kind[i] == VS_CONE_SECOND_ORDER;
    return good && !vs_problem_get_info(problem).compliant;
}

// ---- copying -----------------------------------------------------------------------------------------

static double *copy(const double *x, int count, double factor) {
    double *y = malloc((size_t)count * sizeof *y);
    for (int i = 0; i < count && y; i++)
        y[i] = factor * x[i];
    return y;
}

static NumericsMatrix *copy_columns(const vs_sparse *A) {
    NumericsMatrix *copied = NM_create(NM_SPARSE, A->rows, A->cols);
    NM_triplet_alloc(copied, A->p[A->cols]);
    for (int j = 0; j < A->cols; j++)
        for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
            NM_entry(copied, A->i[k], j, A->x[k]);
    NM_csc(copied);
    return copied;
}

static NumericsMatrix *copy_columns_of_rows(const vs_problem *p) {
    vs_arena arena;
    vs_arena_init(&arena, p->context);
    vs_sparse Dt;
    NumericsMatrix *copied = vs_rows_to_transpose(&p->D, &arena, &Dt) == VS_OK ? copy_columns(&Dt) : NULL;
    vs_arena_release(&arena);
    return copied;
}

// The same matrix in another storage; columns are returned as they are.
static NumericsMatrix *store(NumericsMatrix *W, siconos_storage storage) {
    if (storage == SICONOS_BLOCKS) {
        SparseBlockStructuredMatrix *blocks = SBM_new();
        if (SBM_from_csparse(3, NM_csc(W), blocks) != 0)
            return NULL;
        return NM_new_SBM(W->size0, W->size1, blocks);
    }
    if (storage == SICONOS_DENSE) {
        NumericsMatrix *dense = NM_create(NM_DENSE, W->size0, W->size1);
        return NM_to_dense(W, dense) == 0 ? dense : NULL;
    }
    return W;
}

static GlobalFrictionContactProblem *create_global(const vs_problem *p) {
    GlobalFrictionContactProblem *global = globalFrictionContactProblem_new();
    global->dimension = 3;
    global->numberOfContacts = p->contacts;
    global->M = copy_columns(&p->H);
    global->H = copy_columns_of_rows(p);
    global->q = copy(p->c, p->n, -1);
    global->b = copy(p->b, p->m, -1);
    global->mu = copy(p->mu, p->contacts, 1);
    return global;
}

// ---- condensing --------------------------------------------------------------------------------------

static bool has_diagonal_mass(const vs_problem *p) {
    bool diagonal = p->H.p[p->n] == p->n;
    for (int k = 0; k < p->n && diagonal; k++)
        diagonal = p->H.p[k] == k && p->H.i[k] == k;
    return diagonal;
}

// Column j of D H^-1 D': values added to the zeros of work (m), rows to the list; `mark`: rows that have been
// met.
static int multiply_column(const vs_problem *p, const vs_sparse *D, const vs_sparse *Dt, int j, double *work, int *mark,
                           int *list) {
    int count = 0;
    for (int64_t s = Dt->p[j]; s < Dt->p[j + 1]; s++) {
        int k = Dt->i[s];
        double x = Dt->x[s] / p->H.x[k];
        for (int64_t t = D->p[k]; t < D->p[k + 1]; t++) {
            int i = D->i[t];
            if (mark[i] != j + 1)
                list[count++] = i;
            mark[i] = j + 1;
            work[i] += D->x[t] * x;
        }
    }
    return count;
}

// W = D H^-1 D', q = -D H^-1 c - b for a diagonal H. Siconos itself inverts H as a general sparse matrix, which takes
// most of the time of a solve.
static vs_error condense(const vs_problem *p, vs_arena *arena, vs_sparse *W, double *q) {
    vs_sparse D, Dt, Wt = {.rows = p->m, .cols = p->m};
    vs_error error = vs_rows_to_transpose(&p->D, arena, &Dt);
    if (!error)
        error = vs_sparse_transpose(&Dt, arena, &D);
    if (error)
        return error;
    double *work = VS_NEW_ZERO(arena, double, p->m);
    int *mark = VS_NEW_ZERO(arena, int, p->m), *list = VS_NEW(arena, int, p->m);
    int64_t most = 0;
    for (int64_t s = 0; s < Dt.p[p->m]; s++)
        most += D.p[Dt.i[s] + 1] - D.p[Dt.i[s]];
    Wt.p = VS_NEW_ZERO(arena, int64_t, p->m + 1);
    Wt.i = VS_NEW(arena, int, most);
    Wt.x = VS_NEW(arena, double, most);
    if (!work || !mark || !list || !Wt.p || !Wt.i || !Wt.x)
        return VS_ERROR_MEMORY;

    for (int j = 0; j < p->m; j++) {
        int count = multiply_column(p, &D, &Dt, j, work, mark, list);
        for (int k = 0; k < count; k++) {
            Wt.i[Wt.p[j] + k] = list[k];
            Wt.x[Wt.p[j] + k] = work[list[k]];
            work[list[k]] = 0;
        }
        Wt.p[j + 1] = Wt.p[j] + count;
        q[j] = -p->b[j];
        for (int64_t s = Dt.p[j]; s < Dt.p[j + 1]; s++)
            q[j] -= Dt.x[s] * p->c[Dt.i[s]] / p->H.x[Dt.i[s]];
    }
    return vs_sparse_transpose(&Wt, arena, W); // sorts the columns
}

static FrictionContactProblem *create_condensed(const vs_problem *p, bench_time *time) {
    FrictionContactProblem *local = NULL;
    if (!has_diagonal_mass(p)) {
        GlobalFrictionContactProblem *global = create_global(p);
        bench_time begin = bench_now();
        local = globalFrictionContact_reformulation_FrictionContact(global);
        *time = bench_since(begin);
        globalFrictionContact_free(global);
        return local;
    }
    vs_arena arena;
    vs_arena_init(&arena, p->context);
    vs_sparse W;
    double *q = calloc((size_t)p->m, sizeof *q);
    bench_time begin = bench_now();
    bool good = q && condense(p, &arena, &W, q) == VS_OK;
    *time = bench_since(begin);
    if (good)
        local = frictionContactProblem_new_with_data(3, p->contacts, copy_columns(&W), q, copy(p->mu, p->contacts, 1));
    vs_arena_release(&arena);
    return local;
}

// ---- solving -----------------------------------------------------------------------------------------

siconos_side *siconos_side_create(const vs_problem *p, siconos_form form, siconos_storage storage) {
    siconos_side *side = calloc(1, sizeof *side);
    if (!side)
        return NULL;
    if (form == SICONOS_GLOBAL)
        side->global = create_global(p);
    else if (form == SICONOS_CONDENSED)
        side->local = create_condensed(p, &side->condensing);
    else
        side->local = frictionContactProblem_new_with_data(3, p->contacts, copy_columns(&p->N), copy(p->r, p->m, 1),
                                                           copy(p->mu, p->contacts, 1));
    if (side->local) {
        NumericsMatrix *W = side->local->M;
        side->local->M = store(W, storage);
        if (side->local->M != W)
            NM_free(W);
    }
    return side;
}

void siconos_side_destroy(siconos_side *side) {
    if (side && side->local)
        frictionContactProblem_free(side->local);
    if (side && side->global)
        globalFrictionContact_free(side->global);
    free(side);
}

static SolverOptions *make_options(const siconos_method *method, double tolerance) {
    SolverOptions *options = solver_options_create(method->solver);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000000; // the time limit ends it
    if (method->option != 0)
        options->iparam[method->option] = method->value;
    return options;
}

void siconos_side_solve(siconos_side *side, const siconos_method *method, double tolerance, double *r,
                        siconos_outcome *outcome) {
    int m = 3 * (side->local ? side->local->numberOfContacts : side->global->numberOfContacts);
    double *u = calloc((size_t)m, sizeof *u);
    double *v = side->global ? calloc((size_t)side->global->M->size0, sizeof *v) : NULL;
    memset(r, 0, (size_t)m * sizeof *r);

    if (method->csparse && side->local)
        NM_setSparseSolver(side->local->M, NSM_CSPARSE);
    bench_time begin = bench_now();
    SolverOptions *options = make_options(method, tolerance);
    int info = side->global ? gfc3d_driver(side->global, r, u, v, options) : fc3d_driver(side->local, r, u, options);
    outcome->time = bench_since(begin);

    outcome->condensing = side->condensing;
    outcome->solved = info == 0;
    outcome->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    outcome->error = options->dparam[SICONOS_DPARAM_RESIDU];
    solver_options_delete(options);
    free(u);
    free(v);
}
