// Columns of trajectories. Written by `test_report_fields --print` from the table of the fields of reports
// (src/step/account/report_fields.c); do not edit.

/** Columns of /solver. */
export const SOLVER = [
  'step',
  'contacts',
  'active',
  'islands',
  'status',
  'iterations',
  'factorizations',
  'energy_error',
  'energy_scale',
  'natural_map',
  'kinetic',
  'potential',
  'work',
  'dissipation',
  'penetration',
  'joint_drift',
  'seconds',
  'bonds',
] as const;

/** Terms of the energy balance, columns of /energy: sums since the start, J. */
export const TERMS = [
  'loads',
  'motors',
  'prescribed',
  'friction',
  'impacts',
  'dampers',
  'discretization',
  'fracture',
] as const;

/** Those that are work. */
export const WORK = [
  'loads',
  'motors',
  'prescribed',
] as const;

/** Those that are dissipation. */
export const DISSIPATION = [
  'friction',
  'impacts',
  'dampers',
  'fracture',
] as const;

/** Columns that files of older versions do not have. */
export const LATER: readonly string[] = [
  'energy/elastic',
  'energy/loads',
  'energy/motors',
  'energy/prescribed',
  'energy/friction',
  'energy/impacts',
  'energy/dampers',
  'energy/discretization',
  'energy/fracture',
  'solver/bonds',
];
