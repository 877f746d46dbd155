// Boxes in the place of friction cones: which contacts and bounds come out, that all else stays, and that the MLCP is
// one that solvers and measures take.
#include "problems.h"

#include <math.h>

#include "problem/box_friction.h"
#include "voussoir/solver.h"

// The sample has contacts: friction (mu = 0.7), frictionless and compliant, a box of two rows, friction (mu = 0).
enum { CONTACTS = 4, ROWS = 9 };

static void friction_contacts_become_a_half_line_and_a_box(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *before = NULL, *boxed = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    assert_int_equal(make_sample(context, &before), VS_OK);
    const double lambda[ROWS] = {2, NAN, NAN, NAN, NAN, NAN, 5, NAN, NAN}; // normals of friction contacts are read
    assert_int_equal(vs_problem_box_friction(problem, lambda, &boxed), VS_OK);
    const int row[7] = {0, 1, 3, 4, 6, 7, 9};
    const vs_cone_kind kind[6] = {VS_CONE_NONNEG, VS_CONE_BOX,    VS_CONE_NONNEG,
                                  VS_CONE_BOX,    VS_CONE_NONNEG, VS_CONE_BOX};
    const double hi[ROWS] = {0, 1.4, 1.4, 0, 1, .5, 0, 0, 0}, lo[ROWS] = {0, -1.4, -1.4, 0, -1, 0, 0, 0, 0};
    assert_int_equal(boxed->contacts, 6);
    assert_int_equal(boxed->m, ROWS);
    assert_memory_equal(boxed->row, row, sizeof row);
    assert_memory_equal(boxed->kind, kind, sizeof kind);
    assert_doubles_equal(boxed->lo, lo, ROWS);
    assert_doubles_equal(boxed->hi, hi, ROWS);
    for (int i = 0; i < 6; i++)
        assert_true(boxed->mu[i] == 0 && boxed->key[i] == (i == 0 ? UINT64_MAX - 5 : 0));
    // rows keep their values and their order
    assert_doubles_equal(boxed->b, problem->b, ROWS);
    assert_doubles_equal(boxed->E, problem->E, ROWS);
    assert_doubles_equal(boxed->c, problem->c, problem->n);
    assert_doubles_equal(boxed->D.x, problem->D.x, problem->D.value[CONTACTS]);
    assert_rows_equal(&boxed->C, &problem->C);
    double v[16], y[ROWS], boxed_y[ROWS];
    for (int k = 0; k < problem->n; k++)
        v[k] = sin(k + 1);
    vs_rows_multiply(&problem->D, 1, v, 0, y, context);
    vs_rows_multiply(&boxed->D, 1, v, 0, boxed_y, context);
    for (int k = 0; k < ROWS; k++) // sums of 12 terms of size 30
        assert_true(fabs(y[k] - boxed_y[k]) < 1e-12);
    assert_problems_equal(problem, before);
    vs_problem_destroy(boxed);
    vs_problem_destroy(before);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

static void negative_normal_impulses_count_as_none(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *boxed = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    const double lambda[ROWS] = {-1};
    assert_int_equal(vs_problem_box_friction(problem, lambda, &boxed), VS_OK);
    assert_true(boxed->hi[1] == 0 && boxed->lo[2] == 0);
    vs_problem_destroy(boxed);
    // nothing to replace: the same problem
    vs_problem *smooth = NULL;
    vs_problem_change_def change = vs_problem_change_def_default();
    change.keep = (const bool[CONTACTS]){false, true, false, false};
    assert_int_equal(vs_problem_change(problem, &change, &smooth), VS_OK);
    assert_int_equal(vs_problem_box_friction(smooth, lambda, &boxed), VS_OK);
    assert_problems_equal(smooth, boxed);
    vs_problem_destroy(boxed);
    vs_problem_destroy(smooth);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

// 2 kg sliding at 3 m/s along x, h g = 0.5 m/s, mu = 0.5, in both forms: with the bounds of the right normal impulse
// the exact solution of Coulomb friction (1, -0.5, 0) N s solves the MLCP, by the measure and by two solvers.
static vs_error make_slider(vs_context *context, bool local, vs_problem **problem) {
    static const int64_t p[4] = {0, 1, 2, 3};
    static const int i[3] = {0, 1, 2}, permuted[3] = {2, 0, 1};
    static const double two[3] = {2, 2, 2}, half[3] = {.5, .5, .5}, one[3] = {1, 1, 1}, mu[1] = {.5};
    static const double c[3] = {-6, 0, 1}, zero[3] = {0}, r[3] = {-.5, 3, 0};
    vs_problem_local_def by_N = vs_problem_local_def_default();
    by_N.N = (vs_matrix_view){3, 3, p, i, half};
    by_N.r = r, by_N.mu = mu, by_N.contacts = 1;
    vs_problem_global_def by_H = vs_problem_global_def_default();
    by_H.H = (vs_matrix_view){3, 3, p, i, two};
    by_H.Dt = (vs_matrix_view){3, 3, p, permuted, one};
    by_H.c = c, by_H.b = zero, by_H.mu = mu, by_H.contacts = 1;
    return local ? vs_problem_from_local(context, &by_N, problem) : vs_problem_from_global(context, &by_H, problem);
}

static void boxed_problem_is_measured_and_solved(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    for (int local = 0; local < 2; local++) {
        vs_problem *problem = NULL, *boxed = NULL;
        assert_int_equal(make_slider(context, local, &problem), VS_OK);
        const double lambda[3] = {1, -.5, 0}, other[3] = {1, -.25, 0};
        assert_int_equal(vs_problem_box_friction(problem, lambda, &boxed), VS_OK);
        vs_measurer *measurer = NULL;
        vs_measures measures;
        assert_int_equal(vs_measurer_create(boxed, VS_MODEL_EXACT, &measurer), VS_OK);
        assert_int_equal(vs_measure(measurer, NULL, lambda, NULL, NULL, &measures), VS_OK);
        assert_true(measures.energy_error < 1e-30); // roundoff of numbers of size 1, squared
        assert_int_equal(vs_measure(measurer, NULL, other, NULL, NULL, &measures), VS_OK);
        // 0.25 N s from its bound, a = 1/2: a dx^2 / 2
        assert_true(fabs(measures.energy_error - .5 * .5 * .25 * .25) < 1e-15);
        vs_measurer_destroy(measurer);
        const vs_method methods[2] = {VS_METHOD_PIVOTING, VS_METHOD_AUTO};
        for (int k = 0; k < 2; k++) {
            vs_solver_options options = vs_solver_options_default();
            options.method = methods[k], options.tolerance = 1e-10;
            vs_solver *solver = NULL;
            vs_result result;
            assert_int_equal(vs_solver_create(boxed, &options, &solver), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            assert_int_equal(result.status, VS_STATUS_CONVERGED);
            for (int row = 0; row < 3; row++) // the tolerance in units of e0, which is about 1 J
                assert_true(fabs(result.lambda[row] - lambda[row]) < 1e-9);
            vs_solver_destroy(solver);
        }
        vs_problem_destroy(boxed);
        vs_problem_destroy(problem);
    }
    end_context(context, &m);
}

static void wrong_arguments_are_refused_and_memory_is_accounted_for(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *boxed = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    const double bad[ROWS] = {[6] = NAN}, good[ROWS] = {1};
    assert_int_equal(vs_problem_box_friction(NULL, good, &boxed), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_box_friction(problem, NULL, &boxed), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_box_friction(problem, good, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_problem_box_friction(problem, bad, &boxed), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(context), "contact 3"));
    const int before = m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&m, k);
        error = vs_problem_box_friction(problem, good, &boxed);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(boxed == NULL, error != VS_OK);
        vs_problem_destroy(boxed);
        assert_int_equal(m.alive, before);
    }
    vs_problem_destroy(problem);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_contacts_become_a_half_line_and_a_box),
        cmocka_unit_test(negative_normal_impulses_count_as_none),
        cmocka_unit_test(boxed_problem_is_measured_and_solved),
        cmocka_unit_test(wrong_arguments_are_refused_and_memory_is_accounted_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
