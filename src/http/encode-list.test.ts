import { describe, expect, test } from 'vitest';
import { encodeJson, encodeJsonPretty, encodeProtobuf, encodeYaml } from '../codec/index.ts';
import { atOnce, type JsonObject } from '../meta/index.ts';
import { encodeList, type ListSource, listPieces } from './encode-list.ts';

const kind = { group: '', version: 'v1', kind: 'ConfigMapList' };
const metadata = { continue: '"items":[]', resourceVersion: '7' };
const empty = { apiVersion: 'v1', items: [], kind: 'ConfigMapList', metadata };
const items: JsonObject[] = [
  { data: { text: 'a\nitems: []\nb', '"items": []': '' }, metadata: { name: 'a' } },
  { metadata: { name: 'b'.repeat(100), labels: {} }, immutable: true },
  { data: { long: 'words '.repeat(40) }, metadata: { name: 'c', finalizers: ['x', 'y'] } },
];

function encoded(mediaType: 'json' | 'yaml' | 'protobuf', pretty: boolean, count: number): string {
  const source = { empty, field: 'items', items: items.slice(0, count), kind } as const;
  return Buffer.concat(atOnce(encodeList(source, { mediaType, pretty }))).toString();
}

describe.each([1, 2, 3])('a list of %i has the bytes of the whole value, encoded at once', (count) => {
  const whole = { ...empty, items: items.slice(0, count) };

  test('JSON', () => {
    expect(encoded('json', false, count)).toBe(`${encodeJson(whole)}\n`);
  });

  test('JSON with line breaks', () => {
    expect(encoded('json', true, count)).toBe(encodeJsonPretty(whole).toString());
  });

  test('YAML', () => {
    expect(encoded('yaml', false, count)).toBe(encodeYaml(whole).toString());
  });

  test('protobuf', () => {
    expect(encoded('protobuf', false, count)).toBe(encodeProtobuf(whole, kind).toString());
  });
});

test('protobuf writes fields in the order of their numbers', () => {
  const gvk = { group: 'meta.k8s.io', version: 'v1beta1', kind: 'PartialObjectMetadataList' };
  const list = { apiVersion: 'meta.k8s.io/v1beta1', kind: gvk.kind, metadata: { resourceVersion: '7' } };
  const partial = items.map(({ metadata: only }) => ({ metadata: only ?? null }));
  const source: ListSource = { empty: { ...list, items: [] }, field: 'items', items: partial, kind: gvk };
  const pieces = atOnce(encodeList(source, { mediaType: 'protobuf', pretty: false }));
  expect(Buffer.concat(pieces)).toEqual(encodeProtobuf({ ...list, items: partial }, gvk));
});

const large = Array.from({ length: 500 }, (_, index) => ({
  metadata: { name: `n-${index}` },
  data: { a: 'x'.repeat(200) },
}));

test.each([
  ['json', false],
  ['json', true],
  ['yaml', false],
] as const)('pieces that are made as they are read are the same %s (pretty: %s)', (mediaType, pretty) => {
  const source = { empty, field: 'items', items: large, kind } as const;
  const pieces = [...listPieces(source, { mediaType, pretty })];
  expect(pieces.length).toBeGreaterThan(3);
  const whole = Buffer.concat(atOnce(encodeList(source, { mediaType, pretty })));
  expect(Buffer.concat(pieces).toString()).toBe(whole.toString());
});

test('a chunk is created when it is read', () => {
  let made = 0;
  function* making(): Generator<JsonObject> {
    for (const item of large) {
      made += 1;
      yield item;
    }
  }
  const pieces = listPieces(
    { empty, field: 'items', items: making(), kind },
    { mediaType: 'yaml', pretty: false },
  );
  pieces.next();
  expect(made).toBeLessThan(large.length / 2);
});

test('pauses before each item is encoded', () => {
  const made: number[] = [];
  function* making(): Generator<JsonObject> {
    for (const [index, item] of items.entries()) {
      made.push(index);
      yield item;
    }
  }
  const steps = encodeList(
    { empty, field: 'items', items: making(), kind },
    { mediaType: 'yaml', pretty: false },
  );
  const seen = [...Array(3).keys()].map(() => (steps.next().done === true ? -1 : made.length));
  expect(seen).toEqual([0, 1, 2]);
});
