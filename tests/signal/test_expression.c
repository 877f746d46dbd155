// Expressions: values by the rules of precedence, parameters, and an error with its column for everything else.
#include <math.h>
#include <string.h>

#include "kit/compare.h"
#include "kit/memory.h"
#include "signal/expression.h"

static bool find(const void *user, const char *name, size_t length, double *value) {
    (void)user;
    *value = 0.5;
    return length == 4 && strncmp(name, "tilt", 4) == 0;
}

static double value_of(vs_context *context, const char *text, double time) {
    vs_expression *e;
    must(vs_expression_compile(context, text, find, NULL, &e), context);
    const double value = vs_expression_at(e, time);
    vs_expression_release(context, e);
    return value;
}

static void values_follow_the_rules_of_precedence(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const struct {
        const char *text;
        double value; // at t = 2; by C, and therefore the same bits
    } known[] = {
        {"1", 1},
        {" 1.5e1 ", 15},
        {".5", .5},
        {"2.", 2},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"7 - 2 - 1", 4},
        {"8 / 4 / 2", 1},
        {"-2^2", -4},
        {"2^-1", .5},
        {"2^3^2", 512},
        {"2 * -3", -6},
        {"- -3", 3},
        {"+3", 3},
        {"t", 2},
        {"pi", 3.141592653589793},
        {"sin($tilt)*9.81", sin(.5) * 9.81},
        {"300 * min(t / 4, 1)", 150},
        {"max(t, 3)", 3},
        {"atan2(1, t)", atan2(1, 2)},
        {"pow(t, 3)", 8},
        {"step(t - 2) + step(t - 2.1)", 1},
        {"sign(-t) * abs(-3)", -3},
        {"exp(log(t)) - sqrt(4)", exp(log(2)) - 2},
        {"floor(2.7) + ceil(2.2) + log10(100)", 7},
        {"cos(0) + cosh(0) + tan(0) + tanh(0) + sinh(0) + asin(0) + acos(1) + atan(0)", 2},
        {"1e-3*1E+3", 1},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_true(value_of(context, known[k].text, 2) == known[k].value);
    end_context(context, &m);
}

static void errors_name_the_column(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const struct {
        const char *text, *message;
    } bad[] = {
        {"", "column 1: the expression is empty"},
        {"1 +", "column 4: expected a number, a name or '(', found the end"},
        {"1 + * 2", "column 5: expected a number, a name or '(', found '* 2'"},
        {"(1 + 2", "column 7: expected ')' to close a parenthesis, found the end"},
        {"1 2", "column 3: expected an operator, found '2'"},
        {"2e", "column 2: expected an operator, found 'e'"},
        {"2 * x", "column 5: 'x' is unknown; parameters begin with $, known are: t, pi, abs"},
        {"$mu + 1", "column 1: there is no parameter 'mu'; add it to \"parameters\""},
        {"1 + $", "column 5: the name of a parameter follows '$'"},
        {"sin 3", "column 5: expected '(' after a function, found '3'"},
        {"sin(1, 2)", "column 6: sin has one argument"},
        {"max(1)", "column 6: expected ',' and a second argument, found ')'"},
        {"max(1, 2, 3)", "column 9: max has two arguments"},
        {"1e999", "column 1: '1e999' is too large"},
        {"1 / 0", "column 1: the value is infinite"},
        {"sqrt(-1)", "column 1: the value is not a number"},
        {"0x10", "column 2: expected an operator, found 'x10'"},
        {"inf", "column 1: 'inf' is unknown"},
        {".", "column 1: '.' is not a number"},
        {"1 \xc3\xb7 2", "column 3: expected an operator"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        vs_expression *e;
        assert_int_equal(vs_expression_compile(context, bad[k].text, find, NULL, &e), VS_ERROR_DATA);
        assert_null(e);
        assert_memory_equal(vs_context_get_error_text(context), bad[k].message, strlen(bad[k].message));
    }
    end_context(context, &m);
}

// No text exhausts the stack: neither of the parser nor of the evaluation.
static void depth_and_length_are_limited(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    static char text[5000];
    const char *piece[] = {"(", "-", "sin(", "2^", "1+(", "max(1,"};
    for (int k = 0; k < 6; k++) {
        vs_expression *e;
        text[0] = 0;
        for (int i = 0; i < 500; i++)
            strcat(text, piece[k]);
        assert_int_equal(vs_expression_compile(context, text, NULL, NULL, &e), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(context), "nest deeper than 50"));
    }
    memset(text, ' ', sizeof text - 1);
    vs_expression *e;
    assert_int_equal(vs_expression_compile(context, text, NULL, NULL, &e), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(context), "at most 4000 characters"));
    // A long sum is not deep.
    text[0] = 0;
    for (int i = 0; i < 1000; i++)
        strcat(text, "t+");
    strcat(text, "t");
    assert_true(value_of(context, text, 1) == 1001);
    end_context(context, &m);
}

static void memory_may_be_refused(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    for (int k = 0; k < 2; k++) {
        vs_expression *e;
        refuse_call(&m, k);
        assert_int_equal(vs_expression_compile(context, "1 + t", NULL, NULL, &e), VS_ERROR_MEMORY);
        assert_null(e);
    }
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_the_rules_of_precedence),
        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(depth_and_length_are_limited),
        cmocka_unit_test(memory_may_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
