// The cascade over islands: what it promises to whoever watches it, and what is kept. Solutions are
// evaluated in test_exact.c and test_exact_scenes.c.
#include "solver/parts.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"

// ---- stopping ----------------------------------------------------------------------------------------------

typedef struct watcher {
    int calls, no_at; // says no once
} watcher;

static bool say_no_once(void *user, const vs_iteration *line) {
    watcher *w = user;
    (void)line;
    return ++w->calls != w->no_at;
}

// Points beside each other: islands of one contact, one iteration each.
static scene make_points(int count) {
    scene s = {0};
    const double up[3] = {0, 0, 1}, none[3] = {0};
    for (int k = 0; k < count; k++) {
        scene_body *body = add_body(&s, 3);
        for (int j = 0; j < 3; j++)
            body->H[4 * j] = 1, body->c[j] = j == 2 ? gravity * time_step : -1. - k;
        add_contact_at(&s, FRICTION, -1, k, up, none, none, .3);
    }
    return s;
}

// A no is a no, also in the moment in which an island was solved: it is not asked again.
static void a_stop_is_heard_between_islands(void **state) {
    enum { COUNT = 4 };
    scene s = make_points(COUNT);
    for (int no_at = 1; no_at <= COUNT + 1; no_at++) {
        watcher w = {.no_at = no_at};
        vs_solver_options options = exact_options(1e-8);
        options.progress = say_no_once, options.progress_user = &w;
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_int_equal(o.error, VS_OK);
        assert_int_equal(w.calls, no_at < COUNT ? no_at : COUNT);
        assert_int_equal(o.status, no_at < COUNT ? VS_STATUS_STOPPED : VS_STATUS_CONVERGED);
        free_outcome(&o);
    }
    free_scene(&s);
}

static void iterations_are_limited_over_all_islands(void **state) {
    enum { COUNT = 4 };
    scene s = make_points(COUNT);
    for (int most = 1; most <= COUNT; most++) {
        vs_solver_options options = exact_options(1e-8);
        options.max_iterations = most;
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_int_equal(o.iterations, most);
        assert_int_equal(o.status, most < COUNT ? VS_STATUS_ITERATION_LIMIT : VS_STATUS_CONVERGED);
        free_outcome(&o);
    }
    free_scene(&s);
}

// ---- what is kept ---------------------------------------------------------------------------------

// The best iterate, whatever comes later; what meets the tolerance lies in the cones.
static void progress_keeps_the_best_iterate(void **state) {
    scene s = make_pile(2, 2, 2, .5, 3);
    parts *p = take_scene_apart(context_of(state), &s);
    trial t;
    begin_trial(&t, p, largest_island(p), 1e-6);
    const vs_impulse_problem *island = t.island;
    double *solution = make_doubles(island->rows), *l = make_doubles(island->rows), *y = make_doubles(island->rows);
    solve_island_by_cascade(p, island, 1e-12, solution);
    uint64_t seed = 1;
    double least = INFINITY;
    for (int k = 0; k < 200; k++) {
        double away = pow(10, random_in(&seed, -4, 0));
        for (int i = 0; i < island->rows; i++)
            l[i] = solution[i] + away * random_in(&seed, -1, 1);
        vs_impulse_velocities(island, l, y);
        double error = vs_progress_evaluate(&t.progress, l, y, 1);
        assert_near("error", error, vs_impulse_error(island, false, l, y), 1e-15);
        least = fmin(least, error);
        assert_true(t.progress.error == least);
        check_kept(&t);
    }
    assert_int_equal(t.progress.iterations, 200);
    assert_false(vs_progress_solved(&t.progress));
    for (int i = 0; i < island->rows; i++)
        l[i] = solution[i] + 1e-8 * random_in(&seed, -1, 1);
    vs_impulse_velocities(island, l, y);
    (void)vs_progress_evaluate(&t.progress, l, y, 1);
    assert_true(vs_progress_solved(&t.progress));
    memcpy(y, t.progress.l, sizeof *y * (size_t)island->rows);
    vs_impulse_project(island, y);
    assert_all_near("in the cones", y, t.progress.l, island->rows, 1e-15);
    check_kept(&t);
    free(solution), free(l), free(y);
    end_trial(&t);
    put_away(p);
    free_scene(&s);
}

