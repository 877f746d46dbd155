#!/bin/bash
# Renders the films of docs/machines.md: docs/figures/machine-NAME.webp, each of a scene of examples/machines.
# usage: docs/figures/machines.sh COMMAND VIEWER [NAME...]
# VIEWER: the built viewer; needs Chromium and ffmpeg. NAME: only these.
set -euo pipefail
usage="usage: docs/figures/machines.sh COMMAND VIEWER [NAME...]"
command=$(realpath "${1:?"$usage"}") viewer=$(realpath "${2:?"$usage"}")
shift 2
only=" $* "
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rate=12 # pictures per second
# scene, simulated time, speed, and what render is told besides
while read -r scene duration speed view; do
    [[ $only == "  " || $only == *" $scene "* ]] || continue
    every=$(awk "BEGIN { print $speed / $rate }")
    "$command" run "../../examples/machines/$scene.json" --duration "$duration" --frame "$every" -o "$work/$scene.h5" --quiet >/dev/null
    read -ra views <<<"$view"
    "$command" render "$work/$scene.h5" --viewer "$viewer" --frames --rate $rate --speed "$speed" --size 240x180 "${views[@]}" -o "$work/$scene"
    ffmpeg -loglevel error -nostdin -y -framerate $rate -i "$work/$scene/frame-%06d.png" -c:v libwebp_anim -quality 40 -loop 0 "machine-$scene.webp"
done <<'SCENES'
geneva-wheel 4.2 1.4 --elevation 70 --look 0.06,0,0 --zoom 1.6
cam 3 1 --zoom 1.2
scissor-lift 4.8 1.6 --zoom 0.75
escapement 3 1 --zoom 1.2
cycloidal-gear 0.63 0.2 --elevation 75 --zoom 1.3
SCENES
