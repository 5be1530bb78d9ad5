import type { JsonValue } from '../meta/index.ts';

/** A chunk that grows beyond this size is split in two. */
const chunkLengthMax = 512;

/**
 * A long list with many changes, in chunks: inserting or removing an item moves the items of one chunk, not all that
 * follow. Indexes must be within the list.
 */
export class PatchList {
  readonly #chunks: JsonValue[][] = [];
  #length: number;

  constructor(items: readonly JsonValue[]) {
    const step = chunkLengthMax / 2;
    for (let at = 0; at < items.length; at += step) this.#chunks.push(items.slice(at, at + step));
    this.#length = items.length;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): JsonValue | undefined {
    const { chunk, offset } = this.#find(index);
    return this.#chunks[chunk]?.[offset];
  }

  set(index: number, item: JsonValue): void {
    const { chunk, offset } = this.#find(index);
    const items = this.#chunks[chunk];
    if (items !== undefined) items[offset] = item;
  }

  /** @param index appends if it is the length of the list */
  insert(index: number, item: JsonValue): void {
    const { chunk, offset } = this.#find(index);
    const items = this.#chunks[chunk] ?? [];
    if (this.#chunks.length === 0) this.#chunks.push(items);
    items.splice(offset, 0, item);
    this.#length += 1;
    if (items.length > chunkLengthMax) this.#chunks.splice(chunk + 1, 0, items.splice(chunkLengthMax / 2));
  }

  remove(index: number): void {
    const { chunk, offset } = this.#find(index);
    const items = this.#chunks[chunk];
    if (items === undefined || offset >= items.length) return;
    items.splice(offset, 1);
    this.#length -= 1;
    if (items.length === 0) this.#chunks.splice(chunk, 1);
  }

  /** The current items, in a new list. */
  items(): JsonValue[] {
    return this.#chunks.flat();
  }

  /** The position of an index; the end of the list is after the last item of the last chunk. */
  #find(index: number): { readonly chunk: number; readonly offset: number } {
    let offset = index;
    for (let chunk = 0; ; chunk += 1) {
      const length = this.#chunks[chunk]?.length ?? 0;
      if (offset < length || chunk >= this.#chunks.length - 1) return { chunk, offset };
      offset -= length;
    }
  }
}
