// Beams: rigid motions, derivatives by differences, balance, sections, the elastica (Mattiasson's table),
// rolling up to a circle, and cables without bending stiffness.
#include "structures.h"
#include "kit/fixture.h"

#include "elastica.h"

static const vs_beam_stiffness STIFF = {{1e4, 4e3, 3e3}, {20, 30, 50}}; // N, N m^2: no symmetry to hide behind

// An element of length 0.7 and curved at rest, and poses that strain it; `wild`: relative turns up to 2.5 rad.
static vs_beam_rest make_rest(uint64_t *seed) {
    vs_pose pose[2] = {{{0, 0, 0}, random_quat(seed)}, {{.3, -.2, .6}, {0, 0, 0, 0}}};
    vs_quat small = vs_quat_exp(vs_scale(.3, random_vec(seed, 1)));
    pose[1].rotation = vs_quat_multiply(pose[0].rotation, small);
    vs_beam_rest rest;
    assert_true(vs_beam_prepare(pose, &rest));
    assert_relative(rest.length, .7, 1e-15);
    return rest;
}

static void make_poses(uint64_t *seed, double wild, vs_pose pose[2]) {
    pose[0] = (vs_pose){random_vec(seed, 1), random_quat(seed)};
    vs_vec3 turn = vs_scale(wild / sqrt(3), random_vec(seed, 1));
    pose[1].rotation = vs_quat_multiply(pose[0].rotation, vs_quat_exp(turn));
    pose[1].position = vs_add(pose[0].position, vs_scale(.7, random_vec(seed, 1)));
}

static void move_pose(vs_pose *pose, int k, double step) {
    double d[6] = {0};
    d[k] = step;
    pose->position = vs_add(pose->position, (vs_vec3){d[0], d[1], d[2]});
    pose->rotation = vs_quat_multiply(pose->rotation, vs_quat_exp((vs_vec3){d[3], d[4], d[5]}));
}

static double energy_at(const vs_beam_rest *rest, const vs_pose pose[2]) {
    double energy;
    vs_beam_evaluate(rest, &STIFF, pose, VS_TANGENT_EXACT, &(vs_element_output){.energy = &energy});
    return energy;
}

static void test_rigid_motions_are_free_of_strain(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int repeat = 0; repeat < 200; repeat++) {
        vs_pose rest_pose[2], moved[2], by = {vs_scale(10, random_vec(&seed, 1)), random_quat(&seed)};
        make_poses(&seed, 1, rest_pose);
        vs_beam_rest rest;
        assert_true(vs_beam_prepare(rest_pose, &rest));
        for (int k = 0; k < 2; k++)
            moved[k] = vs_pose_multiply(by, rest_pose[k]);
        if (repeat % 2) // q and -q are the same rotation
            moved[1].rotation =
                (vs_quat){-moved[1].rotation.w, -moved[1].rotation.x, -moved[1].rotation.y, -moved[1].rotation.z};
        double energy, force[12], section[6];
        vs_beam_evaluate(&rest, &STIFF, moved, VS_TANGENT_EXACT, &(vs_element_output){&energy, force, NULL});
        vs_beam_section_forces(&rest, &STIFF, moved, section);
        // strains below 1e-12: roundoff of positions of 10 m over lengths of 0.1 … 1 m
        assert_below(largest(force, 12), 1e-12 * 1e4);
        assert_below(largest(section, 6), 1e-12 * 1e4);
        assert_below(energy, 1e-20);
    }
}

static void test_force_is_the_gradient_of_the_energy(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int repeat = 0; repeat < 40; repeat++) {
        vs_beam_rest rest = make_rest(&seed);
        vs_pose pose[2];
        double force[12];
        make_poses(&seed, repeat % 4 == 0 ? 1e-6 : .7 * (repeat % 4), pose);
        vs_beam_evaluate(&rest, &STIFF, pose, VS_TANGENT_EXACT, &(vs_element_output){.force = force});
        for (int k = 0; k < 12; k++) {
            const double step = 1e-5;
            vs_pose plus[2] = {pose[0], pose[1]}, minus[2] = {pose[0], pose[1]};
            move_pose(&plus[k / 6], k % 6, step);
            move_pose(&minus[k / 6], k % 6, -step);
            double slope = (energy_at(&rest, plus) - energy_at(&rest, minus)) / (2 * step);
            // energies of 1e4 J: roundoff 1e-12/1e-5; truncation 1e-10 times third derivatives of 1e5
            assert_below(fabs(slope + force[k]), 2e-5);
        }
    }
}

