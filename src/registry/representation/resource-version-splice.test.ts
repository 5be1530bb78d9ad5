import { expect, test } from 'vitest';
import { findSplicePoint, spliceResourceVersion } from './resource-version-splice.ts';

const splice = (json: string, revision: number) => {
  const bytes = Buffer.from(json);
  const point = findSplicePoint(bytes);
  return point === undefined ? undefined : spliceResourceVersion(bytes, point, revision).toString();
};

test('the member goes where sorted keys put it', () => {
  expect(splice('{"kind":"A","metadata":{"name":"x","uid":"1"},"spec":{}}', 7)).toBe(
    '{"kind":"A","metadata":{"name":"x","resourceVersion":"7","uid":"1"},"spec":{}}',
  );
});

test('first, last and alone, it brings its own commas', () => {
  expect(splice('{"metadata":{"uid":"1"}}', 7)).toBe('{"metadata":{"resourceVersion":"7","uid":"1"}}');
  expect(splice('{"metadata":{"name":"x"}}', 7)).toBe('{"metadata":{"name":"x","resourceVersion":"7"}}');
  expect(splice('{"metadata":{}}', 7)).toBe('{"metadata":{"resourceVersion":"7"}}');
});

test('look-alikes inside strings, keys and nested objects do not mislead it', () => {
  expect(
    splice(
      '{"a":"\\"metadata\\":{","b":{"metadata":{"uid":1}},"metadata":{"labels":{"z":"}"},"uid":"1"}}',
      7,
    ),
  ).toBe(
    '{"a":"\\"metadata\\":{","b":{"metadata":{"uid":1}},"metadata":{"labels":{"z":"}"},"resourceVersion":"7","uid":"1"}}',
  );
  expect(splice('{"data":[1,[2,{"x":3}]],"metadata":{"name":"\\\\","uid":"1"}}', 7)).toBe(
    '{"data":[1,[2,{"x":3}]],"metadata":{"name":"\\\\","resourceVersion":"7","uid":"1"}}',
  );
});

test('there is no place without metadata, or where the member is there already', () => {
  expect(splice('{"kind":"A"}', 7)).toBeUndefined();
  expect(splice('{"metadata":"x"}', 7)).toBeUndefined();
  expect(splice('{"metadata":{"resourceVersion":"1","uid":"1"}}', 7)).toBeUndefined();
});
