// One contact: lift off, stick and slide against closed forms, and random ones checked by the natural map
// l - P_K(l - ybar / a) with ybar = y + (mu |y_T|, 0, 0), which vanishes exactly at a solution.
#include "one_group.h"
#include "solver/impulse/one_contact.h"

// ---- what the tests share --------------------------------------------------------------------------

// q such that l is a solution with the velocity y
static void set_free_velocity(const double A[9], const double *l, const double *y, double *q) {
    for (int i = 0; i < 3; i++)
        q[i] = y[i] - (A[3 * i] * l[0] + A[3 * i + 1] * l[1] + A[3 * i + 2] * l[2]);
}

static void assert_solved(const double A[9], const double *q, double mu, double *l, double within) {
    check_solved((one_law){vs_one_contact_solve, true}, A, q, mu, l, within);
}

// A few operations on numbers of size 1.
static const double rounding = 1e-14;
// The same where A's condition (up to about 1e4 here) takes digits.
static const double conditioned = 1e-11;

// ---- closed forms ----------------------------------------------------------------------------------

static void a_contact_that_opens_has_no_impulse(void **state) {
    (void)state;
    const double A[9] = {1.0, 0.3, 0.1, 0.3, 2.0, 0.2, 0.1, 0.2, 1.5};
    const double normal[3] = {0.0, 1e-300, 2.0};
    for (int k = 0; k < 3; k++) {
        double q[3] = {normal[k], -3.0, 4.0}, l[3] = {1.0, 0.2, 0.1};
        assert_true(vs_one_contact_solve(A, 3, q, 0.5, l));
        assert_true(l[0] == 0.0 && l[1] == 0.0 && l[2] == 0.0);
    }
}

static void a_contact_inside_the_cone_sticks(void **state) {
    (void)state;
    const double A[9] = {2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 5.0}, q[3] = {-2.0, 1.0, -1.0};
    double l[3] = {0.0};
    assert_true(vs_one_contact_solve(A, 3, q, 0.5, l));
    assert_close(l[0], 1.0, rounding);
    assert_close(l[1], -0.25, rounding);
    assert_close(l[2], 0.2, rounding);
}

static void a_sphere_slides_against_its_free_velocity(void **state) {
    (void)state;
    const double A[9] = {2.0, 0.0, 0.0, 0.0, 7.0, 0.0, 0.0, 0.0, 7.0}, q[3] = {-4.0, 3.0, -4.0};
    double l[3] = {0.0}, mu = 0.1;
    assert_true(vs_one_contact_solve(A, 3, q, mu, l));
    assert_close(l[0], 2.0, rounding);
    assert_close(l[1], -0.6 * mu * 2.0, rounding);
    assert_close(l[2], 0.8 * mu * 2.0, rounding);
}

// Motion along u with coupling: y_n = 0 and l_u = -mu l_n give l_n = -q_n / (A_nn - mu A_nu).
static void friction_that_lifts_or_presses_changes_the_normal_impulse(void **state) {
    (void)state;
    const double coupling[2] = {0.5, -0.5};
    for (int k = 0; k < 2; k++) {
        double c = coupling[k], mu = 0.4, l[3] = {0.0};
        const double A[9] = {1.0, c, 0.0, c, 2.0, 0.0, 0.0, 0.0, 2.0}, q[3] = {-1.0, 9.0, 0.0};
        assert_true(vs_one_contact_solve(A, 3, q, mu, l));
        assert_close(l[0], 1.0 / (1.0 - mu * c), rounding);
        assert_close(l[1], -mu * l[0], rounding);
        assert_close(l[2], 0.0, rounding);
    }
}

// ---- random contacts -------------------------------------------------------------------------------

static void random_contacts_are_solved_from_any_guess(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 40000; k++) {
        double A[9], q[3], l[3] = {0.0}, mu = draw_friction(&seed);
        draw_matrix(&seed, k % 2 ? 1.0 : 1e-3, A);
        if (k % 4 >= 2)
            add_skew(&seed, A);
        for (int i = 0; i < 3; i++) {
            q[i] = random_in(&seed, -1, 1);
            l[i] = k % 3 ? random_in(&seed, -1, 1) : 0.0;
        }
        assert_solved(A, q, mu, l, conditioned);
    }
}

static void anisotropic_contacts_are_solved(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 20000; k++) {
        double A[9], d[3], q[3], l[3] = {0.0}, mu = draw_friction(&seed);
        draw_matrix(&seed, 0.1, A);
        for (int i = 0; i < 3; i++)
            d[i] = pow(10.0, random_in(&seed, -1, 1));
        for (int i = 0; i < 9; i++)
            A[i] *= d[i / 3] * d[i % 3];
        for (int i = 0; i < 3; i++)
            q[i] = random_in(&seed, -1, 1) * d[i];
        assert_solved(A, q, mu, l, conditioned);
    }
}

