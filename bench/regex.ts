import { RE2JS } from 're2js';
import { compileRegex } from '../src/regex/index.ts';

/** A pattern that native RegExp reads alike, and texts that match and do not. */
interface Case {
  readonly name: string;
  readonly pattern: string;
  readonly texts: readonly string[];
  /** Native RegExp would not come back. */
  readonly withoutNative?: boolean;
}

const million = 1_000_000;

const cases: readonly Case[] = [
  {
    name: 'DNS label',
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    texts: ['web', 'my-service-01', 'a-', 'frontend-deployment-7d9f'],
  },
  {
    name: 'DNS subdomain',
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    texts: ['example.com', 'cert-manager.io', 'a..b', 'very.long.sub-domain.of.example.org'],
  },
  {
    name: 'label value',
    pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
    texts: ['', 'v1.2.3', 'Some_Value', '-bad'],
  },
  {
    name: 'quantity',
    pattern: '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$',
    texts: ['100Mi', '1.5', '250m', 'abc'],
  },
  { name: 'duration', pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$', texts: ['1h30m', '10ms', '5x', '1.5s'] },
  {
    name: 'IPv4',
    pattern: '^((25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])$',
    texts: ['10.0.0.1', '255.255.255.255', '256.1.1.1', 'x'],
  },
  { name: 'counted', pattern: '^[a-z]{1,63}$', texts: ['name', 'a'.repeat(63), 'a'.repeat(64), 'UPPER'] },
  {
    name: 'inside a text',
    pattern: 'foo[0-9]+bar',
    texts: ['a fairly long text without it in any place', 'then foo123bar here'],
  },
  { name: 'literal', pattern: 'needle', texts: ['a haystack with a needle in it', 'a haystack without'] },
  {
    name: 'alternatives',
    pattern: '^(Always|Never|IfNotPresent)$',
    texts: ['Always', 'IfNotPresent', 'Sometimes'],
  },
  { name: 'beyond ASCII', pattern: '^\\p{L}+$', texts: ['日本語', 'Straße', 'naïve', 'x1'] },
  { name: 'long text', pattern: '[0-9]+:[0-9]+$', texts: [`${'lorem ipsum '.repeat(1000)}12:30`] },
  { name: '(a+)+ on 1 MB', pattern: '^(a+)+$', texts: [`${'a'.repeat(million)}b`], withoutNative: true },
  {
    name: '(a|b)*a.{12} on 1 MB',
    pattern: '(a|b)*a[ab]{12}c',
    texts: ['abbabaab'.repeat(million / 8)],
    withoutNative: true,
  },
];

const budgetMs = 150;

/** Nanoseconds a call, the best of three rounds. */
function nanoseconds(matches: (text: string) => boolean, texts: readonly string[]): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const begin = performance.now();
    let calls = 0;
    do {
      for (let turn = 0; turn < 100 && (turn === 0 || (texts[0]?.length ?? 0) < 1000); turn += 1) {
        for (const text of texts) matches(text);
        calls += texts.length;
      }
    } while (performance.now() - begin < budgetMs);
    best = Math.min(best, ((performance.now() - begin) * 1e6) / calls);
  }
  return best;
}

/** Prints nanoseconds a call and the ratios to native RegExp and to re2js. */
export function run(print: (line: string) => void): void {
  const row = (cells: readonly string[]) =>
    print(cells.map((cell, at) => (at === 0 ? cell.padEnd(22) : cell.padStart(14))).join(''));
  row(['pattern', 'ours ns', 'native ns', 're2js ns', 'ours/native', 're2js/ours']);
  for (const { name, pattern, texts, withoutNative } of cases) {
    const regex = compileRegex(pattern);
    const re2js = RE2JS.compile(pattern);
    const native = new RegExp(pattern, 'u');
    const ours = nanoseconds((text) => regex.test(text), texts);
    const theirs = nanoseconds((text) => re2js.test(text), texts);
    const v8 = withoutNative ? Number.NaN : nanoseconds((text) => native.test(text), texts);
    row([
      name,
      ours.toFixed(0),
      v8.toFixed(0),
      theirs.toFixed(0),
      (ours / v8).toFixed(1),
      (theirs / ours).toFixed(1),
    ]);
  }
}
