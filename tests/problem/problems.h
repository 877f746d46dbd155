// One problem that has something of everything, and the comparison of two problems array by array.
#ifndef VS_TESTS_PROBLEMS_H
#define VS_TESTS_PROBLEMS_H

#include "kit/memory.h"
#include "problem/problem_data.h"

// A diagonal body of 6 unknowns, a coupled one of 2, one of 6 with a full 3 x 3 part. The first failure is returned.
static inline vs_error add_sample_blocks(vs_problem_builder *builder) {
    double H0[36] = {0}, H1[4] = {2, 0.5, 0.5, 3}, H2[36] = {0}, c[6] = {1, -2, 3, 0, 0.25, -0.125};
    for (int k = 0; k < 6; k++)
        H0[7 * k] = 1.0 + k, H2[7 * k] = 4.0 + k;
    H2[3 * 6 + 4] = H2[4 * 6 + 3] = 0.5, H2[4 * 6 + 5] = H2[5 * 6 + 4] = -0.25;
    vs_error error = vs_problem_builder_add_block(builder, 6, H0, c, NULL);
    if (!error)
        error = vs_problem_builder_add_block(builder, 2, H1, c, NULL);
    if (!error)
        error = vs_problem_builder_add_block(builder, 6, H2, c, NULL);
    return error;
}

// Friction, frictionless, compliant and box rows, two joints between the same blocks, keys.
static inline vs_error add_sample_rows(vs_problem_builder *builder) {
    double J6[36], K6[36], J2[12];
    for (int k = 0; k < 36; k++)
        J6[k] = k % 7 == 0 ? 0 : 0.5 * k - 3, K6[k] = -J6[k] + 0.25;
    for (int k = 0; k < 12; k++)
        J2[k] = 1 + k;
    const int ab[2] = {2, 0}, b1[1] = {1};
    const double *jacobian[2] = {J6, K6}, *single[1] = {J2};
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 2, contact.block = ab, contact.jacobian = jacobian;
    contact.b[0] = 0.5, contact.b[1] = -0.25, contact.b[2] = 2, contact.mu = 0.7, contact.key = UINT64_MAX - 5;
    vs_error error = vs_problem_builder_add_contact(builder, &contact, NULL);
    contact.frictionless = true, contact.compliance = 1e-3, contact.key = 0;
    if (!error)
        error = vs_problem_builder_add_contact(builder, &contact, NULL);

    const double lo[2] = {-1, 0}, hi[2] = {1, 0.5}, b[2] = {3, 4};
    vs_problem_box_def bounds = vs_problem_box_def_default();
    bounds.rows = 2, bounds.blocks = 1, bounds.block = b1, bounds.jacobian = single;
    bounds.b = b, bounds.lo = lo, bounds.hi = hi;
    if (!error)
        error = vs_problem_builder_add_box(builder, &bounds, NULL);
    contact = vs_problem_contact_def_default();
    contact.blocks = 1, contact.block = b1, contact.jacobian = single;
    if (!error)
        error = vs_problem_builder_add_contact(builder, &contact, NULL);

    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = 2, joint.blocks = 2, joint.block = ab, joint.jacobian = jacobian, joint.key = 77;
    if (!error)
        error = vs_problem_builder_add_joint(builder, &joint, NULL);
    joint.rows = 1, joint.b = b, joint.compliance = hi, joint.key = 0;
    if (!error)
        error = vs_problem_builder_add_joint(builder, &joint, NULL);
    return error;
}

static inline vs_error make_sample(vs_context *context, vs_problem **problem) {
    vs_problem_builder *builder = NULL;
    *problem = NULL;
    vs_error error = vs_problem_builder_create(context, &builder);
    if (error)
        return error;
    error = add_sample_blocks(builder);
    if (!error)
        error = add_sample_rows(builder);
    if (error) {
        vs_problem_builder_destroy(builder);
        return error;
    }
    return vs_problem_builder_finish(builder, problem);
}

