// A simulation of the WebAssembly module, seen as constants and frames, as if it were a trajectory. Bodies keep their rows: one that
// was removed has NaN as its pose, thrown balls come last; the module's own rows move up.
import type { Wasm } from 'voussoir-live/voussoir.mjs';
import { noBonds } from '../trajectory';
import { TERMS } from '../fields';
import { ShapeKind, type Frame, type SeriesName, type Constants } from '../types';
import type { Action } from './actions';

/** A named scene of the library. */
export interface SceneInfo {
  name: string;
  description: string;
  parameters: { name: string; value: number }[];
}

/** What is simulated: a named scene or the text of a scene file. */
export interface Setup {
  scene: string;
  text: string | null;
  parameters: Record<string, number>; // those that differ from the defaults
  budget: number; // s per step, 0: unlimited
}

/** Places in live_numbers(). */
const NUMBER = {
  step: 0,
  time: 1,
  stepSize: 2,
  status: 6,
  energyError: 9,
  kinetic: 14,
  inaccurate: 18,
  gravity: 20,
} as const;

/** Series without the terms of the energy balance: places in live_numbers(). There is no mortar here. */
const COLUMNS: Record<Exclude<SeriesName, (typeof TERMS)[number] | 'bonds'>, number> = {
  step: 0,
  time: 1,
  contacts: 3,
  active: 4,
  islands: 5,
  status: 6,
  iterations: 7,
  energy_error: 9,
  natural_map: 11,
  penetration: 12,
  joint_drift: 13,
  kinetic: 14,
  potential: 15,
  dissipation: 16,
  seconds: 17,
  factorizations: 23,
  energy_scale: 24,
  work: 25,
};

/** The place of the first term of the energy balance. */
const FIRST_TERM = 26;
const NUMBERS = FIRST_TERM + TERMS.length;

export function listScenes(wasm: Wasm): SceneInfo[] {
  return Array.from({ length: wasm._live_scene_count() }, (_, k) => ({
    name: wasm.UTF8ToString(wasm._live_scene_name(k)),
    description: wasm.UTF8ToString(wasm._live_scene_description(k)),
    parameters: Array.from({ length: wasm._live_scene_parameter_count(k) }, (_, i) => ({
      name: wasm.UTF8ToString(wasm._live_scene_parameter_name(k, i)),
      value: wasm._live_scene_parameter_default(k, i),
    })),
  }));
}

export class Simulation {
  readonly constants: Constants;
  private readonly rows: number[]; // of the page, by the module's rows of bodies
  private jointRows: number[];

  private constructor(
    private readonly wasm: Wasm,
    private readonly handle: number,
  ) {
    this.constants = this.readConstants();
    this.rows = Array.from({ length: this.constants.bodies.count }, (_, k) => k);
    this.jointRows = Array.from({ length: this.constants.joints.count }, (_, k) => k);
  }

  static load(wasm: Wasm, setup: Setup): Simulation {
    const parameters = Object.entries(setup.parameters)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
    const call = wasm.cwrap(setup.text === null ? 'live_load' : 'live_load_text', 'number', ['string', 'string', 'number']);
    const handle = call(setup.text ?? setup.scene, parameters, setup.budget);
    if (!handle) throw new Error(wasm.UTF8ToString(wasm._live_error()));
    return new Simulation(wasm, handle);
  }

  destroy(): void {
    this.wasm._live_destroy(this.handle);
  }

  // ---- arrays of the module: copies, because its memory moves ------------------------------------------

  private count(name: string): number {
    return this.wasm[`_live_${name}_count`](this.handle);
  }

  private doubles(name: string, length: number): Float64Array {
    const at = this.wasm[`_live_${name}`](this.handle) / 8;
    return this.wasm.HEAPF64.slice(at, at + length);
  }

  private ints(name: string, length: number): Int32Array {
    const at = this.wasm[`_live_${name}`](this.handle) / 4;
    return this.wasm.HEAP32.slice(at, at + length);
  }

  private offsets(name: string, count: number): Float64Array {
    return Float64Array.from(this.ints(name, count + 1));
  }

  private names(of: 'body' | 'joint', count: number): string[] {
    return Array.from({ length: count }, (_, k) => this.wasm.UTF8ToString(this.wasm[`_live_${of}_name`](this.handle, k)));
  }

