#!/bin/bash
# The voussoir command as a user meets it: exit codes, messages, JSON, files written and read again, interruption.
# usage: tests/system/test_command.sh COMMAND [DATA]      DATA: folder with problems/*.hdf5
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
data=${2:-}

# shows PATTERN: standard output of the last run
shows() { if grep -Eq -- "$1" "$work/out"; then ok; else bad "no '$1' in: $(head -c 300 "$work/out")"; fi; }

# holds EXPRESSION: Python, true for the JSON object `a` of the last run
holds() {
    if "$python" -c "import json, sys; a = json.load(open(sys.argv[1])); sys.exit(not ($1))" "$work/out"; then
        ok
    else
        bad "not true: $1 in $(tr -d '\n' <"$work/out" | head -c 600)"
    fi
}

# ---- usage --------------------------------------------------------------------------------------------------

expect 0 '' --version
shows '^voussoir [0-9]+\.[0-9]+\.[0-9]+$'
shows '^linear solvers: .*ldl'
expect 0 '' help
shows 'exit codes: 0 success'
expect 0 '' --help
expect 0 '' help solve
shows '^examples'
expect 0 '' solve --help
shows '--linear-solver NAME .*ldl'
expect 0 '' info -h
expect 0 '' convert --help
shows '^examples'
expect 0 '' doctor
shows 'BSD-3-Clause'
shows 'FCLIB \(HDF5\): (yes|no)'
shows '^  compiled by .*, (not )?optimized, assertions (on|off)'
shows '^MPI$'
# voussoir-mpi is found beside the command, and nowhere else if PATH has none.
mkdir "$work/alone" "$work/beside"
cp "$command" "$work/alone/voussoir" && cp "$command" "$work/beside/voussoir"
printf '#!/bin/sh\n' >"$work/beside/voussoir-mpi" && chmod +x "$work/beside/voussoir-mpi"
PATH=/bin "$work/alone/voussoir" doctor | grep -q '^  voussoir-mpi: not installed; ' && ok || bad "doctor finds a voussoir-mpi that is not there"
PATH=/bin "$work/beside/voussoir" doctor | grep -q '^  voussoir-mpi: yes' && ok || bad "doctor does not find voussoir-mpi beside the command"
shows '^BLAS$'
shows '^performance issues$'
with_hdf5=false
if grep -q 'FCLIB (HDF5): yes' "$work/out"; then with_hdf5=true; fi

expect 0 ''
shows '^first steps$'
shows '^  voussoir doctor '
expect 1 "^voussoir: unknown command sovle; did you mean 'solve'\?" sovle
expect 1 "^voussoir: unknown command sovle; did you mean 'solve'\?" help sovle
expect 1 '^voussoir: solve: no file given; ' solve
expect 1 '^voussoir: solve: unknown option --modle; did you mean --model\?' solve a.hdf5 --modle relaxed
expect 1 '^voussoir: solve: unknown option --output-dir; did you mean --output\?' solve --output-dir=x a.hdf5
expect 1 '^voussoir: solve: unknown option --tol; did you mean --tolerance\?' solve a.hdf5 --tol 1e-6
expect 1 '^voussoir: solve: unknown option --solver; did you mean --method\?' solve a.hdf5 --solver ipm
expect 1 '^voussoir: solve: unknown option --warm; did you mean --initial\?' solve a.hdf5 --warm b.hdf5
expect 1 "^voussoir: solve: unknown option --qqqqqqqq; 'voussoir help solve' lists them" solve --qqqqqqqq
expect 1 "^voussoir: --model: 'convex' is unknown; choose one of: relaxed, frictionless, exact" solve a --model convex
expect 1 "^voussoir: --fallback: 'none' is unknown; choose one of: least-error, " solve a.hdf5 --fallback none
expect 1 "^voussoir: --method: 'newton' is unknown; choose one of: auto, ipm, cascade" solve a.hdf5 --method newton
expect 1 "^voussoir: --linear-solver: 'pardiso' is unknown; .*ldl" solve a.hdf5 --linear-solver pardiso
expect 1 "^voussoir: --tolerance: 'nan' is not a number above 0; " solve a.hdf5 --tolerance nan
expect 1 "^voussoir: --tolerance: 'inf' is not a number above 0; " solve a.hdf5 --tolerance=inf
expect 1 "^voussoir: --tolerance: '0' is not a number above 0; " solve a.hdf5 --tolerance 0
expect 1 "^voussoir: --tolerance: '1e-8x' is not" solve a.hdf5 --tolerance 1e-8x
expect 1 "^voussoir: --max-time: '2min' is not a time; " solve a.hdf5 --max-time 2min
expect 1 "^voussoir: --max-time: '-1ms' is not a time; " solve a.hdf5 --max-time -1ms
expect 1 "^voussoir: --max-iterations: '-2' is not a whole number" solve a.hdf5 --max-iterations -2
expect 1 "^voussoir: --max-iterations: '99999999999999999999' is not" solve a.hdf5 --max-iterations 99999999999999999999
expect 1 "^voussoir: --threads: '0' is not" solve a.hdf5 --threads 0
expect 1 "^voussoir: --correctors: '11' is not" solve a.hdf5 --correctors 11
expect 1 '^voussoir: solve: --tolerance needs a value; ' solve a.hdf5 --tolerance
expect 1 '^voussoir: solve: --tolerance needs a value; ' solve a.hdf5 --tolerance --json
expect 1 '^voussoir: solve: --json takes no value; ' solve a.hdf5 --json=yes
expect 1 '^voussoir: info: unknown option --jsn; did you mean --json\?' info --jsn
expect 1 '^voussoir: info: no file given' info
expect 1 '^voussoir: doctor: ' doctor a.hdf5
expect 1 '^voussoir: convert: give two files, ' convert a.hdf5
expect 1 '^voussoir: convert: more than two files ' convert a.hdf5 b.hdf5 c.hdf5
expect 1 "^voussoir: --drop: '1.5' is not a number from 0 to 1; " convert a.hdf5 b.hdf5 --drop 1.5
expect 1 "^voussoir: --mu: '-1' is not a number of at least 0; " convert a.hdf5 b.hdf5 --mu -1
expect 1 '^voussoir: convert: --frictionless and --mu 0.5 exclude each other; ' convert a b --mu 0.5 --frictionless

