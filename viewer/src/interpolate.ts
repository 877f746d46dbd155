// Poses and nodes between two frames: positions along the line, rotations along the shortest arc (slerp).

/**
 * out (nb x 7) at the fraction s in [0, 1] from a to b. A body that is gone (NaN) at b stays as in a, and ends with it. Where space repeats
 * itself after `period` (3, 0: it does not), a body that leaves the cell goes to its nearest image, outside of it.
 */
export function interpolatePoses(a: Float64Array, b: Float64Array, s: number, out: Float64Array, period?: Float64Array): void {
  if (s <= 0) return out.set(a);
  if (s >= 1) return out.set(b);
  for (let i = 0; i < a.length; i += 7) {
    if (Number.isNaN(b[i]) || Number.isNaN(a[i])) {
      for (let k = 0; k < 7; k++) out[i + k] = a[i + k];
      continue;
    }
    for (let k = 0; k < 3; k++) {
      const length = period?.[k] ?? 0;
      const way = b[i + k] - a[i + k];
      out[i + k] = a[i + k] + s * (length > 0 ? way - length * Math.round(way / length) : way);
    }
    slerp(a, b, i + 3, s, out);
  }
}

/** Points (n x 3) at the fraction s from a to b; those that are gone at b stay as in a. */
export function interpolatePoints(a: Float64Array, b: Float64Array, s: number, out: Float64Array): void {
  for (let i = 0; i < a.length; i++) out[i] = s >= 1 ? b[i] : s <= 0 || Number.isNaN(b[i]) ? a[i] : a[i] + s * (b[i] - a[i]);
}

/** Rotation at a[at …], b[at …], written to out[at …]. */
export function slerp(a: Float64Array, b: Float64Array, at: number, s: number, out: Float64Array): void {
  let cos = 0;
  for (let k = 0; k < 4; k++) cos += a[at + k] * b[at + k];
  const sign = cos < 0 ? -1 : 1; // q and -q are the same rotation: take the nearer one
  cos *= sign;
  let u = 1 - s;
  let v = s;
  if (cos < 0.9999) {
    const angle = Math.acos(cos);
    const sin = Math.sin(angle);
    u = Math.sin((1 - s) * angle) / sin;
    v = Math.sin(s * angle) / sin;
  }
  let norm = 0;
  for (let k = 0; k < 4; k++) {
    const q = u * a[at + k] + v * sign * b[at + k];
    out[at + k] = q;
    norm += q * q;
  }
  norm = 1 / Math.sqrt(norm);
  for (let k = 0; k < 4; k++) out[at + k] *= norm;
}
