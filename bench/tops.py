"""Bodies that spin on a plane: closed forms and reference solutions for laws.py. Lengths in units of m, gravity G.

The linearized motions are x' = A x for a state x of a few components; linear() returns the eigenvalue of the largest real part, its
eigenvector, and the row that takes the amplitude of this motion out of a state.
"""

import math

import numpy

G = 9.81


def linear(matrix):
    values, vectors = numpy.linalg.eig(matrix)
    k = int(numpy.argmax(values.real + 1e-9 * values.imag))  # of two conjugate ones that which turns forwards
    return values[k], vectors[:, k], numpy.linalg.inv(vectors)[k]


def measured_rate(time, amplitude):
    """Growth and frequency of a complex amplitude, by least squares; the first two samples may have other motions."""
    growth = numpy.polyfit(time[2:], numpy.log(numpy.abs(amplitude[2:])), 1)[0]
    return complex(growth, numpy.polyfit(time[2:], numpy.unwrap(numpy.angle(amplitude[2:])), 1)[0])


def rotation_from(axis, angle):
    x, y, z = axis
    cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def rotations(pose):
    """Matrices (n x 3 x 3) from body to world."""
    w, x, y, z = pose[:, 3:].T
    return numpy.moveaxis(numpy.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]), 2, 0)


class Rattleback:
    """An ellipsoid of 1 kg that rolls without slip on its flat side; its axes of inertia are turned by `skew` about the short semi-axis.

    State of the linearized motion, in axes of the body: (w1, w2, g1, g2), spin and upward direction (Walker 1896, Bondi 1986).
    """

    semi_axes = numpy.array([0.2, 0.05, 0.04])
    skew = 0.1
    principal = (0.0004, 0.012, 0.0124)

    def __init__(self):
        turn = rotation_from((0, 0, 1), self.skew)
        self.inertia = turn @ numpy.diag(self.principal) @ turn.T

    def arm(self, up):
        """From the centre to the point of contact."""
        return -self.semi_axes**2 * up / self.height(up)

    def height(self, up):
        return math.sqrt(up @ (self.semi_axes**2 * up))

    def linearized(self, spin):
        c = self.semi_axes[2]
        r1, r2 = self.semi_axes[:2]**2 / c  # radii of curvature
        i11, i22, i12, i33 = self.inertia[0, 0] + c * c, self.inertia[1, 1] + c * c, self.inertia[0, 1], self.inertia[2, 2]
        mass = numpy.eye(4)
        mass[0] = i11, i12, -c * spin * r1, 0  # moments of momentum about the point of contact
        mass[1] = i12, i22, 0, -c * spin * r2
        force = numpy.array([[0, -spin * i33, 0, G * (c - r2)], [spin * i33, 0, G * (r1 - c), 0], [0, -1, 0, spin], [1, 0, -spin, 0]])
        force[0] += spin * mass[1]
        force[1] -= spin * mass[0]
        return numpy.linalg.solve(mass, force)

    def body(self, spin, state):
        """A body of a scene that rolls with the state."""
        up = numpy.array([state[2], state[3], math.sqrt(1 - state[2]**2 - state[3]**2)])
        axis = numpy.cross(up, (0, 0, 1))
        angle = math.asin(numpy.linalg.norm(axis))
        axis /= numpy.linalg.norm(axis)
        turn = rotation_from(axis, angle)
        rate = turn @ (state[0], state[1], spin)
        tensor = self.inertia
        return {"shape": {"kind": "ellipsoid", "semi_axes": list(self.semi_axes)}, "mass": 1, "position": [0, 0, self.height(up)],
                "inertia": [*tensor.diagonal(), tensor[0, 1], 0, 0], "rotation": {"axis": list(axis), "angle": angle},
                "spin": list(rate), "velocity": list(numpy.cross(turn @ self.arm(up), rate))}

    def roll(self, spin, state, duration, step=2e-4):
        """Times and spins about the vertical, by the equations of rolling (Borisov and Mamaev 2003) in steps of Runge and Kutta."""
        square = self.semi_axes**2

        def rate_of(momentum, up):
            r = self.arm(up)
            return numpy.linalg.solve(self.inertia + r @ r * numpy.eye(3) - numpy.outer(r, r), momentum)

        def slope(y):
            momentum, up = y[:3], y[3:]
            r, rate, height = self.arm(up), rate_of(momentum, up), self.height(up)
            turning = numpy.cross(up, rate)
            r_rate = -square * turning / height + square * up * (up @ (square * turning)) / height**3
            return numpy.concatenate([numpy.cross(momentum, rate) + numpy.cross(r_rate, numpy.cross(rate, r)) + G * numpy.cross(r, up), turning])

        up = numpy.array([state[2], state[3], math.sqrt(1 - state[2]**2 - state[3]**2)])
        rate, r = numpy.array([state[0], state[1], spin]), self.arm(up)
        y = numpy.concatenate([self.inertia @ rate + numpy.cross(r, numpy.cross(rate, r)), up])
        times, spins = [], []
        for n in range(round(duration / step) + 1):
            times.append(n * step)
            spins.append(rate_of(y[:3], y[3:]) @ y[3:])
            k1 = slope(y)
            k2 = slope(y + step / 2 * k1)
            k3 = slope(y + step / 2 * k2)
            k4 = slope(y + step * k3)
            y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return numpy.array(times), numpy.array(spins)


