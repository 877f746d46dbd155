// Exact friction as a fixed point over a convex method: closed forms, agreement with the cascade, what Anderson gains,
// and the promises of the interface. The method inside is the interior point; test_methods.c runs all of them.
#include "solver/parts.h"
#include "solver/method.h"

static const double half_sides[3] = {.5, .4, .25};
static const vs_outer outers[2] = {VS_OUTER_PLAIN, VS_OUTER_ANDERSON};

static vs_solver_options over_ipm(double tolerance, vs_outer outer) {
    vs_solver_options options = strict_options(tolerance);
    options.method = VS_METHOD_IPM;
    options.exact.outer = outer;
    return options;
}

// Something of everything.
static scene make_sample(uint64_t seed) {
    recipe r = {.seed = seed, .bodies = 5, .dofs = 6, .friction = 6, .smooth = 2, .joints = 2, .bounds = 1, .mu = .6};
    r.compliant = seed % 2;
    return make_random(&r);
}

// ---- closed forms ------------------------------------------------------------------------------------------

// A block that slides and cannot turn: v_t = v0 - mu g h, and it does not open, where the relaxed model lifts it at
// mu v_t. Tolerance 1e-10 times a condition of 100 (four contacts, three held rotations).
static void sliding_block_does_not_lift_off(void **state) {
    const double v0 = 2, mu = .4, v_t = v0 - mu * gravity * time_step;
    for (int k = 0; k < 2; k++) {
        scene s = make_box(2, half_sides, mu, (double[6]){v0, 0, -gravity * time_step, 0, 0, 0});
        hold(&s, 0, (int[3]){3, 4, 5}, 3);
        vs_solver_options options = over_ipm(1e-10, outers[k]);
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_converged("sliding block", &o);
        assert_all_near("v", o.v, (double[6]){v_t, 0, 0, 0, 0, 0}, 6, 1e-8 * v0);
        options.model = VS_MODEL_RELAXED;
        outcome relaxed = solve_scene(context_of(state), &s, &options);
        assert_true(relaxed.v[2] > .5 * mu * v0);
        free_outcome(&o), free_outcome(&relaxed);
        free_scene(&s);
    }
}

// s = 0 is right from the first: one relaxed solve an order of accuracy.
static void sticking_block_stays(void **state) {
    scene s = make_box(2, half_sides, .5, (double[6]){.2 * gravity * time_step, 0, -gravity * time_step, 0, 0, 0});
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = over_ipm(1e-10, outers[k]);
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_converged("sticking block", &o);
        assert_all_near("v", o.v, (double[6]){0}, 6, 1e-8 * gravity * time_step); // condition of 100
        free_outcome(&o);
    }
    free_scene(&s);
}

// A point on a plane in the local form, N = I/m: y_T = (v0 - mu g h, 0), l_n = m g h, y_n = 0.
static void local_form_slides_as_the_global_one(void **state) {
    static columns room;
    const double m = 3, v0 = 1, mu = .3, fall = gravity * time_step, friction[1] = {mu};
    double N[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m}, r[3] = {-fall, .6 * v0, -.8 * v0};
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = view_columns(&room, N, 3, 3);
    def.r = r, def.mu = friction, def.contacts = 1;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_local(context_of(state), &def, &problem), VS_OK);
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = over_ipm(1e-11, outers[k]);
        outcome o = solve_problem(problem, &options);
        assert_converged("local", &o);
        double speed = v0 - mu * fall;
        assert_all_near("y", o.y, (double[3]){0, .6 * speed, -.8 * speed}, 3, 1e-9); // condition of 1/mu, margin 10
        assert_all_near("lambda", o.lambda, (double[3]){m * fall, -.6 * mu * m * fall, .8 * mu * m * fall}, 3, 1e-9);
        free_outcome(&o);
    }
    vs_problem_destroy(problem);
}

// N with an unsymmetric pattern, and a contact with mu = 0 among the five: a variational inequality.
static void unsymmetric_local_form_is_solved(void **state) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        vs_problem *problem = make_local(context_of(state), seed);
        vs_solver_options options = over_ipm(1e-8, VS_OUTER_ANDERSON);
        outcome o = solve_problem(problem, &options);
        if (o.error != VS_ERROR_UNSUPPORTED)
            assert_converged("local", &o);
        free_outcome(&o);
        vs_problem_destroy(problem);
    }
}

