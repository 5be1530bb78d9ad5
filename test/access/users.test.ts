import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signingKeyOf } from '../../src/auth/certificates/certificates.ts';
import { makeCertificates, makeClientPair } from '../../src/auth/index.ts';
import { startServer } from '../../src/server.ts';
import { FakeClock } from '../../src/testing/index.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';

/** Users with credentials of their own: `ilk user`, and `server.addUser` in programs. */

const bin = fileURLToPath(new URL('../../bin/ilk', import.meta.url));
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const maps = '/api/v1/namespaces/team-a/configmaps';

describe('ilk user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-users-'));
  const dataDir = join(folder, 'data');
  const clients: HttpsClient[] = [];
  let server: IlkProcess;
  let admin: HttpsClient;
  beforeAll(async () => {
    buildIfMissing();
    server = new IlkProcess(['serve', '--secure-port=0', `--data-dir=${dataDir}`]);
    admin = clientOf((await server.ready()).kubeconfig);
    await admin.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'team-a' } } });
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    server.kill('SIGKILL');
    await server.ended();
    rmSync(folder, { recursive: true });
  });

  function clientOf(kubeconfig: string): HttpsClient {
    const client = new HttpsClient(kubeconfig);
    clients.push(client);
    return client;
  }

  function user(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'user', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    const plain = (text: string) => text.replaceAll(`${folder}/`, '').replaceAll(/\d{4}-\d\d-\d\d/g, 'DATE');
    return { code: status, out: plain(stdout), err: plain(stderr) };
  }

  test('add gives a user a kubeconfig, groups and a role in a namespace', async () => {
    expect(
      user(
        'add',
        'alice',
        '--group=dev',
        '--group=ops',
        '--namespace=team-a',
        '--role=edit',
        '--data-dir=data',
      ),
    ).toEqual({ code: 0, out: 'alice.kubeconfig\n', err: 'ilk: alice is a user until DATE\n' });
    const kubeconfig = join(folder, 'alice.kubeconfig');
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect(readFileSync(kubeconfig, 'utf8')).toContain('    namespace: team-a\n');
    const alice = clientOf(kubeconfig);
    const { body } = await alice.call('POST', whoami, { body: {} });
    expect(JSON.parse(body).status.userInfo).toEqual({
      username: 'alice',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)],
      },
    });
    expect((await alice.call('GET', maps)).code).toBe(200);
    expect((await alice.call('GET', maps.replace('team-a', 'default'))).code).toBe(403);
    expect(user('list', '--data-dir=data')).toEqual({
      code: 0,
      out: 'NAME    GROUPS    EXPIRES      STATUS\nalice   dev,ops   DATE   active\n',
      err: '',
    });
  });

  test('remove refuses a user at once, over connections that are open too, ends watches, and takes the role', async () => {
    expect(user('add', 'bob', '--role=view', '--data-dir=data').code).toBe(0);
    const bob = clientOf(join(folder, 'bob.kubeconfig'));
    expect((await bob.call('GET', maps)).code).toBe(200);
    const watch = await bob.open('GET', `${maps}?watch=true`);
    const ended = new Promise((resolve) => watch.resume().on('end', resolve));
    expect(user('remove', 'bob', '--data-dir=data')).toEqual({
      code: 0,
      out: '',
      err: 'ilk: bob is removed\n',
    });
    expect(await bob.call('GET', maps)).toEqual({ code: 401, body: expect.stringContaining('Unauthorized') });
    await ended;
    const bindings = await admin.call('GET', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings');
    expect(bindings.body).not.toContain('ilk-user-bob');
    expect(user('list', '--data-dir=data').out).toMatch(/^bob +<none> +DATE +removed$/m);
    rmSync(join(folder, 'bob.kubeconfig'));
    expect(user('add', 'bob', '--data-dir=data').code).toBe(0);
    const { code } = await clientOf(join(folder, 'bob.kubeconfig')).call('GET', '/api');
    expect(code).toBe(200);
    expect((await bob.call('GET', '/api')).code).toBe(401);
  });

  test.each([
    [
      'a name that is taken',
      ['add', 'alice'],
      'alice is a user already: "ilk user remove alice" comes first',
    ],
    [
      "a name of the server's own",
      ['add', 'system:serviceaccount:default:x'],
      '"system:serviceaccount:default:x" can be no user: names that begin with system: are the server\'s own',
    ],
    ['nobody', ['remove', 'carol'], 'there is no user carol'],
    [
      'a time without end',
      ['add', 'carol', '--expires=9999d'],
      '--expires 9999d: a certificate lasts between one minute and 3650d',
    ],
    [
      'a namespace without a role',
      ['add', 'carol', '--namespace=team-a'],
      '--namespace says where --role holds: name a role, too',
    ],
    [
      'what the server refuses',
      ['add', 'carol', '--role=edit', '--namespace=nowhere', '--kubeconfig-out=refused'],
      'the server says: namespaces "nowhere" not found',
    ],
    [
      'a file that is there',
      ['add', 'carol', '--kubeconfig-out=alice.kubeconfig'],
      'cannot write alice.kubeconfig: it is there already',
    ],
  ])('%s is refused in one line', (_, args, message) => {
    expect(user(...args, '--data-dir=data')).toEqual({ code: 1, out: '', err: `ilk: ${message}\n` });
  });

  test('a folder that no server has run in is refused', () => {
    expect(user('add', 'dora', '--data-dir=nothing').err).toBe(
      'ilk: nothing/admin.kubeconfig: no such file or folder: "ilk serve" makes it; --data-dir names its folder\n',
    );
  });
});

