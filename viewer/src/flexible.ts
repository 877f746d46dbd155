// Flexible solids: one surface each, whose corners move with the nodes and carry the colours of a quantity, with lines
// along sharp edges and, if they are not too many, along all edges of the mesh.
import * as THREE from 'three';
import { EDGES, makeSurfaceMaterial } from './section';
import type { Flexible } from './types';

const SHARP = Math.cos((30 * Math.PI) / 180); // between the normals of two triangles at rest; flatter edges are not sharp
const MANY = 30_000; // triangles of a solid; above: no edges

/** Edges of a surface as pairs of its corners: all, and those that are sharp or belong to one triangle only. */
export function findEdges(position: ArrayLike<number>, index: ArrayLike<number>): { all: number[]; sharp: number[] } {
  const count = position.length / 3;
  const sides = new Map<number, THREE.Vector3[]>();
  const corner = [0, 1, 2].map(() => new THREE.Vector3());
  for (let t = 0; t + 2 < index.length; t += 3) {
    corner.forEach((p, k) => p.fromArray(position as number[], 3 * index[t + k]));
    const normal = new THREE.Triangle(corner[0], corner[1], corner[2]).getNormal(new THREE.Vector3());
    for (let k = 0; k < 3; k++) {
      const [a, b] = [index[t + k], index[t + ((k + 1) % 3)]];
      const key = Math.min(a, b) * count + Math.max(a, b);
      const known = sides.get(key);
      if (known) known.push(normal);
      else sides.set(key, [normal]);
    }
  }
  const all: number[] = [];
  const sharp: number[] = [];
  for (const [key, normals] of sides) {
    const pair = [Math.floor(key / count), key % count];
    all.push(...pair);
    if (normals.length !== 2 || normals[0].dot(normals[1]) < SHARP) sharp.push(...pair);
  }
  return { all, sharp };
}

/** The surface of one solid; its corners are the nodes that triangles use. */
class Surface {
  readonly mesh: THREE.Mesh;
  readonly lines: THREE.LineSegments[] = [];
  /** Row of each corner among the nodes of all solids. */
  readonly node: Int32Array;
  private readonly position: THREE.BufferAttribute;
  private readonly colour: THREE.BufferAttribute;

  constructor(flexible: Flexible, k: number, material: THREE.Material, lineMaterials: THREE.Material[]) {
    const triangle = flexible.triangle.subarray(3 * flexible.triangleOffset[k], 3 * flexible.triangleOffset[k + 1]);
    const used = [...new Set(triangle)].sort((a, b) => a - b);
    const corner = new Map(used.map((node, i) => [node, i]));
    this.node = Int32Array.from(used, (node) => node + flexible.nodeOffset[k]);
    const index = Uint32Array.from(triangle, (node) => corner.get(node)!);
    const rest = Float32Array.from({ length: 3 * used.length }, (_, i) => flexible.rest[3 * this.node[Math.floor(i / 3)] + (i % 3)]);
    this.position = new THREE.BufferAttribute(rest, 3).setUsage(THREE.DynamicDrawUsage);
    this.colour = new THREE.BufferAttribute(new Float32Array(rest.length).fill(1), 3).setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.position);
    geometry.setAttribute('color', this.colour);
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    if (index.length > 3 * MANY) return;
    const { all, sharp } = findEdges(rest, index);
    for (const [edges, look] of [
      [all, lineMaterials[0]],
      [sharp, lineMaterials[1]],
    ] as const) {
      const drawn = new THREE.BufferGeometry();
      drawn.setAttribute('position', this.position);
      drawn.setIndex(edges);
      const lines = new THREE.LineSegments(drawn, look);
      lines.name = EDGES;
      lines.frustumCulled = false;
      this.lines.push(lines);
    }
  }

  place(position: Float64Array): void {
    const to = this.position.array as Float32Array;
    this.node.forEach((node, i) => {
      for (let k = 0; k < 3; k++) to[3 * i + k] = position[3 * node + k];
    });
    const gone = Number.isNaN(to[0]);
    for (const part of [this.mesh, ...this.lines]) part.visible = !gone;
    if (gone) to.fill(0);
    this.position.needsUpdate = true;
    const { geometry } = this.mesh;
    geometry.computeVertexNormals();
    geometry.boundingSphere = geometry.boundingBox = null; // of the frame before: picking needs the new ones
  }

  paint(rgb: (node: number, out: THREE.Color) => void): void {
    const out = new THREE.Color();
    this.node.forEach((node, i) => {
      rgb(node, out);
      this.colour.setXYZ(i, out.r, out.g, out.b);
    });
    this.colour.needsUpdate = true;
  }

  dispose(): void {
    for (const part of [this.mesh, ...this.lines]) part.geometry.dispose();
  }
}

