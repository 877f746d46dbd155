"""The hopper of bench/granular.py in YADE: yade -x -n -j1 granular_yade.py GIVEN.json FOUND.json

Hertz-Mindlin contacts with viscous damping (Law2_ScGeom_MindlinPhys_Mindlin), no numerical damping; steps of half the time that a P-wave
takes through a ball (PWaveTimeStep), as the manual has it. FOUND gets the processor seconds of the steps, the mass that is out over
time, and the largest overlap.
"""

import json
import math
import sys
import time

from yade import O, utils
from yade.wrapper import (
    Bo1_Box_Aabb,
    Bo1_Sphere_Aabb,
    ForceResetter,
    FrictMat,
    Ig2_Box_Sphere_ScGeom,
    Ig2_Sphere_Sphere_ScGeom,
    InsertionSortCollider,
    InteractionLoop,
    Ip2_FrictMat_FrictMat_MindlinPhys,
    Law2_ScGeom_MindlinPhys_Mindlin,
    MatchMaker,
    NewtonIntegrator,
)

given_path, found_path = sys.argv[-2:]
with open(given_path, encoding="utf-8") as file:
    given = json.load(file)

radius = given["radius"]
angle = math.atan(given["mu"])
O.materials.append(FrictMat(young=given["young"], poisson=0.3, density=given["density"], frictionAngle=angle, label="glass"))
walls = O.bodies.append([utils.box(centre, half, fixed=True, material="glass") for centre, half in given["walls"]])
balls = O.bodies.append([utils.sphere(place, radius, material="glass") for place in given["places"]])
restitution = MatchMaker(algo="val", val=given["restitution"])
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Box_Aabb()]),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Box_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=restitution, es=restitution)],
        [Law2_ScGeom_MindlinPhys_Mindlin()],
    ),
    NewtonIntegrator(damping=0, gravity=(0, 0, -9.81)),
]
O.dt = 0.5 * utils.PWaveTimeStep()
mass = O.bodies[balls[0]].state.mass

series, seconds, overlap, out, lid = [(0.0, 0.0)], {True: 0.0, False: 0.0}, 0.0, 0, walls[-1]
frame = max(1, round(given["frame"] / O.dt))
while O.time < given["duration"] - 0.5 * O.dt:
    if lid is not None and O.time >= given["settle"] - 0.5 * O.dt:
        O.bodies.erase(lid)
        lid, overlap = None, 0.0
    before = time.process_time()
    O.run(frame, True)
    seconds[lid is None] += time.process_time() - before
    overlap = max([overlap, *(i.geom.penetrationDepth for i in O.interactions if i.isReal)])
    for k in [k for k in balls if O.bodies[k].state.pos[2] < given["out"]]:
        O.bodies.erase(k)
        balls.remove(k)
        out += 1
    series.append((O.time, mass * out))

with open(found_path, "w", encoding="utf-8") as file:
    found = {"filling": seconds[False], "discharge": seconds[True], "series": series, "steps": O.iter, "overlap": overlap / (2 * radius)}
    json.dump(found, file)
