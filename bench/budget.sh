#!/bin/bash
# budget.sh BUILD [STEPS] [BUDGET]: a time budget (seconds, default 2e-3) for the contact problem of every step of a brick
# wall (30 bricks) and of balls in a box (64), as a table (budget.c). METHODS and MODELS from the environment.
set -eu
export OPENBLAS_NUM_THREADS=1
build=$1
steps=${2:-1000}
budget=${3:-2e-3}
methods=${METHODS:-auto chain gauss-seidel jacobi apgd spg admm ipm barrier pivoting}
echo "Solves in ms of this thread's processor: median, 90 %, 99 %, largest; budget $budget s, $steps steps."
echo "Worse: energy error above the start's, moved onto the cones, and above the start's as it was given. Gain: mean log10 of energy error over the start's where the tolerance (1e-8)"
echo "was not met."
echo
echo "| scene | model | method | warm | solves | median | 90 % | 99 % | largest | within 1.2 | worse | than given | met | out of time | gain | prepare |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
run() {
    timeout 300 "$build/bench/budget" brick-wall rows=4 columns=8 --steps "$steps" --budget "$budget" "$@" || true
    timeout 300 "$build/bench/budget" balls-in-box --steps "$steps" --budget "$budget" "$@" || true
}
for model in ${MODELS:-exact relaxed}; do
    for method in $methods; do
        # the chain is for exact friction
        [ "$method $model" = "chain relaxed" ] || run --model "$model" --method "$method"
    done
done
run --warm-start none
