// Many small things of one geometry that come and go with the frames: points, rods, heads of arrows.
import * as THREE from 'three';

const Z = new THREE.Vector3(0, 0, 1);
// Scratch.
const matrix = new THREE.Matrix4();
const turn = new THREE.Quaternion();
const along = new THREE.Vector3();
const middle = new THREE.Vector3();
const scale = new THREE.Vector3();

/** Instances that come and go; room grows by doubling. */
export class Swarm {
  mesh: THREE.InstancedMesh;
  private used = 0;

  constructor(
    private readonly geometry: THREE.BufferGeometry,
    private readonly material: THREE.Material,
    private readonly parent: THREE.Group,
    private readonly order = 5,
  ) {
    this.mesh = this.make(256);
  }

  private make(room: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, room);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * room), 3);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.renderOrder = this.order;
    this.parent.add(mesh);
    return mesh;
  }

  begin(): void {
    this.used = 0;
  }

  add(matrix: THREE.Matrix4, colour: THREE.Color): void {
    if (this.used === this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.used, matrix);
    this.mesh.setColorAt(this.used, colour);
    this.used++;
  }

  private grow(): void {
    const old = this.mesh;
    this.mesh = this.make(2 * this.used);
    (this.mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array);
    (this.mesh.instanceColor!.array as Float32Array).set(old.instanceColor!.array);
    this.parent.remove(old);
    old.dispose();
  }

  end(): void {
    this.mesh.count = this.used;
    this.mesh.visible = this.used > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }

  /** A cylinder or cone whose geometry has length and radius 1 along z. */
  addRod(from: THREE.Vector3, to: THREE.Vector3, radius: number, colour: THREE.Color): void {
    along.copy(to).sub(from);
    const length = along.length();
    if (!(length > 0)) return;
    turn.setFromUnitVectors(Z, along.divideScalar(length));
    middle.copy(from).add(to).multiplyScalar(0.5);
    this.add(matrix.compose(middle, turn, scale.set(radius, radius, length)), colour);
  }

  addBall(at: THREE.Vector3, radius: number, colour: THREE.Color): void {
    this.add(matrix.makeScale(radius, radius, radius).setPosition(at), colour);
  }
}
