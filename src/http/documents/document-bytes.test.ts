import { describe, expect, test } from 'vitest';
import { atOnce } from '../../meta/index.ts';
import { documentBytes, documentPieces } from './document-bytes.ts';
import { swaggerJson } from './swagger-json.ts';

describe('documentBytes', () => {
  test.each([
    ['keeps the order', { b: 1, a: ['<x>'] }, '{"b":1,"a":["<x>"]}'],
    ['keeps 19 digits', { b: 1, a: 9223372036854775807n }, '{"a":9223372036854775807,"b":1}'],
    ['writes UTF-8', { a: 'ä' }, '{"a":"ä"}'],
  ])('%s', (_, document, text) => {
    expect(documentBytes(document).toString()).toBe(text);
  });
});

describe('swaggerJson', () => {
  const encode = (entries: Record<string, number>) => swaggerJson.encode('paths', entries);

  test('assembles a document from parts', () => {
    const pieces = swaggerJson.assemble(
      { swagger: '2.0' },
      {
        paths: [encode({}), encode({ a: 1 }), encode({}), encode({ b: 2, c: 3 })],
        definitions: [],
        parameters: [],
      },
    );
    expect(Buffer.concat(pieces).toString()).toBe(
      '{"swagger":"2.0","paths":{"a":1,"b":2,"c":3},"definitions":{},"parameters":{}}',
    );
  });
});

describe('documentPieces', () => {
  test.each([
    {},
    { paths: {}, b: [], a: null },
    {
      paths: { '/b': { get: { '"': 1 } }, '/a': {} },
      components: { schemas: { B: { type: 'object' }, A: [] } },
    },
  ])('are what documentBytes gives: %j', (document) => {
    expect(Buffer.concat(atOnce(documentPieces(document)))).toEqual(documentBytes(document));
  });

  test('have the chunk size, with a pause after each', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`S${index}`, { description: 'x'.repeat(1_000) }]),
    );
    const steps = documentPieces({ components: { schemas } });
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBe(3);
    expect(step.value.map(({ length }) => Math.round(length / 2 ** 17))).toEqual([1, 1, 1, 1]);
  });
});
