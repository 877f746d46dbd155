#!/bin/bash
# Uses the files of a release on a fresh Debian without build tools and without a network, and tells how long it took.
# usage: tools/try_release.sh OUT [--base ROOT]
#   OUT          folder of tools/release.sh
#   --base ROOT  copy this fresh system (made by 'debootstrap --variant=minbase bookworm ROOT') instead of making one
# Must be run as root, with debootstrap and a mirror for the system itself. Not in CI: it takes minutes and downloads 150 MB.
#
#   1  static binary: the arch from a simulation to a self-contained page; versions of what is inside
#   2  wheel: into an environment with numpy and cffi, Debian's; the README's Python example; the command and its viewer
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?usage: tools/try_release.sh OUT [--base ROOT]} base=''
if [[ ${2:-} == --base ]]; then base=${3:?--base ROOT}; fi
out=$(realpath "$out")
mirror=${MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
root=$work/root
begin=$SECONDS

cleanup() {
    if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT
say() { printf 'try_release: %4d s  %s\n' $((SECONDS - begin)) "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }

(cd "$out" && sha256sum --check --quiet SHA256SUMS) || fail "checksums"
say "checksums of $(wc -l <"$out/SHA256SUMS") files are right"

if [[ -n $base ]]; then
    cp -a "$base" "$root"
else
    debootstrap --variant=minbase bookworm "$root" "$mirror" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; fail "debootstrap"; }
fi
say "a fresh system: $(chroot "$root" dpkg-query -f '.' -W | wc -c) packages"

# offline COMMAND…: in the fresh system, in an empty environment, with no network but the loopback device
offline() {
    unshare --net --mount --pid --fork bash -c 'ip link set lo up; exec chroot "$@"' offline "$root" \
        /usr/bin/env -i HOME=/root PATH=/usr/bin:/bin TERM=dumb bash -c 'mount -t proc proc /proc; cd /root; "$@"' offline "$@"
}
for tool in cc gcc make cmake python3 curl; do
    if [[ -z $base ]] && chroot "$root" which "$tool" >/dev/null 2>&1; then fail "the fresh system has $tool"; fi
done
if offline bash -c 'exec 3<>/dev/tcp/1.1.1.1/80' 2>/dev/null; then fail "there is a network"; fi

# ---- 1: the static binary ------------------------------------------------------------------------------

archive=$(ls "$out"/voussoir-*-linux-x86_64.tar.xz)
cp "$archive" "$root/root/"
# minbase has no xz: unpacked here, as a user would on the machine that downloads
tar -C "$root/root" -xf "$archive"
name=$(basename "$archive" .tar.xz)
start=$(date +%s.%N)
offline "./$name/bin/voussoir" run arch --duration 2 -o arch.h5 >"$work/run.log" || { cat "$work/run.log"; fail "run"; }
offline "./$name/bin/voussoir" statics arch >"$work/statics.log" || { cat "$work/statics.log"; fail "statics"; }
offline "./$name/bin/voussoir" view arch.h5 --standalone arch.html >"$work/view.log" || { cat "$work/view.log"; fail "view"; }
took=$(awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $start }")
grep -q 'id="trajectory" data-name="arch.h5"' "$root/root/arch.html" || fail "the page holds no trajectory"
[[ -z $(ls -d "$root"/tmp/voussoir-* 2>/dev/null) ]] || fail "the command left files in /tmp"
say "static binary ($(du -k "$root/root/$name/bin/voussoir" | cut -f1) kB): arch, 2 s of it, and its page" \
    "($(du -k "$root/root/arch.html" | cut -f1) kB) in $took s"
cp "$root/root/arch.html" "$out/arch.html"
offline "./$name/bin/voussoir" doctor >"$work/doctor.log"
grep -q '^  compiled in: .*hdf5 [0-9].*libxml2 [0-9]' "$work/doctor.log" || { cat "$work/doctor.log"; fail "versions in doctor"; }
grep -q '^  viewer: yes' "$work/doctor.log" || fail "doctor does not know the viewer"
say "doctor: $(grep 'compiled in' "$work/doctor.log" | sed 's/^ *//')"
# served: the page and its script, by the address that the command prints
offline bash -c "set -m; ./$name/bin/voussoir view arch.h5 --no-open >address & for k in {1..100}; do grep -q http address && break; sleep 0.1; done
    url=\$(grep -oE 'http://[^ ]+' address | head -n 1); port=\${url#*127.0.0.1:}; path=/\${port#*/}; port=\${port%%/*}
    exec 3<>/dev/tcp/127.0.0.1/\$port && printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' \"\${path%%\\?*}\" \$port >&3
    cat <&3; kill %1; wait" >"$work/served.log" 2>&1 || true
grep -q '^HTTP/1.1 200' "$work/served.log" && grep -q '<title>' "$work/served.log" || { head "$work/served.log"; fail "view serves no page"; }
say "view serves the page that is inside"

# ---- 2: the wheel --------------------------------------------------------------------------------------

shopt -s nullglob
wheels=("$out"/*.whl)
if [[ ${#wheels[@]} -eq 0 ]]; then say "no wheels" && exit 0; fi
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq update
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends python3-venv python3-numpy \
    python3-cffi-backend >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; fail "apt-get"; }
say "python3-venv, python3-numpy, python3-cffi-backend from Debian"
for wheel in "${wheels[@]}"; do
    cp "$wheel" "$root/root/"
    file=$(basename "$wheel")
    cat >"$root/root/try.sh" <<END
set -euo pipefail
rm -rf env && python3 -m venv --system-site-packages env
env/bin/pip install --quiet --no-index --no-deps --disable-pip-version-check $file
cd /tmp
/root/env/bin/python -m voussoir --version
/root/env/bin/python - <<'PY'
import voussoir
print(voussoir.__file__, voussoir.__version__)
PY
END
    if [[ $file == voussoir-* ]]; then # as the README says
        cat >>"$root/root/try.sh" <<'END'
/root/env/bin/python -m voussoir run balls-in-box --duration 0.3 --capture "every 60 steps"
/root/env/bin/python - <<'PY'
import voussoir
result = voussoir.load_fclib("balls-in-box-000060.hdf5").solve(tolerance=1e-10)
print(result)
assert result.converged, result
PY
/root/env/bin/python -m voussoir run arch --duration 0.1 -o arch.h5
/root/env/bin/python -m voussoir view arch.h5 --standalone arch.html
END
    else
        cat >>"$root/root/try.sh" <<'END'
/root/env/bin/python -m voussoir run arch --duration 0.1
/root/env/bin/python - <<'PY'
import voussoir
print(voussoir.scene("arch").run(duration=0.1))
PY
END
    fi
    start=$(date +%s.%N)
    offline bash try.sh >"$work/wheel.log" 2>&1 || { cat "$work/wheel.log"; fail "$file"; }
    took=$(awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $start }")
    say "$file ($(du -k "$wheel" | cut -f1) kB): installed and used in $took s; $(grep -c . "$work/wheel.log") lines:"
    sed 's/^/    /' "$work/wheel.log" | cut -c1-150 | tail -n 12
    licences=$(unzip -l "$wheel" | grep -E 'dist-info/.*\.txt$' | grep -cv top_level || true)
    [[ $licences -ge 3 ]] || fail "$file holds $licences licences"
    say "$file: $licences licence files"
done
say "done"
