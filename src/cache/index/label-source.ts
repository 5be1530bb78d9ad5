import type { ViewEntry } from '../entries/view-entry.ts';
import { absentBucket, bucketOf } from './bucket.ts';
import type { Buckets } from '../entries/indexed-values.ts';
import { type IndexDefinition, IndexSource, type ReadEntry } from './index-source.ts';

/** The maximum number of indexed keys; with more, indexes are built again on demand. */
const keysMax = 64;

/** The labels of entries. Label indexes are not declared: a key is indexed when a selector first uses it. */
export class LabelSource<M> extends IndexSource<M> {
  readonly #read: ReadEntry<M, ReadonlyMap<string, string>>;
  readonly #definitions = new Map<string, IndexDefinition<M>>();

  constructor(read: ReadEntry<M, ReadonlyMap<string, string>>) {
    super();
    this.#read = read;
  }

  definition(key: string): IndexDefinition<M> {
    const known = this.#definitions.get(key) ?? this.#define(key);
    this.#definitions.delete(key);
    this.#definitions.set(key, known);
    return known;
  }

  /** Key, value, key, value: half the size of a map, and few objects have many labels. */
  protected override read(
    entry: ViewEntry<M>,
    share: (text: string) => string,
  ): readonly Buckets[] | undefined {
    const labels = this.#read(entry);
    // The slice has the exact length; a list that was grown has spare capacity.
    return labels && [...labels].flatMap(([key, value]) => [share(key), share(bucketOf(value))]).slice();
  }

  #define(key: string): IndexDefinition<M> {
    if (this.#definitions.size >= keysMax) {
      const [oldest] = this.#definitions.keys();
      if (oldest !== undefined) this.#definitions.delete(oldest);
    }
    return {
      name: `label ${key}`,
      isDeclared: false,
      bucketsOf: (entry) => labelBucket(this.bucketsOf(entry), key),
    };
  }
}

function labelBucket(pairs: readonly Buckets[] | undefined, key: string): Buckets | undefined {
  if (pairs === undefined) return undefined;
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === key) return pairs[at + 1] ?? absentBucket;
  return absentBucket;
}
