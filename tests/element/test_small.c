// Small dense algebra: eigenvalues, semidefinite parts, nearest rotations, also of flat and inverted deformations.
#include "numbers.h"

static void random_symmetric(int n, uint64_t *seed, double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            A[i * n + j] = A[j * n + i] = random_in(seed, -1, 1);
}

static void test_eigenvalues_rebuild_the_matrix(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int n = 1; n <= 30; n++) {
        double A[900], work[900], value[30], V[900];
        random_symmetric(n, &seed, A);
        memcpy(work, A, sizeof A);
        vs_symmetric_eigen(n, work, value, V);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0, inner = 0;
                for (int k = 0; k < n; k++) {
                    sum += V[i * n + k] * value[k] * V[j * n + k];
                    inner += V[k * n + i] * V[k * n + j];
                }
                // backward stable: n times the unit roundoff times |A| ~ sqrt(n)
                assert_below(fabs(sum - A[i * n + j]), 1e-13);
                assert_below(fabs(inner - (i == j)), 1e-13);
            }
    }
}

static void test_eigenvalues_of_special_matrices(void **state) {
    (void)state;
    double zero[16] = {0}, value[4], V[16];
    vs_symmetric_eigen(4, zero, value, V);
    assert_true(largest(value, 4) == 0);
    double wrong[4] = {NAN, 1, 1, 0}; // ends, whatever it gives
    vs_symmetric_eigen(2, wrong, value, V);
    double scaled[4] = {2e200, 1e200, 1e200, 2e200};
    vs_symmetric_eigen(2, scaled, value, V);
    assert_relative(fmax(value[0], value[1]), 3e200, 1e-15);
}

static void test_semidefinite_part_cuts_negative_eigenvalues_only(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int n = 2; n <= 30; n += 7) {
        double A[900], P[900], minus[900], scale[30], sum = 0;
        random_symmetric(n, &seed, A);
        memcpy(P, A, sizeof A);
        vs_semidefinite_part(n, P, NULL);
        assert_true(least_eigenvalue(n, P) >= -1e-14); // roundoff of the largest
        // Moreau: A = P - Q with P, Q semidefinite and P:Q = 0 only for the nearest P
        for (int k = 0; k < n * n; k++)
            minus[k] = P[k] - A[k];
        assert_true(least_eigenvalue(n, minus) >= -1e-14);
        for (int k = 0; k < n * n; k++)
            sum += P[k] * minus[k];
        assert_below(fabs(sum), 1e-12 * n); // of n^2 terms of size 1
        // a semidefinite matrix stays, with any scale
        for (int k = 0; k < n; k++)
            scale[k] = exp(3 * random_in(&seed, -1, 1));
        memcpy(A, P, sizeof A);
        vs_semidefinite_part(n, P, scale);
        assert_below(largest_difference(A, P, n * n), 1e-14 * exp(12) * largest(A, n * n)); // spread of scale^2
    }
}

static void test_semidefinite_part_does_not_depend_on_units(void **state) {
    (void)state;
    double A[4] = {1, 3, 3, 2}, B[4] = {1, 3e-3, 3e-3, 2e-6}, scale[2] = {1, 1e-3};
    vs_semidefinite_part(2, A, NULL);
    vs_semidefinite_part(2, B, scale);
    assert_relative(B[1], 1e-3 * A[1], 1e-14);
    assert_relative(B[3], 1e-6 * A[3], 1e-14);
}

// U diag(s) V'
static vs_mat3 with_singular_values(const vs_mat3 *U, double s0, double s1, double s2, const vs_mat3 *V) {
    vs_mat3 s = {{s0, 0, 0, 0, s1, 0, 0, 0, s2}}, t = vs_mat3_transpose(V), a = vs_mat3_multiply(U, &s);
    return vs_mat3_multiply(&a, &t);
}

static void test_nearest_rotation_is_the_polar_factor(void **state) {
    (void)state;
    const double s[][3] = {{1, 1, 1},    {2, 1, .5},   {1e3, 1, 1e-3}, {1, 1, 0},          {2, 1, -.5},
                           {3, 2, -1.9}, {1, 1e-6, 0}, {2, 2, 1},      {1e-8, 1e-8, 1e-8}, {1e8, 2e8, 3e8}};
    uint64_t seed = 3;
    for (size_t k = 0; k < sizeof s / sizeof s[0]; k++)
        for (int repeat = 0; repeat < 20; repeat++) {
            vs_mat3 U = random_rotation(&seed), V = random_rotation(&seed), Vt = vs_mat3_transpose(&V);
            vs_mat3 F = with_singular_values(&U, s[k][0], s[k][1], s[k][2], &V);
            vs_mat3 R = vs_nearest_rotation(&F), expected = vs_mat3_multiply(&U, &Vt);
            // The rotation's condition is |F| over the sum of the two smallest singular values (signed).
            double condition = s[k][0] / (s[k][1] + s[k][2]);
            assert_below(largest_difference(R.a, expected.a, 9), 2e-15 * fmax(condition, 1) + 1e-15);
            assert_relative(vs_mat3_determinant(&R), 1, 1e-14);
        }
}

static void test_nearest_rotation_where_it_is_not_unique(void **state) {
    (void)state;
    const vs_mat3 cases[] = {{{0}}, {{1, 0, 0, 0, 1, 0, 0, 0, -1}}, {{-1, 0, 0, 0, -1, 0, 0, 0, -1}}, {{1, 0, 0}}};
    for (int k = 0; k < 4; k++) {
        vs_mat3 R = vs_nearest_rotation(&cases[k]), t = vs_mat3_transpose(&R), RtR = vs_mat3_multiply(&t, &R);
        const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        assert_below(largest_difference(RtR.a, one, 9), 1e-14); // still a rotation
        assert_relative(vs_mat3_determinant(&R), 1, 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvalues_rebuild_the_matrix),
        cmocka_unit_test(test_eigenvalues_of_special_matrices),
        cmocka_unit_test(test_semidefinite_part_cuts_negative_eigenvalues_only),
        cmocka_unit_test(test_semidefinite_part_does_not_depend_on_units),
        cmocka_unit_test(test_nearest_rotation_is_the_polar_factor),
        cmocka_unit_test(test_nearest_rotation_where_it_is_not_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