// Sliding with s = 0 exactly, a little on this side and on the other.
static void contacts_between_stick_and_slide_are_solved(void **state) {
    (void)state;
    uint64_t seed = 3;
    const double beyond[5] = {0.0, 1e-15, -1e-15, 1e-9, -1e-9};
    for (int k = 0; k < 20000; k++) {
        double A[9], q[3], l[3] = {0.0}, mu = draw_friction(&seed), angle = 4.0 * random_in(&seed, -1, 1);
        double edge = mu * (1.0 + beyond[k % 5]);
        const double x[3] = {1.0, edge * cos(angle), edge * sin(angle)}, rest[3] = {0.0};
        draw_matrix(&seed, 0.1, A);
        set_free_velocity(A, x, rest, q);
        // At a kink, digits are lost twice.
        assert_solved(A, q, mu, l, 1e-10);
    }
}

// A solution of which the guess is right stays; the same from nothing, if mu is so small that there is one only.
static void a_known_sliding_contact_is_found(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < 10000; k++) {
        double A[9], q[3], mu = 0.2 * fabs(random_in(&seed, -1, 1)) + 1e-3, angle = 4.0 * random_in(&seed, -1, 1);
        double c = cos(angle), s = sin(angle), slip = pow(10.0, 3.0 * random_in(&seed, -1, 1));
        const double x[3] = {1.0, -mu * c, -mu * s}, y[3] = {0.0, slip * c, slip * s};
        draw_matrix(&seed, 1.0, A);
        set_free_velocity(A, x, y, q);
        double from_x[3] = {x[0], x[1], x[2]}, from_zero[3] = {0.0};
        assert_solved(A, q, mu, from_x, conditioned);
        assert_solved(A, q, mu, from_zero, conditioned);
        for (int i = 0; i < 3; i++) {
            // q's rounding, slip eps, is up to 1000 eps of l's size
            assert_close(from_x[i], x[i], 1e-11);
            assert_close(from_zero[i], x[i], 1e-11);
        }
    }
}

// ---- units, layout, degenerate ---------------------------------------------------------------------

static void units_do_not_matter(void **state) {
    (void)state;
    check_units(vs_one_contact_solve, 5);
}

static void the_leading_dimension_is_respected(void **state) {
    (void)state;
    check_leading_dimension(vs_one_contact_solve, 6);
}

// A body that cannot move along w; one whose two tangential motions are the same.
static void a_singular_matrix_is_no_obstacle(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < 2000; k++) {
        double mu = draw_friction(&seed), t = fabs(random_in(&seed, -1, 1)) + 0.1, c = 0.3 * random_in(&seed, -1, 1),
               slip = random_in(&seed, -1, 1);
        const double planar[9] = {1.0, c, 0.0, c, t, 0.0, 0.0, 0.0, 0.0};
        const double turned[9] = {1.0, c, c, c, t, t, c, t, t};
        double q[3] = {-1.0, slip, 0.0}, p[3] = {-1.0, slip, slip}, l[3] = {0.0}, x[3] = {0.0};
        assert_solved(planar, q, mu, l, conditioned);
        assert_solved(turned, p, mu, x, conditioned);
    }
}

// y_n = q_n - l_n cannot be made nonnegative.
static void a_matrix_without_solution_is_reported(void **state) {
    (void)state;
    const double A[9] = {-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    check_unsolvable(vs_one_contact_solve, A, rounding);
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
        cmocka_unit_test(a_contact_that_opens_has_no_impulse),
        cmocka_unit_test(a_contact_inside_the_cone_sticks),
        cmocka_unit_test(a_sphere_slides_against_its_free_velocity),
        cmocka_unit_test(friction_that_lifts_or_presses_changes_the_normal_impulse),
        cmocka_unit_test(random_contacts_are_solved_from_any_guess),
        cmocka_unit_test(anisotropic_contacts_are_solved),
        cmocka_unit_test(contacts_between_stick_and_slide_are_solved),
        cmocka_unit_test(a_known_sliding_contact_is_found),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(the_leading_dimension_is_respected),
        cmocka_unit_test(a_singular_matrix_is_no_obstacle),
        cmocka_unit_test(a_matrix_without_solution_is_reported),
        cmocka_unit_test(a_guess_that_is_no_number_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
