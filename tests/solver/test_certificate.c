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

// A joint of two rows, the second far stiffer than the first and with an impulse of 1e8: the rounding of its velocity is that
// of its own compliance, not of the joint's mean.
static void rounding_of_a_joint_is_that_of_its_rows(void **state) {
    vs_problem_builder *builder;
    vs_problem *problem;
    const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, c[3] = {1, 0, 0}, b[2] = {0, 1e-4}, E[2] = {1, 1e-12};
    const double jacobian[6] = {1, 0, 0, 0, 0, 0}, *J[1] = {jacobian};
    int block;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, &block), VS_OK);
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = 2, joint.blocks = 1, joint.block = &block, joint.jacobian = J, joint.b = b, joint.compliance = E;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_measurer *measurer;
    vs_measures q;
    const double g[2] = {.5, 1e8}; // the solution
    assert_int_equal(vs_measurer_create(problem, VS_MODEL_EXACT, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, g, NULL, NULL, NULL, &q), VS_OK);
    assert_true(q.relative_error <= 1e-15); // one rounding of 1e-4 m/s beside 1 m/s; with the mean it is 1e-8
    vs_measurer_destroy(measurer);
    vs_problem_destroy(problem);
}

// A box of two rows, the second without any effect on velocities: its impulse, 1e8 at a bound, rounds no velocity.
static void rounding_of_a_box_is_that_of_its_rows(void **state) {
    vs_problem_builder *builder;
    vs_problem *problem;
    const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, c[3] = {1, 0, 0}, b[2] = {0, 1e-7};
    const double lo[2] = {-2, -1e8}, hi[2] = {2, 1e8};
    const double jacobian[6] = {1, 0, 0, 0, 0, 0}, *J[1] = {jacobian};
    int block;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, &block), VS_OK);
    vs_problem_box_def box = vs_problem_box_def_default();
    box.rows = 2, box.blocks = 1, box.block = &block, box.jacobian = J, box.lo = lo, box.hi = hi, box.b = b;
    assert_int_equal(vs_problem_builder_add_box(builder, &box, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_measurer *measurer;
    vs_measures q;
    const double l[2] = {1, 1e8}; // the solution
    assert_int_equal(vs_measurer_create(problem, VS_MODEL_EXACT, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, NULL, l, NULL, NULL, &q), VS_OK);
    assert_true(q.relative_error <= 1e-15); // one rounding of 1 m/s; charged with that of 1e8 it is 1e-8
    vs_measurer_destroy(measurer);
    vs_problem_destroy(problem);
}

// Two walls squeeze a body that is a million times easier to move along e = (.8, -.6, 0) than across: the rounding of its
// momentum, 1e-8 N s, makes velocities of 1e-2 m/s along e, where the walls' friction acts, though their normals do not.
static void rounding_of_momentum_is_felt_by_all_rows(void **state) {
    vs_problem_builder *builder;
    vs_problem *problem;
    const double w = 1 - 1e-6, H[9] = {1 - .64 * w, .48 * w, 0, .48 * w, 1 - .36 * w, 0, 0, 0, 1}, c[3] = {.6, .8, 0};
    const double towards[9] = {.6, .8, 0, .8, -.6, 0, 0, 0, 1}, back[9] = {-.6, -.8, 0, -.8, .6, 0, 0, 0, 1}, *J[1];
    int block;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, &block), VS_OK);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1, contact.block = &block, contact.jacobian = J, contact.mu = .5;
    J[0] = towards;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    J[0] = back;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_measurer *measurer;
    vs_measures q;
    const double l[6] = {1e8 + 1, 0, 0, 1e8, 0, 0}; // at rest, but for rounding
    assert_int_equal(vs_measurer_create(problem, VS_MODEL_RELAXED, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, NULL, l, NULL, NULL, &q), VS_OK);
    assert_true(q.relative_error >= 1e-3); // beside 1 m/s; of the normal row's own rounding it is 1e-8
    vs_measurer_destroy(measurer);
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

static vs_measures measure(const vs_problem *problem, vs_model model, const double *lambda) {
    vs_measurer *measurer;
    vs_measures q;
    assert_int_equal(vs_measurer_create(problem, model, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, NULL, lambda, NULL, NULL, &q), VS_OK);
    vs_measurer_destroy(measurer);
    return q;
}

// Without friction a contact does not feel that it slides at 1e10 m/s: closing at 1e-3 m/s is an error of 1, not of 1e-11.
static void sliding_without_friction_hides_nothing(void **state) {
    const double v[3] = {-1e-3, 1e10, 0}, none[3] = {0};
    for (int model = 0; model < 3; model++) {
        vs_problem_builder *builder;
        vs_problem *problem;
        assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
        add_touching(builder, 1, v, models[model] == VS_MODEL_FRICTIONLESS ? .5 : 0);
        assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
        assert_near("relative error", measure(problem, models[model], none).relative_error, 1, 1e-12);
        vs_problem_destroy(problem);
    }
}