  private numbers(): Float64Array {
    return this.doubles('numbers', NUMBERS);
  }

  private check(failed: number): void {
    if (failed) throw new Error(this.wasm.UTF8ToString(this.wasm._live_error()));
  }

  // ---- constants and frames ------------------------------------------------------------------------------

  private readConstants(): Constants {
    const { wasm } = this;
    const [nb, nj, nc, ns, nf] = ['body', 'joint', 'collider', 'shape', 'solid'].map((name) => this.count(name));
    const numbers = this.numbers();
    const vertexOffset = this.offsets('shape_vertex_offset', ns);
    const triangleOffset = this.offsets('shape_triangle_offset', ns);
    const nodeOffset = this.offsets('solid_node_offset', nf);
    const faceOffset = this.offsets('solid_triangle_offset', nf);
    return {
      title: wasm.UTF8ToString(wasm._live_title(this.handle)),
      version: wasm.UTF8ToString(wasm._live_version()),
      step: numbers[NUMBER.stepSize],
      gravity: numbers.slice(NUMBER.gravity, NUMBER.gravity + 3),
      period: new Float64Array(0),
      hasContacts: true,
      hasBonds: false,
      bodies: {
        count: nb,
        name: this.names('body', nb),
        motion: this.ints('body_motion', nb),
        mass: this.doubles('body_mass', nb),
        inertia: this.doubles('body_inertia', 9 * nb),
        material: null,
      },
      colliders: {
        count: nc,
        body: this.ints('collider_body', nc),
        shape: this.ints('collider_shape', nc),
        pose: this.doubles('collider_pose', 7 * nc),
      },
      shapes: {
        count: ns,
        kind: this.ints('shape_kind', ns),
        size: this.doubles('shape_size', 3 * ns),
        bounds: this.doubles('shape_bounds', 6 * ns),
        vertexOffset,
        vertex: this.doubles('shape_vertex', 3 * vertexOffset[ns]),
        triangleOffset,
        triangle: this.ints('shape_triangle', 3 * triangleOffset[ns]),
      },
      joints: {
        count: nj,
        name: this.names('joint', nj),
        kind: this.ints('joint_kind', nj),
        body: this.ints('joint_body', 2 * nj),
        frame: this.doubles('joint_frame', 14 * nj),
      },
      flexible: {
        count: nf,
        name: Array.from({ length: nf }, () => ''),
        nodeOffset,
        rest: this.doubles('solid_rest', 3 * nodeOffset[nf]),
        triangleOffset: faceOffset,
        triangle: this.ints('solid_triangle', 3 * faceOffset[nf]),
      },
    };
  }

  frame(index: number): Frame {
    const { bodies, joints, flexible } = this.constants;
    const n = this.count('contact');
    const nodes = flexible.nodeOffset[flexible.count];
    const body = this.ints('contact_body', 2 * n).map((row) => (row >= 0 ? this.rows[row] : row));
    return {
      index,
      time: this.time,
      pose: spread(this.doubles('body_pose', 7 * this.rows.length), 7, this.rows, bodies.count),
      velocity: spread(this.doubles('body_velocity', 6 * this.rows.length), 6, this.rows, bodies.count),
      contacts: {
        count: n,
        body,
        point: this.doubles('contact_point', 3 * n),
        normal: this.doubles('contact_normal', 3 * n),
        gap: this.doubles('contact_gap', n),
        impulse: this.doubles('contact_impulse', 3 * n),
        velocity: this.doubles('contact_velocity', 3 * n),
        friction: this.doubles('contact_friction', n),
        moment: null,
      },
      bonds: noBonds(),
      reaction: spread(this.doubles('joint_reaction', 6 * this.jointRows.length), 6, this.jointRows, joints.count),
      nodes: {
        position: this.doubles('solid_position', 3 * nodes),
        velocity: this.doubles('solid_velocity', 3 * nodes),
        vonMises: this.doubles('solid_stress', nodes),
        pressure: this.doubles('solid_pressure', nodes),
      },
    };
  }

