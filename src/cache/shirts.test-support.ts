import { systemClock } from '../meta/index.ts';
import type { Store } from '../storage/index.ts';
import { FieldSource, LabelSource, LiveView, type ViewEntry } from './index.ts';
import type { LiveViewOptions } from './live-view.ts';

/** The resource of the tests of indexes: shirts, `<namespace>/<name>` below the prefix, as JSON. */
export const prefix = '/registry/shop.example/shirts/';
export const everywhere = { start: prefix, end: `${prefix}~` };

export interface Shirt {
  readonly color?: string;
  readonly size?: string;
  readonly tags?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

const decoder = new TextDecoder();
const shirtOf = (entry: ViewEntry<unknown>): Shirt => JSON.parse(decoder.decode(entry.value));
export const nameOf = (entry: ViewEntry<unknown>) => entry.key.slice(prefix.length);

/** What the layer above would know: three fields, one of them a list, and labels. Counts how often it looks. */
export function shirtIndexes() {
  const reads = { fields: 0, labels: 0 };
  const fields = new FieldSource<unknown>(['color', 'size', 'tags[*]'], (entry) => {
    reads.fields += 1;
    const shirt = readable(entry);
    return shirt && [shirt.color ?? '', shirt.size ?? '', shirt.tags ?? []];
  });
  const labels = new LabelSource<unknown>((entry) => {
    reads.labels += 1;
    const shirt = readable(entry);
    return shirt && new Map(Object.entries(shirt.labels ?? {}));
  });
  const [color, size, tags] = fields.definitions;
  if (color === undefined || size === undefined || tags === undefined) throw new Error('three fields');
  return { color, size, tags, label: (key: string) => labels.definition(key), reads };
}

function readable(entry: ViewEntry<unknown>): Shirt | undefined {
  try {
    return shirtOf(entry);
  } catch {
    return undefined;
  }
}

/** Puts a shirt, whatever was there; null takes it away. Gives the revision of the write. */
export async function put(store: Store, name: string, shirt: Shirt | string | null): Promise<number> {
  const { record } = await store.get(prefix + name);
  const text = typeof shirt === 'string' ? shirt : JSON.stringify(shirt);
  const value = shirt === null ? null : new TextEncoder().encode(text);
  const result = await store.commit({ key: prefix + name, value, expect: record?.modRevision ?? 0 });
  if (!result.ok) throw new Error(`${name} was changed by somebody else`);
  return result.revision;
}

/** A view that has loaded, and indexes from the first entry on. */
export async function readyShirts(store: Store, options: Partial<LiveViewOptions<unknown>> = {}) {
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
