#!/bin/bash
# Installs the .deb files on a fresh Debian as a new user would, does what the tutorial says, and tells how long it took.
# usage: tools/try_packages.sh DEBS [--base ROOT] [--prefix]
#   DEBS         folder with the .deb files (tools/make_packages.sh)
#   --base ROOT  copy this fresh system (made by 'debootstrap --variant=minbase bookworm ROOT') instead of making one
#   --prefix     no system: unpack the packages into a folder of their own and use what this machine has. Needs no root
#                and no network, but does not see a dependency that is missing from the packages
# Without --prefix it must be run as root with debootstrap and a mirror ($MIRROR, default deb.debian.org).
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
debs= base= prefix=false
while [[ $# -gt 0 ]]; do
    case $1 in
    --base) base=$2; shift ;;
    --prefix) prefix=true ;;
    *) debs=$1 ;;
    esac
    shift
done
[[ -n $debs && -n $(ls "$debs"/*.deb 2>/dev/null) ]] || { echo "try_packages: no .deb in '$debs'" >&2; exit 1; }
work=$(mktemp -d)
root=$work/root
begin=$SECONDS

cleanup() {
    mountpoint -q "$root/proc" && umount "$root/proc"
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

say() { printf 'try_packages: %4d s  %s\n' $((SECONDS - begin)) "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }

# The commands of a first session, in an empty folder. The last one makes a picture.
write_session() {
    cat >"$1" <<'END'
set -euxo pipefail
export MPLBACKEND=Agg
voussoir
voussoir doctor
voussoir new myscene
voussoir run myscene.json --quiet
voussoir run arch --set stones=17 --duration 0.5 -o arch.h5 --capture "every 60 steps" --quiet
voussoir export arch.h5 view.xdmf
voussoir info arch-*.hdf5
voussoir solve arch-*.hdf5
python3 - <<'END_PYTHON'
import voussoir
result = voussoir.load_fclib(sorted(__import__("glob").glob("arch-*.hdf5"))[0]).solve(tolerance=1e-10)
print(result)
scene = voussoir.scene("arch", stones=17)
scene.run(duration=0.1)
scene.simulation.plot_contacts().figure.savefig("arch.png", dpi=100)
END_PYTHON
test "$(head -c 4 arch.png | tail -c 3)" = PNG
END
}

# as_user COMMAND…: in the fresh system, as somebody without rights
as_user() {
    chroot --userspec=user:user "$root" env -i HOME=/home/user PATH=/usr/bin:/bin LC_ALL=C.UTF-8 MPLBACKEND=Agg \
        bash -c 'cd "$HOME" && "$@"' bash "$@"
}

try_system() {
    local install part
    if [[ -n $base ]]; then
        cp -a "$base" "$root"
        say "copied $base"
    else
        debootstrap --variant=minbase bookworm "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$work/log" 2>&1 ||
            { tail -n 20 "$work/log"; fail "debootstrap failed; --prefix needs none"; }
        say "a fresh Debian 12 by debootstrap"
    fi
    # As the tutorial prints it, without its questions.
    install=$(sed -nE 's#^sudo apt-get install (\./.*)#apt-get install -y -qq \1#p' "$source_dir/docs/tutorial.md" | head -n 1)
    [[ -n $install ]] || fail "docs/tutorial.md does not tell how to install packages"
    begin=$SECONDS # from here on it is the new user's time
    mount -t proc proc "$root/proc" 2>/dev/null || say "no /proc in the fresh system"
    cp /etc/resolv.conf "$root/etc/"
    mkdir -p "$root/debs"
    cp "$debs"/*.deb "$root/debs"
    chroot "$root" useradd -m user
    {
        chroot "$root" apt-get update -qq
        chroot "$root" env DEBIAN_FRONTEND=noninteractive bash -c "cd /debs && $install"
    } >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "apt-get install failed"; }
    say "packages installed"
    write_session "$root/home/user/session.sh"
    as_user bash session.sh >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail "the first session"; }
    say "first session: a scene of one's own, an arch, a solve, a picture"
    cp "$root/home/user/arch.png" "$debs/first-session.png"
    # The page from the checkout, everything else from the packages.
    mkdir "$root/home/user/checkout"
    for part in tools docs include src examples bench CMakeLists.txt; do
        cp -r "$source_dir/$part" "$root/home/user/checkout"
    done
    chroot "$root" chown -R user:user /home/user
    as_user python3 checkout/tools/check_snippets.py --installed --keep made checkout/docs/tutorial.md >"$work/log" 2>&1 ||
        { tail -n 60 "$work/log"; fail "docs/tutorial.md"; }
    grep 'tutorial.md:' "$work/log"
    [[ -s $root/home/user/made/chain.png ]] || fail "the tutorial made no picture"
    cp "$root/home/user/made/chain.png" "$debs/tutorial.png"
    say "docs/tutorial.md, as printed"
}

try_prefix() {
    local deb multiarch
    mkdir -p "$root" "$work/home"
    for deb in "$debs"/*.deb; do
        dpkg-deb -x "$deb" "$root"
    done
    multiarch=$(dpkg --print-architecture >/dev/null && gcc -print-multiarch)
    export PATH=$root/usr/bin:$PATH LD_LIBRARY_PATH=$root/usr/lib/$multiarch PYTHONPATH=$root/usr/lib/python3/dist-packages
    write_session "$work/home/session.sh"
    # The system's Python, for which the package is made.
    sed -i 's#^python3 #/usr/bin/python3 #' "$work/home/session.sh"
    (cd "$work/home" && bash session.sh) >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail "the first session"; }
    [[ $(command -v voussoir) == "$root"/* ]] || fail "the command is not the packaged one"
    say "first session with the packages unpacked into a folder (no fresh system)"
    man -M "$root/usr/share/man" -w voussoir-solve >/dev/null || fail "no manual page"
}

if $prefix; then try_prefix; else try_system; fi
[[ $((SECONDS - begin)) -lt 600 ]] || fail "more than ten minutes"
say "passed"
