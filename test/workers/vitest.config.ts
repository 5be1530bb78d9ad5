import { defineConfig } from 'vitest/config';

/** Servers with several threads: `npm run test:workers`. They need a Node that has SO_REUSEPORT, 22.12 or later. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 1,
    retry: process.env['CI'] === undefined ? 0 : 1,
    passWithNoTests: false,
  },
});
