#!/bin/bash
# peers.sh BUILD [REPEAT]: scenes in voussoir and in the engines of others, side by side, as a table in Markdown.
# Measures do not change from run to run; times are those of the quickest of REPEAT (3) rounds, in each of which all
# engines take their turn. Set OPENBLAS_CORETYPE first.
set -eu
build=$1
repeat=${2:-3}
program=$build/bench/peers/voussoir-peer-scenes
export OPENBLAS_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" list >"$work/engines"
scenes=("balls-in-box --duration 3" "brick-wall --duration 2" "kapla-tower --duration 2"
    "mass-ratio --set ratio=100 --duration 2" "mass-ratio --set ratio=10000 --duration 2"
    "guided-stack --set count=5 --set ratio=10 --duration 2")
for ((round = 0; round < repeat; round++)); do
    for scene in "${scenes[@]}"; do
        while IFS=$'\t' read -r engine _; do
            # shellcheck disable=SC2086  # the words of a scene are arguments
            "$program" "$engine" $scene --step 0.005 --max-time 60 --json >>"$work/lines" 2>/dev/null </dev/null || true
        done <"$work/engines"
    done
done
/usr/bin/python3 - "$work" "$repeat" <<'END'
import datetime, json, sys

work, repeat = sys.argv[1:]
runs = [json.loads(line) for line in open(f"{work}/lines")]
print(f"# Scenes in voussoir and in other physics engines\n\n{datetime.date.today()}; BLAS: {runs[0]['blas']}; one thread; step 5 ms; times: minimum of "
      f"{repeat} rounds.\n\n| engine | version | settings beyond its defaults |\n|---|---|---|")
for line in open(f"{work}/engines"):
    print("| " + " | ".join(line.rstrip("\n").split("\t")) + " |")


def text(x, unit=1):
    return "–" if x is None else f"{float(f'{x * unit:.2g}'):g}"


groups = {}
for run in runs:
    setting = ", ".join(f"{k} {v:g}" for k, v in run["parameters"].items())
    title = f"{run['scene']} ({run['bodies']} bodies{', ' + setting if setting else ''}; {run['steps'] * run['step']:g} s)"
    groups.setdefault(title, {}).setdefault(run["engine"], []).append(run)
for title, engines in groups.items():
    print(f"\n## {title}\n\n| engine | penetration, largest, mm | at the end, mm | creep, mm | kinetic energy at the end, J |"
          " energy change, J | largest rise, J | step error, median | root mean square | of steps | ms per step, median | ms of processor, mean | steps |")
    print("|---" * 13 + "|")
    for engine, rows in engines.items():
        a = rows[0]
        done = "all" if a["steps_done"] == a["steps"] else f"{a['steps_done']} of {a['steps']}"
        print(f"| {engine} | {text(a['penetration_max'], 1e3)} | {text(a['penetration_end'], 1e3)} | {text(a['creep'], 1e3)} |"
              f" {text(a['kinetic_end'])} | {text(a['energy_change'])} | {text(a['energy_rise'])} | {text(a['step_median'])} | {text(a['step_error'])} | {a['sampled']:g} |"
              f" {min(r['ms_median'] for r in rows):.3g} | {min(r['ms_processor'] for r in rows):.3g} | {done} |")
END
