#!/bin/bash
# voussoir render as a user meets it: usage errors, and messages if no browser is installed. Pictures are checked by the
# viewer's tests (viewer/test/browser/render.test.ts), which have a browser and the built viewer.
# usage: tests/system/test_render.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
export TMPDIR=$work/tmp
mkdir "$TMPDIR" "$work/bin" "$work/viewer"
echo '<p>no viewer</p>' >"$work/viewer/index.html"
cd "$work" || exit 1
"$command" run arch --duration 0.05 -o arch.h5 --quiet >/dev/null || bad "no run"

path=$PATH # of the command
# run ARGUMENTS…: render
run() {
    PATH=$path "$command" render "$@" >"$work/out" 2>"$work/err"
    code=$?
}

"$command" render --help >out 2>err && grep -q '^examples' out && ok || bad "no help with examples"
expect 1 'give one trajectory'
expect 1 "'big' is not WIDTHxHEIGHT" arch.h5 --size big
expect 1 'use the extension .png, or --frames for a film' arch.h5 -o arch.webm
expect 1 'use the extension .webm or .mp4' arch.h5 --frames -o arch.png
expect 1 "--look: '1,2' is not X,Y,Z" arch.h5 --look 1,2
expect 1 "'speeed' is unknown; did you mean 'speed'. Choose one of: body" arch.h5 --colour speeed
expect 2 'nothing.h5: cannot read the file' nothing.h5
printf '#!/bin/sh\nexit 3\n' >bin/browser
chmod +x bin/browser
CHROMIUM=$work/bin/browser expect 2 'viewer not found in .*none' arch.h5 --viewer none

# With an empty PATH: missing programs are named. A program that is not a browser is reported.
path=$work/bin
expect 2 'Chromium not found on PATH; install it' arch.h5
expect 2 'Chromium not found on PATH; install it' arch.h5 --frames -o film
path=$PATH
CHROMIUM=$work/bin/browser expect 2 'did not start: the browser ended; check that it runs' arch.h5 --viewer viewer
[[ -z $(ls "$TMPDIR") ]] && ok || bad "temporary files are left: $(ls "$TMPDIR")"

echo "$checks checks, $failures failed"
exit $((failures > 0))
