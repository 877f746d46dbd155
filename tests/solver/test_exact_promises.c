// What the interface promises, for exact Coulomb friction: warm starts, updates, the same bits for any thread count, no
// memory during a solve, and never a silent failure.
#include "exact.h"

static const double half_sides[3] = {.5, .4, .25};

static scene make_sliding_box(double v0, double mu) {
    return make_box(2, half_sides, mu, (double[6]){v0, .1 * v0, -gravity * time_step, 0, 0, .2 * v0});
}

// Something of everything.
static scene make_sample(uint64_t seed) {
    recipe r = {.seed = seed, .bodies = 5, .dofs = 6, .friction = 6, .smooth = 2, .joints = 2, .bounds = 1, .mu = .6};
    r.compliant = seed % 2;
    return make_random(&r);
}

static scene make_wall_scene(void) {
    wall w = make_wall(4, 4, .5);
    push_top_row(&w, .2);
    return w.s;
}

// Other values, same pattern; relative change `amount` of velocities, a tenth of it elsewhere.
static void change_values(scene *s, double amount, uint64_t seed) {
    for (int k = 0; k < s->bodies; k++)
        for (int j = 0; j < s->body[k].dofs; j++)
            s->body[k].c[j] *= 1 + random_in(&seed, -amount, amount);
    for (int k = 0; k < s->links; k++)
        if (s->link[k].kind == FRICTION)
            s->link[k].mu *= 1 + .1 * random_in(&seed, -amount, amount);
}

static void assert_same_bits(const outcome *a, const outcome *b) {
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(a->v, b->v, (size_t)a->n * sizeof(double));
    assert_memory_equal(a->y, b->y, (size_t)a->m * sizeof(double));
    assert_memory_equal(a->lambda, b->lambda, (size_t)a->m * sizeof(double));
    assert_memory_equal(a->g, b->g, (size_t)a->m_e * sizeof(double));
}

// ---- warm start --------------------------------------------------------------------------------------------

// Starts a fresh solver from `from` (null: cold).
static outcome solve_from(const vs_problem *problem, const vs_solver_options *options, const outcome *from,
                          vs_result *result) {
    vs_solver *solver = NULL;
    assert_int_equal(vs_solver_create(problem, options, &solver), VS_OK);
    if (from)
        assert_int_equal(vs_solver_warm_start(solver, from->v, from->g, from->lambda), VS_OK);
    assert_int_equal(vs_solver_solve(solver, result), VS_OK);
    outcome o = keep_result(problem, options, result);
    vs_solver_destroy(solver);
    return o;
}

static void check_warm_start_at_the_solution(vs_context *context, const char *name, const scene *s) {
    vs_problem *problem = must_build(context, s);
    vs_solver_options options = strict_options(1e-8);
    vs_result result;
    outcome cold = solve_from(problem, &options, NULL, &result);
    assert_converged(name, &cold);
    outcome warm = solve_from(problem, &options, &cold, &result);
    assert_converged(name, &warm);
    assert_int_equal(result.factorizations, 0);
    // it is the solution that was given, perhaps projected onto the cones: roundoff
    assert_true(largest_difference(warm.lambda, cold.lambda, cold.m) <= 1e-14 * largest(cold.lambda, cold.m));
    free_outcome(&cold), free_outcome(&warm);
    vs_problem_destroy(problem);
}

static void warm_start_at_the_solution_returns_it_without_a_factorization(void **state) {
    scene scenes[] = {make_sliding_box(1, .4), make_sliding_box(0, .4), make_wall_scene(),
                      make_sample(1),          make_sample(2),          make_pile(3, 3, 3, .5, 2)};
    for (int k = 0; k < 6; k++) {
        char name[32];
        snprintf(name, sizeof name, "scene %d", k);
        check_warm_start_at_the_solution(context_of(state), name, &scenes[k]);
        free_scene(&scenes[k]);
    }
}

