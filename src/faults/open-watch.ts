import { ConnectionDropped, type KnownRequest } from '../http/index.ts';

/** An interruption of a watch. */
type Interruption = (
  | { readonly kind: 'drop' }
  /** Sends a last event, and ends. */
  | { readonly kind: 'end'; readonly frame: Uint8Array }
  | { readonly kind: 'stall'; readonly until: () => Promise<unknown> }
) & {
  /** After this many further events. */
  readonly afterEvents: number;
};

const newline = 0x0a;
const nothing = new Uint8Array();

/** An open watch whose stream can be interrupted at any time. */
export class OpenWatch {
  readonly request: KnownRequest;
  #interruption: Interruption | undefined;
  #eventsLeft = 0;
  /** Wakes the stream while it waits for an event. */
  #wake: () => void = () => {};

  constructor(request: KnownRequest) {
    this.request = request;
  }

  /** A watch has at most one pending interruption; the last one counts. */
  interrupt(interruption: Interruption): void {
    this.#interruption = interruption;
    this.#eventsLeft = interruption.afterEvents;
    this.#wake();
  }

  /** The stream, with its interruptions. @throws {ConnectionDropped} in the middle of it */
  async *stream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const source = body[Symbol.asyncIterator]();
    let coming: Promise<IteratorResult<Uint8Array>> | undefined;
    let rest: Uint8Array = nothing;
    try {
      for (;;) {
        const due = this.#takeDue();
        if (due?.kind === 'drop') throw new ConnectionDropped();
        if (due?.kind === 'end') return yield due.frame;
        if (due?.kind === 'stall') await due.until();
        if (rest.length === 0) {
          coming ??= source.next();
          const result = await Promise.race([coming, this.#interrupted()]);
          if (result === undefined) continue;
          coming = undefined;
          if (result.done === true) return;
          rest = result.value;
        }
        const end = this.#cut(rest);
        yield rest.subarray(0, end);
        rest = rest.subarray(end);
      }
    } finally {
      // The source ends its own watch at once; if it is busy, its last event is not waited for.
      void source.return?.().then(undefined, () => {});
    }
  }

  #takeDue(): Interruption | undefined {
    if (this.#interruption === undefined || this.#eventsLeft > 0) return undefined;
    const due = this.#interruption;
    this.#interruption = undefined;
    return due;
  }

  #interrupted(): Promise<undefined> {
    return new Promise((resolve) => {
      this.#wake = () => resolve(undefined);
    });
  }

  /** The position of the interruption in the data: after this many lines, each of which is an event. */
  #cut(piece: Uint8Array): number {
    if (this.#interruption === undefined) return piece.length;
    let end = 0;
    while (this.#eventsLeft > 0 && end < piece.length) {
      const found = piece.indexOf(newline, end);
      end = found < 0 ? piece.length : found + 1;
      this.#eventsLeft -= 1;
    }
    return end;
  }
}
