// The problem as an object: memory, the blocks of H, and its public queries.
//
// The blocks are the finest partition of v = (v_0, …, v_{n-1}) into consecutive ranges with H_ij = H_ji = 0 for i and j
// of different ranges. Found in one pass: a range ends at j when no column up to j reaches below j.
// Nothing is computed about the problem's difficulty.
#include "problem/problem_data.h"

#include <math.h>

enum { LARGEST_SMALL_BLOCK = 12 }; // unknowns: two bodies; such blocks are inverted one by one

vs_error vs_problem_create(vs_context *context, vs_problem **problem) {
    vs_problem *made = vs_allocate(context, sizeof *made);
    if (!made)
        return vs_fail_memory(context);
    *made = (vs_problem){.context = context, .symmetric = true}; // until a matrix says otherwise
    vs_arena_init(&made->arena, context);
    *problem = made;
    return VS_OK;
}

void vs_problem_destroy(vs_problem *problem) {
    if (!problem)
        return;
    vs_context *context = problem->context;
    vs_arena_release(&problem->arena);
    vs_release(context, problem);
}

// The furthest unknown that column j couples to; at least j.
static int furthest(const vs_sparse *A, int j) {
    const int64_t end = A->p[j + 1];
    return end > A->p[j] && A->i[end - 1] > j ? A->i[end - 1] : j;
}

vs_error vs_problem_partition(vs_problem *problem, const vs_sparse *Ht) {
    const vs_sparse *H = &problem->H;
    problem->block = VS_NEW(&problem->arena, int, (int64_t)problem->n + 1);
    if (!problem->block)
        return VS_ERROR_MEMORY;

    int blocks = 0, reach = 0, largest = 0;
    problem->block[0] = 0;
    for (int j = 0; j < problem->n; j++) {
        if (furthest(H, j) > reach)
            reach = furthest(H, j);
        if (Ht && furthest(Ht, j) > reach)
            reach = furthest(Ht, j);
        if (reach > j)
            continue;
        const int size = j + 1 - problem->block[blocks];
        if (size > largest)
            largest = size;
        problem->block[++blocks] = j + 1;
        reach = j + 1;
    }
    problem->blocks = blocks;
    problem->block_diagonal = problem->symmetric && largest <= LARGEST_SMALL_BLOCK;
    return VS_OK;
}

// Widens [least, most] by x; the first value sets both.
static void widen(double x, bool *first, double *least, double *most) {
    *least = *first ? x : fmin(*least, x);
    *most = *first ? x : fmax(*most, x);
    *first = false;
}

// Masses: the diagonal of H, or 1 / diagonal of N where that is positive.
static void measure_masses(const vs_problem *problem, vs_problem_info *info) {
    const vs_sparse *A = problem->local ? &problem->N : &problem->H;
    bool first = true;
    for (int j = 0; j < A->cols; j++)
        for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
            if (A->i[k] == j && A->x[k] > 0)
                widen(problem->local ? 1 / A->x[k] : A->x[k], &first, &info->mass_min, &info->mass_max);
}

static bool has_nonzero(const double *x, int count) {
    for (int k = 0; x && k < count; k++)
        if (x[k] != 0)
            return true;
    return false;
}

vs_problem_info vs_problem_get_info(const vs_problem *problem) {
    vs_problem_info info = {0};
    if (!problem)
        return info;
    info = (vs_problem_info){.local = problem->local,
                             .n = problem->n,
                             .m = problem->m,
                             .m_e = problem->m_e,
                             .blocks = problem->blocks,
                             .contacts = problem->contacts,
                             .joints = problem->joints,
                             .asymmetry = problem->asymmetry,
                             .block_diagonal = problem->block_diagonal};
    if (problem->local) {
        info.nnz_N = problem->N.p[problem->m];
    } else {
        info.nnz_H = problem->H.p[problem->n];
        info.nnz_D = problem->D.value[problem->contacts];
        info.nnz_C = problem->C.value[problem->joints];
    }
    bool first = true;
    for (int i = 0; i < problem->contacts; i++)
        if (vs_problem_has_friction(problem, i)) {
            widen(problem->mu[i], &first, &info.mu_min, &info.mu_max);
            info.rolling += vs_problem_rolls(problem, i);
        }
    measure_masses(problem, &info);
    info.compliant = has_nonzero(problem->E, problem->m) || has_nonzero(problem->E_e, problem->m_e);
    return info;
}

const int *vs_problem_get_contact_rows(const vs_problem *problem) {
    return problem ? problem->row : NULL;
}

const uint64_t *vs_problem_get_contact_keys(const vs_problem *problem) {
    return problem ? problem->key : NULL;
}

vs_problem_vectors vs_problem_get_vectors(const vs_problem *problem) {
    vs_problem_vectors vectors = {0};
    if (problem)
        vectors = (vs_problem_vectors){.c = problem->local ? NULL : problem->c,
                                       .reference = problem->reference,
                                       .b = problem->local ? NULL : problem->b,
                                       .r = problem->local ? problem->r : NULL,
                                       .mu = problem->mu,
                                       .lo = problem->lo,
                                       .hi = problem->hi,
                                       .rolling = problem->rolling,
                                       .spinning = problem->spinning};
    return vectors;
}
