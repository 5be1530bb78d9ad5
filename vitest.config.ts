import { configDefaults, defineConfig } from 'vitest/config';
import { findCorpus } from './test/corpus.test-support.ts';
import { CollectingFirst } from './test/fixtures/collecting-first.ts';
import { RetriedTests } from './test/fixtures/retried-tests.ts';

const corpus = findCorpus();

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    // `npm run test:workers`, which needs a newer Node than the oldest that Ilk runs on.
    exclude: [...configDefaults.exclude, 'test/workers/**'],
    // Examples import the package by its name.
    alias: { 'ilk-apiserver/testing': new URL('./src/testing/index.ts', import.meta.url).pathname },
    env: corpus === undefined ? {} : { ILK_CORPUS: corpus },
    setupFiles: ['./test/undici-on-node-20.ts'],
    // For a machine that is busy with other things: what hangs is told a little later.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // A shared machine may stand still for seconds. What fails twice is a bug; what was tried twice is reported as such.
    retry: process.env['CI'] === undefined ? 0 : 1,
    reporters: process.env['CI'] === undefined ? ['default'] : ['default', new RetriedTests()],
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Nothing in this house is global, so files can share what a worker has imported. That halves the run.
    isolate: false,
    // Tests wait for disks, child processes and intervals for about 40 % of their time: three workers keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: CollectingFirst },
    passWithNoTests: false,
  },
});
