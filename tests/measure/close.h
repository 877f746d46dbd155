// Comparing doubles in double precision (cmocka compares floats), with the numbers in the message.
#ifndef VS_TESTS_MEASURE_CLOSE_H
#define VS_TESTS_MEASURE_CLOSE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_close(a, b, tolerance) check_close((a), (b), (tolerance), #a, __FILE__, __LINE__)
// relative to the larger of the two
#define assert_relative(a, b, tolerance)                                                                               \
    check_close((a), (b), (tolerance)*fmax(fabs(a), fabs(b)), #a, __FILE__, __LINE__)

static inline void check_close(double a, double b, double tolerance, const char *what, const char *file, int line) {
    if (fabs(a - b) <= tolerance || a == b)
        return;
    print_error("%s = %.17g, expected %.17g, difference %.3g > %.3g\n", what, a, b, fabs(a - b), tolerance);
    _fail(file, line);
}

#endif
