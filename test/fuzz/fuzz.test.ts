import { expect, test } from 'vitest';
import { Random } from './random.ts';
import { type Finding, runTarget } from './run-target.ts';
import { targets } from './targets/index.ts';

test.each(targets)('nothing that is sent breaks the server: $name', async (target) => {
  const findings: Finding[] = [];
  const { cases, requests } = await runTarget(target, {
    seed: 1,
    from: 0,
    to: target.shortCases,
    endMs: performance.now() + 60_000,
    onFinding: (finding) => findings.push(finding),
  });
  expect(findings.slice(0, 20).map(({ case: at, what }) => `${at}: ${what}`)).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(cases);
  expect(cases).toBeGreaterThan(20);
});

test('a case is the same again', () => {
  const first = (...parts: readonly (string | number)[]) => {
    const random = new Random(...parts);
    return Array.from({ length: 5 }, () => random.below(1000));
  };
  expect(first(1, 'bodies', 7)).toEqual(first(1, 'bodies', 7));
  expect(first(1, 'bodies', 8)).not.toEqual(first(1, 'bodies', 7));
  expect(first(2, 'bodies', 7)).not.toEqual(first(1, 'bodies', 7));
});
