// The builder: what comes out is what was added, in order, and nothing leaks however it ends.
#include "problems.h"

#include <limits.h>
#include <math.h>

static const double IDENTITY[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
static const double ZERO[64];

static void rows_come_back_in_the_order_of_the_calls(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);

    const vs_problem_info info = vs_problem_get_info(problem);
    assert_false(info.local);
    assert_int_equal(info.n, 14);
    assert_int_equal(info.m, 3 + 1 + 2 + 3);
    assert_int_equal(info.m_e, 3);
    assert_int_equal(info.contacts, 4);
    assert_int_equal(info.joints, 2);
    assert_int_equal(info.nnz_D, 36 + 12 + 4 + 6);
    assert_int_equal(info.nnz_C, 24 + 12);
    assert_int_equal(info.nnz_H, 6 + 4 + 10);
    assert_true(info.compliant && info.block_diagonal);
    assert_true(info.mu_min == 0 && info.mu_max == 0.7); // the contact without mu keeps its three rows
    assert_true(info.mass_min == 1 && info.mass_max == 9);

    const int row[5] = {0, 3, 4, 6, 9};
    const vs_cone_kind kind[4] = {VS_CONE_SECOND_ORDER, VS_CONE_NONNEG, VS_CONE_BOX, VS_CONE_SECOND_ORDER};
    const double b[9] = {0.5, -0.25, 2, 0.5, 3, 4, 0, 0, 0}, E[9] = {0, 0, 0, 1e-3};
    assert_memory_equal(vs_problem_get_contact_rows(problem), row, sizeof row);
    assert_memory_equal(problem->kind, kind, sizeof kind);
    assert_true(vs_problem_get_contact_keys(problem)[0] == UINT64_MAX - 5);
    assert_doubles_equal(problem->b, b, 9);
    assert_doubles_equal(problem->E, E, 9);
    assert_true(problem->lo[4] == -1 && problem->hi[5] == 0.5 && problem->lo[0] == 0 && problem->hi[8] == 0);
    assert_true(problem->b_e[0] == 0 && problem->b_e[2] == 3 && problem->E_e[2] == 1);
    assert_true(problem->joint_key[0] == 77);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void blocks_are_the_finest_partition(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    // 6 unknowns alone, a pair, 3 alone, and the coupled three
    const int block[12] = {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 14};
    assert_int_equal(problem->blocks, 11);
    assert_memory_equal(problem->block, block, sizeof block);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void a_block_beyond_twelve_coupled_unknowns_is_not_block_diagonal(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    for (int dofs = 12; dofs <= 13; dofs++) {
        double H[13 * 13], c[13] = {0};
        for (int i = 0; i < dofs * dofs; i++)
            H[i] = i % (dofs + 1) == 0 ? 20 : 1;
        vs_problem_builder *builder = NULL;
        vs_problem *problem = NULL;
        assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
        assert_int_equal(vs_problem_builder_add_block(builder, dofs, H, c, NULL), VS_OK);
        assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
        assert_int_equal(problem->blocks, 1);
        assert_int_equal(vs_problem_get_info(problem).block_diagonal, dofs == 12);
        vs_problem_destroy(problem);
    }
    end_context(context, &m);
}

// Jacobians J0 on block 1, J1 on block 0, J2 on block 1 again.
static void blocks_in_any_order_and_twice_are_summed_over_ascending_columns(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    const double H1[1] = {2}, H2[4] = {1, 0, 0, 1};
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 2, H2, ZERO, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 1, H1, ZERO, NULL), VS_OK);
    const int block[3] = {1, 0, 1};
    const double J0[3] = {1, 2, 3}, J1[6] = {10, 11, 12, 13, 14, 15}, J2[3] = {0.5, 0.25, 0.125};
    const double *jacobian[3] = {J0, J1, J2};
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 3, contact.block = block, contact.jacobian = jacobian, contact.mu = 1;
    int index = -1;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, &index), VS_OK);
    assert_int_equal(index, 0);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);

    const int col[3] = {0, 1, 2};
    const double x[9] = {10, 11, 1.5, 12, 13, 2.25, 14, 15, 3.125};
    assert_int_equal(problem->D.start[1], 3);
    assert_memory_equal(problem->D.col, col, sizeof col);
    assert_doubles_equal(problem->D.x, x, 9);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void only_touched_columns_of_a_large_block_are_kept(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    double H[20 * 20] = {0}, c[20] = {0}, J[60] = {0};
    for (int k = 0; k < 20; k++)
        H[21 * k] = 1;
    J[4] = 1, J[20 + 17] = 2, J[40 + 4] = 3;
    const int block[1] = {0};
    const double *jacobian[1] = {J};
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1, contact.block = block, contact.jacobian = jacobian;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 20, H, c, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    const int col[2] = {4, 17};
    const double x[6] = {1, 0, 0, 2, 3, 0};
    assert_int_equal(problem->D.start[1], 2);
    assert_memory_equal(problem->D.col, col, sizeof col);
    assert_doubles_equal(problem->D.x, x, 6);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

// A difference of one rounding between H_01 and H_10 is accepted, and the symmetric part is stored.
static void H_is_stored_exactly_symmetric(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    const double H[4] = {2, 0.3, nextafter(0.3, 1), 2};
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 2, H, ZERO, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    assert_true(problem->H.x[1] == problem->H.x[2]);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void an_empty_problem_is_legal(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    const vs_problem_info info = vs_problem_get_info(problem);
    assert_int_equal(info.n + info.m + info.m_e + info.blocks, 0);
    assert_int_equal(vs_problem_get_contact_rows(problem)[0], 0);
    vs_problem_destroy(problem);
    vs_problem_destroy(NULL);
    vs_problem_builder_destroy(NULL);
    end_context(context, &m);
}

static void a_failed_call_adds_nothing_and_finishing_returns_it(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    const int wrong[1] = {7};
    const double *jacobian[1] = {IDENTITY};
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 6, IDENTITY, ZERO, NULL), VS_OK);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1, contact.block = wrong, contact.jacobian = jacobian;
    int index = -1;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, &index), VS_ERROR_DATA);
    assert_int_equal(index, -1);
    const int right[1] = {0};
    contact.block = right;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, &index), VS_OK);
    assert_int_equal(index, 0);
    contact.mu = -1;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, &index), VS_ERROR_DATA);
    // the first failure is told, not the last
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_ERROR_DATA);
    assert_null(problem);
    assert_string_equal(vs_context_get_error_text(context), "contact 0: block 7 does not exist (1 blocks)");
    end_context(context, &m);
}

