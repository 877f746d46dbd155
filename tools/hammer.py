#!/usr/bin/python3
"""Interrupts `voussoir run` in every way that a machine does, and checks that nothing is lost and nothing blocks.

usage: hammer.py COMMAND [--kills N] [--full N] [--folders N] [--writers N] [--seed S] [--laws L]
                 [--keep]

    --kills N    kill -9 at random moments, also of runs that continue a killed one; default 200. They go round over
                 brick-wall and the scenes of hammer_scenes.py, one for each law that remembers something
    --laws L     only these of hammer_scenes.py, separated by commas; default all
    --full N     disks that are full after a random number of bytes; default 50
    --folders N  folders that are missing, removed, renamed or read-only, at random moments; default 50
    --writers N  runs started together with one name for all; default 20
    --seed S     of the random moments, default 1
    --keep       keep the folder of a case that failed

Each case is a run with a trajectory (one frame per step) and checkpoints as often as possible. Afterwards
  * every frame that a reader saw before, and every frame up to the checkpoint, is in the file, bit for bit that of an
    uninterrupted run;
  * the run continues (or starts again, if there was no checkpoint), and its trajectory and final state are bit for bit
    those of an uninterrupted run;
  * no temporary file is left.
Wall times, the dataset solver/seconds, are not compared. A full disk is a limit on the size of files (RLIMIT_FSIZE),
which needs no rights, and every second time a small tmpfs where mounting is allowed. Folders are made read-only for
another user if the script runs as root, which permissions do not stop.

Prints one line per kind with its totals; exit code 1 if anything failed, 77 without h5py.
example: hammer.py build/dev/app/voussoir
"""
import argparse
import ctypes
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Optional

try:
    import h5py
    import numpy
except ImportError:
    print("hammer.py: h5py is missing (Debian: python3-h5py)")
    sys.exit(77)

from hammer_scenes import write_scenes

OPTIONS = ["--frame", "0", "--checkpoint-every", "1ms", "--quiet"]
DURATION, TOGETHER = 0.5, 2  # s, simulated: of a run, and of runs that must all begin before one of them ends
NOBODY = 65534
CHECKPOINT_TIME = 40  # byte of the time in a checkpoint (docs/formats.md)
LONG = 120  # s; a run takes less than one
TRIES = 20  # each 0.8 times earlier: the last at 1 % of the run
REASONS = ("Permission denied", "No such file or directory")


Done = "subprocess.CompletedProcess[str]"


class Defect(Exception):
    """What was found to be wrong."""


def demand(good: bool, what: str) -> None:
    if not good:
        raise Defect(what)


# ---- files --------------------------------------------------------------------------------------------------------


class Library:
    """Recovery of trajectories, by the library that the command uses."""

    def __init__(self, command: str) -> None:
        listed = subprocess.run(["ldd", command], capture_output=True, text=True, check=True).stdout
        found = re.search(r"libvoussoir\.so\S* => (\S+)", listed)
        if not found:
            sys.exit(f"hammer.py: {command} does not use libvoussoir.so")
        self.library = ctypes.CDLL(found.group(1))
        self.library.vs_context_get_error_text.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.library.vs_context_create(None, ctypes.byref(self.context))

    def recover(self, path: Path) -> None:
        if self.library.vs_trajectory_recover(self.context, os.fsencode(path), None) != 0:
            raise Defect(f"not recoverable: {self.library.vs_context_get_error_text(self.context).decode()}")


def read_frames(path: Path) -> "dict[str, numpy.ndarray]":
    """All datasets but wall times. "growing" lists those that have one row per frame or contact."""
    data: "dict[str, numpy.ndarray]" = {}
    growing = []

    def take(name: str, item: "h5py.Dataset | h5py.Group") -> None:
        if isinstance(item, h5py.Dataset) and name != "solver/seconds":
            data[name] = item[()]
            if item.maxshape and item.maxshape[0] is None:
                growing.append(name)

    with h5py.File(path, "r") as file:
        file.visititems(take)
    data["growing"] = numpy.array(sorted(growing))
    return data


