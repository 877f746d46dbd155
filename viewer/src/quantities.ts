// Quantities by which bodies and the nodes of flexible solids are coloured.
import { FIRST_SOLID, type Frame, type Constants } from './types';

export type ColourBy =
  | 'body'
  | 'speed'
  | 'spin'
  | 'force'
  | 'energy'
  | 'displacement'
  | 'stress'
  | 'pressure'
  | 'island'
  | 'mass'
  | 'material'
  | 'motion';

export interface Quantity {
  label: string;
  unit: string; // '': categories
  /** Value of every body; NaN: none. */
  values: (frame: Frame, first: Frame, constants: Constants) => Float64Array;
  /** Value of every node of flexible solids; without: they have no such value. */
  nodes?: (frame: Frame, constants: Constants) => Float64Array;
  /** Does the file hold what it takes? */
  offered?: (constants: Constants) => boolean;
}

function each(constants: Constants, value: (b: number) => number): Float64Array {
  return Float64Array.from({ length: constants.bodies.count }, (_, b) => value(b));
}

const length3 = (v: Float64Array, i: number): number => Math.hypot(v[i], v[i + 1], v[i + 2]);

const none = (_f: Frame, _0: Frame, constants: Constants): Float64Array => each(constants, () => NaN);
const hasSolids = (constants: Constants): boolean => constants.flexible.count > 0;

/** m/s */
export function nodeSpeeds(frame: Frame): Float64Array {
  const v = frame.nodes.velocity;
  return Float64Array.from({ length: v.length / 3 }, (_, i) => length3(v, 3 * i));
}

/** m from where the node is without strain */
export function nodeDisplacements(frame: Frame, constants: Constants): Float64Array {
  const x = frame.nodes.position;
  const x0 = constants.flexible.rest;
  return Float64Array.from({ length: x.length / 3 }, (_, i) =>
    Math.hypot(x[3 * i] - x0[3 * i], x[3 * i + 1] - x0[3 * i + 1], x[3 * i + 2] - x0[3 * i + 2]),
  );
}

/** N (N s if the step is not told): sum of the contact forces' magnitudes on each body. */
function contactForces(frame: Frame, constants: Constants): Float64Array {
  const { contacts } = frame;
  const sum = new Float64Array(constants.bodies.count);
  const per = constants.step > 0 ? 1 / constants.step : 1;
  for (let k = 0; k < contacts.count; k++) {
    const f = length3(contacts.impulse, 3 * k) * per;
    for (const b of [contacts.body[2 * k], contacts.body[2 * k + 1]]) if (b >= 0) sum[b] += f;
  }
  return sum;
}

/** Bodies that push on each other now, directly or through dynamic bodies and solids: numbers 0, 1, … of their islands. */
export function islands(frame: Frame, constants: Constants): Float64Array {
  const { count, motion } = constants.bodies;
  const parent = Int32Array.from({ length: count + constants.flexible.count }, (_, b) => b); // solids after the bodies
  const find = (b: number): number => {
    while (parent[b] !== b) b = parent[b] = parent[parent[b]];
    return b;
  };
  const member = (b: number): number => (b <= FIRST_SOLID ? count + FIRST_SOLID - b : motion[b] === 0 ? b : -1);
  const join = (a: number, b: number): void => {
    const [m, n] = [member(a), member(b)];
    if (m < 0 || n < 0) return;
    const [p, q] = [find(m), find(n)];
    parent[Math.max(p, q)] = Math.min(p, q);
  };
  for (let k = 0; k < frame.contacts.count; k++)
    if (length3(frame.contacts.impulse, 3 * k) > 0) join(frame.contacts.body[2 * k], frame.contacts.body[2 * k + 1]);
  for (let j = 0; j < constants.joints.count; j++) join(constants.joints.body[2 * j], constants.joints.body[2 * j + 1]);
  const number = new Map<number, number>();
  return each(constants, (b) => {
    if (motion[b] !== 0) return NaN;
    const root = find(b);
    if (!number.has(root)) number.set(root, number.size);
    return number.get(root)!;
  });
}

/** J: translation and rotation, with the inertia turned into world axes. */
export function kineticEnergy(frame: Frame, constants: Constants, b: number): number {
  const v = frame.velocity.subarray(6 * b, 6 * b + 6);
  const [w, x, y, z] = frame.pose.subarray(7 * b + 3, 7 * b + 7);
  // Spin in body axes: R^T omega.
  const R = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const spin = [0, 1, 2].map((c) => R[0][c] * v[3] + R[1][c] * v[4] + R[2][c] * v[5]);
  let energy = constants.bodies.mass[b] * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) energy += spin[r] * constants.bodies.inertia[9 * b + 3 * r + c] * spin[c];
  return energy / 2;
}

export const QUANTITIES: Record<ColourBy, Quantity> = {
  body: { label: 'Body', unit: '', values: (_f, _0, s) => each(s, (b) => (s.bodies.motion[b] === 0 ? b : NaN)) },
  speed: { label: 'Speed', unit: 'm/s', values: (f, _0, s) => each(s, (b) => length3(f.velocity, 6 * b)), nodes: nodeSpeeds },
  spin: { label: 'Angular speed', unit: 'rad/s', values: (f, _0, s) => each(s, (b) => length3(f.velocity, 6 * b + 3)) },
  force: {
    label: 'Forces on body',
    unit: 'N',
    values: (f, _0, s) => contactForces(f, s),
    offered: (s) => s.hasContacts,
  },
  energy: { label: 'Kinetic energy', unit: 'J', values: (f, _0, s) => each(s, (b) => kineticEnergy(f, s, b)) },
  displacement: {
    label: 'Displacement',
    unit: 'm',
    values: (f, first, s) =>
      each(s, (b) =>
        Math.hypot(...[0, 1, 2].map((k) => f.pose[7 * b + k] - first.pose[7 * b + k])),
      ),
    nodes: nodeDisplacements,
  },
  stress: { label: 'Von Mises stress', unit: 'Pa', values: none, nodes: (f) => f.nodes.vonMises, offered: hasSolids },
  pressure: { label: 'Contact pressure', unit: 'Pa', values: none, nodes: (f) => f.nodes.pressure, offered: hasSolids },
  island: { label: 'Island', unit: '', values: (f, _0, s) => islands(f, s), offered: (s) => s.hasContacts },
  mass: { label: 'Mass', unit: 'kg', values: (_f, _0, s) => each(s, (b) => (s.bodies.motion[b] === 0 ? s.bodies.mass[b] : NaN)) },
  material: {
    label: 'Material',
    unit: '',
    values: (_f, _0, s) => each(s, (b) => s.bodies.material![b]),
    offered: (s) => s.bodies.material !== null,
  },
  motion: { label: 'Motion', unit: '', values: (_f, _0, s) => each(s, (b) => s.bodies.motion[b]) },
};
