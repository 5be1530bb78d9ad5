import { defineConfig } from 'vitest/config';

/** Stories in a real browser: `npm run test:console`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Each has a browser of its own.
    maxWorkers: 1,
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
