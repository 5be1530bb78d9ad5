import { describe, expect, test } from 'vitest';
import { createMemoryStore, StoreError } from '../storage/index.ts';
import {
  color,
  paint,
  prefix,
  readyWidgets,
  storeWithCutter,
  writeElsewhere,
} from './widgets.test-support.ts';
import { type Random, randomFrom } from './random.test-support.ts';
import { type LiveView, type Subscription, type ViewEntry, ViewError, type ViewEvent } from './index.ts';
import type { Scope } from './dispatch/scope.ts';

const names = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'ab/1', 'c/1'] as const;
const colors = ['blue', 'red', 'green'] as const;
const scopes: readonly [Scope, ...Scope[]] = [
  { kind: 'all' },
  { kind: 'prefix', prefix: `${prefix}a/` },
  { kind: 'prefix', prefix: `${prefix}c/` },
  { kind: 'key', key: `${prefix}b/1` },
];
const wishes = [undefined, 'blue', 'red'] as const;

/** The former state of a resource: name and color. */
type State = ReadonlyMap<string, string>;

const covers = (scope: Scope, name: string) =>
  scope.kind === 'all' ||
  (scope.kind === 'prefix' ? `${prefix}${name}`.startsWith(scope.prefix) : scope.key === prefix + name);

/** A client: starts from a list, replays a watch, and resumes from its bookmark. */
class Client {
  readonly #view: LiveView<string>;
  readonly #past: readonly State[];
  readonly #scope: Scope;
  readonly #wish: string | undefined;
  readonly slowness: number;
  #subscription: Subscription<string>;
  #state: Map<string, string>;
  #seen: number;
  #reading: Promise<void> | undefined;
  events = 0;

  constructor(view: LiveView<string>, past: readonly State[], random: Random) {
    this.#view = view;
    this.#past = past;
    this.#scope = random.of(scopes);
    this.#wish = random.of(wishes);
    this.slowness = random.of([1, 1, 5, 60]);
    this.#seen = view.oldestRevision + random.below(view.revision - view.oldestRevision + 1);
    this.#state = new Map(this.#wanted(this.#seen));
    this.#subscription = this.#subscribe();
  }

  /** Starts to read one batch, unless one is being read. */
  readSoon(): void {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
  }

