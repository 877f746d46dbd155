// Changed copies: what is named changes, everything else stays, the original too.
#include "problems.h"

#include <math.h>

// The sample has contacts: friction, frictionless and compliant, a box of two rows, friction.
enum { CONTACTS = 4, ROWS = 9, UNKNOWNS = 14 };

// N of two contacts, unsymmetric in the rows of the second only: full 6 x 6.
static int64_t N_p[7];
static int N_i[36];
static double N_x[36];
static const double r[6] = {1, 2, 3, 4, 5, 6}, mu2[2] = {0.5, 0.25};

static vs_error make_local(vs_context *context, vs_problem **problem) {
    for (int j = 0; j < 6; j++) {
        N_p[j + 1] = 6 * (j + 1);
        for (int i = 0; i < 6; i++) {
            N_i[6 * j + i] = i;
            N_x[6 * j + i] = i == j ? 10 : i + j;
        }
    }
    N_x[6 * 4 + 5] += 1;
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){6, 6, N_p, N_i, N_x};
    def.r = r, def.mu = mu2, def.contacts = 2;
    return vs_problem_from_local(context, &def, problem);
}

static void no_change_gives_the_same_problem(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const vs_problem_change_def change = vs_problem_change_def_default();
    for (int local = 0; local < 2; local++) {
        vs_problem *problem = NULL, *changed = NULL;
        assert_int_equal(local ? make_local(context, &problem) : make_sample(context, &problem), VS_OK);
        assert_int_equal(vs_problem_change(problem, &change, &changed), VS_OK);
        assert_problems_equal(problem, changed);
        vs_problem_destroy(problem);
        vs_problem_destroy(changed);
    }
    end_context(context, &m);
}

static void vectors_of_a_global_problem_are_replaced(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *before = NULL, *changed = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    assert_int_equal(make_sample(context, &before), VS_OK);
    assert_int_equal(problem->m, ROWS);
    assert_int_equal(problem->n, UNKNOWNS);
    double c[UNKNOWNS], b[ROWS];
    const double mu[CONTACTS] = {0.1, NAN, -1, 0.4}; // not read where there is no friction
    for (int k = 0; k < UNKNOWNS; k++)
        c[k] = k + 0.5;
    for (int k = 0; k < ROWS; k++)
        b[k] = -k;
    vs_problem_change_def change = vs_problem_change_def_default();
    change.c = c, change.b = b, change.mu = mu;
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_OK);
    const vs_problem_vectors vectors = vs_problem_get_vectors(changed);
    assert_doubles_equal(vectors.c, c, UNKNOWNS);
    assert_doubles_equal(vectors.b, b, ROWS);
    assert_null(vectors.r);
    assert_doubles_equal(vectors.mu, (const double[CONTACTS]){0.1, 0, 0, 0.4}, CONTACTS);
    assert_doubles_equal(vectors.lo, before->lo, ROWS);
    assert_doubles_equal(changed->E, before->E, ROWS);
    assert_rows_equal(&changed->D, &before->D);
    assert_problems_equal(problem, before);
    vs_problem_destroy(changed);
    vs_problem_destroy(problem);
    vs_problem_destroy(before);
    end_context(context, &m);
}