// Two walls that close in on a body from both sides at 1 m/s, so that nothing helps. N = (1 -1; -1 1) in the normal rows.
static vs_problem *make_squeezed(vs_context *context) {
    const int64_t p[7] = {0, 2, 3, 4, 6, 7, 8};
    const int i[8] = {0, 3, 1, 2, 0, 3, 4, 5};
    const double x[8] = {1, -1, 1, 1, -1, 1, 1, 1}, r[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {.5, .5};
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){6, 6, p, i, x}, def.r = r, def.mu = mu, def.contacts = 2;
    vs_problem *problem;
    assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
    return problem;
}

// Beside impulses of 1e20 N s the velocity of 1 m/s vanishes in the sum, and nothing seems to be wrong: no certificate.
static void velocities_lost_beside_large_impulses_are_errors(void **state) {
    const double l[6] = {1e20, 0, 0, 1e20, 0, 0};
    vs_problem *problem = make_squeezed(context_of(state));
    for (int model = 0; model < 3; model++)
        assert_true(measure(problem, models[model], l).relative_error > 1);
    vs_problem_destroy(problem);
}

// A motor whose limits are never reached stops a body but for 1e-12 of its velocity: it does work with its impulse of 1 N
// s, not with 1e300 N s.
static void far_limits_do_no_work(void **state) {
    const double H[1] = {1}, c[1] = {-1}, jacobian[1] = {1}, *J[1] = {jacobian}, lo = -1e300, hi = 1e300;
    const double l[1] = {-1 + 1e-12};
    vs_problem_builder *builder;
    vs_problem *problem;
    int block;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 1, H, c, &block), VS_OK);
    vs_problem_box_def box = vs_problem_box_def_default();
    box.rows = 1, box.blocks = 1, box.block = &block, box.jacobian = J, box.lo = &lo, box.hi = &hi;
    assert_int_equal(vs_problem_builder_add_box(builder, &box, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_measures q = measure(problem, VS_MODEL_RELAXED, l);
    assert_near("relative error", q.relative_error, 1e-12, 1e-15);
    assert_near("work", q.work_error, 1e-12, 1e-15);
    vs_problem_destroy(problem);
}

// Impulses of 1e308 N s on a mass of 0.01 kg, with a general H: infinitely wrong, but no error of the call.
static void infinite_velocities_are_infinite_errors(void **state) {
    const int64_t p[4] = {0, 1, 3, 4}, pt[4] = {0, 1, 2, 3};
    const int i[4] = {0, 0, 1, 2}, it[3] = {0, 1, 2};
    const double H[4] = {.01, .001, .01, .01}, D[3] = {1, 1, 1}, c[3] = {.01, 0, 0}, b[3] = {0}, mu[1] = {.5};
    const double l[3] = {1e308, 0, 0};
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){3, 3, p, i, H}, def.Dt = (vs_matrix_view){3, 3, pt, it, D};
    def.c = c, def.b = b, def.mu = mu, def.contacts = 1;
    vs_problem *problem;
    assert_int_equal(vs_problem_from_global(context_of(state), &def, &problem), VS_OK);
    vs_measures q = measure(problem, VS_MODEL_RELAXED, l);
    assert_true(q.relative_error == INFINITY && q.natural_map_relative == INFINITY);
    vs_problem_destroy(problem);
}

// A light body that closes at 1 m/s is coupled, by a general H, to one with 5e39 J, of which its contact feels nothing. The
// rounding of that energy is no floor for the contact.
static void energies_that_contacts_do_not_feel_hide_nothing(void **state) {
    const int64_t p[5] = {0, 1, 2, 3, 5}, pt[4] = {0, 1, 2, 3};
    const int i[5] = {0, 1, 2, 0, 3}, it[3] = {0, 1, 2};
    const double heavy = 1e20, fast = 1e10, link = -1, H[5] = {1, 1, 1, link, heavy}, D[3] = {1, 1, 1};
    const double c[4] = {1 - link * fast, 0, 0, -heavy * fast}, b[3] = {0}, mu[1] = {.5}, none[3] = {0};
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){4, 4, p, i, H}, def.Dt = (vs_matrix_view){4, 3, pt, it, D};
    def.c = c, def.b = b, def.mu = mu, def.contacts = 1;
    vs_problem *problem;
    assert_int_equal(vs_problem_from_global(context_of(state), &def, &problem), VS_OK);
    for (int model = 0; model < 3; model++)
        assert_near("relative error", measure(problem, models[model], none).relative_error, 1, 1e-12);
    vs_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_out_of_range_are_a_status),
        cmocka_unit_test(representable_problems_are_solved),
        cmocka_unit_test(islands_are_solved_as_if_alone),
        cmocka_unit_test(error_is_that_of_the_worst_island),
        cmocka_unit_test(work_against_the_law_is_an_error),
        cmocka_unit_test(rounding_needs_no_impulses),
        cmocka_unit_test(rounding_of_a_joint_is_that_of_its_rows),
        cmocka_unit_test(rounding_of_a_box_is_that_of_its_rows),
        cmocka_unit_test(rounding_of_momentum_is_felt_by_all_rows),
        cmocka_unit_test(given_references_loosen_by_a_digit),
        cmocka_unit_test(sliding_without_friction_hides_nothing),
        cmocka_unit_test(velocities_lost_beside_large_impulses_are_errors),
        cmocka_unit_test(energies_that_contacts_do_not_feel_hide_nothing),
        cmocka_unit_test(far_limits_do_no_work),
        cmocka_unit_test(infinite_velocities_are_infinite_errors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