// ---- against the cascade -----------------------------------------------------------------------------------

typedef struct tally {
    int solved, outer, inner;
} tally;

static void count(vs_context *context, const scene *s, vs_outer outer, tally *t) {
    vs_problem *problem = must_build(context, s);
    vs_solver_options options = over_ipm(1e-8, outer);
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    outcome o = keep_result(problem, &options, &result); // evaluates by the exact measures
    t->solved += o.status == VS_STATUS_CONVERGED;
    t->outer += result.history_count - 1;
    t->inner += result.iterations;
    free_outcome(&o);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
}

// Random problems with joints, boxes, frictionless contacts and compliance: wherever the cascade has a solution to 1e-8, the fixed
// point must find one too. Which one is free: exact friction may have several.
static void fixed_point_solves_what_the_chain_solves(void **state) {
    enum { SAMPLES = 24 };
    tally t[2] = {{0}};
    int chain = 0;
    for (uint64_t seed = 1; seed <= SAMPLES; seed++) {
        scene s = make_sample(seed);
        vs_solver_options options = strict_options(1e-8);
        outcome o = solve_scene(context_of(state), &s, &options);
        chain += o.status == VS_STATUS_CONVERGED;
        free_outcome(&o);
        for (int k = 0; k < 2; k++)
            count(context_of(state), &s, outers[k], &t[k]);
        free_scene(&s);
    }
    print_message("  %d samples: chain solves %d; plain %d (%d relaxed solves, %d iterations), Anderson %d (%d, %d)\n",
                  SAMPLES, chain, t[0].solved, t[0].outer, t[0].inner, t[1].solved, t[1].outer, t[1].inner);
    assert_int_equal(chain, SAMPLES);
    assert_int_equal(t[1].solved, SAMPLES);
    assert_true(t[0].solved >= SAMPLES - 1); // without safeguard: a map that does not contract may be among them
}

// Where the plain fixed point is slow, many coupled sliding contacts, Anderson needs half of it.
static void anderson_needs_fewer_relaxed_solves(void **state) {
    tally t[2] = {{0}};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        scene s = make_pile(3, 3, 2, .3, seed);
        for (int k = 0; k < 2; k++)
            count(context_of(state), &s, outers[k], &t[k]);
        free_scene(&s);
    }
    print_message("  4 piles: plain solves %d (%d relaxed solves, %d iterations), Anderson %d (%d, %d)\n", t[0].solved,
                  t[0].outer, t[0].inner, t[1].solved, t[1].outer, t[1].inner);
    assert_int_equal(t[1].solved, 4);
    assert_true(t[1].outer <= .7 * t[0].outer);
}

// A point that joints hold altogether and contacts press on: G has a kink where extrapolations leave s >= 0, and
// clipping them to 0 would stop there.
static void extrapolations_below_zero_do_not_get_stuck(void **state) {
    recipe r = {.seed = 7006, .bodies = 3, .dofs = 3, .friction = 8, .joints = 1, .mu = .7};
    scene s = make_random(&r);
    tally t[2] = {{0}};
    for (int k = 0; k < 2; k++)
        count(context_of(state), &s, outers[k], &t[k]);
    assert_int_equal(t[0].solved + t[1].solved, 2);
    free_scene(&s);
}

// ---- what is told ------------------------------------------------------------------------------------------

