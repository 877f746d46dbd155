// Tetrahedra of 4 and 10 nodes, one by one: rigid motions, derivatives by differences, balance of forces and moments,
// mass, linear fields.
#include "numbers.h"

#include "element/tet.h"

static const vs_elastic_material SOLID = {"test", 1000, 1e6, .3, 0, 0};
static const vs_elastic_law LAWS[] = {VS_ELASTIC_COROTATIONAL, VS_ELASTIC_ST_VENANT, VS_ELASTIC_NEO_HOOKEAN};
static const int EDGE[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

typedef struct tet {
    int nodes;
    double X[30], rest[VS_TET_REST_MOST];
} tet;

// A tetrahedron of size 1, not regular; with `bulge` the middles of its edges are off the straight line.
static tet make_tet(int nodes, double bulge) {
    static const double corner[12] = {.1, 0, .05, 1.1, .1, 0, .2, .9, -.1, .3, .2, 1.05};
    tet t = {.nodes = nodes};
    uint64_t seed = 11;
    memcpy(t.X, corner, sizeof corner);
    for (int e = 0; e < 6 && nodes == 10; e++)
        for (int c = 0; c < 3; c++)
            t.X[12 + 3 * e + c] =
                .5 * (corner[3 * EDGE[e][0] + c] + corner[3 * EDGE[e][1] + c]) + bulge * random_in(&seed, -1, 1);
    assert_true(vs_tet_prepare(nodes, t.X, t.rest));
    return t;
}

enum { SHAPES = 3, STATES = 4 };
static tet shape(int k) {
    return k == 0 ? make_tet(4, 0) : make_tet(10, k == 1 ? 0 : .03);
}

// Positions: 0 small strains, 1 large ones, 2 inverted, 3 strongly sheared; all turned and moved.
static void positions(const tet *t, int kind, double *x) {
    uint64_t seed = 21 + (uint64_t)kind;
    vs_mat3 Q = random_rotation(&seed), D = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double noise = kind == 0 ? .01 : .1;
    if (kind == 2)
        D.a[0] = -.8;
    if (kind == 3)
        D.a[1] = 2;
    vs_mat3 A = vs_mat3_multiply(&Q, &D);
    for (int i = 0; i < t->nodes; i++) {
        vs_vec3 X = {t->X[3 * i], t->X[3 * i + 1], t->X[3 * i + 2]}, y = vs_mat3_apply(&A, X);
        x[3 * i] = y.x + noise * random_in(&seed, -1, 1) + 2;
        x[3 * i + 1] = y.y + noise * random_in(&seed, -1, 1) - 1;
        x[3 * i + 2] = y.z + noise * random_in(&seed, -1, 1);
    }
}

static double energy_at(const tet *t, const vs_elastic *elastic, const double *x) {
    double energy;
    vs_tet_evaluate(t->nodes, t->rest, x, elastic, VS_TANGENT_EXACT, &(vs_element_output){.energy = &energy});
    return energy;
}

static void force_at(const tet *t, const vs_elastic *elastic, const double *x, double *force) {
    vs_tet_evaluate(t->nodes, t->rest, x, elastic, VS_TANGENT_EXACT, &(vs_element_output){.force = force});
}

static void test_rigid_motions_are_free_of_strain(void **state) {
    (void)state;
    uint64_t seed = 31;
    for (int s = 0; s < SHAPES; s++)
        for (int repeat = 0; repeat < 200; repeat++) {
            tet t = shape(s);
            vs_pose pose = {vs_scale(10, random_vec(&seed, 1)), random_quat(&seed)};
            double x[30], force[30], energy, strain[6], stress[6];
            const double b[4] = {.1, .2, .3, .4};
            for (int i = 0; i < t.nodes; i++) {
                vs_vec3 y = vs_pose_apply(pose, (vs_vec3){t.X[3 * i], t.X[3 * i + 1], t.X[3 * i + 2]});
                x[3 * i] = y.x, x[3 * i + 1] = y.y, x[3 * i + 2] = y.z;
            }
            for (int law = 0; law < 3; law++) {
                vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
                vs_tet_evaluate(t.nodes, t.rest, x, &elastic, VS_TANGENT_EXACT,
                                &(vs_element_output){.energy = &energy, .force = force});
                // strains of 1e-12 at most; they come from positions of 10 m with roundoff 1e-15, areas are about 1
                assert_below(largest(force, 3 * t.nodes), 1e-12 * SOLID.young);
                // squares of strains; the neo-Hookean energy is a difference of terms of size E with roundoff 1e-16
                assert_below(fabs(energy), 1e-15 * SOLID.young);
                assert_true(vs_tet_stress(t.nodes, t.X, x, &elastic, b, strain, stress));
                assert_below(largest(strain, 6), 1e-12);
                assert_below(vs_von_mises(stress), 1e-12 * SOLID.young);
            }
        }
}

static void test_force_is_the_gradient_of_the_energy(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int law = 0; law < 3; law++)
            for (int kind = 0; kind < STATES; kind++) {
                tet t = shape(s);
                vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
                double x[30], force[30];
                positions(&t, kind, x);
                force_at(&t, &elastic, x, force);
                for (int k = 0; k < 3 * t.nodes; k++) {
                    const double step = 1e-5, middle = x[k];
                    x[k] = middle + step;
                    double plus = energy_at(&t, &elastic, x);
                    x[k] = middle - step;
                    double slope = (plus - energy_at(&t, &elastic, x)) / (2 * step);
                    x[k] = middle;
                    // energies up to 1e6 J: roundoff 1e-10/1e-5; truncation 1e-10 times third derivatives of 1e7 … 1e8
                    assert_below(fabs(slope + force[k]), 1e-7 * SOLID.young);
                }
            }
}

