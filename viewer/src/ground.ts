// Planes. A plane of a file is a half space without end: what is drawn is the part near the scene, cut by the other planes
// (the walls of a box meet in its corners), with a grid that fades out. Seen from behind a plane is not drawn.
import * as THREE from 'three';
import type { Look } from './colours';
import { combine, IDENTITY, toMatrix } from './pose';
import { ShapeKind, type Constants } from './types';

interface Plane {
  matrix: THREE.Matrix4;
  normal: THREE.Vector3;
  point: THREE.Vector3;
}

const VERTEX = `
varying vec3 at; varying vec2 flat_;
uniform mat4 inverse_;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  at = world.xyz; flat_ = (inverse_ * world).xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;
const FRAGMENT = `
varying vec3 at; varying vec2 flat_;
uniform vec3 line, floor_, centre; uniform float cell, reach, strength, fill, part;
float grid(vec2 p) {
  vec2 w = fwidth(p); vec2 d = abs(fract(p - 0.5) - 0.5);
  vec2 g = 1.0 - smoothstep(vec2(0.0), 1.4 * w, d);
  return max(g.x, g.y) * (1.0 - smoothstep(0.2, 0.6, max(w.x, w.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.45 * reach, reach, distance(at, centre));
  float a = max(0.45 * grid(flat_ / cell), grid(flat_ / (5.0 * cell))) * strength * fade;
  a *= part;
  float b = fill * fade * part;
  float alpha = a + b * (1.0 - a);
  gl_FragColor = vec4((line * a + floor_ * b * (1.0 - a)) / max(alpha, 1e-4), alpha);
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly object = new THREE.Group();
  readonly cell: number; // m between lines
  private readonly gridMaterials: THREE.ShaderMaterial[] = [];
  private readonly shadow = new THREE.ShadowMaterial({ opacity: 0.25 });

  constructor(constants: Constants, pose: Float64Array, bounds: THREE.Box3) {
    const centre = bounds.getCenter(new THREE.Vector3());
    const radius = bounds.getSize(new THREE.Vector3()).length() / 2;
    const reach = 4 * radius;
    this.cell = niceStep(radius / 4);
    const planes = findPlanes(constants, pose);
    const lid = { matrix: new THREE.Matrix4(), normal: new THREE.Vector3(0, 0, -1), point: bounds.max }; // walls end there
    for (const plane of planes) this.add(plane, [...planes, lid], centre, reach);
    if (planes.length === 0) {
      const point = new THREE.Vector3(centre.x, centre.y, bounds.min.z);
      const matrix = new THREE.Matrix4().makeTranslation(point);
      this.add({ matrix, normal: new THREE.Vector3(0, 0, 1), point }, [], centre, reach);
    }
  }

  private add(plane: Plane, all: Plane[], centre: THREE.Vector3, reach: number): void {
    const wall = Math.abs(plane.normal.z) < 0.5; // walls are drawn near the scene only
    const polygon = cutPolygon(plane, all, centre, wall ? reach / 3.2 : reach);
    if (polygon.length < 3) return;
    const geometry = new THREE.BufferGeometry().setFromPoints(polygon);
    geometry.setIndex(polygon.slice(2).flatMap((_, k) => [0, k + 1, k + 2]));
    geometry.computeVertexNormals();
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        line: { value: new THREE.Color() },
        floor_: { value: new THREE.Color() },
        fill: { value: 0.5 },
        centre: { value: centre },
        cell: { value: this.cell },
        reach: { value: wall ? 1e9 : reach },
        strength: { value: 0.5 },
        part: { value: wall ? 0.55 : 1 },
        inverse_: { value: plane.matrix.clone().invert() },
      },
      transparent: true,
      depthWrite: false,
    });
    this.gridMaterials.push(material);
    const grid = new THREE.Mesh(geometry, material);
    grid.renderOrder = -2;
    this.object.add(grid);
    if (wall) return;
    const shadow = new THREE.Mesh(geometry, this.shadow);
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    this.object.add(shadow);
  }

  paint(look: Look): void {
    for (const { uniforms } of this.gridMaterials) {
      (uniforms.line.value as THREE.Color).copy(look.grid);
      (uniforms.floor_.value as THREE.Color).copy(look.floor);
      uniforms.strength.value = look.gridStrength;
      uniforms.fill.value = look.floorStrength;
    }
    this.shadow.opacity = look.shadow;
  }

  dispose(): void {
    for (const m of this.gridMaterials) m.dispose();
    this.shadow.dispose();
    for (const child of this.object.children) (child as THREE.Mesh).geometry.dispose();
  }
}

/** 1, 2 or 5 times a power of ten. */
export function niceStep(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const m = x / power;
  return power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
}

function findPlanes(constants: Constants, pose: Float64Array): Plane[] {
  const { colliders, shapes } = constants;
  const planes: Plane[] = [];
  const world = new Float64Array(7);
  const m = new Float32Array(16);
  for (let c = 0; c < colliders.count; c++) {
    if (shapes.kind[colliders.shape[c]] !== ShapeKind.plane) continue;
    const b = colliders.body[c];
    combine(b < 0 ? IDENTITY : pose.subarray(7 * b, 7 * b + 7), 0, colliders.pose, 7 * c, world);
    if (Number.isNaN(world[0])) continue;
    toMatrix(world, 1, 1, 1, m, 0);
    const matrix = new THREE.Matrix4().fromArray(m);
    planes.push({
      matrix,
      normal: new THREE.Vector3(m[8], m[9], m[10]),
      point: new THREE.Vector3(world[0], world[1], world[2]),
    });
  }
  return planes;
}

/** A square in the plane around the scene, without what lies behind other planes (Sutherland and Hodgman). */
function cutPolygon(plane: Plane, all: Plane[], centre: THREE.Vector3, reach: number): THREE.Vector3[] {
  const x = new THREE.Vector3().setFromMatrixColumn(plane.matrix, 0);
  const y = new THREE.Vector3().setFromMatrixColumn(plane.matrix, 1);
  const foot = centre.clone().addScaledVector(plane.normal, -plane.normal.dot(centre.clone().sub(plane.point)));
  let polygon = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([a, b]) => foot.clone().addScaledVector(x, a * reach).addScaledVector(y, b * reach));
  for (const other of all) {
    if (other === plane || Math.abs(other.normal.dot(plane.normal)) > 0.999) continue;
    const height = (p: THREE.Vector3): number => other.normal.dot(p.clone().sub(other.point));
    const kept: THREE.Vector3[] = [];
    polygon.forEach((p, k) => {
      const q = polygon[(k + 1) % polygon.length];
      const [a, b] = [height(p), height(q)];
      if (a >= 0) kept.push(p);
      if (a * b < 0) kept.push(p.clone().lerp(q, a / (a - b)));
    });
    polygon = kept;
  }
  return polygon;
}