def compare_frames(data: "dict[str, numpy.ndarray]", whole: "dict[str, numpy.ndarray]") -> int:
    """Demands that `data` begins like `whole`; the number of its frames."""
    demand(data.keys() == whole.keys(), "other datasets")
    frames = len(data["time"])
    rows = {name: frames for name in whole["growing"]}
    for name in rows:
        if name.startswith("contacts/"):
            rows[name] = int(whole["contacts/offset"][frames])
    rows["contacts/offset"] = frames + 1
    for name, values in whole.items():
        wanted = values[: rows[name]] if name in rows else values
        got = data[name][: rows[name]] if name in rows else data[name]
        demand(got.shape == wanted.shape and got.tobytes() == wanted.tobytes(), f"{name} differs")
    return frames


def seen_frames(path: Path) -> int:
    """Frames that a reader of a growing file sees; 0 if it comes at a bad moment."""
    try:
        with h5py.File(path, "r", libver="latest", swmr=True) as file:
            return len(file["time"])
    except (OSError, KeyError, RuntimeError):
        return 0


def leftovers(folder: Path) -> "list[str]":
    return sorted(path.name for path in folder.rglob("*voussoir-tmp*")) if folder.exists() else []


class Reference:
    """A scene, and its uninterrupted run."""

    def __init__(self, scene: str) -> None:
        self.scene = scene
        self.seconds = 0.0
        self.code = 0  # 3: some steps missed the tolerance
        self.state = ""
        self.whole: "dict[str, numpy.ndarray]" = {}
        self.bytes = 0


# ---- runs ---------------------------------------------------------------------------------------------------------


