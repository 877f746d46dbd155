#!/bin/bash
# Renders the pictures of public models in docs/robots.md: docs/figures/robot-NAME.webp, each after 0.1 s of its run.
# usage: docs/figures/robots.sh COMMAND FOLDER     COMMAND: voussoir with its viewer; FOLDER: of MuJoCo Menagerie; needs Chromium and ffmpeg
set -euo pipefail
command=$(realpath "${1:?"usage: docs/figures/robots.sh COMMAND FOLDER"}")
models=$(realpath "${2:?"usage: docs/figures/robots.sh COMMAND FOLDER"}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# model, file and keyframe (-: the position of the file)
while read -r name scene keyframe; do
    start=()
    [[ $keyframe == - ]] || start=(--keyframe "$keyframe")
    "$command" run "$models/$name/$scene" "${start[@]}" --duration 0.1 -o "$work/$name.h5" --quiet >/dev/null 2>&1
    "$command" render "$work/$name.h5" --size 720x480 -o "$work/$name.png" >/dev/null
    ffmpeg -loglevel error -nostdin -y -i "$work/$name.png" -vf scale=480:-1 -quality 80 "robot-${name//_/-}.webp"
done <<'MODELS'
unitree_g1 scene.xml stand
anybotics_anymal_c scene.xml -
agility_cassie scene.xml home
shadow_hand scene_right.xml -
franka_emika_panda scene.xml home
stanford_tidybot scene.xml home
MODELS
