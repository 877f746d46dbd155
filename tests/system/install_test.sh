#!/bin/bash
# Installs voussoir into a temporary prefix and uses it as an outside user would: the examples, in C and C++, and the program
# in README.md are built with find_package and with pkg-config, against the shared and the static library, and run.
# usage: tests/system/install_test.sh [BUILD_DIR]     BUILD_DIR: a finished shared build; default: build one
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-2}
warnings=(-Wall -Wextra -Wpedantic -Werror)

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

# needs_library PROGRAM: true if it loads libvoussoir.so
needs_library() { readelf -d "$1" | grep -q 'NEEDED.*libvoussoir\.so'; }

# outside PROJECT PROGRAM shared|static: an example as a project of its own, with find_package
outside() {
    local dir=$work/$3-$1 log=$work/$3-$1.log static=OFF
    if [[ $3 == static ]]; then static=ON; fi
    # Outside the source tree, so that nothing of it is found.
    cp -r "$source_dir/examples/$1" "$dir"
    { cmake -G Ninja -S "$dir" -B "$dir/build" -DCMAKE_PREFIX_PATH="$prefix" -DUSE_STATIC=$static -DCMAKE_C_FLAGS=-Werror \
        -DCMAKE_CXX_FLAGS=-Werror && cmake --build "$dir/build"; } >"$log" 2>&1 || { cat "$log"; fail "$1, $3: build failed"; }
    "$dir/build/$2"
    if [[ $3 == static ]] && needs_library "$dir/build/$2"; then fail "$1: the static program loads libvoussoir.so"; fi
    if [[ $3 == shared ]] && ! needs_library "$dir/build/$2"; then fail "$1: the shared program holds the library"; fi
    say "$1, find_package, $3: $2 ran"
}

# with_pkg_config shared|static COMPILER WARNINGS SOURCE…: built by hand, run if it needs no argument
with_pkg_config() {
    local kind=$1 compiler=$2 standard=$3 source=$4 flags program=$work/$1-program
    flags=$(pkg-config $([[ $kind == static ]] && echo --static) --cflags --libs voussoir)
    # Both libraries are in the same folder, where linkers take the shared one.
    if [[ $kind == static ]]; then flags=${flags/-lvoussoir/-l:libvoussoir.a}; fi
    # shellcheck disable=SC2086
    "$compiler" "$standard" "${warnings[@]}" "$source" -o "$program" $flags -lm
    if [[ $source != */readme.c ]]; then "$program" >/dev/null; fi
    say "pkg-config, $kind: $(basename "$source") built$([[ $source != */readme.c ]] && echo ' and ran')"
}

# The first C block of README.md
awk '/^```c$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$source_dir/README.md" >"$work/readme.c"
[[ -s $work/readme.c ]] || fail "README.md has no C program"

build=${1:-}
if [[ -z $build ]]; then
    build=$work/build
    build_library "$build"
fi
prefix=$work/prefix
install_library "$build" "$prefix"

library=$(find "$prefix" -name 'libvoussoir.so')
[[ -n $library ]] || fail "libvoussoir.so is not installed"
version=$(sed -nE 's/^project\(voussoir VERSION ([0-9.]+).*/\1/p' "$source_dir/CMakeLists.txt")
soname=libvoussoir.so.${version%.*}
[[ $(readlink "$library") == "$soname" && $(readlink "$(dirname "$library")/$soname") == "libvoussoir.so.$version" ]] ||
    fail "libvoussoir.so is not a link to $soname, or that not one to libvoussoir.so.$version"
grep -q "define VS_VERSION_STRING \"$version\"" "$prefix/include/voussoir/version.h" || fail "version.h is not that of $version"
[[ -f ${library%.so}.a ]] || fail "libvoussoir.a is not installed"

# The examples as outside projects
for kind in shared static; do
    outside outside-c slope $kind
    outside outside-cpp push $kind
done
cmake -G Ninja -S "$source_dir/examples" -B "$work/examples" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/examples" >/dev/null
"$work/examples/solve_box"

# An unknown component is named.
echo "find_package(voussoir 0.2 REQUIRED COMPONENTS numerics teleportation PATHS $prefix)" >"$work/component.cmake"
if cmake -P "$work/component.cmake" >"$work/component.log" 2>&1; then fail "found a component that does not exist"; fi
grep -q 'teleportation' "$work/component.log" || { cat "$work/component.log"; fail "a missing component is not named"; }

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name voussoir.pc)")
export PKG_CONFIG_PATH
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
for kind in shared static; do
    with_pkg_config $kind gcc -std=c17 "$source_dir/examples/solve_box.c"
    with_pkg_config $kind gcc -std=c17 "$work/readme.c"
    with_pkg_config $kind g++ -std=c++17 "$source_dir/examples/outside-cpp/push.cpp"
done

# The installed command finds its library by itself, and its pages and completion are there.
unset LD_LIBRARY_PATH
"$prefix/bin/voussoir" --version
for file in man/man1/voussoir.1 man/man1/voussoir-solve.1 bash-completion/completions/voussoir \
    zsh/vendor-completions/_voussoir fish/vendor_completions.d/voussoir.fish; do
    [[ -s $prefix/share/$file ]] || fail "$file is not installed"
done

# The viewer is installed if it was built.
if [[ -f $source_dir/viewer/dist/standalone.html ]]; then
    echo data >"$work/run.h5"
    env -u VOUSSOIR_VIEWER "$prefix/bin/voussoir" view "$work/run.h5" --standalone "$work/page.html"
    say "the installed command finds the viewer"
fi

# A program built before keeps running with a library after a private change: another layout of vs_solver, which programs
# know only by its pointer. Only solver.c knows it: compiled from a changed copy and linked with the other objects of the
# build, by the build's own commands.
if [[ -n ${1:-} ]]; then
    changed=$work/solver.c
    sed 's/^struct vs_solver {$/struct vs_solver {\n    double added[100];/' "$source_dir/src/solver/solver.c" >"$changed"
    grep -q 'double added' "$changed" || fail "struct vs_solver was not found in src/solver/solver.c"
    commands=$(ninja -C "$build" -t commands "libvoussoir.so.$version")
    object=$(sed -nE 's|.* -o ([^ ]+) -c [^ ]+/src/solver/solver\.c$|\1|p' <<<"$commands")
    [[ -n $object ]] || fail "$build has no command for src/solver/solver.c"
    compile=$(grep -F -- "-o $object -c " <<<"$commands" | sed "s|$object|$work/solver.o|g; s|-c [^ ]*$|-c $changed|")
    link=$(tail -n 1 <<<"$commands" | sed "s| $object | $work/solver.o |; s|-o libvoussoir.so.$version|-o $work/libvoussoir.so.$version|")
    (cd "$build" && bash -c "$compile" && bash -c "$link") >"$work/rebuilt.log" 2>&1 ||
        { cat "$work/rebuilt.log"; fail "the changed library was not built"; }
    before=$("$work/examples/solve_box")
    cmp -s "$work/libvoussoir.so.$version" "$(readlink -f "$library")" && fail "the library was not rebuilt"
    cp "$work/libvoussoir.so.$version" "$(readlink -f "$library")"
    [[ $("$work/examples/solve_box") == "$before" ]] || fail "solve_box has another result with the rebuilt library"
    "$work/shared-outside-c/build/slope" >/dev/null || fail "slope does not run with the rebuilt library"
    say "programs built before run with a library whose private code changed"
fi
say "passed"
