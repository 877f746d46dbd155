// A section: a plane across one of the axes, in front of which nothing is drawn. Surfaces are closed, so where one sees the
// inside of one, the plane cuts it: that is painted in one tone, as a cut face. Edges would show behind it: they are left out.
import * as THREE from 'three';

export const AXES = ['x', 'y', 'z'] as const;
export type Axis = (typeof AXES)[number];

export const CUT_TONE = 0.8; // brightness of cut faces
export const EDGES = 'edges'; // name of objects that are lines along edges of surfaces
const NEARER = 1e-6; // of the depth: the inside of a body hides the outside of one that touches it there

/** Of the surfaces of bodies and solids. cutColour: of cut faces (GLSL); by default that of the surface. */
export function makeSurfaceMaterial(look: THREE.MeshStandardMaterialParameters, cutColour = 'diffuseColor.rgb'): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({ metalness: 0, vertexColors: true, shadowSide: THREE.BackSide, ...look });
  material.onBeforeCompile = (shader) => {
    const output = '#include <opaque_fragment>';
    const inside = `if (!gl_FrontFacing) outgoingLight = ${CUT_TONE} * ${cutColour};`;
    const depth = `gl_FragDepth = gl_FragCoord.z - (gl_FrontFacing ? 0.0 : ${NEARER.toFixed(6)});`;
    shader.fragmentShader = shader.fragmentShader.replace(output, `#ifdef DOUBLE_SIDED\n${inside}\n${depth}\n#endif\n${output}`);
  };
  material.customProgramCacheKey = () => cutColour;
  return material;
}

export class Section {
  axis: Axis | null = null; // null: nothing is cut
  at = 0; // m along the axis
  private readonly plane = new THREE.Plane();
  private readonly planes: THREE.Plane[] = []; // the one, or none; all materials hold this list
  private materials = new Set<THREE.Material>();
  private edges = new Set<THREE.Material>();

  /** These are cut from now on, instead of those before. */
  cut(objects: THREE.Object3D[]): void {
    this.materials = new Set();
    this.edges = new Set();
    for (const object of objects)
      object.traverse((part) => {
        if ('material' in part) (part.name === EDGES ? this.edges : this.materials).add(part.material as THREE.Material);
      });
    for (const material of this.materials) {
      material.clippingPlanes = this.planes;
      material.clipShadows = true;
    }
    this.showInside();
  }

  /** Turns the plane: what lies on the side of the viewer is removed. toViewer: from the point looked at. */
  face(toViewer: THREE.Vector3): void {
    const before = this.planes.length;
    this.planes.length = 0;
    if (this.axis) {
      const side = toViewer[this.axis] < 0 ? 1 : -1;
      this.plane.normal.set(0, 0, 0)[this.axis] = side;
      this.plane.constant = -side * this.at;
      this.planes.push(this.plane);
    }
    if (this.planes.length !== before) this.showInside();
  }

  private showInside(): void {
    for (const material of this.edges) material.visible = !this.planes.length;
    for (const material of this.materials) {
      if (!(material instanceof THREE.MeshStandardMaterial)) continue;
      material.side = this.planes.length ? THREE.DoubleSide : THREE.FrontSide;
      material.needsUpdate = true;
    }
  }

  removes(point: THREE.Vector3): boolean {
    return this.planes.some((plane) => plane.distanceToPoint(point) < 0);
  }

  /** Leaves of a ray what is not removed. */
  shorten(ray: THREE.Raycaster): void {
    for (const plane of this.planes) {
      const distance = ray.ray.distanceToPlane(plane) ?? Infinity;
      if (this.removes(ray.ray.origin)) ray.near = distance;
      else ray.far = distance;
    }
  }
}