static void dropped_contacts_take_their_rows_away(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *changed = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    vs_problem_change_def change = vs_problem_change_def_default();
    change.keep = (const bool[CONTACTS]){false, true, true, false}; // rows 3 (frictionless), 4 and 5 (box)
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_OK);
    const int row[3] = {0, 1, 3};
    assert_int_equal(changed->contacts, 2);
    assert_int_equal(changed->m, 3);
    assert_int_equal(changed->n, problem->n);
    assert_memory_equal(vs_problem_get_contact_rows(changed), row, sizeof row);
    assert_int_equal(changed->kind[0], VS_CONE_NONNEG);
    assert_int_equal(changed->kind[1], VS_CONE_BOX);
    assert_doubles_equal(changed->b, problem->b + 3, 3);
    assert_doubles_equal(changed->E, problem->E + 3, 3);
    assert_doubles_equal(changed->lo, problem->lo + 3, 3);
    assert_doubles_equal(changed->hi, problem->hi + 3, 3);
    assert_int_equal(changed->D.rows, 3);
    assert_doubles_equal(changed->D.x, problem->D.x + problem->D.value[1], problem->D.value[3] - problem->D.value[1]);
    assert_rows_equal(&changed->C, &problem->C); // joints stay
    assert_doubles_equal(changed->E_e, problem->E_e, problem->m_e);
    vs_problem_destroy(changed);

    // Without any box there are no bounds; without any contact the bodies and joints remain.
    change.keep = (const bool[CONTACTS]){true, false, false, false};
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_OK);
    assert_null(changed->lo);
    assert_true(changed->key[0] == UINT64_MAX - 5);
    vs_problem_destroy(changed);
    change.keep = (const bool[CONTACTS]){false};
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_OK);
    assert_int_equal(vs_problem_get_info(changed).m, 0);
    assert_int_equal(vs_problem_get_info(changed).nnz_D, 0);
    assert_int_equal(vs_problem_get_info(changed).joints, 2);
    vs_problem_destroy(changed);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void a_local_problem_loses_rows_and_columns(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *changed = NULL;
    assert_int_equal(make_local(context, &problem), VS_OK);
    assert_false(problem->symmetric);
    const double other[6] = {7, 8, 9, 10, 11, 12};
    for (int kept = 0; kept < 2; kept++) {
        vs_problem_change_def change = vs_problem_change_def_default();
        const bool keep[2] = {kept == 0, kept == 1};
        change.keep = keep, change.r = other;
        assert_int_equal(vs_problem_change(problem, &change, &changed), VS_OK);
        assert_int_equal(changed->contacts, 1);
        assert_int_equal(changed->N.p[3], 9);
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                assert_int_equal(changed->N.i[3 * j + i], i);
                assert_true(changed->N.x[3 * j + i] == N_x[6 * (3 * kept + j) + 3 * kept + i]);
            }
        assert_doubles_equal(changed->r, other + 3 * kept, 3);
        assert_true(changed->mu[0] == mu2[kept]);
        assert_int_equal(changed->symmetric, kept == 0); // what made N unsymmetric is in the second contact
        vs_problem_destroy(changed);
    }
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void wrong_changes_are_refused_by_name(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *local = NULL, *changed = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    assert_int_equal(make_local(context, &local), VS_OK);
    const double bad[UNKNOWNS] = {[1] = NAN}, negative[CONTACTS] = {0, 0, 0, -0.1};
    vs_problem_change_def change = vs_problem_change_def_default();
    assert_int_equal(vs_problem_change(NULL, &change, &changed), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_change(problem, NULL, &changed), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_change(problem, &change, NULL), VS_ERROR_ARGUMENT);
    change = vs_problem_change_def_default(), change.c = bad;
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(context), "c[1]"));
    change = vs_problem_change_def_default(), change.b = bad;
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_ERROR_DATA);
    change = vs_problem_change_def_default(), change.mu = negative;
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(context), "contact 3: mu"));
    change = vs_problem_change_def_default(), change.r = r;
    assert_int_equal(vs_problem_change(problem, &change, &changed), VS_ERROR_ARGUMENT);
    change = vs_problem_change_def_default(), change.b = r;
    assert_int_equal(vs_problem_change(local, &change, &changed), VS_ERROR_ARGUMENT);
    change = vs_problem_change_def_default(), change.r = bad;
    assert_int_equal(vs_problem_change(local, &change, &changed), VS_ERROR_DATA);
    assert_null(changed);
    vs_problem_destroy(problem);
    vs_problem_destroy(local);
    end_context(context, &m);
}

static void every_refused_allocation_is_an_error_without_leak(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem[2] = {NULL, NULL};
    assert_int_equal(make_sample(context, &problem[0]), VS_OK);
    assert_int_equal(make_local(context, &problem[1]), VS_OK);
    vs_problem_change_def change = vs_problem_change_def_default();
    change.keep = (const bool[CONTACTS]){true, false, true, true};
    const int before = m.alive;
    for (int form = 0; form < 2; form++) {
        vs_error error = VS_ERROR_MEMORY;
        for (int k = 0; error; k++) {
            vs_problem *changed = NULL;
            refuse_call(&m, k);
            error = vs_problem_change(problem[form], &change, &changed);
            assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
            assert_int_equal(changed == NULL, error != VS_OK);
            vs_problem_destroy(changed);
            assert_int_equal(m.alive, before);
        }
    }
    vs_problem_destroy(problem[0]);
    vs_problem_destroy(problem[1]);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_change_gives_the_same_problem),
        cmocka_unit_test(vectors_of_a_global_problem_are_replaced),
        cmocka_unit_test(dropped_contacts_take_their_rows_away),
        cmocka_unit_test(a_local_problem_loses_rows_and_columns),
        cmocka_unit_test(wrong_changes_are_refused_by_name),
        cmocka_unit_test(every_refused_allocation_is_an_error_without_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
