import { afterAll, beforeAll, expect, test } from 'vitest';
import { Auditor, AuditPolicy } from '../audit/index.ts';
import { systemClock } from '../meta/index.ts';
import { type IlkServer, startServer } from '../server.ts';

const policy = AuditPolicy.parse(
  'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]',
);
const written: string[] = [];
const slow: string[] = [];
let server: IlkServer;
let quiet: IlkServer;

beforeAll(async () => {
  const file = { write: (events: readonly string[]) => void written.push(...events), close: async () => {} };
  server = await startServer({
    listen: false,
    console: true,
    auditor: new Auditor({ policy, backends: [file], clock: systemClock, onTrouble: () => {} }),
    slowRequests: { fromMs: 0, onSlow: ({ path }) => void slow.push(path) },
  });
  quiet = await startServer({ listen: false, console: true });
});
afterAll(async () => {
  await server?.close();
  await quiet?.close();
});

async function get(path: string, from: Pick<IlkServer, 'fetch'> = server) {
  const response = await from.fetch(path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('the recent slow requests and audit events, which the logs still get', async () => {
  const odd = '/api/v1/namespaces/__proto__/configmaps?labelSelector=a%3D%22b%22';
  await server.fetch(odd);
  const { body: requests } = await get('/ilk/v1/server/slow-requests');
  expect(requests).toMatchObject({ kind: 'SlowRequestList', apiVersion: 'ilk/v1' });
  expect(requests['items']).toContainEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    method: 'GET',
    path: '/api/v1/namespaces/__proto__/configmaps',
    selector: 'labelSelector=a="b"',
    code: 400,
    ms: expect.any(Number),
    user: 'ilk-admin',
    userAgent: expect.any(String),
  });
  expect(slow).toContain('/api/v1/namespaces/__proto__/configmaps');
  const { body: events } = await get('/ilk/v1/server/audit-events');
  expect(events['items']).toContainEqual(
    expect.objectContaining({ kind: 'Event', stage: 'ResponseComplete', requestURI: odd, verb: 'list' }),
  );
  expect(written.some((text) => text.includes('__proto__'))).toBe(true);
  // Reading them adds none; the log has that, too.
  expect(JSON.stringify((await get('/ilk/v1/server/audit-events')).body)).not.toContain('/ilk/v1/server');
  expect(written.some((text) => text.includes('/ilk/v1/server/audit-events'))).toBe(true);
});

test('what the server is made of', async () => {
  const { body } = await get('/ilk/v1/server');
  expect(body).toMatchObject({
    kind: 'ServerStatus',
    apiVersion: 'ilk/v1',
    version: expect.stringMatching(/^v1\.\d+/),
    storage: { name: expect.any(String), shared: false },
    slowRequestThresholdMs: 0,
    audited: true,
  });
  expect(body['controllers']).toContainEqual({ name: 'garbage-collector', on: true });
  expect(body['controllers']).toContainEqual({ name: 'simulate', on: false });
});

test('what is not kept is not found, and nothing of it is for everybody', async () => {
  expect((await get('/ilk/v1/server/slow-requests', quiet)).status).toBe(404);
  expect((await get('/ilk/v1/server/audit-events', quiet)).status).toBe(404);
  expect((await get('/ilk/v1/server/other')).status).toBe(404);
  const alice = server.as({ name: 'alice', groups: ['system:authenticated'] });
  for (const path of ['/ilk/v1/server', '/ilk/v1/server/slow-requests', '/ilk/v1/server/audit-events'])
    expect((await alice.fetch(path)).status).toBe(403);
  expect((await server.fetch('/ilk/v1/server', { method: 'POST', body: '{}' })).status).toBe(405);
});