  /** One row of the charts. */
  get columns(): Record<SeriesName, number> {
    const numbers = this.numbers();
    const columns = Object.entries(COLUMNS).map(([name, k]) => [name, numbers[k]] as const);
    const terms = TERMS.map((name, k) => [name, numbers[FIRST_TERM + k]] as const);
    return Object.fromEntries([...columns, ...terms, ['bonds', 0]]) as Record<SeriesName, number>;
  }

  private number(which: keyof typeof NUMBER): number {
    return this.wasm.HEAPF64[this.wasm._live_numbers(this.handle) / 8 + NUMBER[which]];
  }
  get steps(): number {
    return this.number('step');
  }
  get time(): number {
    return this.number('time');
  }
  get energyError(): number {
    return this.number('energyError');
  }
  /** Steps that missed their tolerance. */
  get missed(): number {
    return this.number('inaccurate');
  }
  get status(): number {
    return this.number('status');
  }
  get hash(): string {
    return this.wasm.UTF8ToString(this.wasm._live_hash(this.handle));
  }

  // ---- changes -----------------------------------------------------------------------------------------

  step(): void {
    this.check(this.wasm._live_step(this.handle));
  }

  /** Says whether the constants have changed. Bodies that are gone are left alone. */
  act(action: Action): boolean {
    const { wasm, handle } = this;
    switch (action.kind) {
      case 'gravity':
        this.check(wasm._live_set_gravity(handle, ...action.value));
        return false;
      case 'pull': {
        const row = this.rows.indexOf(action.body);
        if (row >= 0) this.check(wasm._live_pull(handle, row, ...action.point, ...action.target, action.frequency));
        return false;
      }
      case 'release':
        wasm._live_release(handle);
        return false;
      case 'throw':
        this.throw(action);
        return true;
      case 'remove':
        this.remove(action.body);
        return false;
    }
  }

  private throw({ radius, density, position, velocity }: Extract<Action, { kind: 'throw' }>): void {
    const row = this.wasm._live_throw(this.handle, radius, density, ...position, ...velocity);
    if (row < 0) this.check(1);
    const { bodies, colliders, shapes } = this.constants;
    this.rows.splice(row, 0, bodies.count);
    const mass = this.doubles('body_mass', this.rows.length)[row];
    const inertia = this.doubles('body_inertia', 9 * this.rows.length).slice(9 * row, 9 * row + 9);
    colliders.body = appended(colliders.body, [bodies.count]);
    colliders.shape = appended(colliders.shape, [shapes.count]);
    colliders.pose = appended(colliders.pose, [0, 0, 0, 1, 0, 0, 0]);
    colliders.count++;
    bodies.name = [...bodies.name, `ball ${bodies.count}`];
    bodies.motion = appended(bodies.motion, [0]);
    bodies.mass = appended(bodies.mass, [mass]);
    bodies.inertia = appended(bodies.inertia, inertia);
    bodies.count++;
    shapes.kind = appended(shapes.kind, [ShapeKind.sphere]);
    shapes.size = appended(shapes.size, [radius, 0, 0]);
    shapes.bounds = appended(shapes.bounds, [-radius, -radius, -radius, radius, radius, radius]);
    shapes.vertexOffset = appended(shapes.vertexOffset, shapes.vertexOffset.slice(-1));
    shapes.triangleOffset = appended(shapes.triangleOffset, shapes.triangleOffset.slice(-1));
    shapes.count++;
  }

  /** With the body go its joints. */
  private remove(body: number): void {
    const row = this.rows.indexOf(body);
    if (row < 0) return;
    this.check(this.wasm._live_remove(this.handle, row));
    this.rows.splice(row, 1);
    const pair = this.constants.joints.body;
    this.jointRows = this.jointRows.filter((j) => pair[2 * j] !== body && pair[2 * j + 1] !== body);
  }
}

/** Rows of the module where the page has them; NaN elsewhere. */
function spread(values: Float64Array, width: number, rows: readonly number[], count: number): Float64Array {
  if (rows.length === count) return values; // nothing was removed: the same rows
  const out = new Float64Array(width * count).fill(NaN);
  rows.forEach((row, k) => out.set(values.subarray(width * k, width * k + width), width * row));
  return out;
}

function appended<T extends Float64Array | Int32Array>(old: T, more: ArrayLike<number>): T {
  const all = new (old.constructor as new (n: number) => T)(old.length + more.length);
  all.set(old);
  all.set(more, old.length);
  return all;
}
