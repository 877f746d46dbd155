// What is drawn of the selection (a box around a body; normal, force and friction cone of a contact), and joints.
import * as THREE from 'three';
import { IDENTITY, rotate } from './pose';
import type { Frame, Constants } from './types';

const TOP = 10; // drawn last

/** Friction that the force needs: tangential over normal part. */
export function mobilised(normal: THREE.Vector3, force: THREE.Vector3): number {
  const n = force.dot(normal);
  const t = force.clone().addScaledVector(normal, -n).length();
  return n > 0 ? t / n : t > 0 ? Infinity : 0;
}

export class Marks {
  readonly object = new THREE.Group();
  private readonly box: THREE.LineSegments;
  private readonly cone: THREE.Mesh;
  private readonly rim: THREE.Mesh;
  private readonly ring: THREE.Mesh;
  private readonly lines: THREE.LineSegments;
  private readonly accent = new THREE.LineBasicMaterial({ depthTest: false, transparent: true });

  constructor() {
    const cube = new THREE.EdgesGeometry(new THREE.BoxGeometry(1, 1, 1));
    this.box = new THREE.LineSegments(cube, this.accent);
    const open = new THREE.ConeGeometry(1, 1, 48, 1, true).translate(0, -0.5, 0).rotateX(-Math.PI / 2); // apex at 0, opens to +z
    const glass = { transparent: true, side: THREE.DoubleSide, depthWrite: false };
    this.cone = new THREE.Mesh(open, new THREE.MeshBasicMaterial({ ...glass, opacity: 0.22 }));
    this.rim = new THREE.Mesh(new THREE.TorusGeometry(1, 0.012, 6, 64), new THREE.MeshBasicMaterial());
    this.ring = new THREE.Mesh(
      new THREE.SphereGeometry(1, 20, 12),
      new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 }),
    );
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), this.accent);
    for (const part of [this.box, this.cone, this.rim, this.ring, this.lines]) {
      part.renderOrder = TOP;
      part.frustumCulled = false;
      part.visible = false;
      this.object.add(part);
    }
  }

  set colour(css: string) {
    for (const part of [this.box, this.cone, this.rim, this.ring])
      (part.material as THREE.MeshBasicMaterial).color.set(css);
  }

  clear(): void {
    for (const part of this.object.children) part.visible = false;
  }

  /** bounds: of the body in its own axes. */
  showBody(bounds: THREE.Box3, pose: Float64Array): void {
    this.clear();
    if (bounds.isEmpty() || Number.isNaN(pose[0])) return;
    this.box.visible = true;
    const middle = bounds.getCenter(new THREE.Vector3());
    const turn = new THREE.Quaternion(pose[4], pose[5], pose[6], pose[3]);
    this.box.scale.copy(bounds.getSize(new THREE.Vector3())).multiplyScalar(1.03);
    this.box.quaternion.copy(turn);
    this.box.position.set(pose[0], pose[1], pose[2]).add(middle.applyQuaternion(turn));
  }

  /** bounds: of a solid in world axes; node: its picked one, if there is any. */
  showSolid(bounds: THREE.Box3, node: THREE.Vector3 | null, size: number): void {
    this.showBody(bounds, IDENTITY);
    if (!node) return;
    this.ring.visible = true;
    this.ring.position.copy(node);
    this.ring.scale.setScalar(0.07 * size);
  }

  /** A cone of half angle atan(mu) about the normal, as high as the normal force's arrow is long. */
  showContact(point: THREE.Vector3, normal: THREE.Vector3, mu: number, height: number, size: number): void {
    this.clear();
    this.ring.visible = true;
    this.ring.position.copy(point);
    this.ring.scale.setScalar(0.07 * size);
    const ends = [point, point.clone().addScaledVector(normal, 1.25 * height)];
    this.lines.geometry.setFromPoints(ends);
    this.lines.visible = true;
    if (!(mu > 0) || !Number.isFinite(mu)) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    this.cone.visible = this.rim.visible = true;
    this.cone.position.copy(point);
    this.cone.quaternion.copy(turn);
    this.cone.scale.set(mu * height, mu * height, height);
    this.rim.position.copy(point).addScaledVector(normal, height);
    this.rim.quaternion.copy(turn);
    this.rim.scale.set(mu * height, mu * height, mu * height);
  }
}

