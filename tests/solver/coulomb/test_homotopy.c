// Nearby problems as a way to the one that is asked for: what is kept of them, that nothing of them stays behind, and
// that they lead there.
#include "solver/parts.h"
#include "solver/coulomb/path/homotopy.h"
#include "solver/coulomb/semismooth_newton.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/coulomb/stage.h"

static int path_iterations, friction_steps; // of the stages

typedef struct walk {
    parts *p;
    trial t;
    vs_central_path *path;
    vs_homotopy h;
    int k;
    int *first;        // (islands + 1) where each begins in `soft`
    double *mu, error; // (groups) as given; best error before
} walk;

static void begin_walk(walk *w, parts *p, double tolerance) {
    *w = (walk){.p = p, .k = largest_island(p)};
    begin_trial(&w->t, p, w->k, tolerance);
    vs_islands *islands = &p->islands;
    w->first = VS_NEW_ZERO(&p->arena, int, islands->count + 1);
    for (int k = 0; k < islands->count; k++)
        w->first[k + 1] = w->first[k] + islands->island[k].rows;
    assert_int_equal(vs_central_path_create(islands->most_rows, islands->most_groups, 3, &p->arena, &w->path), VS_OK);
    assert_int_equal(vs_homotopy_create(&w->h, islands, w->first, w->path, &p->arena), VS_OK);
    w->mu = copy_doubles(w->t.island->mu, w->t.island->groups);
    // rest is the best so far
    memcpy(w->t.progress.y, w->t.island->r, sizeof(double) * (size_t)w->t.island->rows);
    w->error = w->t.progress.error = vs_impulse_error(w->t.island, false, w->t.progress.l, w->t.progress.y);
}

static void begin_scene_walk(walk *w, vs_context *context, scene s, double tolerance) {
    begin_walk(w, take_scene_apart(context, &s), tolerance);
    free_scene(&s);
}

// The problem is as given again, and the best iterate one of its own, not worse than before.
static void check_nothing_stays(const walk *w) {
    assert_true(w->t.island->epsilon == 0);
    assert_memory_equal(w->t.island->mu, w->mu, sizeof(double) * (size_t)w->t.island->groups);
    assert_true(w->t.progress.error <= w->error);
    check_kept(&w->t);
}

static void end_walk(walk *w) {
    check_nothing_stays(w);
    free(w->mu);
    end_trial(&w->t);
    put_away(w->p);
}

// What is kept for a compliance solves that problem: the law with y + epsilon l, to the tolerance of nearby problems.
static void check_soft(const walk *w, double epsilon) {
    vs_impulse_problem *island = w->t.island;
    const double *l = w->h.soft + w->first[w->k];
    double *y = make_doubles(island->rows), *again = make_doubles(island->rows);
    assert_true(w->h.softness[w->k] == epsilon);
    vs_impulse_velocities(island, l, y);
    memcpy(again, y, sizeof *y * (size_t)island->rows);
    for (int i = 0; i < island->rows; i++)
        y[i] += island->law[island->group_of[i]] == VS_LAW_FREE ? 0 : epsilon * l[i];
    assert_true(vs_impulse_error(island, false, l, y) <= 1e-8 * (1 + 1e-6));
    // and the compliance matters: without it the law is broken by about epsilon |l|
    assert_true(vs_impulse_error(island, false, l, again) > .01 * epsilon * norm_of(l, island->rows));
    for (int k = 0; k < w->p->islands.count; k++)
        assert_true(k == w->k || w->h.softness[k] == 0);
    for (int i = 0; i < w->first[w->p->islands.count]; i++)
        assert_true((i >= w->first[w->k] && i < w->first[w->k + 1]) || w->h.soft[i] == 0);
    free(y), free(again);
}

// Friction, frictionless contacts, joints, boxes; and before them an island of one body on a joint and a contact.
static scene make_everything(uint64_t seed) {
    recipe r = {.seed = seed, .bodies = 6, .dofs = 6, .friction = 8, .smooth = 3, .joints = 2, .bounds = 2, .mu = .6};
    scene s = {0}, rest = make_random(&r);
    add_rigid(&s, 1, (double[3]){.1, .1, .1}, (double[6]){1, 0, -1, 0, 0, 0});
    hold(&s, 0, (const int[]){1}, 1);
    add_contact_at(&s, FRICTION, -1, 0, (double[3]){0, 0, 1}, (double[3]){0}, (double[3]){0}, .3);
    append_scene(&s, &rest);
    free_scene(&rest);
    return s;
}

