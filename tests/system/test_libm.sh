#!/bin/bash
# test_libm.sh ARCHIVE: the library calls no function of the C library whose last bits depend on the system; src/base/elementary.h
# has them all. Exact ones (sqrt, floor, fmod, ldexp …) are allowed.
set -euo pipefail
inexact='(a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|hypot|cbrt|erf|erfc|[lt]gamma|fma)[fl]?'
objects=$(nm -u "$1" | grep -c ':$')
[[ $objects -gt 100 ]] || { echo "nm lists only $objects objects of $1"; exit 1; }
found=$(nm -u "$1" | awk -v pattern="^$inexact\$" '/:$/ { object = $1 } $1 == "U" && $2 ~ pattern { print object, $2 }')
[[ -z $found ]] || { echo "use vs_… of base/elementary.h instead:"; echo "$found"; exit 1; }
echo "$objects objects"
