import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Certificates, makeCertificates } from '../src/auth/index.ts';
import { encodeProtobuf } from '../src/codec/index.ts';
import { EtcdProcess, etcdBinaries, freePorts } from '../src/storage/etcd/etcd-process.test-support.ts';
import { openEtcdStore } from '../src/storage/index.ts';
import { document } from './built-in/openapi-kinds.test-data.ts';
import { until } from './controllers/api.ts';
import { buildIfMissing } from './fixtures/ilk-process.ts';
import { kubectlMinor } from './fixtures/kubectl.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-envtest-'));
const assets = join(folder, 'assets');
const ilk = fileURLToPath(new URL('../bin/ilk', import.meta.url));
const run = promisify(execFile);

/** What a harness makes before it starts anything: a serving certificate, and another authority for its users. */
let serving: Certificates;
let users: Certificates;
beforeAll(async () => {
  buildIfMissing();
  execFileSync(process.execPath, [ilk, 'envtest-assets', assets]);
  serving = await makeCertificates(['localhost', '127.0.0.1'], Date.now());
  users = await makeCertificates(['localhost'], Date.now());
});
afterAll(() => rmSync(folder, { recursive: true }));

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** In a process group of its own, as harnesses start everything. */
function start(name: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(join(assets, name), args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
}

/** Ends the whole group, as harnesses do; gives the code. */
async function endGroup(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit');
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  return (await ended)[0];
}

async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

function certDir(): string {
  const path = mkdtempSync(join(folder, 'certs-'));
  writeFileSync(join(path, 'apiserver.crt'), serving.server.certPem);
  writeFileSync(join(path, 'apiserver.key'), serving.server.keyPem);
  writeFileSync(join(path, 'client-cert-auth-ca.crt'), users.ca.certPem);
  return path;
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return text;
}

interface Asked {
  readonly port: number;
  readonly path: string;
  readonly pair?: { readonly certPem: string; readonly keyPem: string };
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `200 ok`; undefined without a listener. */
async function ask({ port, path, pair, method = 'GET', body, headers: more }: Asked): Promise<string> {
  const options = { port, host: '127.0.0.1', path, method, agent: false, rejectUnauthorized: false };
  const headers = { 'content-type': 'application/json', ...more };
  const credentials = pair === undefined ? {} : { cert: pair.certPem, key: pair.keyPem };
  return new Promise((resolve) => {
    const sent = httpsRequest({ ...options, headers, ...credentials }, async (response) =>
      resolve(`${response.statusCode} ${await bodyOf(response)}`),
    );
    sent.on('error', () => resolve(''));
    sent.end(body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body));
  });
}

/** The command line of controller-runtime's envtest. */
async function startAsEnvtest(...more: string[]) {
  const port = await freePort();
  const certs = certDir();
  const child = start('kube-apiserver', [
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${certs}`,
    `--client-ca-file=${certs}/client-cert-auth-ca.crt`,
    '--disable-admission-plugins=ServiceAccount',
    ...(more.some((flag) => flag.startsWith('--etcd-servers')) ? [] : ['--etcd-servers=http://127.0.0.1:1']),
    `--secure-port=${port}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${certs}/sa-signer.crt`,
    `--service-account-signing-key-file=${certs}/sa-signer.key`,
    '--service-cluster-ip-range=10.0.0.0/24',
    ...more,
  ]);
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  // Without credentials, as envtest asks.
  await until(
    async () => (await ask({ port, path: '/healthz' })) === '200 ok',
    () => err,
  );
  return { child, port, err: () => err };
}

describe('the assets', () => {
  test('answer --help at once, without the flag that only old servers have', async () => {
    const { stdout } = await run(join(assets, 'kube-apiserver'), ['--help']);
    expect(stdout).not.toMatch(/^\s*--insecure-port/m);
    expect((await run(join(assets, 'etcd'), ['--help'])).stdout).toMatch(/^\s*--unsafe-no-fsync\b/m);
    expect(statSync(join(assets, 'kubectl')).mode & 0o111).not.toBe(0);
  });

  test('are written again over their own kind, and never over a real binary', async () => {
    const { stdout } = await run(process.execPath, [ilk, 'envtest-assets', assets]);
    expect(stdout).toBe(`export KUBEBUILDER_ASSETS=${assets}\n`);
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'etcd'), 'a real binary');
    await expect(run(process.execPath, [ilk, 'envtest-assets', other])).rejects.toThrow(
      `ilk: ${other}/etcd is there already, and was not written by`,
    );
    expect(readFileSync(join(other, 'etcd'), 'utf8')).toBe('a real binary');
  });
});

describe("in etcd's place", () => {
  test.each([
    [
      'envtest',
      (port: number) => [`--listen-client-urls=http://127.0.0.1:${port}`, '--unsafe-no-fsync=true'],
    ],
    ['jenvtest', (port: number) => ['-data-dir', '/x', '--listen-client-urls', `http://127.0.0.1:${port}`]],
  ])('started as by %s it is healthy, and ends with its group', async (_, flags) => {
    const port = await freePort();
    const child = start('etcd', flags(port));
    const health = () =>
      new Promise<string>((resolve) => {
        const sent = httpRequest(
          { port, host: '127.0.0.1', path: '/health', agent: false },
          async (response) => resolve(`${response.statusCode} ${await bodyOf(response)}`),
        );
        sent.on('error', () => resolve(''));
        sent.end();
      });
    await until(async () => (await health()) !== '');
    expect(await health()).toBe('200 {"health":"true","reason":""}');
    expect(await endGroup(child)).toBe(0);
  });
});