static void report_names_the_method_inside(void **state) {
    scene s = make_sample(2);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = over_ipm(1e-8, VS_OUTER_ANDERSON);
    vs_solver *solver = NULL;
    vs_result result;
    options.form = VS_FORM_AUGMENTED;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_string_equal(result.method, "ipm");
    assert_string_equal(result.form, "augmented");
    assert_non_null(strstr(result.choice, "fixed point over ipm"));
    assert_int_equal(result.model, VS_MODEL_EXACT);
    // counts are sums: at least one factorization per iteration
    assert_true(result.factorizations >= result.iterations && result.iterations > 0);
    assert_true(result.triangular_solves >= result.factorizations);
    // a line an outer iteration, with the exact error and the iterations so far
    assert_true(result.history_count > 2);
    for (int k = 1; k < result.history_count; k++)
        assert_true(result.history[k].iteration > result.history[k - 1].iteration);
    assert_int_equal(result.history[result.history_count - 1].iteration, result.iterations);
    assert_true(result.history[0].energy_error == result.measures.energy_scale); // rest
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

static bool stop_later(void *user, const vs_iteration *line) {
    (void)line;
    return --*(int *)user > 0;
}

static void limits_and_callbacks_are_kept(void **state) {
    scene s = make_pile(4, 4, 3, .6, 3);
    for (int limit = 0; limit < 5; limit++) {
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = over_ipm(1e-8, VS_OUTER_ANDERSON);
        int calls = limit == 3 ? 1 : 6;
        if (limit < 2)
            options.max_iterations = 7 * limit;
        else if (limit == 2)
            options.max_time = 1e-6;
        else
            options.progress = stop_later, options.progress_user = &calls;
        vs_result result;
        outcome o = solve_counted(problem, &options, &result);
        vs_status expected = limit < 2    ? VS_STATUS_ITERATION_LIMIT
                             : limit == 2 ? VS_STATUS_TIME_LIMIT
                                          : VS_STATUS_STOPPED;
        assert_int_equal(o.error, VS_OK);
        assert_int_equal(o.status, expected);
        assert_true(limit >= 2 || o.iterations <= 7 * limit);
        assert_true(limit < 3 || calls == 0);                                          // never asked again
        assert_true(o.measures.energy_error <= o.measures.energy_scale * (1 + 1e-12)); // roundoff of the sums
        free_outcome(&o);
        vs_problem_destroy(problem);
    }
    free_scene(&s);
}

// No solution, so no fixed point: it must say so and not continue for ever.
static void no_progress_ends_with_a_sentence(void **state) {
    vs_problem *problem = make_unsolvable(context_of(state));
    vs_solver_options options = over_ipm(1e-8, VS_OUTER_PLAIN);
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    print_message("  %s: %d relaxed solves, error %.1e\n", result.status_text, result.history_count - 1,
                  relative_error(&result.measures));
    assert_int_equal(result.status, VS_STATUS_INACCURATE);
    assert_non_null(strstr(result.status_text, "no more progress"));
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
}

static void without_friction_one_relaxed_solve_is_enough(void **state) {
    recipe r = {.seed = 4, .bodies = 4, .dofs = 6, .smooth = 6, .joints = 2};
    scene s = make_random(&r);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = over_ipm(1e-10, VS_OUTER_ANDERSON);
    vs_result result;
    outcome o = solve_counted(problem, &options, &result);
    assert_converged("no friction", &o);
    assert_int_equal(result.history_count, 2);
    free_outcome(&o);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// ---- starts, updates, memory -------------------------------------------------------------------------------

// Other values, same pattern.
static void change_values(scene *s, double amount, uint64_t seed) {
    for (int k = 0; k < s->bodies; k++)
        for (int j = 0; j < s->body[k].dofs; j++)
            s->body[k].c[j] *= 1 + random_in(&seed, -amount, amount);
}

// At the solution nothing is iterated; beside it less than from rest; velocities alone are a start too.
static void warm_starts_are_used(void **state) {
    int cold_sum = 0, warm_sum = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        scene s = make_sample(seed), near = copy_scene(&s);
        change_values(&near, 1e-3, seed);
        vs_problem *problem = must_build(context_of(state), &s), *next = must_build(context_of(state), &near);
        for (int warm = VS_WARM_START_FULL; warm <= VS_WARM_START_PARTIAL; warm++) {
            vs_solver_options options = over_ipm(1e-8, VS_OUTER_ANDERSON);
            vs_solver *solver = NULL;
            vs_result result;
            options.warm_start = (vs_warm_start)warm;
            outcome first = solve_problem(problem, &options), cold = solve_problem(next, &options);
            assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
            assert_int_equal(vs_solver_warm_start(solver, first.v, first.g, first.lambda), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            assert_true(warm == VS_WARM_START_PARTIAL || result.iterations == 0);
            assert_int_equal(vs_solver_update(solver, next), VS_OK);
            assert_int_equal(vs_solver_warm_start(solver, first.v, first.g, first.lambda), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            outcome o = keep_result(next, &options, &result);
            assert_converged("warm", &o);
            if (warm == VS_WARM_START_FULL)
                cold_sum += cold.iterations, warm_sum += o.iterations;
            free_outcome(&first), free_outcome(&cold), free_outcome(&o);
            vs_solver_destroy(solver);
        }
        vs_problem_destroy(problem), vs_problem_destroy(next);
        free_scene(&s), free_scene(&near);
    }
    print_message("  neighbours: %d iterations cold, %d warm\n", cold_sum, warm_sum);
    assert_true(warm_sum < cold_sum);
}

static void assert_same_bits(const outcome *a, const outcome *b) {
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(a->v, b->v, (size_t)a->n * sizeof(double));
    assert_memory_equal(a->lambda, b->lambda, (size_t)a->m * sizeof(double));
    assert_memory_equal(a->g, b->g, (size_t)a->m_e * sizeof(double));
}

// A solver used before gives the same bits as a new one, and allocates nothing after its first solve.
static void updated_solver_equals_a_fresh_one_and_allocates_nothing(void **state) {
    fixture *f = *state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        scene s = make_sample(seed), other = copy_scene(&s);
        change_values(&other, .2, seed);
        vs_problem *problem[2] = {must_build(f->context, &s), must_build(f->context, &other)};
        vs_solver_options options = over_ipm(1e-8, VS_OUTER_ANDERSON);
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem[0], &options, &solver), VS_OK);
        for (int round = 0; round < 4; round++) {
            const vs_problem *now = problem[round % 2];
            int before = f->m.calls;
            assert_int_equal(vs_solver_update(solver, now), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            assert_true(round == 0 || f->m.calls == before);
            outcome used = keep_result(now, &options, &result), fresh = solve_problem(now, &options);
            assert_same_bits(&used, &fresh);
            free_outcome(&used), free_outcome(&fresh);
        }
        vs_solver_destroy(solver);
        vs_problem_destroy(problem[0]), vs_problem_destroy(problem[1]);
        free_scene(&s), free_scene(&other);
    }
}

static void same_bits_for_any_thread_count(void **state) {
    (void)state;
    scene s = make_pile(4, 4, 3, .3, 9);
    outcome o[2];
    for (int k = 0; k < 2; k++) {
        memory m;
        vs_context *context = make_threaded_context(&m, k ? 4 : 1);
        vs_solver_options options = over_ipm(1e-6, VS_OUTER_ANDERSON);
        options.max_iterations = 60;
        o[k] = solve_scene(context, &s, &options);
        end_context(context, &m);
    }
    assert_same_bits(&o[0], &o[1]);
    free_outcome(&o[0]), free_outcome(&o[1]);
    free_scene(&s);
}

static void every_refused_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    scene s = make_sample(1);
    memory m;
    vs_context *context = make_context(&m);
    vs_solver_options options = over_ipm(1e-6, VS_OUTER_ANDERSON);
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
        done = !was_refused(&m);
        refuse_none(&m);
        assert_int_equal(error, done ? VS_OK : VS_ERROR_MEMORY);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        assert_int_equal(m.alive, before);
    }
    print_message("  %d allocations refused\n", refused - 1);
    end_context(context, &m);
    free_scene(&s);
}

