// Interfaces between bodies as coloured polygons: the contact points of a pair with one normal span the interface; its
// mean pressure is the normal force over the area.
import * as THREE from 'three';
import { viridis } from './colours';
import { normalOf } from './contacts';
import type { Contacts, Constants } from './types';

/** Normals of one interface are parallel within this cosine. */
const PARALLEL = 0.99;

export interface Interface {
  a: number;
  b: number;
  corners: THREE.Vector3[]; // convex, in order
  area: number; // m²
  force: number; // N along the normal
}

interface Plane {
  a: number;
  b: number;
  normal: THREE.Vector3;
  points: THREE.Vector3[];
  force: number;
}

/** Those with an area; single points and edges have none. */
export function findInterfaces(contacts: Contacts, step: number): Interface[] {
  const planes = new Map<string, Plane[]>();
  for (let k = 0; k < contacts.count; k++) {
    const [a, b] = [contacts.body[2 * k], contacts.body[2 * k + 1]];
    const normal = new THREE.Vector3().fromArray(contacts.normal, 3 * k);
    const list = planes.get(`${a} ${b}`) ?? [];
    planes.set(`${a} ${b}`, list);
    let plane = list.find((one) => one.normal.dot(normal) > PARALLEL);
    if (!plane) list.push((plane = { a, b, normal, points: [], force: 0 }));
    plane.points.push(new THREE.Vector3().fromArray(contacts.point, 3 * k));
    plane.force += normalOf(contacts, k, step);
  }
  return [...planes.values()].flat().flatMap((plane) => {
    const { corners, area } = span(plane);
    return area > 0 ? [{ a: plane.a, b: plane.b, corners, area, force: plane.force }] : [];
  });
}

/** The convex hull of the points, seen along the normal (monotone chain). */
function span({ normal, points }: Plane): { corners: THREE.Vector3[]; area: number } {
  const side = Math.abs(normal.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
  const u = side.cross(normal).normalize();
  const w = normal.clone().cross(u);
  const flat = points.map((at) => ({ at, x: at.dot(u), y: at.dot(w) })).sort((p, q) => p.x - q.x || p.y - q.y);
  type Flat = (typeof flat)[number];
  const turn = (o: Flat, p: Flat, q: Flat): number => (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
  const half = (list: Flat[]): Flat[] => {
    const chain: Flat[] = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(flat), ...half([...flat].reverse())];
  let area = 0;
  for (let k = 2; k < hull.length; k++) area += turn(hull[0], hull[k - 1], hull[k]) / 2;
  return { corners: hull.map(({ at }) => at), area };
}

/** The interfaces of a frame, coloured by pressure. */
export class Patches {
  readonly object: THREE.Mesh;
  private readonly geometry = new THREE.BufferGeometry();

  constructor(private readonly constants: Constants) {
    // Nearer than the faces that meet there, and than the ground.
    const nearer = { polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 };
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide, transparent: true, ...nearer });
    this.object = new THREE.Mesh(this.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 4;
    this.object.visible = false;
  }

  clear(): void {
    this.object.visible = false;
  }

  /** most: Pa with full colour. */
  update(contacts: Contacts, most: number): void {
    const position: number[] = [];
    const rgb: number[] = [];
    const colour = new THREE.Color();
    for (const { corners, area, force } of findInterfaces(contacts, this.constants.step)) {
      viridis.at(force / area / most, colour);
      for (let k = 2; k < corners.length; k++)
        for (const p of [corners[0], corners[k - 1], corners[k]]) {
          position.push(p.x, p.y, p.z);
          rgb.push(colour.r, colour.g, colour.b);
        }
    }
    this.geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
    this.geometry.setAttribute('color', new THREE.Float32BufferAttribute(rgb, 3));
    this.object.visible = position.length > 0;
  }

  dispose(): void {
    this.geometry.dispose();
  }
}
