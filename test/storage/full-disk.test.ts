import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { buildIfMissing, IlkProcess } from '../fixtures/ilk-process.ts';

const root = mkdtempSync(join(tmpdir(), 'ilk-full-'));
const mounted: string[] = [];

/** A small disk in memory; undefined where this user may not mount one. */
function smallDisk(kilobytes: number): string | undefined {
  const folder = mkdtempSync(join(root, 'disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'none', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  mounted.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of mounted) execFileSync('umount', ['-l', folder]);
  rmSync(root, { recursive: true, force: true });
});

const probe = smallDisk(64);
// Only root may mount; CI as another user skips only this.
if (probe === undefined) test.skip('a full disk (skipped: this user may not mount a small one)');

describe.skipIf(probe === undefined)('a full disk', () => {
  beforeAll(buildIfMissing);

  function fill(disk: string): void {
    // The last bytes one by one: a large write is refused as a whole.
    for (const bytes of [1_000_000, 100_000, 4_096]) {
      for (let count = 0; count < 300; count++) {
        try {
          writeFileSync(join(disk, `fill-${bytes}-${count}`), Buffer.alloc(bytes));
        } catch {
          rmSync(join(disk, `fill-${bytes}-${count}`), { force: true });
          break;
        }
      }
    }
  }

  test('fails /readyz until there is room again', async () => {
    const disk = smallDisk(4_096) ?? '';
    const dataDir = join(disk, 'data');
    await using server = await startServer({ storage: { kind: 'sqlite', dataDir }, listen: false });
    const create = async (name: string) => {
      const object = { metadata: { name }, data: { text: 'x'.repeat(100_000) } };
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const path = '/api/v1/namespaces/default/configmaps';
      const answer = await server.fetch(path, { ...init, body: JSON.stringify(object) });
      return { code: answer.status, text: await answer.text() };
    };
    expect((await create('before')).code).toBe(201);
    fill(disk);
    let answer = await create('a-0');
    for (let count = 1; count < 100 && answer.code === 201; count++) answer = await create(`a-${count}`);
    expect(answer).toMatchObject({ code: 500, text: expect.stringContaining('database or disk is full') });
    const ready = await server.fetch('/readyz/storage');
    expect([ready.status, await ready.text()]).toEqual([
      500,
      'internal server error: cannot write: database or disk is full\n',
    ]);
    expect((await server.fetch('/readyz')).status).toBe(500);
    expect((await server.fetch('/livez')).status).toBe(200);
    rmSync(join(disk, 'fill-1000000-0'));
    expect((await server.fetch('/readyz')).status).toBe(200);
    expect((await create('after')).code).toBe(201);
  });

  test('at start is said in one line that names the file', async () => {
    for (const [kilobytes, file] of [
      [16, 'pki/'],
      [24, 'ilk.lock'],
      [100, 'ilk.db'],
    ] as const) {
      const dataDir = join(smallDisk(kilobytes) ?? '', 'data');
      mkdirSync(dataDir);
      const child = new IlkProcess(['serve', '--secure-port=0', `--data-dir=${dataDir}`]);
      const { code, err } = await child.ended();
      const line = new RegExp(`^ilk: [^\\n]*${dataDir}/${file}[^\\n]*(ENOSPC|disk is full)[^\\n]*\\n$`);
      expect([code, err]).toEqual([1, expect.stringMatching(line)]);
      expect(existsSync(join(dataDir, 'admin.kubeconfig'))).toBe(false);
    }
  });
});