// ---- compliance --------------------------------------------------------------------------------------------

static void compliance_leads_to_the_rigid_solution(void **state) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        walk w;
        begin_scene_walk(&w, context_of(state), seed < 3 ? make_everything(seed) : make_rubble(2, 2, 2, 1, seed), 1e-9);
        vs_stage_end reached = vs_homotopy_compliance(&w.h, &w.t.progress, w.k, path_iterations);
        if (reached != VS_STAGE_SOLVED)
            fail_msg("seed %d: %s, error %.2g", (int)seed, w.t.progress.reason, w.t.progress.error);
        assert_true(w.t.progress.error <= 1e-9);
        check_soft(&w, 1e-6); // the first that is tried
        end_walk(&w);
    }
}

// The rigid problem asked for to 1e-30: never reached. Every compliance is tried and the smallest kept.
static void smallest_compliance_is_kept_if_the_rigid_problem_is_not_solved(void **state) {
    walk w;
    begin_scene_walk(&w, context_of(state), make_everything(1), 1e-30);
    assert_int_equal(vs_homotopy_compliance(&w.h, &w.t.progress, w.k, path_iterations), VS_STAGE_FAILED);
    assert_string_equal(w.t.progress.reason, "solved with compliance only: no way to the rigid problem was found");
    check_soft(&w, 1e-7);
    end_walk(&w);
}

static void softening_goes_from_large_to_small(void **state) {
    for (uint64_t seed = 1; seed <= 2; seed++) {
        walk w;
        begin_scene_walk(&w, context_of(state), make_everything(seed), 1e-30);
        assert_int_equal(vs_homotopy_soften(&w.h, &w.t.progress, w.k, path_iterations),
                         VS_STAGE_FAILED); // the rigid problem was not asked about
        check_soft(&w, 1e-6);
        assert_true(w.t.progress.error == w.error); // nor touched
        end_walk(&w);
    }
}

// A larger compliance does not replace a smaller one that is known.
static void smaller_compliance_stays(void **state) {
    walk w;
    begin_scene_walk(&w, context_of(state), make_everything(1), 1e-30);
    (void)vs_homotopy_compliance(&w.h, &w.t.progress, w.k, path_iterations);
    (void)vs_homotopy_soften(&w.h, &w.t.progress, w.k, path_iterations);
    check_soft(&w, 1e-7);
    end_walk(&w);
}

// N is so far from copositive that a little compliance does not help; the largest of all does not either.
static void unsolvable_problems_are_given_up(void **state) {
    for (int soften = 0; soften < 2; soften++) {
        walk w;
        begin_walk(&w, take_apart(make_unsolvable(context_of(state))), 1e-8);
        vs_stage_end reached =
            (soften ? vs_homotopy_soften : vs_homotopy_compliance)(&w.h, &w.t.progress, w.k, path_iterations);
        assert_int_equal(reached, VS_STAGE_FAILED);
        assert_true(w.h.softness[0] == 0);
        if (!soften)
            assert_string_equal(w.t.progress.reason, "not even the compliant problems were solved");
        end_walk(&w);
    }
}

// ---- friction ----------------------------------------------------------------------------------------------

// Among scenes that defeat Newton's method with all the friction at once are some that it solves with less at first.
static void friction_raised_in_steps_solves_what_newton_does_not(void **state) {
    int newton = 0, solved = 0, both = 0;
    for (uint64_t seed = 2; seed <= 7; seed++) {
        walk w;
        begin_scene_walk(&w, context_of(state), make_rubble(2, 2, 2, 1, seed), 1e-8);
        bool direct = vs_semismooth_solve(&vs_semismooth_cold, &w.t.progress, w.t.progress.start) == VS_STAGE_SOLVED;
        w.t.progress.error = INFINITY;
        bool steps = vs_homotopy_friction(&w.h, &w.t.progress, w.k, friction_steps) == VS_STAGE_SOLVED;
        newton += direct, solved += steps, both += direct && steps;
        assert_int_equal(steps, w.t.progress.error <= 1e-8);
        w.error = INFINITY;
        end_walk(&w);
    }
    print_message("  of 6: Newton %d, in steps %d\n", newton, solved);
    assert_true(solved > both);
}