class Hammer:
    def __init__(self, options: argparse.Namespace, home: Path) -> None:
        self.command = str(Path(options.command).resolve())
        self.library = Library(self.command)
        self.home = home
        self.random = random.Random(options.seed)
        self.keep = options.keep
        self.cases = self.failed = self.killed = self.mounted = 0
        self.user: "Optional[int]" = None  # that runs the command; None: this one
        laws = write_scenes(self.folder("scenes"))
        wanted = options.laws.split(",") if options.laws else list(laws)
        self.laws = [Reference(str(laws[law])) for law in wanted]
        self.laws.append(Reference("brick-wall"))
        self.use(self.laws[-1])

    def use(self, reference: Reference) -> None:
        """The scene of the next cases."""
        self.reference = reference
        if reference.whole:
            return
        folder = self.folder(f"reference-{Path(reference.scene).stem}")
        start = time.monotonic()
        done = self.run(folder)
        reference.seconds = time.monotonic() - start
        if done.returncode not in (0, 3):
            sys.exit(f"hammer.py: no reference of {reference.scene}: {done.stderr}")
        reference.code = done.returncode
        reference.state = json.loads(done.stdout)["hash"]
        reference.whole = read_frames(folder / "run.h5")
        reference.bytes = (folder / "run.h5").stat().st_size

    def folder(self, name: str) -> Path:
        path = self.home / name
        path.mkdir(mode=0o755)
        return path

    def line(self, folder: Path, resume: bool, duration: float) -> "list[str]":
        files = ["-o", str(folder / "run.h5"), "--checkpoint", str(folder / "run.ck"), "--duration", str(duration)]
        return [self.command, "run", self.reference.scene, *OPTIONS, "--json", *files, *(["--resume"] if resume else [])]

    def start(self, folder: Path, resume: bool = False, limit: "Optional[int]" = None,
              duration: float = DURATION) -> "subprocess.Popen[str]":
        def prepare() -> None:
            if limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writes then fail, as on a full disk
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            if self.user is not None:
                os.setgroups([])
                os.setgid(self.user)
                os.setuid(self.user)

        return subprocess.Popen(self.line(folder, resume, duration), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, preexec_fn=prepare)

    def end(self, process: "subprocess.Popen[str]") -> Done:
        out, err = process.communicate(timeout=LONG)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def run(self, folder: Path, resume: bool = False, limit: "Optional[int]" = None) -> Done:
        return self.end(self.start(folder, resume, limit))

    def wait(self, most: float) -> None:
        time.sleep(self.random.uniform(0, most) * self.reference.seconds)

    def check_interrupted(self, folder: Path, seen: int) -> None:
        """The files of a run that has ended early. They are not changed: the next run recovers them."""
        trajectory, checkpoint = folder / "run.h5", folder / "run.ck"
        if not trajectory.exists():
            demand(seen == 0 and not checkpoint.exists(), "the trajectory has disappeared")
            return
        copy = self.home / "copy.h5"
        shutil.copyfile(trajectory, copy)
        self.library.recover(copy)
        data = read_frames(copy)
        frames = compare_frames(data, self.reference.whole)
        demand(frames >= seen, f"a reader saw {seen} frames, {frames} are left")
        if checkpoint.exists():
            (reached,) = struct.unpack_from("<d", checkpoint.read_bytes(), CHECKPOINT_TIME)
            demand(frames > 0 and data["time"][-1] >= reached, "frames before the checkpoint are missing")

    def finish(self, folder: Path) -> None:
        """Continues a run to its end."""
        done = self.run(folder, resume=(folder / "run.ck").exists())
        demand(done.returncode == self.reference.code, f"does not continue: exit code {done.returncode}: {done.stderr}")
        self.check_whole(folder, done)

    def check_whole(self, folder: Path, done: Done) -> None:
        demand(json.loads(done.stdout)["hash"] == self.reference.state, "another final state")
        frames = compare_frames(read_frames(folder / "run.h5"), self.reference.whole)
        demand(frames == len(self.reference.whole["time"]), f"{frames} frames of {len(self.reference.whole['time'])}")
        demand(not leftovers(folder), f"leftovers: {leftovers(folder)}")

    def demand_error(self, done: Done) -> None:
        demand(done.returncode == 2, f"exit code {done.returncode} instead of 2: {done.stderr}")
        demand(len(done.stderr.splitlines()) == 1, f"not one message: {done.stderr}")
        demand(json.loads(done.stdout)["output"] is None or "run.ck" in done.stderr, "reported as written")

    def case(self, name: str, work: "Callable[[Path], None]") -> None:
        """One case in a folder of its own."""
        self.cases += 1
        folder = self.folder(f"{name}-{self.cases}")
        try:
            work(folder)
        except (Defect, OSError, ValueError, subprocess.SubprocessError) as defect:
            self.failed += 1
            print(f"FAILED: {folder.name}: {defect}", flush=True)
            if self.keep:
                return
        shutil.rmtree(folder, ignore_errors=True)

    # ---- kinds of cases ---------------------------------------------------------------------------------------

    def kill(self, folder: Path, most: int) -> None:
        """A run that is killed and continued until it ends by itself, or until there were `most` kills in total."""
        while self.killed < most:
            process = self.start(folder, resume=(folder / "run.ck").exists())
            self.wait(0.9)
            seen = seen_frames(folder / "run.h5") if self.random.random() < 0.5 else 0
            process.kill()
            done = self.end(process)
            if done.returncode != -signal.SIGKILL:
                demand(done.returncode == self.reference.code, f"exit code {done.returncode}: {done.stderr}")
                self.check_whole(folder, done)
                return
            self.killed += 1
            self.check_interrupted(folder, seen)
        self.finish(folder)

    def kills(self, count: int) -> str:
        before = self.cases
        while self.killed < count:
            self.use(self.laws[(self.cases - before) % len(self.laws)])
            self.case(f"kill-{Path(self.reference.scene).stem}", lambda folder: self.kill(folder, count))
        scenes = min(self.cases - before, len(self.laws))
        self.use(self.laws[-1])
        return f"{self.killed} kills in {self.cases - before} runs of {scenes} scenes"

    def fill_limited(self, folder: Path) -> None:
        done = self.run(folder, limit=self.random.randrange(self.reference.bytes * 98 // 100))
        self.demand_error(done)
        demand(not leftovers(folder), f"leftovers: {leftovers(folder)}")
        self.check_interrupted(folder, 0)
        self.finish(folder)

    def fill_mounted(self, folder: Path) -> None:
        size = self.random.randrange(1, self.reference.bytes * 98 // 100 // 1024)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "hammer", str(folder)]
        if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.fill_limited(folder)
            return
        try:
            self.demand_error(self.run(folder))
            demand(not leftovers(folder), f"leftovers: {leftovers(folder)}")
            self.check_interrupted(folder, 0)
            subprocess.run(["mount", "-o", "remount,size=1g", str(folder)], check=True)
            self.finish(folder)
            self.mounted += 1
        finally:
            subprocess.run(["umount", str(folder)], check=True)

    def full(self, count: int) -> str:
        for k in range(count):
            self.case("full", self.fill_mounted if k % 2 else self.fill_limited)
        return f"{count} full disks, {self.mounted} of them file systems without space"

    def missing(self, folder: Path) -> None:
        folder.rmdir()
        self.demand_error(self.run(folder))
        demand(not folder.exists(), "the folder was created")
        folder.mkdir()
        self.finish(folder)

    def disturb(self, folder: Path, change: "Callable[[], object]", undo: "Callable[[], object]") -> None:
        """A run that ends with an error because of a change. One that came too late is undone and made earlier."""
        for _ in range(TRIES):
            process = self.start(folder)
            self.wait(0.8)
            change()
            done = self.end(process)
            if done.returncode != 0:
                self.demand_error(done)
                demand(any(reason in done.stderr for reason in REASONS), f"another reason: {done.stderr}")
                return
            undo()
            self.reference.seconds *= 0.8
        raise Defect("the change was not noticed")

    def remove(self, folder: Path) -> None:
        while folder.exists():  # the command may create files meanwhile
            folder.chmod(0o755)
            shutil.rmtree(folder, ignore_errors=True)

    def empty(self, folder: Path) -> None:
        """Makes the folder as it was at the beginning, for the user that runs the command."""
        self.remove(folder)
        folder.mkdir(mode=0o755)
        if self.user is not None:
            os.chown(folder, self.user, self.user)

    def removed(self, folder: Path) -> None:
        self.disturb(folder, lambda: self.remove(folder), lambda: self.empty(folder))
        self.empty(folder)
        self.finish(folder)

    def renamed(self, folder: Path) -> None:
        other = self.home / "renamed"

        def undo() -> None:
            other.rename(folder)
            self.empty(folder)

        self.disturb(folder, lambda: folder.rename(other), undo)
        try:
            self.check_interrupted(other, 0)
            self.finish(other)
        finally:
            other.rename(folder)

    def read_only(self, folder: Path) -> None:
        self.user = NOBODY if os.geteuid() == 0 else None
        try:
            self.empty(folder)
            self.disturb(folder, lambda: folder.chmod(0o555), lambda: self.empty(folder))
            self.check_interrupted(folder, 0)
            folder.chmod(0o755)
            self.finish(folder)
        finally:
            self.user = None

    def folders(self, count: int) -> str:
        kinds = [self.read_only, self.removed, self.renamed, self.missing]
        for k in range(count):
            self.case("folder", kinds[k % len(kinds)])
        return f"{count} folders read-only, removed, renamed or missing"

    def write_together(self, folder: Path, count: int) -> None:
        """One succeeds and its file is whole; the others are refused: a second success would have lost frames."""
        processes = [self.start(folder, duration=TOGETHER) for _ in range(count)]
        good = 0
        for process in processes:
            done = self.end(process)
            refused = done.returncode == 2 and "being written by another process" in done.stderr
            demand(done.returncode == 0 or refused, f"exit code {done.returncode}: {done.stderr}")
            good += done.returncode == 0
        demand(good == 1, f"{good} writers succeeded")
        demand(not leftovers(folder), f"leftovers: {leftovers(folder)}")
        compare_frames(self.reference.whole, read_frames(folder / "run.h5"))  # which continues after the reference ends
        done = self.run(folder)
        demand(done.returncode == 0, f"the name is blocked: {done.stderr}")
        self.check_whole(folder, done)

    def writers(self, count: int) -> str:
        self.case("writers", lambda folder: self.write_together(folder, count))
        return f"{count} writers of one name"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    for name, default in (("kills", 200), ("full", 50), ("folders", 50), ("writers", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--laws", default="")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="hammer-"))
    home.chmod(0o755)
    hammer = Hammer(options, home)
    for kind in (hammer.kills, hammer.full, hammer.folders, hammer.writers):
        before, start = hammer.failed, time.monotonic()
        count = getattr(options, kind.__name__)
        if count > 0:
            text = kind(count)
            print(f"{text}: {hammer.failed - before} failed ({time.monotonic() - start:.0f} s)", flush=True)
    if not (hammer.failed and options.keep):
        shutil.rmtree(home, ignore_errors=True)
    else:
        print(f"kept: {home}")
    return hammer.failed > 0


if __name__ == "__main__":
    sys.exit(main())
