#!/bin/bash
# Runs the macro in FreeCAD, without a window. Needs Debian's freecad-python3 (0.20, 118 MB to download, 600 MB installed).
#
#     bridges/freecad/test.sh [COMMAND] [TEST…]       COMMAND: voussoir, by default that of build/dev
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
VOUSSOIR=${1:-$HERE/../../build/dev/app/voussoir}
[[ -x $VOUSSOIR ]] || VOUSSOIR=$(command -v "$VOUSSOIR")
VOUSSOIR=$(realpath "$VOUSSOIR")
TESTS="${*:2}"
export HERE VOUSSOIR TESTS PYTHONDONTWRITEBYTECODE=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch freecadcmd "$HERE/test_freecad.py"
