// Elastic laws at a point: derivatives by differences, linear elasticity at small strains, frame indifference,
// projection, Cauchy and von Mises stress against closed forms.
#include "numbers.h"

static const vs_elastic_material SOLID = {"test", 1000, 1e6, .3, 0, 0};
static const vs_elastic_law LAWS[] = {VS_ELASTIC_COROTATIONAL, VS_ELASTIC_ST_VENANT, VS_ELASTIC_NEO_HOOKEAN};

enum { SAMPLES = 40 };

// Deformations of all kinds: near rest, turned, sheared, flattened, inverted.
static vs_mat3 sample(int k) {
    uint64_t seed = 100 + (uint64_t)k;
    vs_mat3 U = random_rotation(&seed), D = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int j = 0; j < 9; j++)
        D.a[j] += (k % 4 == 0 ? .05 : .6) * random_in(&seed, -1, 1);
    if (k % 4 == 2)
        for (int j = 0; j < 3; j++)
            D.a[3 * j] *= -.7; // inverted
    if (k % 4 == 3)
        D.a[1] += 2; // strong shear
    return vs_mat3_multiply(&U, &D);
}

static void test_stress_is_the_gradient_of_the_energy(void **state) {
    (void)state;
    for (int law = 0; law < 3; law++)
        for (int k = 0; k < SAMPLES; k++) {
            vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
            vs_mat3 F = sample(k), P = vs_elastic_stress(&elastic, &F);
            for (int j = 0; j < 9; j++) {
                const double step = 1e-5;
                vs_mat3 plus = F, minus = F;
                plus.a[j] += step, minus.a[j] -= step;
                double slope = (vs_elastic_energy(&elastic, &plus) - vs_elastic_energy(&elastic, &minus)) / (2 * step);
                // energies of 1e6 Pa: roundoff 1e-10/1e-5, truncation step^2 times third derivatives of 1e7
                assert_below(fabs(slope - P.a[j]), 1e-7 * SOLID.young);
            }
        }
}

static void test_tangent_is_the_gradient_of_the_stress(void **state) {
    (void)state;
    for (int law = 0; law < 3; law++)
        for (int k = 0; k < SAMPLES; k++) {
            vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
            vs_mat3 F = sample(k);
            double C[81];
            vs_elastic_tangent(&elastic, &F, VS_TANGENT_EXACT, C);
            for (int j = 0; j < 9; j++) {
                const double step = 1e-5;
                vs_mat3 plus = F, minus = F;
                plus.a[j] += step, minus.a[j] -= step;
                vs_mat3 P = vs_elastic_stress(&elastic, &plus), Q = vs_elastic_stress(&elastic, &minus);
                for (int i = 0; i < 9; i++)
                    // as above; the corotational law bends more sharply where two singular values cancel
                    assert_below(fabs((P.a[i] - Q.a[i]) / (2 * step) - C[9 * i + j]), 1e-6 * SOLID.young);
            }
        }
}

static void test_tangents_are_symmetric_and_the_projected_ones_semidefinite(void **state) {
    (void)state;
    int indefinite[3] = {0};
    for (int law = 0; law < 3; law++)
        for (int k = 0; k < SAMPLES; k++) {
            vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
            vs_mat3 F = sample(k);
            double exact[81], cut[81], nearest[81];
            vs_elastic_tangent(&elastic, &F, VS_TANGENT_EXACT, exact);
            vs_elastic_tangent(&elastic, &F, VS_TANGENT_SEMIDEFINITE, cut);
            for (int i = 0; i < 9; i++)
                for (int j = 0; j < i; j++) {
                    assert_below(fabs(exact[9 * i + j] - exact[9 * j + i]), 1e-13 * largest(exact, 81)); // roundoff
                    assert_below(fabs(cut[9 * i + j] - cut[9 * j + i]), 1e-13 * largest(cut, 81));
                }
            assert_true(least_eigenvalue(9, cut) >= -1e-14);
            indefinite[law] += least_eigenvalue(9, exact) < -1e-3;
            // Two ways to the nearest semidefinite matrix: blocks in the basis of F, and all 81 entries at once.
            memcpy(nearest, exact, sizeof exact);
            vs_semidefinite_part(9, nearest, NULL);
            if (LAWS[law] != VS_ELASTIC_COROTATIONAL)
                assert_below(largest_difference(nearest, cut, 81), 1e-13 * largest(exact, 81));
        }
    for (int law = 0; law < 3; law++) // else nothing was cut, and the test proves nothing
        assert_true(indefinite[law] > 5);
}

