import { median } from '../etcd/turns.ts';
import type { Figures, Row } from './row.ts';

/** Above 1, the first is better. */
export interface Ratios {
  /** Of rates, times or amounts. */
  readonly value: number;
  /** Of processor time; left out where none was measured. */
  readonly cpu?: number;
}

/** Medians of the ratios of each round; undefined unless both were measured. */
export function ratiosOf(
  { unit }: Pick<Row, 'unit'>,
  one: readonly Figures[] | undefined,
  other: readonly Figures[] | undefined,
): Ratios | undefined {
  if (one === undefined || other === undefined) return undefined;
  const pairs = one.flatMap((figures, round) => {
    const against = other[round];
    return against === undefined ? [] : [[figures, against] as const];
  });
  const value = median(pairs.map(([a, b]) => (unit === '/s' ? a.value / b.value : b.value / a.value)));
  const cpu = pairs.flatMap(([a, b]) =>
    a.cpuUs === undefined || b.cpuUs === undefined || a.cpuUs === 0 ? [] : [b.cpuUs / a.cpuUs],
  );
  return { value, ...(cpu.length === 0 ? {} : { cpu: median(cpu) }) };
}
