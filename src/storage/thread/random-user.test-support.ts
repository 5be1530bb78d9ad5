import { parentPort, workerData } from 'node:worker_threads';
import { type KeyRange, prefixRange, type Revision, type Store, type StoredRecord } from '../store.ts';
import { type Random, randomFrom } from '../suite/random.ts';
import { lastRevision, type WatchSession } from '../watch-validators.ts';
import type { StoreShare } from './share-store.ts';
import { openSharedStore } from './shared-store.ts';

/** What a thread gets: its share, and the latest revision that was acknowledged to any thread. */
export interface UserData {
  readonly share: StoreShare;
  readonly acknowledged: SharedArrayBuffer;
  readonly seed: number;
  readonly start: Revision;
  readonly steps: number;
}

/** Records that were read at a revision. */
export interface SeenRead {
  readonly range: KeyRange;
  readonly revision: Revision;
  readonly records: readonly StoredRecord[];
}

/** What a thread did and saw. */
export interface UserReport {
  readonly writes: { readonly key: string; readonly value: Uint8Array | null; readonly revision: Revision }[];
  readonly reads: SeenRead[];
  readonly sessions: WatchSession[];
  /** Reads that were older than a write which had been acknowledged before them. */
  readonly stale: string[];
}

const keys = ['a', 'b', 'c'] as const;

/** One thread that writes, reads and watches at random. */
class RandomUser {
  readonly report: UserReport = { writes: [], reads: [], sessions: [], stale: [] };
  readonly #store: Store;
  readonly #random: Random;
  readonly #acknowledged: Int32Array;
  readonly #steps: number;

  constructor({ share, acknowledged, seed, steps }: UserData) {
    this.#steps = steps;
    this.#store = openSharedStore(share);
    this.#random = randomFrom(seed);
    this.#acknowledged = new Int32Array(acknowledged);
  }

  async run(start: Revision): Promise<void> {
    const writing = this.#write();
    let isWriting = true;
    void writing.then(() => (isWriting = false));
    let after = start;
    while (isWriting) after = await this.#watch(after, 1 + this.#random.below(20));
    await this.#store.close();
  }

  async #write(): Promise<void> {
    for (let step = 0; step < this.#steps; step++) {
      const count = 1 + this.#random.below(4);
      await Promise.all(Array.from({ length: count }, (_, index) => this.#step(`${step}.${index}`)));
    }
  }

  async #step(name: string): Promise<void> {
    const latest = Atomics.load(this.#acknowledged, 0);
    const known = this.#store.knownRevision ?? 0;
    if (known < latest) this.report.stale.push(`${known} was known, ${latest} was acknowledged`);
    if (this.#random.below(4) === 0) await this.#list(latest);
    else await this.#change(name, latest);
  }

  async #list(latest: Revision): Promise<void> {
    const range = prefixRange(this.#random.pick(['/', '/a/', '/b/']));
    const { records, revision } = await this.#store.list(range);
    this.#saw({ range, records, revision }, latest);
  }

  async #change(name: string, latest: Revision): Promise<void> {
    const key = `/${this.#random.pick(keys)}/${this.#random.below(6)}`;
    const range = { start: key, end: `${key}\0` };
    const { record, revision } = await this.#store.get(key);
    this.#saw({ range, revision, records: record === undefined ? [] : [record] }, latest);
    const value = record !== undefined && this.#random.below(3) === 0 ? null : Buffer.from(name);
    const result = await this.#store.commit({ key, value, expect: record?.modRevision ?? 0 });
    if (result.ok) {
      this.report.writes.push({ key, value, revision: result.revision });
      this.#acknowledge(result.revision);
    } else {
      const records = result.current === undefined ? [] : [result.current];
      this.#saw({ range, revision: result.revision, records }, latest);
    }
  }

  #saw(read: SeenRead, latest: Revision): void {
    this.report.reads.push(read);
    if (read.revision < latest)
      this.report.stale.push(`${read.revision} was read, ${latest} was acknowledged`);
  }

  #acknowledge(revision: Revision): void {
    for (;;) {
      const latest = Atomics.load(this.#acknowledged, 0);
      if (latest >= revision) return;
      if (Atomics.compareExchange(this.#acknowledged, 0, latest, revision) === latest) return;
    }
  }

  /** One watch for a number of messages; gives how far it has seen. */
  async #watch(after: Revision, count: number): Promise<Revision> {
    const watch = this.#store.watch(prefixRange('/'), { after });
    const session = { after, messages: [] as WatchSession['messages'][number][] };
    watch.requestProgress();
    for await (const message of watch) {
      session.messages.push(message);
      if (session.messages.length >= count) break;
      watch.requestProgress();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.report.sessions.push(session);
    return lastRevision(session);
  }
}

// The test starts this program with nothing else.
const data = workerData as UserData;
const user = new RandomUser(data);
void user.run(data.start).then(() => parentPort?.postMessage(user.report));
