import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { LogFile } from './log-file.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A log in a temporary folder, with 10 bytes per file and a clock under manual control. */
function open(options: { readonly backupsMax?: number; readonly ageMsMax?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  folders.push(folder);
  const clock = { ms: 0, now: () => clock.ms };
  const path = join(folder, 'logs', 'audit.log');
  const log = new LogFile({ path, bytesMax: 10, backupsMax: 0, ageMsMax: 0, clock, ...options });
  const files = () =>
    Object.fromEntries(
      readdirSync(join(folder, 'logs'))
        .sort()
        .map((name) => [name, readFileSync(join(folder, 'logs', name), 'utf8')]),
    );
  return { log, clock, path, files };
}

test('a line for each event, for the owner alone', async () => {
  const { log, path, files } = open();
  await log.write(['one', 'two']);
  await log.close();
  expect(files()).toEqual({ 'audit.log': 'one\ntwo\n' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('lines that are waited for are written together when the microtasks are done', async () => {
  const { log, files } = open();
  const writes = ['1', '2', '3', '4', '5', '6'].map((event) => log.write([event]));
  expect(files()).toEqual({ 'audit.log': '' });
  await Promise.all(writes);
  expect(Object.values(files())).toEqual(['1\n2\n3\n4\n5\n', '6\n']);
});

test('lines that are not awaited are written before awaited ones', async () => {
  const { log, files } = open();
  const arrival = log.write(['a'], false);
  await log.write(['b']);
  expect(files()).toEqual({ 'audit.log': 'a\nb\n' });
  await arrival;
});

test('lines that are not awaited are written at the end of the turn', async () => {
  const { log, files } = open();
  log.write(['a'], false);
  await new Promise((resolve) => process.nextTick(resolve));
  expect(files()).toEqual({ 'audit.log': '' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(files()).toEqual({ 'audit.log': 'a\n' });
});

test('closing writes what waits', async () => {
  const { log, files } = open();
  const writes = ['7', '8'].map((event) => log.write([event]));
  await log.close();
  await Promise.all(writes);
  expect(files()).toEqual({ 'audit.log': '7\n8\n' });
});

test('goes on in the file of an earlier run, and counts what is in it', async () => {
  const { log, clock, path, files } = open();
  await log.write(['123456']);
  await log.close();
  const next = new LogFile({ path, bytesMax: 10, backupsMax: 0, ageMsMax: 0, clock });
  await next.write(['ab', 'cd']);
  await next.close();
  expect(files()).toEqual({ 'audit-1970-01-01T00-00-00.000.log': '123456\nab\n', 'audit.log': 'cd\n' });
});

test('a file that would become too large is put aside under its moment', async () => {
  const { log, clock, files } = open();
  await log.write(['123456789']);
  clock.ms = 3_723_004;
  await log.write(['x']);
  await log.close();
  expect(files()).toEqual({ 'audit-1970-01-01T01-02-03.004.log': '123456789\n', 'audit.log': 'x\n' });
});

test('a line that is larger than a file has a file of its own', async () => {
  const { log, files } = open();
  await log.write(['a long line that fits nowhere', 'x']);
  await log.close();
  expect(Object.values(files())).toEqual(['a long line that fits nowhere\n', 'x\n']);
});

test('files of the same millisecond have names that follow each other', async () => {
  const { log, files } = open();
  await log.write(['123456789', '223456789', '323456789']);
  await log.close();
  expect(files()).toEqual({
    'audit-1970-01-01T00-00-00.000.log': '123456789\n',
    'audit-1970-01-01T00-00-00.001.log': '223456789\n',
    'audit.log': '323456789\n',
  });
});

test('of the files put aside, the newest are kept', async () => {
  const { log, files } = open({ backupsMax: 1 });
  await log.write(['123456789', '223456789', '323456789']);
  await log.close();
  expect(Object.values(files())).toEqual(['223456789\n', '323456789\n']);
});

test('files put aside too long ago are removed, those of others are not', async () => {
  const { log, clock, path, files } = open({ ageMsMax: 1_000 });
  const other = new LogFile({
    path: join(path, '..', 'audit-notes.log'),
    bytesMax: 10,
    backupsMax: 0,
    ageMsMax: 0,
    clock,
  });
  await other.write(['mine']);
  await other.close();
  await log.write(['123456789']);
  clock.ms = 1_000;
  await log.write(['223456789']);
  clock.ms = 2_001;
  await log.write(['323456789']);
  await log.close();
  expect(files()).toEqual({
    'audit-1970-01-01T00-00-02.001.log': '223456789\n',
    'audit-notes.log': 'mine\n',
    'audit.log': '323456789\n',
  });
});

test('a file that was moved away is created again', async () => {
  const { log, path, files } = open();
  await log.write(['123456789']);
  renameSync(path, `${path}.moved`);
  await log.write(['x']);
  await log.write(['y']);
  await log.close();
  expect(files()).toEqual({ 'audit.log': 'x\ny\n', 'audit.log.moved': '123456789\n' });
});

test('a rotation that fails loses its line alone, and is tried again', async () => {
  const { log, path, files } = open();
  await log.write(['123456789']);
  renameSync(join(path, '..'), join(path, '..', '..', 'away'));
  const failing = async (event: string) => log.write([event]);
  await expect(failing('x')).rejects.toThrow('ENOENT');
  await expect(failing('y')).rejects.toThrow('ENOENT');
  renameSync(join(path, '..', '..', 'away'), join(path, '..'));
  await log.write(['z']);
  await log.close();
  expect(Object.values(files())).toEqual(['123456789\n', 'z\n']);
});
