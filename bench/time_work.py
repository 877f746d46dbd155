#!/usr/bin/python3
"""time_work.py COMMAND DATA [--mujoco PROGRAM] [--problem NAME]: work and precision of time stepping.

Runs problems of time.py with COMMAND (voussoir) and growing numbers of steps, with both schemes and with controlled accuracy, and with
MuJoCo's integrators (PROGRAM: time_mujoco of bench/peers) where it can. Writes DATA, one line per run:

    problem  curve  calls  seconds  error

calls: contact problems (of the command), or evaluations of the forces (MuJoCo); seconds: time of the steps, the
shorter of two runs of the command; error: m, distance of the measured body at the end. Problems with events are means over
several lengths of steps. docs/figures/work-precision.gp draws the file; lines of other curves may be appended to it.
"""

import argparse
import math
import subprocess
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np

# time.py beside this file: its name is that of a module of Python
_spec = spec_from_file_location("time_errors", Path(__file__).with_name("time.py"))
errors = module_from_spec(_spec)
_spec.loader.exec_module(errors)

LEFT_OUT = ("four-bar", "ball on ball")  # of time.py: like the slider-crank and the bowl
LEVELS = 5  # numbers of steps, each twice the last
INTEGRATORS = {"Euler": 1, "RK4": 4, "implicit": 1}  # evaluations of forces per step


# ---- models of MuJoCo ------------------------------------------------------------------------------


def pendulum_of(bars, length):
    """Bars in a line along x, each hinged to the end of the last."""
    across = length**3 / 12
    inner = ""
    for k in reversed(range(bars)):
        inner = (f'<body name="bar{k}" pos="{length if k else 0} 0 0"><joint type="hinge" axis="0 1 0"/>'
                 f'<inertial pos="{length / 2} 0 0" mass="{length}" diaginertia="{0.1 * across} {across} {across}"/>{inner}</body>')
    return inner, ""


def top():
    half = 0.2
    return (f'<body name="top" quat="{math.cos(half)} {math.sin(half)} 0 0"><joint type="ball"/>'
            '<inertial pos="0 0 0.15" mass="1" diaginertia="0.0025 0.0025 0.005"/></body>',
            '<key qpos="1 0 0 0" qvel="0 0 60"/>')  # relative to the body


def free(name, geom, position, angle=0.0, friction=0.5):
    turn = f"{math.cos(angle / 2)} 0 {math.sin(angle / 2)} 0"
    at = " ".join(str(x) for x in position)
    return (f'<body name="{name}" pos="{at}" quat="{turn}"><freejoint/><geom {geom} density="1000" friction="{friction} 0 0"/></body>',
            f"{at} {turn}")


def slider_crank():
    """The crank and the rod are a tree, the slider is connected to the end of the rod as stiffly as the step admits."""
    bars, at, turn = errors.slider_crank()["bodies"], "0 0 0", 0.0
    text = ""
    for k, bar in enumerate(bars):
        length, angle = bar["mass"], bar["rotation"]["angle"]
        joint = 'type="hinge" axis="0 1 0"' if k < 2 else 'type="slide" axis="1 0 0"'
        half = (angle - turn) / 2 if k < 2 else angle / 2
        text += (f'<body name="{bar["name"]}" pos="{at if k < 2 else "1.2 0 0"}" quat="{math.cos(half)} 0 {math.sin(half)} 0"><joint {joint}/>'
                 f'<inertial pos="{length / 2} 0 0" mass="{length}" diaginertia="{" ".join(map(str, bar["inertia"]))}"/>')
        if k == 1:
            text += "</body></body>"
        at, turn = f"{length} 0 0", angle
    length = bars[1]["mass"]
    return text + "</body>", "", f'<equality><connect body1="bar1" body2="bar2" anchor="{length} 0 0" solref="STIFF 1"/></equality>'


def rod():
    body = errors.rod()["bodies"][1]
    ends = "".join(f'<geom type="sphere" size="0.005" pos="{x} 0 0" mass="0" friction="1.5 0 0"/>' for x in (-0.5, 0.5))
    turn = f"{math.cos(-0.5)} 0 {math.sin(-0.5)} 0"
    at = " ".join(map(str, body["position"]))
    text = (f'<body name="rod" pos="{at}" quat="{turn}"><freejoint/><inertial pos="0 0 0" mass="1" '
            f'diaginertia="0.01 {1 / 12} {1 / 12}"/>{ends}</body>')
    return on_floor([(text, f"{at} {turn}")], ["-3 0 0 0 0 0"], 1.5)


def on_floor(bodies, velocities, friction):
    text = f'<geom type="plane" size="10 10 1" friction="{friction} 0 0"/>' + "".join(b[0] for b in bodies)
    return text, f'<key qpos="{" ".join(b[1] for b in bodies)}" qvel="{" ".join(velocities)}"/>'


