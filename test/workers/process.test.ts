import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildIfMissing, IlkProcess } from '../fixtures/ilk-process.ts';
import { Kubectl } from '../fixtures/kubectl.ts';
import { widget, widgetCrd } from '../fixtures/widgets.ts';
import type { Connection } from './connection.ts';
import { RunningServer } from './running-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** The sum of the series that match. */
function sumOf(text: string, series: RegExp): number {
  const lines = text.split('\n').filter((line) => series.test(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

function auditFlags(folder: string): string[] {
  const policy = join(folder, 'policy.yaml');
  const rules = '[{level: None, nonResourceURLs: ["/ilk/*"]}, {level: Metadata}]';
  writeFileSync(policy, `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}\n`);
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, 'audit.log')}`];
}

let server: RunningServer;
let both: [Connection, Connection];
beforeAll(async () => {
  buildIfMissing();
  server = await RunningServer.start((folder) => [
    '--storage=memory',
    '--v=3',
    '--slow-request-threshold=1',
    ...auditFlags(folder),
  ]);
  both = await server.both();
});
afterAll(() => server.stop());

test('probes of any thread are about all threads', async () => {
  for (const connection of both) {
    const { code, body } = await connection.call('GET', '/readyz?verbose');
    expect([code, body]).toEqual([200, '[+]ping ok\n[+]storage ok\n[+]workers ok\nreadyz check passed\n']);
    const live = await connection.call('GET', '/livez?verbose');
    expect([live.code, live.body]).toEqual([200, '[+]ping ok\n[+]workers ok\nlivez check passed\n']);
  }
});

test('the metrics that any thread gives are those of all threads', async () => {
  const reads = /^apiserver_request_total\{verb="GET",group="",version="v1",resource="secrets"/;
  const durations =
    /^apiserver_request_duration_seconds_count\{verb="GET",group="",version="v1",resource="secrets"/;
  for (let n = 0; n < 30; n += 1) await both[0].call('GET', '/api/v1/namespaces/default/secrets/none');
  for (let n = 0; n < 12; n += 1) await both[1].call('GET', '/api/v1/namespaces/default/secrets/none');
  const watches = both.map((one) => one.watch(`${maps}?watch=true`));
  await Promise.all(watches.map(({ opened }) => opened));
  const texts: string[] = [];
  for (const connection of both) texts.push((await connection.call('GET', '/metrics')).body);
  for (const text of texts) {
    expect(sumOf(text, reads)).toBe(42);
    expect(sumOf(text, durations)).toBe(42);
    expect(sumOf(text, /^ilk_open_watches /)).toBe(2);
    expect(sumOf(text, /^ilk_open_connections\{protocol="HTTP\/2"/)).toBeGreaterThanOrEqual(2);
    // The seats of both threads are those of the flags.
    expect(sumOf(text, /^apiserver_flowcontrol_nominal_limit_seats\{/)).toBeGreaterThanOrEqual(600);
    expect(sumOf(text, /^apiserver_flowcontrol_nominal_limit_seats\{/)).toBeLessThan(620);
    // Of the process, not its double.
    const started = sumOf(text, /^process_start_time_seconds /);
    expect(Math.abs(started - Date.now() / 1_000)).toBeLessThan(3_600);
    const names = text.split('\n').filter((line) => line.startsWith('# TYPE '));
    expect(new Set(names).size).toBe(names.length);
  }
  for (const lines of watches) lines.stop();
});

test('the audit log has whole lines of the requests of both threads, and loses none', async () => {
  const ids = new Set<string>();
  const ask = async (connection: Connection, thread: number) => {
    for (let n = 0; n < 200; n += 1) {
      const id = `audit-${thread}-${n}`;
      ids.add(id);
      const path = `${maps}/audited-${n}`;
      await connection.call('GET', path, { headers: { 'audit-id': id } });
    }
  };
  await Promise.all([...both, ...both].map(ask));
  // The answers waited until their events were written.
  const lines = readFileSync(join(server.folder, 'audit.log'), 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line)).filter(({ auditID }) => ids.has(auditID));
  expect(events).toHaveLength(2 * ids.size);
  const stages = new Map<string, string[]>();
  for (const { auditID, stage } of events) stages.set(auditID, [...(stages.get(auditID) ?? []), stage]);
  expect([...new Set([...stages.values()].map(String))]).toEqual(['RequestReceived,ResponseComplete']);
});

test('the console shows what both threads have done', async () => {
  for (const connection of both)
    for (let n = 0; n < 3; n += 1) await connection.call('GET', `${maps}/seen-${connection.worker}-${n}`);
  for (const connection of both) {
    const { body } = await connection.call('GET', '/ilk/v1/server/audit-events');
    const uris = body.items.map((item: { requestURI: string }) => item.requestURI);
    for (const worker of [0, 1]) expect(uris).toContain(`${maps}/seen-${worker}-2`);
    expect(body.total).toBeGreaterThanOrEqual(body.items.length);
  }
});

describe('a session of the console', () => {
  const script = { 'x-ilk-console': '1', 'sec-fetch-site': 'same-origin' };
  const cookieOf = (headers: Readonly<Record<string, unknown>>) =>
    String([headers['set-cookie']].flat()[0]).split(';')[0] ?? '';

  test('is opened by one thread with the link of another, known to both, and closed by either', async () => {
    for (const [one, two] of [both, [both[1], both[0]] as const]) {
      const link = (await one.call('POST', '/ilk/v1/console/codes')).body.url;
      const code = String(link).split('#code=')[1];
      const opened = await two.call('POST', '/console/session', { body: { code }, headers: script });
      expect(opened.code).toBe(201);
      const again = await one.call('POST', '/console/session', { body: { code }, headers: script });
      expect(again.code).toBe(401);
      const browser = await server.both({ ...script, cookie: cookieOf(opened.headers) });
      const watches = browser.map((tab) => tab.watch(`${maps}?watch=true`));
      for (const tab of browser) {
        expect((await tab.call('GET', '/console/session')).body.user).toBe('ilk-admin');
        expect((await tab.call('GET', maps)).code).toBe(200);
      }
      await Promise.all(watches.map(({ opened: head }) => head));
      expect((await browser[one.worker]?.call('DELETE', '/console/session'))?.code).toBe(200);
      for (const tab of browser) expect((await tab.call('GET', maps)).code).toBe(401);
      // They end with the session.
      await Promise.all(watches.map(({ ended }) => ended));
    }
  });

  test('opens in any thread with the link that the server printed', async () => {
    const code = server.ready.console.split('#code=')[1];
    const opened = await both[1].call('POST', '/console/session', { body: { code }, headers: script });
    expect(opened.code).toBe(201);
  });
});

test('a TLS session of one thread is resumed by the other', async () => {
  const { kubeconfig } = server;
  const { hostname, port } = new URL(kubeconfig.field('server'));
  const shake = async (session?: Buffer) => {
    const host = { host: hostname, port: Number(port), servername: 'localhost' };
    const socket = connect({ ...host, ca: kubeconfig.ca, ...(session && { session }) });
    let ticket: Buffer | undefined;
    socket.on('session', (given) => (ticket = given));
    await once(socket, 'secureConnect');
    socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'data');
    return { socket, reused: socket.isSessionReused(), ticket: () => ticket };
  };
  const first = await shake();
  // A ticket comes after the handshake, and only for a new session.
  await expect.poll(first.ticket).toBeDefined();
  const reused: boolean[] = [];
  // All connections go to the thread of the ticket with 2^-20.
  for (let n = 0; n < 20; n += 1) {
    const again = await shake(first.ticket());
    reused.push(again.reused);
    again.socket.destroy();
  }
  first.socket.destroy();
  expect(reused).toEqual(reused.map(() => true));
});

test('kubectl works as with one thread', async () => {
  using kubectl = new Kubectl(server.ready.kubeconfig);
  const run = async (words: string, input?: unknown) => {
    const { code, out, err } = await kubectl.run(words, [], { input });
    return code === 0 ? out.trim() : `${code}: ${err}`;
  };
  expect(await run('apply -f -', widgetCrd)).toContain('created');
  expect(await run('wait --for=condition=Established crd/widgets.example.com')).toContain('condition met');
  const watching = kubectl.start('get widgets -w -o name');
  for (let n = 0; n < 5; n += 1) {
    expect(await run('create -f -', widget(`w${n}`, {}))).toBe(`widget.example.com/w${n} created`);
    expect(await run(`get widget w${n} -o name`)).toBe(`widget.example.com/w${n}`);
  }
  for (let n = 0; n < 5; n += 1) await watching.says(new RegExp(`w${n}\\n`));
  await watching.stop();
  expect(await run('delete widgets --all')).toContain('"w4" deleted');
  expect(await run('get widgets -o name')).toBe('');
});

test('log lines say which thread wrote them', async () => {
  for (const connection of both) await connection.call('GET', `${maps}/logged-${connection.worker}`);
  for (const worker of [0, 1])
    await expect
      .poll(() => server.process.log)
      .toMatch(new RegExp(`worker ${worker}: (slow request: )?GET \\S+/logged-${worker} 404`));
});

test('a second server does not share the port', async () => {
  const { port } = new URL(server.ready.url);
  const second = new IlkProcess(['serve', '--workers=2', `--secure-port=${port}`, '--storage=memory']);
  expect(await second.ended()).toEqual({
    code: 1,
    out: '',
    err: `ilk: port ${port} of 127.0.0.1 is in use: take another one with --secure-port; 0 is any free one\n`,
  });
});

test('fault injection needs one thread', async () => {
  const refused = new IlkProcess([
    'serve',
    '--workers=2',
    '--fault-injection',
    '--secure-port=0',
    '--storage=memory',
  ]);
  expect(await refused.ended()).toEqual({
    code: 1,
    out: '',
    err: 'ilk: --fault-injection needs --workers 1, this is 2: the rules are in one thread\n',
  });
});
