import type { MessagePort } from 'node:worker_threads';
import { closedError } from '../closed.ts';
import type { RemoteStream, StreamOptions } from '../remote/remote-log.ts';
import { prefixRange } from '../store.ts';
import { BatchReader, BatchWriter, transferable } from './batch.ts';
import { IncomingStream } from './incoming-stream.ts';
import { type PortMessage, readError, readMessage, reply, request } from './wire.ts';

/** A call to the owner, its number left out. */
export interface Call<T> {
  readonly kind: number;
  /** Writes the arguments. */
  readonly write?: (batch: BatchWriter) => void;
  readonly read: (reply: BatchReader) => T;
  /** What the call fails with if the owner's thread ends before it answers; `closed` by default. */
  readonly unanswered?: () => Error;
  readonly signal?: AbortSignal | undefined;
}

interface PendingCall {
  readonly resolve: (reply: BatchReader) => void;
  readonly reject: (error: unknown) => void;
  readonly unanswered: () => Error;
}

const allKeys = prefixRange('');

/** A worker's end of a share: sends calls and receives answers and changes, those of one turn together. */
export class OwnerPort {
  readonly #port: MessagePort;
  readonly #onClosed: () => void;
  readonly #requests = new BatchWriter();
  readonly #calls = new Map<number, PendingCall>();
  readonly #streams = new Map<number, IncomingStream>();
  #lastNumber = 0;
  #isFlushDue = false;
  #isClosed = false;

  /** `onClosed` is called once: the owner has closed the store or the share, or its thread has ended. */
  constructor(port: MessagePort, onClosed: () => void) {
    this.#port = port;
    this.#onClosed = onClosed;
    port.on('message', (message: PortMessage) => this.#take(message));
    port.once('messageerror', () => port.close());
    port.once('close', () => this.#closed((call) => call.unanswered()));
  }

  /** @throws {StoreError} what the owner's store throws; the reason of the signal */
  call<T>({ kind, write, read, unanswered = closedError, signal }: Call<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const number = this.#send(kind, write);
    return new Promise<T>((resolve, reject) => {
      // The call stays: its answer must be read, as others follow it.
      const aborted = () => {
        this.#tell(request.abortCall, number);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', aborted, { once: true });
      this.#calls.set(number, {
        unanswered,
        resolve(reader) {
          signal?.removeEventListener('abort', aborted);
          resolve(read(reader));
        },
        reject(error) {
          signal?.removeEventListener('abort', aborted);
          reject(error);
        },
      });
    });
  }

  /** Opens a stream of changes. One of all keys needs no progress: it delivers a change for each revision. */
  open({ range, after, signal }: StreamOptions): RemoteStream {
    if (this.#isClosed) throw closedError();
    const number = this.#send(request.open, (batch) => {
      const { start, end } = range ?? allKeys;
      batch.add(start, end, after);
    });
    const stream = new IncomingStream({
      signal,
      onTaken: (events, bytes) => this.#tell(request.taken, number, events, bytes),
      onProgressWanted: () => range !== undefined && this.#tell(request.progress, number),
      onCancel: () => {
        this.#streams.delete(number);
        this.#tell(request.cancelStream, number);
      },
    });
    if (!signal.aborted) this.#streams.set(number, stream);
    return stream;
  }

  /** Lets go of the owner. Calls under way fail with `closed`. */
  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#closed(closedError);
    this.#port.close();
  }

  #send(kind: number, write?: (batch: BatchWriter) => void): number {
    const number = ++this.#lastNumber;
    this.#tell(kind, number);
    write?.(this.#requests);
    return number;
  }

  #tell(...fields: readonly number[]): void {
    if (this.#isClosed) return;
    this.#requests.add(...fields);
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    // After all sockets that are ready were read: what arrived together is sent together.
    setImmediate(() => {
      this.#isFlushDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isClosed || this.#requests.isEmpty) return;
    const requests = this.#requests.take();
    this.#port.postMessage(requests, transferable(requests));
  }

  #take([replies, ...events]: PortMessage): void {
    const reader = new BatchReader(replies);
    const batches = events.values();
    while (!reader.isAtEnd && !this.#isClosed) {
      const kind = reader.number();
      if (kind === reply.closed) this.#closed(closedError);
      else this.#takeReply(kind, reader, batches);
    }
  }

  #takeReply(kind: number, reader: BatchReader, batches: Iterator<PortMessage[0]>): void {
    const number = reader.number();
    if (kind === reply.events) {
      const batch = batches.next().value;
      const stream = this.#streams.get(number);
      if (batch !== undefined && stream !== undefined) stream.deliver(readMessage(new BatchReader(batch)));
    } else if (kind === reply.ended) {
      const error = readError(reader);
      this.#streams.get(number)?.end(error);
      this.#streams.delete(number);
    } else this.#takeAnswer(kind, number, reader);
  }

  #takeAnswer(kind: number, number: number, reader: BatchReader): void {
    const call = this.#calls.get(number);
    this.#calls.delete(number);
    if (kind === reply.failed) {
      const error = readError(reader);
      call?.reject(error);
    } else call?.resolve(reader);
  }

  #closed(errorOf: (call: PendingCall) => Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed();
    for (const call of this.#calls.values()) call.reject(errorOf(call));
    this.#calls.clear();
    for (const stream of [...this.#streams.values()]) stream.end(closedError());
    this.#streams.clear();
  }
}
