// Bonds of mortar: a disc at each, of a part of its area, coloured by its strength. Broken ones stand out in red.
import * as THREE from 'three';
import { bondMap } from './colours';
import type { Bar } from './legend';
import { Swarm } from './swarm';
import type { Bonds } from './types';

/** Radius of a disc in that of one with the bond's area: discs of a face are apart. */
const RADIUS = 0.35;
/** In radii: discs are seen from the side, too. */
const THICKNESS = 0.5;

/** Less is weakened: the tolerance of the solver lets bonds yield a little. */
const WHOLE = 0.98;

const Z = new THREE.Vector3(0, 0, 1);

export type BondState = 'holds' | 'weakened' | 'broken';

export function stateOf(strength: number): BondState {
  return strength >= WHOLE ? 'holds' : strength > 0 ? 'weakened' : 'broken';
}

/** How many bonds are in each state, of one body or of all; those of removed bodies do not count. */
export function countStates(bonds: Bonds, body?: number): Record<BondState, number> {
  const counts = { holds: 0, weakened: 0, broken: 0 };
  for (let k = 0; k < bonds.count; k++) {
    const meant = body === undefined || bonds.body[2 * k] === body || bonds.body[2 * k + 1] === body;
    if (meant && !Number.isNaN(bonds.point[3 * k])) counts[stateOf(bonds.strength[k])]++;
  }
  return counts;
}

export function bondBar(bonds: Bonds): Bar {
  const { weakened, broken } = countStates(bonds);
  return { title: `Bonds: ${weakened} weakened, ${broken} broken`, map: bondMap, low: 0, high: 1, open: false, from: 0 };
}

export class BondMarks {
  readonly object = new THREE.Group();
  private readonly discs: Swarm;

  constructor() {
    const material = new THREE.MeshBasicMaterial({ transparent: true });
    this.discs = new Swarm(new THREE.CylinderGeometry(1, 1, 1, 20).rotateX(Math.PI / 2), material, this.object);
  }

  clear(): void {
    this.discs.begin();
    this.discs.end();
  }

  update(bonds: Bonds): void {
    const [matrix, turn, colour] = [new THREE.Matrix4(), new THREE.Quaternion(), new THREE.Color()];
    const [point, normal, scale] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.discs.begin();
    for (let k = 0; k < bonds.count; k++) {
      if (Number.isNaN(bonds.point[3 * k])) continue;
      const radius = RADIUS * Math.sqrt(bonds.area[k] / Math.PI);
      turn.setFromUnitVectors(Z, normal.fromArray(bonds.normal, 3 * k));
      matrix.compose(point.fromArray(bonds.point, 3 * k), turn, scale.set(radius, radius, THICKNESS * radius));
      this.discs.add(matrix, bondMap.at(bonds.strength[k], colour));
    }
    this.discs.end();
  }
}
