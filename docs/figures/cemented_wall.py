#!/usr/bin/python3
"""A wall of bricks in mortar on two supports, pressed down by a point load until it cracks; for the figure in mortar.md.

usage: cemented_wall.py OUT.png
       cemented_wall.py --film OUT.h5

Draws the wall with its broken and weakened joints at the end, and the force and the energies over the way of the punch. Prints the
energy balance. With --film it records a trajectory in which the punch is faster and moves until the wall falls apart, for the film
(figures/films.sh).
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import voussoir

LENGTH, HEIGHT, DEPTH = 0.25, 0.08, 0.12  # m, of a brick
COURSES, BRICKS = 6, 6
TENSION, COHESION, ENERGY = 1e5, 2e5, 20.0  # Pa, Pa, J/m^2
SPEED, STEP, WAY = 3e-3, 1e-3, 1.2e-3  # m/s, s, m
FILM_SPEED, FILM_STEP, FILM_WAY = 0.08, 5e-4, 0.05  # m/s, s, m


def build(speed=SPEED):
    world = voussoir.World()
    world.add_material("brick", mu=0.6)
    left = -0.5 * BRICKS * LENGTH
    bricks = []
    for course in range(COURSES):
        ends = np.arange(BRICKS + 1) * LENGTH
        if course % 2:
            ends = np.concatenate([[0], ends[:-1] + LENGTH / 2, [ends[-1]]])
        for a, b in zip(ends[:-1], ends[1:]):
            position = [left + 0.5 * (a + b), 0, HEIGHT * (course + 0.5)]
            bricks.append(world.add_body(voussoir.Box((b - a, DEPTH, HEIGHT)), density=1800, position=position))
    for x in (left + LENGTH / 2, -left - LENGTH / 2):
        world.add_body(voussoir.Box((LENGTH, 2 * DEPTH, 0.1)), motion="static", position=[x, 0, -0.05])
    top = HEIGHT * COURSES
    punch = world.add_body(voussoir.Box((0.08, DEPTH, 0.04)), motion="kinematic", position=[0, 0, top + 0.02])
    ramp = 0.05  # s
    punch.set_drive(velocity=[0, 0, f"-{speed}*min(t/{ramp}, 1)"])
    world.add_mortar(bricks, tension=TENSION, cohesion=COHESION, fracture_energy=ENERGY)
    return world, bricks, punch


def run():
    world, bricks, punch = build()
    simulation = voussoir.Simulation(world, step=STEP)
    begin, rows, longest, missed = punch.position[2], [], 0.0, 0
    energy = world.energy
    start = energy.kinetic + energy.potential
    while begin - punch.position[2] < WAY:
        report = simulation.step()
        pressed = simulation.contacts
        on_punch = (pressed["b"][:, 0] == punch.id[0]) | (pressed["a"][:, 0] == punch.id[0])
        force = np.abs(pressed["impulse"][on_punch, 2]).sum() / STEP
        total = report.total
        rows.append((begin - punch.position[2], force, total.prescribed, total.friction, total.fracture, total.impacts,
                     report.energy.kinetic + report.energy.potential - start, total.discretization, report.bonds))
        longest, missed = max(longest, report.bond_step), missed + (not report.converged)
    return simulation, bricks, np.array(rows), longest, missed


def draw(path, simulation, bricks, rows):
    figure, (wall, force, energy) = plt.subplots(1, 3, figsize=(13, 3.6), width_ratios=(1.5, 1, 1))
    exaggerated = 40
    for brick, (size, rest) in zip(bricks, shapes()):
        corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * 0.5 * size
        q = brick.rotation
        turn = -2 * np.arctan2(q[2], q[0]) * exaggerated
        R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        middle = rest + exaggerated * (brick.position[[0, 2]] - rest)
        wall.fill(*(corner @ R.T + middle).T, facecolor="#d9a07a", edgecolor="#7a4a2a", linewidth=0.6)
    bonds = simulation.bonds
    point = bonds["point"][:, [0, 2]]
    for low, high, colour, label in ((-1, 0, "#c00000", "broken"), (0, 0.98, "#f0a000", "weakened")):
        some = (bonds["strength"] > low) & (bonds["strength"] <= high)
        wall.scatter(*point[some].T, s=9, color=colour, label=f"{label}: {some.sum()} of {len(bonds)}", zorder=3)
    wall.set_aspect("equal")
    wall.axis("off")
    wall.legend(loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=2, frameon=False)
    wall.set_title(f"movements {exaggerated} times")
    way = 1e3 * rows[:, 0]
    force.plot(way, rows[:, 1] / 1e3, color="#205080")
    force.set(xlabel="way of the punch (mm)", ylabel="force (kN)")
    for column, label in ((2, "work of the punch"), (4, "fracture"), (3, "friction"), (6, "change of energy")):
        energy.plot(way, rows[:, column], label=label)
    energy.set(xlabel="way of the punch (mm)", ylabel="J")
    energy.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def shapes():
    """Size and first position of each brick, in the plane of the wall."""
    left, found = -0.5 * BRICKS * LENGTH, []
    for course in range(COURSES):
        ends = np.arange(BRICKS + 1) * LENGTH
        if course % 2:
            ends = np.concatenate([[0], ends[:-1] + LENGTH / 2, [ends[-1]]])
        for a, b in zip(ends[:-1], ends[1:]):
            found.append((np.array([b - a, HEIGHT]), np.array([left + 0.5 * (a + b), HEIGHT * (course + 0.5)])))
    return found


def film(path):
    world, _, punch = build(FILM_SPEED)
    simulation = voussoir.Simulation(world, step=FILM_STEP)
    begin, missed = punch.position[2], 0
    with simulation.record(path, frame=0.01, title="A wall in mortar under a punch"):
        while begin - punch.position[2] < FILM_WAY:
            report = simulation.step()
            missed += not report.converged
    print(f"{world.time:.2f} s, {missed} steps missed the tolerance; {report.bonds} of {len(simulation.bonds)} bonds hold")


def main():
    if sys.argv[1] == "--film":
        return film(sys.argv[2])
    simulation, bricks, rows, longest, missed = run()
    last = rows[-1]
    print(f"{len(rows)} steps, {missed} missed the tolerance; peak {rows[:, 1].max():.0f} N")
    print(f"work {last[2]:.5f} J = change {last[6]:.5f} + friction {last[3]:.5f} + fracture {last[4]:.5f} + impacts {last[5]:.2e}")
    print(f"remainder {last[7]:.2e} J, {abs(last[7]) / last[2]:.1e} of the work; largest weakening in a step {longest:.3f}")
    draw(sys.argv[1], simulation, bricks, rows)


main()