# ---- scenes and runs ----------------------------------------------------------------------------------------

if "$command" help | grep '^  run ' >/dev/null; then
    expect 0 '' help run
    shows '^usage: voussoir run SCENE.json\|ROBOT.urdf\|MODEL.xml\|NAME'
    expect 0 '' run --help
    expect 0 '' scenes
    shows '^arch +a half circle of wedge stones'
    shows 'stones=11'
    expect 0 '' scenes --json
    holds '{"ball", "arch", "four-bar"} <= {s["name"] for s in a} and a[0]["parameters"]["mu"] == 0.2'
    expect 1 '^voussoir: scenes: unexpected argument .arch.' scenes arch
    # The starter scene runs as it is, has comments, and never overwrites a file.
    expect 0 '' new "$work/mine"
    shows "^  voussoir run $work/mine.json$"
    [[ $(grep -c '"comment"' "$work/mine.json") -ge 5 ]] && ok || bad "the starter scene has few comments"
    expect 0 '' run "$work/mine.json" --json
    holds 'a["scene"] == "mine" and a["bodies"] == 5 and a["steps"] == 480 and a["inaccurate_steps"] == 0'
    expect 0 '' run "$work/mine.json" --set speed=6 --duration 0.1
    echo changed >"$work/mine.json"
    expect 2 "^voussoir: $work/mine.json: file exists and is not overwritten; " new "$work/mine"
    expect 2 "^voussoir: $work/mine.json: file exists and is not overwritten; " new "$work/mine.json"
    [[ $(cat "$work/mine.json") == changed ]] && ok || bad "new wrote over a file"
    expect 2 "^voussoir: $work/none/mine.json: cannot write the file \(No such file" new "$work/none/mine"
    expect 1 '^voussoir: new: no name given; ' new
    expect 1 '^voussoir: new: .*is not a valid name; ' new "$work/"
    expect 1 '^voussoir: run: no scene given; ' run
    expect 1 '^voussoir: run: unexpected argument .box.; ' run ball box
    expect 1 "^voussoir: run: unknown scene brik-wall; did you mean 'brick-wall'\?" run brik-wall
    expect 1 '^voussoir: run: unknown scene zzz; ' run zzz
    expect 1 "^voussoir: --set: 'mu' is not NAME=NUMBER; " run ball --set mu
    expect 1 "^voussoir: --set: 'mu=nan' is not NAME=NUMBER; " run ball --set=mu=nan
    expect 1 '^voussoir: run: --set needs a value; ' run ball --set
    expect 1 "^voussoir: scene ball: no parameter 'my'; known are: mu" run ball --set my=1
    expect 1 '^voussoir: scene ball: parameter mu must not be negative, is -1' run ball --set mu=-1
    expect 1 "^voussoir: --step: '0' is not a time above 0; " run ball --step 0
    expect 1 "^voussoir: --model: 'convex' is unknown; " run ball --model convex
    expect 1 "^voussoir: --on-inaccurate: 'panic' is unknown; " run ball --on-inaccurate panic
    expect 1 "^voussoir: --capture: 'often' is not \"every N steps\" or inaccurate; " run ball --capture often
    expect 1 '^voussoir: run: --resume needs --checkpoint FILE' run ball --resume
    expect 1 '^voussoir: run: unknown option --durtion; did you mean --duration\?' run ball --durtion 1
    expect 2 "^voussoir: $work/none.json: does not exist; check the path" run "$work/none.json"
    # 3 cm of overlap at the start: named, refused, or removed
    printf '%s' '{"voussoir": 1, "gravity": [0, 0, 0], "output": {"duration": 0.01}, "bodies": [
        {"name": "one", "shape": {"kind": "sphere", "radius": 0.1}},
        {"name": "two", "shape": {"kind": "sphere", "radius": 0.1}, "position": [0.17, 0, 0]}]}' >"$work/overlap.json"
    expect 0 "^voussoir: bodies overlap at the start: 'one' and 'two' by 0.03 m; they are pushed apart slowly: " run "$work/overlap.json"
    expect 2 "'one' and 'two' by 0.03 m; stopped: " run "$work/overlap.json" --on-overlap stop
    expect 0 "'one' and 'two' by 0.03 m; moved apart$" run "$work/overlap.json" --on-overlap separate
    expect 1 "^voussoir: --on-overlap: 'ignore' is unknown; " run ball --on-overlap ignore
    # an MJCF file starts in one of its keyframes: on the ground instead of 3 m above it
    printf '%s' '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 3"><freejoint/><geom
        type="box" size="0.1 0.1 0.1"/></body></worldbody><keyframe><key name="low" qpos="0 0 0.1 1 0 0 0"/></keyframe>
        </mujoco>' >"$work/key.xml"
    expect 0 '' run "$work/key.xml" --keyframe low --duration 0.1 --json
    holds 'a["outcome"] == "stands"'
    expect 0 '' run "$work/key.xml" --duration 0.1 --json
    holds 'a["outcome"] != "stands"'
    expect 1 "^voussoir: there is no keyframe 'high'; the scene has 'low'$" run "$work/key.xml" --keyframe high
    expect 1 "^voussoir: there is no keyframe 'low'; the scene has none$" run ball --keyframe low
    # how a run ends: stop conditions, what stands, who moved most
    printf '%s' '{"voussoir": 1, "bodies": [{"motion": "static", "shape": {"kind": "plane"}},
        {"name": "crate", "position": [0, 0, 0.1], "velocity": [1, 0, 0], "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}}],
        "stop": [{"when": "displacement", "body": "crate", "above": 0.05}, {"when": "rest"}]}' >"$work/slide.json"
    expect 0 '' run "$work/slide.json"
    shows '^slide: stopped at 0.0[0-9]* s of 1 s: displacement of crate above 0.05 m$'
    shows '^  outcome +moving: fastest point at 0.[0-9]+ m/s$'
    shows '^  moved +at most 0.05[0-9]* m \(crate\), turned at most '
    expect 0 '' run "$work/slide.json" --set /stop/0/above=1 --json
    holds 'a["status"] == "stopped" and a["stop"] == "all bodies at rest for 0.1 s" and a["stop_index"] == 1 and a["exit_code"] == 0'
    holds 'a["outcome"] == "stands" and a["at_rest"] and a["displacement_max_body"] == "crate" and 0.09 < a["displacement_max_m"] < 0.12'
    expect 0 '' run incline --json
    holds 'a["status"] == "done" and a["stop"] is None and a["outcome"] == "displaced" and a["displacement_max_body"] == "#0"'
    # a resumed run measures from the beginning
    if [[ $("$command" doctor) == *HDF5* ]]; then
        expect 0 '' run "$work/slide.json" --duration 0.04 --checkpoint "$work/slide.ck"
        expect 0 '' run "$work/slide.json" --checkpoint "$work/slide.ck" --resume --json
        holds 'a["stop_index"] == 0 and a["steps_before"] > 0 and a["time_s"] < 0.1'
    fi
    # thousands of bodies in one place: refused before they take gigabytes
    printf '%s' '{"voussoir": 1, "bodies": [{"shape": {"kind": "sphere", "radius": 0.1},
        "array": {"count": [3000, 1, 1], "spacing": [0, 0, 0]}}]}' >"$work/crowd.json"
    expect 2 '^voussoir: more than 700000 pairs of colliders are close enough to touch ' run "$work/crowd.json"
    printf '{"voussoir": 1,\n "bodeis": []}\n' >"$work/wrong.json"
    expect 2 "^voussoir: $work/wrong.json:2: bodeis: unknown key; did you mean 'bodies'\? Known here are: voussoir name" run "$work/wrong.json"
    expect 2 "^voussoir: $work/wrong.json:2: bodeis: unknown key" run "$work/wrong.json" --json
    holds 'a["status"] == "error" and "bodeis" in a["error"] and a["exit_code"] == 2'
    printf '{"voussoir": 1,\n' >"$work/wrong.json"
    expect 2 "^voussoir: $work/wrong.json:[0-9]: column [0-9]+: " run "$work/wrong.json"

    # A ball that slides and then rolls loses 2/7 of its kinetic energy, 1/2 m v0^2.
    # Robot descriptions, if libxml2 is available: ignored parts are listed.
    printf '<robot name="r">\n<link name="a"/><transmission/></robot>' >"$work/robot.urdf"
    run run "$work/robot.urdf" --duration 0.01
    if ! grep -q 'need libxml2' "$work/err"; then
        if [[ $code -eq 0 ]] && grep -q ':2: <transmission>: not supported, ignored' "$work/err"; then
            ok
        else
            bad "run robot.urdf: exit code $code, $(head -c 300 "$work/err")"
        fi
        expect 1 '^voussoir: run: .* has no parameters; ' run "$work/robot.urdf" --set mu=1
        expect 2 "^voussoir: $work/none.urdf: does not exist; check the path" run "$work/none.urdf"
    fi
    expect 0 '' run ball
    shows '^ball: done at 1 s of 1 s'
    shows 'inaccurate steps +none'
    shows 'time +collide .*assemble .*solve .*total .*real time'
    cat >"$work/crushed.json" <<'END'
{"voussoir": 1, "step": 0.01, "gravity": [0, 0, 0], "output": {"duration": 0.1}, "flexible": [
{"mesh": {"kind": "box", "size": [1, 1, 1], "cells": [1, 1, 1]}, "elastic": {"young": 1e5, "poisson": 0.3, "density": 1000},
 "load": [{"within": [[0.4, 0.4, 0.4], [0.6, 0.6, 0.6]], "force": [-3e5, -3e5, -3e5]}]}]}
