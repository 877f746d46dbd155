// Under any budget a simulation stays bounded: bodies do not fall through each other, and no energy appears. Limits of
// iterations give the same result on every machine; bench/budgets.c has a thousand more, with limits of time.
#include "kit/budgets.h"
#include "kit/test.h"

enum { RUNS = 3 * BUDGET_SCENES };
// Ten sweeps leave a twelfth of a card's thickness and a fortieth of the energy (1000 runs); without them bodies fall
// through each other by many times their size.
static const double DEPTH = .2, EXCESS = .2;

static void check(vs_context *context, int number, budget_case c) {
    const budget_result r = budget_run(context, &c);
    if (r.error)
        fail_msg("run %d: %s", number, vs_context_get_error_text(context));
    if (!(r.depth <= DEPTH) || !(r.excess <= EXCESS) || r.untouched > 0)
        fail_msg("run %d, %s %d, %d iterations, %g s: depth %g, energy %g, %d steps without an iteration", number,
                 budget_scenes[c.scene].name, c.count, c.iterations, c.seconds, r.depth, r.excess, r.untouched);
}

static void few_iterations_neither_sink_nor_explode(void **state) {
    vs_context *context = NULL;
    (void)state;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    for (int k = 0; k < RUNS; k++) {
        budget_case c = budget_number(k, false);
        c.steps = 60;
        check(context, k, c);
    }
    vs_context_destroy(context);
}

// The least budget that there is: whatever the clock says, the same sweeps are done.
static void no_time_neither_sinks_nor_explodes(void **state) {
    vs_context *context = NULL;
    (void)state;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    for (int k = 0; k < BUDGET_SCENES; k++) {
        budget_case c = budget_number(k, false);
        c.iterations = -1, c.seconds = 1e-9, c.steps = 60;
        check(context, k, c);
    }
    vs_context_destroy(context);
}

// Each ball is as heavy as ten of the one below it. In the relaxed model, with one iteration or no time per problem, they sank
// by more than twice their diameter.
static void heavy_balls_do_not_sink_into_light_ones(void **state) {
    vs_context *context = NULL;
    (void)state;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    for (int scene = 0; scene < BUDGET_SCENES; scene++)
        for (int k = 0; k < 6 && strcmp(budget_scenes[scene].name, "stacked-spheres") == 0; k++) {
            const budget_case c = {.scene = scene,
                                   .count = 4 + k / 2,
                                   .iterations = k % 2 ? -1 : 1,
                                   .seconds = k % 2 ? 1e-9 : 0,
                                   .tolerance = 1e-6,
                                   .model = VS_MODEL_RELAXED,
                                   .steps = 120};
            check(context, k, c);
        }
    vs_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_iterations_neither_sink_nor_explode),
        cmocka_unit_test(no_time_neither_sinks_nor_explodes),
        cmocka_unit_test(heavy_balls_do_not_sink_into_light_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
