// Residuals of single rows: the case study of the energy measure, its printed formula, zeros exactly at solutions.
#include "kit/compare.h"

#include "measure/residual.h"

// The rod of the case study as printed: x = (0, -0.1019) N s, w = (-0.2981, 0) m/s, a = 1/kg.
static void energy_of_the_printed_rod_is_the_printed_energy(void **state) {
    (void)state;
    double e1 = vs_row_energy(1.0, 0.0, -0.2981, 0.0, INFINITY), e2 = vs_row_energy(1.0, -0.1019, 0.0, 0.0, INFINITY);
    // half a unit of the last printed digit
    assert_close(e1, 4.44e-2, 5e-5);
    assert_close(e2, 5.2e-3, 5e-5);
    assert_close(e1 + e2, 4.96e-2, 5e-5);
}

// Equations 13 to 20 of the paper, letter by letter.
static double printed_energy(double a, double x, double w, double lo, double hi) {
    double dx_u = fmax(x - hi, 0.0), dx_l = fmax(lo - x, 0.0), x0 = x - dx_u + dx_l;
    double s_u = hi - (x0 - dx_l), s_l = (x0 + dx_u) - lo, plus = fmax(w, 0.0), minus = fmax(-w, 0.0);
    double e_plus = fmin(plus * plus / (2 * a), a * s_l * s_l / 2),
           e_minus = fmin(minus * minus / (2 * a), a * s_u * s_u / 2);
    return fmax(fmax(a * dx_u * dx_u / 2, a * dx_l * dx_l / 2), fmax(e_plus, e_minus));
}

static void row_energy_is_the_printed_formula_for_all_signs_and_bounds(void **state) {
    (void)state;
    const double bounds[][2] = {{-1, 1}, {0, INFINITY}, {0.5, 0.75}, {0, 0}, {-2, -0.5}};
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
        for (double a = 0.25; a < 5.0; a *= 4.0)
            for (double x = -2.0; x <= 2.0; x += 0.25)
                for (double w = -2.0; w <= 2.0; w += 0.25) {
                    double e = vs_row_energy(a, x, w, bounds[k][0], bounds[k][1]);
                    // all numbers are short binary fractions, a few roundings remain
                    assert_close(e, printed_energy(a, x, w, bounds[k][0], bounds[k][1]), 1e-14);
                }
}

static void all_row_residuals_vanish_exactly_at_solutions_only(void **state) {
    (void)state;
    const double lo = -1.0, hi = 2.0;
    for (double x = -1.5; x <= 2.5; x += 0.25)
        for (double w = -1.0; w <= 1.0; w += 0.25) {
            int solution = x >= lo && x <= hi && (w == 0.0 || (w > 0.0 && x == lo) || (w < 0.0 && x == hi));
            assert_int_equal(solution, vs_row_energy(3.0, x, w, lo, hi) == 0.0);
            assert_int_equal(solution, vs_row_natural(x, w, lo, hi) == 0.0);
            assert_int_equal(solution, vs_row_natural_residual(x, w, lo, hi) == 0.0);
            assert_int_equal(solution, vs_row_fischer_burmeister(x, w, lo, hi) == 0.0);
        }
}

static void fischer_burmeister_keeps_digits_beside_a_large_impulse(void **state) {
    (void)state;
    // x + w - sqrt(x^2 + w^2) -> w for x >> w; formed directly it would be 0
    assert_close(vs_row_fischer_burmeister(1e12, 1e-9, 0.0, INFINITY) / 1e-9, 1.0, 1e-15);
    assert_close(vs_row_fischer_burmeister(3.0, 4.0, 0.0, INFINITY), 2.0, 1e-15);
    assert_close(vs_row_fischer_burmeister(-3.0, 4.0, 0.0, INFINITY), 4.0, 1e-15);
    assert_close(vs_row_fischer_burmeister(1.0, -4.0, 0.0, INFINITY), 4.0, 1e-15);
}

// A contact of little friction that slides fast, with l on its cone and y = (0, 1e-3, 0): the residual is 1e-7 normal to the
// contact, beside an impulse of 1.
static void natural_map_keeps_digits_beside_a_large_impulse(void **state) {
    (void)state;
    const double mu = 1e-4, l[3] = {1, -mu, 0}, y[3] = {0, 1e-3, 0}, exact = mu * 1e-3 / sqrt(1 + mu * mu);
    // dozens of roundings; a difference of numbers of the size of l would leave 1e-9
    assert_close(sqrt(vs_friction_natural_squared(mu, l, y, 1.0)) / exact, 1, 1e-14);
}

