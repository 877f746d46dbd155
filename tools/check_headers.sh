#!/bin/bash
# Every header compiles alone: those of include/ and src/ as C, the public ones also as C++.
# A piece of a .c file that is included several times says "No include guard, on purpose" at its top and is left out.
# usage: tools/check_headers.sh          CC and CXX choose the compilers (gcc, g++)
set -euo pipefail
cd "$(dirname "$0")/.."

cc=${CC:-gcc}
cxx=${CXX:-g++}
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only)
# engines whose headers ours include
read -r -a engines < <(pkg-config --cflags hdf5-serial libxml-2.0 mpi-c)
# the header that CMake configures
generated=$(mktemp -d)
trap 'rm -rf "$generated"' EXIT
mkdir "$generated/voussoir"
IFS=. read -r major minor patch < <(sed -nE 's/^project\(voussoir VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
sed "s/@PROJECT_VERSION_MAJOR@/$major/; s/@PROJECT_VERSION_MINOR@/$minor/; s/@PROJECT_VERSION_PATCH@/$patch/
    s/@PROJECT_VERSION@/$major.$minor.$patch/" include/voussoir/version.h.in >"$generated/voussoir/version.h"
includes=(-Iinclude -I"$generated")
count=0
failed=0

# check HEADER COMPILER FLAGS…
check() {
    local header=$1
    shift
    count=$((count + 1))
    # Twice: the second must vanish behind the include guard. The typedef: ISO C wants at least one declaration.
    if ! printf '#include "%s"\n#include "%s"\ntypedef int nothing;\n' "$header" "$header" | "$@" "${warnings[@]}" -; then
        echo "check_headers: $header does not compile alone ($1)" >&2
        failed=$((failed + 1))
    fi
}

mapfile -t public < <(cd include && { find . -name '*.h' -printf '%P\n'; echo voussoir/version.h; } | sort)
mapfile -t inside < <(cd src && find . -name '*.h' -printf '%P\n' | sort)
if [[ ${#public[@]} -eq 0 || ${#inside[@]} -eq 0 ]]; then
    echo "check_headers: no headers found" >&2
    exit 1
fi
for header in "${public[@]}"; do
    check "$header" "$cc" -std=c17 -Wmissing-prototypes -Wstrict-prototypes "${includes[@]}" -x c
    check "$header" "$cxx" -std=c++11 "${includes[@]}" -x c++
done
pieces=0
for header in "${inside[@]}"; do
    if head -n 5 "src/$header" | grep -q 'No include guard, on purpose'; then
        pieces=$((pieces + 1))
        continue
    fi
    check "$header" "$cc" -std=c17 -D_POSIX_C_SOURCE=200809L -Wmissing-prototypes -Wstrict-prototypes -Isrc "${includes[@]}" \
        "${engines[@]}" -x c
done
echo "headers: $count compiled alone, $failed failed, $pieces pieces left out"
[[ $failed -eq 0 ]]
