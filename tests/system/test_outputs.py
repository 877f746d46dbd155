#!/usr/bin/python3
"""Outputs harm nothing: they go to what the user named, never onto an input, and are complete or absent.

usage: test_outputs.py COMMAND

Links are followed, devices and FIFOs stay what they are, inputs are refused, a full disk leaves the old file and
nothing else, leftovers of killed writers are removed, files of living writers are not.
A full disk is a limit on the size of files (RLIMIT_FSIZE): it needs no rights, so that it works in any container.
"""
import fcntl
import glob
import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import checks
from checks import check

COMMAND = str(Path(sys.argv[1]).resolve())
SUFFIX = ".voussoir-tmp"
SCENE = {
    "voussoir": 1,
    "shapes": {"stone": {"kind": "file", "path": "stone.obj"}},
    "bodies": [
        {"name": "floor", "motion": "static", "shape": {"kind": "plane"}},
        {"name": "stone", "position": [0, 0, 0.5], "shape": "stone"},
    ],
    "output": {"duration": 0.1},
}
STONE = "".join(f"v {x} {y} {z}\n" for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5))
STONE += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"


def run(*words: object, limit: "int | None" = None) -> "subprocess.CompletedProcess[str]":
    """The command; `limit`: bytes that a file may have."""

    def shrink() -> None:
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writes then fail, as on a full disk
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=600, preexec_fn=shrink)


def said(done: "subprocess.CompletedProcess[str]") -> str:
    return f"{' '.join(done.args[1:])}: exit code {done.returncode}: {done.stdout[-300:]}{done.stderr[:400]}"


def leftovers() -> "list[str]":
    return sorted(str(path) for path in Path().rglob("*") if SUFFIX in path.name or ".tmp" in path.name)


def writers(out: object) -> "list[tuple[object, ...]]":
    """One command line per kind of output."""
    return [
        ("run", "scene.json", "--quiet", "-o", out),
        ("run", "scene.json", "--quiet", "--checkpoint", out),
        ("convert", "problem.hdf5", out),
        ("solve", "problem.hdf5", "--output", out),
        ("export", "run.h5", "-o", f"{out}.glb"),
    ]


def name_of(line: "tuple[object, ...]") -> Path:
    return Path(str(line[-1]))


def prepare() -> None:
    Path("scene.json").write_text(json.dumps(SCENE))
    Path("stone.obj").write_text(STONE)
    done = run("run", "scene.json", "--quiet", "-o", "run.h5", "--checkpoint", "run.ck", "--capture", "every 20 steps")
    check(done.returncode == 0, "no run:", said(done))
    os.rename("run-000020.hdf5", "problem.hdf5")


# ---- what the user named ------------------------------------------------------------------------------------------


def links_are_followed() -> None:
    for line in writers("link"):
        link, target = name_of(line), Path("elsewhere", "target")
        target.parent.mkdir()
        link.symlink_to("chain")
        Path("chain").symlink_to(target)  # relative, and dangling
        for state in ("new", "replaced"):
            done = run(*line)
            check(done.returncode == 0, state, said(done))
            check(link.is_symlink() and target.is_file() and not target.is_symlink(), "link replaced:", said(done))
            check(target.exists() and target.stat().st_size > 100, "nothing written:", said(done))
        for path in (link, Path("chain")):
            path.unlink()
        shutil.rmtree(target.parent)
    Path("loop").symlink_to("loop")
    done = run("convert", "problem.hdf5", "loop")
    check(done.returncode == 2 and "Too many levels" in done.stderr, said(done))
    done = run("info", "loop")
    check(done.returncode == 2 and "does not exist" not in done.stderr, said(done))
    Path("loop").unlink()


