import { Buckets } from '../../flowcontrol/index.ts';

/** The name of a histogram, and its bounds in seconds. */
interface DurationHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly bounds: readonly number[];
}

type Labels = Readonly<Record<string, string>>;

/**
 * A Prometheus histogram of durations that returns its series: looking up a dozen labels per observation, as libraries
 * do, takes longer than many requests.
 */
export class DurationHistogram {
  readonly #options: DurationHistogramOptions;
  readonly #series = new Map<string, Buckets>();

  constructor(options: DurationHistogramOptions) {
    this.#options = options;
  }

  /** The series with these labels; its `observe` counts a duration in seconds. */
  series(labels: Labels): Buckets {
    const text = labelText(labels);
    const known = this.#series.get(text);
    if (known !== undefined) return known;
    const made = new Buckets(this.#options.bounds);
    this.#series.set(text, made);
    return made;
  }

  /** Removes a series. */
  remove(labels: Labels): void {
    this.#series.delete(labelText(labels));
  }

  /** Only sums and counts, as a summary without quantiles. */
  summaryText(name: string, help: string): string {
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} summary`];
    for (const [labels, { sum, count }] of this.#series)
      if (count > 0) lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`);
    return `${lines.join('\n')}\n`;
  }

  /** In Prometheus' text format, without empty series. */
  text(): string {
    const { name, help } = this.#options;
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
    for (const [labels, { bounds, counts, sum, count }] of this.#series) {
      if (count === 0) continue;
      bounds.forEach((bound, at) => {
        lines.push(`${name}_bucket{le="${bound}",${labels}} ${counts[at]}`);
      });
      lines.push(`${name}_bucket{le="+Inf",${labels}} ${count}`);
      lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, (char) => escapes[char] ?? char)}"`)
    .join(',');
}
