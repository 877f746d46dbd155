#!/bin/bash
# Makes the files of a release, reproducibly: the same commit with the same compiler gives the same bytes in any folder.
#
#   tools/release.sh OUT --sources ~/archives            static command for Linux on x86-64, with checksums
#   tools/release.sh OUT --sources ~/archives --twice    builds it a second time elsewhere and compares
#
# Needs musl-tools and the archives of tools/fetch_engines.sh. The viewer is taken along if viewer/dist was built.
set -euo pipefail
cd "$(dirname "$0")/.."
usage='usage: tools/release.sh OUT --sources FOLDER [--twice]'
out=${1:?$usage}
shift
sources='' twice=''
while [[ $# -gt 0 ]]; do
    case $1 in
    --sources) sources=$(realpath "${2:?$usage}") && shift 2 ;;
    --twice) twice=yes && shift ;;
    *) echo "$usage" >&2 && exit 1 ;;
    esac
done
[[ -n $sources ]] || { echo "$usage" >&2; exit 1; }
mkdir -p "$out"
out=$(realpath "$out")
root=$PWD
version=$(sed -nE 's/^project\(voussoir VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
name=voussoir-$version-linux-x86_64
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C

# Licences of what is linked into the command.
copy_licences() {
    local build=$1 to=$2
    mkdir -p "$to"
    local suitesparse=$build/_deps/bundled_suitesparse-src
    for part in LDL KLU AMD BTF COLAMD; do
        cp "$suitesparse/$part/Doc/License.txt" "$to/$part.txt" 2>/dev/null || cp "$suitesparse/$part/README.txt" "$to/$part.txt"
    done
    cp "$build/_deps/bundled_qhull-src/COPYING.txt" "$to/qhull.txt"
    cp "$build/_deps/bundled_jansson-src/LICENSE" "$to/jansson.txt"
    cp "$build/_deps/hdf5/src/bundled_hdf5_build/COPYING" "$to/HDF5.txt"
    cp "$build/_deps/xml/src/bundled_xml_build/Copyright" "$to/libxml2.txt"
    cp /usr/share/doc/musl/copyright "$to/musl.txt"
}

# static_command FOLDER: builds in that folder, leaves FOLDER/NAME.tar.xz
static_command() {
    local folder=$1
    local flags="-ffile-prefix-map=$root=/voussoir -ffile-prefix-map=$folder/build=/build"
    cmake -S "$root" -B "$folder/build" -G Ninja --toolchain "$root/cmake/toolchain/musl.cmake" \
        -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS=$flags" -DBUILD_SHARED_LIBS=OFF -DVOUSSOIR_TESTS=OFF -DCMAKE_SKIP_RPATH=ON \
        -DVOUSSOIR_BUNDLED=ON "-DVOUSSOIR_SOURCES=$sources" >"$folder/configure.log"
    cmake --build "$folder/build" >"$folder/build.log" || { tail -n 40 "$folder/build.log"; return 1; }
    cmake --install "$folder/build" --prefix "$folder/$name" --strip >"$folder/install.log"
    rm -rf "${folder:?}/$name/lib" "$folder/$name/include"
    copy_licences "$folder/build" "$folder/$name/share/doc/voussoir/licences"
    tar -C "$folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        -cf - "$name" | xz -T1 -9 >"$folder/$name.tar.xz"
}

first=$(mktemp -d) second=$(mktemp -d)
trap 'rm -rf "$first" "$second"' EXIT
static_command "$first"
if [[ -n $twice ]]; then
    static_command "$second"
    cmp "$first/$name.tar.xz" "$second/$name.tar.xz"
    echo "built twice: the same bytes"
fi
mv "$first/$name.tar.xz" "$out/"
(cd "$out" && sha256sum ./*.tar.xz | sed 's# \./# #' | tee SHA256SUMS)
