// The orthographic view. One moves the perspective camera; the orthographic one looks in the same direction at the same
// point, which both show in the same size.
import * as THREE from 'three';

const AWAY = 20; // radii of the scene between it and the camera, so that nothing of it is behind

export function alignOrthographic(
  camera: THREE.OrthographicCamera,
  perspective: THREE.PerspectiveCamera,
  target: THREE.Vector3,
  scene: THREE.Sphere,
): void {
  const toViewer = perspective.position.clone().sub(target);
  const half = toViewer.length() * Math.tan(THREE.MathUtils.degToRad(perspective.fov / 2));
  const away = AWAY * scene.radius + scene.center.distanceTo(target);
  camera.position.copy(target).addScaledVector(toViewer.normalize(), away);
  camera.quaternion.copy(perspective.quaternion);
  camera.top = half;
  camera.bottom = -half;
  camera.right = half * perspective.aspect;
  camera.left = -camera.right;
  camera.near = 0;
  camera.far = 2 * away;
  camera.updateProjectionMatrix();
}
