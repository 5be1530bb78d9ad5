import { expect, test } from 'vitest';
import { GroupCommit, maxBatchBytes, maxBatchCommits } from './group-commit.ts';

/** A writer that notes the sizes of its batches and acknowledges everything. */
function recorder() {
  const sizes: number[] = [];
  const group = new GroupCommit((batch) => {
    sizes.push(batch.length);
    for (const [index, { resolve }] of batch.entries()) resolve({ ok: true, revision: index + 1 });
  });
  const commit = (value: Uint8Array | null = null) =>
    new Promise((resolve, reject) => group.add({ commit: { key: '/a', value, expect: 0 }, resolve, reject }));
  return { sizes, group, commit };
}

test('the commits of one turn are one batch', async () => {
  const { sizes, commit } = recorder();
  await Promise.all([commit(), commit(), Promise.resolve().then(() => commit())]);
  await commit();
  expect(sizes).toEqual([3, 1]);
});

test('a batch has a bounded number of commits', async () => {
  const { sizes, commit } = recorder();
  await Promise.all(Array.from({ length: 2 * maxBatchCommits + 10 }, () => commit()));
  expect(sizes).toEqual([maxBatchCommits, maxBatchCommits, 10]);
});

test('a batch has a bounded number of bytes, but a value that is larger goes alone', async () => {
  const { sizes, commit } = recorder();
  const half = new Uint8Array(maxBatchBytes / 2);
  await Promise.all([
    commit(half),
    commit(half),
    commit(half),
    commit(new Uint8Array(maxBatchBytes + 1)),
    commit(),
  ]);
  expect(sizes).toEqual([2, 1, 1, 1]);
});

test('flush writes what waits at once', () => {
  const { sizes, group, commit } = recorder();
  void commit();
  void commit();
  group.flush();
  expect(sizes).toEqual([2]);
});