def make_device(path: str, minor: int) -> bool:
    """A null (3) or full (7) device of our own: a mistake must not cost the machine's. False without the rights."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        with open(path, "wb"):
            return True
    except OSError:
        if os.path.exists(path):
            os.unlink(path)
        return False


def the_null_device_stays_one() -> None:
    for name in ("null", "null.glb", "null.xdmf"):
        if not make_device(name, 3):
            return
    for line in writers("null"):
        done = run(*line)
        check(done.returncode == 0, said(done))
        check(stat.S_ISCHR(name_of(line).stat().st_mode), "device replaced:", said(done))
    done = run("export", "run.h5", "null.xdmf")
    check(done.returncode == 1 and "not a regular file" in done.stderr, said(done))
    for name in ("null", "null.glb", "null.xdmf"):
        os.unlink(name)


def captures_are_not_put_beside_a_device() -> None:
    """A folder stands for /dev: what lies beside a device is not ours."""
    Path("devices").mkdir()
    if not make_device("devices/null", 3):
        return
    done = run("run", "scene.json", "--quiet", "-o", "devices/null", "--capture", "every 20 steps")
    check(done.returncode == 0, "captures beside a device", said(done))
    check(os.listdir("devices") == ["null"], "beside the device", os.listdir("devices"))
    check(len(glob.glob("*-000020.hdf5")) > 0, "captures in the current folder", os.listdir("."))


def fifos_receive_the_bytes() -> None:
    for line in writers("fifo"):
        fifo = name_of(line)
        os.mkfifo(fifo)
        got: "list[bytes]" = []
        trajectory = "-o" in line and line[0] == "run"
        reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()), daemon=True)
        if not trajectory:
            reader.start()
        done = run(*line)
        check(stat.S_ISFIFO(fifo.lstat().st_mode), "FIFO replaced:", said(done))
        if trajectory:
            check(done.returncode == 2 and "not a regular file" in done.stderr, said(done))
        elif stat.S_ISFIFO(fifo.lstat().st_mode):
            reader.join(10)
            fifo.unlink()
            run(*line)
            check(done.returncode == 0 and got == [fifo.read_bytes()], "other bytes through a FIFO:", said(done))
        fifo.unlink()


def a_reader_that_goes_leaves_no_file() -> None:
    os.mkfifo("fifo")
    scratch = Path("scratch")
    scratch.mkdir()
    os.environ["TMPDIR"] = str(scratch.resolve())
    reader = threading.Thread(target=lambda: open("fifo", "rb").close(), daemon=True)
    reader.start()
    done = run("convert", "problem.hdf5", "fifo")
    reader.join(10)
    del os.environ["TMPDIR"]
    check(done.returncode in (0, 2, -signal.SIGPIPE), said(done))
    check(not list(scratch.iterdir()), "left in TMPDIR:", list(scratch.iterdir()))


def permissions_are_kept() -> None:
    for line in writers("kept"):
        path = name_of(line)
        path.write_bytes(b"old")
        path.chmod(0o600)
        done = run(*line)
        check(done.returncode == 0 and stat.S_IMODE(path.stat().st_mode) == 0o600, "permissions:", said(done))
        if os.geteuid() != 0:
            path.chmod(0o400)
            done = run(*line)
            check(done.returncode == 2 and "Permission denied" in done.stderr, "protected file:", said(done))
        path.unlink()


# ---- inputs -------------------------------------------------------------------------------------------------------


# Every option by which a command writes, with a line that uses it: IN is the scene or what was made of it, OUT the
# output, DIR the folder of the output. The test fails if a help text has an option for a file that is not listed here.
OUTPUTS = {
    "run": [("--output", ("run", "IN", "-o", "OUT")), ("--checkpoint", ("run", "IN", "--checkpoint", "OUT")),
            ("--damage", ("run", "IN", "--damage", "OUT")), ("--log", ("run", "IN", "--log", "OUT"))],
    "statics": [("--output", ("statics", "IN", "-o", "OUT"))],
    "limit": [("--output", ("limit", "IN", "--load", "x", "-o", "OUT"))],
    "explain": [("--output", ("explain", "IN", "-o", "OUT"))],
    "import": [("--output", ("import", "stone.obj", "--ground", "-o", "OUT"))],
    "report": [("--output", ("report", "run.h5", "-o", "OUT.html"))],
    "view": [("--standalone", ("view", "IN", "--standalone", "OUT"))],
    "render": [("--output", ("render", "run.h5", "-o", "OUT.png"))],
    "plot": [("--output", ("plot", "run.h5", "energy", "-o", "OUT.svg")),
             ("--keep", ("plot", "DIR/figure.dat", "-o", "new.svg", "--keep", "DIR"))],
    "export": [("--output", ("export", "run.h5", "-o", "OUT.glb"))],
    "solve": [("--output", ("solve", "problem.hdf5", "--output", "OUT"))],
    "convert": [("OUT", ("convert", "problem.hdf5", "OUT"))],
    "sweep": [("--output", ("sweep", "IN", "--grid", "/bodies/1/position/2=0.5,0.6", "--quiet", "--output", "DIR"))],
    "find": [("--output", ("find", "IN", "--vary", "/bodies/1/position/2=0.5:0.6", "--quiet", "--output", "DIR"))],
    "compare": [("--output", ("compare", "IN", "--steps", "2", "--output", "DIR"))],
    "reproduce": [("--output", None)],  # reads no file of the user
    "collect": [("--output", None)],  # neither
}
READ = {"--table", "--initial", "--viewer", "--meshes", "--picture"}  # options of a file that is an input


def every_output_is_listed() -> None:
    commands = re.findall(r"^  ([a-z]+) ", run("help").stdout, re.MULTILINE)
    check("run" in commands and "limit" in commands, "no list of commands")
    for command in commands:
        said_ = run("help", command).stdout
        files = re.findall(r"^  (?:-o, (--[a-z]+)|(--[a-z]+) (?:[A-Z]+\.[a-z0-9]+|FILE|OUT|DIR|FOLDER|FIGURE)\b)", said_,
                           re.MULTILINE)
        known = {name for name, _ in OUTPUTS.get(command, [])} | READ
        found = {a or b for a, b in files}
        check(found <= known, f"help {command}: new options of files: {found - known}")


def names_of(target: str, kind: str, wanted: str) -> str:
    """A name for the file `target`, as itself or through a link; `wanted` is the name that the line needs."""
    path = Path(wanted)
    if kind == "itself":
        return target if Path(wanted).suffix in ("", Path(target).suffix) else ""
    path.parent.mkdir(exist_ok=True)
    if path.is_symlink() or path.exists():
        path.unlink()
    if kind == "symbolic link":
        path.symlink_to(Path(target).resolve())
    else:
        os.link(target, path)
    return wanted


def inputs_of(line: "tuple[str, ...]") -> "list[str]":
    if "IN" in line:
        return ["scene.json", "stone.obj", "quake.csv"]
    return [word for word in line if word in ("stone.obj", "run.h5", "problem.hdf5")] or ["quake.csv"]


def try_line(line: "tuple[str, ...]", target: str, kind: str) -> None:
    """One command whose output is the input `target`, or a link to it."""
    folder = {"sweep": ["sweep.json", "runs.csv", "runs.h5"], "find": ["sweep.json", "runs.csv", "runs.h5"],
              "compare": ["report.html", "results.csv", "results.json"], "plot": ["figure.dat"]}
    ending = next((Path(word).suffix for word in line if word.startswith("OUT")), "")
    wanted = [f"there/{name}" for name in folder[line[0]]] if "DIR" in line else [f"there/link{ending}"]
    for name in wanted:
        shutil.rmtree("there", ignore_errors=True)
        out = names_of(target, kind, name)
        if not out or ("DIR" in line and kind == "itself"):
            continue
        words = [w.replace("IN", "scene.json").replace("DIR", "there") if not w.startswith("OUT") else out for w in line]
        before = {p: Path(p).read_bytes() for p in INPUTS}
        done = run(*words)
        check(done.returncode == 1 and "overw" in done.stderr, f"{target} by {kind} {name}:", said(done))
        check(len(done.stderr.splitlines()) == 1, f"{target} by {kind} {name}:", said(done))
        for p, was in before.items():
            if Path(p).read_bytes() != was:
                check(False, f"{p} overwritten by {kind}:", said(done))
                Path(p).write_bytes(was)


INPUTS = ["scene.json", "stone.obj", "quake.csv", "run.h5", "problem.hdf5"]


def no_command_overwrites_an_input() -> None:
    scene = json.loads(json.dumps(SCENE))
    scene["bodies"].append({"name": "table", "motion": "kinematic", "shape": {"kind": "box", "size": [2, 2, 0.2]},
                            "position": [9, 0, 0],
                            "drive": {"acceleration": [{"file": "quake.csv", "column": 2}, 0, 0]}})
    Path("scene.json").write_text(json.dumps(scene))
    Path("quake.csv").write_text("0,0\n0.2,0.15\n0.4,-0.2\n0.6,0.1\n0.7,0\n")
    for lines in OUTPUTS.values():
        for _, line in lines:
            for target in inputs_of(line) if line else []:
                for kind in ("itself", "symbolic link", "hard link"):
                    try_line(line, target, kind)


def outputs_that_commands_name_themselves_are_refused() -> None:
    """A folder of results that holds an input, captures, default names, a table, and two outputs of one name."""
    Path("set").mkdir()
    Path("set", "runs.csv").write_text("/bodies/1/position/2\n0.5\n0.6\n")
    shutil.copy("run.h5", "picture.png")
    shutil.copy("run.h5", "figure.svg")
    captured = json.loads(json.dumps(SCENE))
    captured["shapes"]["stone"]["path"] = "new-000001.hdf5"
    shutil.copy("stone.obj", "new.obj")
    Path("new-000001.hdf5.obj").symlink_to("new-000020.hdf5")
    shutil.copy("stone.obj", "new-000020.hdf5")
    captured["shapes"]["stone"]["path"] = "new-000001.hdf5.obj"
    Path("captured.json").write_text(json.dumps(captured))
    inputs = ["run.h5", "scene.json", "picture.png", "figure.svg", "set/runs.csv", "new-000020.hdf5"]
    before = {name: Path(name).read_bytes() for name in inputs}
    for line in [
        ("run", "scene.json", "-o", "new.h5", "--checkpoint", "./new.h5"),
        ("run", "captured.json", "--quiet", "-o", "new.h5", "--capture", "every 20 steps"),
        ("solve", "problem.hdf5", "--output", "."),
        ("export", "run.h5", "run.xdmf"),
        ("render", "picture.png"),
        ("plot", "figure.svg", "energy"),
        ("sweep", "scene.json", "--table", "set/runs.csv", "--output", "set", "--quiet"),
    ]:
        done = run(*line)
        check(done.returncode == 1 and "overw" in done.stderr, said(done))
        for name, bytes_ in before.items():
            if Path(name).read_bytes() != bytes_:
                check(False, f"{name} overwritten:", said(done))
                Path(name).write_bytes(bytes_)


def a_solution_continues_its_own_file() -> None:
    for words in (("--output", "solved.hdf5"), ("--initial", "solved.hdf5", "--output", "solved.hdf5")):
        done = run("solve", "problem.hdf5", *words)
        check(done.returncode == 0, said(done))


def a_scene_name_is_no_file() -> None:
    for _ in range(2):
        done = run("run", "box", "--quiet", "--duration", "0.01", "-o", "box")
        check(done.returncode == 0, "an output with the name of a built-in scene:", said(done))


# ---- failures -----------------------------------------------------------------------------------------------------


def a_full_disk_leaves_the_old_file() -> None:
    for line in writers("full"):
        path = name_of(line)
        done = run(*line)
        old = path.read_bytes() if path.exists() else b""
        # A trajectory is in place before its frames are.
        growing = line[0] == "run" and "-o" in line
        for limit in sorted({0, 100, len(old) // 3, len(old) * 2 // 3, len(old) - 1}):
            done = run(*line, limit=limit)
            check(done.returncode == 2, f"limit {limit}:", said(done))
            check("written to" not in done.stdout, f"limit {limit}:", said(done))
            check("does not exist" not in done.stderr, f"limit {limit}:", said(done))
            check(len(done.stderr.splitlines()) == 1, f"limit {limit}:", said(done))
            check(growing or path.read_bytes() == old, f"limit {limit}: the old file changed:", said(done))
            check(not leftovers(), f"limit {limit}: leftovers {leftovers()}:", said(done))
        done = run(*line)
        check(done.returncode == 0, "after a full disk:", said(done))
        path.unlink()
    done = run("compare", "arch", "--steps", 5, "--output", "compared", limit=3000)
    check(done.returncode == 2 and "does not exist" not in done.stderr, said(done))
    if shutil.which("gnuplot"):
        done = run("plot", "run.h5", "energy", "-o", "half.svg", limit=3000)
        check(done.returncode == 2 and not Path("half.svg").exists(), "half a picture:", said(done))
    done = run("new", "mine", limit=100)
    check(done.returncode == 2 and not Path("mine.json").exists(), "half a scene left:", said(done))
    if make_device("device", 7):
        done = run("convert", "problem.hdf5", "device")
        check(done.returncode == 2 and "No space left" in done.stderr, said(done))
        check(stat.S_ISCHR(os.stat("device").st_mode), "device replaced:", said(done))


def only_what_is_missing_does_not_exist() -> None:
    for line in writers("nowhere/out"):
        done = run(*line)
        check(done.returncode == 2 and "cannot be created: No such file or directory" in done.stderr, said(done))
    for line in writers("scene.json/out"):
        done = run(*line)
        check(done.returncode == 2 and "Not a directory" in done.stderr, said(done))
    done = run("info", "none.h5")
    check(done.returncode == 2 and "does not exist" in done.stderr, said(done))
    done = run("info", "x" * 300)
    check(done.returncode == 2 and "does not exist" not in done.stderr, said(done))


def leftovers_of_the_dead_are_removed() -> None:
    for line in writers("name"):
        path = name_of(line)
        names = [Path(f"{path}{SUFFIX}{k}") for k in (0, 1, 2, 7)]
        for name in names:
            name.write_bytes(b"left by a writer that was killed")
        own = Path(f"{path}.tmp0")
        own.write_bytes(b"of the user")
        with open(names[1], "r+b") as alive:
            fcntl.lockf(alive, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
            done = run(*line)
            check(done.returncode == 0, said(done))
            left = [name.exists() for name in names]
            check(left == [False, True, False, False], "leftovers:", leftovers(), said(done))
        check(own.exists(), "a file of the user was removed:", said(done))
        names[1].unlink(missing_ok=True)
        own.unlink()
        path.unlink()


def a_file_that_is_being_written_is_not_replaced() -> None:
    busy = Path("busy")
    for line in writers("busy"):
        path = name_of(line)
        busy.write_bytes(b"frames")
        if path != busy:
            path.symlink_to(busy)
        with open(busy, "r+b") as alive:
            fcntl.lockf(alive, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
            done = run(*line)
        check(done.returncode == 2 and "being written by another process" in done.stderr, said(done))
        check(busy.read_bytes() == b"frames" and not leftovers(), "replaced:", said(done))
        if path != busy:
            path.unlink()
    busy.unlink()


def main() -> int:
    tests = [links_are_followed, the_null_device_stays_one, captures_are_not_put_beside_a_device, fifos_receive_the_bytes,
             a_reader_that_goes_leaves_no_file, permissions_are_kept,
             every_output_is_listed, no_command_overwrites_an_input,
             outputs_that_commands_name_themselves_are_refused, a_solution_continues_its_own_file,
             a_scene_name_is_no_file, a_full_disk_leaves_the_old_file, only_what_is_missing_does_not_exist,
             leftovers_of_the_dead_are_removed, a_file_that_is_being_written_is_not_replaced]
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            prepare()
            before = checks.failed
            try:
                test()
            except (OSError, subprocess.TimeoutExpired) as error:
                check(False, test.__name__, repr(error))
            print(f"{test.__name__}: {'failed' if checks.failed > before else 'good'}")
            os.chdir("/")
    print(checks.summary())
    return checks.failed > 0


if __name__ == "__main__":
    sys.exit(main())
