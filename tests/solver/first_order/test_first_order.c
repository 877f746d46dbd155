// The gradient methods, APGD and SPG: they find the interior point's velocities, the floor carries the weight (a
// gradient without r would not), the objective never rises above the start.
#include "first_order.h"

static const vs_method methods[] = {VS_METHOD_APGD, VS_METHOD_SPG};
static const char *const names[] = {"apgd", "spg"};

static vs_solver_options options_of(int method, double tolerance) {
    vs_solver_options options = make_options(tolerance);
    options.method = methods[method];
    return options;
}

// ---- the same velocities ---------------------------------------------------------------------------------

// An energy error of (1e-8)^2 e0 bounds the velocities' error by 1e-8 of their scale times the condition of the active
// contacts, of which random joints and contacts given twice have up to a few thousand.
static const double tolerance = 1e-8, agreement = 1e-5;

static void velocities_agree_with_the_interior_point(void **state) {
    double worst[2] = {0};
    int most[2] = {0};
    for (int id = 0; id < 8 * FAMILIES; id++) {
        scene s = make_member(id);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = make_options(1e-11);
        outcome reference = solve_problem(problem, &options);
        assert_true(relative_error(&reference.measures) < 1e-9);
        for (int k = 0; k < 2; k++) {
            options = options_of(k, tolerance);
            outcome o = solve_problem(problem, &options);
            char what[64];
            snprintf(what, sizeof what, "%s, problem %d", names[k], id);
            assert_converged(what, &o);
            double difference = largest_difference(o.v, reference.v, o.n) / largest(reference.v, o.n);
            if (!(difference <= agreement))
                fail_msg("%s: |v - v_ipm| / |v_ipm| = %.2e after %d iterations", what, difference, o.iterations);
            worst[k] = fmax(worst[k], difference);
            most[k] = o.iterations > most[k] ? o.iterations : most[k];
            free_outcome(&o);
        }
        free_outcome(&reference);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    for (int k = 0; k < 2; k++)
        print_message("  %s: largest |v - v_ipm| / |v_ipm| %.1e, most iterations %d\n", names[k], worst[k], most[k]);
}

static void without_friction_tangential_impulses_vanish(void **state) {
    scene s = make_pile(3, 3, 2, .5, 5);
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(k, tolerance);
        options.model = VS_MODEL_FRICTIONLESS;
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_converged(names[k], &o);
        for (int row = 0; row < o.m; row += 3)
            assert_true(o.lambda[row] >= 0 && o.lambda[row + 1] == 0 && o.lambda[row + 2] == 0);
        free_outcome(&o);
    }
    free_scene(&s);
}

// The local form has no velocities to carry, a general H none that are cheap: N itself is used.
static void problems_given_by_matrices_are_solved(void **state) {
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            vs_problem *problem = make_skew(context_of(state), 0, 100 + seed);
            vs_solver_options options = make_options(1e-11);
            outcome reference = solve_problem(problem, &options);
            options = options_of(k, tolerance);
            outcome o = solve_problem(problem, &options);
            assert_converged("interior point", &reference);
            assert_converged(names[k], &o);
            // N is at least 1/2: so is the curvature of the objective
            assert_true(largest_difference(o.lambda, reference.lambda, o.m) <= 1e-6 * largest(reference.lambda, o.m));
            free_outcome(&o), free_outcome(&reference);
            vs_problem_destroy(problem);
        }
}

// ---- what is special to gradients ------------------------------------------------------------------------

static void the_floor_carries_the_stack(void **state) {
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(k, 1e-8);
        check_stack_carries_its_weight(context_of(state), &options);
    }
}

// f = 1/2 l'(y + y_0), y_0 the velocities without impulses; without joints.
static double objective(int m, const double *lambda, const double *y, const double *y_0) {
    double sum = 0;
    for (int k = 0; k < m; k++)
        sum += .5 * lambda[k] * (y[k] + y_0[k]);
    return sum;
}

