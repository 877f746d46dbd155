import { statSync } from 'node:fs';
import { File as H5File, ready } from 'h5wasm/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { FormatError, Trajectory } from '../../src/trajectory';
import { h5py, OUT, scenes } from './files';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

function open(path: string): Trajectory {
  return new Trajectory(new H5File(path, 'r'), statSync(path).size);
}

beforeAll(async () => {
  await ready;
});

describe('a trajectory of the arch', () => {
  test('says the same as h5py does', () => {
    const path = scenes.arch();
    const t = open(path);
    expect(t.frames).toBe(h5py(path, "len(f['time'])"));
    expect(t.constants.title).toBe('arch');
    expect(t.constants.bodies.count).toBe(11);
    expect([...t.constants.bodies.mass]).toEqual(h5py(path, "f['bodies/mass'][:]"));
    expect([...t.constants.shapes.kind]).toEqual(h5py(path, "f['bodies/shape/kind'][:]"));
    expect([...t.constants.shapes.vertex]).toEqual(h5py(path, "f['bodies/shape/vertex'][:].ravel()"));
  });

  test('a frame has the bits of the file', () => {
    const path = scenes.arch();
    const frame = open(path).frame(37);
    expect([...frame.pose]).toEqual(h5py(path, "f['state/pose'][37].ravel()"));
    expect([...frame.velocity]).toEqual(h5py(path, "f['state/velocity'][37].ravel()"));
    const rows = "f['contacts/offset'][37]:f['contacts/offset'][38]";
    expect([...frame.contacts.impulse]).toEqual(h5py(path, `f['contacts/impulse'][${rows}].ravel()`));
    expect([...frame.contacts.body]).toEqual(h5py(path, `f['contacts/body'][${rows}].ravel()`));
  });

  test('a body over time, thinned out if there are many frames', () => {
    const path = scenes.arch();
    const t = open(path);
    const whole = t.track(5, 1000);
    expect([...whole.time]).toEqual(h5py(path, "f['time'][:]"));
    expect([...whole.position]).toEqual(h5py(path, "f['state/pose'][:, 5, :3].ravel()"));
    expect([...whole.velocity]).toEqual(h5py(path, "f['state/velocity'][:, 5, :3].ravel()"));
    const some = t.track(5, 7);
    expect(some.time.length).toBe(7);
    expect([some.time[0], some.time[6]]).toEqual([whole.time[0], whole.time[whole.time.length - 1]]);
  });

  test('columns of the solver can be read in parts', () => {
    const path = scenes.arch();
    const t = open(path);
    const whole = t.series(0, t.frames);
    const part = t.series(20, 30);
    expect([...whole.energy_error]).toEqual(h5py(path, "f['solver/energy_error'][:]"));
    expect([...part.iterations]).toEqual([...whole.iterations.subarray(20, 30)]);
    expect([...part.discretization]).toEqual(h5py(path, "f['energy/discretization'][20:30]"));
  });
});

test('reactions of joints', () => {
  const path = scenes.fourBar();
  const frame = open(path).frame(100);
  expect([...frame.reaction]).toEqual(h5py(path, "f['joints/reaction'][100].ravel()"));
});

test('flexible solids have the bits of the file', () => {
  const path = scenes.bending();
  const t = open(path);
  const { flexible } = t.constants;
  expect(flexible).toMatchObject({ count: 1, name: ['beam'] });
  expect([...flexible.rest]).toEqual(h5py(path, "f['flexible/rest'][:].ravel()"));
  expect([...flexible.triangle]).toEqual(h5py(path, "f['flexible/triangle'][:].ravel()"));
  const { nodes, contacts } = t.frame(2);
  expect([...nodes.position]).toEqual(h5py(path, "f['flexible/position'][2].ravel()"));
  expect([...nodes.velocity]).toEqual(h5py(path, "f['flexible/velocity'][2].ravel()"));
  expect([...nodes.vonMises]).toEqual(h5py(path, "f['flexible/von_mises'][2]"));
  expect([...nodes.pressure]).toEqual(h5py(path, "f['flexible/pressure'][2]"));
  expect(new Set(contacts.body)).toEqual(new Set([-3, -1, 0])); // the beam, the supports, the punch
});

describe('files that are not good', () => {
  function broken(name: string, code: string, from = scenes.arch()): string {
    const path = join(OUT, `${name}.h5`);
    const script = `import h5py, shutil, sys
shutil.copy(sys.argv[1], sys.argv[2])
with h5py.File(sys.argv[2], 'r+') as f:
    ${code}`;
    execFileSync(process.env.PYTHON ?? '/usr/bin/python3', ['-c', script, from, path]);
    return path;
  }

  test.each([
    ['no-format', "del f['meta']", /not a voussoir trajectory/],
    ['later', "f['meta/format'][0] = 9", /format 9; this viewer reads 1/],
    ['no-pose', "del f['bodies/collider/pose']", /collider\/pose is missing/],
    ['outside', "f['bodies/collider/shape'][0] = 77", /a collider has no shape/],
    ['triangle', "f['bodies/shape/triangle'][0, 0] = -3", /a triangle of the shapes has no vertex/],
    [
      'huge',
      "del f['bodies/mass']; f.create_dataset('bodies/mass', shape=(1 << 40,), chunks=(1024,), dtype='f8')",
      /claims \d+ bytes/,
    ],
  ])('%s', (name, code, message) => {
    const path = broken(name, code);
    expect(() => open(path)).toThrow(FormatError);
    expect(() => open(path)).toThrow(message);
  });

  test.each([
    ['no-triangles', "del f['flexible/triangle']", /flexible\/triangle is missing/],
    ['solid-offset', "f['flexible/node_offset'][1] = 7", /offsets of flexible solids/],
    ['solid-triangle', "f['flexible/triangle'][0, 0] = 1 << 30", /a triangle of the flexible solids has no vertex/],
    ['solid-rest', "r = f['flexible/rest'][:9]; del f['flexible/rest']; f['flexible/rest'] = r", /offsets of flexible solids/],
  ])('%s', (name, code, message) => {
    expect(() => open(broken(name, code, scenes.bending()))).toThrow(message);
  });

  test('nodes of a frame that are not as many as at rest', () => {
    const code = "r = f['flexible/von_mises'][:, :9]; del f['flexible/von_mises']; f['flexible/von_mises'] = r";
    expect(() => open(broken('few-stresses', code, scenes.bending())).frame(1)).toThrow(/flexible\/von_mises has size 4 × 9, not … × 760/);
  });

  test('contacts beyond the end', () => {
    const path = broken('beyond', "f['contacts/offset'][6] = 1 << 40");
    expect(() => open(path).frame(5)).toThrow(/Frame 5 has contacts/);
  });
});
