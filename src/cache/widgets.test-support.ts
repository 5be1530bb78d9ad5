import { systemClock } from '../meta/index.ts';
import { createMemoryStore, type Store, type StoreWatch, type WatchOptions } from '../storage/index.ts';
import type { KeyRange } from '../storage/index.ts';
import { FieldSource, LabelSource, LiveView, type Subscription, type ViewEntry } from './index.ts';
import type { SubscribeOptions } from './dispatch/subscription.ts';
import type { LiveViewOptions } from './live-view.ts';

/** The resource of the tests: widgets, `<namespace>/<name>` below the prefix. */
export const prefix = '/registry/example.com/widgets/';

export const everywhere = { start: prefix, end: `${prefix}~` };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Stored = { readonly value: Uint8Array } | undefined;
export const color = (widget: Stored): string | undefined => widget && decoder.decode(widget.value);

/** Sets the color of a widget, created if missing; null deletes it. Returns the revision of the write. */
export async function paint(store: Store, name: string, to: string | null): Promise<number> {
  const { record } = await store.get(prefix + name);
  const value = to === null ? null : encoder.encode(to);
  const result = await store.commit({ key: prefix + name, value, expect: record?.modRevision ?? 0 });
  if (!result.ok) throw new Error(`${name} was changed by somebody else`);
  return result.revision;
}

/** A write of another resource: only the store's revision changes. */
export async function writeElsewhere(store: Store): Promise<number> {
  const { revision } = await store.get('/registry/other/x');
  const key = `/registry/other/${revision}`;
  const result = await store.commit({ key, value: new Uint8Array(), expect: 0 });
  return result.revision;
}

export function openWidgets(store: Store, options: Partial<LiveViewOptions<string>> = {}): LiveView<string> {
  return LiveView.open<string>(store, { prefix, clock: systemClock, retryMsMin: 1, ...options });
}

/** A view that has loaded. */
export async function readyWidgets(store: Store, options: Partial<LiveViewOptions<string>> = {}) {
  const view = openWidgets(store, options);
  await view.ready();
  return view;
}

/** From now on, all events, unless set otherwise. */
export function subscribe(view: LiveView<string>, options: Partial<SubscribeOptions<string>> = {}) {
  return view.subscribe({ after: view.revision, scope: { kind: 'all' }, ...options });
}

/** Reads until this many events have come or the subscription ends: `ADDED a/1=blue @3`. */
export async function read(subscription: Subscription<string>, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) {
    const { value, done } = await subscription.next();
    if (done) break;
    for (const { type, entry, revision } of value) {
      lines.push(`${type} ${entry.key.slice(prefix.length)}=${color(entry)} @${revision}`);
    }
  }
  return lines;
}

/** A real store whose watches can be interrupted, as by a lost connection. */
export function storeWithCutter(store: Store = createMemoryStore()) {
  let watches: StoreWatch[] = [];
  let held: Promise<void> | undefined;
  let cause: Error | undefined;
  const watch = (range: KeyRange, options: WatchOptions): StoreWatch => {
    const real = store.watch(range, options);
    watches.push(real);
    async function* messages() {
      await held;
      for await (const message of real) yield message;
      if (cause !== undefined && options.signal?.aborted !== true) throw cause;
    }
    return {
      requestProgress: () => real.requestProgress(),
      close: () => real.close(),
      [Symbol.asyncIterator]: messages,
    };
  };
  const cuttable: Store = {
    tellsTrueProgress: store.tellsTrueProgress,
    revision: () => store.revision(),
    get: (key, options) => store.get(key, options),
    list: (range, options) => store.list(range, options),
    commit: (commit) => store.commit(commit),
    compact: (revision) => store.compact(revision),
    compactRevision: () => store.compactRevision(),
    close: () => store.close(),
    watch,
  };
  return {
    store: cuttable,
    /** Ends all watches with an error; new ones send nothing until the promise resolves. */
    cut(error: Error, until?: Promise<void>) {
      cause = error;
      held = until;
      for (const open of watches.splice(0)) open.close();
      watches = [];
    },
  };
}

/** A widget in the tests of indexes, as JSON; the others have only a color. */
export interface WidgetContent {
  readonly color?: string;
  readonly size?: string;
  readonly tags?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

const contentOf = (entry: ViewEntry<unknown>): WidgetContent => JSON.parse(decoder.decode(entry.value));
export const nameOf = (entry: ViewEntry<unknown>) => entry.key.slice(prefix.length);

/** The sources of the layer above: three fields, one of them a list, and labels. Counts its reads. */
export function widgetIndexes() {
  const reads = { fields: 0, labels: 0 };
  const fields = new FieldSource<unknown>(['color', 'size', 'tags[*]'], (entry) => {
    reads.fields += 1;
    const widget = readable(entry);
    return widget && [widget.color ?? '', widget.size ?? '', widget.tags ?? []];
  });
  const labels = new LabelSource<unknown>((entry) => {
    reads.labels += 1;
    const widget = readable(entry);
    return widget && new Map(Object.entries(widget.labels ?? {}));
  });
  const [color, size, tags] = fields.definitions;
  if (color === undefined || size === undefined || tags === undefined) throw new Error('three fields');
  return { color, size, tags, label: (key: string) => labels.definition(key), reads };
}

function readable(entry: ViewEntry<unknown>): WidgetContent | undefined {
  try {
    return contentOf(entry);
  } catch {
    return undefined;
  }
}

/** Writes a widget, created if missing; null deletes it. Returns the revision of the write. */
export async function put(
  store: Store,
  name: string,
  widget: WidgetContent | string | null,
): Promise<number> {
  const { record } = await store.get(prefix + name);
  const text = typeof widget === 'string' ? widget : JSON.stringify(widget);
  const value = widget === null ? null : encoder.encode(text);
  const result = await store.commit({ key: prefix + name, value, expect: record?.modRevision ?? 0 });
  if (!result.ok) throw new Error(`${name} was changed by somebody else`);
  return result.revision;
}

/** A loaded view, with indexes from the first entry on. */
export async function readyIndexedWidgets(store: Store, options: Partial<LiveViewOptions<unknown>> = {}) {
  const view = LiveView.open<unknown>(store, {
    prefix,
    clock: systemClock,
    retryMsMin: 1,
    indexedEntriesMin: 0,
    ...options,
  });
  await view.ready();
  return view;
}
