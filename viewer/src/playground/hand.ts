// Hands in the picture: drag a body, throw a ball at a point, remove a body. Where nothing is hit the camera turns.
import * as THREE from 'three';
import type { App } from '../app';
import type { LiveSource } from './source';

export type Tool = 'hand' | 'throw' | 'remove';

const SAG = 0.08; // of the half size of a usual body: how far one hangs below the finger by its weight
const FLIGHT = 0.3; // s until a ball hits what it was thrown at
const BALL = 0.55; // radius over the half size of a usual body
const STEEL = 7800; // kg/m³
const LINE = 0xe5484d;

interface Grip {
  pointer: number;
  body: number;
  point: THREE.Vector3; // in the body's axes
  plane: THREE.Plane; // in which the target moves: parallel to the picture
  target: THREE.Vector3;
}

export class Hand {
  tool: Tool = 'hand';
  private grip: Grip | null = null;
  private readonly line = new THREE.Line(
    new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]),
    new THREE.LineBasicMaterial({ color: LINE, depthTest: false, transparent: true }),
  );
  private readonly knob = new THREE.Mesh(
    new THREE.SphereGeometry(1, 16, 12),
    new THREE.MeshBasicMaterial({ color: LINE, depthTest: false, transparent: true }),
  );

  constructor(
    private readonly app: App,
    private readonly source: LiveSource,
  ) {
    const view = app.scene.renderer.domElement;
    for (const part of [this.line, this.knob]) {
      part.renderOrder = 20;
      part.frustumCulled = false;
      part.visible = false;
      app.scene.add(part);
    }
    // Before the camera's controls see the event, which listen on the canvas itself.
    view.parentElement!.addEventListener('pointerdown', (event) => this.take(event), { capture: true });
    view.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      view.addEventListener(end, (event) => this.drop(event.pointerId));
    app.onTap = (x, y) => this.tap(x, y);
  }

  /** Hz, of the spring between finger and body. */
  private get frequency(): number {
    return Math.min(Math.max(Math.sqrt(9.81 / (SAG * this.app.scene.size)) / (2 * Math.PI), 2), 12);
  }

  private meet(x: number, y: number): { body: number; point: THREE.Vector3; ray: THREE.Ray } | null {
    const { scene, constants } = this.app;
    const ray = scene.rayAt(x, y);
    const hit = scene.bodies?.meet(ray);
    if (!hit || hit.body < 0 || !constants) return null;
    return { body: hit.body, point: ray.ray.at(hit.distance, new THREE.Vector3()), ray: ray.ray };
  }

  /** Hands act on the present: from the past, they first go there. */
  private atPresent(): boolean {
    const { clock } = this.app;
    if (!clock.playing && clock.locate().index === clock.frames - 1) return true;
    clock.playing = false;
    clock.seek(clock.frames - 1);
    this.app.touch();
    return false;
  }

  private take(event: PointerEvent): void {
    if (event.target !== this.app.scene.renderer.domElement || event.button !== 0 || this.tool !== 'hand' || this.grip) return;
    if (!this.atPresent()) return;
    const hit = this.meet(event.offsetX, event.offsetY);
    if (!hit || this.app.constants!.bodies.motion[hit.body] !== 0) return;
    const { pose } = this.app.current!;
    const at = new THREE.Vector3().fromArray(pose, 7 * hit.body);
    const point = hit.point.clone().sub(at).applyQuaternion(turnOf(pose, hit.body).invert());
    const facing = this.app.scene.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point);
    this.grip = { pointer: event.pointerId, body: hit.body, point, plane, target: hit.point };
    this.app.scene.controls.enabled = false;
    this.app.scene.renderer.domElement.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    const ray = this.app.scene.rayAt(event.offsetX, event.offsetY).ray;
    const target = ray.intersectPlane(grip.plane, new THREE.Vector3());
    if (!target) return;
    grip.target = target;
    if (!this.source.running) this.source.resume(); // a hand in a picture that stands still is of no use
    const { body, point } = grip;
    this.source.act({ kind: 'pull', body, point: point.toArray(), target: target.toArray(), frequency: this.frequency });
    this.show();
  }

  private drop(pointer: number): void {
    if (!this.grip || pointer !== this.grip.pointer) return;
    this.grip = null;
    this.app.scene.controls.enabled = true;
    this.source.act({ kind: 'release' });
    this.show();
  }

  /** The line from the body to the finger. */
  show(): void {
    const { grip } = this;
    const pose = this.app.current?.pose;
    this.line.visible = this.knob.visible = grip !== null && pose !== undefined;
    this.app.scene.touch();
    if (!grip || !pose) return;
    const from = grip.point.clone().applyQuaternion(turnOf(pose, grip.body)).add(new THREE.Vector3().fromArray(pose, 7 * grip.body));
    this.line.geometry.setFromPoints([from, grip.target]);
    this.knob.position.copy(from);
    this.knob.scale.setScalar(0.12 * this.app.scene.size);
  }

  private tap(x: number, y: number): boolean {
    if (this.tool === 'hand') return false;
    if (!this.atPresent()) return true;
    if (this.tool === 'throw') this.throwAt(x, y);
    else {
      const hit = this.meet(x, y);
      if (hit) this.source.act({ kind: 'remove', body: hit.body });
      if (hit) this.app.select(null);
    }
    return true;
  }

  /** From beside the camera to the point that was hit, in a parabola. */
  throwAt(x: number, y: number): void {
    const { scene } = this.app;
    const radius = BALL * scene.size;
    const hit = this.meet(x, y);
    const ray = hit?.ray ?? scene.rayAt(x, y).ray;
    const reach = scene.bounds.getSize(new THREE.Vector3()).length();
    const centre = scene.bounds.getCenter(new THREE.Vector3());
    const target = hit?.point ?? ray.at(ray.origin.distanceTo(centre), new THREE.Vector3());
    const start = target.clone().addScaledVector(ray.direction, -Math.min(target.distanceTo(ray.origin), 0.8 * reach));
    start.z = Math.max(start.z, scene.bounds.min.z + 1.1 * radius);
    const gravity = new THREE.Vector3(0, 0, -9.81);
    const velocity = target.sub(start).divideScalar(FLIGHT).addScaledVector(gravity, -FLIGHT / 2);
    this.source.act({ kind: 'throw', radius, density: STEEL, position: start.toArray(), velocity: velocity.toArray() });
    if (!this.source.running) this.source.resume();
  }
}

function turnOf(pose: Float64Array, body: number): THREE.Quaternion {
  return new THREE.Quaternion(pose[7 * body + 4], pose[7 * body + 5], pose[7 * body + 6], pose[7 * body + 3]);
}
