/** A line of a metrics document. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** Source: https://prometheus.io/docs/instrumenting/exposition_formats/ */
const linePattern = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const labelPattern = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples whose names have one of the prefixes; other lines are not parsed. */
export function samplesIn(text: string, prefixes: readonly string[]): readonly Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (!prefixes.some((prefix) => line.startsWith(prefix))) continue;
    const [, name = '', labels = '', value = ''] = linePattern.exec(line) ?? [];
    if (name === '') continue;
    samples.push({ name, labels: labelsIn(labels), value: numberOf(value) });
  }
  return samples;
}

function labelsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(labelPattern)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    ]),
  );
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
