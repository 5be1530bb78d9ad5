interface Limits {
  readonly count: number;
  /** Characters of all texts together; a text with more is not kept. */
  readonly chars: number;
}

/** The last texts that were added, up to a count and a total size. */
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

  /** The oldest first. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The number of all texts that were ever added. */
  get total(): number {
    return this.#total;
  }
}
