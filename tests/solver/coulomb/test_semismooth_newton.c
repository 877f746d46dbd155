// Semismooth Newton on single islands: its order of convergence, singular matrices, and how it gives up.
#include "solver/parts.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/coulomb/semismooth_newton.h"

static const vs_semismooth_options alart_curnier = {
    .map = VS_FRICTION_MAP_ALART_CURNIER, .alpha_most = 1e-9, .alpha_least = 1e-12, .iterations = 25, .patience = 5};

// ---- order of convergence ----------------------------------------------------------------------------------

// How many contacts lift, stick, slide, and how far all are from changing: least of y_n, mu l_n - |l_T|, l_n, |y_T|.
static double find_margin(const vs_impulse_problem *island, const double *l, const double *y, int counts[3]) {
    double margin = INFINITY;
    counts[0] = counts[1] = counts[2] = 0;
    for (int g = 0; g < island->groups; g++) {
        int i = island->row[g];
        double slip = hypot(y[i + 1], y[i + 2]), friction = hypot(l[i + 1], l[i + 2]);
        int kind = l[i] < 1e-9 ? 0 : slip < 1e-9 ? 1 : 2;
        counts[kind]++;
        margin = fmin(margin, kind == 0 ? y[i] : kind == 1 ? island->mu[g] * l[i] - friction : fmin(l[i], slip));
    }
    return margin;
}

// Errors of all iterates from 1e-3 beside the solution l, which is to be found again.
static void check_order(parts *p, const vs_semismooth_options *options, const double *l, double margin, uint64_t seed) {
    trial t;
    begin_trial(&t, p, 0, 1e-14);
    double *start = copy_doubles(l, t.island->rows);
    for (int k = 0; k < t.island->rows; k++)
        start[k] += random_in(&seed, -1e-3, 1e-3);
    assert_int_equal(vs_semismooth_solve(options, &t.progress, start), VS_STAGE_SOLVED);
    int count = p->run.history_count;
    assert_in_range(count, 3, 7);
    assert_true(judged_error(&t, 0) > 1e-4);
    for (int k = 1; k < count; k++) {
        // a direction turns by the step over the slip: F is off by step^2 / slip; 1e-14 is what is asked for
        double before = judged_error(&t, k - 1), after = judged_error(&t, k);
        if (!(after <= fmax(before * before / margin, 1e-14)))
            fail_msg("step %d: error %.2g after %.2g, margin %.2g", k, after, before, margin);
    }
    check_kept(&t);
    // the solution is unique nearby: its condition is at most 1e3 here
    assert_all_near("solution", t.progress.l, l, t.island->rows, 1e-10);
    end_trial(&t);
    free(start);
}

static void convergence_is_quadratic_near_a_regular_solution(void **state) {
    int regular = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        scene s = make_pile(3, 3, 2, .4, seed);
        parts *p = take_scene_apart(context_of(state), &s);
        assert_int_equal(p->islands.count, 1);
        const vs_impulse_problem *island = &p->islands.island[0];
        double *l = make_doubles(island->rows), *y = make_doubles(island->rows);
        int counts[3];
        solve_island_by_cascade(p, island, 1e-13, l);
        vs_impulse_velocities(island, l, y);
        double margin = find_margin(island, l, y, counts);
        assert_true(counts[0] > 0 && counts[1] > 0 && counts[2] > 0); // something of everything
        if (margin > 2e-3) {
            check_order(p, &vs_semismooth_polish, l, margin, seed);
            check_order(p, &alart_curnier, l, margin, seed);
            regular++;
        }
        free(l), free(y);
        put_away(p);
        free_scene(&s);
    }
    assert_true(regular >= 4);
}

// ---- singular matrices -------------------------------------------------------------------------------------

