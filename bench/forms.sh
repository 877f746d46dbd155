#!/bin/bash
# forms.sh BUILD DATA: the table of bench/results/forms.md on standard output. Set OPENBLAS_CORETYPE first.
set -eu
build=$1
data=$2
piles=()
for size in 00064 00280 00595 01190 02500; do
    piles+=("$data/piles/pile-$size.hdf5")
done
global=("$data"/problems/{Box_Stacks,spheres-in-a-box,Spheres-i099}*.hdf5)
local=("$data"/problems/{Capsules,Kaplas,RockPile,Confeti,BoxesStack,OneObject}*.hdf5)

"$build"/bench/forms --limit 40 "${piles[@]}" "${global[@]}"
echo
"$build"/bench/forms --limit 40 --model frictionless "${piles[@]}" "${global[@]}" | tail -n +3
echo
"$build"/bench/forms --limit 40 "${local[@]}" | tail -n +3
