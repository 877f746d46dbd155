// One contact of the relaxed model: lift off, stick and slide against closed forms, and random ones checked by the
// natural map l - P_K(l - y / a), which vanishes exactly at a solution.
#include "one_group.h"
#include "cone/cone.h"
#include "solver/impulse/one_cone.h"

// ---- what the tests share --------------------------------------------------------------------------

static double objective(const double A[9], const double *q, const double *l) {
    double y[3], sum = 0.0;
    find_velocity(A, q, l, y);
    for (int i = 0; i < 3; i++)
        sum += 0.5 * (y[i] + q[i]) * l[i];
    return sum;
}

static void assert_solved(const double A[9], const double *q, double mu, double *l, double within) {
    check_solved((one_law){vs_one_cone_solve, false}, A, q, mu, l, within);
}

// A few operations on numbers of size 1.
static const double rounding = 1e-14;
// The same where the condition of A takes digits of single terms.
static const double conditioned = 1e-12;

// ---- closed forms ----------------------------------------------------------------------------------

// Beyond the dual cone by whatever little: none of these moves.
static void a_contact_that_opens_fast_enough_has_no_impulse(void **state) {
    (void)state;
    const double A[9] = {1.0, 0.3, 0.1, 0.3, 2.0, 0.2, 0.1, 0.2, 1.5}, normal[3] = {2.5, 2.5 + 1e-12, 9.0};
    for (int k = 0; k < 3; k++) {
        double q[3] = {normal[k], -3.0, 4.0}, l[3] = {1.0, 0.2, 0.1};
        assert_true(vs_one_cone_solve(A, 3, q, 0.5, l));
        assert_true(l[0] == 0.0 && l[1] == 0.0 && l[2] == 0.0);
    }
}

// Where exact friction lets go, the relaxed model still brakes: q_n = 2 < mu |q_T| = 2.5.
static void a_contact_that_opens_too_slowly_is_braked(void **state) {
    (void)state;
    const double A[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {2.0, -3.0, 4.0};
    double l[3] = {0.0}, p[3];
    const double back[3] = {-2.0, 3.0, -4.0};
    assert_true(vs_one_cone_solve(A, 3, q, 0.5, l));
    vs_friction_project(0.5, back, p); // A = I: the nearest point of the cone to -q
    for (int i = 0; i < 3; i++)
        assert_close(l[i], p[i], rounding);
    assert_true(l[0] > 0.1);
}

static void a_contact_inside_the_cone_sticks(void **state) {
    (void)state;
    const double A[9] = {2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 5.0}, q[3] = {-2.0, 1.0, -1.0};
    double l[3] = {0.0};
    assert_true(vs_one_cone_solve(A, 3, q, 0.5, l));
    assert_close(l[0], 1.0, rounding);
    assert_close(l[1], -0.25, rounding);
    assert_close(l[2], 0.2, rounding);
}

// Motion along u: l = t (1, -mu), t = (mu q_u - q_n) / (A_nn - 2 mu A_nu + mu^2 A_uu).
static void sliding_along_one_axis_follows_the_closed_form(void **state) {
    (void)state;
    const double coupling[3] = {0.5, 0.0, -0.5};
    for (int k = 0; k < 3; k++) {
        double c = coupling[k], mu = 0.4, l[3] = {0.0};
        const double A[9] = {1.0, c, 0.0, c, 2.0, 0.0, 0.0, 0.0, 2.0}, q[3] = {-1.0, 9.0, 0.0};
        assert_true(vs_one_cone_solve(A, 3, q, mu, l));
        assert_close(l[0], (mu * 9.0 + 1.0) / (1.0 - 2.0 * mu * c + mu * mu * 2.0), rounding);
        assert_close(l[1], -mu * l[0], rounding);
        assert_close(l[2], 0.0, rounding);
    }
}

// ---- random contacts -------------------------------------------------------------------------------

static void random_contacts_are_solved_from_any_guess(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 60000; k++) {
        double A[9], q[3], l[3] = {0.0}, mu = draw_friction(&seed);
        draw_matrix(&seed, k % 2 ? 1.0 : 1e-3, A);
        if (k % 4 >= 2)
            add_skew(&seed, A);
        for (int i = 0; i < 3; i++) {
            q[i] = random_in(&seed, -1, 1);
            l[i] = k % 3 ? random_in(&seed, -1, 1) : 0.0;
        }
        // positive definite: one solution, whatever the guess
        double cold[3] = {0.0};
        assert_solved(A, q, mu, l, conditioned);
        assert_solved(A, q, mu, cold, conditioned);
        // Lipschitz in q with 1 / the least eigenvalue, at least 1e-3: roundoff / 1e-3, and l's size as much
        for (int i = 0; i < 3; i++)
            assert_close(l[i], cold[i], 1e-9 * (1.0 + fabs(l[0])));
    }
}

static void anisotropic_contacts_are_solved(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 40000; k++) {
        double A[9], d[3], q[3], l[3] = {0.0}, mu = draw_friction(&seed);
        draw_matrix(&seed, 0.01, A);
        for (int i = 0; i < 3; i++)
            d[i] = pow(10.0, 1.5 * random_in(&seed, -1, 1));
        for (int i = 0; i < 9; i++)
            A[i] *= d[i / 3] * d[i % 3];
        for (int i = 0; i < 3; i++)
            q[i] = random_in(&seed, -1, 1) * d[i];
        assert_solved(A, q, mu, l, conditioned);
    }
}