REST = "0 0 0 0 0 0"


def dominoes():
    tiles = [free(f"tile{k}", 'type="box" size="0.01 0.05 0.1"', [0.06 * k, 0, 0.1]) for k in range(4)]
    return on_floor(tiles, ["0.2 0 0.02 0 2 0", REST, REST, REST], 0.5)


def rocking():
    body = errors.rocking()["bodies"][1]
    return on_floor([free("block", 'type="box" size="0.1 0.5 0.4"', body["position"], -0.1)], [REST], 0.5)


MODELS = {
    "pendulum": lambda: pendulum_of(1, 1.0),
    "double pendulum": lambda: pendulum_of(2, 1.0),
    "chain of 20": lambda: pendulum_of(20, 0.1),
    "slider-crank": slider_crank,
    "spinning top": top,
    "sliding block": lambda: on_floor([free("block", 'type="box" size="0.1 0.1 0.1"', [0, 0, 0.1])], ["2 0 0 0 0 0"], 0.5),
    "slide to roll": lambda: on_floor([free("ball", 'type="sphere" size="0.1"', [0, 0, 0.1], 0, 0.2)], ["2 0 0 0 0 0"], 0.2),
    "rocking block": rocking,
    "dominoes": dominoes,
    "Painleve's rod": rod,
}


def run_mujoco(program, work, problem, integrator, steps):
    name, _, body, duration, *_ = problem
    text, key, *closure = MODELS[name]()
    loops = "".join(closure).replace("STIFF", repr(2 * duration / steps))  # time constant: no less than two steps
    path = Path(work) / "model.xml"
    path.write_text(f'<mujoco><compiler angle="radian"/><option timestep="{duration / steps!r}" gravity="0 0 {-errors.G}" '
                    f'integrator="{integrator}" cone="elliptic" tolerance="1e-10" iterations="100"/>'
                    f"<worldbody>{text}</worldbody><keyframe>{key}</keyframe>{loops}</mujoco>")
    done = subprocess.run([program, str(path), body, str(steps)], stdout=subprocess.PIPE, check=True, cwd=work)
    numbers = [float(x) for x in done.stdout.splitlines()[-1].split()]  # warnings come before
    return np.array(numbers[:3]), steps * INTEGRATORS[integrator], numbers[3]


# ---- runs of the command ---------------------------------------------------------------------------


def run_command(command, work, problem, scheme, steps):
    runs = [errors.Run(command, work, problem, scheme, steps) for _ in range(2)]
    return runs[0].position, runs[0].problems, min(run.seconds for run in runs)


# ---- curves ----------------------------------------------------------------------------------------


ACCURACIES = (1e-2, 1e-3, 1e-4, 1e-5)
LONGEST = 0.05  # s, of a controlled step


def lengths(problem, steps):
    return [steps + steps * k // 16 for k in range(4)] if problem[-1] else [steps]


def curve(run, problem, exact, steps):
    """calls, seconds and error, means over the lengths of steps."""
    found = [run(n) for n in lengths(problem, steps)]
    return (np.mean([f[1] for f in found]), np.mean([f[2] for f in found]),
            np.mean([np.linalg.norm(f[0] - exact) for f in found]))


def lines(given, work, problem):
    name, _, _, duration, steps, *_ = problem
    fewest = max(steps // 4, 15)
    most = fewest << (LEVELS - 1)
    exact = errors.find_reference(lambda *x: errors.Run(given.command, work, *x), problem, 8 * most)
    for accuracy in ACCURACIES if "flexible" not in problem[1] else ():
        position, calls, seconds = run_command(given.command, work, problem, accuracy, round(duration / LONGEST))
        yield name, "accuracy", calls, seconds, np.linalg.norm(position - exact)
    for k in range(LEVELS):
        n = fewest << k
        for scheme in ("moreau", "shake"):
            calls, seconds, error = curve(lambda m: run_command(given.command, work, problem, scheme, m), problem, exact, n)
            yield name, scheme, calls, seconds, error
        for integrator in INTEGRATORS if given.mujoco and name in MODELS else ():
            yield (name, f"MuJoCo {integrator}",
                   *curve(lambda m: run_mujoco(given.mujoco, work, problem, integrator, m), problem, exact, n))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("data")
    parser.add_argument("--mujoco", help="time_mujoco")
    parser.add_argument("--problem", help="only this one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work, Path(given.data).open("w") as out:
        out.write("# problem, curve, calls, seconds, error (bench/time_work.py)\n")
        for problem in errors.PROBLEMS:
            if problem[0] in LEFT_OUT or given.problem not in (None, problem[0]):
                continue
            for name, label, calls, seconds, error in lines(given, work, problem):
                line = f'"{name}" "{label}" {calls:.0f} {seconds:.4f} {error:.3e}'
                print(line, flush=True)
                out.write(line + "\n")


if __name__ == "__main__":
    main()