static void friction_without_tangential_parts_is_the_half_line(void **state) {
    (void)state;
    for (double x = -2.0; x <= 2.0; x += 0.5)
        for (double w = -2.0; w <= 2.0; w += 0.5) {
            double l[3] = {x, 0, 0}, y[3] = {w, 0, 0}, d = vs_row_natural(x, 0.5 * w, 0.0, INFINITY);
            assert_close(vs_friction_natural_squared(0.0, l, y, 0.5), d * d, 0.0);
        }
    // mu = 0: a tangential impulse is an error, a tangential velocity is not
    double l[3] = {1, 0.5, 0}, y[3] = {0, 7, -3};
    assert_close(vs_friction_natural_squared(0.0, l, y, 1.0), 0.25, 0.0);
}

static void friction_residual_vanishes_at_stick_slip_and_separation(void **state) {
    (void)state;
    const double mu = 0.5;
    double stick[3] = {2, 0.6, -0.8}, still[3] = {0, 0, 0};
    assert_close(vs_friction_natural_squared(mu, stick, still, 3.0), 0.0, 0.0);
    double none[3] = {0, 0, 0}, apart[3] = {5, 3, 4};
    assert_close(vs_friction_natural_squared(mu, none, apart, 3.0), 0.0, 0.0);
    // slides along (3,4)/5 with y_n = mu |y_T|; roundoff of numbers of size 10, squared
    double slip[3] = {2, -0.6, -0.8}, slides[3] = {2.5, 3, 4};
    assert_close(vs_friction_natural_squared(mu, slip, slides, 3.0), 0.0, 1e-29);
    // the same velocity against a friction impulse across it
    double across[3] = {2, -0.8, 0.6};
    assert_true(vs_friction_natural_squared(mu, across, slides, 3.0) > 0.1);
    // a velocity far below the rounding of the impulse it belongs to is seen whole
    const double large[3] = {1e15, 1e12, 0.0}, creep[3] = {-1e-4, 2e-4, 0.0};
    assert_close(vs_friction_natural_squared(mu, large, creep, 1.0), 5e-8, 1e-22);
}

// At a solution of (l, y) on the boundary of the cone, and only there.
static void cone_residuals_vanish_at_solutions_only(void **state) {
    (void)state;
    for (int k = 0; k < 200; k++) {
        double mu = 0.2 + 0.01 * k, angle = 0.1 * k, size = 0.1 + 0.01 * k;
        const double l[3] = {size, mu * size * cos(angle), mu * size * sin(angle)};
        const double y[3] = {mu * 0.3, -0.3 * cos(angle), -0.3 * sin(angle)}, off[3] = {y[0], y[1], y[2] + 0.01};
        // a few roundings of numbers of the size of l
        double roundoff = 1e-15 * size * (1.0 + mu);
        assert_true(sqrt(vs_friction_fischer_burmeister_squared(mu, l, y)) <= 64 * roundoff);
        assert_true(sqrt(vs_friction_natural_squared(mu, l, y, 1.0)) <= 16 * roundoff);
        assert_true(sqrt(vs_friction_fischer_burmeister_squared(mu, l, off)) > 1e-4);
        assert_true(sqrt(vs_friction_natural_squared(mu, l, off, 1.0)) > 1e-4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_of_the_printed_rod_is_the_printed_energy),
        cmocka_unit_test(row_energy_is_the_printed_formula_for_all_signs_and_bounds),
        cmocka_unit_test(all_row_residuals_vanish_exactly_at_solutions_only),
        cmocka_unit_test(cone_residuals_vanish_at_solutions_only),
        cmocka_unit_test(fischer_burmeister_keeps_digits_beside_a_large_impulse),
        cmocka_unit_test(natural_map_keeps_digits_beside_a_large_impulse),
        cmocka_unit_test(friction_without_tangential_parts_is_the_half_line),
        cmocka_unit_test(friction_residual_vanishes_at_stick_slip_and_separation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
