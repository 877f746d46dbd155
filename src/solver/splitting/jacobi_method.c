// Projected block Jacobi behind method.h: all groups at once, with the impulses of the previous iteration. Group i:
//
//     l_i <- the solution of the group alone for y_i + B_i (x - l_i),      y = (N + E) l + r
//
// With B_i = A_i, the group's own block, this diverges as soon as a body has a few contacts. By default it uses
// mass-splitting blocks (Tonge et al. 2012), in which each contact has its share of the body: with k_c groups at
// velocity c,
//
//     B_i = tau ( sum over c of k_c J_ic J_ic' + E_i ),      or, from N by blocks, tau (k_i N_ii + E_i),
//                                                             k_i groups with a block in row i
//
// because
//
//     d'N d = sum |sum_i J_ic'd_i|^2 <= sum k_c |J_ic'd_i|^2,      that is N + E <= B / tau
//
// (Cauchy-Schwarz; of blocks of N likewise). A step d then reduces the objective of a convex model by at least
//
//     f(l) - f(l + d) >= -y'd - 1/2 d'(N + E) d >= (1 - 1/(2 tau)) d'B d
//
// for every symmetric semidefinite N and without knowing any eigenvalue: tau > 1/2 descends. The smaller tau, the
// longer the steps.
//
// A relaxation omega of the user selects the textbook method, l + omega (x - l) with B_i = A_i, and may diverge.
#include <stdio.h>

#include "solver/impulse/group_law.h"
#include "solver/impulse/impulse_run.h"
#include "solver/impulse/operator.h"
#include "solver/method.h"

typedef struct jacobi_state {
    vs_impulse_run impulses;
    int *meet;       // (n) groups at each velocity; n = 0: (groups) blocks in each group's rows
    double *B;       // (blocks) as A of the problem
    double *l, *y;   // (rows)
    bool plain;      // B = A
    double omega;    //
    char choice[96]; //
} jacobi_state;

enum { GRAIN = 128 }; // groups; about 20 us of work

static const double TAU = 0.6;

// ---- the blocks ------------------------------------------------------------------------------------

static void count_meetings(jacobi_state *s) {
    const vs_impulse_problem *d = s->impulses.problem;
    for (int64_t k = 0; d->n > 0 && k < d->J.start[d->groups]; k++)
        s->meet[d->J.col[k]]++;
    for (int g = 0; d->n == 0 && g < d->groups; g++) {
        int last = -1;
        for (int64_t k = d->N.start[g]; k < d->N.start[g + 1]; k++) {
            int other = d->group_of[d->N.col[k]];
            s->meet[g] += other != last; // columns ascend
            last = other;
        }
    }
}

// sum over c of k_c J_ic J_jc of two rows of group g
static double split_product(const jacobi_state *s, int g, int i, int j) {
    const vs_rows *J = &s->impulses.problem->J;
    int64_t width = J->start[g + 1] - J->start[g];
    const double *a = J->x + J->value[g] + i * width, *b = J->x + J->value[g] + j * width;
    const int *col = J->col + J->start[g];
    double sum = 0;
    for (int64_t k = 0; k < width; k++)
        sum += s->meet[col[k]] * a[k] * b[k];
    return sum;
}

static void fill_blocks(jacobi_state *s) {
    const vs_impulse_problem *d = s->impulses.problem;
    for (int g = 0; g < d->groups; g++) {
        int rows = d->row[g + 1] - d->row[g];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) {
                int64_t at = vs_impulse_block(d, g) + d->ld * i + j;
                double E = i == j ? d->E[d->row[g] + i] : 0;
                double split = d->n > 0 ? split_product(s, g, i, j) : s->meet[g] * (d->A[at] - E);
                s->B[at] = s->plain ? d->A[at] : TAU * (split + E);
            }
    }
}

// ---- the method ------------------------------------------------------------------------------------

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    jacobi_state *s = state;
    vs_error error = vs_impulse_run_create(&s->impulses, run, arena);
    if (error)
        return error;
    const vs_impulse_problem *d = s->impulses.problem;
    s->meet = VS_NEW_ZERO(arena, int, d->n > 0 ? d->n : d->groups);
    s->B = VS_NEW_ZERO(arena, double, vs_impulse_block(d, d->groups));
    s->l = VS_NEW(arena, double, d->rows);
    s->y = VS_NEW(arena, double, d->rows);
    if (!s->meet || !s->B || !s->l || !s->y)
        return VS_ERROR_MEMORY;
    s->plain = run->options.jacobi.relaxation > 0;
    s->omega = s->plain ? run->options.jacobi.relaxation : 1;
    if (s->plain)
        snprintf(s->choice, sizeof s->choice, "the contacts' own blocks; relaxation %g", s->omega);
    else
        snprintf(s->choice, sizeof s->choice, "masses split among their contacts");
    count_meetings(s);
    fill_blocks(s);
    return VS_OK;
}

static vs_error update(void *state) {
    jacobi_state *s = state;
    vs_error error = vs_impulse_run_update(&s->impulses);
    if (!error)
        fill_blocks(s);
    return error;
}

static void relax_some(void *user, int64_t begin, int64_t end) {
    jacobi_state *s = user;
    const vs_impulse_problem *d = s->impulses.problem;
    for (int g = (int)begin; g < (int)end; g++)
        vs_law_relax(d, g, s->B + vs_impulse_block(d, g), s->omega, s->y + d->row[g], s->l + d->row[g]);
}

static vs_error solve(void *state) {
    jacobi_state *s = state;
    vs_error error;
    vs_impulse_run_start(&s->impulses, s->l);
    do {
        vs_impulse_velocities(s->impulses.problem, s->l, s->y);
        vs_parallel_for(s->impulses.problem->context, s->impulses.problem->groups, GRAIN, relax_some, s);
    } while (!vs_impulse_run_check(&s->impulses, s->l, &error));
    return error;
}

static void report(const void *state, vs_result *result) {
    result->choice = ((const jacobi_state *)state)->choice;
}

const vs_method_class vs_jacobi_class = {
    .name = "jacobi",
    .purpose = "projected block Jacobi: all contacts at once; simple, many iterations, few digits",
    .models = VS_SOLVES_ALL,
    .rolling = true,
    .most = 1000000,
    .size = sizeof(jacobi_state),
    .create = create,
    .update = update,
    .solve = solve,
    .report = report,
};
