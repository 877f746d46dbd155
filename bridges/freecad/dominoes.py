"""Makes an assembly of 20 parts in FreeCAD: a crank drives a slider, which topples 14 dominoes.

    freecadcmd dominoes.py        writes dominoes.FCStd into the current folder
"""

import sys
from pathlib import Path

import FreeCAD
from FreeCAD import Vector

CRANK, ROD, HEIGHT = 30.0, 100.0, 40.0  # mm: radius, length, of the axes above the base
DOMINOES, SPACING = 14, 22.0


def add(document, kind, label, place, **sizes):
    thing = document.addObject(f"Part::{kind}", label)
    thing.Label = label
    for name, value in sizes.items():
        setattr(thing, name, value)
    thing.Placement.Base = Vector(*place)
    return thing


def add_axis(document, label, first, last):
    axis = document.addObject("Part::Line", "Axis")
    axis.Label = label
    axis.X1, axis.Y1, axis.Z1 = first
    axis.X2, axis.Y2, axis.Z2 = last
    return axis


def make(name="dominoes"):
    document = FreeCAD.newDocument(name)
    front, back = (0, -20, 0), (0, 20, 0)
    at = lambda x, end, z=HEIGHT: (x, end[1], z)  # noqa: E731
    add(document, "Box", "base", (-100, -60, -10), Length=700, Width=120, Height=10)
    for label, y in (("fixed bearing front", -45), ("fixed bearing back", 35)):
        add(document, "Box", label, (-8, y, 0), Length=16, Width=10, Height=50)
    crank = add(document, "Cylinder", "crank", (0, 0, 0), Radius=28, Height=8)
    crank.Placement = FreeCAD.Placement(Vector(0, 4, HEIGHT), FreeCAD.Rotation(Vector(1, 0, 0), 90))
    # The crank begins at its dead centre on the left, so that the slider begins at rest.
    add(document, "Box", "rod", (-CRANK, 6, HEIGHT - 4), Length=ROD, Width=6, Height=8)
    add(document, "Box", "slider", (ROD - CRANK, -15, HEIGHT - 6), Length=20, Width=30, Height=12)
    for k in range(DOMINOES):
        add(document, "Box", f"domino {k + 1}", (ROD + CRANK - 5 + k * SPACING, -12, 0), Length=8, Width=24, Height=48)
    document.recompute()
    turn = add_axis(document, "revolute world/crank", at(0, back), at(0, front))
    turn.addProperty("App::PropertyFloat", "Speed")
    turn.Speed = -6.0  # rad/s
    add_axis(document, "revolute crank/rod", at(-CRANK, back), at(-CRANK, front))
    add_axis(document, "revolute rod/slider", at(ROD - CRANK, back), at(ROD - CRANK, front))
    add_axis(document, "prismatic world/slider", (0, 0, HEIGHT), (100, 0, HEIGHT))
    document.recompute()
    return document


if Path(sys.argv[-1]).name == "dominoes.py":  # freecadcmd imports what it runs
    made = make()
    made.saveAs("dominoes.FCStd")
    print(f"dominoes.FCStd: {sum(hasattr(thing, 'Shape') and bool(thing.Shape.Solids) for thing in made.Objects)} parts")