class TippeTop:
    """A ball whose centre of mass is `low` radii below its middle, with moments of inertia `across` and `along` its axis. Friction is
    `viscosity` s/m times the load and the speed of slip.

    State of the linearized motion: (z, z', v), complex: tilt of the axis, and velocity of the centre of mass.
    """

    radius, low, mass, viscosity = 0.02, 0.2, 0.015, 3.0
    across, along = 0.4 * mass * radius**2, 0.44 * mass * radius**2

    def linearized(self, spin):
        drag, arm = self.viscosity * self.mass * G, self.radius * (1 - self.low)
        weight = self.low * self.radius * self.mass * G
        # slip v + i spin R z - arm z'; across z'' = i along spin z' - weight z + arm drag slip
        slip = numpy.array([1j * spin * self.radius, -arm, 1])
        tilt = numpy.array([-weight, 1j * self.along * spin, 0])
        return numpy.array([[0, 1, 0], (tilt + arm * drag * slip) / self.across, -drag / self.mass * slip])

    def critical_spin(self):
        """Beyond it the axis does not stay upright: m g low R (1 - low)^2/(across - along (1 - low)) (Ebenfeld and Scheck 1995)."""
        return math.sqrt(self.mass * G * self.low * self.radius * (1 - self.low)**2 / (self.across - self.along * (1 - self.low)))

    def body(self, spin, state):
        z, rate, velocity = state
        tilt = abs(z)
        turn = spin * z + 1j * rate
        return {"shape": {"kind": "sphere", "radius": self.radius}, "mass": self.mass, "position": [0, 0, self.radius],
                "inertia": [self.across, self.across, self.along], "centre": [0, 0, -self.low * self.radius],
                "rotation": {"axis": [-z.imag / tilt, z.real / tilt, 0], "angle": math.asin(tilt)},
                "spin": [turn.real, turn.imag, spin * math.sqrt(1 - tilt**2)], "velocity": [velocity.real, velocity.imag, 0]}

    def states(self, spin, pose, velocity):
        axis = rotations(pose)[:, :, 2]
        z = axis[:, 0] + 1j * axis[:, 1]
        turn = velocity[:, 3] + 1j * velocity[:, 4]
        return numpy.array([z, -1j * (turn - spin * z), velocity[:, 0] + 1j * velocity[:, 1]])

    def jellett(self, pose, velocity):
        """Moment of momentum times the arm from the centre of mass to the contact: no force at the point of contact changes it."""
        axis, turn = rotations(pose)[:, :, 2], velocity[:, 3:]
        along = (self.along - self.across) * (axis * turn).sum(axis=1)
        arm = self.radius * (self.low * axis - [0, 0, 1])
        return ((self.across * turn + along[:, None] * axis) * arm).sum(axis=1)


class Disk:
    """Euler's disk: 1 kg on its rim, its centre at rest, while the point of contact runs round."""

    radius, half_thickness = 0.1, 0.005
    across, along = radius**2 / 4 + half_thickness**2 / 3, radius**2 / 2

    def precession(self, tilt):
        """rad/s: W^2 sin a (across cos a - along b/R sin a) = m g (R cos a - b sin a); for a thin disk W^2 sin a = 4 g/R."""
        sine, cosine, slope = math.sin(tilt), math.cos(tilt), self.half_thickness / self.radius
        return math.sqrt(G * (self.radius * cosine - self.half_thickness * sine) / (sine * (self.across * cosine - self.along * slope * sine)))

    def body(self, tilt):
        sine, cosine, b = math.sin(tilt), math.cos(tilt), self.half_thickness
        arm = numpy.array([self.radius * cosine - b * sine, 0, -self.radius * sine - b * cosine])
        return {"shape": {"kind": "cylinder", "radius": self.radius, "half_length": b}, "mass": 1, "position": [0, 0, -arm[2]],
                "inertia": [self.across, self.across, self.along], "rotation": {"axis": [0, 1, 0], "angle": tilt},
                "spin": list(-self.precession(tilt) * sine / self.radius * arm)}
