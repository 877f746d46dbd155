// Geometry of shapes. Spheres, ellipsoids, boxes and cylinders are one unit body each, scaled; capsules, hulls and meshes
// are made for their shape. Colliders that share a geometry are drawn in one call.
import * as THREE from 'three';
import { ShapeKind, type Constants } from './types';

/** Colliders of one geometry. */
export interface Group {
  spheres: boolean; // perfect ones, in a number that is drawn as squares (impostor.ts)
  geometry: THREE.BufferGeometry;
  edges: THREE.BufferGeometry | null;
  collider: number[];
  scale: number[]; // 3 a collider
}

const EDGE_ANGLE = 30; // degrees; flatter edges are not drawn

/** A sphere in two tones, so that one sees it turn. */
function makeSphere(columns: number, rows: number): THREE.BufferGeometry {
  const sphere = new THREE.SphereGeometry(1, columns, rows).toNonIndexed();
  sphere.rotateX(Math.PI / 2);
  const position = sphere.getAttribute('position');
  const colour = new Float32Array(position.count * 3);
  for (let i = 0; i < position.count; i += 3) {
    let x = 0;
    let y = 0;
    for (let k = 0; k < 3; k++) {
      x += position.getX(i + k);
      y += position.getY(i + k);
    }
    colour.fill(x * y > 0 ? 1 : 0.78, 3 * i, 3 * i + 9);
  }
  sphere.setAttribute('color', new THREE.BufferAttribute(colour, 3));
  return sphere;
}

function white(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const count = geometry.getAttribute('position').count;
  geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * count).fill(1), 3));
  return geometry;
}

function makeSurface(constants: Constants, shape: number): THREE.BufferGeometry {
  const { vertexOffset, vertex, triangleOffset, triangle } = constants.shapes;
  const indexed = new THREE.BufferGeometry();
  const points = Float32Array.from(vertex.subarray(3 * vertexOffset[shape], 3 * vertexOffset[shape + 1]));
  indexed.setAttribute('position', new THREE.BufferAttribute(points, 3));
  const corners = triangle.subarray(3 * triangleOffset[shape], 3 * triangleOffset[shape + 1]);
  indexed.setIndex(new THREE.BufferAttribute(Uint32Array.from(corners), 1));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** Fewer triangles when there are many. */
function detail(count: number): [number, number] {
  if (count <= 500) return [40, 20];
  if (count <= 3000) return [24, 12];
  return [14, 8];
}

function makeGeometry(constants: Constants, shape: number, count: number): THREE.BufferGeometry {
  const kind = constants.shapes.kind[shape];
  const [radius, half] = constants.shapes.size.subarray(3 * shape, 3 * shape + 2);
  switch (kind) {
    case ShapeKind.sphere:
    case ShapeKind.ellipsoid:
      return makeSphere(...detail(count));
    case ShapeKind.box:
      return white(new THREE.BoxGeometry(2, 2, 2));
    case ShapeKind.cylinder:
      return white(new THREE.CylinderGeometry(1, 1, 2, 48).rotateX(Math.PI / 2));
    case ShapeKind.capsule:
      return white(new THREE.CapsuleGeometry(radius, 2 * half, 10, 24).rotateX(Math.PI / 2));
    default:
      return white(makeSurface(constants, shape));
  }
}

/** How large a shape is drawn from its geometry. */
function scaleOf(constants: Constants, shape: number): [number, number, number] {
  const [a, b, c] = constants.shapes.size.subarray(3 * shape, 3 * shape + 3);
  switch (constants.shapes.kind[shape]) {
    case ShapeKind.sphere:
      return [a, a, a];
    case ShapeKind.box:
    case ShapeKind.ellipsoid:
      return [a, b, c];
    case ShapeKind.cylinder:
      return [a, a, b];
    default:
      return [1, 1, 1];
  }
}

function keyOf(kind: number, shape: number): string {
  if (kind === ShapeKind.sphere || kind === ShapeKind.ellipsoid) return 'sphere';
  if (kind === ShapeKind.box || kind === ShapeKind.cylinder) return String(kind);
  return `shape ${shape}`;
}

const MANY_SPHERES = 3000;

/** All colliders but planes, which have no end and are drawn by themselves (ground.ts). */
export function groupColliders(constants: Constants): Group[] {
  const found = new Map<string, { shape: number; collider: number[] }>();
  for (let c = 0; c < constants.colliders.count; c++) {
    const shape = constants.colliders.shape[c];
    const kind = constants.shapes.kind[shape];
    if (kind === ShapeKind.plane) continue;
    const key = keyOf(kind, shape);
    const entry = found.get(key);
    if (entry) entry.collider.push(c);
    else found.set(key, { shape, collider: [c] });
  }
  return [...found].map(([key, { shape, collider }]) => {
    const spheres =
      collider.length > MANY_SPHERES && collider.every((c) => constants.shapes.kind[constants.colliders.shape[c]] === ShapeKind.sphere);
    const geometry = spheres ? new THREE.PlaneGeometry(2, 2) : makeGeometry(constants, shape, collider.length);
    const round = key === 'sphere' || constants.shapes.kind[shape] === ShapeKind.capsule;
    return {
      spheres,
      geometry,
      edges: round ? null : new THREE.EdgesGeometry(geometry, EDGE_ANGLE),
      collider,
      scale: collider.flatMap((c) => scaleOf(constants, constants.colliders.shape[c])),
    };
  });
}
