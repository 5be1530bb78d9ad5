import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passingKeys } from '../../src/auth/index.ts';
import { limits } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';
import { binding, get, send } from './requests.ts';

/** Service accounts and their tokens. Source: kubernetes, pkg/serviceaccount and pkg/registry/core/serviceaccount. */

const core = '/api/v1/namespaces';
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const issuer = 'https://kubernetes.default.svc.cluster.local';

let server: IlkServer;
let nowMs = Date.now();
beforeAll(async () => {
  server = await startServer({
    serviceAccounts: { defaultAccounts: true, maxExpirationSeconds: 86_400 },
    clock: { now: () => nowMs },
  });
  await send(server.fetch, 'POST', core, { metadata: { name: 'apps' } });
});
afterAll(() => server.close());

async function makeAccount(name: string): Promise<string> {
  const { json } = await send(server.fetch, 'POST', `${core}/apps/serviceaccounts`, { metadata: { name } });
  return json.metadata.uid;
}

const ask = (name: string, spec: object = {}, more: object = {}) =>
  send(server.fetch, 'POST', `${core}/apps/serviceaccounts/${name}/token`, { spec, ...more });

async function tokenOf(name: string, spec: object = {}): Promise<string> {
  const { status, json } = await ask(name, spec);
  expect([status, json.message]).toEqual([201, undefined]);
  return json.status.token;
}

async function whoIs(token: string) {
  const { status, json } = await send(server.as({ token }).fetch, 'POST', whoami, {});
  return status === 201 ? json.status.userInfo : status;
}

const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const remove = (path: string) => send(server.fetch, 'DELETE', path);

describe('the account default', () => {
  const defaultIn = async (namespace: string) =>
    (await get(server.fetch, `${core}/${namespace}/serviceaccounts/default`)).status;

  test('is in each namespace, comes back when it is deleted, and goes with its namespace', async () => {
    for (const namespace of ['default', 'kube-system', 'apps'])
      await expect.poll(() => defaultIn(namespace)).toBe(200);
    const account = `${core}/apps/serviceaccounts/default`;
    const { uid } = (await get(server.fetch, account)).json.metadata;
    await remove(account);
    await expect.poll(async () => (await get(server.fetch, account)).json.metadata?.uid ?? uid).not.toBe(uid);
    await send(server.fetch, 'POST', core, { metadata: { name: 'passing' } });
    await expect.poll(() => defaultIn('passing')).toBe(200);
    await remove(`${core}/passing`);
    await expect.poll(async () => (await get(server.fetch, `${core}/passing`)).status).toBe(404);
    expect(await defaultIn('passing')).toBe(404);
  });

  test('is not made by a server that was not asked to', async () => {
    await using plain = await startServer({ listen: false });
    expect((await get(plain.fetch, '/api/v1/serviceaccounts')).json.items).toEqual([]);
  });
});