static void counts_that_overflow_are_refused_before_memory_is_read(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    const int block[1] = {0};
    const double *jacobian[1] = {IDENTITY};
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, INT_MAX, IDENTITY, ZERO, NULL), VS_ERROR_DATA);
    assert_int_equal(vs_problem_builder_add_block(builder, 6, IDENTITY, ZERO, NULL), VS_OK);
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = 1, joint.blocks = 1, joint.block = block, joint.jacobian = jacobian;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_OK);
    joint.rows = INT_MAX - 1;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_ERROR_DATA);
    assert_string_equal(vs_context_get_error_text(context), "joint 1: too many rows (1 and 2147483646 more)");
    vs_problem_builder_destroy(builder);
    end_context(context, &m);
}

static void every_refused_allocation_is_an_error_without_leak(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_error error = VS_ERROR_MEMORY;
    const int before = m.alive;
    int k = 0;
    for (; error; k++) {
        vs_problem *problem = NULL;
        refuse_call(&m, k);
        error = make_sample(context, &problem);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(problem == NULL, error != VS_OK);
        vs_problem_destroy(problem);
        assert_int_equal(m.alive, before);
    }
    assert_true(k > 3); // something was refused at all
    end_context(context, &m);
}

// Simulations keep their builder: what it made is its own, and nothing of it is left for the next problem.
static void a_builder_that_starts_again_makes_the_same_problem(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    vs_problem *fresh = NULL, *again[2] = {NULL};
    assert_int_equal(make_sample(context, &fresh), VS_OK);
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(add_sample_blocks(builder), VS_OK);
        assert_int_equal(add_sample_rows(builder), VS_OK);
        assert_int_equal(vs_problem_builder_make(builder, &again[k]), VS_OK);
        assert_int_equal(vs_problem_builder_add_block(builder, 0, IDENTITY, ZERO, NULL), VS_ERROR_DATA); // remembered …
        vs_problem_builder_restart(builder); // … until now
    }
    vs_problem_builder_destroy(builder);
    for (int k = 0; k < 2; k++) {
        assert_problems_equal(again[k], fresh);
        vs_problem_destroy(again[k]);
    }
    vs_problem_destroy(fresh);
    end_context(context, &m);
}

