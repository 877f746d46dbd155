"""``python -m voussoir`` runs the command of the wheel, or the installed one: ``python -m voussoir run arch -o arch.h5``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn, Optional


def find_command() -> Optional[str]:
    """The command inside of the package, else the one on PATH."""
    inside = Path(__file__).resolve().parent / "bin" / ("voussoir.exe" if sys.platform == "win32" else "voussoir")
    return str(inside) if os.access(inside, os.X_OK) else shutil.which("voussoir")


def main() -> NoReturn:
    command = find_command()
    if not command:
        raise SystemExit("python -m voussoir: this package has no command, and there is none on PATH; install the package "
                         "'voussoir' of your system, or a wheel of a release")
    if sys.platform == "win32":  # there, exec() returns to the shell before the program ends
        sys.exit(subprocess.call([command, *sys.argv[1:]]))
    os.execv(command, ["voussoir", *sys.argv[1:]])


if __name__ == "__main__":
    main()
