/** A text with the time at which it came. */
export interface RecentText {
  readonly text: string;
  readonly atMs: number;
}

/** The kept texts, oldest first, and the number of all texts since the start. */
export interface RecentTextList {
  readonly texts: readonly RecentText[];
  readonly total: number;
}

interface Limits {
  readonly count: number;
  /** The total number of characters; longer texts are dropped. */
  readonly chars: number;
}

/** A ring buffer of texts, bounded by count and total size. */
export class RecentTexts {
  readonly #max: Limits;
  readonly #texts: RecentText[] = [];
  #chars = 0;
  #total = 0;

  constructor(max: Limits) {
    this.#max = max;
  }

  add(text: string, atMs: number): void {
    this.#total += 1;
    if (text.length > this.#max.chars) return;
    this.#texts.push({ text, atMs });
    this.#chars += text.length;
    while (this.#texts.length > this.#max.count || this.#chars > this.#max.chars)
      this.#chars -= this.#texts.shift()?.text.length ?? 0;
  }

  list(): RecentTextList {
    return { texts: this.#texts, total: this.#total };
  }
}
