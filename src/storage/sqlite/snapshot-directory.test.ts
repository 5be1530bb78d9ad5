import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { snapshotDirectory } from './snapshot-directory.ts';
import { openSqliteStore } from './sqlite-store.ts';

const root = mkdtempSync(join(tmpdir(), 'ilk-snapshot-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a copy has one moment of a store that is written to meanwhile, and goes on from its revision', async () => {
  const store = await openSqliteStore({ dataDir: join(root, 'live') });
  let writing = true;
  let written = 0;
  const writer = (async () => {
    while (writing) {
      await store.commit({ key: `/a/${written}`, value: Buffer.from(String(written)), expect: 0 });
      written += 1;
    }
  })();
  while (written < 50) await new Promise((resolve) => setImmediate(resolve));
  const acknowledged = written;
  await snapshotDirectory(join(root, 'live'), join(root, 'copy'));
  writing = false;
  await writer;
  await store.close();

  const copy = await openSqliteStore({ dataDir: join(root, 'copy') });
  const { records, revision } = await copy.list({ start: '/a/', end: '/a0' });
  expect(records.length).toBeGreaterThanOrEqual(acknowledged);
  // One moment: without gaps, and the revision is that of the last write in it.
  expect(records.map(({ value }) => Number(Buffer.from(value))).sort((a, b) => a - b)).toEqual(
    Array.from(records, (_, index) => index),
  );
  expect(revision).toBe(records.length + 1);
  expect(await copy.commit({ key: '/b', value: Buffer.from('b'), expect: 0 })).toMatchObject({
    ok: true,
    revision: revision + 1,
  });
  await copy.close();
});

test('only its owner may read a copy, and what is there is never replaced', async () => {
  const live = join(root, 'private');
  await (await openSqliteStore({ dataDir: live })).close();
  const target = join(root, 'deep', 'target');
  await snapshotDirectory(live, target);
  expect(statSync(join(target, 'ilk.db')).mode & 0o777).toBe(0o600);
  expect(readdirSync(target)).toEqual(['ilk.db']);
  await expect(snapshotDirectory(live, target)).rejects.toThrow(`${target} has a database already`);
  await expect(snapshotDirectory(join(root, 'none'), target)).rejects.toThrow('is no data directory');
  expect(existsSync(join(root, 'none'))).toBe(false);
});
