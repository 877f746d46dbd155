// Reads a trajectory (docs/formats.md) from an open HDF5 file: what it says once, the columns of the solver, and single
// frames. Nothing is trusted: sizes are compared with each other and with the length of the file before memory is taken.
import type { Dataset, File as H5File } from 'h5wasm';
import { LATER, TERMS } from './fields';
import { SERIES, type Bonds, type Contacts, type Flexible, type Frame, type Nodes, type Series, type Constants, type Track } from './types';

const FORMAT = 1;

/** A message that a person who opened the wrong file understands. */
export class FormatError extends Error {}

type Numbers = Float64Array | Int32Array | BigInt64Array;

function toDoubles(data: unknown): Float64Array {
  if (data instanceof Float64Array) return data;
  if (data instanceof BigInt64Array) return Float64Array.from(data, Number);
  return Float64Array.from(data as Int32Array);
}

function toInts(data: unknown): Int32Array {
  return data instanceof Int32Array ? data : Int32Array.from(data as Numbers, Number);
}

export class Trajectory {
  readonly constants: Constants;
  private readonly columns = new Map<string, Dataset>();

  constructor(
    private readonly file: H5File,
    private readonly fileSize: number,
  ) {
    this.constants = this.readConstants();
  }

  // ---- datasets ---------------------------------------------------------------------------------------

  private find(path: string): Dataset | null {
    const known = this.columns.get(path);
    if (known) return known;
    try {
      const entity = this.file.get(path) as (Dataset & { type: string }) | null;
      if (entity?.type !== 'Dataset') return null;
      this.columns.set(path, entity);
      return entity;
    } catch {
      return null; // a group on the way is missing
    }
  }

  /** A dataset of numbers with rows of the given inner sizes. */
  private column(path: string, ...inner: number[]): Dataset {
    const dataset = this.find(path);
    if (!dataset) throw new FormatError(`This is not a voussoir trajectory: /${path} is missing.`);
    const shape = dataset.shape ?? [];
    if (shape.length !== inner.length + 1 || inner.some((n, k) => shape[k + 1] !== n))
      throw new FormatError(`/${path} has size ${shape.join(' × ') || 'none'}, not … × ${inner.join(' × ') || '1'}.`);
    const bytes = shape.reduce((a, b) => a * b, dataset.metadata.size);
    if (!(bytes <= this.fileSize)) throw new FormatError(`/${path} claims ${bytes} bytes; the file has ${this.fileSize}.`);
    return dataset;
  }

  private doubles(path: string, ...inner: number[]): Float64Array {
    const dataset = this.column(path, ...inner);
    return rows(dataset) === 0 ? new Float64Array(0) : toDoubles(dataset.value);
  }

  private ints(path: string, ...inner: number[]): Int32Array {
    const dataset = this.column(path, ...inner);
    return rows(dataset) === 0 ? new Int32Array(0) : toInts(dataset.value);
  }

  private names(path: string): string[] {
    const dataset = this.column(path);
    if (rows(dataset) === 0) return [];
    return (dataset.value as string[]).map(String);
  }

  private text(path: string): string {
    const value = this.find(path)?.value;
    return typeof value === 'string' ? value : Array.isArray(value) ? String(value[0] ?? '') : '';
  }

  private slice(path: string, from: number, to: number, ...inner: number[]): Float64Array {
    if (to <= from) return new Float64Array(0);
    const dataset = this.column(path, ...inner);
    return toDoubles(dataset.slice([[from, to], ...inner.map((): [] => [])]));
  }

  private sliceInts(path: string, from: number, to: number, ...inner: number[]): Int32Array {
    if (to <= from) return new Int32Array(0);
    return toInts(this.column(path, ...inner).slice([[from, to], ...inner.map((): [] => [])]));
  }

  // ---- what is said once ------------------------------------------------------------------------------

