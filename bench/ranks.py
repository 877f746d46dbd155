#!/usr/bin/python3
"""ranks.py --data FOLDER [--voussoir COMMAND] [--voussoir-mpi COMMAND] [--only problems,piles,scenes,kill,traffic,weak]
[--ranks 1,2,3,4] [--balls 10000] [--steps 20] [--output FILE.md]

Exact friction over ranks, beside one process.

    problems    the public contact problems (FOLDER/problems) to 1e-8: which are solved, and how far their velocities are apart
    piles       piles of 64 to 1190 spheres (FOLDER/piles), the same
    scenes      100 steps of four scenes at the default tolerance: largest difference in velocity
    kill        a rank is killed; the run is resumed on other numbers of ranks and compared with one that was not interrupted
    traffic     exchanges, sums, messages and bytes of 500 sweeps, beside the model of docs/scale.md
    weak        --balls bodies per rank on 1, 2 and 4 ranks, --steps steps: contacts, ghosts, bytes, iterations per rank

Differences are relative to the largest velocity without impulses. Where velocities differ, both programs solve the problem (of a scene:
the captured step) again, to 1e-11: if both meet it and stay apart, Coulomb's law has several solutions there, and the line says so.
Minutes each; weak takes the longest. Exit code 1 if a line is outside of what is written next to it.
"""

import argparse
import math
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

SCENES = ("arch", "brick-wall", "balls-in-box", "bridge")
NEAR = 1e-4  # m/s: beyond it runs have had different solutions of a step, and drift apart
PROOF = 1e-11  # tolerance to which two solutions are certified


class Table:
    def __init__(self, title, *columns):
        self.lines, self.good = [f"\n## {title}\n", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)], True
        print("\n".join(self.lines), flush=True)

    def add(self, good, *cells):
        cells = [f"{x:.2g}" if isinstance(x, float) else str(x) for x in cells] + ([] if good else ["outside"])
        self.lines.append("| " + " | ".join(cells) + " |")
        self.good = self.good and good
        print(self.lines[-1], flush=True)


