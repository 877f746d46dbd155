#!/usr/bin/python3
"""time_adaptive.py COMMAND [--output FILE.md] [--problem NAME] [--held-out]: errors and cost of controlled accuracy.

Runs the problems of time.py, or those held out, with COMMAND (voussoir) and --accuracy 1e-2, 1e-3 and 1e-4, and compares the
final position of a point of one body with a closed form, an ordinary differential equation, or a finer run (of the scheme shake where no bodies collide). Errors are
given in multiples of a L, where L is the size of the body. For comparison the number of contact problems that Moreau's
scheme needs for the same error: from runs with more and more steps, and by their order beyond the last of these. Checks
that threads, frames and a resume do not change a bit. Prints tables; takes about ten minutes.

The problems held out were chosen, and written down here, before the first run of any of them; nothing was changed in the
controller for their sake.
"""

import argparse
import importlib.util
import json
import math
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

# `import time` would be that of Python.
_spec = importlib.util.spec_from_file_location("fixed_steps", Path(__file__).with_name("time.py"))
fixed = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(fixed)

G = 9.81
ACCURACIES = (1e-2, 1e-3, 1e-4)
LONGEST = 0.05  # s, --step of controlled runs
FINEST = 64  # else: the scheme shake with so many times the fewest steps
LEAST = 0.01  # errors below this share of a L are not compared
MOREAU = (1, 2, 4, 8, 16, 32)  # multiples of the fewest steps


# ---- references ------------------------------------------------------------------------------------


def circled(time):
    """A bar of 1 m on a spherical joint, horizontal, 3 rad/s about the vertical: angle below the horizontal, azimuth."""

    def rate(_, y):
        a, w, spin = y[0], y[1], 3 / math.cos(y[0]) ** 2
        return np.array([w, 1.5 * G * math.cos(a) - spin**2 * math.sin(a) * math.cos(a), spin])

    a, _, azimuth = fixed.integrate(rate, [0, 0, 0], time)
    return [0.5 * math.cos(a) * math.cos(azimuth), 0.5 * math.cos(a) * math.sin(azimuth), -0.5 * math.sin(a)]


TUMBLING = {"half": (0.1, 0.2, 0.3), "spin": (0.05, 5.0, 0.05)}


def tumbled(time):
    """The end of the longest axis of a box that turns about its middle axis, in free fall from the origin."""
    x, y, z = TUMBLING["half"]
    inertia = np.array([y * y + z * z, x * x + z * z, x * x + y * y]) / 3

    def rate(_, s):
        q, w = s[:4], s[4:]
        dq = 0.5 * np.array([-q[1] * w[0] - q[2] * w[1] - q[3] * w[2], q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
                             q[0] * w[1] + q[3] * w[0] - q[1] * w[2], q[0] * w[2] + q[1] * w[1] - q[2] * w[0]])
        return np.concatenate([dq, np.cross(inertia * w, w) / inertia])

    s = fixed.integrate(rate, [1, 0, 0, 0, *TUMBLING["spin"]], time)
    return np.array([0, 0, -G / 2 * time**2]) + turn(s[:4], [0, 0, z])


def turn(q, v):
    w, r = q[0], np.asarray(q[1:4])
    return np.asarray(v) + 2 * np.cross(r, np.cross(r, v) + w * np.asarray(v))


def dropped_pair(time, heights=(1.0, 1.5), radii=(0.1, 0.05), e=0.9):
    """The upper one of two balls of one density that fall from these heights of their lowest points, one above the other."""
    m = np.array(radii) ** 3
    z, v, t = np.array(heights) + radii, np.zeros(2), 0.0
    while True:
        floor = (v[0] + math.sqrt(v[0] ** 2 + 2 * G * (z[0] - radii[0]))) / G
        apart, closing = z[1] - z[0] - sum(radii), v[0] - v[1]
        meet = apart / closing if closing > 1e-12 and apart > 1e-12 else math.inf
        h = min(floor if floor > 1e-9 else math.inf, meet, time - t)
        z, v, t = z + v * h - G / 2 * h * h, v - G * h, t + h
        if t >= time - 1e-13:
            return [0, 0, z[1]]
        if h == meet:
            p = (1 + e) * (v[0] - v[1]) / (1 / m[0] + 1 / m[1])
            v = v + p * np.array([-1, 1]) / m
        else:
            v[0] *= -e