  private readConstants(): Constants {
    if (!this.find('meta/format')) throw new FormatError('This is an HDF5 file, but not a voussoir trajectory.');
    const format = this.ints('meta/format')[0];
    if (format !== FORMAT) throw new FormatError(`The trajectory has format ${format}; this viewer reads ${FORMAT}.`);
    const motion = this.ints('bodies/motion');
    const kind = this.ints('bodies/shape/kind');
    const jointKind = this.ints('joints/kind');
    const constants: Constants = {
      title: this.text('meta/title'),
      version: this.text('meta/version'),
      step: this.doubles('meta/step')[0] ?? 0,
      gravity: this.doubles('meta/gravity'),
      period: this.find('meta/period') ? this.doubles('meta/period') : new Float64Array(0),
      hasContacts: this.ints('meta/contacts')[0] === 1,
      hasBonds: this.find('bonds/offset') !== null,
      bodies: {
        count: motion.length,
        name: this.names('bodies/name'),
        motion,
        mass: this.doubles('bodies/mass'),
        inertia: this.doubles('bodies/inertia', 9),
        material: this.find('bodies/material') ? this.ints('bodies/material') : null,
      },
      colliders: {
        count: 0,
        body: this.ints('bodies/collider/body'),
        shape: this.ints('bodies/collider/shape'),
        pose: this.doubles('bodies/collider/pose', 7),
      },
      shapes: {
        count: kind.length,
        kind,
        size: this.doubles('bodies/shape/size', 3),
        bounds: this.doubles('bodies/shape/bounds', 6),
        vertexOffset: this.doubles('bodies/shape/vertex_offset'),
        vertex: this.doubles('bodies/shape/vertex', 3),
        triangleOffset: this.doubles('bodies/shape/triangle_offset'),
        triangle: this.ints('bodies/shape/triangle', 3),
      },
      joints: {
        count: jointKind.length,
        name: this.names('joints/name'),
        kind: jointKind,
        body: this.ints('joints/body', 2),
        frame: this.find('joints/frame') ? this.doubles('joints/frame', 14) : null,
      },
      flexible: this.readFlexible(),
    };
    constants.colliders.count = constants.colliders.body.length;
    checkConstants(constants);
    return constants;
  }

  /** Files without flexible solids have no such group. */
  private readFlexible(): Flexible {
    const none = new Float64Array(1);
    if (!this.find('flexible/name') && !this.find('flexible/rest'))
      return { count: 0, name: [], nodeOffset: none, rest: new Float64Array(0), triangleOffset: none, triangle: new Int32Array(0) };
    const name = this.names('flexible/name');
    return {
      count: name.length,
      name,
      nodeOffset: this.doubles('flexible/node_offset'),
      rest: this.doubles('flexible/rest', 3),
      triangleOffset: this.doubles('flexible/triangle_offset'),
      triangle: this.ints('flexible/triangle', 3),
    };
  }

  // ---- columns and frames -----------------------------------------------------------------------------

  /** Frames in the file: times are written last, so everything of a time that is seen is there. */
  get frames(): number {
    return rows(this.column('time'));
  }

  /** Asks the file again how long the columns are: time first, then the others. */
  refresh(): void {
    this.find('time')?.refresh();
    for (const [path, dataset] of this.columns) if (path !== 'time') dataset.refresh();
  }

  /** What an older file does not have is 0; without an energy balance its terms are not known: NaN. */
  series(from: number, to: number): Series {
    const series = {} as Series;
    const terms: readonly string[] = TERMS;
    const old = !this.find('energy/discretization');
    for (const name of SERIES) {
      const path = name === 'time' ? name : `${terms.includes(name) ? 'energy' : 'solver'}/${name}`;
      if (LATER.includes(path) && !this.find(path))
        series[name] = new Float64Array(to - from).fill(old && terms.includes(name) ? NaN : 0);
      else series[name] = this.slice(path, from, to);
    }
    return series;
  }

  frame(k: number): Frame {
    const { bodies, joints, hasContacts, hasBonds } = this.constants;
    return {
      index: k,
      time: this.slice('time', k, k + 1)[0] ?? 0,
      pose: bodies.count ? this.slice('state/pose', k, k + 1, bodies.count, 7) : new Float64Array(0),
      velocity: bodies.count ? this.slice('state/velocity', k, k + 1, bodies.count, 6) : new Float64Array(0),
      contacts: hasContacts ? this.contacts(k) : noContacts(),
      bonds: hasBonds ? this.bonds(k) : noBonds(),
      reaction: joints.count ? this.slice('joints/reaction', k, k + 1, joints.count, 6) : new Float64Array(0),
      nodes: this.nodes(k),
    };
  }

  /** A body at no more than `most` frames, evenly distributed, with the first and the last: long files stay quick. */
  track(body: number, most: number): Track {
    const { frames } = this;
    const count = Math.min(frames, most);
    const track: Track = {
      time: new Float64Array(count),
      position: new Float64Array(3 * count),
      velocity: new Float64Array(3 * count),
    };
    for (let i = 0; i < count; i++) {
      const k = Math.round((i * (frames - 1)) / Math.max(count - 1, 1));
      track.time[i] = this.slice('time', k, k + 1)[0];
      track.position.set(this.part('state/pose', k, body, 7), 3 * i);
      track.velocity.set(this.part('state/velocity', k, body, 6), 3 * i);
    }
    return track;
  }

  /** The first three numbers of a body in a frame. */
  private part(path: string, k: number, body: number, width: number): Float64Array {
    const dataset = this.column(path, this.constants.bodies.count, width);
    return toDoubles(
      dataset.slice([
        [k, k + 1],
        [body, body + 1],
        [0, 3],
      ]),
    );
  }

