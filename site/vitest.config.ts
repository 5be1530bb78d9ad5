import { defineConfig } from 'vitest/config';

/** Follows the pages as a reader would: `npm run test:site`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 1,
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
