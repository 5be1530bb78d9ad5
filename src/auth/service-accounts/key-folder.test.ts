import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KeyFolder } from './key-folder.ts';
import { readVerifyingKeys } from './signing-keys.ts';

const root = mkdtempSync(join(tmpdir(), 'ilk-keys-'));
afterAll(() => rmSync(root, { recursive: true }));

const day = 24 * 60 * 60 * 1000;

test('creates a key on first use and a new one after 90 days; old ones still verify', async () => {
  const folder = join(root, 'keys');
  let nowMs = Date.UTC(2026, 0, 1);
  const keys = new KeyFolder(folder, { now: () => nowMs });
  const first = await keys.signer();
  expect(first.algorithm).toBe('RS256');
  expect(readdirSync(folder)).toEqual([`${nowMs}.key`]);
  expect(statSync(join(folder, `${nowMs}.key`)).mode & 0o777).toBe(0o600);
  nowMs += 90 * day + 1;
  expect((await keys.signer()).id).toBe(first.id);
  expect((await keys.all()).map(({ id }) => id === first.id)).toEqual([false, true]);
  nowMs += 3_600_000;
  const second = await keys.signer();
  expect(second.id).not.toBe(first.id);
  const again = new KeyFolder(folder, { now: () => nowMs });
  expect((await again.signer()).id).toBe(second.id);
  rmSync(join(folder, readdirSync(folder).sort()[0] ?? ''));
  nowMs += 1_000;
  expect((await keys.all()).map(({ id }) => id)).toEqual([second.id]);
});

test('the error names a file that is not a key', async () => {
  const folder = join(root, 'bad');
  const keys = new KeyFolder(folder, { now: () => 0 });
  await keys.signer();
  writeFileSync(join(folder, '7.key'), 'nonsense');
  const others = new KeyFolder(folder, { now: () => 0 });
  await expect(others.all()).rejects.toThrow('7.key cannot be used as a key');
  expect(() => readVerifyingKeys('nonsense')).toThrow('there is no key in it');
});