// Twelve impulses for six velocities: N has rank 6, and the impulses are not unique. y is: at rest, or sliding.
static void box_on_four_contacts_is_solved_all_the_same(void **state) {
    const double mu = .5, fall = gravity * time_step, speeds[] = {0, .3 * mu * fall, 2, .1};
    for (int k = 0; k < 4; k++) {
        scene s = make_box(2, (double[3]){.5, .4, .25}, mu, (double[6]){speeds[k], 0, -fall, 0, 0, 0});
        parts *p = take_scene_apart(context_of(state), &s);
        trial t;
        begin_trial(&t, p, 0, 1e-12);
        assert_int_equal(vs_semismooth_solve(&vs_semismooth_cold, &t.progress, t.progress.start), VS_STAGE_SOLVED);
        check_kept(&t);
        // the proximal term vanishes with the residual: no more steps than a regular matrix needs
        assert_in_range(t.progress.iterations, 2, 10);
        for (int g = 0; g < 4; g++) {
            const double *y = t.progress.y + 3 * g, unit = t.island->unit_y[g];
            double slip = fmax(0, speeds[k] - mu * fall), speed = fmax(fall, speeds[k]);
            // 1e-12 of the root of e0, which is about m speed^2, with a condition of 10
            assert_near("normal", y[0] * unit, 0, 1e-11 * speed);
            assert_near("slip", hypot(y[1], y[2]) * unit, slip, 1e-11 * speed);
        }
        end_trial(&t);
        put_away(p);
        free_scene(&s);
    }
}

// Joint rows that say the same twice.
static void redundant_joints_are_solved_all_the_same(void **state) {
    scene s = make_box(2, (double[3]){.5, .4, .25}, .5, (double[6]){1, .3, -.1, 0, 0, .2});
    hold(&s, 0, (const int[]){1, 5}, 2);
    duplicate_links(&s, JOINT);
    parts *p = take_scene_apart(context_of(state), &s);
    trial t;
    begin_trial(&t, p, 0, 1e-10);
    assert_int_equal(t.island->groups - t.island->contacts, 4);
    assert_int_equal(vs_semismooth_solve(&vs_semismooth_cold, &t.progress, t.progress.start), VS_STAGE_SOLVED);
    check_kept(&t);
    assert_all_near("joints", t.progress.y, (double[4]){0}, 4, 1e-9);
    end_trial(&t);
    put_away(p);
    free_scene(&s);
}

// ---- giving up ---------------------------------------------------------------------------------------------

// Many blocks with much friction defeat it, which the path is for. It says so and keeps the best iterate.
static void hard_scenes_are_given_up_with_a_reason(void **state) {
    int failures = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        scene s = make_rubble(2, 2, 2, 1, seed);
        parts *p = take_scene_apart(context_of(state), &s);
        trial t;
        begin_trial(&t, p, largest_island(p), 1e-8);
        vs_stage_end reached = vs_semismooth_solve(&vs_semismooth_cold, &t.progress, t.progress.start);
        check_kept(&t);
        assert_int_equal(t.progress.iterations, p->run.history_count);
        assert_int_equal(reached == VS_STAGE_SOLVED, t.progress.error <= 1e-8);
        double least = INFINITY;
        for (int k = 0; k < p->run.history_count && p->islands.count == 1; k++)
            least = fmin(least, judged_error(&t, k));
        if (reached == VS_STAGE_FAILED) {
            failures++;
            assert_true(strstr(t.progress.reason, "progress") || strstr(t.progress.reason, "iterations"));
            assert_true(t.progress.iterations <= vs_semismooth_cold.iterations + 1);
            assert_near("least error", t.progress.error, p->islands.count == 1 ? least : t.progress.error,
                        1e-12 * least);
        }
        end_trial(&t);
        put_away(p);
        free_scene(&s);
    }
    print_message("  %d of 8 given up\n", failures);
    assert_true(failures > 0);
}

static void begin_sliding_box(trial *t, vs_context *context, double tolerance) {
    scene s = make_box(2, (double[3]){.5, .4, .25}, .5, (double[6]){1, .3, -.1, 0, 0, .2});
    begin_trial(t, take_scene_apart(context, &s), 0, tolerance);
    free_scene(&s);
}

