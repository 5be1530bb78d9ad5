import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../meta/index.ts';
import { applyJsonPatch, parseJsonPatch } from './json-patch.ts';

const parse = (text: string): JsonValue => JSON.parse(text);
const patch = (document: string, operations: string) =>
  JSON.stringify(applyJsonPatch(parse(document), parseJsonPatch(parse(operations))));

describe('operations', () => {
  test.each([
    ['add a member', '{"a":1}', '[{"op":"add","path":"/b","value":2}]', '{"a":1,"b":2}'],
    ['add into a list', '{"a":[1,3]}', '[{"op":"add","path":"/a/1","value":2}]', '{"a":[1,2,3]}'],
    ['append to a list', '{"a":[1]}', '[{"op":"add","path":"/a/-","value":2}]', '{"a":[1,2]}'],
    ['replace the whole', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
    ['remove', '{"a":1,"b":2}', '[{"op":"remove","path":"/a"}]', '{"b":2}'],
    ['remove from a list', '{"a":[1,2]}', '[{"op":"remove","path":"/a/0"}]', '{"a":[2]}'],
    ['replace', '{"a":1}', '[{"op":"replace","path":"/a","value":null}]', '{"a":null}'],
    ['move', '{"a":{"b":1}}', '[{"op":"move","from":"/a/b","path":"/c"}]', '{"a":{},"c":1}'],
    ['copy', '{"a":{"b":1}}', '[{"op":"copy","from":"/a","path":"/c"}]', '{"a":{"b":1},"c":{"b":1}}'],
    ['test that holds', '{"a":{"b":1}}', '[{"op":"test","path":"/a","value":{"b":1}}]', '{"a":{"b":1}}'],
    ['escapes', '{"a/b":1,"c~d":2}', '[{"op":"remove","path":"/a~1b"},{"op":"remove","path":"/c~0d"}]', '{}'],
    ['hostile keys', '{}', '[{"op":"add","path":"/__proto__","value":{"x":1}}]', '{"__proto__":{"x":1}}'],
  ])('%s', (_, document, operations, expected) => {
    expect(patch(document, operations)).toBe(expected);
  });
});

describe('refusals', () => {
  test.each([
    ['a failing test', '[{"op":"test","path":"/a","value":2}]', 'testing value /a failed'],
    ['a missing member', '[{"op":"remove","path":"/x"}]', 'path not found: /x'],
    ['an index beyond the end', '[{"op":"add","path":"/l/5","value":1}]', 'path not found: /l/5'],
    ['an index with a leading zero', '[{"op":"replace","path":"/l/00","value":1}]', 'path not found: /l/00'],
    ['an inherited member', '[{"op":"remove","path":"/toString"}]', 'path not found: /toString'],
    ['a move into itself', '[{"op":"move","from":"/o","path":"/o/x"}]', 'cannot move into itself'],
    ['an unknown operation', '[{"op":"grow","path":"/a"}]', 'unexpected kind of operation: "grow"'],
  ])('%s', (_, operations, message) => {
    expect(() => patch('{"a":1,"l":[1],"o":{}}', operations)).toThrow(message);
  });

  test('a patch that is no list, and one that is too long', () => {
    expect(() => parseJsonPatch({})).toThrow(
      'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '' }));
    expect(() => parseJsonPatch(many)).toThrow(
      'The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });

  test('unknown members are named for strict clients', () => {
    expect(parseJsonPatch([{ op: 'remove', path: '/a', foo: 1 }]).strictErrors).toEqual([
      'json patch unknown field "[0].foo"',
    ]);
  });

  test('a patch that fails half-way changes nothing', () => {
    const document = { a: 1 };
    const operations = parseJsonPatch([
      { op: 'add', path: '/b', value: 2 },
      { op: 'test', path: '/a', value: 9 },
    ]);
    expect(() => applyJsonPatch(document, operations)).toThrow();
    expect(document).toEqual({ a: 1 });
  });

  test('copies that double the document are stopped', () => {
    const doubling = Array.from({ length: 40 }, (_, step) => ({ op: 'copy', from: '', path: `/x${step}` }));
    expect(() => applyJsonPatch({ a: 'x'.repeat(100) }, parseJsonPatch(doubling))).toThrow(
      'copies grow without bound',
    );
  });
});
