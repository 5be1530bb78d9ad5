import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { retriedReport } from './fixtures/retried-tests.ts';

test('a run names what needed a second try, and more than three of those fail it', () => {
  const tests = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `t${index}`, retries: 1 }));
  expect(retriedReport([{ name: 'a', retries: 0 }])).toEqual({ lines: [], isFailure: false });
  expect(retriedReport([{ name: 'a', retries: 0 }, ...tests(1)])).toEqual({
    lines: ['1 test needed a second try:', '  t0'],
    isFailure: false,
  });
  expect(retriedReport(tests(3)).isFailure).toBe(false);
  expect(retriedReport(tests(4))).toEqual({
    lines: [
      '4 tests needed a second try, which is more than 3: the run fails:',
      '  t0',
      '  t1',
      '  t2',
      '  t3',
    ],
    isFailure: true,
  });
});

/** Runs vitest on a file of tests of which some fail once. */
function run(flaky: number) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const folder = mkdtempSync(join(root, 'node_modules', '.retried-'));
  try {
    const file = join(folder, 'flaky.test.ts');
    writeFileSync(
      file,
      `import { test } from 'vitest';
       for (let i = 0; i < ${flaky}; i += 1) {
         let tries = 0;
         test('flaky ' + i, () => { if (tries++ === 0) throw new Error('once'); });
       }
       test('steady', () => {});`,
    );
    const config = join(folder, 'vitest.config.ts');
    writeFileSync(
      config,
      `import { RetriedTests } from ${JSON.stringify(join(root, 'test/fixtures/retried-tests.ts'))};
       export default { test: { root: ${JSON.stringify(folder)}, include: ['*.test.ts'], retry: 1, reporters: [new RetriedTests()] } };`,
    );
    const names = join(folder, 'names');
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, ILK_RETRIED_TESTS: names } },
    );
    return { status, stdout, names: readFileSync(names, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('vitest counts the tries', () => {
  expect(run(3)).toMatchObject({ status: 0, names: expect.stringContaining('> flaky 2\n') });
  expect(run(4)).toMatchObject({ status: 1, stdout: expect.stringContaining('4 tests needed a second try') });
});