static void the_objective_is_never_above_the_start(void **state) {
    for (int id = 0; id < 10; id++) {
        scene s = make_pile(2, 2 + id % 3, 3, .2 + .1 * (id % 5), 900 + (uint64_t)id);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = options_of(0, 1e-10);
        vs_measurer *measurer = NULL;
        vs_measures measures;
        vs_problem_info info = vs_problem_get_info(problem);
        double *start = copy_doubles(NULL, info.m), *y_0 = copy_doubles(NULL, info.m), *y = copy_doubles(NULL, info.m);
        uint64_t seed = 77 + (uint64_t)id;
        assert_int_equal(vs_measurer_create(problem, VS_MODEL_RELAXED, &measurer), VS_OK);
        assert_int_equal(vs_measure(measurer, NULL, start, NULL, y_0, &measures), VS_OK);
        for (int row = 0; row < info.m; row += 3) // in the cones: what is started from is not projected
            start[row] = random_in(&seed, 0, .02);
        assert_int_equal(vs_measure(measurer, NULL, start, NULL, y, &measures), VS_OK);
        double first = objective(info.m, start, y, y_0);
        for (int most = 1; most <= 200; most += 1 + most / 8) {
            options.max_iterations = most;
            vs_solver *solver = NULL;
            vs_result result;
            assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
            assert_int_equal(vs_solver_warm_start(solver, NULL, NULL, start), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            double now = objective(info.m, result.lambda, result.y, y_0);
            // roundoff of a sum of m terms
            if (!(now <= first + 1e-13 * fabs(first)))
                fail_msg("pile %d, %d iterations: objective %.17g, at the start %.17g", id, most, now, first);
            assert_true(result.measures.energy_error <= measures.energy_error);
            vs_solver_destroy(solver);
        }
        vs_measurer_destroy(measurer);
        free(start), free(y_0), free(y);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

static void a_slightly_unsymmetric_matrix_is_solved_all_the_same(void **state) {
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            vs_problem *problem = make_skew(context_of(state), 1e-3, 100 + seed);
            vs_solver_options options = options_of(k, 1e-8);
            outcome o = solve_problem(problem, &options);
            assert_converged(names[k], &o);
            free_outcome(&o);
            vs_problem_destroy(problem);
        }
}

static void an_unsymmetric_matrix_is_refused_with_a_reason(void **state) {
    for (int k = 0; k < 2; k++) {
        vs_problem *problem = make_skew(context_of(state), .5, 3);
        vs_solver_options options = options_of(k, 1e-8);
        vs_solver *solver = NULL;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_ERROR_UNSUPPORTED);
        assert_null(solver);
        const char *text = vs_context_get_error_text(context_of(state));
        assert_non_null(strstr(text, names[k]));
        assert_non_null(strstr(text, "unsymmetric"));
        assert_non_null(strstr(text, "admm")); // what to use instead
        vs_problem_destroy(problem);
    }
}

// ---- promises --------------------------------------------------------------------------------------------

static void solving_allocates_nothing_and_repeats_its_bits(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(k, 1e-6);
        check_memory_and_bits(&options);
        check_refused_allocations(&options);
    }
}

static void a_warm_start_at_the_solution_costs_nothing(void **state) {
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(k, 1e-8);
        check_warm_start(context_of(state), &options);
    }
}

static void without_a_solution_or_without_contacts_it_ends(void **state) {
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(k, 1e-8);
        check_unsolvable(context_of(state), &options);
        check_nothing_to_do(context_of(state), &options);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_agree_with_the_interior_point),
        cmocka_unit_test(without_friction_tangential_impulses_vanish),
        cmocka_unit_test(problems_given_by_matrices_are_solved),
        cmocka_unit_test(the_floor_carries_the_stack),
        cmocka_unit_test(the_objective_is_never_above_the_start),
        cmocka_unit_test(a_slightly_unsymmetric_matrix_is_solved_all_the_same),
        cmocka_unit_test(an_unsymmetric_matrix_is_refused_with_a_reason),
        cmocka_unit_test(solving_allocates_nothing_and_repeats_its_bits),
        cmocka_unit_test(without_a_solution_or_without_contacts_it_ends),
        cmocka_unit_test(a_warm_start_at_the_solution_costs_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
