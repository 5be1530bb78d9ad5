import type { KeyCursor } from './key-cursor.ts';

/** The intersection of cursors. The first should have the fewest keys: the others seek to its keys. */
export class IntersectionCursor implements KeyCursor {
  readonly #cursors: readonly KeyCursor[];
  key: string | undefined;

  constructor(cursors: readonly KeyCursor[]) {
    this.#cursors = cursors;
    this.#meet();
  }

  next(): void {
    this.#cursors[0]?.next();
    this.#meet();
  }

  seek(key: string): void {
    if (this.key === undefined || this.key >= key) return;
    this.#cursors[0]?.seek(key);
    this.#meet();
  }

  /** Cursors that are behind seek forward, until all are at the same key or one is at its end. */
  #meet(): void {
    let target = this.#cursors[0]?.key;
    for (let agreed = 1, at = 1; target !== undefined && agreed < this.#cursors.length; at += 1) {
      const cursor = this.#cursors[at % this.#cursors.length];
      cursor?.seek(target);
      agreed = cursor?.key === target ? agreed + 1 : 1;
      target = cursor?.key;
    }
    this.key = target;
  }
}

/** The union of cursors, without duplicates: a binary heap with the smallest key at the top. */
export class UnionCursor implements KeyCursor {
  readonly #heap: KeyCursor[];
  key: string | undefined;

  constructor(cursors: readonly KeyCursor[]) {
    this.#heap = cursors.filter(({ key }) => key !== undefined);
    for (let at = (this.#heap.length >> 1) - 1; at >= 0; at -= 1) this.#sink(at);
    this.key = this.#heap[0]?.key;
  }

  next(): void {
    const { key } = this;
    if (key === undefined) return;
    while (this.#heap[0]?.key === key) {
      this.#heap[0].next();
      this.#settle();
    }
    this.key = this.#heap[0]?.key;
  }

  seek(key: string): void {
    if (this.key === undefined || this.key >= key) return;
    for (let top = this.#heap[0]; top?.key !== undefined && top.key < key; top = this.#heap[0]) {
      top.seek(key);
      this.#settle();
    }
    this.key = this.#heap[0]?.key;
  }

  /** Moves the top cursor to its place in the heap, or removes it at its end. */
  #settle(): void {
    if (this.#heap[0]?.key === undefined) {
      const last = this.#heap.pop();
      if (last === undefined || this.#heap.length === 0) return;
      this.#heap[0] = last;
    }
    this.#sink(0);
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = this.#isBefore(left, at) ? left : at;
      if (this.#isBefore(right, least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a]?.key, this.#heap[b]?.key];
    return one !== undefined && other !== undefined && one < other;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}
