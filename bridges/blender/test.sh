#!/bin/bash
# Runs the add-on in Blender, without a window. Needs Debian's blender (79 MB to download, 464 MB installed) and python3-h5py.
#
#     bridges/blender/test.sh [COMMAND] [TEST…]       COMMAND: voussoir, by default that of build/dev
#
# Without TEST all of them, and a small film.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
VOUSSOIR=${1:-$here/../../build/dev/app/voussoir}
[[ -x $VOUSSOIR ]] || VOUSSOIR=$(command -v "$VOUSSOIR")
VOUSSOIR=$(realpath "$VOUSSOIR")
export VOUSSOIR
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# settings of its own: the add-on is installed there, as a user would install it
export BLENDER_USER_CONFIG=$scratch/config BLENDER_USER_SCRIPTS=$scratch/scripts
blender -b --factory-startup -P "$here/test_blender.py" -- "${@:2}"
[[ $# -gt 1 ]] && exit

"$VOUSSOIR" run domino --duration 0.1 --frame 0.02 -o "$scratch/run.h5" --quiet >/dev/null
for out in film.mp4 picture.png; do
    blender -b --factory-startup -P "$here/film.py" -- "$scratch/run.h5" "$scratch/$out" --chains --opacity 0.5 \
        --size 64x36 --samples 1 --command "$VOUSSOIR" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    [[ -s $scratch/$out ]] || { cat "$scratch/log" >&2; echo "$out was not written" >&2; exit 1; }
done
echo "film.mp4, picture.png: written"
