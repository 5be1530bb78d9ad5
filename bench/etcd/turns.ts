/** What is compared, by name: each gives a rate or a time. */
type Measures<K extends string> = Readonly<Record<K, () => Promise<number>>>;

/** Measures by turns, after one that does not count, so that what else the machine does falls on all alike. */
export async function byTurns<K extends string>(
  measures: Measures<K>,
  { turns, warmUp = true }: { readonly turns: number; readonly warmUp?: boolean },
): Promise<Record<K, number[]>> {
  const names = Object.keys(measures) as K[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let turn = warmUp ? -1 : 0; turn < turns; turn++) {
    for (const name of names) {
      const value = await measures[name]();
      if (turn >= 0) values[name].push(value);
    }
  }
  return values;
}

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What was measured, turn by turn. */
interface Compared {
  readonly floor: readonly number[];
  readonly ours: readonly number[];
  readonly unit?: '/s' | 'ms';
}

/** Medians, as a line of a table; the ratio is that of the ratios of each turn. */
export function row(name: string, { floor, ours, unit = '/s' }: Compared): string {
  const shown = (values: readonly number[]) => `${median(values).toFixed(unit === '/s' ? 0 : 2)} ${unit}`;
  const ratio = median(ours.map((value, turn) => value / (floor[turn] ?? 0)));
  return `| ${name} | ${shown(floor)} | ${shown(ours)} | ${ratio.toFixed(2)} x |`;
}
