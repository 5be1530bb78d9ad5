import { limits, type Timers } from '../../meta/index.ts';
import type { AuditBackend, AuditEvent } from '../backend.ts';

interface BatchOptions {
  /** The size of the queue in events, and in characters; further events are lost. */
  readonly bufferSize: number;
  readonly bufferCharsMax?: number;
  readonly batchSize: number;
  /** How long an event waits for others. */
  readonly waitMs: number;
  readonly timers: Timers;
  /** Called with lost events. */
  readonly onTrouble: (error: unknown) => void;
}

/** Queues events and writes them in batches, one after the other. Source: apiserver, plugin/pkg/audit/buffered. */
export class BatchedBackend implements AuditBackend {
  readonly #inner: AuditBackend;
  readonly #options: BatchOptions;
  #waiting: AuditEvent[] = [];
  #chars = 0;
  #cancelTimer: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(inner: AuditBackend, options: BatchOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  /** @throws {Error} if the buffer is full */
  write(events: readonly AuditEvent[]): void {
    const { bufferSize, bufferCharsMax = limits.auditBufferBytesMax, batchSize } = this.#options;
    const chars = this.#chars + charsOf(events);
    if (this.#waiting.length + events.length > bufferSize || chars > bufferCharsMax)
      throw new Error('audit buffer queue blocked: an event was lost');
    this.#chars = chars;
    const { waitMs, timers } = this.#options;
    this.#waiting.push(...events);
    if (this.#waiting.length >= batchSize) this.#flush();
    else this.#cancelTimer ??= timers.after(waitMs, () => this.#flush());
  }

  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
    await this.#inner.close();
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#options.batchSize);
      try {
        await this.#inner.write(batch);
      } catch (error) {
        this.#options.onTrouble(error);
      }
      this.#chars -= charsOf(batch);
    }
  }
}

const charsOf = (events: readonly AuditEvent[]): number =>
  events.reduce((sum, { length }) => sum + length, 0);
