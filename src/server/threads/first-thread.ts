import { randomBytes } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { MessageChannel, Worker } from 'node:worker_threads';
import { accessResources } from '../../access/index.ts';
import type { AuditBackend } from '../../audit/index.ts';
import type { ConsoleMemory } from '../../console/index.ts';
import { invariant, limits, type Timers } from '../../meta/index.ts';
import { type SharedStoreOwner, shareStore } from '../../storage/index.ts';
import type { OpenStorage } from '../open-storage.ts';
import { configurationResources } from '../start-admission.ts';
import type { Gather, ServerThreads, ThreadOffers } from './server-threads.ts';
import { SharedRevisions } from './shared-revisions.ts';
import type { FirstThreadCalls, OtherThreadCalls, Told, Topic } from './thread-calls.ts';
import { ThreadChannel, ThreadError } from './thread-channel.ts';
import type { SharedParts, ThreadData } from './thread-data.ts';
import { ThreadStates } from './thread-states.ts';

interface FirstThreadParts {
  /** All threads, this one included. */
  readonly count: number;
  readonly timers: Timers;
  /** Called when a thread that serves ends by itself: the server is incomplete. */
  readonly onDeath: (error: unknown) => void;
}

/** A further thread, as the first one sees it. */
interface OtherThread {
  readonly worker: Worker;
  readonly channel: ThreadChannel<OtherThreadCalls, FirstThreadCalls>;
  /** Resolves when it serves. */
  readonly serving: Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  isServing: boolean;
}

/** The thread that starts the others, and owns what they share. */
export class FirstThread implements ServerThreads {
  readonly index = 0;
  readonly count: number;
  readonly states: ThreadStates;
  readonly roles: SharedRevisions;
  readonly configurations: SharedRevisions;
  readonly ticketKey: Uint8Array;
  readonly #parts: FirstThreadParts;
  readonly #shared: SharedParts;
  readonly #others: OtherThread[] = [];
  #storage: { readonly opened: OpenStorage; readonly owner: SharedStoreOwner } | undefined;
  #offers: ThreadOffers | undefined;
  #console: ConsoleMemory | undefined;
  #auditBackends: readonly AuditBackend[] = [];
  #isClosing = false;

  constructor(parts: FirstThreadParts) {
    const { count, timers } = parts;
    const states = ThreadStates.memory(count);
    const roles = SharedRevisions.memory(accessResources.length);
    const configurations = SharedRevisions.memory(Object.keys(configurationResources).length);
    this.#parts = parts;
    this.#shared = { count, states, roles, configurations, ticketKey: randomBytes(48) };
    this.count = count;
    this.states = new ThreadStates({ memory: states, index: 0, timers });
    this.roles = new SharedRevisions(roles);
    this.configurations = new SharedRevisions(configurations);
    this.ticketKey = this.#shared.ticketKey;
  }

  async openStorage(open: () => Promise<OpenStorage>): Promise<OpenStorage> {
    const opened = await open();
    if (opened.shared) return opened;
    const owner = shareStore(opened.store, { health: opened.health });
    this.#storage = { opened, owner };
    return { ...opened, store: owner.store, hasOtherWriters: true };
  }

  offer(offers: ThreadOffers): void {
    this.#offers = offers;
  }

  /** Takes the destinations of the audit log, in the order of the configuration: they write for all threads. */
  useAuditBackends(backends: readonly AuditBackend[]): void {
    this.#auditBackends = backends;
  }

  readonly gather: Gather = (topic) => this.#gather(topic);

