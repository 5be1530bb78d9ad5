import type { ViewEntry } from '../entries/view-entry.ts';
import { bucketOf } from './bucket.ts';
import type { Buckets } from '../entries/indexed-values.ts';
import { type IndexDefinition, IndexSource, type ReadEntry } from './index-source.ts';

/** The value of a field: a text, empty if absent, or several texts. */
export type FieldText = string | readonly string[];

/** The values of declared fields, such as the selectable fields of a version. */
export class FieldSource<M> extends IndexSource<M> {
  readonly definitions: readonly FieldDefinition<M>[];
  readonly #read: ReadEntry<M, readonly FieldText[]>;

  /** @param read returns a value for each of the names, in order */
  constructor(names: readonly string[], read: ReadEntry<M, readonly FieldText[]>) {
    super();
    this.definitions = Object.freeze(names.map((name, at) => new FieldDefinition(name, this, at)));
    this.#read = read;
  }

  protected override read(
    entry: ViewEntry<M>,
    share: (text: string) => string,
  ): readonly Buckets[] | undefined {
    return this.#read(entry)?.map((value) => {
      if (typeof value === 'string') return share(bucketOf(value));
      const distinct = [...new Set(value)].map((one) => share(bucketOf(one)));
      return distinct.length > 1 ? distinct : (distinct[0] ?? '');
    });
  }
}

/** One of the fields of a source. */
class FieldDefinition<M> implements IndexDefinition<M> {
  readonly name: string;
  readonly isDeclared = true;
  readonly #source: FieldSource<M>;
  readonly #at: number;

  constructor(name: string, source: FieldSource<M>, at: number) {
    this.name = name;
    this.#source = source;
    this.#at = at;
  }

  bucketsOf(entry: ViewEntry<M>): Buckets | undefined {
    return this.#source.bucketsOf(entry)?.[this.#at];
  }
}
