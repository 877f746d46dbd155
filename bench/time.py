#!/usr/bin/python3
"""time.py COMMAND [--output FILE.md] [--problem NAME]: errors over the length of steps, of both schemes.

Runs small problems with COMMAND (voussoir) and 1, 2 and 4 times as many steps, and compares the final position of one body
with a closed form, an ordinary differential equation, or a finer run. Where bodies collide, the error depends on where in
a step they do: means over eight steps of slightly different length. Prints a table; takes a few minutes.
"""

import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

G = 9.81
TOLERANCE = 1e-8  # of the solver: below the errors of time
FINER = 8  # a reference by a run has so many times the steps of the finest one
REFERENCE, LONGEST = 1e-6, 0.01  # accuracy of a reference by a run where bodies collide, and its longest step, s
LENGTHS = 8  # of steps around a given one, for impacts


# ---- scenes ----------------------------------------------------------------------------------------


def turned(angle):
    """A rotation about y."""
    return {"axis": [0, 1, 0], "angle": angle}


def bar(name, start, end):
    """A thin bar of 1 kg/m in the x-z plane, without shapes."""
    along = np.subtract(end, start)
    length = float(np.hypot(*along))
    across = length**3 / 12
    middle = np.add(start, end) / 2
    return {"name": name, "mass": length, "inertia": [0.1 * across, across, across],
            "position": [middle[0], 0, middle[1]], "rotation": turned(math.atan2(-along[1], along[0]))}


def hinge(a, b, at, **more):
    return {"kind": "revolute", "a": a, "b": b, "frame": {"position": [at[0], 0, at[1]], "axis": [0, 1, 0]}, **more}


def linkage(points, fixed):
    """Bars from point to point, the first hinged to the world, and the last at the point `fixed`, if any."""
    names = [f"bar{k}" for k in range(len(points) - 1)]
    joints = [hinge(a, b, at) for a, b, at in zip(["world", *names], names, points)]
    if fixed:
        joints.append(hinge("world", names[-1], points[-1]))
    return {"bodies": [bar(*x) for x in zip(names, points, points[1:])], "joints": joints}


def slider_crank():
    scene = linkage([(0, 0), (0.3, 0.4), (1.2, 0), (1.4, 0)], False)
    scene["joints"].append({"kind": "prismatic", "b": "bar2", "frame": {"position": [1.2, 0, 0], "axis": [1, 0, 0]}})
    return scene


def top():
    """A disk 0.15 m above its tip, 60 rad/s about its axis, which leans by 0.4 rad."""
    s, c = math.sin(0.4), math.cos(0.4)
    return {"bodies": [{"name": "top", "mass": 1, "inertia": [0.0025, 0.0025, 0.005], "position": [0, -0.15 * s, 0.15 * c],
                        "rotation": {"axis": [1, 0, 0], "angle": 0.4}, "spin": [0, -60 * s, 60 * c]}],
            "joints": [{"kind": "spherical", "b": "top", "frame": {"position": [0, 0, 0]}}]}


FLOOR = {"name": "floor", "motion": "static", "shape": {"kind": "plane"}}


def on_floor(*bodies, **material):
    return {"materials": {"m": material}, "bodies": [FLOOR, *bodies]}


def box(name, half, position, **more):
    return {"name": name, "shape": {"kind": "box", "half": half}, "position": position, **more}


def ball(name, radius, position, **more):
    return {"name": name, "shape": {"kind": "sphere", "radius": radius}, "position": position, **more}


def rocking():
    """A block of 0.2 x 0.8 m that stands on one edge, turned by 0.1 rad."""
    x = 0.1 * math.cos(0.1) + 0.4 * math.sin(-0.1)
    z = 0.4 * math.cos(0.1) + 0.1 * math.sin(0.1)
    return on_floor(box("block", [0.1, 0.5, 0.4], [x, 0, z], rotation=turned(-0.1)), mu=0.5)


