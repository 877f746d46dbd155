"""A trajectory of many spheres: spheres.py OUT.h5 COUNT FRAMES. They fall in a grid, each a little later than its neighbour."""
import sys

import h5py
import numpy as np

path, count, frames = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
radius, step = 0.05, 1 / 60
side = int(np.ceil(count ** (1 / 3)))
k = np.arange(count)
start = np.stack([k % side, k // side % side, k // side**2], axis=1) * 2.1 * radius + [0, 0, radius]
# Contacts: every sphere on the one below, or on the floor.
below = k - side**2
body = np.stack([np.maximum(below, -1), k], axis=1).astype('i4')
weight = 1000 * 4 / 3 * np.pi * radius**3 * 9.81

with h5py.File(path, 'w', libver=('v110', 'v110')) as f:
    def once(name, data, kind='f8'):
        f.create_dataset(name, data=np.asarray(data, kind))

    def grows(name, *inner, kind='f8', rows=1024):
        return f.create_dataset(name, (0, *inner), kind, chunks=(rows, *inner), maxshape=(None, *inner))

    once('meta/format', [1], 'i4')
    f['meta/title'], f['meta/version'] = f'{count} spheres', 'test'
    once('meta/step', [step])
    once('meta/gravity', [0, 0, -9.81])
    once('meta/contacts', [1], 'i4')
    once('bodies/name', [b''] * count, 'S1')
    once('bodies/motion', np.zeros(count), 'i4')
    once('bodies/mass', np.full(count, weight / 9.81))
    once('bodies/inertia', np.tile(np.eye(3).ravel() * 0.4 * weight / 9.81 * radius**2, (count, 1)))
    once('bodies/collider/body', [-1, *k], 'i4')
    once('bodies/collider/shape', [0] + [1] * count, 'i4')
    once('bodies/collider/pose', np.tile([0, 0, 0, 1, 0, 0, 0], (count + 1, 1)))
    once('bodies/shape/kind', [6, 0], 'i4')
    once('bodies/shape/size', [[0, 0, 0], [radius, 0, 0]])
    once('bodies/shape/bounds', [[0] * 6, [-radius] * 3 + [radius] * 3])
    for what in 'vertex', 'triangle':
        once(f'bodies/shape/{what}_offset', [0, 0, 0], 'i8')
    f.create_dataset('bodies/shape/vertex', (0, 3), 'f8')
    f.create_dataset('bodies/shape/triangle', (0, 3), 'i4')
    f.create_dataset('joints/name', (0,), 'S1')
    f.create_dataset('joints/kind', (0,), 'i4')
    f.create_dataset('joints/body', (0, 2), 'i4')
    f.create_dataset('joints/reaction', (frames, 0, 6), 'f8')
    for name in ('energy_error energy_scale natural_map seconds kinetic potential dissipation work penetration '
                 'joint_drift').split():
        once(f'solver/{name}', np.linspace(1, 2, frames))
    for name in 'contacts active islands iterations factorizations status'.split():
        once(f'solver/{name}', np.full(frames, count if name in ('contacts', 'active') else 0), 'i4')
    once('solver/step', np.arange(frames), 'i8')
    once('time', np.arange(frames) * step)
    pose, velocity = grows('state/pose', count, 7, rows=1), grows('state/velocity', count, 6, rows=1)
    pose.resize(frames, 0)
    velocity.resize(frames, 0)
    once('contacts/offset', np.arange(frames + 1) * count, 'i8')
    column = {name: grows(f'contacts/{name}', *inner, kind=kind) for name, inner, kind in
              [('body', (2,), 'i4'), ('point', (3,), 'f8'), ('normal', (3,), 'f8'), ('gap', (), 'f8'),
               ('impulse', (3,), 'f8'), ('velocity', (3,), 'f8')]}
    for c in column.values():
        c.resize(frames * count, 0)
    normal = np.tile([0.0, 0.0, 1.0], (count, 1)) # h5py writes a broadcast row by row
    p, v = np.zeros((count, 7)), np.zeros((count, 6))
    p[:, 3] = 1
    for t in range(frames):
        p[:, :3] = start
        p[:, 2] += 0.02 * np.sin(0.2 * t + 0.01 * k)
        v[:, 2] = 0.02 * 0.2 / step * np.cos(0.2 * t + 0.01 * k)
        pose[t], velocity[t] = p, v
        rows = slice(t * count, (t + 1) * count)
        column['body'][rows] = body
        column['point'][rows] = p[:, :3] - [0, 0, radius]
        column['normal'][rows] = normal
        column['impulse'][rows] = np.outer((side - k // side**2) * weight * step, [0, 0, 1])
