import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../meta/index.ts';
import { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1, encodeFieldsV1InSteps, ownFieldsV1 } from './fields-v1.ts';
import { FieldsFormatError } from './path-element.ts';

const read = (text: string) => decodeFieldsV1(JSON.parse(text));
const write = (set: FieldSet) => JSON.stringify(encodeFieldsV1(set));

describe('FieldsV1', () => {
  test('marks with a dot what is owned and has something below', () => {
    const set = FieldSet.of(['f:spec'], ['f:spec', 'f:a'], ['f:spec', 'f:b', 'f:c']);
    expect(write(set)).toBe('{"f:spec":{".":{},"f:a":{},"f:b":{"f:c":{}}}}');
    expect(write(FieldSet.empty)).toBe('{}');
  });

  test('writes keys bytewise on the wire, in the order of the set otherwise', () => {
    const set = FieldSet.of(['v:"x"'], ['k:{"port":9}'], ['k:{"port":10}'], ['i:1'], ['f:z']);
    expect(write(set)).toBe(
      String.raw`{"f:z":{},"i:1":{},"k:{\"port\":10}":{},"k:{\"port\":9}":{},"v:\"x\"":{}}`,
    );
    expect(JSON.stringify(encodeFieldsV1(set, 'fieldpath'))).toBe(
      String.raw`{"f:z":{},"k:{\"port\":9}":{},"k:{\"port\":10}":{},"v:\"x\"":{},"i:1":{}}`,
    );
  });

  test.each([
    String.raw`{"f:aaa":{"k:{\"name\":\"second\"}":{"v:3":{"f:aab":{}}},"v:3":{},"v:true":{}}}`,
    String.raw`{"f:spec":{".":{},"f:apps":{".":{},"k:{\"name\":\" app-💻\"}":{".":{},"f:name":{}}}}}`,
    '{"f:__proto__":{"f:constructor":{}},"f:toString":{}}',
    String.raw`{"f:a":{"k:{\"__proto__\":\"__proto__\"}":{},"v:\"__proto__\"":{}}}`,
    '{"f:a\\nf:b":{},"f:c":{"f:a":{},"f:b":{}},"f:d":{"f:a\\nf:b":{}}}',
  ])('reads and writes %s', (text) => {
    expect(write(read(text))).toBe(text);
    // Encoded from the set alone, not taken from the document it was read from.
    const copy = FieldSet.of(...read(text).paths());
    expect(write(copy)).toBe(text);
    // A document that this module wrote decodes to the same set.
    const own = ownFieldsV1(JSON.parse(text));
    expect(own.paths()).toEqual(read(text).paths());
    expect(own.equals(read(text))).toBe(true);
    expect(write(own)).toBe(text);
  });

  test('reads any order and spacing and writes the one form', () => {
    const loose = String.raw`{"v: 3":{},"k:{ \"protocol\":\"udp\",\"port\":443}":{"f:b":{},".":{}},"f:b":{".":{}},"f:a":{}}`;
    expect(write(read(loose))).toBe(
      String.raw`{"f:a":{},"f:b":{},"k:{\"port\":443,\"protocol\":\"udp\"}":{".":{},"f:b":{}},"v:3":{}}`,
    );
  });

  test('joins keys that mean the same step', () => {
    expect(write(read('{"v:1":{"f:a":{}},"v: 1":{"f:b":{}}}'))).toBe('{"v:1":{"f:a":{},"f:b":{}}}');
  });

  test('drops steps of an unknown kind with all below them', () => {
    expect(write(read('{"r:x":{"f:a":{}},"f:b":{"r:y":{}}}'))).toBe('{"f:b":{}}');
  });

  test('shares the documents of what did not change', () => {
    const document = JSON.parse('{"f:a":{"f:x":{},"f:y":{}},"f:b":{"f:z":{}}}');
    const changed = encodeFieldsV1(decodeFieldsV1(document).difference(FieldSet.of(['f:b', 'f:z'])));
    expect(changed).toEqual({ 'f:a': { 'f:x': {}, 'f:y': {} } });
    expect(changed['f:a']).toBe(document['f:a']);
  });

  test('says what is wrong with a document that was not written here after all when it is looked into', () => {
    const own = ownFieldsV1({ 'f:a': { 'f:b': 1 }, 'f:c': {} });
    expect(own.has(['f:c'])).toBe(true);
    expect(() => own.paths()).toThrow(new FieldsFormatError('every value in fieldsV1 must be an object'));
  });

  test.each<[JsonValue, string]>([
    ['', 'fieldsV1 must be an object'],
    [[], 'fieldsV1 must be an object'],
    [5, 'fieldsV1 must be an object'],
    [null, 'fieldsV1 must be an object'],
    [{ 'f:a': 1 }, 'every value in fieldsV1 must be an object'],
    [{ 'f:a': [] }, 'every value in fieldsV1 must be an object'],
    [{ 'f:a': { 'f:b': null } }, 'every value in fieldsV1 must be an object'],
    [{ 'f:a': { x: {} } }, 'key must be 2 characters long:'],
    [{ 'f:a': { foo: {} } }, 'missing colon: foo'],
  ])('refuses %j', (document, message) => {
    expect(() => decodeFieldsV1(document)).toThrow(new FieldsFormatError(message));
  });
});

test('the owners of a long set are written in steps, in the order of bytes', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => `v:${index}`);
  const set = FieldSet.node(false, new Map(['f:spec', ...items].map((item) => [item, FieldSet.leaf])));
  const steps = encodeFieldsV1InSteps(set);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(count).toBeGreaterThanOrEqual(38);
  const expected = ['f:spec', ...items.sort()];
  expect(JSON.stringify(step.value)).toBe(`{${expected.map((key) => `"${key}":{}`).join(',')}}`);
});
