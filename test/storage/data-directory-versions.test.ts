import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { openSqliteStore } from '../../src/storage/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/binding.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-versions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const firstVersion = readFileSync(new URL('../fixtures/data-directory-1.sql', import.meta.url), 'utf8');

async function database(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  return new (await loadSqlite())(join(dataDir, 'ilk.db'));
}

/** What makes a layout: how tables and views were declared, and what `meta` knows. */
async function layoutOf(dataDir: string) {
  const opened = await database(dataDir);
  const tables = opened
    .prepare('SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name')
    .all();
  const version = opened.prepare("SELECT value FROM meta WHERE name = 'schema_version'").get();
  opened.close();
  const spaced = tables.map(({ name, sql }) => [name, String(sql).replaceAll(/\s+/g, ' ')]);
  return { tables: spaced, version: version?.['value'] };
}

test('a data directory of the first version opens, with its objects, its past and its revisions', async () => {
  const dataDir = join(folder, 'first');
  const old = await database(dataDir);
  old.exec(firstVersion);
  old.close();
  const storage = { kind: 'sqlite', dataDir } as const;
  for (const beds of [3, 4]) {
    await using server = await startServer({ storage, listen: false });
    const path = '/apis/example.com/v1/namespaces/default/gardens/roses';
    const answer = await server.fetch(path);
    const roses = JSON.parse(await answer.text());
    expect(roses.spec).toEqual({ beds });
    const body = JSON.stringify({ ...roses, spec: { beds: beds + 1 } });
    const headers = { 'content-type': 'application/json' };
    expect((await server.fetch(path, { method: 'PUT', headers, body })).status).toBe(200);
  }
});

test('its past can be watched', async () => {
  const dataDir = join(folder, 'past');
  const old = await database(dataDir);
  old.exec(firstVersion);
  old.close();
  const store = await openSqliteStore({ dataDir });
  const watch = store.watch({ start: '/registry/example.com/', end: '/registry/example.com0' }, { after: 3 });
  const { value } = await watch[Symbol.asyncIterator]().next();
  expect(value?.events.map(({ revision }: { revision: number }) => revision)).toEqual([4, 5]);
  await store.close();
});

/**
 * Whoever changes the layout meets this test. What an older Ilk can no longer read needs a higher `schemaVersion`, so that it
 * refuses the directory, and a fixture of its own here.
 */
test('a new data directory has the layout of the first version: an older Ilk opens it', async () => {
  const first = join(folder, 'layout of the first');
  const old = await database(first);
  old.exec(firstVersion);
  old.close();
  const now = join(folder, 'layout of now');
  await (await openSqliteStore({ dataDir: now })).close();
  expect(await layoutOf(now)).toEqual(await layoutOf(first));
});