END
    expect 0 '' run "$work/crushed.json"
    shows 'inverted elements +at most 6 elements, first in step 4 '
    shows 'try a finer or more regular mesh'
    cat >"$work/rope.json" <<'END'
{"voussoir": 1, "step": 0.016666666666666666, "output": {"duration": 0.2}, "flexible": [{"name": "rope", "radius": 0.005, "bending": 0.001,
 "points": [[0, 0, 2], [0.1, 0, 2], [0.2, 0, 2], [0.3, 0, 2], [0.4, 0, 2], [0.5, 0, 2], [0.6, 0, 2]],
 "elastic": {"young": 2e11, "poisson": 0.3, "density": 7800}}],
 "joints": [{"kind": "spherical", "a": "world", "b": "rope.0", "frame": {"position": [0, 0, 2]}}]}
END
    expect 0 '' run "$work/rope.json" --scheme shake
    shows 'unbalanced steps +[0-9]+ of 12 created more than 1 % of their energy'
    expect 0 '' run "$work/rope.json" --scheme shake --step 1ms --json
    holds 'a["unbalanced_steps"] == 0'
    expect 0 '' run ball --json
    holds '{"scene", "status", "bodies", "joints", "model", "tolerance", "step_s", "duration_s", "time_s", "steps",
        "steps_before", "inaccurate_steps", "contacts_max", "iterations", "factorizations", "energy_error_max_J",
        "relative_error_max", "penetration_max_m", "joint_drift_max_m", "energy_begin_J", "energy_end_J",
        "work_J", "work_loads_J", "work_motors_J", "work_prescribed_J", "dissipation_J",
        "dissipation_friction_J", "dissipation_impacts_J", "dissipation_dampers_J", "discretization_J",
        "inverted_elements_max", "inverted_first_step", "times_s", "hash", "output", "frames", "checkpoint", "captured",
        "error", "exit_code"} <= set(a)'
    # implicit steps lose a little more in the slip: mu g h of the speed
    holds 'abs(1 - a["dissipation_J"] / (2 / 7 * a["energy_begin_J"]["kinetic"])) < 0.02 and a["steps"] == 240'
    expect 0 '' run ball --set mu=0 --duration 0.25 --step 0.01 --model relaxed --tolerance 1e-6 --warm-start none --json
    holds 'abs(a["dissipation_J"]) < 1e-6 and a["steps"] == 25 and a["model"] == "relaxed" and a["tolerance"] == 1e-6'
    expect 0 '' run four-bar --duration 0.1 --json
    holds 'a["joints"] == 4 and a["joint_drift_max_m"] < 1e-9 and a["work_J"] > 0'
    expect 0 '' run chain --duration 0.1 --json # only gravity and ideal joints
    holds 'a["work_J"] == 0 and a["dissipation_J"] == 0 and a["discretization_J"] < 0'
    expect 0 '' run chain --duration 0.1
    shows '  work +0 J done on the bodies$'
    shows '  discretization +-[0-9.e-]+ J added \(< 0: removed\) by the time discretization$'
    for threads in 1 2; do
        expect 0 '' run arch --duration 0.1 --threads $threads --json
        cp "$work/out" "$work/arch.$threads"
    done
    if cmp -s <(grep hash "$work/arch.1") <(grep hash "$work/arch.2"); then ok; else bad "bits depend on threads"; fi
    cat >"$work/box.json" <<'END'
{ "voussoir": 1, "parameters": { "mu": 0.5 }, "materials": { "m": { "mu": "$mu" } },
  "bodies": [ { "motion": "static", "shape": { "kind": "plane" } },
              { "name": "box", "shape": { "kind": "box", "size": [1, 1, 1] }, "position": [0, 0, 0.5],
                "velocity": [1, 0, 0] } ],
  "output": { "duration": 0.1, "frame": 0.025 } }
