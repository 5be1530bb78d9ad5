import { limits, type KubeObject } from '../../meta/index.ts';

/**
 * Recently written large objects, decoded: the writer of an object is likely to write it again, which then needs no
 * decoding. Limited by their stored bytes; the least recently used are evicted.
 *
 * The objects are shared and must not be changed.
 */
export class RecentObjects {
  readonly #bytesMax: number;
  readonly #objects = new Map<number, { readonly object: KubeObject; readonly bytes: number }>();
  #bytes = 0;

  constructor(bytesMax: number = limits.recentObjectsBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** The object written at a revision. */
  get(revision: number): KubeObject | undefined {
    const found = this.#objects.get(revision);
    if (found === undefined) return undefined;
    this.#objects.delete(revision);
    this.#objects.set(revision, found);
    return found.object;
  }

  /** Stores the object of a revision, and removes that of the previous one. */
  put(
    revision: number,
    object: KubeObject,
    write: { readonly bytes: number; readonly replaces: number },
  ): void {
    this.forget(write.replaces);
    if (write.bytes > this.#bytesMax) return;
    this.#objects.set(revision, { object, bytes: write.bytes });
    this.#bytes += write.bytes;
    for (const oldest of this.#objects.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.forget(oldest);
    }
  }

  /** Removes the object of a revision after a delete. */
  forget(revision: number): void {
    this.#bytes -= this.#objects.get(revision)?.bytes ?? 0;
    this.#objects.delete(revision);
  }
}
