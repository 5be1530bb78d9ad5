import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyPair, makeCertificates, makeClientPair } from '../../src/auth/index.ts';
import { RequestHeaderAuthenticator, TokenWebhook } from '../../src/authn/index.ts';
import { fingerprintsOf } from '../../src/cli/flags/authentication-flags.ts';
import { startServer } from '../../src/server.ts';
import { readServiceKubeconfig, ServiceClient } from '../../src/webhook/index.ts';
import { send } from './requests.ts';
import { ReviewServer } from './review-server.test-support.ts';

/** Others who say who a user is: a webhook that is asked, and a proxy in front. */

const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const noFiles = () => Promise.reject(new Error('no files'));

describe('a webhook for tokens', () => {
  let webhook: ReviewServer;
  let nowMs = 0;
  const ok = (user: object) => ({ status: { authenticated: true, user } });
  beforeAll(async () => {
    webhook = await ReviewServer.start(() => 500);
  });
  afterAll(() => webhook[Symbol.asyncDispose]());

  const serve = async () => {
    const service = await readServiceKubeconfig(webhook.kubeconfig, noFiles);
    const client = new ServiceClient(service, { timeoutMs: 30_000, retryMs: [1, 1] });
    const clock = { now: () => nowMs };
    const options = { client, clock, cacheMs: 120_000, audiences: ['here'] };
    return startServer({ listen: false, remoteAuthenticators: [new TokenWebhook(options)] });
  };

  test('is asked once for each token, with the credentials of the server', async () => {
    await using server = await serve();
    webhook.posted.length = 0;
    webhook.answer = () =>
      ok({ username: 'alice', uid: '7', groups: ['dev'], extra: { Scopes: ['a', 'b'] } });
    const call = () => send(server.as({ token: 'abc' }).fetch, 'POST', whoami, {});
    const { json } = await call();
    expect(json.status.userInfo).toEqual({
      username: 'alice',
      uid: '7',
      groups: ['dev', 'system:authenticated'],
      extra: { scopes: ['a', 'b'] },
    });
    await Promise.all([call(), call()]);
    expect(webhook.posted).toEqual([
      {
        authorization: 'Bearer of-the-server',
        body: {
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: { creationTimestamp: null },
          spec: { token: 'abc', audiences: ['here'] },
        },
      },
    ]);
    nowMs += 120_000;
    webhook.answer = () => ({ status: { authenticated: false, error: 'it was taken back' } });
    expect((await call()).status).toBe(401);
  });

  test('that fails is retried, and then authenticates no user', async () => {
    await using server = await serve();
    webhook.posted.length = 0;
    webhook.answer = () => 503;
    expect((await send(server.as({ token: 'xyz' }).fetch, 'POST', whoami, {})).status).toBe(401);
    expect(webhook.posted).toHaveLength(3);
    webhook.answer = () => ok({ username: 'bob' });
    expect((await send(server.as({ token: 'xyz' }).fetch, 'POST', whoami, {})).status).toBe(201);
  });

  test.each([
    ['{}', 'its current context names no cluster that is there'],
    [
      '{current-context: a, contexts: [{name: a, context: {cluster: a}}], clusters: [{name: a, cluster: {server: "http://x"}}]}',
      'want a server of https',
    ],
    [
      '{current-context: a, contexts: [{name: a, context: {cluster: a, user: u}}], clusters: [{name: a, cluster: {server: "https://x"}}], users: [{name: u, user: {exec: {}}}]}',
      'exec: want a client certificate or a token',
    ],
  ])('the kubeconfig %s is refused', async (text, message) => {
    await expect(readServiceKubeconfig(text, noFiles)).rejects.toThrow(message);
  });
});

describe('a proxy in front', () => {
  test('is believed by its own authority alone, and its certificate is of no user', async () => {
    const own = await makeCertificates(['127.0.0.1'], Date.now());
    const proxies = await makeCertificates(['x'], Date.now());
    const client = (authority: KeyPair, name: string, groups: string[] = []) =>
      makeClientPair(authority, { name, groups, nowMs: Date.now(), lifetimeMs: 3_600_000 });
    const [proxyCas, userCas] = [fingerprintsOf(proxies.ca.certPem), fingerprintsOf(own.ca.certPem)];
    const proxyOptions = {
      isTrusted: (chain: readonly string[]) => chain.some((one) => proxyCas.has(one)),
      allowedNames: ['front'],
      userHeaders: ['x-remote-user'],
      uidHeaders: ['x-remote-uid'],
      groupHeaders: ['x-remote-group'],
      extraPrefixes: ['x-remote-extra-'],
    };
    const clientCaPem = `${own.ca.certPem}\n${proxies.ca.certPem}`;
    await using server = await startServer({
      listen: { host: '127.0.0.1', port: 0, tls: { ...own, clientCaPem } },
      frontProxies: [new RequestHeaderAuthenticator(proxyOptions)],
      isUserChain: (chain) => chain.some((one) => userCas.has(one)),
    });
    const headers = {
      'X-Remote-User': 'alice',
      'X-Remote-Uid': '7',
      'X-Remote-Group': ['dev', 'ops, and more'],
      'X-Remote-Extra-Example.com%2fteam': 'blue',
    };
    const ask = (pair: KeyPair, sent: Record<string, string | string[]>) =>
      new Promise<{ code: number; user: unknown }>((resolve, reject) => {
        const options = {
          method: 'POST',
          ca: own.ca.certPem,
          cert: pair.certPem,
          key: pair.keyPem,
          agent: false,
          headers: { 'content-type': 'application/json', ...sent },
        } as const;
        const asked = request(`${server.url}${whoami}`, options, async (answer) => {
          let text = '';
          for await (const piece of answer.setEncoding('utf8')) text += piece;
          resolve({ code: answer.statusCode ?? 0, user: JSON.parse(text).status?.userInfo });
        });
        asked.on('error', reject).end('{}');
      });
    expect(await ask(await client(proxies.ca, 'front'), headers)).toEqual({
      code: 201,
      user: {
        username: 'alice',
        uid: '7',
        groups: ['dev', 'ops, and more', 'system:authenticated'],
        extra: { 'example.com/team': ['blue'] },
      },
    });
    // A proxy of another name, a proxy that names nobody, and a user who pretends to be a proxy.
    expect((await ask(await client(proxies.ca, 'back'), headers)).code).toBe(401);
    expect((await ask(await client(proxies.ca, 'front', ['system:masters']), {})).code).toBe(401);
    expect((await ask(await client(own.ca, 'bob'), headers)).user).toMatchObject({ username: 'bob' });
  });
});