def dominoes():
    tiles = [box(f"tile{k}", [0.01, 0.05, 0.1], [0.06 * k, 0, 0.1]) for k in range(4)]
    tiles[0].update(velocity=[0.2, 0, 0.02], spin=[0, 2, 0])
    return on_floor(*tiles, mu=0.5)


def ball_on_ball():
    """A ball that rolls off a fixed one of five times its size."""
    start = 1.2 * np.array([math.sin(0.1), 0, math.cos(0.1)])
    fixed = {"name": "hill", "motion": "static", "shape": {"kind": "sphere", "radius": 1}}
    return {"materials": {"m": {"mu": 0.5}}, "bodies": [fixed, ball("ball", 0.2, list(start))]}


BOWL, BALL, START = 1.0, 0.1, 0.6  # m, m, rad: radii, and where the ball starts


def bowl(strips=1600):
    """A ball that rolls to and fro in a trough of flat strips: there is no smooth concave shape."""
    half = 0.8
    x = np.linspace(-half, half, strips + 1)
    heights = list(BOWL - np.sqrt(BOWL**2 - x**2))
    field = {"kind": "height_field", "heights": [heights, heights], "spacing": [2 * half / strips, 0.02]}
    r = BOWL - BALL
    return {"materials": {"m": {"mu": 0.5}},
            "bodies": [{"name": "bowl", "motion": "static", "position": [-half, -0.007, 0], "shape": field},
                       ball("ball", BALL, [r * math.sin(START), 0, BOWL - r * math.cos(START)])]}


def rod():
    """Painleve's rod: 1 m, 1 rad from the floor, sliding at 3 m/s towards its raised end; friction jams it."""
    ends = [{"kind": "sphere", "radius": 0.005, "position": [x, 0, 0]} for x in (-0.5, 0.5)]
    return on_floor({"name": "rod", "mass": 1, "inertia": [0.01, 1 / 12, 1 / 12], "centre": [0, 0, 0], "shapes": ends,
                     "position": [0, 0, 0.005 + 0.5 * math.sin(1)], "rotation": turned(-1), "velocity": [-3, 0, 0]}, mu=1.5)


def cantilever(elements=10):
    """A horizontal beam of 1 m that bends under its weight, and whose end hits a stop 50 mm below."""
    return {"materials": {"m": {"mu": 0}},
            "bodies": [box("stop", [0.05] * 3, [1, 0, -0.11], motion="static")],
            "flexible": [{"name": "beam", "points": [[k / elements, 0, 0] for k in range(elements + 1)], "section": "rectangle",
                          "sides": [0.02, 0.01], "elastic": {"young": 1e9, "poisson": 0.3, "density": 1000},
                          "contact_radius": 0.01}],
            "joints": [{"kind": "fixed", "b": "beam.0"}]}


# ---- closed forms ----------------------------------------------------------------------------------


def integrate(rate, y, time, steps=20000):
    """The classical method of Runge and Kutta."""
    h, y = time / steps, np.asarray(y, float)
    for k in range(steps):
        t = k * h
        k1 = rate(t, y)
        k2 = rate(t + h / 2, y + h / 2 * k1)
        k3 = rate(t + h / 2, y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(t + h, y + h * k3))
    return y


def swung(time):
    """The centre of the pendulum: 1/3 a'' = 1/2 g cos a."""
    angle = integrate(lambda _, y: np.array([y[1], 1.5 * G * math.cos(y[0])]), [0, 0], time)[0]
    return [0.5 * math.cos(angle), 0, -0.5 * math.sin(angle)]


def rolled_in_bowl(time):
    """1.4 (R - r) a'' = -g sin a, in the cylinder through the edges of the strips."""
    r = BOWL - BALL
    angle = integrate(lambda _, y: np.array([y[1], -G / (1.4 * r) * math.sin(y[0])]), [START, 0], time)[0]
    return [r * math.sin(angle), 0, BOWL - r * math.cos(angle)]