  consoleMemory(own: () => ConsoleMemory): ConsoleMemory {
    this.#console = own();
    this.#console.onChange(() => {
      for (const { channel } of this.#others) channel.call('sessionClosed', undefined).catch(() => {});
    });
    return this.#console;
  }

  /**
   * Starts the other threads.
   *
   * @param entry the program of a thread
   * @param data what it is given besides {@link ThreadData}, which is its property `thread`
   * @throws what a thread throws at its start
   */
  async start(entry: URL, data: Readonly<Record<string, unknown>>): Promise<void> {
    for (let index = 1; index < this.count; index += 1) this.#others.push(this.#begin(index, entry, data));
    await Promise.all(this.#others.map(({ serving }) => serving));
    this.states.set('serving');
  }

  async closeOthers(): Promise<void> {
    this.#isClosing = true;
    this.states.set('closing');
    await Promise.all(this.#others.map((other) => this.#close(other)));
    this.states.close();
    await this.#storage?.owner.close();
  }

  async #close({ worker, channel, ended, isServing }: OtherThread): Promise<void> {
    // One that has not started has nothing to finish.
    if (isServing) await channel.call('close', undefined, limits.threadCloseMsMax).catch(() => {});
    await worker.terminate();
    await ended;
    channel.close();
  }

  #begin(index: number, entry: URL, data: Readonly<Record<string, unknown>>): OtherThread {
    const { port1, port2 } = new MessageChannel();
    const share = this.#storage?.owner.share();
    const { name = '', place = '' } = this.#storage?.opened ?? {};
    const storage = share && { share, name, place };
    const thread: ThreadData = { ...this.#shared, index, port: port2, storage };
    const worker = new Worker(entry, {
      name: `worker ${index}`,
      // Flags of the main script, such as --input-type, are refused for a file.
      execArgv: [],
      workerData: { ...data, thread },
      transferList: [port2, ...(share ? [share.port] : [])],
      // By default, a thread may have less memory than the first one.
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(getHeapStatistics().heap_size_limit / 2 ** 20) },
    });
    return this.#watched(index, worker, (onServing) => {
      const answers = { ...this.#answers(), serving: onServing };
      return new ThreadChannel({ port: port1, answers, timers: this.#parts.timers });
    });
  }

  #watched(
    index: number,
    worker: Worker,
    connect: (onServing: () => void) => OtherThread['channel'],
  ): OtherThread {
    let failure: unknown;
    let onEnd: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    let channel: OtherThread['channel'] | undefined;
    const serving = new Promise<void>((resolve, reject) => {
      channel = connect(() => {
        other.isServing = true;
        resolve();
      });
      worker.on('error', (error) => (failure = error));
      worker.once('exit', (code) => {
        onEnd();
        channel?.close();
        const error = failure ?? new ThreadError(`it ended with code ${code}`);
        reject(error);
        if (other.isServing && !this.#isClosing) this.#parts.onDeath(deathOf(index, error));
      });
    });
    invariant(channel !== undefined, 'a promise begins at once');
    const other: OtherThread = { worker, channel, serving, ended, isServing: false };
    return other;
  }

  #answers(): Omit<FirstThreadCalls, 'serving'> {
    const console = () => {
      invariant(this.#console !== undefined, 'all threads have a console, or none');
      return this.#console;
    };
    return {
      gather: (topic) => this.#gather(topic),
      audit: async ({ backend, events, isAwaited }) => this.#auditBackends[backend]?.write(events, isAwaited),
      openSession: async (signedIn) => console().openSession(signedIn),
      findSession: async (id) => console().findSession(id),
      closeSession: async (id) => console().closeSession(id),
      issueCode: async (signedIn) => console().issueCode(signedIn),
      takeCode: async (code) => console().takeCode(code),
      keepLogin: async (login) => console().keepLogin(login),
      takeLogin: async (key) => console().takeLogin(key),
    };
  }

  async #gather<T extends Topic>(topic: T): Promise<readonly Told[T][]> {
    const others = this.#others.filter(({ isServing }) => isServing);
    const asked = others.map(({ channel }) => channel.call('tell', topic, limits.threadAnswerMsMax));
    const told = await Promise.all([this.#offers?.[topic](), ...asked]);
    // A thread tells what it is asked for.
    return told.filter((one) => one !== undefined) as Told[T][];
  }
}

/** A thread that ended by itself. */
function deathOf(index: number, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new ThreadError(`worker ${index} has ended, so the server ends: ${why}`, { cause: error });
}
