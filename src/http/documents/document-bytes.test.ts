import { describe, expect, test } from 'vitest';
import { documentBytes } from './document-bytes.ts';
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

  test('puts a document together from parts', () => {
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
