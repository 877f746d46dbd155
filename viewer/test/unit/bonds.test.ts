// Bonds of mortar: read with the bits of the file, and counted by their state.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { File as H5File, ready } from 'h5wasm/node';
import { beforeAll, expect, test } from 'vitest';
import { bondBar, BondMarks, countStates, stateOf } from '../../src/bonds';
import { Trajectory } from '../../src/trajectory';
import type { Bonds } from '../../src/types';
import { h5py, OUT, scenes, trajectory } from './files';

beforeAll(async () => {
  await ready;
});

function open(path: string): Trajectory {
  return new Trajectory(new H5File(path, 'r'), statSync(path).size);
}

/** Two bricks on the floor; the upper one is thrown off its mortar. */
function thrown(): string {
  scenes.arch(); // makes the folder
  const brick = { shape: { kind: 'box', size: [0.25, 0.12, 0.08] }, density: 1800 };
  const scene = {
    voussoir: 1,
    bodies: [
      { name: 'floor', motion: 'static', shape: { kind: 'plane' } },
      { name: 'lower', ...brick, position: [0, 0, 0.04] },
      { name: 'upper', ...brick, position: [0, 0, 0.12], velocity: [0, 0, 2] },
    ],
    mortar: { tension: 1e4, fracture_energy: 5 },
  };
  const path = join(OUT, 'thrown.json');
  writeFileSync(path, JSON.stringify(scene));
  return trajectory('thrown', path, '--duration', '0.02', '--step', '0.001', '--frame', '0.001');
}

function bonds(strength: number[]): Bonds {
  const n = strength.length;
  return {
    count: n,
    body: Int32Array.from(strength.flatMap((_, k) => [k, k + 1])),
    point: new Float64Array(3 * n),
    normal: Float64Array.from(strength.flatMap(() => [0, 0, 1])),
    area: new Float64Array(n).fill(0.01),
    strength: Float64Array.from(strength),
  };
}

test('a frame has the bonds of the file', () => {
  const path = thrown();
  const t = open(path);
  expect(t.constants.hasBonds).toBe(true);
  expect(t.frame(0).bonds.count).toBe(0); // mortar bonds in the first step
  const { bonds } = t.frame(t.frames - 1);
  const rows = "f['bonds/offset'][-2]:f['bonds/offset'][-1]";
  expect(bonds.count).toBe(8);
  expect([...bonds.strength]).toEqual(h5py(path, `f['bonds/strength'][${rows}]`));
  expect([...bonds.point]).toEqual(h5py(path, `f['bonds/point'][${rows}].ravel()`));
  expect([...bonds.body]).toEqual(h5py(path, `f['bonds/body'][${rows}].ravel()`));
  expect(countStates(bonds).broken).toBe(4); // those of the upper brick
  expect(countStates(bonds, 2).broken).toBe(4);
  expect(countStates(bonds, 0).broken).toBe(0);
});

test('files without mortar have no bonds', () => {
  const t = open(scenes.arch());
  expect(t.constants.hasBonds).toBe(false);
  expect(t.frame(3).bonds.count).toBe(0);
});

test('states of bonds', () => {
  expect([1, 0.5, 0].map(stateOf)).toEqual(['holds', 'weakened', 'broken']);
  const some = bonds([1, 0.5, 0, 0]);
  expect(countStates(some)).toEqual({ holds: 1, weakened: 1, broken: 2 });
  expect(bondBar(some).title).toContain('2 broken');
  some.point[9] = NaN; // of a body that was removed
  expect(countStates(some)).toEqual({ holds: 1, weakened: 1, broken: 1 });
});

test('a disc for each bond that is there', () => {
  const marks = new BondMarks();
  const some = bonds([1, 0.5, 0]);
  some.point[0] = NaN;
  marks.update(some);
  const discs = (): number => marks.object.children.reduce((n, mesh) => n + (mesh as unknown as { count: number }).count, 0);
  expect(discs()).toBe(2);
  marks.clear();
  expect(discs()).toBe(0);
});
