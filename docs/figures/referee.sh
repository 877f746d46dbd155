#!/bin/bash
# Renders the films of public scenes in docs/referee.md: docs/figures/referee-NAME.webp, each the first seconds of a scene of Rigid IPC.
# usage: docs/figures/referee.sh COMMAND VIEWER ARCHIVE [NAME...]
# VIEWER: the built viewer; ARCHIVE: as in bench/public_scenes.py; needs Chromium and ffmpeg. NAME: only these.
set -euo pipefail
usage="usage: docs/figures/referee.sh COMMAND VIEWER ARCHIVE [NAME...]"
command=$(realpath "${1:?"$usage"}") viewer=$(realpath "${2:?"$usage"}") archive=$(realpath "${3:?"$usage"}")
shift 3
only=" $* "
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rate=12 # pictures per second
# name, scene, simulated time, speed, and what render is told besides
while read -r name scene duration speed view; do
    [[ $only == "  " || $only == *" $name "* ]] || continue
    "$command" import "$archive/fixtures/3D/$scene.json" --meshes "$archive/meshes" --thickness 0.01 -o "$work/$name.json" >/dev/null
    every=$(awk "BEGIN { print $speed / $rate }")
    "$command" run "$work/$name.json" --duration "$duration" --frame "$every" -o "$work/$name.h5" --quiet >/dev/null || [[ $? == 3 ]] # 3: inaccurate steps
    read -ra views <<<"$view"
    "$command" render "$work/$name.h5" --viewer "$viewer" --frames --rate $rate --speed "$speed" --size 240x180 "${views[@]}" -o "$work/$name"
    ffmpeg -loglevel error -nostdin -y -framerate $rate -i "$work/$name/frame-%06d.png" -c:v libwebp_anim -quality 40 -loop 0 "referee-$name.webp"
done <<'SCENES'
cards friction/card-house/card-house-3-levels-falling-blocks 2.4 0.7 --from 0.8 --zoom 2
turntable friction/turntable/turntable-mu=0.5 10 3 --elevation 35
coin friction/spolling-coin 1.25 0.4 --zoom 1.8
oloid friction/rolling/oloid 2 0.7 --zoom 1.8
cone friction/rolling/cone 5 1.5 --zoom 1.2
dzhanibekov unit-tests/rotation/dzhanibekov 10 3 --zoom 1.1
wedge unit-tests/erleben/spike-and-wedge 1.25 0.4 --zoom 1.1
cubes unit-tests/5-cubes 3 1 --zoom 1.5
links chain/10-links 1.5 0.5 --zoom 1.1
gears mechanisms/gears/single 1 0.3 --zoom 1.6
SCENES