static void iterations_are_limited(void **state) {
    vs_semismooth_options options = vs_semismooth_cold;
    for (options.iterations = 0; options.iterations < 3; options.iterations++) {
        trial t;
        begin_sliding_box(&t, context_of(state), 1e-12);
        assert_int_equal(vs_semismooth_solve(&options, &t.progress, t.progress.start), VS_STAGE_FAILED);
        assert_string_equal(t.progress.reason, "Newton's method used up its iterations");
        assert_int_equal(t.progress.iterations, options.iterations + 1); // the start is evaluated as well
        assert_int_equal(t.p->counts.factorizations, options.iterations);
        end_trial(&t);
        put_away(t.p);
    }
}

static void problems_without_a_solution_are_given_up(void **state) {
    parts *p = take_apart(make_unsolvable(context_of(state)));
    trial t;
    begin_trial(&t, p, 0, 1e-8);
    assert_int_equal(vs_semismooth_solve(&vs_semismooth_cold, &t.progress, t.progress.start), VS_STAGE_FAILED);
    assert_true(*t.progress.reason != 0);
    assert_true(t.progress.error > .01 && isfinite(t.progress.error));
    check_kept(&t);
    end_trial(&t);
    put_away(p);
}

static void numbers_that_are_none_end_it(void **state) {
    trial t;
    begin_sliding_box(&t, context_of(state), 1e-12);
    t.island->r[3] = NAN;
    assert_int_equal(vs_semismooth_solve(&vs_semismooth_cold, &t.progress, t.progress.start), VS_STAGE_FAILED);
    assert_int_equal(t.progress.iterations, 1);
    assert_true(isinf(t.progress.error));
    end_trial(&t);
    put_away(t.p);
}

static bool stop_at_third(void *user, const vs_iteration *line) {
    (void)user;
    return line->iteration < 3;
}

static void it_stops_when_told(void **state) {
    for (int how = 0; how < 2; how++) {
        trial t;
        begin_sliding_box(&t, context_of(state), 1e-12);
        if (how == 0)
            t.p->run.options.progress = stop_at_third;
        else
            t.p->run.max_iterations = 3;
        assert_int_equal(vs_semismooth_solve(&vs_semismooth_cold, &t.progress, t.progress.start), VS_STAGE_STOPPED);
        assert_true(t.progress.stopped);
        assert_int_equal(t.progress.iterations, 3);
        assert_int_equal(t.p->run.status, how == 0 ? VS_STATUS_STOPPED : VS_STATUS_ITERATION_LIMIT);
        check_kept(&t);
        end_trial(&t);
        put_away(t.p);
    }
}

// ---- starts ------------------------------------------------------------------------------------------------

// The start may be the best iterate itself, which changes meanwhile; an earlier best is not lost.
static void start_may_be_the_best_iterate(void **state) {
    double *found[2];
    int rows = 0;
    for (int shared = 0; shared < 2; shared++) {
        trial t;
        begin_sliding_box(&t, context_of(state), 1e-12);
        rows = t.island->rows;
        double *start = make_doubles(rows);
        for (int g = 0; g < t.island->groups; g++)
            start[3 * g] = t.progress.l[3 * g] = .3;
        vs_impulse_velocities(t.island, t.progress.l, t.progress.y);
        t.progress.error = vs_impulse_error(t.island, false, t.progress.l, t.progress.y);
        assert_int_equal(vs_semismooth_solve(&vs_semismooth_cold, &t.progress, shared ? t.progress.l : start),
                         VS_STAGE_SOLVED);
        found[shared] = copy_doubles(t.progress.l, rows);
        free(start);
        end_trial(&t);
        put_away(t.p);
    }
    assert_memory_equal(found[0], found[1], sizeof(double) * (size_t)rows);
    free(found[0]), free(found[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convergence_is_quadratic_near_a_regular_solution),
        cmocka_unit_test(box_on_four_contacts_is_solved_all_the_same),
        cmocka_unit_test(redundant_joints_are_solved_all_the_same),
        cmocka_unit_test(hard_scenes_are_given_up_with_a_reason),
        cmocka_unit_test(iterations_are_limited),
        cmocka_unit_test(problems_without_a_solution_are_given_up),
        cmocka_unit_test(numbers_that_are_none_end_it),
        cmocka_unit_test(it_stops_when_told),
        cmocka_unit_test(start_may_be_the_best_iterate),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
