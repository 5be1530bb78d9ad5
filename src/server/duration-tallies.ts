import type { DurationHistogram } from '../http/index.ts';

type Labels = Readonly<Record<string, string>>;
type Series = ReturnType<DurationHistogram['series']>;

/** A metric that counts. */
interface Counted {
  inc(labels: Labels, times: number): void;
}

/** The metrics of one series. */
interface TalliedSeries {
  readonly labels: Labels;
  readonly durations: Series;
  readonly counter?: Counted;
}

/** A series, and the number of observations that its counter does not have yet. */
export class Tally {
  readonly #series: TalliedSeries;
  #uncounted = 0;

  constructor(series: TalliedSeries) {
    this.#series = series;
  }

  observe(seconds: number, times: number): void {
    this.#series.durations.observe(seconds, times);
    this.#uncounted += times;
  }

  /** Brings the counter up to date. */
  flush(): void {
    this.#series.counter?.inc(this.#series.labels, this.#uncounted);
    this.#uncounted = 0;
  }
}

/** The words that identify a series; equal words always have the same labels. */
type Words = readonly string[];

/** Series in nested maps, by one word per level: joining and hashing the words would cost more than the lookups. */
type Branch = Map<string, Branch | Tally>;

/**
 * Finds the series of durations by words. Their counters are brought up to date on a scrape: checking and hashing the
 * labels of one observation costs as much as evaluating a small policy.
 */
export class DurationTallies {
  readonly #root: Branch = new Map();
  readonly #all: Tally[] = [];

  /**
   * Adds an observation; returns its series.
   *
   * @param words identify the series
   * @param series returns the metrics of words that are new
   */
  add(
    words: Words,
    { seconds, times }: { readonly seconds: number; readonly times: number },
    series: () => TalliedSeries,
  ): Tally {
    const tally = this.#find(words) ?? this.#make(words, series());
    tally.observe(seconds, times);
    return tally;
  }

  /** Brings the counters up to date. */
  flush(): void {
    for (const tally of this.#all) tally.flush();
  }

  #find(words: Words): Tally | undefined {
    let at: Branch | Tally | undefined = this.#root;
    for (const word of words) at = at instanceof Map ? at.get(word) : undefined;
    return at instanceof Map ? undefined : at;
  }

  #make(words: Words, series: TalliedSeries): Tally {
    const tally = new Tally(series);
    this.#all.push(tally);
    let branch = this.#root;
    for (const word of words.slice(0, -1)) {
      const next = branch.get(word);
      const below: Branch = next instanceof Map ? next : new Map();
      branch.set(word, below);
      branch = below;
    }
    branch.set(words.at(-1) ?? '', tally);
    return tally;
  }
}
