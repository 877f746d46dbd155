// Signals: values, derivatives, integrals and means, and copies that own what they need.
#include "kit/compare.h"
#include "kit/memory.h"
#include "signal/signal.h"

static const double TIME[] = {0, 1, 1, 3}, SAMPLE[] = {2, 4, -1, 5};
static const vs_signal TABLE = {.kind = VS_SIGNAL_TABLE, .time = TIME, .sample = SAMPLE, .count = 4};
static const vs_signal SINE = {.kind = VS_SIGNAL_SINE, .value = 1, .amplitude = 3, .frequency = 2, .phase = .7};

typedef struct fixture {
    vs_context *context;
    memory memory;
    vs_signal_copy table, sine, table_rate, sine_rate, table_integral, sine_integral;
} fixture;

static vs_signal_copy copy_of(vs_context *context, vs_signal signal, vs_signal_use use) {
    vs_signal_copy copy;
    signal.use = use;
    must(vs_signal_copy_from(context, &signal, &copy), context);
    return copy;
}

static int set_up(void **state) {
    static fixture f;
    f.context = make_context(&f.memory);
    f.table = copy_of(f.context, TABLE, VS_SIGNAL_AS_IS);
    f.sine = copy_of(f.context, SINE, VS_SIGNAL_AS_IS);
    f.table_rate = copy_of(f.context, TABLE, VS_SIGNAL_DIFFERENTIATED);
    f.sine_rate = copy_of(f.context, SINE, VS_SIGNAL_DIFFERENTIATED);
    f.table_integral = copy_of(f.context, TABLE, VS_SIGNAL_INTEGRATED);
    f.sine_integral = copy_of(f.context, SINE, VS_SIGNAL_INTEGRATED);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    vs_signal_copy *all[] = {&f->table, &f->sine, &f->table_rate, &f->sine_rate, &f->table_integral, &f->sine_integral};
    for (int k = 0; k < 6; k++)
        vs_signal_copy_release(f->context, all[k]);
    end_context(f->context, &f->memory);
    return 0;
}

static void table_is_linear_between_samples_and_constant_outside(void **state) {
    const fixture *f = *state;
    const double at[] = {-5, 0, .25, 1, 2, 3, 9}, value[] = {2, 2, 2.5, -1, 2, 5, 5}, rate[] = {0, 2, 2, 3, 3, 0, 0};
    for (int k = 0; k < 7; k++) {
        assert_true(vs_signal_at(&f->table, at[k]) == value[k]); // all numbers are exact in binary
        assert_true(vs_signal_at(&f->table_rate, at[k]) == rate[k]);
    }
    const vs_signal_copy one = {.signal = {.kind = VS_SIGNAL_TABLE, .time = TIME, .sample = SAMPLE, .count = 1}};
    assert_true(vs_signal_at(&one, -1) == 2 && vs_signal_at(&one, 7) == 2 && vs_signal_mean(&one, 3, .1) == 2);
}

static void rates_are_the_derivatives_of_values(void **state) {
    const fixture *f = *state;
    for (int k = 0; k < 20; k++) {
        double t = -.37 + .21 * k, d = 1e-5;
        double slope = (vs_signal_at(&f->sine, t + d) - vs_signal_at(&f->sine, t - d)) / (2 * d);
        // central difference: d^2/6 A (2 pi f)^3 = 1e-7, and 1e-16/d
        assert_close(vs_signal_at(&f->sine_rate, t), slope, 2e-7);
    }
}

static void means_are_integrals(void **state) {
    const fixture *f = *state;
    const vs_signal_copy constant_one = {.signal = {.value = 1.5}};
    for (int k = 0; k < 40; k++) {
        double t = -1 + .15 * k, h = .02 + .13 * (k % 9);
        // the midpoint rule with many points; a jump costs half a cell of height 5
        enum { CELLS = 20000 };
        double table = 0, sine = 0;
        for (int j = 0; j < CELLS; j++) {
            table += vs_signal_at(&f->table, t + h * (j + .5) / CELLS) / CELLS;
            sine += vs_signal_at(&f->sine, t + h * (j + .5) / CELLS) / CELLS;
        }
        assert_close(vs_signal_mean(&f->table, t, h), table, 5. / CELLS);
        assert_close(vs_signal_mean(&f->sine, t, h), sine, 1e-6); // (2 pi f h/CELLS)^2/24 A
        assert_true(vs_signal_mean(&constant_one, t, h) == 1.5);
    }
    // steps add up to the whole: 30 sums of roundoff
    double sum = 0;
    for (int k = 0; k < 30; k++)
        sum += .1 * vs_signal_mean(&f->table, .1 * k, .1);
    assert_close(sum, 3 + 4, 1e-13);
}

static void mean_of_a_sine_does_not_cancel_for_short_steps(void **state) {
    const fixture *f = *state;
    assert_close(vs_signal_mean(&f->sine, .3, 1e-12), vs_signal_at(&f->sine, .3), 1e-10);
    assert_close(vs_signal_mean(&f->sine, .3, 0), vs_signal_at(&f->sine, .3), 1e-15);
}

// The mean of f over t … t + h by the midpoint rule; its error is (f'' h^2/24)/CELLS^2, and half a cell at a jump.
enum { CELLS = 20000 };
static double midpoint_mean(const vs_signal_copy *f, double t, double h) {
    double sum = 0;
    for (int j = 0; j < CELLS; j++)
        sum += vs_signal_at(f, t + h * (j + .5) / CELLS) / CELLS;
    return sum;
}

