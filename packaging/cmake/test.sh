#!/bin/bash
# Uses this source tree by FetchContent as a stranger's project would: no tests, no command, nothing installed, no option of the
# outer project changed. With --build the program is built, with the numerics half alone, and run (one minute).
# usage: packaging/cmake/test.sh [--build]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "packaging/cmake/test.sh: $*" >&2 && exit 1; }

options=()
for part in MUMPS CHOLMOD LAPACK METIS HDF5 DYNAMICS MPI; do options+=("-DVOUSSOIR_$part=OFF"); done
cmake -G Ninja -S "$here" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DFETCHCONTENT_SOURCE_DIR_VOUSSOIR="$root" "${options[@]}" \
    >"$work/log" 2>&1 || { cat "$work/log" && fail "configuring failed"; }
targets=$(cmake --build "$work/build" --target help)
if grep -qE '^(test_|voussoir_command|forge)' <<<"$targets"; then fail "tests or the command are part of the outer project"; fi
if grep -qE 'BUILD_SHARED_LIBS|BUILD_TESTING' "$work/build/CMakeCache.txt"; then fail "an option of the outer project was set"; fi
[[ ! -e $work/build/_deps/voussoir-build/cmake_install.cmake ]] ||
    ! grep -q 'file(INSTALL' "$work/build/_deps/voussoir-build/cmake_install.cmake" || fail "the outer project installs voussoir"
if [[ ${1:-} == --build ]]; then
    cmake --build "$work/build" >"$work/log" 2>&1 || { tail -n 30 "$work/log" && fail "the build failed"; }
    "$work/build/uses_voussoir"
fi
echo "voussoir by FetchContent: the library alone"
