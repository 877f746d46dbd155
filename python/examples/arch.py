#!/usr/bin/python3
"""An arch of wedge stones under its own weight: does it stand, and how does each stone press on the next?

    python3 arch.py [STONES] [THICKNESS]          e.g. 17 0.25; a thin one falls
    python3 arch.py 17 0.25 --picture arch.png    with its force chain
"""

from __future__ import annotations

import argparse

import numpy as np

import voussoir


def thrusts(simulation: voussoir.Simulation) -> "list[tuple[int, int, float]]":
    """The force (N) between each pair of bodies: the sum over their contacts."""
    contacts, pairs = simulation.contacts, simulation.contact_bodies
    found = []
    for a, b in np.unique(pairs, axis=0):
        between = (pairs == (a, b)).all(axis=1)
        force = contacts["impulse"][between].sum(axis=0) / simulation.step_size
        found.append((int(a), int(b), float(np.linalg.norm(force))))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stones", nargs="?", type=int, default=11)
    parser.add_argument("thickness", nargs="?", type=float, default=0.3)
    parser.add_argument("--picture", metavar="FILE")
    arguments = parser.parse_args()

    scene = voussoir.scene("arch", stones=arguments.stones, thickness=arguments.thickness)
    before = scene.world.positions
    summary = scene.run(duration=0.5)
    sank = float(np.max(np.linalg.norm(scene.world.positions - before, axis=1)))
    print(summary)
    for a, b, force in thrusts(scene.simulation):
        names = ["ground" if k < 0 else f"stone {k}" for k in (a, b)]
        print(f"{names[0]:>9} on {names[1]:<9} {force:9.1f} N")
    stands = sank < 1e-3
    print(f"the arch {'stands' if stands else 'falls'}: stones moved {1e3 * sank:.2g} mm in half a second")
    if arguments.picture:
        axes = scene.simulation.plot_contacts(resultants=True)
        axes.figure.savefig(arguments.picture, dpi=120)
    return 0 if summary.inaccurate == 0 else 1


if __name__ == "__main__":
    raise SystemExit(main())
