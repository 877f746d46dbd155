// Random matrices and friction of a single contact, for the tests of its two solvers.
#ifndef VS_TESTS_SOLVER_ONE_GROUP_H
#define VS_TESTS_SOLVER_ONE_GROUP_H

#include <math.h>
#include <stdint.h>

static inline double draw(uint64_t *state) { // in [-1, 1)
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state & ~(uint64_t)0x7ff) / 9223372036854775808.0;
}

// G G', and `lift` on the diagonal
static inline void draw_matrix(uint64_t *state, double lift, double A[9]) {
    double G[9];
    for (int k = 0; k < 9; k++)
        G[k] = draw(state);
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
            double s = draw(state);
            A[3 * i + j] += s;
            A[3 * j + i] -= s;
        }
    }
}

static inline double draw_friction(uint64_t *state) { // 1e-3 … 10
    return pow(10.0, -1.0 + 2.0 * draw(state));
}

#endif
