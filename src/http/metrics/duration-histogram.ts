import { Buckets } from '../../flowcontrol/index.ts';

/** What a histogram is called, and its bounds in seconds. */
interface DurationHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly bounds: readonly number[];
}

type Labels = Readonly<Record<string, string>>;

/**
 * A histogram of durations for Prometheus, whose series are at hand: to look one up by a dozen labels, as libraries do, takes longer
 * than many a request.
 */
export class DurationHistogram {
  readonly #options: DurationHistogramOptions;
  readonly #series = new Map<string, Buckets>();

  constructor(options: DurationHistogramOptions) {
    this.#options = options;
  }

  /** The series with some labels: its `observe` counts a duration, in seconds. */
  series(labels: Labels): Buckets {
    const text = labelText(labels);
    const known = this.#series.get(text);
    if (known !== undefined) return known;
    const made = new Buckets(this.#options.bounds);
    this.#series.set(text, made);
    return made;
  }

  /** Forgets a series. */
  remove(labels: Labels): void {
    this.#series.delete(labelText(labels));
  }

  /** Sums and counts alone, as a summary without quantiles. */
  summaryText(name: string, help: string): string {
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} summary`];
    for (const [labels, { sum, count }] of this.#series)
      if (count > 0) lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`);
    return `${lines.join('\n')}\n`;
  }

  /** In the text format of Prometheus; series that counted nothing are left out. */
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
