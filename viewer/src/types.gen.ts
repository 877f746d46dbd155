// Written by tools/write_tables.py from the names of the library: do not edit.

export enum ShapeKind {
  sphere,
  box,
  capsule,
  cylinder,
  ellipsoid,
  hull,
  plane,
  mesh,
  heightField,
}

export const SHAPE_NAMES = [
  'sphere',
  'box',
  'capsule',
  'cylinder',
  'ellipsoid',
  'hull',
  'plane',
  'mesh',
  'height field',
];
export const MOTION_NAMES = [
  'dynamic',
  'kinematic',
  'static',
];
export const JOINT_NAMES = [
  'fixed',
  'spherical',
  'revolute',
  'prismatic',
  'cylindrical',
  'universal',
  'planar',
  'distance',
  'gear',
  'spring',
  'cable',
  'constant-velocity',
  'cam',
];
export const STATUS_NAMES = [
  'converged',
  'inaccurate',
  'iteration limit',
  'time limit',
  'stopped',
  'infeasible joints',
  'breakdown',
  'overflow',
];