END
    expect 0 '' run "$work/box.json" --json
    holds 'a["scene"] == "box" and a["bodies"] == 2 and a["steps"] == 24 and a["dissipation_J"] > 1'
    expect 0 '' run "$work/box.json" --set mu=0 --json
    # 500 J of motion, each step solved to a relative 1e-8
    holds 'abs(a["dissipation_J"]) < 1e-5'
    expect 1 "^voussoir: $work/box.json:1: parameters: the scene has no parameter 'nu'" run "$work/box.json" --set nu=0
fi

# ---- bad files ----------------------------------------------------------------------------------------------

if ! $with_hdf5; then
    expect 2 '^voussoir: a.hdf5: FCLIB files need HDF5, .*; .*doctor' solve a.hdf5
    echo "$checks checks, $failures failed (a build without HDF5)"
    exit $((failures > 0))
fi
echo "this is no HDF5" >"$work/text.hdf5"
: >"$work/empty.hdf5"
expect 2 "^voussoir: $work/none.hdf5: does not exist; check the path" solve "$work/none.hdf5"
expect 2 "^voussoir: $work/none.hdf5: does not exist; check the path" info "$work/none.hdf5"
expect 2 "^voussoir: $work: is a directory; " solve "$work"
expect 2 "^voussoir: $work/text.hdf5: .*not an HDF5 file.*; " solve "$work/text.hdf5"
expect 2 "^voussoir: $work/empty.hdf5: is empty; " info "$work/empty.hdf5"
expect 2 "^voussoir: $work/text.hdf5: .*not an HDF5 file.*; " solve "$work/text.hdf5" --json
holds 'a["status"] == "error" and "HDF5" in a["error"] and a["exit_code"] == 2'
"$python" - "$work" <<'END'
import h5py, sys
with h5py.File(sys.argv[1] + "/other.hdf5", "w") as f:
    f["x"] = [1.0]
END
expect 2 "^voussoir: $work/other.hdf5: .*neither fclib_global nor fclib_local; " solve "$work/other.hdf5"

# ---- a test problem: a mass point on a plane, pushed sideways, mu = 0.5 ---------------------------------

"$python" - "$work" <<'END'
import h5py, numpy as np, sys

def matrix(group, A):
    rows, cols = A.shape
    i, j = np.nonzero(A)
    group["m"], group["n"], group["nz"], group["nzmax"] = ([np.int32(x)] for x in (rows, cols, len(i), len(i)))
    group["i"], group["p"], group["x"] = i.astype("i4"), j.astype("i4"), A[i, j]

