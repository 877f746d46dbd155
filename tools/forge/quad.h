// Quadruple precision, in which the forgers evaluate.
#ifndef FORGE_QUAD_H
#define FORGE_QUAD_H

#include <float.h>
#include <math.h>

// At least 113 bits and exponents up to 2^16383: squares of all doubles, and what remains when they cancel.
#if LDBL_MANT_DIG >= 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

static inline quad quad_absolute(quad x) {
    return x < 0 ? -x : x;
}

static inline quad quad_larger(quad a, quad b) {
    return a > b ? a : b;
}

static inline quad quad_smaller(quad a, quad b) {
    return a < b ? a : b;
}

// Newton's iteration from the root in long double, which has the same range.
static inline quad quad_root(quad x) {
    if (!(x > 0))
        return 0;
    quad s = sqrtl((long double)x);
    for (int k = 0; k < 2; k++)
        s = (s + x / s) / 2;
    return s;
}

#endif
