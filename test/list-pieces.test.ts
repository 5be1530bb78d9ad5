import { expect, test } from 'vitest';
import { startServer } from '../src/server.ts';
import { crdOf } from './fixtures/crd.ts';

const counts = [0, 1, 45, 100];

/** Objects of about 3,000 bytes: 45 of them are just above a piece, 100 are three. */
async function serverWith(count: number) {
  const crd = crdOf('Sheet');
  const data = { text: 'x'.repeat(3_000) };
  const named = (apiVersion: string, kind: string, index: number) => ({
    apiVersion,
    kind,
    metadata: { name: `s-${String(index).padStart(4, '0')}`, namespace: 'default' },
    data,
  });
  const indexes = Array.from({ length: count }, (_, index) => index);
  const objects = indexes.flatMap((index) => [
    named('v1', 'ConfigMap', index),
    named('example.com/v1', 'Sheet', index),
  ]);
  return startServer({ listen: false, crds: [crd], objects });
}

test.each(counts)('a list of %i is the same JSON in one piece and in many', async (count) => {
  await using server = await serverWith(count);
  for (const path of [
    '/apis/example.com/v1/namespaces/default/sheets',
    '/api/v1/namespaces/default/configmaps',
  ]) {
    const text = await (await server.fetch(path)).text();
    const list = JSON.parse(text);
    expect(list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
      Array.from({ length: count }, (_, index) => `s-${String(index).padStart(4, '0')}`),
    );
    expect(`${JSON.stringify(list)}\n`).toBe(text);
  }
});
