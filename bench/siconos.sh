#!/bin/bash
# siconos.sh BUILD FOLDER [OPTIONS]: siconos_compare on the 18 larger FCLIB problems of the folder.
# Set OPENBLAS_CORETYPE first.
set -eu
build=$1
folder=$2
shift 2
names=(KaplasTower RockPile Capsules BoxesStack1 LMGC_100_PR_PerioBox Confeti-ex13-Fc3D Confeti-ex03 OneObject-i100000
    NESpheres_30 Spheres-i099 spheres-in-a-box Box_Stacks)
files=()
for name in "${names[@]}"; do
    files+=("$folder/$name"*.hdf5)
done

export OPENBLAS_NUM_THREADS=1
"$build"/bench/siconos_compare "${files[@]}" "$@"
