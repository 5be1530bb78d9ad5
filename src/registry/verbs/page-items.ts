import type { ViewEntry } from '../../cache/index.ts';
import type { Represented } from '../representation/represented.ts';
import type { Representations } from '../representation/representation.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';

/**
 * The objects of a list. Each is rendered when it is read, and not kept: a slowly read response holds references to
 * shared entries, not its own objects.
 */
export class PageItems implements Iterable<ResponseObject> {
  readonly length: number;
  /** The bytes of all items as compact JSON. */
  readonly byteLength: number;
  readonly #items: () => Iterator<ResponseObject>;

  private constructor(length: number, byteLength: number, items: () => Iterator<ResponseObject>) {
    this.length = length;
    this.byteLength = byteLength;
    this.#items = items;
  }

  /** Objects that are already rendered. */
  static of(objects: readonly ResponseObject[], byteLength: number): PageItems {
    return new PageItems(objects.length, byteLength, () => objects.values());
  }

  /** Entries that are rendered on access. Each iteration over `entries` must return the same ones. */
  static rendered(
    entries: Iterable<ViewEntry<Representations>>,
    {
      length,
      byteLength,
      served,
    }: { readonly length: number; readonly byteLength: number; readonly served: Represented },
  ): PageItems {
    return new PageItems(length, byteLength, () => rendered(entries, served));
  }

  [Symbol.iterator](): Iterator<ResponseObject> {
    return this.#items();
  }
}

function* rendered(
  entries: Iterable<ViewEntry<Representations>>,
  served: Represented,
): Generator<ResponseObject, undefined> {
  for (const entry of entries) yield renderEntry(entry, served);
}