// A problem without a solution: with patience the cascade gives up early, says why, and its result is no worse.
static void patience_bounds_the_work(void **state) {
    vs_problem *problem = make_unsolvable(context_of(state));
    int used[2];
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = exact_options(1e-8);
        options.exact.patience = k == 0 ? 100 : 0;
        vs_solver *solver;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_INACCURATE);
        assert_int_equal(strstr(result.status_text, "out of patience") != NULL, k == 0);
        used[k] = result.factorizations;
        vs_solver_destroy(solver);
    }
    print_message("  %d factorizations with patience, %d without\n", used[0], used[1]);
    assert_true(used[0] >= 100 && used[0] < 250 && used[1] > 10 * used[0]); // the last attempt and Newton's after it
    vs_problem_destroy(problem);
}

// A heap in which one sphere is squeezed from above and below. To a loose tolerance patience ends when factorizations have cost
// what 12 000 sweeps would, long before the thousand of them that were permitted.
static void patience_with_loose_heaps_is_that_of_sweeps(void **state) {
    enum { PATIENCE = 1000, FLOPS_OF_SWEEPS = 12000 * 6 };
    scene s = make_pile(9, 9, 6, .5, 4);
    const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1}, none[3] = {0};
    add_contact_at(&s, FRICTION, -1, 0, up, none, none, .5)->b[0] = 1;
    add_contact_at(&s, FRICTION, -1, 0, down, none, none, .5)->b[0] = 1;
    assert_true(s.links > 1000);
    vs_solver_options options = exact_options(1e-3);
    options.exact.patience = PATIENCE;
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver *solver;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_int_equal(result.status, VS_STATUS_INACCURATE);
    assert_non_null(strstr(result.status_text, "out of patience"));
    const double entries = 2 * 36. * s.links; // at most: contacts with the floor have half
    print_message("  %d contacts, %d factorizations of %.1e\n", s.links, result.factorizations, result.flops);
    assert_true(result.factorizations > 0 && result.factorizations < PATIENCE / 10);
    assert_true(result.factorizations <=
                4 + FLOPS_OF_SWEEPS * entries / result.flops); // a singular matrix is raised up to four times
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Joints twice, with contacts. A warm start in which each joint works against its twin with 1e10 times the impulses that are
// needed has a rounding far above the tolerance: the answer comes from rest.
static void redundant_warm_starts_are_dropped(void **state) {
    recipe r = {.seed = 5, .bodies = 4, .dofs = 6, .friction = 6, .joints = 2, .mu = .5};
    scene s = make_random(&r);
    duplicate_links(&s, JOINT);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_problem_info info = vs_problem_get_info(problem);
    double *g = make_doubles(info.m_e), *lambda = make_doubles(info.m);
    for (int k = 0; k < info.m_e; k++)
        g[k] = k < info.m_e / 2 ? 1e10 : -1e10;
    vs_solver_options options = exact_options(1e-8);
    vs_solver *solver;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_warm_start(solver, NULL, g, lambda), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    print_message("  %s, relative error %.1e\n", vs_status_name(result.status), result.measures.relative_error);
    assert_int_equal(result.status, VS_STATUS_CONVERGED);
    vs_solver_destroy(solver);
    free(g), free(lambda);
    vs_problem_destroy(problem);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patience_bounds_the_work),
        cmocka_unit_test(patience_with_loose_heaps_is_that_of_sweeps),
        cmocka_unit_test(redundant_warm_starts_are_dropped),
        cmocka_unit_test(a_stop_is_heard_between_islands),
        cmocka_unit_test(iterations_are_limited_over_all_islands),
        cmocka_unit_test(progress_keeps_the_best_iterate),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
