import { describe, expect, test } from 'vitest';
import { negotiate, type Offer, parseAccept } from './negotiate.ts';

const offer: Offer = {
  mediaTypes: ['json', 'yaml', 'protobuf', 'cbor'],
  transforms: ['Table', 'PartialObjectMetadataList'],
  metadataMediaTypes: ['json', 'yaml'],
};
const watch: Offer = { ...offer, stream: true };
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** `json`, `json as Table v1`, or the error message. */
function chosen(accept: string | undefined, from: Offer = offer): string {
  try {
    const { mediaType, transform, pretty } = negotiate(accept, from);
    const as = transform === undefined ? '' : ` as ${transform.as} ${transform.version}`;
    return `${mediaType}${as}${pretty ? ' pretty' : ''}`;
  } catch (error) {
    return (error as Error).message;
  }
}

const refusal =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor';

describe('of an Accept header, the first clause that can be satisfied', () => {
  test.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['*', 'json'],
    ['application/*', 'json'],
    ['text/*', refusal],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf, application/json', 'protobuf'],
    ['text/html, application/yaml', 'yaml'],
    ['application/json;pretty=1', 'json pretty'],
    ['application/json;pretty=0', 'json'],
    ['APPLICATION/JSON', refusal],
    ['application/json;sv=v1', 'json'],
    ['application/json;sv=v2', refusal],
    // Preferences
    ['application/json;q=0.5, application/yaml', 'yaml'],
    ['application/json;q=0.5, application/yaml;q=x', 'json'],
    ['*/*, application/yaml', 'yaml'],
    ['application/*, application/yaml', 'yaml'],
    // Transforms
    [table, 'json as Table v1'],
    [`${table.replace('v=v1;', 'v=v1beta1;')}`, 'json as Table v1beta1'],
    [`${table},application/json`, 'json as Table v1'],
    ['application/json;as=Table;v=v2;g=meta.k8s.io, application/yaml', 'yaml'],
    ['application/json;as=Table;v=v1;g=other', refusal],
    ['application/json;as=Table', refusal],
    ['application/json;as=Unknown;v=v1;g=meta.k8s.io', refusal],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json', 'json'],
    [
      'application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      'yaml as PartialObjectMetadataList v1',
    ],
    ['application/cbor;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', refusal],
    ['application/json;stream=watch', 'json'],
    ['application/json;stream=other', refusal],
    ['application/yaml;stream=watch', refusal],
  ])('%s: %s', (accept, expected) => expect(chosen(accept)).toBe(expected));

  test('the refusal of a watch lists streams', () => {
    expect(chosen('text/html', { ...watch, mediaTypes: ['json', 'cbor'] })).toBe(
      'only the following media types are accepted: application/json;stream=watch, application/cbor-seq',
    );
  });
});

test('ignores invalid clauses', () => {
  const types = (header: string) => parseAccept(header).map(({ type }) => type);
  expect(types('json, application/, a/b/c, */json,, application/json')).toEqual([
    'application/json',
    '*/json',
  ]);
});

test('sorts many clauses by quality, too', () => {
  const many = Array.from({ length: 20 }, (_, index) => `a/b${index};q=0.${index + 10}`);
  const sorted = parseAccept(many.join(',')).map(({ quality }) => quality);
  expect(sorted).toEqual(sorted.toSorted((a, b) => b - a));
});
