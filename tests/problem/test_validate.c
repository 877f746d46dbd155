// Wrong data is refused with a text that names the field and the index. Each case starts from good data with one
// mistake in it, so that the text proves which check it was.
#include "kit/fixture.h"
#include "problems.h"

#include <limits.h>

// ---- builder --------------------------------------------------------------------------------------------

static vs_problem_builder *begin_with_two_blocks(fixture *f) {
    const double H[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, c[3] = {0};
    vs_problem_builder *builder = NULL;
    assert_int_equal(vs_problem_builder_create(f->context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, NULL), VS_OK);
    return builder;
}

static void refuse_block(fixture *f, int dofs, const double *H, const double *c, const char *text) {
    vs_problem_builder *builder = begin_with_two_blocks(f);
    assert_int_not_equal(vs_problem_builder_add_block(builder, dofs, H, c, NULL), VS_OK);
    assert_string_equal(vs_context_get_error_text(f->context), text);
    vs_problem_builder_destroy(builder);
}

static void wrong_blocks_are_named(void **state) {
    fixture *f = *state;
    const double good[4] = {2, 1, 1, 2}, indefinite[4] = {1, 2, 2, 1}, unsymmetric[4] = {2, 1, 1.0000001, 2};
    const double singular[4] = {1, 1, 1, 1}, zero[4] = {1, 0, 0, 0}, nan_H[4] = {1, 0, NAN, 1};
    const double c[2] = {0}, infinite[2] = {0, INFINITY};
    refuse_block(f, 0, good, c, "block 2: number of unknowns is 0, must be at least 1");
    refuse_block(f, -3, good, c, "block 2: number of unknowns is -3, must be at least 1");
    refuse_block(f, 2, NULL, c, "block 2: H is null");
    refuse_block(f, 2, good, NULL, "block 2: c is null");
    refuse_block(f, 2, good, infinite, "block 2: c[1] is not finite (inf)");
    refuse_block(f, 2, nan_H, c, "H of block 2: entry (1, 0) is not finite (nan)");
    refuse_block(f, 2, indefinite, c, "H of block 2 is not positive definite");
    refuse_block(f, 2, singular, c, "H of block 2 is not positive definite");
    refuse_block(f, 2, zero, c, "H of block 2 is not positive definite: diagonal entry 1 is 0");
    refuse_block(f, 2, unsymmetric, c,
                 "H of block 2 is not symmetric: entry (1, 0) is 1.0000001000000001, its mirror 1");
}

// The scale of H does not matter: 1e-150 and 1e+150 kg in one block.
static void definiteness_and_symmetry_do_not_depend_on_units(void **state) {
    fixture *f = *state;
    const double wide[4] = {1e-150, 0.5, 0.5, 1e150}, c[2] = {0};
    vs_problem_builder *builder = begin_with_two_blocks(f);
    assert_int_equal(vs_problem_builder_add_block(builder, 2, wide, c, NULL), VS_OK);
    vs_problem_builder_destroy(builder);
    const double wrong[4] = {1e-150, 2, 2, 1e150};
    refuse_block(f, 2, wrong, c, "H of block 2 is not positive definite");
}

static void refuse_contact(fixture *f, const vs_problem_contact_def *contact, const char *text) {
    vs_problem_builder *builder = begin_with_two_blocks(f);
    assert_int_not_equal(vs_problem_builder_add_contact(builder, contact, NULL), VS_OK);
    assert_string_equal(vs_context_get_error_text(f->context), text);
    vs_problem_builder_destroy(builder);
}

static void wrong_contacts_are_named(void **state) {
    fixture *f = *state;
    const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, bad[9] = {1, 0, 0, 0, 1, 0, 0, 0, -INFINITY};
    const int block[2] = {0, 1}, missing[2] = {0, 2}, negative[2] = {-1, 1};
    const double *jacobian[2] = {J, J}, *null_jacobian[2] = {J, NULL}, *infinite[2] = {J, bad};
    vs_problem_contact_def good = vs_problem_contact_def_default();
    good.blocks = 2, good.block = block, good.jacobian = jacobian;
    vs_problem_contact_def d = good;
    d.mu = -0.1;
    refuse_contact(f, &d, "contact 0: mu is negative (-0.1)");
    d.mu = NAN;
    refuse_contact(f, &d, "contact 0: mu is not finite (nan)");
    d = good, d.compliance = -1;
    refuse_contact(f, &d, "contact 0: compliance is negative (-1)");
    d = good, d.b[2] = INFINITY;
    refuse_contact(f, &d, "contact 0: b[2] is not finite (inf)");
    d = good, d.block = missing;
    refuse_contact(f, &d, "contact 0: block 2 does not exist (2 blocks)");
    d = good, d.block = negative;
    refuse_contact(f, &d, "contact 0: block -1 does not exist (2 blocks)");
    d = good, d.block = NULL;
    refuse_contact(f, &d, "contact 0: block is null");
    d = good, d.jacobian = NULL;
    refuse_contact(f, &d, "contact 0: jacobian is null");
    d = good, d.jacobian = null_jacobian;
    refuse_contact(f, &d, "contact 0: jacobian[1] is null");
    d = good, d.jacobian = infinite;
    refuse_contact(f, &d, "contact 0: jacobian[1][8] is not finite (-inf)");
    d = good, d.blocks = 0;
    refuse_contact(f, &d, "contact 0: number of blocks is 0, must be at least 1");
}

static void a_frictionless_contact_does_not_read_what_it_has_not(void **state) {
    fixture *f = *state;
    const double J[3] = {1, 0, 0};
    const int block[1] = {0};
    const double *jacobian[1] = {J};
    vs_problem_contact_def d = vs_problem_contact_def_default();
    d.blocks = 1, d.block = block, d.jacobian = jacobian, d.frictionless = true;
    d.mu = d.b[1] = d.b[2] = NAN;
    vs_problem_builder *builder = begin_with_two_blocks(f);
    assert_int_equal(vs_problem_builder_add_contact(builder, &d, NULL), VS_OK);
    vs_problem_builder_destroy(builder);
}

static void wrong_joints_and_bounds_are_named(void **state) {
    fixture *f = *state;
    const double J[3] = {1, 0, 0}, one[1] = {1}, two[1] = {2}, nan_value[1] = {NAN}, minus[1] = {-2};
    const int block[1] = {1};
    const double *jacobian[1] = {J};
    vs_problem_box_def good = vs_problem_box_def_default();
    good.rows = 1, good.blocks = 1, good.block = block, good.jacobian = jacobian, good.lo = one, good.hi = two;
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = 1, joint.blocks = 1, joint.block = block, joint.jacobian = jacobian;
    vs_problem_builder *builder = begin_with_two_blocks(f);
    const char *text = vs_context_get_error_text(f->context);

    assert_int_equal(vs_problem_builder_add_box(builder, &good, NULL), VS_OK);
    vs_problem_box_def d = good;
    d.lo = two, d.hi = one;
    assert_int_equal(vs_problem_builder_add_box(builder, &d, NULL), VS_ERROR_DATA);
    assert_string_equal(text, "bounds 1: lo[0] = 2 is above hi[0] = 1");
    d = good, d.hi = nan_value;
    assert_int_equal(vs_problem_builder_add_box(builder, &d, NULL), VS_ERROR_DATA);
    assert_string_equal(text, "bounds 1: hi[0] is not finite (nan)");
    d = good, d.lo = NULL;
    assert_int_equal(vs_problem_builder_add_box(builder, &d, NULL), VS_ERROR_ARGUMENT);
    assert_string_equal(text, "bounds 1: lo is null");
    joint.rows = 0;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_ERROR_DATA);
    assert_string_equal(text, "joint 0: number of rows is 0, must be at least 1");
    joint.rows = 1, joint.b = nan_value;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_ERROR_DATA);
    assert_string_equal(text, "joint 0: b[0] is not finite (nan)");
    joint.b = one, joint.compliance = minus;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_ERROR_DATA);
    assert_string_equal(text, "joint 0: compliance[0] is negative (-2)");
    vs_problem_builder_destroy(builder);
}