static void friction_is_restored_after_a_failure(void **state) {
    walk w;
    begin_walk(&w, take_apart(make_unsolvable(context_of(state))), 1e-8);
    assert_int_equal(vs_homotopy_friction(&w.h, &w.t.progress, w.k, friction_steps), VS_STAGE_FAILED);
    assert_true(strstr(w.t.progress.reason, "friction") != NULL);
    end_walk(&w);
}

// mu = 0 rows and joints have no friction to raise.
static void rows_without_friction_are_left_alone(void **state) {
    walk w;
    begin_scene_walk(&w, context_of(state), make_everything(2), 1e-9);
    if (vs_homotopy_friction(&w.h, &w.t.progress, w.k, friction_steps) != VS_STAGE_SOLVED)
        fail_msg("%s, error %.2g", w.t.progress.reason, w.t.progress.error);
    assert_true(w.t.progress.error <= 1e-9);
    end_walk(&w);
}

// ---- stopping ----------------------------------------------------------------------------------------------

typedef struct stopper {
    int left; // iterations until it says no, once
    const vs_impulse_problem *island;
    bool nearby; // the problem was another one then
    int group;   // one with friction
    double mu;   // its coefficient, as given
} stopper;

static bool say_no_once(void *user, const vs_iteration *line) {
    stopper *s = user;
    (void)line;
    if (--s->left != 0)
        return true;
    s->nearby = s->island->epsilon > 0 || s->island->mu[s->group] != s->mu;
    return false;
}

// left = 0: never. Returns the iterations made.
static int stop_after(vs_context *context, bool friction, int left, int *nearby) {
    walk w;
    recipe r = {.seed = 2, .bodies = 4, .dofs = 6, .joints = 1, .bounds = 1, .friction = 5, .mu = .6};
    begin_scene_walk(&w, context, make_random(&r), 1e-8);
    int group = 0;
    while (w.t.island->law[group] != VS_LAW_FRICTION)
        group++;
    stopper s = {.left = left, .island = w.t.island, .group = group, .mu = w.mu[group]};
    w.p->run.options.progress = say_no_once;
    w.p->run.options.progress_user = &s;
    vs_stage_end reached = friction ? vs_homotopy_friction(&w.h, &w.t.progress, w.k, friction_steps)
                                    : vs_homotopy_compliance(&w.h, &w.t.progress, w.k, path_iterations);
    assert_int_equal(reached, left > 0 ? VS_STAGE_STOPPED : VS_STAGE_SOLVED);
    assert_int_equal(w.t.progress.stopped, left > 0);
    *nearby += s.nearby;
    int iterations = w.t.progress.iterations;
    end_walk(&w); // nothing stays
    return iterations;
}

// At every iteration, also in the one that solves a nearby problem: nothing of that stays, and it is not asked again.
static void stopped_anywhere_nothing_stays(void **state) {
    for (int friction = 0; friction < 2; friction++) {
        int nearby = 0, all = stop_after(context_of(state), friction, 0, &nearby);
        assert_true(all > 10);
        for (int left = 1; left < all; left++)
            assert_int_equal(stop_after(context_of(state), friction, left, &nearby), left);
        assert_true(nearby > all / 2);
    }
}

int main(void) {
    path_iterations = vs_stages[VS_STAGE_COMPLIANCE_HOMOTOPY].iterations;
    friction_steps = vs_stages[VS_STAGE_FRICTION_HOMOTOPY].iterations;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compliance_leads_to_the_rigid_solution),
        cmocka_unit_test(smallest_compliance_is_kept_if_the_rigid_problem_is_not_solved),
        cmocka_unit_test(softening_goes_from_large_to_small),
        cmocka_unit_test(smaller_compliance_stays),
        cmocka_unit_test(unsolvable_problems_are_given_up),
        cmocka_unit_test(friction_raised_in_steps_solves_what_newton_does_not),
        cmocka_unit_test(friction_is_restored_after_a_failure),
        cmocka_unit_test(rows_without_friction_are_left_alone),
        cmocka_unit_test(stopped_anywhere_nothing_stays),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
