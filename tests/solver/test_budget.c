// A time budget is kept, what it returns is worth having, and auto says what it chose.
//
// Times are those of this thread's processor, as the budget's are, so that a busy machine does not fail the tests. Each
// method's budget is a quarter of what it needs without one, so that sanitizers do not either, and the bound is
// generous: three times the budget. The promise, 1.2 times in 99 % of all solves, is shown by bench/budget.c.
#include <time.h>

#include "solving.h"

static double thread_time(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const vs_method METHODS[] = {VS_METHOD_AUTO,    VS_METHOD_IPM,     VS_METHOD_CASCADE, VS_METHOD_GAUSS_SEIDEL,
                                    VS_METHOD_JACOBI,  VS_METHOD_APGD,    VS_METHOD_SPG,     VS_METHOD_ADMM,
                                    VS_METHOD_BARRIER, VS_METHOD_PIVOTING};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static const char *name_of(vs_method method) {
    return vs_method_at((int)method).name;
}

static vs_solver_options options_of(vs_model model, vs_method method, double budget) {
    vs_solver_options options = vs_solver_options_default();
    options.model = model;
    options.method = method;
    options.tolerance = 1e-10;
    options.max_time = budget;
    return options;
}

typedef struct start {
    const double *v, *g, *lambda; // null: none
} start;

// The outcome, measured by vs_measure(), and the time of vs_solver_solve() alone.
static outcome solve_timed(const vs_problem *problem, const vs_solver_options *options, start from, double *seconds) {
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, options, &solver), VS_OK);
    if (from.lambda)
        assert_int_equal(vs_solver_warm_start(solver, from.v, from.g, from.lambda), VS_OK);
    double begin = thread_time();
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    *seconds = thread_time() - begin;
    outcome o = keep_result(problem, options, &result);
    vs_solver_destroy(solver);
    return o;
}

static void check_method(const vs_problem *problem, vs_model model, vs_method method) {
    vs_solver_options options = options_of(model, method, .2);
    double full, cut;
    outcome whole = solve_timed(problem, &options, (start){0}, &full);
    options.max_time = fmin(full, .2) / 4;
    outcome o = solve_timed(problem, &options, (start){0}, &cut);
    print_message("  %s, %s: %.2f ms of %.2f, error %.1e, %s\n", vs_model_name(model), name_of(method), 1e3 * cut,
                  1e3 * options.max_time, relative_error(&o.measures), vs_status_name(o.status));
    if (cut > 3 * options.max_time)
        fail_msg("%s: took %g ms of a budget of %g ms", name_of(method), 1e3 * cut, 1e3 * options.max_time);
    assert_true(o.status == VS_STATUS_TIME_LIMIT || o.status == VS_STATUS_CONVERGED ||
                whole.status == VS_STATUS_INACCURATE);
    assert_true(o.measures.energy_error <= o.measures.energy_scale); // of rest
    free_outcome(&whole), free_outcome(&o);
}

