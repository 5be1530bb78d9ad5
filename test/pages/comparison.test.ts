import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Row {
  readonly project: string;
  readonly cells: readonly string[];
}
/** The scripts are plain JavaScript. */
interface ComparisonModule {
  readonly readComparison: (page: string) => readonly Row[];
  readonly linksOf: (text: string) => readonly string[];
  readonly checkRow: (row: Row) => readonly string[];
}
interface CheckModule {
  readonly checkSource: (
    url: string,
    words: readonly string[],
    fetchPage?: typeof fetch,
  ) => Promise<{ readonly state: string; readonly why: string }>;
}
const moduleAt = <Module>(path: string): Promise<Module> => import(new URL(path, import.meta.url).href);
const { readComparison, linksOf, checkRow } = await moduleAt<ComparisonModule>(
  '../../scripts/sources/comparison.mjs',
);
const { checkSource } = await moduleAt<CheckModule>('../../scripts/sources/check.mjs');

describe('the comparison with other projects', () => {
  const rows = readComparison(readFileSync(`${root}docs/index.md`, 'utf8'));
  const evidence: Record<string, readonly string[]> = JSON.parse(
    readFileSync(`${root}scripts/sources/comparison.json`, 'utf8'),
  );

  test('has a row for each project', () => {
    expect(rows.map(({ project }) => project)).toEqual([
      'envtest',
      'kind',
      'k3s',
      'kcp',
      'kwok',
      'kubeconform',
      'crdify',
    ]);
  });

  test('has no empty cell, and a source of a known form for each claim', () => {
    expect(rows.flatMap((row) => checkRow(row))).toEqual([]);
  });

  test('rests on words of each source, which `npm run check:sources` looks for', () => {
    const cited = rows
      .flatMap(({ cells }) => linksOf(cells.join(' ')))
      .filter((link) => link.includes('://'));
    expect(Object.keys(evidence).sort()).toEqual([...new Set(cited)].sort());
    for (const [source, words] of Object.entries(evidence)) {
      expect(words.length, source).toBeGreaterThan(0);
      expect(
        words.every((word) => word.trim() !== ''),
        source,
      ).toBe(true);
    }
  });
});

test.each([
  ['one cell less', ['[a](a.md)', '[b](b.md)'], ['kind: 2 cells instead of 3']],
  ['an empty cell', ['[a](a.md)', '', '[c](c.md)'], ['kind: cell 2 is empty']],
  [
    'a claim without a source after one with a source',
    ['[a](a.md); Docker', '[b](b.md). Pods run', '[c](c.md)'],
    ['kind: "Docker" has no source', 'kind: "Pods run" has no source'],
  ],
  ['a cell about Ilk without a link', ['[a](a.md)', '[b](b.md)', 'c'], ['kind: "c" has no source']],
  [
    'links of other forms',
    ['[a](http://github.com/a/b)', '[b](https://blog.example.com/b)', '[c](javascript:c) [d]()'],
    [
      'kind: http://github.com/a/b is not of a known form',
      'kind: https://blog.example.com/b is not of a known form',
      'kind: javascript:c is not of a known form',
      'kind:  is not of a known form',
    ],
  ],
  ['a full stop within a link', ['[a. b](a.md)', '[b](b.md)', '[c](c.md)'], []],
  [
    'a claim without a source before one with a full stop in its link',
    ['Docker; [a. b](a.md)', '[b](b.md)', '[c](c.md)'],
    ['kind: "Docker" has no source'],
  ],
])('%s', (_, cells, wrong) => {
  expect(checkRow({ project: 'kind', cells })).toEqual(wrong);
});

describe('a source', () => {
  const pages: Record<string, string> = {
    '/readme':
      '<h2 id="user-content-why-kind">Why</h2><p>It <b>runs</b>\n  &quot;pods&quot; &amp; volumes</p>',
    '/hidden': '<script>const said = "nerdctl";</script><p>docker</p>',
  };
  const server = createServer((request, response) => {
    const text = pages[request.url ?? ''];
    response.statusCode = request.url === '/busy' ? 429 : text === undefined ? 404 : 200;
    response.end(text);
  });
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each([
    [
      'has its words, whatever the tags and the case',
      '/readme#why-kind',
      ['Runs "Pods" & volumes'],
      'ok',
      '',
    ],
    ['lacks words', '/readme', ['runs', 'nodes'], 'wrong', 'does not contain "nodes"'],
    ['says them in a script only', '/hidden', ['nerdctl'], 'wrong', 'does not contain "nerdctl"'],
    ['lacks its anchor', '/readme#installation', [], 'wrong', 'no anchor #installation'],
    ['is gone', '/none', [], 'wrong', 'status 404'],
    ['is of a busy server', '/busy', [], 'unreachable', 'status 429'],
  ])('%s', async (_, path, words, state, why) => {
    expect(await checkSource(`${base}${path}`, words)).toEqual({ state, why });
  });

  test('is out of reach', async () => {
    expect(await checkSource('http://127.0.0.1:1/', [])).toMatchObject({ state: 'unreachable' });
  });
});