/** What a ray meets: a solid, and the node nearest to that point (row among the nodes of all solids). */
export interface Hit {
  solid: number;
  node: number;
  distance: number; // m from the ray's origin
}

export class Solids {
  readonly object = new THREE.Group();
  private readonly surfaces: Surface[];
  // Flat: facets are as large as the mesh is coarse, and corners of the solid stay sharp.
  private readonly material = makeSurfaceMaterial(
    {
      roughness: 0.7,
      flatShading: true,
      polygonOffset: true, // behind its own edges
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    },
    'vec3(0.5)', // grey: the colours are those of the surface, not of what is inside
  );
  private readonly thin = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.16, depthWrite: false });
  private readonly thick = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false });

  constructor(flexible: Flexible) {
    this.surfaces = Array.from({ length: flexible.count }, (_, k) => new Surface(flexible, k, this.material, [this.thin, this.thick]));
    for (const { mesh, lines } of this.surfaces) this.object.add(mesh, ...lines);
  }

  /** position (nn x 3) of all nodes. */
  place(position: Float64Array): void {
    for (const surface of this.surfaces) surface.place(position);
  }

  /** rgb: colour of a node of a solid, linear. */
  paint(rgb: (solid: number, node: number, out: THREE.Color) => void): void {
    this.surfaces.forEach((surface, k) => surface.paint((node, out) => rgb(k, node, out)));
  }

  set opacity(value: number) {
    const ghost = value < 1;
    if (this.material.transparent !== ghost) this.material.needsUpdate = true;
    this.material.transparent = ghost;
    this.material.opacity = value;
    this.material.depthWrite = !ghost;
    for (const { mesh } of this.surfaces) mesh.castShadow = !ghost;
  }

  set edgeColour(colour: THREE.Color) {
    this.thin.color.copy(colour);
    this.thick.color.copy(colour);
  }

  pick(ray: THREE.Raycaster): Hit | null {
    let found: Hit | null = null;
    this.surfaces.forEach(({ mesh, node }, solid) => {
      const hit = mesh.visible ? ray.intersectObject(mesh, false)[0] : undefined;
      if (!hit?.face || (found && hit.distance >= found.distance)) return;
      const { a, b, c } = hit.face;
      const at = mesh.geometry.getAttribute('position');
      const away = (i: number): number => hit.point.distanceTo(new THREE.Vector3().fromBufferAttribute(at, i));
      const nearest = [a, b, c].reduce((best, i) => (away(i) < away(best) ? i : best));
      found = { solid, node: node[nearest], distance: hit.distance };
    });
    return found;
  }

  dispose(): void {
    for (const surface of this.surfaces) surface.dispose();
    for (const material of [this.material, this.thin, this.thick]) material.dispose();
  }
}

/** Box around a solid. */
export function boundsOfSolid(flexible: Flexible, k: number, position: Float64Array, out: THREE.Box3): THREE.Box3 {
  const point = new THREE.Vector3();
  out.makeEmpty();
  for (let i = flexible.nodeOffset[k]; i < flexible.nodeOffset[k + 1]; i++)
    if (!Number.isNaN(position[3 * i])) out.expandByPoint(point.fromArray(position, 3 * i));
  return out;
}
