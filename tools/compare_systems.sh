#!/bin/bash
# Compares the bits of named scenes on several systems: builds state_hash (viewer/live) for each without BLAS, runs it here, in Node,
# in wine and in qemu, and prints a table of the hashes (docs/platforms.md). Fails where a hash is not the recorded one.
#
#   tools/compare_systems.sh [--steps 60,240] [--scenes 'arch box'] [--record] [SYSTEM…]
#
# SYSTEM: glibc, musl, wasm, wine, qemu-aarch64; all of them without a name. The archives of the linear solvers come from
# build/engines (tools/fetch_engines.sh). --record: the hashes of the first system become those of tests/system/state_hashes.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
recorded=tests/system/state_hashes.txt
steps=60,240
scenes=()
record=false
systems=()
while [[ $# -gt 0 ]]; do
    case $1 in
    --steps) steps=$2 && shift ;;
    --scenes) read -ra scenes <<<"$2" && shift ;;
    --record) record=true ;;
    glibc | musl | wasm | wine | qemu-aarch64) systems+=("$1") ;;
    *) sed -n '2,9p' "$0" >&2 && exit 1 ;;
    esac
    shift
done
[[ ${#systems[@]} -gt 0 ]] || systems=(glibc musl wasm wine qemu-aarch64)
[[ -d build/engines ]] || tools/fetch_engines.sh build/engines
export VOUSSOIR_SOURCES=$PWD/build/engines NODE_PATH=/usr/share/nodejs WINEDEBUG=-all

# hashes SYSTEM: builds the program and prints its table; the log is build/systems/SYSTEM.log
hashes() {
    local preset=$1 run=() ending='' folder=build/systems/$1
    case $1 in
    glibc) preset=bundled ;;
    wasm) run=(node --no-experimental-fetch) ending=.js ;;
    wine) preset=mingw run=("$(command -v wine64 || command -v wine)") ending=.exe ;;
    qemu-aarch64) preset=aarch64 run=(qemu-aarch64) ;;
    esac
    {
        cmake --preset "$preset" -B "$folder" -DVOUSSOIR_HDF5=OFF -DVOUSSOIR_XML=OFF -DVOUSSOIR_APP=OFF &&
            cmake --build "$folder" --target state_hash
    } >"$folder.log" 2>&1 || { tail -n 40 "$folder.log" >&2 && return 1; }
    "${run[@]}" "$folder/live/state_hash$ending" "$steps" "${scenes[@]+"${scenes[@]}"}" | tr -d '\r'
}

# wanted: what was recorded for these steps and scenes
wanted() {
    awk -v steps="$steps" -v scenes="${scenes[*]+"${scenes[*]}"}" '
        BEGIN { count = split(steps, wanted, ","); for (k = split(scenes, list, " "); k > 0; k--) listed[list[k]] }
        /^scene / { for (k = 2; k <= NF; k++) column[$k] = k; next }
        scenes == "" || $1 in listed { printf "%-24s", $1; for (k = 1; k <= count; k++) printf " %s", $column[wanted[k]]; print "" }
    ' "$recorded"
}

mkdir -p build/systems
for system in "${systems[@]}"; do
    begin=$SECONDS
    hashes "$system" >"build/systems/$system.hashes"
    echo "$system: $(wc -l <"build/systems/$system.hashes") scenes, $((SECONDS - begin)) s" >&2
done
if $record; then
    { printf '%-24s' scene && printf ' %-16s' ${steps//,/ } | sed 's/ *$//' && echo; cat "build/systems/${systems[0]}.hashes"; } >"$recorded"
fi

# The table: hashes as recorded, and for each system whether it has them.
wanted >build/systems/recorded.hashes
{
    printf '| scene |' && printf ' after %s steps |' ${steps//,/ } && printf ' %s |' "${systems[@]}" && echo
    printf '|---|' && printf -- '---|%.0s' ${steps//,/ } "${systems[@]}" && echo
} >build/systems/table.md
failed=0
if ! diff <(awk '{ print $1 }' build/systems/recorded.hashes) <(awk '{ print $1 }' "build/systems/${systems[0]}.hashes") >&2; then
    echo "the scenes are not those of $recorded; record them with --record" >&2
    failed=1
fi
while read -r scene hash; do
    row="| $scene | ${hash// / | } |"
    for system in "${systems[@]}"; do
        found=$(awk -v scene="$scene" '$1 == scene { $1 = ""; print substr($0, 2) }' "build/systems/$system.hashes")
        if [[ $found == "$hash" ]]; then row+=" same |"; else row+=" **$found** |" && failed=$((failed + 1)); fi
    done
    echo "$row"
done <build/systems/recorded.hashes >>build/systems/table.md
cat build/systems/table.md
echo "$failed different" >&2
exit $((failed > 0))
