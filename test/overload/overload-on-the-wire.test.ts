import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Authorizer } from '../../src/auth/index.ts';
import { limits, systemTimers, type Timers } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';

/** Overload of a server as its clients see it: over TLS, with HTTP/1.1, HTTP/2 and WebSockets. */

const configMaps = '/api/v1/namespaces/default/configmaps';
const watchPath = `${configMaps}?watch=1`;
const allowAll: Authorizer = { authorize: () => ({ verdict: 'allow', reason: '' }) };
const schemaHeader = 'x-kubernetes-pf-flowschema-uid';
const poll = { interval: 5 };

/** On a slow machine no request has waited too long, and no level has lent or taken back seats. */
const patient: Timers = {
  after: (ms, call) => (ms === limits.queueWaitMsMax ? () => {} : systemTimers.after(ms, call)),
  every: (ms, call) => (ms === limits.seatAdjustmentMs ? () => {} : systemTimers.every(ms, call)),
};

let server: IlkServer;
const sessions: ClientHttp2Session[] = [];

/** A server whose level for users has three seats, one of them lent. */
async function start(more: Parameters<typeof startServer>[0] = {}): Promise<void> {
  server = await startServer({
    listen: { host: '127.0.0.1', port: 0, tls: true },
    priorityAndFairness: true,
    authorizer: allowAll,
    maxRequestsInFlight: 20,
    maxMutatingRequestsInFlight: 10,
    watchLimits: { watchesPerUserMax: 9, watchesMax: 11 },
    ...more,
  });
}

async function stop(): Promise<void> {
  for (const session of sessions.splice(0)) session.destroy();
  await server.close();
}

const actingAs = (name: string) => server.as({ name, groups: ['system:authenticated'] });

function authorizationOf(name: string): string {
  const token = /token: (\S+)/.exec(actingAs(name).kubeconfig)?.[1] ?? '';
  return `Bearer ${token}`;
}

async function session(): Promise<ClientHttp2Session> {
  const opened = connect(server.url, { ca: server.caPem });
  await once(opened, 'connect');
  sessions.push(opened);
  return opened;
}

/** An answer: open, or whole with its body. */
interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Waits for the end. */
  body(): Promise<string>;
  /** Breaks the connection or stream. */
  end(): void;
}

async function overHttp1(user: string, path: string): Promise<Answer> {
  const headers = { authorization: authorizationOf(user) };
  const request = get(`${server.url}${path}`, { headers, agent: false, ca: server.caPem });
  const [response] = await once(request, 'response');
  const { statusCode: status, headers: got } = response;
  return { status, headers: got, body: () => text(response), end: () => request.destroy() };
}

async function overHttp2(user: string, path: string, on = sessions[0]): Promise<Answer> {
  const opened = on ?? (await session());
  const stream = opened.request({ ':path': path, authorization: authorizationOf(user) });
  const [headers] = await once(stream, 'response');
  return { status: headers[':status'], headers, body: () => text(stream), end: () => stream.close() };
}

function overWebSocket(user: string, path: string): Promise<Answer> {
  const headers = { authorization: authorizationOf(user) };
  const socket = new WebSocket(`${server.url.replace('https', 'wss')}${path}`, { headers, ca: server.caPem });
  const end = () => socket.terminate();
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => resolve({ status: 101, headers: {}, body: async () => '', end }));
    socket.on('unexpected-response', (_, response) => {
      const { statusCode: status, headers: got } = response;
      resolve({ status, headers: got, body: () => text(response), end });
    });
  });
}

const ways = { 'HTTP/1.1': overHttp1, 'HTTP/2': overHttp2, WebSocket: overWebSocket } as const;
const eachWay = Object.values(ways);

async function metric(name: string): Promise<number> {
  const metrics = await (await server.fetch('/metrics')).text();
  return Number(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm').exec(metrics)?.[1]);
}

/** The answer to a watch beyond a limit. */
const tooMany = (message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason: 'TooManyRequests',
  details: { retryAfterSeconds: 5 },
  code: 429,
});

async function refused(answer: Promise<Answer>): Promise<unknown[]> {
  const { status, headers, body } = await answer;
  return [status, headers['retry-after'], JSON.parse(await body())];
}

