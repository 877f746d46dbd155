// The proximal point method solves islands whose redundant contacts defeat Newton's method, and gives up like any stage.
#include "solver/parts.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/operator.h"
#include "solver/coulomb/proximal_point.h"
#include "solver/coulomb/semismooth_newton.h"

static const vs_proximal_options *const both[] = {&vs_proximal_natural, &vs_proximal_alart_curnier};

// Twelve impulses for six velocities: N has rank 6, and the impulses are not unique. y is: at rest, or sliding.
static void box_on_four_contacts_slides_by_the_law(void **state) {
    const double mu = .5, fall = gravity * time_step, speeds[] = {0, .3 * mu * fall, 2, .1};
    for (int k = 0; k < 8; k++) {
        double speed = speeds[k / 2];
        scene s = make_box(2, (double[3]){.5, .4, .25}, mu, (double[6]){speed, 0, -fall, 0, 0, 0});
        parts *p = take_scene_apart(context_of(state), &s);
        trial t;
        begin_trial(&t, p, 0, 1e-12);
        assert_int_equal(vs_proximal_solve(both[k % 2], &t.progress, t.progress.start), VS_STAGE_SOLVED);
        check_kept(&t);
        for (int g = 0; g < 4; g++) {
            const double *y = t.progress.y + 3 * g, unit = t.island->unit_y[g];
            // 1e-12 of the root of e0, which is about m speed^2, with a condition of 10
            assert_near("normal", y[0] * unit, 0, 1e-11 * fmax(fall, speed));
            assert_near("slip", hypot(y[1], y[2]) * unit, fmax(0, speed - mu * fall), 1e-11 * fmax(fall, speed));
        }
        end_trial(&t);
        put_away(p);
        free_scene(&s);
    }
}

// Rubble with much friction: more islands are solved than by Newton's method alone, and those to the tolerance.
static void more_rubble_is_solved_than_by_newton(void **state) {
    int by_newton = 0, by_centres = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        scene s = make_rubble(2, 2, 2, 1, seed);
        for (int way = 0; way < 2; way++) {
            parts *p = take_scene_apart(context_of(state), &s);
            trial t;
            begin_trial(&t, p, largest_island(p), 1e-8);
            vs_stage_end reached = way ? vs_proximal_solve(&vs_proximal_natural, &t.progress, t.progress.start)
                                       : vs_semismooth_solve(&vs_semismooth_cold, &t.progress, t.progress.start);
            check_kept(&t);
            assert_int_equal(reached == VS_STAGE_SOLVED, t.progress.error <= 1e-8);
            assert_true(reached == VS_STAGE_SOLVED || *t.progress.reason);
            *(way ? &by_centres : &by_newton) += reached == VS_STAGE_SOLVED;
            end_trial(&t);
            put_away(p);
        }
        free_scene(&s);
    }
    print_message("  of 12: Newton %d, proximal point %d\n", by_newton, by_centres);
    assert_true(by_centres > by_newton);
}

static void problems_without_a_solution_are_given_up(void **state) {
    for (int k = 0; k < 2; k++) {
        parts *p = take_apart(make_unsolvable(context_of(state)));
        trial t;
        begin_trial(&t, p, 0, 1e-8);
        assert_int_equal(vs_proximal_solve(both[k], &t.progress, t.progress.start), VS_STAGE_FAILED);
        assert_true(*t.progress.reason != 0);
        assert_true(t.progress.error > .01 && isfinite(t.progress.error));
        assert_true(p->counts.factorizations <= both[k]->factorizations * 4); // singular matrices are factored again
        check_kept(&t);
        end_trial(&t);
        put_away(p);
    }
}

static void numbers_that_are_none_end_it(void **state) {
    scene s = make_box(2, (double[3]){.5, .4, .25}, .5, (double[6]){1, .3, -.1, 0, 0, .2});
    trial t;
    begin_trial(&t, take_scene_apart(context_of(state), &s), 0, 1e-12);
    t.island->r[3] = NAN;
    assert_int_equal(vs_proximal_solve(&vs_proximal_natural, &t.progress, t.progress.start), VS_STAGE_FAILED);
    assert_true(isinf(t.progress.error));
    end_trial(&t);
    put_away(t.p);
    free_scene(&s);
}

static void it_stops_at_the_limit_of_iterations(void **state) {
    scene s = make_rubble(2, 2, 2, 1, 1);
    parts *p = take_scene_apart(context_of(state), &s);
    trial t;
    begin_trial(&t, p, largest_island(p), 1e-12);
    p->run.max_iterations = 3;
    assert_int_equal(vs_proximal_solve(&vs_proximal_natural, &t.progress, t.progress.start), VS_STAGE_STOPPED);
    assert_true(t.progress.stopped);
    assert_int_equal(t.progress.iterations, 3);
    check_kept(&t);
    end_trial(&t);
    put_away(p);
    free_scene(&s);
}

// The start may be the best iterate itself, which changes meanwhile.
static void start_may_be_the_best_iterate(void **state) {
    double *found[2];
    int rows = 0;
    for (int shared = 0; shared < 2; shared++) {
        scene s = make_box(2, (double[3]){.5, .4, .25}, .5, (double[6]){1, .3, -.1, 0, 0, .2});
        trial t;
        begin_trial(&t, take_scene_apart(context_of(state), &s), 0, 1e-12);
        rows = t.island->rows;
        double *start = make_doubles(rows);
        for (int g = 0; g < t.island->groups; g++)
            start[3 * g] = t.progress.l[3 * g] = .3;
        vs_impulse_velocities(t.island, t.progress.l, t.progress.y);
        t.progress.error = vs_impulse_error(t.island, false, t.progress.l, t.progress.y);
        assert_int_equal(vs_proximal_solve(&vs_proximal_natural, &t.progress, shared ? t.progress.l : start),
                         VS_STAGE_SOLVED);
        found[shared] = copy_doubles(t.progress.l, rows);
        free(start);
        end_trial(&t);
        put_away(t.p);
        free_scene(&s);
    }
    assert_memory_equal(found[0], found[1], sizeof(double) * (size_t)rows);
    free(found[0]), free(found[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_four_contacts_slides_by_the_law),
        cmocka_unit_test(more_rubble_is_solved_than_by_newton),
        cmocka_unit_test(problems_without_a_solution_are_given_up),
        cmocka_unit_test(numbers_that_are_none_end_it),
        cmocka_unit_test(it_stops_at_the_limit_of_iterations),
        cmocka_unit_test(start_may_be_the_best_iterate),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
