#!/usr/bin/env python3
"""Processor time per step of MJCF models: voussoir beside MuJoCo (Debian: libmujoco2.2.2).

    bench/robots.py VOUSSOIR FOLDER... [--duration 0.5] [--mujoco libmujoco.so.2.2.2]

A FOLDER holds one model, as those of MuJoCo Menagerie: scene.xml, or another file if FOLDER is a file. Both start at the
reference pose without control. voussoir: median and largest step, exact friction at the default tolerance. MuJoCo: mean
of 1000 steps; a dash where it does not read the file or the library is missing. Its version is older than many models:
it reads a copy without textures, the choice of an integrator and attributes that it does not know, such as gains of velocities.
"""

import argparse
import csv
import ctypes
import os
import re
import statistics
import subprocess
import tempfile
import time


def run_voussoir(program, path, duration, limit):
    """Rows of the log, or the first line of the error."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.csv")
        command = [program, "run", os.path.basename(path), "--duration", str(duration), "-o", "/dev/null", "--log", log]
        command = ["timeout", "-s", "INT", str(limit)] + command + ["--quiet"]
        done = subprocess.run(command, cwd=os.path.dirname(path), capture_output=True, text=True, check=False)
        if not os.path.exists(log):
            return None, (done.stderr.strip().splitlines() or ["no result"])[-1]
        with open(log, encoding="utf-8") as lines:
            return list(csv.DictReader(lines)), ""


def copy_without(folder, to, attributes):
    """Links to the files of a model; in XML without textures and without these attributes."""
    for name in os.listdir(folder):
        path = os.path.join(to, name)
        if os.path.lexists(path):
            os.remove(path)
        if not name.endswith(".xml"):
            os.symlink(os.path.join(folder, name), path)
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = re.sub(r"<texture[^>]*/>", "", file.read())
        for attribute in attributes:
            text = re.sub(rf'\s{attribute}="[^"]*"', "", text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def load_mujoco(mujoco, path):
    """A model, or None."""
    error = ctypes.create_string_buffer(1000)
    attributes = ["texture", "integrator"]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(20):
            copy_without(os.path.dirname(path), folder, attributes)
            model = mujoco.mj_loadXML(os.path.join(folder, os.path.basename(path)).encode(), None, error, len(error))
            unknown = re.search(rb"unrecognized attribute: '(\w+)'", error.value)
            if model or not unknown:
                return model
            attributes.append(unknown.group(1).decode())
    return None


def run_mujoco(library, path, steps):
    """Microseconds per step, or None."""
    try:
        mujoco = ctypes.CDLL(library)
    except OSError:
        return None
    for name in ("mj_loadXML", "mj_makeData"):
        getattr(mujoco, name).restype = ctypes.c_void_p
    model = load_mujoco(mujoco, path)
    if not model:
        return None
    model = ctypes.c_void_p(model)
    data = ctypes.c_void_p(mujoco.mj_makeData(model))
    begin = time.process_time()
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return 1e6 * (time.process_time() - begin) / steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("voussoir")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--duration", type=float, default=0.5)
    parser.add_argument("--limit", type=float, default=30, help="s per model")
    parser.add_argument("--mujoco", default="libmujoco.so.2.2.2")
    options = parser.parse_args()
    print("| model | steps | contacts | iterations | inaccurate | median us | largest us | MuJoCo us |")
    print("|---|---|---|---|---|---|---|---|")
    for folder in options.folders:
        path = os.path.abspath(folder if folder.endswith(".xml") else os.path.join(folder, "scene.xml"))
        rows, reason = run_voussoir(os.path.abspath(options.voussoir), path, options.duration, options.limit)
        name = os.path.basename(os.path.dirname(path))
        if not rows:
            print(f"| {name} | {reason} |", flush=True)
            continue
        other = run_mujoco(options.mujoco, path, 1000)
        times = [1e6 * float(row["processor (s)"]) for row in rows]
        mean = {key: statistics.fmean(float(row[key]) for row in rows) for key in ("contacts", "iterations")}
        bad = sum(row["status"] != "converged" for row in rows)
        print(f"| {name} | {len(rows)} | {mean['contacts']:.1f} | {mean['iterations']:.1f} | {bad} | "
              f"{statistics.median(times):.0f} | {max(times):.0f} | {f'{other:.0f}' if other else '-'} |", flush=True)


if __name__ == "__main__":
    main()
