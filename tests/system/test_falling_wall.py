#!/usr/bin/python3
"""test_falling_wall.py VOUSSOIR: a wall of 128 bricks that falls meets its tolerance in every step, with few factorizations.

Its impulses have to be redistributed by per cents from step to step, which the proximal point method alone does contact by contact:
440 factorizations in these steps, 139 with the interior point method around a centre.
"""

import json
import os
import subprocess
import sys
import tempfile

COMMAND = os.path.abspath(sys.argv[1])
WALL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "wall.py")
MOST = 300  # factorizations


def main():
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "wall.json")
        with open(scene, "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, WALL, "8", "16", "--opening"], stdout=file, check=True)
        ran = subprocess.run([COMMAND, "run", scene, "--set", "gx=4.905", "--set", "gz=-8.495709", "--duration", "0.1", "--json", "--quiet",
                              "-o", "/dev/null"], capture_output=True, text=True, check=False)
        if ran.returncode:
            sys.exit(f"exit code {ran.returncode}: {ran.stderr}")
        run = json.loads(ran.stdout)
    solved = {stage["name"]: stage["solved"] for stage in run["stages"]}
    print(f"{run['steps']} steps, {run['inaccurate_steps']} inaccurate, {run['factorizations']} factorizations, {solved}")
    good = run["inaccurate_steps"] == 0 and run["factorizations"] <= MOST and solved.get("interior-centre", 0) > 0
    sys.exit(0 if good else "more factorizations than expected, or inaccurate steps")


if __name__ == "__main__":
    main()
