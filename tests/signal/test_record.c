// Records: columns of numbers and PEER accelerograms, the correction of the baseline, and errors that name file and line.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kit/compare.h"
#include "kit/memory.h"
#include "signal/record.h"
#include "signal/signal.h"

#define AT2_HEAD                                                                                                       \
    "PEER NGA STRONG MOTION DATABASE RECORD\nTest, 1/1/2000, Station, 90\nACCELERATION TIME SERIES IN UNITS OF G\n"

static vs_record *parse(vs_context *context, const char *name, const char *text, const vs_record_options *options) {
    vs_record *record;
    must(vs_record_parse(context, name, text, strlen(text), options, &record), context);
    return record;
}

static void columns_are_separated_by_blanks_commas_and_semicolons(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const char *texts[] = {"t,a,b\n0,1,2\n0.5,3,4\n", "t a b\n0 1 2\n\n# note\n0.5\t3   4",
                           "t;a;b\r\n0 ; 1 ; 2\r\n0.5;3;4\r\n"};
    for (int k = 0; k < 3; k++) {
        vs_record_options o = vs_record_options_default();
        o.column = 3, o.skip = 1, o.scale = 10;
        vs_record *r = parse(context, "a.csv", texts[k], &o);
        assert_int_equal(r->samples, 2);
        assert_int_equal(r->signal.count, 2);
        assert_true(r->signal.time[1] == .5 && r->signal.sample[0] == 20 && r->signal.sample[1] == 40 && r->peak == 40);
        vs_record_destroy(context, r);
    }
    vs_record_options o = vs_record_options_default();
    o.column = 1, o.step = .25;
    vs_record *r = parse(context, "a.txt", "1\n2\n-3\n", &o);
    assert_true(r->samples == 3 && r->end == .5 && r->signal.sample[2] == -3 && r->peak == 3);
    vs_record_destroy(context, r);
    end_context(context, &m);
}

// As spreadsheets and old programs write them: a mark of UTF-8, lines that end with CR alone; commas with blanks after them.
static void marks_and_line_ends_of_other_programs_are_read(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const char *texts[] = {"\xEF\xBB\xBF"
                           "0,1\n0.5,3\n",
                           "0 1\r0.5 3\r",
                           "\xEF\xBB\xBF"
                           "# note\r\r0;1\r0.5;3",
                           "0, 1\r\n0.5, 3", "0,1 # 0,25 m/s\n0.5,3\n"};
    for (int k = 0; k < 5; k++) {
        vs_record *r = parse(context, "a.csv", texts[k], NULL);
        assert_true(r->samples == 2 && r->signal.time[1] == .5 && r->signal.sample[0] == 1 && r->signal.sample[1] == 3);
        vs_record_destroy(context, r);
    }
    vs_record *r = parse(context, "a.at2",
                         "\xEF\xBB\xBF"
                         "PEER\rTest\rACCELERATION IN UNITS OF G\rNPTS= 3, DT= .01 SEC\r.1 -.2\r.05\r",
                         NULL);
    assert_true(r->samples == 3 && r->end == .02);
    vs_record_destroy(context, r);
    end_context(context, &m);
}

static void accelerograms_of_both_kinds_of_header_are_in_metres_and_end_at_zero(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const char *texts[] = {AT2_HEAD "NPTS=  3, DT=   .0100 SEC,\n  .1000E+00  -.2000E+00\n  .5000E-01\n",
                           AT2_HEAD "    3    0.0100    NPTS, DT\n 0.1 -0.2\n 0.05\n \n"};
    for (int k = 0; k < 2; k++) {
        vs_record *r = parse(context, k ? "quake.at2" : "QUAKE.AT2", texts[k], NULL);
        assert_int_equal(r->samples, 3);
        assert_int_equal(r->signal.count, 4);
        assert_true(r->end == .02 && r->signal.time[3] == .02 && r->signal.sample[3] == 0);
        assert_close(r->signal.sample[1], -.2 * 9.80665, 1e-15);
        vs_record_destroy(context, r);
    }
    end_context(context, &m);
}

static double noise(int k) { // some function without a mean of zero
    return sin(.7 * k) + .4 * sin(2.9 * k) + .05 + .003 * k;
}