// Along R exp(t) from one pose: energies at the four corners give every second derivative.
static void test_exact_tangent_is_the_second_derivative_of_the_energy(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int repeat = 0; repeat < 40; repeat++) {
        vs_beam_rest rest = make_rest(&seed);
        vs_pose pose[2];
        double K[144];
        make_poses(&seed, repeat % 4 == 0 ? 1e-6 : .7 * (repeat % 4), pose);
        vs_beam_evaluate(&rest, &STIFF, pose, VS_TANGENT_EXACT, &(vs_element_output){.tangent = K});
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++) {
                const double step = 1e-3;
                double sum = 0;
                for (int corner = 0; corner < 4; corner++) {
                    double si = corner & 1 ? step : -step, sj = corner & 2 ? step : -step, d[12] = {0};
                    vs_pose at[2];
                    d[i] += si, d[j] += sj;
                    for (int k = 0; k < 2; k++) {
                        const double *t = d + 6 * k;
                        at[k].position = vs_add(pose[k].position, (vs_vec3){t[0], t[1], t[2]});
                        at[k].rotation = vs_quat_multiply(pose[k].rotation, vs_quat_exp((vs_vec3){t[3], t[4], t[5]}));
                    }
                    sum += (si * sj > 0 ? 1 : -1) * energy_at(&rest, at);
                }
                // roundoff 1e4 * 1e-16/1e-6; truncation step^2 times fourth derivatives of 1e5
                assert_below(fabs(sum / (4 * step * step) - K[12 * i + j]), 1e-5 * STIFF.stretch[0] * 2);
                // K is summed in symmetric pairs
                assert_below(fabs(K[12 * i + j] - K[12 * j + i]), 1e-13 * STIFF.stretch[0]);
            }
    }
}

// d force/dt in body axes = -(K + [torque]/2 on the diagonal of a node's turns): a second way, sharper by four digits.
static void test_exact_tangent_is_the_gradient_of_the_force(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int repeat = 0; repeat < 40; repeat++) {
        vs_beam_rest rest = make_rest(&seed);
        vs_pose pose[2];
        double K[144], force[12];
        make_poses(&seed, repeat % 4 == 0 ? 1e-6 : .7 * (repeat % 4), pose);
        vs_beam_evaluate(&rest, &STIFF, pose, VS_TANGENT_EXACT, &(vs_element_output){.force = force, .tangent = K});
        for (int k = 0; k < 12; k++) {
            const double step = 1e-5;
            double plus[12], minus[12];
            vs_pose at[2] = {pose[0], pose[1]};
            move_pose(&at[k / 6], k % 6, step);
            vs_beam_evaluate(&rest, &STIFF, at, VS_TANGENT_EXACT, &(vs_element_output){.force = plus});
            at[k / 6] = pose[k / 6];
            move_pose(&at[k / 6], k % 6, -step);
            vs_beam_evaluate(&rest, &STIFF, at, VS_TANGENT_EXACT, &(vs_element_output){.force = minus});
            double extra[12] = {0};
            if (k % 6 >= 3) {
                double unit[3] = {0};
                unit[k % 3] = 1;
                const double *f = force + 6 * (k / 6) + 3;
                vs_vec3 skew = vs_cross((vs_vec3){f[0], f[1], f[2]}, (vs_vec3){unit[0], unit[1], unit[2]});
                double *to = extra + 6 * (k / 6) + 3;
                to[0] = .5 * skew.x, to[1] = .5 * skew.y, to[2] = .5 * skew.z;
            }
            for (int i = 0; i < 12; i++)
                // truncation 1e-10 times third derivatives of 1e5; roundoff 1e4 * 1e-16/1e-5
                assert_below(fabs((plus[i] - minus[i]) / (2 * step) + K[12 * i + k] - extra[i]), 1e-4);
        }
    }
}

