// Contacts of a frame: points, arrows of the forces on body b, and force chains: for each pair of bodies that touch, the
// resultant as a rod from centre to contact to centre, thick and coloured by its magnitude.
import * as THREE from 'three';
import { forceMap, type Theme } from './colours';
import { Swarm } from './swarm';
import { FIRST_SOLID, type Contacts, type Frame, type Constants } from './types';

export interface ForceOptions {
  points: boolean;
  arrows: boolean;
  chains: boolean;
  selected: number; // contact whose arrow is shown in any case; -1: none
  most: number; // N that has full width, length and colour
  size: number; // m, half the size of a usual body
  theme: Theme;
}

/** Of a pair of bodies: what a presses on b, and where. */
export interface Pair {
  a: number;
  b: number;
  force: THREE.Vector3; // N on b
  point: THREE.Vector3; // centre of pressure: mean of the points, weighted with the normal forces
  magnitude: number;
}

export function magnitudeOf(contacts: Contacts, k: number, step: number): number {
  const p = contacts.impulse;
  return Math.hypot(p[3 * k], p[3 * k + 1], p[3 * k + 2]) / (step > 0 ? step : 1);
}

/**
 * Where contacts are drawn. A file says where they were before the step; large steps of flexible solids leave these points
 * in the air, so that contacts of solids go along with the rigid side during the step. Others stay as they are.
 */
export function placedContacts(frame: Frame, constants: Constants): Contacts {
  const { contacts, pose, velocity } = frame;
  if (!constants.flexible.count || !(constants.step > 0)) return contacts;
  const point = contacts.point.slice();
  const [arm, spin, middle] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let k = 0; k < contacts.count; k++) {
    const sides = [contacts.body[2 * k], contacts.body[2 * k + 1]];
    const rigid = Math.max(...sides);
    if (Math.min(...sides) > FIRST_SOLID || !(rigid >= 0 && rigid < constants.bodies.count)) continue;
    // Velocity of the body where the point was: its middle was a step back, too.
    const v = velocity.subarray(6 * rigid, 6 * rigid + 6);
    middle.fromArray(pose, 7 * rigid).addScaledVector(spin.fromArray(v), -constants.step);
    arm.fromArray(point, 3 * k).sub(middle);
    spin.fromArray(v, 3).cross(arm);
    for (let i = 0; i < 3; i++) point[3 * k + i] += constants.step * (v[i] + spin.getComponent(i));
  }
  return { ...contacts, point };
}

/** N that a contact presses; 0 if it pulls. */
export function normalOf(contacts: Contacts, k: number, step: number): number {
  const { impulse, normal } = contacts;
  const along = impulse[3 * k] * normal[3 * k] + impulse[3 * k + 1] * normal[3 * k + 1] + impulse[3 * k + 2] * normal[3 * k + 2];
  return Math.max(along, 0) / (step > 0 ? step : 1);
}

/** Pairs of bodies with a force. Where nothing presses (adhesion), the magnitudes of the forces are the weights. */
export function resultants(contacts: Contacts, step: number): Pair[] {
  const sums = new Map<string, Pair & { pressing: Mean; any: Mean }>();
  const p = new THREE.Vector3();
  for (let k = 0; k < contacts.count; k++) {
    const size = magnitudeOf(contacts, k, step);
    if (size === 0) continue;
    const [a, b] = [contacts.body[2 * k], contacts.body[2 * k + 1]];
    const reversed = sums.get(`${b} ${a}`); // a solid may be first in some contacts and second in others
    let pair = reversed ?? sums.get(`${a} ${b}`);
    if (!pair) {
      pair = { a, b, force: new THREE.Vector3(), point: new THREE.Vector3(), magnitude: 0, pressing: new Mean(), any: new Mean() };
      sums.set(`${a} ${b}`, pair);
    }
    const per = (reversed && a !== b ? -1 : 1) / (step > 0 ? step : 1);
    pair.force.addScaledVector(p.fromArray(contacts.impulse, 3 * k), per);
    p.fromArray(contacts.point, 3 * k);
    pair.pressing.add(p, normalOf(contacts, k, step));
    pair.any.add(p, size);
  }
  return Array.from(sums.values(), ({ a, b, force, pressing, any }) => ({
    a,
    b,
    force,
    point: (pressing.weight > 0 ? pressing : any).value,
    magnitude: force.length(),
  }));
}

/** A weighted mean of points. */
class Mean {
  weight = 0;
  private readonly sum = new THREE.Vector3();

  add(point: THREE.Vector3, weight: number): void {
    this.sum.addScaledVector(point, weight);
    this.weight += weight;
  }

  get value(): THREE.Vector3 {
    return this.sum.clone().divideScalar(this.weight);
  }
}

export class Forces {
  readonly object = new THREE.Group();
  private readonly points: Swarm;
  private readonly shafts: Swarm;
  private readonly heads: Swarm;
  private readonly rods: Swarm;
  private readonly colour = new THREE.Color();

