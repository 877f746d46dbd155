#!/usr/bin/python3
"""laws.py [--voussoir COMMAND] [--output FILE.md]

Laws of mechanics with a closed form, each as a small scene: the value that voussoir finds, the exact one, and the deviation, which must
not exceed the one stated (exit code 1 otherwise). Steps of controlled accuracy where contacts begin or end in motion, `shake` where
motion is smooth. The expected deviation is that of the steps: the tolerance of each of them is 1e-10.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy
from tops import Disk, Rattleback, TippeTop, linear, measured_rate, rotations

HERE = pathlib.Path(__file__).resolve().parent
G, R = 9.81, 0.1


def simulate(options, bodies, duration, arguments, material=None, gravity=(0, 0, -G), joints=()):
    """Times, places, velocities and spins of the last body."""
    scene = {"voussoir": 1, "gravity": gravity, "materials": {"all": material or {"mu": 0.4}}, "step": 1 / 240, "solver": {"tolerance": 1e-10},
             "bodies": bodies, "joints": list(joints), "output": {"duration": duration}}
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder) / "law.json", pathlib.Path(folder) / "law.h5"
        path.write_text(json.dumps(scene))
        done = subprocess.run([options.voussoir, "run", str(path), "-o", str(out), "--quiet", *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"laws.py: {done.stderr or done.stdout}")
        with h5py.File(out) as file:
            return file["time"][:], file["state/pose"][:, -1], file["state/velocity"][:, -1]


FLOOR = {"motion": "static", "shape": {"kind": "plane"}}
EXACT = ("--accuracy", "1e-7")
SHAKE = ("--scheme", "shake")
EXACT_ROLLING = ("--accuracy", "1e-4")
CAREFUL = ("--accuracy", "1e-4", "--tolerance", "1e-8", "--step", "1e-3")


def ball(**keys):
    return {"shape": {"kind": "sphere", "radius": R}, "position": [0, 0, R], **keys}


def tilted(angle):
    return {**FLOOR, "rotation": {"axis": [0, 1, 0], "angle": angle}}


def on_slope(angle, height, body):
    """The body at rest on a slope that falls towards +x."""
    return [tilted(angle), {**body, "position": [height * math.sin(angle), 0, height * math.cos(angle)], "rotation": {"axis": [0, 1, 0], "angle": angle}}]


BOX = {"shape": {"kind": "box", "size": [0.2, 0.2, 0.1]}}


def agm(a, b):
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


def way(pose):
    return float(numpy.linalg.norm(pose[-1, :3] - pose[0, :3]))


# ---- laws: value and exact value ----------------------------------------------------------------------------------------------------


def slope(options):
    angle = math.atan(0.5)
    _, pose, _ = simulate(options, on_slope(angle, 0.05, BOX), 2, SHAKE)
    return way(pose), 0.5 * G * (math.sin(angle) - 0.4 * math.cos(angle)) * 4


def stopping(options):
    _, pose, _ = simulate(options, [FLOOR, {**BOX, "position": [0, 0, 0.05], "velocity": [2, 0, 0]}], 1, EXACT)
    return way(pose), 4 / (2 * 0.4 * G)


def rolling_down(options):
    _, pose, _ = simulate(options, on_slope(0.3, R, {"shape": {"kind": "sphere", "radius": R}}), 1, SHAKE)
    return way(pose), 0.5 * 5 / 7 * G * math.sin(0.3)


def slipping_down(options):
    _, pose, _ = simulate(options, on_slope(0.6, R, {"shape": {"kind": "sphere", "radius": R}}), 1, SHAKE, {"mu": 0.1})
    return way(pose), 0.5 * G * (math.sin(0.6) - 0.1 * math.cos(0.6))


def sliding_to_rolling(options):
    _, pose, _ = simulate(options, [FLOOR, ball(velocity=[2, 0, 0])], 1, EXACT)
    end = 2 * 2 / (7 * 0.4 * G)
    return way(pose), 2 * end - 0.5 * 0.4 * G * end**2 + 10 / 7 * (1 - end)


def backspin(options):
    _, _, velocity = simulate(options, [FLOOR, ball(velocity=[4, 0, 0], spin=[0, -200, 0])], 2, EXACT)
    return velocity[-1, 0], -20 / 7


def oblique(options, tangential):
    """A ball without gravity meets a wall at 1 m/s, and with a velocity along it."""
    _, _, velocity = simulate(options, [FLOOR, ball(position=[0, 0, R + 0.1], velocity=[tangential, 0, -1])], 0.3, EXACT,
                              {"mu": 0.2, "restitution": 0.8}, (0, 0, 0))
    return velocity[-1]


def oblique_sliding(options):
    return oblique(options, 3)[0], 3 - 0.2 * 1.8


def oblique_sliding_spin(options):
    return oblique(options, 3)[4], 2.5 * 0.2 * 1.8 / R


def oblique_sticking(options):
    return oblique(options, 0.5)[0], 5 / 7 * 0.5


def rolling_friction(options):
    _, pose, _ = simulate(options, [FLOOR, ball(velocity=[1, 0, 0], spin=[0, 1 / R, 0])], 2, EXACT, {"mu": 0.5, "rolling": 0.1 * R})
    return way(pose), 1 / (2 * 5 / 7 * 0.1 * G)


def bounces(options):
    """When a ball that falls from 1 m comes to rest: the sum of all its bounces."""
    time, pose, velocity = simulate(options, [FLOOR, ball(position=[0, 0, R + 1])], 2.6, EXACT, {"mu": 0, "restitution": 0.5})
    moving = numpy.abs(velocity[:, 2]) > 1e-6
    return time[moving][-1] + 1 / 240, math.sqrt(2 / G) * 3


def bounce_height(options):
    _, pose, _ = simulate(options, [FLOOR, ball(position=[0, 0, R + 1])], 0.9, ("--accuracy", "1e-7", "--step", "1e-3"), {"mu": 0, "restitution": 0.5})
    low = int(numpy.argmin(pose[:, 2]))
    return pose[low:, 2].max() - R, 0.25


def spinning_friction(options):
    time, _, velocity = simulate(options, [FLOOR, ball(spin=[0, 0, 10])], 0.5, EXACT, {"mu": 0.5, "spinning": 0.02 * R})
    early = (time > 0) & (velocity[:, 5] > 1)
    slope_of_spin = numpy.polyfit(time[early], velocity[early, 5], 1)[0]
    return -slope_of_spin, 0.02 * R * G / (0.4 * R**2)


def collision(options):
    """Speeds after a head-on impact with e = 1 on a ball with 8 times the mass."""
    heavy = {"shape": {"kind": "sphere", "radius": 2 * R}, "position": [1, 0, 0]}
    _, _, velocity = simulate(options, [heavy, {"shape": {"kind": "sphere", "radius": R}, "position": [0, 0, 0], "velocity": [3, 0, 0]}], 0.5, EXACT,
                              {"mu": 0, "restitution": 1}, (0, 0, 0))
    return velocity[-1, 0], 3 * (1 - 8) / (1 + 8)


def rolling_cylinder(options):
    lying = {"shape": {"kind": "capsule", "radius": R, "half_length": 0.2}, "mass": 1, "inertia": [0.02, 0.02, 0.5 * R**2]}
    scene = on_slope(0.3, R, lying)
    scene[1]["rotation"] = {"axis": [1, 0, 0], "angle": math.pi / 2}  # the axis along y of the world
    _, pose, _ = simulate(options, scene, 1, SHAKE)
    return way(pose), 0.5 * 2 / 3 * G * math.sin(0.3)


def pendulum(options):
    """Period of a body on a hinge, from rest at 2 rad."""
    inertia, distance, start = 0.01, 0.5, 2.0
    period = 2 * math.pi * math.sqrt((inertia + distance**2) / (G * distance)) / agm(1, math.cos(start / 2))
    body = {"name": "bob", "mass": 1, "inertia": [inertia] * 3, "position": [distance * math.sin(start), 0, -distance * math.cos(start)]}
    time, _, velocity = simulate(options, [body], 1.1 * period, ("--accuracy", "1e-7"),
                                 joints=[{"kind": "revolute", "b": "bob", "frame": {"position": [0, 0, 0], "axis": [0, 1, 0]}}])
    turning = velocity[:, 4]
    crossing = [t + (u - t) * a / (a - b) for t, u, a, b in zip(time[1:], time[2:], turning[1:], turning[2:]) if a * b < 0]
    return 2 * crossing[0], period


def painleve(options):
    """Friction from which a rod at 1 rad to the floor jams, by bisection of what one step of 1 ns does."""
    low, high = 1.3, 1.45
    while high - low > 1e-5:
        mu = (low + high) / 2
        tip = {"kind": "sphere", "radius": 1e-6, "position": [0.5 * math.cos(1), 0, -0.5 * math.sin(1) + 1e-6]}
        rod = {"mass": 1, "inertia": [1 / 12] * 3, "position": [0, 0, 0.5 * math.sin(1)], "velocity": [3, 0, 0], "shapes": [tip]}
        _, _, velocity = simulate(options, [FLOOR, rod], 1e-9, ("--step", "1e-9"), {"mu": mu})
        low, high = (low, mu) if velocity[-1, 0] < 2 else (mu, high)
    return (low + high) / 2, (1 + 3 * math.cos(1)**2) / (3 * math.sin(1) * math.cos(1))


def flips(options):
    """Dzhanibekov: a body that spins about its middle axis turns over; time between two flips."""
    small, middle, large = 1.0, 2.0, 3.0
    spin = [0.01, 1.0, 0.0]
    energy, momentum = small * spin[0]**2 + middle * spin[1]**2, (small * spin[0])**2 + (middle * spin[1])**2
    # with 2 E and M^2 (Landau and Lifshitz, section 37); here M^2 < 2 E I2
    rate = math.sqrt((middle - small) * (large * energy - momentum) / (small * middle * large))
    modulus = (large - middle) * (momentum - energy * small) / ((middle - small) * (large * energy - momentum))
    if modulus > 1:
        rate, modulus = math.sqrt((large - middle) * (momentum - small * energy) / (small * middle * large)), 1 / modulus
    half = math.pi / agm(1, math.sqrt(1 - modulus)) / rate
    time, pose, velocity = simulate(options, [{"mass": 1, "inertia": [small, middle, large], "spin": spin}], 3.2 * half, ("--accuracy", "1e-8"), gravity=(0, 0, 0))
    w, x, y, z = pose[:, 3:].T
    axis = numpy.column_stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])
    along = (axis * velocity[:, 3:]).sum(axis=1)  # spin about the middle axis
    crossing = [t + (u - t) * a / (a - b) for t, u, a, b in zip(time, time[1:], along, along[1:]) if a * b < 0]
    return crossing[1] - crossing[0], half


def drum(options):
    """Froude number w^2 R/g from which a drum carries a block round, by bisection of whether it slips by 1e-6 m in half a turn."""
    mu, radius, flat = 0.5, 0.2, 0.005
    low, high = 2.2, 2.3
    while high - low > 2e-3:
        rate = math.sqrt((low + high) / 2 * G / radius)
        plates = [{"kind": "box", "size": [0.2, 0.2, 0.1], "position": [0, 0, side * (radius + flat + 0.05)]} for side in (-1, 1)]
        turning = {"motion": "kinematic", "spin": [0, rate, 0], "drive": {"spin": [0, rate, 0]}, "shapes": plates}
        block = {"shape": {"kind": "box", "size": [0.04, 0.04, 2 * flat]}, "position": [0, 0, -radius], "velocity": [-rate * radius, 0, 0], "spin": [0, rate, 0]}
        time, pose, _ = simulate(options, [turning, block], math.pi / rate, CAREFUL, {"mu": mu})
        slip = abs(numpy.unwrap(numpy.arctan2(-pose[:, 0], -pose[:, 2])) - rate * time).max() * radius
        low, high = (low, (low + high) / 2) if slip < 1e-6 else ((low + high) / 2, high)
    return (low + high) / 2, math.sqrt(1 + 1 / mu**2)


def capstan(options):
    light, heavy, factor = 1, 3, math.exp(math.pi * 0.3)
    bodies = [{"name": name, "position": [side * R, 0, -0.5], "mass": mass, "inertia": [mass / 1000] * 3}
              for name, side, mass in (("light", -1, light), ("heavy", 1, heavy))]
    over = {"pulley": R, "axis": [0, 1, 0], "mu": 0.3}
    rope = {"kind": "cable", "slack": 0, "path": [{"body": "light", "position": [0, 0, 0]}, over, {"body": "heavy", "position": [0, 0, 0]}]}
    _, _, velocity = simulate(options, bodies, 0.2, SHAKE, joints=[rope])
    return -velocity[-1, 2] / 0.2, G * (heavy - light * factor) / (heavy + light * factor)


# ---- tops: what friction does to bodies that spin (tops.py) ---------------------------------------------------------------------------

WRONG, PREFERRED = -5, 5  # rad/s
TILT = 3e-4  # rad: motions are linear to its square times the ratio of the radii of curvature to the height, 25


def growth_of_rattleback(options, spin):
    top = Rattleback()
    rate, mode, amplitude = linear(top.linearized(spin))
    start = mode.real * TILT / numpy.linalg.norm(mode.real[2:])
    time, pose, velocity = simulate(options, [FLOOR, top.body(spin, start)], 0.3, ("--accuracy", "1e-6"), {"mu": 2})
    turn = rotations(pose)
    states = numpy.column_stack([numpy.einsum("tji,tj->ti", turn, velocity[:, 3:])[:, :2], turn[:, 2, :2]])
    return measured_rate(time, states @ amplitude).real, rate.real


def rattleback_pitches(options):
    return growth_of_rattleback(options, WRONG)


def rattleback_rolls(options):
    return growth_of_rattleback(options, PREFERRED)


def spins_of_rattleback(options, spin):
    """Over the time in which the wrong direction reverses: times and spins, and those of the equations of rolling."""
    top, start = Rattleback(), (0, 0, 0.05, 0.025)
    time, pose, velocity = simulate(options, [FLOOR, top.body(spin, start)], 0.9, ("--accuracy", "1e-4"), {"mu": 2})
    return (time, velocity[:, 5]), top.roll(spin, start, 0.9)


def crossing(time, value):
    k = int(numpy.argmax(value[1:] * value[:-1] < 0))
    return time[k] + (time[k + 1] - time[k]) * value[k] / (value[k] - value[k + 1])


def rattleback_reverses(options):
    found, exact = spins_of_rattleback(options, WRONG)
    return crossing(*found), crossing(*exact)


def rattleback_stays(options):
    (_, found), (_, exact) = spins_of_rattleback(options, PREFERRED)
    return found.min(), exact.min()


def critical_spin(options):
    """Where the growth of a tilt is zero, by linear interpolation between two spins, which adds 5e-6 of it."""
    top = TippeTop()
    spins = [0.99 * top.critical_spin(), 1.01 * top.critical_spin()]
    growths = []
    for spin in spins:
        _, mode, amplitude = linear(top.linearized(spin))
        scene = [FLOOR, top.body(spin, mode / mode[0] * 0.01)]
        time, pose, velocity = simulate(options, scene, 0.5, ("--accuracy", "1e-6"), {"mu": [[0, 0], [2, 2 * top.viscosity]]})
        growths.append(measured_rate(time, amplitude @ top.states(spin, pose, velocity)).real)
    return float(numpy.interp(0, growths, spins)), top.critical_spin()


def tippe_top(options, multiple):
    top = TippeTop()
    scene = [FLOOR, top.body(multiple * top.critical_spin(), (0.1, 0, 0))]
    _, pose, velocity = simulate(options, scene, 6, ("--accuracy", "1e-3"), {"mu": [[0, 0], [4, 4 * top.viscosity]]})
    return top, pose, velocity


def tippe_top_inverts(options):
    _, pose, _ = tippe_top(options, 2)
    return rotations(pose)[-1, 2, 2], -1


def jellett(options):
    top, pose, velocity = tippe_top(options, 2)
    integral = top.jellett(pose, velocity)
    return integral[-1], integral[0]


def tippe_top_stays(options):
    _, pose, _ = tippe_top(options, 0.9)
    return rotations(pose)[-1, 2, 2], 1


def disk(options, tilt):
    time, pose, _ = simulate(options, [FLOOR, Disk().body(tilt)], 1, EXACT_ROLLING, {"mu": 1})
    axis = rotations(pose)[:, :, 2]
    return numpy.polyfit(time, numpy.unwrap(numpy.arctan2(axis[:, 1], axis[:, 0])), 1)[0], Disk().precession(tilt)


def steep_disk(options):
    return disk(options, 0.3)


def flat_disk(options):
    return disk(options, 0.1)


# What is measured, the function, the largest deviation, bodies, and where the exact value is from.
# Accuracies a are relative to the size of a body. Of tops: rates of disks, Jellett's integral and the spin that stays to a; rates of
# growth and the time of the reversal to a over the tilt; the critical spin to that times w/(n ds/dn), 17 for the rate s and the
# frequency w of the linearized motion. Whether a tippe top inverts is a sign. In the drum friction lacks mu Fr g d at a Froude number
# that is lower by the share d, for sqrt(8 d)/w: a slip of d^2/2 m, hence 1.4e-3 for one of 1e-6 m, and 4e-4 for the bisection's end.
LAWS = [
    ("way down a slope of atan 0.5, mu 0.4, 2 s / m", slope, 1e-8, "box 0.2 x 0.2 x 0.1 m", "Coulomb's law"),
    ("way of a block that slides to rest / m", stopping, 1e-6, "box 0.2 x 0.2 x 0.1 m", "Coulomb's law"),
    ("way of a ball that rolls down, 5/7 g sin a / m", rolling_down, 1e-6, "ball of 0.1 m", "rolling without slip"),
    ("way of a ball that slips down, g (sin a - mu cos a) / m", slipping_down, 1e-6, "ball of 0.1 m", "Coulomb's law"),
    ("way of a ball that slides, then rolls / m", sliding_to_rolling, 1e-6, "ball of 0.1 m", "momentum about the contact"),
    ("final speed of a ball with backspin / (m/s)", backspin, 1e-8, "ball of 0.1 m", "momentum about the contact"),
    ("oblique impact that slides: v - mu (1 + e) v_n / (m/s)", oblique_sliding, 1e-9, "ball of 0.1 m", "Chung and Ooi 2011, hard contact"),
    ("the same: spin 5/2 mu (1 + e) v_n/R / (rad/s)", oblique_sliding_spin, 1e-9, "ball of 0.1 m", "Chung and Ooi 2011, hard contact"),
    ("oblique impact that sticks: 5/7 v / (m/s)", oblique_sticking, 1e-9, "ball of 0.1 m", "Chung and Ooi 2011, hard contact"),
    ("way of a ball with rolling friction / m", rolling_friction, 1e-6, "ball of 0.1 m", "work of the rolling moment"),
    ("moment of spinning friction: deceleration mu_s g/(2/5 R^2) / (rad/s^2)", spinning_friction, 1e-6, "ball of 0.1 m", "spinning moment"),
    ("way of a cylinder that rolls down, 2/3 g sin a / m", rolling_cylinder, 1e-6, "cylinder of 0.1 m", "rolling without slip"),
    ("elastic impact on eight times the mass / (m/s)", collision, 1e-9, "balls of 0.1 and 0.2 m", "Chung and Ooi 2011, hard contact"),
    ("height of the first bounce, e^2 h / m", bounce_height, 1e-5, "ball of 0.1 m from 1 m", "Newton's law of impact"),
    ("end of the bounces of a ball, e = 1/2 / s", bounces, 1e-2, "ball of 0.1 m from 1 m", "geometric series"),
    ("period of a pendulum from 2 rad / s", pendulum, 1e-4, "bob of 1 kg at 0.5 m", "elliptic integral"),
    ("friction at which Painleve's rod jams, 1 rad", painleve, 1e-5, "rod of 1 m", "Painlevé 1895"),
    ("time between flips about the middle axis / s", flips, 1e-6, "inertia 1, 2, 3 kg m^2", "Landau and Lifshitz, section 37"),
    ("drum: Froude number from which it carries a block round, sqrt(1 + 1/mu^2)", drum, 2e-3, "block of 0.04 m, drum of 0.2 m", "Coulomb's law"),
    ("rope over a drum, mu 0.3: acceleration of the heavier weight / (m/s^2)", capstan, 1e-9, "weights of 3 and 1 kg, drum of 0.1 m", "Euler's rope formula"),
    ("rattleback, wrong way: growth of its pitch / (1/s)", rattleback_pitches, 1e-6 / TILT, "ellipsoid of 0.4 x 0.1 x 0.08 m", "Bondi 1986"),
    ("rattleback, preferred way: growth of its roll / (1/s)", rattleback_rolls, 1e-6 / TILT, "ellipsoid of 0.4 x 0.1 x 0.08 m", "Bondi 1986"),
    ("rattleback, wrong way: when its spin reverses / s", rattleback_reverses, 1e-4 / 0.05, "ellipsoid of 0.4 x 0.1 x 0.08 m", "Borisov and Mamaev 2003, integrated"),
    ("rattleback, preferred way: least spin in that time / (rad/s)", rattleback_stays, 1e-4 / 0.05, "ellipsoid of 0.4 x 0.1 x 0.08 m", "Borisov and Mamaev 2003, integrated"),
    ("tippe top: spin beyond which it does not stay upright / (rad/s)", critical_spin, 17 * 1e-6 / 0.01, "ball of 0.02 m, its centre of mass below", "Ebenfeld and Scheck 1995"),
    ("tippe top, twice that spin: cosine of its tilt after 6 s", tippe_top_inverts, 1e-2, "the same", "Ebenfeld and Scheck 1995"),
    ("tippe top, 0.9 of that spin: the same", tippe_top_stays, 1e-2, "the same", "Ebenfeld and Scheck 1995"),
    ("tippe top that inverts: Jellett's integral at the end / (kg m^3/s)", jellett, 1e-3, "the same", "Jellett's integral"),
    ("Euler's disk at 0.3 rad: precession / (rad/s)", steep_disk, 1e-4, "disk of 0.1 x 0.01 m", "steady rolling"),
    ("Euler's disk at 0.1 rad: precession / (rad/s)", flat_disk, 1e-4, "disk of 0.1 x 0.01 m", "steady rolling"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voussoir", default=str(HERE.parent / "build/release/app/voussoir"))
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    lines = ["# Laws of mechanics", "", "Written by `bench/laws.py`, part of the tests: closed forms, each as a small scene. The script explains the limits. Means over",
             "grains have uncertainties of their own: [Janssen, Beverloo and drums](grains.md).", "",
             "| law | bodies | exact | voussoir | relative deviation | at most | from |", "|---|---|---|---|---|---|---|"]
    failed = 0
    for name, law, limit, bodies, source in LAWS:
        value, exact = law(options)
        deviation = abs(value - exact) / abs(exact)
        failed += not deviation <= limit
        lines.append(f"| {name} | {bodies} | {exact:.9g} | {value:.9g} | {deviation:.1e} | {limit:.0e} | {source} |")
        print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
