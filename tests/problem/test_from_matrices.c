// Problems from sparse matrices: the same as from blocks, joints found by their columns, N and an unsymmetric H kept as
// they are.
#include "problems.h"

#include <math.h>

// H = [2 0.5 0; 0.5 3 0; 0 0 4] with an explicit zero at (2,0) and its mirror missing.
static int64_t H_p[] = {0, 3, 5, 6};
static int H_i[] = {0, 1, 2, 0, 1, 2};
static double H_x[] = {2, 0.5, 0, 0.5, 3, 4};
// One contact: rows (1 0 0), (0 2 0), (0 0 3), the last with an explicit zero at 0.
static int64_t D_p[] = {0, 1, 2, 4};
static int D_i[] = {0, 1, 0, 2};
static double D_x[] = {1, 2, 0, 3};
// Four joint rows: two on (0,1), one on (2), one on (0,1).
static int64_t C_p[] = {0, 2, 4, 5, 7};
static int C_i[] = {0, 1, 0, 1, 2, 0, 1};
static double C_x[] = {1, 2, 3, 4, 5, 6, 7};
static const double c[] = {1, 2, 3}, b[] = {4, 5, 6}, mu[] = {0.5}, E[] = {1e-3, 0, 0}, b_e[] = {7, 8, 9, 10};

static vs_problem_global_def make_def(void) {
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){3, 3, H_p, H_i, H_x};
    def.Dt = (vs_matrix_view){3, 3, D_p, D_i, D_x};
    def.Ct = (vs_matrix_view){3, 4, C_p, C_i, C_x};
    def.c = c, def.b = b, def.mu = mu, def.E = E, def.b_e = b_e, def.contacts = 1;
    return def;
}

static void global_matrices_become_grouped_rows(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL;
    const vs_problem_global_def def = make_def();
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
    const vs_problem_info info = vs_problem_get_info(problem);
    assert_int_equal(info.n, 3);
    assert_int_equal(info.m, 3);
    assert_int_equal(info.m_e, 4);
    assert_int_equal(info.contacts, 1);
    assert_int_equal(info.nnz_H, 5); // without the explicit zero
    assert_true(info.compliant && info.mass_min == 2 && info.mass_max == 4 && info.mu_max == 0.5);

    const int block[3] = {0, 2, 3}, joint_row[4] = {0, 2, 3, 4}, joint_col[5] = {0, 1, 2, 0, 1};
    const double D[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    assert_int_equal(problem->blocks, 2);
    assert_memory_equal(problem->block, block, sizeof block);
    assert_doubles_equal(problem->D.x, D, 9);
    assert_int_equal(problem->joints, 3);
    assert_memory_equal(problem->joint_row, joint_row, sizeof joint_row);
    assert_memory_equal(problem->C.col, joint_col, sizeof joint_col);
    assert_doubles_equal(problem->C.x, C_x, 7);
    assert_doubles_equal(problem->b_e, b_e, 4);
    assert_doubles_equal(problem->E, E, 3);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void matrices_and_blocks_give_the_same_problem(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *built = NULL, *made = NULL;
    vs_problem_builder *builder = NULL;
    const double H0[4] = {2, 0.5, 0.5, 3}, H1[1] = {4};
    const double J0[6] = {1, 0, 0, 2, 0, 0}, J1[3] = {0, 0, 3};
    const int block[2] = {0, 1};
    const double *jacobian[2] = {J0, J1}, *first[1] = {C_x}, *second[1] = {C_x + 4}, *third[1] = {C_x + 5};
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 2, H0, c, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 1, H1, c + 2, NULL), VS_OK);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 2, contact.block = block, contact.jacobian = jacobian, contact.mu = 0.5, contact.compliance = 1e-3;
    memcpy(contact.b, b, sizeof b);
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    const double *const *jacobians[3] = {first, second, third};
    for (int k = 0; k < 3; k++) {
        vs_problem_joint_def joint = vs_problem_joint_def_default();
        joint.rows = k == 0 ? 2 : 1, joint.blocks = 1, joint.block = block + (k == 1), joint.jacobian = jacobians[k];
        joint.b = b_e + (k == 0 ? 0 : k + 1);
        assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_OK);
    }
    assert_int_equal(vs_problem_builder_finish(builder, &built), VS_OK);
    const vs_problem_global_def def = make_def();
    assert_int_equal(vs_problem_from_global(context, &def, &made), VS_OK);
    assert_problems_equal(built, made);
    vs_problem_destroy(built);
    vs_problem_destroy(made);
    end_context(context, &m);
}

