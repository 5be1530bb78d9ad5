import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { threadLimits } from './limits.ts';

test('docs/reference/limits.md lists these limits, and no others of threads', () => {
  const page = readFileSync(new URL('../../../docs/reference/limits.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `thread\.(\w+)` \| (\d+) \|/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ]);
  expect(Object.fromEntries(rows)).toEqual({ ...threadLimits });
});
