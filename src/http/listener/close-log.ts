import type { CloseReason } from './connection-counts.ts';

/** What clients and the server do all day. */
const ordinary: ReadonlySet<CloseReason> = new Set(['closed by the client', 'idle', 'server closes']);

/** A reason is logged at most once in so many ticks. */
const ticksBetween = 60;

/** Says of which connections the server rid itself: one line for each reason and minute, however many they are. */
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

  /** Writes what has not been said yet and is due. */
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