describe("in kube-apiserver's place", () => {
  const gardens = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gardens' } };

  test('started as by envtest: users by their certificates, no controllers that envtest lacks, a clean end', async () => {
    const { child, port, err } = await startAsEnvtest();
    const admin = users.admin;
    expect(await ask({ port, path: '/readyz' })).toBe('200 ok');
    expect(await ask({ port, path: '/version' })).toMatch(/^200 \{/);
    expect(await ask({ port, path: '/api/v1/namespaces' })).toMatch(/^403 .*system:anonymous/);
    expect(await ask({ port, path: '/api/v1/namespaces', pair: serving.admin })).toMatch(/^(401|403) /);
    expect(await ask({ port, path: '/api/v1/namespaces/default', pair: admin })).toMatch(/^200 /);
    const service = '/api/v1/namespaces/default/services/kubernetes';
    expect(await ask({ port, path: service, pair: admin })).toMatch(/^200 .*"clusterIP":"10\.0\.0\.1"/);
    expect(
      await ask({ port, path: '/api/v1/namespaces', pair: admin, method: 'POST', body: gardens }),
    ).toMatch(/^201 /);
    const path = '/api/v1/namespaces/gardens';
    expect(await ask({ port, path, pair: admin, method: 'DELETE' })).toMatch(/^200 .*"phase":"Terminating"/);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await ask({ port, path, pair: admin })).toMatch(/^200 .*"phase":"Terminating"/);
    expect(await endGroup(child)).toBe(0);
    expect(err()).not.toContain('mean nothing here');
  });

  test('flags that mean nothing here are warned of in one line; controllers can be switched on', async () => {
    const flags = [
      '--runtime-config=api/all=true',
      '--feature-gates=WatchList=true,CRDPropertyNameSchemas=false',
    ];
    const { port, err } = await startAsEnvtest(...flags, '--audit-log-path', '/x', '--controllers=*', '-v=1');
    expect(
      err()
        .split('\n')
        .filter((line) => line.includes('mean nothing here')),
    ).toEqual([
      expect.stringMatching(
        /these flags of kube-apiserver mean nothing here: --runtime-config, --audit-log-path, --feature-gates=WatchList=true$/,
      ),
    ]);
    const pair = users.admin;
    await ask({ port, path: '/api/v1/namespaces', pair, method: 'POST', body: gardens });
    await ask({ port, path: '/api/v1/namespaces/gardens', pair, method: 'DELETE' });
    await until(async () =>
      (await ask({ port, path: '/api/v1/namespaces/gardens', pair })).startsWith('404'),
    );
  });

  test.skipIf(kubectlMinor === undefined)(
    'started as by jenvtest: flags as separate words, a pair of its own, kubectl (skipped without kubectl)',
    async () => {
      const port = await freePort();
      const certs = join(folder, 'jenvtest');
      mkdirSync(certs);
      const client = join(certs, 'client.crt');
      writeFileSync(client, users.ca.certPem);
      writeFileSync(join(certs, 'apiserver.crt'), serving.server.certPem);
      writeFileSync(join(certs, 'apiserver.key'), serving.server.keyPem);
      const flags = `--cert-dir ${certs} --secure-port ${port} --etcd-servers http://0.0.0.0:1 --authorization-mode RBAC
        --service-account-issuer https://localhost --service-account-signing-key-file k --service-account-key-file k
        --service-account-issuer x --disable-admission-plugins ServiceAccount --client-ca-file ${client}
        --service-cluster-ip-range 10.0.0.0/24 --allow-privileged`;
      start('kube-apiserver', flags.split(/\s+/));
      await until(async () => (await ask({ port, path: '/readyz' })) === '200 ok');
      writeFileSync(join(certs, 'admin.crt'), users.admin.certPem);
      writeFileSync(join(certs, 'admin.key'), users.admin.keyPem);
      writeFileSync(join(certs, 'ca.crt'), serving.ca.certPem);
      const { stdout } = await run(join(assets, 'kubectl'), [
        `--client-certificate=${certs}/admin.crt`,
        `--client-key=${certs}/admin.key`,
        `--certificate-authority=${certs}/ca.crt`,
        `--server=https://127.0.0.1:${port}`,
        '--request-timeout=5s',
        ...['get', 'ns', 'default', '-o', 'name'],
      ]);
      expect(stdout).toBe('namespace/default\n');
    },
  );

  test('without a pair it makes one, as kube-apiserver does', async () => {
    const port = await freePort();
    const certs = join(folder, 'made');
    start('kube-apiserver', [
      `--cert-dir=${certs}`,
      `--secure-port=${port}`,
      '--authorization-mode=AlwaysAllow',
    ]);
    await until(async () => (await ask({ port, path: '/readyz' })) === '200 ok');
    expect(existsSync(certs)).toBe(true);
    expect(await ask({ port, path: '/api/v1/namespaces' })).toMatch(/^200 /);
  });

  describe('the kinds of ILK_OPENAPI', () => {
    const cluster = { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' };
    const classes = '/apis/node.k8s.io/v1/runtimeclasses';
    const operation = (action: string) => ({
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': cluster,
      responses: {},
    });
    const runtimeClasses = {
      swagger: '2.0',
      info: { title: 'Kubernetes', version: 'v1.37.2' },
      paths: {
        [classes]: { get: operation('list'), post: operation('post') },
        [`${classes}/{name}`]: { get: operation('get'), put: operation('put') },
      },
      definitions: {
        'io.k8s.api.node.v1.RuntimeClass': {
          type: 'object',
          properties: {
            handler: { type: 'string' },
            overhead: {
              type: 'object',
              properties: { podFixed: { type: 'object', additionalProperties: { type: 'string' } } },
            },
          },
          'x-kubernetes-group-version-kind': [cluster],
        },
      },
    };
    const [gatesFile, classesFile] = ['gates.json', 'classes.json'].map((name) => join(folder, name));

    async function startWith(files: string) {
      const port = await freePort();
      const flags = [
        `--cert-dir=${join(folder, 'openapi')}`,
        `--secure-port=${port}`,
        '--authorization-mode=AlwaysAllow',
      ];
      const child = start('kube-apiserver', flags, { ILK_OPENAPI: files });
      return { port, child };
    }

    test('are served in JSON, and in protobuf where Kubernetes has that, as typed clients send it', async () => {
      writeFileSync(`${gatesFile}`, JSON.stringify(document));
      writeFileSync(`${classesFile}`, JSON.stringify(runtimeClasses));
      const { port } = await startWith(`${gatesFile}:${classesFile}`);
      await until(async () => (await ask({ port, path: '/readyz' })) === '200 ok');
      const gates = '/apis/doors.k8s.io/v1/namespaces/default/gates';
      const gate = { metadata: { name: 'one' }, spec: { gateClassName: 'a' } };
      expect(await ask({ port, path: gates, method: 'POST', body: gate })).toMatch(
        /^201 .*"gateClassName":"a"/,
      );
      expect(await ask({ port, path: `${gates}/one` })).toMatch(/^200 .*"kind":"Gate"/);

      const protobuf = 'application/vnd.kubernetes.protobuf';
      const typed = { metadata: { name: 'kata' }, handler: 'kata', overhead: { podFixed: { cpu: '100m' } } };
      const body = encodeProtobuf(typed, cluster);
      const headers = { 'content-type': protobuf, accept: protobuf };
      expect(await ask({ port, path: classes, method: 'POST', body, headers })).toMatch(/^201 k8s\0/);
      const found = await ask({ port, path: `${classes}/kata` });
      expect(JSON.parse(found.slice('200 '.length))).toMatchObject({ kind: 'RuntimeClass', ...typed });
      expect(await ask({ port, path: classes, headers: { accept: protobuf } })).toMatch(
        /^200 k8s\0.*RuntimeClassList/s,
      );
      const refused = { port, path: gates, method: 'POST', body, headers: { 'content-type': protobuf } };
      expect(await ask(refused)).toMatch(/^415 /);
    });

    test('that cannot be read end it, with the name of the variable', async () => {
      const { child } = await startWith(join(folder, 'none.json'));
      let err = '';
      child.stderr?.on('data', (text) => {
        err += text;
      });
      const [code] = await once(child, 'close');
      expect([code, err]).toEqual([
        1,
        `ilk in kube-apiserver's place: ILK_OPENAPI ${join(folder, 'none.json')}: no such file or folder\n`,
      ]);
    });
  });

  test.skipIf(etcdBinaries.length === 0)(
    'on a real etcd what was stored is there after a restart (skipped without etcd)',
    async () => {
      await using etcd = await EtcdProcess.start();
      const pair = users.admin;
      const first = await startAsEnvtest(`--etcd-servers=${etcd.url}`);
      await ask({ port: first.port, path: '/api/v1/namespaces', pair, method: 'POST', body: gardens });
      expect(await endGroup(first.child)).toBe(0);
      const second = await startAsEnvtest(`--etcd-servers=${etcd.url}`);
      expect(await ask({ port: second.port, path: '/api/v1/namespaces/gardens', pair })).toMatch(/^200 /);
      expect(await endGroup(second.child)).toBe(0);
    },
  );

  test.skipIf(etcdBinaries.length === 0)(
    'what --encryption-provider-config names is encrypted in a real etcd (skipped without etcd)',
    async () => {
      await using etcd = await EtcdProcess.start();
      const pair = users.admin;
      const config = join(folder, 'encryption.yaml');
      const key = { name: 'a', secret: Buffer.alloc(32).toString('base64') };
      const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
      const resources = [{ resources: ['secrets'], providers: [{ secretbox: { keys: [key] } }] }];
      writeFileSync(config, JSON.stringify({ ...kind, resources }));
      const flags = [`--etcd-servers=${etcd.url}`, `--encryption-provider-config=${config}`];
      const first = await startAsEnvtest(...flags);
      const body = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'one' },
        stringData: { a: 'sesame' },
      };
      const path = '/api/v1/namespaces/default/secrets';
      expect(await ask({ port: first.port, path, pair, method: 'POST', body })).toMatch(/^201 /);
      expect(first.err()).not.toContain('encryption-provider-config');
      expect(await endGroup(first.child)).toBe(0);

      const raw = await openEtcdStore({ endpoints: [etcd.url], prefix: '' });
      const { record } = await raw.get('/registry/secrets/default/one');
      await raw.close();
      expect(Buffer.from(record?.value ?? []).toString('latin1')).toMatch(/^k8s:enc:secretbox:v1:a:/);
      const second = await startAsEnvtest(...flags);
      expect(await ask({ port: second.port, path: `${path}/one`, pair })).toContain('"a":"c2VzYW1l"');
      expect(await endGroup(second.child)).toBe(0);
    },
  );

  test('what cannot be is said in one line', async () => {
    const refusal = async (...flags: string[]) => {
      const child = start('kube-apiserver', flags);
      let err = '';
      child.stderr?.on('data', (text) => {
        err += text;
      });
      const [code] = await once(child, 'close');
      return [code, err];
    };
    const head = "ilk in kube-apiserver's place: ";
    expect(await refusal('--secure-port=x', `--cert-dir=${certDir()}`)).toEqual([
      1,
      `${head}--secure-port x: not a port\n`,
    ]);
    expect(await refusal('--encryption-provider-config=/none')).toEqual([
      1,
      `${head}--encryption-provider-config /none: no such file or folder\n`,
    ]);
    expect(await refusal('--client-ca-file=/none')).toEqual([
      1,
      `${head}--client-ca-file /none: no such file or folder\n`,
    ]);
  });
});
