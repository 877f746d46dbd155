// The line of thrust: how forces go through the bodies, from the centre of pressure of one joint to that of the next.
import * as THREE from 'three';
import { forceMap, type Theme } from './colours';
import { resultants, type Pair } from './contacts';
import { Swarm } from './swarm';
import type { Contacts, Constants } from './types';

/** Of the largest force on a body: what is below does not count, such as contacts that just touch. */
const SMALL = 1e-3;

export interface Segment {
  from: THREE.Vector3;
  to: THREE.Vector3;
  magnitude: number; // N
}

/**
 * In a body that is pressed at two joints, a straight line between their centres of pressure, with the mean of both
 * forces; at more, or at one, a line from each to the centre of mass. Bodies that do not move freely have none.
 */
export function findThrust(pairs: Pair[], motion: Int32Array, pose: Float64Array): Segment[] {
  const segments: Segment[] = [];
  for (const [b, all] of pairsOf(pairs, motion)) {
    const most = Math.max(...all.map((pair) => pair.magnitude));
    const list = all.filter((pair) => pair.magnitude >= SMALL * most);
    if (list.length === 2) {
      const [p, q] = list;
      segments.push({ from: p.point, to: q.point, magnitude: (p.magnitude + q.magnitude) / 2 });
      continue;
    }
    const centre = new THREE.Vector3().fromArray(pose, 7 * b);
    for (const { point, magnitude } of list) segments.push({ from: point, to: centre, magnitude });
  }
  return segments;
}

function pairsOf(pairs: Pair[], motion: Int32Array): Map<number, Pair[]> {
  const found = new Map<number, Pair[]>();
  for (const pair of pairs)
    for (const b of [pair.a, pair.b]) {
      if (b < 0 || motion[b] !== 0) continue;
      const list = found.get(b);
      if (list) list.push(pair);
      else found.set(b, [pair]);
    }
  return found;
}

export interface ThrustOptions {
  most: number; // N that has full width and colour
  from: number; // part of the colour map that is used
  size: number; // m, half the size of a usual body
  theme: Theme;
}

/** Lines and centres of pressure, in front of everything. */
export class Thrust {
  readonly object = new THREE.Group();
  private readonly rods: Swarm;
  private readonly balls: Swarm;

  constructor(private readonly constants: Constants) {
    const material = new THREE.MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false });
    this.rods = new Swarm(new THREE.CylinderGeometry(1, 1, 1, 10, 1).rotateX(Math.PI / 2), material, this.object, 8);
    this.balls = new Swarm(new THREE.SphereGeometry(1, 16, 12), material, this.object, 9);
  }

  clear(): void {
    for (const swarm of [this.rods, this.balls]) {
      swarm.begin();
      swarm.end();
    }
  }

  /** pose: of the picture, which may lie between frames. */
  update(contacts: Contacts, pose: Float64Array, o: ThrustOptions): void {
    const pairs = resultants(contacts, this.constants.step);
    const map = forceMap(o.theme);
    const colour = new THREE.Color();
    const width = (f: number): number => o.size * (0.015 + 0.075 * Math.min(f, 1));
    this.rods.begin();
    this.balls.begin();
    // The strongest last: it is in front.
    const segments = findThrust(pairs, this.constants.bodies.motion, pose).sort((p, q) => p.magnitude - q.magnitude);
    for (const { from, to, magnitude } of segments) {
      const f = magnitude / o.most;
      if (f >= SMALL) this.rods.addRod(from, to, width(f), map.at(o.from + (1 - o.from) * f, colour));
    }
    for (const { point, magnitude } of pairs) {
      const f = magnitude / o.most;
      if (f >= SMALL) this.balls.addBall(point, 1.5 * width(f), map.at(o.from + (1 - o.from) * f, colour));
    }
    this.rods.end();
    this.balls.end();
  }
}
