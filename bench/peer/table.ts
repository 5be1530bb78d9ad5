import { median } from '../etcd/turns.ts';
import type { ContenderName } from './contenders.ts';
import { ratiosOf } from './ratios.ts';
import type { Figures, Row } from './row.ts';
import type { Measured } from './run-scene.ts';

const columns: readonly ContenderName[] = ['bare', 'ilk sqlite', 'ilk etcd', 'upstream'];

/** Medians with their spread, and ratios: above 1, Ilk is the better one. */
export function table(measured: readonly Measured[]): string {
  const head = ['what', 'bare', 'Ilk, SQLite', 'Ilk, etcd', 'upstream', 'against upstream', 'against bare'];
  const lines = measured.map(({ row, figures }) => [
    row.what,
    ...columns.map((name) => cell(row, figures.get(name) ?? [])),
    ratios(row, ours(figures), figures.get('upstream')),
    ratios(row, figures.get('ilk sqlite'), figures.get('bare')),
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Both store in etcd, where Ilk was measured so. */
export function ours(figures: Measured['figures']): readonly Figures[] | undefined {
  return figures.get('ilk etcd') ?? figures.get('ilk sqlite');
}

function cell({ unit }: Row, figures: readonly Figures[]): string {
  if (figures.length === 0) return '';
  const values = figures.map(({ value }) => value);
  const spread = values.length > 1 ? ` (${shown(Math.min(...values))} to ${shown(Math.max(...values))})` : '';
  return `${shown(median(values))} ${unit}${spread}${cpuText(figures)}`;
}

function cpuText(figures: readonly Figures[]): string {
  const own = medianOf(figures, 'cpuUs');
  if (own === undefined) return '';
  const etcd = medianOf(figures, 'etcdCpuUs');
  return `; CPU ${timeText(own)}${etcd === undefined ? '' : `, etcd ${timeText(etcd)}`}`;
}

function medianOf(figures: readonly Figures[], key: 'cpuUs' | 'etcdCpuUs'): number | undefined {
  const values = figures.flatMap((one) => one[key] ?? []);
  return values.length === 0 ? undefined : median(values);
}

function timeText(us: number): string {
  return us < 1_000 ? `${shown(us)} us` : `${shown(us / 1_000)} ms`;
}

function shown(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** `9.5 x, CPU 8.1 x` */
function ratios(
  row: Row,
  one: readonly Figures[] | undefined,
  other: readonly Figures[] | undefined,
): string {
  const found = ratiosOf(row, one, other);
  if (found === undefined) return '';
  const { value, cpu } = found;
  return `${value.toFixed(2)} x${cpu === undefined ? '' : `, CPU ${cpu.toFixed(2)} x`}`;
}
