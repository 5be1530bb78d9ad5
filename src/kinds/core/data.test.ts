import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { created, createErrors, updated } from '../strategy/check-kind.test-support.ts';
import { configMapKind } from './config-map.ts';
import { secretKind } from './secret.ts';

describe('a ConfigMap', () => {
  test('has keys of one kind, each once', () => {
    expect(createErrors(configMapKind, { data: { 'a/b': '', x: '' }, binaryData: { x: '' } })).toEqual([
      expect.stringMatching(/^data\[a\/b\]: Invalid value: "a\/b": a valid config key must consist of/),
      'data[x]: Invalid value: "x": duplicate of key present in binaryData',
    ]);
  });

  test('holds a mebibyte', () => {
    const text = (bytes: number) => ({ data: { a: 'x'.repeat(bytes) } });
    expect(createErrors(configMapKind, text(1_048_576))).toEqual([]);
    expect(createErrors(configMapKind, text(1_048_577))).toEqual([
      ': Too long: may not be more than 1048576 bytes',
    ]);
  });

  test.each<[JsonObject, string]>([
    [{ immutable: true, data: { a: '2' } }, 'data'],
    [{ data: { a: '1' } }, 'immutable'],
    [{ immutable: true, data: { a: '1' }, binaryData: { b: '' } }, 'binaryData'],
  ])('that is immutable does not become %j', (object, field) => {
    expect(updated(configMapKind, { immutable: true, data: { a: '1' } }, object)).toEqual([
      `${field}: Forbidden: field is immutable when \`immutable\` is set`,
    ]);
  });
});

describe('a Secret', () => {
  test('takes stringData into its data', () => {
    expect(created(secretKind, { stringData: { a: 'b' }, data: { a: 'eA==', c: 'eA==' } })).toMatchObject({
      data: { a: 'Yg==', c: 'eA==' },
    });
    expect(created(secretKind, { stringData: { a: 'b' } })).not.toHaveProperty('stringData');
  });

  const json = Buffer.from('{}').toString('base64');
  test.each<[type: string, data: JsonObject, errors: string[]]>([
    ['anything', {}, []],
    [
      'kubernetes.io/service-account-token',
      {},
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
    ['kubernetes.io/dockercfg', {}, ['data[.dockercfg]: Required value']],
    ['kubernetes.io/dockercfg', { '.dockercfg': json }, []],
    [
      'kubernetes.io/dockerconfigjson',
      { '.dockerconfigjson': 'eA==' },
      [expect.stringMatching(/^data\[\.dockerconfigjson\]: Invalid value: "<secret contents redacted>": /)],
    ],
    ['kubernetes.io/basic-auth', {}, ['data[username]: Required value', 'data[password]: Required value']],
    ['kubernetes.io/basic-auth', { username: 'eA==' }, []],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey]: Required value']],
    ['kubernetes.io/tls', { 'tls.crt': 'eA==' }, ['data[tls.key]: Required value']],
  ])('of type %s with %j', (type, data, errors) => {
    expect(createErrors(secretKind, { type, data })).toEqual(errors);
  });
});