static void test_semidefinite_tangent_and_balance(void **state) {
    (void)state;
    uint64_t seed = 5;
    int cut = 0;
    for (int repeat = 0; repeat < 40; repeat++) {
        vs_beam_rest rest = make_rest(&seed);
        vs_pose pose[2];
        double K[144], force[12], exact[144];
        make_poses(&seed, repeat % 4 == 0 ? 1e-6 : .7 * (repeat % 4), pose);
        vs_beam_evaluate(&rest, &STIFF, pose, VS_TANGENT_SEMIDEFINITE,
                         &(vs_element_output){.force = force, .tangent = K});
        vs_beam_evaluate(&rest, &STIFF, pose, VS_TANGENT_EXACT, &(vs_element_output){.tangent = exact});
        assert_true(least_eigenvalue(12, K) >= -1e-13); // roundoff
        cut += least_eigenvalue(12, exact) < -1e-3;
        // Forces in world axes, torques in body axes: no resultant, no moment.
        vs_vec3 sum = VS_ZERO3, moment = VS_ZERO3;
        for (int k = 0; k < 2; k++) {
            const double *f = force + 6 * k;
            vs_vec3 F = {f[0], f[1], f[2]};
            sum = vs_add(sum, F);
            moment = vs_add(moment, vs_cross(pose[k].position, F));
            moment = vs_add(moment, vs_rotate(pose[k].rotation, (vs_vec3){f[3], f[4], f[5]}));
        }
        assert_below(vs_length(sum), 1e-12 * largest(force, 12));
        assert_below(vs_length(moment), 1e-12 * largest(force, 12));
    }
    assert_true(cut > 10);
}

static void test_sections(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    vs_beam_section round = vs_beam_circular(.1, .3), square = vs_beam_rectangular(.2, .2, .3);
    vs_beam_section flat = vs_beam_rectangular(1e-3, 1, .3), pipe = vs_beam_pipe(.1, 0, .3),
                    thin = vs_beam_pipe(.1, .0999, 0);
    assert_relative(round.Iy, pi * 1e-4 / 4, 1e-14);
    assert_relative(round.torsion, round.Iy + round.Iz, 1e-14);
    assert_relative(pipe.Iy, round.Iy, 1e-14);
    assert_relative(pipe.shear_y, round.shear_y, 1e-14);
    assert_relative(square.torsion, .140577 * .2 * .2 * .2 * .2, 1e-5);       // Timoshenko's table, 6 digits
    assert_relative(flat.torsion, 1. / 3 * 1e-9 * (1 - .63025 * 1e-3), 1e-6); // thin strip
    assert_relative(flat.Iy, 1e-3 / 12, 1e-14);                               // bends along z: the long side
    assert_relative(square.shear_y, square.area * 13 / (12 + 3.3), 1e-14);    // Cowper
    assert_relative(thin.shear_y, thin.area * 2 * 1 / 4, 2e-3);               // thin tube, nu = 0: a half
    uint64_t seed = 6;
    for (int k = 0; k < 50; k++) {
        vs_vec3 along = k == 0 ? (vs_vec3){-1, 0, 0} : k == 1 ? (vs_vec3){0, 0, 2} : random_vec(&seed, 1);
        vs_vec3 up = {0, 0, 1};
        vs_quat q = vs_beam_frame(along, up);
        vs_vec3 x = vs_rotate(q, (vs_vec3){1, 0, 0}), y = vs_rotate(q, (vs_vec3){0, 1, 0});
        assert_below(vs_length(vs_subtract(x, vs_normalize(along))), 1e-14); // roundoff
        if (k != 1) {
            assert_below(fabs(vs_dot(y, up)), 1e-14);
            assert_true(vs_dot(vs_rotate(q, up), up) > 0);
        }
    }
}

// ---- structures ----------------------------------------------------------------------------------------

// Length 1, square section 1e-3: shear and stretch are 1e-6 of the bending.
static const vs_elastic_material METAL = {"test", 1000, 1e10, 0, 0, 0};

static elastica bend_chain(vs_context *context, int elements, double k) {
    vs_beam_section section = vs_beam_rectangular(1e-3, 1e-3, 0);
    vs_beam_stiffness stiffness = vs_beam_stiffness_of(&METAL, &section);
    chain c = make_chain(elements, 1, stiffness);
    structure s = make_clamped_chain(context, &c);
    double *load = calloc((size_t)(3 * s.all), sizeof *load), P = k * stiffness.bend[1];
    // Ten steps of load. 1e-5 of the least load is below the error of the mesh, and above roundoff of EA, 1e-9 N.
    for (int step = 1; step <= 10; step++) {
        load[6 * elements + 2] = P * step / 10;
        find_equilibrium(&s, chain_element, &c, move_chain, load, 1e-5 * stiffness.bend[1]);
    }
    vs_pose tip = c.pose[elements];
    vs_vec3 x = vs_rotate(tip.rotation, (vs_vec3){1, 0, 0});
    elastica e = {tip.position.z, 1 - tip.position.x, atan2(x.z, x.x)};
    free(load);
    free_structure(&s);
    free_chain(&c);
    return e;
}