static void every_method_keeps_its_budget(void **state) {
    scene s = make_pile(4, 4, 4, .3, 5);
    vs_problem *problem = must_build(context_of(state), &s);
    for (int k = 0; k < METHOD_COUNT; k++) {
        check_method(problem, VS_MODEL_EXACT, METHODS[k]);
        if (METHODS[k] != VS_METHOD_CASCADE)
            check_method(problem, VS_MODEL_RELAXED, METHODS[k]);
    }
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Budgets from nothing to a few iterations, from a start that is nearly a solution: methods that leave it at first (an
// interior point) must come back to it.
static void what_is_returned_is_never_worse_than_the_warm_start(void **state) {
    scene s = make_pile(4, 4, 4, .3, 6);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options close = options_of(VS_MODEL_EXACT, VS_METHOD_AUTO, 0);
    close.tolerance = 1e-5;
    double seconds;
    outcome near = solve_timed(problem, &close, (start){0}, &seconds);
    const double budgets[] = {1e-9, 1e-4, 1e-3};
    for (int k = 0; k < METHOD_COUNT; k++)
        for (int b = 0; b < 3; b++) {
            vs_solver_options options = options_of(VS_MODEL_EXACT, METHODS[k], budgets[b]);
            outcome o = solve_timed(problem, &options, (start){near.v, near.g, near.lambda}, &seconds);
            // impulses on the surface of a cone are moved onto it again, which rounds them
            if (!(o.measures.energy_error <= (1 + 1e-6) * near.measures.energy_error))
                fail_msg("%s, %g s: %g J from %g J", name_of(METHODS[k]), budgets[b], o.measures.energy_error,
                         near.measures.energy_error);
            free_outcome(&o);
        }
    free_outcome(&near);
    vs_problem_destroy(problem);
    free_scene(&s);
}

static void no_time_at_all_returns_the_start_in_its_history(void **state) {
    scene s = make_pile(4, 4, 4, .3, 5);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = options_of(VS_MODEL_RELAXED, VS_METHOD_IPM, 1e-9);
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_int_equal(result.status, VS_STATUS_TIME_LIMIT);
    assert_int_equal(result.factorizations, 0);
    assert_int_equal(result.history_count, 1);
    assert_true(result.history[0].energy_error == result.measures.energy_error);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Ten blocks on the ground, ten contacts under each: thirty rows for six velocities. speed: sideways, m/s.
static scene make_crowd(double speed) {
    scene s = {0};
    const double inertia[3] = {.1, .1, .1}, v[6] = {speed, .5 * speed, -.1, 0, 0, speed}, up[3] = {0, 0, 1};
    for (int k = 0; k < 10; k++) {
        add_rigid(&s, 1 + .1 * k, inertia, v);
        for (int i = 0; i < 10; i++) {
            const double arm[3] = {.1 * (i % 5) - .2, i < 5 ? .1 : -.1, -.1};
            add_contact_at(&s, FRICTION, -1, k, up, arm, arm, .4);
        }
    }
    return s;
}

// Rest would let everything fall: auto sweeps before it returns, whichever method it chose. The crowd is what it takes for
// masonry, where a factorization comes first.
static void without_any_time_auto_has_swept(void **state) {
    scene pile = make_pile(4, 4, 4, .3, 5), crowd = make_crowd(.001);
    const scene *scenes[] = {&pile, &crowd};
    const vs_model models[] = {VS_MODEL_EXACT, VS_MODEL_RELAXED, VS_MODEL_FRICTIONLESS};
    for (int k = 0; k < 6; k++) {
        vs_problem *problem = must_build(context_of(state), scenes[k % 2]);
        vs_solver_options options = options_of(models[k / 2], VS_METHOD_AUTO, 1e-9);
        double seconds;
        outcome o = solve_timed(problem, &options, (start){0}, &seconds);
        print_message("  %s: %d iterations, error %.1e\n", vs_model_name(models[k / 2]), o.iterations,
                      relative_error(&o.measures));
        // ten sweeps: a third of the error at most, where rest has 1
        if (!(relative_error(&o.measures) < .33))
            fail_msg("%s: relative error %g", vs_model_name(models[k / 2]), relative_error(&o.measures));
        free_outcome(&o);
        vs_problem_destroy(problem);
    }
    free_scene(&pile), free_scene(&crowd);
}

// Joints alone are one linear system, which there is always time for: without their impulses a mechanism falls apart.
static void joints_alone_are_solved_without_any_time(void **state) {
    scene s = {0};
    const double inertia[3] = {.1, .1, .1}, v[6] = {1, 0, -1, 0, 2, 0}, none[3] = {0, 0, 0}, along[3] = {1, 0, 0};
    for (int k = 0; k < 3; k++) {
        add_rigid(&s, 1 + k, inertia, v);
        add_contact_at(&s, JOINT, k - 1, k, along, none, none, 0);
    }
    vs_problem *problem = must_build(context_of(state), &s);
    const vs_model models[] = {VS_MODEL_EXACT, VS_MODEL_RELAXED};
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(models[k], VS_METHOD_AUTO, 1e-9);
        double seconds;
        outcome o = solve_timed(problem, &options, (start){0}, &seconds);
        assert_int_equal(o.status, VS_STATUS_CONVERGED);
        free_outcome(&o);
    }
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Looking at the clock changes nothing.
static void plenty_of_time_gives_the_bits_of_no_limit(void **state) {
    scene s = make_pile(3, 3, 3, .5, 8);
    vs_problem *problem = must_build(context_of(state), &s);
    for (int k = 0; k < 3; k++) {
        const vs_method methods[] = {VS_METHOD_CASCADE, VS_METHOD_IPM, VS_METHOD_APGD};
        vs_model model = k == 0 ? VS_MODEL_EXACT : VS_MODEL_RELAXED;
        vs_solver_options options = options_of(model, methods[k], 0);
        double seconds;
        outcome free = solve_timed(problem, &options, (start){0}, &seconds);
        options.max_time = 1000;
        outcome limited = solve_timed(problem, &options, (start){0}, &seconds);
        assert_int_equal(free.iterations, limited.iterations);
        assert_memory_equal(free.lambda, limited.lambda, sizeof(double) * (size_t)free.m);
        free_outcome(&free), free_outcome(&limited);
    }
    vs_problem_destroy(problem);
    free_scene(&s);
}

// The fallback is within the budget, too.
static void fallbacks_share_the_budget(void **state) {
    scene s = make_pile(4, 4, 4, .3, 5);
    vs_problem *problem = must_build(context_of(state), &s);
    const vs_fallback fallbacks[] = {VS_FALLBACK_RELAXED, VS_FALLBACK_COMPLIANT};
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(VS_MODEL_EXACT, VS_METHOD_CASCADE, 0);
        options.tolerance = 1e-15; // out of reach
        options.exact.fallback = fallbacks[k];
        options.max_time = .02;
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        double begin = thread_time();
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        double seconds = thread_time() - begin;
        if (seconds > 3 * options.max_time)
            fail_msg("fallback %d: took %g ms of %g", k, 1e3 * seconds, 1e3 * options.max_time);
        vs_solver_destroy(solver);
    }
    vs_problem_destroy(problem);
    free_scene(&s);
}

// ---- auto ----------------------------------------------------------------------------------------------------

static void check_choice(const vs_problem *problem, vs_solver_options options, const char *said, const char *method) {
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    print_message("  %s\n", result.choice);
    if (!strstr(result.choice, said) || strcmp(result.method, method) != 0)
        fail_msg("%s: %s, expected %s: %s", result.method, result.choice, method, said);
    assert_int_equal(result.status, VS_STATUS_CONVERGED);
    vs_solver_destroy(solver);
}

static void auto_says_what_it_chose_and_why(void **state) {
    scene s = make_pile(3, 3, 3, .3, 5), crowd = make_crowd(.001); // sticks
    vs_problem *pile = must_build(context_of(state), &s), *wall = must_build(context_of(state), &crowd);
    vs_solver_options options = options_of(VS_MODEL_EXACT, VS_METHOD_AUTO, 0);
    options.tolerance = 1e-8;
    check_choice(pile, options, "auto chose cascade: exact friction", "cascade");
    check_choice(wall, options, "auto chose admm: many more contact rows than velocities", "admm");
    options.model = VS_MODEL_RELAXED;
    check_choice(pile, options, "auto chose ipm: a convex model", "ipm");
    options.tolerance = 1e-2;
    check_choice(pile, options, "auto chose apgd: few digits", "apgd");
    options.form = VS_FORM_AUGMENTED;
    check_choice(pile, options, "augmented form: requested", "ipm");
    options = options_of(VS_MODEL_FRICTIONLESS, VS_METHOD_AUTO, 0);
    check_choice(pile, options, "auto chose pivoting: no friction", "pivoting");
    vs_problem_destroy(pile), vs_problem_destroy(wall);
    free_scene(&s), free_scene(&crowd);
}

// Blocks that slide are no masonry: the cascade takes over, and again after an update.
static void where_the_first_choice_fails_another_takes_over(void **state) {
    scene s = make_crowd(.1);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = options_of(VS_MODEL_EXACT, VS_METHOD_AUTO, 0);
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        print_message("  %s\n", result.choice);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        assert_string_equal(result.method, "cascade");
        assert_true(strstr(result.choice, "auto chose admm") && strstr(result.choice, "iterations cascade"));
        outcome o = keep_result(problem, &options, &result);
        free_outcome(&o);
        assert_int_equal(vs_solver_update(solver, problem), VS_OK);
    }
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_keeps_its_budget),
        cmocka_unit_test(what_is_returned_is_never_worse_than_the_warm_start),
        cmocka_unit_test(no_time_at_all_returns_the_start_in_its_history),
        cmocka_unit_test(without_any_time_auto_has_swept),
        cmocka_unit_test(joints_alone_are_solved_without_any_time),
        cmocka_unit_test(plenty_of_time_gives_the_bits_of_no_limit),
        cmocka_unit_test(fallbacks_share_the_budget),
        cmocka_unit_test(auto_says_what_it_chose_and_why),
        cmocka_unit_test(where_the_first_choice_fails_another_takes_over),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
