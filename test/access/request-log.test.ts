import { beforeAll, expect, test } from 'vitest';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';

beforeAll(buildIfMissing);

test('-v 3 writes a line for each request, with its selectors: nothing else of the query, no token, no body', async () => {
  const flags = ['serve', '--secure-port=0', '--storage=memory', '-v', '3', '--log-format=json'];
  const server = new IlkProcess(flags);
  const client = new HttpsClient((await server.ready()).kubeconfig);
  const secret = { metadata: { name: 's' }, stringData: { password: 'hidden-in-body' } };
  await client.call('POST', '/api/v1/namespaces/default/secrets?pretty=hidden-in-query', { body: secret });
  await client.call('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Da&labelSelector=x&continue=hidden');
  await client.call('GET', '/api', { token: 'hidden-in-token' });
  client.close();
  server.kill('SIGTERM');
  const { err } = await server.ended();
  const lines = err
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0].msg).toMatch(/^ilk \S+, serving the API of Kubernetes .* on https:/);
  // The steps of admission have lines of their own.
  expect(lines.filter(({ code }) => code !== undefined)).toMatchObject([
    {
      method: 'POST',
      path: '/api/v1/namespaces/default/secrets',
      selector: '',
      code: 201,
      user: 'ilk-admin',
    },
    { path: '/api/v1/pods', selector: 'fieldSelector=spec.nodeName=a&labelSelector=x' },
    { method: 'GET', path: '/api', code: 200, ms: expect.any(Number) },
  ]);
  expect(err).not.toContain('hidden');
});