static void test_exact_tangent_is_the_gradient_of_the_force(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int law = 0; law < 3; law++)
            for (int kind = 0; kind < STATES; kind++) {
                tet t = shape(s);
                vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
                int n = 3 * t.nodes;
                double x[30], plus[30], minus[30], K[900];
                positions(&t, kind, x);
                vs_tet_evaluate(t.nodes, t.rest, x, &elastic, VS_TANGENT_EXACT, &(vs_element_output){.tangent = K});
                for (int k = 0; k < n; k++) {
                    const double step = 1e-5, middle = x[k];
                    x[k] = middle + step;
                    force_at(&t, &elastic, x, plus);
                    x[k] = middle - step;
                    force_at(&t, &elastic, x, minus);
                    x[k] = middle;
                    for (int i = 0; i < n; i++) {
                        // as above
                        assert_below(fabs((plus[i] - minus[i]) / (2 * step) + K[i * n + k]), 1e-6 * SOLID.young);
                        assert_true(K[i * n + k] == K[k * n + i]);
                    }
                }
            }
}

static void test_semidefinite_tangents_are_semidefinite(void **state) {
    (void)state;
    int indefinite = 0;
    for (int s = 0; s < SHAPES; s++)
        for (int law = 0; law < 3; law++)
            for (int kind = 0; kind < STATES; kind++) {
                tet t = shape(s);
                vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
                int n = 3 * t.nodes;
                double x[30], K[900], exact[900];
                positions(&t, kind, x);
                vs_tet_evaluate(t.nodes, t.rest, x, &elastic, VS_TANGENT_SEMIDEFINITE,
                                &(vs_element_output){.tangent = K});
                assert_true(least_eigenvalue(n, K) >= -1e-14); // roundoff of the largest eigenvalue
                vs_tet_evaluate(t.nodes, t.rest, x, &elastic, VS_TANGENT_EXACT, &(vs_element_output){.tangent = exact});
                indefinite += least_eigenvalue(n, exact) < -1e-3;
                // At rest both are the linear stiffness.
                double at_rest[900];
                vs_tet_evaluate(t.nodes, t.rest, t.X, &elastic, VS_TANGENT_SEMIDEFINITE,
                                &(vs_element_output){.tangent = K});
                vs_tet_evaluate(t.nodes, t.rest, t.X, &elastic, VS_TANGENT_EXACT,
                                &(vs_element_output){.tangent = at_rest});
                assert_below(largest_difference(K, at_rest, n * n), 1e-13 * largest(K, n * n));
            }
    assert_true(indefinite > 10);
}

