// Surfaces of flexible solids, and what is derived from a frame with them.
import * as THREE from 'three';
import { expect, test } from 'vitest';
import { prefixed } from '../../src/colours';
import { placedContacts, resultants } from '../../src/contacts';
import { boundsOfSolid, findEdges, Solids } from '../../src/flexible';
import { islands, nodeDisplacements, QUANTITIES } from '../../src/quantities';
import { noBonds, noContacts } from '../../src/trajectory';
import type { Flexible, Frame, Constants } from '../../src/types';

// Two tetrahedra; the second has a node that its surface does not use, and is shifted along x.
const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
const flexible: Flexible = {
  count: 2,
  name: ['left', ''],
  nodeOffset: Float64Array.from([0, 4, 9]),
  rest: Float64Array.from([...corners, 9, 9, 9, ...corners.map((x, i) => (i % 3 === 0 ? x + 3 : x))]),
  triangleOffset: Float64Array.from([0, 4, 8]),
  triangle: Int32Array.from([...faces, ...faces.map((node) => node + 1)]),
};

function frameOf(position: Float64Array, more: Partial<Frame> = {}): Frame {
  const nn = position.length / 3;
  const nodes = { position, velocity: new Float64Array(3 * nn), vonMises: new Float64Array(nn), pressure: new Float64Array(nn) };
  const none = new Float64Array(0);
  return { index: 0, time: 0, pose: none, velocity: none, contacts: noContacts(), bonds: noBonds(), reaction: none, nodes, ...more };
}

test('all edges of a tetrahedron are sharp, the diagonal of a square is not', () => {
  const { all, sharp } = findEdges(corners, faces);
  expect(all.length).toBe(12);
  expect(sharp.length).toBe(12);
  const square = findEdges([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], [0, 1, 2, 0, 2, 3]);
  expect(square.all.length).toBe(10);
  expect(square.sharp.length).toBe(8);
});

test('a ray meets the nearer solid where it is now, and says the nearest node', () => {
  const solids = new Solids(flexible);
  const position = flexible.rest.slice();
  solids.place(position);
  const ray = new THREE.Raycaster(new THREE.Vector3(3.7, 0.1, -5), new THREE.Vector3(0, 0, 1));
  expect(solids.pick(ray)).toEqual({ solid: 1, node: 6, distance: 5 });
  for (let i = 0; i < 4; i++) position[3 * i] += 3; // the first one goes to the same place, and 1 m nearer
  for (let i = 0; i < 4; i++) position[3 * i + 2] -= 1;
  solids.place(position);
  expect(solids.pick(ray)).toEqual({ solid: 0, node: 1, distance: 4 });
  position.fill(NaN, 0, 12); // it is gone
  solids.place(position);
  expect(solids.pick(ray)).toMatchObject({ solid: 1 });
  expect(boundsOfSolid(flexible, 0, position, new THREE.Box3()).isEmpty()).toBe(true);
});

test('colours go to the nodes that they are of', () => {
  const solids = new Solids(flexible);
  const seen = new Set<number>();
  solids.paint((solid, node, out) => {
    expect(solid).toBe(node < 4 ? 0 : 1);
    seen.add(node);
    out.setRGB(node / 16, 0, 0);
  });
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 5, 6, 7, 8]); // 4 is not on the surface
  const mesh = solids.object.children.find((child, k) => child instanceof THREE.Mesh && k > 0) as THREE.Mesh;
  const colour = mesh.geometry.getAttribute('color');
  expect([0, 1, 2, 3].map((i) => colour.getX(i))).toEqual([5, 6, 7, 8].map((node) => node / 16));
});

// A ball (body 0) that moves down and turns, and the two solids.
const constants = {
  step: 0.1,
  bodies: { count: 2, motion: Int32Array.from([0, 0]) },
  joints: { count: 0 },
  flexible,
} as unknown as Constants;

test('displacement is from rest', () => {
  const position = flexible.rest.slice();
  position[3 * 6] += 3;
  position[3 * 6 + 1] -= 4;
  const values = nodeDisplacements(frameOf(position), constants);
  expect([...values]).toEqual([0, 0, 0, 0, 0, 0, 5, 0, 0]);
  expect(QUANTITIES.stress.offered!(constants)).toBe(true);
});

test('contacts of solids go along with the rigid side, others stay', () => {
  const contacts = {
    ...noContacts(),
    count: 3,
    body: Int32Array.from([0, -3, -1, -4, 0, -1]),
    point: Float64Array.from([1, 0, 2, 5, 5, 5, 1, 0, 2]),
    impulse: Float64Array.from([0, 0, 1, 0, 0, 1, 0, 0, 1]),
  };
  // After the step the middle is at (0, 0, 1.9), before it was at (0, 0, 2): the arm is (1, 0, 0).
  const pose = Float64Array.from([0, 0, 1.9, 1, 0, 0, 0, 9, 9, 9, 1, 0, 0, 0]);
  const velocity = Float64Array.from([0, 0, -1, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
  const placed = placedContacts(frameOf(flexible.rest, { pose, velocity, contacts }), constants).point;
  const expected = [1, 0.2, 1.9, 5, 5, 5, 1, 0, 2];
  expected.forEach((x, k) => expect(Math.abs(placed[k] - x)).toBeLessThan(1e-15)); // rounding of 0.1
  expect(contacts.point[2]).toBe(2); // the file's numbers are left alone
});

test('contacts of a pair count together, whichever side is first', () => {
  const contacts = {
    ...noContacts(),
    count: 3,
    body: Int32Array.from([0, -3, -3, 0, 1, -3]),
    point: Float64Array.from([0, 0, 0, 4, 0, 0, 7, 7, 7]),
    impulse: Float64Array.from([0, 0, 3, 0, 0, -1, 0, 2, 0]),
  };
  const pairs = resultants(contacts, 0.5);
  expect(pairs.map(({ a, b, magnitude }) => [a, b, magnitude])).toEqual([
    [0, -3, 8],
    [1, -3, 4],
  ]);
  expect(pairs[0].force.toArray()).toEqual([0, 0, 8]);
  expect(pairs[0].point.toArray()).toEqual([1, 0, 0]);
});

test('a solid between two bodies joins their islands', () => {
  const between = (a: number, b: number): Frame =>
    frameOf(flexible.rest, {
      contacts: { ...noContacts(), count: 2, body: Int32Array.from([0, a, 1, b]), impulse: new Float64Array(6).fill(1) },
    });
  expect([...islands(between(-3, -3), constants)]).toEqual([0, 0]);
  expect([...islands(between(-3, -4), constants)]).toEqual([0, 1]);
  expect([...islands(between(-1, -1), constants)]).toEqual([0, 1]);
});

test('pressures have a prefix that fits their scale', () => {
  expect(prefixed('Pa', 20)).toEqual({ unit: 'Pa', of: 1 });
  expect(prefixed('Pa', 7.2e5)).toEqual({ unit: 'kPa', of: 1e3 });
  expect(prefixed('Pa', 4e13)).toEqual({ unit: 'GPa', of: 1e9 });
  expect(prefixed('m/s', 7.2e5)).toEqual({ unit: 'm/s', of: 1 });
});