describe('open watches', () => {
  beforeAll(() => start());
  afterAll(stop);

  test('count together over HTTP/1.1, HTTP/2 and WebSockets; one beyond the limit of its user gets 429', async () => {
    const open = await Promise.all(eachWay.flatMap((way) => [1, 2, 3].map(() => way('jane', watchPath))));
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 101, 101, 101]);
    const message = 'user "jane" has 9 watches open, which is the limit';
    for (const way of eachWay)
      expect(await refused(way('jane', watchPath))).toEqual([429, '5', tooMany(message)]);
    expect(await metric('ilk_refused_watches_total')).toBe(3);

    // Others have their own limit, and reads none.
    const others = [await overHttp1('joe', watchPath), await overHttp2('joe', watchPath)];
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    expect((await overHttp2('jane', configMaps)).status).toBe(200);

    // Watches of the process itself do not count.
    const inside = await actingAs('jane').fetch(watchPath);
    expect([inside.status, await metric('ilk_open_watches')]).toEqual([200, 11]);
    await inside.body?.cancel();
    expect(await refused(overHttp1('max', watchPath))).toEqual([
      429,
      '5',
      tooMany('this server has 11 watches open, which is the limit'),
    ]);

    // One that has ended makes room for another, however it ended.
    for (const [at, way] of [overHttp2, overWebSocket, overHttp1].entries()) {
      open[3 * at]?.end();
      await expect.poll(() => metric('ilk_open_watches'), poll).toBe(10);
      expect((await way('jane', watchPath)).status).toBeOneOf([200, 101]);
      expect(await metric('ilk_open_watches')).toBe(11);
    }
    for (const one of sessions.splice(0)) one.destroy();
    // Of HTTP/2: jane's two that were left and her new one, and joe's.
    await expect.poll(() => metric('ilk_open_watches'), poll).toBe(7);
  });
});

describe.skipIf(etcdBinaries.length === 0)('a server without a free seat or place in a queue', () => {
  /** Two seats of three, one of which is lent; fifty places in each of the six queues of the flow. */
  const full = { waiting: '300', executing: '2' };
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    await start({ storage: { kind: 'etcd', endpoints: [etcd.url] }, timers: patient });
    // The objects that classify requests are read from the storage.
    for (let uid: unknown; uid === undefined || (await schemaOf('jane')) !== uid; )
      uid = await uidOf('probes');
    await flood();
  });
  afterAll(async () => {
    await stop();
    await etcd[Symbol.asyncDispose]();
  });

  /** Creates whose bodies do not come: they hold the seats, and the places in the queues of their flow. */
  async function flood(): Promise<void> {
    const headers = { ':method': 'POST', ':path': configMaps, 'content-type': 'application/json' };
    const authorization = authorizationOf('flood');
    const on = [await session(), await session(), await session(), await session()];
    const streams = on.flatMap((one) =>
      Array.from({ length: 100 }, () => one.request({ ...headers, authorization })),
    );
    const statuses: unknown[] = [];
    await new Promise<void>((resolve) => {
      for (const stream of streams) {
        stream.on('error', () => {});
        stream.on('response', (answer) => {
          if (statuses.push(answer[':status']) === 98) resolve();
        });
      }
    });
    expect(statuses).toEqual(Array.from({ length: 98 }, () => 429));
    expect(await levelOf('global-default')).toEqual(full);
  }

  async function levelOf(name: string) {
    const dump = await (await server.fetch('/debug/api_priority_and_fairness/dump_priority_levels')).text();
    const row = dump.split('\n').find((line) => line.startsWith(name));
    const [, , , , waiting, executing] = row?.split(/, +/) ?? [];
    return { waiting, executing };
  }

  const uidOf = async (schema: string) => {
    const path = `/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/${schema}`;
    return Object(await (await server.fetch(path)).json()).metadata?.uid;
  };
  const schemaOf = async (user: string) => (await overHttp2(user, '/readyz')).headers[schemaHeader];

  const passed = (probe: string, checks: readonly string[]) =>
    `${[...checks.map((check) => `[+]${check} ok`), `${probe} check passed`].join('\n')}\n`;

  test.each(['flood', 'jane'])('answers the probes of %s at once, outside of the queues', async (user) => {
    const probes = await uidOf('probes');
    const exempt = [
      ['/livez', 'ok'],
      ['/healthz', 'ok'],
      ['/readyz', 'ok'],
      ['/livez?verbose', passed('livez', ['ping'])],
      ['/readyz?verbose', passed('readyz', ['ping', 'etcd'])],
    ] as const;
    for (const [path, body] of exempt) {
      for (const way of [overHttp1, overHttp2]) {
        const answer = await way(user, path);
        const uid = answer.headers[schemaHeader];
        expect([answer.status, await answer.body(), uid]).toEqual([200, body, probes]);
      }
    }
    // Nothing moved: the answers came before any of the creates.
    expect(await levelOf('global-default')).toEqual(full);
    expect((await overHttp1('flood', configMaps)).status).toBe(429);
  });

  test('says what is wrong while it is overloaded: /readyz fails with its storage, /livez does not', async () => {
    process.kill(etcd.pid, 'SIGSTOP');
    try {
      const ready = overHttp1('jane', '/readyz?verbose');
      for (const path of ['/livez', '/healthz']) {
        const answer = await overHttp2('jane', path);
        expect([answer.status, await answer.body()]).toEqual([200, 'ok']);
      }
      const { status, body } = await ready;
      const text = '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n';
      expect([status, await body()]).toEqual([500, text]);
    } finally {
      process.kill(etcd.pid, 'SIGCONT');
    }
    expect(await levelOf('global-default')).toEqual(full);
  });
});
