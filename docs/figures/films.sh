#!/bin/sh
# The films of a spinning top and of a wall in mortar: films.sh VOUSSOIR VIEWER FOLDER
#
# VOUSSOIR: the command; VIEWER: the built viewer; FOLDER: for trajectories and pictures. Writes figures/*.webp. Needs the Python
# package, Chromium and ffmpeg.
set -eu
voussoir=$1 viewer=$2 folder=$3
here=$(dirname "$0")
mkdir -p "$folder"

# film NAME QUALITY RATE OPTIONS …: a trajectory of the folder as figures/NAME.webp, RATE pictures per second
film() {
    name=$1 quality=$2 rate=$3
    shift 3
    "$voussoir" render "$folder/$name.h5" --viewer "$viewer" --frames --rate "$rate" "$@" -o "$folder/$name"
    ffmpeg -v error -y -framerate "$rate" -i "$folder/$name/frame-%06d.png" -c:v libwebp_anim -quality "$quality" -loop 0 "$here/$name.webp"
}

python3 "$here/spinning_top.py" "$folder/spinning-top.png" "$folder/spinning-top.h5"
film spinning-top 60 20 --from 7.4 --to 13.3 --size 480x320 --colour spin --azimuth -60 --elevation 22 --look 0,0,0.014

python3 "$here/cemented_wall.py" --film "$folder/cemented-wall.h5"
film cemented-wall 40 12 --speed 0.16 --size 480x260 --bonds --opacity 0.5 --azimuth -90 --elevation 8 --zoom 1.1
