#!/bin/bash
# Puts the address and the checksums of a release's source archive into the recipes.
# usage: packaging/set_release.sh URL ARCHIVE      URL: where the archive is; ARCHIVE: the same file here
set -euo pipefail
cd "$(dirname "$0")"
url=${1:?"usage: packaging/set_release.sh URL ARCHIVE"}
archive=$(realpath "${2:?"usage: packaging/set_release.sh URL ARCHIVE"}")
version=$(sed -nE 's/^project\(voussoir VERSION ([0-9.]+).*/\1/p' ../CMakeLists.txt)
sha256=$(sha256sum "$archive" | cut -d' ' -f1)
sha512=$(sha512sum "$archive" | cut -d' ' -f1)

# replace FILE SED-EXPRESSION…: each expression must change something, or be in place already
replace() {
    local file=$1
    shift
    for expression in "$@"; do sed -i -E "$expression" "$file"; done
    grep -qF "${url##*/}" "$file" || grep -qE 'version' "$file" || { echo "$file: no address was set" >&2 && exit 1; }
}
replace conda/meta.yaml "s|url: .*|url: $url|" "s|sha256: .*|sha256: \"$sha256\"|" "s|(set version = )\".*\"|\1\"$version\"|"
replace homebrew/voussoir.rb "s|^  url \".*\"|  url \"$url\"|" "s|^  sha256 \".*\"|  sha256 \"$sha256\"|"
replace spack/packages/voussoir/package.py "s|^    url = \".*\"|    url = \"$url\"|" \
    "s|version\(\".*\", sha256=\".*\"\)|version(\"$version\", sha256=\"$sha256\")|"
replace vcpkg/voussoir/portfile.cmake "s|URLS \".*\"|URLS \"$url\"|" "s|SHA512 .*|SHA512 $sha512|"
replace vcpkg/voussoir/vcpkg.json "s|\"version\": \".*\"|\"version\": \"$version\"|"
replace nix/flake.nix "s|version = \".*\"|version = \"$version\"|"
replace cmake/CMakeLists.txt "s|URL https?://[^)]*\)|URL $url)|"
# The archive for Windows stands beside that of the source, if it is there.
windows=$(dirname "$archive")/voussoir-$version-windows-x86_64.zip
if [[ -f $windows ]]; then
    sum=$(sha256sum "$windows" | cut -d' ' -f1) address=${url%/*}/${windows##*/}
    replace windows/voussoir.json "s|\"url\": \".*\"|\"url\": \"$address\"|" "s|\"hash\": \".*\"|\"hash\": \"$sum\"|" \
        "s|\"version\": \".*\"|\"version\": \"$version\"|"
    replace windows/voussoir.yaml "s|InstallerUrl: .*|InstallerUrl: $address|" "s|InstallerSha256: .*|InstallerSha256: \"$sum\"|" \
        "s|PackageVersion: .*|PackageVersion: $version|"
fi
echo "version $version, $url, SHA-256 $sha256"
