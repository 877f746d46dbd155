// Small algebra on poses (x y z, w x y z) in arrays, without objects: it runs for every body of every picture.

/** out[0 … 6] = pose p[i …] after pose q[j …]. */
export function combine(p: Float64Array, i: number, q: Float64Array, j: number, out: Float64Array): void {
  rotate(p, i + 3, q[j], q[j + 1], q[j + 2], out);
  out[0] += p[i];
  out[1] += p[i + 1];
  out[2] += p[i + 2];
  const [aw, ax, ay, az] = [p[i + 3], p[i + 4], p[i + 5], p[i + 6]];
  const [bw, bx, by, bz] = [q[j + 3], q[j + 4], q[j + 5], q[j + 6]];
  out[3] = aw * bw - ax * bx - ay * by - az * bz;
  out[4] = aw * bx + ax * bw + ay * bz - az * by;
  out[5] = aw * by - ax * bz + ay * bw + az * bx;
  out[6] = aw * bz + ax * by - ay * bx + az * bw;
}

/** out[0 … 2] = vector (x y z) turned by the quaternion q[i …]. */
export function rotate(q: Float64Array, i: number, x: number, y: number, z: number, out: Float64Array): void {
  const [w, a, b, c] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  out[0] = x + w * tx + b * tz - c * ty;
  out[1] = y + w * ty + c * tx - a * tz;
  out[2] = z + w * tz + a * ty - b * tx;
}

/** Column-major matrix at m[k …] of a pose and a scale. */
export function toMatrix(p: Float64Array, sx: number, sy: number, sz: number, m: Float32Array, k: number): void {
  const [w, x, y, z] = [p[3], p[4], p[5], p[6]];
  m[k] = (1 - 2 * (y * y + z * z)) * sx;
  m[k + 1] = 2 * (x * y + w * z) * sx;
  m[k + 2] = 2 * (x * z - w * y) * sx;
  m[k + 3] = 0;
  m[k + 4] = 2 * (x * y - w * z) * sy;
  m[k + 5] = (1 - 2 * (x * x + z * z)) * sy;
  m[k + 6] = 2 * (y * z + w * x) * sy;
  m[k + 7] = 0;
  m[k + 8] = 2 * (x * z + w * y) * sz;
  m[k + 9] = 2 * (y * z - w * x) * sz;
  m[k + 10] = (1 - 2 * (x * x + y * y)) * sz;
  m[k + 11] = 0;
  m[k + 12] = p[0];
  m[k + 13] = p[1];
  m[k + 14] = p[2];
  m[k + 15] = 1;
}

export const IDENTITY = Float64Array.from([0, 0, 0, 1, 0, 0, 0]);
