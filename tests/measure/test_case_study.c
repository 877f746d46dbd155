// The case study of Enzenhöfer et al., both ways: the numbers that follow from its data, and the energies printed there
// from the x and w printed there.
//
// A rod of mass m and length l lies on two points at its ends, at rest, under gravity and a moment T about its centre;
// no friction. With I = m l^2 / 12 the equations of a step h are
//
//     w     = A x + q
//     A     = [4 -2; -2 4] / m
//     q_1,2 = -h g -+ (l/2) h T / I
//
// A pivoting method that begins with x_1 = 0 and w_2 = 0 has x_2 = -q_2 / a_22 and w_1 = a_12 x_2 + q_1.
#include "kit/compare.h"
#include "measure/measurer.h"
#include "measure/residual.h"
#include "voussoir/solver.h"

static const double m = 1.5, l = 1.5, T = 10, h = 0.01, g = 9.81;

static vs_problem *make_rod(vs_context *context) {
    const double I = m * l * l / 12;
    // along the vertical and about the horizontal axis across the rod; the other velocities stay zero
    const double H[4] = {m, 0, 0, I}, c[2] = {h * m * g, -h * T}, D[2][2] = {{1, -l / 2}, {1, l / 2}};
    const int block = 0;
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 2, H, c, NULL), VS_OK);
    for (int k = 0; k < 2; k++) {
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 1, contact.block = &block;
        contact.jacobian = (const double *const[]){D[k]};
        contact.frictionless = true;
        assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    }
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    return problem;
}

static void stated_data_give_these_numbers(void **state) {
    vs_problem *problem = make_rod(*state);
    vs_measurer *measurer;
    vs_measures q;
    double x[2] = {0, 0}, w[2];
    const double a = 4 / m;
    assert_int_equal(vs_measurer_create(problem, VS_MODEL_FRICTIONLESS, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, NULL, x, NULL, w, &q), VS_OK);
    x[1] = -w[1] / a;
    assert_int_equal(vs_measure(measurer, NULL, x, NULL, w, &q), VS_OK);
    // half a unit of the last digit given
    assert_close(x[1], -0.0632, 5e-5);
    assert_close(w[0], -0.2805, 5e-5);
    assert_close(w[1], 0, 1e-15);
    double e1 = vs_row_energy(a, x[0], w[0], 0, INFINITY), e2 = vs_row_energy(a, x[1], w[1], 0, INFINITY);
    assert_close(e1, 1.475e-2, 5e-6);
    assert_close(e2, 5.33e-3, 5e-6);
    assert_relative(q.energy_error, e1 + e2, 1e-14);
    // the printed numbers do not follow from the data: other digits, not other rounding
    assert_true(fabs(x[1] + 0.1019) > 0.03 && fabs(w[0] + 0.2981) > 0.015);
    vs_measurer_destroy(measurer);
    vs_problem_destroy(problem);
}

// e_1 = w_1^2 / (2 a_11), e_2 = a_22 x_2^2 / 2, with a_ii = 1; digits as printed.
static void printed_energies_follow_from_the_printed_numbers(void **state) {
    (void)state;
    double e1 = vs_row_energy(1, 0, -0.2981, 0, INFINITY), e2 = vs_row_energy(1, -0.1019, 0, 0, INFINITY);
    assert_close(e1, 4.44e-2, 5e-5);
    assert_close(e2, 5.2e-3, 5e-5);
    assert_close(e1 + e2, 4.96e-2, 5e-5);
    // Both literature residuals add m/s and N s. Printed is |w_1| + |x_2| for Fischer-Burmeister; by its equation 5 an
    // x outside its bound counts twice: d - sqrt(d^2) = 2 d.
    double sum = vs_row_natural_residual(0, -0.2981, 0, INFINITY) + vs_row_natural_residual(-0.1019, 0, 0, INFINITY);
    assert_close(sum, 0.2981 + 0.1019, 1e-15);
    sum = vs_row_fischer_burmeister(0, -0.2981, 0, INFINITY) + vs_row_fischer_burmeister(-0.1019, 0, 0, INFINITY);
    assert_close(sum, 0.2981 + 2 * 0.1019, 1e-15);
}

// Both ends stay on the ground: x = -A^-1 q, A^-1 = m / 12 [4 2; 2 4].
static void pivoting_continues_to_the_solution(void **state) {
    vs_problem *problem = make_rod(*state);
    const vs_method methods[2] = {VS_METHOD_PIVOTING, VS_METHOD_LEMKE};
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = vs_solver_options_default();
        options.method = methods[k], options.tolerance = 1e-12;
        vs_solver *solver;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        double q1 = -h * g - 6 * h * T / (m * l), q2 = -h * g + 6 * h * T / (m * l);
        // an error of 1e-12 relative to numbers of size 1
        assert_close(result.lambda[0], -m / 12 * (4 * q1 + 2 * q2), 1e-12);
        assert_close(result.lambda[1], -m / 12 * (2 * q1 + 4 * q2), 1e-12);
        assert_true(result.lambda[0] > 0 && result.lambda[1] > 0);
        assert_close(result.y[0], 0, 1e-12);
        assert_close(result.y[1], 0, 1e-12);
        vs_solver_destroy(solver);
    }
    vs_problem_destroy(problem);
}

static int set_up(void **state) {
    const vs_context_def def = vs_context_def_default();
    vs_context *context = NULL;
    vs_error error = vs_context_create(&def, &context);
    *state = context;
    return error != VS_OK;
}

static int tear_down(void **state) {
    vs_context_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_data_give_these_numbers),
        cmocka_unit_test(printed_energies_follow_from_the_printed_numbers),
        cmocka_unit_test(pivoting_continues_to_the_solution),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