// No other point of the cone is lower.
static void the_solution_is_the_minimum(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 2000; k++) {
        double A[9], q[3], l[3] = {0.0}, mu = draw_friction(&seed);
        draw_matrix(&seed, 0.1, A);
        for (int i = 0; i < 3; i++)
            q[i] = random_in(&seed, -1, 1);
        assert_solved(A, q, mu, l, conditioned);
        double least = objective(A, q, l), size = 1.0 + fabs(least);
        for (int j = 0; j < 50; j++) {
            double far = pow(10.0, -3.0 + 3.0 * random_in(&seed, -1, 1)), x[3];
            for (int i = 0; i < 3; i++)
                x[i] = l[i] + far * random_in(&seed, -1, 1);
            vs_friction_project(mu, x, x);
            assert_true(objective(A, q, x) >= least - rounding * size);
        }
    }
}

// The multiplier at which A - sigma J is singular: the equation that determines w there divides 0 by 0. With A = J-like
// diagonal (a, b, b) and q_n = 0 that is so for every q_T, and half of them around it a little off.
static void the_singular_multiplier_is_no_obstacle(void **state) {
    (void)state;
    uint64_t seed = 4;
    const double off[5] = {0.0, 1e-300, 1e-16, -1e-16, 1e-9};
    for (int k = 0; k < 10000; k++) {
        double mu = draw_friction(&seed), b = 0.1 + fabs(random_in(&seed, -1, 1)), l[3] = {0.0};
        const double A[9] = {1.0, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, k % 2 ? b : 3.0 * b};
        const double q[3] = {off[k % 5], random_in(&seed, -1, 1), random_in(&seed, -1, 1)};
        assert_solved(A, q, mu, l, conditioned);
        assert_true(l[0] > 0.0);
    }
}

// Known solutions at the kinks: s = 0 on the cone, l = 0 on the dual cone, and a little to either side.
static void contacts_at_the_kinks_are_solved(void **state) {
    (void)state;
    uint64_t seed = 5;
    const double beyond[5] = {0.0, 1e-15, -1e-15, 1e-9, -1e-9};
    for (int k = 0; k < 20000; k++) {
        double A[9], q[3], l[3] = {0.0}, mu = draw_friction(&seed), angle = 4.0 * random_in(&seed, -1, 1);
        double edge = mu * (1.0 + beyond[k % 5]), t = k % 2 ? 1.0 : 0.0;
        const double x[3] = {t, t * edge * cos(angle), t * edge * sin(angle)}, none[3] = {0.0};
        draw_matrix(&seed, 0.1, A);
        find_velocity(A, none, x, q);
        for (int i = 0; i < 3; i++)
            q[i] = -q[i];
        if (k % 2 == 0) {
            q[0] = edge;
            q[1] = cos(angle);
            q[2] = sin(angle);
        }
        assert_solved(A, q, mu, l, conditioned);
    }
}

// ---- units, layout, degenerate ---------------------------------------------------------------------

static void units_do_not_matter(void **state) {
    (void)state;
    check_units(vs_one_cone_solve, 6);
}

static void the_leading_dimension_is_respected(void **state) {
    (void)state;
    check_leading_dimension(vs_one_cone_solve, 7);
}

// A body that cannot move along w; one whose two tangential motions are the same.
static void a_singular_matrix_is_no_obstacle(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (int k = 0; k < 4000; k++) {
        double mu = draw_friction(&seed), t = fabs(random_in(&seed, -1, 1)) + 0.1, c = 0.3 * random_in(&seed, -1, 1),
               slip = random_in(&seed, -1, 1);
        const double planar[9] = {1.0, c, 0.0, c, t, 0.0, 0.0, 0.0, 0.0};
        const double turned[9] = {1.0, c, c, c, t, t, c, t, t};
        double q[3] = {-1.0, slip, 0.0}, p[3] = {-1.0, slip, slip}, l[3] = {0.0}, x[3] = {0.0};
        assert_solved(planar, q, mu, l, conditioned);
        assert_solved(turned, p, mu, x, conditioned);
    }
}

// What cannot be solved leaves a point of the cone, and says so.
static void a_matrix_without_solution_is_reported(void **state) {
    (void)state;
    const double matrices[2][9] = {{-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0}, {0.0}};
    for (int m = 0; m < 2; m++)
        check_unsolvable(vs_one_cone_solve, matrices[m], rounding);
}

static void a_guess_that_is_no_number_does_no_harm(void **state) {
    (void)state;
    const double A[9] = {2.0, 0.3, 0.1, 0.3, 4.0, 0.2, 0.1, 0.2, 5.0}, q[3] = {-2.0, 3.0, -1.0};
    double guesses[3][3] = {{NAN, NAN, NAN}, {INFINITY, -INFINITY, 1.0}, {1.0, NAN, 1e300}};
    for (int k = 0; k < 3; k++)
        assert_solved(A, q, 0.3, guesses[k], rounding);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_that_opens_fast_enough_has_no_impulse),
        cmocka_unit_test(a_contact_that_opens_too_slowly_is_braked),
        cmocka_unit_test(a_contact_inside_the_cone_sticks),
        cmocka_unit_test(sliding_along_one_axis_follows_the_closed_form),
        cmocka_unit_test(random_contacts_are_solved_from_any_guess),
        cmocka_unit_test(anisotropic_contacts_are_solved),
        cmocka_unit_test(the_solution_is_the_minimum),
        cmocka_unit_test(the_singular_multiplier_is_no_obstacle),
        cmocka_unit_test(contacts_at_the_kinks_are_solved),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(the_leading_dimension_is_respected),
        cmocka_unit_test(a_singular_matrix_is_no_obstacle),
        cmocka_unit_test(a_matrix_without_solution_is_reported),
        cmocka_unit_test(a_guess_that_is_no_number_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