def write(path, mass, pushes):
    with h5py.File(path, "w") as f:
        k = len(pushes)
        g = f.create_group("fclib_global")
        g["spacedim"] = [np.int32(3)]
        matrix(g.create_group("M"), mass * np.eye(3 * k))
        matrix(g.create_group("H"), np.eye(3 * k))
        g["vectors/f"] = np.concatenate([[-1.0, push, 0.0] for push in pushes])
        g["vectors/w"] = np.zeros(3 * k)
        g["vectors/mu"] = np.full(k, 0.5)

def write_local(path, pushes):
    with h5py.File(path, "w") as f:
        k = len(pushes)
        g = f.create_group("fclib_local")
        g["spacedim"] = [np.int32(3)]
        matrix(g.create_group("W"), np.eye(3 * k))
        g["vectors/q"] = np.concatenate([[-1.0, push, 0.0] for push in pushes])
        g["vectors/mu"] = np.full(k, 0.5)

write_local(sys.argv[1] + "/local.hdf5", [0.1 * k for k in range(8)])
write(sys.argv[1] + "/point.hdf5", 2.0, [0.2])
write(sys.argv[1] + "/many.hdf5", 2.0, [0.1 * k for k in range(8)])
write(sys.argv[1] + "/negative.hdf5", -2.0, [0.2])
END
point=$work/point.hdf5
expect 2 "^voussoir: $work/negative.hdf5: .*not positive definite.*; " solve "$work/negative.hdf5"
head -c 3000 "$point" >"$work/cut.hdf5"
expect 2 "^voussoir: $work/cut.hdf5: .*; " solve "$work/cut.hdf5"
expect 0 '' info "$point"
shows '1 contact \(3 rows\)'
shows 'stored solution +none'
expect 2 "^voussoir: $point: /?solution is missing; " solve "$point" --initial "$point"

expect 0 '' solve "$point" --model relaxed
shows 'tolerance met after [0-9]+ iterations?'
shows 'model +relaxed'
shows 'energy error +[0-9.e+-]+ J '
shows 'time +prepare .*assemble .*factor .*solve .*other .*total '
if grep -q $'\033' "$work/out"; then bad "colours in a file"; else ok; fi
expect 0 '' solve "$point" --model relaxed --history
shows 'iter +energy, J +natural map +gap'

# JSON: keys of the interface
expect 0 '' solve "$point" --model relaxed --json --history --tolerance 1e-10
holds '{"status", "status_text", "tolerance_met", "iterations", "energy_error_J", "energy_scale_J",
    "natural_map_relative", "duality_gap_J", "complementarity_J", "residuals", "times_s", "model", "tolerance",
    "criterion", "method", "form", "linear_solver", "choice", "factorizations", "problem", "output", "history", "file",
    "islands", "stages", "compliance", "error", "exit_code", "voussoir"} <= set(a)'
holds 'set(a["times_s"]) == {"read", "prepare", "assemble", "factor", "solve", "other", "total"}'
holds 'set(a["residuals"]) == {"natural", "fischer_burmeister", "impulse_balance_J", "joint_error_J",
    "joint_error_m_per_s", "cone_violation_N_s", "dual_violation_m_per_s"}'
holds 'a["status"] == "converged" and a["tolerance_met"] and a["natural_map_relative"] <= 1e-10'
holds 'a["energy_error_J"] <= 1e-20 * a["energy_scale_J"] and a["problem"]["contacts"] == 1'
holds '[h["iteration"] for h in a["history"]] == list(range(len(a["history"]))) and a["history"]'
expect 0 '' info "$point" --json
holds 'a["problem"]["contact_rows"] == 3 and a["solution"] is None and a["error"] is None'

# A linear solver for definite matrices, and an indefinite form: the options are wrong, not the file.
if "$command" --version | grep cholmod >/dev/null; then
    expect 1 "^voussoir: $point: .*cholmod.*; " solve "$point" --model relaxed --linear-solver cholmod --form augmented
    expect 0 '' solve "$point" --model relaxed --linear-solver cholmod --form velocity
fi

# Iteration limit: no success is reported, but the best iterate is.
expect 3 '' solve "$work/many.hdf5" --model relaxed --max-iterations 1 --tolerance 1e-12 --json
holds 'a["status"] == "iteration_limit" and not a["tolerance_met"] and a["iterations"] == 1 and a["exit_code"] == 3'
expect 0 '' solve "$work/many.hdf5" --model frictionless --criterion energy --json
holds 'a["model"] == "frictionless" and a["criterion"] == "energy"'

# Writing and reading again: the physics (a held push), the stored solution, a warm start from it.
expect 0 '' solve "$point" --model relaxed --output "$work/solved.hdf5"
shows "written to +$work/solved.hdf5"
# The tolerance 1e-8 is relative to impulses of about 1 N s; 1e-6 leaves room for the condition of the problem.
if "$python" - "$work/solved.hdf5" <<'END'; then ok; else bad "stored impulses are wrong"; fi
import h5py, numpy as np, sys
with h5py.File(sys.argv[1]) as f:
    s = f["solution"] if "solution" in f else f["fclib_global/solution"]
    good = np.allclose(s["r"], [1.0, -0.2, 0.0], atol=1e-6) and np.allclose(s["v"], 0, atol=1e-6)
    sys.exit(not (good and np.allclose(s["u"], 0, atol=1e-6)))
