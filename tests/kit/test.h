// cmocka with the headers it needs, and the headers that every test uses.
#ifndef VS_TESTS_KIT_TEST_H
#define VS_TESTS_KIT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// How many of n random samples to draw: code runs ten times slower under a sanitizer, where every kind of sample counts
// but not their number.
#define VS_SAMPLES(n) (VS_SHORT ? ((n) + 5) / 6 : (n))

// Runs tests and studies: long runs whose results are the point, and which execute no other code than the tests do.
#define vs_run_tests_and_studies(tests, studies)                                                                       \
    (cmocka_run_group_tests(tests, NULL, NULL) + (VS_SHORT ? 0 : cmocka_run_group_tests(studies, NULL, NULL)))

#endif
