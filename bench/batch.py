#!/usr/bin/python3
"""Batches of quadrupeds: steps per second, memory per world, snapshots; needs the Python package.

    bench/batch.py [--worlds 1,16,256] [--steps 250] [--threads 2]

Every world is python/examples/quadruped.xml with servos, standing; the targets change at random every 10 steps of 1 ms. Time
is wall time and, beside it, processor time of the process, by which a busy machine is recognized. All worlds get the same
commands, and the bits of each world of every batch, and of a batch with one thread, must be those of a world alone; otherwise
the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from pathlib import Path
from typing import List, Set, Tuple

import numpy as np

import voussoir

MODEL = Path(__file__).resolve().parents[1] / "python" / "examples" / "quadruped.xml"


def make(worlds: int, threads: int) -> voussoir.Batch:
    batch = voussoir.Batch(MODEL, worlds, threads=threads, keyframe="home")
    for simulation in batch:
        for joint in simulation.world.joints:
            joint.gains, joint.target = (120.0, 3.0), joint.coordinate
    return batch


def run(batch: voussoir.Batch, steps: int, seed: int = 1) -> Tuple[int, List[Set[int]]]:
    """Inaccurate steps, and after every call the hashes of all worlds, each once."""
    random = np.random.default_rng(seed)
    home, inaccurate, hashes = batch.joint_motion()[0, :, 0], 0, []
    for _ in range(steps // 10):
        batch.command_targets(np.broadcast_to(home + random.uniform(-0.1, 0.1, len(home)), (len(batch), len(home))))
        inaccurate += int(batch.step(10)["inaccurate"].sum())
        hashes.append({hash(state.tobytes()) for state in batch.states()})
    return inaccurate, hashes


def microseconds(function, times: int = 200) -> float:  # type: ignore[no-untyped-def]
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        taken.append(time.perf_counter() - start)
    return 1e6 * statistics.median(taken)


def resident() -> int:
    """Bytes of the process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", default="1,16,256")
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()

    alone, same = run(make(1, 1), options.steps)[1], True
    print("| worlds | threads | steps/s | steps per processor second | memory per world | inaccurate | bits |")
    print("|---|---|---|---|---|---|---|")
    for worlds in (int(word) for word in options.worlds.split(",")):
        for threads in sorted({1, min(options.threads, worlds)}):
            before = resident()
            batch = make(worlds, threads)
            start, used = time.perf_counter(), time.process_time()
            inaccurate, hashes = run(batch, options.steps)
            taken, used = time.perf_counter() - start, time.process_time() - used
            equal, count = hashes == alone, worlds * (options.steps // 10) * 10
            same = same and equal
            memory = (resident() - before) / worlds / 1024
            print(
                f"| {worlds} | {threads} | {count / taken:.0f} | {count / used:.0f} | {memory:.0f} kB | {inaccurate} | "
                f"{'equal' if equal else 'DIFFERENT'} |",
                flush=True,
            )
            del batch
    batch = make(1, 1)
    run(batch, 50)
    saved = batch[0].snapshot()
    print(
        f"\nA state has {len(saved)} bytes; saving takes {microseconds(batch[0].snapshot):.1f} us, "
        f"restoring {microseconds(lambda: batch[0].restore(saved)):.1f} us (median of 200, called from Python)."
    )
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
