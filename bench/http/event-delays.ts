import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { type ClientOptions, open, readAnswers, requestBytes } from './client.ts';

/** Those at the beginning are not counted: they run code that nothing has compiled yet. */
const warmUps = 300;
const updates = 600;
/** Updates come at this pace, so that what is measured is the way of an event and not a queue. */
const pauseMs = 10;

/** Writes again and again, one write after the other; gives how long after the start of each its event was read. */
export async function pacedDelays(
  write: (step: number) => Promise<void>,
  seen: (tell: (step: number) => void) => void,
): Promise<number[]> {
  const writtenMs: number[] = [];
  const delaysMs: number[] = [];
  seen((step) => {
    if (step >= warmUps) delaysMs.push(performance.now() - (writtenMs[step] ?? 0));
  });
  for (let step = 0; step < warmUps + updates; step++) {
    writtenMs[step] = performance.now();
    await write(step);
    await sleep(pauseMs);
  }
  await sleep(200);
  if (delaysMs.length !== updates) throw new Error(`${delaysMs.length} of ${updates} events came`);
  return delaysMs;
}

interface FollowOptions {
  readonly tls: Omit<ClientOptions, 'port'>;
  /** The collection. */
  readonly path: string;
  readonly writeTo: number;
  readonly watchAt: number;
  readonly make: (name: string, more: object) => object;
}

/**
 * How long after the start of its write each event was read at a server, in milliseconds. Over HTTP/1.1, each request in
 * one piece: Node's client of HTTP/2 would take a third of the time that is measured.
 */
export async function follow({ tls, path, writeTo, watchAt, make }: FollowOptions): Promise<number[]> {
  const writer = await open({ ...tls, port: writeTo });
  const reader = await open({ ...tls, port: watchAt });
  const call = caller(writer);
  const name = `followed-${Math.random().toString(36).slice(2)}`;
  let resourceVersion = await call('POST', path, make(name, {}));
  const query = `watch=1&fieldSelector=metadata.name=${name}&resourceVersion=${resourceVersion}`;
  const began = new Promise((resolve) => reader.once('data', resolve));
  reader.write(requestBytes('GET', `${path}?${query}`));
  await began;
  const delaysMs = await pacedDelays(
    async (step) => {
      const object = make(name, { metadata: { name, resourceVersion }, step });
      resourceVersion = await call('PUT', `${path}/${name}`, object);
    },
    (tell) => readSteps(reader, tell),
  );
  writer.destroy();
  reader.destroy();
  return delaysMs;
}

/** An event may come in several pieces. */
function readSteps(reader: TLSSocket, tell: (step: number) => void): void {
  let rest = '';
  reader.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const step = /"step":(\d+)/.exec(line)?.[1];
      if (step !== undefined) tell(Number(step));
    }
  });
}

/** Sends one request after the other; gives the resourceVersion of what is answered. */
function caller(socket: TLSSocket): (method: string, path: string, body: object) => Promise<string> {
  let answered: (body: Buffer) => void = () => {};
  readAnswers(socket, (_, body) => answered(body));
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      answered = (bytes) => {
        const version = /"resourceVersion":"(\d+)"/.exec(bytes.toString('latin1'))?.[1];
        if (version === undefined) reject(new Error(`no object: ${bytes}`));
        else resolve(version);
      };
      socket.write(requestBytes(method, path, JSON.stringify(body)));
    });
}
