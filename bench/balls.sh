#!/bin/bash
# balls.sh COMMAND [COUNT…]: interior-point iterations a step of balls in a box without friction, beside published
# ones: spheres of 70 mm and 1000 kg/m3 dropped into a container of 1 m, h = 0.02 s, tolerance 1e-10, 50 steps; started
# cold (from nothing) and warm (from the last step's impulses). Iterations do not depend on the machine's load. 70 mm is
# printed as the diameter; the published 884 contacts of 64 spheres are those of the radius. RADIUS=0.07 runs that.
# The published means are of another measure of error, scene of drops and set of contacts: compare the size, and that
# it does not grow with the count. "Settled" is the mean over the last ten steps.
set -eu
command=$1
shift
counts=("$@")
[ ${#counts[@]} -gt 0 ] || counts=(64 280 595 1190)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
declare -A published=([64]=17.2 [280]=17.9 [595]=17.7 [1190]=17.8)

# mean COUNT KIND: contacts | iterations a step | settled | inaccurate steps
mean() {
    # Exit code 3: some steps missed the tolerance; they are counted.
    "$command" run balls-in-box --model frictionless --method ipm --step 0.02 --tolerance 1e-10 --warm-start "$2" \
        --set count="$1" --set radius="${RADIUS:-0.035}" --duration 1 \
        --frame 0 -o "$scratch/run.h5" --quiet --json >"$scratch/out" || [ $? -eq 3 ]
    /usr/bin/python3 - "$scratch/run.h5" "$scratch/out" <<'END'
import h5py, json, sys
with h5py.File(sys.argv[1]) as f:
    iterations, contacts = f["solver/iterations"][1:].ravel(), f["solver/contacts"][1:].ravel()
print(f"{contacts.mean():.0f} | {iterations.mean():.1f} | {iterations[-10:].mean():.1f} |",
      json.load(open(sys.argv[2]))["inaccurate_steps"])
END
}

echo "| spheres | start | contacts | iterations a step | settled | inaccurate steps | published |"
echo "|---|---|---|---|---|---|---|"
for count in "${counts[@]}"; do
    echo "| $count | cold | $(mean "$count" none) | ${published[$count]:-–} |"
    echo "| $count | warm | $(mean "$count" full) | |"
done