static void integrals_are_those_of_values_and_their_means_exact(void **state) {
    const fixture *f = *state;
    const vs_signal_copy *value[] = {&f->table, &f->sine}, *integral[] = {&f->table_integral, &f->sine_integral};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 40; k++) {
            double t = -1 + .15 * k, h = .02 + .13 * (k % 9);
            // from 0 to t: |t| times the mean; values are below 5
            double from_zero = t < 0 ? t * midpoint_mean(value[i], t, -t) : t * midpoint_mean(value[i], 0, t);
            assert_close(vs_signal_at(integral[i], t), from_zero, 5. * 5 / CELLS);
            assert_close(vs_signal_mean(integral[i], t, h), midpoint_mean(integral[i], t, h), 1e-6);
        }
    // Positions are sums of h times the mean velocity: the same at any step, which is what "exact" means. 3000 roundings.
    double coarse = 0, fine = 0;
    for (int k = 0; k < 3; k++)
        coarse += vs_signal_mean(&f->table_integral, k, 1);
    for (int k = 0; k < 3072; k++)
        fine += vs_signal_mean(&f->table_integral, k / 1024., 1 / 1024.) / 1024;
    assert_close(fine, coarse, 1e-12);
    // By hand: 2 + 2t over a second (x = 1 + 1/3, v = 3), then -1 + 3s over two (x = 6 - 2 + 4).
    assert_close(coarse, 4. / 3 + 8, 1e-14);
}

static void means_of_rates_are_differences(void **state) {
    const fixture *f = *state;
    for (int k = 0; k < 20; k++) {
        double t = -1 + .2 * k, h = .3;
        assert_close(h * vs_signal_mean(&f->table_rate, t, h),
                     vs_signal_at(&f->table, t + h) - vs_signal_at(&f->table, t), 1e-14);
        assert_close(h * vs_signal_mean(&f->sine_rate, t, h), vs_signal_at(&f->sine, t + h) - vs_signal_at(&f->sine, t),
                     1e-14);
    }
}

static vs_signal expression(const char *text) {
    return (vs_signal){.kind = VS_SIGNAL_EXPRESSION, .expression = text};
}

static void expressions_agree_with_what_they_describe(void **state) {
    const fixture *f = *state;
    vs_signal_copy e = copy_of(f->context, expression("1 + 3*sin(2*pi*2*t + 0.7)"), VS_SIGNAL_AS_IS);
    vs_signal_copy rate = copy_of(f->context, expression("1 + 3*sin(2*pi*2*t + 0.7)"), VS_SIGNAL_DIFFERENTIATED);
    for (int k = 0; k < 20; k++) {
        double t = .17 * k, h = .01;
        assert_close(vs_signal_at(&e, t), vs_signal_at(&f->sine, t), 1e-13);
        // Gauss' rule with 5 points: (omega h)^10 is below rounding
        assert_close(vs_signal_mean(&e, t, h), vs_signal_mean(&f->sine, t, h), 1e-13);
        // central difference of d = 6e-6 t: d^2/6 A omega^3 = 4e-7 at t = 3.4
        assert_close(vs_signal_at(&rate, t), vs_signal_at(&f->sine_rate, t), 1e-6);
        assert_close(vs_signal_mean(&rate, t, h), vs_signal_mean(&f->sine_rate, t, h), 1e-11);
    }
    vs_signal_copy_release(f->context, &e);
    vs_signal_copy_release(f->context, &rate);
    // Without t it is a constant, which can be integrated; otherwise that is refused.
    vs_signal_copy constant = copy_of(f->context, expression("3*9.81"), VS_SIGNAL_INTEGRATED);
    assert_true(constant.signal.kind == VS_SIGNAL_CONSTANT && vs_signal_at(&constant, 2) == 2 * (3 * 9.81));
    vs_signal integrated = expression("t");
    integrated.use = VS_SIGNAL_INTEGRATED;
    assert_int_equal(vs_signal_copy_from(f->context, &integrated, &constant), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "table"));
}

static void hashes_depend_on_every_number(void **state) {
    const fixture *f = *state;
    double sample[] = {2, 4, -1, 5};
    vs_signal other = TABLE;
    other.sample = sample;
    vs_signal_copy same = copy_of(f->context, other, VS_SIGNAL_AS_IS);
    sample[3] = 5.0000001;
    vs_signal_copy changed = copy_of(f->context, other, VS_SIGNAL_AS_IS);
    assert_true(vs_signal_hash(&same, 1) == vs_signal_hash(&f->table, 1));
    assert_true(vs_signal_hash(&changed, 1) != vs_signal_hash(&f->table, 1));
    assert_true(vs_signal_hash(&f->table_rate, 1) != vs_signal_hash(&f->table, 1));
    vs_signal_copy_release(f->context, &same);
    vs_signal_copy_release(f->context, &changed);
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
    assert_true(vs_signal_at(&copy, 0) == 5);
    vs_signal_copy_release(context, &copy);

    vs_signal bad[] = {signal,
                       signal,
                       signal,
                       SINE,
                       {.value = NAN},
                       {.kind = (vs_signal_kind)7},
                       expression("2 +"),
                       expression(NULL),
                       {.use = (vs_signal_use)9}};
    const double backward[] = {1, 0}, endless[] = {0, INFINITY};
    bad[0].time = backward;
    bad[1].count = 0;
    bad[2].sample = endless;
    bad[3].frequency = INFINITY;
    for (int k = 0; k < 9; k++) {
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
        cmocka_unit_test_setup_teardown(table_is_linear_between_samples_and_constant_outside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rates_are_the_derivatives_of_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(means_are_integrals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mean_of_a_sine_does_not_cancel_for_short_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(integrals_are_those_of_values_and_their_means_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(means_of_rates_are_differences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(expressions_agree_with_what_they_describe, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hashes_depend_on_every_number, set_up, tear_down),
        cmocka_unit_test(copies_own_their_tables_and_bad_signals_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
