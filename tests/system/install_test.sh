#!/bin/bash
# Installs voussoir into a temporary prefix and uses it as a stranger would: the examples and the program in README.md
# are built with find_package and with pkg-config, against the shared and the static library, and run.
# usage: tests/system/install_test.sh [BUILD_DIR]     BUILD_DIR: a finished shared build; without it one is made
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-2}
warnings=(-std=c17 -Wall -Wextra -Wpedantic -Werror)

say() { echo "install_test: $*"; }
fail() { say "$*" >&2; exit 1; }

# build_library DIR OPTIONS…
build_library() {
    local dir=$1
    shift
    cmake -G Ninja -S "$source_dir" -B "$dir" -DCMAKE_BUILD_TYPE=Release -DVOUSSOIR_TESTS=OFF "$@" >"$dir.log" ||
        { cat "$dir.log"; fail "configure failed"; }
    cmake --build "$dir" -j "$jobs" >"$dir.log" || { cat "$dir.log"; fail "build failed"; }
}

# install_library BUILD_DIR PREFIX: installs elsewhere first, because a prefix may be moved
install_library() {
    cmake --install "$1" --prefix "$2.first" >/dev/null
    mv "$2.first" "$2"
    [[ -f $2/include/voussoir/voussoir.h ]] || fail "headers are not installed"
}

# use_library NAME PREFIX PKG_CONFIG_FLAGS…
use_library() {
    local name=$1 prefix=$2 pc flags
    shift 2
    pc=$(find "$prefix" -name voussoir.pc)
    [[ -n $pc ]] || fail "voussoir.pc is not installed"

    cmake -G Ninja -S "$source_dir/examples" -B "$work/$name-cmake" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build "$work/$name-cmake" >/dev/null
    "$work/$name-cmake/solve_box"
    say "$name, find_package: solve_box ran"

    flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config "$@" --cflags --libs voussoir)
    # shellcheck disable=SC2086
    gcc "${warnings[@]}" "$source_dir/examples/solve_box.c" -o "$work/$name-solve_box" $flags -lm
    LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")") "$work/$name-solve_box" >/dev/null
    # shellcheck disable=SC2086
    gcc "${warnings[@]}" "$work/readme.c" -o "$work/$name-readme" $flags -lm
    say "$name, pkg-config: solve_box ran, the program of README.md builds"
}

# The first C block of README.md
awk '/^```c$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$source_dir/README.md" >"$work/readme.c"
[[ -s $work/readme.c ]] || fail "README.md has no C program"

# Shared: only the API is visible from outside, and the installed command finds the library.
shared=${1:-}
if [[ -z $shared ]]; then
    shared=$work/shared-build
    build_library "$shared" -DBUILD_SHARED_LIBS=ON
fi
install_library "$shared" "$work/shared"
library=$(find "$work/shared" -name 'libvoussoir.so')
[[ -n $library ]] || fail "libvoussoir.so is not installed"
symbols=$(nm -D --defined-only "$library" | awk '{ print $3 }')
strangers=$(grep -v '^vs_' <<<"$symbols" || true)
[[ -z $strangers ]] || fail "symbols without the prefix vs_: $strangers"
grep -qx vs_solver_solve <<<"$symbols" || fail "vs_solver_solve is not visible"
use_library shared "$work/shared"
"$work/shared/bin/voussoir" --version

# The viewer goes along where it was built.
if [[ -f $source_dir/viewer/dist/standalone.html ]]; then
    echo data >"$work/run.h5"
    env -u VOUSSOIR_VIEWER "$work/shared/bin/voussoir" view "$work/run.h5" --standalone "$work/page.html"
    say "the installed command finds the viewer"
fi

# Static: the package brings the engines along.
build_library "$work/static-build" -DBUILD_SHARED_LIBS=OFF -DVOUSSOIR_APP=OFF
install_library "$work/static-build" "$work/static"
use_library static "$work/static" --static
say "passed"
