// Signals: values, derivatives and means, and copies that own what they need.
#include "worlds.h"

static const double TIME[] = {0, 1, 1, 3}, SAMPLE[] = {2, 4, -1, 5};
static const vs_signal TABLE = {.kind = VS_SIGNAL_TABLE, .time = TIME, .sample = SAMPLE, .count = 4};
static const vs_signal SINE = {.kind = VS_SIGNAL_SINE, .value = 1, .amplitude = 3, .frequency = 2, .phase = .7};

static void table_is_linear_between_samples_and_constant_outside(void **state) {
    (void)state;
    const double at[] = {-5, 0, .25, 1, 2, 3, 9}, value[] = {2, 2, 2.5, -1, 2, 5, 5}, rate[] = {0, 2, 2, 3, 3, 0, 0};
    for (int k = 0; k < 7; k++) {
        assert_true(vs_signal_at(&TABLE, at[k]) == value[k]); // all numbers are exact in binary
        assert_true(vs_signal_rate(&TABLE, at[k]) == rate[k]);
    }
    const vs_signal one = {.kind = VS_SIGNAL_TABLE, .time = TIME, .sample = SAMPLE, .count = 1};
    assert_true(vs_signal_at(&one, -1) == 2 && vs_signal_at(&one, 7) == 2 && vs_signal_mean(&one, 3, .1) == 2);
}

static void rates_are_the_derivatives_of_values(void **state) {
    (void)state;
    for (int k = 0; k < 20; k++) {
        double t = -.37 + .21 * k, d = 1e-5;
        double slope = (vs_signal_at(&SINE, t + d) - vs_signal_at(&SINE, t - d)) / (2 * d);
        // central difference: d^2/6 A (2 pi f)^3 = 1e-7, and 1e-16/d
        assert_close(vs_signal_rate(&SINE, t), slope, 2e-7);
    }
}

static void means_are_integrals(void **state) {
    (void)state;
    const vs_signal constant_one = constant(1.5);
    for (int k = 0; k < 40; k++) {
        double t = -1 + .15 * k, h = .02 + .13 * (k % 9);
        // the midpoint rule with many points; a jump costs half a cell of height 5
        enum { CELLS = 20000 };
        double table = 0, sine = 0;
        for (int j = 0; j < CELLS; j++) {
            table += vs_signal_at(&TABLE, t + h * (j + .5) / CELLS) / CELLS;
            sine += vs_signal_at(&SINE, t + h * (j + .5) / CELLS) / CELLS;
        }
        assert_close(vs_signal_mean(&TABLE, t, h), table, 5. / CELLS);
        assert_close(vs_signal_mean(&SINE, t, h), sine, 1e-6); // (2 pi f h/CELLS)^2/24 A
        assert_true(vs_signal_mean(&constant_one, t, h) == 1.5);
    }
    // steps add up to the whole: 30 sums of roundoff
    double sum = 0;
    for (int k = 0; k < 30; k++)
        sum += .1 * vs_signal_mean(&TABLE, .1 * k, .1);
    assert_close(sum, 3 + 4, 1e-13);
}

static void mean_of_a_sine_does_not_cancel_for_short_steps(void **state) {
    (void)state;
    assert_close(vs_signal_mean(&SINE, .3, 1e-12), vs_signal_at(&SINE, .3), 1e-10);
    assert_close(vs_signal_mean(&SINE, .3, 0), vs_signal_at(&SINE, .3), 1e-15);
}

static void copies_own_their_tables_and_bad_signals_are_refused(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    double time[] = {0, 1}, sample[] = {5, 6};
    vs_signal signal = {.kind = VS_SIGNAL_TABLE, .time = time, .sample = sample, .count = 2};
    vs_signal_copy copy;
    assert_int_equal(vs_signal_copy_from(context, &signal, &copy), VS_OK);
    sample[0] = 99;
    assert_true(vs_signal_at(&copy.signal, 0) == 5);
    vs_signal_copy_release(context, &copy);

    vs_signal bad[] = {signal, signal, signal, SINE, constant(NAN), {.kind = (vs_signal_kind)7}};
    const double backward[] = {1, 0}, endless[] = {0, INFINITY};
    bad[0].time = backward;
    bad[1].count = 0;
    bad[2].sample = endless;
    bad[3].frequency = INFINITY;
    for (int k = 0; k < 6; k++) {
        assert_int_equal(vs_signal_copy_from(context, &bad[k], &copy), VS_ERROR_ARGUMENT);
        assert_true(strlen(vs_context_get_error_text(context)) > 10);
    }
    refuse_call(&m, 0);
    assert_int_equal(vs_signal_copy_from(context, &signal, &copy), VS_ERROR_MEMORY);
    vs_signal_copy_release(context, &copy);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_linear_between_samples_and_constant_outside),
        cmocka_unit_test(rates_are_the_derivatives_of_values),
        cmocka_unit_test(means_are_integrals),
        cmocka_unit_test(mean_of_a_sine_does_not_cancel_for_short_steps),
        cmocka_unit_test(copies_own_their_tables_and_bad_signals_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