static void test_elastica_is_mattiassons(void **state) {
    (void)state;
    for (int k = 1; k <= 10; k++) {
        elastica e = solve_elastica(k);
        // the table has 5 digits
        assert_below(fabs(e.w - MATTIASSON[k - 1].w), .6e-5);
        assert_below(fabs(e.u - MATTIASSON[k - 1].u), .6e-5);
        assert_below(fabs(e.theta - MATTIASSON[k - 1].theta), .6e-5);
    }
}

static void test_large_deflections_follow_mattiassons_table(void **state) {
    for (int k = 1; k <= 10; k++) {
        elastica e = bend_chain(context_of(state), 40, k), exact = solve_elastica(k);
        // order 2: theta''/40^2 over 24 and the like, theta'' = 10 at most
        assert_below(fabs(e.w - exact.w), 1e-4);
        assert_below(fabs(e.u - exact.u), 2e-4);
        assert_below(fabs(e.theta - exact.theta), 3e-4);
    }
}

static void test_large_deflections_converge_with_order_2(void **state) {
    double w[3];
    for (int n = 0; n < 3; n++)
        w[n] = bend_chain(context_of(state), 40 << n, 10).w;
    // 4 up to terms of fourth order and Newton's tolerance, 1e-7 here
    assert_relative((w[0] - w[1]) / (w[1] - w[2]), 4, .05);
    // Extrapolated to the limit. Shear and stretch, which the elastica leaves out, are k (h/L)^2/5 = 2e-6.
    assert_below(fabs((4 * w[2] - w[1]) / 3 - solve_elastica(10).w), 3e-6);
}

static void test_small_deflection_is_timoshenkos(void **state) {
    // Stocky: length 1, side 0.2, nu = 0.3; P L^3/3EI + P L/GA with one point is P L^3/3EI (1 - 1/(4 n^2)) + P L/GA.
    vs_elastic_material m = METAL;
    m.poisson = .3;
    vs_beam_section section = vs_beam_rectangular(.2, .2, .3);
    vs_beam_stiffness stiffness = vs_beam_stiffness_of(&m, &section);
    for (int n = 4; n <= 64; n *= 4) {
        chain c = make_chain(n, 1, stiffness);
        structure s = make_clamped_chain(context_of(state), &c);
        double *load = calloc((size_t)(3 * s.all), sizeof *load), P = 1e-3 * stiffness.bend[1];
        load[6 * n + 2] = P;
        find_equilibrium(&s, chain_element, &c, move_chain, load, 1e-7 * P);
        double bend = P / (3 * stiffness.bend[1]), shear = P / stiffness.stretch[2];
        // deflections of 3e-4: what is not linear is 1e-7 of them, as is the residual (roundoff of EA: 1e-8 P)
        assert_relative(c.pose[n].position.z, bend * (1 - 1 / (4. * n * n)) + shear, 1e-6);
        free(load);
        free_structure(&s);
        free_chain(&c);
    }
}

static void test_end_moment_rolls_the_beam_to_a_circle(void **state) {
    vs_beam_section section = vs_beam_rectangular(.01, .01, 0);
    vs_beam_stiffness stiffness = vs_beam_stiffness_of(&METAL, &section);
    enum { N = 10 };
    chain c = make_chain(N, 1, stiffness);
    structure s = make_clamped_chain(context_of(state), &c);
    double *load = calloc((size_t)(3 * s.all), sizeof *load);
    // The body's own y axis stays the same while it turns about it.
    for (int step = 1; step <= 20; step++) {
        load[6 * N + 4] = 2 * 3.14159265358979323846 * stiffness.bend[1] * step / 20;
        find_equilibrium(&s, chain_element, &c, move_chain, load, 1e-9 * stiffness.bend[1]);
    }
    // Exact for any number of elements; Newton's tolerance over the stiffness
    assert_below(vs_length(c.pose[N].position), 1e-8);
    double turned = fabs(c.pose[N].rotation.w);
    assert_relative(turned, 1, 1e-12);
    assert_below(
        fabs(vs_length(vs_subtract(c.pose[N / 2].position, c.pose[0].position)) - .1 / sin(3.14159265358979 / N)),
        1e-8);
    free(load);
    free_structure(&s);
    free_chain(&c);
}

