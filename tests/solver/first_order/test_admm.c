// ADMM, relaxed and exact: the interior point's velocities, exact friction as the measures define it, few
// factorizations whatever the form and backend.
#include "first_order.h"

static vs_solver_options options_of(vs_model model, double tolerance) {
    vs_solver_options options = make_options(tolerance);
    options.model = model;
    options.method = VS_METHOD_ADMM;
    return options;
}

// ---- the convex models -----------------------------------------------------------------------------------

// As in test_first_order.c: 1e-8 times the condition of the active contacts.
static const double tolerance = 1e-8, agreement = 1e-5;

static void velocities_agree_with_the_interior_point(void **state) {
    double worst = 0;
    int most = 0, factorizations = 0;
    for (int id = 0; id < 12 * FAMILIES; id++) {
        scene s = make_member(id);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = make_options(1e-11);
        outcome reference = solve_problem(problem, &options);
        assert_true(relative_error(&reference.measures) < 1e-9);
        options = options_of(VS_MODEL_RELAXED, tolerance);
        vs_result counts;
        outcome o = solve_counted(problem, &options, &counts);
        char what[64];
        snprintf(what, sizeof what, "admm, problem %d", id);
        assert_converged(what, &o);
        double difference = largest_difference(o.v, reference.v, o.n) / largest(reference.v, o.n);
        if (!(difference <= agreement))
            fail_msg("%s: |v - v_ipm| / |v_ipm| = %.2e after %d iterations", what, difference, o.iterations);
        // one to begin with, then at most one each time the iterations have doubled
        assert_true(counts.factorizations >= (counts.iterations > 0) &&
                    counts.factorizations <= 2 + log2(1 + counts.iterations / 20.));
        assert_true(counts.triangular_solves >= counts.iterations);
        worst = fmax(worst, difference);
        most = o.iterations > most ? o.iterations : most;
        factorizations = counts.factorizations > factorizations ? counts.factorizations : factorizations;
        free_outcome(&o), free_outcome(&reference);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    print_message("  largest |v - v_ipm| / |v_ipm| %.1e, most iterations %d, factorizations %d\n", worst, most,
                  factorizations);
}

static void all_forms_and_engines_agree(void **state) {
    const vs_form forms[] = {VS_FORM_VELOCITY, VS_FORM_AUGMENTED, VS_FORM_IMPULSE};
    const char *const form_names[] = {"velocity", "augmented", "impulse"};
    int solved = 0;
    for (int id = 0; id < FAMILIES; id++) {
        scene s = make_member(id);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = make_options(1e-11);
        outcome reference = solve_problem(problem, &options);
        for (int k = 0; k < vs_backend_count(); k++)
            for (int f = 0; f < 3; f++) {
                options = options_of(VS_MODEL_RELAXED, tolerance);
                options.form = forms[f], options.linear_solver = vs_backend_at(k).name;
                outcome o = solve_problem(problem, &options);
                if (o.error == VS_ERROR_UNSUPPORTED)
                    continue;
                assert_converged(vs_backend_at(k).name, &o);
                assert_string_equal(o.form, form_names[f]);
                assert_string_equal(o.backend, vs_backend_at(k).name);
                assert_true(largest_difference(o.v, reference.v, o.n) <= agreement * largest(reference.v, o.n));
                solved++;
                free_outcome(&o);
            }
        free_outcome(&reference);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    print_message("  %d solves\n", solved);
    assert_true(solved >= 3 * FAMILIES); // ldl alone does all
}

// ---- exact friction --------------------------------------------------------------------------------------

static void exact_friction_is_solved(void **state) {
    int most = 0, count = 0;
    for (int id = 0; id < 12 * FAMILIES; id++) {
        scene s = make_member(id);
        vs_solver_options options = options_of(VS_MODEL_EXACT, tolerance);
        outcome o = solve_scene(context_of(state), &s, &options); // keep_result() measures it
        char what[64];
        snprintf(what, sizeof what, "exact, problem %d", id);
        assert_converged(what, &o);
        most = o.iterations > most ? o.iterations : most;
        count++;
        free_outcome(&o);
        free_scene(&s);
    }
    print_message("  %d problems, most iterations %d\n", count, most);
}

// Box pushed along the floor: with exact friction it slides without lifting off, at v - mu g h; the cascade agrees.
static void a_sliding_box_stays_on_the_floor(void **state) {
    const double half[3] = {.2, .1, .05}, speed = 2, mu = .3, v_free[6] = {speed, 0, -gravity * time_step};
    scene s = make_box(3, half, mu, v_free);
    vs_solver_options options = options_of(VS_MODEL_EXACT, 1e-10);
    outcome o = solve_scene(context_of(state), &s, &options);
    assert_converged("sliding box", &o);
    // tolerance times the speed, times the four corners that share the load
    assert_near("speed", o.v[0], speed - mu * gravity * time_step, 1e-8);
    assert_near("height", o.v[2], 0, 1e-8);
    free_outcome(&o);
    free_scene(&s);
}

static void the_floor_carries_the_stack(void **state) {
    const vs_model models[] = {VS_MODEL_RELAXED, VS_MODEL_FRICTIONLESS, VS_MODEL_EXACT};
    for (int k = 0; k < 3; k++) {
        vs_solver_options options = options_of(models[k], 1e-8);
        check_stack_carries_its_weight(context_of(state), &options);
    }
}

// A skew part costs nothing here: (N + E + R)^-1 is firmly nonexpansive for every monotone N.
static void unsymmetric_matrices_are_solved(void **state) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        vs_problem *problem = make_skew(context_of(state), .5, 3 + seed);
        vs_solver_options options = options_of(seed % 2 ? VS_MODEL_EXACT : VS_MODEL_RELAXED, 1e-10);
        outcome o = solve_problem(problem, &options);
        assert_converged("unsymmetric", &o);
        free_outcome(&o);
        vs_problem_destroy(problem);
    }
}

// ---- promises --------------------------------------------------------------------------------------------

static void solving_allocates_nothing_and_repeats_its_bits(void **state) {
    (void)state;
    vs_solver_options options = options_of(VS_MODEL_EXACT, 1e-6);
    check_memory_and_bits(&options);
    check_refused_allocations(&options);
}

static void a_warm_start_at_the_solution_costs_nothing(void **state) {
    vs_solver_options options = options_of(VS_MODEL_RELAXED, 1e-8);
    check_warm_start(context_of(state), &options);
    options = options_of(VS_MODEL_EXACT, 1e-6);
    check_warm_start(context_of(state), &options);
}

static void without_a_solution_or_without_contacts_it_ends(void **state) {
    for (int exact = 0; exact < 2; exact++) {
        vs_solver_options options = options_of(exact ? VS_MODEL_EXACT : VS_MODEL_RELAXED, 1e-8);
        check_unsolvable(context_of(state), &options);
        check_nothing_to_do(context_of(state), &options);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_agree_with_the_interior_point),
        cmocka_unit_test(all_forms_and_engines_agree),
        cmocka_unit_test(exact_friction_is_solved),
        cmocka_unit_test(a_sliding_box_stays_on_the_floor),
        cmocka_unit_test(the_floor_carries_the_stack),
        cmocka_unit_test(unsymmetric_matrices_are_solved),
        cmocka_unit_test(solving_allocates_nothing_and_repeats_its_bits),
        cmocka_unit_test(without_a_solution_or_without_contacts_it_ends),
        cmocka_unit_test(a_warm_start_at_the_solution_costs_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
