#!/bin/bash
# Makes the Debian packages: libvoussoir0.2, libvoussoir-dev, voussoir, python3-voussoir.
# usage: tools/make_packages.sh OUT [BUILD]     OUT: folder for the .deb files
#        BUILD: a finished CMake build of this tree; its install prefix becomes /usr. Without it everything is compiled
# Packages: build-essential debhelper dh-python and those of debian/control; lintian, if it is there, must find no error.
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?usage: tools/make_packages.sh OUT [BUILD]}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "make_packages: $*"; }
fail() { say "$*" >&2; exit 1; }

version=$(sed -nE 's/^project\(voussoir VERSION ([0-9.]+).*/\1/p' "$source_dir/CMakeLists.txt")
# The version stands in four places; one that was forgotten is named.
says() {
    [[ $2 == "$version" ]] || fail "$1 says '$2', CMakeLists.txt $version"
}
says debian/changelog "$(sed -nE '1s/^voussoir \(([^)]*)\).*/\1/p' "$source_dir/debian/changelog")"
says CITATION.cff "$(sed -nE 's/^version: (.*)/\1/p' "$source_dir/CITATION.cff")"
says CHANGELOG.md "$(sed -nE 's/^## ([0-9.]+) - .*/\1/p' "$source_dir/CHANGELOG.md" | head -n 1)"

# A copy, so that nothing is left in the tree: what belongs to the repository, and the built viewer if there is one.
mkdir "$work/voussoir"
git -C "$source_dir" ls-files -z --cached --others --exclude-standard | (cd "$source_dir" && xargs -0 tar -cf -) |
    tar -C "$work/voussoir" -xf -
if [[ -d $source_dir/viewer/dist ]]; then
    cp -r "$source_dir/viewer/dist" "$work/voussoir/viewer/"
fi
if [[ $# -gt 1 ]]; then
    VOUSSOIR_BUILD=$(cd "$2" && pwd)
    export VOUSSOIR_BUILD
fi
# What an installed viewer consists of belongs to the command's package.
if [[ -d $source_dir/viewer/dist ]]; then
    echo usr/share/voussoir >>"$work/voussoir/debian/voussoir.install"
fi

(cd "$work/voussoir" && dpkg-buildpackage --build=binary --unsigned-changes --no-check-builddeps) >"$out/build.log" 2>&1 ||
    { tail -n 60 "$out/build.log"; fail "the build failed, see $out/build.log"; }
rm -f "$out"/*.deb
cp "$work"/*.deb "$out"
if command -v lintian >/dev/null; then
    lintian --fail-on error --tag-display-limit 0 "$work"/*.deb >"$out/lintian.log" 2>&1 ||
        { cat "$out/lintian.log"; fail "lintian found errors"; }
    say "lintian: no errors, $(grep -c '^W:' "$out/lintian.log" || true) warnings"
fi
for package in "$out"/*.deb; do
    say "$(basename "$package"): $(du -k "$package" | cut -f1) kB; needs $(dpkg-deb -f "$package" Depends)"
done