static void a_local_matrix_is_kept_as_it_is(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL;
    int64_t p[] = {0, 2, 3, 4};
    int i[] = {0, 1, 1, 2};
    double x[] = {4, 0.5, 0, -1}; // unsymmetric, singular, indefinite, an explicit zero: all legal
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){3, 3, p, i, x};
    def.r = b, def.mu = mu, def.contacts = 1;
    assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
    vs_problem_info info = vs_problem_get_info(problem);
    assert_true(info.local && info.n == 0 && info.m == 3 && info.nnz_N == 4);
    assert_true(info.asymmetry == 0.125 && !problem->symmetric);
    assert_true(info.mass_min == 0.25 && info.mass_max == 0.25); // of the positive diagonal entry
    assert_doubles_equal(problem->N.x, x, 4);
    assert_doubles_equal(problem->r, b, 3);
    vs_problem_destroy(problem);

    x[1] = 0;
    assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
    assert_true(problem->symmetric && problem->asymmetry == 0);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

// The last message of level info.
static void keep_log(void *user, vs_log_level level, const char *text) {
    if (level == VS_LOG_INFO)
        (void)snprintf(user, 256, "%s", text);
}

// The problem with the values x of H, from a context that logs.
static vs_problem *make_logged(vs_context *context, char *log, const double *x) {
    vs_problem_global_def def = make_def();
    vs_problem *problem = NULL;
    def.H.x = x;
    log[0] = 0;
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
    return problem;
}

static void an_unsymmetric_H_is_kept_as_it_is(void **state) {
    (void)state;
    char log[256];
    vs_context_def context_def = vs_context_def_default();
    context_def.log = keep_log, context_def.log_user = log;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(&context_def, &context), VS_OK);

    const double x[] = {2, 0.25, 0, 0.5, 3, 4}; // with the explicit zero
    vs_problem *problem = make_logged(context, log, x);
    const vs_problem_info info = vs_problem_get_info(problem);
    assert_int_equal(info.nnz_H, 6);
    assert_memory_equal(problem->H.p, H_p, sizeof H_p);
    assert_memory_equal(problem->H.i, H_i, sizeof H_i);
    assert_doubles_equal(problem->H.x, x, 6);
    assert_true(!problem->symmetric && info.asymmetry == 0.25 / 4 && !info.block_diagonal);
    assert_string_equal(log, "H is unsymmetric: entry (1, 0) is 0.25, its mirror 0.5; solved as it is");
    vs_problem_destroy(problem);

    const double upper[] = {2, 0, 0, 0.5, 3, 4}, lower[] = {2, 0.5, 0, 0, 3, 4};
    for (int side = 0; side < 2; side++) {
        problem = make_logged(context, log, side ? lower : upper);
        assert_doubles_equal(problem->H.x, side ? lower : upper, 6);
        assert_true(!problem->symmetric && problem->asymmetry == 0.5 / 4);
        assert_non_null(strstr(log, "solved as it is; one triangle only: was a symmetric matrix meant?"));
        vs_problem_destroy(problem);
    }

    // One rounding apart: still symmetric, stored as the mean, and no word about it.
    const double rounded[] = {2, 0.5, 0, nextafter(0.5, 1), 3, 4};
    problem = make_logged(context, log, rounded);
    assert_true(problem->symmetric && problem->asymmetry == 0 && problem->block_diagonal);
    assert_true(problem->H.x[1] == problem->H.x[2] && log[0] == 0);
    vs_problem_destroy(problem);

    // Small blocks of a symmetric H must be definite; of an unsymmetric one the diagonal must be positive.
    vs_problem_global_def def = make_def();
    const double large[] = {2, 100, 0, -7, 3, 4}, negative[] = {2, 100, 0, -7, 3, -4};
    problem = make_logged(context, log, large);
    vs_problem_destroy(problem);
    def.H.x = negative;
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_ERROR_DATA);
    assert_string_equal(vs_context_get_error_text(context), "H is not positive definite: diagonal entry 2 is -4");
    vs_context_destroy(context);
}

