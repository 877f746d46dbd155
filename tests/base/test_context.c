// The context: the user's allocator serves everything, errors carry a text, misuse is refused.
#include "base/clock.h"
#include "base/context.h"
#include "kit/memory.h"

typedef struct journal {
    int lines;
    vs_log_level level;
    char text[1024];
} journal;

static void write_line(void *user, vs_log_level level, const char *text) {
    journal *j = user;
    j->lines++;
    j->level = level;
    snprintf(j->text, sizeof j->text, "%s", text);
}

static vs_context *make(memory *m, journal *j, int threads) {
    vs_context_def def = m ? context_def_of(m) : vs_context_def_default();
    if (j) {
        def.log = write_line;
        def.log_user = j;
    }
    def.threads = threads;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    assert_non_null(context);
    return context;
}

static void test_null_definition_gives_defaults(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    assert_string_equal(vs_context_get_error_text(context), "");
    vs_log(context, VS_LOG_ERROR, "nobody listens");
    vs_context_destroy(context);
    vs_context_destroy(NULL);
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    vs_context_def good = vs_context_def_default();
    vs_context_def wrong[] = {good, good, good, good};
    wrong[0].threads = 0;
    wrong[1].threads = 1 << 20;
    wrong[2].allocate = NULL;
    wrong[3].release = NULL;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        vs_context *context = (vs_context *)(void *)&good;
        assert_int_equal(vs_context_create(&wrong[k], &context), VS_ERROR_ARGUMENT);
        assert_null(context);
    }
    assert_int_equal(vs_context_create(&good, NULL), VS_ERROR_ARGUMENT);
}

static void test_all_memory_comes_from_the_users_allocator_and_returns_to_it(void **state) {
    (void)state;
    memory m = {0};
    vs_context *context = make(&m, NULL, 3);
    assert_int_equal(m.alive, 2); // context and pool
    void *block = vs_allocate(context, 100);
    void *empty = vs_allocate(context, 0);
    assert_non_null(block);
    assert_non_null(empty);
    assert_int_equal(m.alive, 4);
    vs_release(context, block);
    vs_release(context, empty);
    vs_release(context, NULL);
    vs_context_destroy(context);
    assert_int_equal(m.alive, 0);
}

static void test_creation_survives_every_refused_allocation(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        memory m = {0};
        vs_context_def def = context_def_of(&m);
        refuse_call(&m, k);
        def.threads = 2;
        vs_context *context = NULL;
        assert_int_equal(vs_context_create(&def, &context), VS_ERROR_MEMORY);
        assert_null(context);
        assert_int_equal(m.alive, 0);
    }
}

static void test_failure_stores_its_text_and_logs_it_for_debugging(void **state) {
    (void)state;
    journal j = {0};
    vs_context *context = make(NULL, &j, 1);
    assert_int_equal(vs_fail(context, VS_ERROR_DATA, "mu[%d] is negative (%g)", 7, -0.5), VS_ERROR_DATA);
    assert_string_equal(vs_context_get_error_text(context), "mu[7] is negative (-0.5)");
    assert_string_equal(j.text, "mu[7] is negative (-0.5)");
    assert_int_equal(j.level, VS_LOG_DEBUG);
    assert_int_equal(j.lines, 1);
    vs_context_destroy(context);
    assert_int_equal(vs_fail(NULL, VS_ERROR_IO, "no context"), VS_ERROR_IO);
}

static void test_failure_text_may_quote_the_previous_one(void **state) {
    (void)state;
    vs_context *context = make(NULL, NULL, 1);
    (void)vs_fail(context, VS_ERROR_DATA, "no rows");
    (void)vs_fail(context, VS_ERROR_DATA, "contact 3: %s", vs_context_get_error_text(context));
    assert_string_equal(vs_context_get_error_text(context), "contact 3: no rows");
    vs_context_destroy(context);
}

static void test_failure_text_is_one_line_and_cut_when_too_long(void **state) {
    (void)state;
    vs_context *context = make(NULL, NULL, 1);
    (void)vs_fail(context, VS_ERROR_IO, "first\nsecond\tthird");
    assert_string_equal(vs_context_get_error_text(context), "first second third");
    char long_text[2000];
    memset(long_text, 'a', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    (void)vs_fail(context, VS_ERROR_IO, "%s", long_text);
    const char *text = vs_context_get_error_text(context);
    assert_true(strlen(text) < sizeof long_text - 1);
    assert_string_equal(text + strlen(text) - 4, "a...");
    vs_context_destroy(context);
}

static void test_reporting_a_lack_of_memory_needs_no_memory(void **state) {
    (void)state;
    memory m = {0};
    vs_context *context = make(&m, NULL, 1);
    int calls = m.calls;
    assert_int_equal(vs_fail_memory(context), VS_ERROR_MEMORY);
    assert_string_equal(vs_context_get_error_text(context), "out of memory");
    assert_int_equal(m.calls, calls);
    vs_context_destroy(context);
}

static void test_every_error_has_a_name_of_its_own(void **state) {
    (void)state;
    for (int a = VS_OK; a <= (int)VS_ERROR_NUMERICAL; a++) {
        assert_string_not_equal(vs_error_name((vs_error)a), "unknown error");
        for (int b = VS_OK; b < a; b++)
            assert_string_not_equal(vs_error_name((vs_error)a), vs_error_name((vs_error)b));
    }
    assert_string_equal(vs_error_name((vs_error)(VS_ERROR_NUMERICAL + 1)), "unknown error");
}

static void test_version_has_three_numbers(void **state) {
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(vs_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_true(major == VS_VERSION_MAJOR && minor == VS_VERSION_MINOR && patch == VS_VERSION_PATCH);
    assert_string_equal(vs_version(), VS_VERSION_STRING);
}

static void test_clock_advances(void **state) {
    (void)state;
    double begin = vs_clock();
    double now = begin;
    for (long k = 0; k < 100000000 && now == begin; k++)
        now = vs_clock();
    assert_true(now > begin);
    assert_true(now - begin < 1); // s; a tick of the clock is far shorter
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_definition_gives_defaults),
        cmocka_unit_test(test_wrong_definitions_are_refused),
        cmocka_unit_test(test_all_memory_comes_from_the_users_allocator_and_returns_to_it),
        cmocka_unit_test(test_creation_survives_every_refused_allocation),
        cmocka_unit_test(test_failure_stores_its_text_and_logs_it_for_debugging),
        cmocka_unit_test(test_failure_text_may_quote_the_previous_one),
        cmocka_unit_test(test_failure_text_is_one_line_and_cut_when_too_long),
        cmocka_unit_test(test_reporting_a_lack_of_memory_needs_no_memory),
        cmocka_unit_test(test_every_error_has_a_name_of_its_own),
        cmocka_unit_test(test_version_has_three_numbers),
        cmocka_unit_test(test_clock_advances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
