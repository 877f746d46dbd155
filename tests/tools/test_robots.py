"""tools/try_robots.py loads models, says which fail and why, and continues where it was stopped.

Run: test_robots.py COMMAND [ARCHIVE]. With an archive of public models it also loads some of them; without, that part is
skipped and says so.
"""

import json
import os
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROBOT = """<mujoco><option cone="elliptic"/><worldbody><body name="arm" pos="0 0 1"><joint name="j" axis="0 1 0"/>
<geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/></body></worldbody>
<actuator><position joint="j" kp="500" kv="50"/></actuator>
<keyframe><key name="home" qpos=".2" ctrl=".2"/></keyframe></mujoco>"""


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def try_robots(command, archive, *more):
    line = [sys.executable, os.path.join(ROOT, "tools", "try_robots.py"), archive, "--command", command, *more]
    return subprocess.run(line, capture_output=True, text=True)


def check_own_models(command):
    with tempfile.TemporaryDirectory() as scratch:
        models, kept = os.path.join(scratch, "in"), os.path.join(scratch, "kept")
        write(os.path.join(models, "good"), "scene.xml", '<mujoco><include file="arm.xml"/></mujoco>')
        write(os.path.join(models, "good"), "arm.xml", ROBOT)
        write(os.path.join(models, "bad"), "scene_left.xml", '<mujoco><include file="absent.xml"/></mujoco>')
        archive = os.path.join(scratch, "robots.tar.xz")
        with tarfile.open(archive, "w:xz") as file:
            file.add(models, arcname=".")
        done = try_robots(command, archive, "--seconds", "0.02", "--keep", kept, "--verbose")
        assert done.returncode == 1, done
        assert "1 of 2 load" in done.stdout, done.stdout
        assert "bad: scene_left.xml:1: <include>: there is no file" in done.stdout, done.stdout
        assert "good: scene.xml: cone: without meaning" in done.stdout, done.stdout
        row = next(line for line in done.stdout.splitlines() if line.startswith("| good"))
        assert row.split("|")[2:4] == [" yes ", " home "] and " 10 | 0 |" in row, row
        # What is kept is not tried again.
        with open(kept) as file:
            results = [json.loads(line) for line in file]
        assert len(results) == 2
        with open(kept, "w") as file:
            file.write(json.dumps({"bad": dict(results[0]["bad"], loads=True, error=None)}) + '\n{"good": {"cut')
        done = try_robots(command, archive, "--seconds", "0.02", "--keep", kept)
        assert done.returncode == 0 and "2 of 2 load" in done.stdout, done
        assert try_robots(command, os.path.join(scratch, "none")).returncode == 2


def check_archive(command, archive):
    done = try_robots(command, archive, "--seconds", "0.004", "--only", "unitree_z1", "low_cost_robot_arm", "dynamixel")
    assert done.returncode == 0 and "3 of 3 load" in done.stdout, done.stdout + done.stderr


def main():
    check_own_models(sys.argv[1])
    archive = sys.argv[2] if len(sys.argv) > 2 else ""
    if not os.path.exists(archive):
        print(f"skipped: public models; there is no archive '{archive}'")
        return 77
    check_archive(sys.argv[1], archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())
