#!/bin/bash
# Makes the files of a release, reproducibly: the same commit with the same compiler gives the same bytes in any folder.
#
#   tools/release.sh OUT --sources ~/archives            everything, with SHA256SUMS
#   tools/release.sh OUT --sources ~/archives --twice    builds everything a second time elsewhere and compares
#   tools/release.sh OUT --only "source amalgamation"    some parts:
#
#     source         voussoir-VERSION.tar.xz: the repository at HEAD
#     amalgamation   voussoir-VERSION-amalgamation.tar.xz: voussoir.c, voussoir.h, the README's example
#     static         voussoir-VERSION-linux-x86_64.tar.xz: one static binary with HDF5 and viewer inside
#     wheel          full Python wheel: HDF5, URDF and MJCF, the command and the viewer inside
#     wheel-small    small Python wheel: no files of trajectories, all licences permissive
#     debian         .deb packages of Debian 12
#     sbom           software bill of materials (CycloneDX): parts, versions, licences, checksums of the files above
#
# Needs what the README installs, musl-tools and the archives of tools/fetch_engines.sh. static, wheel and debian contain the
# viewer, which must have been built: npm ci && npm run build in viewer/.
#
# Wheels need the C library of this machine, or a newer one. WHEEL_CC selects a compiler for an older one: a script that runs
# `zig cc -target x86_64-linux-gnu.2.17 "$@"` makes wheels for every Linux since 2014.
set -euo pipefail
cd "$(dirname "$0")/.."
usage='usage: tools/release.sh OUT [--sources FOLDER] [--only "PART PART …"] [--twice]'
out=${1:?$usage}
shift
sources='' twice='' parts='source amalgamation static wheel wheel-small debian sbom'
while [[ $# -gt 0 ]]; do
    case $1 in
    --sources) sources=$(realpath "${2:?$usage}") && shift 2 ;;
    --only) parts=${2:?$usage} && shift 2 ;;
    --twice) twice=yes && shift ;;
    *) echo "$usage" >&2 && exit 1 ;;
    esac
done
mkdir -p "$out"
out=$(realpath "$out")
root=$PWD
version=$(sed -nE 's/^project\(voussoir VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
python=${PYTHON:-/usr/bin/python3}

say() { printf 'release: %5d s  %s\n' "$SECONDS" "$*"; }
fail() { say "$*" >&2; exit 1; }

# pack FOLDER NAME: FOLDER/NAME.tar.xz of FOLDER/NAME
pack() {
    tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        -cf - "$2" | xz -T1 -9 >"$1/$2.tar.xz"
}

# build FOLDER OPTIONS…: configures and builds in FOLDER, which does not appear in the result
build() {
    local folder=$1
    shift
    mkdir -p "$folder"
    local flags="-ffile-prefix-map=$root=/voussoir -ffile-prefix-map=$folder=/build"
    cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS=$flags" -DVOUSSOIR_TESTS=OFF \
        -DVOUSSOIR_MPI=OFF "$@" >"$folder/configure.log" 2>&1 || { tail -n 30 "$folder/configure.log"; return 1; }
    cmake --build "$folder" >"$folder/build.log" || { tail -n 40 "$folder/build.log"; return 1; }
}

need_sources() { [[ -n $sources ]] || fail "$1 needs --sources FOLDER (tools/fetch_engines.sh fills it)"; }
need_viewer() { [[ -f viewer/dist/standalone.html ]] || fail "$1 needs the viewer: npm ci && npm run build in viewer/"; }

# copy_licences BUILD TO: of voussoir, and of what was compiled with it
copy_licences() {
    local deps=$1/_deps to=$2 suitesparse=$1/_deps/bundled_suitesparse-src
    mkdir -p "$to"
    cp LICENSE "$to/voussoir.txt"
    if [[ -d $suitesparse ]]; then
        for part in KLU AMD BTF COLAMD; do
            cp "$suitesparse/$part/Doc/License.txt" "$to/$part.txt" 2>/dev/null || cp "$suitesparse/$part/README.txt" "$to/$part.txt"
        done
    fi
    cp "$deps/bundled_qhull-src/COPYING.txt" "$to/qhull.txt"
    cp "$deps/bundled_jansson-src/LICENSE" "$to/jansson.txt"
    if [[ -d $deps/hdf5 ]]; then
        cp "$deps/hdf5/src/bundled_hdf5_build/COPYING" "$to/HDF5.txt"
        cp "$deps/xml/src/bundled_xml_build/Copyright" "$to/libxml2.txt"
        cp viewer/dist/licenses.txt "$to/viewer.txt"
    fi
}

# ---- the parts: each leaves its files in the folder $1 ---------------------------------------------------

make_source() {
    git archive --format=tar --prefix="voussoir-$version/" HEAD | xz -T1 -9 >"$1/voussoir-$version.tar.xz"
}

make_amalgamation() {
    local name=voussoir-$version-amalgamation folder begin
    folder=$1/$name
    cmake -S . -B "$1/minimal" --preset minimal >"$1/minimal.log" 2>&1 || { cat "$1/minimal.log"; return 1; }
    "$python" tools/amalgamate.py "$1/minimal" "$folder"
    cp LICENSE "$folder/"
    sed 's#<voussoir/voussoir.h>#"voussoir.h"#' examples/solve_box.c >"$folder/solve_box.c"
    pack "$1" "$name"
    begin=$(date +%s.%N)
    (cd "$folder" && cc -O2 -Wall -Wextra -Werror solve_box.c voussoir.c -lm -o "$1/solve_box") || return 1
    say "voussoir.c: $(wc -c <"$folder/voussoir.c") bytes, cc -O2 solve_box.c voussoir.c -lm took" \
        "$(awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $begin }") s, program $(wc -c <"$1/solve_box") bytes"
    "$1/solve_box" | head -n 1
}

