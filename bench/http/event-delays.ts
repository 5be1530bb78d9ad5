import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';

const updates = 600;
/** Updates come at this pace, so that what is measured is the way of an event and not a queue. */
const pauseMs = 10;

/** Writes again and again, one write after the other. */
export async function pacedUpdates(write: (step: number) => Promise<void>): Promise<void> {
  for (let step = 0; step < updates; step++) {
    await write(step);
    await sleep(pauseMs);
  }
}

export interface FollowOptions {
  readonly tls: object;
  /** The collection. */
  readonly path: string;
  readonly writeTo: number;
  readonly watchAt: number;
  readonly make: (name: string, more: object) => object;
}

/** How long after the start of its write each event was read at a server, in milliseconds. */
export async function follow({ tls, path, writeTo, watchAt, make }: FollowOptions): Promise<number[]> {
  const writer = connect(`https://127.0.0.1:${writeTo}`, { ...tls });
  const reader = connect(`https://127.0.0.1:${watchAt}`, { ...tls });
  const name = `followed-${Math.random().toString(36).slice(2)}`;
  const first = await call(writer, 'POST', path, make(name, {}));
  let { resourceVersion } = first.metadata;
  const stream = reader.request({
    ':path': `${path}?watch=1&fieldSelector=metadata.name=${name}&resourceVersion=${resourceVersion}`,
  });
  await new Promise((resolve) => stream.once('response', resolve));
  const writtenMs: number[] = [];
  const delaysMs: number[] = [];
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const now = performance.now();
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const step = /"step":(\d+)/.exec(line)?.[1];
      if (step !== undefined) delaysMs.push(now - (writtenMs[Number(step)] ?? now));
    }
  });
  await pacedUpdates(async (step) => {
    writtenMs[step] = performance.now();
    const object = make(name, { metadata: { name, resourceVersion }, step });
    ({ resourceVersion } = (await call(writer, 'PUT', `${path}/${name}`, object)).metadata);
  });
  await sleep(200);
  writer.destroy();
  reader.destroy();
  if (delaysMs.length !== updates) throw new Error(`${delaysMs.length} of ${updates} events came`);
  return delaysMs;
}

async function call(session: ClientHttp2Session, method: string, path: string, body: object) {
  const stream = session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
  stream.end(JSON.stringify(body));
  let text = '';
  for await (const chunk of stream) text += chunk;
  return JSON.parse(text) as { metadata: { resourceVersion: string } };
}
