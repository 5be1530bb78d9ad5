import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { swaggerProtobuf } from './swagger-protobuf.ts';

const head = { swagger: '2.0', info: { title: 'T', version: 'v1' } };

const paths: JsonObject = {
  '/a/{name}': {
    get: {
      operationId: 'readA',
      tags: ['a'],
      parameters: [{ $ref: '#/parameters/pretty' }],
      responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/A' } } },
      'x-kubernetes-action': 'get',
    },
    put: {
      parameters: [{ name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/A' } }],
      responses: { 401: { description: 'Unauthorized' } },
    },
    parameters: [{ name: 'name', in: 'path', required: true, type: 'string', uniqueItems: true }],
  },
};

const definitions: JsonObject = {
  A: {
    type: 'object',
    required: ['n'],
    properties: {
      n: { type: 'number', maximum: 1.5, exclusiveMaximum: true, enum: [1, 'a', null] },
      closed: { type: 'object', additionalProperties: false },
      map: { type: 'object', additionalProperties: { type: 'string', maxLength: 300 } },
      list: { type: 'array', items: { type: 'string', format: 'byte' }, externalDocs: { url: 'u' } },
    },
    'x-kubernetes-group-version-kind': [{ group: 'g', kind: 'A', version: 'v1' }],
  },
};

const parameters: JsonObject = { pretty: { name: 'pretty', in: 'query', type: 'string', uniqueItems: true } };

function encoded(section: 'paths' | 'definitions' | 'parameters', entries: JsonObject): string {
  return Buffer.from(swaggerProtobuf.encode(section, entries)).toString('hex');
}

/** gnostic encoded these bytes from the documents above. */
describe('a document in protobuf', () => {
  test('equals the encoding of gnostic', () => {
    const parts = {
      paths: [swaggerProtobuf.encode('paths', paths)],
      definitions: [swaggerProtobuf.encode('definitions', definitions)],
      parameters: [swaggerProtobuf.encode('parameters', parameters)],
    };
    const bytes = Buffer.concat(swaggerProtobuf.assemble(head, parts));
    expect(bytes.toString('hex').match(/.{1,80}/g)).toMatchInlineSnapshot(`
      [
        "0a03322e3012070a01541202763142e00112dd010a092f612f7b6e616d657d12cf0112682a057265",
        "6164410a0161421712150a13232f706172616d65746572732f7072657474794a240a220a03323030",
        "121b0a190a024f4b12130a110a0f232f646566696e6974696f6e732f416a1d0a13782d6b75626572",
        "6e657465732d616374696f6e120612046765740a1a4242250a230a211204626f64791a04626f6479",
        "20012a110a0f232f646566696e6974696f6e732f414a190a170a0334303112100a0e0a0c556e6175",
        "74686f72697a65644a1f0a1d121b221922046e616d6512047061746808012a06737472696e679801",
        "014a8f020a8c020a0141128602b201080a066f626a6563749a01016eca01a8010a330a016e122eb2",
        "01080a066e756d62657239000000000000f83f4001a201041202310aa201041202610aa201071205",
        "6e756c6c0a0a1a0a06636c6f7365641210b201080a066f626a656374aa010210000a250a036d6170",
        "121eb201080a066f626a656374aa01100a0eb201080a06737472696e6758ac020a2e0a046c697374",
        "1226b201070a056172726179ba01130a11b201080a06737472696e67120462797465ea0103120175",
        "fa01480a1f782d6b756265726e657465732d67726f75702d76657273696f6e2d6b696e6412251223",
        "2d2067726f75703a20670a20206b696e643a20410a202076657273696f6e3a2076310a522a0a280a",
        "06707265747479121e121c1a1a2206707265747479120571756572793206737472696e67a00101",
      ]
    `);
  });

  test('is assembled from parts', () => {
    const part = (text: string) => Buffer.from(text, 'hex');
    const pieces = swaggerProtobuf.assemble(
      {},
      {
        paths: [part('aa'), part('bbcc')],
        definitions: [],
        parameters: [part('dd')],
      },
    );
    expect(Buffer.concat(pieces).toString('hex')).toBe('4203aabbcc' + '4a00' + '5201dd');
  });

  test.each<[string, JsonObject, string]>([
    ['text', { 'x-a': 'b' }, 'b\n'],
    ['lists in blocks', { 'x-a': [{ fieldPath: 'spec.color' }] }, '- fieldPath: spec.color\n'],
    ['19 digits', { 'x-a': 1234567890123456789n }, '1234567890123456789\n'],
    ['half a surrogate', { 'x-a': 'a\ud800' }, 'a\ufffd\n'],
    ['a backslash before what looks like one', { 'x-a': '\\ud800' }, '\\ud800\n'],
    ['what YAML forbids', { 'x-a': '\u007f\u0080\u2028\ufeff' }, '"\\x7F\\x80\\L\\uFEFF"\n'],
  ])('extensions are YAML: %s', (_, schema, yaml) => {
    const text = Buffer.from(yaml).toString('hex');
    expect(encoded('definitions', { A: schema })).toContain(text);
  });

  test('lone surrogates become valid UTF-8', () => {
    expect(encoded('definitions', { A: { description: 'a\ud800b' } })).toContain('61efbfbd62');
  });

  test('omits values of the wrong type', () => {
    const wrong = { maximum: 'x', required: 'a', description: 1, uniqueItems: 'yes', items: [] };
    expect(encoded('definitions', { A: wrong })).toBe(encoded('definitions', { A: {} }));
  });
});