// A neighbour (0.1 % other velocities), started from the solution before.
static void warm_start_of_a_neighbour_needs_no_more_iterations(void **state) {
    scene scenes[] = {make_sliding_box(1, .4), make_sliding_box(0, .4), make_wall_scene(),
                      make_sample(1),          make_sample(2),          make_pile(3, 3, 3, .5, 2)};
    int worse = 0;
    for (int k = 0; k < 6; k++) {
        scene near = copy_scene(&scenes[k]);
        change_values(&near, 1e-3, 11 + (uint64_t)k);
        vs_problem *problem = must_build(context_of(state), &scenes[k]), *next = must_build(context_of(state), &near);
        vs_solver_options options = strict_options(1e-8);
        options.method = VS_METHOD_CASCADE; // auto may end with one method cold and another warm
        vs_result first, second, third;
        outcome before = solve_from(problem, &options, NULL, &first);
        outcome cold = solve_from(next, &options, NULL, &second), warm = solve_from(next, &options, &before, &third);
        assert_converged("cold", &cold);
        assert_converged("warm", &warm);
        print_message("  scene %d: cold %d iterations, %d factorizations; warm %d, %d\n", k, second.iterations,
                      second.factorizations, third.iterations, third.factorizations);
        worse += third.iterations > second.iterations || third.factorizations > second.factorizations;
        free_outcome(&before), free_outcome(&cold), free_outcome(&warm);
        vs_problem_destroy(problem), vs_problem_destroy(next);
        free_scene(&near), free_scene(&scenes[k]);
    }
    assert_int_equal(worse, 0);
}

// Used once: the solve after the warm one is cold again, to the bit.
static void warm_start_is_used_once(void **state) {
    scene s = make_sliding_box(1, .4);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = strict_options(1e-8);
    vs_solver *solver = NULL;
    vs_result result;
    outcome cold = solve_problem(problem, &options);
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_warm_start(solver, cold.v, cold.g, cold.lambda), VS_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    outcome again = keep_result(problem, &options, &result);
    assert_same_bits(&cold, &again);
    free_outcome(&cold), free_outcome(&again);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// ---- the same bits -----------------------------------------------------------------------------------------

static void updated_solver_equals_a_fresh_one(void **state) {
    scene scenes[] = {make_sliding_box(1, .4), make_sample(3), make_wall_scene()};
    for (int k = 0; k < 3; k++) {
        scene other = copy_scene(&scenes[k]);
        change_values(&other, .2, 5);
        vs_problem *a = must_build(context_of(state), &scenes[k]), *b = must_build(context_of(state), &other);
        vs_solver_options options = strict_options(1e-8);
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(a, &options, &solver), VS_OK);
        for (int round = 0; round < 4; round++) { // a, b, a, b
            const vs_problem *now = round % 2 ? b : a;
            assert_int_equal(vs_solver_update(solver, now), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            outcome updated = keep_result(now, &options, &result), fresh = solve_problem(now, &options);
            assert_converged("updated", &updated);
            assert_same_bits(&updated, &fresh);
            free_outcome(&updated), free_outcome(&fresh);
        }
        vs_solver_destroy(solver);
        vs_problem_destroy(a), vs_problem_destroy(b);
        free_scene(&scenes[k]), free_scene(&other);
    }
}

static outcome solve_repeatedly(const scene *s, int threads, int times, const vs_solver_options *options) {
    memory m;
    vs_context *context = make_threaded_context(&m, threads);
    vs_problem *problem = must_build(context, s);
    vs_solver *solver = NULL;
    vs_result result;
    outcome first = {0};
    assert_int_equal(vs_solver_create(problem, options, &solver), VS_OK);
    for (int k = 0; k < times; k++) {
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        outcome o = keep_result(problem, options, &result);
        if (k > 0) {
            assert_same_bits(&first, &o);
            free_outcome(&o);
        } else {
            first = o;
        }
    }
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    end_context(context, &m);
    return first;
}

static void repeated_solves_give_the_same_bits_for_any_thread_count(void **state) {
    (void)state;
    scene scenes[] = {make_sliding_box(1, .4), make_sample(4), make_wall_scene(), make_pile(5, 5, 4, .5, 9)};
    for (int k = 0; k < 4; k++) {
        vs_solver_options options = strict_options(1e-8);
        outcome one = solve_repeatedly(&scenes[k], 1, k < 3 ? 5 : 2, &options);
        for (int threads = 2; threads <= 4; threads += 2) {
            outcome many = solve_repeatedly(&scenes[k], threads, k < 3 ? 5 : 2, &options);
            assert_same_bits(&one, &many);
            free_outcome(&many);
        }
        free_outcome(&one);
        free_scene(&scenes[k]);
    }
}

// ---- memory ------------------------------------------------------------------------------------------------

static void solving_a_box_allocates_nothing_after_the_first_call(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    scene a = make_sliding_box(1, .4), b = make_sliding_box(.02, .5);
    vs_problem *problem[2] = {must_build(context, &a), must_build(context, &b)};
    vs_solver_options options = strict_options(1e-8);
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem[0], &options, &solver), VS_OK);
    m.calls = 0;
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    int first = m.calls, solving = 0, updating = 0;
    for (int k = 0; k < 1000; k++) {
        m.calls = 0;
        assert_int_equal(vs_solver_update(solver, problem[(k + 1) % 2]), VS_OK);
        updating += m.calls;
        m.calls = 0;
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        solving += m.calls;
    }
    print_message("  allocations: first solve %d, 1000 updates %d, 1000 solves %d\n", first, updating, solving);
    assert_int_equal(solving, 0);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem[0]), vs_problem_destroy(problem[1]);
    free_scene(&a), free_scene(&b);
    end_context(context, &m);
}

