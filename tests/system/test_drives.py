"""Forces where designers look: angle, power, efficiency and wear of drives, and load cases in equilibrium.

usage: test_drives.py PROGRAM
"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
G, STEP = 9.81, 0.002

# A sledge of 2 kg is pulled over the floor by a car at 0.5 m/s; a motor winds a shaft at 3 rad/s against 4 N m, through a lever on which a
# second body is fixed, at an angle to everything.
SCENE = {
    "voussoir": 1,
    "step": STEP,
    "gravity": [0, 0, -G],
    "solver": {"tolerance": 1e-10},
    "materials": {"dry": {"mu": 0.3}},
    "bodies": [
        {"name": "floor", "motion": "static", "shape": {"kind": "plane", "material": "dry"}},
        {"name": "sledge", "position": [0, 0, 0.1], "mass": 2, "inertia": [0.1, 0.1, 0.1],
         "velocity": [0.5, 0, 0], "shape": {"kind": "box", "size": [0.4, 0.4, 0.2], "material": "dry"}},
        {"name": "car", "position": [1, 0, 0.1], "mass": 1, "inertia": [0.1, 0.1, 0.1], "velocity": [0.5, 0, 0]},
        {"name": "lever", "position": [0.3, 5, 1], "mass": 1, "inertia": [0.02, 0.03, 0.04]},
        {"name": "tip", "position": [0.7, 5.1, 1.2], "mass": 0.5, "inertia": [0.01, 0.01, 0.01]},
    ],
    "joints": [
        {"name": "pull", "kind": "prismatic", "b": "car", "frame": {"position": [1, 0, 0.1], "axis": [1, 0, 0]},
         "motor": {"speed": 0.5}},
        {"name": "rod", "kind": "distance", "a": "car", "b": "sledge", "length": 1},
        {"name": "shaft", "kind": "revolute", "b": "lever", "frame": {"position": [0, 5, 1], "axis": [0, 0, 1]},
         "motor": {"speed": 3}},
        {"name": "weld", "kind": "fixed", "a": "lever", "b": "tip", "frame": {"position": [0.5, 5, 1]}},
        {"name": "brake", "kind": "revolute", "b": "lever", "frame": {"position": [0, 5, 1], "axis": [0, 0, 1]},
         "motor": {"effort": -4}},
    ],
}  # fmt: skip


def command(*arguments, code=0):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def close(value, expected, tolerance, what):
    assert abs(value - expected) <= tolerance, f"{what}: {value}, expected {expected}"


def check_histories(run, folder):
    table = os.path.join(folder, "drives.csv")
    command("export", run, table, "angle:shaft", "travel:pull", "power:shaft", "power:pull", "wear:floor/sledge")
    rows = [[float(x) if x else math.nan for x in row] for row in read(table)[1:]]
    time, angle, travel, shaft, pull, wear = rows[-1]
    close(angle, 3 * time, 1e-9, "angle, beyond half a turn")
    assert angle > 3.5
    close(travel, 0.5 * time, 1e-9, "travel")
    # and, of steps of first order, half of omega^3 h times the moment of inertia of what turns off its axis
    late = 0.5 * 3**3 * STEP * (1 * 0.3**2 + 0.5 * (0.7**2 + 0.1**2))
    close(shaft, (4 + late) * 3, 1e-4, "power against a torque")
    close(pull, 0.3 * 2 * G * 0.5, 1e-5, "power against friction")
    close(wear, 2 * G * 0.5 * time, 1e-4, "wear")
    return time


def add_cross(sum_, x, f):
    sum_[3] += x[1] * f[2] - x[2] * f[1]
    sum_[4] += x[2] * f[0] - x[0] * f[2]
    sum_[5] += x[0] * f[1] - x[1] * f[0]


def check_loads(run, folder):
    table = os.path.join(folder, "loads.csv")
    command("export", run, table, "--loads")
    title, *rows = read(table)
    assert title[:5] == ["frame", "time (s)", "body", "load", "with"], title
    sums, balance = {}, {}
    for row in rows:
        key, number = (row[0], row[2]), [float(x) for x in row[5:]]
        total = sums.setdefault(key, [0.0] * 6 + [0.0])
        for k in range(3):
            total[k] += number[3 + k]
            total[3 + k] += number[6 + k]
            total[6] = max(total[6], abs(number[3 + k]), abs(number[6 + k]))
        add_cross(total, number[:3], number[3:6])
        if row[3] == "balance":
            balance[key] = number[3:]
    for key, total in sums.items():
        assert max(abs(x) for x in total[:6]) <= 1e-12 * total[6], (key, total)
    last = rows[-1][0]
    kinds = {(row[2], row[3], row[4]) for row in rows if row[0] == last}
    assert ("sledge", "contact", "floor") in kinds and ("lever", "joint", "weld") in kinds, kinds
    assert ("tip", "joint", "weld") in kinds and ("tip", "gravity", "") in kinds, kinds
    # At constant speed the sledge is in equilibrium; the tip on a circle has m omega^2 r outwards, in its own axes.
    assert max(abs(x) for x in balance[last, "sledge"]) < 1e-4, balance[last, "sledge"]
    force = balance[last, "tip"]
    close(math.hypot(force[0], force[1]), 0.5 * 9 * math.hypot(0.7, 0.1), 2e-2, "centrifugal force")
    close(math.atan2(force[1], force[0]), math.atan2(0.1, 0.7), 1e-2, "its direction in the body")


# A winch of two rough drums lifts 5 kg, whose body is turned: e^(mu pi) between its ends.
def check_tensions(folder):
    scene, run, table = (os.path.join(folder, "winch." + ending) for ending in ("json", "h5", "csv"))
    load = {"name": "load", "position": [-0.1, 0, -1], "mass": 5, "inertia": [0.1, 0.1, 0.1],
            "rotation": {"axis": [1, 2, 3], "angle": 1}}  # fmt: skip
    path = [{"body": "load"}, {"pulley": 0.1, "axis": [0, 1, 0], "mu": 0.1},
            {"position": [1, 0, 0], "pulley": 0.1, "axis": [0, 1, 0], "mu": 0.2}, {"position": [1.1, 0, -1]}]  # fmt: skip
    length = 2 * 1 + 1 + 0.1 * math.pi
    with open(scene, "w", encoding="utf-8") as file:
        json.dump({"voussoir": 1, "step": STEP, "bodies": [load],
                   "joints": [{"name": "rope", "kind": "cable", "path": path,
                               "length": f"{length} - 0.2 * t"}]}, file)  # fmt: skip
    command("run", scene, "--duration", "0.5", "-o", run, "--quiet")
    command("export", run, table, "tension:rope", "end-tension:rope", "velocity:load.z")
    _, first, last, speed = (float(x) for x in read(table)[-1])
    close(speed, 0.2, 1e-3, "speed of the winch")
    close(first, 5 * G, 0.1, "weight")
    close(last / first, math.exp(0.3 * math.pi / 2), 1e-3, "friction of both drums")


def check_refused(folder):
    scene, run = os.path.join(folder, "rope.json"), os.path.join(folder, "rope.h5")
    with open(scene, "w", encoding="utf-8") as file:
        json.dump({"voussoir": 1, "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1]}],
                   "joints": [{"name": "rope", "kind": "cable", "slack": 0,
                               "path": [{"position": [0, 0, 1]}, {"body": "ball"}]}]}, file)  # fmt: skip
    command("run", scene, "--duration", "0.05", "-o", run, "--quiet")
    said = command("export", run, os.path.join(folder, "rope.csv"), "--loads", code=2)
    assert "rope" in said and "cable" in said, said
    said = command("export", run, os.path.join(folder, "rope.csv"), "reaction:rope", code=2)
    assert "rope" in said and "tension:rope" in said, said
    assert not os.path.exists(os.path.join(folder, "rope.csv"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        scene, run = os.path.join(folder, "drives.json"), os.path.join(folder, "drives.h5")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(SCENE, file)
        command("run", scene, "--duration", "1.2", "--frame", "0", "-o", run, "--quiet")
        time = check_histories(run, folder)
        check_loads(run, folder)
        check_tensions(folder)
        check_refused(folder)
        print(f"drives: angle, travel, power, wear and load cases after {time:.3f} s")


main()
