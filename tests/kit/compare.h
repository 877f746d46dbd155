// Comparison of doubles in double precision (cmocka compares floats), with the numbers in the message.
#ifndef VS_TESTS_KIT_COMPARE_H
#define VS_TESTS_KIT_COMPARE_H

#include "base/vec.h"
#include "kit/test.h"

static inline void check_close(double a, double b, double tolerance, const char *what, const char *file, int line) {
    if (fabs(a - b) <= tolerance || a == b)
        return;
    print_error("%s = %.17g, expected %.17g, difference %.3g > %.3g\n", what, a, b, fabs(a - b), tolerance);
    _fail(file, line);
}

static inline void check_relative(double a, double b, double tolerance, const char *what, const char *file, int line) {
    check_close(a, b, tolerance * fmax(fabs(a), fabs(b)), what, file, line);
}

static inline void check_vec(vs_vec3 a, vs_vec3 b, double tolerance, const char *what, const char *file, int line) {
    for (int k = 0; k < 3; k++)
        check_close(vs_component(a, k), vs_component(b, k), tolerance, what, file, line);
}

// |a - b| <= tolerance
#define assert_close(a, b, tolerance) check_close((a), (b), (tolerance), #a, __FILE__, __LINE__)
// the same for each component
#define assert_vec(a, b, tolerance) check_vec((a), (b), (tolerance), #a, __FILE__, __LINE__)
// with a name for the message
#define assert_near(what, a, b, tolerance) check_close((a), (b), (tolerance), (what), __FILE__, __LINE__)
// relative to the larger of the two
#define assert_relative(a, b, tolerance) check_relative((a), (b), (tolerance), #a, __FILE__, __LINE__)
// a <= bound
#define assert_below(a, bound) check_below((a), (bound), #a, __FILE__, __LINE__)

static inline void check_below(double a, double bound, const char *what, const char *file, int line) {
    if (a <= bound)
        return;
    print_error("%s = %.17g > %.6g\n", what, a, bound);
    _fail(file, line);
}

static inline double largest(const double *a, int64_t count) { // |a_k|
    double most = 0;
    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(a[k]));
    return most;
}

static inline double largest_difference(const double *a, const double *b, int64_t count) {
    double most = 0;
    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

#endif
