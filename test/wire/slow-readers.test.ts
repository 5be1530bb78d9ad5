import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemAnswerBuffers } from '../../src/http/index.ts';
import { systemTimers, type Timers } from '../../src/meta/index.ts';
import { type SizedServer, startSizedServer } from './sized-server.ts';

const bytes = 30_000_000;
const pieces = bytes / 10_000;
const streamed = `/?answer=${bytes}&chunked=1`;
const authorization = 'Bearer of-a-user';

/** A second of the server's takes 20 ms. */
const hasty: Timers = {
  after: systemTimers.after,
  every: (intervalMs, call) => systemTimers.every(intervalMs / 50, call),
};

/** An answer of which nothing is read yet, and how to end its connection. */
interface Unread {
  readonly answer: Readable;
  /** Whether the server has given up on its reader. */
  isGivenUp(): boolean;
  end(): void;
}

function overHttp1(server: SizedServer, path = streamed): Promise<Unread> {
  const { port, caPem } = server;
  const isGivenUp = () => server.closedConnections()['answer not read'] === 1;
  const agent = new Agent({ keepAlive: true });
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port, path, ca: caPem, agent, headers: { authorization } };
    const answered = (answer: IncomingMessage) => {
      answer.pause();
      resolve({ answer, isGivenUp, end: () => agent.destroy() });
    };
    httpsRequest(to, answered).once('error', reject).end();
  });
}

function overHttp2({ port, caPem }: SizedServer, path = streamed): Promise<Unread> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: caPem });
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    const answer = session.request({ ':path': path, authorization });
    const isGivenUp = () => answer.closed;
    answer.once('response', () => resolve({ answer, isGivenUp, end: () => session.destroy() }));
  });
}

const ways = [
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
] as const;

test.each(ways)('a reader that stops holds pieces, not the answer, and is ended: %s', async (_, open) => {
  const server = await startSizedServer({ tls: true, timers: hasty });
  const { answer, isGivenUp, end } = await open(server);
  answer.on('error', () => {});
  let made = -1;
  for (let same = 0; same < 10; same = made === server.piecesMade() ? same + 1 : 0) {
    made = server.piecesMade();
    await sleep(20);
  }
  // What the buffers of two sockets in the system hold, and little else.
  expect(made).toBeLessThan(pieces / 2);
  await expect.poll(isGivenUp).toBe(true);
  expect(server.piecesMade()).toBe(made);
  end();
  await server.listening.close();
});

test.each(ways)('what an unread answer holds is counted until its reader is ended: %s', async (_, open) => {
  const buffers = systemAnswerBuffers(systemTimers);
  const server = await startSizedServer({ tls: true, timers: hasty, buffers });
  const { answer, isGivenUp, end } = await open(server, `/?answer=${bytes}`);
  answer.on('error', () => {});
  expect(buffers.bytes).toBe(bytes);
  await expect.poll(isGivenUp).toBe(true);
  await expect.poll(() => buffers.bytes).toBe(0);
  end();
  await server.listening.close();
});

test.each(ways)('a reader that is slow and goes on gets everything: %s', async (_, open) => {
  const server = await startSizedServer({ tls: true });
  const { answer, end } = await open(server);
  let read = 0;
  for await (const chunk of answer) {
    read += (chunk as Buffer).length;
    if (read % 50 === 0) await sleep(1);
  }
  expect(read).toBe(bytes);
  end();
  await server.listening.close();
});