static void test_all_laws_are_hooke_at_small_strains(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int law = 0; law < 3; law++) {
        vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
        const double size = 1e-7;
        double e[9], C[81];
        vs_mat3 F = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
        for (int k = 0; k < 9; k++)
            F.a[k] += size * (e[k] = random_in(&seed, -1, 1));
        vs_mat3 P = vs_elastic_stress(&elastic, &F);
        for (int k = 0; k < 9; k++) {
            double strain = .5 * (e[k] + e[3 * (k % 3) + k / 3]);
            double hooke = 2 * elastic.mu * strain + (k % 4 == 0 ? elastic.lambda * (e[0] + e[4] + e[8]) : 0);
            // terms of second order are 1e-7 of these, times a few
            assert_below(fabs(P.a[k] / size - hooke), 1e-6 * SOLID.young);
        }
        F = (vs_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
        for (int kind = 0; kind < 2; kind++) {
            vs_elastic_tangent(&elastic, &F, (vs_tangent_kind)kind, C);
            assert_relative(C[0], elastic.lambda + 2 * elastic.mu, 1e-14); // roundings
            assert_relative(C[4], elastic.lambda, 1e-14);
            assert_relative(C[9 + 3], elastic.mu, 1e-14);
        }
    }
}

static void test_turning_the_body_turns_the_stress(void **state) {
    (void)state;
    for (int law = 0; law < 3; law++)
        for (int k = 0; k < SAMPLES; k++) {
            uint64_t seed = 7 + (uint64_t)k;
            vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
            vs_mat3 F = sample(k), Q = random_rotation(&seed), QF = vs_mat3_multiply(&Q, &F);
            vs_mat3 P = vs_elastic_stress(&elastic, &F), QP = vs_mat3_multiply(&Q, &P);
            vs_mat3 turned = vs_elastic_stress(&elastic, &QF);
            // roundoff, times the condition of the rotation (at most 100 in these samples)
            assert_below(largest_difference(turned.a, QP.a, 9), 1e-12 * SOLID.young);
        }
}

static void test_cauchy_stress_of_simple_states(void **state) {
    (void)state;
    uint64_t seed = 9;
    vs_mat3 Q = random_rotation(&seed), t = vs_mat3_transpose(&Q), one = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int law = 0; law < 3; law++) {
        vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
        // A pull by 1e-6 with free sides, in turned axes: sigma_xx = E e, all else 0; von Mises = E e
        const double e = 1e-6;
        vs_mat3 U = one, A, F;
        U.a[0] += e, U.a[4] -= SOLID.poisson * e, U.a[8] -= SOLID.poisson * e;
        A = vs_mat3_multiply(&Q, &U);
        F = vs_mat3_multiply(&A, &t);
        double stress[6], strain[6];
        assert_true(vs_elastic_cauchy(&elastic, &F, stress));
        assert_relative(vs_von_mises(stress), SOLID.young * e, 1e-5); // second order: a few times 1e-6
        assert_relative(stress[0] + stress[1] + stress[2], SOLID.young * e, 1e-5);
        vs_green_strain(&F, strain);
        assert_relative(strain[0] + strain[1] + strain[2], e * (1 - 2 * SOLID.poisson), 1e-5);
        vs_mat3 inverted = {{-1, 0, 0, 0, 1, 0, 0, 0, 1}};
        assert_false(vs_elastic_cauchy(&elastic, &inverted, stress));
        assert_true(largest(stress, 6) == 0);
    }
    // Neo-Hookean pull of 2 along x, sides kept: P = mu (F - cof F) + (lambda + mu)(J - 1) cof F by hand
    vs_elastic rubber = vs_elastic_of(&SOLID, VS_ELASTIC_NEO_HOOKEAN);
    vs_mat3 F = {{2, 0, 0, 0, 1, 0, 0, 0, 1}};
    double stress[6];
    assert_true(vs_elastic_cauchy(&rubber, &F, stress));
    double kappa = rubber.lambda + rubber.mu;
    assert_relative(stress[0], rubber.mu * (2 - 1) + kappa, 1e-15);
    assert_relative(stress[1], .5 * (rubber.mu * (1 - 2) + kappa * 2), 1e-15);
    const double shear[6] = {0, 0, 0, 0, 0, 3}, even[6] = {5, 5, 5, 0, 0, 0};
    assert_relative(vs_von_mises(shear), 3 * sqrt(3), 1e-15);
    assert_true(vs_von_mises(even) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress_is_the_gradient_of_the_energy),
        cmocka_unit_test(test_tangent_is_the_gradient_of_the_stress),
        cmocka_unit_test(test_tangents_are_symmetric_and_the_projected_ones_semidefinite),
        cmocka_unit_test(test_all_laws_are_hooke_at_small_strains),
        cmocka_unit_test(test_turning_the_body_turns_the_stress),
        cmocka_unit_test(test_cauchy_stress_of_simple_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
