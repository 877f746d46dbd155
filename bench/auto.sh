#!/bin/bash
# auto.sh BUILD FILE…: what every method needs for every file (auto.c), relaxed and exact, as comma-separated values.
# LIMIT (seconds a solve, default 0.5) and METHODS from the environment. A method that takes much longer than its limit
# to prepare is ended.
set -eu
export OPENBLAS_NUM_THREADS=1
build=$1
shift
echo "file,method,model,tolerance,contacts,rows,velocities,local,met,prepare_ms,solve_ms,iterations,error"
for file in "$@"; do
    for model in ${MODELS:-relaxed exact}; do
        for method in ${METHODS:-auto gauss-seidel apgd spg admm pivoting}; do
            timeout 20 "$build/bench/auto" "$file" "$method" "$model" --limit "${LIMIT:-0.5}" --repeat "${REPEAT:-1}" || true
        done
    done
done