describe('a TokenRequest', () => {
  test('makes a token that says who, for whom, and how long', async () => {
    const uid = await makeAccount('robot');
    const { status, json } = await ask('robot', { audiences: ['vault'], expirationSeconds: 600 });
    const token = json.status.token;
    expect({ status, json }).toEqual({
      status: 201,
      json: {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { name: 'robot', namespace: 'apps', uid, creationTimestamp: expect.any(String) },
        spec: { audiences: ['vault'], expirationSeconds: 600 },
        status: { token, expirationTimestamp: expect.any(String) },
      },
    });
    const payload = payloadOf(token);
    expect(payload).toEqual({
      aud: ['vault'],
      exp: payload.iat + 600,
      iat: expect.any(Number),
      iss: issuer,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'kubernetes.io': { namespace: 'apps', serviceaccount: { name: 'robot', uid } },
      nbf: payload.iat,
      sub: 'system:serviceaccount:apps:robot',
    });
  });

  test('passes admission as a create at serviceaccounts/token: policies see it completed, and may refuse it', async () => {
    await makeAccount('limited');
    const group = '/apis/admissionregistration.k8s.io/v1';
    const name = 'short-tokens';
    const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'] };
    const spec = {
      matchConstraints: { resourceRules: [{ ...rule, resources: ['serviceaccounts/token'] }] },
      matchConditions: [{ name: 'limited', expression: 'request.name == "limited"' }],
      validations: [
        {
          expression: 'object.spec.expirationSeconds <= 1800',
          messageExpression:
            '"token of " + object.metadata.name + " for " + object.spec.audiences[0] + " is too long"',
        },
      ],
    };
    const bound = { policyName: name, validationActions: ['Deny'] };
    await send(server.fetch, 'POST', `${group}/validatingadmissionpolicies`, { metadata: { name }, spec });
    await send(server.fetch, 'POST', `${group}/validatingadmissionpolicybindings`, {
      metadata: { name },
      spec: bound,
    });
    const { status, message } = await ask('limited');
    expect({ status, message }).toEqual({
      status: 422,
      message: `serviceaccounts "limited" is forbidden: ValidatingAdmissionPolicy 'short-tokens' with binding 'short-tokens' denied request: token of limited for ${issuer} is too long`,
    });
    expect((await ask('limited', { expirationSeconds: 1200 })).status).toBe(201);
    for (const kind of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'])
      await remove(`${group}/${kind}/${name}`);
  });

  test('is what mutating policies make of it', async () => {
    await makeAccount('changed');
    const group = '/apis/admissionregistration.k8s.io/v1';
    const name = 'audience';
    const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'] };
    const expression = '[JSONPatch{op: "add", path: "/spec/audiences", value: ["vault"]}]';
    const spec = {
      matchConstraints: { resourceRules: [{ ...rule, resources: ['serviceaccounts/token'] }] },
      matchConditions: [{ name: 'changed', expression: 'request.name == "changed"' }],
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
    };
    await send(server.fetch, 'POST', `${group}/mutatingadmissionpolicies`, { metadata: { name }, spec });
    const bound = { metadata: { name }, spec: { policyName: name } };
    await send(server.fetch, 'POST', `${group}/mutatingadmissionpolicybindings`, bound);
    expect(payloadOf(await tokenOf('changed')).aud).toEqual(['vault']);
    for (const kind of ['mutatingadmissionpolicybindings', 'mutatingadmissionpolicies'])
      await remove(`${group}/${kind}/${name}`);
  });

  test('is valid for an hour for this server by default; a longer lifetime is cut, with a warning', async () => {
    await makeAccount('plain');
    const { json } = await ask('plain');
    expect(json.spec).toEqual({ audiences: [issuer], expirationSeconds: 3600 });
    const path = `${core}/apps/serviceaccounts/plain/token`;
    const long = await server.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ spec: { expirationSeconds: 100_000 } }),
    });
    expect(long.headers.get('warning')).toBe(
      '299 - "requested expiration of 100000 seconds shortened to 86400 seconds"',
    );
  });

  test.each<[string, object, object, number, string]>([
    [
      'a life that is too short',
      { expirationSeconds: 599 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      'a life without end',
      { expirationSeconds: 2 ** 33 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds',
    ],
    [
      'another name',
      {},
      { metadata: { name: 'other' } },
      422,
      'TokenRequest.authentication.k8s.io "strict" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    ],
    [
      'something that tokens are not bound to',
      { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } },
      {},
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
    [
      'a Secret that is not there',
      { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'x' } },
      {},
      404,
      'secrets "x" not found',
    ],
    [
      'the Secret that was there before',
      { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound', uid: 'old' } },
      {},
      409,
      'Operation cannot be fulfilled on Secret "bound": the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      'the pod of another account',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'runner' } },
      {},
      400,
      'cannot bind token for serviceaccount "strict" to pod running with different serviceaccount name.',
    ],
  ])('%s is refused', async (_, spec, more, code, message) => {
    await makeAccount('strict');
    await send(server.fetch, 'POST', `${core}/apps/secrets`, { metadata: { name: 'bound' } });
    await send(server.fetch, 'POST', `${core}/apps/pods`, pod('runner', 'robot'));
    const answer = await ask('strict', spec, more);
    expect([answer.status, answer.message]).toEqual([code, message]);
  });

  test('for an account that is not there, or by another method', async () => {
    const answer = await ask('nobody');
    expect([answer.status, answer.message]).toEqual([404, 'serviceaccounts "nobody" not found']);
    expect((await get(server.fetch, `${core}/apps/serviceaccounts/robot/token`)).status).toBe(405);
  });

  test('needs the right to create serviceaccounts/token', async () => {
    await makeAccount('guarded');
    const path = `${core}/apps/serviceaccounts/guarded/token`;
    const answer = await send(server.as({ name: 'eve' }).fetch, 'POST', path, {});
    expect([answer.status, answer.message]).toEqual([
      403,
      'serviceaccounts "guarded" is forbidden: User "eve" cannot create resource "serviceaccounts/token" in API group "" in the namespace "apps"',
    ]);
  });

  test('stands in discovery', async () => {
    const { json } = await get(server.fetch, '/api/v1');
    expect(json.resources.find(({ name }: { name: string }) => name === 'serviceaccounts/token')).toEqual({
      name: 'serviceaccounts/token',
      singularName: '',
      namespaced: true,
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    });
  });
});

const pod = (name: string, serviceAccountName: string, nodeName?: string) => ({
  metadata: { name },
  spec: { serviceAccountName, nodeName, containers: [{ name: 'main', image: 'x' }] },
});

describe('a token', () => {
  test('is its account, with groups and extra, and has the rights that are bound to it', async () => {
    const uid = await makeAccount('reader');
    const token = await tokenOf('reader');
    expect(await whoIs(token)).toEqual({
      username: 'system:serviceaccount:apps:reader',
      uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:apps', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${payloadOf(token).jti}`] },
    });
    const maps = `${core}/apps/configmaps`;
    expect((await get(server.as({ token }).fetch, maps)).status).toBe(403);
    const bound = binding('reader', 'ClusterRole/view', { kind: 'ServiceAccount', name: 'reader' });
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/apps/rolebindings';
    await send(server.fetch, 'POST', path, bound);
    expect((await get(server.as({ token }).fetch, maps)).status).toBe(200);
  });

  test('counts no longer when its account is deleted, nor for one of the same name; its watches end', async () => {
    await makeAccount('leaver');
    const token = await tokenOf('leaver');
    const bound = binding('leaver', 'ClusterRole/view', { kind: 'ServiceAccount', name: 'leaver' });
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/apps/rolebindings';
    await send(server.fetch, 'POST', path, bound);
    const watch = await server.as({ token }).fetch(`${core}/apps/configmaps?watch=true`);
    expect(watch.status).toBe(200);
    await remove(`${core}/apps/serviceaccounts/leaver`);
    await expect.poll(() => whoIs(token)).toBe(401);
    await watch.text();
    await makeAccount('leaver');
    expect(await whoIs(token)).toBe(401);
    expect(await whoIs(await tokenOf('leaver'))).toMatchObject({
      username: 'system:serviceaccount:apps:leaver',
    });
  });

  test('counts as long as the Secret, or the pod, that it is bound to; a pod brings its node', async () => {
    await makeAccount('bound');
    await send(server.fetch, 'POST', `${core}/apps/secrets`, { metadata: { name: 'life' } });
    await send(server.fetch, 'POST', '/api/v1/nodes', { metadata: { name: 'node-1' } });
    const { json: node } = await get(server.fetch, '/api/v1/nodes/node-1');
    const { json: made } = await send(
      server.fetch,
      'POST',
      `${core}/apps/pods`,
      pod('worker', 'bound', 'node-1'),
    );
    const boundTo = (kind: string, name: string) =>
      tokenOf('bound', { boundObjectRef: { kind, apiVersion: 'v1', name } });
    const bySecret = await boundTo('Secret', 'life');
    const byPod = await boundTo('Pod', 'worker');
    expect(await whoIs(bySecret)).toMatchObject({ username: 'system:serviceaccount:apps:bound' });
    expect((await whoIs(byPod)).extra).toEqual({
      'authentication.kubernetes.io/credential-id': [`JTI=${payloadOf(byPod).jti}`],
      'authentication.kubernetes.io/node-name': ['node-1'],
      'authentication.kubernetes.io/node-uid': [node.metadata.uid],
      'authentication.kubernetes.io/pod-name': ['worker'],
      'authentication.kubernetes.io/pod-uid': [made.metadata.uid],
    });
    await remove(`${core}/apps/secrets/life`);
    await expect.poll(() => whoIs(bySecret)).toBe(401);
    await send(server.fetch, 'DELETE', `${core}/apps/pods/worker?gracePeriodSeconds=0`);
    await expect.poll(() => whoIs(byPod)).toBe(401);
  });

  test('ends with its time, a minute of leeway included', async () => {
    await makeAccount('brief');
    const token = await tokenOf('brief', { expirationSeconds: 600 });
    nowMs += 659_000;
    expect(await whoIs(token)).toMatchObject({ username: 'system:serviceaccount:apps:brief' });
    nowMs += 2_000;
    expect(await whoIs(token)).toBe(401);
  });

  test('for others does not open this server, and a TokenReview tells who it is for', async () => {
    await makeAccount('courier');
    const token = await tokenOf('courier', { audiences: ['vault', 'bank'] });
    expect(await whoIs(token)).toBe(401);
    const review = async (audiences?: string[]) => {
      const path = '/apis/authentication.k8s.io/v1/tokenreviews';
      return (await send(server.fetch, 'POST', path, { spec: { token, audiences } })).json.status;
    };
    expect(await review(['bank', 'shop'])).toMatchObject({
      authenticated: true,
      audiences: ['bank'],
      user: { username: 'system:serviceaccount:apps:courier' },
    });
    expect(await review()).toEqual({
      user: {},
      error: `token audiences ["vault" "bank"] is invalid for the target audiences ["${issuer}"]`,
    });
  });

  test.each<[string, (token: string) => string]>([
    ['another signature', (token) => `${token.slice(0, -6)}AAAAAA`],
    [
      'no signature',
      (token) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`,
    ],
    [
      'other claims',
      (token) => {
        const [head, , signature] = token.split('.');
        const forged = { ...payloadOf(token), sub: 'system:serviceaccount:kube-system:admin' };
        return `${head}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`;
      },
    ],
    [
      'an algorithm of shared secrets',
      (token) => `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${token.split('.')[1]}.AAAA`,
    ],
    ['another form', () => 'a.b.c'],
  ])('with %s is refused', async (_, forge) => {
    await makeAccount('victim');
    expect(await whoIs(forge(await tokenOf('victim')))).toBe(401);
  });
});

test('a token that was seen before ends with the key that signed it', async () => {
  const made = passingKeys();
  let removed = false;
  const keys = { signer: () => made.signer(), all: async () => (removed ? [] : made.all()) };
  let now = Date.now();
  await using own = await startServer({
    listen: false,
    serviceAccounts: { keys },
    clock: { now: () => now },
  });
  await send(own.fetch, 'POST', `${core}/default/serviceaccounts`, { metadata: { name: 'app' } });
  const { json } = await send(own.fetch, 'POST', `${core}/default/serviceaccounts/app/token`, {});
  const asked = async () =>
    (await send(own.as({ token: json.status.token }).fetch, 'POST', whoami, {})).status;
  expect(await asked()).toBe(201);
  removed = true;
  now += limits.accountLookupAgeMsMax;
  expect(await asked()).toBe(401);
});

test('others check tokens by what the server publishes', async () => {
  await makeAccount('traveller');
  const token = await tokenOf('traveller', { audiences: ['elsewhere'] });
  const configuration = await get(server.fetch, '/.well-known/openid-configuration');
  expect(configuration.json).toEqual({
    issuer,
    jwks_uri: `https://${server.url.replace('http://', '')}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
  const keys = createRemoteJWKSet(new URL(`${server.url}/openid/v1/jwks`), {
    headers: { authorization: `Bearer ${/token: (\S+)/.exec(server.kubeconfig)?.[1]}` },
  });
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: 'elsewhere',
    currentDate: new Date(nowMs),
  });
  expect(payload.sub).toBe('system:serviceaccount:apps:traveller');
});

test('the config that clients find in a cluster works, with the files that a pod would have', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-in-cluster-'));
  const before = { ...process.env };
  await using own = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
  try {
    await send(own.fetch, 'POST', `${core}/default/serviceaccounts`, { metadata: { name: 'app' } });
    const bound = binding('app', 'ClusterRole/view', { kind: 'ServiceAccount', name: 'app' });
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
    await send(own.fetch, 'POST', path, bound);
    const { json } = await send(own.fetch, 'POST', `${core}/default/serviceaccounts/app/token`, {});
    const files = join(folder, 'var/run/secrets/kubernetes.io/serviceaccount');
    mkdirSync(files, { recursive: true });
    writeFileSync(join(files, 'token'), json.status.token);
    writeFileSync(join(files, 'ca.crt'), own.caPem ?? '');
    writeFileSync(join(files, 'namespace'), 'default');
    const { hostname, port } = new URL(own.url);
    process.env['KUBERNETES_SERVICE_HOST'] = hostname;
    process.env['KUBERNETES_SERVICE_PORT'] = port;
    const config = new KubeConfig();
    config.loadFromCluster(folder);
    const api = config.makeApiClient(CoreV1Api);
    expect((await api.listNamespacedConfigMap({ namespace: 'default' })).items).toEqual([]);
    await expect(api.listNamespacedSecret({ namespace: 'default' })).rejects.toThrow('403');
  } finally {
    process.env = before;
    rmSync(folder, { recursive: true });
  }
});

describe.skipIf(kubectlMinor === undefined || kubectlMinor < 24)('kubectl (skipped without it)', () => {
  test('create token', async () => {
    await using own = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
    using kubectl = new Kubectl(own.kubeconfigPath);
    await send(own.fetch, 'POST', `${core}/default/serviceaccounts`, { metadata: { name: 'ctl' } });
    const { code, out, err } = await kubectl.run('create token ctl --duration=10m --audience=vault');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(payloadOf(out)).toMatchObject({ sub: 'system:serviceaccount:default:ctl', aud: ['vault'] });
    const refused = await kubectl.run('create token nobody');
    expect(refused.err).toBe('error: failed to create token: serviceaccounts "nobody" not found\n');
  });
});
