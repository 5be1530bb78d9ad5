import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, test, vi } from 'vitest';
import { limits } from '../../meta/index.ts';
import { startServer } from '../../server.ts';
import { FakeClock } from '../../testing/index.ts';
import { addAuthorizationFlags, authorizationChoice } from './authorization-config.ts';
import { encryptionChoice } from './encryption-flag.ts';
import { type Reloading, reloadMetrics } from './followed-file.ts';

/** Configuration files that are read again while a server runs. */

const folder = mkdtempSync(join(tmpdir(), 'ilk-reload-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The followed files of a server, with a clock that the test controls. */
function reloadingFiles() {
  const clock = new FakeClock();
  const said: string[] = [];
  const reloading: Reloading = {
    clock,
    timers: clock,
    metrics: reloadMetrics(),
    onReload: (text) => said.push(text),
    onTrouble: (error) => said.push(String(error)),
  };
  /** Writes a file, and waits for the report about it. */
  const change = async (path: string, text: string): Promise<string> => {
    const before = said.length;
    writeFileSync(path, text);
    clock.advance(limits.configPollMs);
    await vi.waitFor(() => expect(said.length).toBe(before + 1));
    return said.at(-1)?.replaceAll(folder, '') ?? '';
  };
  return { reloading, change, clock, said };
}

const secretOf = (key: string) => Buffer.from(key.repeat(32)).toString('base64');
const encryptionFile = (...keys: string[]) => `
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [configmaps]
    providers:
      - secretbox: {keys: [${keys.map((name) => `{name: ${name}, secret: ${secretOf(name)}}`).join(', ')}]}
`;

test('encryption: the next write goes by a new file; a bad one changes nothing', async () => {
  const { reloading, change } = reloadingFiles();
  const path = join(folder, 'encryption.yaml');
  writeFileSync(path, encryptionFile('a'));
  const flags = { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: true };
  const { encryption } = await encryptionChoice(flags, reloading);
  const maps = encryption?.transformerOf({ group: '', resource: 'configmaps' });
  const written = () => Buffer.from(maps?.write(Buffer.from('x'), '/k') ?? '');
  const prefixOf = (bytes: Buffer) => bytes.toString('latin1').slice(0, 24);
  const first = written();
  expect(prefixOf(first)).toBe('k8s:enc:secretbox:v1:a:'.padEnd(24, first.toString('latin1')[23]));

  const flag = '--encryption-provider-config /encryption.yaml';
  expect(await change(path, 'kind: Nothing')).toMatch(`Error: ${flag}: error while parsing file`);
  expect(prefixOf(written())).toContain(':v1:a:');
  expect(await change(path, encryptionFile('b', 'a'))).toBe(`${flag}: read again`);
  expect(prefixOf(written())).toContain(':v1:b:');
  expect(maps?.read(first, '/k')).toMatchObject({ stale: true });
  const metrics = await reloading.metrics.metrics();
  const reloads = 'apiserver_encryption_config_controller_automatic_reloads_total';
  expect(metrics).toMatch(new RegExp(`${reloads}\\{status="success",apiserver_id_hash="sha256:\\w+"\\} 1\n`));
  expect(metrics).toMatch(new RegExp(`${reloads}\\{status="failure",apiserver_id_hash="sha256:\\w+"\\} 1\n`));
});

test('encryption: without the second flag, the file is read once', async () => {
  const { reloading, clock, said } = reloadingFiles();
  const path = join(folder, 'once.yaml');
  writeFileSync(path, encryptionFile('a'));
  const { encryption } = await encryptionChoice({ encryptionProviderConfig: path }, reloading);
  writeFileSync(path, encryptionFile('b'));
  clock.advance(10 * limits.configPollMs);
  const maps = encryption?.transformerOf({ group: '', resource: 'configmaps' });
  expect(Buffer.from(maps?.write(Buffer.from('x'), '/k') ?? '').toString()).toContain(':v1:a:');
  expect(said).toEqual([]);
  await expect(
    encryptionChoice({ encryptionProviderConfigAutomaticReload: true }, reloading),
  ).rejects.toThrow('--encryption-provider-config-automatic-reload: wants --encryption-provider-config');
});

const authorizationFile = (...types: string[]) => `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers: [${types.map((type) => `{type: ${type}, name: ${type.toLowerCase()}}`).join(', ')}]
`;

test('authorization: the next request is judged by a new file; what it must not leave out, it must not add', async () => {
  const { reloading, change } = reloadingFiles();
  const path = join(folder, 'authorization.yaml');
  writeFileSync(path, authorizationFile('AlwaysDeny'));
  const flags = addAuthorizationFlags(new Command()).parse(['--authorization-config', path], {
    from: 'user',
  });
  const choice = await authorizationChoice(flags.opts(), reloading);
  await using server = await startServer({ listen: false, ...choice, metrics: [reloading.metrics] });
  const alice = server.as({ name: 'alice' });
  const statusOf = async () => (await alice.fetch('/api/v1/namespaces')).status;
  expect(await statusOf()).toBe(403);

  const flag = '--authorization-config /authorization.yaml';
  expect(await change(path, 'kind: Nothing')).toBe(
    `Error: ${flag}: want kind AuthorizationConfiguration of apiserver.config.k8s.io/v1`,
  );
  expect(await change(path, authorizationFile('AlwaysAllow'))).toBe(
    `Error: ${flag}: missing required types: [AlwaysDeny]`,
  );
  expect(await change(path, authorizationFile('RBAC', 'AlwaysDeny'))).toBe(
    `Error: ${flag}: authorizer type RBAC is not allowed if it was not enabled at initial server startup`,
  );
  expect(await statusOf()).toBe(403);
  expect(await change(path, authorizationFile('AlwaysAllow', 'AlwaysDeny'))).toBe(`${flag}: read again`);
  expect(await statusOf()).toBe(200);
  const scraped = await (await server.fetch('/metrics')).text();
  expect(scraped).toMatch(
    /^apiserver_authorization_config_controller_automatic_reloads_total\{status="failure",.*\} 3$/m,
  );
});

test('a missing file is reported once', async () => {
  const { reloading, clock, said } = reloadingFiles();
  const path = join(folder, 'gone.yaml');
  writeFileSync(path, encryptionFile('a'));
  const flags = { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: true };
  await encryptionChoice(flags, reloading);
  rmSync(path);
  for (let round = 0; round < 3; round += 1) {
    clock.advance(limits.configPollMs);
    await vi.waitFor(() => expect(said.length).toBe(1));
  }
  expect(said).toEqual([`Error: --encryption-provider-config ${path}: no such file or folder`]);
});
