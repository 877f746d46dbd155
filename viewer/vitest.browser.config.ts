import { defineConfig } from 'vitest/config';
import { PATIENCE } from './test/browser/patience.ts';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 2 * PATIENCE,
    hookTimeout: 2 * PATIENCE,
    expect: { poll: { timeout: PATIENCE } },
    fileParallelism: false,
  },
});
