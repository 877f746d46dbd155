#!/bin/bash
# Renders the pictures of the page of named scenes: docs/figures/scenes/NAME.webp, each as the scene is after some time of its run.
# usage: docs/site/make_gallery.sh COMMAND [SCENE…]     COMMAND: voussoir with its viewer; needs Chromium and ffmpeg
set -euo pipefail
command=$(realpath "${1:?"usage: docs/site/make_gallery.sh COMMAND [SCENE…]"}")
shift
cd "$(dirname "$0")/../figures"
mkdir -p scenes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Seconds of the run, and how it is drawn.
declare -A seconds=([domino]=1.2 [newton-cradle]=0.4 [kapla-tower]=0.1 [hopper]=0.6 [rotating-drum]=0.6 [chute]=0.6 [balls-in-box]=0.6 [sphere-pile]=0.3
    [rolling-ring]=0.3 [folded-strip]=0.4 [gripper]=0.6 [soft-gripper]=0.5 [rope-on-drum]=0.1 [elastic-foundation]=0.2 [chain]=0.6 [bridge]=0.6 [ball]=0.02 [box]=0.02 [dome]=0.02 [brick-tower]=0.02 [barrel-vault]=0.05 [filled-bridge]=0.03 [groin-vault]=0.03)
declare -A look=([domino]='--zoom 1.7' [arch]='--chains --opacity 0.35' [brick-wall]='--chains --opacity 0.35' [stone-bridge]='--chains --opacity 0.35' [pointed-arch]='--chains --opacity 0.35'
    [flat-arch]='--chains --opacity 0.35' [colonnade]='--chains --opacity 0.35' [window-wall]='--chains --opacity 0.35' [barrel-vault]='--chains --opacity 0.35' [filled-bridge]='--chains --opacity 0.35' [rib-vault]='--chains --opacity 0.35'
    [rotating-drum]='--colour speed' [hopper]='--colour speed' [chute]='--colour speed' [three-point-bending]='--colour stress'
    [soft-gripper]='--colour stress' [rolling-ring]='--colour stress' [elastic-foundation]='--colour stress' [folded-strip]='--colour stress')
if [[ $# -eq 0 ]]; then
    mapfile -t names < <("$command" scenes --json | sed -nE 's/^ *"name": "([a-z-]+)".*/\1/p')
    set -- "${names[@]}"
fi
for name in "$@"; do
    "$command" run "$name" --duration "${seconds[$name]:-0.3}" -o "$work/$name.h5" --quiet >/dev/null
    # shellcheck disable=SC2086
    "$command" render "$work/$name.h5" ${look[$name]:-} --size 720x480 -o "$work/$name.png" >/dev/null
    ffmpeg -loglevel error -y -i "$work/$name.png" -vf scale=480:-1 -quality 80 "scenes/$name.webp"
    echo "$name: $(stat -c %s "scenes/$name.webp") bytes"
done
