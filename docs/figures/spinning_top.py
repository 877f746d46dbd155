#!/usr/bin/python3
"""A top that spins, falls over and comes to rest; for the figure in contact-laws.md.

usage: spinning_top.py OUT.png [OUT.h5]

Also records a trajectory if it is named. The film is that of the end of it (figures/films.sh). Until it falls, spinning friction alone brakes it: the spin falls by spinning m g / I per second.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import voussoir

TIP, RADIUS, SPINNING, SPIN = 0.003, 0.03, 4e-4, 120.0  # m, m, m, rad/s


def main():
    world = voussoir.World()
    world.add_material("wood", mu=0.3, rolling=1e-4, spinning=SPINNING)
    world.add_floor()
    disc, handle, tip = voussoir.Cylinder(RADIUS, 0.004), voussoir.Capsule(0.003, 0.015), voussoir.Sphere(TIP)
    parts = [(disc, voussoir.Pose((0, 0, 0.02))), (handle, voussoir.Pose((0, 0, 0.018))), (tip, voussoir.Pose((0, 0, TIP)))]
    angle = 0.02
    turned = [np.cos(angle / 2), np.sin(angle / 2), 0, 0]
    top = world.add_body(parts, density=700, position=[0, 0, 0], rotation=turned, spin=[0, 0, SPIN])
    simulation = voussoir.Simulation(world, step=1 / 2000)
    recorder = simulation.record(sys.argv[2], frame=1 / 100, title="A spinning top") if len(sys.argv) > 2 else None
    rows = []
    rest = None
    while world.time < 40 and rest is None:
        for _ in range(40):
            report = simulation.step()
        q = top.rotation
        tilt = np.degrees(np.arccos(np.clip(1 - 2 * (q[1] ** 2 + q[2] ** 2), -1, 1)))
        rows.append((world.time, top.spin[2], tilt, report.energy.kinetic))
        if report.energy.kinetic < 1e-8:
            rest = world.time
    if recorder:
        recorder.close()
    rows = np.array(rows)
    inertia = np.array(top.inertia)[2, 2]
    rate = SPINNING * top.mass * 9.81 / inertia
    early = rows[rows[:, 0] < 4]
    slope = np.polyfit(early[:, 0], early[:, 1], 1)[0]
    print(f"rests after {rest} s; spin falls by {-slope:.4f} rad/s^2, spinning m g / I = {rate:.4f}")
    figure, (spin, tilt) = plt.subplots(2, 1, figsize=(7, 4.6), sharex=True)
    spin.plot(rows[:, 0], rows[:, 1], color="#205080")
    spin.plot(rows[:, 0], np.maximum(SPIN - rate * rows[:, 0], 0), "--", color="0.5", label="spinning m g / I")
    spin.set(ylabel="spin about the vertical (rad/s)")
    spin.legend(frameon=False)
    tilt.plot(rows[:, 0], rows[:, 2], color="#a04020")
    tilt.set(xlabel="time (s)", ylabel="tilt (degrees)")
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=110)


main()