END
expect 0 '' info "$work/solved.hdf5"
shows 'stored solution +natural map .*relaxed'
for file in point many; do
    for model in relaxed exact; do
        expect 0 '' solve "$work/$file.hdf5" --model $model --output "$work/$file.out.hdf5"
        expect 0 '' solve "$work/$file.hdf5" --model $model --initial "$work/$file.out.hdf5" --json
        holds 'a["iterations"] == 0 and a["warm_started"] and a["tolerance_met"]'
        expect 0 '' solve "$work/$file.out.hdf5" --model $model --initial "$work/$file.out.hdf5" --warm-start partial --json
    done
done
expect 2 "^voussoir: $point: .*solution.*; " solve "$work/many.hdf5" --initial "$point"
expect 2 "^voussoir: $work/none.hdf5: does not exist; " solve "$point" --initial "$work/none.hdf5"
expect 2 "^voussoir: $work/no/folder.hdf5: .*; " solve "$point" --output "$work/no/folder.hdf5"

# Several files: one object per line, results in a directory under their names, the worst exit code.
expect 2 "none.hdf5: does not exist" solve "$point" "$work/none.hdf5" "$work/many.hdf5" --json --output "$work/all"
if [[ $(wc -l <"$work/out") -eq 3 ]] && "$python" -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
sys.exit([r["exit_code"] for r in rows] != [0, 2, 0])' "$work/out"; then ok; else bad "not three JSON lines"; fi
if [[ $(ls "$work/all") == $'many.hdf5\npoint.hdf5' ]]; then ok; else bad "files written: $(ls "$work/all")"; fi
expect 0 '' solve "$point" --output "$work/all/"
expect 1 'would overwrite' solve "$point" "$work/all/point.hdf5" --output "$work/all"
expect 1 'is an input, which the output would overwrite' solve "$point" "$work/many.hdf5" --output "$point"
expect 3 '' solve "$point" "$work/many.hdf5" --model relaxed --max-iterations 1 --tolerance 1e-13
expect 0 '' solve -- "$point"

# The same bits for any number of threads and any repetition.
for model in relaxed exact; do
    expect 0 '' solve "$work/many.hdf5" --model $model --output "$work/threads1.hdf5"
    expect 0 '' solve "$work/many.hdf5" --model $model --threads 2 --output "$work/threads2.hdf5"
    if "$python" - "$work/threads1.hdf5" "$work/threads2.hdf5" <<'END'; then ok; else bad "bits depend on threads"; fi
import h5py, sys
a, b = (h5py.File(p) for p in sys.argv[1:])
name = "solution/r" if "solution" in a else "fclib_global/solution/r"
sys.exit(a[name][()].tobytes() != b[name][()].tobytes())
END
done

# ---- exact friction, the default: 8 points that do not touch each other, the last two slide ----------------------

expect 0 '' solve "$work/many.hdf5" --json --output "$work/exact.hdf5"
holds 'a["model"] == "exact" and a["islands"] == 8 and a["compliance"] == 0 and a["duality_gap_J"] is None'
holds 'a["stages"] and sum(s["solved"] for s in a["stages"]) == 8 and all(set(s) == {"name", "tried", "solved",
    "iterations", "factorizations", "seconds", "error", "stopped"} for s in a["stages"])'
holds 'sum(s["factorizations"] for s in a["stages"]) == a["factorizations"]'
# Coulomb: no point leaves the plane, also where it slides; the relaxed model lifts it by mu |u_T| there.
# Speeds are up to 0.1 m/s and the tolerance is 1e-8 relative; 1e-6 leaves room for its condition.
if "$python" - "$work/exact.hdf5" <<'END'; then ok; else bad "exact impulses are wrong"; fi
import h5py, numpy as np, sys
with h5py.File(sys.argv[1]) as f:
    s = f["solution"] if "solution" in f else f["fclib_global/solution"]
    r, u = np.reshape(s["r"], (-1, 3)), np.reshape(s["u"], (-1, 3))
push = 0.1 * np.arange(8)
slides = np.maximum(push - 0.5, 0) / 2.0
sys.exit(not (np.allclose(r[:, 0], 1, atol=1e-6) and np.allclose(r[:, 1], -np.minimum(push, 0.5), atol=1e-6)
              and np.allclose(u[:, 0], 0, atol=1e-6) and np.allclose(u[:, 1], slides, atol=1e-6)))
END
expect 0 '' solve "$work/many.hdf5" --explain
shows 'model +exact \(Coulomb friction\)'
shows 'solved by +[a-z-]+.* \([0-9]+ islands?\)'
shows 'stage +tried +solved +iterations +factorizations +time +error +reason for stopping'
shows '\(8 in total\)'
expect 0 '' solve "$work/many.hdf5" --model relaxed --explain
shows 'stages +none'
expect 0 '' info "$work/exact.hdf5" --json
holds 'a["solution"]["exact"]["natural_map_relative"] <= 1e-8 < a["solution"]["relaxed"]["natural_map_relative"]'

# ---- convert -------------------------------------------------------------------------------------------------------

