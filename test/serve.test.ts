import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:http2';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasReusePort } from '../src/server/threads/require-reuse-port.ts';
import { openSqliteStore } from '../src/storage/index.ts';
import { loadSqlite } from '../src/storage/sqlite/binding.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from './fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from './fixtures/widgets.ts';

beforeAll(buildIfMissing);

const folder = mkdtempSync(join(tmpdir(), 'ilk-serve-'));
const clients: HttpsClient[] = [];
const processes: IlkProcess[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const child of processes.splice(0)) {
    child.kill('SIGKILL');
    await child.ended();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const newPath = () => join(folder, `data-${(count += 1)}`);

function serve(...flags: string[]): IlkProcess {
  const child = new IlkProcess(['serve', '--secure-port=0', ...flags]);
  processes.push(child);
  return child;
}

function clientOf(kubeconfig: string, options = { credentials: true }): HttpsClient {
  const client = new HttpsClient(kubeconfig, options);
  clients.push(client);
  return client;
}

/** The one line that a start which cannot succeed ends with. */
async function refusal(...flags: string[]): Promise<string> {
  const { code, out, err } = await serve(...flags).ended();
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  return err.trimEnd();
}

describe('ready', () => {
  test('says where it serves and which kubeconfig to use, and nothing else', async () => {
    const dataDir = newPath();
    const { url, kubeconfig } = await serve(`--data-dir=${dataDir}`).ready();
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(kubeconfig).toBe(join(dataDir, 'admin.kubeconfig'));
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect(await clientOf(kubeconfig).call('GET', '/readyz')).toEqual({ code: 200, body: 'ok' });
    for (const file of ['ilk.db', 'pki/ca.key']) {
      if (existsSync(join(dataDir, file))) expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0);
    }
  });

  test('an old kubeconfig is not left open to others', async () => {
    const dataDir = newPath();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'admin.kubeconfig'), 'old', { mode: 0o644 });
    const { kubeconfig } = await serve(`--data-dir=${dataDir}`, '--storage=memory').ready();
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect(readFileSync(kubeconfig, 'utf8')).toContain('clusters:');
  });

  test('speaks HTTP/2 and HTTP/1.1', async () => {
    const { url, kubeconfig } = await serve(`--data-dir=${newPath()}`, '--storage=memory').ready();
    const client = clientOf(kubeconfig);
    const first = await client.open('GET', '/version');
    expect([first.statusCode, first.httpVersion]).toEqual([200, '1.1']);
    first.resume();
    const session = connect(url, client.agent.options);
    const stream = session.request({ ':path': '/version' });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    stream.resume();
    await once(stream, 'end');
    session.close();
  });

  test('objects are there again after a restart', async () => {
    const flags = [`--data-dir=${newPath()}`];
    const crds = newPath();
    writeFileSync(`${crds}.json`, JSON.stringify(widgetCrd));
    const first = serve(...flags, `--crds=${crds}.json`);
    const before = clientOf((await first.ready()).kubeconfig);
    const { code, body } = await before.call('POST', widgetsPath(), { body: widget('kept') });
    expect(code).toBe(201);
    first.kill('SIGTERM');
    expect((await first.ended()).code).toBe(0);
    const after = clientOf((await serve(...flags).ready()).kubeconfig);
    expect(await after.call('GET', `${widgetsPath()}/kept`)).toEqual({ code: 200, body });
  });
});

describe('--controllers', () => {
  test('one that is left out does not run: a deleted namespace stays', async () => {
    const flags = [`--data-dir=${newPath()}`, '--storage=memory', '--controllers=*,-namespace'];
    const client = clientOf((await serve(...flags).ready()).kubeconfig);
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'away' } };
    await client.call('POST', '/api/v1/namespaces', { body });
    const deleted = await client.call('DELETE', '/api/v1/namespaces/away');
    expect(JSON.parse(deleted.body).status).toEqual({ phase: 'Terminating' });
    // Where the controller runs an empty namespace is gone within a few milliseconds.
    await sleep(200);
    const again = await client.call('GET', '/api/v1/namespaces/away');
    expect(JSON.parse(again.body).spec).toEqual({ finalizers: ['kubernetes'] });
  });

  test('a name that no controller has is refused with the names there are', async () => {
    const { code, err } = await serve(`--data-dir=${newPath()}`, '--controllers=*,-nobody').ended();
    expect(code).toBe(1);
    expect(err).toContain(
      "option '--controllers <list>' argument '*,-nobody' is invalid. there is no controller nobody",
    );
  });
});

