#!/bin/bash
# The pictures and the film of docs/howto/tilt-test.md and collapse-load.md, drawn by the commands of these pages in a browser.
# usage: tests/system/test_pictures.sh COMMAND VIEWER, the folder of the built viewer
set -uo pipefail
source "$(dirname "$0")/checks.sh"
VOUSSOIR_VIEWER=$(cd "$2" && pwd) || exit 2
export VOUSSOIR_VIEWER
source "$(dirname "$0")/howto.sh"

# differ ONE TWO SHARE: the share of pixels in which two pictures differ is at least that much
differ() {
    if "$python" - "$@" <<'END'; then ok; else bad "$1 and $2 show the same"; fi
import sys
from matplotlib.image import imread
one, two = (imread(name)[..., :3] for name in sys.argv[1:3])
assert one.shape == two.shape
assert (abs(one - two).max(axis=2) > 0.05).mean() >= float(sys.argv[3])
END
}

# draws NAME COMMAND…: the command draws a picture of this name.
draws() {
    local name=$1
    shift
    "$@" >out 2>err && [[ $(head -c 4 "$name" | tail -c 3) == PNG ]] && ok || bad "$*: $(head -c 300 err)"
}

# The mechanism of the wall: the piers turn about their toes. The picture of the page, and the wall before it fell.
save tilt-test
bash -c "$(grep '^voussoir run .*fall.h5' tilt-test.sh)" >out 2>err && ok || bad "the run of tilt-test.md: $(head -c 300 err)"
picture=$(grep '^voussoir render fall.h5' "$pages/tilt-test.md")
draws fall.png bash -c "$picture"
draws before.png bash -c "${picture/--time 0.5/--time 0} -o before.png"
differ before.png fall.png 0.05 # the wall covers a third of the picture

# The arch as it falls, as a picture and as pictures of a film.
save collapse-load
bash -c "$(grep '^voussoir run .*collapse.h5' collapse-load.sh)" >out 2>err && ok || bad "the run of collapse-load.md: $(head -c 300 err)"
draws collapse.png voussoir render collapse.h5 --time 3.66 --size 320x240 -o collapse.png
draws film/frame-000003.png voussoir render collapse.h5 --frames --from 3.4 --rate 10 --size 320x240 -o film
differ film/frame-000001.png film/frame-000003.png 0.005

echo "$checks checks, $failures failed"
exit $((failures > 0))
