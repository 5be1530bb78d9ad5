import type { AuditBackend, AuditEvent } from '../../audit/index.ts';
import { limits } from '../../meta/index.ts';
import type { FurtherThread } from './further-thread.ts';

interface ThreadAuditOptions {
  /** The place of the destination among those of the configuration. */
  readonly backend: number;
  /** As that of the destination. */
  readonly isForgiving: boolean;
  /** True if the destination queues events: nothing waits until they are written. */
  readonly isQueued: boolean;
  /** Called with lost events that nothing waits for. */
  readonly onTrouble: (error: unknown) => void;
}

/** Events that are sent together. */
interface Batch {
  readonly events: AuditEvent[];
  readonly sent: Promise<void>;
  readonly settle: (sending: Promise<void>) => void;
  isAwaited: boolean;
}

/**
 * A destination of audit events in the first thread, for another thread: each destination has one writer, and a response
 * waits as long as it does there. The events of a turn are sent together, those that are awaited when the microtasks are
 * done.
 */
export class ThreadAuditBackend implements AuditBackend {
  readonly isForgiving: boolean;
  readonly #thread: Pick<FurtherThread, 'audit'>;
  readonly #options: ThreadAuditOptions;
  readonly #unwritten = new Set<Promise<unknown>>();
  #chars = 0;
  #batch: Batch | undefined;

  constructor(thread: Pick<FurtherThread, 'audit'>, options: ThreadAuditOptions) {
    this.#thread = thread;
    this.#options = options;
    this.isForgiving = options.isForgiving;
  }

  /** @throws {Error} if too many events have been sent and not written */
  write(events: readonly AuditEvent[], isAwaited = true): void | Promise<void> {
    const chars = charsOf(events);
    if (this.#chars + chars > limits.auditBufferBytesMax)
      throw new Error('audit buffer queue blocked: an event was lost');
    this.#chars += chars;
    this.#batch ??= this.#begin();
    const batch = this.#batch;
    batch.events.push(...events);
    if (isAwaited && !batch.isAwaited) {
      batch.isAwaited = true;
      process.nextTick(() => this.#send(batch));
    }
    return this.#options.isQueued ? undefined : batch.sent;
  }

  async close(): Promise<void> {
    this.#send(this.#batch);
    await Promise.allSettled(this.#unwritten);
  }

  #begin(): Batch {
    let settle: Batch['settle'] = () => {};
    const sent = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const over = sent.catch((error: unknown) => {
      // The others are told by the promise.
      if (this.#options.isQueued) this.#options.onTrouble(error);
    });
    this.#unwritten.add(over);
    void over.then(() => this.#unwritten.delete(over));
    const batch: Batch = { events: [], sent, settle, isAwaited: false };
    setImmediate(() => this.#send(batch));
    return batch;
  }

  /** Sends a batch, unless that was done. */
  #send(batch: Batch | undefined): void {
    if (batch === undefined || batch !== this.#batch) return;
    this.#batch = undefined;
    const { events, isAwaited } = batch;
    const writing = this.#thread.audit({ backend: this.#options.backend, events, isAwaited });
    batch.settle(
      writing.finally(() => {
        this.#chars -= charsOf(events);
      }),
    );
  }
}

const charsOf = (events: readonly AuditEvent[]): number =>
  events.reduce((sum, { length }) => sum + length, 0);
