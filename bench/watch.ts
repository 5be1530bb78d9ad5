import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminTls, startIlk, widget, widgetCrd, widgetsPath } from './http/served.ts';

const updates = 1_000;
/** Updates come at this pace, so that what is measured is the way of an event and not a queue. */
const pauseMs = 25;
const sessions = 8;

/** Sends one request and gives the whole answer. */
async function call(session: ClientHttp2Session, method: string, path: string, body: object) {
  const stream = session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
  stream.end(JSON.stringify(body));
  let text = '';
  for await (const chunk of stream) text += chunk;
  return JSON.parse(text) as { metadata: { resourceVersion: string } };
}

/** Opens a watch; resolves when the server has answered, which is when it watches. */
function open(session: ClientHttp2Session, after: string): Promise<ClientHttp2Stream> {
  const stream = session.request({ ':path': `${widgetsPath}?watch=1&resourceVersion=${after}` });
  return new Promise((resolve) => stream.once('response', () => resolve(stream)));
}

/** Notes how long after its write each event came. A frame may come in several chunks. */
function follow(
  stream: ClientHttp2Stream,
  writtenAtMs: readonly number[],
  delaysMs: number[],
): Promise<number> {
  let seen = 0;
  let rest = '';
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      const now = performance.now();
      const text = rest + chunk.toString('latin1');
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      for (const [, step] of text.slice(0, end).matchAll(/"step":(\d+)/g)) {
        delaysMs.push(now - (writtenAtMs[Number(step)] ?? now));
        seen += 1;
        if (seen === updates) resolve(seen);
      }
    });
    stream.once('close', () => resolve(seen));
  });
}

async function watched(port: number, tls: object, watchers: number) {
  const authority = `https://127.0.0.1:${port}`;
  const open8 = Array.from({ length: sessions }, () => connect(authority, { ...tls }));
  const [writer] = open8;
  if (writer === undefined) throw new Error('no session');
  const name = `watched-by-${watchers}`;
  let { metadata } = await call(writer, 'POST', widgetsPath, widget(name));
  const streams = await Promise.all(
    Array.from({ length: watchers }, (_, index) =>
      open(open8[index % sessions] ?? writer, metadata.resourceVersion),
    ),
  );
  const writtenAtMs: number[] = [];
  const delaysMs: number[] = [];
  const following = streams.map((stream) => follow(stream, writtenAtMs, delaysMs));
  for (let step = 0; step < updates; step += 1) {
    writtenAtMs.push(performance.now());
    const spec = { text: 'x'.repeat(580), step };
    ({ metadata } = await call(writer, 'PUT', `${widgetsPath}/${name}`, {
      ...widget(name),
      metadata: { ...metadata, name },
      spec,
    }));
    await sleep(pauseMs);
  }
  const seen = await Promise.race([Promise.all(following), sleep(30_000, [])]);
  for (const session of open8) session.destroy();
  delaysMs.sort((a, b) => a - b);
  const at = (part: number) => delaysMs[Math.floor(delaysMs.length * part)] ?? 0;
  return {
    lost: watchers * updates - seen.reduce((sum, one) => sum + one, 0),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

/** From the start of a durable write until its event was read, over TLS; the write itself is part of it. */
export async function run(print: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const crds = join(dataDir, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  const server = await startIlk(dataDir, '--crds', crds);
  try {
    print('| watchers | updates | lost | p50 | p99 |\n|---|---|---|---|---|');
    for (const watchers of [1, 1_000]) {
      const { lost, p50Ms, p99Ms } = await watched(server.port, adminTls(dataDir), watchers);
      print(`| ${watchers} | ${updates} | ${lost} | ${p50Ms.toFixed(2)} ms | ${p99Ms.toFixed(2)} ms |`);
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
