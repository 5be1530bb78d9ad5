import type { MessagePort } from 'node:worker_threads';
import { closedError } from '../closed.ts';
import type { ListOptions, Store, StoredRecord } from '../store.ts';
import { type Batch, BatchReader, BatchWriter, transferable } from './batch.ts';
import type { EventEncoder } from './event-encoder.ts';
import { OutgoingStream } from './outgoing-stream.ts';
import { threadLimits } from './limits.ts';
import { type PortMessage, readCommit, reply, request, writeError, writeRecord } from './wire.ts';

interface WorkerPortOptions {
  readonly port: MessagePort;
  readonly store: Store;
  readonly health: () => Promise<unknown>;
  readonly encoder: EventEncoder;
  readonly onClosed: () => void;
}

/** The owner's end of one share: carries out the calls of one worker, and sends it changes. */
export class WorkerPort {
  readonly #options: WorkerPortOptions;
  readonly #replies = new BatchWriter();
  /** The events that the replies refer to. */
  readonly #events: Batch[] = [];
  readonly #streams = new Map<number, OutgoingStream>();
  /** What ends the reads that can be ended. */
  readonly #aborts = new Map<number, AbortController>();
  readonly #calls = new Set<Promise<void>>();
  #isFlushDue = false;
  /** What arrives from then on is not begun, so the worker can tell that it did not happen. */
  #isClosing = false;
  #isClosed = false;

  constructor(options: WorkerPortOptions) {
    this.#options = options;
    const { port } = options;
    port.on('message', (batch: Batch) => this.#take(batch));
    port.once('messageerror', () => port.close());
    port.once('close', () => this.#release());
  }

  /** Answers the calls under way, and tells the worker that there is nothing more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#calls);
    if (this.#isClosed) return;
    this.#flush();
    this.#replies.add(reply.closed);
    this.#flush();
    this.#release();
    this.#options.port.close();
  }

  #take(batch: Batch): void {
    const reader = new BatchReader(batch);
    while (!reader.isAtEnd && !this.#isClosing) this.#serve(reader);
  }

  #serve(reader: BatchReader): void {
    const kind = reader.number();
    const number = reader.number();
    switch (kind) {
      case request.taken:
        this.#streams.get(number)?.taken(reader.number(), reader.number());
        return;
      case request.progress:
        this.#streams.get(number)?.requestProgress();
        return;
      case request.cancelStream:
        this.#streams.get(number)?.cancel();
        this.#streams.delete(number);
        return;
      case request.abortCall:
        this.#aborts.get(number)?.abort();
        return;
      case request.open:
        this.#open(number, reader);
        return;
      default:
        this.#track(number, this.#call(kind, number, reader));
    }
  }

  /** Starts a call; what it resolves with writes the answer. */
  #call(kind: number, number: number, reader: BatchReader): Promise<() => void> {
    switch (kind) {
      case request.commit:
        return this.#commit(number, reader);
      case request.get:
        return this.#get(number, reader);
      case request.list:
        return this.#list(number, reader);
      case request.compact:
        return this.#options.store.compact(reader.number()).then(() => () => this.#done(number));
      case request.compactRevision:
        return this.#options.store
          .compactRevision()
          .then((revision) => () => this.#done(number).add(revision));
      case request.health:
        return this.#options.health().then(() => () => this.#done(number));
      default:
        throw new Error(`a worker asks for ${kind}, which is nothing`);
    }
  }

  #track(number: number, call: Promise<() => void>): void {
    const answered = call.then(
      (answer) => answer(),
      (error: unknown) => {
        this.#replies.add(reply.failed, number);
        writeError(this.#replies, error);
      },
    );
    const tracked = answered.then(() => {
      this.#calls.delete(tracked);
      this.#flushSoon();
    });
    this.#calls.add(tracked);
  }

  #done(number: number): BatchWriter {
    this.#replies.add(reply.done, number);
    return this.#replies;
  }

  async #commit(number: number, reader: BatchReader): Promise<() => void> {
    const result = await this.#options.store.commit(readCommit(reader));
    return () => {
      this.#done(number).add(result.ok ? 1 : 0, result.revision);
      if (!result.ok) writeRecord(this.#replies, result.current);
    };
  }

  async #get(number: number, reader: BatchReader): Promise<() => void> {
    const key = reader.text();
    const at = reader.optionalNumber();
    const { record, revision } = await this.#options.store.get(key, at === undefined ? {} : { revision: at });
    return () => {
      this.#done(number).add(revision);
      writeRecord(this.#replies, record);
    };
  }

  /** One page: as many records as were asked for, or fewer if they are large. */
  async #list(number: number, reader: BatchReader): Promise<() => void> {
    const range = { start: reader.text(), end: reader.text() };
    const revision = reader.optionalNumber();
    const limit = reader.number();
    const counted = reader.number() === 1;
    const abort = new AbortController();
    this.#aborts.set(number, abort);
    const at = revision !== undefined && { revision };
    const options: ListOptions = { limit, counted, signal: abort.signal, ...at };
    try {
      const page = await this.#options.store.list(range, options);
      const sent = recordsInPage(page.records);
      return () => {
        this.#done(number).add(page.revision, page.count, sent.length);
        for (const record of sent) writeRecord(this.#replies, record);
      };
    } finally {
      this.#aborts.delete(number);
    }
  }

  #open(number: number, reader: BatchReader): void {
    const range = { start: reader.text(), end: reader.text() };
    const watch = this.#options.store.watch(range, { after: reader.number() });
    const stream = new OutgoingStream(watch, {
      onMessages: () => this.#flushSoon(),
      onEnd: (error) => {
        this.#addEvents(number, stream);
        this.#streams.delete(number);
        this.#replies.add(reply.ended, number);
        writeError(this.#replies, error ?? closedError());
        this.#flushSoon();
      },
    });
    this.#streams.set(number, stream);
  }

  /** Everything that happens in one turn is sent together. */
  #flushSoon(): void {
    if (this.#isFlushDue || this.#isClosed) return;
    this.#isFlushDue = true;
    // After the promises of this turn: a commit's answer and its event cross together.
    process.nextTick(() => {
      this.#isFlushDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isClosed) return;
    for (const [number, stream] of this.#streams) this.#addEvents(number, stream);
    if (this.#replies.isEmpty) return;
    const replies = this.#replies.take();
    const message: PortMessage = [replies, ...this.#events.splice(0)];
    this.#options.port.postMessage(message, transferable(replies));
  }

  /** Adds what a stream has read since the last message. */
  #addEvents(number: number, stream: OutgoingStream): void {
    const messages = stream.take();
    if (messages.length === 0) return;
    this.#replies.add(reply.events, number);
    this.#events.push(this.#options.encoder.encode(messages));
  }

  #release(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of this.#streams.values()) stream.cancel();
    for (const abort of this.#aborts.values()) abort.abort();
    this.#streams.clear();
    this.#options.onClosed();
  }
}

/** The records of a page up to the one that reaches the limit in bytes. */
function recordsInPage(records: readonly StoredRecord[]): readonly StoredRecord[] {
  let bytes = 0;
  const large = records.findIndex(({ value }) => (bytes += value.byteLength) >= threadLimits.pageBytesMax);
  return large === -1 ? records : records.slice(0, large + 1);
}
