// The picture: camera, lights, ground, bodies, forces. Draws only when something changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Bodies } from './bodies';
import { BondMarks } from './bonds';
import { LOOKS, type Theme } from './colours';
import { Forces } from './contacts';
import { boundsOfSolid, Solids } from './flexible';
import { Ground } from './ground';
import { SUN } from './impostor';
import { Joints, Marks } from './marks';
import { alignOrthographic } from './orthographic';
import { Patches } from './pressure';
import { Section } from './section';
import { Thrust } from './thrust';
import type { Frame, Constants } from './types';

export class Scene {
  readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly marks = new Marks();
  readonly section = new Section();
  /** Where things are, m. */
  readonly bounds = new THREE.Box3();
  orthographic = false;
  bodies: Bodies | null = null;
  solids: Solids | null = null;
  forces: Forces | null = null;
  thrust: Thrust | null = null;
  patches: Patches | null = null;
  bonds: BondMarks | null = null;
  joints: Joints | null = null;
  ground: Ground | null = null;
  /** m, half the size of a usual body */
  size = 1;
  private readonly scene = new THREE.Scene();
  private readonly sun = new THREE.DirectionalLight(0xfff6ea, 2.5);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xc9c2ba, 2.2);
  private readonly flat = new THREE.OrthographicCamera();
  private dirty = true;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.localClippingEnabled = true;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.touch());
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.scene.add(this.sun, this.sun.target, this.sky, this.marks.object);
  }

  touch(): void {
    this.dirty = true;
  }

  /** Something else to draw. */
  add(object: THREE.Object3D): void {
    this.scene.add(object);
  }

  /** Replaces everything by another scene; seen from the same place if it is nearly the same. */
  load(constants: Constants, samples: Frame[], keepView = false): void {
    const first = samples[0];
    this.unload();
    this.bodies = new Bodies(constants);
    this.bodies.place(first.pose);
    this.solids = new Solids(constants.flexible);
    this.solids.place(first.nodes.position);
    if (!keepView) this.measure(constants, samples);
    this.ground = new Ground(constants, first.pose, this.bounds);
    this.forces = new Forces(constants);
    this.thrust = new Thrust(constants);
    this.patches = new Patches(constants);
    this.bonds = new BondMarks();
    this.joints = new Joints(constants, 0.6 * this.size);
    const forces = [this.forces.object, this.thrust.object, this.patches.object, this.bonds.object];
    const parts = [this.bodies.object, this.solids.object, ...forces, this.joints.object];
    this.scene.add(this.ground.object, ...parts);
    this.section.cut(parts);
    this.placeLights();
    if (!keepView) this.frameAll();
    this.touch();
  }

  private unload(): void {
    this.bodies?.dispose();
    this.solids?.dispose();
    this.ground?.dispose();
    this.patches?.dispose();
    const parts = [this.bodies, this.solids, this.ground, this.forces, this.thrust, this.patches, this.bonds, this.joints];
    for (const part of parts) if (part) this.scene.remove(part.object);
    this.marks.clear();
  }

  /** Where things are at the start and later, and how large a body is. What flew far away does not count. */
  private measure(constants: Constants, samples: Frame[]): void {
    const first = samples[0];
    const box = new THREE.Box3();
    const sizes: number[] = [];
    const bodies = this.bodies!;
    this.bounds.makeEmpty();
    const perBody = constants.bodies.count <= 500;
    for (let b = -1; b < constants.bodies.count; b++) {
      if (!perBody && b >= 0 && constants.bodies.motion[b] === 0) continue;
      if (bodies.boundsOf(b, first.pose, box).isEmpty()) continue;
      this.bounds.union(box);
      if (b >= 0 && constants.bodies.motion[b] === 0) sizes.push(box.getSize(new THREE.Vector3()).length() / 2 / Math.sqrt(3));
    }
    if (!perBody) sizes.push(this.measureMany(constants, first));
    const { flexible } = constants;
    const rigid = sizes.length;
    for (let k = 0; k < flexible.count; k++) {
      this.bounds.union(boundsOfSolid(flexible, k, first.nodes.position, box));
      // Where there are solids only, arrows are about as long as a solid is thick.
      if (!rigid && !box.isEmpty()) sizes.push(Math.min(...box.getSize(new THREE.Vector3())) / 2);
    }
    if (this.bounds.isEmpty()) this.bounds.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    const most = this.bounds.clone().expandByScalar(this.bounds.getSize(new THREE.Vector3()).length() / 2);
    const widen = (there: THREE.Box3): void => {
      if (!there.isEmpty() && most.containsBox(there)) this.bounds.union(there);
    };
    for (const { pose, nodes } of samples.slice(1)) {
      for (let b = 0; perBody && b < constants.bodies.count; b++) widen(bodies.boundsOf(b, pose, box));
      for (let k = 0; k < flexible.count; k++) widen(boundsOfSolid(flexible, k, nodes.position, box));
    }
    sizes.sort((a, b) => a - b);
    this.size = sizes[Math.floor(sizes.length / 2)] ?? this.bounds.getSize(new THREE.Vector3()).length() / 10;
  }

  /** Many bodies: middles, widened by the usual half size. */
  private measureMany(constants: Constants, first: Frame): number {
    const { bounds } = constants.shapes;
    const of = constants.colliders.shape[constants.colliders.count >> 1];
    const half = (bounds[6 * of + 3] - bounds[6 * of]) / 2 || 0.1;
    const point = new THREE.Vector3();
    for (let b = 0; b < constants.bodies.count; b++) {
      if (constants.bodies.motion[b] !== 0 || Number.isNaN(first.pose[7 * b])) continue;
      this.bounds.expandByPoint(point.fromArray(first.pose, 7 * b));
    }
    this.bounds.expandByScalar(half);
    return half;
  }

  private placeLights(): void {
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const radius = this.bounds.getSize(new THREE.Vector3()).length() / 2;
    this.sun.position.copy(centre).add(SUN.clone().multiplyScalar(4 * radius));
    this.sun.target.position.copy(centre);
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -1.3 * radius;
    box.right = box.top = 1.3 * radius;
    box.near = 0.1 * radius;
    box.far = 8 * radius;
    box.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.normalBias = 0.004 * radius;
  }

  /** The whole scene, seen a little from above along its shorter side; or a point of it, from nearer. */
  frameAll(azimuth?: number, elevation = 0.3, zoom = 1, look?: THREE.Vector3): void {
    const size = this.bounds.getSize(new THREE.Vector3());
    const centre = look ?? this.bounds.getCenter(new THREE.Vector3());
    const turn = azimuth ?? (size.x >= size.y ? -Math.PI / 2 + 0.42 : 0.42);
    const direction = new THREE.Vector3(
      Math.cos(turn) * Math.cos(elevation),
      Math.sin(turn) * Math.cos(elevation),
      Math.sin(elevation),
    );
    this.camera.position.copy(centre).add(direction);
    this.camera.lookAt(centre);
    const distance = this.fitDistance(centre, direction) / zoom;
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.touch();
  }

  /** Nearest distance from which all corners of the bounds are in the picture, with a margin. */
  private fitDistance(centre: THREE.Vector3, direction: THREE.Vector3): number {
    const right = new THREE.Vector3(0, 0, 1).cross(direction).normalize();
    const up = direction.clone().cross(right);
    const tan = Math.tan(((this.camera.fov / 2) * Math.PI) / 180) * 0.86;
    const { min, max } = this.bounds;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const p = new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).sub(centre);
      const side = Math.max(Math.abs(p.dot(right)) / this.camera.aspect, Math.abs(p.dot(up)));
      distance = Math.max(distance, side / tan + (this.orthographic ? 0 : p.dot(direction)));
    }
    return Math.max(distance, 1e-6);
  }

  /** Moves the view with a point. */
  follow(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  setTheme(theme: Theme): void {
    const look = LOOKS[theme];
    this.scene.background = new THREE.Color(look.background);
    this.sky.intensity = theme === 'light' ? 2.2 : 1.8;
    this.ground?.paint(look);
    if (this.bodies) this.bodies.edgeColour = look.edge;
    if (this.solids) this.solids.edgeColour = look.edge;
    this.marks.colour = look.accent;
    this.touch();
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  /** Fewer pixels, no shadows: for computers that draw slowly. */
  simplify(): void {
    if (this.sun.castShadow) this.sun.castShadow = false;
    else if (this.renderer.getPixelRatio() > 1) this.renderer.setPixelRatio(1);
    this.touch();
  }

  /** Draws if need be; says whether it did. */
  render(): boolean {
    if (!this.dirty) return false;
    this.dirty = false;
    const { camera, controls, bounds } = this;
    if (this.orthographic) alignOrthographic(this.flat, camera, controls.target, bounds.getBoundingSphere(new THREE.Sphere()));
    this.section.face(camera.position.clone().sub(controls.target));
    this.renderer.render(this.scene, this.lens);
    return true;
  }

  /** The camera of the picture. */
  private get lens(): THREE.Camera {
    return this.orthographic ? this.flat : this.camera;
  }

  /** Pixel of a point, from the upper left; null behind the camera or in front of the section. */
  project(x: number, y: number, z: number): { x: number; y: number } | null {
    const p = new THREE.Vector3(x, y, z);
    if (this.section.removes(p)) return null;
    p.project(this.lens);
    const size = this.renderer.getSize(new THREE.Vector2());
    return p.z < 1 ? { x: ((p.x + 1) / 2) * size.x, y: ((1 - p.y) / 2) * size.y } : null;
  }

  rayAt(x: number, y: number): THREE.Raycaster {
    const size = this.renderer.getSize(new THREE.Vector2());
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / size.x - 1, 1 - (2 * y) / size.y), this.lens);
    this.section.shorten(ray);
    return ray;
  }
}