def start(args, ranks, *words):
    """One process for 0 ranks."""
    launch = [args.mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", str(ranks), args.voussoir_mpi]
    environment = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen([*map(str, launch if ranks else [args.voussoir]), *map(str, words)], env=environment, text=True,
                            cwd=args.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def call(args, ranks, *words):
    job = start(args, ranks, *words)
    out, error = job.communicate()
    return job.returncode, out, error


# ---- problems and piles ----------------------------------------------------------------------------------------------------


def solution(path, problem):
    """Velocities and their scale: in the local form those of contacts."""
    with h5py.File(path) as file, h5py.File(problem) as given:
        if "fclib_local" in given:
            return file["solution/u"][:], abs(given["fclib_local/vectors/q"][:]).max()
        return file["solution/v"][:], abs(file["solution/v"][:]).max()


def difference_of(args, folders, problem):
    (one, scale), (other, _) = (solution(args.folder / folder / problem.name, problem) for folder in folders)
    return float(abs(one - other).max() / (scale or 1))


def find_two(args, problem, ranks):
    """One process and ranks, both to PROOF: how far apart are their solutions? And the larger natural map; infinite if one is not solved."""
    errors = []
    for count, folder in ((0, "one/"), (ranks, "other/")):
        out = call(args, count, "solve", problem, "--tolerance", PROOF, "--output", folder)[1]
        errors.append(float(re.search(r"natural map +(\S+) relative", out).group(1)) if "tolerance met" in out else math.inf)
    return difference_of(args, ("one", "other"), problem), max(errors)


def compare_problems(args, name, tolerance, limit):
    files = sorted((args.data / name).glob("*.hdf5"))
    if name == "piles":
        files = [f for f in files if int(f.stem.split("-")[1]) <= 1190]
    table = Table(f"{len(files)} {name} to {tolerance:g}", "ranks", "solved", "gathered", f"within {limit:g}", "largest difference", "next", "of",
                  f"two solutions, both to {PROOF:g}")  # fmt: skip
    call(args, 0, "solve", *files, "--tolerance", tolerance, "--output", f"{name}-0/")
    for ranks in args.ranks:
        out = call(args, ranks, "solve", *files, "--tolerance", tolerance, "--output", f"{name}-{ranks}/")[1]
        found = sorted(((difference_of(args, (f"{name}-0", f"{name}-{ranks}"), file), file) for file in files), reverse=True)
        far = [file for difference, file in found if difference > limit]
        proofs = [find_two(args, file, ranks) for file in far]
        proven = [file.stem for file, (apart, error) in zip(far, proofs) if apart > limit and error <= PROOF]
        solved = out.count("tolerance met")
        table.add(solved == len(files) and len(proven) == len(far), ranks, solved, len(re.findall(r"gathered \(", out)), len(files) - len(far),
                  found[0][0], found[1][0], f"{found[0][1].stem}, {found[1][1].stem}", ", ".join(proven) or "-")  # fmt: skip
    return table


def problems(args):
    return compare_problems(args, "problems", 1e-8, 1e-6)


def piles(args):
    return compare_problems(args, "piles", 1e-8, 1e-6)


# ---- scenes ----------------------------------------------------------------------------------------------------------------


def velocities(path):
    with h5py.File(path) as file:
        return file["time"][:], file["state/velocity"][:]


def capture(args, scene, step):
    """The problem of a step, from a run of one process."""
    call(args, 0, "run", scene, "--duration", step / 240, "--capture", f"every {step} steps", "-o", f"step-{scene}.h5", "--quiet")
    return args.folder / f"step-{scene}-{step:06}.hdf5"


def scenes(args):
    table = Table("100 steps of scenes at the default tolerance", "scene", *(f"{n} ranks: m/s" for n in args.ranks), f"steps until {NEAR:g} m/s",
                  "inaccurate steps", f"the next step, both to {PROOF:g}")  # fmt: skip
    for scene in SCENES:
        found, flawed = [], 0
        for ranks in [0, *args.ranks]:
            code = call(args, ranks, "run", scene, "--duration", 100 / 240, "--frame", 1 / 240, "-o", f"{scene}-{ranks}.h5", "--quiet")[0]
            flawed += code == 3
            found.append(velocities(args.folder / f"{scene}-{ranks}.h5")[1])
        apart = numpy.array([abs(v - found[0]).reshape(len(v), -1).max(axis=1) for v in found[1:]])
        first = int(numpy.argmax(apart.max(axis=0) > NEAR)) if (apart > NEAR).any() else 101
        apart_there, error = find_two(args, capture(args, scene, first), max(args.ranks)) if first < 101 else (math.inf, 0)
        good = flawed == 0 and apart_there > NEAR and error <= PROOF
        text = "-" if first == 101 else f"two solutions, {apart_there:.2g} apart" if good else f"{apart_there:.2g} apart, {error:.2g}"
        table.add(good, scene, *(float(x) for x in apart[:, :first].max(axis=1)), min(first - 1, 100), f"in {flawed} runs", text)
    return table


# ---- a killed rank ---------------------------------------------------------------------------------------------------------


def kill(args):
    """Bricks that stand in a wall; each step to 1e-8."""
    table = Table("A rank of three is killed", "resumed on", "steps before", "steps after", "frames missing", "largest difference, m/s")
    given = ["brick-wall", "--tolerance", 1e-8, "--frame", 1 / 240, "--quiet"]
    job = start(args, 3, "run", *given, "--duration", 1000, "-o", "killed.h5", "--checkpoint", "killed.ck", "--checkpoint-every", 1)
    while not (args.folder / "killed.ck").exists() and job.poll() is None:
        time.sleep(0.2)
    time.sleep(2)
    ranks = subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True, check=False).stdout.split()
    if job.poll() is not None or not ranks:
        sys.exit(f"ranks.py: kill: the job ended by itself: {job.stderr.read()}")
    os.kill(int(ranks[-1]), signal.SIGKILL)
    job.wait()
    before = round(240 * struct.unpack_from("<d", (args.folder / "killed.ck").read_bytes(), 40)[0])  # the first field of its first part
    for resumed in (0, 2, 4):
        for kind in ("h5", "ck"):
            (args.folder / f"go.{kind}").write_bytes((args.folder / f"killed.{kind}").read_bytes())
        end = (before + 50) / 240
        call(args, resumed, "run", *given, "--duration", end, "-o", "go.h5", "--checkpoint", "go.ck", "--resume")
        if resumed == 0:
            call(args, 0, "run", *given, "--duration", end, "-o", "whole.h5")
            whole = velocities(args.folder / "whole.h5")
        times, v = velocities(args.folder / "go.h5")
        missing = len(whole[0]) - len(times)
        difference = float(abs(v[-1] - whole[1][-1]).max())
        table.add(missing == 0 and difference < 1e-6 and job.returncode != 0, f"{resumed or 1}{'' if resumed else ' (voussoir)'}", before, 50, missing, difference)
    return table


# ---- traffic ---------------------------------------------------------------------------------------------------------------


def traffic(args):
    """Model: one exchange per sweep and 0.2 sums (four per evaluation, every 20 sweeps); 16 bytes per ghost velocity, six velocities for
    each body that contacts of two ranks touch, at most one such body per cut contact: at most 96 bytes."""
    table = Table("500 sweeps, beside the model", "pile", "ranks", "contacts cut", "exchanges per sweep (model 1)", "sums (model 0.2)",
                  "messages of all ranks (at most 4 per pair of ranks)", "bytes per cut contact (model: at most 96)")  # fmt: skip
    for name in ("pile-01190", "pile-05000"):
        for ranks in (2, 4):
            out = call(args, ranks, "solve", args.data / "piles" / f"{name}.hdf5", "--max-iterations", 500)[1]
            cut = int(re.search(r"(\d+) contacts shared", out).group(1))
            one = re.search(r"([\d.]+) exchanges.* and ([\d.]+) reductions per iteration; (\d+) messages, ([\d.]+) bytes", out)
            exchanges, sums, messages, size = (float(x) for x in one.groups())
            good = 1 <= exchanges <= 1.1 and sums <= 0.3 and messages <= 4 * ranks * (ranks - 1) / 2 and size <= 96
            table.add(good, name, ranks, cut, exchanges, sums, int(messages), size)
    return table


# ---- weak scaling ----------------------------------------------------------------------------------------------------------


def weak(args):
    table = Table(f"{args.balls} balls per rank, {args.steps} steps of balls that fall into a box", "ranks", "bodies per rank", "contacts per rank",
                  "ghosts per rank", "bytes of states per rank and step", "contacts per step", "iterations per step", "inaccurate steps")  # fmt: skip
    for ranks in (1, 2, 4):
        given = ["balls-in-box", "--set", f"count={args.balls * ranks}", "--set", f"side={(args.balls * ranks * 0.0024) ** (1 / 3)}", "--set", "radius=0.07",
                 "--duration", args.steps / 240, "--quiet"]  # fmt: skip
        out = call(args, ranks, "run", *given)[1]
        part = re.search(r"(\d+) to (\d+) bodies and (\d+) to (\d+) contacts per rank at the end, (\d+) ghost bodies", out)
        size = re.search(r"([\d.e+]+) bytes of states per step", out)
        step = re.search(r"steps +\d+ of [\d.]+ s; ([\d.]+) contacts .* and ([\d.]+) iterations per step", out)
        flawed = re.search(r"inaccurate steps +(\w+)", out).group(1)
        least, most, few, many, ghosts = part.groups()
        table.add(int(most) <= 1.25 * args.balls, ranks, f"{least} to {most}", f"{few} to {many}", int(ghosts) / ranks,
                  float(size.group(1)) / ranks if size else 0, *step.groups(), flawed)  # fmt: skip
    return table


PARTS = {"problems": problems, "piles": piles, "scenes": scenes, "kill": kill, "traffic": traffic, "weak": weak}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voussoir", default=shutil.which("voussoir") or "voussoir", type=os.path.abspath)
    parser.add_argument("--voussoir-mpi", default=shutil.which("voussoir-mpi") or "voussoir-mpi", type=os.path.abspath)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--ranks", default="1,2,3,4", type=lambda text: [int(x) for x in text.split(",")])
    parser.add_argument("--balls", type=int, default=10000)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--output", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        args.folder = pathlib.Path(folder)
        tables = [PARTS[name](args) for name in args.only.split(",")]
    if args.output:
        with open(args.output, "w", encoding="utf-8") as file:
            print("# Exact friction over ranks\n\nWritten by `bench/ranks.py`.", *(line for table in tables for line in table.lines), sep="\n", file=file)
    return 0 if all(table.good for table in tables) else 1


if __name__ == "__main__":
    sys.exit(main())
