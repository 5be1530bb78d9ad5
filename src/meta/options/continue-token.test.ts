import { describe, expect, test } from 'vitest';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import { StatusError } from '../refusal/status.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64url');

function refusal(token: string) {
  try {
    decodeContinueToken(token);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('a continue token', () => {
  test('is upstream’s, byte for byte', () => {
    const token = encodeContinueToken({ revision: 7, startKey: 'ns/a\0' });
    expect(token).toBe('eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Nywic3RhcnQiOiJucy9hXHUwMDAwIn0');
    expect(Buffer.from(token, 'base64url').toString()).toBe(
      '{"v":"meta.k8s.io/v1","rv":7,"start":"ns/a\\u0000"}',
    );
  });

  test.each([
    { revision: 7, startKey: 'ns/a\0' },
    { revision: -1, startKey: 'ünï\0' },
    { revision: 1, startKey: '__proto__\0' },
  ])('comes back as it went: %j', (token) =>
    expect(decodeContinueToken(encodeContinueToken(token))).toEqual(token),
  );

  test('a leading slash is not part of the key', () => {
    expect(decodeContinueToken(base64('{"v":"meta.k8s.io/v1","rv":1,"start":"/a"}'))).toEqual({
      revision: 1,
      startKey: 'a',
    });
  });
});

describe('a continue token that is refused', () => {
  const token = (fields: object) =>
    base64(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: 'a', ...fields }));

  test.each([
    ['', ': unexpected end of JSON input'],
    ['x', ': illegal base64 data at input byte 0'],
    ['a==', ': illegal base64 data at input byte 1'],
    ['aaaaaaaaaa!aaaaa', ': illegal base64 data at input byte 10'],
    ['aaaa\na', ': illegal base64 data at input byte 5'],
    [base64('abc'), ": invalid character 'a' looking for beginning of value"],
    [base64('\0'), ": invalid character '\\x00' looking for beginning of value"],
    [base64("'"), ": invalid character '\\'' looking for beginning of value"],
    ['xx', ": invalid character 'Ç' looking for beginning of value"],
    [base64('{"v"'), ': unexpected end of JSON input'],
    [base64('[]'), ': json: cannot unmarshal array into Go value of type storage.continueToken'],
    [base64('null'), ': server does not recognize this encoded version '],
    [token({ v: 'v2' }), ': server does not recognize this encoded version v2'],
    [token({ v: 1 }), ': json: cannot unmarshal number into Go struct field continueToken.v of type string'],
    [
      token({ rv: '1' }),
      ': json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [
      token({ rv: 1.5 }),
      ': json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ],
    [token({ rv: 0 }), ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [token({ start: '' }), ': encoded start key empty (version meta.k8s.io/v1)'],
    [token({ start: '../secrets' }), ': ../secrets'],
    [token({ start: 'a/../b' }), ': a/../b'],
    [token({ start: 'a//b' }), ': a//b'],
    [token({ start: 'a/' }), ': a/'],
    [token({ start: './a' }), ': ./a'],
  ])('%s', (text, why) =>
    expect(refusal(text)).toBe(`400 invalid continue token: continue key is not valid${why}`),
  );
});