describe('--crds', () => {
  test('a folder of files: all are established before the server is ready', async () => {
    const crds = newPath();
    mkdirSync(join(crds, 'deeper'), { recursive: true });
    const other = JSON.parse(
      JSON.stringify(widgetCrd).replaceAll('widget', 'gadget').replaceAll('Widget', 'Gadget'),
    );
    delete other.spec.names.shortNames;
    writeFileSync(join(crds, 'widgets.json'), JSON.stringify(widgetCrd));
    writeFileSync(join(crds, 'deeper', 'gadgets.yaml'), `# a comment\n---\n${JSON.stringify(other)}\n---\n`);
    writeFileSync(join(crds, 'readme.txt'), 'no manifest');
    const { kubeconfig } = await serve(`--data-dir=${newPath()}`, `--crds=${crds}`).ready();
    const client = clientOf(kubeconfig);
    expect((await client.call('GET', widgetsPath())).code).toBe(200);
    expect((await client.call('GET', widgetsPath().replace('widgets', 'gadgets'))).code).toBe(200);
  });

  test.skipIf(hasReusePort(process.versions.node))(
    'several workers are refused by an old Node, before anything is written',
    async () => {
      const folder = newPath();
      expect(await refusal('--workers=2', `--data-dir=${folder}`)).toBe(
        `ilk: --workers 2 needs Node 22.12 or later on Linux, where threads can listen on one port; this is Node ${process.versions.node} on ${process.platform}`,
      );
      expect(existsSync(folder)).toBe(false);
    },
  );

  test('a file that is no manifest is named, with the line', async () => {
    const file = `${newPath()}.yaml`;
    writeFileSync(file, 'kind: CustomResourceDefinition\nspec: [\n');
    expect(await refusal(`--data-dir=${newPath()}`, `--crds=${file}`)).toMatch(
      new RegExp(`^ilk: --crds ${file}: .*line \\d`),
    );
  });

  test("a CRD that is refused is named, with upstream's text", async () => {
    const file = `${newPath()}.json`;
    writeFileSync(file, JSON.stringify({ ...widgetCrd, metadata: { name: 'wrong.example.com' } }));
    const line = await refusal(`--data-dir=${newPath()}`, `--crds=${file}`);
    expect(line).toContain(file);
    expect(line).toContain(
      'CustomResourceDefinition.apiextensions.k8s.io "wrong.example.com" is invalid: metadata.name: Invalid value: ' +
        '"wrong.example.com": must be spec.names.plural+"."+spec.group',
    );
  });

  test('a path that is not there, and one without CRDs', async () => {
    const missing = newPath();
    expect(await refusal(`--data-dir=${newPath()}`, `--crds=${missing}`)).toContain(missing);
    const file = `${newPath()}.json`;
    writeFileSync(file, JSON.stringify({ kind: 'ConfigMap' }));
    expect(await refusal(`--data-dir=${newPath()}`, `--crds=${file}`)).toBe(
      `ilk: --crds ${file}: no CustomResourceDefinition in it`,
    );
  });
});

