import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/testing/index.ts';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ disableControllers: ['garbage-collector'] });
});
afterAll(() => server.close());

async function ask(path: string, init?: RequestInit) {
  const answer = await server.fetch(path, init);
  const { message } = (await answer.json()) as { message?: string };
  return { code: answer.status, ...(message !== undefined && { message }) };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const late = { code: 504, message: 'Timeout: request did not complete within the allotted timeout' };

test.each([
  ['abc', 'time: invalid duration "abc"'],
  ['5', 'time: missing unit in duration "5"'],
])('timeout=%s: 400', async (timeout, fault) => {
  const message = `invalid timeout specified in the request URL - ${fault}`;
  expect(await ask(`${configMaps}?timeout=${timeout}`)).toEqual({ code: 400, message });
  expect(await ask(`/version?timeout=${timeout}`)).toEqual({ code: 400, message });
});

test.each(['', '0s', '-1s', '32s'])('timeout=%s: enough time', async (timeout) => {
  expect(await ask(`${configMaps}?timeout=${timeout}`)).toEqual({ code: 200 });
});

test('a request that takes longer than it asked for gets 504', async () => {
  server.faults.add({ fault: 'latency', delayMs: 60_000, match: { resources: ['configmaps'] } });
  expect(await ask(`${configMaps}?timeout=20ms`)).toEqual(late);
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } });
  const headers = { 'content-type': 'application/json' };
  expect(await ask(`${configMaps}?timeout=20ms`, { method: 'POST', headers, body })).toEqual(late);
  server.faults.clear();
  expect(await ask(`${configMaps}/late`)).toMatchObject({ code: 404 });
});

test('the server has a limit of its own', async () => {
  await using strict = await startServer({ requestTimeoutMs: 20, disableControllers: ['garbage-collector'] });
  strict.faults.add({ fault: 'latency', delayMs: 60_000, match: { resources: ['configmaps'] } });
  const answer = await strict.fetch(`${configMaps}?timeout=1h`);
  expect(answer.status).toBe(504);
});
