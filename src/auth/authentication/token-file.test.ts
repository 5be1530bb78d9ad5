import { expect, test } from 'vitest';
import { credentialsOf } from './credentials.test-support.ts';
import { parseTokenFile } from './token-file.ts';

const whoIs = (file: string, bearerToken: string) =>
  parseTokenFile(file).authenticate(credentialsOf({ bearerToken }));

test('a token names its user, uid and groups', () => {
  const file = '# people\nsecret1,alice,42,"dev,system:masters"\n\nsecret2,bob,\n';
  expect(whoIs(file, 'secret1')).toEqual({
    user: { name: 'alice', uid: '42', groups: ['dev', 'system:masters'] },
  });
  expect(whoIs(file, 'secret2')).toEqual({ user: { name: 'bob', groups: [] } });
});

test('an unknown token has no user, nor has a request without one', () => {
  expect(whoIs('secret1,alice,42', 'secret')).toBeUndefined();
  expect(whoIs('secret1,alice,42', '')).toBeUndefined();
});

test('the error names the invalid line', () => {
  expect(() => parseTokenFile('a,b,c\nsecret,alice')).toThrow(
    'line 2: a token needs at least three fields: token, user, uid',
  );
  expect(() => parseTokenFile(',alice,1')).toThrow('line 1: token and user must not be empty');
});
