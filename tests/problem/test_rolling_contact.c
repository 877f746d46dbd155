// Contacts with rolling and spinning friction in a problem: rows, coefficients and right-hand sides as defined, through
// changes, and files.
#include "problems.h"

#include <math.h>

#ifdef VS_HAVE_FILES
#include "kit/folder.h"
#include "voussoir/fclib.h"
#endif

enum { CONTACTS = 5, ROWS = 3 + 4 + 5 + 6 + 1 };

// Sliding alone, with spinning, with rolling, with both, and a frictionless one whose coefficients are ignored.
static vs_error make_rolling(vs_context *context, vs_problem **problem) {
    static const double rolling[CONTACTS] = {0, 0, .02, .03, .04}, spinning[CONTACTS] = {0, .01, 0, .005, .04};
    vs_problem_builder *builder = NULL;
    *problem = NULL;
    vs_error error = vs_problem_builder_create(context, &builder);
    if (error)
        return error;
    double J[36], K[36];
    for (int k = 0; k < 36; k++)
        J[k] = k % 7 == 0 ? 0 : 0.5 * k - 3, K[k] = .25 - J[k];
    const int ab[2] = {2, 0};
    const double *jacobian[2] = {J, K};
    error = add_sample_blocks(builder);
    for (int k = 0; k < CONTACTS && !error; k++) {
        vs_problem_contact_def def = vs_problem_contact_def_default();
        def.blocks = 2, def.block = ab, def.jacobian = jacobian;
        def.mu = .1 * (k + 1), def.rolling = rolling[k], def.spinning = spinning[k], def.frictionless = k == 4;
        def.elliptic = k == 0 || k >= 3; // of those without rolling and spinning friction it is ignored
        def.key = 70 + (uint64_t)k, def.compliance = k == 3 ? 1e-3 : 0;
        for (int i = 0; i < 3; i++)
            def.b[i] = 10 * k + i, def.b_rotation[i] = 10 * k + 3 + i;
        error = vs_problem_builder_add_contact(builder, &def, NULL);
    }
    if (error) {
        vs_problem_builder_destroy(builder);
        return error;
    }
    return vs_problem_builder_finish(builder, problem);
}

static void coefficients_decide_on_the_rows(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL;
    must(make_rolling(context, &problem), context);
    const vs_problem_info info = vs_problem_get_info(problem);
    const vs_problem_vectors vectors = vs_problem_get_vectors(problem);
    const int row[CONTACTS + 1] = {0, 3, 7, 12, 18, 19};
    const vs_cone_kind kind[CONTACTS] = {VS_CONE_SECOND_ORDER, VS_CONE_ROLLING, VS_CONE_ROLLING, VS_CONE_ELLIPTIC,
                                         VS_CONE_NONNEG};
    // Of a contact that only spins, the last entry of b_rotation is that of its row.
    const double b[ROWS] = {0, 1, 2, 10, 11, 12, 15, 20, 21, 22, 23, 24, 30, 31, 32, 33, 34, 35, 40};
    const double rolling[CONTACTS] = {0, 0, .02, .03, 0}, spinning[CONTACTS] = {0, .01, 0, .005, 0};
    assert_int_equal(info.m, ROWS);
    assert_int_equal(info.rolling, 3);
    assert_true(info.mu_min == .1 && info.mu_max == .4 && info.compliant);
    assert_memory_equal(vs_problem_get_contact_rows(problem), row, sizeof row);
    assert_memory_equal(problem->kind, kind, sizeof kind);
    assert_doubles_equal(vectors.b, b, ROWS);
    assert_doubles_equal(vectors.rolling, rolling, CONTACTS);
    assert_doubles_equal(vectors.spinning, spinning, CONTACTS);
    for (int k = 0; k < ROWS; k++)
        assert_true(problem->E[k] == (k == 12 ? 1e-3 : 0));
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void negative_coefficients_are_refused(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    for (int k = 0; k < 2; k++) {
        vs_problem_builder *builder = NULL;
        assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
        assert_int_equal(add_sample_blocks(builder), VS_OK);
        double J[36] = {1};
        const int block[1] = {0};
        const double *jacobian[1] = {J};
        vs_problem_contact_def def = vs_problem_contact_def_default();
        def.blocks = 1, def.block = block, def.jacobian = jacobian, def.mu = .5;
        def.rolling = k == 0 ? -1e-3 : 1e-3, def.spinning = k == 0 ? 0 : NAN;
        assert_int_equal(vs_problem_builder_add_contact(builder, &def, NULL), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(context), k == 0 ? "rolling is negative" : "spinning is not"));
        vs_problem_builder_destroy(builder);
    }
    end_context(context, &m);
}

static void a_changed_copy_keeps_them(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *same = NULL, *less = NULL;
    must(make_rolling(context, &problem), context);
    vs_problem_change_def change = vs_problem_change_def_default();
    must(vs_problem_change(problem, &change, &same), context);
    assert_problems_equal(problem, same);
    const bool keep[CONTACTS] = {false, true, false, true, true};
    const double mu[CONTACTS] = {1, 2, 3, 4, 5}, rolling[3] = {0, .03, 0}, spinning[3] = {.01, .005, 0};
    change.keep = keep, change.mu = mu;
    must(vs_problem_change(problem, &change, &less), context);
    assert_int_equal(less->m, 4 + 6 + 1);
    assert_doubles_equal(less->mu, (const double[3]){2, 4, 0}, 3);
    assert_doubles_equal(less->rolling, rolling, 3);
    assert_doubles_equal(less->spinning, spinning, 3);
    vs_problem_destroy(problem);
    vs_problem_destroy(same);
    vs_problem_destroy(less);
    end_context(context, &m);
}

#ifdef VS_HAVE_FILES
static void files_keep_them(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *again = NULL;
    char folder[FOLDER_ROOM], path[PATH_ROOM];
    make_folder(folder);
    name_in(folder, "problem.hdf5", path);
    must(make_rolling(context, &problem), context);
    must(vs_fclib_write(path, problem, NULL), context);
    must(vs_fclib_read(context, path, &again), context);
    assert_problems_equal(problem, again);
    (void)unlink(path);
    remove_folder(folder);
    vs_problem_destroy(problem);
    vs_problem_destroy(again);
    end_context(context, &m);
}
#endif

static void refused_memory_leaves_nothing_behind(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_error error = VS_ERROR_MEMORY;
    int k = 0, before = m.alive;
    for (; error && k < 1000; k++) {
        vs_problem *problem = NULL;
        m.refuse_from = m.calls + k, m.refuse_to = m.refuse_from + 1;
        error = make_rolling(context, &problem);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        vs_problem_destroy(problem);
        assert_int_equal(m.alive, before);
    }
    assert_true(k > 3);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_decide_on_the_rows),
        cmocka_unit_test(negative_coefficients_are_refused),
        cmocka_unit_test(a_changed_copy_keeps_them),
#ifdef VS_HAVE_FILES
        cmocka_unit_test(files_keep_them),
#endif
        cmocka_unit_test(refused_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
