import { expect, test, vi } from 'vitest';
import { ServiceClient } from './service-client.ts';
import { WebhookError } from './webhook-error.ts';

/** Nothing listens there. */
const service = {
  url: 'https://127.0.0.1:1/',
  caPem: undefined,
  certPem: undefined,
  keyPem: undefined,
  token: undefined,
  serverName: undefined,
};

test('no signal outlives its call: Node keeps an entry on it for each signal that depends on it', async () => {
  const any = vi.spyOn(AbortSignal, 'any');
  const client = new ServiceClient(service, { timeoutMs: 60_000, retryMs: [] });
  for (let call = 0; call < 2; call += 1) {
    await expect(client.post({ kind: 'TokenReview' })).rejects.toThrow(WebhookError);
  }
  const sources = any.mock.calls.flatMap(([signals]) => [...signals]);
  any.mockRestore();
  expect(sources).toHaveLength(4);
  expect(new Set(sources).size).toBe(4);
  client.close();
});

test('a client that is closed ends its calls', async () => {
  const client = new ServiceClient(service, { timeoutMs: 60_000, retryMs: [60_000] });
  const answer = client.post({ kind: 'TokenReview' });
  client.close();
  await expect(answer).rejects.toThrow(WebhookError);
});