// The corrected record is integrated by the signal: it must end where it began, and still.
static void baseline_returns_to_the_start(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    static char text[20000];
    enum { COUNT = 400 };
    for (int k = 0; k < COUNT; k++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%.3f %.9f\n", .02 * k, noise(k));
    for (int b = VS_BASELINE_NONE; b <= VS_BASELINE_DISPLACEMENT; b++) {
        vs_record_options o = vs_record_options_default();
        o.baseline = (vs_baseline)b;
        vs_record *r = parse(context, "a.csv", text, &o);
        vs_signal signal = r->signal;
        vs_signal_copy velocity;
        signal.use = VS_SIGNAL_INTEGRATED;
        must(vs_signal_copy_from(context, &signal, &velocity), context);
        const double T = r->end, V = vs_signal_at(&velocity, T), D = T * vs_signal_mean(&velocity, 0, T);
        if (b == VS_BASELINE_NONE) {
            assert_true(r->removed[0] == 0 && r->removed[1] == 0);
            assert_close(V, r->drift[0], 1e-12); // sums of 400 terms of size 1
            assert_close(D, r->drift[1], 1e-11);
            assert_true(fabs(V) > 1 && fabs(D) > 1); // there is something to correct
        } else {
            assert_close(V, 0, 1e-12);
            assert_true(b == VS_BASELINE_DISPLACEMENT ? fabs(D) < 1e-11 : fabs(D) > .01);
            // What was removed and what is left are the file.
            assert_close(r->signal.sample[7] + r->removed[0] + r->removed[1] * .02 * 7, noise(7), 1e-9);
        }
        assert_true((b == VS_BASELINE_DISPLACEMENT) == (r->removed[1] != 0));
        assert_true(r->peak_double_integral > 0 && r->peak_integral > 0);
        // A corrected motion stays where it ended.
        if (b == VS_BASELINE_DISPLACEMENT)
            assert_close(5 * vs_signal_mean(&velocity, T, 5), 0, 1e-11);
        vs_signal_copy_release(context, &velocity);
        vs_record_destroy(context, r);
    }
    end_context(context, &m);
}

// A corrected record that begins later: at rest before.
static void a_corrected_record_is_zero_outside(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_record_options o = vs_record_options_default();
    o.baseline = VS_BASELINE_VELOCITY;
    vs_record *r = parse(context, "a.csv", "2 1\n3 5\n4 3\n", &o);
    vs_signal_copy a;
    must(vs_signal_copy_from(context, &r->signal, &a), context);
    assert_true(vs_signal_at(&a, 0) == 0 && vs_signal_at(&a, 1.999) == 0 && vs_signal_at(&a, 4) == 0);
    assert_close(vs_signal_at(&a, 2), 1 - 3.5, 1e-15); // the mean, 3.5, is removed
    assert_true(r->samples == 3 && r->signal.count == 5 && r->begin == 2);
    vs_signal_copy_release(context, &a);
    vs_record_destroy(context, r);
    end_context(context, &m);
}

static void malformed_files_name_the_line(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const struct {
        const char *name, *text, *message;
    } bad[] = {
        {"a.csv", "", "a.csv: has no numbers"},
        {"a.csv", "time,acc\n0,1\n", "a.csv:1: expected a time, s (skip headings with \"skip\": lines), found 'time'"},
        {"a.csv", "0,1\n1,x\n", "a.csv:2: expected a number, found 'x'"},
        {"a.csv", "0,1\n1,\n", "a.csv:2: there is no column 2, the line has 1"},
        {"a.csv", "0,1\n1,,3\n", "a.csv:2: expected a number, found nothing"},
        {"a.csv", "0,1\n1\n", "a.csv:2: there is no column 2, the line has 1"},
        {"a.csv", "0,1\n1,2\n1,3\n", "a.csv:3: times must ascend, 1 s follows 1 s"},
        {"a.csv", "0,nan\n", "a.csv:1: expected a number"},
        {"a.csv", "0,1e31\n", "a.csv:1: expected a number"},
        {"a.csv", "0,1\n1,2\x01\n", "a.csv:2: expected a number, found '2?'"},
        {"a.csv", "0 1\n0,5 3\n", "a.csv:2: has decimal commas; write decimal points"},
        {"a.csv", "0;1\n0,5;3\n", "a.csv:2: has decimal commas"},
        {"a.csv", "0 -1\n1\t-2,5e-3\n", "a.csv:2: has decimal commas"},
        {"a.csv", "0\r\n0,05\r\n", "a.csv:1: there is no column 2"},
        {"a.csv", "0,1\n0,05,0,5\n", "a.csv:2: has decimal commas"},
        {"a.csv",
         "\xFF\xFE"
         "0",
         "a.csv:1: is UTF-16; save it as plain text"},
        {"a.AT2", AT2_HEAD "NPTS= 3, DT= .01 SEC\n0,1 0,2 0,3\n", "a.AT2:5: has decimal commas"},
        {"a.AT2", "", "a.AT2:3: expected '… IN UNITS OF G'"},
        {"a.AT2", "x\ny\nVELOCITY IN UNITS OF CM/S\n", "a.AT2:3: expected '… IN UNITS OF G'"},
        {"a.AT2", AT2_HEAD, "a.AT2:4: expected the number of values and the time step"},
        {"a.AT2", AT2_HEAD "NPTS= -3, DT= .01\n", "a.AT2:4: expected the number of values and the time step"},
        {"a.AT2", AT2_HEAD "NPTS= 4, DT= .01 SEC\n1 2 3\n", "a.AT2:6: the file ends after 3 of NPTS = 4 values"},
        {"a.AT2", AT2_HEAD "NPTS= 2, DT= .01 SEC\n1 2 3\n", "a.AT2:5: more than NPTS = 2 values"},
        {"a.AT2", AT2_HEAD "NPTS= 3, DT= .01 SEC\n1 **** 3\n", "a.AT2:5: expected an acceleration, g, found '****'"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        vs_record *r = NULL;
        assert_int_equal(vs_record_parse(context, bad[k].name, bad[k].text, strlen(bad[k].text), NULL, &r),
                         VS_ERROR_DATA);
        assert_memory_equal(vs_context_get_error_text(context), bad[k].message, strlen(bad[k].message));
    }
    vs_record *r;
    assert_int_equal(vs_record_read(context, "/nonexistent/a.csv", NULL, &r), VS_ERROR_IO);
    assert_null(r);
    end_context(context, &m);
}

static void memory_may_be_refused(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    for (int k = 0; k < 4; k++) {
        vs_record *r = NULL;
        refuse_call(&m, k);
        assert_int_equal(vs_record_parse(context, "a.csv", "0 1\n", 4, NULL, &r), VS_ERROR_MEMORY);
        assert_null(r);
    }
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_separated_by_blanks_commas_and_semicolons),
        cmocka_unit_test(marks_and_line_ends_of_other_programs_are_read),
        cmocka_unit_test(accelerograms_of_both_kinds_of_header_are_in_metres_and_end_at_zero),
        cmocka_unit_test(baseline_returns_to_the_start),
        cmocka_unit_test(a_corrected_record_is_zero_outside),
        cmocka_unit_test(malformed_files_name_the_line),
        cmocka_unit_test(memory_may_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