# convert ARGUMENTS…: many.hdf5 to $work/converted.hdf5; the last run is `info` of that
convert() {
    expect 0 '' convert "$work/many.hdf5" "$work/converted.hdf5" "$@"
    shows 'written from'
    expect 0 '' info "$work/converted.hdf5" --json
}
convert
holds 'a["problem"]["contacts"] == 8 and a["problem"]["mu_min"] == a["problem"]["mu_max"] == 0.5'
convert --mu 0.25
holds 'a["problem"]["mu_min"] == a["problem"]["mu_max"] == 0.25'
convert --scale-mu 3
holds 'a["problem"]["mu_min"] == a["problem"]["mu_max"] == 1.5'
convert --frictionless
holds 'a["problem"]["mu_max"] == 0 and a["problem"]["contact_rows"] == 24'
convert --perturb-mu 0.2
holds '0.4 <= a["problem"]["mu_min"] < a["problem"]["mu_max"] <= 0.6'
convert --drop 0.5 --seed 3
holds 'a["problem"]["contacts"] == 4 and a["problem"]["velocities"] == 24'
convert --drop 0.06
holds 'a["problem"]["contacts"] == 8'
convert --drop 1
holds 'a["problem"]["contacts"] == 0'
expect 2 "^voussoir: $work/none.hdf5: does not exist; " convert "$work/none.hdf5" "$work/converted.hdf5"
expect 2 "^voussoir: $work/no/folder.hdf5: .*; " convert "$point" "$work/no/folder.hdf5"

# The same seed, the same file; dropping does not change how the others are perturbed; perturbations stay within their bounds.
for file in many local; do
    for seed in 5 6; do
        change=(--perturb 1e-3 --perturb-mu 0.2 --seed $seed)
        made=$work/$file.$seed
        expect 0 '' convert "$work/$file.hdf5" "$made.hdf5" "${change[@]}"
        expect 0 '' convert "$work/$file.hdf5" "$made.again.hdf5" "${change[@]}"
        expect 0 '' convert "$work/$file.hdf5" "$made.few.hdf5" "${change[@]}" --drop 0.5
        if cmp -s "$made.hdf5" "$made.again.hdf5"; then ok; else bad "$file: not the same file"; fi
    done
    if "$python" - "$work/$file" <<'END'; then ok; else bad "$file is perturbed wrongly"; fi
import h5py, numpy as np, sys
def read(end):
    f = h5py.File(sys.argv[1] + end)
    v = f["fclib_local/vectors" if "fclib_local" in f else "fclib_global/vectors"]
    return {k: v[k][()] for k in v}
before, five, six, few = read(".hdf5"), read(".5.hdf5"), read(".6.hdf5"), read(".5.few.hdf5")
x = "q" if "q" in before else "f"
moved = np.abs(five[x] - before[x])
rms = np.sqrt(np.mean(before[x] ** 2))
assert np.all(moved > 0) and np.all(moved <= 1e-3 * rms * (1 + 1e-9)) and moved.max() > 0.5e-3 * rms
assert not np.any(five[x] == six[x]) and not np.any(five["mu"] == six["mu"])
assert np.all(np.abs(five["mu"] / before["mu"] - 1) <= 0.2 * (1 + 1e-9))
assert len(few["mu"]) == 4 and np.all(np.isin(few["mu"], five["mu"]))
if x == "q":
    assert np.all(np.isin(few["q"], five["q"]))
else:
    assert np.all(few["f"] == five["f"]) and np.all(five["w"] == 0)  # w was zero: its root mean square is
END
done

# ---- little memory -------------------------------------------------------------------------------------------------

# Threads that OpenBLAS starts when it is loaded never get their buffers, and the end of the process waited for them.
# (A program with the address sanitizer does not start at all under such a limit.)
for limit in 150000 250000; do
    for arguments in --version "run box --duration 0.02 --quiet"; do
        if (ulimit -v $limit && OPENBLAS_NUM_THREADS=1 "$command" --version) >/dev/null 2>&1; then
            # shellcheck disable=SC2086 # words
            (ulimit -v $limit && env -u OMP_NUM_THREADS -u OPENBLAS_NUM_THREADS timeout -s KILL 10 "$command" $arguments) \
                >/dev/null 2>&1 && ok || bad "$arguments with $limit kB of address space does not end"
        else
            ok
        fi
    done
done

# ---- files of runs ----------------------------------------------------------------------------------------------

if "$command" help | grep '^  run ' >/dev/null; then
    expect 0 '' run "$work/box.json" -o "$work/box.h5" --json
    holds 'a["frames"] == 5 and a["output"].endswith("box.h5")'
    if "$python" - "$work/box.h5" <<'END'; then ok; else bad "frames at the wrong times"; fi
import h5py, numpy as np, sys
with h5py.File(sys.argv[1]) as f:
    sys.exit(not np.allclose(f["time"], [0, 0.025, 0.05, 0.075, 0.1]))
END
    # With or without interruption: the same bits and the same frames.
    whole=$work/whole.h5 parts=$work/parts.h5 checkpoint=$work/parts.ck
    expect 0 '' run arch --duration 0.2 -o "$whole" --json
    grep hash "$work/out" >"$work/whole.hash"
    expect 0 '' run arch --duration 0.1 -o "$parts" --checkpoint "$checkpoint" --json
    holds 'a["checkpoint"].endswith("parts.ck")'
    expect 0 '' run arch --duration 0.2 -o "$parts" --checkpoint "$checkpoint" --resume --json
    holds 'a["steps_before"] == 24 and a["steps"] == 24'
    if cmp -s "$work/whole.hash" <(grep hash "$work/out"); then ok; else bad "resumed with other bits"; fi
    if "$python" - "$whole" "$parts" <<'END'; then ok; else bad "resumed with other frames"; fi