def thrown(time, speed=(2.0, -1.0), height=0.5, radius=0.1, mu=0.2, e=0.6):
    """A ball that is thrown at the floor: it slides in each impact, or rolls away."""
    x, z, (u, v), spin, t = 0.0, height, speed, 0.0, 0.0
    while True:
        fall = (v + math.sqrt(v * v + 2 * G * (z - radius))) / G
        h = min(fall, time - t)
        x, z, v, t = x + u * h, z + v * h - G / 2 * h * h, v - G * h, t + h
        if t >= time - 1e-13:
            return [x, 0, z]
        slip = u - radius * spin
        push = min(mu * (1 + e) * abs(v), abs(slip) / 3.5) * math.copysign(1, slip)
        u, spin, v, z = u - push, spin + 2.5 * push / radius, -e * v, radius


def shaken(time):
    """A bar of 1 m that hangs from a pivot which moves with 2 cos(2 pi 3 t) m/s along x."""
    def rate(t, y):
        pivot = -2 * 6 * math.pi * math.sin(6 * math.pi * t)
        return np.array([y[1], -1.5 * (G * math.sin(y[0]) + pivot * math.cos(y[0]))])

    a = fixed.integrate(rate, [0.3, 0], time)[0]
    return [2 / (6 * math.pi) * math.sin(6 * math.pi * time) + 0.5 * math.sin(a), 0, -0.5 * math.cos(a)]


def sprung(time):
    """The pendulum with a spring of 20 N m about 0.5 rad and a damper of 0.5 N m s; angle below the horizontal."""
    def rate(_, y):
        return np.array([y[1], 3 * (G / 2 * math.cos(y[0]) - 20 * (y[0] - 0.5) - 0.5 * y[1])])

    a = fixed.integrate(rate, [0, 0], time)[0]
    return [0.5 * math.cos(a), 0, -0.5 * math.sin(a)]


def rolled_down(time, angle=0.3):
    """A cylinder that rolls down a slope; gravity leans instead."""
    return [G * math.sin(angle) * time**2 / 3, 0, 0.1]


# ---- problems --------------------------------------------------------------------------------------


def spherical():
    scene = fixed.linkage([(0, 0), (1, 0)], False)
    scene["bodies"][0].update(inertia=[1e-6, 1 / 12, 1 / 12], velocity=[0, 1.5, 0], spin=[0, 0, 3])
    scene["joints"] = [{"kind": "spherical", "b": "bar0", "frame": {"position": [0, 0, 0]}}]
    return scene


def tumbling():
    return {"bodies": [fixed.box("box", list(TUMBLING["half"]), [0, 0, 0], spin=list(TUMBLING["spin"]))]}


def pair():
    return fixed.on_floor(fixed.ball("large", 0.1, [0, 0, 1.1]), fixed.ball("small", 0.05, [0, 0, 1.55]), mu=0, restitution=0.9)


def throw():
    return fixed.on_floor(fixed.ball("ball", 0.1, [0, 0, 0.5], velocity=[2, 0, -1]), mu=0.2, restitution=0.6)


def driven():
    a = 0.3
    scene = {"bodies": [{**fixed.bar("bar", (0, 0), (math.sin(a), -math.cos(a))), "velocity": [2, 0, 0]},
                        {"name": "hand", "motion": "kinematic", "position": [0, 0, 0],
                         "drive": {"velocity": [{"sine": {"amplitude": 2, "frequency": 3, "phase": math.pi / 2}}, 0, 0]}}],
             "joints": [fixed.hinge("hand", "bar", (0, 0))]}
    return scene


def spring():
    scene = fixed.linkage([(0, 0), (1, 0)], False)
    scene["joints"][0]["spring"] = {"stiffness": 20, "damping": 0.5, "rest": 0.5}
    return scene


def cylinder():
    angle = 0.3
    roller = {"name": "roller", "shape": {"kind": "cylinder", "radius": 0.1, "half_length": 0.1}, "position": [0, 0, 0.1],
              "rotation": {"axis": [1, 0, 0], "angle": math.pi / 2}}
    return {"gravity": [G * math.sin(angle), 0, -G * math.cos(angle)], **fixed.on_floor(roller, mu=0.6)}