describe('what cannot be', () => {
  test('a second server on the same data directory', async () => {
    const dataDir = newPath();
    await serve(`--data-dir=${dataDir}`).ready();
    expect(await refusal(`--data-dir=${dataDir}`)).toBe(
      `ilk: the data directory ${dataDir} is in use by another Ilk`,
    );
  });

  test('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await refusal(`--data-dir=${newPath()}`, `--secure-port=${port}`)).toBe(
      `ilk: port ${port} of 127.0.0.1 is in use: take another one with --secure-port; 0 is any free one`,
    );
    other.close();
  });

  test('a data directory below a file', async () => {
    const file = newPath();
    writeFileSync(file, '');
    expect(await refusal(`--data-dir=${file}/data`)).toContain(`${file}/data`);
  });

  test.skipIf(process.getuid?.() === 0)(
    'a data directory that may not be written (not as root)',
    async () => {
      const dataDir = newPath();
      mkdirSync(dataDir, { mode: 0o500 });
      expect(await refusal(`--data-dir=${dataDir}`)).toContain(dataDir);
      chmodSync(dataDir, 0o700);
    },
  );

  test('a data directory that a newer Ilk wrote', async () => {
    const dataDir = newPath();
    await (await openSqliteStore({ dataDir })).close();
    const database = join(dataDir, 'ilk.db');
    const sqlite = new (await loadSqlite())(database);
    sqlite.exec("UPDATE meta SET value = 99 WHERE name = 'schema_version'");
    sqlite.close();
    expect(await refusal(`--data-dir=${dataDir}`)).toBe(
      `ilk: ${database} was written by a newer version of Ilk: its schema version is 99, this Ilk knows up to 1`,
    );
  });

  test('an unknown feature gate: the message has the list', async () => {
    const line = await refusal(`--data-dir=${newPath()}`, '--feature-gates=NoSuchGate=true');
    expect(line).toContain('NoSuchGate');
    expect(line).toContain('CustomResourceFieldSelectors');
  });

  test('an unknown flag', async () => {
    const { code, err } = await serve('--no-such-flag').ended();
    expect(code).toBe(1);
    expect(err).toContain("unknown option '--no-such-flag'");
  });

  test.each([
    ['--secure-port=70000', 'not a port.'],
    ['--storage=floppy', 'Allowed choices are memory, sqlite.'],
  ])('%s', async (given, why) => {
    const { code, err } = await serve(given).ended();
    expect(code).toBe(1);
    expect(err).toContain(why);
  });

  test('a token file that cannot be read', async () => {
    const file = newPath();
    writeFileSync(file, 'alone\n');
    const line = await refusal(`--data-dir=${newPath()}`, `--token-auth-file=${file}`);
    expect(line).toContain('line 1: a token needs at least three fields: token, user, uid');
  });
});

describe('who may', () => {
  const unauthorized = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  };

  test('tokens, invalid tokens and anonymous requests', async () => {
    const tokens = newPath();
    writeFileSync(tokens, 'boss-token,boss,1,"system:masters"\nguest-token,guest,2\n');
    const flags = [`--data-dir=${newPath()}`, '--storage=memory', `--token-auth-file=${tokens}`];
    const { kubeconfig } = await serve(...flags, '--anonymous-auth=false').ready();
    const client = clientOf(kubeconfig, { credentials: false });
    const answer = async (path: string, token?: string) => {
      const { code, body } = await client.call('GET', path, token === undefined ? {} : { token });
      return { code, body: JSON.parse(body) };
    };
    expect((await answer('/api/v1/namespaces/default', 'boss-token')).code).toBe(200);
    expect(await answer('/api/v1/namespaces/default', 'wrong')).toEqual({ code: 401, body: unauthorized });
    expect(await answer('/api/v1/namespaces/default')).toEqual({ code: 401, body: unauthorized });
    expect((await answer('/apis/coordination.k8s.io/v1/namespaces/ns/leases', 'guest-token')).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'leases.coordination.k8s.io is forbidden: User "guest" cannot list resource "leases" in API group ' +
        '"coordination.k8s.io" in the namespace "ns"',
      reason: 'Forbidden',
      details: { group: 'coordination.k8s.io', kind: 'leases' },
      code: 403,
    });
    expect((await answer('/metrics', 'guest-token')).body.message).toBe(
      'forbidden: User "guest" cannot get path "/metrics"',
    );
  });

  test('--anonymous-auth lets in, and no further', async () => {
    const { kubeconfig } = await serve(
      `--data-dir=${newPath()}`,
      '--storage=memory',
      '--anonymous-auth',
    ).ready();
    const client = clientOf(kubeconfig, { credentials: false });
    expect((await client.call('GET', '/livez')).code).toBe(200);
    const { code, body } = await client.call('GET', '/api/v1/namespaces');
    expect([code, JSON.parse(body).message]).toEqual([
      403,
      'namespaces is forbidden: User "system:anonymous" cannot list resource "namespaces" in API group "" at the ' +
        'cluster scope',
    ]);
    expect((await client.call('GET', '/api/v1/namespaces', { token: 'wrong' })).code).toBe(401);
  });
});