  /** Stops between two batches and resumes from the bookmark or the last event, whichever is later. */
  resume(): void {
    if (this.#reading !== undefined) return;
    const revision = Math.max(this.#subscription.revision, this.#seen);
    this.#check(revision);
    this.#seen = revision;
    this.#subscription.close();
    this.#subscription = this.#subscribe();
  }

  requestBookmark(): void {
    this.#subscription.requestBookmark();
  }

  /** Reads until everything up to a revision was seen. */
  async finish(revision: number): Promise<void> {
    this.#subscription.requestBookmark();
    await this.#reading;
    while (this.#subscription.revision < revision) {
      this.#subscription.requestBookmark();
      await this.#read();
      // Below the last revision there are more events after a bookmark; otherwise this would wait forever.
      if (this.#subscription.revision < revision) await this.#read();
    }
    this.#check(revision);
    this.#subscription.close();
  }

  #subscribe(): Subscription<string> {
    const wish = this.#wish;
    const matches = wish === undefined ? undefined : (entry: ViewEntry<string>) => color(entry) === wish;
    return this.#view.subscribe({ after: this.#seen, scope: this.#scope, matches });
  }

  async #read(): Promise<void> {
    const { value, done } = await this.#subscription.next().catch((error) => this.#relist(error));
    if (done) return;
    for (const event of value) this.#replay(event);
    if (value.length > 0) this.#check(this.#seen);
    else this.#bookmark();
  }

  /** The reaction of a client that was too slow. */
  #relist(error: unknown): IteratorResult<[], undefined> {
    if (!(error instanceof ViewError) || error.code !== 'expired') throw error;
    expect(this.#seen).toBeLessThan(error.oldest);
    this.#seen = this.#view.revision;
    this.#state = new Map(this.#wanted(this.#seen));
    this.#subscription = this.#subscribe();
    return { done: true, value: undefined };
  }

  #bookmark(): void {
    const { revision } = this.#subscription;
    expect(revision).toBeGreaterThanOrEqual(this.#seen);
    this.#seen = revision;
    this.#check(revision);
  }

  #replay({ type, entry, revision, previous }: ViewEvent<string>): void {
    const name = entry.key.slice(prefix.length);
    expect(revision).toBeGreaterThan(this.#seen);
    expect(this.#state.has(name)).toBe(type !== 'ADDED');
    const old = type === 'DELETED' ? entry : previous;
    expect(color(old)).toBe(this.#state.get(name));
    if (type === 'DELETED') this.#state.delete(name);
    else this.#state.set(name, color(entry) ?? '');
    this.#seen = revision;
    this.events += 1;
  }

  #check(revision: number): void {
    expect(Object.fromEntries(this.#state)).toEqual(Object.fromEntries(this.#wanted(revision)));
  }

  /** The naive filter: what this client must know at a revision. */
  #wanted(revision: number): [string, string][] {
    const state = this.#past[revision] ?? new Map();
    return [...state].filter(([name, is]) => covers(this.#scope, name) && (this.#wish ?? is) === is);
  }
}

function listed(view: LiveView<string>, revision: number) {
  const snapshot = view.snapshotAt(revision);
  const entries = [...snapshot.range({ start: prefix, end: `${prefix}~` })];
  expect(snapshot.count({ start: prefix, end: `${prefix}~` })).toBe(entries.length);
  expect(entries.map(({ key }) => key)).toEqual(entries.map(({ key }) => key).sort());
  return Object.fromEntries(entries.map((entry) => [entry.key.slice(prefix.length), color(entry)]));
}

async function run(seed: number): Promise<number> {
  const random = randomFrom(seed);
  const { store, cut } = storeWithCutter(createMemoryStore());
  const past: State[] = [new Map(), new Map()];
  const write = async () => {
    const next = new Map(past.at(-1));
    const name = random.of(names);
    const to = random.below(4) === 0 ? null : random.of(colors);
    if (random.below(5) === 0 || (to === null && !next.has(name))) await writeElsewhere(store);
    else {
      await paint(store, name, to);
      if (to === null) next.delete(name);
      else next.set(name, to);
    }
    past.push(next);
  };
  for (let at = 0; at < 100; at += 1) await write();
  await using view = await readyWidgets(store, {
    queueEventsMax: 4,
    warmRevisionsMax: 40,
    windowEventsMax: 200,
  });
  const clients = Array.from({ length: 12 }, () => new Client(view, past, random));
  for (let at = 1; at <= 1_500; at += 1) {
    await write();
    for (const client of clients) {
      if (at % client.slowness === 0) client.readSoon();
      if (random.below(100) === 0) client.resume();
      if (random.below(50) === 0) client.requestBookmark();
    }
    if (random.below(200) === 0) cut(new StoreError('unavailable', 'connection lost'));
    if (random.below(4) === 0) await new Promise((resolve) => setImmediate(resolve));
    if (view.revision > 0 && random.below(10) === 0) {
      const revision = view.revision - random.below(view.revision - view.oldestRevision + 1);
      expect(listed(view, revision)).toEqual(Object.fromEntries(past[revision] ?? []));
    }
  }
  const last = await view.consistent({ timeoutMs: 10_000 });
  expect(last).toBe(past.length - 1);
  for (const client of clients) await client.finish(last);
  for (let revision = view.oldestRevision; revision <= last; revision += 1) {
    expect(listed(view, revision)).toEqual(Object.fromEntries(past[revision] ?? []));
  }
  return clients.reduce((sum, client) => sum + client.events, 0);
}

describe('against a naive model', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'random writes, cuts and clients, seed %i: every client knows what it should at every revision it saw',
    async (seed) => {
      expect(await run(seed)).toBeGreaterThan(1_000);
    },
  );
});
