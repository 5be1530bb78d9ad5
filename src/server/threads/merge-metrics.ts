/** The samples of one metric. */
interface Family {
  /** The lines of help and type. */
  readonly head: readonly string[];
  readonly combine: (one: number, other: number) => number;
  /** By name and labels, in the order in which they came. */
  readonly samples: Map<string, string>;
}

/** Facts about the process, or the same in each thread: their sum would be a multiple of the truth. */
const sameInAll: ReadonlySet<string> = new Set([
  'process_cpu_seconds_total',
  'process_start_time_seconds',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_max_fds',
  'nodejs_version_info',
  'ilk_event_loop_delay_seconds',
  'ilk_custom_feature_enabled',
  'ilk_custom_feature_frozen_objects',
  'ilk_selector_index_entries',
  'ilk_selector_index_values',
  'ilk_selector_index_changes_total',
  'apiserver_flowcontrol_current_r',
  'apiserver_flowcontrol_seat_fair_frac',
  'apiserver_flowcontrol_demand_seats_stdev',
]);

/** Each thread reads its configuration files, at the same moments. */
const sameEnds = ['_timestamp_seconds', '_reloads_total', '_info'];

/**
 * The metrics of a process from those of its threads, in Prometheus' text format: counters, histograms and gauges are
 * added; of what is the same in all threads, and of delays and times, the largest value is taken.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) readInto(families, text);
  const lines: string[] = [];
  for (const { head, samples } of families.values()) {
    lines.push(...head);
    for (const [series, value] of samples) lines.push(`${series} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}

function readInto(families: Map<string, Family>, text: string): void {
  let head: string[] = [];
  let family: Family | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      // A sample ends the head of its family.
      if (family !== undefined) [head, family] = [[], undefined];
      head.push(line);
      continue;
    }
    family ??= familyOf(families, head);
    addSample(family, line);
  }
  if (family === undefined && head.length > 0) familyOf(families, head);
}

/** `# TYPE name type` and `# HELP name text` */
const headForm = /^# (?:TYPE|HELP) (\S+)/;

function familyOf(families: Map<string, Family>, head: readonly string[]): Family {
  const name = headForm.exec(head.at(-1) ?? '')?.[1] ?? '';
  // Families without samples may stand before it.
  for (const line of head) {
    const other = headForm.exec(line)?.[1] ?? '';
    if (other !== name && !families.has(other)) families.set(other, newFamily(other, ofFamily(head, other)));
  }
  const known = families.get(name);
  if (known !== undefined) return known;
  const made = newFamily(name, ofFamily(head, name));
  families.set(name, made);
  return made;
}

const ofFamily = (head: readonly string[], name: string): string[] =>
  head.filter((line) => headForm.exec(line)?.[1] === name);

function newFamily(name: string, head: readonly string[]): Family {
  const isSame = sameInAll.has(name) || sameEnds.some((end) => name.endsWith(end));
  return { head, combine: isSame ? Math.max : (one, other) => one + other, samples: new Map() };
}

/** The value is after the last space: labels may contain spaces, values do not. */
function addSample({ samples, combine }: Family, line: string): void {
  const at = line.lastIndexOf(' ');
  const [series, value] = [line.slice(0, at), line.slice(at + 1)];
  const known = samples.get(series);
  samples.set(series, known === undefined ? value : textOf(combine(numberOf(known), numberOf(value))));
}

const infinities: Readonly<Record<string, number>> = {
  '+Inf': Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
};

function numberOf(text: string): number {
  return infinities[text] ?? Number(text);
}

function textOf(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
