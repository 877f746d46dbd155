#!/bin/bash
# The same bits at the end: for 1 and 2 threads, for a run that is killed (-9) three times and resumed, and for another
# build. The scenes have contacts at rest and in motion, joints, and bodies that spin.
# usage: tests/system/test_bits.sh COMMAND [OTHER]      OTHER: of another build; then only the two are compared
#
# Compares the hash of all poses, velocities and the time, and every frame of the trajectories. Other processors are excluded:
# their BLAS and libm may round differently.
set -uo pipefail

command=$1
other=${2:-}
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0
failures=0

# verdict NAME A B: two hashes must exist and be equal
verdict() {
    checks=$((checks + 1))
    if [[ -z $2 || $2 != "$3" ]]; then
        failures=$((failures + 1))
        echo "FAILED: $1: '$2' and '$3'" >&2
    fi
}

# hash COMMAND ARGUMENTS…: of the final state; empty if the run failed
hash() {
    local command=$1
    shift
    "$command" run "$@" --json --quiet >"$work/out" && sed -nE 's/^ *"hash": "([0-9a-f]{16})".*/\1/p' "$work/out"
}

# The second wall is large enough for loops in parallel, and its islands for the sparse solvers.
scenes=(
    "brick-wall --duration 1"
    "brick-wall --set rows=12 --set columns=12 --duration 0.025"
    "four-bar --duration 1"
    "bridge --duration 1"
    "bridge --scheme shake --duration 0.25"
    "primitive-soup --duration 0.5"
    "balls-in-box --duration 0.3"
    "balls-in-box --model relaxed --set restitution=0.5 --duration 0.3"
)

if [[ -n $other ]]; then
    for scene in "${scenes[@]}"; do
        read -ra arguments <<<"$scene"
        verdict "$scene: two builds" "$(hash "$command" "${arguments[@]}")" "$(hash "$other" "${arguments[@]}")"
    done
    echo "$checks checks, $failures failed"
    exit $((failures > 0))
fi

# kill_and_resume NAME ARGUMENTS…: kills the run at about 1/4, 1/2 and 3/4 of its time, then lets it finish. The first
# number of a checkpoint is the time, at byte 40.
kill_and_resume() {
    "$python" - "$command" "$@" <<'END'
import json, os, struct, subprocess, sys, time

command, name, *arguments = sys.argv[1:]
duration = float(arguments[arguments.index("--duration") + 1])
checkpoint = name + ".ck"
run = [command, "run", *arguments, "--json", "--quiet", "--frame", "0", "-o", name + ".h5", "--checkpoint", checkpoint,
       "--checkpoint-every", "1e-9"]

def reached():
    if not os.path.exists(checkpoint):
        return 0
    with open(checkpoint, "rb") as f:
        return struct.unpack("<d", f.read(48)[40:])[0]

def kill_three_times():
    for part in (0.25, 0.5, 0.75):
        process = subprocess.Popen(run + ["--resume"] * (part > 0.25), stdout=subprocess.DEVNULL)
        end = time.time() + 100
        while process.poll() is None and reached() < part * duration and time.time() < end:
            time.sleep(0.0005)
        process.kill()
        if process.wait() != -9 or not part * duration <= reached() < duration:
            return f"not killed in the middle: code {process.returncode}, {reached()} of {duration} s"
    return ""

# On a loaded machine the run may end before this process is awake again: from the beginning then.
for attempt in range(8):
    for path in (checkpoint, name + ".h5"):
        if os.path.exists(path):
            os.remove(path)
    failure = kill_three_times()
    if not failure:
        break
if failure:
    sys.exit(f"{name}: {failure}")
ended = subprocess.run(run + ["--resume"], stdout=subprocess.PIPE)
summary = json.loads(ended.stdout)
if ended.returncode == 0 and summary["steps_before"] > 0 and summary["steps"] > 0:
    print(summary["hash"])
END
}

# same_frames A B: all frames of two trajectories, but for the wall time
same_frames() {
    "$python" - "$@" <<'END'
import h5py, sys
a, b = (h5py.File(path) for path in sys.argv[1:])
names = []
a.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
def bits(item):
    return item[()].tolist() if item.dtype.hasobject else (item.shape, item[()].tobytes())
different = [n for n in names if n != "solver/seconds" and (n not in b or bits(a[n]) != bits(b[n]))]
print("same" if len(names) > 20 and len(a["time"]) > 2 and not different else f"different: {different}")
END
}

number=0
for scene in "${scenes[@]}"; do
    number=$((number + 1))
    read -ra arguments <<<"$scene"
    one=$(hash "$command" "${arguments[@]}" --frame 0 -o "$work/whole-$number.h5")
    verdict "$scene: 1 and 2 threads" "$one" "$(hash "$command" "${arguments[@]}" --threads 2)"
    verdict "$scene: killed and resumed" "$one" "$(kill_and_resume "$work/killed-$number" "${arguments[@]}")"
    verdict "$scene: frames" same "$(same_frames "$work/whole-$number.h5" "$work/killed-$number.h5")"
done
echo "$checks checks, $failures failed"
exit $((failures > 0))