// Relaxed solves of a first-order method, one after the other, may not take more iterations together than it may alone.
static void relaxed_solves_share_a_limit_of_iterations(void **state) {
    (void)state;
    assert_true(vs_fixed_point_class.most <= vs_spg_class.most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_block_does_not_lift_off),
        cmocka_unit_test(sticking_block_stays),
        cmocka_unit_test(local_form_slides_as_the_global_one),
        cmocka_unit_test(unsymmetric_local_form_is_solved),
        cmocka_unit_test(fixed_point_solves_what_the_chain_solves),
        cmocka_unit_test(anderson_needs_fewer_relaxed_solves),
        cmocka_unit_test(extrapolations_below_zero_do_not_get_stuck),
        cmocka_unit_test(report_names_the_method_inside),
        cmocka_unit_test(relaxed_solves_share_a_limit_of_iterations),
        cmocka_unit_test(limits_and_callbacks_are_kept),
        cmocka_unit_test(no_progress_ends_with_a_sentence),
        cmocka_unit_test(without_friction_one_relaxed_solve_is_enough),
        cmocka_unit_test(warm_starts_are_used),
        cmocka_unit_test(updated_solver_equals_a_fresh_one_and_allocates_nothing),
        cmocka_unit_test(same_bits_for_any_thread_count),
        cmocka_unit_test(every_refused_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
