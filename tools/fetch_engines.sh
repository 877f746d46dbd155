#!/bin/bash
# Downloads the source archives of the linear solvers and file formats for a build with -DVOUSSOIR_BUNDLED=ON, from
# Debian's mirror, with apt, as any user: the lists of packages are kept in the folder, the system's are not touched.
#
#   tools/fetch_engines.sh ~/engines
#   cmake -B build -DVOUSSOIR_BUNDLED=ON -DVOUSSOIR_SOURCES=$HOME/engines
#
# cmake/Bundled.cmake checks the SHA-256 of each archive. Without this folder CMake downloads the same archives itself.
set -euo pipefail
folder=${1:?"usage: tools/fetch_engines.sh FOLDER"}
suite=${2:-bookworm}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
packages=(suitesparse qhull jansson hdf5 libxml2 cmocka)

mkdir -p "$folder"
cd "$folder"
state=$PWD/.apt
mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/empty"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$state/sources.list"
apt=(apt-get -qq -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts="$state/empty"
    -o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache" -o APT::Sandbox::User=)
"${apt[@]}" update
"${apt[@]}" source --download-only --only-source "${packages[@]}"
rm -rf "$state" ./*.dsc ./*.debian.tar.* ./*.asc
sha256sum -- *.orig.tar.*