// Every allocation refused in turn: reported, nothing left.
static void every_refused_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    scene s = make_sample(1);
    memory m;
    vs_context *context = make_context(&m);
    vs_solver_options options = strict_options(1e-8);
    const int before = m.alive;
    int refused = 0;
    for (bool done = false; !done; refused++) {
        vs_problem *problem = must_build(context, &s);
        vs_solver *solver = NULL;
        vs_result result;
        refuse_call(&m, refused);
        vs_error error = vs_solver_create(problem, &options, &solver);
        if (!error)
            error = vs_solver_solve(solver, &result);
        if (!error)
            error = vs_solver_update(solver, problem);
        done = !was_refused(&m);
        refuse_none(&m);
        assert_int_equal(error, done ? VS_OK : VS_ERROR_MEMORY);
        assert_true(done || vs_context_get_error_text(context)[0] != 0);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        assert_int_equal(m.alive, before);
    }
    print_message("  %d allocations refused\n", refused - 1);
    end_context(context, &m);
    free_scene(&s);
}

// ---- never silent ------------------------------------------------------------------------------------------

static scene make_hard(void) {
    return make_pile(6, 6, 5, 1, 3); // 180 spheres, mu = 1
}

static void assert_same_measures(const vs_problem *problem, vs_model model, const vs_result *result) {
    vs_measurer *measurer = NULL;
    vs_measures measures;
    assert_int_equal(vs_measurer_create(problem, model, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, result->g, result->lambda, NULL, NULL, &measures), VS_OK);
    assert_memory_equal(&measures, &result->measures, sizeof measures);
    vs_measurer_destroy(measurer);
}

// keep_result() compares the measures and asks for a text.
static void limits_are_reported_and_return_nothing_worse_than_no_impulses(void **state) {
    scene s = make_hard();
    for (int limit = 0; limit < 3; limit++) {
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = strict_options(1e-8);
        if (limit < 2)
            options.max_iterations = limit;
        else
            options.max_time = 1e-6;
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        outcome o = keep_result(problem, &options, &result);
        print_message("  %s, error %.1e: %s\n", vs_status_name(result.status), relative_error(&o.measures),
                      result.status_text);
        assert_int_equal(result.status, limit < 2 ? VS_STATUS_ITERATION_LIMIT : VS_STATUS_TIME_LIMIT);
        assert_int_equal(result.model, VS_MODEL_EXACT);
        assert_true(result.status_text && result.status_text[0]);
        assert_true(o.measures.energy_error <= o.measures.energy_scale * (1 + 1e-12)); // roundoff of the sums
        free_outcome(&o);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
    }
    free_scene(&s);
}

