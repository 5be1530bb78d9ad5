import { expect, test } from 'vitest';
import { createMemoryStore } from '../../storage/index.ts';
import { storedChanges } from './stored-changes.ts';

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

test('the state comes first, then every change with what it was before, of all resources in one order', async () => {
  const store = createMemoryStore();
  const put = (key: string, value: unknown, expected = 0) =>
    store.commit({ key, value: value === null ? null : bytes(value), expect: expected });
  await put('/registry/a/widgets/default/x', { metadata: { uid: '1' } });
  await put('/other/y', { metadata: { uid: '2' } });
  const abort = new AbortController();
  const told: unknown[] = [];
  const ends: number[] = [];
  const run = (async () => {
    for await (const { changes, revision } of storedChanges(store, { signal: abort.signal })) {
      ends.push(revision);
      for (const change of changes) {
        told.push([change.revision, change.key, change.gone, change.object(), change.previous()]);
      }
      if (told.length === 4) return;
    }
  })();
  // Writes during the initial read are reported after it.
  await put('/registry/b/gadgets/z', { metadata: { uid: '3' } });
  await put('/registry/b/gadgets/p', 'k8s\0not json');
  const { record } = await store.get('/registry/a/widgets/default/x');
  await put('/registry/a/widgets/default/x', null, record?.modRevision);
  await run;
  expect(told).toEqual([
    [2, '/registry/a/widgets/default/x', false, { metadata: { uid: '1' } }, undefined],
    [4, '/registry/b/gadgets/z', false, { metadata: { uid: '3' } }, undefined],
    [5, '/registry/b/gadgets/p', false, undefined, undefined],
    [6, '/registry/a/widgets/default/x', true, { metadata: { uid: '1' } }, { metadata: { uid: '1' } }],
  ]);
  expect(ends.at(0)).toBe(3);
  expect(ends.at(-1)).toBe(6);
  await store.close();
});
