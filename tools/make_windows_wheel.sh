#!/bin/bash
# The Python package for Windows, made on Linux: the library and the command by MinGW-w64 (Debian: gcc-mingw-w64-x86-64-posix), the
# declarations by cffi. Nothing of it is compiled for a version of Python: one wheel serves all from 3.9 on.
# usage: tools/make_windows_wheel.sh OUT [--sources FOLDER | --build BUILD]
#     FOLDER: see tools/fetch_engines.sh; BUILD: a finished build of the preset mingw with -DVOUSSOIR_PYTHON=ON
set -euo pipefail
cd "$(dirname "$0")/.."
unset VOUSSOIR_PREFIX
out=$(realpath -m "${1:?"usage: tools/make_windows_wheel.sh OUT [--sources FOLDER | --build BUILD]"}")
build=build/mingw sources=build/engines finished=
case ${2:-} in
--sources) sources=${3:?"--sources needs a folder"} ;;
--build) build=${3:?"--build needs a folder"} finished=yes ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ -z $finished ]]; then
    [[ -d $sources ]] || tools/fetch_engines.sh "$sources"
    VOUSSOIR_SOURCES=$(realpath "$sources")
    export VOUSSOIR_SOURCES
    {
        cmake --preset mingw -DVOUSSOIR_TESTS=OFF -DVOUSSOIR_PYTHON=ON
        cmake --build --preset mingw
    } >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log"; exit 1; }
fi

# What a build of the package reads, without what earlier ones left.
mkdir -p "$work/tree/python" "$work/prefix/bin" "$out"
tar -C python --exclude='*.so*' --exclude='*.dll' --exclude=build --exclude=dist --exclude='*.egg-info' --exclude=__pycache__ \
    --exclude=_voussoir.c -cf - . | tar -C "$work/tree/python" -xf -
cp -r CMakeLists.txt LICENSE include "$work/tree"
cp "$build/voussoir_python.dll" "$work"
x86_64-w64-mingw32-strip "$work/voussoir_python.dll"
export VOUSSOIR_LIBRARY=$work/voussoir_python.dll
if [[ -f $build/app/voussoir.exe ]]; then # not with -DVOUSSOIR_APP=OFF
    cp "$build/app/voussoir.exe" "$work/prefix/bin"
    x86_64-w64-mingw32-strip "$work/prefix/bin/voussoir.exe"
    export VOUSSOIR_PREFIX=$work/prefix
fi
cd "$work/tree/python"
/usr/bin/python3 setup.py -q bdist_wheel --plat-name win_amd64 -d "$out" >"$work/wheel.log" 2>&1 ||
    { cat "$work/wheel.log"; exit 1; }
ls -l "$out"/voussoir-*-py3-none-win_amd64.whl

# Every function that the declarations name is exported, and nothing but Windows is needed.
cd "$work"
/usr/bin/python3 -m zipfile -e "$out"/voussoir-*-py3-none-win_amd64.whl unpacked
/usr/bin/python3 - "$(dirname "$(find unpacked -name voussoir_python.dll)")" <<'END'
import re, subprocess, sys
folder = sys.argv[1]
dump = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", f"{folder}/voussoir_python.dll"], check=True, capture_output=True, text=True).stdout
exported = set(re.findall(r"^\t\[ *\d+\].* (\w+)$", dump, re.M))
declared = set(re.findall(r"\\x23(vs_\w+)", open(f"{folder}/_declarations.py").read()))  # functions, as cffi marks them
missing = sorted(declared - exported)
assert len(declared) > 300 and not missing, f"{len(missing)} functions are not exported: {missing[:3]} …"
needed = sorted(set(re.findall(r"DLL Name: (\S+)", dump)))
print(f"{len(declared)} functions declared, all exported; needs {', '.join(needed)}")
END
