type Labels = Readonly<Record<string, string>>;

/** A metric of durations. */
export interface Durations {
  observe(labels: Labels, seconds: number): void;
}

/** A metric that counts. */
interface Counted {
  inc(labels: Labels, times: number): void;
}

interface Tally {
  readonly labels: Labels;
  readonly counter: Counted | undefined;
  readonly histogram: Durations;
  seconds: number[];
}

/** The maximum number of durations that one series collects before they are added to the metrics. */
const talliedMax = 1_000;

/** The words that identify a series; equal words always have the same labels. */
type Words = readonly string[];

/** Series in nested maps, by one word per level: joining and hashing the words would cost more than the lookups. */
type Branch = Map<string, Branch | Tally>;

/**
 * Collects durations by series, and adds them to the metrics on a scrape: checking and hashing the labels of one
 * observation costs as much as evaluating a small policy.
 */
export class DurationTallies {
  readonly #root: Branch = new Map();
  readonly #all: Tally[] = [];

  /**
   * Adds an observation.
   *
   * @param words identify the series
   * @param series returns the labels and metrics of words that are new
   */
  add(
    words: Words,
    { seconds, times }: { readonly seconds: number; readonly times: number },
    series: () => Omit<Tally, 'seconds'>,
  ): void {
    const tally = this.#find(words) ?? this.#make(words, series());
    for (let count = 0; count < times; count += 1) tally.seconds.push(seconds);
    if (tally.seconds.length >= talliedMax) flush(tally);
  }

  /** Adds all collected durations to the metrics. */
  flush(): void {
    for (const tally of this.#all) flush(tally);
  }

  #find(words: Words): Tally | undefined {
    let at: Branch | Tally | undefined = this.#root;
    for (const word of words) at = at instanceof Map ? at.get(word) : undefined;
    return at instanceof Map ? undefined : at;
  }

  #make(words: Words, series: Omit<Tally, 'seconds'>): Tally {
    const tally = { ...series, seconds: [] };
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

function flush(tally: Tally): void {
  const { labels, counter, histogram, seconds } = tally;
  if (seconds.length === 0) return;
  counter?.inc(labels, seconds.length);
  for (const one of seconds) histogram.observe(labels, one);
  tally.seconds = [];
}