static bool stop_at_once(void *user, const vs_iteration *line) {
    (void)line;
    ++*(int *)user;
    return false;
}

static void progress_callback_stops_it(void **state) {
    scene s = make_hard();
    int calls = 0;
    vs_solver_options options = strict_options(1e-8);
    options.progress = stop_at_once, options.progress_user = &calls;
    outcome o = solve_scene(context_of(state), &s, &options);
    assert_int_equal(o.error, VS_OK);
    assert_int_equal(o.status, VS_STATUS_STOPPED);
    assert_int_equal(calls, 1);
    assert_true(o.measures.energy_error <= o.measures.energy_scale * (1 + 1e-12));
    free_outcome(&o);
    free_scene(&s);
}

// Cut short, the solution of the relaxed model is returned, says so, and is one.
static void relaxed_fallback_returns_the_relaxed_solution(void **state) {
    scene s = make_hard();
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = strict_options(1e-8);
    options.max_iterations = 1, options.exact.fallback = VS_FALLBACK_RELAXED;
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    print_message("  %s: %s\n", vs_status_name(result.status), result.status_text);
    assert_int_not_equal(result.status, VS_STATUS_CONVERGED);
    assert_int_equal(result.model, VS_MODEL_RELAXED);
    assert_true(result.status_text && result.status_text[0]);
    assert_same_measures(problem, VS_MODEL_RELAXED, &result);
    assert_true(relative_error(&result.measures) <= 1e-8);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// A compliance that was solved is reported, and the impulses do solve that problem; or the text says that none was.
static void compliant_fallback_names_its_compliance_or_says_there_is_none(void **state) {
    scene s = make_hard();
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = strict_options(1e-8);
    options.max_iterations = 1, options.exact.fallback = VS_FALLBACK_COMPLIANT;
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    print_message("  %s, compliance %g: %s\n", vs_status_name(result.status), result.compliance, result.status_text);
    assert_int_not_equal(result.status, VS_STATUS_CONVERGED);
    assert_int_equal(result.model, VS_MODEL_EXACT);
    assert_true(result.compliance > 0 || strstr(result.status_text, "complian"));
    assert_same_measures(problem, VS_MODEL_EXACT, &result);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// What the stages say they did is what the result counts.
static void stages_account_for_every_island(void **state) {
    scene scenes[] = {make_sliding_box(1, .4), make_sample(5), make_wall_scene()};
    for (int k = 0; k < 3; k++) {
        vs_problem *problem = must_build(context_of(state), &scenes[k]);
        vs_solver_options options = strict_options(1e-8);
        options.method = VS_METHOD_CASCADE;
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        int solved = 0, factorizations = 0;
        for (int j = 0; j < result.stage_count; j++) {
            const vs_stage *stage = &result.stages[j];
            assert_true(stage->name && stage->name[0] && stage->stopped);
            assert_true(stage->solved <= stage->tried && stage->tried <= result.islands);
            solved += stage->solved;
            factorizations += stage->factorizations;
        }
        assert_true(result.islands >= 1 && result.stage_count >= 1);
        assert_int_equal(solved, result.islands);
        assert_int_equal(factorizations, result.factorizations);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        free_scene(&scenes[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_start_at_the_solution_returns_it_without_a_factorization),
        cmocka_unit_test(warm_start_of_a_neighbour_needs_no_more_iterations),
        cmocka_unit_test(warm_start_is_used_once),
        cmocka_unit_test(updated_solver_equals_a_fresh_one),
        cmocka_unit_test(repeated_solves_give_the_same_bits_for_any_thread_count),
        cmocka_unit_test(solving_a_box_allocates_nothing_after_the_first_call),
        cmocka_unit_test(every_refused_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(limits_are_reported_and_return_nothing_worse_than_no_impulses),
        cmocka_unit_test(progress_callback_stops_it),
        cmocka_unit_test(relaxed_fallback_returns_the_relaxed_solution),
        cmocka_unit_test(compliant_fallback_names_its_compliance_or_says_there_is_none),
        cmocka_unit_test(stages_account_for_every_island),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
