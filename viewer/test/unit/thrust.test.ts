// The line of thrust and the pressure of interfaces, from contacts whose centres of pressure are known.
import * as THREE from 'three';
import { expect, test } from 'vitest';
import { resultants } from '../../src/contacts';
import { findInterfaces } from '../../src/pressure';
import { findThrust } from '../../src/thrust';
import { noContacts } from '../../src/trajectory';
import type { Contacts } from '../../src/types';

const STEP = 0.01; // s

interface Corner {
  of: [number, number];
  point: [number, number, number];
  normal: [number, number, number];
  force: [number, number, number]; // N on the second body
}

function contactsOf(corners: Corner[]): Contacts {
  const flat = (numbers: number[][]): Float64Array => Float64Array.from(numbers.flat());
  return {
    ...noContacts(),
    count: corners.length,
    body: Int32Array.from(corners.flatMap(({ of }) => of)),
    point: flat(corners.map(({ point }) => point)),
    normal: flat(corners.map(({ normal }) => normal)),
    gap: new Float64Array(corners.length),
    impulse: flat(corners.map(({ force }) => force.map((f) => STEP * f))),
    velocity: new Float64Array(3 * corners.length),
  };
}

// Three stones in a row, 1 m wide and high, between the ground (-1) at x = 0 and a fixed pier (body 3) at x = 3. The shares
// of the normal force at the lower and upper edge of each joint set its centre of pressure; friction does not.
const shares = [0.75, 0.4, 0.4, 0.75]; // of the lower edge, z = 0
const shear = [60, 20, -20, -60]; // N along z, all at the upper edge
const arch = contactsOf(
  shares.flatMap((low, joint): Corner[] => {
    const of: [number, number] = [joint - 1, joint];
    return [0, 1].flatMap((y): Corner[] => [
      { of, point: [joint, y, 0], normal: [1, 0, 0], force: [50 * low, 0, 0] },
      { of, point: [joint, y, 1], normal: [1, 0, 0], force: [50 * (1 - low), 0, shear[joint] / 2] },
    ]);
  }),
);
const motion = Int32Array.from([0, 0, 0, 2]);
const pose = Float64Array.from([0, 1, 2, 3].flatMap((k) => [k + 0.5, 0.5, 0.5, 1, 0, 0, 0]));

test('in an arch the line goes from one centre of pressure to the next', () => {
  const pairs = resultants(arch, STEP);
  expect(pairs.length).toBe(4);
  pairs.forEach((pair, joint) => {
    expect(pair.point.distanceTo(new THREE.Vector3(joint, 0.5, 1 - shares[joint]))).toBeLessThan(1e-12);
    expect(pair.magnitude).toBeCloseTo(Math.hypot(100 * 0.5 * 2, shear[joint]), 9);
  });
  const line = findThrust(pairs, motion, pose);
  expect(line.length).toBe(3); // none in the pier
  line.forEach(({ from, to, magnitude }, stone) => {
    expect(from.toArray().map((x) => Number(x.toFixed(12)))).toEqual([stone, 0.5, Number((1 - shares[stone]).toFixed(12))]);
    expect(to.toArray().map((x) => Number(x.toFixed(12)))).toEqual([stone + 1, 0.5, Number((1 - shares[stone + 1]).toFixed(12))]);
    expect(magnitude).toBeCloseTo((pairs[stone].magnitude + pairs[stone + 1].magnitude) / 2, 12);
  });
});

test('a stone with one or three partners has lines to its centre of mass; what hardly presses does not count', () => {
  const press = (a: number, b: number, x: number, force: number): Corner => ({
    of: [a, b],
    point: [x, 0.5, a < 0 ? 0 : 1],
    normal: [0, 0, 1],
    force: [0, 0, force],
  });
  // Stone 0 carries stones 1 and 2; with a force of 1e-5 of the others, stone 2 is a partner of nobody.
  const lines = (force: number) => {
    const contacts = contactsOf([press(-1, 0, 0.5, 100), press(0, 1, 0.2, 50), press(0, 2, 0.8, force)]);
    return findThrust(resultants(contacts, STEP), motion, pose);
  };
  const centre = new THREE.Vector3(0.5, 0.5, 0.5);
  const all = lines(40);
  expect(all.filter(({ to }) => to.equals(centre)).map(({ from }) => from.x)).toEqual([0.5, 0.2, 0.8]);
  expect(all.length).toBe(5); // and one in each of the upper stones
  const few = lines(1e-3);
  expect(few[0].from.toArray()).toEqual([0.5, 0.5, 0]);
  expect(few[0].to.toArray()).toEqual([0.2, 0.5, 1]);
});

test('where nothing presses, the magnitudes are the weights', () => {
  const pull: Corner[] = [1, 3].map((f, k) => ({ of: [-1, 0], point: [k, 0, 0], normal: [0, 0, 1], force: [0, 0, -f] }));
  expect(resultants(contactsOf(pull), STEP)[0].point.x).toBeCloseTo(0.75, 12);
});

test('interfaces have the area of their corners and the normal force', () => {
  const found = findInterfaces(arch, STEP);
  expect(found.length).toBe(4);
  for (const { area, force, corners } of found) {
    expect(corners.length).toBe(4);
    expect(area).toBeCloseTo(1, 12);
    expect(force).toBeCloseTo(100, 9);
  }
  // A pair that meets in two planes has two interfaces; an edge has none.
  const corner = (point: [number, number, number], normal: [number, number, number]): Corner => ({ of: [0, 1], point, normal, force: normal });
  const two = contactsOf([
    ...[0, 1, 2, 3].map((k) => corner([k & 1, k >> 1, 0], [0, 0, 1])),
    corner([0.5, 0.5, 0], [0, 0, 1]), // inside
    ...[0, 1, 2].map((k) => corner([0, k & 1, k >> 1], [1, 0, 0])),
    ...[0, 1].map((k) => corner([k, 0, 0], [0, 1, 0])),
  ]);
  expect(findInterfaces(two, STEP).map(({ area, force }) => [area, force])).toEqual([
    [1, 5],
    [0.5, 3],
  ]);
});
