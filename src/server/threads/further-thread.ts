import type { ConsoleMemory } from '../../console/index.ts';
import { limits, type Timers } from '../../meta/index.ts';
import { neverDamaged, openSharedStore, type SharedStore } from '../../storage/index.ts';
import { onlyOurs, type OpenStorage } from '../open-storage.ts';
import type { Gather, ServerThreads, ThreadOffers } from './server-threads.ts';
import { SharedRevisions } from './shared-revisions.ts';
import type { AuditedEvents, FirstThreadCalls, OtherThreadCalls, Told, Topic } from './thread-calls.ts';
import { ThreadChannel } from './thread-channel.ts';
import type { ThreadData } from './thread-data.ts';
import { ThreadStates } from './thread-states.ts';

interface FurtherThreadParts {
  readonly timers: Timers;
  /** Called with every interruption of the storage. */
  readonly onTrouble: (error: unknown) => void;
}

/** A thread that only serves requests, in the process of the one that started it. */
export class FurtherThread implements ServerThreads {
  readonly index: number;
  readonly count: number;
  readonly states: ThreadStates;
  readonly roles: SharedRevisions;
  readonly configurations: SharedRevisions;
  readonly ticketKey: Uint8Array;
  readonly #data: ThreadData;
  readonly #parts: FurtherThreadParts;
  readonly #channel: ThreadChannel<FirstThreadCalls, OtherThreadCalls>;
  readonly #sessionListeners = new Set<() => void>();
  #offers: ThreadOffers | undefined;
  #close: () => Promise<void> = async () => {};

  constructor(data: ThreadData, parts: FurtherThreadParts) {
    const { index, count, port } = data;
    const { timers } = parts;
    this.#data = data;
    this.#parts = parts;
    this.index = index;
    this.count = count;
    this.states = new ThreadStates({ memory: data.states, index, timers });
    this.roles = new SharedRevisions(data.roles);
    this.configurations = new SharedRevisions(data.configurations);
    this.ticketKey = data.ticketKey;
    this.#channel = new ThreadChannel({ port, answers: this.#answers(), timers });
  }

  /** The server serves: `close` answers its requests in flight, and closes it. */
  async serving(close: () => Promise<void>): Promise<void> {
    this.#close = close;
    this.states.set('serving');
    await this.#channel.call('serving', undefined);
  }

  /** Writes events with a destination of the first thread. */
  audit(events: AuditedEvents): Promise<void> {
    return this.#channel.call('audit', events);
  }

  async openStorage(open: () => Promise<OpenStorage>): Promise<OpenStorage> {
    const { storage } = this.#data;
    if (storage === undefined) return open();
    const store: SharedStore = openSharedStore(storage.share, { onTrouble: this.#parts.onTrouble });
    const { name, place } = storage;
    const opened = { name, place, health: () => store.health(), damaged: neverDamaged() };
    return { ...onlyOurs(store, opened), hasOtherWriters: true };
  }

  offer(offers: ThreadOffers): void {
    this.#offers = offers;
  }

  readonly gather: Gather = async <T extends Topic>(topic: T) => {
    const told = await this.#channel.call('gather', topic, 2 * limits.threadAnswerMsMax);
    // The first thread answers with what it is asked for.
    return told as readonly Told[T][];
  };

  consoleMemory(): ConsoleMemory {
    const channel = this.#channel;
    return {
      openSession: (signedIn) => channel.call('openSession', signedIn),
      findSession: (id) => channel.call('findSession', id),
      closeSession: (id) => channel.call('closeSession', id),
      onChange: (listener) => {
        this.#sessionListeners.add(listener);
        return () => void this.#sessionListeners.delete(listener);
      },
      issueCode: (signedIn) => channel.call('issueCode', signedIn),
      takeCode: (code) => channel.call('takeCode', code),
      keepLogin: (login) => channel.call('keepLogin', login),
      takeLogin: (key) => channel.call('takeLogin', key),
    };
  }

  async closeOthers(): Promise<void> {
    this.states.close();
  }

  #answers(): OtherThreadCalls {
    return {
      tell: async (topic) => this.#offers?.[topic](),
      sessionClosed: () => {
        for (const listener of this.#sessionListeners) listener();
      },
      close: () => {
        this.states.set('closing');
        return this.#close();
      },
    };
  }
}