// ---- comparison: exact, value by value (0 equals -0) ----------------------------------------------------

static inline void assert_doubles_equal(const double *a, const double *b, int64_t count) {
    assert_int_equal(a == NULL, b == NULL);
    for (int64_t k = 0; a && k < count; k++)
        assert_true(a[k] == b[k]);
}

static inline void assert_sparse_equal(const vs_sparse *A, const vs_sparse *B) {
    assert_int_equal(A->rows, B->rows);
    assert_int_equal(A->cols, B->cols);
    assert_memory_equal(A->p, B->p, ((size_t)A->cols + 1) * sizeof(int64_t));
    if (A->p[A->cols] > 0)
        assert_memory_equal(A->i, B->i, (size_t)A->p[A->cols] * sizeof(int));
    assert_doubles_equal(A->x, B->x, A->p[A->cols]);
}

static inline void assert_rows_equal(const vs_rows *A, const vs_rows *B) {
    assert_int_equal(A->groups, B->groups);
    assert_int_equal(A->rows, B->rows);
    assert_int_equal(A->cols, B->cols);
    const size_t ends = (size_t)A->groups + 1;
    assert_memory_equal(A->row, B->row, ends * sizeof(int));
    assert_memory_equal(A->start, B->start, ends * sizeof(int64_t));
    assert_memory_equal(A->value, B->value, ends * sizeof(int64_t));
    if (A->start[A->groups] > 0)
        assert_memory_equal(A->col, B->col, (size_t)A->start[A->groups] * sizeof(int));
    assert_doubles_equal(A->x, B->x, A->value[A->groups]);
}

static inline void assert_global_equal(const vs_problem *a, const vs_problem *b) {
    assert_sparse_equal(&a->H, &b->H);
    assert_rows_equal(&a->D, &b->D);
    assert_rows_equal(&a->C, &b->C);
    assert_doubles_equal(a->c, b->c, a->n);
    assert_doubles_equal(a->b, b->b, a->m);
    assert_doubles_equal(a->E, b->E, a->m);
    assert_doubles_equal(a->b_e, b->b_e, a->m_e);
    assert_doubles_equal(a->E_e, b->E_e, a->m_e);
    assert_int_equal(a->blocks, b->blocks);
    assert_memory_equal(a->block, b->block, ((size_t)a->blocks + 1) * sizeof(int));
    assert_int_equal(a->block_diagonal, b->block_diagonal);
}

static inline void assert_problems_equal(const vs_problem *a, const vs_problem *b) {
    assert_int_equal(a->local, b->local);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->m, b->m);
    assert_int_equal(a->m_e, b->m_e);
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->joints, b->joints);
    assert_memory_equal(a->row, b->row, ((size_t)a->contacts + 1) * sizeof(int));
    assert_memory_equal(a->joint_row, b->joint_row, ((size_t)a->joints + 1) * sizeof(int));
    if (a->contacts > 0) {
        assert_memory_equal(a->kind, b->kind, (size_t)a->contacts * sizeof(vs_cone_kind));
        assert_memory_equal(a->key, b->key, (size_t)a->contacts * sizeof(uint64_t));
    }
    if (a->joints > 0)
        assert_memory_equal(a->joint_key, b->joint_key, (size_t)a->joints * sizeof(uint64_t));
    assert_doubles_equal(a->mu, b->mu, a->contacts);
    assert_doubles_equal(a->rolling, b->rolling, a->contacts);
    assert_doubles_equal(a->spinning, b->spinning, a->contacts);
    assert_doubles_equal(a->lo, b->lo, a->m);
    assert_doubles_equal(a->hi, b->hi, a->m);
    assert_int_equal(a->symmetric, b->symmetric);
    assert_true(a->asymmetry == b->asymmetry);
    if (!a->local) {
        assert_global_equal(a, b);
        return;
    }
    assert_sparse_equal(&a->N, &b->N);
    assert_doubles_equal(a->r, b->r, a->m);
}

#endif