static int count_zero_modes(int n, const double *K) {
    double work[900], value[30], V[900];
    int zero = 0;
    memcpy(work, K, (size_t)(n * n) * sizeof *work);
    vs_symmetric_eigen(n, work, value, V);
    for (int k = 0; k < n; k++)
        zero += fabs(value[k]) < 1e-10 * largest(value, n);
    return zero;
}

static void test_stiffness_has_the_six_rigid_modes_and_no_more(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        tet t = shape(s);
        vs_elastic elastic = vs_elastic_of(&SOLID, VS_ELASTIC_COROTATIONAL);
        double K[900];
        vs_tet_evaluate(t.nodes, t.rest, t.X, &elastic, VS_TANGENT_SEMIDEFINITE, &(vs_element_output){.tangent = K});
        assert_int_equal(count_zero_modes(3 * t.nodes, K), 6);
    }
}

static void test_inner_forces_have_no_resultant_and_no_moment(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int law = 0; law < 3; law++)
            for (int kind = 0; kind < STATES; kind++) {
                tet t = shape(s);
                vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
                double x[30], force[30];
                positions(&t, kind, x);
                force_at(&t, &elastic, x, force);
                vs_vec3 sum = VS_ZERO3, moment = VS_ZERO3;
                for (int i = 0; i < t.nodes; i++) {
                    vs_vec3 f = {force[3 * i], force[3 * i + 1], force[3 * i + 2]};
                    sum = vs_add(sum, f);
                    moment = vs_add(moment, vs_cross((vs_vec3){x[3 * i], x[3 * i + 1], x[3 * i + 2]}, f));
                }
                // roundoff of forces times positions of size 2; the inverted state's rotation has condition 10
                assert_below(vs_length(sum), 1e-13 * largest(force, 3 * t.nodes));
                assert_below(vs_length(moment), 1e-11 * largest(force, 3 * t.nodes));
            }
}

static void test_corotational_4_nodes_is_the_law_at_a_point(void **state) {
    (void)state;
    for (int kind = 0; kind < STATES; kind++) {
        tet t = shape(0);
        vs_elastic elastic = vs_elastic_of(&SOLID, VS_ELASTIC_COROTATIONAL);
        double x[30], force[12], energy, weight;
        positions(&t, kind, x);
        vs_tet_evaluate(4, t.rest, x, &elastic, VS_TANGENT_EXACT,
                        &(vs_element_output){.energy = &energy, .force = force});
        const double *g = vs_tet_point(4, t.rest, 0, &weight);
        vs_mat3 F = vs_tet_deformation(4, g, x), P = vs_elastic_stress(&elastic, &F);
        assert_relative(energy, weight * vs_elastic_energy(&elastic, &F), 1e-12); // roundoff
        for (int i = 0; i < 4; i++) {
            vs_vec3 f = vs_mat3_apply(&P, (vs_vec3){g[3 * i], g[3 * i + 1], g[3 * i + 2]});
            assert_below(fabs(force[3 * i] + weight * f.x), 1e-11 * largest(force, 12));
        }
    }
}

static void test_linear_fields_give_one_stress_everywhere(void **state) {
    (void)state;
    const vs_mat3 A = {{1.1, .2, 0, -.1, .9, .15, .05, 0, 1.05}};
    const double points[3][4] = {{.25, .25, .25, .25}, {.7, .1, .1, .1}, {0, .5, .5, 0}};
    for (int s = 0; s < SHAPES; s++) {
        tet t = shape(s);
        double x[30];
        for (int i = 0; i < t.nodes; i++) {
            vs_vec3 y = vs_mat3_apply(&A, (vs_vec3){t.X[3 * i], t.X[3 * i + 1], t.X[3 * i + 2]});
            x[3 * i] = y.x + 3, x[3 * i + 1] = y.y, x[3 * i + 2] = y.z;
        }
        for (int law = 0; law < 3; law++) {
            vs_elastic elastic = vs_elastic_of(&SOLID, LAWS[law]);
            double expected[6], strain[6], stress[6];
            assert_true(vs_elastic_cauchy(&elastic, &A, expected));
            for (int k = 0; k < 3; k++) {
                assert_true(vs_tet_stress(t.nodes, t.X, x, &elastic, points[k], strain, stress));
                assert_below(largest_difference(stress, expected, 6), 1e-12 * SOLID.young); // roundoff
            }
            assert_relative(energy_at(&t, &elastic, x), t.rest[0] * vs_elastic_energy(&elastic, &A), 1e-12);
        }
    }
}