def rocked(time, half=(0.1, 0.4), angle=0.1):
    """Housner 1963: a block on an edge; impacts by bisection of a step of Runge and Kutta."""
    alpha, radius = math.atan2(*half), math.hypot(*half)
    p2, keep = 3 * G / (4 * radius), 1 - 1.5 * math.sin(alpha) ** 2
    t, y, side = 0.0, np.array([angle, 0.0]), 1

    def rate(_, y):
        return np.array([y[1], -side * p2 * math.sin(alpha - side * y[0])])

    while time - t > 1e-13:
        h = min(1e-4, time - t)
        after = integrate(rate, y, h, 1)
        if side * after[0] > 0:
            t, y = t + h, after
            continue
        low, high = 0.0, h
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if side * integrate(rate, y, middle, 1)[0] > 0 else (low, middle)
        after = integrate(rate, y, high, 1)
        side = -side
        t, y = t + high, np.array([side * 1e-300, keep * after[1]])
    a, (b, h) = abs(y[0]), half
    x, z = b * math.cos(a) - h * math.sin(a), h * math.cos(a) + b * math.sin(a)
    return [x if side > 0 else 2 * b - x, 0, z]


def bounced(time, height=1.0, e=0.8, radius=0.1):
    """The height of a ball that falls from rest."""
    t, v = math.sqrt(2 * height / G), e * math.sqrt(2 * G * height)
    while t + 2 * v / G < time:
        t, v = t + 2 * v / G, e * v
    return [0, 0, radius + v * (time - t) - G / 2 * (time - t) ** 2]


def slid(time, speed=2.0, mu=0.5):
    end = min(time, speed / (mu * G))
    return [speed * end - mu * G / 2 * end**2, 0, 0.1]


def rolled(time, speed=2.0, mu=0.2):
    """A ball that slides, and rolls after 2 v / (7 mu g)."""
    end = 2 * speed / (7 * mu * G)
    return [speed * end - mu * G / 2 * end**2 + 5 / 7 * speed * (time - end), 0, 0.1]


# name, scene, the body that is measured, duration, fewest steps, closed form, are there impacts or other events?
PROBLEMS = [
    ("pendulum", linkage([(0, 0), (1, 0)], False), "bar0", 2, 240, swung, False),
    ("double pendulum", linkage([(0, 0), (1, 0), (2, 0)], False), "bar1", 1, 240, None, False),
    ("chain of 20", linkage([(0.1 * k, 0) for k in range(21)], False), "bar19", 1, 480, None, False),
    ("four-bar", linkage([(0, 0), (0, 0.5), (1, 0.9), (1.2, 0)], True), "bar1", 1, 240, None, False),
    ("slider-crank", slider_crank(), "bar2", 1, 240, None, False),
    ("spinning top", top(), "top", 0.5, 240, None, False),
    ("sliding block", on_floor(box("block", [0.1] * 3, [0, 0, 0.1], velocity=[2, 0, 0]), mu=0.5), "block", 0.7, 84, slid, True),
    ("slide to roll", on_floor(ball("ball", 0.1, [0, 0, 0.1], velocity=[2, 0, 0]), mu=0.2), "ball", 1, 120, rolled, True),
    ("ball on ball", ball_on_ball(), "ball", 1, 120, None, False),
    ("bowl", bowl(), "ball", 1.5, 180, rolled_in_bowl, False),
    ("bouncing ball", on_floor(ball("ball", 0.1, [0, 0, 1.1]), mu=0.5, restitution=0.8), "ball", 2, 240, bounced, True),
    ("rocking block", rocking(), "block", 1, 240, rocked, True),
    ("tilted box", on_floor(box("box", [0.1, 0.1, 0.2], [0, 0, 0.5], rotation=turned(0.5)), mu=0.5, restitution=0.4),
     "box", 0.6, 144, None, True),
    ("dominoes", dominoes(), "tile2", 0.5, 60, None, True),
    ("Painleve's rod", rod(), "rod", 0.2, 24, None, True),
    ("cantilever", cantilever(), "beam.10", 0.25, 50, None, True),
]


