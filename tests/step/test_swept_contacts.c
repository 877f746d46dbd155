// Continuous collision: nothing passes through anything within a step. bench/throws repeats the throws in large numbers.
#include <stdio.h>

#include "kit/throws.h"
#include "worlds.h"

enum { THROWS = 252 }; // six of each body at each wall

// All shapes at all walls of 1/1000 of their size, 0.1 to 10 000 sizes and up to 100 radians per step.
static void test_thrown_bodies_do_not_pass_thin_walls(void **state) {
    (void)state;
    memory m = {0};
    vs_context *context = make_context(&m);
    int tunnelled = 0, swept = 0, held = 0;
    for (int k = 0; k < THROWS; k++) {
        uint64_t seed;
        const throw_case t = throw_number(k, &seed);
        const throw_result r = throw_run(context, &t, seed);
        must(r.error, context);
        if (r.tunnelled)
            printf("  throw %d: %s passed %s\n", k, throw_body_name[t.body], throw_wall_name[t.wall]);
        tunnelled += r.tunnelled;
        swept += r.swept > 0;
        held += r.held > 0;
    }
    printf("  of %d throws %d passed, %d needed contacts within a step, in %d a body was held\n", THROWS, tunnelled,
           swept, held);
    assert_int_equal(tunnelled, 0);
    assert_true(swept > 0); // the search was used
    end_context(context, &m);
}

// A rod that flies past a plate does not touch it: it is not stopped, and no contact is added on its way.
static void test_near_misses_are_no_contacts(void **state) {
    (void)state;
    stage s;
    open_stage(&s, 0, 0, false);
    vs_shape *shape;
    must(vs_shape_box(s.context, (vs_vec3){.01, .01, .5}, &shape), s.context);
    (void)add_solid(&s, shape, 1000, (vs_pose){{-3, 0, 0}, {1, 0, 0, 0}}, (vs_vec3){2000, 0, 0});
    must(vs_shape_box(s.context, (vs_vec3){.5, .5, .001}, &shape), s.context);
    (void)add_solid(&s, shape, 1000, (vs_pose){{0, 0, 2}, {1, 0, 0, 0}}, VS_ZERO3);
    start_stage(&s);
    vs_step_report report;
    must(vs_simulation_step(s.simulation, &report), s.context);
    assert_int_equal(report.swept, 0);
    assert_int_equal(report.held, 0);
    close_stage(&s);
}

// Slow bodies cost nothing and get no contacts of this kind.
static void test_slow_bodies_are_not_searched(void **state) {
    (void)state;
    stage s;
    open_stage(&s, .5, 0, true);
    (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){.5, 0, 0});
    start_stage(&s);
    for (int k = 0; k < 20; k++) {
        vs_step_report report;
        must(vs_simulation_step(s.simulation, &report), s.context);
        assert_int_equal(report.swept + report.held, 0);
    }
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thrown_bodies_do_not_pass_thin_walls),
        cmocka_unit_test(test_near_misses_are_no_contacts),
        cmocka_unit_test(test_slow_bodies_are_not_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