import h5py, sys
a, b = (h5py.File(p)["state/pose"][()] for p in sys.argv[1:])
sys.exit(a.tobytes() != b.tobytes())
END
    expect 2 "^voussoir: $work/none.ck: does not exist; " run arch --checkpoint "$work/none.ck" --resume
    expect 2 "^voussoir: $checkpoint: " run ball --checkpoint "$checkpoint" --resume
    expect 2 "^voussoir: $work/no/way.h5: " run ball -o "$work/no/way.h5"
    # Captured problems are files that solve reads.
    expect 0 '' run arch --duration 0.1 -o "$work/seen.h5" --capture "every 10 steps" --json
    holds 'a["captured"] == 2'
    expect 0 '' solve "$work/seen-000010.hdf5" "$work/seen-000020.hdf5"
    expect 3 '' run arch --duration 0.02 --tolerance 1e-15 -o "$work/missed.h5" --capture inaccurate --json
    holds 'a["captured"] == a["inaccurate_steps"] > 0'
    # Ctrl-C ends after a step, says how to resume, and that works.
    "$python" - "$command" "$work" >"$work/out" 2>"$work/err" <<'END'
import signal, subprocess, sys, time
process = subprocess.Popen([sys.argv[1], "run", "balls-in-box", "--duration", "10000", "--json", "-o",
                            sys.argv[2] + "/long.h5", "--checkpoint", sys.argv[2] + "/long.ck", "--frame", "1"],
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(1.5)
process.send_signal(signal.SIGINT)
sys.exit(process.wait())
END
    code=$?
    if [[ $code -eq 130 ]] && grep -q '^voussoir: interrupted at .*; resume with the same command and --resume' "$work/err"; then
        ok
        holds 'a["status"] == "interrupted" and a["exit_code"] == 130 and a["steps"] > 0'
        next=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["time_s"] + 0.1)' "$work/out")
        run run balls-in-box --duration "$next" --json -o "$work/long.h5" --checkpoint "$work/long.ck" --resume
        holds 'a["status"] == "done" and a["steps"] == 24'
    else
        bad "Ctrl-C in a run: exit code $code, $(head -c 300 "$work/err")"
    fi
fi

# A run that cannot begin reports no results.
if "$command" run box --quiet --duration 0.01 -o "$work/short.h5" >"$work/out" 2>&1; then
    "$command" run box --quiet -o "$work/no/such/folder.h5" >"$work/out" 2>"$work/err"
    code=$?
    [[ $code -eq 2 && ! -s $work/out ]] && grep -q 'cannot be created' "$work/err" && ok ||
        bad "a run without a folder for its output: exit code $code, $(head -1 "$work/out")"
fi

# A full disk is not a success.
if [[ -w /dev/full ]]; then
    "$command" solve "$point" >/dev/full 2>"$work/err"
    code=$?
    [[ $code -eq 2 ]] && grep -q 'cannot write' "$work/err" && ok || bad "full standard output: exit code $code"
fi

# ---- software that wrote a file ------------------------------------------------------------------------------------

"$command" run box --duration 0.05 -o "$work/soft.h5" --checkpoint "$work/soft.ck" --quiet >/dev/null || bad "no run"
version=$("$command" --version | head -n 1)
for file in soft.h5 soft.ck; do
    "$command" info "$work/$file" >"$work/out" 2>"$work/err"
    grep -q "$version" "$work/out" && grep -q 'blas ' "$work/out" && grep -q 'hdf5 ' "$work/out" && ok ||
        bad "info $file does not name the software: $(cat "$work/out" "$work/err")"
    "$command" info "$work/$file" --json | "$python" -c "
import json, sys
x = json.load(sys.stdin)
sys.exit('voussoir ' + x['software']['voussoir'] != '$version' or not x['software']['blas'] or x['error'] is not None)" &&
        ok || bad "info $file --json does not name the software"
done
# A kernel that OpenBLAS has on every x86-64; resuming says that the bits may differ, and resumes.
kernel=$("$command" info "$work/soft.ck" | grep -c 'core Haswell')
if [[ $kernel -eq 0 ]]; then other=Haswell; else other=Sandybridge; fi
if grep -qw avx2 /proc/cpuinfo && "$command" info "$work/soft.ck" | grep -q OpenBLAS; then
    OPENBLAS_CORETYPE=$other "$command" run box --duration 0.1 --checkpoint "$work/soft.ck" --resume --quiet \
        >/dev/null 2>"$work/err" && grep -q "soft.ck: written with blas .*, continued with blas .*core $other; the last bits" \
        "$work/err" && ok || bad "resuming with another kernel is not mentioned: $(cat "$work/err")"
fi

# ---- interruption, on a problem that takes a while -------------------------------------------------------------

pile=$data/piles/pile-10000.hdf5
if [[ -n $data && -f $pile ]]; then
    # Python, because jobs in the background of a script start with interrupts ignored.
    "$python" - "$command" "$pile" >"$work/out" 2>"$work/err" <<'END'
import os, signal, subprocess, sys, time
def busy(pid):  # s of processor time: on a loaded machine a fixed wait may end before the command listens
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
process = subprocess.Popen([sys.argv[1], "solve", sys.argv[2], "--model", "relaxed", "--tolerance", "1e-13", "--json"],
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while busy(process.pid) < 1:
    time.sleep(0.02)
process.send_signal(signal.SIGINT)
time.sleep(0.05) # a second signal, as from timeout -s INT: to the process and to its group
process.send_signal(signal.SIGINT)
sys.exit(process.wait())
END
    code=$?
    if [[ $code -eq 130 ]] && grep -q '^voussoir: interrupted; ' "$work/err"; then
        ok
        holds 'a["status"] == "stopped" and not a["tolerance_met"] and a["iterations"] >= 0'
    else
        bad "Ctrl-C: exit code $code, $(head -c 300 "$work/err")"
    fi
fi

echo "$checks checks, $failures failed"
exit $((failures > 0))