# ---- runs ------------------------------------------------------------------------------------------


class Run:
    """A run's final position of the body, change of energy beyond work and dissipation, and effort. A scheme that is a number is an
    accuracy."""

    def __init__(self, command, work, problem, scheme, steps):
        _, scene, body, time, *_ = problem
        path = Path(work) / "scene.json"
        path.write_text(json.dumps({"voussoir": 1, **scene}))
        out = Path(work) / "out.h5"
        arguments = ["--step", repr(time / steps), "--duration", repr(time), "--frame", repr(time), "--json", "--quiet", "-o", str(out)]
        method = ["--accuracy", repr(scheme)] if isinstance(scheme, float) else ["--scheme", scheme, "--tolerance", repr(TOLERANCE)]
        done = subprocess.run([command, "run", str(path), *arguments, *method], stdout=subprocess.PIPE, check=False)
        summary = json.loads(done.stdout)
        with h5py.File(out) as file:
            names = [n.decode() if isinstance(n, bytes) else n for n in file["bodies/name"][()]]
            self.position = file["state/pose"][-1][names.index(body)][:3]
        self.energy = abs(summary["discretization_J"])
        self.inaccurate = summary["inaccurate_steps"]
        self.factorizations, self.steps = summary["factorizations"], summary["steps"]
        self.problems, self.seconds = summary["problems"], summary["times_s"]["total"]


def measure(run, problem, scheme, exact, steps):
    """Mean error, m, mean error of the energy, J, factorizations per step, and number of inaccurate steps."""
    events = problem[-1]
    counts = [steps + steps * k // (4 * LENGTHS) for k in range(LENGTHS)] if events else [steps]
    runs = [run(problem, scheme, n) for n in counts]
    error = np.mean([np.linalg.norm(r.position - exact) for r in runs])
    return (error, np.mean([r.energy for r in runs]), sum(r.factorizations for r in runs) / sum(r.steps for r in runs),
            sum(r.inaccurate for r in runs))


def find_reference(run, problem, steps):
    """Position at the end: a closed form, controlled accuracy where bodies collide, or the scheme shake with so many steps."""
    _, scene, _, time, _, closed, events = problem
    if closed:
        return np.array(closed(time))
    if events and "flexible" not in scene:
        return run(problem, REFERENCE, round(time / LONGEST)).position
    return run(problem, "shake", steps).position


def rows(run, problem):
    name, _, _, _, steps, *_ = problem
    exact = find_reference(run, problem, 4 * FINER * steps)
    for scheme in ("moreau", "shake"):
        level = [measure(run, problem, scheme, exact, factor * steps) for factor in (1, 2, 4)]
        errors = " | ".join(f"{x[0]:.1e}" for x in level)
        order = math.log2(level[0][0] / level[2][0]) / 2
        energy = " | ".join(f"{x[1]:.1e}" for x in level)
        yield (f"| {name} | {scheme} | {steps} | {errors} | {order:.1f} | {energy} | {level[0][2]:.1f} |", sum(x[3] for x in level))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--output", help="write the table to this file, too")
    parser.add_argument("--problem", help="only this one")
    given = parser.parse_args()
    table = ["| problem | scheme | n | error, m: n | 2 n | 4 n | order | energy, J: n | 2 n | 4 n | factorizations per step |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    inaccurate = 0
    with tempfile.TemporaryDirectory() as work:
        for problem in PROBLEMS:
            if given.problem not in (None, problem[0]):
                continue
            for row, missed in rows(lambda *x: Run(given.command, work, *x), problem):
                print(row, flush=True)
                table.append(row)
                inaccurate += missed
    table.append(f"\nInaccurate steps: {inaccurate}.")
    print(table[-1])
    if given.output:
        Path(given.output).write_text("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
