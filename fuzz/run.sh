#!/bin/bash
# Fuzzes every target for some seconds, keeps what it learned, and says how much it did.
# usage: fuzz/run.sh SECONDS [--corpus FOLDER] [--jobs N] [--build FOLDER] [TARGET...]
#
#   SECONDS          for each target
#   --corpus FOLDER  inputs found so far, one folder per target; used, extended and minimised. Default build/fuzz-corpus
#   --jobs N         targets at once, default 1
#   --build FOLDER   the build with the targets (cmake --preset fuzz), default build/fuzz
#   TARGET           problem, fclib, mesh, …; default: all that were built
#
# The seeds of the repository (fuzz/corpus) are always among the inputs. An input that fails is kept beside the corpus
# as FOLDER/crash-…; FOLDER/executions.tsv gets a line per target and run (date, target, executions, seconds), whose sum
# is printed.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 1
}

corpus=build/fuzz-corpus
build=build/fuzz
jobs=1
seconds=
targets=()
while [[ $# -gt 0 ]]; do
    case $1 in
    --corpus | --jobs | --build)
        [[ $# -ge 2 ]] || usage
        declare "${1#--}=$2"
        shift
        ;;
    -*) usage ;;
    *) if [[ -z $seconds ]]; then seconds=$1; else targets+=("$1"); fi ;;
    esac
    shift
done
[[ $seconds =~ ^[1-9][0-9]*$ && $jobs =~ ^[1-9][0-9]*$ ]] || usage
if [[ ${#targets[@]} -eq 0 ]]; then
    mapfile -t targets < <(find "$build/fuzz" -maxdepth 1 -type f -executable -name 'fuzz_*' | sed 's|.*/fuzz_||' | LC_ALL=C sort)
fi
[[ ${#targets[@]} -gt 0 ]] || { echo "no fuzz targets in $build; build them with 'cmake --preset fuzz && cmake --build --preset fuzz'" >&2; exit 1; }

# Sanitizers of this age do not start under the widest address randomization of newer kernels.
fixed_addresses=()
if setarch -R true 2>/dev/null; then fixed_addresses=(setarch -R); fi
limits=(-timeout=10 -rss_limit_mb=2048)
mkdir -p "$corpus"

# statistic NAME LOG: of libFuzzer's last lines
statistic() { sed -n "s/^stat::$1: *//p" "$2"; }

# fuzz_one TARGET: fuzzes, counts, and replaces the corpus by a smaller one with the same coverage.
fuzz_one() {
    local name=$1 program=$build/fuzz/fuzz_$1 kept=$corpus/$1 log=$corpus/$1.log done_units rate
    local seeds=()
    if [[ -d fuzz/corpus/$name ]]; then seeds=("fuzz/corpus/$name"); fi
    mkdir -p "$kept"
    "${fixed_addresses[@]}" "$program" -max_total_time="$seconds" "${limits[@]}" -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$corpus/" "$kept" "${seeds[@]}" >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
    done_units=$(statistic number_of_executed_units "$log")
    rate=$(statistic average_exec_per_sec "$log")
    printf '%s\t%s\t%s\t%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$name" "$done_units" "$seconds" >>"$corpus/executions.tsv"
    rm -rf "$kept.merged"
    mkdir "$kept.merged"
    "${fixed_addresses[@]}" "$program" -merge=1 "${limits[@]}" -verbosity=0 -artifact_prefix="$corpus/" "$kept.merged" "$kept" \
        >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
    rm -rf "$kept"
    mv "$kept.merged" "$kept"
    printf 'fuzz_%-8s %10d executions, %6d per second, %5d inputs kept\n' "$name" "$done_units" "$rate" \
        "$(find "$kept" -type f | wc -l)"
}

running=()
for target in "${targets[@]}"; do
    if [[ ${#running[@]} -eq $jobs ]]; then
        wait "${running[0]}"
        running=("${running[@]:1}")
    fi
    fuzz_one "$target" &
    running+=($!)
done
for one in "${running[@]}"; do wait "$one"; done
awk -F '\t' -v folder="$corpus" '{ sum += $3 } END { printf "%.4g executions with the corpus %s so far\n", sum, folder }' \
    "$corpus/executions.tsv"
