#!/usr/bin/env python3
"""Does what a page of the documentation says, with the voussoir that is installed, in the current folder.

usage: tools/follow_page.py PAGE.md

Blocks ```sh are run by bash, ```python in one session for the page; a block after a line that ends with "`NAME`:" is
saved under that name. Blocks after a line "*Not run in CI: …*" are left out. Stops at the first failure. Needs nothing
but Python: it is meant for a fresh system (tools/try_packages.sh); tools/check_snippets.py checks more.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    session = {"__name__": "__page__"}
    done = 0
    for match in BLOCK.finditer(text):
        language, code = match.group(1), match.group(2)
        before = text[: match.start()].rstrip().rsplit("\n", 1)[-1]
        if before.startswith("*Not run in CI"):
            continue
        name = re.findall(r"`([\w./-]+)`", before) if before.endswith(":") else []
        if name and language not in ("sh", "output"):
            Path(name[-1]).write_text(code, encoding="utf-8")
            continue
        begin = time.monotonic()
        if language == "sh":
            failed = subprocess.run(["bash", "-euo", "pipefail", "-c", code]).returncode
            if failed:
                sys.exit(f"follow_page: exit code {failed} of:\n{code}")
        elif language == "python":
            exec(compile(code, sys.argv[1], "exec"), session)
        else:
            continue
        done += 1
        line = code.strip().split("\n")[0]
        print(f"follow_page: {time.monotonic() - begin:6.1f} s  {language}: {line[:90]}", flush=True)
    print(f"follow_page: {done} blocks of {sys.argv[1]}")
    sys.exit(0 if done else "follow_page: nothing to run")


if __name__ == "__main__":
    main()
