#!/bin/bash
# voussoir export as a user meets it: XDMF and glTF by the extension, usage errors. The contents of the files are checked by
# tests/output; glTF's own validator runs in the viewer's tests.
# usage: tests/system/test_export.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
cd "$work" || exit 1
"$command" run arch --duration 0.05 -o arch.h5 --quiet >/dev/null || bad "no run"

# expect CODE PATTERN ARGUMENTS…: exit code, and one line on standard error that fits (none if empty)
expect() {
    local wanted=$1 pattern=$2
    shift 2
    "$command" export "$@" >out 2>err
    local code=$?
    if [[ $code -ne $wanted ]]; then
        bad "export $*: exit code $code instead of $wanted: $(head -c 300 err)"
    elif [[ -z $pattern && -s err ]] || { [[ -n $pattern ]] && ! { [[ $(wc -l <err) -eq 1 ]] && grep -Eq -- "$pattern" err; }; }; then
        bad "export $*: standard error is not one line like '$pattern': $(head -c 300 err)"
    else
        ok
    fi
}

"$command" export --help >out 2>err && grep -q '^examples' out && ok || bad "no help with examples"
expect 1 'give an input and an output file' arch.h5
expect 1 'give an input and an output file' arch.h5 a.glb -o b.glb
expect 1 'only binary glTF is supported' arch.h5 a.gltf
expect 1 '--every applies to glTF only' arch.h5 a.xdmf --every 2
expect 2 'nothing.h5: does not exist' nothing.h5 a.glb
expect 2 'nowhere/a.glb: cannot be created' arch.h5 nowhere/a.glb
expect 0 '' arch.h5 view.xdmf
[[ -s view.xdmf && -s view.h5 ]] && ok || bad "XDMF was not written"
expect 0 '' arch.h5 -o all.glb
expect 0 '' arch.h5 some.glb --every 4
[[ $(head -c 4 all.glb) == glTF && $(stat -c %s some.glb) -lt $(stat -c %s all.glb) ]] && ok || bad "glTF is not what it should be"

echo "$checks checks, $failures failed"
exit $((failures > 0))