static void null_arguments_are_errors(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_builder_create(NULL, &builder), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_create(context, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_finish(NULL, &problem), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_add_block(NULL, 1, IDENTITY, ZERO, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 1, NULL, ZERO, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_add_contact(builder, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_add_joint(builder, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_add_box(builder, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_builder_finish(builder, NULL), VS_ERROR_ARGUMENT); // destroys the builder
    end_context(context, &m);
}

// Two blocks of two unknowns, tied by one entry.
static vs_error build_tied(vs_context *context, double mirror, int size, vs_problem **problem) {
    static const int64_t p[5] = {0, 1, 3, 5, 6};
    static const int i[6] = {0, 1, 2, 1, 2, 3};
    const double x[6] = {2, 3, -1, mirror, 4, 5}, one[4] = {1, 0, 0, 1}, J[2] = {1, 1};
    const vs_matrix_view H = {size, size, p, i, x};
    vs_problem_builder *builder;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(vs_problem_builder_add_block(builder, 2, one, J, NULL), VS_OK);
    (void)vs_problem_builder_set_mass(builder, &H);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    const double *jacobian = J;
    const int block = 1;
    contact.blocks = 1, contact.block = &block, contact.jacobian = &jacobian, contact.frictionless = true;
    (void)vs_problem_builder_add_contact(builder, &contact, NULL);
    return vs_problem_builder_finish(builder, problem);
}

static void one_matrix_couples_the_blocks(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL;
    assert_int_equal(build_tied(context, -1, 4, &problem), VS_OK);
    const double x[6] = {2, 3, -1, -1, 4, 5};
    assert_int_equal(vs_problem_get_info(problem).nnz_H, 6);
    assert_doubles_equal(problem->H.x, x, 6);
    assert_int_equal(problem->blocks, 3); // 0, 1 with 2, 3
    assert_int_equal(problem->D.col[0], 2);
    vs_problem_destroy(problem);
    assert_int_equal(build_tied(context, 1, 4, &problem), VS_ERROR_DATA); // not symmetric
    assert_int_equal(build_tied(context, -1, 3, &problem), VS_ERROR_DATA);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_in_the_order_of_the_calls),
        cmocka_unit_test(blocks_are_the_finest_partition),
        cmocka_unit_test(a_block_beyond_twelve_coupled_unknowns_is_not_block_diagonal),
        cmocka_unit_test(blocks_in_any_order_and_twice_are_summed_over_ascending_columns),
        cmocka_unit_test(only_touched_columns_of_a_large_block_are_kept),
        cmocka_unit_test(H_is_stored_exactly_symmetric),
        cmocka_unit_test(an_empty_problem_is_legal),
        cmocka_unit_test(a_failed_call_adds_nothing_and_finishing_returns_it),
        cmocka_unit_test(counts_that_overflow_are_refused_before_memory_is_read),
        cmocka_unit_test(every_refused_allocation_is_an_error_without_leak),
        cmocka_unit_test(a_builder_that_starts_again_makes_the_same_problem),
        cmocka_unit_test(null_arguments_are_errors),
        cmocka_unit_test(one_matrix_couples_the_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