  private nodes(k: number): Nodes {
    const nn = this.constants.flexible.rest.length / 3;
    const none = new Float64Array(0);
    if (nn === 0) return { position: none, velocity: none, vonMises: none, pressure: none };
    return {
      position: this.slice('flexible/position', k, k + 1, nn, 3),
      velocity: this.slice('flexible/velocity', k, k + 1, nn, 3),
      vonMises: this.slice('flexible/von_mises', k, k + 1, nn),
      pressure: this.slice('flexible/pressure', k, k + 1, nn),
    };
  }

  /** First and one past the last row of a frame in a list with offsets. */
  private range(list: 'contacts' | 'bonds', k: number, stored: number): [number, number] {
    const [first, last] = this.slice(`${list}/offset`, k, k + 2);
    if (!(first >= 0 && last >= first && last <= stored))
      throw new FormatError(`Frame ${k} has ${list} ${first} to ${last} of ${stored}.`);
    return [first, last];
  }

  private bonds(k: number): Bonds {
    const [first, last] = this.range('bonds', k, rows(this.column('bonds/strength')));
    return {
      count: last - first,
      body: this.sliceInts('bonds/body', first, last, 2),
      point: this.slice('bonds/point', first, last, 3),
      normal: this.slice('bonds/normal', first, last, 3),
      area: this.slice('bonds/area', first, last),
      strength: this.slice('bonds/strength', first, last),
    };
  }

  private contacts(k: number): Contacts {
    const [first, last] = this.range('contacts', k, rows(this.column('contacts/gap')));
    return {
      count: last - first,
      body: this.sliceInts('contacts/body', first, last, 2),
      point: this.slice('contacts/point', first, last, 3),
      normal: this.slice('contacts/normal', first, last, 3),
      gap: this.slice('contacts/gap', first, last),
      impulse: this.slice('contacts/impulse', first, last, 3),
      velocity: this.slice('contacts/velocity', first, last, 3),
      friction: this.find('contacts/friction') ? this.slice('contacts/friction', first, last) : null,
      moment: this.find('contacts/moment') ? this.slice('contacts/moment', first, last, 3) : null,
    };
  }
}

function rows(dataset: Dataset): number {
  return dataset.shape?.[0] ?? 0;
}

export function noContacts(): Contacts {
  const none = (): Float64Array => new Float64Array(0);
  return {
    count: 0,
    body: new Int32Array(0),
    point: none(),
    normal: none(),
    gap: none(),
    impulse: none(),
    velocity: none(),
    friction: null,
    moment: null,
  };
}

export function noBonds(): Bonds {
  const none = (): Float64Array => new Float64Array(0);
  return { count: 0, body: new Int32Array(0), point: none(), normal: none(), area: none(), strength: none() };
}

function demand(good: boolean, what: string): void {
  if (!good) throw new FormatError(`The trajectory is damaged: ${what}.`);
}

/** Rows fit together and indices stay inside. */
function checkConstants(s: Constants): void {
  const { bodies, colliders, shapes, joints } = s;
  demand(bodies.mass.length === bodies.count && bodies.name.length === bodies.count, 'bodies differ in number');
  demand(colliders.shape.length === colliders.count, 'colliders differ in number');
  demand(colliders.pose.length === 7 * colliders.count, 'colliders differ in number');
  demand(joints.body.length === 2 * joints.count, 'joints differ in number');
  demand(
    colliders.body.every((b) => b >= -1 && b < bodies.count),
    'a collider is of no body',
  );
  demand(
    colliders.shape.every((k) => k >= 0 && k < shapes.count),
    'a collider has no shape',
  );
  demand(shapes.size.length === 3 * shapes.count && shapes.bounds.length === 6 * shapes.count, 'shapes differ in number');
  checkSurfaces('shapes', shapes.count, shapes.vertexOffset, shapes.vertex, shapes.triangleOffset, shapes.triangle);
  const { count, nodeOffset, rest, triangleOffset, triangle } = s.flexible;
  checkSurfaces('flexible solids', count, nodeOffset, rest, triangleOffset, triangle);
}

function checkSurfaces(
  what: string,
  count: number,
  vertexOffset: Float64Array,
  vertex: Float64Array,
  triangleOffset: Float64Array,
  triangle: Int32Array,
): void {
  checkOffsets(what, vertexOffset, count, vertex.length / 3);
  checkOffsets(what, triangleOffset, count, triangle.length / 3);
  for (let k = 0; k < count; k++) {
    const vertices = vertexOffset[k + 1] - vertexOffset[k];
    for (let i = 3 * triangleOffset[k]; i < 3 * triangleOffset[k + 1]; i++)
      demand(triangle[i] >= 0 && triangle[i] < vertices, `a triangle of the ${what} has no vertex`);
  }
}

function checkOffsets(what: string, offset: Float64Array, count: number, rowsThere: number): void {
  demand(offset.length === count + 1 && offset[0] === 0 && offset[count] === rowsThere, `offsets of ${what}`);
  for (let k = 0; k < count; k++) demand(offset[k] <= offset[k + 1], `offsets of ${what}`);
}
