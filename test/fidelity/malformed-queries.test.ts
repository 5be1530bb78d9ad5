import { expect, test } from 'vitest';
import { startServer } from '../../src/testing/index.ts';

/** As recorded from kube-apiserver 1.37.1. */
const answers = {
  'limit=%zz': 200,
  'limit=abc': 400,
  'watch=1;a': 200,
  'timeout=%zz': 200,
  'labelSelector=a;b': 200,
  'labelSelector=a%3Bb': 400,
  '?limit=abc': 200,
};

test('a server ignores malformed parameters, over HTTP and in the process', async () => {
  await using server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: false } });
  const token = /token: (\S+)/.exec(server.kubeconfig)?.[1];
  const found: Record<string, number[]> = {};
  for (const query of Object.keys(answers)) {
    const path = `/api/v1/namespaces/default/configmaps?${query}`;
    const sent = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    found[query] = [sent.status, (await server.fetch(path)).status];
  }
  const expected = Object.entries(answers).map(([query, status]) => [query, [status, status]]);
  expect(found).toEqual(Object.fromEntries(expected));
});
