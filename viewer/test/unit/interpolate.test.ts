import { expect, test } from 'vitest';
import { interpolatePoints, interpolatePoses } from '../../src/interpolate';

const turn = (angle: number): number[] => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

test('half way between two turns is half the turn, whatever the sign of the quaternion', () => {
  const a = Float64Array.from([0, 0, 0, ...turn(0.2)]);
  for (const sign of [1, -1]) {
    const b = Float64Array.from([2, 4, 6, ...turn(1.4).map((q) => sign * q)]);
    const out = new Float64Array(7);
    interpolatePoses(a, b, 0.5, out);
    const expected = [1, 2, 3, ...turn(0.8)];
    // Rounding of two sines and a root.
    expected.forEach((x, k) => expect(Math.abs(out[k] - x)).toBeLessThan(1e-15));
  }
});

test('ends are exact; a body that goes away stays until the later frame', () => {
  const a = Float64Array.from([1, 2, 3, 1, 0, 0, 0]);
  const b = new Float64Array(7).fill(NaN);
  const out = new Float64Array(7);
  interpolatePoses(a, b, 0.9, out);
  expect([...out]).toEqual([...a]);
  interpolatePoses(a, b, 1, out);
  expect(out[0]).toBeNaN();
});

test('a body that leaves the cell goes on to its nearest image', () => {
  const a = Float64Array.from([0.75, 0, 0, 1, 0, 0, 0]);
  const b = Float64Array.from([-0.75, 0.5, 0, 1, 0, 0, 0]);
  const out = new Float64Array(7);
  interpolatePoses(a, b, 0.5, out, Float64Array.from([2, 0, 0]));
  expect([...out.subarray(0, 3)]).toEqual([1, 0.25, 0]);
});

test('nodes go along the line', () => {
  const a = Float64Array.from([0, 1, 2, 5, 5, 5]);
  const b = Float64Array.from([4, 1, 0, NaN, NaN, NaN]);
  const out = new Float64Array(6);
  interpolatePoints(a, b, 0.25, out);
  expect([...out]).toEqual([1, 1, 1.5, 5, 5, 5]);
  interpolatePoints(a, b, 0, out);
  expect([...out]).toEqual([...a]);
  interpolatePoints(a, b, 1, out);
  expect([...out]).toEqual([...b]);
});
