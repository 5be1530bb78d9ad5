import type { CloseReason } from './connection-counts.ts';

/** Reasons that are normal and not logged. */
const ordinary: ReadonlySet<CloseReason> = new Set(['closed by the client', 'idle', 'server closes']);

/** A reason is logged at most once per this many ticks. */
const ticksBetween = 60;

/** Logs which connections the server closed: one line per reason and minute. */
export class CloseLog {
  readonly #write: (text: string) => void;
  readonly #unsaid = new Map<CloseReason, number>();
  readonly #saidTick = new Map<CloseReason, number>();

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  note(reason: CloseReason): void {
    if (!ordinary.has(reason)) this.#unsaid.set(reason, (this.#unsaid.get(reason) ?? 0) + 1);
  }

  /** Logs what is due. */
  flush(tick: number): void {
    for (const [reason, count] of this.#unsaid) {
      const saidTick = this.#saidTick.get(reason);
      if (saidTick !== undefined && tick - saidTick < ticksBetween) continue;
      this.#saidTick.set(reason, tick);
      this.#unsaid.delete(reason);
      this.#write(`closed ${count} connection${count === 1 ? '' : 's'}: ${reason}`);
    }
  }
}