make_static() {
    need_sources static && need_viewer static
    local name=voussoir-$version-linux-x86_64
    build "$1/static" --toolchain "$root/cmake/toolchain/musl.cmake" -DBUILD_SHARED_LIBS=OFF -DCMAKE_SKIP_RPATH=ON \
        -DVOUSSOIR_BUNDLED=ON "-DVOUSSOIR_SOURCES=$sources" -DVOUSSOIR_EMBED_VIEWER=ON -DVOUSSOIR_VIEWER=OFF
    cmake --install "$1/static" --prefix "$1/$name" --strip >"$1/static/install.log"
    rm -rf "$1/$name/lib" "$1/$name/include"
    copy_licences "$1/static" "$1/$name/share/doc/voussoir/licences"
    cp /usr/share/doc/musl/copyright "$1/$name/share/doc/voussoir/licences/musl.txt"
    pack "$1" "$name"
}

# make_wheel_of FOLDER KIND OPTIONS…: the library, the command with its library above it, licences, and the right name of the
# oldest C library that has all symbols
make_wheel_of() {
    local folder=$1 kind=$2 built=$1/$2 tree=$1/$2-tree oldest
    shift 2
    need_sources "$kind"
    build "$built" -DBUILD_SHARED_LIBS=ON -DVOUSSOIR_STATIC=OFF -DVOUSSOIR_BUNDLED=ON "-DVOUSSOIR_SOURCES=$sources" \
        -DCMAKE_INSTALL_LIBDIR=. -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON "-DCMAKE_C_COMPILER=${WHEEL_CC:-cc}" "$@"
    cmake --install "$built" --prefix "$built/prefix" --strip >"$built/install.log"
    mkdir -p "$tree"
    git archive HEAD CMakeLists.txt LICENSE include python | tar -C "$tree" -xf -
    copy_licences "$built" "$tree/python/licences"
    if [[ $kind != wheel ]]; then
        sed -i 's/^name = "voussoir"/name = "voussoir-small"/' "$tree/python/pyproject.toml"
    fi
    strip --strip-unneeded "$built"/libvoussoir.so.*.*.*
    oldest=$(objdump -T "$built/prefix/bin/voussoir" "$built"/libvoussoir.so.*.*.* | grep -oE 'GLIBC_2\.[0-9]+' | sort -uV | tail -n 1)
    (cd "$tree/python" && CC=${WHEEL_CC:-cc} LDSHARED="${WHEEL_CC:-cc} -shared" VOUSSOIR_BUILD=$built VOUSSOIR_PREFIX=$built/prefix \
        CFLAGS="-g0 -ffile-prefix-map=$tree=/voussoir -ffile-prefix-map=$built=/build" LDFLAGS=-s \
        "$python" setup.py --quiet bdist_wheel --plat-name "manylinux_${oldest/GLIBC_2./2_}_x86_64" --dist-dir "$folder") \
        >"$built/wheel.log" 2>&1 || { tail -n 30 "$built/wheel.log"; return 1; }
}

make_wheel() {
    need_viewer wheel
    make_wheel_of "$1" wheel
}

make_wheel-small() {
    make_wheel_of "$1" wheel-small -DVOUSSOIR_HDF5=OFF -DVOUSSOIR_XML=OFF -DVOUSSOIR_SUITESPARSE=OFF
}

make_debian() {
    need_viewer debian
    tools/make_packages.sh "$1/debian" >"$1/debian.log" 2>&1 || { tail -n 30 "$1/debian.log"; return 1; }
    mv "$1"/debian/*.deb "$1/"
}

make_sbom() {
    "$python" tools/make_sbom.py "$1" "$1/voussoir-$version.cdx.json"
}

# everything FOLDER: the parts, and their checksums in FOLDER/SHA256SUMS
everything() {
    for part in $parts; do
        say "$part"
        "make_$part" "$1"
    done
    (cd "$1" && find . -maxdepth 1 -type f \( -name 'voussoir*.tar.xz' -o -name '*.whl' -o -name '*.deb' -o -name '*.cdx.json' \) \
        -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
}

first=$(mktemp -d) second=$(mktemp -d)
trap 'rm -rf "$first" "$second"' EXIT
everything "$first"
if [[ -n $twice ]]; then
    say "a second time"
    everything "$second"
    diff "$first/SHA256SUMS" "$second/SHA256SUMS" || fail "the second build has other bytes"
    say "built twice: the same bytes"
fi
cut -d' ' -f3 "$first/SHA256SUMS" | (cd "$first" && xargs cp -t "$out")
cp "$first/SHA256SUMS" "$out/"
(cd "$out" && ls -l $(cut -d' ' -f3 SHA256SUMS) | awk '{ printf "%9d  %s\n", $5, $9 }' && cat SHA256SUMS)
