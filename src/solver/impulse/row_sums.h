// The velocities of one group from the rows of N: sums of even and odd terms apart, which processors add at once.
#ifndef VS_SOLVER_IMPULSE_ROW_SUMS_H
#define VS_SOLVER_IMPULSE_ROW_SUMS_H

#include <stdint.h>
#include <string.h>

typedef double vs_pair __attribute__((vector_size(16)));

static inline vs_pair vs_pair_load(const double *x) {
    vs_pair p;
    memcpy(&p, x, sizeof p);
    return p;
}

// y = r + a l of three rows
static inline void vs_sum_rows(int64_t width, const double *a, const int *col, const double *l, const double *r,
                               double *y) {
    const double *b = a + width, *c = b + width;
    vs_pair n = {0.0, 0.0}, u = n, w = n;
    int64_t k = 0;
    for (; k + 2 <= width; k += 2) {
        vs_pair v = {l[col[k]], l[col[k + 1]]};
        n += vs_pair_load(a + k) * v;
        u += vs_pair_load(b + k) * v;
        w += vs_pair_load(c + k) * v;
    }
    double last = k < width ? l[col[k]] : 0.0;
    k = width - 1;
    y[0] = r[0] + ((n[0] + n[1]) + a[k] * last);
    y[1] = r[1] + ((u[0] + u[1]) + b[k] * last);
    y[2] = r[2] + ((w[0] + w[1]) + c[k] * last);
}

// r + a l of one row
static inline double vs_sum_row(int64_t width, const double *a, const int *col, const double *l, double r) {
    double even = 0.0, odd = 0.0;
    int64_t k = 0;
    for (; k + 2 <= width; k += 2) {
        even += a[k] * l[col[k]];
        odd += a[k + 1] * l[col[k + 1]];
    }
    if (k < width)
        even += a[k] * l[col[k]];
    return r + (even + odd);
}

#endif
