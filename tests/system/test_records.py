"""Accelerograms as a user meets them: what `voussoir info` and `voussoir plot` say about .AT2 files and columns of numbers.

usage: tests/system/test_records.py COMMAND

Spectra are compared with the motion that scipy integrates, intensities with integrals of the interpolated record.
"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile

import checks
from checks import check

try:
    import numpy as np
    from scipy.integrate import solve_ivp
except ImportError:
    print("numpy and scipy are needed")
    sys.exit(77)

G = 9.80665
command = os.path.abspath(sys.argv[1])


def close(a, b, tolerance, what):
    check(abs(a - b) <= tolerance * abs(b), f"{what}: {a:.15g} instead of {b:.15g}")


def run(*words):
    return subprocess.run([command, *words], capture_output=True, text=True)


def refused(code, text, *words):
    done = run(*words)
    said = done.stderr.strip()
    check(done.returncode == code and text in said and "\n" not in said, f"{words}: code {done.returncode}, said {said!r}")


# ---- the same numbers, computed otherwise -----------------------------------------------------------------------


def integrate(t, a):
    """Velocity and displacement from rest at the samples, exact for straight lines."""
    d = np.diff(t)
    v = np.concatenate([[0], np.cumsum(d * (a[1:] + a[:-1]) / 2)])
    u = np.concatenate([[0], np.cumsum(d * v[:-1] + d * d * (2 * a[:-1] + a[1:]) / 6)])
    return v, u


def correct(t, a):
    """Without the line that leaves velocity and displacement at the end; by least squares on the two conditions."""
    ends = lambda x: np.array([y[-1] for y in integrate(t, x)])
    lines = np.column_stack([ends(np.ones_like(t)), ends(t - t[0])])
    p, q = np.linalg.solve(lines, ends(a))
    return a - p - q * (t - t[0])


def respond(t, a, period, damping):
    """Largest |u|: scipy piece by piece, extremes where the velocity vanishes, a period of free vibration after the end."""
    w = 2 * math.pi / period
    peak, state = 0.0, [0.0, 0.0]
    still = lambda s, y: y[1]
    for t0, t1, a0, a1 in [*zip(t[:-1], t[1:], a[:-1], a[1:]), (t[-1], t[-1] + period, 0.0, 0.0)]:
        rate = lambda s, y: [y[1], -2 * damping * w * y[1] - w * w * y[0] - a0 - (a1 - a0) * (s - t0) / (t1 - t0)]
        done = solve_ivp(rate, (t0, t1), state, method="DOP853", rtol=1e-10, atol=1e-13, events=still, max_step=period / 6)
        state = done.y[:, -1]
        peak = max([peak, abs(state[0]), *np.abs(done.y_events[0][:, 0] if len(done.t_events[0]) else [0.0])])
    return peak


def simpson(t, f, a):
    """Integrals of f(a) up to each sample of a fine grid on every line, exact for squares."""
    fine = np.concatenate([np.linspace(t[k], t[k + 1], 400, endpoint=False) for k in range(len(t) - 1)] + [[t[-1]]])
    g = lambda s: f(np.interp(s, t, a))
    parts = np.diff(fine) / 6 * (g(fine[:-1]) + 4 * g((fine[:-1] + fine[1:]) / 2) + g(fine[1:]))
    return fine, np.concatenate([[0], np.cumsum(parts)])


def compare(path, t, a, *options):
    """Info, and the spectrum at some periods, of a record with the corrected accelerations a."""
    said = json.loads(run("info", path, "--json", *options).stdout)["record"]
    v, u = integrate(t, a)
    fine, square = simpson(t, np.square, a)
    check(said["samples"] == len(t), f"{path}: samples {said['samples']}")
    close(said["duration_s"], t[-1] - t[0], 1e-12, "duration")
    close(said["peak_acceleration_m_s2"], abs(a).max(), 1e-9, "peak acceleration")
    close(said["peak_acceleration_g"], abs(a).max() / G, 1e-9, "peak acceleration in g")
    close(said["peak_velocity_m_s"], abs(v).max(), 1e-9, "peak velocity")
    close(said["peak_displacement_m"], abs(u).max(), 1e-9, "peak displacement")
    close(said["arias_intensity_m_s"], math.pi / 2 / G * square[-1], 1e-9, "Arias intensity")
    close(said["cumulative_absolute_velocity_m_s"], simpson(t, np.abs, a)[1][-1], 1e-6, "absolute velocity")  # |a| has corners
    for k, share in enumerate((0.05, 0.95)):  # the sum is interpolated on the fine grid
        close(said["significant_s"][k], np.interp(share * square[-1], square, fine), 1e-6, f"time of {share}")
    for damping in (0.05, 0.0):
        done = run("plot", path, "--damping", str(damping), "-o", "spectrum.csv", *options)
        check(done.returncode == 0 and done.stdout == "spectrum.csv\n", f"plot {path}: {done.stderr}")
        with open("spectrum.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        check(list(rows[0]) == ["period (s)", "Sd (m)", "Sv (m/s)", "Sa (m/s^2)"], f"columns {list(rows[0])}")
        numbers = np.array([[float(x) for x in row.values()] for row in rows])
        check(numbers[0, 0] == 0.02 and numbers[-1, 0] == 10 and (np.diff(numbers[:, 0]) > 0).all(), "periods")
        for period, displacement, velocity, acceleration in numbers[24::36]:
            close(displacement, respond(t, a, period, damping), 1e-6, f"{path}: Sd at {period:g} s, damping {damping}")
            close(velocity, 2 * math.pi / period * displacement, 1e-7, "Sv")  # nine digits of the table
            close(acceleration, 2 * math.pi / period * velocity, 1e-7, "Sa")
        if damping == 0.05:
            best = numbers[numbers[:, 3].argmax()]
            check(abs(said["predominant_period_s"] / best[0] - 1) < 0.027, f"predominant period {said['predominant_period_s']}")
            check(said["largest_pseudo_acceleration_m_s2"] >= best[3] * (1 - 1e-8), "largest pseudo-acceleration")


os.chdir(tempfile.mkdtemp())
random = np.random.default_rng(1)

# ---- a PEER file, and columns at uneven times with a heading -----------------------------------------------------

t = 0.02 * np.arange(120)
shape = np.exp(-t) * t
g = np.round(shape * (np.sin(12 * t) + 0.5 * random.normal(size=len(t))), 7)
with open("quake.AT2", "w", encoding="utf-8") as file:
    file.write("PEER NGA STRONG MOTION DATABASE RECORD\ntest\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 120, DT= .0200 SEC\n")
    for k in range(0, len(g), 5):
        file.write("".join(f"{x:15.7E}" for x in g[k : k + 5]) + "\n")
compare("quake.AT2", t, correct(t, G * g))
compare("quake.AT2", t, G * g, "--baseline", "none")

t = np.round(np.cumsum(random.uniform(0.005, 0.05, 80)), 6)
a = np.round(random.normal(size=80), 6)
with open("uneven.csv", "w", encoding="utf-8") as file:
    file.write("name;time;g\n" + "".join(f"row{k};{x};{y}\n" for k, (x, y) in enumerate(zip(t, a))))
compare("uneven.csv", t, correct(t, G * a), "--skip", "1", "--time-column", "2", "--column", "3", "--scale", str(G))

np.savetxt("plain.txt", a)
compare("plain.txt", 0.02 * np.arange(80), correct(0.02 * np.arange(80), a), "--step", "0.02")

# ---- reports, figures, messages ----------------------------------------------------------------------------------

text = run("info", "quake.AT2").stdout
for line in ("record              120 samples from 0 to 2.38 s, one every 0.02 s", "duration            2.38 s", "predominant period  "):
    check(f"\n  {line}" in text, f"not said: {line}: {text}")
check("uneven" in run("info", "uneven.csv", "--skip", "1", "--time-column", "2", "--column", "3").stdout, "uneven times")
supports = [
    {"motion": "kinematic", "shape": {"kind": "box", "size": [1, 1, 1]}, "position": [3 * k, 0, 0],
     "drive": {"acceleration": [{"file": "quake.AT2", "scale": scale}, 0, 0]}}
    for k, scale in enumerate((1, 1, 0.5))
]  # fmt: skip
with open("supports.json", "w", encoding="utf-8") as file:
    json.dump({"voussoir": 1, "bodies": supports, "output": {"duration": 0.1}}, file)
text = run("run", "supports.json", "--quiet").stdout
check(text.count("quake.AT2: 120 samples") == 2, f"a record of two supports is listed once, another scale apart: {text}")
two = run("info", "quake.AT2", "none.AT2", "--json")
lines = [json.loads(line) for line in two.stdout.splitlines()]
check(two.returncode == 2 and lines[0]["error"] is None and lines[1]["error"] and "record" not in lines[1], f"{two.stdout}")
if subprocess.run(["sh", "-c", "command -v gnuplot"], capture_output=True).returncode == 0:
    check(run("plot", "quake.AT2", "-o", "quake.svg").returncode == 0, "no figure")
    figure = open("quake.svg", encoding="utf-8").read()
    for word in ("acceleration (m/s²)", "velocity (m/s)", "displacement (m)", "pseudo-acceleration, 5 % damping (m/s²)", "period (s)"):
        check(word in figure, f"{word} is not in the figure")
refused(2, "uneven.csv:1: expected a time, s (skip headings", "info", "uneven.csv")
refused(2, "none.csv: does not exist; ", "info", "none.csv")
refused(2, "none.AT2: does not exist; ", "plot", "none.AT2")
refused(1, "quake.AT2 is a record, which has no quantities; ", "plot", "quake.AT2", "energy")
refused(1, "-o quake.pdf: use the extension .svg, .png or .csv", "plot", "quake.AT2", "-o", "quake.pdf")
refused(1, "--damping: '2' is not a number from 0 to 1; ", "plot", "quake.AT2", "--damping", "2")
refused(1, "", "plot", "uneven.csv", "-o", "uneven.csv")

print(checks.summary())
sys.exit(checks.failed > 0)
