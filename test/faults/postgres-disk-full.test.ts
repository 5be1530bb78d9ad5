import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import {
  PostgresProcess,
  postgresBin,
  postgresUser,
} from '../../src/storage/postgres/postgres-process.test-support.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';
import { inProcess } from './clients.ts';

/** A file system of its own; undefined where this process may not mount one. */
function smallDisk(): (Disposable & { readonly path: string }) | undefined {
  const path = mkdtempSync(join(tmpdir(), 'ilk-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  chownSync(path, postgresUser(), postgresUser());
  const unmount = () => {
    execFileSync('umount', [path]);
    rmSync(path, { recursive: true });
  };
  return { path, [Symbol.dispose]: unmount };
}

test.skipIf(postgresBin === undefined)('PostgreSQL has no room, and then it has', async ({ skip }) => {
  using disk = smallDisk();
  if (disk === undefined) return skip('only root can make a small disk');
  await using postgres = await PostgresProcess.start();
  await postgres.query(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
  await postgres.query('CREATE DATABASE small TABLESPACE small');
  await using server = await startServer({
    storage: { kind: 'postgres', url: postgres.url('small') },
    listen: false,
    crds: [widgetCrd],
    onTrouble: () => {},
  });
  const { call } = inProcess(() => server);
  const filler = 'x'.repeat(30_000);
  const make = (name: string) =>
    call('POST', widgetsPath(), widget(name, {}, { annotations: { filler: `${name}${filler}` } }));
  const ready = async () => {
    const { code, body } = await call('GET', '/readyz/postgres');
    return [code, body.message];
  };
  expect((await make('first')).code).toBe(201);
  await postgres.query('CREATE TABLE filler (text text) TABLESPACE small');
  const fill = `INSERT INTO filler SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 1000) i, generate_series(1, 200) j GROUP BY j`;
  const full = async (): Promise<string> => {
    for (;;) {
      const failed = await postgres.query(fill).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (failed !== undefined) return failed;
    }
  };
  expect(await full()).toContain('No space left on device');

  // Some objects still fit into pages that are there.
  let refused = await make('more-0');
  for (let index = 1; refused.code === 201; index++) refused = await make(`more-${index}`);
  const text = /could not extend file "[^"]+": No space left on device/;
  expect([refused.code, refused.body.message]).toEqual([500, expect.stringMatching(text)]);
  expect(await ready()).toEqual([500, expect.stringMatching(text)]);
  expect((await call('GET', `${widgetsPath()}/first`)).code).toBe(200);

  await postgres.query('DROP TABLE filler');
  expect(await ready()).toEqual([200, 'ok']);
  expect((await make('last')).code).toBe(201);
});
