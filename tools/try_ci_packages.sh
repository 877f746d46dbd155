#!/bin/bash
# Runs .ci/run on a fresh Debian 12, where nothing is installed but what the script installs itself, and names the
# package that provides a missing command, header or Python module when it fails.
# usage: tools/try_ci_packages.sh [--base ROOT] [--data DIR] [--node DIR]
#   --base ROOT  copy this fresh system (made by 'debootstrap --variant=minbase bookworm ROOT') instead of making one
#   --data DIR   the public problems, seen by the checkout as ../shared/data; default: that folder of this checkout
#   --node DIR   an installation of Node 20.19 or newer with npm (DIR/bin/node, DIR/lib/node_modules/npm); default: the
#                one on the path. Debian 12 has Node 18. $NODE_EXTRA_CA_CERTS is honoured
# Must be run as root, with debootstrap and a mirror ($MIRROR, default deb.debian.org). Takes as long as .ci/run and
# 8 GB in $TMPDIR. Checks what is committed, not the working tree. Not part of .ci/run; run it when the list of packages
# or a tool that the checks use has changed.
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
base= data=$source_dir/../shared/data node=
while [[ $# -gt 0 ]]; do
    case $1 in
    --base) base=$2; shift ;;
    --data) data=$2; shift ;;
    --node) node=$2; shift ;;
    *) sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0"; exit 1 ;;
    esac
    shift
done
[[ $(id -u) -eq 0 ]] || { echo "try_ci_packages: must be run as root, for debootstrap and chroot" >&2; exit 1; }
node=${node:-$(dirname "$(dirname "$(readlink -f "$(command -v node || echo /nothing/bin/node)")")")}
[[ -x $node/bin/node ]] || { echo "try_ci_packages: no Node on the path; name an installation with --node" >&2; exit 1; }

work=$(mktemp -d)
root=$work/root
mounts=()
cleanup() {
    local k
    for ((k = ${#mounts[@]} - 1; k >= 0; k--)); do umount -R -l "${mounts[k]}" || return; done
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

# attach SOURCE TARGET: a folder of this machine inside the fresh system, with all that is mounted below it
attach() {
    mkdir -p "$root$2"
    mount --rbind "$1" "$root$2"
    mount --make-rslave "$root$2"
    mounts+=("$root$2")
}

if [[ -n $base ]]; then
    cp -a "$base" "$root"
else
    debootstrap --variant=minbase bookworm "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$work/log" 2>&1 ||
        { tail -n 20 "$work/log" >&2; echo "try_ci_packages: debootstrap failed" >&2; exit 1; }
fi
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc"
mounts+=("$root/proc")
attach /sys /sys
attach /dev /dev
# Node alone: its folder may be /usr, which would bring this machine's commands along.
mkdir -p "$root/opt/node/bin" "$root/opt/node/lib/node_modules"
cp "$node/bin/node" "$root/opt/node/bin"
cp -r "$node/lib/node_modules/npm" "$root/opt/node/lib/node_modules"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/opt/node/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/opt/node/bin/npx"
certificates=()
if [[ -n ${NODE_EXTRA_CA_CERTS:-} ]]; then
    cp "$NODE_EXTRA_CA_CERTS" "$root/opt/node/certificates.crt"
    certificates=(NODE_EXTRA_CA_CERTS=/opt/node/certificates.crt)
fi
if [[ -d $data ]]; then attach "$data" /checkout/shared/data; fi
git clone -q "$source_dir" "$root/checkout/voussoir"

code=0
chroot "$root" env -i HOME=/root PATH=/opt/node/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 CI=true \
    "${certificates[@]}" \
    bash -c 'cd /checkout/voussoir && bash .ci/run' </dev/null 2>&1 | tee "$work/ci.log" || code=$?
if [[ $code -eq 0 ]]; then
    echo "try_ci_packages: .ci/run passed on a fresh Debian with its own list of packages"
    exit 0
fi

# Names that something did not find: commands, headers, Python modules, libraries.
missing=$(sed -nE \
    -e 's/.*: ([A-Za-z0-9_+.-]+): (command )?not found.*/bin\/\1$/p' \
    -e "s/.*No module named '?([A-Za-z0-9_]+).*/dist-packages\/\1(\/__init__)?\\\\.(py|pyi)$/p" \
    -e 's/.*[Ll]ibrary stubs not installed for "?([A-Za-z0-9_]+).*/stubs\/(types-)?\1/p' \
    -e 's/.*fatal error: ([^:]+): No such file.*/include\/(.*\/)?\1$/p' \
    -e 's/.*cannot find -l([A-Za-z0-9_+-]+).*/lib\1\\.so$/p' "$work/ci.log" | sort -u)
echo "try_ci_packages: .ci/run failed (exit code $code)"
if [[ -n $missing ]]; then
    chroot "$root" bash -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq apt-file && apt-file update' >"$work/log" 2>&1 ||
        tail -n 5 "$work/log"
    while read -r pattern; do
        echo "missing: $pattern; packages that have it:"
        chroot "$root" apt-file search -l --regexp "$pattern" 2>/dev/null | head -n 5 | sed 's/^/    /'
    done <<<"$missing"
fi
exit 1
