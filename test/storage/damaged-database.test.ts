import { closeSync, cpSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '../../src/storage/suite/random.ts';
import { systemClock } from '../../src/meta/index.ts';
import { openStorage } from '../../src/server/open-storage.ts';
import { startServer } from '../../src/server.ts';
import { prefixRange } from '../../src/storage/index.ts';
import { buildIfMissing, IlkProcess } from '../fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

beforeAll(buildIfMissing);
const root = mkdtempSync(join(tmpdir(), 'ilk-damaged-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pageBytes = 4096;
const jsonType = { 'content-type': 'application/json' };

/** A data directory of a server that was closed. */
async function filledDirectory(name: string): Promise<string> {
  const dataDir = join(root, name);
  const server = await startServer({
    storage: { kind: 'sqlite', dataDir },
    crds: [widgetCrd],
    listen: false,
  });
  for (let index = 0; index < 40; index++) {
    const body = JSON.stringify(widget(`w-${index}`, { size: index }));
    await server.fetch(widgetsPath(), { method: 'POST', body, headers: jsonType });
  }
  await server.close();
  return dataDir;
}

/** Noise over one page; the header of the first page stays, so that SQLite takes the file for a database. */
function damage(file: string, page: number): void {
  const random = randomFrom(page + 1);
  const from = page === 0 ? 100 : 0;
  const noise = Buffer.from(Array.from({ length: pageBytes - from }, () => random.below(256)));
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, noise, 0, noise.length, page * pageBytes + from);
  closeSync(descriptor);
}

/** A copy of a data directory with noise over one page. */
function damagedCopy(whole: string, page: number): string {
  const dataDir = join(root, `page-${page}`);
  cpSync(whole, dataDir, { recursive: true });
  damage(join(dataDir, 'ilk.db'), page);
  return dataDir;
}

test('a database with a damaged page is refused in one sentence that names the file, whichever page it is', async () => {
  const whole = await filledDirectory('whole');
  const pages = statSync(join(whole, 'ilk.db')).size / pageBytes;
  expect(pages).toBeGreaterThan(8);
  for (let page = 0; page < pages; page++) {
    const dataDir = damagedCopy(whole, page);
    const refusal = startServer({ storage: { kind: 'sqlite', dataDir }, listen: false });
    await expect(refusal).rejects.toThrow(`${join(dataDir, 'ilk.db')} is damaged, restore a backup: `);
  }
  const child = new IlkProcess(['serve', '--secure-port=0', `--data-dir=${join(root, 'page-4')}`]);
  const { code, err } = await child.ended();
  expect([code, err]).toEqual([1, expect.stringMatching(/^ilk: \S+ilk\.db is damaged, [^\n]*\n$/)]);
});

test('a database that is damaged while a server runs fails the check behind /readyz', async () => {
  const dataDir = join(root, 'at-work');
  cpSync(await filledDirectory('for-work'), dataDir, { recursive: true });
  const file = join(dataDir, 'ilk.db');
  const storage = await openStorage({ kind: 'sqlite', dataDir }, { clock: systemClock, onTrouble: () => {} });
  await storage.check();
  // A page that SQLite has read already stays in its cache.
  for (let page = 3; page < statSync(file).size / pageBytes; page++) damage(file, page);
  await expect(storage.store.list(prefixRange('/'))).rejects.toMatchObject({ code: 'damaged' });
  const sentence = `${file} is damaged, restore a backup: cannot read: database disk image is malformed`;
  await expect(storage.check()).rejects.toThrow(sentence);
  expect((await storage.damaged).message).toBe(sentence);
  await storage.store.close();
});