  constructor(private readonly constants: Constants) {
    // In the pass of transparent things, after the bodies: glass would change the colours that the bar explains.
    const lit = new THREE.MeshLambertMaterial({ transparent: true });
    const plain = new THREE.MeshBasicMaterial({ transparent: true });
    this.points = new Swarm(new THREE.SphereGeometry(1, 12, 8), plain, this.object);
    this.shafts = new Swarm(new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2), lit, this.object);
    this.heads = new Swarm(new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2), lit, this.object);
    this.rods = new Swarm(new THREE.CylinderGeometry(1, 1, 1, 10, 1).rotateX(Math.PI / 2), lit, this.object);
  }

  /** pose: of the picture, which may lie between frames. */
  update(contacts: Contacts, pose: Float64Array, options: ForceOptions): void {
    const swarms = [this.points, this.shafts, this.heads, this.rods];
    for (const swarm of swarms) swarm.begin();
    if (options.points) this.addPoints(contacts, options);
    if (options.arrows || options.selected >= 0) this.addArrows(contacts, options);
    if (options.chains) this.addChains(contacts, pose, options);
    for (const swarm of swarms) swarm.end();
  }

  private addPoints(contacts: Contacts, o: ForceOptions): void {
    const map = forceMap(o.theme);
    const at = new THREE.Vector3();
    for (let k = 0; k < contacts.count; k++) {
      const f = magnitudeOf(contacts, k, this.constants.step) / o.most;
      const r = o.size * (f > 0 ? 0.055 : 0.035);
      if (f > 0) map.at(0.3 + 0.7 * f, this.colour);
      else this.colour.set(o.theme === 'light' ? '#7d8793' : '#8c98a8');
      this.points.addBall(at.fromArray(contacts.point, 3 * k), r, this.colour);
    }
  }

  private addArrows(contacts: Contacts, o: ForceOptions): void {
    const map = forceMap(o.theme);
    const from = new THREE.Vector3();
    const force = new THREE.Vector3();
    for (let k = 0; k < contacts.count; k++) {
      if (!o.arrows && k !== o.selected) continue;
      const f = magnitudeOf(contacts, k, this.constants.step) / o.most;
      if (f <= 1e-4) continue;
      from.fromArray(contacts.point, 3 * k);
      force.fromArray(contacts.impulse, 3 * k).normalize();
      this.addArrow(from, force, arrowLength(o) * f, o.size, map.at(0.25 + 0.75 * f, this.colour));
    }
  }

  private addArrow(from: THREE.Vector3, direction: THREE.Vector3, length: number, size: number, colour: THREE.Color): void {
    const head = Math.min(0.22 * size, 0.4 * length);
    const tip = from.clone().addScaledVector(direction, length);
    const neck = from.clone().addScaledVector(direction, length - head);
    this.shafts.addRod(from, neck, 0.12 * head + 0.008 * size, colour);
    this.heads.addRod(neck, tip, 0.36 * head, colour);
  }

  private addChains(contacts: Contacts, pose: Float64Array, o: ForceOptions): void {
    const map = forceMap(o.theme);
    const pairs = resultants(contacts, this.constants.step);
    const node = this.nodes(pairs, pose);
    for (const pair of pairs) {
      const f = Math.min(pair.magnitude / o.most, 1.5);
      if (f < 0.005) continue;
      const radius = o.size * (0.012 + 0.16 * Math.min(f, 1));
      map.at(0.1 + 0.9 * f, this.colour);
      for (const b of [pair.a, pair.b]) {
        const to = node.get(b);
        if (to) this.rods.addRod(pair.point, to, radius, this.colour);
      }
    }
  }

  /**
   * Where rods meet in a body: its centre; half way between the points if it is pressed at two places (a stone in an arch:
   * the rods are then the line of thrust). Bodies that do not move freely have no such point: floors and drums;
   * nor have flexible solids, whose stress shows where the force goes.
   */
  private nodes(pairs: Pair[], pose: Float64Array): Map<number, THREE.Vector3> {
    const points = new Map<number, THREE.Vector3[]>();
    for (const pair of pairs)
      for (const b of [pair.a, pair.b]) {
        if (b < 0 || this.constants.bodies.motion[b] !== 0) continue;
        const list = points.get(b);
        if (list) list.push(pair.point);
        else points.set(b, [pair.point]);
      }
    const node = new Map<number, THREE.Vector3>();
    for (const [b, list] of points)
      node.set(b, list.length === 2 ? list[0].clone().lerp(list[1], 0.5) : new THREE.Vector3().fromArray(pose, 7 * b));
    return node;
  }
}

/** m that the largest force is long. */
export function arrowLength(o: Pick<ForceOptions, 'size'>): number {
  return 2.2 * o.size;
}
