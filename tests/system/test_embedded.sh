#!/bin/bash
# The viewer inside of the command (-DVOUSSOIR_EMBED_VIEWER=ON): a copy of the command without anything beside it has every page of
# viewer/dist, byte by byte, and leaves none of them behind.
# usage: tests/system/test_embedded.sh [COMMAND DIST]
#
# Without arguments it builds such a command in build/embedded; viewer/dist must have been built (npm ci && npm run build in viewer/).
set -uo pipefail
source "$(dirname "$0")/checks.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
command=${1:-$root/build/embedded/app/voussoir} dist=${2:-$root/viewer/dist}
if [[ $# -eq 0 ]]; then
    { cmake -S "$root" -B "$root/build/embedded" -G Ninja -DVOUSSOIR_EMBED_VIEWER=ON -DVOUSSOIR_TESTS=OFF -DVOUSSOIR_MPI=OFF &&
        cmake --build "$root/build/embedded" --target voussoir_command; } >"$work/log" 2>&1 || { tail -n 30 "$work/log" && exit 1; }
fi

# Alone in a folder: no viewer is installed beside it, none is in a build tree.
mkdir -p "$work/alone/bin" "$work/scratch"
cp "$command" "$work/alone/bin/voussoir"
command=$work/alone/bin/voussoir
unset VOUSSOIR_VIEWER
export TMPDIR=$work/scratch
cd "$work" || exit 1
"$command" doctor | grep -q 'viewer: yes' && ok || bad "doctor does not see the viewer"
"$command" run arch --duration 0.05 --quiet -o run.h5 >/dev/null || bad "no run"

# One page: the built page with the trajectory in the place for it.
"$command" view run.h5 --standalone page.html >/dev/null || bad "no page"
"$python" - page.html "$dist/standalone.html" <<'END' && ok || bad "the page is not that of viewer/dist"
import re, sys
page, built = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
page, count = re.subn(r'<script type="text/plain" id="trajectory" data-name="run\.h5">[^<]*</script>', "<!--TRAJECTORY-->", page)
sys.exit(count != 1 or page != built)
END
[[ -z $(ls -A scratch) ]] && ok || bad "left behind after a page: $(ls -A scratch)"

# The server: every file.
env --default-signal=INT "$command" view run.h5 --no-open >out 2>err & # a shell ignores Ctrl-C for its background jobs
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 300); do
    grep -qs 'Ctrl-C' out && break
    sleep 0.1
done
address=$(sed -nE 's|.*(http://127\.0\.0\.1:[0-9]+/[0-9a-f]+)/.*|\1|p' out)
[[ -n $address ]] && ok || bad "no address was said: $(cat out err)"
while IFS= read -r file; do
    curl -s "$address/$file" | cmp -s - "$dist/$file" && ok || bad "$file is served with other bytes"
done < <(cd "$dist" && find index.html standalone.html licenses.txt assets -type f)
kill -INT "$server" 2>/dev/null
wait "$server"
[[ -z $(ls -A scratch) ]] && ok || bad "left behind by the server: $(ls -A scratch)"

# A folder that is asked for is not replaced by the pages inside.
"$command" view run.h5 --viewer "$work/none" --no-open >/dev/null 2>err
[[ $? -eq 2 ]] && grep -q 'viewer not found in' err && ok || bad "a missing --viewer is not reported: $(cat err)"

echo "$checks checks, $failures failed"
exit $((failures > 0))
