// MUMPS called directly, in both precisions: sequential, prescribed ordering, no pivoting for symmetric matrices.
//
// The code is the same for both precisions; DIRECT() writes it out for each. Determinant, error analysis and refinement
// inside MUMPS are off: nothing but analysis, factor and solve.
#include <dmumps_c.h>
#include <smumps_c.h>
#include <stdlib.h>

#include "bare.h"
#include "linalg/ordering/ordering.h"

enum { JOB_END = -2, JOB_INIT = -1, JOB_ANALYSE = 1, JOB_FACTOR = 2, JOB_SOLVE = 3, WORLD = -987654 };

// Rows, columns and positions as MUMPS needs them: from 1.
typedef struct indices {
    vs_context *context;
    const vs_linear_pattern *pattern;
    MUMPS_INT *i, *j, *position; // (nonzeros), (nonzeros), (n)
    int *permutation;            // (n)
} indices;

static void free_indices(indices *x) {
    free(x->i);
    free(x->j);
    free(x->position);
    free(x->permutation);
}

static bool make_indices(indices *x, vs_context *context, const vs_linear_pattern *A) {
    size_t count = (size_t)A->p[A->n], n = (size_t)A->n;
    *x = (indices){.context = context, .pattern = A};
    x->i = malloc(count * sizeof *x->i);
    x->j = malloc(count * sizeof *x->j);
    x->position = malloc(n * sizeof *x->position);
    x->permutation = malloc(n * sizeof *x->permutation);
    if (!x->i || !x->j || !x->position || !x->permutation)
        return false;
    for (int j = 0; j < A->n; j++)
        for (int64_t k = A->p[j]; k < A->p[j + 1]; k++) {
            x->i[k] = A->i[k] + 1;
            x->j[k] = j + 1;
        }
    return true;
}

static bool make_order(indices *x) {
    if (vs_ordering(x->context, x->pattern, x->permutation))
        return false;
    for (int k = 0; k < x->pattern->n; k++)
        x->position[x->permutation[k]] = k + 1;
    return true;
}

// In the numbering of the manual, which counts from 1.
static void configure(MUMPS_INT *icntl) {
    static const MUMPS_INT setting[][2] = {
        {1, -1}, {2, -1},
        {3, -1}, {4, 0}, // silent
        {6, 0},  {7, 1},
        {8, 0},  {12, 1} // no column permutation, prescribed ordering, no scaling, no search for 2 x 2 pivots
    };
    for (size_t k = 0; k < sizeof setting / sizeof *setting; k++)
        icntl[setting[k][0] - 1] = setting[k][1];
}

static int64_t entries(MUMPS_INT count) {
    return count >= 0 ? (int64_t)count : -(int64_t)count * 1000000;
}

#define DIRECT(REAL, INSTANCE, ENGINE, NAME)                                                                           \
    typedef struct NAME##_state {                                                                                      \
        indices x;                                                                                                     \
        INSTANCE id;                                                                                                   \
        REAL *right; /* (n) */                                                                                         \
    } NAME##_state;                                                                                                    \
                                                                                                                       \
    static bool NAME##_run(NAME##_state *s, int job) {                                                                 \
        s->id.job = job;                                                                                               \
        ENGINE(&s->id);                                                                                                \
        return s->id.infog[0] >= 0;                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    static void *NAME##_create(vs_context *context, const vs_linear_pattern *A) {                                      \
        NAME##_state *s = calloc(1, sizeof *s);                                                                        \
        if (!s)                                                                                                        \
            return NULL;                                                                                               \
        s->right = malloc(sizeof(REAL) * (size_t)A->n);                                                                \
        s->id.par = 1;                                                                                                 \
        s->id.sym = !A->symmetric ? 0 : A->definite ? 1 : 2;                                                           \
        s->id.comm_fortran = WORLD;                                                                                    \
        if (!make_indices(&s->x, context, A) || !s->right || !NAME##_run(s, JOB_INIT)) {                               \
            free_indices(&s->x);                                                                                       \
            free(s->right);                                                                                            \
            free(s);                                                                                                   \
            return NULL;                                                                                               \
        }                                                                                                              \
        configure(s->id.icntl);                                                                                        \
        s->id.cntl[0] = A->symmetric ? (REAL)0 : (REAL)0.01;                                                           \
        s->id.n = A->n;                                                                                                \
        s->id.nnz = A->p[A->n];                                                                                        \
        s->id.irn = s->x.i;                                                                                            \
        s->id.jcn = s->x.j;                                                                                            \
        s->id.perm_in = s->x.position;                                                                                 \
        return s;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    static bool NAME##_analyse(void *state) {                                                                          \
        NAME##_state *s = state;                                                                                       \
        return make_order(&s->x) && NAME##_run(s, JOB_ANALYSE);                                                        \
    }                                                                                                                  \
                                                                                                                       \
    static bool NAME##_factor(void *state, void *values) {                                                             \
        NAME##_state *s = state;                                                                                       \
        s->id.a = values;                                                                                              \
        bool good = NAME##_run(s, JOB_FACTOR);                                                                         \
        /* more memory than the analysis estimated, because pivots were delayed */                                     \
        for (int k = 0; k < 6 && !good && (s->id.infog[0] == -8 || s->id.infog[0] == -9); k++) {                       \
            s->id.icntl[13] *= 2;                                                                                      \
            good = NAME##_run(s, JOB_FACTOR);                                                                          \
        }                                                                                                              \
        return good;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    static bool NAME##_solve(void *state, const double *right) {                                                       \
        NAME##_state *s = state;                                                                                       \
        for (int k = 0; k < s->id.n; k++)                                                                              \
            s->right[k] = (REAL)right[k];                                                                              \
        s->id.rhs = s->right;                                                                                          \
        s->id.nrhs = 1;                                                                                                \
        s->id.lrhs = s->id.n;                                                                                          \
        return NAME##_run(s, JOB_SOLVE);                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    static int64_t NAME##_fill(const void *state) {                                                                    \
        return entries(((const NAME##_state *)state)->id.infog[28]);                                                   \
    }                                                                                                                  \
                                                                                                                       \
    static void NAME##_destroy(void *state) {                                                                          \
        NAME##_state *s = state;                                                                                       \
        NAME##_run(s, JOB_END);                                                                                        \
        free_indices(&s->x);                                                                                           \
        free(s->right);                                                                                                \
        free(s);                                                                                                       \
    }                                                                                                                  \
                                                                                                                       \
    const bench_direct bench_direct_##NAME = {sizeof(REAL), NAME##_create, NAME##_analyse, NAME##_factor,              \
                                              NAME##_solve, NAME##_fill,   NAME##_destroy}

DIRECT(double, DMUMPS_STRUC_C, dmumps_c, mumps);
DIRECT(float, SMUMPS_STRUC_C, smumps_c, mumps_single);
