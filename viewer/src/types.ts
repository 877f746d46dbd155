// What the reader hands to the rest of the viewer. SI units; arrays are row by row, as in docs/formats.md.
import { SOLVER, TERMS } from './fields';

/** What a trajectory says once. nb bodies, nj joints, nc colliders, ns shapes. */
export interface Constants {
  title: string;
  version: string;
  /** s, step of the simulation; 0: not told (then impulses cannot be shown as forces) */
  step: number;
  gravity: Float64Array; // (3)
  period: Float64Array; // (3) or empty: m, after which space repeats itself
  hasContacts: boolean;
  hasBonds: boolean; // the world had mortar
  bodies: {
    count: number;
    name: string[];
    motion: Int32Array; // 0 dynamic, 1 kinematic, 2 static
    mass: Float64Array; // kg
    inertia: Float64Array; // (nb x 9), kg m²
    /** row of a table of materials; only in files that hold it */
    material: Int32Array | null;
  };
  colliders: {
    count: number;
    body: Int32Array; // -1: the world
    shape: Int32Array;
    pose: Float64Array; // (nc x 7) x y z, w x y z
  };
  shapes: {
    count: number;
    kind: Int32Array;
    size: Float64Array; // (ns x 3)
    bounds: Float64Array; // (ns x 6)
    vertexOffset: Float64Array; // (ns + 1)
    vertex: Float64Array; // (… x 3)
    triangleOffset: Float64Array; // (ns + 1)
    triangle: Int32Array; // (… x 3)
  };
  joints: {
    count: number;
    name: string[];
    kind: Int32Array;
    body: Int32Array; // (nj x 2)
    /** (nj x 14): frame A in a's axes, frame B in b's; only in files that hold it */
    frame: Float64Array | null;
  };
  flexible: Flexible;
}

/** Flexible solids, all of them in one table of nn nodes. */
export interface Flexible {
  count: number; // 0: the file has none
  name: string[];
  nodeOffset: Float64Array; // (count + 1)
  rest: Float64Array; // (nn x 3) m
  triangleOffset: Float64Array; // (count + 1)
  triangle: Int32Array; // (… x 3) the surface, nodes of the solid itself
}

/** Nodes of all solids in one frame. */
export interface Nodes {
  position: Float64Array; // (nn x 3) m
  velocity: Float64Array; // (nn x 3) m/s
  vonMises: Float64Array; // (nn) Pa
  pressure: Float64Array; // (nn) Pa, of contacts
}

export { JOINT_NAMES, MOTION_NAMES, SHAPE_NAMES, STATUS_NAMES, ShapeKind } from './types.gen';

/** In the columns of contacts the solids count down from here: -3 - k is solid k. */
export const FIRST_SOLID = -3;

/** Contacts of one frame. */
export interface Contacts {
  count: number;
  body: Int32Array; // (n x 2) a, b
  point: Float64Array; // (n x 3) m
  normal: Float64Array; // (n x 3) from a to b
  gap: Float64Array; // m
  impulse: Float64Array; // (n x 3) N s on b
  velocity: Float64Array; // (n x 3) m/s of b relative to a
  friction: Float64Array | null; // coefficient; only in files that hold it
  moment: Float64Array | null; // (n x 3) N m s on b, of rolling and spinning friction; only in files that hold it
}

/** Bonds of mortar in one frame, broken ones as well. */
export interface Bonds {
  count: number;
  body: Int32Array; // (n x 2) a, b
  point: Float64Array; // (n x 3) m; NaN: of a body that was removed
  normal: Float64Array; // (n x 3) from a to b
  area: Float64Array; // m²
  strength: Float64Array; // 1: as new … 0: broken
}

export interface Frame {
  index: number;
  time: number; // s
  pose: Float64Array; // (nb x 7)
  velocity: Float64Array; // (nb x 6)
  contacts: Contacts;
  bonds: Bonds;
  reaction: Float64Array; // (nj x 6) N, N m
  nodes: Nodes;
}

/** Columns of /solver and /energy, and the times. The terms of the balance are sums since the start, J. */
export const SERIES = ['time', ...SOLVER, ...TERMS] as const;
export type SeriesName = (typeof SERIES)[number];
export type Series = Record<SeriesName, Float64Array>;

/** One body over time, at the frames that were read. */
export interface Track {
  time: Float64Array; // s
  position: Float64Array; // (n x 3) m
  velocity: Float64Array; // (n x 3) m/s
}

/** How much of the file was fetched. */
export interface Traffic {
  size: number; // bytes of the file
  bytes: number; // read so far
  requests: number;
}

export interface Opened {
  name: string;
  constants: Constants;
  series: Series;
  writing: boolean; // a simulation still writes it, or was killed
  traffic: Traffic;
}

/** Where frames come from: a file (reader.ts) or a simulation that runs in this page (playground/source.ts). */
export interface FrameSource {
  /** Called when a wanted frame has come. */
  onFrame: () => void;
  onError: (message: string) => void;
  /** A frame that is here. */
  get(index: number): Frame | null;
  /** Frames that are needed next, the most urgent first. */
  want(indices: number[]): void;
  frame(index: number): Promise<Frame>;
  /** A body over time; null if there is another scene meanwhile. */
  track(body: number): Promise<Track | null>;
}
