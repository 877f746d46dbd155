#!/usr/bin/python3
"""Compares results with the bits they had when the fingerprints were recorded.

usage: tests/system/test_fingerprints.py COMMAND DATA [--record] [-v]

    COMMAND   the voussoir command of a build
    DATA      the folder that holds problems/, piles/ and steps/; may be missing: then only scenes are compared
    --record  write the fingerprints instead of comparing them; the commit that does so says why they changed
    -v        print the seconds that each one took

A fingerprint is a hash of all bits of a result: the impulses of a solved problem (several solvers, forms and friction
models), the final state of every named scene (the same for 1 and 2 threads), a checkpoint file, the datasets of a
trajectory. Restructuring must not change any of them.

They hold for the kernels of one BLAS core type, which the test selects, and for processors with FMA instructions, which
the functions of libm use. On other processors the test is skipped (exit code 77).
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

CORE = "Haswell"
STORED = pathlib.Path(__file__).with_name("fingerprints.json")

# File, options of `solve`. Every solver, form and friction model, on problems that take well under a second.
EXACT = ["problems/Capsules-i100-889", "problems/BoxesStack1-i100000-32", "problems/Box_Stacks-i0122-82-5",
         "problems/CubeH8", "problems/GFC3D_TwoRods1", "problems/KaplasTower-i1061-4", "problems/Rover4609",
         "problems/Confeti-ex13-Fc3D-SBM", "problems/LMGC_100_PR_PerioBox-i00361-60-03000",
         "problems/spheres-in-a-box-98-i10000-256-10", "problems/OneObject-i100000-499", "piles/pile-00064"]
CONVEX = ["problems/Capsules-i100-889", "problems/GFC3D_TwoRods1", "problems/LMGC_GlobalFrictionContactProblem00046",
          "problems/KaplasTower-i1061-4", "piles/pile-00064"]
GLOBAL = ["problems/GFC3D_TwoRods1", "problems/GFC3D_Example00_badly_scaled", "piles/pile-00280"]
SIMPLE = ["problems/Rover4609", "problems/OneObject-i100000-499", "problems/GFC3D_Example1", "problems/GFC3D_TwoRods1", "problems/CubeH8",
          "problems/Box_Stacks-i0122-82-5"]
METHODS = ["--method gauss-seidel", "--method gauss-seidel --sweep symmetric",
           "--method gauss-seidel --sweep coloured --threads 2", "--method gauss-seidel --relaxation 1.2",
           "--method jacobi", "--method apgd", "--method spg", "--method admm", "--method barrier",
           "--method pivoting", "--method lemke", "--method ipm"]
FORMS = ["--form velocity", "--form augmented", "--form impulse", "--form velocity --linear-solver mumps-single",
         "--linear-solver ldl", "--linear-solver cholmod", "--start nocedal", "--start dapuzzo"]
SOLVES = [
    *((file, "") for file in EXACT),
    *((file, "--tolerance 1e-12") for file in EXACT[:6]),
    *((file, f"--model {model}") for file in CONVEX for model in ("relaxed", "frictionless")),
    *((file, f"--model relaxed {form}") for file in GLOBAL for form in FORMS),
    *((file, f"{method} --tolerance 1e-4 --max-iterations 300") for file in SIMPLE for method in METHODS),
    *((file, f"--model relaxed {method} --tolerance 1e-4 --max-iterations 300") for file in CONVEX[-1:] for method in METHODS),
    ("piles/pile-00595", "--model relaxed"),
    ("piles/pile-01190", "--model relaxed --max-iterations 12"),
    ("piles/pile-01190", "--max-iterations 400"),
]
EVERY = 20  # captured steps: one in so many

# Every scene runs for this time; some reach their contacts later, or cost more.
SECONDS = 0.1
SCENE_SECONDS = {"balls-in-box": 1.0, "primitive-soup": 0.3, "hopper": 0.3, "chute": 0.3, "newton-cradle": 0.5,
                 "rotating-drum": 0.3, "three-point-bending": 0.03, "soft-gripper": 0.05, "rolling-ring": 0.05,
                 "elastic-foundation": 0.03, "folded-strip": 0.05, "rope-on-drum": 0.05, "bridge": 0.3,
                 "dome": 0.02, "barrel-vault": 0.05, "brick-tower": 0.05, "filled-bridge": 0.03, "groin-vault": 0.03}
VARIANTS = ["arch --model relaxed", "balls-in-box --model relaxed --set restitution=0.5 --duration 0.5",
            "brick-wall --set rows=12 --set columns=12 --duration 0.025", "domino --warm-start none --duration 0.2",
            "domino --duration 0.4", "kapla-tower --method gauss-seidel --tolerance 1e-6"]
RECORDED = "bridge --duration 0.3"  # its checkpoint and trajectory are compared
OWN = ("solver/seconds", "meta/version", "meta/software")  # datasets that differ from run to run or from version to version


def call(command, *arguments):
    """Standard output of the command. A refused problem (1) and a missed tolerance (3) are results, too."""
    done = subprocess.run([command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"voussoir {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode()


def parts_of(checkpoint):
    """The parts of a checkpoint (docs/formats.md), without that which names versions."""
    kept, at = b"", 24
    while at < len(checkpoint) - 4:  # the checksum
        size = 16 + struct.unpack_from("<Q", checkpoint, at + 8)[0]
        if checkpoint[at : at + 4] != b"SOFT":
            kept += checkpoint[at : at + size]
        at += size
    return kept


def digest(*parts):
    """Hash of texts and arrays."""
    sum_ = hashlib.sha256()
    for part in parts:
        sum_.update(part.encode() if isinstance(part, str) else numpy.ascontiguousarray(part).tobytes())
    return sum_.hexdigest()[:16]


def solved(command, path, options):
    """Impulses, status and iterations of a solve."""
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "out.hdf5")
        text = call(command, "solve", str(path), *options.split(), "--json", "--output", out)
        if not os.path.exists(out):
            return "refused"
        report = json.loads(text)
        with h5py.File(out) as file:
            parts = [file["solution"][name][()] for name in sorted(file["solution"])]
    return digest(report["status"], str(report["iterations"]), *parts)


def simulated(command, options):
    """Final state of a run, the same for 1 and 2 threads."""
    hashes = {json.loads(call(command, "run", *options.split(), "--threads", threads, "--json", "--quiet"))["hash"]
              for threads in ("1", "2")}
    return hashes.pop() if len(hashes) == 1 else f"1 and 2 threads differ: {sorted(hashes)}"


def recorded(command, options):
    """Checkpoint and datasets of a trajectory."""
    result = {}
    with tempfile.TemporaryDirectory() as work:
        trajectory, checkpoint = os.path.join(work, "t.h5"), os.path.join(work, "c.ck")
        call(command, "run", *options.split(), "--quiet", "--frame", "0", "-o", trajectory, "--checkpoint", checkpoint)
        with open(checkpoint, "rb") as file:
            content = file.read()
        result["checkpoint"] = hashlib.sha256(parts_of(content)).hexdigest()[:16]

        def add(name, item):
            if isinstance(item, h5py.Dataset) and name not in OWN:
                text = item.dtype.hasobject
                result[f"dataset {name}"] = digest(str(item[()].tolist()) if text else item[()])

        with h5py.File(trajectory) as file:
            file.visititems(add)
    return result


def tasks(command, data):
    """Name -> function, for all fingerprints that can be taken here."""
    found = {}
    if data.is_dir():
        steps = sorted((data / "steps").glob("*.hdf5"))[::EVERY]
        solves = SOLVES + [(f"steps/{step.stem}", "--tolerance 1e-6 --max-iterations 2000") for step in steps]
        for name, options in solves:
            path = data / f"{name}.hdf5"
            found[f"solve {name} {options}".strip()] = lambda p=path, o=options: solved(command, p, o)
    else:
        print(f"{data} is missing: problems are not compared, scenes are")
    scenes = [scene["name"] for scene in json.loads(call(command, "scenes", "--json"))]
    runs = [f"{name} --duration {SCENE_SECONDS.get(name, SECONDS)}" for name in scenes]
    for run in runs + [v if "--duration" in v else f"{v} --duration {SECONDS}" for v in VARIANTS]:
        found[f"run {run}"] = lambda o=run: simulated(command, o)
    found[f"record {RECORDED}"] = lambda: recorded(command, RECORDED)
    return found


def timed(function):
    begin = time.monotonic()
    return function(), time.monotonic() - begin


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
    flags = set(sys.argv[1:]) - set(arguments)
    if len(arguments) != 2 or flags - {"--record", "-v"}:
        sys.exit(__doc__)
    if not all(f" {flag} " in pathlib.Path("/proc/cpuinfo").read_text().replace("\n", " ") for flag in ("fma", "avx2")):
        print("skipped: this processor has no FMA or AVX2, the fingerprints were recorded with both")
        sys.exit(77)
    os.environ.update(OPENBLAS_CORETYPE=CORE, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

    work = tasks(arguments[0], pathlib.Path(arguments[1]))
    now = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, (result, seconds) in zip(work, pool.map(timed, work.values())):
            now.update({name: result} if isinstance(result, str) else {f"{name}: {k}": v for k, v in result.items()})
            if "-v" in flags:
                print(f"{seconds:7.2f} s  {name}")
    if "--record" in flags:
        STORED.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n")
        print(f"{len(now)} fingerprints recorded in {STORED}")
        return
    then = json.loads(STORED.read_text())
    changed = [name for name in now if now[name] != then.get(name)]
    for name in changed:
        print(f"CHANGED: {name}: {then.get(name, 'not recorded')} -> {now[name]}")
    # Without the data, only those of scenes can be missing.
    missing = [name for name in then
               if name not in now and (pathlib.Path(arguments[1]).is_dir() or not name.startswith("solve "))]
    for name in missing:
        print(f"MISSING: {name} was recorded and is no longer compared")
    print(f"{len(now)} fingerprints, {len(changed)} changed, {len(missing)} missing")
    sys.exit(1 if changed or missing or not now else 0)


if __name__ == "__main__":
    main()