describe('server.addUser', () => {
  test('has a client certificate, and is refused once it is removed', async () => {
    const tls = { host: '127.0.0.1', port: 0, tls: true };
    await using server = await startServer({ listen: tls });
    const alice = await server.addUser({ name: 'alice', groups: ['dev'] });
    expect(alice.kubeconfig).toContain('client-certificate-data');
    const client = new HttpsClient(alice.kubeconfigPath);
    const who = async () => JSON.parse((await client.call('POST', whoami, { body: {} })).body);
    expect((await who()).status.userInfo).toMatchObject({
      username: 'alice',
      groups: ['dev', 'system:authenticated'],
    });
    expect((await alice.fetch('/api')).status).toBe(200);
    alice.remove();
    expect((await who()).code).toBe(401);
    expect((await alice.fetch('/api')).status).toBe(401);
    client.close();
  });

  test('has a token where the server has no certificates', async () => {
    await using server = await startServer();
    const bob = await server.addUser({ name: 'bob' });
    const [, token] = /token: (\S+)/.exec(bob.kubeconfig) ?? [];
    const call = () =>
      fetch(`${server.url}/api`, { headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    expect(await call()).toBe(200);
    bob.remove();
    expect(await call()).toBe(401);
  });
});

test.each([-3, 3])(
  'client certificates are judged by the clock of TLS, with a FakeClock %i years away',
  async (years) => {
    const clock = new FakeClock(Date.now() + years * 365 * 86_400_000);
    await using server = await startServer({ clock, listen: { host: '127.0.0.1', port: 0, tls: true } });
    const alice = await server.addUser({ name: 'alice', groups: ['system:masters'] });
    const maps = '/api/v1/namespaces/default/configmaps';
    for (const kubeconfig of [alice.kubeconfigPath, server.kubeconfigPath]) {
      const client = new HttpsClient(kubeconfig);
      expect((await client.call('GET', maps)).code).toBe(200);
      const watch = await client.open(
        'GET',
        `${maps}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
      );
      clock.advance(60_000);
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'map-' } };
      expect((await client.call('POST', maps, { body })).code).toBe(201);
      const [event] = await once(watch.setEncoding('utf8'), 'data');
      expect(event).toContain('"type":"ADDED"');
      watch.destroy();
      client.close();
    }
  },
);

test('a certificate of a foreign authority, or one that has expired, is refused: 401, not anonymous', async () => {
  const listen = { host: '127.0.0.1', port: 0, tls: true };
  await using server = await startServer({ listen, anonymousAuth: true });
  const foreign = (await makeCertificates(['localhost'], Date.now())).admin;
  const call = (pair?: { certPem: string; keyPem: string }) =>
    new Promise((resolve, reject) => {
      const credentials = pair === undefined ? {} : { cert: pair.certPem, key: pair.keyPem };
      const sent = request(`${server.url}/version`, { ca: server.caPem, ...credentials }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', reject).end();
    });
  expect(await call()).toBe(200);
  expect(await call(foreign)).toBe(401);
  const certificates = await makeCertificates(['127.0.0.1'], Date.now());
  const expired = await makeClientPair(certificates.ca, {
    name: 'alice',
    groups: [],
    nowMs: Date.now() - 7_200_000,
    lifetimeMs: 3_600_000,
  });
  await using own = await startServer({ listen: { ...listen, tls: certificates }, anonymousAuth: true });
  const answer = await new Promise((resolve, reject) => {
    const options = { ca: own.caPem, cert: expired.certPem, key: expired.keyPem };
    request(`${own.url}/version`, options, (got) => got.resume().on('end', () => resolve(got.statusCode)))
      .on('error', reject)
      .end();
  });
  expect(answer).toBe(401);
});

describe('what a certificate is for', () => {
  const certificates = makeCertificates(['127.0.0.1'], Date.now());

  /** A certificate of the authority that the server believes, with these uses. */
  async function pairFor(name: string, uses: readonly string[] | undefined) {
    const { ca } = await certificates;
    const [issuer, { privateKey, signingAlgorithm }] = [
      new X509Certificate(ca.certPem),
      await signingKeyOf(ca.keyPem),
    ];
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.create({
      subject: name,
      issuer: issuer.subject,
      publicKey: keys.publicKey,
      signingKey: privateKey,
      signingAlgorithm,
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      extensions: uses === undefined ? [] : [new ExtendedKeyUsageExtension([...uses])],
    });
    const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(der).toString('base64')}\n-----END PRIVATE KEY-----`;
    return { cert: certificate.toString('pem'), key };
  }

  test.each([
    ['for clients', 'CN=alice,O=system:masters', [ExtendedKeyUsage.clientAuth], 'alice'],
    [
      'for clients and servers',
      'CN=alice',
      [ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth],
      'alice',
    ],
    ['that does not say, as Go accepts it', 'CN=alice', undefined, 'alice'],
    ['for servers alone', 'CN=alice,O=system:masters', [ExtendedKeyUsage.serverAuth], 401],
    ['for signing code', 'CN=alice,O=system:masters', [ExtendedKeyUsage.codeSigning], 401],
    ['without a name', 'O=system:masters', [ExtendedKeyUsage.clientAuth], 'system:anonymous'],
  ])('%s', async (_, subject, uses, expected) => {
    const tls = await certificates;
    const listen = { host: '127.0.0.1', port: 0, tls };
    await using server = await startServer({
      listen,
      anonymousAuth: true,
      authorizationModes: ['AlwaysAllow'],
    });
    const pair = await pairFor(subject, uses);
    const { status, body } = await new Promise<{ status: number | undefined; body: string }>(
      (resolve, reject) => {
        const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
        const headers = { 'content-type': 'application/json' };
        const options = { method: 'POST', headers, ca: server.caPem, agent: false, ...pair };
        request(`${server.url}${path}`, options, async (answer) => {
          let text = '';
          for await (const piece of answer.setEncoding('utf8')) text += piece;
          resolve({ status: answer.statusCode, body: text });
        })
          .on('error', reject)
          .end('{}');
      },
    );
    expect(status === 201 ? JSON.parse(body).status.userInfo.username : status).toBe(expected);
  });
});
