import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemTimers } from '../../meta/index.ts';
import { FileRevocations } from './file-revocations.ts';
import { changeIssuedUsers, readIssuedUsers } from './issued-users.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-issued-'));
afterAll(() => rmSync(folder, { recursive: true }));

const alice = {
  name: 'alice',
  groups: ['dev'],
  fingerprint: 'ab12',
  expires: '2030-01-01T00:00:00.000Z',
  bindings: [],
};
const removed = { ...alice, removed: '2026-01-01T00:00:00.000Z' };

test('a missing file has no users; changes are applied in order', async () => {
  const path = join(folder, 'users.json');
  expect(await readIssuedUsers(path)).toEqual([]);
  await changeIssuedUsers(path, (users) => [...users, alice]);
  expect(await readIssuedUsers(path)).toEqual([alice]);
  const failing = changeIssuedUsers(path, () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await readIssuedUsers(path)).toEqual([alice]);
  await changeIssuedUsers(path, async () => {
    await expect(changeIssuedUsers(path, () => [])).rejects.toThrow('another command changes the users');
    return [removed];
  });
  expect(await readIssuedUsers(path)).toEqual([removed]);
});

test('revocations follow the file; an unreadable file keeps the last ones', async () => {
  const path = join(folder, 'live.json');
  let nowMs = 0;
  const troubles: string[] = [];
  const options = {
    clock: { now: () => nowMs },
    timers: systemTimers,
    onTrouble: (error: unknown) => void troubles.push(String(error)),
  };
  const revocations = new FileRevocations(path, options);
  expect(revocations.isRevoked('ab12')).toBe(false);
  await changeIssuedUsers(path, () => [removed]);
  nowMs += 50;
  expect(revocations.isRevoked('ab12')).toBe(true);
  writeFileSync(path, '{');
  nowMs += 50;
  expect(revocations.isRevoked('ab12')).toBe(true);
  expect(troubles).toEqual([expect.stringContaining('live.json is damaged')]);
  expect(() => new FileRevocations(path, options)).toThrow('is damaged');
  rmSync(path);
  nowMs += 50;
  expect(revocations.isRevoked('ab12')).toBe(true);
});

test.each(['[]', '{"users": [{}]}', '{"users": 1}'])('%s is not a list of users', async (text) => {
  const path = join(folder, 'bad.json');
  writeFileSync(path, text);
  await expect(readIssuedUsers(path)).rejects.toThrow('bad.json is damaged');
});
