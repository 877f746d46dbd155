"""Builds the extension, and the library with it.

    VOUSSOIR_BUILD=DIR    take libvoussoir.so of this CMake build instead of making one
    VOUSSOIR_SYSTEM=1     link the installed library (pkg-config voussoir) and put none into the wheel
    VOUSSOIR_LIBRARY=FILE compile nothing: take this library (the target voussoir_python), which is loaded by its declarations
                          alone; the wheel is for any Python 3 of its platform (--plat-name win_amd64)
    VOUSSOIR_PREFIX=DIR   put the command and the viewer of this install prefix into the wheel (bin/voussoir, share/voussoir)

Everything else (names, dependencies, tools) stands in pyproject.toml.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

here = Path(__file__).resolve().parent
tree = here.parent


def version() -> str:
    text = (tree / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(voussoir\s+VERSION\s+([0-9.]+)", text)
    if not found:
        raise SystemExit("setup.py: no 'project(voussoir VERSION …' in ../CMakeLists.txt")
    return found.group(1)


def build_library(folder: Path) -> Path:
    """Makes the shared library with CMake, without tests and without the command."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DVOUSSOIR_TESTS=OFF", "-DVOUSSOIR_APP=OFF", "-DBUILD_SHARED_LIBS=ON"]
    subprocess.run(["cmake", "-S", str(tree), "-B", str(folder), *options], check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", str(folder), "--target", "voussoir", "-j", jobs], check=True)
    return folder


def installed_library() -> List[str]:
    """Where pkg-config says the installed library is, as options of the linker."""
    command = ["pkg-config", "--libs-only-L", "voussoir"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def add_command(prefix: Path, package: Path) -> None:
    """The command, its library in the folder above it, and the viewer where the command looks for it."""
    (package / "bin").mkdir(exist_ok=True)
    program = "voussoir.exe" if (prefix / "bin" / "voussoir.exe").exists() else "voussoir"
    shutil.copy2(prefix / "bin" / program, package / "bin")
    if (prefix / "share" / "voussoir").is_dir():
        shutil.copytree(prefix / "share" / "voussoir", package / "share" / "voussoir", dirs_exist_ok=True)


class build_with_library(build_ext):
    """Puts libvoussoir.so beside the extension, which looks for it there first."""

    def run(self) -> None:
        package = here / "voussoir" if self.inplace else Path(self.build_lib) / "voussoir"
        package.mkdir(parents=True, exist_ok=True)
        for old in package.glob("libvoussoir.so*"):
            old.unlink()
        if not self.inplace:
            shutil.copy2(tree / "LICENSE", package)
        if os.environ.get("VOUSSOIR_SYSTEM"):
            for extension in self.extensions:
                extension.extra_link_args += installed_library()
            super().run()
            return
        given = os.environ.get("VOUSSOIR_BUILD")
        folder = Path(given).resolve() if given else build_library(Path(self.build_temp).resolve() / "library")
        found = sorted(folder.glob("libvoussoir.so.[0-9]*"), key=lambda path: len(path.name))
        if not found:
            raise SystemExit(f"setup.py: there is no libvoussoir.so in {folder}; build the target 'voussoir' there")
        for extension in self.extensions:
            extension.library_dirs.append(str(folder))
            extension.include_dirs.append(str(folder / "include"))  # version.h
            extension.extra_link_args.append("-Wl,-rpath,$ORIGIN")
        super().run()
        shutil.copy2(found[0].resolve(), package / found[0].name)
        prefix = os.environ.get("VOUSSOIR_PREFIX")
        if prefix:
            add_command(Path(prefix).resolve(), package)


class build_with_declarations(build_py):
    """Puts the library and the module that declares it into the package."""

    def run(self) -> None:
        super().run()
        package = Path(self.build_lib) / "voussoir"
        runpy.run_path(str(here / "voussoir" / "_build.py"))["write_declarations"](package / "_declarations.py")
        shutil.copy2(os.environ["VOUSSOIR_LIBRARY"], package)
        shutil.copy2(tree / "LICENSE", package)
        prefix = os.environ.get("VOUSSOIR_PREFIX")
        if prefix:
            add_command(Path(prefix).resolve(), package)


def wheel_of_a_platform() -> Any:
    """A command that makes wheels for any Python 3, but one platform."""
    try:
        from setuptools.command.bdist_wheel import bdist_wheel
    except ImportError:  # setuptools before 70
        from wheel.bdist_wheel import bdist_wheel

    class command(bdist_wheel):
        def finalize_options(self) -> None:
            super().finalize_options()
            self.root_is_pure = False

        def get_tag(self) -> Tuple[str, str, str]:
            return "py3", "none", super().get_tag()[2]

    return command


ways: Dict[str, Any] = {"cffi_modules": ["voussoir/_build.py:builder"], "cmdclass": {"build_ext": build_with_library}}
if os.environ.get("VOUSSOIR_LIBRARY"):
    ways = {"cmdclass": {"build_py": build_with_declarations, "bdist_wheel": wheel_of_a_platform()}}
setup(version=version(), **ways)
