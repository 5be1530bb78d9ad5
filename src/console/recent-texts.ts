interface Limits {
  readonly count: number;
  /** The total number of characters; longer texts are dropped. */
  readonly chars: number;
}

/** A ring buffer of texts, bounded by count and total size. */
export class RecentTexts {
  readonly #max: Limits;
  readonly #texts: string[] = [];
  #chars = 0;
  #total = 0;

  constructor(max: Limits) {
    this.#max = max;
  }

  add(text: string): void {
    this.#total += 1;
    if (text.length > this.#max.chars) return;
    this.#texts.push(text);
    this.#chars += text.length;
    while (this.#texts.length > this.#max.count || this.#chars > this.#max.chars)
      this.#chars -= this.#texts.shift()?.length ?? 0;
  }

  /** Oldest first. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The number of texts added since the start. */
  get total(): number {
    return this.#total;
  }
}
