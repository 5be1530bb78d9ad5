import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { prefixRange, type Store } from '../store.ts';
import { bytes, failure, take, text, write } from '../suite/context.ts';
import { storeSuite } from '../suite.ts';
import { loadSqlite } from './binding.ts';
import { openDatabase } from './open-database.ts';
import { snapshotDirectory } from './snapshot-directory.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newDirectory = (): string => mkdtempSync(join(folder, 'data-'));

/** Opens the database file beside the store, as `sqlite3` would. */
async function look<T>(dataDir: string, inside: (database: DatabaseSync) => T): Promise<T> {
  const Database = await loadSqlite();
  const database = new Database(join(dataDir, 'ilk.db'));
  try {
    return inside(database);
  } finally {
    database.close();
  }
}

const refusal = async (dataDir: string): Promise<[string, string]> => {
  const { code, message } = await failure(openSqliteStore({ dataDir }));
  return [code, message];
};

storeSuite({ name: 'sqlite', open: () => openSqliteStore({ dataDir: newDirectory() }) });

describe('a data directory', () => {
  test('is made where it is missing, and private', async () => {
    const dataDir = join(newDirectory(), 'not', 'there');
    const store = await openSqliteStore({ dataDir });
    expect([await store.revision(), await store.compactRevision()]).toEqual([1, 1]);
    await store.close();
    const modes = ['', 'ilk.db', 'ilk.lock'].map((name) => statSync(join(dataDir, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  test('keeps records, revisions and the past', async () => {
    const dataDir = newDirectory();
    const first = await openSqliteStore({ dataDir });
    const one = await write(first, '/a', 'one');
    const two = await write(first, '/a', 'two', one);
    const three = await write(first, '/b', 'gone');
    const four = await write(first, '/b', null, three);
    await first.compact(two);
    await first.close();

    const again = await openSqliteStore({ dataDir });
    expect([await again.revision(), await again.compactRevision()]).toEqual([four, two]);
    expect(text((await again.get('/a')).record?.value)).toBe('two');
    expect(text((await again.get('/b', { revision: three })).record?.value)).toBe('gone');
    const watch = again.watch(prefixRange('/'), { after: two });
    const events = await take(watch[Symbol.asyncIterator](), 2);
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['put', three],
      ['delete', four],
    ]);
    await again.close();
  });

  test('belongs to one store at a time', async () => {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    expect(await refusal(dataDir)).toEqual([
      'refused',
      `the data directory ${dataDir} is in use by another Ilk`,
    ]);
    await write(store, '/a', 'still works');
    await store.close();
    await (await openSqliteStore({ dataDir })).close();
  });

  test('of a newer version is refused, and left as it is', async () => {
    const dataDir = newDirectory();
    await (await openSqliteStore({ dataDir })).close();
    await look(dataDir, (database) =>
      database.exec("UPDATE meta SET value = 7 WHERE name = 'schema_version'"),
    );
    const sentence = `${join(dataDir, 'ilk.db')} was written by a newer version of Ilk: its schema version is 7, this Ilk knows up to 1`;
    expect(await refusal(dataDir)).toEqual(['refused', sentence]);
    expect(await refusal(dataDir)).toEqual(['refused', sentence]);
  });

  test('with the file of another program is refused, and left unchanged', async () => {
    const dataDir = newDirectory();
    const path = join(dataDir, 'ilk.db');
    const notOurs = ['refused', `${path} is not a database of Ilk`];
    await look(dataDir, (database) => database.exec('CREATE TABLE meta (song TEXT)'));
    expect(await refusal(dataDir)).toEqual(notOurs);
    expect(existsSync(`${path}-wal`)).toBe(false);
    writeFileSync(path, 'this is a letter to my aunt, and no database at all; '.repeat(50));
    expect(await refusal(dataDir)).toEqual(notOurs);
  });

  test('that is a file, or where nothing can be made, is refused', async () => {
    const file = join(newDirectory(), 'file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'below'), '/proc/ilk']) {
      const [code, message] = await refusal(dataDir);
      expect(code).toBe('refused');
      expect(message).toMatch(`the data directory ${dataDir} cannot be `);
    }
  });

  test('whose database cannot be opened is refused', async () => {
    const dataDir = newDirectory();
    mkdirSync(join(dataDir, 'ilk.db'));
    const [code, message] = await refusal(dataDir);
    expect([code, message]).toEqual([
      'refused',
      expect.stringContaining(`${dataDir}/ilk.db cannot be opened: `),
    ]);
    rmSync(join(dataDir, 'ilk.db'), { recursive: true });
    // The refusal let go of the directory.
    await (await openSqliteStore({ dataDir })).close();
  });

  test('can be looked into while it is in use', async () => {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    await write(store, '/a', '{"kind":"Widget"}');
    const rows = await look(dataDir, (database) => database.prepare('SELECT * FROM objects').all());
    expect(rows.map((row) => ({ ...row }))).toEqual([{ key: '/a', revision: 2, value: '{"kind":"Widget"}' }]);
    await write(store, '/b', 'x');
    await store.close();
  });
});

describe('the write-ahead log', () => {
  /** A copy of a data directory whose process was killed with its last writes in the log. */
  async function killedCopy(): Promise<string> {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    await write(store, '/a', 'one');
    const copy = newDirectory();
    cpSync(dataDir, copy, { recursive: true });
    await store.close();
    return copy;
  }

  test('is empty after a clean end: ilk.db alone is a complete copy', async () => {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    const one = await write(store, '/a', 'one');
    await store.close();
    const wal = join(dataDir, 'ilk.db-wal');
    expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
    const copy = newDirectory();
    copyFileSync(join(dataDir, 'ilk.db'), join(copy, 'ilk.db'));
    const again = await openSqliteStore({ dataDir: copy });
    expect((await again.get('/a')).record).toMatchObject({ modRevision: one, value: bytes('one') });
    expect(await again.revision()).toBe(one);
    await again.close();
  });

  test('that a killed process has left is read again', async () => {
    const again = await openSqliteStore({ dataDir: await killedCopy() });
    expect(text((await again.get('/a')).record?.value)).toBe('one');
    await again.close();
  });

  test('that is missing is noticed', async () => {
    const dataDir = await killedCopy();
    const path = join(dataDir, 'ilk.db');
    rmSync(`${path}-wal`);
    const sentence =
      `${path} is incomplete: the last writes are in ${path}-wal, which is missing; put it back, ` +
      'restore a backup, or go on with what there is by --accept-missing-wal';
    expect(await refusal(dataDir)).toEqual(['refused', sentence]);
    writeFileSync(`${path}-wal`, '');
    expect(await refusal(dataDir)).toEqual(['refused', sentence]);
    await expect(snapshotDirectory(dataDir, newDirectory())).rejects.toThrow(sentence);

    const store = await openSqliteStore({ dataDir, acceptMissingWal: true });
    const revision = await store.revision();
    // Above everything that the lost log can have held; and who has seen a lost revision must list again.
    expect(revision).toBeGreaterThan(1_000_000);
    expect((await failure(store.list(prefixRange('/'), { revision: 2 }))).code).toBe('compacted');
    expect(await write(store, '/a', 'two')).toBe(revision + 1);
    await store.close();
    const again = await openSqliteStore({ dataDir });
    expect(await again.revision()).toBe(revision + 1);
    await again.close();
  });

  test('that was brought into the database by sqlite3 is not missed', async () => {
    const dataDir = await killedCopy();
    await look(dataDir, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    rmSync(join(dataDir, 'ilk.db-wal'), { force: true });
    const again = await openSqliteStore({ dataDir });
    expect(text((await again.get('/a')).record?.value)).toBe('one');
    await again.close();
  });

  test('of another database is noticed', async () => {
    const dataDir = newDirectory();
    for (let round = 0; round < 3; round++) {
      const store = await openSqliteStore({ dataDir });
      await write(store, `/${round}`, 'x');
      await store.close();
    }
    const older = await killedCopy();
    const path = join(dataDir, 'ilk.db');
    copyFileSync(join(older, 'ilk.db-wal'), `${path}-wal`);
    const [code, message] = await refusal(dataDir);
    expect([code, message]).toEqual([
      'refused',
      expect.stringContaining(`${path}-wal is not the write-ahead log of ${path}, but of another copy; `),
    ]);
    const store = await openSqliteStore({ dataDir, acceptMissingWal: true });
    expect((await store.list(prefixRange('/'))).count).toBe(3);
    expect(existsSync(`${path}-wal.1`)).toBe(true);
    await store.close();
  });

  test('is copied into the database when it has grown', async () => {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    for (let index = 0; index < 30; index++) {
      await store.commit({ key: `/${index}`, value: new Uint8Array(500_000), expect: 0 });
    }
    expect(statSync(join(dataDir, 'ilk.db')).size).toBeGreaterThan(8_000_000);
    expect(statSync(join(dataDir, 'ilk.db-wal')).size).toBeLessThan(8_000_000);
    await store.close();
  });
});

describe('durability', () => {
  test('each transaction waits for the disk', async () => {
    const Database = await loadSqlite();
    const database = openDatabase(join(newDirectory(), 'ilk.db'), { Database, maxBytes: undefined });
    const setting = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
    // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
    expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', 2]);
    database.close();
  });

  test('concurrent commits share one transaction', async () => {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    const before = transactions(dataDir);
    await Promise.all(Array.from({ length: 100 }, (_, index) => write(store, `/${index}`, 'x')));
    expect(transactions(dataDir) - before).toBe(1);
    await write(store, '/alone', 'x');
    expect(transactions(dataDir) - before).toBe(2);
    await store.close();
  });

  test('an error in a batch fails all of it, writes nothing, and is no end', async () => {
    const store = await openSqliteStore({ dataDir: newDirectory(), maxBytes: 1_000_000 });
    const head = await write(store, '/before', 'x');
    const messages = store.watch(prefixRange('/'), { after: head })[Symbol.asyncIterator]();
    const large = new Uint8Array(100_000).fill(1);
    const batch = Array.from({ length: 20 }, (_, index) =>
      failure(store.commit({ key: `/large/${index}`, value: large, expect: 0 })),
    );
    const errors = await Promise.all(batch);
    expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual(
      errors.map(() => 'no-space: cannot write: database or disk is full'),
    );
    expect(await store.revision()).toBe(head);
    expect((await store.list(prefixRange('/'))).count).toBe(1);
    expect(await write(store, '/after', 'x')).toBe(head + 1);
    expect(await take(messages, 1)).toMatchObject([{ key: '/after', revision: head + 1 }]);
    await store.close();
  });

  test('a failure in the middle of a batch takes back what the batch had done', async () => {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    // Somebody with `sqlite3` takes the revision that the second commit will want.
    const stranger =
      "INSERT INTO log (revision, key, previous, deleted, value) VALUES (3, '/stranger', 0, 0, x'00')";
    await look(dataDir, (database) => database.exec(stranger));
    const errors = await Promise.all(['/a', '/b'].map((key) => failure(write(store, key, 'x'))));
    expect(errors.map(({ code, message }) => [code, message])).toEqual(
      errors.map(() => ['unavailable', 'cannot write: UNIQUE constraint failed: log.revision']),
    );
    expect([await store.revision(), (await store.get('/a')).record]).toEqual([1, undefined]);
    await look(dataDir, (database) => database.exec('DELETE FROM log'));
    expect(await Promise.all(['/a', '/b'].map((key) => write(store, key, 'x')))).toEqual([2, 3]);
    await store.close();
  });

  test('a full database takes writes again once something was forgotten', async () => {
    const store = await openSqliteStore({ dataDir: newDirectory(), maxBytes: 1_000_000 });
    const last = await fill(store);
    const value = new Uint8Array(20_000);
    expect((await failure(store.commit({ key: '/a', value, expect: last }))).code).toBe('no-space');
    expect((await failure(store.health())).code).toBe('no-space');
    await store.compact(last);
    await store.health();
    expect(await store.commit({ key: '/a', value, expect: last })).toEqual({ ok: true, revision: last + 1 });
    await store.close();
  });
});

/**
 * How many transactions stand in the write-ahead log: a header of 32 bytes, then frames of 24 bytes and a page, of which
 * the last one of a transaction tells the size of the database. https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
function transactions(dataDir: string): number {
  const log = readFileSync(join(dataDir, 'ilk.db-wal'));
  const frameBytes = 24 + log.readUInt32BE(8);
  let count = 0;
  const salt = log.subarray(16, 24);
  for (let at = 32; at < log.length; at += frameBytes) {
    // Frames of an earlier use of the file follow those of this one.
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) > 0) count++;
  }
  return count;
}

/** Updates one key until there is no room left; gives the last revision. */
async function fill(store: Store): Promise<number> {
  let last = 0;
  for (;;) {
    const commit = { key: '/a', value: new Uint8Array(20_000), expect: last };
    const result = await store.commit(commit).catch(() => undefined);
    if (!result?.ok) return last;
    last = result.revision;
  }
}

describe('compaction', () => {
  test('leaves one row for each record and for each change that can still be watched', async () => {
    const dataDir = newDirectory();
    const store = await openSqliteStore({ dataDir });
    const updates = Array.from({ length: 1_500 }, (_, index) =>
      write(store, '/a', `${index}`, index === 0 ? 0 : index + 1),
    );
    const last = Math.max(...(await Promise.all(updates)));
    const gone = await write(store, '/gone', 'x');
    await write(store, '/gone', null, gone);
    const head = await write(store, '/kept', 'x');
    await store.compact(head);
    await store.close();
    const rows = await look(dataDir, (database) => database.prepare('SELECT revision, key FROM log').all());
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { revision: last, key: '/a' },
      { revision: head, key: '/kept' },
    ]);
  });

  test('keeps the change of the compacted revision, with what it replaced', async () => {
    const store = await openSqliteStore({ dataDir: newDirectory() });
    const one = await write(store, '/a', 'first');
    const two = await write(store, '/a', 'second', one);
    await store.compact(two);
    const [event] = await take(store.watch(prefixRange('/'), { after: one })[Symbol.asyncIterator](), 1);
    expect(event).toMatchObject({
      revision: two,
      previous: { key: '/a', value: bytes('first'), modRevision: one },
    });
    await store.close();
  });

  test('keeps the revision of a store whose last change was a delete', async () => {
    const dataDir = newDirectory();
    const first = await openSqliteStore({ dataDir });
    const one = await write(first, '/a', 'x');
    const two = await write(first, '/a', null, one);
    await first.compact(two);
    await first.close();
    const again = await openSqliteStore({ dataDir });
    expect(await again.revision()).toBe(two);
    expect(await write(again, '/a', 'y')).toBe(two + 1);
    await again.close();
  });
});

test('reads take no turn of the event loop', async () => {
  const store = await openSqliteStore({ dataDir: newDirectory() });
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  await store.revision();
  await store.get('/a');
  await store.list(prefixRange('/'));
  expect(turned).toBe(false);
  await store.close();
});

test('values come back in buffers of exactly their size', async () => {
  const store = await openSqliteStore({ dataDir: newDirectory() });
  await store.commit({ key: '/a', value: Buffer.from('pooled'), expect: 0 });
  await store.commit({ key: '/b', value: bytes('x'), expect: 0 });
  const { records } = await store.list(prefixRange('/'));
  expect(records.map(({ value }) => value.buffer.byteLength)).toEqual([6, 1]);
  await store.close();
});