static void test_mass_sums_and_closed_forms(void **state) {
    (void)state;
    const double density = 1000;
    for (int s = 0; s < SHAPES; s++) {
        tet t = shape(s);
        double M[100], m[10], total = density * vs_tet_volume(t.nodes, t.X), sum = 0, lumped = 0;
        vs_tet_mass(t.nodes, t.X, density, M);
        vs_tet_mass_lumped(t.nodes, t.X, density, m);
        for (int i = 0; i < t.nodes; i++) {
            assert_true(m[i] > 0);
            lumped += m[i];
            for (int j = 0; j < t.nodes; j++)
                sum += M[i * t.nodes + j];
        }
        assert_relative(sum, total, 1e-14); // roundoff of 100 terms
        assert_relative(lumped, total, 1e-14);
        assert_true(least_eigenvalue(t.nodes, M) > 1e-3); // definite
    }
    // Straight elements: integrals of b^a are 6 V a! b! c! d!/(3 + a + b + c + d)!
    tet four = shape(0), ten = shape(1);
    double M[100], m[10], mass = density * vs_tet_volume(4, four.X);
    assert_relative(vs_tet_volume(10, ten.X), mass / density, 1e-14);
    assert_relative(four.rest[0], mass / density, 1e-14);
    vs_tet_mass(4, four.X, density, M);
    assert_relative(M[0], mass / 10, 1e-13);
    assert_relative(M[1], mass / 20, 1e-13);
    vs_tet_mass_lumped(4, four.X, density, m);
    assert_relative(m[2], mass / 4, 1e-13);
    // the rule's 20 printed digits leave roundoff
    vs_tet_mass(10, ten.X, density, M);
    assert_relative(M[0], mass / 70, 1e-13);       // b0 (2 b0 - 1) squared
    assert_relative(M[1], mass / 420, 1e-13);      // two corners
    assert_relative(M[4], -mass / 105, 1e-13);     // corner and an edge at it
    assert_relative(M[5], -mass / 70, 1e-13);      // corner and an edge away from it
    assert_relative(M[44], mass * 8 / 105, 1e-13); // an edge
    assert_relative(M[45], mass * 4 / 105, 1e-13); // edges 01 and 12
    vs_tet_mass_lumped(10, ten.X, density, m);
    assert_relative(m[0] / m[4], (1. / 70) / (8. / 105), 1e-13);
}

static void test_flat_and_inverted_rest_shapes_are_refused(void **state) {
    (void)state;
    double rest[VS_TET_REST_MOST];
    tet t = make_tet(4, 0), ten = make_tet(10, 0);
    double flat[12], turned[12];
    memcpy(flat, t.X, sizeof flat);
    memcpy(turned, t.X, sizeof turned);
    memcpy(flat + 9, flat + 6, 3 * sizeof(double));
    memcpy(turned + 9, t.X + 6, 3 * sizeof(double));
    memcpy(turned + 6, t.X + 9, 3 * sizeof(double));
    assert_false(vs_tet_prepare(4, flat, rest));
    assert_false(vs_tet_prepare(4, turned, rest));
    assert_true(vs_tet_volume(4, turned) < 0);
    ten.X[12] += 3; // an edge pulled through the element
    assert_false(vs_tet_prepare(10, ten.X, rest));
    ten.X[0] = NAN;
    assert_false(vs_tet_prepare(10, ten.X, rest));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_motions_are_free_of_strain),
        cmocka_unit_test(test_force_is_the_gradient_of_the_energy),
        cmocka_unit_test(test_exact_tangent_is_the_gradient_of_the_force),
        cmocka_unit_test(test_semidefinite_tangents_are_semidefinite),
        cmocka_unit_test(test_stiffness_has_the_six_rigid_modes_and_no_more),
        cmocka_unit_test(test_inner_forces_have_no_resultant_and_no_moment),
        cmocka_unit_test(test_corotational_4_nodes_is_the_law_at_a_point),
        cmocka_unit_test(test_linear_fields_give_one_stress_everywhere),
        cmocka_unit_test(test_mass_sums_and_closed_forms),
        cmocka_unit_test(test_flat_and_inverted_rest_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
