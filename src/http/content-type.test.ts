import { describe, expect, test } from 'vitest';
import { bodyFormat, patchFormat } from './content-type.ts';

const all = { protobuf: true, cbor: true };

describe('a body', () => {
  test.each([
    [undefined, all, 'json'],
    ['', all, 'json'],
    ['Application/JSON; charset=utf-8', all, 'json'],
    ['application/yaml', { protobuf: false }, 'yaml'],
    ['application/vnd.kubernetes.protobuf', all, 'protobuf'],
    ['application/cbor', all, 'cbor'],
  ])('%s', (type, accepted, format) => expect(bodyFormat(type, accepted)).toBe(format));

  const accepted = 'the body of the request was in an unknown format - accepted media types include: ';
  test.each([
    [
      'text/plain',
      all,
      'application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor',
    ],
    ['application/vnd.kubernetes.protobuf', { protobuf: false }, 'application/json, application/yaml'],
    [
      'text/plain',
      { protobuf: false },
      'application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      'application/cbor',
      { protobuf: true },
      'application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
  ])('%s of %j is refused', (type, offered, names) => {
    expect(() => bodyFormat(type, offered)).toThrow(`${accepted}${names}`);
  });
});

describe('a patch', () => {
  const types = ['json', 'merge', 'apply'] as const;
  test.each([
    ['application/json-patch+json', 'json', false],
    ['application/merge-patch+json; charset=utf-8', 'merge', false],
    ['application/apply-patch+yaml', 'apply', false],
    ['application/apply-patch+cbor', 'apply', true],
  ])('%s', (contentType, type, isCbor) => {
    expect(patchFormat(contentType, { types, cbor: true })).toEqual({ type, isCbor });
  });

  const names = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
  test.each([
    [undefined, false, names],
    ['application/json', false, names],
    ['application/strategic-merge-patch+json', false, names],
    ['application/apply-patch+cbor', false, names],
    ['application/json', true, `${names}, application/apply-patch+cbor`],
  ])('%s is refused (CBOR: %s)', (contentType, cbor, accepted) => {
    expect(() => patchFormat(contentType, { types, cbor })).toThrow(
      expect.objectContaining({
        code: 415,
        message: `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
      }),
    );
  });
});
