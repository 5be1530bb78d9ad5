import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemTimers, type Timers } from '../../src/meta/index.ts';
import { attack, hostileClients } from './hostile-clients.ts';
import { type SizedServer, startSizedServer } from './sized-server.ts';
import { wireCases, wireClients } from './wire-clients.ts';

/*
 * The large form of the tests beside it: `npm run wire [REQUESTS [CONNECTIONS]]`. Ends with 1 where a request was lost
 * or something was left behind.
 */

const [, , first = '100000', second = '20000'] = process.argv;
const print = (line: string) => process.stdout.write(`${line}\n`);
let failures = 0;

function check(isGood: boolean, text: string): void {
  if (!isGood) failures += 1;
  print(`${isGood ? 'ok    ' : 'FAILED'} ${text}`);
}

async function sendAll(requests: number): Promise<void> {
  const secure = await startSizedServer({ tls: true });
  const plain = await startSizedServer({ tls: false });
  const ways = wireClients.flatMap((client) => [
    { client, kind: 'TLS', server: secure },
    ...(client.over === 'HTTP/1.1' ? [{ client, kind: 'plain', server: plain }] : []),
  ]);
  const cases = wireCases(Math.ceil(requests / ways.length));
  for (const { client, kind, server } of ways) {
    const result = await client.run({ port: server.port, ca: server.caPem ?? '', connections: 8, cases });
    const name = `${client.name}, ${kind}`;
    if (result === undefined) print(`skipped ${name}: this machine does not have it`);
    else
      check(
        result.lostCount === 0,
        `${name}: ${cases.length} requests, ${result.lostCount} lost ${describe(result.lost)}`,
      );
  }
  await Promise.all([secure.listening.close(), plain.listening.close()]);
}

const describe = (lost: readonly unknown[]) => (lost.length === 0 ? '' : JSON.stringify(lost.slice(0, 3)));

interface Reading {
  readonly descriptors: number;
  readonly rssMb: number;
  /** What V8 and the buffers beside it hold, after garbage is collected. */
  readonly heldMb: number;
}

const mb = (bytes: number) => Math.round(bytes / 1e6);

async function read(): Promise<Reading> {
  // Sockets and buffers go with the second collection, after their finalizers have run.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await sleep(100);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    rssMb: mb(rss),
    heldMb: mb(heapUsed + external),
  };
}

const show = (when: string, { descriptors, rssMb, heldMb }: Reading) =>
  print(
    `       ${when}: ${descriptors} descriptors, RSS ${rssMb} MB, of which heap and buffers ${heldMb} MB`,
  );

/** A client that sends a request every 20 ms, meanwhile. */
function friend(server: SizedServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latenciesMs: number[] = [];
  let failed = 0;
  let isOver = false;
  const once = () =>
    new Promise<boolean>((resolve) => {
      const headers = { authorization: 'Bearer of-a-user' };
      const to = {
        host: '127.0.0.1',
        port: server.port,
        path: '/?answer=1000',
        ca: server.caPem,
        agent,
        headers,
      };
      httpsRequest(to, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode === 200));
      })
        .once('error', () => resolve(false))
        .end();
    });
  const running = (async () => {
    while (!isOver) {
      const started = performance.now();
      if (!(await once())) failed += 1;
      latenciesMs.push(performance.now() - started);
      await sleep(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      agent.destroy();
      latenciesMs.sort((a, b) => a - b);
      const at = (part: number) => Math.round(latenciesMs[Math.floor(latenciesMs.length * part)] ?? 0);
      return { sent: latenciesMs.length, failed, p50Ms: at(0.5), p99Ms: at(0.99) };
    },
  };
}

/** Hostile connections from another process, so that what is left here is the server's. */
function attackAll(port: number, connections: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ['attack', `${port}`, `${connections}`]);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`attackers ended with ${code}`)),
    );
  });
}

async function attackFrom(port: number, connections: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < connections) {
      const client = hostileClients[next++ % hostileClients.length];
      if (client === undefined) return;
      const socket = await attack(client, port);
      // Those that stay are the server's to end; the process ends them at last.
      if (socket.destroyed) continue;
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: 32 }, lane));
  await sleep(2_000);
}

/** Attacks, and waits until the server has ended what stays. */
async function attackAndWait(server: SizedServer, connections: number): Promise<Reading> {
  await attackAll(server.port, connections);
  // A client that is deaf is found last: when it has read nothing for a minute.
  for (let second = 0; second < 90 && server.openConnections() > 1; second += 1) await sleep(1_000);
  return read();
}

/** In the short form a second of the server's takes 50 ms: most of the time would be waiting for deadlines. */
const hasty: Timers = {
  after: systemTimers.after,
  every: (intervalMs, call) => systemTimers.every(intervalMs / 20, call),
};

async function attackServer(connections: number): Promise<void> {
  const timers = connections < 1_000 ? hasty : systemTimers;
  const log = (text: string) => print(`       log: ${text}`);
  const server = await startSizedServer({ tls: true, timers, log });
  const before = await attackAndWait(server, hostileClients.length * 10);
  show(`after ${hostileClients.length * 10} hostile connections`, before);
  const meanwhile = friend(server);
  const half = await attackAndWait(server, Math.ceil(connections / 2));
  show(`after ${Math.ceil(connections / 2)} more`, half);
  await attackAndWait(server, Math.floor(connections / 2));
  const { sent, failed, p50Ms, p99Ms } = await meanwhile.stop();
  for (let second = 0; second < 10 && server.openConnections() > 0; second += 1) await sleep(1_000);
  const after = await read();
  show(`after ${Math.floor(connections / 2)} more`, after);
  check(
    failed === 0,
    `another client meanwhile: ${sent} requests, ${failed} failed, p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
  );
  check(server.openConnections() === 0, `${server.openConnections()} connections left of ${connections}`);
  check(
    after.descriptors <= before.descriptors,
    `descriptors: ${before.descriptors} before, ${after.descriptors} after`,
  );
  check(after.heldMb <= before.heldMb + 20, `held: ${before.heldMb} MB before, ${after.heldMb} MB after`);
  // What the system's allocator has had at the peak, it mostly keeps: it must be no more for the second half.
  check(
    after.rssMb <= half.rssMb + 50,
    `RSS: ${half.rssMb} MB after the first half, ${after.rssMb} MB after the second`,
  );
  print(JSON.stringify(server.closedConnections(), undefined, 2));
  await server.listening.close();
}

if (first === 'attack') {
  const [, , , port, connections] = process.argv;
  await attackFrom(Number(port), Number(connections));
} else {
  print(`Node ${process.versions.node}`);
  await sendAll(Number(first));
  await attackServer(Number(second));
  process.exitCode = failures === 0 ? 0 : 1;
}
process.exit();
