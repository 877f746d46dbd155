#!/bin/bash
# Builds the wheel without a network, installs it into a fresh environment and tests it there, away from the sources.
# usage: python/test_wheel.sh [BUILD_DIR]     BUILD_DIR: a finished CMake build; without it the library is built as well
# VOUSSOIR_LIBRARY=FILE: the wheel without a compiled module, with this library (target voussoir_python)
# VOUSSOIR_NO_SKIP=1: a skipped test is a failure. The last line is "N passed, N failed".
# Packages: gcc python3-dev python3-venv python3-pip python3-setuptools python3-wheel python3-cffi python3-numpy
# python3-scipy python3-torch python3-h5py python3-matplotlib python3-pytest python3-hypothesis python3-cvxopt mypy
set -euo pipefail

python=${PYTHON:-/usr/bin/python3}
source_dir=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "test_wheel: $*"; }
fail() { say "$*" >&2; exit 1; }

if [[ $# -gt 0 ]]; then
    VOUSSOIR_BUILD=$(cd "$1" && pwd)
    export VOUSSOIR_BUILD
    if [[ -x $VOUSSOIR_BUILD/app/voussoir ]]; then
        export VOUSSOIR_COMMAND=$VOUSSOIR_BUILD/app/voussoir
    fi
fi
if [[ -n ${VOUSSOIR_LIBRARY:-} ]]; then
    VOUSSOIR_LIBRARY=$(realpath "$VOUSSOIR_LIBRARY")
    export VOUSSOIR_LIBRARY
fi
export OPENBLAS_NUM_THREADS=1 MPLBACKEND=Agg PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1

# A copy of what a build reads, so that nothing of an earlier build in the tree gets into the wheel.
tree=$work/tree
mkdir -p "$tree/python"
tar -C "$source_dir" --exclude='*.so' --exclude='*.so.*' --exclude=build --exclude=dist --exclude='*.egg-info' \
    --exclude=__pycache__ --exclude=_voussoir.c -cf - . | tar -C "$tree/python" -xf -
for part in CMakeLists.txt LICENSE include src app cmake; do
    cp -r "$source_dir/../$part" "$tree/"
done

"$python" -m pip wheel --quiet --no-build-isolation --no-deps -w "$work/dist" "$tree/python" >"$work/wheel.log" 2>&1 ||
    { cat "$work/wheel.log"; fail "the wheel was not built"; }
wheel=$(ls "$work"/dist/voussoir-*.whl)
say "$(basename "$wheel"), $(du -k "$wheel" | cut -f1) kB"

"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-deps "$wheel"

# Away from the sources: what is tested is what was installed.
mkdir "$work/away"
cp -r "$source_dir/tests" "$source_dir/examples" "$source_dir/README.md" "$source_dir/pyproject.toml" "$work/away"
cd "$work/away"
where=$("$work/venv/bin/python" -c 'import voussoir; print(voussoir.__file__)')
[[ $where == "$work/venv/"* ]] || fail "voussoir comes from $where"
version=$("$work/venv/bin/python" -c \
    'import importlib.metadata as m, voussoir; print(m.version("voussoir"), voussoir.__version__)')
[[ ${version% *} == "${version#* }" ]] || fail "the package is ${version% *}, the library in it ${version#* }"

# Types of the installed package, as a user's checker sees them.
ln -s "$(dirname "$where")" voussoir
ln -s "$(dirname "$where")/../compas_voussoir" compas_voussoir
code=0
"$work/venv/bin/python" -m pytest -p no:cacheprovider tests >"$work/test.log" 2>&1 || code=$?
if [[ $code -ne 0 ]]; then cat "$work/test.log"; fi
if grep -qE '[0-9]+ skipped' "$work/test.log"; then
    "$work/venv/bin/python" -m pytest -p no:cacheprovider -rs --collect-only tests 2>/dev/null | grep SKIP || true
    say "tests were skipped: $(tail -n 1 "$work/test.log")"
    if [[ ${VOUSSOIR_NO_SKIP:-} ]]; then code=1; fi
fi
count() { grep -oE "[0-9]+ $1" "$work/test.log" | tail -n 1 | cut -d' ' -f1 || true; }
passed=$(count passed)
failed=$(count failed)
echo "${passed:-0} passed, ${failed:-0} failed"
exit "$code"
