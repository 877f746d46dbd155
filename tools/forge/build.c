// Dense arrays become calls of the builder, or sparse matrices: see build.h.
#include "build.h"

#include <string.h>

// ---- builder ---------------------------------------------------------------------------------------------

// Blocks that rows begin … end-1 of A touch, and their parts of A, row-major.
typedef struct forge_touched {
    int count, block[MOST_BLOCKS];
    double value[MOST_BLOCKS][3 * 6];
    const double *jacobian[MOST_BLOCKS];
} forge_touched;

static void find_touched(const specimen *s, const double A[][MOST_N], int begin, int end, forge_touched *t) {
    t->count = 0;
    for (int k = 0; k < s->blocks; k++) {
        bool any = false;
        double *x = t->value[t->count];
        for (int row = begin; row < end; row++)
            for (int j = s->block[k]; j < s->block[k + 1]; j++) {
                *x++ = A[row][j];
                any = any || A[row][j] != 0;
            }
        if (!any)
            continue;
        t->jacobian[t->count] = t->value[t->count];
        t->block[t->count++] = k;
    }
}

static void add_contact(const specimen *s, int i, vs_problem_builder *builder) {
    int row = s->row[i];
    forge_touched t;
    find_touched(s, s->D, row, s->row[i + 1], &t);
    if (s->kind[i] == KIND_BOX) {
        vs_problem_box_def box = vs_problem_box_def_default();
        box.rows = s->row[i + 1] - row;
        box.blocks = t.count, box.block = t.block, box.jacobian = t.jacobian;
        box.b = s->b + row, box.lo = s->lo + row, box.hi = s->hi + row, box.compliance = s->E + row;
        (void)vs_problem_builder_add_box(builder, &box, NULL);
        return;
    }
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = t.count, contact.block = t.block, contact.jacobian = t.jacobian;
    contact.frictionless = s->kind[i] == KIND_FRICTIONLESS;
    memcpy(contact.b, s->b + row, sizeof(double) * (contact.frictionless ? 1 : 3));
    contact.mu = s->mu[i], contact.compliance = s->E[row];
    (void)vs_problem_builder_add_contact(builder, &contact, NULL);
}

static void add_joint(const specimen *s, int j, vs_problem_builder *builder) {
    int row = s->joint_row[j];
    forge_touched t;
    find_touched(s, s->C, row, s->joint_row[j + 1], &t);
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = s->joint_row[j + 1] - row;
    joint.blocks = t.count, joint.block = t.block, joint.jacobian = t.jacobian;
    joint.b = s->b_e + row, joint.compliance = s->E_e + row;
    (void)vs_problem_builder_add_joint(builder, &joint, NULL);
}

// The first error of all calls is that of finish().
static vs_error build_by_blocks(const specimen *s, vs_context *context, vs_problem **problem) {
    vs_problem_builder *builder;
    vs_error error = vs_problem_builder_create(context, &builder);
    if (error)
        return error;
    for (int k = 0; k < s->blocks; k++) {
        int begin = s->block[k], dofs = s->block[k + 1] - begin;
        double H[6 * 6];
        for (int i = 0; i < dofs; i++)
            memcpy(H + i * dofs, s->H[begin + i] + begin, sizeof(double) * (size_t)dofs);
        (void)vs_problem_builder_add_block(builder, dofs, H, s->c + begin, NULL);
    }
    for (int i = 0; i < s->contacts; i++)
        add_contact(s, i, builder);
    for (int j = 0; j < s->joints; j++)
        add_joint(s, j, builder);
    if (s->has_reference)
        (void)vs_problem_builder_set_reference(builder, s->reference);
    return vs_problem_builder_finish(builder, problem);
}

// ---- matrices --------------------------------------------------------------------------------------------

enum { MOST = MOST_N > MOST_M ? MOST_N : MOST_M };

typedef struct sparse {
    int64_t p[MOST + 1];
    int i[MOST * MOST];
    double x[MOST * MOST];
} sparse;

// The nonzeros of A (rows x cols, row-major, `stride` apart), or of its transpose.
static vs_matrix_view compress(const double *A, int stride, int rows, int cols, bool transpose, sparse *to) {
    int64_t count = 0;
    for (int j = 0; j < cols; j++) {
        to->p[j] = count;
        for (int i = 0; i < rows; i++) {
            double x = transpose ? A[j * stride + i] : A[i * stride + j];
            if (x == 0)
                continue;
            to->i[count] = i;
            to->x[count++] = x;
        }
    }
    to->p[cols] = count;
    return (vs_matrix_view){rows, cols, to->p, to->i, to->x};
}

static vs_error build_global(const specimen *s, vs_context *context, vs_problem **problem) {
    static sparse H, Dt, Ct;
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = compress(s->H[0], MOST_N, s->n, s->n, false, &H);
    def.Dt = compress(s->D[0], MOST_N, s->n, s->m, true, &Dt);
    def.c = s->c, def.b = s->b, def.mu = s->mu, def.E = s->E, def.contacts = s->contacts;
    if (s->m_e > 0) {
        def.Ct = compress(s->C[0], MOST_N, s->n, s->m_e, true, &Ct);
        def.b_e = s->b_e;
    }
    return vs_problem_from_global(context, &def, problem);
}

static vs_error build_local(const specimen *s, vs_context *context, vs_problem **problem) {
    static sparse N;
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = compress(s->N[0], MOST_M, s->m, s->m, false, &N);
    def.r = s->r, def.mu = s->mu, def.contacts = s->contacts;
    return vs_problem_from_local(context, &def, problem);
}

vs_error build_problem(const specimen *s, vs_context *context, vs_problem **problem) {
    return s->form == FORM_BUILDER  ? build_by_blocks(s, context, problem)
           : s->form == FORM_GLOBAL ? build_global(s, context, problem)
                                    : build_local(s, context, problem);
}
