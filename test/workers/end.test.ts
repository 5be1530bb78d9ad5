import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { makeCertificates } from '../../src/auth/index.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import type { Connection } from './connection.ts';
import { HangingWebhook } from './hanging-webhook.ts';
import { RunningServer } from './running-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

beforeAll(buildIfMissing);

const servers: RunningServer[] = [];
const webhooks: HangingWebhook[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const webhook of webhooks.splice(0)) await webhook.close();
});

async function start(...args: Parameters<typeof RunningServer.start>): Promise<RunningServer> {
  const server = await RunningServer.start(...args);
  servers.push(server);
  return server;
}

async function hangingWebhook(): Promise<HangingWebhook> {
  const webhook = await HangingWebhook.open();
  webhooks.push(webhook);
  return webhook;
}

test('a signal ends the watches of both threads, and no acknowledged write is lost', async () => {
  // On a busy machine, lines about slow requests would be among those of the end.
  const first = await start(['--slow-request-threshold=0']);
  const both = await first.both();
  const watches = both.map((one) => one.watch('/api/v1/secrets?watch=true'));
  await Promise.all(watches.map(({ opened }) => opened));
  const acknowledged: string[] = [];
  const write = async (connection: Connection, writer: number) => {
    for (let n = 0; ; n += 1) {
      const name = `w-${writer}-${n}`;
      const made = await connection.call('POST', maps, { body: map(name) }).catch(() => undefined);
      if (made?.code !== 201) return;
      acknowledged.push(name);
    }
  };
  const writing = [...both, ...both].map(write);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
  first.process.kill('SIGTERM');
  expect(await Promise.all(watches.map(({ ended }) => ended))).toEqual(['end 200', 'end 200']);
  await Promise.all(writing);
  const { code, err } = await first.process.ended();
  expect([code, err]).toEqual([0, expect.stringMatching(/^I \S+ worker 0: SIGTERM: closing\n$/)]);
  const second = await start([`--data-dir=${join(first.folder, 'data')}`]);
  const { items } = (await (await second.to(1)).call('GET', maps)).body;
  const kept = new Set(items.map((item: { metadata: { name: string } }) => item.metadata.name));
  expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
});

test('a new certificate is presented by all threads', async () => {
  const [before, after] = [
    await makeCertificates(['127.0.0.1'], Date.now()),
    await makeCertificates(['127.0.0.1'], Date.now()),
  ];
  const files = (folder: string) => ({ cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') });
  const put = (folder: string, { server: pair }: typeof before) => {
    const { cert, key } = files(folder);
    writeFileSync(key, pair.keyPem);
    writeFileSync(cert, pair.certPem);
  };
  const server = await start((folder) => {
    put(folder, before);
    const { cert, key } = files(folder);
    return ['--storage=memory', `--tls-cert-file=${cert}`, `--tls-private-key-file=${key}`];
  });
  const fingerprintOf = ({ server: pair }: typeof before) => new X509Certificate(pair.certPem).fingerprint256;
  // All of so many connections go to one thread with 2^-19.
  expect(await presented(server, 20)).toEqual([fingerprintOf(before)]);
  put(server.folder, after);
  await expect.poll(() => presented(server, 20)).toEqual([fingerprintOf(after)]);
});

/** The fingerprints of the certificates that a server presents to new connections. */
async function presented(server: RunningServer, connections: number): Promise<string[]> {
  const { hostname, port } = new URL(server.ready.url);
  const seen = new Set<string>();
  for (let n = 0; n < connections; n += 1) {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    seen.add(socket.getPeerCertificate().fingerprint256);
    socket.destroy();
  }
  return [...seen];
}

test('the end of a thread ends the process, with a line that says why', async () => {
  const trigger = join((await start(['--storage=memory'])).folder, 'trigger');
  const preload = `${trigger}.cjs`;
  // Runs in every thread of Node; the one that serves has its name in the data.
  writeFileSync(
    preload,
    `const { workerData } = require('node:worker_threads');
    const { existsSync } = require('node:fs');
    if (workerData?.thread?.index === 1)
      setInterval(() => { if (existsSync(${JSON.stringify(trigger)})) throw new Error('the test ends it'); }, 20);`,
  );
  const server = await start(['--storage=memory'], { NODE_OPTIONS: `--require ${preload}` });
  await server.both();
  writeFileSync(trigger, '');
  const { code, err } = await server.process.ended();
  expect(code).toBe(1);
  const line = /^F \S+ worker 0: worker 1 has ended, so the server ends: the test ends it$/m;
  expect(err).toMatch(line);
});

test('a thread that cannot start ends the start, with its reason', async () => {
  const folder = (await start(['--storage=memory'])).folder;
  const preload = join(folder, 'fails.cjs');
  writeFileSync(
    preload,
    `const { workerData } = require('node:worker_threads');
    if (workerData?.thread?.index === 1) throw new Error('this thread does not start');`,
  );
  const server = new RunningServer(['--storage=memory'], { NODE_OPTIONS: `--require ${preload}` });
  servers.push(server);
  const { code, out, err } = await server.process.ended();
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('ilk: this thread does not start');
});

test('limits of requests in flight are divided among the threads', async () => {
  const server = await start([
    '--storage=memory',
    '--enable-priority-and-fairness=false',
    '--max-mutating-requests-inflight=3',
  ]);
  const webhook = await hangingWebhook();
  const both = await server.both();
  await both[0].call('POST', configurations, { body: webhook.configuration('configmaps') });
  // Two for each thread: a half of three, rounded up.
  const held = both.flatMap((one) =>
    [0, 1].map((n) => one.call('POST', maps, { body: map(`held-${one.worker}-${n}`) })),
  );
  await expect.poll(() => webhook.waiting).toBe(4);
  for (const one of both) expect((await one.call('POST', maps, { body: map('more') })).code).toBe(429);
  webhook.answer();
  expect((await Promise.all(held)).map(({ code }) => code)).toEqual([201, 201, 201, 201]);
});
