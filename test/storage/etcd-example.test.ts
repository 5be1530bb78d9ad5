import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etcdBinaries, freePorts } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

const example = fileURLToPath(new URL('../../examples/etcd', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ilk-etcd-example-'));
const pki = join(folder, 'pki');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const children: ChildProcess[] = [];
beforeAll(buildIfMissing);
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The words of the command that a unit runs. */
function commandOf(unit: string): string[] {
  const text = readFileSync(join(example, 'systemd', unit), 'utf8').replaceAll('\\\n', ' ');
  return /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(/\s+/) ?? [];
}

/** The flags of a unit, for a machine that has everything in one folder and one address. */
function flagsOf(unit: string, changes: readonly (readonly [RegExp, string])[]): string[] {
  const [, ...flags] = commandOf(unit);
  return flags.map((flag) => changes.reduce((text, [from, to]) => text.replace(from, to), flag));
}

describe.skipIf(etcdBinaries.length === 0 || !hasOpenssl)('the example of docs/etcd.md', () => {
  test('three members and two servers, by the flags of the systemd units', async () => {
    const ports = await freePorts(8);
    const port = (index: number) => ports[index] ?? 0;
    const [one, two] = [port(6), port(7)];
    execFileSync(join(example, 'make-certificates.sh'), [
      ...[pki, `https://127.0.0.1:${one}`],
      ...['127.0.0.1', '127.0.0.1', '127.0.0.1', '--', '127.0.0.1'],
    ]);
    const addresses = [0, 1, 2].flatMap((index): [RegExp, string][] => [
      [new RegExp(`etcd-${index + 1}\\.example\\.com:2379`, 'g'), `127.0.0.1:${port(index)}`],
      [new RegExp(`etcd-${index + 1}\\.example\\.com:2380`, 'g'), `127.0.0.1:${port(index + 3)}`],
    ]);
    for (const index of [0, 1, 2]) {
      const flags = flagsOf('etcd.service', [
        [/0\.0\.0\.0:2379/, `127.0.0.1:${port(index)}`],
        [/0\.0\.0\.0:2380/, `127.0.0.1:${port(index + 3)}`],
        [/^(--(?:advertise-client|initial-advertise-peer)-urls=https:..)etcd-1/, `$1etcd-${index + 1}`],
        [/^--name=etcd-1/, `--name=etcd-${index + 1}`],
        [/\/etc\/etcd\/etcd-1/, `/etc/etcd/etcd-${index + 1}`],
        [/\/etc\/etcd/, pki],
        [/\/var\/lib\/etcd/, join(folder, `etcd-${index}`)],
        ...addresses,
      ]);
      children.push(spawn(etcdBinaries[0]?.path ?? '', flags, { stdio: 'ignore' }));
    }
    const serve = async (name: string, at: number) => {
      const flags = flagsOf('ilk.service', [
        [/0\.0\.0\.0/, '127.0.0.1'],
        [/6443/, `${at}`],
        [/\/etc\/ilk/, pki],
        [/\/var\/lib\/ilk/, join(folder, name)],
        ...addresses,
      ]);
      const child = new IlkProcess(flags);
      await child.ready();
      return child;
    };
    // The members need a moment to find each other; systemd would start a server again as often.
    await sleep(2_000);
    const servers = await Promise.all([serve('ilk-1', one), serve('ilk-2', two)]);
    const kubeconfig = join(pki, 'admin.kubeconfig');
    const other = join(folder, 'other.kubeconfig');
    writeFileSync(other, readFileSync(kubeconfig, 'utf8').replace(`:${one}`, `:${two}`));
    const [a, b] = [new HttpsClient(kubeconfig), new HttpsClient(other)];

    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await a.call('POST', crds, { body: widgetCrd })).code).toBe(201);
    await settle(async () => (await b.call('POST', widgetsPath(), { body: widget('one') })).code === 201);
    const member = children[0];
    if (member === undefined) throw new Error('no member was started');
    member.kill('SIGKILL');
    await once(member, 'exit');
    // Two of three are enough.
    await settle(async () => (await a.call('POST', widgetsPath(), { body: widget('two') })).code === 201);
    const list = JSON.parse((await b.call('GET', widgetsPath())).body);
    expect(list.items).toHaveLength(2);

    for (const client of [a, b]) client.close();
    for (const server of servers) server.kill('SIGTERM');
    expect((await Promise.all(servers.map((server) => server.ended()))).map(({ code }) => code)).toEqual([
      0, 0,
    ]);
  });
});

async function settle(good: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await good()) return;
    await sleep(50);
  }
  throw new Error('it never came to that');
}
