import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '../src/meta/index.ts';

test('docs/reference/limits.md lists every limit with its value, and no other', () => {
  const page = readFileSync(new URL('../docs/reference/limits.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ]);
  expect(Object.fromEntries(rows)).toEqual({ ...limits });
});