// ---- matrices -------------------------------------------------------------------------------------------

// H = [2 1; 1 2] (+) 3, one contact on the third unknown … with all arrays writable.
typedef struct arrays {
    int64_t H_p[4], D_p[4];
    int H_i[5], D_i[4];
    double H_x[5], D_x[4], c[3], b[3], mu[1], E[3];
} arrays;

static const arrays GOOD = {{0, 2, 4, 5}, {0, 2, 3, 4}, {0, 1, 0, 1, 2}, {0, 2, 1, 2}, {2, 1, 1, 2, 3},
                            {1, 2, 3, 4}, {1, 2, 3},    {4, 5, 6},       {0.5},        {0.1, 0, 0}};

static vs_problem_global_def view(arrays *a) {
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){3, 3, a->H_p, a->H_i, a->H_x};
    def.Dt = (vs_matrix_view){3, 3, a->D_p, a->D_i, a->D_x};
    def.c = a->c, def.b = a->b, def.mu = a->mu, def.E = a->E, def.contacts = 1;
    return def;
}

static void refuse_global(fixture *f, const vs_problem_global_def *def, vs_error error, const char *text) {
    vs_problem *problem = (vs_problem *)f; // anything but null
    assert_int_equal(vs_problem_from_global(f->context, def, &problem), error);
    assert_null(problem);
    assert_string_equal(vs_context_get_error_text(f->context), text);
}

// One wrong number in otherwise good arrays.
#define REFUSE(change, text)                                                                                           \
    do {                                                                                                               \
        arrays changed = GOOD;                                                                                         \
        changed.change;                                                                                                \
        const vs_problem_global_def wrong = view(&changed);                                                            \
        refuse_global(f, &wrong, VS_ERROR_DATA, text);                                                                 \
    } while (0)

