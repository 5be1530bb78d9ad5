import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { readDirectory } from './read-directory.ts';
import { openSqliteStore } from './sqlite-store.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const dataDir = mkdtempSync(join(tmpdir(), 'ilk-read-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

test('all records are read, although garbage is collected meanwhile', async () => {
  const keys = Array.from({ length: 20 }, (_, index) => `/a/${String(index).padStart(2, '0')}`);
  const store = await openSqliteStore({ dataDir });
  for (const key of keys) await store.commit({ key, value: Buffer.from(key), expect: 0 });
  await store.close();

  const view = await readDirectory(dataDir);
  const read: string[] = [];
  for await (const { key } of view.records) {
    read.push(key);
    // Finalizers of native objects run in a turn of their own.
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await view.close();
  expect(read).toEqual(keys);
});
