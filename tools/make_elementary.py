#!/usr/bin/python3
"""Writes constants of the elementary functions, and values for their test, from mpmath with 1500 bits.

    tools/make_elementary.py constants > src/base/elementary_constants.h
    tools/make_elementary.py values > tests/base/elementary_values.h
"""

import math
import random
import sys

import mpmath
from mpmath import atan, floor, log, mp, mpf, nint, pi

mp.prec = 1500


def double(x):
    """The nearest double, as an exact hexadecimal literal."""
    return float(x).hex()


def pair(x):
    """The nearest double and the nearest double of the rest."""
    hi = mpf(float(x))
    return f"{{{double(hi)}, {double(x - hi)}}}"


def parts(x, bits):
    """x as a sum of doubles: the first ones with the given numbers of bits each, so that products with small integers are exact, then the
    rest rounded."""
    result = []
    for count in bits:
        scale = mpf(2) ** (count - 1 - int(floor(log(abs(x), 2))))
        part = nint(x * scale) / scale
        result.append(double(part))
        x -= part
    return result + [double(x)]


def table(name, entries, kind="vs_double_double"):
    print(f"static const {kind} {name}[] = {{")
    for entry in entries:
        print(f"    {entry},")
    print("};\n")


def constants():
    print("""// Constants of elementary.c, written by tools/make_elementary.py: do not edit.
#ifndef VS_BASE_ELEMENTARY_CONSTANTS_H
#define VS_BASE_ELEMENTARY_CONSTANTS_H

#include <stdint.h>

#include "base/double_double.h"

// clang-format off""")
    print(f"static const double TWO_OVER_PI = {double(2 / pi)}, INVERSE_LN2 = {double(1 / log(mpf(2)))};")
    print(f"static const vs_double_double PI_PAIR = {pair(pi)};")
    print(f"static const vs_double_double HALF_PI_PAIR = {pair(pi / 2)};")
    print(f"static const vs_double_double INVERSE_LN10_PAIR = {pair(1 / log(mpf(10)))};\n")
    print("// pi/2 in parts of 33 bits: multiples up to 2^20 are exact.")
    table("HALF_PI_PARTS", parts(pi / 2, [33, 33, 33]), "double")
    print("// ln 2 in parts of 42 bits: multiples by exponents are exact.")
    table("LN2_PARTS", parts(log(mpf(2)), [42, 42]), "double")
    print("// 1/(2 k + 1), k = 0 ...")
    table("ODD_INVERSE", [pair(1 / mpf(2 * k + 1)) for k in range(20)])
    print("// 1/k!, k = 0 ...")
    table("INVERSE_FACTORIAL", [pair(1 / mp.factorial(k)) for k in range(26)])
    print("// atan(k/8), k = 0 ... 8")
    table("ATAN_EIGHTHS", [pair(atan(mpf(k) / 8)) for k in range(9)])
    print("// sin(k/16) and cos(k/16), k = 0 ... 13")
    table("SINE_SIXTEENTHS", [pair(mpmath.sin(mpf(k) / 16)) for k in range(14)])
    table("COSINE_SIXTEENTHS", [pair(mpmath.cos(mpf(k) / 16)) for k in range(14)])
    words = [f"0x{int(floor(2 / pi * mpf(2) ** (32 * (k + 1)))) & 0xFFFFFFFF:08x}" for k in range(40)]
    print("// Binary digits of 2/pi after the point, 32 per word.")
    table("TWO_OVER_PI_DIGITS", [", ".join(words[k : k + 8]) for k in range(0, 40, 8)], "uint32_t")
    print("// clang-format on\n\n#endif")


# ---- values for the test ------------------------------------------------------------------------------------


def spread(low, high):
    """A double with an exponent between low and high and any mantissa."""
    return random.choice((-1, 1)) * math.ldexp(1 + random.getrandbits(52) / 2**52, random.randint(low, high))


def arguments():
    """Arguments for each function: name, numbers of arguments, generators."""
    angle = [lambda: random.uniform(-7, 7), lambda: spread(-40, 19), lambda: spread(20, 1023)]
    unit = [lambda: random.uniform(-1, 1), lambda: spread(-40, -1), lambda: 1 - abs(spread(-50, -5))]
    positive = [lambda: random.uniform(0.5, 2), lambda: abs(spread(-1022, 1023)), lambda: 1 + spread(-50, -5)]
    small = [lambda: random.uniform(-3, 3), lambda: spread(-40, 8)]
    yield from ((name, angle) for name in ("sin", "cos", "tan"))
    yield from ((name, unit) for name in ("asin", "acos"))
    yield "atan", [lambda: random.uniform(-3, 3), lambda: spread(-60, 60)]
    yield "exp", [lambda: random.uniform(-700, 700), lambda: random.uniform(-1, 1), lambda: spread(-40, 8)]
    yield from ((name, positive) for name in ("log", "log10"))
    yield from ((name, small) for name in ("sinh", "cosh", "tanh"))
    yield "cbrt", [lambda: abs(spread(-1022, 1023))]


def values():
    random.seed(1)
    print("""// Correctly rounded values of elementary functions, written by tools/make_elementary.py: do not edit.
#ifndef VS_TESTS_ELEMENTARY_VALUES_H
#define VS_TESTS_ELEMENTARY_VALUES_H

#include "base/elementary.h"

// clang-format off
static const struct {
    double (*function)(double);
    double x, value;
} one_argument[] = {""")
    for name, generators in arguments():
        for k in range(60):
            x = generators[k % len(generators)]()
            print(f"    {{vs_{'ln' if name == 'log' else name}, {x.hex()}, {double(getattr(mpmath, name)(mpf(x)))}}},")
    print("""};
static const struct {
    double (*function)(double, double);
    double x, y, value;
} two_arguments[] = {""")
    for k in range(60):
        y, x = spread(-20, 20), spread(-20, 20)
        print(f"    {{vs_atan2, {y.hex()}, {x.hex()}, {double(mpmath.atan2(mpf(y), mpf(x)))}}},")
        print(f"    {{vs_hypot, {y.hex()}, {x.hex()}, {double(mpmath.hypot(mpf(y), mpf(x)))}}},")
        x, y = abs(spread(-10, 10)), random.uniform(-70, 70)
        print(f"    {{vs_pow, {x.hex()}, {y.hex()}, {double(mpf(x) ** mpf(y))}}},")
    print("};\n// clang-format on\n\n#endif")


if sys.argv[1:] not in (["constants"], ["values"]):
    sys.exit(__doc__)
constants() if sys.argv[1] == "constants" else values()
