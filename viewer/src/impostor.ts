// Very many spheres: each is one square that faces the camera; the fragment shader meets the sphere with its ray and writes
// depth and normal. Two triangles a sphere, and the outline is round at any distance.
import * as THREE from 'three';
import { CUT_TONE } from './section';

const VERTEX = `
varying vec3 at, tint;
flat varying vec3 centre, axisX, axisY;
flat varying float radius;
void main() {
  mat4 place = modelViewMatrix * instanceMatrix;
  centre = place[3].xyz;
  radius = length(place[0].xyz);
  axisX = place[0].xyz; axisY = place[1].xyz;
  tint = instanceColor;
  float d = length(centre);
  vec3 w = isOrthographic ? vec3(0.0, 0.0, -1.0) : centre / d;
  vec3 u = normalize(cross(w, abs(w.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
  float s = radius;
  if (!isOrthographic) s *= d / sqrt(max(d * d - radius * radius, 1e-6 * d * d)); // the cone of sight touches the sphere nearer than its middle
  at = centre + s * (position.x * u + position.y * cross(u, w));
  gl_Position = radius > 0.0 ? projectionMatrix * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;
const FRAGMENT = `
varying vec3 at, tint;
flat varying vec3 centre, axisX, axisY;
flat varying float radius;
uniform vec3 sun, up; uniform float opacity;
uniform mat4 projectionMatrix;
#if NUM_CLIPPING_PLANES > 0
uniform vec4 clippingPlanes[NUM_CLIPPING_PLANES];
bool removed(vec3 p) { return dot(-p, clippingPlanes[0].xyz) > clippingPlanes[0].w; }
#endif
void main() {
  vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(at);
  vec3 to = centre - at; // from the square, not from the camera: short, so that its square keeps its digits
  float b = dot(ray, to);
  float disc = b * b - dot(to, to) + radius * radius;
  if (disc < 0.0) discard;
  vec3 hit = at + ray * (b - sqrt(disc));
  bool inside = false;
#if NUM_CLIPPING_PLANES > 0
  if (removed(hit)) {
    inside = true;
    hit = at + ray * (b + sqrt(disc));
    if (removed(hit)) discard;
  }
#endif
  vec3 n = (hit - centre) / radius;
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  float tone = dot(n, axisX) * dot(n, axisY) > 0.0 ? 1.0 : 0.78; // two tones: one sees it turn
  float light = 0.55 + 0.12 * dot(n, up) + 0.62 * max(dot(n, sun), 0.0);
  gl_FragColor = vec4(tint * (inside ? float(${CUT_TONE}) : tone * light), opacity);
  #include <colorspace_fragment>
}`;

export const SUN = new THREE.Vector3(-0.5, -0.9, 1.7).normalize();

export function makeImpostorMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    clipping: true,
    uniforms: { sun: { value: new THREE.Vector3() }, up: { value: new THREE.Vector3() }, opacity: { value: 1 } },
  });
}

/** Directions of light in the camera's axes. */
export function lightImpostors(material: THREE.ShaderMaterial, camera: THREE.Camera): void {
  (material.uniforms.sun.value as THREE.Vector3).copy(SUN).transformDirection(camera.matrixWorldInverse);
  (material.uniforms.up.value as THREE.Vector3).set(0, 0, 1).transformDirection(camera.matrixWorldInverse);
}

/** The first sphere of the instances that the ray meets between its ends: number and distance. */
export function pickSphere({ ray, near, far }: THREE.Raycaster, matrix: Float32Array): { instance: number; distance: number } | null {
  const { origin: o, direction: d } = ray;
  let found: { instance: number; distance: number } | null = null;
  for (let k = 0; 16 * k < matrix.length; k++) {
    const m = 16 * k;
    const [x, y, z] = [matrix[m + 12] - o.x, matrix[m + 13] - o.y, matrix[m + 14] - o.z];
    const r2 = matrix[m] ** 2 + matrix[m + 1] ** 2 + matrix[m + 2] ** 2;
    const b = x * d.x + y * d.y + z * d.z;
    const disc = b * b - (x * x + y * y + z * z) + r2;
    if (disc < 0 || r2 === 0) continue;
    const half = Math.sqrt(disc);
    const distance = b - half > near ? b - half : b + half; // the inside of one that is cut
    if (distance > near && distance < (found?.distance ?? far)) found = { instance: k, distance };
  }
  return found;
}
