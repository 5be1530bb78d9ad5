import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, put, sharedWith } from '../../meta/index.ts';
import { type Random, randomValue, randomBelow } from '../random-value.test-data.ts';
import { decodeCanonicalJson, decodeJson } from './decode-json.ts';
import { encodeBeside, type JsonPart } from './encode-beside.ts';
import { encodeJson } from './encode-json.ts';

const wide = (fields: number): JsonObject =>
  Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, `<${index}>`]));

/** Every part of a text with its path and its bytes. */
function partsOf(part: JsonPart, bytes: Buffer, path = '', around = 0): [string, string][] {
  const start = around + part.offset;
  const text = bytes.subarray(start, start + part.length).toString();
  const below = [...(part.parts ?? [])].flatMap(([step, inner]) =>
    partsOf(inner, bytes, `${path}/${step}`, start),
  );
  return [[path, text], ...below];
}

test('the bytes are those of encodeJson, and the anatomy says where the parts stand', () => {
  const { bytes, anatomy } = encodeBeside({ b: [1, { d: {} }], a: { c: 'é' }, e: 7 });
  expect(bytes.toString()).toBe('{"a":{"c":"é"},"b":[1,{"d":{}}],"e":7}');
  expect(partsOf(anatomy.root, bytes)).toEqual([
    ['', '{"a":{"c":"é"},"b":[1,{"d":{}}],"e":7}'],
    ['/a', '{"c":"é"}'],
    ['/b', '[1,{"d":{}}]'],
    ['/b/1', '{"d":{}}'],
    ['/b/1/d', '{}'],
  ]);
});

test('shared parts are copied without encoding or reading them', () => {
  const old: JsonObject = { spec: wide(1_000), status: { count: 1 } };
  const { bytes, anatomy } = encodeBeside(old);
  const spec = old['spec'];
  const marked = Buffer.from(bytes);
  marked.write('"<X>"', marked.indexOf('"\\u003c7\\u003e"'));
  const next = { spec: spec ?? null, status: { count: 2 } };
  const changed = encodeBeside(next, { value: old, bytes: marked, anatomy }).bytes.toString();
  expect(changed).toContain('"<X>"');
  expect(changed.endsWith('"status":{"count":2}}')).toBe(true);
});

test('wide and deep values are one part', () => {
  const deep = { a: { b: { c: { d: { e: {} } } } } };
  const { bytes, anatomy } = encodeBeside({ wide: wide(33), deep });
  expect(partsOf(anatomy.root, bytes).map(([path]) => path)).toEqual([
    '',
    '/deep',
    '/deep/a',
    '/deep/a/b',
    '/deep/a/b/c',
    '/wide',
  ]);
});

test.each<[string, JsonValue, boolean]>([
  ['small numbers', [1, -1.5, 1e-7, 2 ** 53 - 1], true],
  ['an integer that takes a bigint', [2n ** 53n], false],
  ['a float that looks like an integer', [1e17], false],
  ['minus zero', { a: [-0] }, false],
  ['what only looks like an escape', ['\\ud800'], true],
])('whether JSON.parse can be trusted with %s', (_, value, isPlain) => {
  const { bytes, anatomy } = encodeBeside({ value });
  expect(anatomy.isPlain).toBe(isPlain);
  const decoded = decodeCanonicalJson(bytes, anatomy);
  expect(decoded).toStrictEqual(decodeJson(bytes).value);
  const next = encodeBeside({ ...Object(decoded), more: 1 }, { value: decoded, bytes, anatomy });
  expect(next.bytes).toEqual(encodeJson({ ...Object(decoded), more: 1 }));
});

test('a part that is not copied does not affect the others', () => {
  const old: JsonObject = { big: [2n ** 60n], small: [1] };
  const { bytes, anatomy } = encodeBeside(old);
  const without = encodeBeside({ small: old['small'] ?? null }, { value: old, bytes, anatomy });
  expect(without.bytes.toString()).toBe('{"small":[1]}');
  expect(decodeCanonicalJson(without.bytes, without.anatomy)).toStrictEqual({ small: [1] });
});

/** The value with some part replaced or removed. */
function changed(value: JsonValue, random: Random): JsonValue {
  if (random(100) < 8) return randomValue(random);
  if (Array.isArray(value)) return value.flatMap((item) => (random(10) === 0 ? [] : [changed(item, random)]));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) if (random(20) > 0) put(copy, key, changed(item, random));
  return copy;
}

test.each([1, 2, 3])('random values one after the other (seed %i)', (seed) => {
  const random = randomBelow(seed);
  const start = (): JsonValue => ({
    a: { b: [randomValue(random), { c: {} }] },
    d: randomValue(random),
    e: wide(40),
  });
  let written = encodeBeside(start());
  for (let round = 1; round < 1_500; round += 1) {
    const decoded = decodeCanonicalJson(written.bytes, written.anatomy);
    expect(isDeepStrictEqual(decoded, decodeJson(written.bytes).value)).toBe(true);
    const next = sharedWith(decoded, round % 20 === 0 ? start() : changed(decoded, random));
    written = encodeBeside(next, { value: decoded, ...written });
    expect(written.bytes.toString()).toBe(encodeJson(next).toString());
  }
});
