import { LiveView, type Subscription } from '../src/cache/index.ts';
import { systemClock } from '../src/meta/index.ts';
import type { Store, StoredRecord, StoreEvent, StoreWatch, WatchMessage } from '../src/storage/index.ts';

/** One measured figure. */
interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

const prefix = '/registry/example.com/widgets/';
const objects = 100_000;
const namespaces = 100;

/** A store that returns given lists and events, so that only the view is measured. */
class ScriptedStore implements Store {
  readonly tellsTrueProgress = true;
  readonly #records: readonly StoredRecord[];
  #revision: number;
  #say: (message: WatchMessage) => void = () => {};

  constructor(records: readonly StoredRecord[], revision: number) {
    this.#records = records;
    this.#revision = revision;
  }

  say(message: WatchMessage): void {
    this.#revision = message.revision;
    this.#say(message);
  }

  revision = async () => this.#revision;
  compactRevision = async () => this.#revision;
  get = async () => ({ record: undefined, revision: this.#revision });
  list = async () => ({
    records: this.#records,
    revision: this.#revision,
    count: this.#records.length,
    more: false,
  });
  commit = () => Promise.reject(new Error('not scripted'));
  compact = async () => {};
  close = async () => {};

  watch(): StoreWatch {
    let queue: WatchMessage[] = [];
    let wake = () => {};
    let closed = false;
    this.#say = (message) => {
      queue.push(message);
      wake();
    };
    const close = () => {
      closed = true;
      wake();
    };
    async function* messages() {
      while (!closed) {
        const messages = queue;
        queue = [];
        yield* messages;
        if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    return { requestProgress: () => {}, close, [Symbol.asyncIterator]: messages };
  }
}

const keyOf = (index: number) =>
  `${prefix}team-${String(index % namespaces).padStart(3, '0')}/widget-${String(index).padStart(6, '0')}`;
const bytesOf = (revision: number) => Buffer.from(JSON.stringify({ revision, pad: 'x'.repeat(100) }));

function recordsOf(count: number): StoredRecord[] {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const records = indexes.map((index) => ({
    key: keyOf(index),
    value: bytesOf(index),
    modRevision: index + 2,
  }));
  return records.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function update(index: number, revision: number): StoreEvent {
  return { type: 'put', key: keyOf(index), revision, value: bytesOf(revision), previous: undefined };
}

async function openView(store: Store): Promise<LiveView<object>> {
  const view = LiveView.open<object>(store, { prefix, clock: systemClock });
  await view.ready();
  return view;
}

async function milliseconds(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** What one object costs in the view beyond its bytes and its key as the storage made them. */
async function memory(): Promise<Figure[]> {
  const store = new ScriptedStore(recordsOf(objects), objects + 1);
  const before = heapBytes();
  const view = await openView(store);
  const bytes = heapBytes() - before;
  await view.close();
  if (globalThis.gc === undefined) return [];
  return [{ what: 'memory of one object beyond its key and value', value: bytes / objects, unit: 'B' }];
}

async function applying(): Promise<Figure[]> {
  const store = new ScriptedStore(recordsOf(objects), objects + 1);
  let view = await openView(store);
  const load = await milliseconds(async () => {
    await view.close();
    view = await openView(store);
  });
  const first = objects + 2;
  const events = Array.from({ length: objects }, (_, at) => update((at * 7_919) % objects, first + at));
  const one = await milliseconds(() => {
    for (const event of events) store.say({ events: [event], revision: event.revision });
    return view.atLeast(first + objects - 1, {});
  });
  const figures = [
    { what: 'load 100,000 objects', value: load, unit: 'ms' },
    { what: 'apply one update (100,000 one by one)', value: (one * 1_000) / objects, unit: 'us' },
  ];
  figures.push(...(await reading(view)));
  await view.close();
  return figures;
}

/** The view holds 100,000 objects and a window of as many changes. */
async function reading(view: LiveView<object>): Promise<Figure[]> {
  let seen = 0;
  const team = { start: `${prefix}team-042/`, end: `${prefix}team-0420` };
  const whole = await milliseconds(() => {
    for (const entry of view.snapshot().range({ start: prefix, end: `${prefix}~` }))
      seen += entry.value.length;
  });
  const part = await milliseconds(() => {
    for (let at = 0; at < 100; at += 1)
      for (const entry of view.snapshot().range(team)) seen += entry.value.length;
  });
  const count = await milliseconds(() => {
    for (let at = 0; at < 100; at += 1) seen += view.snapshot().count({ start: prefix, end: `${prefix}~` });
  });
  const pasts = Array.from({ length: 20 }, (_, at) => view.revision - 1 - at * 4_500);
  const past = await milliseconds(() => {
    for (const revision of pasts) seen += view.snapshotAt(revision).size;
  });
  const again = await milliseconds(() => {
    for (let at = 0; at < 1_000; at += 1) seen += view.snapshotAt(pasts.at(-1) ?? 0).size;
  });
  return [
    { what: 'walk 100,000 entries', value: whole, unit: 'ms' },
    { what: 'walk the 1,000 entries of a namespace', value: (part * 1_000) / 100, unit: 'us' },
    { what: 'count 100,000 entries', value: (count * 1_000) / 100, unit: 'us' },
    { what: 'exact state somewhere in the past', value: (past * 1_000) / pasts.length, unit: 'us' },
    { what: 'the same past state again (next page)', value: (again * 1_000) / 1_000, unit: 'us' },
  ].map((figure) => (seen > 0 ? figure : { ...figure, value: Number.NaN }));
}

/** Reads until a number of events has arrived. */
async function drain(subscription: Subscription<object>, events: number): Promise<void> {
  for (let seen = 0; seen < events; ) {
    const { value } = await subscription.next();
    seen += value?.length ?? events;
  }
}

async function watching(): Promise<Figure[]> {
  const [watchers, updates] = [1_000, 1_000];
  const figures: Figure[] = [];
  const kinds = [
    { what: 'all watch everything', scope: () => ({ kind: 'all' }) as const, seen: updates },
    {
      what: 'each watches one of 1,000 objects',
      scope: (at: number) => ({ kind: 'key', key: keyOf(at) }) as const,
      seen: 1,
    },
  ];
  for (const { what, scope, seen } of kinds) {
    const store = new ScriptedStore(recordsOf(watchers), watchers + 1);
    const view = await openView(store);
    const after = view.revision;
    const readers = Array.from({ length: watchers }, (_, at) =>
      drain(view.subscribe({ after, scope: scope(at) }), seen),
    );
    const took = await milliseconds(async () => {
      for (let at = 0; at < updates; at += 1) {
        store.say({ events: [update(at, after + 1 + at)], revision: after + 1 + at });
        // A storage does not say everything in one turn.
        if (at % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(readers);
    });
    figures.push({ what: `1,000 watchers x 1,000 updates: ${what}`, value: took, unit: 'ms' });
    await view.close();
  }
  return figures;
}

/** Measures the live view alone, without storage or HTTP. Memory is only measured under `node --expose-gc`. */
export async function run(print: (line: string) => void): Promise<void> {
  for (const { what, value, unit } of [...(await memory()), ...(await applying()), ...(await watching())]) {
    print(`${what.padEnd(64)}${value.toFixed(2).padStart(10)} ${unit}`);
  }
}
