import { expect, test } from 'vitest';
import { startServer } from '../src/server.ts';

const namespace = (name: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const path = '/api/v1/namespaces';
const headers = { 'content-type': 'application/json' };

test('bodies of every kind that fetch takes arrive, and methods in any case', async () => {
  await using server = await startServer({ listen: false });
  const post = async (body: RequestInit['body'], method = 'POST') => {
    const { status } = await server.fetch(path, { method, headers, body: body ?? null });
    return status;
  };
  expect(await post(namespace('text'))).toBe(201);
  expect(await post(Buffer.from(namespace('bytes')), 'post')).toBe(201);
  expect(await post(new Blob([namespace('blob')]))).toBe(201);
  expect(await post(new Blob([namespace('stream')]).stream())).toBe(201);
  expect(await post(new TextEncoder().encode(namespace('buffer')).buffer)).toBe(201);
  expect((await server.fetch(`${path}/stream`, { method: 'delete' })).status).toBe(200);
});

test('what fetch refuses is refused, and a text without a type is a text', async () => {
  await using server = await startServer({ listen: false });
  await expect(server.fetch(path, { body: 'x' })).rejects.toThrow(TypeError);
  const { status } = await server.fetch(path, { method: 'POST', body: namespace('a') });
  expect(status).toBe(415);
  const large = await server.fetch(path, { method: 'POST', headers, body: 'x'.repeat(3 * 1024 * 1024 + 1) });
  expect(large.status).toBe(413);
});

test('a caller that gives up is not kept', async () => {
  await using server = await startServer({ listen: false });
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(server.fetch(path, { signal })).rejects.toThrow('enough');
});

test('a caller that asks until something has changed does not starve what changes it', async () => {
  await using server = await startServer({ listen: false });
  let hasFired = false;
  setTimeout(() => {
    hasFired = true;
  }, 1);
  let calls = 0;
  while (!hasFired && calls < 1_000_000) {
    await server.fetch('/api/v1/namespaces/default');
    calls += 1;
  }
  expect(hasFired).toBe(true);
});
