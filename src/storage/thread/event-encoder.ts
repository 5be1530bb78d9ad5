import type { WatchMessage } from '../store.ts';
import { type Batch, BatchWriter } from './batch.ts';
import { writeMessages } from './wire.ts';

/** Encodes messages of watches. All workers have the same ones in a turn, so the last result serves them all. */
export class EventEncoder {
  #last: { readonly messages: readonly WatchMessage[]; readonly batch: Batch } | undefined;

  encode(messages: readonly WatchMessage[]): Batch {
    const last = this.#last;
    if (last !== undefined && areSame(last.messages, messages)) return last.batch;
    const writer = new BatchWriter();
    writeMessages(writer, messages);
    const batch = writer.take();
    if (last === undefined) setImmediate(() => (this.#last = undefined));
    this.#last = { messages, batch };
    return batch;
  }
}

/** The watches of equal ranges get the same objects. */
const areSame = (some: readonly WatchMessage[], others: readonly WatchMessage[]): boolean =>
  some.length === others.length && some.every((message, index) => message === others[index]);
