import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-backup-'));
const launcher = fileURLToPath(new URL('../../bin/ilk', import.meta.url));
const live = join(folder, 'live');
const file = join(folder, 'one.backup');
const widgets = 40;
let server: IlkServer;

beforeAll(async () => {
  buildIfMissing();
  server = await serve(live);
  for (let index = 0; index < widgets; index += 1) await create(server, `w-${index}`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const serve = (dataDir: string, crds = [widgetCrd]) =>
  startServer({ storage: { kind: 'sqlite', dataDir }, listen: false, crds });

async function create(on: IlkServer, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ...widget(name), spec: { color: 'blue' } });
  expect((await on.fetch(widgetsPath(), { method: 'POST', headers, body })).status).toBe(201);
}

async function listed(on: IlkServer) {
  return JSON.parse(await (await on.fetch(widgetsPath())).text());
}

/** Runs a command in another process. */
function ilk(args: readonly string[], input?: string | Uint8Array) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    ...(input !== undefined && { input }),
    maxBuffer: 1e9,
  });
  return { status, out: stdout.toString(), err: stderr.toString() };
}

test('a running server is backed up, and watches cannot resume wrongly after the restore', async () => {
  const { status, err } = ilk(['backup', '--data-dir', live, file]);
  expect([status, err]).toEqual([
    0,
    expect.stringMatching(
      /^ilk: wrote \d+ objects at revision \d+ and 0 files to \S+one\.backup, SHA-256 [\da-f]{64}\n$/,
    ),
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = await listed(server);
  await create(server, 'after-the-backup');
  const seen = (await listed(server)).metadata.resourceVersion;

  const target = join(folder, 'restored');
  expect(ilk(['restore', '--data-dir', target, file])).toEqual({
    status: 0,
    out: '',
    err: expect.stringMatching(
      /^ilk: restored \d+ objects of revision (\d+) and 0 files, of 20\S+Z\nilk: resourceVersions go on from 10\d+, above the old \1: clients list again\n$/,
    ),
  });
  const restored = await serve(target, []);
  try {
    // Each object is as it was, its resourceVersion included: a client may go on to update what it has read.
    expect((await listed(restored)).items).toEqual(before.items);
    // Whoever has seen a moment that the backup does not have must list again.
    const watch = await restored.fetch(`${widgetsPath()}?watch=true&resourceVersion=${seen}`);
    expect(await watch.text()).toContain('"code":410');
    await create(restored, 'new');
    expect(Number((await listed(restored)).metadata.resourceVersion)).toBeGreaterThan(Number(seen));
  } finally {
    await restored.close();
  }
});

test('goes through pipes', async () => {
  const { out } = ilk(['backup', '--data-dir', live, '-']);
  const target = join(folder, 'piped');
  expect(ilk(['restore', '--data-dir', target, '-'], out).status).toBe(0);
  const restored = await serve(target, []);
  expect((await listed(restored)).items).toEqual((await listed(server)).items);
  await restored.close();
});

describe('what is refused, and leaves nothing behind', () => {
  const restore = (dataDir: string, source: string) => {
    const { status, err } = ilk(['restore', '--data-dir', dataDir, source]);
    return [status, err];
  };

  test('a file that is there', () => {
    const text = readFileSync(file, 'utf8');
    expect(ilk(['backup', '--data-dir', live, file])).toMatchObject({
      status: 1,
      err: `ilk: ${file} is there already: nothing is replaced\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('a directory with a database, and one that a server has', () => {
    expect(restore(live, file)).toEqual([1, `ilk: the data directory ${live} is in use by another Ilk\n`]);
    const target = join(folder, 'restored');
    expect(restore(target, file)).toEqual([1, `ilk: ${target} has a database already\n`]);
  });

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), /^ilk: the backup is cut off/],
    [
      'changed',
      (bytes: Buffer) => Buffer.from(bytes.toString().replace('"blue', '"grue')),
      /^ilk: the backup is damaged: line \d+ is not JSON|its checksum is another one/,
    ],
    [
      'no backup',
      () => Buffer.from('kind: Widget\n'),
      /^ilk: this is no backup of Ilk: its first line is not JSON\n$/,
    ],
  ])('a file that is %s; the directory can be restored into afterwards', (name, change, message) => {
    const bad = join(folder, `${name}.backup`);
    const target = join(folder, `from ${name}`);
    writeFileSync(bad, change(readFileSync(file)));
    expect(ilk(['restore', '--check', bad])).toMatchObject({
      status: 1,
      err: expect.stringMatching(message),
    });
    expect(restore(target, bad)).toEqual([1, expect.stringMatching(message)]);
    expect(readdirSync(target)).toEqual(['ilk.lock']);
    expect(restore(target, file)[0]).toBe(0);
  });

  test('files that lead out of the data directory', () => {
    const head = '{"ilkBackup":1,"revision":7,"created":""}\n{"file":"pki/../../evil","text":""}\n';
    const sha256 = spawnSync('sha256sum', { input: head }).stdout.toString().split(' ')[0];
    const target = join(folder, 'lured');
    const { status, err } = ilk(
      ['restore', '--data-dir', target, '-'],
      `${head}{"records":0,"files":1,"sha256":"${sha256}"}\n`,
    );
    expect([status, err]).toEqual([
      1,
      'ilk: the backup has a file that does not belong into it: "pki/../../evil"\n',
    ]);
    expect(existsSync(join(folder, '..', 'evil'))).toBe(false);
    expect(readdirSync(target)).toEqual(['ilk.lock']);
  });
});

/** Kills a command when a file has come. */
async function killAt(
  args: readonly string[],
  path: () => string | undefined,
  input?: Buffer,
): Promise<void> {
  const child = spawn(process.execPath, [launcher, ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Not to its end: the command waits for more.
  if (input !== undefined) child.stdin.write(input);
  const closed = once(child, 'close');
  while (path() === undefined && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await closed;
  expect(child.signalCode).toBe('SIGKILL');
}

test('a restore that is killed leaves no database, and can be run again', async () => {
  const target = join(folder, 'killed');
  const unfinished = join(target, 'ilk.db.unfinished');
  const bytes = readFileSync(file);
  await killAt(
    ['restore', '--data-dir', target, '-'],
    () => (existsSync(unfinished) ? unfinished : undefined),
    bytes.subarray(0, bytes.length - 200),
  );
  expect(existsSync(join(target, 'ilk.db'))).toBe(false);
  expect(ilk(['restore', '--data-dir', target, file]).status).toBe(0);
  const restored = await serve(target, []);
  expect((await listed(restored)).items).toHaveLength(widgets);
  await restored.close();
});

test('a backup that is killed is not there, and can be made again', async () => {
  const target = join(folder, 'killed.backup');
  const part = () => readdirSync(folder).find((name) => name.startsWith('killed.backup.'));
  // Its files are read through a pipe without a writer: it never ends.
  spawnSync('mkdir', ['-p', join(live, 'pki')]);
  spawnSync('mkfifo', [join(live, 'pki', 'endless')]);
  await killAt(['backup', '--data-dir', live, target], part);
  rmSync(join(live, 'pki'), { recursive: true });
  expect(existsSync(target)).toBe(false);
  expect(ilk(['backup', '--data-dir', live, target]).status).toBe(0);
  expect(ilk(['restore', '--check', target]).status).toBe(0);
});

describe.skipIf(etcdBinaries.length === 0)('between kinds of storage', () => {
  test('a data directory goes into an etcd, and back', async () => {
    await using etcd = await EtcdProcess.start();
    const flags = ['--etcd-servers', etcd.url, '--data-dir', join(folder, 'no-certificates')];
    expect(ilk(['restore', ...flags, '--bump-revisions', '50', file])).toMatchObject({ status: 0 });
    expect(ilk(['restore', ...flags, '--bump-revisions', '60', file])).toMatchObject({ status: 0 });
    const back = join(folder, 'from-etcd.backup');
    expect(ilk(['backup', ...flags, back])).toMatchObject({ status: 0 });
    const contents = (path: string) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{"key"'))
        .map((line) => line.replace(/"revision":\d+,/, ''));
    expect(contents(back)).toEqual(contents(file));
  });
});
