// Random matrices and friction of a single contact, and the error of its impulse, for the tests of its solvers.
#ifndef VS_TESTS_SOLVER_ONE_GROUP_H
#define VS_TESTS_SOLVER_ONE_GROUP_H

#include "kit/compare.h"
#include "measure/residual.h"
#include "solver/random.h"

// G G', and `lift` on the diagonal
static inline void draw_matrix(uint64_t *state, double lift, double A[9]) {
    double G[9];
    for (int k = 0; k < 9; k++)
        G[k] = random_in(state, -1, 1);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[3 * i + j] = i == j ? lift : 0.0;
            for (int k = 0; k < 3; k++)
                A[3 * i + j] += G[3 * i + k] * G[3 * j + k];
        }
    }
}

static inline void add_skew(uint64_t *state, double A[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            double s = random_in(state, -1, 1);
            A[3 * i + j] += s;
            A[3 * j + i] -= s;
        }
    }
}

static inline double draw_friction(uint64_t *state) { // 1e-3 … 10
    return pow(10.0, -1.0 + 2.0 * random_in(state, -1, 1));
}

// y = A l + q
typedef bool one_solver(const double *A, int stride, const double *q, double mu, double *l);

typedef struct one_law {
    one_solver *solve;
    bool exact;
} one_law;

static inline void find_velocity(const double A[9], const double *q, const double *l, double *y) {
    for (int i = 0; i < 3; i++)
        y[i] = A[3 * i] * l[0] + A[3 * i + 1] * l[1] + A[3 * i + 2] * l[2] + q[i];
}

// |l - P(l - y / a)| over the size of what it is computed from; exact: with y + (mu |y_T|, 0, 0) instead of y.
static inline double error_of(bool exact, const double A[9], const double *q, double mu, const double *l) {
    double y[3], size = 0.0, a = (A[0] + A[4] + A[8]) / 3.0;
    find_velocity(A, q, l, y);
    for (int i = 0; i < 3; i++) {
        double terms = fabs(A[3 * i] * l[0]) + fabs(A[3 * i + 1] * l[1]) + fabs(A[3 * i + 2] * l[2]) + fabs(q[i]);
        size = fmax(size, fmax(terms / a, fabs(l[i])));
    }
    if (exact)
        y[0] += mu * hypot(y[1], y[2]);
    return sqrt(vs_friction_natural_squared(mu, l, y, 1.0 / a)) / size;
}

static inline void check_solved(one_law law, const double A[9], const double *q, double mu, double *l, double within) {
    const bool solved = law.solve(A, 3, q, mu, l);
    const double error = error_of(law.exact, A, q, mu, l);
    if (!solved || !(error <= within))
        fail_msg("%s, error %g: A %.17g %.17g %.17g; %.17g %.17g %.17g; %.17g %.17g %.17g, q %.17g %.17g %.17g, "
                 "mu %.17g",
                 solved ? "solved" : "no solution found", error, A[0], A[1], A[2], A[3], A[4], A[5], A[6], A[7], A[8],
                 q[0], q[1], q[2], mu);
}

// Other units are powers of two, which are exact: the solution has the same bits.
static inline void check_units(one_solver *solve, uint64_t seed) {
    const int power_A[4] = {40, -40, 0, -17}, power_q[4] = {0, 30, -50, 23};
    for (int k = 0; k < 4000; k++) {
        double A[9], q[3], B[9], r[3], l[3] = {0.0}, x[3] = {0.0}, mu = draw_friction(&seed);
        int i = k % 4;
        draw_matrix(&seed, 0.1, A);
        for (int j = 0; j < 9; j++)
            B[j] = ldexp(A[j], power_A[i]);
        for (int j = 0; j < 3; j++) {
            q[j] = random_in(&seed, -1, 1);
            r[j] = ldexp(q[j], power_q[i]);
        }
        assert_true(solve(A, 3, q, mu, l));
        assert_true(solve(B, 3, r, mu, x));
        for (int j = 0; j < 3; j++)
            assert_true(x[j] == ldexp(l[j], power_q[i] - power_A[i]));
    }
}

// A as part of a wider matrix, the rest of which is not read.
static inline void check_leading_dimension(one_solver *solve, uint64_t seed) {
    double A[9], wide[21], q[3] = {-1.0, 0.8, -0.9}, l[3] = {0.0}, x[3] = {0.0};
    draw_matrix(&seed, 1.0, A);
    for (int k = 0; k < 21; k++)
        wide[k] = k % 7 < 3 ? A[3 * (k / 7) + k % 7] : NAN;
    assert_true(solve(A, 3, q, 0.3, l));
    assert_true(solve(wide, 7, q, 0.3, x));
    assert_memory_equal(l, x, sizeof l);
}

// Without a solution, a point of the cone is left from whatever guess.
static inline void check_unsolvable(one_solver *solve, const double A[9], double rounding) {
    const double q[3] = {-1.0, 0.5, 0.0};
    double guesses[3][3] = {{0.0}, {1.0, 5.0, 0.0}, {NAN, INFINITY, 0.0}};
    for (int k = 0; k < 3; k++) {
        double *l = guesses[k];
        assert_false(solve(A, 3, q, 0.5, l));
        assert_true(isfinite(l[0]) && hypot(l[1], l[2]) <= 0.5 * l[0] * (1.0 + rounding));
    }
}

#endif
