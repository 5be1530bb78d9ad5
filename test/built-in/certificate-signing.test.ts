import { Agent, request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificateRequest } from '../../src/auth/certificates/certificate-requests.test-support.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const signerName = 'kubernetes.io/kube-apiserver-client';

let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({
    listen: { host: '127.0.0.1', port: 0, tls: true },
    signCertificates: true,
    authorizationModes: ['RBAC'],
  });
  api = Api.of(server);
});
afterAll(() => server.close());

async function post(name: string, request: string, usages = ['client auth']): Promise<void> {
  const encoded = Buffer.from(request).toString('base64');
  const spec = { request: encoded, signerName, usages, expirationSeconds: 3600 };
  const { code, body } = await api.call('POST', requests, { metadata: { name }, spec });
  expect([code, body.message]).toEqual([201, undefined]);
}

async function decide(name: string, type: 'Approved' | 'Denied', at: IlkServer = server) {
  const decided = Api.of(at);
  const { body } = await decided.get(`${requests}/${name}`);
  const status = { conditions: [{ type, status: 'True', reason: 'Test' }] };
  return decided.call('PUT', `${requests}/${name}/approval`, { ...body, status });
}

async function settled(name: string, at: IlkServer = server) {
  let status: { certificate?: string; conditions?: { type: string }[] } = {};
  await expect
    .poll(async () => {
      status = (await Api.of(at).get(`${requests}/${name}`)).body.status;
      return status.certificate !== undefined || (status.conditions ?? []).length > 1;
    })
    .toBe(true);
  return status;
}

/** Asks over TLS as whom a certificate is for. */
function whoAmI(cert: Buffer, key: Buffer): Promise<unknown> {
  const agent = new Agent({
    ca: server.caPem,
    cert,
    key: `-----BEGIN PRIVATE KEY-----\n${key.toString('base64')}\n-----END PRIVATE KEY-----\n`,
  });
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = httpsRequest(`${server.url}${path}`, { agent, method: 'POST', headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString()).status));
    });
    sent.on('error', reject);
    sent.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  });
}

test.skipIf(kubectlMinor === undefined)(
  'kubectl approves, and the certificate lets its user in',
  async () => {
    const { request, privateKey } = await certificateRequest('CN=jane, O=team');
    await post('jane', request);
    using kubectl = new Kubectl(server.kubeconfigPath);
    expect((await kubectl.run('certificate approve jane')).out).toBe(
      'certificatesigningrequest.certificates.k8s.io/jane approved\n',
    );
    const { certificate = '' } = await settled('jane');
    expect(await whoAmI(Buffer.from(certificate, 'base64'), privateKey)).toMatchObject({
      userInfo: { username: 'jane', groups: ['team', 'system:authenticated'] },
    });
    expect((await kubectl.run('get csr jane')).out).toMatch(/ ilk-admin +60m +Approved,Issued\n$/);
  },
);

test('what the signer refuses has failed', async () => {
  const { request } = await certificateRequest('CN=jane');
  await post('server', request, ['server auth', 'client auth']);
  await decide('server', 'Approved');
  const { conditions } = await settled('server');
  const time = expect.stringMatching(/Z$/);
  expect(conditions).toEqual([
    expect.objectContaining({ type: 'Approved' }),
    {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: 'invalid usage for client certificate: server auth',
      lastUpdateTime: time,
      lastTransitionTime: time,
    },
  ]);
});

test('what is denied or waits is not signed', async () => {
  const { request } = await certificateRequest('CN=jane');
  for (const name of ['denied', 'open', 'last']) await post(name, request);
  await decide('denied', 'Denied');
  await decide('last', 'Approved');
  // Requests are worked on in their order.
  await settled('last');
  const { body } = await api.get(requests);
  const issued = body.items.filter(({ status }: { status: object }) => 'certificate' in status);
  const names = issued.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  expect(names).toContain('last');
  expect(names).not.toContain('denied');
  expect(names).not.toContain('open');
});

test('a fork signs with the same authority; a server without TLS has one of its own', async () => {
  const { request } = await certificateRequest('CN=jane');
  await post('later', request);
  await using fork = await server.fork();
  await decide('later', 'Approved', fork);
  expect((await settled('later', fork)).certificate).toMatch(/^LS0t/);
  expect((await api.get(`${requests}/later`)).body.status).toEqual({});
  await using plain = await startServer({ signCertificates: true, listen: false });
  const spec = { request: Buffer.from(request).toString('base64'), signerName, usages: ['client auth'] };
  await Api.of(plain).call('POST', requests, { metadata: { name: 'plain' }, spec });
  await decide('plain', 'Approved', plain);
  expect((await settled('plain', plain)).certificate).toMatch(/^LS0t/);
});