static void wrong_values_in_global_matrices_are_named(void **state) {
    fixture *f = *state;
    arrays a = GOOD;
    vs_problem_global_def def = view(&a);
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_global(f->context, &def, &problem), VS_OK);
    vs_problem_destroy(problem);

    REFUSE(mu[0] = -0.1, "mu[0] is negative (-0.1)");
    REFUSE(mu[0] = NAN, "mu[0] is not finite (nan)");
    REFUSE(c[2] = INFINITY, "c[2] is not finite (inf)");
    REFUSE(b[1] = NAN, "b[1] is not finite (nan)");
    REFUSE(E[0] = -1, "E[0] is negative (-1)");
    REFUSE(E[2] = 1, "E[2] is 1, but this row of contact 0 is tangential: only normal rows may be compliant");
    REFUSE(H_x[3] = NAN, "H.x[3] is not finite (nan)");
    REFUSE(H_x[4] = 0, "H is not positive definite: diagonal entry 2 is 0");
    REFUSE(H_x[0] = 0.1, "H is not positive definite in the unknowns 0 to 1");
    REFUSE(H_i[4] = 3, "H.i[4] is 3, out of range (3 rows)");
    REFUSE(H_i[0] = -1, "H.i[0] is -1, out of range (3 rows)");
    REFUSE(D_i[1] = 0, "Dt.i[1]: row 0 is repeated in column 0");
    REFUSE(D_i[0] = 2, "Dt.i[1]: row 2 is repeated in column 0");
    REFUSE(H_i[0] = 2, "H.i[1]: row 1 is not in ascending order in column 0");
    REFUSE(H_p[0] = 1, "H.p[0] is 1, not 0");
    REFUSE(H_p[1] = 5, "H: column 0 has 5 entries (3 rows)");
    REFUSE(D_p[3] = 2, "Dt.p[3] is 2, below Dt.p[2] = 3");
}

static void wrong_sizes_of_global_matrices_are_named(void **state) {
    fixture *f = *state;
    arrays a = GOOD;
    vs_problem_global_def d = view(&a);
    d.H.cols = 2;
    refuse_global(f, &d, VS_ERROR_DATA, "H is 3 x 2, not 3 x 3");
    d = view(&a), d.H.rows = d.H.cols = -1;
    refuse_global(f, &d, VS_ERROR_DATA, "number of rows of H is negative (-1)");
    d = view(&a), d.contacts = 2;
    refuse_global(f, &d, VS_ERROR_DATA, "Dt is 3 x 3, not 3 x 6");
    d = view(&a), d.contacts = -1;
    refuse_global(f, &d, VS_ERROR_DATA, "number of contacts is negative (-1)");
    d = view(&a), d.contacts = INT_MAX / 2;
    refuse_global(f, &d, VS_ERROR_DATA, "too many contact rows (0 and 3221225469 more)");
    d = view(&a), d.c = NULL;
    refuse_global(f, &d, VS_ERROR_ARGUMENT, "c is null");
    d = view(&a), d.mu = NULL;
    refuse_global(f, &d, VS_ERROR_ARGUMENT, "mu is null");
    d = view(&a), d.H.x = NULL;
    refuse_global(f, &d, VS_ERROR_ARGUMENT, "H.x is null");
    d = view(&a), d.Dt.p = NULL;
    refuse_global(f, &d, VS_ERROR_ARGUMENT, "Dt.p is null");
    d = view(&a), d.Ct = d.Dt; // joints without b_e
    refuse_global(f, &d, VS_ERROR_ARGUMENT, "b_e is null");
    d = view(&a);
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_global(f->context, NULL, &problem), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_from_global(NULL, &d, &problem), VS_ERROR_ARGUMENT);
}

static void wrong_local_problems_are_named(void **state) {
    fixture *f = *state;
    const char *text = vs_context_get_error_text(f->context);
    arrays a = GOOD;
    vs_problem_local_def good = vs_problem_local_def_default(), d;
    good.N = (vs_matrix_view){3, 3, a.H_p, a.H_i, a.H_x};
    good.r = a.b, good.mu = a.mu, good.contacts = 1;
    vs_problem *problem = NULL;
    d = good, d.N.rows = 4;
    assert_int_equal(vs_problem_from_local(f->context, &d, &problem), VS_ERROR_DATA);
    assert_string_equal(text, "N is 4 x 3, not 3 x 3");
    d = good, d.r = NULL;
    assert_int_equal(vs_problem_from_local(f->context, &d, &problem), VS_ERROR_ARGUMENT);
    assert_string_equal(text, "r is null");
    d = good, a.mu[0] = -2;
    assert_int_equal(vs_problem_from_local(f->context, &d, &problem), VS_ERROR_DATA);
    assert_string_equal(text, "mu[0] is negative (-2)");
    a.mu[0] = 0, a.H_x[2] = NAN;
    assert_int_equal(vs_problem_from_local(f->context, &d, &problem), VS_ERROR_DATA);
    assert_string_equal(text, "N.x[2] is not finite (nan)");
    assert_null(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_blocks_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(definiteness_and_symmetry_do_not_depend_on_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_contacts_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_frictionless_contact_does_not_read_what_it_has_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_joints_and_bounds_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_values_in_global_matrices_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_sizes_of_global_matrices_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_local_problems_are_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
