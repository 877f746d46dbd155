// Conjugate gradients in place of the first factors: the same solution as with factors alone, the same bits on any
// number of threads and in every repetition, and not where they would be in the way. And a contact that touches
// without impulse, which must not hold up the iteration.
#include <string.h>

#include "solver/solving.h"

// 294 spheres: MUMPS in single precision is chosen from 1200 velocities on.
static scene make_large(void) {
    return make_pile(7, 7, 6, .3, 5);
}

static bool has_single_precision(void) {
    for (int k = 0; k < vs_backend_count(); k++)
        if (strcmp(vs_backend_at(k).name, "mumps-single") == 0)
            return true;
    return false;
}

static vs_result solve_once(vs_solver **solver, const vs_problem *problem, const vs_solver_options *options) {
    vs_result result;
    assert_int_equal(vs_solver_create(problem, options, solver), VS_OK);
    assert_int_equal(vs_solver_solve(*solver, &result), VS_OK);
    assert_int_equal(result.status, VS_STATUS_CONVERGED);
    return result;
}

static void replaces_factors_and_finds_the_same_velocities(void **state) {
    vs_context *context = context_of(state);
    scene s = make_large();
    vs_problem *problem = must_build(context, &s);
    vs_solver_options options = make_options(1e-10);
    vs_solver *by_cg, *by_factors;
    vs_result cg = solve_once(&by_cg, problem, &options);
    options.linear_solver = "mumps-single";
    vs_result factors = solve_once(&by_factors, problem, &options);
    assert_true(cg.cg_steps > 0 && cg.factorizations < cg.iterations);
    assert_int_equal(factors.cg_steps, 0); // a requested backend does all of it
    assert_true(factors.factorizations > factors.iterations);
    // both to 1e-10 of the root of the energy; velocities are of the order of one
    int n = vs_problem_get_info(problem).n;
    assert_true(largest_difference(cg.v, factors.v, n) <= 1e-8);
    vs_solver_destroy(by_cg);
    vs_solver_destroy(by_factors);
    vs_problem_destroy(problem);
    free_scene(&s);
}

static void gives_the_same_bits_on_two_threads_and_again(void **state) {
    (void)state;
    scene s = make_large();
    double *first = NULL;
    for (int threads = 1; threads <= 2; threads++) {
        memory m;
        vs_context *context = make_threaded_context(&m, threads);
        vs_problem *problem = must_build(context, &s);
        const int n = vs_problem_get_info(problem).n;
        vs_solver_options options = make_options(1e-8);
        vs_solver *solver;
        vs_result result = solve_once(&solver, problem, &options);
        for (int again = 0; again < 2; again++) {
            if (!first) {
                first = malloc(sizeof(double) * (size_t)n);
                memcpy(first, result.v, sizeof(double) * (size_t)n);
            }
            assert_memory_equal(result.v, first, sizeof(double) * (size_t)n);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        }
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        end_context(context, &m);
    }
    free(first);
    free_scene(&s);
}

static void leaves_a_time_budget_alone(void **state) {
    vs_context *context = context_of(state);
    scene s = make_large();
    vs_problem *problem = must_build(context, &s);
    vs_solver_options options = make_options(1e-8);
    options.max_time = 100;
    vs_solver *solver;
    assert_int_equal(solve_once(&solver, problem, &options).cg_steps, 0);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// A sphere pressed on the floor, and another at rest that just touches its side: an impulse of zero, a velocity of
// zero.
static void touching_without_impulse_costs_few_iterations(void **state) {
    static const double radius = .1, inertia[3] = {.004, .004, .004}, pressed[6] = {0, 0, -1}, rests[6] = {0};
    int iterations[2];
    for (int touching = 0; touching < 2; touching++) {
        scene s = {0};
        add_rigid(&s, 1, inertia, pressed);
        add_rigid(&s, 1, inertia, rests);
        add_contact_at(&s, FRICTION, -1, 0, (double[3]){0, 0, 1}, (double[3]){0, 0, 0}, (double[3]){0, 0, -radius}, .3);
        if (touching)
            add_contact_at(&s, FRICTION, 0, 1, (double[3]){1, 0, 0}, (double[3]){radius, 0, 0},
                           (double[3]){-radius, 0, 0}, .3);
        vs_solver_options options = make_options(1e-12);
        options.method = VS_METHOD_IPM;
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_converged("touching", &o);
        iterations[touching] = o.iterations;
        free_outcome(&o);
        free_scene(&s);
    }
    print_message("  %d iterations without the second contact, %d with it\n", iterations[0], iterations[1]);
    // Mehrotra's corrector leaves 3/8 of both in each iteration: 28 from one to 1e-12.
    assert_true(iterations[1] <= 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_factors_and_finds_the_same_velocities),
        cmocka_unit_test(gives_the_same_bits_on_two_threads_and_again),
        cmocka_unit_test(leaves_a_time_budget_alone),
        cmocka_unit_test(touching_without_impulse_costs_few_iterations),
    };
    // Builds without MUMPS factor in double precision and never iterate.
    const int skipped = has_single_precision() ? 0 : 3;
    return _cmocka_run_group_tests("tests", tests + skipped, sizeof tests / sizeof *tests - (size_t)skipped, set_up,
                                   tear_down);
}
