// Frequencies of clamped beams against beam theory: solids of tetrahedra and chains of beams.
#include "structures.h"
#include "kit/fixture.h"

static const double PI = 3.14159265358979323846;
static const vs_elastic_material SOLID = {"test", 1000, 1e6, 0, 0, 0}; // nu = 0: no spreading at the clamp

// Length 20, height 1 (z), width 1.5 (y): (1.8751)^2 sqrt(E I/(rho A L^4)) about y, lower than about z
static double euler_bending(void) {
    return 1.875104068711961 * 1.875104068711961 * sqrt(SOLID.young / 12 / SOLID.density) / 400;
}

// sqrt(E/rho) pi/(2 L): a quarter of a wave
static double axial(void) {
    return PI / 2 * sqrt(SOLID.young / SOLID.density) / 20;
}

// Frequencies of a box of tetrahedra: bending along z, and axial. Lumped or consistent mass.
static void box_frequencies(vs_context *context, int each, const int cells[3], bool lumped, double *bend,
                            double *along) {
    box b = make_box(each, cells[0], cells[1], cells[2], 20, 1.5, 1);
    b.elastic = vs_elastic_of(&SOLID, VS_ELASTIC_COROTATIONAL);
    b.density = SOLID.density;
    b.kind = VS_TANGENT_SEMIDEFINITE;
    structure s = make_clamped_box(context, &b);
    vs_linear_pattern pattern = vs_assembly_pattern(s.assembly);
    double *M = calloc((size_t)pattern.p[pattern.n], sizeof *M), *v = calloc((size_t)pattern.n, sizeof *v);
    if (lumped) {
        double *d = calloc((size_t)pattern.n, sizeof *d);
        for (int e = 0; e < b.elements; e++) {
            double X[30] = {0}, m[10];
            gather(&b, e, b.X, X);
            vs_tet_mass_lumped(each, X, b.density, m);
            for (int k = 0; k < 3 * each; k++)
                if (s.number[b.node[each * e + k / 3]] >= 0)
                    d[3 * s.number[b.node[each * e + k / 3]] + k % 3] += m[k / 3];
        }
        add_diagonal(s.assembly, d, M);
        free(d);
    } else {
        sum_matrix(&s, box_mass, &b, M);
    }
    sum_matrix(&s, box_element, &b, s.K);
    for (int axis = 2; axis >= 0; axis -= 2) {
        for (int k = 0; k < b.nodes; k++)
            for (int c = 0; c < 3 && s.number[k] >= 0; c++)
                v[3 * s.number[k] + c] = c != axis ? 0 : axis == 2 ? pow(b.X[3 * k], 2) : sin(PI / 40 * b.X[3 * k]);
        // Close to the axial mode there are none of bending alone with the same symmetry: the start is nearly the mode.
        double shift = axis == 2 ? 0 : .98 * axial() * axial();
        *(axis == 2 ? bend : along) = find_frequency(&s, s.K, M, shift, v);
    }
    free(M);
    free(v);
    free_structure(&s);
    free_box(&b);
}

static void test_10_nodes_give_bending_and_axial_frequencies(void **state) {
    const int coarse[3] = {10, 1, 1}, fine[3] = {20, 2, 1};
    double bend[3], along[3];
    box_frequencies(context_of(state), 10, coarse, false, &bend[0], &along[0]);
    box_frequencies(context_of(state), 10, fine, false, &bend[1], &along[1]);
    box_frequencies(context_of(state), 10, fine, true, &bend[2], &along[2]);
    for (int k = 1; k < 3; k++) {
        // Euler's theory leaves out shear and rotary inertia, 0.15 %; the lumped mass of elements of length 1 takes
        // 0.05 %
        assert_relative(bend[k], euler_bending(), .004);
        assert_relative(along[k], axial(), .001);
    }
    // Stiffness and consistent mass come from one field: frequencies fall to the true ones.
    assert_true(bend[1] < bend[0]);
    // With nu = 0 the axial mode is that of a rod; quadratic elements: error (pi/2/20)^4 and less
    assert_relative(along[1], axial(), 1e-5);
}

static void test_4_nodes_are_too_stiff_in_bending_but_not_along(void **state) {
    const int cells[3] = {20, 2, 1};
    double bend, along;
    box_frequencies(context_of(state), 4, cells, true, &bend, &along);
    assert_true(bend > 1.3 * euler_bending());
    assert_relative(along, axial(), .01);
}

static void test_chain_of_beams(void **state) {
    enum { N = 40 };
    vs_beam_section section = vs_beam_rectangular(1.5, 1, 0);
    chain c = make_chain(N, 20, vs_beam_stiffness_of(&SOLID, &section));
    structure s = make_clamped_chain(context_of(state), &c);
    vs_linear_pattern pattern = vs_assembly_pattern(s.assembly);
    vs_beam_mass node = vs_beam_mass_lumped(c.rest, &section, SOLID.density);
    double *M = calloc((size_t)pattern.p[pattern.n], sizeof *M), *d = calloc((size_t)pattern.n, sizeof *d);
    double *v = calloc((size_t)pattern.n, sizeof *v);
    for (int k = 0; k < pattern.n; k++)
        d[k] = (k >= pattern.n - 6 ? 1 : 2) * (k % 6 < 3 ? node.mass : node.inertia[k % 6 - 3]);
    add_diagonal(s.assembly, d, M);
    sum_matrix(&s, chain_element, &c, s.K);
    // bending along z, bending along y (1.5 times), axial, torsion (sqrt(GJ/(rho Ip)) instead of sqrt(E/rho))
    double torsion = PI / 40 * sqrt(.5 * SOLID.young * section.torsion / (SOLID.density * (section.Iy + section.Iz)));
    const double theory[4] = {euler_bending(), 1.5 * euler_bending(), axial(), torsion};
    const int row[4] = {2, 1, 0, 3};
    for (int mode = 0; mode < 4; mode++) {
        for (int k = 0; k < pattern.n; k++)
            v[k] = k % 6 == row[mode] ? sin(PI / 2 * (k / 6 + 1) / N) : 0;
        // The axes do not couple: without a shift the lowest mode of the start's own kind is found.
        double w = find_frequency(&s, s.K, M, 0, v);
        // shear and rotary inertia: 0.15 % (h = 1), 0.35 % (h = 1.5); mesh: 0.03 %
        assert_relative(w, theory[mode], .005);
    }
    free(M);
    free(d);
    free(v);
    free_structure(&s);
    free_chain(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_10_nodes_give_bending_and_axial_frequencies),
        cmocka_unit_test(test_4_nodes_are_too_stiff_in_bending_but_not_along),
        cmocka_unit_test(test_chain_of_beams),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
