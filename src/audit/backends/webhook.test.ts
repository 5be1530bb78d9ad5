import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { forgiving } from './forgiving.ts';
import { auditWebhook } from './webhook.ts';

test('events are posted as one EventList', async () => {
  const posted: JsonObject[] = [];
  let closed = 0;
  const post = async (document: JsonObject) => {
    posted.push(document);
    return {};
  };
  const backend = auditWebhook({ post, close: () => void (closed += 1) });
  await backend.write(['{"auditID":"a"}', '{"auditID":"b"}']);
  await backend.close();
  expect(posted).toEqual([
    {
      kind: 'EventList',
      apiVersion: 'audit.k8s.io/v1',
      metadata: {},
      items: [{ auditID: 'a' }, { auditID: 'b' }],
    },
  ]);
  expect(closed).toBe(1);
});

test('a forgiving backend tells of failures and keeps no request from going on', async () => {
  const trouble: unknown[] = [];
  const fails = (write: () => Promise<void> | void) =>
    forgiving({ write, close: async () => {} }, (error) => void trouble.push(error));
  await fails(() => Promise.reject(new Error('rejected'))).write([]);
  await fails(() => {
    throw new Error('thrown');
  }).write([]);
  expect(trouble).toEqual([new Error('rejected'), new Error('thrown')]);
});