describe('the end', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends watches cleanly, and the process with 0',
    async (signal) => {
      const child = serve(`--data-dir=${newPath()}`);
      const client = clientOf((await child.ready()).kubeconfig);
      const watch = await client.open(
        'GET',
        '/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Ddefault',
      );
      watch.setEncoding('utf8');
      const [first] = await once(watch, 'data');
      expect(JSON.parse(first)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'default' } } });
      child.kill(signal);
      await once(watch, 'end');
      expect(watch.complete).toBe(true);
      const { code, out } = await child.ended();
      expect(code).toBe(0);
      expect(out.split('\n')).toHaveLength(4);
    },
  );

  test('watches over HTTP/2 end cleanly too', async () => {
    const child = serve(`--data-dir=${newPath()}`, '--storage=memory');
    const { url, kubeconfig } = await child.ready();
    const session = connect(url, clientOf(kubeconfig).agent.options);
    const path = '/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Ddefault';
    const watches = Array.from({ length: 5 }, () => session.request({ ':path': path }));
    await Promise.all(watches.map((watch) => once(watch, 'data')));
    const ends = [...watches.map((watch) => once(watch.resume(), 'end')), once(session, 'close')];
    child.kill('SIGTERM');
    await Promise.all(ends);
    expect(watches.map(({ rstCode }) => rstCode)).toEqual([0, 0, 0, 0, 0]);
    expect((await child.ended()).code).toBe(0);
  });

  test('during the start ends the process too', async () => {
    const child = serve(`--data-dir=${newPath()}`);
    child.kill('SIGTERM');
    const { out } = await child.ended();
    expect(out).toBe('');
  });
});

test('flags of kube-apiserver that mean nothing here are warned of in one line', async () => {
  const child = serve(
    `--data-dir=${newPath()}`,
    '--storage=memory',
    '--watch-cache=false',
    '--event-ttl',
    '2h',
  );
  await child.ready();
  child.kill('SIGTERM');
  const { code, err } = await child.ended();
  expect(code).toBe(0);
  expect(err.split('\n')[0]).toBe(
    'ilk: these flags of kube-apiserver mean nothing here: --watch-cache, --event-ttl',
  );
});

test('the built library starts a server, as people import it, and keeps the code that V8 compiled for the next', () => {
  const library = fileURLToPath(new URL('../dist/lib/library.js', import.meta.url));
  const script = `
    import { startServer } from ${JSON.stringify(library)};
    const server = await startServer();
    process.stdout.write(String((await server.fetch('/livez')).status));
    await server.close();
  `;
  const args = ['--input-type=module', '-e', script];
  const folder = new URL('../dist/cache/', import.meta.url);
  rmSync(folder, { recursive: true, force: true });
  for (const _ of ['compiled', 'from the cache']) {
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('200');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{16}-\w+-\d+$/)]);
  }
  // A cache of something else: V8 refuses it, and the code is compiled again.
  const [kept = ''] = readdirSync(folder);
  writeFileSync(new URL(kept, folder), 'of no use');
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('200');
  expect(statSync(new URL(kept, folder)).size).toBeGreaterThan(1_000_000);
});

test('ilk version, ilk --help, and a command that is not there', () => {
  const ilk = fileURLToPath(new URL('../bin/ilk', import.meta.url));
  const run = (...args: string[]) => spawnSync(process.execPath, [ilk, ...args], { encoding: 'utf8' });
  expect(run('version').stdout).toMatch(/^ilk \d+\.\d+\.\d+, serving the API of Kubernetes v1\.\d+/);
  expect(run('--help').stdout).toContain('serve');
  expect([run('dance').status, run('dance').stderr]).toEqual([
    1,
    expect.stringContaining("unknown command 'dance'"),
  ]);
});