class Problem:
    def __init__(self, name, scene, body, size, time, steps, exact=None, point=(0, 0, 0), events=False):
        self.name, self.scene, self.body, self.size = name, scene, body, size
        self.time, self.steps, self.exact, self.point, self.events = time, steps, exact, point, events


def of_fixed(name, size):
    _, scene, body, time, steps, closed, events = next(p for p in fixed.PROBLEMS if p[0] == name)
    return Problem(name, scene, body, size, time, steps, closed, events=events)


PROBLEMS = [
    of_fixed("pendulum", 0.5),
    of_fixed("double pendulum", 0.5),
    of_fixed("chain of 20", 0.05),
    of_fixed("slider-crank", 0.1),
    of_fixed("spinning top", 0.15),
    of_fixed("sliding block", math.sqrt(0.03)),
    of_fixed("slide to roll", 0.1),
    of_fixed("bouncing ball", 0.1),
    of_fixed("rocking block", math.sqrt(0.42)),
    of_fixed("dominoes", math.sqrt(0.0126)),
    of_fixed("tilted box", math.sqrt(0.06)),
    of_fixed("ball on ball", 0.2),
    of_fixed("bowl", 0.1),
    of_fixed("Painleve's rod", 0.505),
]

HELD_OUT = [
    Problem("spherical pendulum", spherical(), "bar0", 0.5, 2, 240, circled),
    Problem("tumbling box", tumbling(), "box", math.sqrt(0.14), 3, 360, tumbled, (0, 0, 0.3)),
    Problem("two balls dropped", pair(), "small", 0.05, 1.5, 180, dropped_pair),
    Problem("ball thrown at the floor", throw(), "ball", 0.1, 0.9, 108, thrown),
    Problem("pendulum on a shaken pivot", driven(), "bar", 0.5, 2, 240, shaken),
    Problem("pendulum with spring and damper", spring(), "bar0", 0.5, 2, 240, sprung),
    Problem("cylinder that rolls down", cylinder(), "roller", math.sqrt(0.02), 1, 120, rolled_down),
]


# ---- runs ------------------------------------------------------------------------------------------


class Runs:
    def __init__(self, command, work):
        self.command, self.work = command, Path(work)

    def start(self, problem, arguments, output="out.h5", frame=None):
        path = self.work / "scene.json"
        path.write_text(json.dumps({"voussoir": 1, **problem.scene}))
        done = subprocess.run([self.command, "run", str(path), "--duration", repr(problem.time), "--frame",
                               repr(frame or problem.time), "--json", "--quiet", "-o", str(self.work / output), *arguments],
                              stdout=subprocess.PIPE, check=False)
        summary = json.loads(done.stdout)
        if summary["error"]:
            raise RuntimeError(f"{problem.name}: {summary['error']}")
        return summary

    def end(self, problem, arguments):
        summary = self.start(problem, arguments)
        with h5py.File(self.work / "out.h5") as file:
            names = [n.decode() if isinstance(n, bytes) else n for n in file["bodies/name"][()]]
            pose = file["state/pose"][-1][names.index(problem.body)]
        return pose[:3] + turn(pose[3:], problem.point), summary

    def controlled(self, problem, accuracy):
        return self.end(problem, ["--accuracy", repr(accuracy), "--step", repr(whole_step(problem))])

    def equal_steps(self, problem, steps):
        """The same scheme with steps that nothing shortens: an accuracy of 0.1 accepts all of them."""
        return self.end(problem, ["--accuracy", "0.1", "--step", repr(problem.time / steps), "--tolerance", "1e-11"])

    def finest(self, problem):
        step = problem.time / round(problem.time / fixed.LONGEST)
        position, summary = self.end(problem, ["--accuracy", repr(fixed.REFERENCE), "--step", repr(step)])
        if summary["forced_steps"]:
            raise RuntimeError(f"{problem.name}: the reference has forced steps")
        return position, summary

    def shake(self, problem, steps):
        return self.end(problem, ["--scheme", "shake", "--step", repr(problem.time / steps), "--tolerance", "1e-8"])

    def moreau(self, problem, steps):
        return self.end(problem, ["--step", repr(problem.time / steps), "--tolerance", "1e-8"])


def whole_step(problem):
    return problem.time / round(problem.time / LONGEST)


def find_reference(runs, problem):
    if problem.exact:
        return np.array(problem.exact(problem.time))
    return runs.finest(problem)[0] if problem.events else runs.shake(problem, FINEST * problem.steps)[0]


