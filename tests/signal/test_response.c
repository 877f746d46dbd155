// Response of oscillators to accelerograms against closed forms, and the intensity of accelerograms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kit/compare.h"
#include "kit/memory.h"
#include "signal/record.h"

static const double PI = 3.141592653589793;

static vs_record *parse(vs_context *context, const char *text, const vs_record_options *options) {
    vs_record *record;
    must(vs_record_parse(context, "a.csv", text, strlen(text), options, &record), context);
    return record;
}

// amplitude sin(2 pi t/period) from 0 to `end`, with `count` intervals.
static vs_record *sample_sine(vs_context *context, double period, double end, int count) {
    static char text[500000];
    int used = 0;
    for (int k = 0; k <= count; k++) {
        const double t = end * k / count;
        used += snprintf(text + used, sizeof text - (size_t)used, "%.17g %.17g\n", t, sin(2 * PI * t / period));
    }
    return parse(context, text, NULL);
}

static vs_response respond(vs_context *context, const vs_record *record, double period, double damping) {
    vs_response found;
    must(vs_record_find_response(context, record, period, damping, &found), context);
    return found;
}

// At resonance the amplitude becomes 1/(2 zeta omega^2), off resonance that of the transfer function. Linear interpolation
// with n samples per cycle reduces the fundamental by (sin(pi/n)/(pi/n))^2; its harmonics and what is left of the start are
// below the tolerance.
static void harmonic_load_reaches_the_steady_state(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    enum { CYCLES = 60, N = 60 };
    const double load = .5, zeta = .1; // s, 1
    vs_record *r = sample_sine(context, load, CYCLES * load, CYCLES * N);
    const double omega = 2 * PI / load, reduced = pow(sin(PI / N) / (PI / N), 2);
    const vs_response at = respond(context, r, load, zeta);
    assert_relative(at.displacement, reduced / (2 * zeta * omega * omega), 1e-6);
    assert_relative(at.velocity, omega * at.displacement, 1e-14);
    assert_relative(at.acceleration, omega * omega * at.displacement, 1e-14);
    // Above resonance the steady state is larger than the transient at the start: a stiff oscillator, damped strongly.
    const double own = .2, ratio = own / load, heavy = .7;
    const double factor = 1 / sqrt(pow(1 - ratio * ratio, 2) + pow(2 * heavy * ratio, 2));
    assert_relative(respond(context, r, own, heavy).acceleration, reduced * factor, 2e-4); // harmonics of the corners
    vs_record_destroy(context, r);
    end_context(context, &m);
}

// Undamped, pulse of duration d: after a short pulse the peak is in the free vibration, 4 b cos(pi b)/(1 - 4 b^2) of the
// static displacement, b = d/T; during a long one it is sin(2 pi s/(1 + s))/(1 - s), s = 1/(2 b).
static void half_sine_pulse_has_the_known_peaks(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_record *r = sample_sine(context, 2, 1, 2000); // interpolation: pi^2/12/2000^2 = 2e-7
    for (int k = 1; k < 10; k++) {
        const double b = .045 * k;
        assert_relative(respond(context, r, 1 / b, 0).acceleration, 4 * b * cos(PI * b) / (1 - 4 * b * b), 1e-6);
    }
    for (int k = 0; k < 8; k++) {
        const double b = .6 + .1 * k, s = .5 / b; // up to b = 1.5 the first peak is the largest
        assert_relative(respond(context, r, 1 / b, 0).acceleration, sin(2 * PI * s / (1 + s)) / (1 - s), 1e-6);
    }
    vs_record_destroy(context, r);
    end_context(context, &m);
}

static void limits_of_stiff_and_soft_oscillators(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    // Stiff: it moves with the support. Corners of the record excite vibrations of the size slope/omega.
    vs_record *r = parse(context, "0 0\n1 2\n2 -1\n3 0\n", NULL);
    assert_relative(respond(context, r, 1e-4, .05).acceleration, 2, 1e-4);
    vs_record_destroy(context, r);
    // Soft: it stays where it is, while the ground goes 2/3 m and back: (2 pi 4 s/T)^2 remains.
    r = parse(context, "0 1\n2 -1\n4 1\n", NULL);
    assert_relative(r->peak_double_integral, 2. / 3, 1e-15);
    assert_relative(respond(context, r, 1e7, 0).displacement, 2. / 3, 1e-11);
    assert_relative(respond(context, r, 1e9, 1).displacement, 2. / 3, 1e-7);
    vs_record_destroy(context, r);
    end_context(context, &m);
}

// More samples on the same lines, at uneven times, are the same function.
static void response_is_exact_for_piecewise_linear_records(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_record *coarse = parse(context, "0 0\n.5 3\n1.5 -5\n2 2\n4 0\n", NULL);
    vs_record *fine =
        parse(context, "0 0\n.1 .6\n.5 3\n.75 1\n1.3 -3.4\n1.5 -5\n1.9 .6\n2 2\n3 1\n3.9 .1\n4 0\n", NULL);
    for (int k = 0; k < 16; k++)
        for (int i = 0; i < 5; i++) {
            const double period = .01 * pow(1.7, k), damping = .25 * i;
            assert_relative(respond(context, coarse, period, damping).displacement,
                            respond(context, fine, period, damping).displacement, 1e-12); // sums of thousands of pieces
        }
    vs_record_destroy(context, coarse);
    vs_record_destroy(context, fine);
    end_context(context, &m);
}

// a = 1 - t from 0 to 2 s.
static void intensity_of_a_line_is_known(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_record *r = parse(context, "0 1\n.3 .7\n2 -1\n", NULL);
    vs_intensity i;
    must(vs_record_find_intensity(context, r, &i), context);
    assert_relative(i.arias, .5 * PI / 9.80665 * 2 / 3, 1e-15);
    assert_relative(i.cumulative, 1, 1e-15);
    assert_relative(i.significant[0], 1 - cbrt(.9), 1e-14);
    assert_relative(i.significant[1], 1 + cbrt(.9), 1e-14);
    vs_record_destroy(context, r);
    end_context(context, &m);
}

static void wrong_arguments_are_named(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_record *r = parse(context, "0 1\n1 0\n", NULL);
    vs_response found;
    vs_intensity i;
    assert_int_equal(vs_record_find_response(context, NULL, 1, 0, &found), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_record_find_response(context, r, 1, 0, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_record_find_intensity(context, r, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_record_find_intensity(context, NULL, &i), VS_ERROR_ARGUMENT);
    const double bad[][2] = {{0, 0}, {-1, 0}, {1e-8, 0}, {INFINITY, 0}, {NAN, 0}, {1, -.1}, {1, 1.1}, {1, NAN}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(vs_record_find_response(context, r, bad[k][0], bad[k][1], &found), VS_ERROR_ARGUMENT);
        assert_non_null(strstr(vs_context_get_error_text(context), "must be"));
    }
    vs_record_destroy(context, r);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmonic_load_reaches_the_steady_state),
        cmocka_unit_test(half_sine_pulse_has_the_known_peaks),
        cmocka_unit_test(limits_of_stiff_and_soft_oscillators),
        cmocka_unit_test(response_is_exact_for_piecewise_linear_records),
        cmocka_unit_test(intensity_of_a_line_is_known),
        cmocka_unit_test(wrong_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
