import type { Counter, Histogram } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

interface Tally {
  readonly labels: Labels;
  readonly counter: Counter | undefined;
  readonly histogram: Histogram;
  seconds: number[];
}

/** So many durations of one series are kept before the metrics get them. */
const talliedMax = 1_000;

/**
 * Durations by series, which the metrics get when somebody reads them: checking and hashing the labels of one observation
 * costs as much as the evaluation of a small policy.
 */
export class DurationTallies {
  readonly #tallies = new Map<string, Tally>();

  /**
   * Adds an observation.
   *
   * @param key names the series; the labels of a key are always the same
   * @param series gives the labels and metrics of a key that is seen for the first time
   */
  add(key: string, seconds: number, series: () => Omit<Tally, 'seconds'>): void {
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = { ...series(), seconds: [] };
      this.#tallies.set(key, tally);
    }
    tally.seconds.push(seconds);
    if (tally.seconds.length >= talliedMax) flush(tally);
  }

  /** Gives the metrics everything that was added. */
  flush(): void {
    for (const tally of this.#tallies.values()) flush(tally);
  }
}

function flush(tally: Tally): void {
  const { labels, counter, histogram, seconds } = tally;
  if (seconds.length === 0) return;
  counter?.inc(labels, seconds.length);
  for (const one of seconds) histogram.observe(labels, one);
  tally.seconds = [];
}