def moreau_levels(runs, problem, exact):
    """Errors and numbers of contact problems."""
    found = []
    for factor in MOREAU:
        position, summary = runs.moreau(problem, factor * problem.steps)
        found.append((float(np.linalg.norm(position - exact)), summary["problems"]))
    return found


def problems_needed(levels, error):
    """Contact problems that Moreau's scheme needs for an error; `extrapolated`: more than it was run with."""
    errors, costs = np.log([x[0] for x in levels]), np.log([x[1] for x in levels])
    slope, offset = np.polyfit(costs, errors, 1)
    slope = min(slope, -0.3)  # errors that do not fall have no order
    needed = math.exp((math.log(error) - np.mean(errors)) / slope + np.mean(costs))
    return needed, needed > levels[-1][1]


def rows(runs, problem):
    exact = find_reference(runs, problem)
    levels = moreau_levels(runs, problem, exact)
    for accuracy in ACCURACIES:
        position, s = runs.controlled(problem, accuracy)
        error = float(np.linalg.norm(position - exact))
        needed, beyond = problems_needed(levels, max(error, LEAST * accuracy * problem.size))
        yield (f"| {problem.name} | {accuracy:.0e} | {error:.1e} | {error / (accuracy * problem.size):.2f} | {s['problems']} | "
               f"{s['controlled_steps']} | {s['rejected_steps']} | {s['events']} | {s['forced_steps']} | "
               f"{'about ' if beyond else ''}{needed:.1e} | {needed / s['problems']:.0f} |")


def order_row(runs, problem):
    """Errors with n, 2 n and 4 n equal steps, and the observed order."""
    exact = find_reference(runs, problem)
    errors = [float(np.linalg.norm(runs.equal_steps(problem, factor * problem.steps)[0] - exact)) for factor in (1, 2, 4)]
    return (f"| {problem.name} | {problem.steps} | " + " | ".join(f"{e:.1e}" for e in errors) +
            f" | {math.log2(errors[0] / errors[2]) / 2:.2f} |")


def check_bits(runs, problem):
    """Threads, frames and a resume at a step that the name of the problem chooses."""
    step = ["--accuracy", "1e-3", "--step", repr(whole_step(problem) / 4)]
    whole = runs.start(problem, step)["hash"]
    same = [runs.start(problem, [*step, "--threads", str(n)])["hash"] == whole for n in (2, 4)]
    same.append(runs.start(problem, step, frame=whole_step(problem) / 4)["hash"] == whole)
    begun = problem.time * (0.2 + 0.6 * (sum(map(ord, problem.name)) % 97) / 97)
    checkpoint = ["--checkpoint", str(runs.work / "state.ck")]
    runs.start(problem, [*step, "--duration", repr(begun), *checkpoint], output="resumed.h5")
    same.append(runs.start(problem, [*step, *checkpoint, "--resume"], output="resumed.h5")["hash"] == whole)
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--output", help="write the table to this file, too")
    parser.add_argument("--problem", help="only this one")
    parser.add_argument("--held-out", action="store_true", help="those held out instead")
    parser.add_argument("--order", action="store_true", help="only the order with equal steps, of problems without events")
    parser.add_argument("--bits", action="store_true", help="only check the bits")
    given = parser.parse_args()
    chosen = [p for p in (HELD_OUT if given.held_out else PROBLEMS) if given.problem in (None, p.name)]
    table = ["| problem | a | error, m | error / (a L) | problems | steps | rejected | events | forced | `moreau`: problems | ratio |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(given.command, work)
        if given.order:
            print("| problem | n | error, m: n | 2 n | 4 n | order |\n|---|---|---|---|---|---|")
            for problem in chosen:
                if not problem.events:
                    print(order_row(runs, problem), flush=True)
            return
        for problem in chosen:
            for row in [] if given.bits else rows(runs, problem):
                print(row, flush=True)
                table.append(row)
        different = [p.name for p in chosen if not all(check_bits(runs, p))]
    table.append(f"\nSame bits with 1, 2 and 4 threads, any frames, and after a resume: {len(chosen) - len(different)} of "
                 f"{len(chosen)} problems{' but ' + ', '.join(different) if different else ''}.")
    print(table[-1])
    if given.output:
        Path(given.output).write_text("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