/** Joints: their frames if the file holds them, else a line between the middles of the bodies. */
export class Joints {
  readonly object: THREE.LineSegments;
  private readonly position: THREE.BufferAttribute;
  private readonly colour: THREE.BufferAttribute;
  private at = 0;

  constructor(
    private readonly constants: Constants,
    private readonly size: number,
  ) {
    const vertices = constants.joints.count * 8;
    const geometry = new THREE.BufferGeometry();
    this.position = new THREE.BufferAttribute(new Float32Array(3 * vertices), 3);
    this.colour = new THREE.BufferAttribute(new Float32Array(3 * vertices), 3);
    geometry.setAttribute('position', this.position);
    geometry.setAttribute('color', this.colour);
    const material = new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
    this.object = new THREE.LineSegments(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = TOP;
  }

  /** Origin of frame A of joint j in the world; null if the file does not say. */
  origin(j: number, pose: Float64Array, out: Float64Array): boolean {
    const { frame, body } = this.constants.joints;
    if (!frame) return false;
    const a = body[2 * j];
    const local = frame.subarray(14 * j, 14 * j + 7);
    if (a < 0) out.set(local.subarray(0, 3));
    else {
      rotate(pose, 7 * a + 3, local[0], local[1], local[2], out);
      for (let k = 0; k < 3; k++) out[k] += pose[7 * a + k];
    }
    return true;
  }

  private segment(from: ArrayLike<number>, to: ArrayLike<number>, colour: THREE.Color): void {
    for (const end of [from, to]) {
      this.position.setXYZ(this.at, end[0], end[1], end[2]);
      this.colour.setXYZ(this.at++, colour.r, colour.g, colour.b);
    }
  }

  /** most: N that is drawn 3 sizes long. */
  update(frame: Frame, pose: Float64Array, line: THREE.Color, force: THREE.Color, most: number): void {
    const { joints } = this.constants;
    const axes = [new THREE.Color('#e5484d'), new THREE.Color('#30a46c'), new THREE.Color('#3b82f6')];
    const o = new Float64Array(3);
    const tip = new Float64Array(3);
    this.at = 0;
    for (let j = 0; j < joints.count; j++) {
      const [a, b] = [joints.body[2 * j], joints.body[2 * j + 1]];
      if (Number.isNaN(frame.reaction[6 * j])) continue; // gone with one of its bodies
      if (!this.origin(j, pose, o)) {
        if (a >= 0 && b >= 0) this.segment(pose.subarray(7 * a, 7 * a + 3), pose.subarray(7 * b, 7 * b + 3), line);
        continue;
      }
      const turn = this.frameRotation(j, pose);
      axes.forEach((colour, k) => {
        rotate(turn, 0, k === 0 ? this.size : 0, k === 1 ? this.size : 0, k === 2 ? this.size : 0, tip);
        this.segment(o, tip.map((x, i) => x + o[i]), colour);
      });
      const scale = most > 0 ? (3 * this.size) / most : 0;
      const [x, y, z] = frame.reaction.subarray(6 * j, 6 * j + 3);
      rotate(turn, 0, x * scale, y * scale, z * scale, tip);
      this.segment(o, tip.map((v, i) => v + o[i]), force);
    }
    this.object.geometry.setDrawRange(0, this.at);
    this.position.needsUpdate = this.colour.needsUpdate = true;
  }

  private frameRotation(j: number, pose: Float64Array): Float64Array {
    const { frame, body } = this.constants.joints;
    const a = body[2 * j];
    const local = new THREE.Quaternion(...([4, 5, 6, 3].map((k) => frame![14 * j + k]) as [number, number, number, number]));
    if (a >= 0) local.premultiply(new THREE.Quaternion(pose[7 * a + 4], pose[7 * a + 5], pose[7 * a + 6], pose[7 * a + 3]));
    return Float64Array.from([local.w, local.x, local.y, local.z]);
  }
}
