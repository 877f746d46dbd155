// Runs: how many steps they take, and why they end.
#include "step/worlds.h"
#include "voussoir/run.h"

// Called before or after a step; refuses the one with this number.
typedef struct refusal {
    int calls, refused;
} refusal;

static bool may_begin(void *user, vs_world *world) {
    refusal *r = user;
    (void)world;
    return ++r->calls != r->refused;
}

static bool may_continue(void *user, vs_world *world, const vs_step_report *report) {
    (void)report;
    return may_begin(user, world);
}

static bool stop_solving(void *user, const vs_iteration *iteration) {
    (void)user;
    (void)iteration;
    return false;
}

// A ball that falls from 1 m.
static void open_fall(rig *s) {
    open_rig(s, .5, 0, true);
    (void)add_ball(s, .05, 1000, (vs_vec3){0, 0, 1}, VS_ZERO3);
}

static int count_steps(vs_run *run) {
    vs_step_report report;
    int steps = 0;
    int64_t last = 0;
    while (vs_run_next(run, &report)) {
        assert_true(last == 0 || report.step == last + 1);
        last = report.step;
        steps++;
    }
    return steps;
}

static void a_run_ends_within_half_a_step_of_its_time(void **state) {
    (void)state;
    static const double steps[] = {1. / 240, .01, .1 / 3, .007};
    for (int k = 0; k < 4; k++) {
        rig s;
        open_fall(&s);
        s.options.step = steps[k];
        start_rig(&s);
        for (int part = 1; part <= 3; part++) { // sums of steps are rounded, and must not add one
            vs_run run = vs_simulation_begin_run(s.simulation, part * 20 * steps[k]);
            assert_int_equal(run.end, VS_RUN_CONTINUES);
            assert_int_equal(count_steps(&run), 20);
            assert_int_equal(run.end, VS_RUN_REACHED);
            assert_int_equal(run.error, VS_OK);
            assert_false(vs_run_next(&run, NULL));
        }
        vs_run run = vs_simulation_begin_run(s.simulation, 60.4 * steps[k]);
        assert_int_equal(run.end, VS_RUN_REACHED);
        assert_int_equal(count_steps(&run), 0);
        run = vs_simulation_begin_run(s.simulation, 60.6 * steps[k]);
        assert_int_equal(count_steps(&run), 1);
        close_rig(&s);
    }
}

static void the_end_is_known_after_the_last_step(void **state) {
    (void)state;
    rig s;
    open_fall(&s);
    start_rig(&s);
    vs_run run = vs_simulation_begin_run(s.simulation, 2 * s.options.step);
    assert_true(vs_run_next(&run, NULL));
    assert_int_equal(run.end, VS_RUN_CONTINUES);
    assert_true(vs_run_next(&run, NULL));
    assert_int_equal(run.end, VS_RUN_REACHED);
    close_rig(&s);
}

static void callbacks_end_it(void **state) {
    (void)state;
    for (int after = 0; after < 2; after++) {
        rig s;
        refusal r = {.refused = 3};
        open_fall(&s);
        s.options.user = &r;
        if (after)
            s.options.after = may_continue;
        else
            s.options.before = may_begin;
        start_rig(&s);
        vs_run run = vs_simulation_begin_run(s.simulation, 1);
        assert_int_equal(count_steps(&run), after ? 3 : 2); // a step that was refused before it began was not taken
        assert_int_equal(run.end, VS_RUN_CALLBACK);
        assert_near("time", vs_world_get_time(s.world), (after ? 3 : 2) * s.options.step, 1e-12);
        close_rig(&s);
    }
}

static void a_stop_condition_ends_it(void **state) {
    (void)state;
    rig s;
    open_fall(&s);
    vs_stop_condition stop = vs_stop_condition_default();
    stop.when = VS_STOP_DISPLACEMENT, stop.limit = .1;
    s.options.stop = &stop, s.options.stops = 1;
    start_rig(&s);
    vs_run run = vs_simulation_begin_run(s.simulation, 10);
    const double fall = sqrt(2 * .1 / standard_gravity) / s.options.step;
    assert_near("steps", count_steps(&run), fall, 2);
    assert_int_equal(run.end, VS_RUN_CONDITION);
    run = vs_simulation_begin_run(s.simulation, 10); // it is still met after the next step
    assert_int_equal(count_steps(&run), 1);
    assert_int_equal(run.end, VS_RUN_CONDITION);
    close_rig(&s);
}

static void an_inaccurate_step_ends_it_only_if_told(void **state) {
    (void)state;
    for (int told = 0; told < 2; told++) {
        rig s;
        open_rig(&s, .5, 0, true);
        (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){1, .3, 0});
        s.options.on_inaccurate = told ? VS_INACCURATE_STOP : VS_INACCURATE_CONTINUE;
        s.options.solver.progress = stop_solving;
        start_rig(&s);
        vs_run run = vs_simulation_begin_run(s.simulation, 5 * s.options.step);
        assert_int_equal(count_steps(&run), told ? 1 : 5);
        assert_int_equal(run.end, told ? VS_RUN_INACCURATE : VS_RUN_REACHED);
        assert_int_equal(vs_simulation_get_inaccurate_steps(s.simulation), told ? 1 : 5);
        close_rig(&s);
    }
}

static void what_cannot_be_run_fails_at_once(void **state) {
    (void)state;
    rig s;
    open_fall(&s);
    start_rig(&s);
    vs_run run = vs_simulation_begin_run(s.simulation, (double)NAN);
    assert_int_equal(run.end, VS_RUN_FAILED);
    assert_int_equal(run.error, VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(s.context), "not a number"));
    assert_false(vs_run_next(&run, NULL));
    run = vs_simulation_begin_run(NULL, 1);
    assert_int_equal(run.end, VS_RUN_FAILED);
    assert_false(vs_run_next(&run, NULL));
    assert_false(vs_run_next(NULL, NULL));
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_within_half_a_step_of_its_time),
        cmocka_unit_test(the_end_is_known_after_the_last_step),
        cmocka_unit_test(callbacks_end_it),
        cmocka_unit_test(a_stop_condition_ends_it),
        cmocka_unit_test(an_inaccurate_step_ends_it_only_if_told),
        cmocka_unit_test(what_cannot_be_run_fails_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
