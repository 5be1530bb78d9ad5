import type { Change } from '../entries/change.ts';
import type { DispatchIndex, Interest } from './dispatch-index.ts';
import { type Buckets, eachBucket, sameBuckets } from '../entries/indexed-values.ts';
import type { IndexDefinition } from '../index/index-source.ts';
import { setText } from '../plan/query-text.ts';
import type { ViewEntry } from '../entries/view-entry.ts';

/** The values of an indexed field that a watcher selects: entries with other values do not concern it. */
export class IndexedValues<M> {
  readonly index: IndexDefinition<M>;
  readonly buckets: readonly string[];

  constructor(index: IndexDefinition<M>, buckets: readonly string[]) {
    this.index = index;
    this.buckets = buckets;
  }

  /** For plans: `spec.color=blue`. */
  get text(): string {
    return setText(this.index, 'in', this);
  }
}

/** The watchers of a folder, by bucket. */
type ByBucket<M> = Map<string, Set<Interest<M>>>;

/** The watchers of one definition: by folder, empty for everything, then by bucket. */
type ByFolder<M> = Map<string, ByBucket<M>>;

/** Every change evaluates each definition, so their number is limited; other watchers are found by scope. */
const definitionsMax = 64;
/** A watcher of more values than this is found by its scope. */
const valuesMax = 64;

/**
 * Finds watchers by the value that they select, within their folder: a change looks up its old and new values, and
 * does not visit other watchers.
 */
export class ValueDispatchIndex<M> implements DispatchIndex<M> {
  readonly #definitions = new Map<IndexDefinition<M>, ByFolder<M>>();

  add(interest: Interest<M>): boolean {
    const { indexedValues, scope } = interest;
    if (!isIndexedValues<M>(indexedValues) || scope.kind === 'key') return false;
    if (indexedValues.buckets.length > valuesMax) return false;
    const known = this.#definitions.get(indexedValues.index);
    if (known === undefined && this.#definitions.size >= definitionsMax) return false;
    const folders = known ?? new Map();
    this.#definitions.set(indexedValues.index, folders);
    const folder = folderOf(interest);
    const buckets: ByBucket<M> = folders.get(folder) ?? new Map();
    folders.set(folder, buckets);
    for (const bucket of indexedValues.buckets) {
      const interests = buckets.get(bucket);
      if (interests === undefined) buckets.set(bucket, new Set([interest]));
      else interests.add(interest);
    }
    return true;
  }

  delete(interest: Interest<M>): void {
    const { indexedValues } = interest;
    if (!isIndexedValues<M>(indexedValues)) return;
    const folders = this.#definitions.get(indexedValues.index);
    const buckets = folders?.get(folderOf(interest));
    if (folders === undefined || buckets === undefined) return;
    for (const bucket of indexedValues.buckets) {
      const interests = buckets.get(bucket);
      interests?.delete(interest);
      if (interests?.size === 0) buckets.delete(bucket);
    }
    if (buckets.size === 0) folders.delete(folderOf(interest));
    if (folders.size === 0) this.#definitions.delete(indexedValues.index);
  }

  dispatch(change: Change<M>): void {
    for (const [definition, folders] of this.#definitions) {
      const old = bucketsOf(definition, change.previous);
      const now = bucketsOf(definition, change.entry);
      if (old === unreadable || now === unreadable) offerToAll(folders, change);
      else offer(folders, change, bucketsTouched(old, now));
    }
  }
}

function isIndexedValues<M>(value: unknown): value is IndexedValues<M> {
  return value instanceof IndexedValues;
}

function folderOf<M>({ scope }: Interest<M>): string {
  return scope.kind === 'prefix' ? scope.prefix : '';
}

const unreadable = Symbol('unreadable');

function bucketsOf<M>(definition: IndexDefinition<M>, entry: ViewEntry<M> | undefined) {
  return entry === undefined ? undefined : (definition.bucketsOf(entry) ?? unreadable);
}

/** Each old and new value, without duplicates. */
function bucketsTouched(old: Buckets | undefined, now: Buckets | undefined): readonly string[] {
  const touched: string[] = [];
  const add = (bucket: string) => {
    if (!touched.includes(bucket)) touched.push(bucket);
  };
  if (old !== undefined) eachBucket(old, add);
  if (now !== undefined && !sameBuckets(old, now)) eachBucket(now, add);
  return touched;
}

function offer<M>(folders: ByFolder<M>, change: Change<M>, touched: readonly string[]): void {
  const sets: Set<Interest<M>>[] = [];
  eachFolder(folders, change.key, (buckets) => {
    for (const bucket of touched) {
      const interests = buckets.get(bucket);
      if (interests !== undefined) sets.push(interests);
    }
  });
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) for (const interest of only) interest.offer(change);
  else if (sets.length > 1) offerOnce(sets, change);
}

/** A watcher of several values may be in several sets. */
function offerOnce<M>(sets: readonly Set<Interest<M>>[], change: Change<M>): void {
  const interests = new Set<Interest<M>>();
  for (const set of sets) for (const interest of set) interests.add(interest);
  for (const interest of interests) interest.offer(change);
}

/** An unreadable entry is offered to every watcher, whose selection then fails. */
function offerToAll<M>(folders: ByFolder<M>, change: Change<M>): void {
  const sets: Set<Interest<M>>[] = [];
  eachFolder(folders, change.key, (buckets) => sets.push(...buckets.values()));
  offerOnce(sets, change);
}

/** A key is in as many folders as it has slashes; real keys have about six. */
function eachFolder<M>(folders: ByFolder<M>, key: string, visit: (buckets: ByBucket<M>) => void): void {
  const everywhere = folders.get('');
  if (everywhere !== undefined) visit(everywhere);
  if (everywhere !== undefined && folders.size === 1) return;
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
    const buckets = folders.get(key.slice(0, slash + 1));
    if (buckets !== undefined) visit(buckets);
  }
}
