import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../meta/index.ts';
import { decodeJson } from '../json/decode-json.ts';
import { encodeJsonText } from '../json/encode-json.ts';
import { decodeYaml } from './decode-yaml.ts';

/** A text with the JSON or the error of sigs.k8s.io/yaml; recorded by tools/record/yaml. */
interface GoCase {
  readonly yaml: string;
  readonly json?: JsonValue;
  readonly error?: string;
}

/** Texts that are decoded differently on purpose, with the reason. */
interface Difference {
  readonly why: string;
  readonly texts: readonly string[];
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const cases: readonly GoCase[] = read('go-cases.test-data.jsonl')
  .trim()
  .split('\n')
  // The recorder writes this shape; integers of 19 digits are not rounded.
  .map((line) => decodeJson(Buffer.from(line)).value as unknown as GoCase);
const differences: readonly Difference[] = JSON.parse(read('go-differences.test-data.json'));
const different = new Set(differences.flatMap(({ texts }) => texts));

function ours(yaml: string): string {
  try {
    return encodeJsonText(decodeYaml(Buffer.from(yaml)).value);
  } catch {
    return 'refused';
  }
}

function disagreeing(): string[] {
  return cases
    .filter(
      ({ yaml, json, error }) =>
        ours(yaml) !== (error === undefined ? encodeJsonText(json ?? null) : 'refused'),
    )
    .map(({ yaml }) => yaml);
}

test(`${cases.length} texts, those of go-yaml's own tests among them, are read as Go reads them`, () => {
  expect(disagreeing().filter((yaml) => !different.has(yaml))).toEqual([]);
});

test('every listed difference is still one', () => {
  const found = new Set(disagreeing());
  expect([...different].filter((yaml) => !found.has(yaml))).toEqual([]);
});

test.each([
  ['labels: {\n  a: b\n}\n', { labels: { a: 'b' } }],
  ['spec:\n  args: [\n  a,\nb\n  ]\n  next: 1\n', { spec: { args: ['a', 'b'], next: 1 } }],
  ['- - [\n1]\n', [[[1]]]],
  ['a: "b\nc"\n', { a: 'b c' }],
])('lines of a flow collection and of a quoted scalar stand anywhere: %j', (text, value) => {
  expect(decodeYaml(Buffer.from(text)).value).toEqual(value);
});

test('a document whose every line is too shallow is refused or read in bounded time', () => {
  const text = `a: {\n${'b,\n'.repeat(100_000)}c}\n`;
  const start = process.cpuUsage();
  ours(text);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(20_000);
});