// ---- cables --------------------------------------------------------------------------------------------

// A step of a chain without bending and torsional stiffness that falls: H must be definite and the step finite.
static void test_beam_without_bending_stiffness_swings_as_a_cable(void **state) {
    enum { N = 20 };
    const double h = 1e-3, radius = 2e-3, gravity = -9.81;
    vs_elastic_material m = {"rope", 1000, 1e9, .3, 0, 0};
    vs_beam_section section = vs_beam_circular(radius, .3);
    vs_beam_stiffness stiffness = vs_beam_stiffness_of(&m, &section);
    memset(stiffness.bend, 0, sizeof stiffness.bend);
    chain c = make_chain(N, 1, stiffness);
    c.kind = VS_TANGENT_SEMIDEFINITE;
    structure s = make_clamped_chain(context_of(state), &c);
    vs_linear_pattern pattern = vs_assembly_pattern(s.assembly);
    vs_beam_mass node = vs_beam_mass_lumped(c.rest, &section, m.density);
    double *v = calloc((size_t)pattern.n, sizeof *v), *mass = malloc((size_t)pattern.n * sizeof *mass);
    for (int k = 0; k < pattern.n; k++)
        mass[k] = (k >= pattern.n - 6 ? 1 : 2) * (k % 6 < 3 ? node.mass : node.inertia[k % 6 - 3]);
    assert_relative(2 * N * node.mass, m.density * section.area, 1e-13); // the sum is the whole mass
    double lowest = 0;
    for (int step = 0; step < 400; step++) {
        // (M + h^2 K) v1 = M v + h f
        memset(s.K, 0, (size_t)pattern.p[pattern.n] * sizeof *s.K);
        memset(s.f, 0, (size_t)pattern.n * sizeof *s.f);
        vs_assembly_add(s.assembly, chain_element, &c, NULL, s.f, s.K);
        for (int64_t k = 0; k < pattern.p[pattern.n]; k++)
            s.K[k] *= h * h;
        add_diagonal(s.assembly, mass, s.K);
        for (int k = 0; k < pattern.n; k++)
            s.f[k] = mass[k] * v[k] + h * (s.f[k] + (k % 6 == 2 ? mass[k] * gravity : 0));
        assert_int_equal(vs_linear_solver_factor(s.solver, s.K), VS_OK);
        assert_int_equal(s.solver->report.negative, 0);
        assert_int_equal(vs_linear_solver_solve(s.solver, s.f), VS_OK);
        memcpy(v, s.f, (size_t)pattern.n * sizeof *v);
        move_chain(&c, &s, h);
        for (int k = 0; k < N; k++) {
            double length = vs_length(vs_subtract(c.pose[k + 1].position, c.pose[k].position));
            // a tension of a few weights stretches by 1e-5; whips at the free end more
            assert_relative(length, 1. / N, .01);
        }
        lowest = fmin(lowest, c.pose[N].position.z);
    }
    // Released level, a chain passes below its end in 0.4 s and stays within its length.
    assert_true(lowest < -.6 && lowest > -1.001);
    free(v);
    free(mass);
    free_structure(&s);
    free_chain(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_motions_are_free_of_strain),
        cmocka_unit_test(test_force_is_the_gradient_of_the_energy),
        cmocka_unit_test(test_exact_tangent_is_the_second_derivative_of_the_energy),
        cmocka_unit_test(test_exact_tangent_is_the_gradient_of_the_force),
        cmocka_unit_test(test_semidefinite_tangent_and_balance),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_elastica_is_mattiassons),
        cmocka_unit_test(test_large_deflections_follow_mattiassons_table),
        cmocka_unit_test(test_large_deflections_converge_with_order_2),
        cmocka_unit_test(test_small_deflection_is_timoshenkos),
        cmocka_unit_test(test_end_moment_rolls_the_beam_to_a_circle),
        cmocka_unit_test(test_beam_without_bending_stiffness_swings_as_a_cable),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
