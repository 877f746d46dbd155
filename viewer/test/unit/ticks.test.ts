import { expect, test } from 'vitest';
import { ticks } from '../../src/colours';

test('an axis has at least two numbers, and not many', () => {
  for (const [low, high] of [[0.1, 0.9], [-0.024, 0.006], [0.31, 0.34], [0, 1e-9], [-7, -1], [3, 4.9], [0.9, 1.4]]) {
    const found = ticks(low, high, 3);
    expect(found.length, `${low} to ${high}`).toBeGreaterThanOrEqual(2);
    expect(found.length, `${low} to ${high}`).toBeLessThanOrEqual(7);
    for (const v of found) expect(v >= low - 1e-9 * (high - low) && v <= high + 1e-9 * (high - low)).toBe(true);
  }
});
