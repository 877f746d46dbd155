// A certificate cannot be obtained by numbers that overflow or vanish, by a neighbour with a larger energy, or by impulses
// that do work; and what is exact to the rounding of double precision has one.
#include "solving.h"

// A body of mass m with three translations, which touches the ground with the free velocity v.
static void add_touching(vs_problem_builder *builder, double m, const double *v, double mu) {
    const double H[9] = {m, 0, 0, 0, m, 0, 0, 0, m}, c[3] = {-m * v[1], -m * v[2], -m * v[0]};
    const double jacobian[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, *J[1] = {jacobian};
    int block;
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, &block), VS_OK);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1, contact.block = &block, contact.jacobian = J, contact.mu = mu;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
}

// Bodies that do not touch each other; v (3 bodies): normal, u, w.
static vs_problem *make_bodies(vs_context *context, int bodies, const double *m, const double *v) {
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < bodies; k++)
        add_touching(builder, m[k], v + 3 * k, .5);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    return problem;
}

static const vs_model models[] = {VS_MODEL_EXACT, VS_MODEL_RELAXED, VS_MODEL_FRICTIONLESS};

static outcome solve_bodies(vs_context *context, vs_model model, int bodies, const double *m, const double *v) {
    vs_problem *problem = make_bodies(context, bodies, m, v);
    vs_solver_options options = vs_solver_options_default();
    options.model = model;
    outcome o = solve_problem(problem, &options);
    assert_int_equal(o.error, VS_OK);
    vs_problem_destroy(problem);
    return o;
}

// Kinetic energies of 1e310 and 1e-340 J are no doubles.
static void energies_out_of_range_are_a_status(void **state) {
    const struct {
        double mass, v[3];
    } beyond[] = {{1, {-1e155, 0, 1e155}}, {1, {1e155, 0, 1e155}}, {1e-300, {-1e-20, 0, 0}}, {1e250, {-1e40, 0, 0}}};
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++)
        for (int model = 0; model < 3; model++) {
            outcome o = solve_bodies(context_of(state), models[model], 1, &beyond[k].mass, beyond[k].v);
            assert_int_equal(o.status, VS_STATUS_OVERFLOW);
            assert_true(o.measures.relative_error == INFINITY);
            free_outcome(&o);
        }
}

// Everything whose energy is a double is solved: masses and velocities over 300 decades.
static void representable_problems_are_solved(void **state) {
    const struct {
        double mass, speed;
    } within[] = {{1e-300, 1e155}, {1e-300, 1e20}, {1e-250, 1}, {1e250, 1e-150},
                  {1e200, 1e-100}, {1, 1e-100},    {1, 1e120}};
    for (size_t k = 0; k < sizeof within / sizeof *within; k++)
        for (int model = 0; model < 3; model++) {
            const double speed = within[k].speed, v[3] = {-speed, .3 * speed, 0};
            outcome o = solve_bodies(context_of(state), models[model], 1, &within[k].mass, v);
            if (o.status != VS_STATUS_CONVERGED)
                fail_msg("%g kg, %g m/s, %s: %s", within[k].mass, speed, vs_model_name(models[model]),
                         vs_status_name(o.status));
            assert_true(o.y[0] >= -1e-7 * speed); // ten times the tolerance, of the velocity that it stopped
            free_outcome(&o);
        }
}

// A body that lands at 1e20 m/s does not hide that another one needs an impulse of its own.
static void islands_are_solved_as_if_alone(void **state) {
    const double m[2] = {1, 2}, fast[3] = {-1e20, 1e20, 0}, slow[3] = {-.04, .01, 0},
                 both[6] = {-1e20, 1e20, 0, -.04, .01, 0};
    for (int model = 0; model < 3; model++) {
        outcome alone = solve_bodies(context_of(state), models[model], 1, m + 1, slow),
                first = solve_bodies(context_of(state), models[model], 1, m, fast),
                together = solve_bodies(context_of(state), models[model], 2, m, both);
        assert_int_equal(together.status, VS_STATUS_CONVERGED);
        assert_int_equal(together.measures.islands, 2);
        for (int i = 0; i < 3; i++) { // ten times the tolerance
            assert_near("slow", together.y[3 + i], alone.y[i], 1e-7 * .04);
            assert_near("fast", together.y[i], first.y[i], 1e-7 * 1e20);
        }
        free_outcome(&alone), free_outcome(&first), free_outcome(&together);
    }
}

