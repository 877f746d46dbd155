#!/usr/bin/python3
"""Avalanches of balls behind a wall that is taken away, without and with adhesion; for the figures in contact-laws.md.

usage: cohesive_heap.py OUT.png OUT.webp

Draws the heaps at the end, and a film of the three.
"""

import sys

import numpy as np
import voussoir
from PIL import Image, ImageDraw

R, ROWS, COLUMNS = 0.01, 12, 10
HOLDS, TIME, FRAME = 0.4, 0.8, 0.04  # s: with the wall, after it, of the film
ADHESION = (0, 5, 40)  # times the weight of a ball
SCALE, WIDTH, HEIGHT = 900, 0.8, 0.26  # pixels per m; m, of a picture
rng_seed = 1
rng = np.random.default_rng(rng_seed)
radii, shift = R * rng.uniform(0.8, 1, ROWS * COLUMNS), R * rng.uniform(-0.4, 0.4, ROWS * COLUMNS)


def build(adhesion):
    weight = 1000 * 4 / 3 * np.pi * R**3 * 9.81
    world = voussoir.World()
    world.add_material("grain", mu=0.5, adhesion=adhesion * weight)
    world.add_material("glass", mu=0.0)
    world.set_pair("grain", "glass", mu=0.0, adhesion=0.0)
    world.add_floor()
    for y in (-1, 1):  # between two panes, one ball apart
        world.add_collider(voussoir.Box((4, 0.02, 2)), pose=voussoir.Pose((0, y * (1.02 * R + 0.01), 0)), material="glass")
    world.add_collider(voussoir.Box((0.02, 0.2, 2)), pose=voussoir.Pose((-0.01, 0, 0)), material="glass")
    edge = 2.05 * R * (COLUMNS + 0.6)
    gate = world.add_collider(voussoir.Box((0.02, 0.2, 2)), pose=voussoir.Pose((edge + 0.01, 0, 0)), material="glass")
    for k, radius in enumerate(radii):
        row, column = divmod(k, COLUMNS)  # every other row is shifted by a radius
        x = 2.05 * R * (column + 0.8) + (row % 2 - 0.5) * R + 0.2 * shift[k]
        position = [x, 0, 2.05 * R * (row + 0.5)]
        world.add_body(voussoir.Sphere(radius), density=1000, position=position)
    return world, gate


def run(adhesion):
    """Positions (frames x balls x 2) from when the wall is taken away."""
    world, gate = build(adhesion)
    simulation = voussoir.Simulation(world, step=1 / 250, tolerance=1e-4)
    missed = simulation.run(until=HOLDS).inaccurate
    world.remove_collider(gate)
    frames = [world.positions[:, [0, 2]]]
    while world.time < HOLDS + TIME - 1e-9:
        missed += simulation.run(until=world.time + FRAME).inaccurate
        frames.append(world.positions[:, [0, 2]])
    x, z = frames[-1].T
    print(f"adhesion {adhesion} m g: front (98 %) {np.quantile(x, 0.98):.3f} m, top {z.max() + R:.3f} m, "
          f"mean height {z.mean():.4f} m; {missed} steps missed the tolerance", flush=True)
    return np.array(frames)


def picture(position, adhesion):
    image = Image.new("RGB", (round(WIDTH * SCALE), round(HEIGHT * SCALE)), "white")
    draw = ImageDraw.Draw(image)
    for (x, z), radius in zip(position, radii):
        box = [SCALE * (x - radius), SCALE * (HEIGHT - z - radius), SCALE * (x + radius), SCALE * (HEIGHT - z + radius)]
        draw.ellipse(box, fill="#d8b070", outline="#705020")
    draw.text((0.6 * image.width, 8), f"adhesion {adhesion} m g", fill="black")
    draw.line([0, image.height - 1, image.width, image.height - 1], fill="black")
    return image


def stack(pictures):
    whole = Image.new("RGB", (pictures[0].width, sum(p.height for p in pictures)), "white")
    for k, one in enumerate(pictures):
        whole.paste(one, (0, k * one.height))
    return whole


def main():
    runs = [run(adhesion) for adhesion in ADHESION]
    frames = [stack([picture(r[k], a) for r, a in zip(runs, ADHESION)]) for k in range(min(map(len, runs)))]
    frames[-1].save(sys.argv[1])
    small = [frame.resize((frame.width // 2, frame.height // 2)) for frame in frames]
    small[0].save(sys.argv[2], save_all=True, append_images=small[1:], duration=round(1000 * FRAME), loop=0, quality=60)


main()