// Unknowns 0 and 2 coupled by the entry (0, 2) or by (2, 0) alone, 3 by nothing.
static void blocks_of_an_unsymmetric_H_are_those_of_H_and_its_transpose(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    int64_t upper_p[] = {0, 1, 2, 4, 5}, lower_p[] = {0, 2, 3, 4, 5};
    int upper_i[] = {0, 1, 0, 2, 3}, lower_i[] = {0, 2, 1, 2, 3};
    double upper_x[] = {1, 1, 0.5, 1, 1}, lower_x[] = {1, 0.5, 1, 1, 1}, zero[4] = {0};
    const int block[3] = {0, 3, 4};
    for (int side = 0; side < 2; side++) {
        vs_problem_global_def def = vs_problem_global_def_default();
        vs_problem *problem = NULL;
        def.H = side ? (vs_matrix_view){4, 4, lower_p, lower_i, lower_x}
                     : (vs_matrix_view){4, 4, upper_p, upper_i, upper_x};
        def.c = zero;
        assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
        assert_int_equal(problem->blocks, 2);
        assert_memory_equal(problem->block, block, sizeof block);
        assert_false(problem->block_diagonal);
        vs_problem_destroy(problem);
    }
    end_context(context, &m);
}

static void problems_without_contacts_or_joints_are_legal(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL;
    vs_problem_global_def def = make_def();
    def.Dt = def.Ct = (vs_matrix_view){0};
    def.b = def.mu = def.E = def.b_e = NULL, def.contacts = 0;
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
    assert_int_equal(problem->m + problem->m_e + problem->D.groups + problem->C.groups, 0);
    vs_problem_destroy(problem);
    vs_problem_local_def local = vs_problem_local_def_default();
    assert_int_equal(vs_problem_from_local(context, &local, &problem), VS_OK);
    assert_int_equal(vs_problem_get_info(problem).nnz_N, 0);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void every_refused_allocation_is_an_error_without_leak(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const double skew[] = {2, 0.25, 0, 0.5, 3, 4};
    vs_problem_global_def global = make_def(), unsymmetric = make_def();
    vs_problem_local_def local = vs_problem_local_def_default();
    local.N = global.H, local.r = b, local.mu = mu, local.contacts = 1;
    unsymmetric.H.x = skew;
    const int before = m.alive;
    for (int form = 0; form < 3; form++) {
        vs_error error = VS_ERROR_MEMORY;
        for (int k = 0; error; k++) {
            vs_problem *problem = NULL;
            refuse_call(&m, k);
            error = form == 0 ? vs_problem_from_local(context, &local, &problem)
                              : vs_problem_from_global(context, form == 1 ? &global : &unsymmetric, &problem);
            assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
            assert_int_equal(problem == NULL, error != VS_OK);
            vs_problem_destroy(problem);
            assert_int_equal(m.alive, before);
        }
    }
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_matrices_become_grouped_rows),
        cmocka_unit_test(matrices_and_blocks_give_the_same_problem),
        cmocka_unit_test(a_local_matrix_is_kept_as_it_is),
        cmocka_unit_test(an_unsymmetric_H_is_kept_as_it_is),
        cmocka_unit_test(blocks_of_an_unsymmetric_H_are_those_of_H_and_its_transpose),
        cmocka_unit_test(problems_without_contacts_or_joints_are_legal),
        cmocka_unit_test(every_refused_allocation_is_an_error_without_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
