import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Slices, systemTimers } from '../../meta/index.ts';
import { AnswerBuffers } from '../overload/index.ts';
import type { AnswerWriter } from './answer-writer.ts';
import { drainedOrClosed } from './drained.ts';
import { sendAnswer } from './send-answer.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('waiting for a closed stream ends at once', async () => {
  const stream = new PassThrough();
  stream.destroy();
  await new Promise((resolve) => stream.once('close', resolve));
  await drainedOrClosed(stream);
});

/** A client that disconnects: writes to it never drain. */
class LeavingWriter implements AnswerWriter {
  gone = false;
  readonly written: string[] = [];
  whole() {}
  head() {}
  end() {}
  abort() {}

  write(piece: Uint8Array): boolean {
    this.written.push(Buffer.from(piece).toString());
    return !this.gone;
  }

  drained(): Promise<void> {
    return new Promise(() => {});
  }
}

test('ends the stream of a client that disconnects while the sender yields', async () => {
  const buffers = new AnswerBuffers({ bytesMax: 1_000, waitMsMax: 1_000, timers: systemTimers });
  const writer = new LeavingWriter();
  let isEnded = false;
  async function* body() {
    try {
      for (;;) yield Buffer.from('event');
    } finally {
      isEnded = true;
    }
  }
  // Every time slice is already over.
  let now = 0;
  const slices = new Slices({ now: () => (now += 100), nextTurn: (call) => setImmediate(call), sliceMs: 20 });
  const request = {
    hold: buffers.hold(),
    method: 'GET',
    path: '/',
    query: new URLSearchParams(),
    header: () => undefined,
    headersFrom: () => [],
    body: async () => Buffer.alloc(0),
    certificate: undefined,
    signal: new AbortController().signal,
  };
  const sending = sendAnswer(
    { status: 200, headers: {}, body: body() },
    { request, writer, slices, waitFor: () => () => {}, onStall: () => {} },
  );
  while (writer.written.length < 2) await nextTurn();
  writer.gone = true;
  await sending;
  expect(isEnded).toBe(true);
  expect(buffers.bytes).toBe(0);
});
