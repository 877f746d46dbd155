// All bodies of a scene as a few instanced meshes, with thin lines along sharp edges.
import * as THREE from 'three';
import { lightImpostors, makeImpostorMaterial, pickSphere } from './impostor';
import { combine, IDENTITY, toMatrix } from './pose';
import { EDGES, makeSurfaceMaterial } from './section';
import { groupColliders, type Group } from './shapes';
import type { Constants } from './types';

const MANY = 4000; // instances; above: no edges, no shadows

const EDGE_VERTEX = `
attribute mat4 place;
void main() { gl_Position = projectionMatrix * viewMatrix * place * vec4(position, 1.0); gl_Position.z -= 1e-4 * gl_Position.w; }`;
const EDGE_FRAGMENT = `
uniform vec3 colour; uniform float opacity;
void main() { gl_FragColor = vec4(colour, opacity);
#include <colorspace_fragment>
}`;

class Batch {
  readonly spheres: boolean;
  readonly mesh: THREE.InstancedMesh;
  readonly lines: THREE.LineSegments | null = null;
  private readonly body: Int32Array;
  private readonly local: Float64Array; // pose of each collider
  private readonly scale: Float64Array;

  constructor(constants: Constants, group: Group, material: THREE.Material, edgeMaterial: THREE.Material | null) {
    const n = group.collider.length;
    this.spheres = group.spheres;
    this.body = Int32Array.from(group.collider, (c) => constants.colliders.body[c]);
    this.local = new Float64Array(7 * n);
    group.collider.forEach((c, k) => this.local.set(constants.colliders.pose.subarray(7 * c, 7 * c + 7), 7 * k));
    this.scale = Float64Array.from(group.scale);
    this.mesh = new THREE.InstancedMesh(group.geometry, material, n);
    this.mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * n).fill(1), 3);
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.userData.body = this.body;
    if (edgeMaterial && group.edges) this.lines = this.makeLines(group.edges, edgeMaterial, n);
  }

  private makeLines(edges: THREE.BufferGeometry, material: THREE.Material, n: number): THREE.LineSegments {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute('position', edges.getAttribute('position'));
    geometry.setAttribute('place', this.mesh.instanceMatrix);
    geometry.instanceCount = n;
    const lines = new THREE.LineSegments(geometry, material);
    lines.name = EDGES;
    lines.frustumCulled = false;
    return lines;
  }

  place(pose: Float64Array): void {
    const matrix = this.mesh.instanceMatrix.array as Float32Array;
    const world = new Float64Array(7);
    for (let k = 0; k < this.body.length; k++) {
      const b = this.body[k];
      if (b < 0) combine(IDENTITY, 0, this.local, 7 * k, world);
      else combine(pose, 7 * b, this.local, 7 * k, world);
      if (Number.isNaN(world[0])) matrix.fill(0, 16 * k, 16 * k + 16);
      else toMatrix(world, this.scale[3 * k], this.scale[3 * k + 1], this.scale[3 * k + 2], matrix, 16 * k);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  /** rgb (nb x 3) linear; the world has its own. */
  paint(rgb: Float32Array, world: THREE.Color): void {
    const colour = this.mesh.instanceColor!.array as Float32Array;
    for (let k = 0; k < this.body.length; k++) {
      const b = this.body[k];
      colour[3 * k] = b < 0 ? world.r : rgb[3 * b];
      colour[3 * k + 1] = b < 0 ? world.g : rgb[3 * b + 1];
      colour[3 * k + 2] = b < 0 ? world.b : rgb[3 * b + 2];
    }
    this.mesh.instanceColor!.needsUpdate = true;
  }
}

export class Bodies {
  readonly object = new THREE.Group();
  readonly many: boolean;
  private readonly batches: Batch[];
  private readonly material: THREE.MeshStandardMaterial;
  private readonly edgeMaterial: THREE.ShaderMaterial;
  private readonly impostor = makeImpostorMaterial();

  constructor(private readonly constants: Constants) {
    this.many = constants.colliders.count > MANY;
    this.material = makeSurfaceMaterial({ roughness: 0.62 });
    this.edgeMaterial = new THREE.ShaderMaterial({
      vertexShader: EDGE_VERTEX,
      fragmentShader: EDGE_FRAGMENT,
      uniforms: { colour: { value: new THREE.Color(0x111111) }, opacity: { value: 0.55 } },
      transparent: true,
      depthWrite: false,
    });
    this.batches = groupColliders(constants).map(
      (group) =>
        new Batch(constants, group, group.spheres ? this.impostor : this.material, this.many ? null : this.edgeMaterial),
    );
    for (const { mesh, lines, spheres } of this.batches) {
      mesh.castShadow = mesh.receiveShadow = !this.many;
      if (spheres) mesh.onBeforeRender = (_renderer, _scene, camera) => lightImpostors(this.impostor, camera);
      this.object.add(mesh);
      if (lines) this.object.add(lines);
    }
  }

  place(pose: Float64Array): void {
    for (const batch of this.batches) batch.place(pose);
  }

  paint(rgb: Float32Array, world: THREE.Color): void {
    for (const batch of this.batches) batch.paint(rgb, world);
  }

  /** 1: solid; less: one sees the forces inside. */
  set opacity(value: number) {
    const ghost = value < 1;
    if (this.material.transparent !== ghost) this.material.needsUpdate = true;
    this.material.transparent = ghost;
    this.material.opacity = value;
    this.material.depthWrite = !ghost;
    this.impostor.transparent = ghost;
    this.impostor.depthWrite = !ghost;
    this.impostor.uniforms.opacity.value = value;
    this.edgeMaterial.uniforms.opacity.value = ghost ? 0.35 : 0.55;
    for (const { mesh } of this.batches) mesh.castShadow = !this.many && !ghost;
  }

  set edgeColour(colour: THREE.Color) {
    (this.edgeMaterial.uniforms.colour.value as THREE.Color).copy(colour);
  }

  /** Row of the body that the ray meets first, -1: the world, null: nothing. */
  pick(ray: THREE.Raycaster): number | null {
    return this.meet(ray)?.body ?? null;
  }

  /** The same, and how far away. */
  meet(ray: THREE.Raycaster): { body: number; distance: number } | null {
    let found: { body: number; distance: number } | null = null;
    const meet = (mesh: THREE.InstancedMesh, instance: number | undefined, distance: number): void => {
      if (instance === undefined || (found && distance >= found.distance)) return;
      found = { body: (mesh.userData.body as Int32Array)[instance], distance };
    };
    for (const { mesh, spheres } of this.batches) {
      const hit = spheres ? null : ray.intersectObject(mesh, false)[0];
      const sphere = spheres ? pickSphere(ray, mesh.instanceMatrix.array as Float32Array) : null;
      if (hit) meet(mesh, hit.instanceId, hit.distance);
      if (sphere) meet(mesh, sphere.instance, sphere.distance);
    }
    return found;
  }

  /** Box around a body in world axes. */
  boundsOf(body: number, pose: Float64Array, out: THREE.Box3): THREE.Box3 {
    const { colliders, shapes } = this.constants;
    const world = new Float64Array(7);
    const m = new Float32Array(16);
    const part = new THREE.Box3();
    out.makeEmpty();
    for (let c = 0; c < colliders.count; c++) {
      if (colliders.body[c] !== body) continue;
      addCollider(c, body < 0 ? IDENTITY : pose.subarray(7 * body, 7 * body + 7));
    }
    return out;

    function addCollider(c: number, of: Float64Array): void {
      const s = colliders.shape[c];
      const b = shapes.bounds.subarray(6 * s, 6 * s + 6);
      if (b[0] === b[3]) return; // a plane
      combine(of, 0, colliders.pose, 7 * c, world);
      if (Number.isNaN(world[0])) return;
      toMatrix(world, 1, 1, 1, m, 0);
      part.min.set(b[0], b[1], b[2]);
      part.max.set(b[3], b[4], b[5]);
      out.union(part.applyMatrix4(new THREE.Matrix4().fromArray(m)));
    }
  }

  dispose(): void {
    for (const { mesh, lines } of this.batches) {
      mesh.geometry.dispose();
      mesh.dispose();
      lines?.geometry.dispose();
    }
    this.material.dispose();
    this.edgeMaterial.dispose();
    this.impostor.dispose();
  }
}