// Impulses that are right for the fast body and missing for the slow one: an error of 1, not of 1e-42.
static void error_is_that_of_the_worst_island(void **state) {
    const double m[2] = {1, 2}, v[6] = {-1e20, 0, 0, -.04, 0, 0}, l[6] = {1e20};
    vs_problem *problem = make_bodies(context_of(state), 2, m, v);
    vs_measurer *measurer;
    vs_measures q;
    assert_int_equal(vs_measurer_create(problem, VS_MODEL_EXACT, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, NULL, l, NULL, NULL, &q), VS_OK);
    // a is the mean of three rows, here 1/m: e0 = m v^2/2, and friction leaves less of the normal velocity's energy
    assert_near("relative error", q.relative_error, 1, 1e-12);
    assert_near("its energy", q.island_error, q.island_reference, 1e-12 * q.island_reference);
    assert_true(q.island_reference <= .5 * 2 * .04 * .04 && q.island_reference > .1 * .04 * .04);
    vs_measurer_destroy(measurer);
    vs_problem_destroy(problem);
}

// Two walls squeeze a body from both sides with 1e5 N s more than needed, while the second recedes at 8e-9 m/s: the energy
// error is 3e-17 J of 1/2 J, and the work 8e-4 J, of which 1e-4 of the reference would be allowed.
static void work_against_the_law_is_an_error(void **state) {
    const double l[2] = {1e5 + 1, 1e5};
    vs_problem_builder *builder;
    vs_problem *problem;
    const double H[1] = {1}, c[1] = {-1}, towards[1] = {-1}, back[1] = {1}, *J[1];
    int block;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 1, H, c, &block), VS_OK);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.frictionless = true, contact.blocks = 1, contact.block = &block, contact.jacobian = J;
    J[0] = towards;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    J[0] = back, contact.b[0] = -8e-9;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_measurer *measurer;
    vs_measures q;
    assert_int_equal(vs_measurer_create(problem, VS_MODEL_RELAXED, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, NULL, l, NULL, NULL, &q), VS_OK);
    assert_true(q.relative_error < 1e-8);
    assert_near("work", q.work_error, 8e-4, 1e-12 * 1e5);
    assert_true(q.relative_work > 1e-3);
    vs_measurer_destroy(measurer);
    vs_problem_destroy(problem);
}

// Two bodies on a joint that fly at 1e3 m/s: the joint's error is the rounding of 1e3, and they need no impulse.
static void rounding_needs_no_impulses(void **state) {
    vs_problem_builder *builder;
    vs_problem *problem;
    const double m = 3, speed = 1e3 / 3, H[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
    const double c[2][3] = {{-m * speed, 0, .1 * m}, {-m * speed * (1 + 2e-16), 0, .1 * m}};
    const double plus[3] = {1, 0, 0}, minus[3] = {-1, 0, 0}, *J[2] = {plus, minus};
    int block[2];
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c[k], block + k), VS_OK);
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = 1, joint.blocks = 2, joint.block = block, joint.jacobian = J;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_solver_options options = vs_solver_options_default();
    outcome o = solve_problem(problem, &options);
    assert_int_equal(o.status, VS_STATUS_CONVERGED);
    assert_int_equal(o.iterations, 0);
    assert_true(o.measures.island_floor > 0 && o.measures.relative_error == 0);
    free_outcome(&o);
    vs_problem_destroy(problem);
}

// References that the caller gives loosen the tolerance of their island, by at most one digit.
static void given_references_loosen_by_a_digit(void **state) {
    const double v[3] = {-1, 0, 0}, reference[3] = {1e6, 0, 0}, l[3] = {1 + 1e-3, 0, 0};
    double error[2];
    for (int given = 0; given < 2; given++) {
        vs_problem_builder *builder;
        vs_problem *problem;
        vs_measurer *measurer;
        vs_measures q;
        assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
        add_touching(builder, 1, v, 0);
        if (given)
            assert_int_equal(vs_problem_builder_set_reference(builder, reference), VS_OK);
        assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
        assert_int_equal(vs_measurer_create(problem, VS_MODEL_RELAXED, &measurer), VS_OK);
        assert_int_equal(vs_measure(measurer, NULL, l, NULL, NULL, &q), VS_OK);
        error[given] = q.relative_error;
        vs_measurer_destroy(measurer);
        vs_problem_destroy(problem);
    }
    assert_near("without", error[0], 1e-3, 1e-12);
    assert_near("with", error[1], 1e-4, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_out_of_range_are_a_status), cmocka_unit_test(representable_problems_are_solved),
        cmocka_unit_test(islands_are_solved_as_if_alone),     cmocka_unit_test(error_is_that_of_the_worst_island),
        cmocka_unit_test(work_against_the_law_is_an_error),   cmocka_unit_test(rounding_needs_no_impulses),
        cmocka_unit_test(given_references_loosen_by_a_digit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
