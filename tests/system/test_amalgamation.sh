#!/bin/bash
# voussoir.c and voussoir.h: the example of the README compiles and links with nothing but the C library, in C and in C++,
# and computes what it says. The object is the one that the unit tests link; tools/release.sh compiles it again.
set -euo pipefail
folder=$1 library=$2 compiler=$3
source=$(dirname "$0")/../../examples/solve_box.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed 's#<voussoir/voussoir.h>#"voussoir.h"#' "$source" >"$work/app.c"
"$compiler" -O2 -Wall -Wextra -Wpedantic -Werror -I "$folder" "$work/app.c" "$library" -lm -o "$work/app"
"$work/app" >"$work/out"
cat "$work/out"
grep -q '^the tolerance is met' "$work/out"
grep -qE '^sum: +normal +0\.040875 \(weight +0\.040875\) +friction -0\.008175 ' "$work/out"

# Nothing beyond the C library, and no name that could clash with a program's own.
nm --undefined-only "$library" | awk '/ U /{print $2}' | sort -u >"$work/needed"
nm --defined-only --extern-only "$library" | awk 'NF==3{print $3}' | sort -u >"$work/offered"
! comm -23 "$work/needed" "$work/offered" | grep -iE 'ldl|klu|amd|blas|hdf5|json|qhull|metis|mumps|dgemm'
! grep -v '^vs_' "$work/offered"

# The header alone, and from C++.
echo '#include "voussoir.h"' >"$work/alone.c"
"$compiler" -std=c99 -Wall -Wextra -Wpedantic -Werror -I "$folder" -fsyntax-only "$work/alone.c"
"$compiler" -x c++ -Wall -Wextra -Werror -I "$folder" -fsyntax-only "$work/alone.c"
echo "voussoir.c: $(wc -c <"$folder/voussoir.c") bytes, $(wc -l <"$folder/voussoir.c") lines"
