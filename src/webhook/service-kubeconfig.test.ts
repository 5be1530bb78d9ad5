import { describe, expect, test } from 'vitest';
import { readServiceKubeconfig } from './service-kubeconfig.ts';

const kubeconfig = (cluster: object, user?: object, context: object = { cluster: 'c', user: 'u' }) =>
  JSON.stringify({
    'current-context': 'x',
    contexts: [
      { name: 'y', context: {} },
      { name: 'x', context },
    ],
    clusters: [{ name: 'c', cluster: { server: 'https://a/review', ...cluster } }],
    users: [{ name: 'u', user }],
  });
const read = (text: string) => readServiceKubeconfig(text, async (path) => `${path}'s content\n`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const bare = {
  url: 'https://a/review',
  caPem: undefined,
  certPem: undefined,
  keyPem: undefined,
  token: undefined,
  serverName: undefined,
};

describe('reads', () => {
  test.each<[string, string, object]>([
    ['the server of the current context', kubeconfig({}), {}],
    ['a context without a user', kubeconfig({}, {}, { cluster: 'c' }), {}],
    [
      'certificates, the data before the file',
      kubeconfig(
        { 'certificate-authority': 'ca', 'tls-server-name': 'b' },
        { 'client-certificate': 'no', 'client-certificate-data': base64('cert'), 'client-key': 'key' },
      ),
      { caPem: "ca's content\n", certPem: 'cert', keyPem: "key's content\n", serverName: 'b' },
    ],
    ['a token', kubeconfig({}, { token: 't', tokenFile: 'no' }), { token: 't' }],
    ['a token in a file', kubeconfig({}, { tokenFile: 'f' }), { token: "f's content" }],
  ])('%s', async (_, text, more) => expect(await read(text)).toEqual({ ...bare, ...more }));
});

describe('refuses', () => {
  test.each([
    ['7', 'its current context names no cluster that is there'],
    [kubeconfig({}, {}, { cluster: 'other' }), 'its current context names no cluster that is there'],
    [kubeconfig({ server: 'http://a' }), 'want a server of https'],
    [kubeconfig({ server: 'https://' }), 'want a server of https'],
    [
      kubeconfig({ 'insecure-skip-tls-verify': true }),
      'insecure-skip-tls-verify: want the authority of the server instead',
    ],
    [kubeconfig({}, { exec: {} }), 'exec: want a client certificate or a token'],
    [kubeconfig({}, { username: 'a' }), 'username: want a client certificate or a token'],
    [kubeconfig({}, { 'auth-provider': {} }), 'auth-provider: want a client certificate or a token'],
  ])('%s', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({ name: 'ServiceKubeconfigError', message });
  });
});
