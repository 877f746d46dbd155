#!/bin/bash
# scale.sh VOUSSOIR DIRECTORY [PILE.hdf5…]
#
# How a cold solve grows with the size: sphere piles that are given, and piles of COUNTS spheres captured from a simulation
# (made in DIRECTORY unless they are there: 100 000 take a quarter of an hour). THREADS threads, to a gap of GAP relative to the
# energy of the free motion. For each: contacts, iterations, factorizations, steps of conjugate gradients, seconds (with
# preparing) until the gap was reached, peak memory; at the end the exponent p of seconds ~ bodies^p.
#
#     COUNTS="20000 30000 100000"   MODEL=relaxed   GAP=1e-6   TOL=1e-6   THREADS=1
set -eu
if [ $# -lt 2 ]; then
    sed -n '2,9s/^# \{0,1\}//p' "$0"
    exit 1
fi
voussoir=$(realpath "$1") directory=$2
shift 2
export OPENBLAS_NUM_THREADS=1
mkdir -p "$directory"
files=("$@")
for count in ${COUNTS:-20000 30000 100000}; do
    folder=$directory/$count
    if [ ! -e "$folder/balls-in-box-000200.hdf5" ]; then
        mkdir -p "$folder"
        # as wide as high; few sweeps of small steps: enough to settle, the last step is solved anew
        side=$(awk "BEGIN { print ($count * 0.0024) ^ (1 / 3) }")
        (cd "$folder" && "$voussoir" run balls-in-box --set count="$count" --set side="$side" --set radius=0.07 \
            --model relaxed --method gauss-seidel --tolerance 1e-5 --max-time "$(awk "BEGIN { print $count * 1.5e-5 }")" \
            --step 0.0025 --duration 0.5 --warm-start full --capture "every 200 steps" --quiet >log || true)
    fi
    files+=("$folder/balls-in-box-000200.hdf5")
done
"$voussoir" doctor 2>/dev/null | grep -i "blas" || true
for file in "${files[@]}"; do
    /usr/bin/time -o "$directory/memory" -f %M "$voussoir" solve "$file" --model "${MODEL:-relaxed}" --tolerance "${TOL:-1e-6}" \
        --threads "${THREADS:-1}" --json --history >"$directory/solved.json" || true
    /usr/bin/env python3 - "$file" "$directory/solved.json" "$directory/memory" "${GAP:-1e-6}" <<'PYTHON'
import json, sys
file, solved, memory, gap = sys.argv[1:]
r = json.load(open(solved))
reached = [h for h in r.get("history", []) if 0 < h.get("gap", 0) <= float(gap)]
at = reached[0] if reached else {"iteration": r["iterations"], "seconds": r["times_s"]["total"] - r["times_s"]["prepare"]}
print(json.dumps({"file": file, "bodies": r["problem"]["velocities"] // 6, "contacts": r["problem"]["contacts"],
                  "iterations": at.get("iteration", r["iterations"]), "seconds": r["times_s"]["prepare"] + at["seconds"],
                  "factorizations": r["factorizations"], "cg": r["cg_steps"], "status": r["status"],
                  "MB": int(open(memory).read().split()[-1]) // 1024}))
PYTHON
done | tee "$directory/scale.jsonl"
/usr/bin/env python3 - "$directory/scale.jsonl" <<'PYTHON'
import json, math, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
print("| bodies | contacts | iterations | factorizations, CG steps in all | s | MB | exponent since the first | status |")
print("|---|---|---|---|---|---|---|---|")
for r in rows:
    p = math.log(r["seconds"] / rows[0]["seconds"]) / math.log(r["bodies"] / rows[0]["bodies"]) if r is not rows[0] else None
    print(f"| {r['bodies']} | {r['contacts']} | {r['iterations']} | {r['factorizations']}, {r['cg']} | {r['seconds']:.3g} "
          f"| {r['MB']} | {'' if p is None else format(p, '.2f')} | {r['status']} |")
PYTHON
